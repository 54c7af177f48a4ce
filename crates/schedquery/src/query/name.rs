//! Tasks and runs as answers name them.

use schedmodel::{TaskCommId, TaskId, Trace};
use serde::Serialize;

/// Which task: pids are reused, so that a pid needs its generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskName {
    /// Thread id.
    pub pid: i32,
    /// Of the pid, from 0.
    pub generation: u32,
    /// Its comm at that time, or its last.
    pub comm: String,
}

impl TaskName {
    /// Under the comm of a run.
    pub(crate) fn of(trace: &Trace, id: TaskCommId) -> TaskName {
        let task = trace.task_of(id);
        TaskName {
            pid: task.pid,
            generation: task.generation,
            comm: trace.comm_of(id).to_owned(),
        }
    }

    /// Under its last comm.
    pub(crate) fn of_task(trace: &Trace, id: TaskId) -> TaskName {
        let task = trace.task(id);
        TaskName {
            pid: task.pid,
            generation: task.generation,
            comm: trace.comms.name(task.comm).to_owned(),
        }
    }
}

/// A run, by where and when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct RunPlace {
    /// On which CPU.
    pub cpu: u32,
    /// When.
    pub start_ns: u64,
}

impl RunPlace {
    pub(crate) fn of(trace: &Trace, lane: usize, index: usize) -> RunPlace {
        RunPlace {
            cpu: trace.cpus[lane],
            start_ns: trace.base_ns + trace.lanes[lane].starts()[index],
        }
    }
}
