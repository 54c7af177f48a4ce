//! Which thread belongs to which process, as far as the trace tells: by the flags with which the thread was made.

use schedmodel::stored::stored;
use schedmodel::{TaskId, Trace};
use std::collections::HashMap;

/// The flag of a clone that makes a thread and no process (`CLONE_THREAD`).
const CLONE_THREAD: i64 = 0x1_0000;

/// How tasks were made.
#[derive(Debug, Default)]
pub struct Processes {
    /// By task: the flags that `task_newtask` tells.
    pub(super) told: HashMap<TaskId, i64>,
    /// By task: number and flags of the call in which its parent made it.
    pub(super) called: HashMap<TaskId, (i32, i64)>,
}

stored!(Processes {
    told: HashMap<TaskId, i64>,
    called: HashMap<TaskId, (i32, i64)>,
});

impl Processes {
    /// Whether `task_newtask` tells of them.
    pub fn are_told(&self) -> bool {
        !self.told.is_empty()
    }

    /// The process of a task: the pid of its first thread. `None` if the flags are not known, as those of `clone3`, which are
    /// in memory. One that is older than the trace is taken for a process of its own. `name`: what a number is called.
    pub fn of<'n>(&self, trace: &Trace, task: TaskId, name: &impl Fn(i32) -> Option<&'n str>) -> Option<i32> {
        let mut task = task;
        // Parents are older, and so fewer than there are tasks.
        for _ in 0..trace.tasks.len() {
            let info = trace.task(task);
            if info.continues.is_some() {
                // Who takes over the pid of its leader leads.
                return Some(info.pid);
            }
            let Some(parent) = info.parent.filter(|_| info.forked) else {
                return Some(info.pid);
            };
            if self.flags(task, name)? & CLONE_THREAD == 0 {
                return Some(info.pid);
            }
            task = parent;
        }
        None
    }

    fn flags<'n>(&self, task: TaskId, name: &impl Fn(i32) -> Option<&'n str>) -> Option<i64> {
        if let Some(&flags) = self.told.get(&task) {
            return Some(flags);
        }
        let &(number, flags) = self.called.get(&task)?;
        match name(number)? {
            "clone" => Some(flags),
            "fork" | "vfork" => Some(0),
            _ => None,
        }
    }
}
