//! Columns of numbers that lie near each other, in fewer bytes: times that ascend, counts that change by one.
//!
//! ```text
//! base    | 7 000 000 000                    | 11 400 000 000      a turn: where a number is too far from the base
//! small   | 0  210  3 900  ...  4 294 967 000 | 0  17  ...
//! ```
//! Reading one costs three loads, whatever the numbers; where they are far apart there are more turns, and more bytes.

use crate::stored::stored;
use std::ops::Range;

/// Numbers per entry of [`Near::first`].
const BLOCK: usize = 256;

/// What is kept of each number.
pub trait Small: Copy + Default + Into<u64> + TryFrom<u64> {
    /// The base from which `number` and those after it are probably reached.
    fn base(number: u64) -> u64;
}

/// For counts, which go up and down.
impl Small for u8 {
    fn base(number: u64) -> u64 {
        number.saturating_sub(1 << 7)
    }
}

/// For times, which ascend.
impl Small for u32 {
    fn base(number: u64) -> u64 {
        number
    }
}

/// Numbers as small ones, relative to a base that holds for many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near<S> {
    small: Vec<S>,
    /// From which number on which base holds.
    turns: Vec<(u32, u64)>,
    /// The turn that holds for the first number of each block.
    first: Vec<u32>,
}

/// Ascending times.
pub type Times = Near<u32>;

impl<S> Default for Near<S> {
    fn default() -> Self {
        Near::NONE
    }
}

impl<S> Near<S> {
    /// No numbers.
    pub(crate) const NONE: Near<S> = Near {
        small: Vec::new(),
        turns: Vec::new(),
        first: Vec::new(),
    };

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.small.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.small.is_empty()
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.small.capacity() * size_of::<S>()
            + self.turns.capacity() * size_of::<(u32, u64)>()
            + self.first.capacity() * size_of::<u32>()
    }

    /// The turn that holds for a number.
    #[inline]
    fn turn_of(&self, index: usize) -> usize {
        let block = index / BLOCK;
        let from = self.first.get(block).map_or(0, |&turn| turn as usize);
        let to = self
            .first
            .get(block + 1)
            .map_or(self.turns.len(), |&turn| turn as usize + 1);
        match to - from.min(to) {
            0 | 1 => from,
            _ => {
                let turns = self.turns.get(from..to).unwrap_or_default();
                let begun = turns.partition_point(|&(begin, _)| begin as usize <= index);
                from + begun.saturating_sub(1)
            }
        }
    }

    /// The numbers that a turn holds for.
    fn reach(&self, turn: usize) -> Range<usize> {
        let begin = |turn: usize| self.turns.get(turn).map_or(self.len(), |&(begin, _)| begin as usize);
        begin(turn)..begin(turn + 1)
    }

    fn base_of(&self, turn: usize) -> u64 {
        self.turns.get(turn).map_or(0, |&(_, base)| base)
    }
}

impl<S: Small> Near<S> {
    /// Number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        let small = *self.small.get(index)?;
        Some(self.base_of(self.turn_of(index)).saturating_add(small.into()))
    }

    /// The numbers from `index` on that have the same base: the base, and what each is above it.
    #[inline]
    pub(crate) fn stretch(&self, index: usize) -> (u64, &[S]) {
        let turn = self.turn_of(index);
        let end = self.reach(turn).end.max(index);
        (self.base_of(turn), self.small.get(index..end).unwrap_or_default())
    }

    /// The last number.
    pub fn last(&self) -> Option<u64> {
        let base = self.turns.last().map_or(0, |&(_, base)| base);
        Some(base.saturating_add((*self.small.last()?).into()))
    }

    /// All numbers, as they are: the quickest way to read very many.
    pub fn to_vec(&self) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(self.len());
        for turn in 0..self.turns.len() {
            let base = self.base_of(turn);
            let small = self.small.get(self.reach(turn)).unwrap_or_default();
            numbers.extend(small.iter().map(|&small| base.saturating_add(small.into())));
        }
        numbers
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        self.range(0..self.len())
    }

    /// The numbers in a range of indexes, as far as there are any.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = u64> + Clone + '_ {
        let turns = self.turn_of(range.start)..self.turns.len();
        let parts = turns
            .map(move |turn| {
                let reach = self.reach(turn);
                let part = reach.start.max(range.start)..reach.end.min(range.end);
                (
                    self.base_of(turn),
                    self.small.get(part).unwrap_or_default(),
                    reach.start,
                )
            })
            .take_while(move |&(_, _, begin)| begin < range.end);
        parts.flat_map(|(base, part, _)| part.iter().map(move |&small| base.saturating_add(small.into())))
    }

    /// How many numbers at the beginning meet a condition that no number after them meets.
    pub fn partition_point(&self, meets: impl Fn(u64) -> bool) -> usize {
        self.partition_point_in(0..self.len(), meets)
    }

    /// The index behind the numbers of a range that meet a condition, if no number after them in the range meets it.
    pub fn partition_point_in(&self, range: Range<usize>, meets: impl Fn(u64) -> bool) -> usize {
        let range = range.start.min(self.len())..range.end.min(self.len());
        let Some(last) = range.end.checked_sub(1).filter(|&last| range.start <= last) else {
            return range.start;
        };
        let (first, last) = (self.turn_of(range.start), self.turn_of(last));
        let later = self.turns.get(first + 1..last + 1).unwrap_or_default();
        let met = later.partition_point(|&(begin, _)| self.get(begin as usize).is_some_and(&meets));
        let reach = self.reach(first + met);
        let (from, to) = (reach.start.max(range.start), reach.end.min(range.end));
        let base = self.base_of(first + met);
        let part = self.small.get(from..to).unwrap_or_default();
        from + part.partition_point(|&small| meets(base.saturating_add(small.into())))
    }

    /// The first index at or after `from` whose number is at least `number`, by galloping search among ascending ones:
    /// near results are cheap, far ones logarithmic.
    pub fn gallop(&self, from: usize, number: u64) -> usize {
        let mut step = 1;
        let mut low = from;
        while self.get(low + step - 1).is_some_and(|at| at < number) {
            low += step;
            step *= 2;
        }
        self.partition_point_in(low..(low + step - 1).min(self.len()), |at| at < number)
    }

    /// The first index whose number is at least `number`, among ascending ones; quick if that is near `hint`, on either side.
    pub fn search_near(&self, hint: usize, number: u64) -> usize {
        let hint = hint.min(self.len());
        let (mut high, mut step) = (hint, 1);
        loop {
            let low = high.saturating_sub(step);
            if low == high || self.get(low).is_none_or(|at| at < number) {
                return match high == hint {
                    true => self.gallop(hint, number),
                    false => self.partition_point_in(low..high, |at| at < number),
                };
            }
            (high, step) = (low, step * 2);
        }
    }
}

impl<S: Small> FromIterator<u64> for Near<S> {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut near = NearBuilder::with_capacity(numbers.size_hint().0);
        numbers.for_each(|number| near.push(number));
        near.finish()
    }
}

/// Builds a column, number by number.
#[derive(Debug, Default)]
pub(crate) struct NearBuilder<S> {
    small: Vec<S>,
    turns: Vec<(u32, u64)>,
    /// Of the last turn; 0 before the first.
    base: u64,
}

impl<S: Small> NearBuilder<S> {
    pub(crate) fn with_capacity(numbers: usize) -> NearBuilder<S> {
        NearBuilder {
            small: Vec::with_capacity(numbers),
            turns: Vec::new(),
            base: 0,
        }
    }

    /// Adds a number, below 2^63.
    #[inline]
    pub(crate) fn push(&mut self, number: u64) {
        // Less than the base is more than any small number, too.
        let near = S::try_from(number.wrapping_sub(self.base));
        let small = near.unwrap_or_else(|_| self.turn(number));
        self.small.push(small);
    }

    /// Begins another base, for a number that is far from the last one.
    #[cold]
    fn turn(&mut self, number: u64) -> S {
        if self.turns.is_empty() && !self.is_empty() {
            self.turns.push((0, self.base));
        }
        self.base = S::base(number);
        self.turns.push((self.small.len() as u32, self.base));
        S::try_from(number - self.base).unwrap_or_default()
    }

    /// Whether there are no numbers.
    pub(crate) fn is_empty(&self) -> bool {
        self.small.is_empty()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.small.len()
    }

    /// The last number.
    pub(crate) fn last(&self) -> Option<u64> {
        Some(self.base.saturating_add((*self.small.last()?).into()))
    }

    /// The column.
    pub(crate) fn finish(self) -> Near<S> {
        let NearBuilder {
            mut small,
            mut turns,
            base,
        } = self;
        if turns.is_empty() && !small.is_empty() {
            turns.push((0, base));
        }
        small.shrink_to_fit();
        turns.shrink_to_fit();
        let mut later = turns.iter().skip(1).peekable();
        let mut turn = 0;
        let blocks = (0..small.len()).step_by(BLOCK);
        let first = blocks.map(|index| {
            while later.next_if(|&&(begin, _)| begin as usize <= index).is_some() {
                turn += 1;
            }
            turn
        });
        let first = first.collect();
        Near { small, turns, first }
    }
}

stored!(Near<u8> {
    small: Vec<u8>,
    turns: Vec<(u32, u64)>,
    first: Vec<u32>,
});
stored!(Near<u32> {
    small: Vec<u32>,
    turns: Vec<(u32, u64)>,
    first: Vec<u32>,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let number = prop_oneof![0_u64..300, 0_u64..1 << 34, Just(u64::from(u32::MAX)), Just(1 << 53)];
        prop::collection::vec(number, 0..1200)
    }

    fn same<S: Small>(numbers: &[u64], from_end: usize) {
        let near: Near<S> = numbers.iter().copied().collect();
        let kept = numbers.len().saturating_sub(from_end);
        assert_eq!(near.len(), numbers.len());
        assert_eq!(near.last(), numbers.last().copied());
        assert!(near.iter().eq(numbers.iter().copied()));
        assert_eq!(near.to_vec(), numbers);
        for index in 0..=numbers.len() {
            assert_eq!(near.get(index), numbers.get(index).copied());
        }
        for range in [0..kept, kept / 2..kept, kept..numbers.len(), kept..usize::MAX] {
            let there = range.start.min(numbers.len())..range.end.min(numbers.len());
            assert!(near.range(range).eq(numbers[there].iter().copied()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn numbers_come_back(numbers in numbers(), from_end in 0_usize..600) {
            same::<u8>(&numbers, from_end);
            same::<u32>(&numbers, from_end);
        }

        #[test]
        fn it_is_searched_like_a_slice(mut numbers in numbers(), from in 0_usize..1200, to in 0_usize..1200, at in 0_u64..1 << 35) {
            numbers.sort_unstable();
            let times: Times = numbers.iter().copied().collect();
            let range = from.min(numbers.len())..to.min(numbers.len()).max(from.min(numbers.len()));
            let expected = range.start + numbers[range.clone()].partition_point(|&number| number < at);
            prop_assert_eq!(times.partition_point_in(range, |number| number < at), expected);
            prop_assert_eq!(times.partition_point(|number| number <= at), numbers.partition_point(|&number| number <= at));
            let from = from.min(numbers.len());
            let next = from + numbers[from..].partition_point(|&number| number < at);
            prop_assert_eq!(times.gallop(from, at), next);
            let first = numbers.partition_point(|&number| number < at);
            prop_assert_eq!(times.search_near(to, at), first);
        }
    }

    #[test]
    fn times_of_an_hour_take_hardly_more_than_four_bytes() {
        let times: Times = (0..1_000_000).map(|number| number * 3_600_000).collect();
        assert!(times.small.len() * 4 + times.turns.len() * 16 + times.first.len() * 4 < 4_100_000);
    }
}
