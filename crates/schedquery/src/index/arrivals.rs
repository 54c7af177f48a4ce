//! Arrivals: runs that begin on another CPU than their task's run before, with how far apart the two CPUs are.

use super::{RunId, Runs, Shown};
use schedmodel::topology::{CpuPlace, Distance, Topology};
use schedmodel::{TaskId, Trace};
use serde::Serialize;
use std::ops::Range;
use ts_rs::TS;

/// Arrivals by the distance between the two CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "MoveCounts")]
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

/// Arrivals per stored sum.
const BLOCK: usize = 64;
const NO_RUN: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
struct LaneArrivals {
    /// Indexes of the intervals in the lane, ascending.
    index: Vec<u32>,
    /// The task's previous run: lane and interval.
    from: Vec<(u32, u32)>,
    /// Sums of all arrivals before each block, and of all arrivals.
    before: Vec<ArrivalCounts>,
}

/// All arrivals of a trace.
#[derive(Clone, Debug)]
pub struct Arrivals {
    lanes: Vec<LaneArrivals>,
    distances: Distances,
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
#[derive(Clone, Debug)]
struct Distances(Vec<Option<CpuPlace>>);

impl Distances {
    fn new(cpus: &[u32], topology: Option<&Topology>) -> Distances {
        let place = |&cpu: &u32| topology?.place(cpu).copied();
        Distances(cpus.iter().map(place).collect())
    }

    fn between(&self, a: usize, b: usize) -> Option<Distance> {
        Some(self.0[a]?.distance(&self.0[b]?))
    }
}

impl ArrivalCounts {
    fn add(&mut self, distance: Option<Distance>) {
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
    /// The arrivals of the tasks that are shown.
    pub fn new(trace: &Trace, runs: &Runs, shown: &Shown, topology: Option<&Topology>) -> Arrivals {
        // By lane and interval; so no sorting is needed.
        let mut from: Vec<Vec<(u32, u32)>> = trace.lanes.iter().map(|lane| vec![(0, NO_RUN); lane.len()]).collect();
        let mut of_task = Vec::new();
        for task in (0..trace.tasks.len() as u32).map(TaskId) {
            let pairs = runs.pairs_of(task);
            of_task.clear();
            for &pair in pairs.iter().filter(|&&pair| shown.has(pair)) {
                of_task.extend(runs.of(pair));
            }
            if 1 < pairs.len() {
                of_task.sort_unstable_by_key(|run| (trace.lanes[run.lane].starts()[run.index], run.lane, run.index));
            }
            for two in of_task.windows(2) {
                if let [before, run] = two {
                    if before.lane != run.lane {
                        from[run.lane][run.index] = (before.lane as u32, before.index as u32);
                    }
                }
            }
        }
        let distances = Distances::new(&trace.cpus, topology);
        let lanes = from.into_iter().enumerate();
        let lanes = lanes.map(|(lane, from)| LaneArrivals::new(lane, &from, &distances));
        Arrivals {
            lanes: lanes.collect(),
            distances,
        }
    }

    /// Number of arrivals on a lane in a window.
    pub fn count(&self, trace: &Trace, lane: usize, window: &Range<u64>) -> ArrivalCounts {
        let slots = self.slots(trace, lane, window);
        let arrivals = &self.lanes[lane];
        let until = |slot: usize| {
            let mut counts = arrivals.before[slot / BLOCK];
            for &(from, _) in &arrivals.from[slot / BLOCK * BLOCK..slot] {
                counts.add(self.distances.between(from as usize, lane));
            }
            counts
        };
        until(slots.end).without(until(slots.start))
    }

    /// Arrivals on a lane in a window, in time order.
    pub fn of_lane<'a>(
        &'a self,
        trace: &Trace,
        lane: usize,
        window: &Range<u64>,
    ) -> impl Iterator<Item = Arrival> + 'a {
        let arrivals = &self.lanes[lane];
        self.slots(trace, lane, window).map(move |slot| {
            let (from, index) = arrivals.from[slot];
            Arrival {
                run: RunId {
                    lane,
                    index: arrivals.index[slot] as usize,
                },
                from: RunId {
                    lane: from as usize,
                    index: index as usize,
                },
                distance: self.distances.between(from as usize, lane),
            }
        })
    }

    fn slots(&self, trace: &Trace, lane: usize, window: &Range<u64>) -> Range<usize> {
        let (starts, index) = (trace.lanes[lane].starts(), &self.lanes[lane].index);
        let first = |at: u64| index.partition_point(|&index| starts[index as usize] < at);
        let from = first(window.start);
        from..first(window.end).max(from)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let of_lane = |lane: &LaneArrivals| {
            lane.index.capacity() * 4
                + lane.from.capacity() * size_of::<(u32, u32)>()
                + lane.before.capacity() * size_of::<ArrivalCounts>()
        };
        self.lanes.iter().map(of_lane).sum::<usize>() + self.distances.0.capacity() * size_of::<Option<CpuPlace>>()
    }
}

impl LaneArrivals {
    fn new(lane: usize, from: &[(u32, u32)], distances: &Distances) -> LaneArrivals {
        let mut arrivals = LaneArrivals::default();
        let mut counts = ArrivalCounts::default();
        let moved = from.iter().enumerate().filter(|(_, &(_, run))| run != NO_RUN);
        for (index, &from) in moved {
            if arrivals.index.len() % BLOCK == 0 {
                arrivals.before.push(counts);
            }
            counts.add(distances.between(from.0 as usize, lane));
            arrivals.index.push(index as u32);
            arrivals.from.push(from);
        }
        if arrivals.index.len() % BLOCK == 0 {
            arrivals.before.push(counts);
        }
        arrivals
    }
}
