//! Resumable walks over a trace: each turn yields a bounded part of it.

use super::selected::Scope;
use schedmodel::Trace;
use std::ops::Range;

/// Intervals or steps per part: a fraction of a millisecond of work. Few in debug builds, so that every test,
/// however small its trace, interrupts walks and resumes them.
pub(crate) const CHUNK: usize = if cfg!(debug_assertions) { 8 } else { 4096 };

/// Items per part of a list. Most are wakeups: of each, a run is looked up somewhere on the lanes, and all of that may have to be
/// waited for.
const ITEMS: usize = CHUNK / 8;

/// A walk over the intervals of the selected lanes, lane by lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneWalk {
    lane: usize,
    index: usize,
}

impl LaneWalk {
    /// The next part of a lane: its index and a range of intervals.
    pub(crate) fn next(&mut self, trace: &Trace, scope: &Scope) -> Option<(usize, Range<usize>)> {
        loop {
            let lane = trace.lanes.get(self.lane)?;
            if scope.has_lane(self.lane) && self.index < lane.len() {
                let first = self.index;
                self.index = lane.len().min(first + CHUNK);
                return Some((self.lane, first..self.index));
            }
            (self.lane, self.index) = (self.lane + 1, 0);
        }
    }

    /// Approximate share of the walk that is done.
    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        let lanes = trace.lanes.len().max(1) as f64;
        let within = trace
            .lanes
            .get(self.lane)
            .map_or(0.0, |lane| share(self.index, lane.len()));
        (self.lane as f64 + within) / lanes
    }
}

/// A walk over the numbers of the items of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountWalk {
    pub(crate) at: usize,
}

impl CountWalk {
    pub(crate) fn next(&mut self, end: usize) -> Option<Range<usize>> {
        let first = self.at;
        self.at = end.min(first + ITEMS);
        (first < self.at).then_some(first..self.at)
    }

    pub(crate) fn share(&self, end: usize) -> f64 {
        share(self.at, end)
    }
}

/// `done` divided by `all`; 1 if there is nothing to do.
pub(crate) fn share(done: usize, all: usize) -> f64 {
    if all == 0 {
        1.0
    } else {
        done as f64 / all as f64
    }
}

/// The begin of an interval: time, lane and index, in this order.
pub(crate) type Begin = (u64, u32, u32);

/// A walk over the begins of the intervals of all selected lanes, in order of time, then of lanes.
#[derive(Debug)]
pub(crate) struct TimeWalk {
    /// By lane: the next interval.
    next: Vec<usize>,
    /// Everything before this time is done.
    at: u64,
    /// Length of the next part, if that contains a reasonable number of intervals.
    width: u64,
    part: Vec<Begin>,
}

impl TimeWalk {
    pub(crate) fn new(trace: &Trace) -> TimeWalk {
        let intervals: usize = trace.lanes.iter().map(|lane| lane.len()).sum();
        TimeWalk {
            next: vec![0; trace.lanes.len()],
            at: 0,
            width: (trace.span_ns / (intervals / CHUNK + 1) as u64).max(1),
            part: Vec::new(),
        }
    }

    /// The begins in the next part of time; there are many only if many have the same time.
    pub(crate) fn next(&mut self, trace: &Trace, scope: &Scope) -> Option<&[Begin]> {
        loop {
            if self
                .next
                .iter()
                .zip(&trace.lanes)
                .all(|(&next, lane)| next == lane.len())
            {
                return None;
            }
            let ends = loop {
                let to = self.at.saturating_add(self.width);
                let ends: Vec<usize> = self
                    .next
                    .iter()
                    .zip(&trace.lanes)
                    .map(|(&next, lane)| lane.starts().gallop(next, to))
                    .collect();
                let count: usize = ends.iter().zip(&self.next).map(|(end, next)| end - next).sum();
                if count <= 2 * CHUNK || self.width == 1 {
                    self.at = to;
                    if count < CHUNK / 2 {
                        self.width = self.width.saturating_mul(2);
                    }
                    break ends;
                }
                self.width = (self.width / 2).max(1);
            };
            self.part.clear();
            for (lane_index, (next, end)) in self.next.iter_mut().zip(ends).enumerate() {
                let indexes = std::mem::replace(next, end)..end;
                if scope.has_lane(lane_index) {
                    let (first, lane) = (indexes.start, lane_index as u32);
                    let starts = trace.lane_at(lane_index).starts().range(indexes);
                    let begins = starts.zip(first as u32..);
                    self.part.extend(begins.map(|(start, index)| (start, lane, index)));
                }
            }
            if !self.part.is_empty() {
                self.part.sort_unstable();
                return Some(&self.part);
            }
        }
    }

    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        (self.at as f64 / trace.span_ns.max(1) as f64).min(1.0)
    }
}
