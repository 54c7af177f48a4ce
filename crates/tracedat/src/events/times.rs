//! Instants in the order of time, which can be counted in any part of it.

/// Ascending instants, each with a code: 12 bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    times: Vec<u64>,
    codes: Vec<i32>,
    /// Some came late: they have to be put in order before they are looked at.
    unsorted: bool,
}

impl Times {
    pub fn push(&mut self, at: u64, code: i32) {
        self.unsorted |= self.times.last().is_some_and(|&last| at < last);
        self.times.push(at);
        self.codes.push(code);
    }

    /// In order. Where a CPU's time goes back, some instants came late; runs that are sorted already are merged.
    fn sorted(&mut self) -> &[u64] {
        if self.unsorted {
            let mut both: Vec<(u64, i32)> = self.times.drain(..).zip(self.codes.drain(..)).collect();
            both.sort_by_key(|&(at, _)| at);
            (self.times, self.codes) = both.into_iter().unzip();
            self.unsorted = false;
        }
        &self.times
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Some of them, with their codes.
    pub fn part(&mut self, first: usize, count: usize) -> impl Iterator<Item = (u64, i32)> + '_ {
        self.sorted();
        let both = self.times.iter().copied().zip(self.codes.iter().copied());
        both.skip(first).take(count)
    }

    /// How many are before an instant.
    pub fn rank(&mut self, at: u64) -> usize {
        self.sorted().partition_point(|&time| time < at)
    }

    /// The first one at or after an instant.
    pub fn first_from(&mut self, at: u64) -> Option<u64> {
        let index = self.rank(at);
        self.times.get(index).copied()
    }

    /// The last one before an instant.
    pub fn last_before(&mut self, at: u64) -> Option<u64> {
        let index = self.rank(at).checked_sub(1)?;
        self.times.get(index).copied()
    }

    /// Adds to `out` how many are in each bucket; bucket `i` is `[(first + i) << level, (first + i + 1) << level)`. Costs what
    /// is fewer: instants there, or buckets times the logarithm of instants in one.
    pub fn count(&mut self, level: u32, first: u64, out: &mut [u32]) {
        let Some(start) = shifted(first, level) else {
            return;
        };
        let times = self.sorted();
        let mut at = times.partition_point(|&time| time < start);
        while let Some(&time) = times.get(at) {
            let bucket = time.checked_shr(level).unwrap_or(0);
            let Some(slot) = usize::try_from(bucket - first)
                .ok()
                .and_then(|index| out.get_mut(index))
            else {
                return;
            };
            let end = shifted(bucket.saturating_add(1), level);
            let next = end.map_or(times.len(), |end| at + gallop(times.get(at..).unwrap_or_default(), end));
            *slot = slot.saturating_add(u32::try_from(next - at).unwrap_or(u32::MAX));
            at = next;
        }
    }
}

/// A bucket's start; `None` beyond all time.
fn shifted(bucket: u64, level: u32) -> Option<u64> {
    let start = bucket.checked_shl(level)?;
    (start >> level == bucket).then_some(start)
}

/// How many of the instants are before `end`, looking farther and farther ahead: few of them are looked at where few are.
fn gallop(times: &[u64], end: u64) -> usize {
    let mut step = 1;
    while times.get(step).is_some_and(|&time| time < end) {
        step *= 2;
    }
    let (from, to) = (step / 2, times.len().min(step + 1));
    from + times
        .get(from..to)
        .unwrap_or_default()
        .partition_point(|&time| time < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_are_a_list(
            times in prop::collection::vec(prop_oneof![0_u64..60, 0_u64..5000, any::<u64>()], 0..300),
            level in 0_u32..64,
            first in prop_oneof![0_u64..20, any::<u64>()],
            buckets in 0_usize..40,
            at in prop_oneof![0_u64..5000, any::<u64>()],
        ) {
            let mut found = Times::default();
            times.iter().for_each(|&time| found.push(time, 0));
            let mut counts = vec![1; buckets];
            found.count(level, first, &mut counts);
            for (index, count) in (0..buckets as u64).zip(counts) {
                let bucket = first.checked_add(index);
                let naive = times.iter().filter(|&&time| Some(time >> level) == bucket).count();
                prop_assert_eq!(count as usize, 1 + naive);
            }
            prop_assert_eq!(found.rank(at), times.iter().filter(|&&time| time < at).count());
            prop_assert_eq!(found.first_from(at), times.iter().copied().filter(|&time| at <= time).min());
            prop_assert_eq!(found.last_before(at), times.iter().copied().filter(|&time| time < at).max());
        }
    }
}
