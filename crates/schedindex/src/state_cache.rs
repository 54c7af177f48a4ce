//! A cache of the states of recently queried tasks, also without the runs that a filter leaves out.

use super::passing::Passing;
use super::runs::Runs;
use super::state_builder::StateBuilder;
use super::state_spans::StateSpans;
use super::task_states::TaskStates;
use schedmodel::{TaskId, Trace};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of states that are kept beyond those that the current query needs.
const KEPT_BYTES: usize = 64 << 20;

#[derive(Debug)]
enum Work {
    UnderWay(Box<StateBuilder>),
    Done(Arc<TaskStates>),
}

#[derive(Debug)]
struct Entry {
    work: Work,
    /// Its states without the runs that do not pass, and what passes.
    passing: Option<(Arc<Passing>, Arc<StateSpans>)>,
    /// Number of the last query that needed it.
    asked: u64,
}

/// States by task, as far as they have been derived.
#[derive(Debug, Default)]
pub struct StateCache {
    entries: HashMap<TaskId, Entry>,
    /// Number of queries so far.
    questions: u64,
    bytes: usize,
}

impl StateCache {
    /// The states of a task, whatever the cost.
    pub fn get(&mut self, trace: &Trace, runs: &Runs, task: TaskId) -> Arc<TaskStates> {
        let mut steps = usize::MAX;
        let found = self.prepare(trace, runs, &[task], &mut steps).pop().flatten();
        found.unwrap_or_default()
    }

    /// The states of some tasks; `None` for those that would take more than `steps` events in total, from which the
    /// events that were read are subtracted. Work is kept for the next call.
    pub fn prepare(
        &mut self,
        trace: &Trace,
        runs: &Runs,
        tasks: &[TaskId],
        steps: &mut usize,
    ) -> Vec<Option<Arc<TaskStates>>> {
        self.questions += 1;
        let found = tasks.iter().map(|&task| self.work(trace, runs, task, steps)).collect();
        self.forget();
        found
    }

    /// The states of a task without the runs that do not pass, and the waits for them; `None` while its states are not derived, and
    /// once no `spans` are left, from which those that were looked at are subtracted.
    pub fn passing(
        &mut self,
        runs: &Runs,
        task: TaskId,
        passing: &Arc<Passing>,
        spans: &mut usize,
    ) -> Option<Arc<StateSpans>> {
        let Entry {
            work, passing: kept, ..
        } = self.entries.get_mut(&task)?;
        let Work::Done(states) = work else { return None };
        if let Some((_, found)) = kept.as_ref().filter(|(of, _)| Arc::ptr_eq(of, passing)) {
            return Some(Arc::clone(found));
        }
        if *spans == 0 {
            return None;
        }
        *spans = spans.saturating_sub(states.len());
        let found = Arc::new(states.passing(runs, passing));
        self.bytes += found.memory_bytes();
        if let Some((_, old)) = kept.replace((Arc::clone(passing), Arc::clone(&found))) {
            self.bytes -= old.memory_bytes();
        }
        Some(found)
    }

    fn work(&mut self, trace: &Trace, runs: &Runs, task: TaskId, steps: &mut usize) -> Option<Arc<TaskStates>> {
        let entry = self.entries.entry(task).or_insert_with(|| Entry {
            work: Work::UnderWay(Box::new(StateBuilder::new(trace, runs, task))),
            passing: None,
            asked: 0,
        });
        entry.asked = self.questions;
        let builder = match &mut entry.work {
            Work::Done(states) => return Some(Arc::clone(states)),
            Work::UnderWay(builder) => builder,
        };
        let states = Arc::new(builder.step(trace, runs, steps)?);
        self.bytes += states.memory_bytes();
        entry.work = Work::Done(Arc::clone(&states));
        Some(states)
    }

    /// Drops the least recently used states, but never those of the current query.
    fn forget(&mut self) {
        while KEPT_BYTES < self.bytes {
            let done = self.entries.iter().filter_map(|(&task, entry)| match &entry.work {
                Work::Done(states) if entry.asked < self.questions => {
                    let passing = entry.passing.as_ref().map_or(0, |(_, spans)| spans.memory_bytes());
                    Some((entry.asked, task, states.memory_bytes() + passing))
                }
                _ => None,
            });
            let Some((_, task, bytes)) = done.min() else {
                return;
            };
            self.entries.remove(&task);
            self.bytes -= bytes;
        }
    }
}
