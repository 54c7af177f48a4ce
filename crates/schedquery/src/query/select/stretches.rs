//! Maximal stretches of time with a cost: their sums, and the costliest.

use super::top::Top;
use schedrows::sort_by_keys;
use std::cmp::Reverse;
use std::ops::Range;

/// A maximal stretch, relative to the trace's first record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) cost: u64,
    /// The most tasks that waited at any time.
    pub(crate) waiting_max: u32,
}

/// Joins parts, in time order, to stretches.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    /// The last stretch, which may continue.
    last: Option<Stretch>,
}

impl Joiner {
    /// Adds a part: each ns costs `rate`, and `waiting` tasks wait. Returns the stretch that ended before it.
    pub(crate) fn add(&mut self, from: u64, to: u64, rate: u32, waiting: u32) -> Option<Stretch> {
        if to <= from || rate == 0 {
            return None;
        }
        let cost = (to - from).saturating_mul(u64::from(rate));
        if let Some(last) = self.last.as_mut().filter(|last| last.to == from) {
            last.to = to;
            last.cost = last.cost.saturating_add(cost);
            last.waiting_max = last.waiting_max.max(waiting);
            return None;
        }
        let waiting_max = waiting;
        self.last.replace(Stretch {
            from,
            to,
            cost,
            waiting_max,
        })
    }

    /// The last stretch, after the last part.
    pub(crate) fn close(&mut self) -> Option<Stretch> {
        self.last.take()
    }
}

/// Sums of stretches, and the costliest of them.
#[derive(Debug)]
pub(crate) struct Stretches {
    min_duration: u64,
    joiner: Joiner,
    pub(crate) count: u64,
    pub(crate) ns: u64,
    pub(crate) cost: u64,
    /// (cost, from, to, waiting_max)
    costliest: Top<(Reverse<u64>, u64, u64, u32)>,
}

impl Stretches {
    /// Keeps the `top` costliest stretches of at least `min_duration` ns.
    pub(crate) fn new(min_duration: u64, top: usize) -> Stretches {
        Stretches {
            min_duration,
            joiner: Joiner::default(),
            count: 0,
            ns: 0,
            cost: 0,
            costliest: Top::new(top),
        }
    }

    /// Adds a part, as [`Joiner::add`].
    pub(crate) fn add(&mut self, from: u64, to: u64, rate: u32, waiting: u32) {
        let ended = self.joiner.add(from, to, rate, waiting);
        self.take(ended);
    }

    /// Ends the last stretch.
    pub(crate) fn close(&mut self) {
        let ended = self.joiner.close();
        self.take(ended);
    }

    /// Adds stretches that were joined before.
    pub(crate) fn take(&mut self, stretches: impl IntoIterator<Item = Stretch>) {
        let min_duration = self.min_duration;
        let long_enough = |stretch: &Stretch| min_duration <= stretch.to - stretch.from;
        for stretch in stretches.into_iter().filter(long_enough) {
            self.count += 1;
            self.ns = self.ns.saturating_add(stretch.to - stretch.from);
            self.cost = self.cost.saturating_add(stretch.cost);
            let key = (Reverse(stretch.cost), stretch.from, stretch.to, stretch.waiting_max);
            self.costliest.push(key);
        }
    }

    /// The costliest stretches, in descending order, after the last part.
    pub(crate) fn costliest(&mut self) -> Vec<Stretch> {
        self.close();
        let costliest = std::mem::replace(&mut self.costliest, Top::new(0)).into_sorted();
        let stretches = costliest
            .into_iter()
            .map(|(Reverse(cost), from, to, waiting_max)| Stretch {
                from,
                to,
                cost,
                waiting_max,
            });
        stretches.collect()
    }
}

/// Disjoint stretches with a search by time.
#[derive(Debug)]
pub(crate) struct ByTime {
    pub(crate) stretches: Vec<Stretch>,
    /// The stretches with their indexes, in order of time.
    order: Vec<(usize, Range<u64>)>,
    /// Of these, the first that had not ended where the last search began.
    near: usize,
}

impl ByTime {
    pub(crate) fn new(stretches: Vec<Stretch>) -> ByTime {
        let places = stretches.iter().map(|stretch| stretch.from..stretch.to).enumerate();
        let mut order: Vec<(usize, Range<u64>)> = places.collect();
        sort_by_keys(&mut order, |&(index, ref place)| [place.start, index as u64]);
        ByTime {
            stretches,
            order,
            near: 0,
        }
    }

    /// Calls `add` with each stretch that overlaps, and with the overlap; quick if the search before began in the same one.
    pub(crate) fn overlaps(&mut self, from: u64, to: u64, mut add: impl FnMut(usize, u64, u64)) {
        let ended = |(_, place): &(usize, Range<u64>)| place.end <= from;
        let (before, after) = self.order.split_at(self.near);
        if !before.last().is_none_or(ended) || after.first().is_some_and(ended) {
            self.near = self.order.partition_point(ended);
        }
        for (number, place) in self.order.iter().skip(self.near) {
            let (start, end) = (place.start.max(from), place.end.min(to));
            if end <= start {
                return;
            }
            add(*number, start, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByTime, Stretch};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_overlaps_is_found_wherever_the_last_search_was(
            mut times in prop::collection::vec(0_u64..40, 0..12),
            searches in prop::collection::vec((0_u64..40, 0_u64..40), 0..12),
        ) {
            times.sort_unstable();
            times.dedup();
            let stretches: Vec<Stretch> = times
                .chunks_exact(2)
                .rev()
                .map(|ends| Stretch { from: ends[0], to: ends[1], cost: 0, waiting_max: 0 })
                .collect();
            let mut by_time = ByTime::new(stretches.clone());
            for (from, to) in searches {
                let mut found = Vec::new();
                by_time.overlaps(from, to, |number, from, to| found.push((number, from, to)));
                found.sort_unstable();
                let all = stretches.iter().enumerate();
                let expected: Vec<_> = all
                    .map(|(number, stretch)| (number, stretch.from.max(from), stretch.to.min(to)))
                    .filter(|&(_, from, to)| from < to)
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
