//! What any window adds up to, by task and by CPU: sums made beforehand, so that no window needs a walk over its events.

use super::lane_sums::LaneSums;
use super::moves::Moves;
use super::run_waits::RunWaits;
use super::runs::Runs;
use super::woken::WakeSums;
use crate::sched::Trace;

/// Sums over everything that tables of a window show.
#[derive(Clone, Debug, Default)]
pub struct RangeSums {
    /// How long the tasks waited.
    pub waits: RunWaits,
    /// Migrations.
    pub moves: Moves,
    /// Wakeups and their latencies.
    pub woken: WakeSums,
    /// By lane: what the CPUs did.
    pub lanes: Vec<LaneSums>,
}

impl RangeSums {
    /// Sums a trace up.
    pub fn new(trace: &Trace, runs: &Runs) -> RangeSums {
        RangeSums {
            waits: RunWaits::new(trace, runs),
            moves: Moves::new(trace),
            woken: WakeSums::new(trace),
            lanes: trace.lanes.iter().map(LaneSums::new).collect(),
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let lanes = self.lanes.iter().map(LaneSums::memory_bytes);
        self.waits.memory_bytes() + self.moves.memory_bytes() + self.woken.memory_bytes() + lanes.sum::<usize>()
    }
}
