//! Running and runnable tasks by bucket: what the running/waiting pane draws.

use super::view::View;
use crate::index::MAX_LEVEL;
use serde::Deserialize;

/// Which buckets, as in [`CellsQuery`](super::CellsQuery).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CurveQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// First bucket.
    pub first_bucket: u64,
    /// How many.
    pub buckets: u32,
}

impl View {
    /// Four words for each bucket: least and most running, least and most runnable; 0 past the trace's end.
    pub fn curve(&self, query: &CurveQuery) -> Vec<u32> {
        let width = 1_u64 << query.level.min(MAX_LEVEL);
        let start = query.first_bucket.saturating_mul(width);
        let mut values = Vec::with_capacity(4 * query.buckets as usize);
        self.index()
            .curve
            .buckets(start, width, query.buckets as usize, |extremes| {
                values.extend(extremes.map_or([0; 4], |extremes| {
                    [
                        extremes.running_min,
                        extremes.running_max,
                        extremes.runnable_min,
                        extremes.runnable_max,
                    ]
                }));
            });
        values
    }

    /// The greatest runnable of the whole trace.
    pub fn max_runnable(&self) -> u32 {
        self.index()
            .curve
            .extremes(0..u64::MAX)
            .map_or(0, |extremes| extremes.runnable_max)
    }
}
