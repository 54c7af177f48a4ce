//! Runs that begin on another CPU than their task's run before, as `moves` of `web/engine/protocolTopology.ts`.

use super::answer::TimeWindow;
use super::view::View;
use crate::index::ArrivalCounts;
use schedmodel::topology::Distance;
use serde::Serialize;

/// How many there are by distance, and which, when they are few.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CpuMoves {
    /// By how far the task came.
    pub counts: ArrivalCounts,
    /// By CPU in the order asked for, then by time; `None` when there are too many.
    pub moves: Option<Vec<CpuMove>>,
}

/// A run that begins on another CPU than its task's run before. Times in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CpuMove {
    /// Where it begins.
    pub cpu: u32,
    /// When.
    pub at: u64,
    /// Where the task ran before.
    pub from: u32,
    /// Until when.
    pub left: u64,
    /// How far apart the CPUs are; `None` where the topology does not say.
    pub distance: Option<Distance>,
}

impl View {
    /// The runs of `cpus` that begin in `window` on another CPU than their task's run before; only counted when there are
    /// more than `most`.
    pub fn moves(&self, window: TimeWindow, cpus: &[u32], most: usize) -> CpuMoves {
        let trace = self.trace();
        let window: std::ops::Range<u64> = window.into();
        let arrivals = self.arrivals();
        let lanes = || cpus.iter().filter_map(|&cpu| trace.lane_index(cpu));
        let counts = lanes()
            .map(|lane| arrivals.count(trace, lane, &window))
            .fold(ArrivalCounts::default(), ArrivalCounts::and);
        let few = counts.total() as usize <= most;
        let moves = few.then(|| {
            let all = lanes().flat_map(|lane| arrivals.of_lane(trace, lane, &window));
            let answer = all.map(|arrival| CpuMove {
                cpu: trace.cpus[arrival.run.lane],
                at: trace.lanes[arrival.run.lane].starts()[arrival.run.index],
                from: trace.cpus[arrival.from.lane],
                left: trace.lanes[arrival.from.lane].end_of(arrival.from.index),
                distance: arrival.distance,
            });
            answer.collect()
        });
        CpuMoves { counts, moves }
    }
}
