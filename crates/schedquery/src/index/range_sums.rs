//! What any window adds up to, by task and by CPU: sums made beforehand, so that no window needs a walk over its events.

use super::lane_sums::LaneSums;
use super::run_waits::RunWaits;
use super::runs::Runs;
use super::woken::WakeSums;
use schedmodel::Trace;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Blocks of runs in a step of preparing.
const STEP: usize = if cfg!(debug_assertions) { 1 } else { 1 << 10 };

/// Sums over everything that tables of a window show, each made when something first asks for it.
#[derive(Debug, Default)]
pub struct RangeSums {
    waits: OnceLock<RunWaits>,
    /// `waits`, as far as they are prepared.
    preparing: Mutex<Option<RunWaits>>,
    woken: OnceLock<WakeSums>,
    lanes: OnceLock<Vec<LaneSums>>,
}

impl RangeSums {
    /// How long the tasks waited.
    pub fn waits(&self, trace: &Trace, runs: &Runs) -> &RunWaits {
        self.waits.get_or_init(|| RunWaits::new(trace, runs))
    }

    /// Works on `waits` for a millisecond or so; true once they are there.
    pub(crate) fn prepare_waits(&self, trace: &Trace, runs: &Runs) -> bool {
        if self.waits.get().is_some() {
            return true;
        }
        // What a panic left of it is no less true.
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

    /// By lane: what the CPUs did.
    pub fn lanes(&self, trace: &Trace) -> &[LaneSums] {
        self.lanes
            .get_or_init(|| trace.lanes.iter().map(LaneSums::new).collect())
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let lanes = self.lanes.get().into_iter().flatten().map(LaneSums::memory_bytes);
        self.waits.get().map_or(0, RunWaits::memory_bytes)
            + self.woken.get().map_or(0, WakeSums::memory_bytes)
            + lanes.sum::<usize>()
    }
}
