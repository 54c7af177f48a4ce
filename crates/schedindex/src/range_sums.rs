//! Sums by task, precomputed so that no window has to walk over its events.

use super::on_demand::OnDemand;
use super::run_waits::RunWaits;
use super::runs::Runs;
use super::woken::WakeSums;
use schedmodel::Trace;

/// Blocks of runs, or of wakeups, per step.
const STEP: usize = if cfg!(debug_assertions) { 1 } else { 1 << 8 };

/// Sums for the tables of a window, each computed on first use.
#[derive(Debug, Default)]
pub struct RangeSums {
    waits: OnDemand<RunWaits, RunWaits>,
    woken: OnDemand<WakeSums, WakeSums>,
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

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.waits.made().map_or(0, RunWaits::memory_bytes) + self.woken.made().map_or(0, WakeSums::memory_bytes)
    }
}

fn add_waits(waits: &mut RunWaits, trace: &Trace, runs: &Runs, blocks: usize) -> Option<RunWaits> {
    (!waits.step(trace, runs, blocks)).then(|| std::mem::take(waits))
}

fn add_woken(woken: &mut WakeSums, trace: &Trace, blocks: usize) -> Option<WakeSums> {
    (!woken.step(trace, blocks)).then(|| std::mem::take(woken))
}
