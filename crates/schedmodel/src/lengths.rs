//! A column of lengths of time.

use crate::stored::stored;
use schedrows::sort_by_keys;

/// Lengths of time, most of them of a few seconds at most; some are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lengths {
    short: Vec<u32>,
    long: LongLengths,
}

/// What 32 bits do not hold of lengths that are kept shortened, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LongLengths(Vec<(u32, u64)>);

/// Stands for a length that is in [`LongLengths`].
const LONG: u32 = u32::MAX;
/// Stands for one that is not known.
const UNKNOWN: u32 = u32::MAX - 1;

impl LongLengths {
    /// What is kept of the length at `index`.
    #[inline]
    pub(crate) fn shorten(&mut self, index: usize, ns: Option<u64>) -> u32 {
        match ns {
            None => UNKNOWN,
            Some(ns) if ns < u64::from(UNKNOWN) => ns as u32,
            Some(ns) => {
                self.0.push((index as u32, ns));
                LONG
            }
        }
    }

    /// The length at `index`, of which `short` was kept. If they were not shortened in the order of their indexes, they must
    /// be [sorted](LongLengths::sort) before.
    #[inline]
    pub(crate) fn ns(&self, index: usize, short: u32) -> Option<u64> {
        match short {
            UNKNOWN => None,
            LONG => {
                let slot = self.0.partition_point(|&(at, _)| (at as usize) < index);
                self.0.get(slot).map(|&(_, ns)| ns)
            }
            ns => Some(u64::from(ns)),
        }
    }

    pub(crate) fn sort(&mut self) {
        sort_by_keys(&mut self.0, |&(index, ns)| [index.into(), ns]);
    }
}

impl Lengths {
    /// None at all.
    pub(crate) const NONE: Lengths = Lengths {
        short: Vec::new(),
        long: LongLengths(Vec::new()),
    };

    pub(crate) fn with_capacity(lengths: usize) -> Lengths {
        Lengths {
            short: Vec::with_capacity(lengths),
            ..Lengths::NONE
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, ns: Option<u64>) {
        let short = self.long.shorten(self.short.len(), ns);
        self.short.push(short);
    }

    /// Makes room for the first lengths, which can be [taken](Lengths::take) in any order then, and [sorted](Lengths::sort); others are
    /// not known.
    pub(crate) fn make_room(&mut self, lengths: usize) {
        self.short.resize(lengths, UNKNOWN);
    }

    /// Sets length `index`, of which `kept` was kept elsewhere, and which is `ns`.
    #[inline]
    pub(crate) fn take(&mut self, index: usize, kept: u32, ns: impl FnOnce() -> Option<u64>) {
        if let Some(short) = self.short.get_mut(index) {
            *short = match kept {
                LONG => self.long.shorten(index, ns()),
                _ => kept,
            };
        }
    }

    pub(crate) fn sort(&mut self) {
        self.long.sort();
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u64> {
        self.long.ns(index, *self.short.get(index)?)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.short.shrink_to_fit();
        self.long.0.shrink_to_fit();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.short.capacity() * size_of::<u32>() + self.long.0.capacity() * size_of::<(u32, u64)>()
    }
}

stored!(Lengths {
    short: Vec<u32>,
    long: LongLengths,
});
stored!(LongLengths {
    0: Vec<(u32, u64)>,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn length() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(prop_oneof![0_u64..90, 1_u64 << 31..1 << 34])
    }

    proptest! {
        #[test]
        fn lengths_come_back(
            lengths in prop::collection::vec((length(), any::<u32>()), 0..90),
        ) {
            let mut found = Lengths::default();
            lengths.iter().for_each(|&(ns, _)| found.push(ns));
            let mut order: Vec<usize> = (0..lengths.len()).collect();
            order.sort_by_key(|&index| lengths[index].1);
            let mut put = Lengths::with_capacity(lengths.len());
            put.make_room(lengths.len() / 2);
            put.make_room(lengths.len());
            // In the order in which they are taken.
            let mut elsewhere = LongLengths::default();
            let kept: Vec<u32> = order.iter().zip(0..).map(|(&index, number)| elsewhere.shorten(number, lengths[index].0)).collect();
            for ((&index, &kept), number) in order.iter().zip(&kept).zip(0..) {
                put.take(index, kept, || elsewhere.ns(number, kept));
            }
            put.sort();
            for (index, &(ns, _)) in lengths.iter().enumerate() {
                prop_assert_eq!(found.get(index), ns);
            }
            prop_assert_eq!(found.get(lengths.len()), None);
            prop_assert_eq!(put, found);
        }
    }
}
