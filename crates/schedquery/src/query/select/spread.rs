//! Percentiles and histograms of durations.

use super::durations::Duration;
use serde::Serialize;
use ts_rs::TS;

/// Distribution of some durations. Percentiles are nearest-rank: the smallest value that at least that share of the
/// values does not exceed, so each is a value that was measured. Null if there is no value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
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
    /// The sum of all.
    pub sum: u64,
    /// (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from` (for 0:
    /// zeros).
    pub histogram: Vec<(u64, u64)>,
}

/// Some durations: their number and distribution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Measured {
    /// How many there are.
    pub count: usize,
    /// Their distribution, in ns.
    pub ns: Spread,
}

impl Measured {
    /// From values in several parts, each ascending and with its sum.
    pub(crate) fn of(parts: &[(&[Duration], u64)]) -> Measured {
        let parts = Parts(parts);
        let count: usize = parts.0.iter().map(|(part, _)| part.len()).sum();
        let rank = |permille| parts.nth(rank(count, permille));
        Measured {
            count,
            ns: Spread {
                p50: rank(500),
                p90: rank(900),
                p99: rank(990),
                p999: rank(999),
                max: rank(1000),
                // Saturates, because damaged times can exceed any sum.
                sum: parts.0.iter().fold(0, |sum, (_, part)| sum.saturating_add(*part)),
                histogram: parts.histogram(),
            },
        }
    }

    /// Adds its numbers to a list: how many, percentiles (p50, p90, p99, p999) and maximum (NaN if there is none), sum, then the number of
    /// buckets and (from, count) of each.
    pub fn put_numbers(&self, values: &mut Vec<f64>) {
        let Spread {
            p50,
            p90,
            p99,
            p999,
            max,
            sum,
            histogram,
        } = &self.ns;
        values.push(self.count as f64);
        values.extend([p50, p90, p99, p999, max].map(|ns| ns.map_or(f64::NAN, |ns| ns as f64)));
        values.extend([*sum as f64, histogram.len() as f64]);
        values.extend(histogram.iter().flat_map(|&(from, count)| [from as f64, count as f64]));
    }

    /// Their mean in ns.
    pub fn mean(&self) -> Option<f64> {
        (0 < self.count).then(|| self.ns.sum as f64 / self.count as f64)
    }
}

/// Parts of ascending values, each with its sum.
struct Parts<'a>(&'a [(&'a [Duration], u64)]);

impl Parts<'_> {
    fn up_to(&self, value: u64) -> usize {
        let parts = self.0.iter();
        parts
            .map(|(part, _)| part.partition_point(|duration| duration.ns <= value))
            .sum()
    }

    /// The smallest value that at least `rank` values do not exceed; `None` for 0.
    fn nth(&self, rank: usize) -> Option<u64> {
        if let [(part, _)] = self.0 {
            return Some(part.get(rank.checked_sub(1)?)?.ns);
        }
        let (first, last) = self.ends().filter(|_| 0 < rank)?;
        // Bisects the values there may be: quicker than merging the parts.
        let (mut low, mut high) = (first, last);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(middle) < rank {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// The minimum and the maximum.
    fn ends(&self) -> Option<(u64, u64)> {
        let firsts = self.0.iter().filter_map(|(part, _)| part.first());
        let lasts = self.0.iter().filter_map(|(part, _)| part.last());
        Some((
            firsts.map(|duration| duration.ns).min()?,
            lasts.map(|duration| duration.ns).max()?,
        ))
    }

    fn histogram(&self) -> Vec<(u64, u64)> {
        let Some((first, last)) = self.ends() else {
            return Vec::new();
        };
        let floor = |ns: u64| ns.checked_ilog2().map_or(0, |log| 1_u64 << log);
        let mut buckets = Vec::new();
        let (mut from, mut below) = (floor(first), 0);
        loop {
            let to = if from == 0 { 1 } else { from.saturating_mul(2) };
            let (up_to, is_last) = if last < to || to == u64::MAX {
                (self.up_to(u64::MAX), true)
            } else {
                (self.up_to(to - 1), false)
            };
            if below < up_to {
                buckets.push((from, (up_to - below) as u64));
            }
            if is_last {
                return buckets;
            }
            (from, below) = (to, up_to);
        }
    }
}

/// The smallest value that at least `permille` thousandths of all values do not exceed.
pub(crate) fn nearest_rank(ascending: &[u64], permille: u64) -> Option<u64> {
    ascending.get(rank(ascending.len(), permille).checked_sub(1)?).copied()
}

/// The nearest rank among `count` values, from 1; 0 of none. 32 bits, as wasm has, do not hold the product.
pub(crate) fn rank(count: usize, permille: u64) -> usize {
    (count as u64 * permille).div_ceil(1000) as usize
}

#[cfg(test)]
mod tests {
    use super::{nearest_rank, Duration, Measured};

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
        let durations = [0, 0, 1, 2, 3, 4, 1023, 1024, u64::MAX].map(|ns| Duration { ns, group: 0 });
        let (odd, even): (Vec<Duration>, Vec<Duration>) = durations.iter().partition(|duration| duration.ns % 2 == 1);
        let found = Measured::of(&[(&odd, 7), (&even, u64::MAX)]);
        assert_eq!(found, Measured::of(&[(&durations, u64::MAX)]));
        assert_eq!(
            found.ns.histogram,
            [(0, 2), (1, 1), (2, 2), (4, 1), (512, 1), (1024, 1), (1 << 63, 1)]
        );
        assert_eq!((found.count, found.ns.sum), (9, u64::MAX));
    }
}
