//! The names of threads at each time: of the last switch, fork, renaming or exec before it.

use std::collections::HashMap;

use eventfilter::KnownEvent;
use traceevent::{Endian, Env, IntField, TextField};

/// Texts, each with a number.
#[derive(Debug, Default)]
pub(crate) struct Names {
    names: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

impl Names {
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    pub fn get(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }
}

/// A pid and a name that a record tells together.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// `None`: the thread that wrote the record.
    pid: Option<IntField>,
    comm: TextField,
    /// A path, of which the last part is the name.
    is_path: bool,
}

/// The most bytes of a name: `TASK_COMM_LEN` without its NUL.
const MOST: usize = 15;

#[derive(Debug, Default)]
pub(crate) struct Comms {
    /// By event id.
    told: Vec<Vec<Told>>,
    by_pid: HashMap<i32, u32>,
    pub names: Names,
    /// Of idle, by CPU.
    idle: HashMap<u32, u32>,
}

/// Event, field of the pid, field of the name.
const TELLERS: [(&str, &str, &str); 5] = [
    ("sched_switch", "prev_pid", "prev_comm"),
    ("sched_switch", "next_pid", "next_comm"),
    ("sched_process_fork", "child_pid", "child_comm"),
    ("task_rename", "pid", "newcomm"),
    ("sched_process_exec", "", "filename"),
];

impl Comms {
    pub fn new(events: &[KnownEvent<'_>]) -> Self {
        let mut told: Vec<Vec<Told>> = Vec::new();
        for event in events {
            for (_, pid, comm) in TELLERS.iter().filter(|(name, ..)| *name == event.name) {
                let field = |name: &str| event.format.fields.iter().find(|field| field.name == name);
                let Some(text) = field(comm).and_then(|field| field.as_text()) else {
                    continue;
                };
                let id = usize::from(event.id);
                if told.len() <= id {
                    told.resize_with(id + 1, Vec::new);
                }
                if let Some(list) = told.get_mut(id) {
                    list.push(Told {
                        pid: field(pid).and_then(|field| field.as_int()),
                        comm: text,
                        is_path: *comm == "filename",
                    });
                }
            }
        }
        Comms {
            told,
            ..Comms::default()
        }
    }

    /// Learns what a record tells.
    #[inline]
    pub fn learn(&mut self, id: u16, writer: i32, data: &[u8], endian: Endian) {
        for told in self.told.get(usize::from(id)).into_iter().flatten() {
            let pid = match told.pid {
                Some(field) => field.load(data, endian).map(|pid| pid as i32),
                None => Some(writer),
            };
            let (Some(pid), Some(comm)) = (pid, told.comm.load(data, endian)) else {
                continue;
            };
            let comm = match told.is_path {
                true => comm.rsplit(|&byte| byte == b'/').next().unwrap_or(comm),
                false => comm,
            };
            let comm = String::from_utf8_lossy(comm.get(..MOST).unwrap_or(comm));
            let number = self.names.number(&comm);
            self.by_pid.insert(pid, number);
        }
    }

    /// The name of a thread now; where no event before has told it, the one that the trace keeps.
    pub fn of(&mut self, pid: i32, cpu: u32, env: &Env<'_>) -> u32 {
        if pid == 0 {
            let names = &mut self.names;
            return *self
                .idle
                .entry(cpu)
                .or_insert_with(|| names.number(&format!("swapper/{cpu}")));
        }
        if let Some(&number) = self.by_pid.get(&pid) {
            return number;
        }
        let saved = env.lookup.comm(pid).map(String::from_utf8_lossy);
        let number = self.names.number(saved.as_deref().unwrap_or("<...>"));
        self.by_pid.insert(pid, number);
        number
    }
}
