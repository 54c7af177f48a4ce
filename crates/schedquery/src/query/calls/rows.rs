//! The rows of calls, summed thread by thread.

use super::answer::{CallRow, CallSpread, CallThread, Longest, Of, Split};
use super::split::ThreadStates;
use super::threads::thread_row;
use super::{Asked, CallsBy};
use crate::calls::{Call, Stretch, StretchKind, Thread};
use crate::query::select::durations::Duration;
use schedmodel::{CommId, Time};
use std::cmp::Reverse;
use std::collections::HashMap;

/// What a row is about: a number of a table, and whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    number: i32,
    is_compat: bool,
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
struct Sums {
    durations: Vec<Duration>,
    errors: u64,
    interrupted: u64,
    unfinished: u64,
    unfinished_ns: u64,
    split: Split,
    longest: Option<Longest>,
}

impl Sums {
    fn add(&mut self, call: &Call, thread: &Thread, cpu: u32, split: &Split) {
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

/// The rows that are asked for, and the threads.
pub(super) fn rows(asked: &Asked<'_>) -> (Vec<CallRow>, Vec<CallThread>) {
    let mut sums = HashMap::<Key, Sums>::new();
    let mut threads = Vec::new();
    let wanted = asked.calls.threads.iter().filter(|thread| asked.has_thread(thread));
    for thread in wanted {
        let states = ThreadStates::new(asked, thread);
        threads.extend(thread_row(asked, thread, &states));
        let process = process_of(asked, thread);
        let key = |number, comm| Key {
            number,
            is_compat: asked.names.is_compat(thread, comm),
            whose: match asked.query.by {
                CallsBy::Call => Whose::All,
                CallsBy::Command => Whose::Comm(comm),
                CallsBy::Task => Whose::Task(thread.pid, thread.generation),
                CallsBy::Process => Whose::Process(process),
            },
        };
        for call in asked.calls.of(thread).filter(|call| asked.has_call(call)) {
            let row = sums.entry(key(call.number, call.comm)).or_default();
            row.add(
                &call,
                thread,
                asked.trace.cpu_at(call.lane),
                &states.split(call.at..call.end()),
            );
        }
        for Stretch { time, kind } in &thread.stretches {
            if let StretchKind::Unfinished(what) = kind {
                if !asked.query.errors && asked.has_entered(time.start, what.lane, what.comm) {
                    let row = sums.entry(key(what.number, what.comm)).or_default();
                    row.unfinished += 1;
                    row.unfinished_ns += time.end - time.start;
                }
            }
        }
    }
    (sorted(asked, sums), threads)
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

fn sorted(asked: &Asked<'_>, sums: HashMap<Key, Sums>) -> Vec<CallRow> {
    let none = match (asked.calls.has_sched, asked.calls.interrupts.recorded()) {
        (false, _) => Split::default(),
        (true, irq) => Split {
            oncpu_ns: Some(0),
            runnable_ns: Some(0),
            sleeping_ns: Some(0),
            blocked_ns: Some(0),
            stopped_ns: Some(0),
            unknown_ns: Some(0),
            irq_ns: irq.then_some(0),
        },
    };
    let row = |(key, mut sums): (Key, Sums)| {
        let name = asked.names.name(key.number, key.is_compat);
        if !asked.has_name(&name) {
            return None;
        }
        if sums.durations.is_empty() {
            sums.split = none;
        }
        let of = match key.whose {
            Whose::All => Of::All {},
            Whose::Comm(comm) => Of::Command {
                comm: asked.calls.comms.name(comm).to_owned(),
            },
            Whose::Task(pid, generation) => Of::Task { pid, generation },
            Whose::Process(process) => Of::Process { process },
        };
        Some(sums.row(name.into_owned(), key.number, of))
    };
    let mut rows: Vec<CallRow> = sums.into_iter().filter_map(row).collect();
    let order = |one: &CallRow, other: &CallRow| {
        let longest_first = other.duration_ns.sum.cmp(&one.duration_ns.sum);
        longest_first
            .then_with(|| one.call.cmp(&other.call))
            .then_with(|| one.nr.cmp(&other.nr))
            .then_with(|| one.of.cmp(&other.of))
    };
    rows.sort_by(order);
    rows.truncate(asked.query.top.unwrap_or(usize::MAX));
    rows
}
