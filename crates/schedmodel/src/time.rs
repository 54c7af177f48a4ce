//! Instants of a trace.

use std::ops::Sub;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An instant: ns since the trace's first record of any kind (ticks for clocks without a scale).
///
/// Everything between the file and the output counts from there. Code that prints absolute times adds
/// [`Trace::origin_ns`](crate::Trace::origin_ns); the type distinguishes instants, which need that, from durations, which
/// do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(rename = "Ns", type = "number")]
pub struct Time(pub u64);

/// How long it is from one instant to another.
impl Sub for Time {
    type Output = u64;

    fn sub(self, earlier: Time) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Time {
    /// The instant as the trace's clock had it.
    pub fn absolute(self, origin_ns: u64) -> u64 {
        origin_ns.saturating_add(self.0)
    }
}
