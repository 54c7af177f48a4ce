//! The set of tasks that a view or a filter includes.

use schedmodel::{TaskCommId, Trace};

/// A set of (task, comm) pairs. Runs outside of it exist, but count as no task's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `None`: all pairs.
    set: Option<Vec<bool>>,
}

impl Shown {
    /// All tasks.
    pub fn all() -> Shown {
        Shown { set: None }
    }

    /// The tasks that were forked in the trace.
    pub fn forked(trace: &Trace) -> Shown {
        Shown::filter(trace, |id| trace.task_of(id).forked)
    }

    /// The pairs for which `keep` is true.
    pub fn filter(trace: &Trace, keep: impl Fn(TaskCommId) -> bool) -> Shown {
        Shown {
            set: Some(
                (0..trace.task_comms.len())
                    .map(|id| keep(TaskCommId(id as u32)))
                    .collect(),
            ),
        }
    }

    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        self.set.is_none()
    }

    /// Whether the pair is in the set.
    #[inline]
    pub fn has(&self, id: TaskCommId) -> bool {
        self.set
            .as_ref()
            .is_none_or(|set| set.get(id.0 as usize) == Some(&true))
    }
}
