//! Arrivals: runs that begin on another CPU than their task's run before, with how far apart the two CPUs are.

use super::blocks::{Sum, Sums};
use super::RunId;
use schedmodel::topology::{CpuPlace, Distance, Topology};
use schedmodel::Trace;
use serde::Serialize;
use std::ops::Range;
use ts_rs::TS;

/// Arrivals by the distance between the two CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct ArrivalCounts {
    /// From a thread of the same core.
    pub core: u32,
    /// From another core with the same last-level cache.
    pub llc: u32,
    /// From another last-level cache of the same socket.
    pub socket: u32,
    /// From another socket.
    pub machine: u32,
    /// The distance is not known.
    pub unknown: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LaneArrivals {
    /// Indexes of the intervals in the lane, ascending.
    index: Vec<u32>,
    /// The task's previous run: lane and interval.
    from: Vec<(u32, u32)>,
    counts: Sums<ArrivalCounts>,
}

/// All arrivals of a trace.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    pub(super) lanes: Vec<LaneArrivals>,
    pub(super) distances: Distances,
}

/// An arrival: the run that begins, the task's previous run, and how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The run that begins.
    pub run: RunId,
    /// The task's previous run.
    pub from: RunId,
    /// `None` if not known.
    pub distance: Option<Distance>,
}

/// The place of each lane's CPU in the topology.
#[derive(Clone, Debug, Default)]
pub struct Distances(Vec<Option<CpuPlace>>);

impl Distances {
    pub(super) fn new(cpus: &[u32], topology: Option<&Topology>) -> Distances {
        let place = |&cpu: &u32| topology?.place(cpu).copied();
        Distances(cpus.iter().map(place).collect())
    }

    fn between(&self, a: usize, b: usize) -> Option<Distance> {
        let place = |lane: usize| self.0.get(lane)?.as_ref();
        Some(place(a)?.distance(place(b)?))
    }
}

impl Sum for ArrivalCounts {
    /// The lane, the runs before, and the distances of lanes.
    type Items<'a> = (usize, &'a [(u32, u32)], &'a Distances);
    const BLOCK: usize = 64;

    fn add(&mut self, (lane, from, distances): Self::Items<'_>, range: Range<usize>, _: u64) {
        for &(from, _) in from.get(range).unwrap_or_default() {
            self.count(distances.between(from as usize, lane));
        }
    }
}

impl ArrivalCounts {
    fn count(&mut self, distance: Option<Distance>) {
        *match distance {
            Some(Distance::Core) => &mut self.core,
            Some(Distance::Llc) => &mut self.llc,
            Some(Distance::Socket) => &mut self.socket,
            Some(Distance::Machine) => &mut self.machine,
            Some(Distance::Cpu) | None => &mut self.unknown,
        } += 1;
    }

    /// Sum of both.
    pub fn and(self, other: ArrivalCounts) -> ArrivalCounts {
        self.each(other, |a, b| a + b)
    }

    /// Difference; `others` must be contained in `self`.
    fn without(self, others: ArrivalCounts) -> ArrivalCounts {
        self.each(others, |a, b| a - b)
    }

    fn each(self, other: ArrivalCounts, of: fn(u32, u32) -> u32) -> ArrivalCounts {
        ArrivalCounts {
            core: of(self.core, other.core),
            llc: of(self.llc, other.llc),
            socket: of(self.socket, other.socket),
            machine: of(self.machine, other.machine),
            unknown: of(self.unknown, other.unknown),
        }
    }

    /// The sum of all distances.
    pub fn total(self) -> u32 {
        self.core + self.llc + self.socket + self.machine + self.unknown
    }
}

impl Arrivals {
    /// Number of arrivals on a lane in a window; none on a lane that does not exist.
    pub fn count(&self, trace: &Trace, lane: usize, window: &Range<u64>) -> ArrivalCounts {
        let Some(arrivals) = self.lanes.get(lane) else {
            return ArrivalCounts::default();
        };
        let items = (lane, &arrivals.from[..], &self.distances);
        let slots = arrivals.slots(trace, lane, window);
        arrivals.counts.of_range(items, slots, ArrivalCounts::without)
    }

    /// Arrivals on a lane in a window, in time order.
    pub fn of_lane<'a>(
        &'a self,
        trace: &Trace,
        lane: usize,
        window: &Range<u64>,
    ) -> impl Iterator<Item = Arrival> + 'a {
        let arrivals = self.lanes.get(lane);
        let slots = arrivals.map(|arrivals| (arrivals, arrivals.slots(trace, lane, window)));
        let slots = slots.into_iter().flat_map(|(arrivals, slots)| {
            let index = arrivals.index.get(slots.clone()).unwrap_or_default();
            let from = arrivals.from.get(slots).unwrap_or_default();
            index.iter().zip(from)
        });
        slots.map(move |(&index, &(from, from_index))| Arrival {
            run: RunId {
                lane,
                index: index as usize,
            },
            from: RunId {
                lane: from as usize,
                index: from_index as usize,
            },
            distance: self.distances.between(from as usize, lane),
        })
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let of_lane = |lane: &LaneArrivals| {
            lane.index.capacity() * 4 + lane.from.capacity() * size_of::<(u32, u32)>() + lane.counts.memory_bytes()
        };
        self.lanes.iter().map(of_lane).sum::<usize>() + self.distances.0.capacity() * size_of::<Option<CpuPlace>>()
    }
}

impl LaneArrivals {
    /// `arrivals`: index of the interval, and the task's previous run, ascending.
    pub(super) fn new(
        lane: usize,
        arrivals: impl Iterator<Item = (u32, (u32, u32))>,
        distances: &Distances,
    ) -> LaneArrivals {
        let (index, from): (Vec<u32>, Vec<_>) = arrivals.unzip();
        LaneArrivals {
            counts: Sums::<ArrivalCounts>::new((lane, &from, distances), from.len()),
            index,
            from,
        }
    }

    /// The slots of the arrivals in a window.
    fn slots(&self, trace: &Trace, lane: usize, window: &Range<u64>) -> Range<usize> {
        let starts = trace.lane_at(lane).starts();
        let before = |index: &u32, at| starts.get(*index as usize).is_some_and(|start| start < at);
        let first = |at: u64| self.index.partition_point(|index| before(index, at));
        let from = first(window.start);
        from..first(window.end).max(from)
    }
}
