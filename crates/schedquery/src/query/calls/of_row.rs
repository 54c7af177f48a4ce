//! The calls of a row of a table, one by one: the longest, all against time, and how long they took by what their threads did.

use super::answer::{Doing, Split};
use super::instances::CallPlace;
use super::walk::{CallWalk, Here, Visitor};
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::Call;
use crate::query::select::columns::{column, half_octave};
use schedmodel::{Time, Trace};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use ts_rs::TS;

/// The calls of a row.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallsOfRow {
    /// How many there are.
    pub count: u64,
    /// Of these, failed.
    pub errors: u64,
    /// Begin of the time in which they were entered.
    pub first_ns: Time,
    /// Its end.
    pub last_ns: Time,
    /// The longest, longest first.
    pub longest: Vec<CallPlace>,
    /// All of them, near ones as one.
    pub points: Vec<CallPoint>,
    /// How long they took; buckets that are not empty.
    pub histogram: Vec<CallBucket>,
}

/// Calls that were entered at about the same time and took about as long: the longest of them, and how many there are.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct CallPoint {
    /// When it was entered.
    pub at_ns: Time,
    /// How long it took.
    pub duration_ns: u64,
    /// Its thread.
    pub pid: i32,
    /// Which of the tasks that had this pid.
    pub generation: u32,
    /// What its thread did for most of the time.
    pub doing: Doing,
    /// How many there are.
    pub count: u32,
    /// Of these, failed.
    pub errors: u32,
}

/// Calls that took at least `from` and less than twice `from`.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct CallBucket {
    /// The least time.
    pub from: u64,
    /// How many.
    pub count: u64,
    /// What their threads did.
    #[serde(flatten)]
    pub split: Split,
}

/// They, being collected.
pub struct OfRowJob {
    chosen: Chosen,
    walk: CallWalk,
    found: Found,
}

struct Found {
    count: u64,
    errors: u64,
    histogram: BTreeMap<u64, (u64, Split)>,
    /// By column of time and half octave of duration.
    points: BTreeMap<(u32, u32), CallPoint>,
    /// The longest so far, with the index of their threads, and perhaps some more.
    longest: Vec<(Call, usize)>,
    top: usize,
    columns: u32,
    /// The time over which the columns are spread.
    window: Range<u64>,
}

impl Visitor for Found {
    fn begin(&mut self, _: &Asked<'_>, _: &Here<'_>) {}

    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call) {
        if !at.is_wanted(asked, call) {
            return;
        }
        let is_error = sysnames::is_error(call.ret);
        self.count += 1;
        self.errors += u64::from(is_error);
        let split = at.states.split(asked, call.at..call.end());
        let from = call.ns.checked_ilog2().map_or(0, |octave| 1 << octave);
        let (count, sum) = self.histogram.entry(from).or_default();
        *count += 1;
        sum.add(&split);
        let point = CallPoint {
            at_ns: Time(call.at),
            duration_ns: call.ns,
            pid: at.thread.pid,
            generation: at.thread.generation,
            doing: split.most(),
            count: 0,
            errors: 0,
        };
        let cell = (self.column(call.at), half_octave(call.ns));
        let near = self.points.entry(cell).or_insert(point);
        let (count, errors) = (near.count + 1, near.errors + u32::from(is_error));
        if near.duration_ns < call.ns {
            *near = point;
        }
        (near.count, near.errors) = (count, errors);
        self.longest.push((*call, at.index));
        if self.top.saturating_mul(4).max(64) < self.longest.len() {
            self.sort(asked);
        }
    }

    fn end(&mut self, _: &Asked<'_>, _: &Here<'_>) {}
}

impl Found {
    fn column(&self, at: u64) -> u32 {
        column(at, &self.window, self.columns)
    }

    fn sort(&mut self, asked: &Asked<'_>) {
        let pid = |thread: usize| asked.calls.threads.get(thread).map(|thread| thread.pid);
        self.longest
            .sort_by_key(|&(call, thread)| (Reverse(call.ns), call.at, pid(thread)));
        self.longest.truncate(self.top);
    }
}

impl OfRowJob {
    /// Begins: the `top` longest, and points in `columns` of time.
    pub fn new(trace: &Trace, query: CallsQuery, top: usize, columns: u32) -> OfRowJob {
        let chosen = Chosen::new(trace, query);
        let Range { start, end } = chosen.window;
        OfRowJob {
            found: Found {
                count: 0,
                errors: 0,
                histogram: BTreeMap::new(),
                points: BTreeMap::new(),
                longest: Vec::new(),
                top,
                columns: columns.max(1),
                window: start..end.min(trace.span_ns).max(start),
            },
            chosen,
            walk: CallWalk::default(),
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

    /// The answer, once `step` has returned false.
    pub fn answer(self, model: CallModel<'_>) -> CallsOfRow {
        let OfRowJob { chosen, mut found, .. } = self;
        let asked = chosen.of(model);
        found.sort(&asked);
        let places = found.longest.iter().filter_map(|(call, thread)| {
            let thread = model.calls.threads.get(*thread)?;
            Some(CallPlace::of(&asked, thread, call))
        });
        let buckets = found.histogram.into_iter();
        CallsOfRow {
            count: found.count,
            errors: found.errors,
            first_ns: Time(found.window.start),
            last_ns: Time(found.window.end),
            longest: places.collect(),
            points: found.points.into_values().collect(),
            histogram: buckets
                .map(|(from, (count, split))| CallBucket { from, count, split })
                .collect(),
        }
    }
}
