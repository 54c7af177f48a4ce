//! The tables of calls, made in steps.

use super::answer::{CallReport, CallRow, CallThread};
use super::rows::{self, Key, Sums};
use super::threads::ThreadSums;
use super::walk::{CallWalk, Here, Visitor};
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::{Call, Stretch, StretchKind};
use schedmodel::{Time, Trace};
use std::collections::HashMap;

/// Durations of a step that are sorted.
const DURATIONS: usize = if cfg!(debug_assertions) { 2 } else { 1 << 14 };

/// The tables being made.
pub struct CallsJob {
    chosen: Chosen,
    walk: CallWalk,
    sums: Summing,
    /// What is to become rows, once all calls are summed.
    left: Option<Vec<(Key, Sums)>>,
    rows: Vec<CallRow>,
}

#[derive(Default)]
struct Summing {
    rows: HashMap<Key, Sums>,
    thread: Option<ThreadSums>,
    threads: Vec<CallThread>,
}

impl Visitor for Summing {
    fn begin(&mut self, asked: &Asked<'_>, at: &Here<'_>) {
        self.thread = Some(ThreadSums::new(asked, at.thread, at.states));
        for Stretch { time, kind } in &at.thread.stretches {
            if let StretchKind::Unfinished(what) = kind {
                if !asked.query.errors && asked.has_entered(time.start, what.lane, what.comm) {
                    let key = at.keys.key(asked, at.thread, what.number, what.comm);
                    self.rows.entry(key).or_default().unfinished(time.end - time.start);
                }
            }
        }
    }

    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call) {
        if let Some(thread) = &mut self.thread {
            thread.call(call, at.states);
        }
        if asked.has_call(call) {
            let key = at.keys.key(asked, at.thread, call.number, call.comm);
            let split = at.states.split(asked, call.at..call.end());
            let row = self.rows.entry(key).or_default();
            row.add(call, at.thread, asked.trace.cpu_at(call.lane), &split);
        }
    }

    fn end(&mut self, asked: &Asked<'_>, at: &Here<'_>) {
        let row = self
            .thread
            .take()
            .and_then(|sums| sums.row(asked, at.thread, at.states));
        self.threads.extend(row);
    }
}

impl CallsJob {
    /// Begins.
    pub fn new(trace: &Trace, query: CallsQuery) -> CallsJob {
        CallsJob {
            chosen: Chosen::new(trace, query),
            walk: CallWalk::default(),
            sums: Summing::default(),
            left: None,
            rows: Vec::new(),
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self, model: CallModel<'_>) -> bool {
        let asked = self.chosen.of(model);
        if self.left.is_none() {
            if !self.walk.step(&asked, &mut self.sums) {
                self.left = Some(std::mem::take(&mut self.sums.rows).into_iter().collect());
            }
            return true;
        }
        let mut steps = DURATIONS;
        while let Some((key, sums)) = self.left.as_mut().and_then(Vec::pop) {
            steps = steps.saturating_sub(1 + sums.len());
            self.rows.extend(key.row(&asked, sums));
            if steps == 0 {
                return true;
            }
        }
        false
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self, model: CallModel<'_>) -> f64 {
        self.walk.share(model.calls.threads.len())
    }

    /// The tables, once `step` has returned false.
    pub fn answer(self, model: CallModel<'_>) -> CallReport {
        let CallsJob {
            chosen, sums, mut rows, ..
        } = self;
        rows::sort(&mut rows);
        let rows_total = rows.len();
        rows.truncate(chosen.query.top.unwrap_or(usize::MAX));
        let window = &chosen.window;
        CallReport {
            arch: model.names.machine().map(sysnames::Machine::name),
            events: model.calls.recorded,
            first_ns: Time(window.start),
            last_ns: Time(window.end.min(model.trace.span_ns).max(window.start)),
            totals: model.calls.totals,
            rows,
            rows_total,
            threads: sums.threads,
        }
    }
}
