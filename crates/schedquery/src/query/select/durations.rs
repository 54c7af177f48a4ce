//! Measured durations by group, from which percentiles are computed.

use schedindex::{release, Keyed, Offsets, Pieces, SteppedSort};

/// One duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Duration {
    pub(crate) ns: u64,
    pub(crate) group: u32,
}

impl Keyed for Duration {
    fn key(&self) -> u64 {
        self.ns
    }
}

/// Durations of one kind. They are collected, sorted by length for the distribution of all, and then put to their groups.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    added: Pieces<Duration>,
    /// All of them, once they are being sorted.
    items: Vec<Duration>,
    /// The sum of all; saturates.
    pub(crate) sum: u64,
    /// Of each group: the same, which is kept since a group can be nearly all of millions.
    sums: Vec<u64>,
    /// Of each group, once they are put to their groups.
    offsets: Offsets,
    sorting: Option<SteppedSort<Duration>>,
    placing: Option<Placing>,
}

/// Durations on their way from the order of all to that of groups.
#[derive(Debug, Default)]
struct Placing {
    /// By group, where its next one goes.
    next: Vec<u32>,
    placed: Vec<Duration>,
    /// How many are placed.
    done: usize,
}

/// Durations that are placed in a step.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 16 };

impl Placing {
    /// Makes room for some, or places some; false once all are placed.
    fn step(&mut self, items: &[Duration]) -> bool {
        let Placing { next, placed, done } = self;
        if placed.len() < items.len() {
            // Bit by bit: memory that is touched for the first time takes long.
            placed.reserve_exact(items.len() - placed.len());
            placed.resize(items.len().min(placed.len() + STEP), Duration::default());
            return true;
        }
        let end = items.len().min(*done + STEP);
        for &duration in items.get(*done..end).unwrap_or_default() {
            // What was counted has a group and a slot.
            if let Some(slot) = next.get_mut(duration.group as usize) {
                if let Some(place) = placed.get_mut(*slot as usize) {
                    *place = duration;
                }
                *slot += 1;
            }
        }
        let more = *done < end;
        *done = end;
        more
    }
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
        let added = &mut self.added;
        let sorting = self
            .sorting
            .get_or_insert_with(|| SteppedSort::of_pieces(std::mem::take(added)));
        if sorting.step() {
            return true;
        }
        self.items = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
        false
    }

    /// Continues putting each to its group, after [`Durations::sort`]; false once finished.
    pub(crate) fn group(&mut self) -> bool {
        let (items, offsets) = (&mut self.items, &mut self.offsets);
        let placing = self.placing.get_or_insert_with(|| {
            offsets.accumulate();
            Placing {
                next: offsets.starts(),
                ..Placing::default()
            }
        });
        if placing.step(items) || release(items) {
            return true;
        }
        self.items = std::mem::take(&mut placing.placed);
        self.placing = None;
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
