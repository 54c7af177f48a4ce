//! A column of lengths of time.

use crate::stored::stored;

/// Lengths of time, most of them of a few seconds at most; some are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lengths {
    short: Vec<u32>,
    /// Those that 32 bits do not hold, by index.
    long: Vec<(u32, u64)>,
}

/// Stands for a length that is in [`Lengths::long`].
const LONG: u32 = u32::MAX;
/// Stands for one that is not known.
const UNKNOWN: u32 = u32::MAX - 1;

impl Lengths {
    /// None at all.
    pub(crate) const NONE: Lengths = Lengths {
        short: Vec::new(),
        long: Vec::new(),
    };

    pub(crate) fn with_capacity(lengths: usize) -> Lengths {
        Lengths {
            short: Vec::with_capacity(lengths),
            long: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, ns: Option<u64>) {
        let short = self.shortened(self.short.len(), ns);
        self.short.push(short);
    }

    /// Replaces a length that was not known.
    #[inline]
    pub(crate) fn learn(&mut self, index: usize, ns: u64) {
        let short = self.shortened(index, Some(ns));
        if let Some(known) = self.short.get_mut(index) {
            *known = short;
        }
    }

    #[inline]
    fn shortened(&mut self, index: usize, ns: Option<u64>) -> u32 {
        match ns {
            None => UNKNOWN,
            Some(ns) if ns < u64::from(UNKNOWN) => ns as u32,
            Some(ns) => {
                self.long.push((index as u32, ns));
                LONG
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u64> {
        match *self.short.get(index)? {
            UNKNOWN => None,
            LONG => {
                let slot = self.long.partition_point(|&(at, _)| (at as usize) < index);
                self.long.get(slot).map(|&(_, ns)| ns)
            }
            ns => Some(u64::from(ns)),
        }
    }

    /// The lengths in another order; those that were learnt need one before they can be read.
    pub(crate) fn ordered(mut self, order: &[u32]) -> Lengths {
        self.long.sort_unstable();
        let mut ordered = Lengths::with_capacity(order.len());
        order.iter().for_each(|&index| ordered.push(self.get(index as usize)));
        ordered
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.short.shrink_to_fit();
        self.long.shrink_to_fit();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.short.capacity() * size_of::<u32>() + self.long.capacity() * size_of::<(u32, u64)>()
    }
}

stored!(Lengths {
    short: Vec<u32>,
    long: Vec<(u32, u64)>,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lengths_come_back_in_another_order(
            lengths in prop::collection::vec(prop::option::of(prop_oneof![0_u64..90, 1_u64 << 31..1 << 34]), 0..90),
            learnt in prop::collection::vec((0_usize..90, 1_u64 << 30..1 << 34), 0..40),
        ) {
            let mut expected = lengths.clone();
            let mut found = Lengths::default();
            lengths.iter().for_each(|&ns| found.push(ns));
            for (index, ns) in learnt {
                if let Some(unknown @ None) = expected.get_mut(index) {
                    *unknown = Some(ns);
                    found.learn(index, ns);
                }
            }
            let order: Vec<u32> = (0..lengths.len() as u32).rev().collect();
            let ordered = found.ordered(&order);
            expected.reverse();
            for (index, &ns) in expected.iter().enumerate() {
                prop_assert_eq!(ordered.get(index), ns);
            }
        }
    }
}
