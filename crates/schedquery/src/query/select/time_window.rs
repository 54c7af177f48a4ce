//! Windows of time, as clients give them.

use serde::{Deserialize, Deserializer, Serialize};
use std::ops::Range;
use ts_rs::TS;

/// `[start, end)`, in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(type = "TimeWindow")]
pub struct TimeWindow {
    /// First ns.
    #[serde(deserialize_with = "whole")]
    pub start: u64,
    /// First ns after it.
    #[serde(deserialize_with = "whole")]
    pub end: u64,
}

impl From<TimeWindow> for Range<u64> {
    fn from(window: TimeWindow) -> Range<u64> {
        window.start..window.end.max(window.start)
    }
}

/// The whole trace, including events at its very last ns.
pub(crate) const ALL_TIME: Range<u64> = 0..u64::MAX;

/// A JavaScript number as a whole one that is not negative.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    f64::deserialize(deserializer).map(|number| number as u64)
}
