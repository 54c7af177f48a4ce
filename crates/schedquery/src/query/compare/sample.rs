//! Durations of one kind, summed up so that two such samples can be compared.

use crate::query::select::durations::Duration;
use crate::query::select::spread::rank;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Durations in ns. Percentiles are nearest-rank: values that were measured; null if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Sample {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// Half are at most this.
    pub p50: Option<u64>,
    /// Begin of the 95 % confidence interval of the median, of which it is an order statistic; null for fewer than six.
    pub p50_low: Option<u64>,
    /// Its end.
    pub p50_high: Option<u64>,
    /// 99 % are at most this.
    pub p99: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// (bucket, count), ascending: durations told apart to 3 %. For ranks.
    pub buckets: Vec<(u32, u64)>,
}

/// The binary logarithm of how many buckets an octave has.
const SUB: u32 = 5;

/// The bucket of a duration: ascending, exact below 32, and 32 for each octave from there on.
pub(super) fn bucket(ns: u64) -> u32 {
    match ns.checked_ilog2() {
        Some(octave) if SUB <= octave => {
            let shift = octave - SUB;
            // Less than twice 32.
            (shift << SUB) + (ns >> shift) as u32
        }
        _ => ns as u32,
    }
}

impl Sample {
    /// Of ascending durations.
    pub(super) fn of(ascending: &[Duration]) -> Sample {
        let count = ascending.len();
        let nth = |rank: usize| ascending.get(rank.checked_sub(1)?).map(|one| one.ns);
        let percentile = |permille| nth(rank(count, permille));
        let (low, high) = median_ranks(count).unzip();
        Sample {
            count: count as u64,
            sum: ascending.iter().fold(0, |sum: u64, one| sum.saturating_add(one.ns)),
            p50: percentile(500),
            p50_low: low.and_then(nth),
            p50_high: high.and_then(nth),
            p99: percentile(990),
            max: nth(count),
            buckets: ascending
                .chunk_by(|a, b| bucket(a.ns) == bucket(b.ns))
                .filter_map(|chunk| Some((bucket(chunk.first()?.ns), chunk.len() as u64)))
                .collect(),
        }
    }
}

/// The ranks, from 1, between which the median lies with 95 %: of how many of so many values are below it, which is binomial and
/// taken for normal.
fn median_ranks(count: usize) -> Option<(usize, usize)> {
    if count < 6 {
        return None;
    }
    let (half, spread) = (count as f64 / 2.0, 0.98 * (count as f64).sqrt());
    let low = (half - spread).floor().max(1.0) as usize;
    let high = ((half + spread).ceil() as usize + 1).min(count);
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn buckets_ascend_without_a_gap() {
        let buckets: Vec<u32> = (0..4096).map(bucket).collect();
        assert!(buckets.windows(2).all(|two| two[0] == two[1] || two[0] + 1 == two[1]));
        assert_eq!(
            (bucket(31), bucket(32), bucket(63), bucket(64), bucket(65), bucket(66)),
            (31, 32, 63, 64, 64, 65)
        );
        assert!(bucket(u64::MAX) < 64 * 32);
    }

    proptest! {
        #[test]
        fn a_bucket_is_narrow(a in any::<u64>(), b in any::<u64>()) {
            prop_assert_eq!(a < b && bucket(b) < bucket(a), false);
            if bucket(a) == bucket(b) {
                prop_assert!(a.abs_diff(b) <= a.max(b) / 32);
            }
        }
    }

    #[test]
    fn the_median_lies_between_its_ranks() {
        // The exact binomial interval of 100 values with at least 95 % is from the 40th to the 61st.
        assert_eq!(median_ranks(100), Some((40, 61)));
        assert_eq!(median_ranks(5), None);
        assert_eq!(median_ranks(6), Some((1, 6)));
    }
}
