//! The cells of the timeline: one per lane and dyadic bucket.

use super::buckets::{busy_fraction, Buckets, DENSE};
use super::levels::Levels;
use super::tally::{Dominant, Tally};
use crate::{Bits, Shown, MAX_LEVEL};
use schedmodel::{Lane, LaneReader, TaskComm, TaskCommId, Who};
use serde::Deserialize;
use std::cell::RefCell;
use std::cmp::{Ordering, Reverse};
use std::ops::Range;

/// The key of a cell in which nothing runs.
pub const NO_KEY: u32 = u32::MAX;
/// A part of the bucket is unknown.
pub const CELL_UNKNOWN: u32 = 1 << 16;
/// More than two intervals fall into the bucket, so it is more than the edge of a run.
pub const CELL_MERGED: u32 = 1 << 17;
/// A highlighted run falls into the bucket; the key is that of the first one.
pub const CELL_HIGHLIGHT: u32 = 1 << 18;
/// A run in the bucket was inferred.
pub const CELL_INFERRED: u32 = 1 << 19;

/// A cell as it is answered: its key, and its second word, whose lower half is how busy the bucket is, in 65535ths.
pub type CellWords = [u32; 2];

/// So many intervals are looked at one after the other before a search begins.
const FEW: usize = 8;

/// The cell of a bucket in which nothing runs.
const NOTHING: CellWords = [NO_KEY, 0];

/// What a cell's key identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKey {
    /// The dominant task's id.
    Task,
    /// The dominant comm's id.
    Comm,
}

/// The requested cells: `buckets` of width `2^level` ns from `first_bucket` on, for each of `cpus`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CellsQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// Bucket `i` is `[i << level, (i + 1) << level)`.
    pub first_bucket: u64,
    /// Number of buckets.
    pub buckets: u32,
    /// CPU numbers, in the requested order.
    pub cpus: Vec<u32>,
    /// What the keys identify.
    pub key: CellKey,
}

impl CellsQuery {
    /// The buckets of one lane, clamped to the range of the level.
    pub fn span(&self) -> Span {
        Span {
            level: self.level.min(MAX_LEVEL),
            first: self.first_bucket,
            key: self.key,
        }
    }

    /// Adds room for all cells to some words; where those of each CPU belong.
    pub fn rows_behind<'a>(&'a self, words: &'a mut Vec<u32>) -> impl Iterator<Item = (u32, &'a mut [CellWords])> {
        let (from, buckets) = (words.len(), self.buckets as usize);
        words.resize(from + 2 * buckets * self.cpus.len(), 0);
        let cells = bytemuck::try_cast_slice_mut(words.get_mut(from..).unwrap_or_default()).unwrap_or_default();
        // Of no buckets there are no cells.
        self.cpus.iter().copied().zip(cells.chunks_exact_mut(buckets.max(1)))
    }
}

/// The buckets of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Bucket width, as a power of two of ns.
    pub level: u32,
    /// The number of the first bucket.
    pub first: u64,
    /// What the keys identify.
    pub key: CellKey,
}

/// A lane and what is needed to summarise it.
pub struct LaneCells<'a> {
    /// The lane.
    pub lane: &'a Lane,
    /// What its cells are made of.
    pub detail: Detail<'a>,
    /// What the runs of lanes refer to.
    pub pairs: &'a [TaskComm],
    /// Whose runs count; those of others are as if nothing ran.
    pub shown: &'a Shown,
    /// Intervals of the lane that are highlighted.
    pub highlighted: Option<&'a Bits>,
}

/// What cells are made of.
#[derive(Clone, Copy)]
pub enum Detail<'a> {
    /// The lane's level of detail, with the same `shown`.
    Levels(&'a Levels),
    /// All of its intervals, which are summed here: as long as there is no level of detail, this is what a picture takes.
    Intervals(&'a RefCell<Tally>),
}

/// Position of a walk over the buckets of a lane.
pub struct Walk<'a> {
    reader: LaneReader<'a>,
    /// Start of the next bucket.
    start: u64,
    /// First interval that begins at or after `start`.
    next: usize,
    /// The dense buckets of the lane.
    pub dense: &'a Buckets,
    /// Which of them is the first at or after `start`.
    next_dense: usize,
    /// What runs in the last bucket that was summed from few intervals.
    few: Few,
}

/// Consecutive buckets with the same cell, or dense ones.
pub struct Part {
    pub what: What,
    /// The second word of the cell; of dense ones, of the first.
    pub packed: u32,
    /// The first interval that begins in it or later.
    pub first: usize,
    /// The intervals that overlap it.
    intervals: Range<usize>,
    pub buckets: u64,
}

/// Where the key of a cell comes from.
pub enum What {
    /// One interval.
    Whole(usize),
    /// The walk's dense buckets from this one on.
    Dense(usize),
    /// The few that the walk has.
    Few,
    /// The intervals of a bucket that would be dense.
    Many(Dominant),
}

/// Runs of a bucket that is not dense: (pair, ns).
#[derive(Default)]
struct Few {
    runs: [(u32, u64); DENSE + 1],
    len: usize,
}

impl<'a> LaneCells<'a> {
    /// Fills `cells`, one for each bucket.
    pub fn fill(&self, span: Span, cells: &mut [CellWords]) {
        let stored = match self.detail {
            Detail::Levels(levels) => levels.stored(span.level),
            Detail::Intervals(_) => None,
        };
        match stored {
            Some(stored) => self.copy(stored, span, cells),
            None => self.sum_up(span, cells),
        }
    }

    /// Fills cells with stored ones.
    fn copy(&self, stored: &Buckets, span: Span, cells: &mut [CellWords]) {
        let first = usize::try_from(span.first).unwrap_or(usize::MAX);
        let of_lane = stored.copy(first, span.key, cells);
        let (of_lane, behind) = cells.split_at_mut(of_lane);
        behind.fill(NOTHING);
        self.highlight_stored(stored, span, of_lane);
    }

    /// Fills cells from one bucket to the next.
    fn sum_up(&self, span: Span, cells: &mut [CellWords]) {
        let mut rest = cells;
        if span.first.checked_mul(1 << span.level).is_some() {
            let mut walk = self.walk(span.level, span.first);
            let mut highlighted = self.highlighted.and_then(|bits| bits.next(walk.next.saturating_sub(1)));
            while !rest.is_empty() && walk.start < self.lane.end() {
                // Of several dense ones it is not known which have a highlighted run.
                let most = if highlighted.is_some() { 1 } else { rest.len() };
                let part = self.part(&mut walk, span.level, most);
                let buckets = usize::try_from(part.buckets).map_or(rest.len(), |buckets| buckets.min(rest.len()));
                let (now, later) = rest.split_at_mut(buckets);
                match part.what {
                    What::Dense(index) if 1 < most => {
                        walk.dense.copy(index, span.key, now);
                    }
                    _ => {
                        let cell = [self.key(&walk, &part.what, span.key), part.packed];
                        now.fill(self.highlight(&mut highlighted, &part, cell, span.key));
                    }
                }
                rest = later;
            }
        }
        rest.fill(NOTHING);
    }

    /// From the bucket `first` on, which begins within 64 bits.
    pub fn walk(&self, level: u32, first: u64) -> Walk<'a> {
        let start = first << level;
        let next = self.lane.starts().partition_point(|at| at < start);
        let dense = match self.detail {
            Detail::Levels(levels) => levels.pyramid.level(level),
            Detail::Intervals(_) => const { &Buckets::NONE },
        };
        Walk {
            reader: LaneReader::new(self.lane),
            start,
            next,
            dense,
            next_dense: dense.before(next),
            few: Few::default(),
        }
    }

    /// What comes next: a bucket and those that follow it with the same cell, or up to `most` dense ones.
    ///
    /// Inlined, since what it returns is taken apart at once: to write and read it takes a tenth of a picture.
    #[inline(always)]
    pub fn part(&self, walk: &mut Walk<'a>, level: u32, most: usize) -> Part {
        let Walk { start, next, .. } = *walk;
        let end = start.saturating_add(1 << level);
        let begins = walk.reader.start_of(next);
        // An interval that ended just where the bucket starts is not in it.
        let first = if begins == start { next } else { next.saturating_sub(1) };
        let (what, packed, after, buckets) = if end <= begins {
            // One interval fills this bucket, and possibly some more.
            (What::Whole(first), self.whole(first), next, (begins - start) >> level)
        } else if walk.dense.first(walk.next_dense) == Some(next) {
            // Of dense buckets the intervals, which are spread over memory, are not read.
            let (dense, index) = (walk.dense, walk.next_dense);
            let buckets = dense.run(index, most);
            walk.next_dense += buckets;
            let end = start.saturating_add((buckets as u64) << level);
            let after = dense.next(walk.next_dense);
            let after = after.unwrap_or_else(|from| self.first_from(&mut walk.reader, from, end));
            (What::Dense(index), dense.packed(index), after, buckets as u64)
        } else {
            let reader = &mut walk.reader;
            let many = self.tally().filter(|_| reader.start_of(next + DENSE) < end);
            match many {
                Some(tally) => {
                    let (dominant, packed, after) =
                        self.sum_many(&mut tally.borrow_mut(), first, reader, start..end, level);
                    (What::Many(dominant), packed | merged(first..after), after, 1)
                }
                None => {
                    let (packed, after) = self.sum(&mut walk.few, first, reader, start..end, level);
                    (What::Few, packed | merged(first..after), after, 1)
                }
            }
        };
        walk.start = start.saturating_add(buckets << level);
        walk.next = after;
        Part {
            what,
            packed,
            first: next,
            intervals: first..after,
            buckets,
        }
    }

    /// The first interval at or after interval `from` that begins at or after `at`: mostly one of the next.
    #[inline]
    fn first_from(&self, reader: &mut LaneReader, from: usize, at: u64) -> usize {
        let mut near = from..from + FEW;
        near.find(|&index| at <= reader.start_of(index))
            .unwrap_or_else(|| self.lane.starts().gallop(from + FEW, at))
    }

    /// The cell of a part, with the first highlighted run of its intervals if there is one. `next`: the first highlighted run
    /// that the walk has not passed.
    fn highlight(&self, next: &mut Option<usize>, part: &Part, cell: CellWords, key: CellKey) -> CellWords {
        let [first, flags] = cell;
        while let (Some(bits), Some(index)) = (self.highlighted, *next) {
            if part.intervals.end <= index {
                break;
            }
            if part.intervals.contains(&index) {
                let highlighted = self.lane.run(index).map_or(first, |id| self.key_of(id.0, key));
                return [highlighted, flags | CELL_HIGHLIGHT];
            }
            *next = bits.next(part.intervals.start);
        }
        cell
    }

    /// The same for cells that were stored, all of buckets that begin in the lane: goes from one highlighted run to the next.
    fn highlight_stored(&self, stored: &Buckets, span: Span, cells: &mut [CellWords]) {
        let Some(bits) = self.highlighted else { return };
        let starts = self.lane.starts();
        let mut reader = LaneReader::new(self.lane);
        // An interval that begins before the bucket `at`, or is the first that does not.
        let (mut at, mut near) = (0, None);
        while at < cells.len() {
            let bucket = span.first + at as u64;
            let start = bucket << span.level;
            let begun = stored.first(bucket as usize).unwrap_or_else(|| match near {
                Some(near) => self.first_from(&mut reader, near, start),
                None => starts.partition_point(|at| at < start),
            });
            // The interval before may continue into the bucket; one that ended just where the bucket starts is not in it.
            let continues = start < reader.start_of(begun);
            let Some(index) = bits.next(begun.saturating_sub(usize::from(continues))) else {
                return;
            };
            let (begins, ends) = (reader.start_of(index), reader.start_of(index + 1));
            let last = ends.saturating_sub(1).max(begins) >> span.level;
            let first = (begins >> span.level).saturating_sub(span.first);
            let [first, end] = [first, (last + 1).saturating_sub(span.first)].map(|bucket| bucket as usize);
            let within = cells.get_mut(first.max(at)..end.min(cells.len())).unwrap_or_default();
            if let Some(id) = self.lane.run(index) {
                let highlighted = self.key_of(id.0, span.key);
                for [key, flags] in within {
                    *key = highlighted;
                    *flags |= CELL_HIGHLIGHT;
                }
            }
            (at, near) = (end.max(at + 1), Some(index + 1));
        }
    }

    fn key_of(&self, id: u32, key: CellKey) -> u32 {
        let pair = self.pairs.get(id as usize);
        pair.map_or(NO_KEY, |pair| match key {
            CellKey::Task => pair.task.0,
            CellKey::Comm => pair.comm.0,
        })
    }

    /// The key of the part that a walk has come to last.
    #[inline(always)]
    pub fn key(&self, walk: &Walk, what: &What, key: CellKey) -> u32 {
        match what {
            What::Whole(index) => match self.lane.who(*index) {
                Who::Run(id) if self.shown.has_pair(id) => self.key_of(id.0, key),
                _ => NO_KEY,
            },
            What::Dense(index) => walk.dense.key(*index, key),
            What::Few => walk.few.dominant(|id| self.key_of(id, key)),
            What::Many(dominant) => match key {
                CellKey::Task => dominant.task,
                CellKey::Comm => dominant.comm,
            },
        }
    }

    /// The second word of a bucket that lies within one interval.
    fn whole(&self, index: usize) -> u32 {
        match self.lane.who(index) {
            Who::Run(id) if self.shown.has_pair(id) => {
                let inferred = if self.lane.inferred(index) { CELL_INFERRED } else { 0 };
                65535 | inferred
            }
            Who::Unknown => CELL_UNKNOWN,
            Who::Run(_) | Who::Idle => 0,
        }
    }

    /// Takes the runs of a bucket that has few intervals; the second word of its cell, and the interval after these.
    #[inline]
    fn sum(
        &self,
        few: &mut Few,
        first: usize,
        reader: &mut LaneReader,
        within: Range<u64>,
        level: u32,
    ) -> (u32, usize) {
        few.len = 0;
        let mut busy = 0;
        let (flags, after) = self.runs(first, reader, within, |id, ns| {
            busy += ns;
            few.add(id, ns);
        });
        (flags | u32::from(busy_fraction(busy, level)), after)
    }

    /// The same of a bucket with any number of intervals.
    fn sum_many(
        &self,
        tally: &mut Tally,
        first: usize,
        reader: &mut LaneReader,
        within: Range<u64>,
        level: u32,
    ) -> (Dominant, u32, usize) {
        let (flags, after) = self.runs(first, reader, within, |id, ns| tally.add(id, ns));
        let dominant = tally.dominant(self.pairs);
        (dominant, flags | u32::from(busy_fraction(dominant.busy, level)), after)
    }

    /// Calls `run` with the runs of a bucket, and how long they last there; returns flags, and the interval after it. `first`: its
    /// first interval.
    #[inline]
    fn runs(
        &self,
        first: usize,
        reader: &mut LaneReader,
        within: Range<u64>,
        mut run: impl FnMut(TaskCommId, u64),
    ) -> (u32, usize) {
        let mut flags = 0;
        let (mut from, mut index) = (within.start, first);
        while from < within.end && index < self.lane.len() {
            let to = reader.start_of(index + 1);
            let ns = to.min(within.end).saturating_sub(from);
            match self.lane.who(index) {
                _ if ns == 0 => {}
                Who::Run(id) if self.shown.has_pair(id) => {
                    if self.lane.inferred(index) {
                        flags |= CELL_INFERRED;
                    }
                    run(id, ns);
                }
                Who::Unknown => flags |= CELL_UNKNOWN,
                Who::Run(_) | Who::Idle => {}
            }
            (from, index) = (to, index + 1);
        }
        (flags, index)
    }

    fn tally(&self) -> Option<&'a RefCell<Tally>> {
        match self.detail {
            Detail::Levels(_) => None,
            Detail::Intervals(tally) => Some(tally),
        }
    }
}

impl Few {
    /// At most one for each interval: those that begin in the bucket, and the one that continues.
    #[inline]
    fn add(&mut self, id: TaskCommId, ns: u64) {
        if let Some(run) = self.runs.get_mut(self.len) {
            *run = (id.0, ns);
            self.len += 1;
        }
    }

    /// The key with most of the time; of several the smallest.
    #[inline]
    fn dominant(&self, key_of: impl Fn(u32) -> u32) -> u32 {
        let runs = self.runs.get(..self.len).unwrap_or_default();
        match *runs {
            [] => NO_KEY,
            [(id, _)] => key_of(id),
            [(first, first_ns), (second, second_ns)] => {
                let (first, second) = (key_of(first), key_of(second));
                match first_ns.cmp(&second_ns) {
                    Ordering::Greater => first,
                    Ordering::Less => second,
                    Ordering::Equal => first.min(second),
                }
            }
            _ => dominant_of_many(runs, key_of),
        }
    }
}

/// The flag of a cell that some intervals overlap. Two are the edge of a run: its busy fraction says all there is to say.
fn merged(intervals: Range<usize>) -> u32 {
    match 2 < intervals.len() {
        true => CELL_MERGED,
        false => 0,
    }
}

/// Where more than two run.
fn dominant_of_many(runs: &[(u32, u64)], key_of: impl Fn(u32) -> u32) -> u32 {
    // What a run refers to is often in no cache: each is looked up once.
    let mut keys = [NO_KEY; DENSE + 1];
    for (key, &(id, _)) in keys.iter_mut().zip(runs) {
        *key = key_of(id);
    }
    let mut best = (0, Reverse(NO_KEY));
    for &key in keys.iter().take(runs.len()) {
        let of_key = keys.iter().zip(runs).filter(|(&other, _)| other == key);
        best = best.max((of_key.map(|(_, &(_, ns))| ns).sum(), Reverse(key)));
    }
    best.1 .0
}
