//! Sums over any range of a long list, from sums that are stored once per block of items: only the items at the ends of
//! the range are read.
//!
//! - [`Sums`] stores the sum of all items before each block. A range is the difference of two sums.
//! - [`Folds`] stores what each block comes to, each block of blocks, and so on. It serves what has no difference, such as
//!   minima and maxima.
//!
//! Neither keeps the items: every call takes them, and they must be the same ones.

use schedmodel::stored::{Reader, Stored, Writer};
use std::io;
use std::ops::Range;

/// A sum over the first items of a list.
pub trait Sum: Copy + Default {
    /// What holds the items.
    type Items<'a>: Copy;
    /// Items per stored sum.
    const BLOCK: usize;

    /// Adds some items. If they are stretches of time, only what lies before `until` counts, which no stretch but the
    /// last one of them crosses.
    fn add(&mut self, items: Self::Items<'_>, range: Range<usize>, until: u64);
}

/// The sum of all items before every `BLOCK`-th item.
#[derive(Clone, Debug)]
pub struct Sums<S> {
    before: Vec<S>,
}

impl<S> Default for Sums<S> {
    fn default() -> Self {
        Sums { before: Vec::new() }
    }
}

impl<S: Sum> Sums<S> {
    /// Sums up `len` items.
    pub fn new(items: S::Items<'_>, len: usize) -> Sums<S> {
        let mut sums = Sums::default();
        while sums.step(items, len, usize::MAX) {}
        sums
    }

    /// Sums up some blocks of `len` items in all; true while there are more.
    pub fn step(&mut self, items: S::Items<'_>, len: usize, blocks: usize) -> bool {
        if self.before.is_empty() {
            self.before.reserve_exact(1 + len / S::BLOCK);
            self.before.push(S::default());
        }
        let mut sum = self.before.last().copied().unwrap_or_default();
        for _ in 0..blocks {
            let end = self.before.len() * S::BLOCK;
            if len < end {
                return false;
            }
            sum.add(items, end - S::BLOCK..end, u64::MAX);
            self.before.push(sum);
        }
        true
    }

    /// For sums that are made along with something else: takes the sum before each item, one after the other.
    pub fn push(&mut self, item: usize, before: S) {
        if item.is_multiple_of(S::BLOCK) {
            self.before.push(before);
        }
    }

    /// The sum of the first `count` items.
    pub fn of_first(&self, items: S::Items<'_>, count: usize) -> S {
        self.walk(items, count / S::BLOCK, count, u64::MAX)
    }

    /// The sum of some items; `minus`: what two sums differ by. A range of at most a block is read itself: that is no more than what is
    /// read at the two ends of a difference.
    pub fn of_range(&self, items: S::Items<'_>, range: Range<usize>, minus: impl FnOnce(S, S) -> S) -> S {
        if range.len() <= S::BLOCK {
            let mut sum = S::default();
            sum.add(items, range, u64::MAX);
            return sum;
        }
        minus(self.of_first(items, range.end), self.of_first(items, range.start))
    }

    /// The sum of the first `count` items, as far as they lie before `until`; the last one may cross it.
    pub fn until(&self, items: S::Items<'_>, count: usize, until: u64) -> S {
        // The last item is never part of a stored sum.
        self.walk(items, count.saturating_sub(1) / S::BLOCK, count, until)
    }

    /// Adds the items from a block on to the sum before it.
    fn walk(&self, items: S::Items<'_>, block: usize, count: usize, until: u64) -> S {
        // Where fewer sums are stored, more items are walked.
        let block = block.min(self.before.len().saturating_sub(1));
        let mut sum = self.before.get(block).copied().unwrap_or_default();
        sum.add(items, block * S::BLOCK..count, until);
        sum
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.before.capacity() * size_of::<S>()
    }
}

impl<S: Sum + Stored> Stored for Sums<S> {
    const LEAST: usize = Vec::<S>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.before.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Stored::get(reader).map(|before| Sums { before })
    }
}

/// What some items come to, in any order.
pub trait Fold: Copy {
    /// What holds the items.
    type Items<'a>: Copy;
    /// Items (or blocks) per stored block: a range reads at most twice as many on each level.
    const FAN: usize;
    /// What no items come to.
    const NONE: Self;

    /// What a range of items comes to.
    fn walk(items: Self::Items<'_>, range: Range<usize>) -> Self;

    /// What both come to.
    fn and(self, other: Self) -> Self;
}

/// What every `FAN` items come to, every `FAN` of those, and so on.
#[derive(Clone, Debug)]
pub struct Folds<F> {
    levels: Vec<Vec<F>>,
}

impl<F> Default for Folds<F> {
    fn default() -> Self {
        Folds { levels: Vec::new() }
    }
}

impl<F: Fold> Folds<F> {
    /// Folds `len` items.
    pub fn new(items: F::Items<'_>, len: usize) -> Folds<F> {
        let mut folds = Folds::default();
        while folds.step(items, len, usize::MAX) {}
        folds
    }

    /// Folds some blocks of `len` items in all; true while there are more.
    pub fn step(&mut self, items: F::Items<'_>, len: usize, blocks: usize) -> bool {
        let mut level = self.levels.pop().unwrap_or_default();
        let more = (level.len() * F::FAN..len).step_by(F::FAN).take(blocks);
        level.extend(more.map(|first| F::walk(items, first..len.min(first + F::FAN))));
        if level.len() * F::FAN < len {
            self.levels.push(level);
            return true;
        }
        *self = Folds::of_blocks(level);
        false
    }

    /// Of what every `FAN` items come to.
    pub fn of_blocks(mut level: Vec<F>) -> Folds<F> {
        let mut levels = Vec::new();
        while 1 < level.len() {
            let above = level.chunks(F::FAN).map(join).collect();
            level.shrink_to_fit();
            levels.push(std::mem::replace(&mut level, above));
        }
        Folds { levels }
    }

    /// What a range of items comes to.
    pub fn over(&self, items: F::Items<'_>, range: Range<usize>) -> F {
        let scan = |below: Option<&Vec<F>>, range: Range<usize>| match below {
            None => F::walk(items, range),
            Some(level) => join(level.get(range).unwrap_or_default()),
        };
        let Range { mut start, mut end } = range;
        let mut below = None;
        let mut sum = F::NONE;
        for level in &self.levels {
            let (first, last) = (start.next_multiple_of(F::FAN), end / F::FAN * F::FAN);
            if last <= first {
                break;
            }
            sum = sum.and(scan(below, start..first)).and(scan(below, last..end));
            (start, end) = (first / F::FAN, last / F::FAN);
            below = Some(level);
        }
        sum.and(scan(below, start..end))
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<F>()).sum()
    }
}

impl<F: Fold + Stored> Stored for Folds<F> {
    const LEAST: usize = Vec::<Vec<F>>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.levels.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Stored::get(reader).map(|levels| Folds { levels })
    }
}

fn join<F: Fold>(folds: &[F]) -> F {
    folds.iter().copied().fold(F::NONE, F::and)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The begins of stretches of time, each with a value that holds until the next.
    type Counter<'a> = &'a [(u64, i64)];

    /// The sum of time multiplied by value.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Area(i64);

    impl Sum for Area {
        type Items<'a> = Counter<'a>;
        const BLOCK: usize = 4;

        fn add(&mut self, items: Counter, range: Range<usize>, until: u64) {
            for index in range {
                let end = items.get(index + 1).map_or(items[index].0, |next| next.0);
                self.0 += (end.min(until) - items[index].0) as i64 * items[index].1;
            }
        }
    }

    /// What a track of any counter needs.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct MinMaxSum {
        min: i64,
        max: i64,
        sum: i64,
    }

    impl Fold for MinMaxSum {
        type Items<'a> = Counter<'a>;
        const FAN: usize = 4;
        const NONE: MinMaxSum = MinMaxSum {
            min: i64::MAX,
            max: i64::MIN,
            sum: 0,
        };

        fn walk(items: Counter, range: Range<usize>) -> MinMaxSum {
            let each = items[range].iter().map(|&(_, value)| MinMaxSum {
                min: value,
                max: value,
                sum: value,
            });
            each.fold(MinMaxSum::NONE, MinMaxSum::and)
        }

        fn and(self, other: MinMaxSum) -> MinMaxSum {
            MinMaxSum {
                min: self.min.min(other.min),
                max: self.max.max(other.max),
                sum: self.sum + other.sum,
            }
        }
    }

    fn counter() -> impl Strategy<Value = Vec<(u64, i64)>> {
        let steps = prop::collection::vec((0_u64..9, -99_i64..99), 0..300);
        steps.prop_map(|steps| {
            let mut at = 0;
            let begins = steps.into_iter().map(|(length, value)| {
                at += length;
                (at, value)
            });
            begins.collect()
        })
    }

    proptest! {
        #[test]
        fn sums_are_what_a_walk_over_all_items_gives(
            items in counter(),
            count in any::<prop::sample::Index>(),
            from in any::<prop::sample::Index>(),
            cut in 0_u64..9,
            blocks in 1_usize..9,
        ) {
            let items = &items[..];
            let count = count.index(items.len() + 1);
            let naive = |until| {
                let mut sum = Area::default();
                sum.add(items, 0..count, until);
                sum
            };
            let last = count.checked_sub(1).map_or(0, |last| items[last].0);
            let mut in_steps = Sums::<Area>::default();
            while in_steps.step(items, items.len(), blocks) {}
            let mut pushed = Sums::<Area>::default();
            let mut sum = Area::default();
            for item in 0..items.len() {
                pushed.push(item, sum);
                sum.add(items, item..item + 1, u64::MAX);
            }
            // With nothing stored, everything is walked.
            for sums in [Sums::new(items, items.len()), in_steps, pushed, Sums::default()] {
                prop_assert_eq!(sums.of_first(items, count), naive(u64::MAX));
                prop_assert_eq!(sums.until(items, count, last + cut), naive(last + cut));
                let from = from.index(count + 1);
                let mut of_range = Area::default();
                of_range.add(items, from..count, u64::MAX);
                let minus = |after: Area, before: Area| Area(after.0 - before.0);
                prop_assert_eq!(sums.of_range(items, from..count, minus), of_range);
            }
        }

        #[test]
        fn folds_are_what_a_walk_over_the_range_gives(
            items in counter(),
            ends in any::<[prop::sample::Index; 2]>(),
            blocks in 1_usize..9,
        ) {
            let items = &items[..];
            let [a, b] = ends.map(|end| end.index(items.len() + 1));
            let range = a.min(b)..a.max(b);
            let mut in_steps = Folds::<MinMaxSum>::default();
            while in_steps.step(items, items.len(), blocks) {}
            for folds in [Folds::<MinMaxSum>::new(items, items.len()), in_steps] {
                prop_assert_eq!(folds.over(items, range.clone()), MinMaxSum::walk(items, range.clone()));
            }
        }
    }

    #[test]
    fn a_sum_reads_no_more_than_a_block() {
        #[derive(Clone, Copy, Default)]
        struct Read(usize);
        impl Sum for Read {
            type Items<'a> = &'a std::cell::Cell<usize>;
            const BLOCK: usize = 8;
            fn add(&mut self, read: &std::cell::Cell<usize>, range: Range<usize>, _: u64) {
                read.set(read.get() + range.len());
                self.0 += range.len();
            }
        }
        let read = std::cell::Cell::new(0);
        let sums = Sums::<Read>::new(&read, 1000);
        for count in 0..=1000 {
            read.set(0);
            assert_eq!(sums.of_first(&read, count).0, count);
            assert!(read.get() < 8);
            read.set(0);
            assert_eq!(sums.until(&read, count, 0).0, count);
            assert!(read.get() <= 8);
            for from in [0, count / 2, count.saturating_sub(8), count] {
                read.set(0);
                assert_eq!(
                    sums.of_range(&read, from..count, |after, before| Read(after.0 - before.0))
                        .0,
                    count - from
                );
                assert!(read.get() <= 2 * 8);
            }
        }
    }
}
