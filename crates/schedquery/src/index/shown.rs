//! Which tasks a view or a selection takes in.

use schedmodel::{TaskCommId, Trace};

/// A set of (task, comm) pairs; a run that is not in it is there, but counts as nobody's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `None`: everything.
    set: Option<Vec<bool>>,
}

impl Shown {
    /// Every task.
    pub fn all() -> Shown {
        Shown { set: None }
    }

    /// The tasks that were forked in the trace.
    pub fn forked(trace: &Trace) -> Shown {
        Shown::filter(trace, |id| trace.task_of(id).forked)
    }

    /// The pairs that `keep` keeps.
    pub fn filter(trace: &Trace, keep: impl Fn(TaskCommId) -> bool) -> Shown {
        Shown {
            set: Some(
                (0..trace.task_comms.len())
                    .map(|id| keep(TaskCommId(id as u32)))
                    .collect(),
            ),
        }
    }

    /// Nothing is left out.
    pub fn is_all(&self) -> bool {
        self.set.is_none()
    }

    /// Is this one in?
    #[inline]
    pub fn has(&self, id: TaskCommId) -> bool {
        self.set.as_ref().is_none_or(|set| set[id.0 as usize])
    }
}
