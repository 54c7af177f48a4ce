//! Instants by group, in order within each group, sorted in steps.

use super::grouped::Offsets;
use super::sort::{release, Keyed, SteppedSort};
use std::ops::Range;

/// Things, or instants, per step.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 15 };

/// What is sorted: that something begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant {
    /// When.
    pub at: u64,
    /// What.
    pub number: u32,
    /// What else belongs to it, so that nobody has to look it up.
    pub more: u32,
}

impl Keyed for Instant {
    fn key(&self) -> u64 {
        self.at
    }
}

/// What is grouped: numbered things, some of which are instants.
pub trait Things {
    /// How many there are.
    fn count(&self) -> usize;

    /// Gives the groups and the instants of some things, in order. Instants with the same time ascend by number.
    fn each(&self, range: Range<usize>, take: impl FnMut(u32, Instant));
}

/// Puts instants in order of group, then of time, then of number.
#[derive(Debug)]
pub struct GroupSort {
    offsets: Offsets,
    /// By group, where its next instant goes.
    next: Vec<u32>,
    instants: Vec<Instant>,
    numbers: Vec<u32>,
    /// A group that takes more than one step.
    long: Option<SteppedSort<Instant>>,
    stage: Stage,
    /// Things, instants or groups that were handled in this stage.
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Count,
    Room,
    Place,
    Sort,
    Number,
    Done,
}

impl GroupSort {
    /// Of things whose groups are less than `groups`.
    pub fn new(groups: usize) -> GroupSort {
        GroupSort {
            offsets: Offsets::new(groups),
            next: Vec::new(),
            instants: Vec::new(),
            numbers: Vec::new(),
            long: None,
            stage: Stage::Count,
            at: 0,
        }
    }

    /// Continues; false once sorted.
    pub fn step(&mut self, things: &impl Things) -> bool {
        let end = self.at.saturating_add(STEP);
        let (end, all) = match self.stage {
            Stage::Count => {
                let range = self.at..end.min(things.count());
                things.each(range, |group, _| self.offsets.count(group));
                (end, things.count())
            }
            Stage::Room => {
                // Bit by bit: memory that is touched for the first time takes long.
                let all = self.offsets.items();
                self.instants.reserve_exact(all - self.instants.len());
                self.instants.resize(end.min(all), Instant::default());
                (end, all)
            }
            Stage::Place => {
                self.place(things, self.at..end.min(things.count()));
                (end, things.count())
            }
            Stage::Sort => (self.sort(), self.offsets.groups()),
            Stage::Number => {
                self.numbers.reserve_exact(self.instants.len() - self.numbers.len());
                let part = self.instants.get(self.at..end.min(self.instants.len()));
                let part = part.unwrap_or_default().iter();
                self.numbers.extend(part.map(|instant| instant.number));
                (end, self.instants.len())
            }
            Stage::Done => return false,
        };
        self.at = end;
        if all <= end {
            self.at = 0;
            self.next_stage();
        }
        true
    }

    fn next_stage(&mut self) {
        self.stage = match self.stage {
            Stage::Count => {
                self.offsets.accumulate();
                self.next = self.offsets.starts();
                Stage::Room
            }
            Stage::Room => Stage::Place,
            Stage::Place => {
                self.next = Vec::new();
                Stage::Sort
            }
            Stage::Sort => Stage::Number,
            Stage::Number | Stage::Done => Stage::Done,
        };
    }

    fn place(&mut self, things: &impl Things, range: Range<usize>) {
        let GroupSort { next, instants, .. } = self;
        things.each(range, |group, instant| {
            // What was counted has a group and a slot.
            if let Some(slot) = next.get_mut(group as usize) {
                if let Some(place) = instants.get_mut(*slot as usize) {
                    *place = instant;
                }
                *slot += 1;
            }
        });
    }

    /// Sorts some groups, or continues with a long one; returns up to which all are.
    fn sort(&mut self) -> usize {
        let (mut group, mut left) = (self.at, STEP);
        while group < self.offsets.groups() && 0 < left {
            let of_group = self.offsets.part_mut(group, &mut self.instants);
            let len = of_group.len();
            if len <= STEP {
                // Often made of one ascending sequence for each lane, which this sort merges.
                of_group.sort();
            } else if let Some(long) = &mut self.long {
                if long.step() {
                    return group;
                }
                of_group.copy_from_slice(long.items());
                self.long = None;
            } else {
                self.long = Some(SteppedSort::new(of_group.to_vec()));
                return group;
            }
            group += 1;
            left = left.saturating_sub(len.max(1));
        }
        group
    }

    /// Which of the instants, once sorted, are of which group.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// All instants, once sorted.
    pub fn instants(&self) -> &[Instant] {
        &self.instants
    }

    /// Gives memory back; false once there is none.
    pub fn release(&mut self) -> bool {
        release(&mut self.instants)
    }

    /// The numbers of all instants, once sorted, and which of them are of which group.
    pub fn into_numbers(self) -> (Vec<u32>, Offsets) {
        (self.numbers, self.offsets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Listed(Vec<(Option<u32>, u64)>);

    impl Things for Listed {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, Instant)) {
            for number in range {
                let (group, at) = self.0[number];
                let instant = Instant {
                    at,
                    number: number as u32,
                    more: 7,
                };
                group.into_iter().for_each(|group| take(group, instant));
            }
        }
    }

    proptest! {
        #[test]
        fn groups_are_in_order(
            things in prop::collection::vec((prop::option::weighted(0.8, prop_oneof![3 => Just(2_u32), 1 => 0_u32..6]), 0_u64..50), 0..120)
        ) {
            let listed = Listed(things.clone());
            let mut sort = GroupSort::new(6);
            while sort.step(&listed) {}
            let mut expected: Vec<_> = (0_u32..)
                .zip(&things)
                .filter_map(|(number, &(group, at))| Some((group?, at, number)))
                .collect();
            expected.sort_unstable();
            let times: Vec<u64> = sort.instants().iter().map(|instant| instant.at).collect();
            prop_assert_eq!(times, expected.iter().map(|&(_, at, _)| at).collect::<Vec<_>>());
            while sort.release() {}
            let (numbers, offsets) = sort.into_numbers();
            for group in 0..6 {
                let expected: Vec<u32> =
                    expected.iter().filter(|item| item.0 == group).map(|&(_, _, number)| number).collect();
                prop_assert_eq!(offsets.part(group as usize, &numbers), &expected[..]);
            }
            prop_assert_eq!(numbers.len(), expected.len());
        }
    }
}
