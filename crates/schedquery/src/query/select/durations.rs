//! Measured durations by group, from which percentiles are computed.

use schedindex::{release, Offsets, Pieces, SteppedSort};

/// One duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Duration {
    pub(crate) ns: u64,
    pub(crate) group: u32,
}

/// Durations of one kind. They are collected, sorted by length for the distribution of all, and then sorted by group.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    added: Pieces<Duration>,
    /// All of them, once they are being sorted.
    items: Vec<Duration>,
    /// The sum of all; saturates.
    pub(crate) sum: u64,
    /// Of each group: the same, which is kept since a group can be nearly all of millions.
    sums: Vec<u64>,
    /// Of each group, once sorted by group.
    offsets: Offsets,
    sorting: Option<SteppedSort<Duration>>,
}

impl Durations {
    pub(crate) fn new(groups: usize) -> Durations {
        Durations {
            sums: vec![0; groups],
            offsets: Offsets::new(groups),
            ..Durations::default()
        }
    }

    pub(crate) fn add(&mut self, group: u32, ns: u64) {
        self.offsets.count(group);
        self.push(group, ns);
    }

    /// The same, for a group that may be larger than all so far.
    pub(crate) fn add_to_new(&mut self, group: u32, ns: u64) {
        self.offsets.count_new(group);
        self.sums.resize(self.sums.len().max(group as usize + 1), 0);
        self.push(group, ns);
    }

    fn push(&mut self, group: u32, ns: u64) {
        self.added.push(Duration { ns, group });
        self.sum = self.sum.saturating_add(ns);
        if let Some(sum) = self.sums.get_mut(group as usize) {
            *sum = sum.saturating_add(ns);
        }
    }

    /// Continues sorting by length; false once finished.
    pub(crate) fn sort(&mut self) -> bool {
        self.sort_by(|duration| duration.ns)
    }

    /// Continues sorting by group, after [`Durations::sort`]; false once finished.
    pub(crate) fn group(&mut self) -> bool {
        if self.sort_by(|duration| u64::from(duration.group)) {
            return true;
        }
        self.offsets.accumulate();
        false
    }

    fn sort_by(&mut self, key: fn(&Duration) -> u64) -> bool {
        let (items, added) = (&mut self.items, &mut self.added);
        let sorting = self.sorting.get_or_insert_with(|| {
            if items.is_empty() {
                SteppedSort::of_pieces(std::mem::take(added), key)
            } else {
                SteppedSort::new(std::mem::take(items), key)
            }
        });
        if sorting.step() {
            return true;
        }
        self.items = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
        false
    }

    /// Forgets some of them, after all else; false once nothing is left.
    pub(crate) fn release(&mut self) -> bool {
        release(&mut self.items)
    }

    /// All durations.
    pub(crate) fn all(&self) -> &[Duration] {
        &self.items
    }

    /// The sum of a group; saturates.
    pub(crate) fn sum_of(&self, group: usize) -> u64 {
        self.sums.get(group).copied().unwrap_or(0)
    }

    /// The durations of a group, ascending.
    pub(crate) fn of_group(&self, group: usize) -> &[Duration] {
        self.items.get(self.offsets.slots(group)).unwrap_or_default()
    }
}
