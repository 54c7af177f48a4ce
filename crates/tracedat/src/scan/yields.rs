//! Which threads are inside `sched_yield`: so that a switch which takes one off its CPU says that it yielded.

use schedrows::RowPacker;
use traceevent::{Endian, IntField};

use crate::file::DataFormat;

/// Reads the few events of system calls that say so.
pub(super) struct Yields {
    /// By event id.
    calls: Vec<(u16, Call)>,
}

/// What an event says.
enum Call {
    /// The thread enters a call: `sched_yield`, or, if the event is of all calls, the one with the number in this field.
    Enter {
        pid: IntField,
        number: Option<(IntField, i32)>,
    },
    /// A call returns, which the thread that has the CPU was in.
    Return,
}

impl Yields {
    pub fn bind(format: &DataFormat) -> Yields {
        let events = &format.events;
        let calls = events.ids().filter_map(|id| {
            let event = events.name(id)?;
            let int = |name: &str| {
                let format = events.format(id)?.as_ref().ok()?;
                format.field(name)?.as_int()
            };
            let number = match event {
                ("raw_syscalls", "sys_enter") => Some((int("id")?, format.sched_yield?)),
                ("syscalls", "sys_enter_sched_yield") => None,
                ("raw_syscalls", "sys_exit") | ("syscalls", "sys_exit_sched_yield") => return Some((id, Call::Return)),
                _ => return None,
            };
            let pid = int("common_pid")?;
            Some((id, Call::Enter { pid, number }))
        });
        Yields { calls: calls.collect() }
    }

    /// Takes a record of any kind. One that is shorter than its format says nothing.
    #[inline]
    pub fn take(&self, id: u16, data: &[u8], rows: &mut RowPacker, endian: Endian) {
        let load = |field: &IntField| field.load(data, endian);
        match self.calls.iter().find(|&&(of, _)| of == id) {
            None => {}
            Some((_, Call::Return)) => rows.call_returns(),
            Some((_, Call::Enter { pid, number })) => {
                let is_yield = number.is_none_or(|(field, wanted)| load(&field) == Some(wanted.into()));
                if let Some(pid) = load(pid).filter(|_| is_yield) {
                    rows.enters_yield(pid as i32);
                }
            }
        }
    }
}
