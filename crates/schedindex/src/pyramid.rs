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
//! It is built bottom-up: the sums of a bucket are those of its halves. Of levels with few buckets all cells are stored, in
//! place of their dense buckets: see `levels.rs`.

use super::fraction;
use super::seeds::Seeds;
use super::shown::Shown;
use super::tally::Tally;
use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored, stored_plain};
use schedmodel::{Lane, TaskComm, TaskCommId, Times, Who};
use std::ops::Range;

/// The most intervals that may begin in a bucket which is not stored.
pub const DENSE: usize = 3;
/// The highest level; its first bucket covers any trace (146 years of ns).
pub const MAX_LEVEL: u32 = 62;

/// A stored bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Bucket {
    /// The first interval that begins in it.
    pub first: u32,
    /// The task that runs longest (smallest id if several do); `u32::MAX` if none that is shown runs.
    pub task: u32,
    /// The comm that runs longest, likewise.
    pub comm: u32,
    /// Busy fraction; see [`busy_fraction`].
    pub busy: u16,
    /// How many intervals begin in it; [`MANY`] or more are not counted.
    count: u8,
    flags: u8,
}

/// As many intervals as a bucket does not count: only levels with few buckets have such.
const MANY: usize = u8::MAX as usize;

mod flag {
    pub const UNKNOWN: u8 = 1;
    pub const INFERRED: u8 = 2;
    pub const FLUSH: u8 = 4;
    pub const FOLLOWED: u8 = 8;
}

impl Bucket {
    /// The first interval after those that begin in it. `end`: where it ends.
    #[inline]
    pub fn next(&self, starts: &Times, end: u64) -> usize {
        let first = self.first as usize;
        match usize::from(self.count) {
            MANY => starts.gallop(first, end),
            count => first + count,
        }
    }

    /// Whether a part of it is unknown.
    pub fn unknown(&self) -> bool {
        self.flags & flag::UNKNOWN != 0
    }

    /// Whether it contains an inferred run.
    pub fn inferred(&self) -> bool {
        self.flags & flag::INFERRED != 0
    }

    /// Whether its first interval begins exactly at its start, so that none continues from the bucket before.
    pub fn flush(&self) -> bool {
        self.flags & flag::FLUSH != 0
    }

    /// Whether the next bucket is dense as well.
    pub fn followed(&self) -> bool {
        self.flags & flag::FOLLOWED != 0
    }
}

/// `busy` ns as a fraction of a bucket of `level`: 65535 is all of it; rounded up, so that 1 ns is never 0.
pub fn busy_fraction(busy: u64, level: u32) -> u16 {
    fraction::of_bucket(busy, 65535, level).min(65535) as u16
}

/// The dense buckets of one lane.
#[derive(Clone, Debug, Default)]
pub struct Pyramid {
    /// Level of `levels[0]`; no finer level has dense buckets.
    first_level: u32,
    /// By level, ascending by `first`.
    levels: Vec<Vec<Bucket>>,
}

impl Pyramid {
    /// Forgets the buckets of `level` and all above.
    pub fn forget_from(&mut self, level: u32) {
        self.levels.truncate(level.saturating_sub(self.first_level) as usize);
        self.levels.shrink_to_fit();
    }

    /// The dense buckets of `level`, ascending.
    pub fn level(&self, level: u32) -> &[Bucket] {
        let index = level.checked_sub(self.first_level);
        index
            .and_then(|index| self.levels.get(index as usize))
            .map_or(&[], Vec::as_slice)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.levels
            .iter()
            .map(|buckets| buckets.capacity() * size_of::<Bucket>() + size_of::<Vec<Bucket>>())
            .sum()
    }
}

stored_plain!(Bucket);
stored!(Pyramid {
    first_level: u32,
    levels: Vec<Vec<Bucket>>,
});

/// Makes a pyramid, level by level.
#[derive(Debug, Default)]
pub struct PyramidBuilder {
    /// Unpacked, because they are read again for each level.
    starts: Vec<u64>,
    seeds: Seeds,
    /// Of the last finished level.
    below: LevelSums,
    levels: Vec<Vec<Bucket>>,
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
    buckets: Vec<Bucket>,
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
            let bucket = self.take(level, first..end, &mut made.sums);
            if let Some(before) = made.buckets.last_mut().filter(|_| made.last == number.checked_sub(1)) {
                before.flags |= flag::FOLLOWED;
            }
            made.last = Some(number);
            made.buckets.push(bucket);
            made.halves += of_bucket;
            made.seeds += begun;
            sums += begun + inner.iter().map(|half| 1 + half.to - half.from).sum::<usize>();
        }
        (sums, true)
    }

    /// The level above one whose only bucket holds all of the lane.
    fn widened(&self, level: u32, below: &[Bucket]) -> Vec<Bucket> {
        let sums = self.below.buckets.first();
        let wider = below.iter().zip(sums).map(|(bucket, sums)| Bucket {
            busy: busy_fraction(sums.busy, level),
            ..*bucket
        });
        wider.collect()
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

    fn take(&mut self, level: u32, begun: Range<usize>, sums: &mut LevelSums) -> Bucket {
        let from = sums.arena.len();
        let dominant = self.tally.take(self.pairs, &mut sums.arena);
        let (unknown, inferred) = (std::mem::take(&mut self.unknown), std::mem::take(&mut self.inferred));
        let first = self.start_of(begun.start);
        let mut flags = if unknown { flag::UNKNOWN } else { 0 };
        flags |= if inferred { flag::INFERRED } else { 0 };
        flags |= if first >> level << level == first {
            flag::FLUSH
        } else {
            0
        };
        sums.buckets.push(Dense {
            first: begun.start,
            end: begun.end,
            from,
            to: sums.arena.len(),
            busy: dominant.busy,
            unknown,
            inferred,
        });
        Bucket {
            first: begun.start as u32,
            count: begun.len().min(MANY) as u8,
            task: dominant.task,
            comm: dominant.comm,
            busy: busy_fraction(dominant.busy, level),
            flags,
        }
    }
}
