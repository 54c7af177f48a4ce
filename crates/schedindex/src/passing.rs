//! The runs that events passing a filter stand for.

use super::bits::Bits;
use super::runs::{RunId, Runs};
use schedmodel::{Lane, TaskCommId, TaskId, Trace};
use std::collections::HashMap;

/// An event that passes a filter, and whose run it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassingEvent {
    /// When it was written.
    pub at: u64,
    /// Whose run.
    pub of: RunOf,
}

/// Whose run an event stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOf {
    /// That of the task with this pid on the event's CPU: the one that it happened in, that it began or that it ended.
    Here(i32),
    /// The one for which it woke the task with this pid, on any CPU.
    Woken(i32),
}

impl RunOf {
    /// As one number, for the way from where events are read: a woken task's pid with its bits turned over.
    pub fn of_code(code: i32) -> RunOf {
        match code {
            pid if 0 <= pid => RunOf::Here(pid),
            code => RunOf::Woken(!code),
        }
    }
}

/// The runs that pass a filter of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passing {
    /// By lane, the intervals.
    lanes: Vec<Bits>,
    /// By (task, comm): whether it has one.
    pairs: Vec<bool>,
    runs: usize,
}

impl Passing {
    /// Whether the run is one of them.
    #[inline]
    pub fn has(&self, lane: usize, index: usize) -> bool {
        self.lanes.get(lane).is_some_and(|bits| bits.has(index))
    }

    /// Whether the pair has one of them.
    #[inline]
    pub fn has_pair(&self, id: TaskCommId) -> bool {
        self.pairs.get(id.0 as usize) == Some(&true)
    }

    /// By lane.
    pub fn lanes(&self) -> &[Bits] {
        &self.lanes
    }

    /// How many there are.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.lanes.iter().map(Bits::memory_bytes).sum::<usize>() + self.pairs.capacity()
    }
}

/// Collects them, event by event.
#[derive(Clone, Debug, Default)]
pub struct PassingBuilder {
    /// By lane, one bit for each interval.
    words: Vec<Vec<u64>>,
    /// By pid.
    tasks: HashMap<i32, Vec<TaskId>>,
}

impl PassingBuilder {
    /// Nothing passes yet.
    pub fn new(trace: &Trace) -> PassingBuilder {
        let mut tasks: HashMap<i32, Vec<TaskId>> = HashMap::new();
        for (task, number) in trace.tasks.iter().zip(0..) {
            tasks.entry(task.pid).or_default().push(TaskId(number));
        }
        let words = trace.lanes.iter().map(|lane| vec![0; lane.len().div_ceil(64)]);
        PassingBuilder {
            words: words.collect(),
            tasks,
        }
    }

    /// Adds events that `cpu` wrote.
    pub fn add(&mut self, trace: &Trace, runs: &Runs, cpu: u32, events: impl Iterator<Item = PassingEvent>) {
        let here = trace.lane_index(cpu);
        for PassingEvent { at, of } in events {
            let run = match of {
                RunOf::Here(pid) => here.and_then(|lane| run_here(trace, lane, pid, at)),
                RunOf::Woken(pid) => self.run_of_wakeup(trace, runs, pid, at),
            };
            let Some(RunId { lane, index }) = run else { continue };
            let Some(words) = self.words.get_mut(lane) else {
                continue;
            };
            // All its intervals: the comm may change within a run.
            for index in trace.lane_at(lane).whole_run(index) {
                if let Some(word) = words.get_mut(index / 64) {
                    *word |= 1 << (index % 64);
                }
            }
        }
    }

    /// The run that a wakeup led to: the one in which the task is, or its next one.
    fn run_of_wakeup(&self, trace: &Trace, runs: &Runs, pid: i32, at: u64) -> Option<RunId> {
        let mut next: Option<(u64, RunId)> = None;
        for &task in self.tasks.get(&pid)? {
            let (last, starts) = runs.around(trace, task, at);
            let is_in = |run: &RunId| trace.lane_at(run.lane).end_of(run.index) > at;
            if last.as_ref().is_some_and(is_in) {
                return last;
            }
            if next.is_some_and(|(start, _)| start <= starts) {
                continue;
            }
            let found = runs.pairs_of(task).iter().find_map(|&pair| {
                let slot = runs.first_starting(trace, pair, starts);
                let run = runs.run(slot).filter(|_| runs.slots(pair).contains(&slot))?;
                (trace.lane_at(run.lane).start_of(run.index) == starts).then_some(run)
            });
            next = found.map(|run| (starts, run)).or(next);
        }
        next.map(|(_, run)| run)
    }

    /// The runs.
    pub fn finish(self, trace: &Trace) -> Passing {
        let lanes: Vec<Bits> = self.words.into_iter().map(Bits::of_words).collect();
        let mut passing = Passing {
            pairs: vec![false; trace.task_comms.len()],
            ..Passing::default()
        };
        for (lane, bits) in trace.lanes.iter().zip(&lanes) {
            let mut at = 0;
            while let Some(index) = bits.next(at) {
                at = index + 1;
                let has = lane.run(index).and_then(|id| passing.pairs.get_mut(id.0 as usize));
                if let Some(has) = has {
                    *has = true;
                }
                passing.runs += usize::from(lane.whole_run(index).start == index);
            }
        }
        passing.lanes = lanes;
        passing
    }
}

/// The run of `pid` on a lane that holds the instant `at`, begins at it or ends at it; of several the last.
fn run_here(trace: &Trace, lane_index: usize, pid: i32, at: u64) -> Option<RunId> {
    let lane: &Lane = trace.lanes.get(lane_index)?;
    let after = lane.starts().partition_point(|start| start <= at);
    let candidates = (0..after).rev().take_while(|&index| at <= lane.end_of(index));
    let is_of = |index: &usize| lane.run(*index).is_some_and(|id| trace.task_of(id).pid == pid);
    let index = candidates.into_iter().find(is_of)?;
    Some(RunId {
        lane: lane_index,
        index,
    })
}
