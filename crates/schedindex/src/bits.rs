//! A set of interval indexes with a fast "next member": one bit per index, with summaries of summaries above.

/// `levels[0]` has one bit per index; each further level has one bit per non-zero word of the level below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    levels: Vec<Vec<u64>>,
}

impl Bits {
    /// The indexes below `len` for which `has` is true.
    pub fn new(len: usize, has: impl Fn(usize) -> bool) -> Bits {
        let words = (0..len).step_by(64).map(|first| {
            let members = (first..len.min(first + 64)).map(|index| u64::from(has(index)) << (index % 64));
            members.fold(0, |word, bit| word | bit)
        });
        Bits::of_words(words.collect())
    }

    /// The indexes whose bits are set.
    pub fn of_words(words: Vec<u64>) -> Bits {
        let mut levels = vec![words];
        while let Some(below) = levels.last().filter(|words| 1 < words.len()) {
            let summary = |words: &[u64]| {
                let bits = words.iter().zip(0..).map(|(&word, bit)| u64::from(word != 0) << bit);
                bits.fold(0, |word, bit: u64| word | bit)
            };
            let words = below.chunks(64).map(summary).collect();
            levels.push(words);
        }
        Bits { levels }
    }

    /// Whether it is a member.
    #[inline]
    pub fn has(&self, index: usize) -> bool {
        let word = self.levels.first().and_then(|words| words.get(index / 64));
        word.is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The first member at or after `from`.
    pub fn next(&self, from: usize) -> Option<usize> {
        let mut index = from;
        for (level, words) in self.levels.iter().enumerate() {
            let word = words.get(index / 64)? & (!0 << (index % 64));
            if word != 0 {
                let found = index / 64 * 64 + word.trailing_zeros() as usize;
                return self.descend(level, found, u64::trailing_zeros);
            }
            index = index / 64 + 1;
        }
        None
    }

    /// The last member before `before`.
    pub fn previous(&self, before: usize) -> Option<usize> {
        let len = 64 * self.levels.first().map_or(0, Vec::len);
        let mut index = before.min(len);
        for (level, words) in self.levels.iter().enumerate() {
            // Bits below `index`, in the word that holds `index - 1`.
            let last = index.checked_sub(1)?;
            let word = words.get(last / 64)? & (!0 >> (63 - last % 64));
            if word != 0 {
                let found = last / 64 * 64 + 63 - word.leading_zeros() as usize;
                return self.descend(level, found, |word| 63 - word.leading_zeros());
            }
            index = last / 64;
        }
        None
    }

    /// From a bit of a level to the member for which it stands.
    fn descend(&self, level: usize, found: usize, pick: impl Fn(u64) -> u32) -> Option<usize> {
        let mut below = self.levels.iter().take(level).rev();
        below.try_fold(found, |index, words| {
            Some(index * 64 + pick(*words.get(index)?) as usize)
        })
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
