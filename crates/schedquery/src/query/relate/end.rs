//! One end of a relation: a command, a task, a CPU, or what stands in place of a task.

use crate::query::explain::latency::GroupBy;
use crate::query::select::refs::TaskName;
use schedmodel::{CommId, TaskCommId, TaskId, Trace};
use serde::Serialize;
use ts_rs::TS;

/// What is related to something else. What does not belong to its kind is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "RelationEnd")]
pub struct End {
    /// What it is.
    pub kind: EndKind,
    /// Of a command or a task: its comm; a task's last one.
    pub comm: Option<String>,
    /// Of a task.
    pub pid: Option<i32>,
    /// Of a task: which of the tasks that had this pid.
    pub generation: Option<u32>,
    /// Of a CPU.
    pub cpu: Option<u32>,
}

/// Kinds of ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EndKind {
    /// A command.
    Command,
    /// A task.
    Task,
    /// A CPU.
    Cpu,
    /// A hardware interrupt, whatever it interrupted.
    Hardirq,
    /// A softirq, whatever it interrupted.
    Softirq,
    /// The idle loop, or an idle CPU.
    Idle,
    /// The trace does not tell.
    Unknown,
    /// All that have no row of their own.
    Others,
}

impl End {
    fn only(kind: EndKind) -> End {
        End {
            kind,
            comm: None,
            pid: None,
            generation: None,
            cpu: None,
        }
    }
}

/// An end while it is counted: the id of a comm, a task or a lane, or one of the constants.
pub(super) type Key = u32;

pub(super) const HARDIRQ: Key = u32::MAX;
pub(super) const SOFTIRQ: Key = u32::MAX - 1;
pub(super) const IDLE: Key = u32::MAX - 2;
pub(super) const UNKNOWN: Key = u32::MAX - 3;
pub(super) const OTHERS: Key = u32::MAX - 4;

/// The end that a run is, on a lane.
pub(super) fn key_of(trace: &Trace, by: GroupBy, id: TaskCommId, lane: usize) -> Key {
    match by {
        GroupBy::Command => trace.task_comm(id).comm.0,
        GroupBy::Task => trace.task_comm(id).task.0,
        GroupBy::Cpu => lane as u32,
    }
}

/// The end that a task is, under its last comm. CPUs have no tasks.
pub(super) fn key_of_task(trace: &Trace, by: GroupBy, id: TaskId) -> Key {
    match by {
        GroupBy::Command => trace.task(id).comm.0,
        GroupBy::Task => id.0,
        GroupBy::Cpu => UNKNOWN,
    }
}

pub(super) fn end_of(trace: &Trace, by: GroupBy, key: Key) -> End {
    match key {
        HARDIRQ => End::only(EndKind::Hardirq),
        SOFTIRQ => End::only(EndKind::Softirq),
        IDLE => End::only(EndKind::Idle),
        UNKNOWN => End::only(EndKind::Unknown),
        OTHERS => End::only(EndKind::Others),
        _ => match by {
            GroupBy::Command => End {
                comm: Some(trace.comms.name(CommId(key)).to_owned()),
                ..End::only(EndKind::Command)
            },
            GroupBy::Task => {
                let TaskName { pid, generation, comm } = TaskName::of_task(trace, TaskId(key));
                End {
                    comm: Some(comm),
                    pid: Some(pid),
                    generation: Some(generation),
                    ..End::only(EndKind::Task)
                }
            }
            GroupBy::Cpu => End {
                cpu: Some(trace.cpu_at(key as usize)),
                ..End::only(EndKind::Cpu)
            },
        },
    }
}
