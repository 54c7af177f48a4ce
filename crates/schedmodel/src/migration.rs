//! Moves of tasks between CPUs.

use super::edge::{pack_cpu, unpack_cpu};
use super::task::TaskId;

/// Why a task was moved, as far as the trace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationKind {
    /// Between `sched_waking` (or fork) and `sched_wakeup` (or `sched_wakeup_new`): part of the wakeup.
    Placement,
    /// While runnable and not running.
    LoadBalance,
    /// After `sched_move_numa`, `sched_stick_numa` or `sched_swap_numa` of the task.
    Numa,
    /// Anything else: affinity changes, hotplug, or a state that is not known.
    Other,
}

/// One `sched_migrate_task`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// When.
    pub at: u64,
    /// Who.
    pub task: TaskId,
    /// Why.
    pub kind: MigrationKind,
    from: u16,
    to: u16,
}

impl Migration {
    pub(super) fn new(at: u64, task: TaskId, kind: MigrationKind, from: Option<u32>, to: Option<u32>) -> Migration {
        let (from, to) = (pack_cpu(from), pack_cpu(to));
        Migration {
            at,
            task,
            kind,
            from,
            to,
        }
    }

    /// The CPU it left.
    pub fn from(&self) -> Option<u32> {
        unpack_cpu(self.from)
    }

    /// The CPU it was moved to.
    pub fn to(&self) -> Option<u32> {
        unpack_cpu(self.to)
    }
}
