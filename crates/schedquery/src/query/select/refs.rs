//! References to tasks and runs in answers.

use schedmodel::{TaskCommId, TaskId, Time, Trace};
use serde::Serialize;
use ts_rs::TS;

/// A task: pids are reused, so a pid needs its generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TaskName {
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid, from 0.
    pub generation: u32,
    /// Its comm at that time, or its last.
    pub comm: String,
}

impl TaskName {
    /// With the comm of a run.
    pub(crate) fn of(trace: &Trace, id: TaskCommId) -> TaskName {
        let task = trace.task_of(id);
        TaskName {
            pid: task.pid,
            generation: task.generation,
            comm: trace.comm_of(id).to_owned(),
        }
    }

    /// With its last comm.
    pub(crate) fn of_task(trace: &Trace, id: TaskId) -> TaskName {
        let task = trace.task(id);
        TaskName {
            pid: task.pid,
            generation: task.generation,
            comm: trace.comms.name(task.comm).to_owned(),
        }
    }
}

/// A run, by the CPU and the time at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
pub struct RunPlace {
    /// The CPU.
    pub cpu: u32,
    /// When it begins.
    pub start_ns: Time,
}

impl RunPlace {
    pub(crate) fn of(trace: &Trace, lane: usize, index: usize) -> RunPlace {
        RunPlace {
            cpu: trace.cpu_at(lane),
            start_ns: Time(trace.lane_at(lane).start_of(index)),
        }
    }
}
