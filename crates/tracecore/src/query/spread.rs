//! Percentiles and histograms of durations.

use serde::Serialize;

/// How some durations spread. Percentiles are nearest-rank: the smallest value that at least so many percent of all
/// values do not exceed; so each is a value that was measured. Null when there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// Half are at most this.
    pub p50: Option<u64>,
    /// 90 % are at most this.
    pub p90: Option<u64>,
    /// 99 % are at most this.
    pub p99: Option<u64>,
    /// 99.9 % are at most this.
    pub p999: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// Of all.
    pub sum: u64,
    /// (from, count) for each bucket that is not empty: values of at least `from` and less than twice it (of 0: zeros).
    pub histogram: Vec<(u64, u64)>,
}

/// Some durations: how many, and how they spread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// How many.
    pub count: usize,
    /// In ns.
    pub ns: Spread,
}

impl Measured {
    /// Of ascending values.
    pub(crate) fn of(ascending: &[u64]) -> Measured {
        Measured {
            count: ascending.len(),
            ns: Spread::of(ascending),
        }
    }

    /// Mean in ns.
    pub fn mean(&self) -> Option<f64> {
        (0 < self.count).then(|| self.ns.sum as f64 / self.count as f64)
    }
}

impl Spread {
    /// Of ascending values.
    pub(crate) fn of(ascending: &[u64]) -> Spread {
        let rank = |permille| nearest_rank(ascending, permille);
        Spread {
            p50: rank(500),
            p90: rank(900),
            p99: rank(990),
            p999: rank(999),
            max: rank(1000),
            // Saturates: times that damage makes are too large for any sum.
            sum: ascending.iter().fold(0, |sum, &ns| sum.saturating_add(ns)),
            histogram: histogram(ascending),
        }
    }
}

/// The smallest value that at least `permille` of all do not exceed.
pub(crate) fn nearest_rank(ascending: &[u64], permille: usize) -> Option<u64> {
    let rank = (ascending.len() * permille).div_ceil(1000);
    ascending.get(rank.checked_sub(1)?).copied()
}

fn histogram(ascending: &[u64]) -> Vec<(u64, u64)> {
    let floor = |ns: u64| ns.checked_ilog2().map_or(0, |log| 1 << log);
    let buckets = ascending.chunk_by(|&a, &b| floor(a) == floor(b));
    let bucket = |values: &[u64]| Some((floor(*values.first()?), values.len() as u64));
    buckets.filter_map(bucket).collect()
}

#[cfg(test)]
mod tests {
    use super::{nearest_rank, Measured};

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let values: Vec<u64> = (1..=10).map(|value| value * 10).collect();
        assert_eq!(
            [500, 900, 990, 999, 1000].map(|permille| nearest_rank(&values, permille)),
            [Some(50), Some(90), Some(100), Some(100), Some(100)]
        );
        assert_eq!(nearest_rank(&[7], 500), Some(7));
        assert_eq!(nearest_rank(&[], 500), None);
    }

    #[test]
    fn a_bucket_ends_where_the_next_power_of_two_begins() {
        let found = Measured::of(&[0, 0, 1, 2, 3, 4, 1023, 1024, u64::MAX]);
        assert_eq!(
            found.ns.histogram,
            [(0, 2), (1, 1), (2, 2), (4, 1), (512, 1), (1024, 1), (1 << 63, 1)]
        );
        assert_eq!((found.count, found.ns.sum), (9, u64::MAX));
    }
}
