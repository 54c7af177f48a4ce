//! The cells of the timeline: one per lane and dyadic bucket.

use crate::index::{busy_fraction, Bits, Bucket, Pyramid, Shown, MAX_LEVEL};
use schedmodel::{Lane, TaskComm, Who};
use serde::Deserialize;
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
    pub(crate) fn span(&self) -> Span {
        Span {
            level: self.level.min(MAX_LEVEL),
            first: self.first_bucket,
            key: self.key,
        }
    }
}

/// The buckets of one lane.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) level: u32,
    pub(crate) first: u64,
    pub(crate) key: CellKey,
}

/// A lane and what is needed to summarise it.
pub(crate) struct LaneCells<'a> {
    pub(crate) lane: &'a Lane,
    pub(crate) pyramid: &'a Pyramid,
    pub(crate) pairs: &'a [TaskComm],
    pub(crate) shown: &'a Shown,
    pub(crate) highlighted: Option<&'a Bits>,
}

/// Position of a walk over the buckets of a lane.
struct Walk<'a> {
    /// Start of the next bucket.
    start: u64,
    /// First interval that begins at or after `start`.
    next: usize,
    /// Dense buckets at or after `start`.
    dense: &'a [Bucket],
    /// Whether the next bucket is the first of `dense`.
    in_dense: bool,
    /// First highlighted run that the walk has not passed.
    highlighted: Option<usize>,
}

/// Consecutive buckets with the same cell.
struct Part {
    cell: (u32, u32),
    /// The intervals that overlap it.
    intervals: Range<usize>,
    buckets: u64,
}

impl LaneCells<'_> {
    /// Fills `cells`, two words per bucket.
    pub(crate) fn fill(&self, span: Span, cells: &mut [u32]) {
        let mut rest = cells;
        if let Some(mut walk) = self.walk(span) {
            while !rest.is_empty() && walk.start < self.lane.end() {
                let part = self.part(&mut walk, span);
                let cell = self.highlighted(&mut walk, &part, span.key);
                let filled = usize::try_from(part.buckets).map_or(rest.len(), |buckets| rest.len().min(2 * buckets));
                let (now, later) = rest.split_at_mut(filled);
                fill_with(now, cell);
                rest = later;
            }
        }
        fill_with(rest, (NO_KEY, 0));
    }

    fn walk(&self, span: Span) -> Option<Walk<'_>> {
        let start = span.first.checked_mul(1 << span.level)?;
        let next = self.lane.starts().partition_point(|at| at < start);
        let dense = self.pyramid.level(span.level);
        let first_dense = dense.partition_point(|bucket| (bucket.first as usize) < next);
        Some(Walk {
            start,
            next,
            dense: dense.get(first_dense..).unwrap_or_default(),
            in_dense: false,
            highlighted: self.highlighted.and_then(|bits| bits.next(next.saturating_sub(1))),
        })
    }

    /// The cell of the next bucket, and how many of the following buckets have the same cell.
    fn part(&self, walk: &mut Walk, span: Span) -> Part {
        let starts = self.lane.starts();
        let Walk { start, next, .. } = *walk;
        let end = start.saturating_add(1 << span.level);
        // For adjacent dense buckets the intervals, which are spread over memory, are not read.
        let begins = match walk.in_dense {
            true => start,
            false => starts.get(next).unwrap_or(self.lane.end()),
        };
        walk.in_dense = false;
        let mut part = if end <= begins {
            // One interval fills this bucket, and possibly some more.
            let index = next.saturating_sub(1);
            Part {
                cell: self.whole(index, span.key),
                intervals: index..next,
                buckets: (begins - start) >> span.level,
            }
        } else if let Some((bucket, others)) = walk
            .dense
            .split_first()
            .filter(|(bucket, _)| bucket.first as usize == next)
        {
            walk.dense = others;
            walk.in_dense = bucket.followed();
            let first = if bucket.flush() { next } else { next.saturating_sub(1) };
            let intervals = first..next + bucket.count as usize;
            Part {
                cell: from_bucket(bucket, span.key),
                intervals,
                buckets: 1,
            }
        } else {
            // An interval that ended just where the bucket starts is not in it.
            let first = if begins == start { next } else { next.saturating_sub(1) };
            let begun = starts.range(next..starts.len()).take_while(|&at| at < end).count();
            let intervals = first..next + begun;
            Part {
                cell: self.sum(intervals.clone(), start, end, span),
                intervals,
                buckets: 1,
            }
        };
        // Two are the edge of a run: its busy fraction says all there is to say.
        if 2 < part.intervals.len() {
            part.cell.1 |= CELL_MERGED;
        }
        walk.start = start.saturating_add(part.buckets << span.level);
        walk.next = part.intervals.end;
        part
    }

    /// The cell of a part, with the first highlighted run of its intervals if there is one.
    fn highlighted(&self, walk: &mut Walk, part: &Part, key: CellKey) -> (u32, u32) {
        let (first, flags) = part.cell;
        while let (Some(bits), Some(index)) = (self.highlighted, walk.highlighted) {
            if part.intervals.end <= index {
                break;
            }
            if part.intervals.contains(&index) {
                let highlighted = self.lane.run(index).map_or(first, |id| self.key_of(id.0, key));
                return (highlighted, flags | CELL_HIGHLIGHT);
            }
            walk.highlighted = bits.next(part.intervals.start);
        }
        part.cell
    }

    fn key_of(&self, id: u32, key: CellKey) -> u32 {
        let pair = self.pairs.get(id as usize);
        pair.map_or(NO_KEY, |pair| match key {
            CellKey::Task => pair.task.0,
            CellKey::Comm => pair.comm.0,
        })
    }

    /// The cell of a bucket that lies within one interval.
    fn whole(&self, index: usize, key: CellKey) -> (u32, u32) {
        match self.lane.who(index) {
            Who::Run(id) if self.shown.has(id) => {
                let inferred = if self.lane.inferred(index) { CELL_INFERRED } else { 0 };
                (self.key_of(id.0, key), 65535 | inferred)
            }
            Who::Unknown => (NO_KEY, CELL_UNKNOWN),
            Who::Run(_) | Who::Idle => (NO_KEY, 0),
        }
    }

    /// The cell of a bucket with few intervals.
    fn sum(&self, intervals: Range<usize>, start: u64, end: u64, span: Span) -> (u32, u32) {
        // At most one key per interval: those that begin here, and the one that continues.
        let mut keys = [None; crate::index::DENSE + 1];
        let (mut flags, mut busy) = (0, 0);
        for index in intervals {
            let interval = self.lane.interval(index);
            let ns = interval.end.min(end).saturating_sub(interval.start.max(start));
            match interval.who {
                _ if ns == 0 => {}
                Who::Run(id) if self.shown.has(id) => {
                    if self.lane.inferred(index) {
                        flags |= CELL_INFERRED;
                    }
                    busy += ns;
                    let key = self.key_of(id.0, span.key);
                    let same_or_free = |slot: &&mut Option<(u32, u64)>| slot.is_none_or(|(known, _)| known == key);
                    if let Some(slot) = keys.iter_mut().find(same_or_free) {
                        slot.get_or_insert((key, 0)).1 += ns;
                    }
                }
                Who::Unknown => flags |= CELL_UNKNOWN,
                Who::Run(_) | Who::Idle => {}
            }
        }
        let most = keys
            .into_iter()
            .map_while(|slot| slot)
            .max_by_key(|&(key, ns)| (ns, std::cmp::Reverse(key)));
        (
            most.map_or(NO_KEY, |(key, _)| key),
            flags | u32::from(busy_fraction(busy, span.level)),
        )
    }
}

fn from_bucket(bucket: &Bucket, key: CellKey) -> (u32, u32) {
    let unknown = if bucket.unknown() { CELL_UNKNOWN } else { 0 };
    let inferred = if bucket.inferred() { CELL_INFERRED } else { 0 };
    let key = match key {
        CellKey::Task => bucket.task,
        CellKey::Comm => bucket.comm,
    };
    (key, u32::from(bucket.busy) | unknown | inferred)
}

fn fill_with(cells: &mut [u32], (key, packed): (u32, u32)) {
    for cell in cells.chunks_exact_mut(2) {
        if let [first, second] = cell {
            (*first, *second) = (key, packed);
        }
    }
}
