//! Runs that begin on another CPU than their task's previous run: the question `moves` (`ask::Question`).

use super::indexes::Indexes;
use crate::query::select::time_window::TimeWindow;
use schedindex::ArrivalCounts;
use schedmodel::topology::Distance;
use serde::Serialize;
use ts_rs::TS;

/// Their number by distance, and the runs themselves if there are few.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CpuMoves {
    /// Number by distance between the CPUs.
    pub counts: ArrivalCounts,
    /// Sorted by CPU as requested, then by time; `None` if there are too many.
    pub moves: Option<Vec<CpuMove>>,
}

/// A run that begins on another CPU than its task's previous run. Times are in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CpuMove {
    /// The CPU of the run.
    pub cpu: u32,
    /// When the run begins.
    #[ts(type = "Ns")]
    pub at: u64,
    /// The CPU of the previous run.
    pub from: u32,
    /// When the previous run ended.
    #[ts(type = "Ns")]
    pub left: u64,
    /// Distance between the CPUs; `None` if the topology does not have both.
    pub distance: Option<Distance>,
}

impl Indexes {
    /// The runs on `cpus` that begin in `window`, on another CPU than their task's previous run. If there are more than
    /// `most`, they are only counted.
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
                cpu: trace.cpu_at(arrival.run.lane),
                at: trace.lane_at(arrival.run.lane).start_of(arrival.run.index),
                from: trace.cpu_at(arrival.from.lane),
                left: trace.lane_at(arrival.from.lane).end_of(arrival.from.index),
                distance: arrival.distance,
            });
            answer.collect()
        });
        CpuMoves { counts, moves }
    }
}
