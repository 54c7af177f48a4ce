//! Wakeup edges by the CPU on which they were made.

use super::grouped::Grouped;
use schedmodel::stored::stored;
use schedmodel::Trace;

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
        let lane_of = |number| trace.lane_index(trace.edges.waker_cpu(number));
        let lanes: Vec<Option<usize>> = (0..trace.edges.len()).map(lane_of).collect();
        // With its time, so that sorting needs no look-up.
        let by_lane = lanes.iter().enumerate().filter_map(|(number, &lane)| {
            let timed = (trace.edges.at(number), number as u32);
            Some((lane? as u32, timed))
        });
        let mut edges = Grouped::new(by_lane, trace.lanes.len());
        edges.sort_each(|&timed| timed);
        Wakers {
            edges: edges.map(|(_, number)| number),
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
