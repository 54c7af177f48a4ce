//! Whether one sample tends to be longer than another: the test of Mann and Whitney (Wilcoxon's rank sum test).
//!
//! U counts the pairs of one duration of each sample in which the other's is longer, ties as half. Divided by the number of pairs it
//! is the probability that the other's is longer. Without a difference, U is nearly normal about half of all pairs, with a variance that
//! ties lessen. Durations within 3 % of each other (one bucket) count as tied, on purpose: a run differs by more than that from
//! itself.

use super::sample::Sample;
use serde::Serialize;
use ts_rs::TS;

/// How two samples differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct Shift {
    /// The probability that a duration of the other is longer than one of the first, ties as half: 0.5 if they do not differ.
    pub other_longer: f64,
    /// How probable a difference at least as large would be by chance, if durations were independent (two-sided). They are not:
    /// it is a lower bound.
    pub p: f64,
}

/// The fewest of each for which U is taken for normal.
const FEWEST: u64 = 8;

/// Null if one of them has too few.
pub(super) fn shift(first: &Sample, other: &Sample) -> Option<Shift> {
    if first.count < FEWEST || other.count < FEWEST {
        return None;
    }
    let (of_first, of_other) = (first.count as f64, other.count as f64);
    let all = of_first + of_other;
    let mut left = first.buckets.iter().peekable();
    let mut right = other.buckets.iter().peekable();
    // Of the first, in lower buckets.
    let (mut below, mut u, mut ties) = (0.0, 0.0, 0.0);
    while let Some(bucket) = [left.peek(), right.peek()].into_iter().flatten().map(|one| one.0).min() {
        let a = left.next_if(|one| one.0 == bucket).map_or(0.0, |one| one.1 as f64);
        let b = right.next_if(|one| one.0 == bucket).map_or(0.0, |one| one.1 as f64);
        u += b * (below + a / 2.0);
        below += a;
        let tied = a + b;
        ties += tied * tied * tied - tied;
    }
    let pairs = of_first * of_other;
    let variance = pairs / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let z = if 0.0 < variance {
        (u - pairs / 2.0) / variance.sqrt()
    } else {
        0.0
    };
    Some(Shift {
        other_longer: u / pairs,
        p: two_sided(z),
    })
}

/// The probability that a normal variable is as far from 0 as `z`: by Abramowitz and Stegun, 7.1.26, to 1.5e-7.
fn two_sided(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    (poly * (-x * x).exp()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::select::durations::Duration;
    use proptest::prelude::*;

    fn sample(values: &[u64]) -> Sample {
        let mut values = values.to_vec();
        values.sort_unstable();
        let durations: Vec<Duration> = values.into_iter().map(|ns| Duration { ns, group: 0 }).collect();
        Sample::of(&durations)
    }

    #[test]
    fn the_textbook_values() {
        // R: wilcox.test(1:10, 6:15, correct = FALSE, exact = FALSE) gives W = 12.5 and p = 0.004521.
        let found = shift(
            &sample(&(1..=10).collect::<Vec<_>>()),
            &sample(&(6..=15).collect::<Vec<_>>()),
        );
        let Shift { other_longer, p } = found.expect("enough of them");
        assert!((other_longer - 0.875).abs() < 1e-12, "{other_longer}");
        assert!((p - 0.004_521).abs() < 1e-4, "{p}");
        assert!((two_sided(1.959_964) - 0.05).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn it_counts_pairs(first in prop::collection::vec(0_u64..32, 8..40), other in prop::collection::vec(0_u64..32, 8..40)) {
            let pairs = first.iter().flat_map(|a| other.iter().map(move |b| match a.cmp(b) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            }));
            let expected: f64 = pairs.sum::<f64>() / (first.len() * other.len()) as f64;
            let found = shift(&sample(&first), &sample(&other)).expect("enough of them");
            prop_assert!((found.other_longer - expected).abs() < 1e-9);
            let back = shift(&sample(&other), &sample(&first)).expect("enough of them");
            prop_assert!((found.other_longer + back.other_longer - 1.0).abs() < 1e-9);
            prop_assert!((found.p - back.p).abs() < 1e-6);
        }
    }
}
