//! A cache of the states of recently queried tasks.

use super::runs::Runs;
use super::state_builder::StateBuilder;
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

    fn work(&mut self, trace: &Trace, runs: &Runs, task: TaskId, steps: &mut usize) -> Option<Arc<TaskStates>> {
        let entry = self.entries.entry(task).or_insert_with(|| Entry {
            work: Work::UnderWay(Box::new(StateBuilder::new(trace, runs, task))),
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
                Work::Done(states) if entry.asked < self.questions => Some((entry.asked, task, states.memory_bytes())),
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
