//! Where the buckets of a [`Pyramid`](super::pyramid::Pyramid) become dense.

use super::buckets::DENSE;
use super::grouped::{Grouped, Offsets};
use super::pyramid::MAX_LEVEL;
use schedmodel::Lane;

/// So many starts are looked at in the time of one sum.
const STARTS: usize = 4;

/// For each run of `DENSE + 1` starts, the lowest level on which one bucket holds them all; found in steps.
#[derive(Debug)]
pub enum Seeds {
    /// Counts the runs of each level, while starts are unpacked.
    Counting(Offsets),
    /// Finds the first of each run, by level, then ascending. Has the place of each level's next, and how many are found.
    Placing {
        offsets: Offsets,
        next: Vec<u32>,
        found: usize,
        seeds: Vec<u32>,
    },
    Found(Grouped<u32>),
}

impl Default for Seeds {
    fn default() -> Seeds {
        Seeds::Counting(Offsets::new(u64::BITS as usize + 1))
    }
}

impl Seeds {
    /// Looks at the next starts, which it unpacks from a lane, for as long as `most` sums take; returns how many sums that were. `None`
    /// once all seeds are found.
    pub fn step(&mut self, lane: &Lane, starts: &mut Vec<u64>, most: usize) -> Option<usize> {
        let most = most.saturating_mul(STARTS).max(1);
        let level = |starts: &[u64], run: usize| {
            let (first, last) = starts.get(run).zip(starts.get(run + DENSE))?;
            Some(u64::BITS - (first ^ last).leading_zeros())
        };
        let seen = match self {
            Seeds::Counting(offsets) => {
                starts.reserve_exact(lane.len() - starts.len());
                let before = starts.len();
                starts.extend(lane.starts().range(before..lane.len().min(before.saturating_add(most))));
                for run in before.saturating_sub(DENSE)..starts.len().saturating_sub(DENSE) {
                    level(starts, run).into_iter().for_each(|level| offsets.count(level));
                }
                let seen = starts.len() - before;
                if starts.len() == lane.len() {
                    offsets.accumulate();
                    let offsets = std::mem::take(offsets);
                    *self = Seeds::Placing {
                        next: offsets.starts(),
                        seeds: vec![0; offsets.items()],
                        offsets,
                        found: 0,
                    };
                }
                seen
            }
            Seeds::Placing {
                offsets,
                next,
                found,
                seeds,
            } => {
                let before = *found;
                *found = seeds.len().min(before.saturating_add(most));
                for run in before..*found {
                    // Each was counted.
                    let next = level(starts, run).and_then(|level| next.get_mut(level as usize));
                    let Some(next) = next else { continue };
                    if let Some(seed) = seeds.get_mut(*next as usize) {
                        *seed = run as u32;
                    }
                    *next += 1;
                }
                let seen = *found - before;
                if *found == seeds.len() {
                    *self = Seeds::Found(Grouped::of_parts(std::mem::take(seeds), std::mem::take(offsets)));
                }
                seen
            }
            Seeds::Found(_) => return None,
        };
        Some(1 + seen / STARTS)
    }

    /// The lowest level that has any; above all levels if there are none.
    pub fn first_level(&self) -> u32 {
        let levels = 0..=MAX_LEVEL;
        levels
            .into_iter()
            .find(|&level| !self.of(level).is_empty())
            .unwrap_or(MAX_LEVEL + 1)
    }

    /// Those of a level; none before all are found.
    pub fn of(&self, level: u32) -> &[u32] {
        match self {
            Seeds::Found(seeds) => seeds.of(level as usize),
            Seeds::Counting(_) | Seeds::Placing { .. } => &[],
        }
    }
}
