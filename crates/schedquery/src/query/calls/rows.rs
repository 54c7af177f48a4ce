//! The rows of calls, summed thread by thread.

use super::answer::{CallRow, CallSpread, Longest, Of, Split};
use super::sums::Sum;
use super::{Asked, CallsBy};
use crate::calls::Thread;
use schedindex::{release, Pieces, SteppedSort};
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
pub(super) struct Row {
    sum: Sum,
    /// The thread of the longest call.
    longest: Option<LongestOf>,
    unfinished: u64,
    unfinished_ns: u64,
    spread: CallSpread,
    /// How long its calls took, until they are sorted.
    durations: Pieces<u64>,
    sorting: Option<SteppedSort<u64>>,
    /// What was sorted, and is given back.
    sorted: Vec<u64>,
}

/// Durations that are sorted at once, and those of a step of sorting more.
const SORTED: usize = if cfg!(debug_assertions) { 2 } else { 1 << 16 };

/// The longest call: its thread, and by whom of several of the same time it was.
#[derive(Clone, Copy)]
struct LongestOf {
    thread: usize,
    pid: i32,
}

impl Row {
    /// Adds calls of a thread.
    pub(super) fn add(&mut self, sum: &Sum, index: usize, thread: &Thread) {
        let (ns, at) = sum.longest;
        // Threads do not come in order of time.
        let rank = |ns: u64, at: u64, pid: i32| (ns, Reverse((at, pid)));
        let found = rank(ns, at, thread.pid);
        let (known_ns, known_at) = self.sum.longest;
        if self.longest.is_none_or(|of| rank(known_ns, known_at, of.pid) < found) {
            self.longest = Some(LongestOf {
                thread: index,
                pid: thread.pid,
            });
        }
        self.sum.add(sum);
    }

    /// Adds a call that did not return.
    pub(super) fn unfinished(&mut self, ns: u64) {
        self.unfinished += 1;
        self.unfinished_ns += ns;
    }

    /// Adds how long a call took.
    pub(super) fn duration(&mut self, ns: u64) {
        self.durations.push(ns);
    }

    /// Sorts more of what its calls took; false once finished.
    pub(super) fn spread(&mut self) -> bool {
        if let Some(sorting) = &mut self.sorting {
            if !sorting.step() {
                self.sorted = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
                self.spread.ascending(&self.sorted);
            }
            return true;
        }
        if !self.sorted.is_empty() {
            return release(&mut self.sorted);
        }
        let durations = std::mem::take(&mut self.durations);
        if durations.count() <= SORTED {
            self.spread.spread(&mut durations.into_vec());
            return false;
        }
        self.sorting = Some(SteppedSort::of_pieces(durations));
        true
    }

    /// What a step of sorting takes, in durations.
    pub(super) fn step_of_spread(&self) -> usize {
        if self.sorting.is_some() || !self.sorted.is_empty() {
            SORTED
        } else {
            1 + self.durations.count().min(SORTED)
        }
    }

    fn longest(&self, asked: &Asked<'_>, key: &Key) -> Option<Longest> {
        let thread = asked.calls.threads.get(self.longest?.thread)?;
        let (_, at) = self.sum.longest;
        let near = asked.calls.overlapping(thread, &(at..at.saturating_add(1)));
        let keys = Keys::of(asked, thread);
        // Calls of no time, of other rows too, may have been entered in the same ns.
        let call = asked.calls.some(thread, near).find(|call| {
            (call.ns, call.at) == self.sum.longest
                && asked.has_call(call)
                && keys.key(asked, thread, call.number, call.comm) == *key
        })?;
        Some(Longest {
            at_ns: Time(call.at),
            duration_ns: call.ns,
            pid: thread.pid,
            generation: thread.generation,
            cpu: asked.trace.cpu_at(call.lane),
            ret: call.ret,
        })
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
    pub(super) fn row(&self, asked: &Asked<'_>, row: Row) -> Option<CallRow> {
        let name = asked.names.name(self.number, self.is_compat);
        let is_there = 0 < row.sum.count || 0 < row.unfinished;
        if !is_there || !asked.has_name(&name) {
            return None;
        }
        let Sum {
            count, ns, min, split, ..
        } = row.sum;
        let (max, _) = row.sum.longest;
        Some(CallRow {
            call: name.into_owned(),
            nr: self.number,
            of: self.of(asked),
            calls: count,
            errors: row.sum.errors.into(),
            interrupted: row.sum.interrupted.into(),
            unfinished: row.unfinished,
            unfinished_ns: row.unfinished_ns,
            split: none(asked).with(split).net(asked.query.net),
            longest: row.longest(asked, self),
            duration_ns: CallSpread {
                histogram: row.spread.histogram,
                p50: row.spread.p50,
                p90: row.spread.p90,
                p99: row.spread.p99,
                p999: row.spread.p999,
                ..CallSpread::summed(count, ns, min, max)
            },
        })
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
