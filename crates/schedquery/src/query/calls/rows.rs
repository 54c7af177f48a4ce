//! The rows of calls, summed thread by thread.

use super::answer::{CallRow, CallSpread, Longest, Of, Split};
use super::{Asked, CallsBy};
use crate::calls::{Call, Thread};
use crate::query::select::durations::Duration;
use schedmodel::{CommId, Time};
use std::cmp::Reverse;

/// What a row is about: a number of a table, and whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) number: i32,
    pub(super) is_compat: bool,
    whose: Whose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Whose {
    All,
    Comm(CommId),
    Task(i32, u32),
    Process(Option<i32>),
}

/// A row while it is summed.
#[derive(Default)]
pub(super) struct Sums {
    durations: Vec<Duration>,
    errors: u64,
    interrupted: u64,
    unfinished: u64,
    unfinished_ns: u64,
    split: Split,
    longest: Option<Longest>,
}

impl Sums {
    pub(super) fn add(&mut self, call: &Call, thread: &Thread, cpu: u32, split: &Split) {
        self.durations.push(Duration { ns: call.ns, group: 0 });
        self.errors += u64::from(sysnames::is_error(call.ret));
        self.interrupted += u64::from(sysnames::is_interrupted(call.ret));
        self.split.add(split);
        let found = Longest {
            at_ns: Time(call.at),
            duration_ns: call.ns,
            pid: thread.pid,
            generation: thread.generation,
            cpu,
            ret: call.ret,
        };
        // Threads do not come in order of time.
        let rank = |one: &Longest| (one.duration_ns, Reverse((one.at_ns, one.pid)));
        if self.longest.as_ref().is_none_or(|longest| rank(longest) < rank(&found)) {
            self.longest = Some(found);
        }
    }

    /// How many returned.
    pub(super) fn len(&self) -> usize {
        self.durations.len()
    }

    /// Adds a call that did not return.
    pub(super) fn unfinished(&mut self, ns: u64) {
        self.unfinished += 1;
        self.unfinished_ns += ns;
    }

    fn row(self, call: String, nr: i32, of: Of) -> CallRow {
        CallRow {
            call,
            nr,
            of,
            calls: self.durations.len() as u64,
            errors: self.errors,
            interrupted: self.interrupted,
            unfinished: self.unfinished,
            unfinished_ns: self.unfinished_ns,
            duration_ns: CallSpread::of(self.durations),
            split: self.split,
            longest: self.longest,
        }
    }
}

/// The keys of a thread's calls.
pub(super) struct Keys {
    pid: i32,
    generation: u32,
    process: Option<i32>,
}

impl Keys {
    pub(super) fn of(asked: &Asked<'_>, thread: &Thread) -> Keys {
        Keys {
            pid: thread.pid,
            generation: thread.generation,
            process: process_of(asked, thread),
        }
    }

    /// Of a call with that number, entered while the thread was called so.
    pub(super) fn key(&self, asked: &Asked<'_>, thread: &Thread, number: i32, comm: CommId) -> Key {
        Key {
            number,
            is_compat: asked.names.is_compat(thread, comm),
            whose: match asked.query.by {
                CallsBy::Call => Whose::All,
                CallsBy::Command => Whose::Comm(comm),
                CallsBy::Task => Whose::Task(self.pid, self.generation),
                CallsBy::Process => Whose::Process(self.process),
            },
        }
    }
}

fn process_of(asked: &Asked<'_>, thread: &Thread) -> Option<i32> {
    if asked.query.by != CallsBy::Process {
        return None;
    }
    let Some(task) = thread.task else {
        return Some(thread.pid);
    };
    let name = |number| asked.names.in_table(number);
    asked.calls.processes.of(asked.trace, task, &name)
}

impl Key {
    /// Whose row it is.
    pub(super) fn of(&self, asked: &Asked<'_>) -> Of {
        match self.whose {
            Whose::All => Of::All {},
            Whose::Comm(comm) => Of::Command {
                comm: asked.calls.comms.name(comm).to_owned(),
            },
            Whose::Task(pid, generation) => Of::Task { pid, generation },
            Whose::Process(process) => Of::Process { process },
        }
    }

    /// Its row; `None` if a call of that name is not wanted.
    pub(super) fn row(&self, asked: &Asked<'_>, mut sums: Sums) -> Option<CallRow> {
        let name = asked.names.name(self.number, self.is_compat);
        if !asked.has_name(&name) {
            return None;
        }
        if sums.durations.is_empty() {
            sums.split = none(asked);
        }
        Some(sums.row(name.into_owned(), self.number, self.of(asked)))
    }
}

/// The split of no time.
fn none(asked: &Asked<'_>) -> Split {
    if !asked.calls.has_sched {
        return Split::default();
    }
    Split {
        oncpu_ns: Some(0),
        runnable_ns: Some(0),
        sleeping_ns: Some(0),
        blocked_ns: Some(0),
        stopped_ns: Some(0),
        unknown_ns: Some(0),
        irq_ns: asked.calls.interrupts.recorded().then_some(0),
    }
}

/// Puts rows in the order of a table.
pub(super) fn sort(rows: &mut [CallRow]) {
    rows.sort_by(|one, other| {
        let longest_first = other.duration_ns.sum.cmp(&one.duration_ns.sum);
        longest_first
            .then_with(|| one.call.cmp(&other.call))
            .then_with(|| one.nr.cmp(&other.nr))
            .then_with(|| one.of.cmp(&other.of))
    });
}
