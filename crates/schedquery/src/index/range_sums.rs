//! Sums by task and by CPU, precomputed so that no window has to walk over its events.

use super::lane_sums::LaneSums;
use super::run_waits::RunWaits;
use super::runs::Runs;
use super::woken::WakeSums;
use schedmodel::Trace;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Blocks of runs per step.
const STEP: usize = if cfg!(debug_assertions) { 1 } else { 1 << 10 };

/// Sums for the tables of a window, each computed on first use.
#[derive(Debug, Default)]
pub struct RangeSums {
    waits: OnceLock<RunWaits>,
    /// `waits`, as far as it is computed.
    preparing: Mutex<Option<RunWaits>>,
    woken: OnceLock<WakeSums>,
    lanes: OnceLock<Vec<LaneSums>>,
}

impl RangeSums {
    /// How long tasks waited.
    pub fn waits(&self, trace: &Trace, runs: &Runs) -> &RunWaits {
        self.waits.get_or_init(|| RunWaits::new(trace, runs))
    }

    /// Computes `waits` for about a millisecond; true once it is finished.
    pub(crate) fn prepare_waits(&self, trace: &Trace, runs: &Runs) -> bool {
        if self.waits.get().is_some() {
            return true;
        }
        // A panic leaves a valid, if incomplete, value.
        let mut preparing = self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waits = preparing.take().unwrap_or_else(|| RunWaits::begin(trace));
        if waits.step(trace, runs, STEP) {
            *preparing = Some(waits);
            return false;
        }
        self.waits.get_or_init(|| waits);
        true
    }

    /// Wakeups and their latencies.
    pub fn woken(&self, trace: &Trace) -> &WakeSums {
        self.woken.get_or_init(|| WakeSums::new(trace))
    }

    /// What the CPUs did, by lane.
    pub fn lanes(&self, trace: &Trace) -> &[LaneSums] {
        self.lanes
            .get_or_init(|| trace.lanes.iter().map(LaneSums::new).collect())
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let lanes = self.lanes.get().into_iter().flatten().map(LaneSums::memory_bytes);
        self.waits.get().map_or(0, RunWaits::memory_bytes)
            + self.woken.get().map_or(0, WakeSums::memory_bytes)
            + lanes.sum::<usize>()
    }
}
