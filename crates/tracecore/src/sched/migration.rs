//! Moves of tasks between CPUs.

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
}
