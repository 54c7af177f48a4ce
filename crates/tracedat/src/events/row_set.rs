//! A set of rows that grows at its end, with rank and select.

/// Rows in ascending order, a bit each; how many come before each word is kept beside.
#[derive(Clone, Debug, Default)]
pub(super) struct RowSet {
    words: Vec<u64>,
    /// Members before each word.
    before: Vec<u32>,
    /// Rows that have been looked at: all below.
    known: usize,
    members: usize,
}

impl RowSet {
    /// Rows that have been looked at.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Members among them.
    pub fn len(&self) -> usize {
        self.members
    }

    /// Whether a row is a member.
    #[inline]
    pub fn has(&self, row: usize) -> bool {
        let word = self.words.get(row / 64);
        word.is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Looks at the next row.
    #[inline]
    pub fn push(&mut self, is_member: bool) {
        let bit = self.known % 64;
        if bit == 0 {
            self.words.push(0);
            self.before.push(self.members as u32);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= u64::from(is_member) << bit;
        }
        self.known += 1;
        self.members += usize::from(is_member);
    }

    /// The next `count` rows are no members.
    pub fn skip(&mut self, count: usize) {
        let known = self.known + count;
        self.words.resize(known.div_ceil(64), 0);
        self.before.resize(self.words.len(), self.members as u32);
        self.known = known;
    }

    /// The member number `rank`, counted from 0.
    pub fn select(&self, rank: usize) -> Option<usize> {
        if self.members <= rank {
            return None;
        }
        let index = self
            .before
            .partition_point(|&before| before as usize <= rank)
            .checked_sub(1)?;
        let mut word = *self.words.get(index)?;
        for _ in *self.before.get(index)? as usize..rank {
            word &= word.wrapping_sub(1);
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// Members before `row`, which is known.
    pub fn rank(&self, row: usize) -> usize {
        let (Some(&before), Some(&word)) = (self.before.get(row / 64), self.words.get(row / 64)) else {
            return self.members;
        };
        before as usize + (word & !(!0 << (row % 64))).count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Push(bool),
        Skip(usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![9 => any::<bool>().prop_map(Step::Push), 1 => (0_usize..200).prop_map(Step::Skip)];
        prop::collection::vec(step, 0..400)
    }

    proptest! {
        #[test]
        fn it_is_a_list_of_flags(steps in steps()) {
            let (mut set, mut flags) = (RowSet::default(), Vec::new());
            for step in steps {
                match step {
                    Step::Push(flag) => {
                        set.push(flag);
                        flags.push(flag);
                    }
                    Step::Skip(count) => {
                        set.skip(count);
                        flags.resize(flags.len() + count, false);
                    }
                }
            }
            let members: Vec<usize> = (0..flags.len()).filter(|&row| flags[row]).collect();
            prop_assert_eq!((set.known(), set.len()), (flags.len(), members.len()));
            for rank in 0..members.len() + 2 {
                prop_assert_eq!(set.select(rank), members.get(rank).copied());
            }
            for row in 0..flags.len() + 2 {
                prop_assert_eq!(set.has(row), flags.get(row) == Some(&true));
                prop_assert_eq!(set.rank(row), members.iter().filter(|&&member| member < row).count());
            }
        }
    }
}
