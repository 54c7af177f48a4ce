//! The runs that events passing a filter stand for.

use super::runs::{RunId, Runs};
use schedmodel::{Lane, TaskCommId, TaskId, Trace};
use std::sync::Arc;

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
    /// A bit for each (task, comm), set if it has such a run; then one for each interval of each lane. Each of these parts begins
    /// a word.
    words: Vec<u32>,
    /// The first word of the pairs, and of each lane.
    parts: Vec<usize>,
}

impl Passing {
    /// From what [`Passing::words`] returned for the same trace: what is missing does not pass.
    pub fn of_words(trace: &Trace, words: Vec<u32>) -> Passing {
        let mut next = 0;
        let parts = lens(trace).map(|len| {
            let first = next;
            next += len.div_ceil(32);
            first
        });
        Passing {
            parts: parts.collect(),
            words,
        }
    }

    /// Of the words that come beside a question; `None` if none do: there is no filter.
    pub fn beside(trace: &Trace, words: &[u32]) -> Option<Arc<Passing>> {
        (!words.is_empty()).then(|| Arc::new(Passing::of_words(trace, words.to_vec())))
    }

    fn has_bit(&self, part: usize, index: usize) -> bool {
        let word = self
            .parts
            .get(part)
            .and_then(|first| self.words.get(first + index / 32));
        word.is_some_and(|word| word >> (index % 32) & 1 == 1)
    }

    /// Whether the run is one of them.
    pub fn has(&self, lane: usize, index: usize) -> bool {
        self.has_bit(lane + 1, index)
    }

    /// The same of a run by its number.
    pub fn has_run(&self, runs: &Runs, run: u32) -> bool {
        let RunId { lane, index } = runs.decode(run);
        self.has(lane, index)
    }

    /// Whether the pair has one of them.
    pub fn has_pair(&self, id: TaskCommId) -> bool {
        self.has_bit(0, id.0 as usize)
    }

    /// All of it, for the way to another copy of the trace.
    pub fn words(self) -> Vec<u32> {
        self.words
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.parts)
    }
}

/// Collects them, event by event.
#[derive(Clone, Debug, Default)]
pub struct PassingBuilder {
    passing: Passing,
    runs: usize,
    /// Tasks by pid.
    tasks: Vec<(i32, TaskId)>,
}

impl PassingBuilder {
    /// Nothing passes yet.
    pub fn new(trace: &Trace) -> PassingBuilder {
        let tasks = trace.tasks.iter().map(|task| task.pid).zip((0..).map(TaskId));
        let mut tasks: Vec<(i32, TaskId)> = tasks.collect();
        tasks.sort_by_key(|&(pid, _)| pid);
        PassingBuilder {
            passing: Passing::of_words(trace, vec![0; lens(trace).map(|len| len.div_ceil(32)).sum()]),
            runs: 0,
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
            if self.passing.has(lane, index) {
                continue;
            }
            self.runs += 1;
            // All its intervals: the comm may change within a run.
            for index in trace.lane_at(lane).whole_run(index) {
                self.set(lane + 1, index);
                if let Some(id) = trace.lane_at(lane).run(index) {
                    self.set(0, id.0 as usize);
                }
            }
        }
    }

    fn set(&mut self, part: usize, index: usize) {
        let Passing { words, parts } = &mut self.passing;
        if let Some(word) = parts.get(part).and_then(|first| words.get_mut(first + index / 32)) {
            *word |= 1 << (index % 32);
        }
    }

    /// The run that a wakeup led to: the one in which the task is, or its next one.
    fn run_of_wakeup(&self, trace: &Trace, runs: &Runs, pid: i32, at: u64) -> Option<RunId> {
        let first = self.tasks.partition_point(|&(of, _)| of < pid);
        let tasks = self.tasks.get(first..)?.iter().take_while(|&&(of, _)| of == pid);
        let mut next: Option<(u64, RunId)> = None;
        for &(_, task) in tasks {
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

    /// How many there are.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// The runs.
    pub fn finish(self) -> Passing {
        self.passing
    }
}

/// How many bits each part of [`Passing`] has.
fn lens(trace: &Trace) -> impl Iterator<Item = usize> + '_ {
    std::iter::once(trace.task_comms.len()).chain(trace.lanes.iter().map(Lane::len))
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
