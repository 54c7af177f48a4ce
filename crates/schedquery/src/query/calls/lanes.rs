//! Calls and interrupts on lines of time: cells for each bucket, what has room for a text, and what is at an instant.

use super::answer::Split;
use super::split::ThreadStates;
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::{Call, InterruptTime, StretchKind, Thread, Unfinished};
use crate::query::select::refs::RunPlace;
use schedindex::TaskState;
use schedmodel::{CommId, TaskId, Trace};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;
use ts_rs::TS;

/// In a cell's second word: more than one call is in the bucket.
pub const CALL_MERGED: u32 = 1;
/// In a cell's second word: a call of the bucket failed, and returned in it.
pub const CALL_FAILED: u32 = 2;
/// In a cell's second word: for a part of the bucket it is not known whether the thread is in a call.
pub const CALL_UNKNOWN: u32 = 4;
/// In a cell's second word: a call of the bucket never returned, or it is not known which it is.
pub const CALL_OPEN: u32 = 8;

/// What a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CallSpan {
    /// In a call that returned.
    Call,
    /// In a call that never returned, or had not when the trace ended.
    Unfinished,
    /// In a call that began before the thread was seen, or in its parent.
    Begun,
    /// Events are missing: in calls and outside.
    Unknown,
    /// In no call.
    Outside,
}

/// What a thread is in at an instant.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallItem {
    /// Task id.
    pub task: u32,
    /// When it began.
    #[ts(type = "Ns")]
    pub start: u64,
    /// When it ended.
    #[ts(type = "Ns")]
    pub end: u64,
    /// What it is.
    pub span: CallSpan,
    /// The call's name, where it is known.
    pub call: Option<Cow<'static, str>>,
    /// Its number.
    pub nr: Option<i32>,
    /// What it returned.
    pub ret: Option<i64>,
    /// The error that this is.
    pub error: Option<&'static str>,
    /// The same for people: with the error's name, and addresses in hexadecimal.
    pub returned: Option<String>,
    /// What the thread did meanwhile.
    #[serde(flatten)]
    pub split: Split,
    /// As for [`CallPlace`](super::CallPlace).
    pub run: Option<RunPlace>,
}

/// A call that is long enough for a text.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallLabel {
    /// Task id.
    pub task: u32,
    /// When it began.
    #[ts(type = "Ns")]
    pub start: u64,
    /// When it ended.
    #[ts(type = "Ns")]
    pub end: u64,
    /// Its name.
    pub call: Cow<'static, str>,
    /// As in a tile's cell: 1 + its index, or 0.
    pub index: u32,
    /// The error that it returned.
    pub error: Option<&'static str>,
}

/// The calls of a thread in a part of its time. Shares are 255ths of that time, rounded up, so that 1 ns is never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCell {
    /// 1 + the index, in [`CallLanes::names`], of the call that takes most of it; 0: no number is known.
    pub call: u32,
    /// The share in calls.
    pub inside: u32,
    /// The share in which it ran in calls.
    pub ran: u32,
    /// [`CALL_MERGED`] and so on.
    pub flags: u32,
}

impl CallCell {
    /// What a tile holds of it: the call, then in a byte each the two shares; and the flags.
    pub(crate) fn words(self) -> [u32; 2] {
        [self.call | self.inside << 16 | self.ran << 24, self.flags]
    }
}

/// Buckets of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    /// The width of one, as a power of two.
    pub(crate) level: u32,
    pub(crate) first: u64,
    pub(crate) count: u32,
}

impl Buckets {
    pub(crate) fn bounds(self) -> Vec<Range<u64>> {
        let at = move |bucket: u64| {
            let at = u128::from(bucket) << self.level.min(63);
            u64::try_from(at).unwrap_or(u64::MAX)
        };
        let bounds = (0..u64::from(self.count)).map(move |index| {
            let bucket = self.first.saturating_add(index);
            at(bucket)..at(bucket.saturating_add(1))
        });
        bounds.collect()
    }
}

/// A part of a thread's time, as lanes show it.
struct Part {
    time: Range<u64>,
    span: CallSpan,
    /// Number and comm, where they are known.
    what: Option<(i32, CommId)>,
    ret: Option<i64>,
}

impl Part {
    fn of_call(call: &Call) -> Part {
        Part {
            time: call.at..call.end(),
            span: CallSpan::Call,
            what: Some((call.number, call.comm)),
            ret: Some(call.ret),
        }
    }
}

/// Answers about lanes.
pub struct CallLanes<'a> {
    model: CallModel<'a>,
    chosen: Chosen,
}

impl<'a> CallLanes<'a> {
    /// Of a trace's calls.
    pub fn new(model: CallModel<'a>) -> CallLanes<'a> {
        CallLanes {
            chosen: Chosen::new(model.trace, CallsQuery::default()),
            model,
        }
    }

    fn asked(&self) -> Asked<'_> {
        self.chosen.of(self.model)
    }

    fn trace(&self) -> &'a Trace {
        self.model.trace
    }

    fn thread(&self, task: u32) -> Option<&'a Thread> {
        self.model.calls.thread_of(TaskId(task))
    }

    /// All that overlaps a window, in order.
    fn parts(&self, thread: &Thread, window: &Range<u64>) -> Vec<Part> {
        let calls = self.model.calls;
        let complete = calls.some(thread, calls.overlapping(thread, window));
        let complete = complete.filter(|call| window.start < call.end() || call.at == window.start);
        let mut parts: Vec<Part> = complete.map(|call| Part::of_call(&call)).collect();
        let stretches = thread.stretches.iter();
        let stretches = stretches.filter(|stretch| stretch.time.start < window.end && window.start < stretch.time.end);
        for stretch in stretches {
            let (span, what) = match stretch.kind {
                StretchKind::Begun => (CallSpan::Begun, None),
                StretchKind::Unknown => (CallSpan::Unknown, None),
                StretchKind::Unfinished(Unfinished { number, comm, .. }) => {
                    (CallSpan::Unfinished, Some((number, comm)))
                }
            };
            parts.push(Part {
                time: stretch.time.clone(),
                span,
                what,
                ret: None,
            });
        }
        parts.sort_by_key(|part| part.time.start);
        parts
    }

    /// Numbers and names of calls, by the indexes that cells have; where some tasks are read by the table of 32-bit tasks,
    /// followed by all of these as that names them.
    pub fn names(&self) -> impl Iterator<Item = (i32, Cow<'static, str>)> + 'a {
        let CallModel { calls, names, .. } = self.model;
        let tables: &[bool] = if names.has_compat() { &[false, true] } else { &[false] };
        let named = move |&is_compat: &bool| {
            let numbers = calls.numbers().iter();
            numbers.map(move |&number| (number, names.name(number, is_compat)))
        };
        tables.iter().flat_map(named)
    }

    /// The calls of a task in each of these times, which follow each other.
    pub fn calls(&self, task: u32, bounds: &[Range<u64>]) -> Vec<CallCell> {
        let asked = self.asked();
        let states = self
            .thread(task)
            .map(|thread| (thread, ThreadStates::new(&asked, thread)));
        let Some((thread, states)) = states else {
            return vec![CallCell::default(); bounds.len()];
        };
        let window = bounds.first().map_or(0, |first| first.start)..bounds.last().map_or(0, |last| last.end);
        let parts = self.parts(thread, &window);
        let mut first = 0;
        let cells = bounds.iter().map(|bucket| {
            // Parts do not overlap, so those that ended before are at the front.
            while parts
                .get(first)
                .is_some_and(|part| part.time.end <= bucket.start && part.time.start < bucket.start)
            {
                first += 1;
            }
            let within = parts.get(first..).unwrap_or_default().iter();
            let within = within.take_while(|part| part.time.start < bucket.end);
            self.cell((thread, &states), bucket, within)
        });
        cells.collect()
    }

    fn cell<'p>(
        &self,
        (thread, states): (&Thread, &ThreadStates),
        bucket: &Range<u64>,
        parts: impl Iterator<Item = &'p Part>,
    ) -> CallCell {
        let (mut inside, mut ran, mut flags, mut count) = (0, 0, 0, 0);
        let mut times: Vec<(u32, u64)> = Vec::new();
        for part in parts {
            let time = part.time.start.max(bucket.start)..part.time.end.min(bucket.end);
            let ns = time.end.saturating_sub(time.start);
            if part.span == CallSpan::Unknown {
                flags |= CALL_UNKNOWN;
                continue;
            }
            count += 1;
            inside += ns;
            ran += states.ran(time);
            if part.span != CallSpan::Call {
                flags |= CALL_OPEN;
            }
            if part.ret.is_some_and(sysnames::is_error) && part.time.end <= bucket.end {
                flags |= CALL_FAILED;
            }
            let number = part.what.map_or(0, |(number, comm)| self.number(thread, number, comm));
            // What takes no time at all is still there.
            match times.iter_mut().find(|(known, _)| *known == number) {
                Some((_, sum)) => *sum += ns.max(1),
                None => times.push((number, ns.max(1))),
            }
        }
        if 1 < count {
            flags |= CALL_MERGED;
        }
        let most = times.into_iter().rev().max_by_key(|&(_, ns)| ns);
        let length = bucket.end - bucket.start;
        let inside = match count {
            0 => 0,
            _ => share(inside.max(1), length),
        };
        CallCell {
            call: most.map_or(0, |(number, _)| number),
            inside,
            ran: share(ran, length),
            flags,
        }
    }

    /// 1 + the index of a number, those by the 32-bit table after the others; 0 if none of the kept ones is meant.
    fn number(&self, thread: &Thread, number: i32, comm: CommId) -> u32 {
        let numbers = self.model.calls.numbers();
        let before = match self.model.names.is_compat(thread, comm) {
            true => numbers.len(),
            false => 0,
        };
        let index = numbers.iter().position(|&known| known == number);
        index.map_or(0, |index| ((before + index) as u32 + 1).min(0xffff))
    }

    /// The calls of a task that are at least so long.
    pub fn labels(&self, task: u32, window: &Range<u64>, least: u64) -> Vec<CallLabel> {
        let Some(thread) = self.thread(task) else {
            return Vec::new();
        };
        let parts = self.parts(thread, window).into_iter();
        let long = parts.filter(|part| least <= part.time.end - part.time.start);
        let named = long.filter_map(|part| {
            let (nr, comm) = part.what?;
            Some(CallLabel {
                task,
                start: part.time.start,
                end: part.time.end,
                call: self.name(thread, nr, comm),
                index: self.number(thread, nr, comm),
                error: part.ret.and_then(sysnames::error_name),
            })
        });
        named.collect()
    }

    fn name(&self, thread: &Thread, number: i32, comm: CommId) -> Cow<'static, str> {
        let names = self.model.names;
        names.name(number, names.is_compat(thread, comm))
    }

    /// What a task is in at an instant.
    pub(crate) fn at(&self, task: u32, at: u64) -> Option<CallItem> {
        let thread = self.thread(task)?;
        if !thread.life.contains(&at) {
            return None;
        }
        let asked = self.asked();
        let states = ThreadStates::new(&asked, thread);
        let parts = self.parts(thread, &(at..at.saturating_add(1)));
        let found = parts.into_iter().find(|part| part.time.contains(&at));
        let part = found.unwrap_or_else(|| self.outside(thread, at));
        let time = part.time.clone();
        let run = states.run_after_wait(&time).map(|run| self.model.runs.decode(run));
        Some(CallItem {
            task,
            start: time.start,
            end: time.end,
            span: part.span,
            call: part.what.map(|(number, comm)| self.name(thread, number, comm)),
            nr: part.what.map(|(number, _)| number),
            ret: part.ret,
            error: part.ret.and_then(sysnames::error_name),
            returned: part.ret.map(|ret| {
                let name = part.what.map(|(number, comm)| self.name(thread, number, comm));
                sysnames::returned(name.as_deref().unwrap_or(""), ret)
            }),
            split: states.split(&asked, time),
            run: run.map(|run| RunPlace::of(self.trace(), run.lane, run.index)),
        })
    }

    /// The time between what comes before and after an instant.
    fn outside(&self, thread: &Thread, at: u64) -> Part {
        let calls = self.model.calls;
        let near = calls.overlapping(thread, &(at..at));
        let near = near.start.saturating_sub(1)..near.end.saturating_add(1);
        let complete = calls.some(thread, near).map(|call| call.at..call.end());
        let stretches = thread.stretches.iter().map(|stretch| stretch.time.clone());
        let mut time = thread.life.clone();
        for part in complete.chain(stretches) {
            if part.end <= at {
                time.start = time.start.max(part.end);
            } else if at < part.start {
                time.end = time.end.min(part.start);
            }
        }
        Part {
            time,
            span: CallSpan::Outside,
            what: None,
            ret: None,
        }
    }

    /// What interrupts took on a CPU in each of these times, which follow each other.
    pub fn cpu_interrupts(&self, cpu: u32, bounds: &[Range<u64>]) -> Vec<InterruptTime> {
        let interrupts = &self.model.calls.interrupts;
        let Some(lane) = self.trace().lane_index(cpu) else {
            return vec![InterruptTime::default(); bounds.len()];
        };
        let mut last: Option<InterruptTime> = None;
        let times = bounds.iter().map(|bucket| {
            let from = last.unwrap_or_else(|| interrupts.until(lane, bucket.start));
            let to = interrupts.until(lane, bucket.end);
            last = Some(to);
            InterruptTime {
                hard: to.hard - from.hard,
                soft: to.soft - from.soft,
            }
        });
        times.collect()
    }

    /// The same of a task: of the time that it ran.
    pub fn task_interrupts(&self, task: u32, bounds: &[Range<u64>]) -> Vec<InterruptTime> {
        let CallModel { trace, runs, calls, .. } = self.model;
        if trace.tasks.len() <= task as usize {
            return vec![InterruptTime::default(); bounds.len()];
        }
        let states = self.model.states.of(trace, runs, TaskId(task));
        let times = bounds.iter().map(|bucket| {
            let first = states.spans().find(bucket.start).unwrap_or(states.len());
            let intervals = (first..states.len()).map(|index| states.interval(index));
            let mut taken = InterruptTime::default();
            for interval in intervals.take_while(|interval| interval.start < bucket.end) {
                let run = interval.run.filter(|_| interval.state == TaskState::Running);
                let Some(run) = run.map(|run| runs.decode(run)) else {
                    continue;
                };
                let (from, to) = (interval.start.max(bucket.start), interval.end.min(bucket.end));
                let part = calls.interrupts.times_on(run.lane, from..to.max(from));
                taken.hard += part.hard;
                taken.soft += part.soft;
            }
            taken
        });
        times.collect()
    }
}

/// A tile's word for what interrupts took of a bucket of this length: in a byte each, the share in hardirqs and that in
/// softirqs.
pub(crate) fn interrupt_word(taken: InterruptTime, length: u64) -> u32 {
    share(taken.hard, length) | share(taken.soft, length) << 8
}

/// A part of a bucket in 255ths, rounded up, so that 1 ns is never 0.
fn share(ns: u64, length: u64) -> u32 {
    let share = (u128::from(ns) * 255).div_ceil(u128::from(length.max(1)));
    u32::try_from(share).unwrap_or(255).min(255)
}
