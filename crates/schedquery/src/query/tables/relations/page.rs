//! The page's tables of a window, whose columns are all numbers.

use super::column::{Field, Get};
use crate::query::tables::rows::{CpuRow, TaskRow};

/// The columns of [`TaskRow`].
pub const TASK_COLUMNS: [Field<TaskRow>; 13] = [
    Field::new("task", "Its id", Get::Int(|row| Some(row.task as i64))),
    Field::new(
        "generation",
        "Generation of the pid, from 0",
        Get::Int(|row| Some(row.generation as i64)),
    ),
    Field::new(
        "execution_ns",
        "How long it ran",
        Get::Duration(|row| Some(row.execution)),
    ),
    Field::new(
        "waiting_ns",
        "How long it was runnable but did not run",
        Get::Duration(|row| Some(row.waiting)),
    ),
    Field::new(
        "switches_to",
        "`sched_switch` events to it",
        Get::Int(|row| Some(row.switches_to as i64)),
    ),
    Field::new(
        "wakeups",
        "Wakeups whose latency starts in the window and that led to a switch-in",
        Get::Int(|row| Some(row.woken.count as i64)),
    ),
    Field::new(
        "latency_ns",
        "The sum of their latencies",
        Get::Duration(|row| Some(row.woken.latency)),
    ),
    Field::new(
        "max_latency_ns",
        "The longest of them",
        Get::Duration(|row| Some(row.woken.max)),
    ),
    Field::new(
        "placement",
        "`sched_migrate_task` events that are part of a wakeup",
        Get::Int(|row| Some(row.moves.placement as i64)),
    ),
    Field::new(
        "load_balance",
        "Those while it was runnable",
        Get::Int(|row| Some(row.moves.load_balance as i64)),
    ),
    Field::new(
        "numa",
        "Those of NUMA balancing",
        Get::Int(|row| Some(row.moves.numa as i64)),
    ),
    Field::new("other", "All others", Get::Int(|row| Some(row.moves.other as i64))),
    Field::new(
        "throttled_ns",
        "For deadline tasks: how long it was off its runqueue, until the switch-in in its next period",
        Get::Duration(|row| Some(row.throttled)),
    ),
];

/// The columns of [`CpuRow`].
pub const CPU_COLUMNS: [Field<CpuRow>; 7] = [
    Field::new("cpu", "Its number", Get::Int(|row| Some(row.cpu as i64))),
    Field::new("busy_ns", "How long a task ran", Get::Duration(|row| Some(row.busy))),
    Field::new(
        "idle_ns",
        "How long the idle task ran",
        Get::Duration(|row| Some(row.idle)),
    ),
    Field::new(
        "unknown_ns",
        "How long is unknown",
        Get::Duration(|row| Some(row.unknown)),
    ),
    Field::new(
        "switches_to",
        "`sched_switch` events to a task",
        Get::Int(|row| Some(row.switches_to as i64)),
    ),
    Field::new(
        "waiting_ns",
        "How long tasks waited on its runqueue, all together",
        Get::Duration(|row| Some(row.waiting.integral)),
    ),
    Field::new(
        "max_waiting",
        "The most that waited at one time",
        Get::Int(|row| Some(row.waiting.max as i64)),
    ),
];

impl TaskRow {
    /// The numbers in the order of [`TASK_COLUMNS`].
    pub fn values(&self) -> [f64; TASK_COLUMNS.len()] {
        TASK_COLUMNS.map(|column| column.number(self))
    }
}

impl CpuRow {
    /// The numbers in the order of [`CPU_COLUMNS`].
    pub fn values(&self) -> [f64; CPU_COLUMNS.len()] {
        CPU_COLUMNS.map(|column| column.number(self))
    }
}
