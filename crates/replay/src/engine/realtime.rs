//! Tasks of real time: before all others, first in first out within a priority.

use crate::policy::TaskId;

/// Priorities below are real time.
pub const FIRST_FAIR: i16 = 100;

/// The tasks of real time that wait for a CPU.
#[derive(Clone, Debug, Default)]
pub struct RealTime {
    /// In the order in which they will run.
    waiting: Vec<(i16, TaskId)>,
}

impl RealTime {
    /// Adds a task behind its equals, or before them.
    pub fn push(&mut self, prio: i16, task: TaskId, front: bool) {
        let at = self
            .waiting
            .partition_point(|&(other, _)| if front { other < prio } else { other <= prio });
        self.waiting.insert(at, (prio, task));
    }

    /// The next one.
    #[inline]
    pub fn first(&self) -> Option<(i16, TaskId)> {
        self.waiting.first().copied()
    }

    /// Takes a task out.
    pub fn remove(&mut self, task: TaskId) {
        self.waiting.retain(|&(_, waiting)| waiting != task);
    }
}
