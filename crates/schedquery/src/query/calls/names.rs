//! What calls are named: by the machine's table, or by named events, or by their numbers.

use crate::calls::{Calls, Recorded, Thread};
use schedmodel::CommId;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use sysnames::{call_of_function, Machine};

/// The names of a trace's calls.
#[derive(Clone, Debug, Default)]
pub struct CallNames {
    machine: Option<Machine>,
    /// What named events call numbers that the table does not have.
    functions: HashMap<i32, String>,
    /// Pids of tasks that call by the 32-bit table, and comms.
    compat_pids: HashSet<i32>,
    compat_comms: HashSet<CommId>,
}

impl CallNames {
    /// `machine`: what the user says. Else named events tell, which give numbers and names; else `likely` does, what the file
    /// says of its machine, and the prefixes of its kernel's functions.
    pub fn new(calls: &Calls, machine: Option<Machine>, likely: impl FnOnce() -> Option<Machine>) -> CallNames {
        let told = || {
            (calls.recorded != Some(Recorded::Raw))
                .then(|| of_functions(&calls.functions))
                .flatten()
        };
        CallNames {
            machine: machine.or_else(told).or_else(likely),
            functions: calls.functions.iter().cloned().collect(),
            ..CallNames::default()
        }
    }

    /// Reads the calls of tasks by the 32-bit table: those with one of these pids, and while they have one of these comms.
    pub fn with_compat(mut self, calls: &Calls, tasks: &[String]) -> CallNames {
        for task in tasks {
            self.compat_pids.extend(task.parse::<i32>().ok());
            self.compat_comms.extend(calls.comms.find(task));
        }
        self
    }

    /// Whether some tasks may call by the 32-bit table.
    pub fn has_compat(&self) -> bool {
        !self.compat_pids.is_empty() || !self.compat_comms.is_empty()
    }

    /// Whose table names the calls.
    pub fn machine(&self) -> Option<Machine> {
        self.machine
    }

    /// Whether the machine is an x86, or is not known.
    pub fn may_be_x86(&self) -> bool {
        matches!(self.machine, None | Some(Machine::X86_64 | Machine::I386))
    }

    /// Whether a thread that is called so calls by the 32-bit table.
    pub(super) fn is_compat(&self, thread: &Thread, comm: CommId) -> bool {
        self.compat_pids.contains(&thread.pid) || self.compat_comms.contains(&comm)
    }

    /// The name of a number; by the 32-bit table, or else the machine's.
    pub fn name(&self, number: i32, is_compat: bool) -> Cow<'static, str> {
        let table = match is_compat {
            true => self.machine.and_then(Machine::compat),
            false => self.machine,
        };
        if let Some(name) = table.and_then(|table| table.call(number)) {
            return Cow::Borrowed(name);
        }
        let function = self.functions.get(&number).filter(|_| !is_compat);
        Cow::Owned(function.map_or_else(|| format!("nr_{number}"), |name| call_of_function(name).to_owned()))
    }

    /// The name that the machine's table has for a number.
    pub(super) fn in_table(&self, number: i32) -> Option<&'static str> {
        self.machine.and_then(|machine| machine.call(number))
    }
}

/// The machine by whose table most of these numbers have these names.
fn of_functions(functions: &[(i32, String)]) -> Option<Machine> {
    let agree = |machine: &Machine| {
        let known = |(number, name): &&(i32, String)| machine.call(*number) == Some(call_of_function(name));
        functions.iter().filter(known).count()
    };
    let best = Machine::ALL.into_iter().rev().max_by_key(agree)?;
    // Others may agree as well where few calls are named: only what is clear is told.
    let most = agree(&best);
    let rivals = Machine::ALL.iter().filter(|machine| agree(machine) == most).count();
    (0 < most && rivals == 1).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_tell_the_machine() {
        let named = |pairs: &[(i32, &str)]| {
            let pairs: Vec<_> = pairs.iter().map(|&(number, name)| (number, name.to_owned())).collect();
            of_functions(&pairs)
        };
        assert_eq!(named(&[(0, "read"), (5, "newfstat")]), Some(Machine::X86_64));
        assert_eq!(
            named(&[(63, "read"), (79, "newfstatat"), (38, "renameat")]),
            Some(Machine::Aarch64)
        );
        // Two tables have it.
        assert_eq!(named(&[(63, "read")]), None);
        assert_eq!(named(&[(435, "clone3")]), None);
        assert_eq!(named(&[]), None);
    }

    #[test]
    fn what_no_table_has_is_named_by_its_event_or_its_number() {
        let names = CallNames {
            machine: Some(Machine::X86_64),
            functions: HashMap::from([(499, "brand_new".to_owned())]),
            ..CallNames::default()
        };
        assert_eq!(names.name(202, false), "futex");
        assert_eq!(names.name(20, true), "getpid");
        assert_eq!(names.name(499, false), "brand_new");
        assert_eq!(names.name(498, false), "nr_498");
        assert_eq!(names.name(499, true), "nr_499");
    }
}
