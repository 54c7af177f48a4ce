//! Cells in which durations against time are told apart.

use std::ops::Range;

/// The column of an instant, of so many over a window.
pub(crate) fn column(at: u64, window: &Range<u64>, columns: u32) -> u32 {
    let length = (window.end - window.start).max(1);
    let from = u128::from(at.saturating_sub(window.start));
    (from * u128::from(columns) / u128::from(length)) as u32
}

/// Twice the binary logarithm.
pub(crate) fn half_octave(ns: u64) -> u32 {
    let Some(octave) = ns.checked_ilog2() else { return 0 };
    let square = u128::from(ns) * u128::from(ns);
    1 + 2 * octave + u32::from(2 <= square >> (2 * octave))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_octaves_ascend() {
        let of = [0, 1, 2, 3, 4, 5, 6, 8, 11, 12, 16].map(half_octave);
        assert_eq!(of, [0, 1, 3, 4, 5, 5, 6, 7, 7, 8, 9]);
        assert!(half_octave(u64::MAX) < 130);
    }
}
