//! Sums of a sweep over the runqueues of a window.

use crate::query::select::stretches::Stretches;
use schedindex::{ConservationSums, Standing};
use std::ops::Range;

/// Results of a sweep over a window.
#[derive(Debug)]
pub(crate) struct Totals {
    /// Stretches in which tasks wait behind another.
    pub(crate) stretches: Stretches,
    pub(crate) sums: ConservationSums,
}

impl Totals {
    pub(crate) fn new(min_duration: u64, top: usize) -> Totals {
        Totals {
            stretches: Stretches::new(min_duration, top),
            sums: ConservationSums::default(),
        }
    }

    pub(crate) fn add(&mut self, window: &Range<u64>, from: u64, to: u64, standing: Standing) {
        let (from, to) = (from.max(window.start), to.min(window.end));
        self.stretches.add(from, to, standing.kept_waiting(), standing.behind);
        self.sums.hold(to.saturating_sub(from), standing);
    }
}
