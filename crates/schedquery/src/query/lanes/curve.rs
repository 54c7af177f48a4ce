//! Running and runnable tasks by bucket, for the running and waiting pane.

use super::indexes::Indexes;
use schedindex::{fraction, MAX_LEVEL};
use serde::Deserialize;

/// The requested buckets, as in [`CellsQuery`](crate::query::CellsQuery).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct CurveQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// First bucket.
    pub first_bucket: u64,
    /// Number of buckets.
    pub buckets: u32,
}

impl CurveQuery {
    /// Start of the first bucket, and width of each.
    fn place(&self) -> (u64, u64) {
        let width = 1_u64 << self.level.min(MAX_LEVEL);
        (self.first_bucket.saturating_mul(width), width)
    }
}

/// Words per bucket.
const WORDS: usize = 6;
/// Words per bucket of [`Indexes::conservation_shares`].
const SHARES: usize = 2;

impl Indexes {
    /// Six words per bucket: minimum and maximum of running, of runnable, and of the number of known CPUs; all 0 past
    /// the trace's end.
    pub fn curve(&self, query: &CurveQuery) -> Vec<u32> {
        let (start, width) = query.place();
        let mut values = Vec::with_capacity(WORDS * query.buckets as usize);
        let mut from = start;
        self.shown_curve()
            .buckets(start, width, query.buckets as usize, |extremes| {
                let to = from.saturating_add(width);
                let known = self.known().extremes(from..to);
                values.extend(extremes.map_or([0; WORDS], |extremes| {
                    [
                        extremes.running_min,
                        extremes.running_max,
                        extremes.runnable_min,
                        extremes.runnable_max,
                        known.map_or(0, |known| known.running_min),
                        known.map_or(0, |known| known.running_max),
                    ]
                }));
                from = to;
            });
        values
    }

    /// Two words per bucket: the share of its time in which some task waits behind another while some CPU is spare, and
    /// the share in which some task waits for its own CPU to leave idle. In 65535ths, rounded up so that 1 ns is never
    /// 0; 0 past the trace's end.
    pub fn conservation_shares(&self, query: &CurveQuery) -> Vec<u32> {
        let (start, width) = query.place();
        let span = self.trace().span_ns;
        let mut values = Vec::with_capacity(SHARES * query.buckets as usize);
        let mut from = start;
        self.conservation()
            .buckets(start, width, query.buckets as usize, |sums| {
                let to = from.saturating_add(width);
                let known = to.min(span).saturating_sub(from);
                let share = |ns: u64| fraction::of_time(ns, 65535, known) as u32;
                values.extend([share(sums.behind), share(sums.leaving_idle)]);
                from = to;
            });
        values
    }

    /// The maximum of runnable in the trace.
    pub fn max_runnable(&self) -> u32 {
        self.shown_curve()
            .extremes(0..u64::MAX)
            .map_or(0, |extremes| extremes.runnable_max)
    }
}
