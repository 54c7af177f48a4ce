//! How many durations are [uncertain](schedindex::latency_in_doubt), and left out of percentiles and sums.

use serde::Serialize;
use ts_rs::TS;

/// Uncertain durations, which percentiles and sums of durations leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct UncertainDurations {
    /// How many.
    pub count: u64,
    /// Their sum, in ns.
    pub ns: u64,
}

impl UncertainDurations {
    /// Adds a duration of `ns`.
    pub(crate) fn add(&mut self, ns: u64) {
        self.count += 1;
        self.ns = self.ns.saturating_add(ns);
    }
}
