//! Wakeup edges by the CPU on which they were made.

use super::grouped::Grouped;
use schedmodel::Trace;

/// Numbers of edges, grouped by the waker's lane, in time order within a lane.
#[derive(Clone, Debug, Default)]
pub struct Wakers {
    edges: Grouped<u32>,
}

impl Wakers {
    /// Indexes all edges of a trace.
    pub fn new(trace: &Trace) -> Wakers {
        let numbers = 0..trace.edges.len();
        let by_lane = numbers.filter_map(|number| {
            let lane = trace.lane_index(trace.edges.get(number).waker_cpu)?;
            Some((lane as u32, number as u32))
        });
        let mut edges = Grouped::new(by_lane, trace.lanes.len());
        edges.sort_each(|&number| trace.edges.at(number as usize));
        Wakers { edges }
    }

    /// The wakeups made on a lane from `from` to `to`, both included.
    pub fn between<'a>(&'a self, trace: &'a Trace, lane: usize, from: u64, to: u64) -> &'a [u32] {
        let edges = self.edges.of(lane);
        let at = |index: &u32| trace.edges.at(*index as usize);
        let first = edges.partition_point(|index| at(index) < from);
        let end = edges.partition_point(|index| at(index) <= to);
        edges.get(first..end).unwrap_or_default()
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.edges.memory_bytes()
    }
}
