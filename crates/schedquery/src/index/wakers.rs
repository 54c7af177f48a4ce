//! Wakeup edges by the CPU on which they were made.

use schedmodel::Trace;

/// Numbers of edges, grouped by the waker's lane, in time order within a lane.
#[derive(Clone, Debug, Default)]
pub struct Wakers {
    edges: Vec<u32>,
    /// Offset of each lane's first edge, and the end of the last lane's.
    offsets: Vec<u32>,
}

impl Wakers {
    /// Indexes all edges of a trace.
    pub fn new(trace: &Trace) -> Wakers {
        let edges = &trace.edges;
        let mut keyed: Vec<(u64, u32, u32)> = (0..edges.len())
            .filter_map(|index| {
                let edge = edges.get(index);
                Some((edge.at, trace.lane_index(edge.waker_cpu)? as u32, index as u32))
            })
            .collect();
        keyed.sort_unstable_by_key(|&(at, lane, index)| (lane, at, index));
        let first_of = |lane: usize| keyed.partition_point(|key| (key.1 as usize) < lane) as u32;
        Wakers {
            offsets: (0..=trace.lanes.len()).map(first_of).collect(),
            edges: keyed.iter().map(|key| key.2).collect(),
        }
    }

    /// The wakeups made on a lane from `from` to `to`, both included.
    pub fn between<'a>(&'a self, trace: &'a Trace, lane: usize, from: u64, to: u64) -> &'a [u32] {
        let edges = &self.edges[self.offsets[lane] as usize..self.offsets[lane + 1] as usize];
        let at = |index: &u32| trace.edges.at(*index as usize);
        let first = edges.partition_point(|index| at(index) < from);
        let end = edges.partition_point(|index| at(index) <= to);
        &edges[first..end.max(first)]
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        (self.edges.capacity() + self.offsets.capacity()) * 4
    }
}
