//! Resumable walks over a trace: each turn yields a bounded part of it.

use super::selected::Scope;
use schedmodel::{Lane, Trace};
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

/// No part of time is longer, so that 32 bits tell how long after its begin something was.
const WIDEST: u64 = 1 << 32;

/// A walk over the intervals of all lanes, in parts of time.
#[derive(Debug)]
pub(crate) struct SliceWalk {
    /// By lane: the next interval.
    next: Vec<usize>,
    /// When the last part begins.
    from: u64,
    /// Everything before this time is done.
    at: u64,
    /// Length of the next part, if that contains a reasonable number of intervals.
    width: u64,
}

impl SliceWalk {
    pub(crate) fn new(trace: &Trace) -> SliceWalk {
        let intervals: usize = trace.lanes.iter().map(|lane| lane.len()).sum();
        SliceWalk {
            next: vec![0; trace.lanes.len()],
            from: 0,
            at: 0,
            width: (trace.span_ns / (intervals / CHUNK + 1) as u64).clamp(1, WIDEST),
        }
    }

    /// By lane: the intervals that begin in the next part of time, some if any are left. There are many only if many have the same
    /// time.
    pub(crate) fn next(&mut self, trace: &Trace) -> Option<Vec<Range<usize>>> {
        let lanes = || trace.lanes.iter();
        loop {
            let left = self.next.iter().zip(lanes()).filter(|&(&next, lane)| next < lane.len());
            self.from = left.map(|(&next, lane)| lane.start_of(next)).min()?;
            let to = self.from.saturating_add(self.width);
            let ends = self.next.iter().zip(lanes());
            let parts: Vec<Range<usize>> = ends.map(|(&next, lane)| next..lane.starts().gallop(next, to)).collect();
            let count: usize = parts.iter().map(Range::len).sum();
            if 2 * CHUNK < count && 1 < self.width {
                self.width /= 2;
                continue;
            }
            self.at = to;
            if count < CHUNK / 2 {
                self.width = (2 * self.width).min(WIDEST);
            }
            self.next
                .iter_mut()
                .zip(&parts)
                .for_each(|(next, part)| *next = part.end);
            return Some(parts);
        }
    }

    /// When the last part begins.
    pub(crate) fn from(&self) -> u64 {
        self.from
    }

    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        (self.at as f64 / trace.span_ns.max(1) as f64).min(1.0)
    }
}

/// A walk over the intervals of all lanes, in parts of time, from the last to the first.
#[derive(Debug)]
pub(crate) struct BackWalk {
    /// By lane: the end of the intervals that are left.
    left: Vec<usize>,
    /// When the last part begins: everything from then on is done.
    from: u64,
    /// Length of the next part, if that contains a reasonable number of intervals.
    width: u64,
}

impl BackWalk {
    pub(crate) fn new(trace: &Trace) -> BackWalk {
        BackWalk {
            left: trace.lanes.iter().map(|lane| lane.len()).collect(),
            from: trace.span_ns,
            width: SliceWalk::new(trace).width,
        }
    }

    /// By lane: the intervals that begin in the part of time before, some if any are left. There are many only if many have the
    /// same time.
    pub(crate) fn next(&mut self, trace: &Trace) -> Option<Vec<Range<usize>>> {
        loop {
            let left = || self.left.iter().zip(&trace.lanes);
            let begins = left().filter_map(|(&end, lane)| Some(lane.start_of(end.checked_sub(1)?)));
            let from = (begins.max()? + 1).saturating_sub(self.width);
            let part = |(&end, lane): (&usize, &Lane)| lane.starts().search_near(end, from).min(end)..end;
            let parts: Vec<Range<usize>> = left().map(part).collect();
            let count: usize = parts.iter().map(Range::len).sum();
            if 2 * CHUNK < count && 1 < self.width {
                self.width /= 2;
                continue;
            }
            if count < CHUNK / 2 {
                self.width = (2 * self.width).min(WIDEST);
            }
            self.from = from;
            self.left
                .iter_mut()
                .zip(&parts)
                .for_each(|(end, part)| *end = part.start);
            return Some(parts);
        }
    }

    /// When the last part begins.
    pub(crate) fn from(&self) -> u64 {
        self.from
    }

    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        1.0 - self.from as f64 / trace.span_ns.max(1) as f64
    }
}

/// The begin of an interval: time, lane and index, in this order.
pub(crate) type Begin = (u64, u32, u32);

/// A walk over the begins of the intervals of all lanes, in order of time, then of lanes.
#[derive(Debug)]
pub(crate) struct TimeWalk {
    slices: SliceWalk,
    /// By lane: its next interval.
    next: Vec<u32>,
    /// In the upper half of each, when an interval begins, since the part begins; in the lower one its lane.
    sorted: Vec<u64>,
    part: Vec<Begin>,
}

impl TimeWalk {
    pub(crate) fn new(trace: &Trace) -> TimeWalk {
        TimeWalk {
            slices: SliceWalk::new(trace),
            next: vec![0; trace.lanes.len()],
            sorted: Vec::new(),
            part: Vec::new(),
        }
    }

    /// The begins in the next part of time.
    pub(crate) fn next(&mut self, trace: &Trace) -> Option<&[Begin]> {
        let parts = self.slices.next(trace)?;
        let from = self.slices.from();
        self.sorted.clear();
        for ((indexes, lane), index) in parts.into_iter().zip(&trace.lanes).zip(0..) {
            let begins = lane.starts().range(indexes);
            self.sorted.extend(begins.map(|start| (start - from) << 32 | index));
        }
        self.sorted.sort_unstable();
        self.part.clear();
        for begin in &self.sorted {
            let lane = *begin as u32;
            // Those of a lane come in its order.
            if let Some(next) = self.next.get_mut(lane as usize) {
                self.part.push((from + (begin >> 32), lane, *next));
                *next += 1;
            }
        }
        Some(&self.part)
    }

    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        self.slices.share(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use schedmodel::Who;

    /// Of lanes with intervals of these lengths.
    fn trace_of(lanes: &[Vec<u64>]) -> Trace {
        let idle = |&length: &u64| (length, Who::Idle);
        let lane = |lengths: &Vec<u64>| Lane::of(&lengths.iter().map(idle).collect::<Vec<_>>());
        let lanes: Vec<Lane> = lanes.iter().map(lane).collect();
        Trace {
            span_ns: lanes.iter().map(Lane::end).max().unwrap_or(0),
            lanes,
            ..Trace::default()
        }
    }

    proptest! {
        #[test]
        fn begins_are_in_order_of_time_then_of_lanes(
            lanes in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0_u64), 0_u64..9, 0_u64..1 << 33, 0_u64..1 << 50], 0..60), 1..5)
        ) {
            let trace = trace_of(&lanes);
            let mut walk = TimeWalk::new(&trace);
            let mut begins = Vec::new();
            while let Some(part) = walk.next(&trace) {
                begins.extend_from_slice(part);
            }
            let of_lane = |(lane, number)| {
                let starts = Lane::starts(lane).iter().zip(0_u32..);
                starts.map(move |(start, index)| (start, number, index))
            };
            let mut expected: Vec<Begin> = trace.lanes.iter().zip(0_u32..).flat_map(of_lane).collect();
            expected.sort_unstable();
            prop_assert_eq!(begins, expected);
        }

        #[test]
        fn parts_of_time_have_every_interval_once(
            lanes in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0_u64), 0_u64..9, 0_u64..1 << 30, 0_u64..1 << 50], 0..60), 1..5)
        ) {
            let trace = trace_of(&lanes);
            let mut walk = SliceWalk::new(&trace);
            let (mut next, mut from) = (vec![0; trace.lanes.len()], 0);
            while let Some(parts) = walk.next(&trace) {
                prop_assert!(parts.iter().any(|part| !part.is_empty()));
                for ((part, next), lane) in parts.into_iter().zip(&mut next).zip(&trace.lanes) {
                    prop_assert_eq!(part.start, *next);
                    prop_assert!(from <= walk.from() && walk.at <= walk.from() + WIDEST);
                    prop_assert!(part.clone().all(|index| (walk.from()..walk.at).contains(&lane.start_of(index))));
                    *next = part.end;
                }
                from = walk.at;
            }
            prop_assert!(next.iter().zip(&trace.lanes).all(|(&next, lane)| next == lane.len()));
        }

        #[test]
        fn parts_of_time_backwards_have_every_interval_once(
            lanes in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0_u64), 0_u64..9, 0_u64..1 << 30, 0_u64..1 << 50], 0..60), 1..5)
        ) {
            let trace = trace_of(&lanes);
            let mut walk = BackWalk::new(&trace);
            let (mut left, mut before) = (walk.left.clone(), u64::MAX);
            while let Some(parts) = walk.next(&trace) {
                prop_assert!(parts.iter().any(|part| !part.is_empty()));
                for ((part, left), lane) in parts.into_iter().zip(&mut left).zip(&trace.lanes) {
                    prop_assert_eq!(part.end, *left);
                    let times = walk.from()..before.min(walk.from() + WIDEST);
                    prop_assert!(part.clone().all(|index| times.contains(&lane.start_of(index))));
                    *left = part.start;
                }
                before = walk.from();
            }
            prop_assert!(left.iter().all(|&left| left == 0));
        }
    }
}
