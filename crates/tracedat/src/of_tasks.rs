//! Which records are of some tasks.

use std::collections::{BTreeMap, BTreeSet};

use traceevent::{Endian, IntField};

use crate::file::{ReadAt, TraceFile};

/// Fields of events that are thread ids, `common_pid` among them: whoever wrote the event.
const IDS: [&str; 9] = [
    "common_pid",
    "pid",
    "prev_pid",
    "next_pid",
    "parent_pid",
    "child_pid",
    "old_pid",
    "src_pid",
    "dst_pid",
];

/// Tells the records that some tasks wrote, or that name one of them. All switches are among them: without the others a task
/// would seem to run until one of these comes back.
pub struct OfTasks {
    pids: BTreeSet<i32>,
    /// Of each event; `None` for switches.
    fields: BTreeMap<u16, Option<Vec<IntField>>>,
    endian: Endian,
}

impl OfTasks {
    /// For the tasks with these thread ids; none for all tasks.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, pids: &[i32]) -> Option<OfTasks> {
        let of = |id: u16| {
            if file.event_name(id) == Some(("sched", "sched_switch")) {
                return None;
            }
            let format = file.event_format(id);
            let field = |name| format.and_then(|format| format.field(name)?.as_int());
            Some(IDS.into_iter().filter_map(field).collect())
        };
        (!pids.is_empty()).then(|| OfTasks {
            pids: pids.iter().copied().collect(),
            fields: file.event_ids().map(|id| (id, of(id))).collect(),
            endian: file.endian(),
        })
    }

    /// Whether this record, of an event with this id, is one of them.
    pub fn has(&self, id: u16, data: &[u8]) -> bool {
        match self.fields.get(&id) {
            Some(Some(fields)) => fields.iter().any(|field| {
                let pid = field.load(data, self.endian).and_then(|pid| i32::try_from(pid).ok());
                pid.is_some_and(|pid| self.pids.contains(&pid))
            }),
            Some(None) => true,
            None => false,
        }
    }
}
