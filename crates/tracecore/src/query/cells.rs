//! One cell per lane and dyadic bucket: what the timeline draws.

use crate::index::{busy_fraction, Bits, Bucket, Pyramid, Shown, MAX_LEVEL};
use crate::sched::{Lane, TaskComm, Who};
use serde::Deserialize;

/// The key of a cell in which nothing runs.
pub const NO_KEY: u32 = u32::MAX;
/// Some of the bucket is unknown.
pub const CELL_UNKNOWN: u32 = 1 << 16;
/// More than two intervals fall into the bucket: not just the edge of a run.
pub const CELL_MERGED: u32 = 1 << 17;
/// A highlighted run falls into the bucket; the key is that of the first one.
pub const CELL_HIGHLIGHT: u32 = 1 << 18;
/// A run in the bucket was inferred.
pub const CELL_INFERRED: u32 = 1 << 19;

/// What the key of a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKey {
    /// The dominant task's id.
    Task,
    /// The dominant comm's id.
    Comm,
}

/// Which cells: `buckets` of width `2^level` ns from `first_bucket` on, for each of `cpus`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CellsQuery {
    /// Bucket width, as a power of two.
    pub level: u32,
    /// Bucket `i` is `[i << level, (i + 1) << level)`.
    pub first_bucket: u64,
    /// How many.
    pub buckets: u32,
    /// CPU numbers, in the order wanted.
    pub cpus: Vec<u32>,
    /// What the key is.
    pub key: CellKey,
}

impl CellsQuery {
    /// The buckets of one lane, clamped to what a level can be.
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

/// A lane with what is needed to summarise it.
pub(crate) struct LaneCells<'a> {
    pub(crate) lane: &'a Lane,
    pub(crate) pyramid: &'a Pyramid,
    pub(crate) pairs: &'a [TaskComm],
    pub(crate) shown: &'a Shown,
    pub(crate) highlighted: Option<&'a Bits>,
}

impl LaneCells<'_> {
    /// Fills `cells`, two words for each bucket.
    pub(crate) fn fill(&self, span: Span, cells: &mut [u32]) {
        let starts = self.lane.starts();
        let lane_end = self.lane.end();
        let width = 1_u64 << span.level;
        let dense = self.pyramid.level(span.level);
        let Some(mut start) = span.first.checked_mul(width).filter(|&start| start < lane_end) else {
            return nothing(cells);
        };
        // `next`: the first interval that begins at or after `start`.
        let mut next = starts.partition_point(|&at| at < start);
        let mut dense_next = dense.partition_point(|bucket| (bucket.first as usize) < next);
        let mut highlight = self.next_highlighted(0);
        // The bucket before was a dense one.
        let mut followed = false;
        let mut rest = cells;
        while 2 <= rest.len() {
            if lane_end <= start {
                return nothing(rest);
            }
            let mut filled = 1;
            let mut cell;
            let first;
            let after;
            // Without a look at the intervals: these are spread over memory, dense buckets are side by side.
            let follows = dense_next
                .checked_sub(1)
                .is_some_and(|last| followed && dense[last].followed());
            followed = false;
            let end = start.saturating_add(width);
            let begins = if follows {
                start
            } else {
                starts.get(next).copied().unwrap_or(lane_end)
            };
            if end <= begins {
                // One interval has this bucket, and maybe some more, for itself.
                first = next.saturating_sub(1);
                after = next;
                filled = (((begins - start) >> span.level) as usize).min(rest.len() / 2);
                cell = self.whole(first, span.key);
            } else {
                let stored = dense.get(dense_next).filter(|bucket| bucket.first as usize == next);
                if let Some(bucket) = stored {
                    first = if bucket.flush() { next } else { next.saturating_sub(1) };
                    after = next + bucket.count as usize;
                    dense_next += 1;
                    followed = true;
                    cell = from_bucket(bucket, span.key);
                } else {
                    // An interval that ended just where the bucket starts is not in it.
                    first = if begins == start { next } else { next.saturating_sub(1) };
                    after = next + starts[next..].iter().take_while(|&&at| at < end).count();
                    cell = self.sum(first..after, start, end, span);
                }
                // Two are the edge of a run: its busy fraction says all there is to say.
                if 2 < after - first {
                    cell.1 |= CELL_MERGED;
                }
            }
            while highlight.is_some_and(|index| index < first) {
                highlight = self.next_highlighted(first);
            }
            if let Some(index) = highlight.filter(|&index| index < after) {
                if let Who::Run(id) = self.lane.who(index) {
                    cell = (self.key_of(id.0, span.key), cell.1 | CELL_HIGHLIGHT);
                }
            }
            let (now, later) = rest.split_at_mut(2 * filled);
            for slot in now.chunks_exact_mut(2) {
                slot[0] = cell.0;
                slot[1] = cell.1;
            }
            rest = later;
            next = after;
            start = start.saturating_add((filled as u64).saturating_mul(width));
        }
    }

    fn next_highlighted(&self, from: usize) -> Option<usize> {
        self.highlighted?.next(from)
    }

    fn key_of(&self, id: u32, key: CellKey) -> u32 {
        let pair = self.pairs[id as usize];
        match key {
            CellKey::Task => pair.task.0,
            CellKey::Comm => pair.comm.0,
        }
    }

    /// A bucket that lies within one interval.
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

    /// A bucket with few intervals.
    fn sum(&self, intervals: std::ops::Range<usize>, start: u64, end: u64, span: Span) -> (u32, u32) {
        // At most one key for each interval: those that begin here, and the one that goes on.
        let mut keys = [(0_u32, 0_u64); crate::index::DENSE + 1];
        let mut used = 0;
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
                    match keys[..used].iter_mut().find(|(known, _)| *known == key) {
                        Some((_, sum)) => *sum += ns,
                        None => {
                            keys[used] = (key, ns);
                            used += 1;
                        }
                    }
                }
                Who::Unknown => flags |= CELL_UNKNOWN,
                Who::Run(_) | Who::Idle => {}
            }
        }
        let most = keys[..used]
            .iter()
            .copied()
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

/// Cells past the end of the lane.
fn nothing(cells: &mut [u32]) {
    for cell in cells.chunks_exact_mut(2) {
        cell[0] = NO_KEY;
        cell[1] = 0;
    }
}
