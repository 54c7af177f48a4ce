//! A set of interval indexes with a fast "next member": one bit per index, with summaries of summaries above.

/// `levels[0]` has one bit per index; each further level has one bit per non-zero word of the level below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    levels: Vec<Vec<u64>>,
}

impl Bits {
    /// The indexes below `len` for which `has` is true.
    pub fn new(len: usize, has: impl Fn(usize) -> bool) -> Bits {
        let mut words = vec![0_u64; len.div_ceil(64)];
        for index in 0..len {
            words[index / 64] |= u64::from(has(index)) << (index % 64);
        }
        let mut levels = vec![words];
        while let Some(below) = levels.last().filter(|words| 1 < words.len()) {
            let mut words = vec![0_u64; below.len().div_ceil(64)];
            for (index, &word) in below.iter().enumerate() {
                words[index / 64] |= u64::from(word != 0) << (index % 64);
            }
            levels.push(words);
        }
        Bits { levels }
    }

    /// The first member at or after `from`.
    pub fn next(&self, from: usize) -> Option<usize> {
        let mut index = from;
        for level in 0..self.levels.len() {
            let word = self.levels[level].get(index / 64)? & (!0 << (index % 64));
            if word != 0 {
                return Some(self.descend(
                    level,
                    index / 64 * 64 + word.trailing_zeros() as usize,
                    u64::trailing_zeros,
                ));
            }
            index = index / 64 + 1;
        }
        None
    }

    /// The last member before `before`.
    pub fn previous(&self, before: usize) -> Option<usize> {
        let len = 64 * self.levels.first().map_or(0, Vec::len);
        let mut index = before.min(len);
        for level in 0..self.levels.len() {
            // Bits below `index`, in the word that holds `index - 1`.
            let last = index.checked_sub(1)?;
            let word = self.levels[level].get(last / 64)? & (!0 >> (63 - last % 64));
            if word != 0 {
                let found = last / 64 * 64 + 63 - word.leading_zeros() as usize;
                return Some(self.descend(level, found, |word| 63 - word.leading_zeros()));
            }
            index = last / 64;
        }
        None
    }

    fn descend(&self, level: usize, mut index: usize, pick: impl Fn(u64) -> u32) -> usize {
        for words in self.levels[..level].iter().rev() {
            index = index * 64 + pick(words[index]) as usize;
        }
        index
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.levels.iter().map(|words| words.len() * 8).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_a_sorted_set(members in prop::collection::btree_set(0_usize..20_000, 0..40), probe in 0_usize..20_100) {
            let bits = Bits::new(20_000, |index| members.contains(&index));
            let set: &BTreeSet<usize> = &members;
            prop_assert_eq!(bits.next(probe), set.range(probe..).next().copied());
            prop_assert_eq!(bits.previous(probe), set.range(..probe).next_back().copied());
            for &member in set {
                prop_assert_eq!(bits.next(member), Some(member));
                prop_assert_eq!(bits.previous(member + 1), Some(member));
            }
        }
    }

    #[test]
    fn nothing_in_nothing() {
        let bits = Bits::new(0, |_| true);
        assert_eq!((bits.next(0), bits.previous(7)), (None, None));
    }
}
