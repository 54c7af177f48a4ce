//! Wakeup edges by the CPU on which they were made.

use super::group_sort::{GroupSort, Instant, Things};
use super::grouped::Grouped;
use schedmodel::stored::stored;
use schedmodel::Trace;
use std::ops::Range;

/// Numbers of edges, grouped by the waker's lane, in time order within a lane.
#[derive(Clone, Debug, Default)]
pub struct Wakers {
    edges: Grouped<u32>,
}

stored!(Wakers {
    edges: Grouped<u32>,
});

impl Wakers {
    /// Indexes all edges of a trace.
    pub fn new(trace: &Trace) -> Wakers {
        let mut builder = WakersBuilder::new(trace);
        loop {
            if let Some(wakers) = builder.step(trace) {
                return wakers;
            }
        }
    }

    /// The wakeups made on a lane from `from` to `to`, both included.
    pub fn between<'a>(&'a self, trace: &'a Trace, lane: usize, from: u64, to: u64) -> &'a [u32] {
        let edges = self.edges.of(lane);
        let at = |index: &u32| trace.edges.at(*index as usize);
        let first = edges.partition_point(|index| at(index) < from);
        let end = edges.partition_point(|index| at(index) <= to);
        edges.get(first..end).unwrap_or_default()
    }

    /// The nearest instant after, or before, another at which a wakeup is made on a lane.
    pub fn near(&self, trace: &Trace, lane: usize, at: u64, forwards: bool) -> Option<u64> {
        let edges = self.edges.of(lane);
        let time = |index: &u32| trace.edges.at(*index as usize);
        let index = match forwards {
            true => edges.partition_point(|index| time(index) <= at),
            false => edges.partition_point(|index| time(index) < at).checked_sub(1)?,
        };
        edges.get(index).map(time)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.edges.memory_bytes()
    }
}

/// Makes [`Wakers`] in steps.
#[derive(Debug)]
pub struct WakersBuilder {
    sort: GroupSort,
}

impl WakersBuilder {
    /// Of all edges of a trace.
    pub fn new(trace: &Trace) -> WakersBuilder {
        WakersBuilder {
            sort: GroupSort::new(trace.lanes.len()),
        }
    }

    /// Works for about a millisecond; the index, once it has all edges.
    pub fn step(&mut self, trace: &Trace) -> Option<Wakers> {
        if self.sort.step(&Wakeups(trace)) || self.sort.release() {
            return None;
        }
        let sort = std::mem::replace(&mut self.sort, GroupSort::new(0));
        let (numbers, offsets) = sort.into_numbers();
        Some(Wakers {
            edges: Grouped::of_parts(numbers, offsets),
        })
    }
}

/// All edges, by the lane of the waker.
struct Wakeups<'a>(&'a Trace);

impl Things for Wakeups<'_> {
    fn count(&self) -> usize {
        self.0.edges.len()
    }

    fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, Instant)) {
        let Wakeups(trace) = self;
        for number in range {
            let Some(lane) = trace.lane_index(trace.edges.waker_cpu(number)) else {
                continue;
            };
            let wakeup = Instant {
                at: trace.edges.at(number),
                number: number as u32,
                more: 0,
            };
            take(lane as u32, wakeup);
        }
    }
}
