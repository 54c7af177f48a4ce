//! The tables of calls, made in steps.

use super::answer::{CallReport, CallThread};
use super::rows::{self, Key, Keys, Row};
use super::split::ThreadStates;
use super::sums::Sum;
use super::threads::ThreadSums;
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::{Call, Stretch, StretchKind, Thread};
use schedmodel::{Time, Trace};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// Calls of a step that are looked at one by one: about a millisecond.
const SOME: usize = if cfg!(debug_assertions) { 3 } else { 8192 };
/// Durations that are read in the time of one call, and those that are sorted in a step.
const READ: usize = 16;
const SORTED: usize = if cfg!(debug_assertions) { 2 } else { 1 << 17 };

/// The tables being made.
pub struct CallsJob {
    chosen: Chosen,
    thread: usize,
    under: Option<Under>,
    table: Table,
    threads: Vec<CallThread>,
    /// Rows whose durations are not sorted yet.
    unsorted: Option<usize>,
}

/// The rows so far.
#[derive(Default)]
struct Table {
    rows: Vec<(Key, Row)>,
    of_key: HashMap<Key, usize>,
    /// By kind of calls: 1 + the thread that it was looked up for, and its row if it is wanted.
    of_kind: Vec<(usize, Option<usize>)>,
}

impl Table {
    /// The row of a kind of a thread's calls; `None` if it is not wanted.
    fn row(&mut self, asked: &Asked<'_>, at: (usize, &Thread, &Keys), kind: u32) -> Option<&mut Row> {
        let (index, thread, keys) = at;
        let slot = kind as usize;
        if self.of_kind.len() <= slot {
            self.of_kind.resize(asked.calls.kinds().max(slot + 1), (0, None));
        }
        let known = self.of_kind.get(slot).copied().filter(|&(known, _)| known == index + 1);
        let row = match known {
            Some((_, row)) => row,
            None => {
                let what = asked.calls.kind(kind);
                let row = asked
                    .has_comm(what.comm)
                    .then(|| self.row_of(keys.key(asked, thread, what.number, what.comm)));
                if let Some(of_kind) = self.of_kind.get_mut(slot) {
                    *of_kind = (index + 1, row);
                }
                row
            }
        };
        self.rows.get_mut(row?).map(|(_, row)| row)
    }

    fn row_of(&mut self, key: Key) -> usize {
        let next = self.rows.len();
        let row = *self.of_key.entry(key).or_insert(next);
        if row == next {
            self.rows.push((key, Row::default()));
        }
        row
    }
}

/// The thread that is being summed.
struct Under {
    /// Derived once they are asked: of most threads everything is summed.
    states: OnceCell<ThreadStates>,
    keys: Keys,
    sums: ThreadSums,
    /// Its calls that are left to look at one by one: those before its whole blocks, and those after.
    singles: [Range<usize>; 2],
    /// Its calls that are in whole blocks, whose durations are left to read.
    summed: Range<usize>,
}

impl CallsJob {
    /// Begins.
    pub fn new(trace: &Trace, query: CallsQuery) -> CallsJob {
        CallsJob {
            chosen: Chosen::new(trace, query),
            thread: 0,
            under: None,
            table: Table::default(),
            threads: Vec::new(),
            unsorted: None,
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self, model: CallModel<'_>) -> bool {
        let CallsJob {
            chosen,
            thread: index,
            under,
            table,
            threads,
            unsorted,
        } = self;
        let asked = chosen.of(model);
        let mut steps = SOME;
        while let Some(thread) = model.calls.threads.get(*index) {
            if steps == 0 {
                return true;
            }
            // Sums are made of all threads, whoever is asked about first.
            if let Some(sums) = model.states.sums().filter(|sums| sums.threads() == *index) {
                if sums.add(&asked, thread, &mut steps) {
                    continue;
                }
            }
            if !asked.has_thread(thread) {
                *index += 1;
                steps = steps.saturating_sub(1);
                continue;
            }
            let under_way = under.get_or_insert_with(|| begin(&asked, table, *index, thread));
            if !go_on(&asked, table, (*index, thread), under_way, &mut steps) {
                let Some(done) = under.take() else { continue };
                let life = model.states.sums().and_then(|sums| sums.life(*index));
                threads.extend(
                    done.sums
                        .row(&asked, thread, life, || states_of(&done.states, &asked, thread)),
                );
                *index += 1;
                steps = steps.saturating_sub(1);
            }
        }
        let left = unsorted.get_or_insert(table.rows.len());
        let mut steps = SORTED;
        while let Some(at) = left.checked_sub(1) {
            if steps == 0 {
                return true;
            }
            let more = table.rows.get_mut(at).is_some_and(|(_, row)| {
                steps = steps.saturating_sub(row.step_of_spread());
                row.spread()
            });
            if !more {
                *left = at;
            }
        }
        false
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self, model: CallModel<'_>) -> f64 {
        self.thread as f64 / model.calls.threads.len().max(1) as f64
    }

    /// The tables, once `step` has returned false.
    pub fn answer(self, model: CallModel<'_>) -> CallReport {
        let CallsJob {
            chosen, table, threads, ..
        } = self;
        let asked = chosen.of(model);
        let rows = table.rows.into_iter();
        let mut rows = rows.filter_map(|(key, row)| key.row(&asked, row)).collect::<Vec<_>>();
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
            threads,
        }
    }
}

/// A thread comes.
fn begin(asked: &Asked<'_>, table: &mut Table, index: usize, thread: &Thread) -> Under {
    let (states, keys) = (OnceCell::new(), Keys::of(asked, thread));
    for Stretch { time, kind } in &thread.stretches {
        if let StretchKind::Unfinished(what) = kind {
            if !asked.query.errors && asked.has_entered(time.start, what.lane, what.comm) {
                let row = table.row_of(keys.key(asked, thread, what.number, what.comm));
                if let Some((_, row)) = table.rows.get_mut(row) {
                    row.unfinished(time.end - time.start);
                }
            }
        }
    }
    let mut sums = ThreadSums::new(asked, thread, || states_of(&states, asked, thread));
    let calls = asked.calls.overlapping(thread, &asked.chosen.window);
    let at = (index, thread, &keys);
    let blocks = blocks(asked, index, thread, sums.part());
    let (blocks, summed) = blocks.unwrap_or((0..0, calls.end..calls.end));
    if let Some(kept) = asked.states.sums().filter(|_| !blocks.is_empty()) {
        kept.each(index, blocks, |kind, sum| {
            sums.block(sum);
            if let Some(row) = table.row(asked, at, kind) {
                row.add(sum, index, thread);
            }
        });
    }
    Under {
        singles: [calls.start..summed.start, summed.end..calls.end.max(summed.end)],
        summed,
        states,
        keys,
        sums,
    }
}

/// The blocks of a thread's calls of which all are wanted but for what they are called, and do not reach out of its part of the
/// window; and the calls in them.
fn blocks(asked: &Asked<'_>, index: usize, thread: &Thread, part: &Range<u64>) -> Option<(Range<usize>, Range<usize>)> {
    // Sums are of all calls.
    let are_all = asked.chosen.lanes.is_none() && asked.query.selection.runs.is_none() && !asked.query.errors;
    let kept = asked.states.sums().filter(|_| are_all)?;
    let calls = asked.calls.overlapping(thread, part);
    if calls.is_empty() {
        return None;
    }
    let one = |at: usize| asked.calls.some(thread, at..at + 1).next();
    // The first call may have been entered before it, and only the last one may return after it.
    let first = calls.start + usize::from(one(calls.start).is_some_and(|call| call.at < part.start));
    let last = calls.end - 1;
    let end = last + usize::from(one(last).is_some_and(|call| call.end() <= part.end));
    Some(kept.within(index, &(first..end.max(first)))).filter(|(blocks, _)| !blocks.is_empty())
}

fn states_of<'a>(states: &'a OnceCell<ThreadStates>, asked: &Asked<'_>, thread: &Thread) -> &'a ThreadStates {
    states.get_or_init(|| ThreadStates::new(asked, thread))
}

/// Looks at more calls of a thread; false if there are no more.
fn go_on(
    asked: &Asked<'_>,
    table: &mut Table,
    (index, thread): (usize, &Thread),
    under: &mut Under,
    steps: &mut usize,
) -> bool {
    let Under {
        states,
        keys,
        sums,
        singles,
        summed,
    } = under;
    for range in &mut *singles {
        let part = range.start..range.end.min(range.start.saturating_add(*steps)).max(range.start);
        *steps -= part.len();
        range.start = part.end;
        if part.is_empty() {
            continue;
        }
        let states = states_of(states, asked, thread);
        asked.calls.each_kind(thread, part, |kind, call| {
            single(asked, table, (index, thread, keys), (states, sums), kind, &call);
        });
    }
    if !asked.query.sums_only {
        let read = summed.end.min(summed.start.saturating_add(steps.saturating_mul(READ)));
        let part = summed.start..read.max(summed.start);
        *steps = steps.saturating_sub(part.len().div_ceil(READ));
        summed.start = part.end;
        asked.calls.each_time(thread, part, |kind, _, ns| {
            if let Some(row) = table.row(asked, (index, thread, keys), kind) {
                row.duration(ns);
            }
        });
    } else {
        summed.start = summed.end;
    }
    let is_left = |range: &Range<usize>| range.start < range.end;
    singles.iter().any(is_left) || is_left(summed)
}

fn single(
    asked: &Asked<'_>,
    table: &mut Table,
    at: (usize, &Thread, &Keys),
    (states, sums): (&ThreadStates, &mut ThreadSums),
    kind: u32,
    call: &Call,
) {
    sums.call(call, states);
    if !asked.has_call(call) {
        return;
    }
    let (index, thread, _) = at;
    if let Some(row) = table.row(asked, at, kind) {
        row.add(&Sum::of(call, &states.gross(asked, call.at..call.end())), index, thread);
        if !asked.query.sums_only {
            row.duration(call.ns);
        }
    }
}
