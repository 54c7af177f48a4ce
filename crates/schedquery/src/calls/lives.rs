//! Which task had a pid when.

use schedmodel::{ClaimKind, TaskId, Trace};
use std::collections::HashMap;
use std::ops::Range;

/// The tasks of each pid, by generation, each with its begin.
#[derive(Debug)]
pub(super) struct Lives {
    of_pids: HashMap<i32, Vec<(u64, TaskId)>>,
    heirs: HashMap<TaskId, (TaskId, u64)>,
}

impl Lives {
    pub(super) fn new(trace: &Trace) -> Lives {
        let mut lives = Lives {
            of_pids: HashMap::new(),
            heirs: HashMap::new(),
        };
        for (task, id) in trace.tasks.iter().zip((0..).map(TaskId)) {
            let from = birth(trace, id).unwrap_or(0);
            lives.of_pids.entry(task.pid).or_default().push((from, id));
            if let Some(before) = task.continues {
                lives.heirs.insert(before, (id, from));
            }
        }
        lives
    }

    /// The task that has a pid at an instant, and from when to when the answer is the same.
    pub(super) fn at(&self, pid: i32, at: u64) -> (Option<TaskId>, Range<u64>) {
        let Some(tasks) = self.of_pids.get(&pid) else {
            return (None, 0..u64::MAX);
        };
        let born = tasks.iter().rposition(|&(from, _)| from <= at).unwrap_or(0);
        let until = tasks.get(born + 1).map_or(u64::MAX, |&(from, _)| from);
        let from = tasks.get(born).map_or(0, |&(from, _)| if born == 0 { 0 } else { from });
        (tasks.get(born).map(|&(_, task)| task), from..until)
    }

    /// As which task a thread goes on after an exec, and from when.
    pub(super) fn heir(&self, task: TaskId) -> Option<(TaskId, u64)> {
        self.heirs.get(&task).copied()
    }
}

/// When a task began; `None` if that was before the trace, or is not known.
pub(super) fn birth(trace: &Trace, task: TaskId) -> Option<u64> {
    let first = trace.claims.get(trace.claims_of(task)).and_then(<[_]>::first)?;
    match first.kind {
        ClaimKind::Forked | ClaimKind::GoesOn => Some(first.at),
        ClaimKind::Succeeds { since } => Some(since),
        ClaimKind::Replaced | ClaimKind::SwitchedOut(_) | ClaimKind::RanUnseen { .. } => None,
    }
}
