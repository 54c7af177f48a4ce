//! Shares of a task's states in the time of each bucket, for the task lanes.

use super::indexes::Indexes;
use schedindex::{fraction, StateSpans, StateTimes, TaskState, TaskStates, TimesWalk, MAX_LEVEL};
use schedmodel::TaskId;
use serde::Deserialize;
use std::sync::Arc;

/// The most spans per query from which the runs that do not pass are taken: about a millisecond.
const SPANS: usize = 1 << 16;

/// The requested cells: `buckets` of width `2^level` ns from `first_bucket` on, for each of `tasks`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TaskCellsQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// Bucket `i` is `[i << level, (i + 1) << level)`.
    pub first_bucket: u64,
    /// Number of buckets.
    pub buckets: u32,
    /// Task ids, in the requested order.
    pub tasks: Vec<u32>,
}

/// Cells, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskCells {
    /// Two words per task and bucket, laid out as `TaskCellsAnswer`.
    pub cells: Vec<u32>,
    /// Tasks whose states are not derived yet; their cells are 0.
    pub missing: Vec<u32>,
}

impl Indexes {
    /// The cells of some tasks; 0 for a task that is not in the trace. Each call continues with the missing tasks.
    pub fn task_cells(&self, query: &TaskCellsQuery) -> TaskCells {
        let width = 2 * query.buckets as usize;
        let mut answer = TaskCells {
            cells: vec![0; width * query.tasks.len()],
            missing: Vec::new(),
        };
        let known: Vec<TaskId> = query.tasks.iter().filter_map(|&task| self.task_id(task)).collect();
        let states = self.prepare_task_states(&known);
        let mut spans = SPANS;
        let spans_of = |(task, states): (TaskId, Option<Arc<TaskStates>>)| {
            let states = states?;
            let passing = match self.passing() {
                Some(runs) => Some(self.states().passing(self.runs(), task, runs, &mut spans)?),
                None => None,
            };
            Some((states, passing))
        };
        let mut found = known.iter().copied().zip(states).map(spans_of);
        // Without buckets there are no cells, but tasks that are missing.
        let rows = answer.cells.chunks_mut(width.max(1)).map(Some);
        let rows = rows.chain(std::iter::repeat_with(|| None));
        for (&task, cells) in query.tasks.iter().zip(rows) {
            if self.task_id(task).is_none() {
                continue;
            }
            match found.next().flatten() {
                Some((states, passing)) => fill(states.spans(), passing.as_deref(), query, cells.unwrap_or_default()),
                None => answer.missing.push(task),
            }
        }
        answer
    }
}

/// `passing`: the same without the runs that do not pass; `None` if all do.
fn fill(all: &StateSpans, passing: Option<&StateSpans>, query: &TaskCellsQuery, cells: &mut [u32]) {
    let level = query.level.min(MAX_LEVEL);
    let Some(start) = query.first_bucket.checked_mul(1 << level) else {
        return;
    };
    let mut walk = TimesWalk::new(all, start);
    let mut passing = passing.map(|spans| TimesWalk::new(spans, start));
    let mut bucket_end = start;
    for cell in cells.chunks_exact_mut(2) {
        if walk.at_end() {
            return;
        }
        bucket_end = bucket_end.saturating_add(1 << level);
        let (all, _) = walk.until(bucket_end);
        let times = passing.as_mut().map_or(all, |walk| walk.until(bucket_end).0);
        let ran = |times: &StateTimes| times.get(TaskState::Running as usize).copied().unwrap_or(0);
        let words = words(&times, ran(&all) - ran(&times), level);
        cell.copy_from_slice(&words);
    }
}

/// Shares as bytes, rounded up so that no state vanishes; `others_ns`: how long runs last that do not pass.
fn words(times: &StateTimes, others_ns: u64, level: u32) -> [u32; 2] {
    // Most are not in it.
    let share_of = |ns: u64| match ns {
        0 => 0,
        ns => fraction::of_bucket(ns, 255, level) as u32,
    };
    let share = |state: TaskState| share_of(times.get(state as usize).copied().unwrap_or(0));
    use TaskState::{Blocked, Runnable, Running, Sleeping, Stopped, Throttled, Unknown};
    [
        share(Running) | share(Runnable) << 8 | share(Blocked) << 16 | share(Sleeping) << 24,
        share(Unknown) | share(Stopped) << 8 | share_of(others_ns) << 16 | share(Throttled) << 24,
    ]
}
