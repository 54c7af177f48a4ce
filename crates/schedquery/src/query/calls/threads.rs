//! Threads in calls and outside.

use super::answer::CallThread;
use super::split::ThreadStates;
use super::sums::{LifeTimes, Sum};
use super::Asked;
use crate::calls::{Call, StretchKind, Thread};
use schedmodel::{CommId, Time};
use std::ops::Range;

/// The row of a thread, while its calls come.
pub(super) struct ThreadSums {
    /// Its part of the window.
    part: Range<u64>,
    in_calls: u64,
    oncpu: u64,
    /// What it ran where it is not known whether it was in a call.
    in_doubt: u64,
}

impl ThreadSums {
    /// With what is known of its time besides complete calls.
    pub(super) fn new<'a>(asked: &Asked<'_>, thread: &Thread, states: impl Fn() -> &'a ThreadStates) -> ThreadSums {
        let window = &asked.chosen.window;
        let from = thread.life.start.max(window.start);
        let mut sums = ThreadSums {
            part: from..thread.life.end.min(window.end).max(from),
            in_calls: 0,
            oncpu: 0,
            in_doubt: 0,
        };
        for stretch in &thread.stretches {
            let part = sums.clip(&stretch.time);
            if part.is_empty() {
                continue;
            }
            match stretch.kind {
                StretchKind::Unknown => sums.in_doubt += states().ran(part),
                StretchKind::Begun | StretchKind::Unfinished(_) => sums.add(part, states()),
            }
        }
        sums
    }

    /// Its part of the window: where it lives.
    pub(super) fn part(&self) -> &Range<u64> {
        &self.part
    }

    fn clip(&self, time: &Range<u64>) -> Range<u64> {
        let Range { start: from, end: to } = self.part;
        let start = time.start.clamp(from, to);
        start..time.end.clamp(start, to)
    }

    fn add(&mut self, part: Range<u64>, states: &ThreadStates) {
        self.in_calls += part.end - part.start;
        self.oncpu += states.ran(part);
    }

    /// Adds complete calls that lie in its part of the window.
    pub(super) fn block(&mut self, sum: &Sum) {
        self.in_calls += sum.ns;
        self.oncpu += sum.oncpu();
    }

    /// Adds a complete call.
    pub(super) fn call(&mut self, call: &Call, states: &ThreadStates) {
        let part = self.clip(&(call.at..call.end()));
        if !part.is_empty() {
            self.add(part, states);
        }
    }

    /// The row; `None` if the thread does not live in the window, or never has a name that is selected.
    /// `life`: what it did in all its life, if that is known.
    pub(super) fn row<'a>(
        self,
        asked: &Asked<'_>,
        thread: &Thread,
        life: Option<LifeTimes>,
        states: impl Fn() -> &'a ThreadStates,
    ) -> Option<CallThread> {
        if self.part.is_empty() {
            return None;
        }
        let comms = comms(asked, thread);
        let is_named = comms.is_empty() || comms.iter().any(|&comm| asked.has_comm(comm));
        if !is_named {
            return None;
        }
        let times = life.filter(|_| self.part == thread.life).unwrap_or_else(|| LifeTimes {
            running: states().ran(self.part.clone()),
            irq: states().irq(asked, self.part.clone()),
        });
        let running = times.running;
        let known = asked.calls.has_sched;
        let names = comms.iter().map(|&comm| asked.calls.comms.name(comm).to_owned());
        Some(CallThread {
            pid: thread.pid,
            generation: thread.generation,
            comms: names.filter(|name| !name.is_empty()).collect(),
            first_ns: Time(self.part.start),
            last_ns: Time(self.part.end),
            running_ns: known.then_some(running),
            irq_ns: (known && asked.calls.interrupts.recorded()).then_some(times.irq),
            in_calls_ns: self.in_calls,
            oncpu_in_calls_ns: known.then_some(self.oncpu),
            outside_oncpu_ns: known.then_some(running.saturating_sub(self.oncpu + self.in_doubt)),
        })
    }
}

/// What a thread was called: when it ran, and when it entered calls.
fn comms(asked: &Asked<'_>, thread: &Thread) -> Vec<CommId> {
    let pairs = thread.task.map_or(&[][..], |task| asked.runs.pairs_of(task));
    let mut comms: Vec<CommId> = pairs.iter().map(|&pair| asked.trace.task_comm(pair).comm).collect();
    for &comm in &thread.comms {
        if !comms.contains(&comm) {
            comms.push(comm);
        }
    }
    comms
}
