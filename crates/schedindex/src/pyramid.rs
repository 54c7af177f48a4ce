//! Level of detail of one lane: exact summaries of dyadic buckets.
//!
//! Bucket `i` of level `l` is `[i << l, (i + 1) << l)` ns. Only *dense* buckets, in which more than [`DENSE`] intervals
//! begin, are stored; any other bucket is summed from its few intervals on demand. So a bucket costs the same at every
//! zoom, and the index takes a few bytes per interval:
//!
//! ```text
//! level l+1  |        dense         |                      |
//! level l    |   dense   |  sparse  |  sparse  |           |
//! intervals   |||||||||||   |    |       |   |
//! ```
//!
//! It is built bottom-up: the sums of a bucket are those of its halves. Of coarser levels all cells are stored, in
//! place of their dense buckets: see `levels.rs`.

use super::buckets::{busy_fraction, packed, Buckets, Summary, DENSE};
use super::cells::CELL_MERGED;
use super::seeds::Seeds;
use super::shown::Shown;
use super::tally::Tally;
use schedmodel::stored::stored;
use schedmodel::{Lane, TaskComm, TaskCommId, Who};
use std::ops::Range;

/// The highest level; its first bucket covers any trace (146 years of ns).
pub const MAX_LEVEL: u32 = 62;

/// The dense buckets of one lane.
#[derive(Clone, Debug, Default)]
pub struct Pyramid {
    /// Level of `levels[0]`; no finer level has dense buckets.
    first_level: u32,
    /// By level, ascending by `first`.
    levels: Vec<Buckets>,
}

impl Pyramid {
    /// Forgets the buckets of `level` and all above.
    pub fn forget_from(&mut self, level: u32) {
        self.levels.truncate(level.saturating_sub(self.first_level) as usize);
        self.levels.shrink_to_fit();
    }

    /// The dense buckets of `level`, ascending.
    pub fn level(&self, level: u32) -> &Buckets {
        const NONE: &Buckets = &Buckets::NONE;
        let index = level.checked_sub(self.first_level);
        index.and_then(|index| self.levels.get(index as usize)).unwrap_or(NONE)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.levels.iter().map(Buckets::memory_bytes).sum()
    }
}

stored!(Pyramid {
    first_level: u32,
    levels: Vec<Buckets>,
});

/// Makes a pyramid, level by level.
#[derive(Debug, Default)]
pub struct PyramidBuilder {
    /// Unpacked, because they are read again for each level.
    starts: Vec<u64>,
    seeds: Seeds,
    /// Of the last finished level.
    below: LevelSums,
    levels: Vec<Buckets>,
    next: Unfinished,
}

impl PyramidBuilder {
    /// Continues with `lane`; runs that are not `shown` count as no task's. Makes up to about `most` sums, and returns how many;
    /// `None` after the last level.
    pub fn step(
        &mut self,
        lane: &Lane,
        pairs: &[TaskComm],
        shown: &Shown,
        tally: &mut Tally,
        most: usize,
    ) -> Option<usize> {
        if let Some(seen) = self.seeds.step(lane, &mut self.starts, most) {
            return Some(seen);
        }
        let level = self.seeds.first_level().saturating_add(self.levels.len() as u32);
        if MAX_LEVEL < level {
            return None;
        }
        let mut builder = Builder {
            lane,
            starts: &self.starts,
            pairs,
            shown,
            tally,
            below: &self.below,
            unknown: false,
            inferred: false,
        };
        if let Some(below) = self.levels.last().filter(|_| lane.end() < 1 << (level - 1)) {
            // A bucket that holds all of the lane has the same sums on every level above.
            self.levels.push(builder.widened(level, below));
            return Some(1);
        }
        let (made, more) = builder.level(level, self.seeds.of(level), &mut self.next, most);
        if !more {
            let Unfinished { sums, mut buckets, .. } = std::mem::take(&mut self.next);
            buckets.shrink_to_fit();
            self.below = sums;
            self.levels.push(buckets);
        }
        Some(1 + made)
    }

    /// What was made.
    pub fn finish(self) -> Pyramid {
        Pyramid {
            first_level: self.seeds.first_level(),
            levels: self.levels,
        }
    }
}

/// A level of which some buckets are made, from left to right.
#[derive(Debug, Default)]
struct Unfinished {
    /// How many dense buckets of the level below, and seeds, these hold.
    halves: usize,
    seeds: usize,
    /// The number of the last one.
    last: Option<u64>,
    sums: LevelSums,
    buckets: Buckets,
}

/// Sums of one dense bucket: a range of the arena, and flags.
#[derive(Clone, Copy, Debug)]
struct Dense {
    /// The intervals that begin in it.
    first: usize,
    end: usize,
    /// Its sums in the arena of its level.
    from: usize,
    to: usize,
    busy: u64,
    unknown: bool,
    inferred: bool,
}

/// All dense buckets of one level.
#[derive(Debug, Default)]
struct LevelSums {
    /// Of one bucket after the other: (pair, ns).
    arena: Vec<(u32, u64)>,
    buckets: Vec<Dense>,
}

/// Makes one level.
struct Builder<'a> {
    lane: &'a Lane,
    starts: &'a [u64],
    pairs: &'a [TaskComm],
    shown: &'a Shown,
    tally: &'a mut Tally,
    below: &'a LevelSums,
    unknown: bool,
    inferred: bool,
}

impl Builder<'_> {
    /// Start of an interval, the lane's end after the last.
    fn start_of(&self, index: usize) -> u64 {
        self.starts.get(index).copied().unwrap_or(self.lane.end())
    }

    /// The next dense buckets of a level: what holds a dense one of the level below, and what becomes dense here. Only these are
    /// looked at, however many others there are. Returns how many sums were made, and whether there are more.
    fn level(&mut self, level: u32, seeds: &[u32], made: &mut Unfinished, most: usize) -> (usize, bool) {
        let below = self.below;
        let mut sums = 0;
        let mut halves = below.buckets.get(made.halves..).unwrap_or_default();
        let mut seeds = seeds.get(made.seeds..).unwrap_or_default();
        while sums < most {
            let half = halves.first().map(|half| half.first);
            let seed = seeds.first().map(|&seed| seed as usize);
            let Some(known) = half.into_iter().chain(seed).min() else {
                return (sums, false);
            };
            let number = self.start_of(known) >> level;
            let within = |index: usize| self.starts.get(index).is_some_and(|at| at >> level == number);
            // At most both.
            let of_bucket = halves.iter().take_while(|half| within(half.first)).count();
            let (inner, others) = halves.split_at_checked(of_bucket).unwrap_or((halves, &[]));
            halves = others;
            let begun = seeds.iter().take_while(|&&seed| within(seed as usize)).count();
            let (seeded, others) = seeds.split_at_checked(begun).unwrap_or((seeds, &[]));
            seeds = others;
            // Beside these, the bucket has the few of a half that is not dense.
            let mut first = known;
            while first.checked_sub(1).is_some_and(within) {
                first -= 1;
            }
            let mut end = inner.last().map_or(0, |half| half.end);
            end = end.max(seeded.last().map_or(0, |&seed| seed as usize + DENSE + 1));
            while within(end) {
                end += 1;
            }
            self.sum(level, number, first..end, inner, &below.arena);
            if made.last == number.checked_sub(1) {
                made.buckets.mark_last_followed();
            }
            made.last = Some(number);
            self.take(level, first..end, made);
            made.halves += of_bucket;
            made.seeds += begun;
            sums += begun + inner.iter().map(|half| 1 + half.to - half.from).sum::<usize>();
        }
        (sums, true)
    }

    /// The level above one whose only bucket holds all of the lane.
    fn widened(&self, level: u32, below: &Buckets) -> Buckets {
        let mut wider = below.clone();
        if let Some(sums) = self.below.buckets.first() {
            wider.set_busy(0, busy_fraction(sums.busy, level));
        }
        wider
    }

    /// Sums one dense bucket, in which the intervals `begun` begin: of its dense halves what is known, of others the
    /// intervals.
    fn sum(&mut self, level: u32, number: u64, begun: Range<usize>, halves: &[Dense], arena: &[(u32, u64)]) {
        let start = number << level;
        let end = start.saturating_add(1 << level);
        let (mut from, mut index) = (start, begun.start);
        for half in halves {
            let half_level = level.saturating_sub(1);
            let half_start = self.start_of(half.first) >> half_level << half_level;
            if from < half_start {
                self.walk(from, half_start, index..half.first);
            }
            self.unknown |= half.unknown;
            self.inferred |= half.inferred;
            for &(id, ns) in arena.get(half.from..half.to).unwrap_or_default() {
                self.tally.add(TaskCommId(id), ns);
            }
            from = half_start.saturating_add(1 << half_level);
            index = half.end;
        }
        if from < end {
            self.walk(from, end, index..begun.end);
        }
    }

    /// Adds the intervals of `[from, to)`: the one that continues into it, and those that begin in it.
    fn walk(&mut self, from: u64, to: u64, begun: Range<usize>) {
        for index in begun.start.saturating_sub(1)..begun.end {
            let (start, end) = (self.start_of(index), self.start_of(index + 1));
            let ns = end.min(to).saturating_sub(start.max(from));
            match self.lane.who(index) {
                _ if ns == 0 => {}
                Who::Run(id) if self.shown.has_pair(id) => {
                    self.inferred |= self.lane.inferred(index);
                    self.tally.add(id, ns);
                }
                Who::Unknown => self.unknown = true,
                Who::Run(_) | Who::Idle => {}
            }
        }
    }

    /// Ends a bucket in which the intervals `begun` begin.
    fn take(&mut self, level: u32, begun: Range<usize>, made: &mut Unfinished) {
        let from = made.sums.arena.len();
        let dominant = self.tally.take(self.pairs, &mut made.sums.arena);
        let (unknown, inferred) = (std::mem::take(&mut self.unknown), std::mem::take(&mut self.inferred));
        let summary = Summary {
            task: dominant.task,
            comm: dominant.comm,
            packed: CELL_MERGED | packed(busy_fraction(dominant.busy, level), unknown, inferred),
        };
        made.buckets.push(Some(begun.start), summary);
        made.sums.buckets.push(Dense {
            first: begun.start,
            end: begun.end,
            from,
            to: made.sums.arena.len(),
            busy: dominant.busy,
            unknown,
            inferred,
        });
    }
}
