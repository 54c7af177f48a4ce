//! The selected calls of a trace as STaKTAU has them: for each thread, ns of wall time in each call.

use super::walk::{CallWalk, Here, Visitor};
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::{Call, StretchKind, Thread};
use schedmodel::Trace;
use staktau::{CallTime, ThreadTimes};

/// The threads that returned from a selected call, being collected.
pub struct ThreadTimesJob {
    chosen: Chosen,
    walk: CallWalk,
    found: Found,
}

#[derive(Default)]
struct Found {
    threads: Vec<ThreadTimes>,
    /// The calls of the thread at which the walk is.
    calls: Vec<CallTime>,
}

impl Visitor for Found {
    fn begin(&mut self, _: &Asked<'_>, _: &Here<'_>) {}

    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call) {
        if !at.is_wanted(asked, call) {
            return;
        }
        let key = at.keys.key(asked, at.thread, call.number, call.comm);
        let name = asked.names.name(key.number, key.is_compat);
        match self.calls.iter_mut().find(|known| known.name == name) {
            Some(known) => known.ns += call.ns,
            None => self.calls.push(CallTime {
                name: name.into_owned(),
                ns: call.ns,
            }),
        }
    }

    fn end(&mut self, asked: &Asked<'_>, at: &Here<'_>) {
        let calls = std::mem::take(&mut self.calls);
        if !calls.is_empty() {
            self.threads.push(ThreadTimes {
                tid: at.thread.pid,
                application_ns: Some(application(asked, at.thread)),
                calls,
            });
        }
    }
}

/// From a thread's first record to its last: that of a call that never returns is where it was entered.
fn application(asked: &Asked<'_>, thread: &Thread) -> u64 {
    let complete = asked.calls.of(thread).flat_map(|call| [call.at, call.end()]);
    let others = thread.stretches.iter().map(|stretch| match stretch.kind {
        StretchKind::Unfinished(_) => stretch.time.start,
        StretchKind::Begun | StretchKind::Unknown => stretch.time.end,
    });
    let records = complete.chain(others);
    let (first, last) = records.fold((u64::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
    last.saturating_sub(first)
}

impl ThreadTimesJob {
    /// Begins.
    pub fn new(trace: &Trace, query: CallsQuery) -> ThreadTimesJob {
        ThreadTimesJob {
            chosen: Chosen::new(trace, query),
            walk: CallWalk::default(),
            found: Found::default(),
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self, model: CallModel<'_>) -> bool {
        self.walk.step(&self.chosen.of(model), &mut self.found)
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self, model: CallModel<'_>) -> f64 {
        self.walk.share(model.calls.threads.len())
    }

    /// The threads by pid and generation, once `step` has returned false; their calls in the order in which each was entered
    /// first.
    pub fn answer(self) -> Vec<ThreadTimes> {
        self.found.threads
    }
}

/// The threads that returned from a selected call.
pub fn thread_times(model: CallModel<'_>, query: &CallsQuery) -> Vec<ThreadTimes> {
    let mut job = ThreadTimesJob::new(model.trace, query.clone());
    while job.step(model) {}
    job.answer()
}
