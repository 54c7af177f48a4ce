//! Measured durations by group, from which percentiles are computed.

use crate::index::{Offsets, SteppedSort};

/// One duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) ns: u64,
    pub(crate) group: u32,
}

/// Durations of one kind. They are collected, sorted by length for the distribution of all, and then sorted by group.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    items: Vec<Sample>,
    /// The sum of all; saturates.
    pub(crate) sum: u64,
    /// Of each group, once sorted by group.
    offsets: Offsets,
    sorting: Option<SteppedSort<Sample>>,
}

impl Samples {
    pub(crate) fn new(groups: usize) -> Samples {
        Samples {
            offsets: Offsets::new(groups),
            ..Samples::default()
        }
    }

    pub(crate) fn add(&mut self, group: u32, ns: u64) {
        self.items.push(Sample { ns, group });
        self.sum = self.sum.saturating_add(ns);
        self.offsets.count(group);
    }

    /// Continues sorting by length; false once finished.
    pub(crate) fn sort(&mut self) -> bool {
        self.sort_by(|sample| sample.ns)
    }

    /// Continues sorting by group, after [`Samples::sort`]; false once finished.
    pub(crate) fn group(&mut self) -> bool {
        if self.sort_by(|sample| u64::from(sample.group)) {
            return true;
        }
        self.offsets.accumulate();
        false
    }

    fn sort_by(&mut self, key: fn(&Sample) -> u64) -> bool {
        let items = &mut self.items;
        let sorting = self
            .sorting
            .get_or_insert_with(|| SteppedSort::new(std::mem::take(items), key));
        if sorting.step() {
            return true;
        }
        self.items = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
        false
    }

    /// All durations.
    pub(crate) fn all(&self) -> &[Sample] {
        &self.items
    }

    /// The durations of a group, ascending.
    pub(crate) fn of_group(&self, group: usize) -> &[Sample] {
        self.items.get(self.offsets.slots(group)).unwrap_or_default()
    }
}
