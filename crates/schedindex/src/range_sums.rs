//! Sums by task and by CPU, precomputed so that no window has to walk over its events.

use super::lane_sums::LaneSums;
use super::on_demand::OnDemand;
use super::run_waits::RunWaits;
use super::runs::Runs;
use super::woken::WakeSums;
use schedmodel::Trace;

/// Blocks of runs, or of wakeups, per step.
const STEP: usize = if cfg!(debug_assertions) { 1 } else { 1 << 8 };
/// Intervals of lanes per step, at least.
const INTERVALS: usize = if cfg!(debug_assertions) { 8 } else { 1 << 15 };

/// Sums for the tables of a window, each computed on first use.
#[derive(Debug, Default)]
pub struct RangeSums {
    waits: OnDemand<RunWaits, RunWaits>,
    woken: OnDemand<WakeSums, WakeSums>,
    lanes: OnDemand<Vec<LaneSums>, Vec<LaneSums>>,
}

impl RangeSums {
    /// How long tasks waited.
    pub fn waits(&self, trace: &Trace, runs: &Runs) -> &RunWaits {
        let step = |waits: &mut RunWaits| add_waits(waits, trace, runs, usize::MAX);
        self.waits.get_or_make(|| RunWaits::begin(trace), step)
    }

    /// Computes `waits` for about a millisecond; true once it is finished.
    pub fn prepare_waits(&self, trace: &Trace, runs: &Runs) -> bool {
        let step = |waits: &mut RunWaits| add_waits(waits, trace, runs, STEP);
        self.waits.step(|| RunWaits::begin(trace), step)
    }

    /// Wakeups and their latencies.
    pub fn woken(&self, trace: &Trace) -> &WakeSums {
        let step = |woken: &mut WakeSums| add_woken(woken, trace, usize::MAX);
        self.woken.get_or_make(WakeSums::default, step)
    }

    /// Computes `woken` likewise.
    pub fn prepare_woken(&self, trace: &Trace) -> bool {
        let step = |woken: &mut WakeSums| add_woken(woken, trace, STEP);
        self.woken.step(WakeSums::default, step)
    }

    /// What the CPUs did, by lane.
    pub fn lanes(&self, trace: &Trace) -> &[LaneSums] {
        let step = |lanes: &mut Vec<LaneSums>| add_lanes(lanes, trace, usize::MAX);
        self.lanes.get_or_make(Vec::new, step)
    }

    /// Computes `lanes` likewise.
    pub fn prepare_lanes(&self, trace: &Trace) -> bool {
        let step = |lanes: &mut Vec<LaneSums>| add_lanes(lanes, trace, INTERVALS);
        self.lanes.step(Vec::new, step)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let lanes = self.lanes.made().into_iter().flatten().map(LaneSums::memory_bytes);
        self.waits.made().map_or(0, RunWaits::memory_bytes)
            + self.woken.made().map_or(0, WakeSums::memory_bytes)
            + lanes.sum::<usize>()
    }
}

fn add_waits(waits: &mut RunWaits, trace: &Trace, runs: &Runs, blocks: usize) -> Option<RunWaits> {
    (!waits.step(trace, runs, blocks)).then(|| std::mem::take(waits))
}

fn add_woken(woken: &mut WakeSums, trace: &Trace, blocks: usize) -> Option<WakeSums> {
    (!woken.step(trace, blocks)).then(|| std::mem::take(woken))
}

/// Adds lanes with so many intervals, or one.
fn add_lanes(lanes: &mut Vec<LaneSums>, trace: &Trace, intervals: usize) -> Option<Vec<LaneSums>> {
    let mut left = intervals;
    for lane in trace.lanes.iter().skip(lanes.len()) {
        lanes.push(LaneSums::new(lane));
        left = left.saturating_sub(lane.len());
        if left == 0 {
            break;
        }
    }
    (lanes.len() == trace.lanes.len()).then(|| std::mem::take(lanes))
}
