//! A resumable LSD radix sort, and the lists that it sorts.

use schedrows::sort_by_keys;
use std::collections::VecDeque;

/// Bits of the key per pass.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;
/// Items per step.
const STEP: usize = 1 << 16;
/// Up to this many items are sorted in one step.
const FEW: usize = 1 << 12;

/// A list that grows without ever being copied as a whole: that takes long.
#[derive(Clone, Debug)]
pub struct Pieces<T> {
    pieces: VecDeque<Vec<T>>,
    len: usize,
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Pieces {
            pieces: VecDeque::new(),
            len: 0,
        }
    }
}

impl<T> Pieces<T> {
    /// Adds one behind all others.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.len += 1;
        match self.pieces.back_mut().filter(|piece| piece.len() < STEP) {
            Some(piece) => piece.push(item),
            None => {
                // The first one grows, since many lists are short.
                let mut piece = Vec::with_capacity(if self.pieces.is_empty() { 1 } else { STEP });
                piece.push(item);
                self.pieces.push_back(piece);
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.len
    }

    /// Item `index`.
    pub fn get(&self, index: usize) -> Option<&T> {
        // A piece begins where the one before is full.
        self.pieces.get(index / STEP)?.get(index % STEP)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.pieces.get_mut(index / STEP)?.get_mut(index % STEP)
    }

    /// All of it as one list.
    pub fn into_vec(self) -> Vec<T> {
        let mut items = Vec::with_capacity(self.len);
        self.pieces.into_iter().for_each(|piece| items.extend(piece));
        items
    }
}

/// Gives the memory of a list back, some of it at a time: of a long one that takes long. False once nothing is left.
pub fn release<T>(items: &mut Vec<T>) -> bool {
    items.truncate(items.len().saturating_sub(STEP));
    items.shrink_to_fit();
    !items.is_empty()
}

/// What is sorted by a number of its own. `BY` says by which, where there are several.
pub trait Keyed<const BY: usize = 0>: Copy {
    /// The number.
    fn key(&self) -> u64;
}

impl Keyed for u64 {
    fn key(&self) -> u64 {
        *self
    }
}

impl<T: Copy> Keyed for (u32, T) {
    fn key(&self) -> u64 {
        self.0.into()
    }
}

impl<T: Copy> Keyed for (u64, u64, T) {
    fn key(&self) -> u64 {
        self.0
    }
}

impl<T: Copy> Keyed<1> for (u64, u64, T) {
    fn key(&self) -> u64 {
        self.1
    }
}

/// A stable LSD radix sort by a key: as fast as other sorts for many items, with steps of equal cost.
#[derive(Debug)]
pub struct SteppedSort<T, const BY: usize = 0> {
    /// What is not yet in `items`.
    pieces: Pieces<T>,
    items: Vec<T>,
    /// Output of the current pass, as long as `items`.
    sorted: Vec<T>,
    /// The greatest key of those that were measured.
    greatest: u64,
    /// Whether these are in order.
    ordered: bool,
    stage: Stage,
    /// Items finished in the current stage.
    at: usize,
    /// Bits handled by earlier passes.
    shift: u32,
    /// By bucket: number of items, then position of the next item.
    buckets: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Gather,
    Measure,
    Count,
    Place,
    Release,
    Done,
}

impl<T: Keyed<BY>, const BY: usize> SteppedSort<T, BY> {
    /// Of items in any order; where they are sorted already, they are only read.
    pub fn new(items: Vec<T>) -> Self {
        SteppedSort {
            pieces: Pieces::default(),
            items,
            sorted: Vec::new(),
            greatest: 0,
            ordered: true,
            stage: Stage::Measure,
            at: 0,
            shift: 0,
            buckets: vec![0; BUCKETS],
        }
    }

    /// Of a list in pieces.
    pub fn of_pieces(pieces: Pieces<T>) -> Self {
        SteppedSort {
            stage: Stage::Gather,
            pieces,
            ..SteppedSort::new(Vec::new())
        }
    }

    /// Continues; false once sorted.
    pub fn step(&mut self) -> bool {
        if self.stage == Stage::Gather {
            self.items.reserve_exact(self.pieces.len - self.items.len());
            match self.pieces.pieces.pop_front() {
                Some(piece) => self.items.extend_from_slice(&piece),
                None => self.stage = Stage::Measure,
            }
            return true;
        }
        if self.stage == Stage::Release {
            if !release(&mut self.sorted) {
                self.stage = Stage::Done;
            }
            return true;
        }
        if self.items.len() <= FEW {
            sort_by_keys(&mut self.items, |item| [item.key(), 0]);
            self.stage = Stage::Done;
        }
        let end = self.items.len().min(self.at + STEP);
        let part = self.items.get(self.at..end).unwrap_or_default();
        let shift = self.shift;
        let digit = |item: &T| (item.key() >> shift) as usize % BUCKETS;
        match self.stage {
            Stage::Measure => {
                for key in part.iter().map(T::key) {
                    self.ordered &= self.greatest <= key;
                    self.greatest = self.greatest.max(key);
                }
            }
            Stage::Count => {
                if self.sorted.len() < self.items.len() {
                    // Output space for the first pass, allocated gradually because allocating it at once takes long.
                    self.sorted.reserve_exact(self.items.len() - self.sorted.len());
                    self.sorted.extend_from_slice(part);
                }
                for item in part {
                    if let Some(count) = self.buckets.get_mut(digit(item)) {
                        *count += 1;
                    }
                }
            }
            Stage::Place => {
                for item in part {
                    // There is a bucket for each digit, and a slot for each of the items that were counted.
                    if let Some(slot) = self.buckets.get_mut(digit(item)) {
                        if let Some(place) = self.sorted.get_mut(*slot as usize) {
                            *place = *item;
                        }
                        *slot += 1;
                    }
                }
            }
            Stage::Gather | Stage::Release | Stage::Done => return false,
        }
        self.at = end;
        if self.at == self.items.len() {
            self.at = 0;
            self.next_stage();
        }
        true
    }

    fn next_stage(&mut self) {
        self.stage = match self.stage {
            Stage::Measure if self.ordered => Stage::Done,
            Stage::Measure => Stage::Count,
            Stage::Count => {
                let mut before = 0;
                for bucket in &mut self.buckets {
                    before += std::mem::replace(bucket, before);
                }
                Stage::Place
            }
            Stage::Place => {
                std::mem::swap(&mut self.items, &mut self.sorted);
                self.buckets.fill(0);
                self.shift += DIGIT;
                if self.greatest.checked_shr(self.shift).unwrap_or(0) == 0 {
                    Stage::Release
                } else {
                    Stage::Count
                }
            }
            Stage::Gather | Stage::Release | Stage::Done => Stage::Done,
        };
    }

    /// All items; sorted once `step` has returned false.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same, without this.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::{Pieces, SteppedSort};
    use proptest::prelude::*;

    fn sorted(items: Vec<(u64, u64, u32)>) -> Vec<(u64, u64, u32)> {
        let mut sort: SteppedSort<_> = SteppedSort::new(items);
        while sort.step() {}
        sort.into_items()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn equals_a_stable_sort(
            length in prop_oneof![0_u32..20, 4000_u32..5000, 60_000_u32..140_000],
            bits in 0_u32..=64,
            seed in any::<u64>(),
            // In order, up to this one.
            ordered in prop::option::of(prop_oneof![0_u32..5000, 65_530_u32..65_540, Just(u32::MAX)]),
        ) {
            let mut state = seed | 1;
            let mut items: Vec<(u64, u64, u32)> = (0..length)
                .map(|number| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    ((state ^ state >> 31).checked_shr(64 - bits).unwrap_or(0), state, number)
                })
                .collect();
            if let Some(ordered) = ordered {
                items.sort();
                if let Some(item) = items.get_mut(ordered as usize) {
                    item.0 = 0;
                }
            }
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut pieces = Pieces::default();
            items.iter().for_each(|&item| pieces.push(item));
            let mut in_pieces: SteppedSort<_> = SteppedSort::of_pieces(pieces);
            while in_pieces.step() {}
            prop_assert_eq!(&in_pieces.into_items(), &expected);
            prop_assert_eq!(sorted(items.clone()), expected);
            let mut by_other: SteppedSort<_, 1> = SteppedSort::new(items.clone());
            while by_other.step() {}
            items.sort_by_key(|item| item.1);
            prop_assert_eq!(by_other.into_items(), items);
        }
    }
}
