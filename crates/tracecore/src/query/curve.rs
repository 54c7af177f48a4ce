//! Running and runnable tasks by bucket: what the running/waiting pane draws.

use super::view::View;
use crate::index::MAX_LEVEL;
use serde::Deserialize;
use std::ops::Range;

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

/// Words of a bucket.
const WORDS: usize = 5;

impl View {
    /// Five words for each bucket: least and most running, least and most runnable, and for how much of the bucket some
    /// task waits while some CPU idles, of 65535, rounded up so that a violation of 1 ns is never 0; all 0 past the trace's
    /// end.
    pub fn curve(&self, query: &CurveQuery) -> Vec<u32> {
        let width = 1_u64 << query.level.min(MAX_LEVEL);
        let start = query.first_bucket.saturating_mul(width);
        let mut values = Vec::with_capacity(WORDS * query.buckets as usize);
        let mut from = start;
        self.shown_curve()
            .buckets(start, width, query.buckets as usize, |extremes| {
                let to = from.saturating_add(width);
                values.extend(extremes.map_or([0; WORDS], |extremes| {
                    [
                        extremes.running_min,
                        extremes.running_max,
                        extremes.runnable_min,
                        extremes.runnable_max,
                        self.violated(from..to),
                    ]
                }));
                from = to;
            });
        values
    }

    /// For how much of the known part of a window work conservation is violated, of 65535.
    fn violated(&self, window: Range<u64>) -> u32 {
        let known = window.end.min(self.trace().span_ns).saturating_sub(window.start);
        let violation = self.violations().integral(window).violation;
        let share = (u128::from(violation) * 65535).div_ceil(u128::from(known.max(1)));
        share as u32
    }

    /// The greatest runnable of the whole trace.
    pub fn max_runnable(&self) -> u32 {
        self.shown_curve()
            .extremes(0..u64::MAX)
            .map_or(0, |extremes| extremes.runnable_max)
    }
}
