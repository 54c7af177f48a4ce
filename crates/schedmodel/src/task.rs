//! Tasks, comms, and the pairs of both that lanes refer to.

use super::prio::PrioRange;
use super::table::Table;
use crate::stored::{stored, Reader, Stored, Writer};
use std::collections::HashMap;
use std::io;

/// Dense index of a task, a (pid, generation), in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// Dense index of a comm (a task name), in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommId(pub u32);

impl CommId {
    /// The id of no comm, whose name is empty.
    pub(crate) const NONE: CommId = CommId(u32::MAX);
}

/// Dense index of a [`TaskComm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskCommId(pub u32);

/// A task with one of its comms: what a run belongs to. Both change independently (pid reuse, `exec`), so lanes keep
/// one index for the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskComm {
    /// The task.
    pub task: TaskId,
    /// Its comm at the switch-in.
    pub comm: CommId,
}

impl TaskComm {
    /// The pair of ids that no trace has.
    pub(crate) const NONE: TaskComm = TaskComm {
        task: TaskId(u32::MAX),
        comm: CommId::NONE,
    };
}

/// What the trace says about a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Thread id, as the tracepoints' `pid`.
    pub pid: i32,
    /// 0 for the first task with this pid in the trace, then 1, 2 ...
    pub generation: u32,
    /// Whether a `sched_process_fork` in the trace created it.
    pub forked: bool,
    /// The task that forked it.
    pub parent: Option<TaskId>,
    /// The task that this thread was before it took over its leader's pid by an exec.
    pub continues: Option<TaskId>,
    /// The last comm that an event gives it.
    pub comm: CommId,
    /// Number of its `sched_migrate_task` events.
    pub migrations: u32,
    /// Its priorities at switch-ins; `None` if no event tells.
    pub prio: Option<PrioRange>,
}

impl Task {
    /// Stands for a task that the trace does not have.
    pub(crate) const NONE: Task = Task {
        pid: 0,
        generation: 0,
        forked: false,
        parent: None,
        continues: None,
        comm: CommId::NONE,
        migrations: 0,
        prio: None,
    };
}

/// The distinct names of a trace.
#[derive(Clone, Debug, Default)]
pub struct Comms {
    names: Vec<String>,
    ids: HashMap<String, CommId>,
}

impl Comms {
    /// The id of `name`; adds the name if it is new.
    pub fn intern(&mut self, name: &str) -> CommId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = CommId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The id of `name`, if the trace has it.
    pub fn find(&self, name: &str) -> Option<CommId> {
        self.ids.get(name).copied()
    }

    /// The name; empty for an id of another trace.
    pub fn name(&self, id: CommId) -> &str {
        self.names.get(id.0 as usize).map_or("", String::as_str)
    }

    /// All names by [`CommId`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        // Each name twice, with its `String` and the hash table's slot.
        self.names
            .iter()
            .map(|name| 2 * (name.len() + size_of::<String>()) + 8)
            .sum()
    }
}

/// The distinct (task, comm) pairs of a trace.
#[derive(Debug)]
pub(crate) struct TaskComms {
    pub(crate) pairs: Table<TaskCommId, TaskComm>,
    ids: HashMap<TaskComm, TaskCommId>,
}

impl Default for TaskComms {
    fn default() -> TaskComms {
        TaskComms {
            pairs: Table::new(TaskComm::NONE),
            ids: HashMap::new(),
        }
    }
}

impl TaskComms {
    pub(crate) fn intern(&mut self, pair: TaskComm) -> TaskCommId {
        *self.ids.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            TaskCommId(self.pairs.len() as u32 - 1)
        })
    }
}

stored!(Task {
    pid: i32,
    generation: u32,
    forked: bool,
    parent: Option<TaskId>,
    continues: Option<TaskId>,
    comm: CommId,
    migrations: u32,
    prio: Option<PrioRange>,
});

/// The names in order, from which the ids follow.
impl Stored for Comms {
    const LEAST: usize = <Vec<String>>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.names.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        let names = <Vec<String>>::get(reader)?;
        let ids = names.iter().cloned().zip((0..).map(CommId)).collect();
        Ok(Comms { names, ids })
    }
}
