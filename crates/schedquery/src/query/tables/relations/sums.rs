//! Relations whose rows are sums: tasks and commands.

use super::column::{Field, Get};
use crate::query::tables::stats_answer::{Command, TaskStats};
use std::borrow::Cow;

/// The fields of [`TaskStats`] without lists in lists.
pub(super) const TASKS: [Field<TaskStats>; 15] = [
    Field::new("pid", "Thread id", Get::Int(|row| Some(row.pid as i64))),
    Field::new(
        "generation",
        "Generation of the pid, from 0",
        Get::Int(|row| Some(row.generation as i64)),
    ),
    Field::optional(
        "comm",
        "The last of the names that events give it",
        Get::Text(|row| row.comms.last().map(|comm| Cow::Borrowed(comm.as_str()))),
    ),
    Field::new(
        "execution_ns",
        "How long it ran",
        Get::Duration(|row| Some(row.execution_ns)),
    ),
    Field::new(
        "waiting_ns",
        "How long it was runnable and did not run",
        Get::Duration(|row| Some(row.waiting_ns)),
    ),
    Field::new(
        "throttled_ns",
        "Of deadline tasks: how long it was off its runqueue",
        Get::Duration(|row| Some(row.throttled_ns)),
    ),
    Field::new(
        "switches_to",
        "Switches to it",
        Get::Int(|row| Some(row.switches_to as i64)),
    ),
    Field::new(
        "wakeups",
        "Wakeups that led to a switch-in",
        Get::Int(|row| Some(row.wakeups.count as i64)),
    ),
    Field::new(
        "latency_ns",
        "Sum of their latencies",
        Get::Duration(|row| Some(row.wakeups.latency_ns)),
    ),
    Field::new(
        "max_latency_ns",
        "The longest of these",
        Get::Duration(|row| Some(row.wakeups.max_latency_ns)),
    ),
    Field::new(
        "migrations",
        "`sched_migrate_task` events",
        Get::Int(|row| Some(row.migrations as i64)),
    ),
    Field::new(
        "placement",
        "Those of them that are part of a wakeup",
        Get::Int(|row| Some(row.migrations_by_kind.placement as i64)),
    ),
    Field::new(
        "load_balance",
        "Those while it was runnable",
        Get::Int(|row| Some(row.migrations_by_kind.load_balance as i64)),
    ),
    Field::new(
        "numa",
        "Those of NUMA balancing",
        Get::Int(|row| Some(row.migrations_by_kind.numa as i64)),
    ),
    Field::new(
        "other",
        "All others",
        Get::Int(|row| Some(row.migrations_by_kind.other as i64)),
    ),
];

pub(super) const COMMANDS: [Field<Command>; 7] = [
    Field::new("comm", "The command", Get::Text(|row| Some(Cow::Borrowed(&row.comm)))),
    Field::new(
        "first_ns",
        "When it first began to run",
        Get::Instant(|row| Some(row.first_ns)),
    ),
    Field::new(
        "last_ns",
        "When it last stopped running",
        Get::Instant(|row| Some(row.last_ns)),
    ),
    Field::new(
        "execution_ns",
        "How long it ran",
        Get::Duration(|row| Some(row.execution_ns)),
    ),
    Field::new(
        "waiting_ns",
        "How long its tasks were runnable and did not run, before these runs",
        Get::Duration(|row| Some(row.waiting_ns)),
    ),
    Field::new(
        "switches_to",
        "Switches to it",
        Get::Int(|row| Some(row.switches_to as i64)),
    ),
    Field::new("pids", "Distinct thread ids", Get::Int(|row| Some(row.pids as i64))),
];
