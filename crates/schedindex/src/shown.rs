//! The set of runs that a view or a selection includes.

use super::passing::Passing;
use schedmodel::{TaskCommId, Trace};
use std::sync::Arc;

/// A set of (task, comm) pairs, and of their runs those that pass a filter. Runs outside of it exist, but count as no
/// task's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `None`: all pairs.
    set: Option<Vec<bool>>,
    /// `None`: all of their runs.
    runs: Option<Arc<Passing>>,
}

impl Shown {
    /// All tasks.
    pub fn all() -> Shown {
        Shown::default()
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
            runs: None,
        }
    }

    /// Of these runs only those that pass; `None`: all.
    pub fn passing(self, runs: Option<Arc<Passing>>) -> Shown {
        Shown { runs, ..self }
    }

    /// The runs that pass, if not all do.
    pub fn runs(&self) -> Option<&Arc<Passing>> {
        self.runs.as_ref()
    }

    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        self.set.is_none() && self.runs.is_none()
    }

    /// Whether the pair is in the set, whether any of its runs pass or not: what lanes are drawn of.
    #[inline]
    pub fn has_pair(&self, id: TaskCommId) -> bool {
        self.set
            .as_ref()
            .is_none_or(|set| set.get(id.0 as usize) == Some(&true))
    }

    // These are not made part of their callers: there are many, and the first visit fetches all of them.

    /// Whether the pair is in the set, with some of its runs.
    #[inline(never)]
    pub fn has(&self, id: TaskCommId) -> bool {
        self.has_pair(id) && self.runs.as_ref().is_none_or(|runs| runs.has_pair(id))
    }

    /// Whether this run of the pair is in the set.
    #[inline(never)]
    pub fn has_run(&self, id: TaskCommId, lane: usize, index: usize) -> bool {
        self.has_pair(id) && self.runs.as_ref().is_none_or(|runs| runs.has(lane, index))
    }

    /// Whether waits of the pair that led to no run are in the set.
    #[inline(never)]
    pub fn has_loose(&self, id: TaskCommId) -> bool {
        self.has_pair(id) && self.runs.is_none()
    }
}
