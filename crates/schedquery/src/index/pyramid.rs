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
//! It is built bottom-up: the sums of a bucket are those of its halves.

use super::fraction;
use super::shown::Shown;
use super::tally::Tally;
use schedmodel::{Lane, TaskComm, Who};

/// The most intervals that may begin in a bucket which is not stored.
pub(crate) const DENSE: usize = 3;
/// The highest level; its first bucket covers any trace (146 years of ns).
pub const MAX_LEVEL: u32 = 62;

/// A stored bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The first interval that begins in it.
    pub first: u32,
    /// How many intervals begin in it.
    pub count: u32,
    /// The task that runs longest (smallest id if several do); `u32::MAX` if none that is shown runs.
    pub task: u32,
    /// The comm that runs longest, likewise.
    pub comm: u32,
    /// Busy fraction; see [`busy_fraction`].
    pub busy: u16,
    flags: u8,
}

mod flag {
    pub const UNKNOWN: u8 = 1;
    pub const INFERRED: u8 = 2;
    pub const FLUSH: u8 = 4;
    pub const FOLLOWED: u8 = 8;
}

impl Bucket {
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

/// The intervals that begin in one bucket, and where its sums are if it is dense.
#[derive(Clone, Copy)]
struct Group {
    first: u32,
    sums: Option<u32>,
}

/// Sums of one dense bucket: a range of the arena, and flags.
#[derive(Clone, Copy)]
struct Sums {
    start: usize,
    end: usize,
    unknown: bool,
    inferred: bool,
}

/// All sums of one level.
#[derive(Default)]
struct LevelSums {
    arena: Vec<(u32, u64)>,
    buckets: Vec<Sums>,
}

impl Pyramid {
    /// Summarises `lane`; runs that are not `shown` count as no task's.
    pub fn new(lane: &Lane, pairs: &[TaskComm], shown: &Shown) -> Pyramid {
        Pyramid::with_tally(lane, shown, &mut Tally::new(pairs))
    }

    /// One pyramid per lane.
    pub fn of_lanes(lanes: &[Lane], pairs: &[TaskComm], shown: &Shown) -> Vec<Pyramid> {
        let mut tally = Tally::new(pairs);
        lanes
            .iter()
            .map(|lane| Pyramid::with_tally(lane, shown, &mut tally))
            .collect()
    }

    fn with_tally(lane: &Lane, shown: &Shown, tally: &mut Tally) -> Pyramid {
        // Unpacked, because it is read again for each level.
        let starts: Vec<u64> = lane.starts().iter().collect();
        let starts = starts.as_slice();
        let closest = starts.iter().zip(starts.iter().skip(DENSE)).map(|(a, b)| b - a).min();
        let Some(closest) = closest else {
            return Pyramid::default();
        };
        // A bucket with more than DENSE starts is wider than the closest such group.
        let first_level = u64::BITS - closest.leading_zeros();
        let mut builder = Builder {
            lane,
            starts,
            shown,
            tally,
            unknown: false,
            inferred: false,
        };
        let mut groups: Vec<Group> = Vec::new();
        let mut last = None;
        for (index, start) in starts.iter().enumerate() {
            if last.replace(start >> first_level) != Some(start >> first_level) {
                groups.push(Group {
                    first: index as u32,
                    sums: None,
                });
            }
        }
        let mut pyramid = Pyramid {
            first_level,
            levels: Vec::new(),
        };
        let mut below = LevelSums::default();
        for level in first_level..=MAX_LEVEL {
            let mut sums = LevelSums::default();
            let mut buckets: Vec<Bucket> = Vec::new();
            let halves = if level == first_level {
                Vec::new()
            } else {
                std::mem::take(&mut groups)
            };
            if level != first_level {
                groups = join(starts, &halves, level);
            }
            let mut halves = &halves[..];
            let mut rest = groups.iter_mut().peekable();
            while let Some(group) = rest.next() {
                let first = group.first as usize;
                let end = rest.peek().map_or(starts.len(), |next| next.first as usize);
                let in_group = halves.iter().take_while(|half| (half.first as usize) < end).count();
                let (of_group, others) = halves.split_at_checked(in_group).unwrap_or((halves, &[]));
                halves = others;
                if end - first <= DENSE {
                    continue;
                }
                builder.sum(level, first..end, of_group, &below);
                group.sums = Some(sums.buckets.len() as u32);
                buckets.push(builder.take(level, first..end, &mut sums));
            }
            let mut next = None;
            for bucket in buckets.iter_mut().rev() {
                let number = start_of(starts, bucket.first as usize) >> level;
                if next == Some(number + 1) {
                    bucket.flags |= flag::FOLLOWED;
                }
                next = Some(number);
            }
            buckets.shrink_to_fit();
            pyramid.levels.push(buckets);
            below = sums;
        }
        pyramid
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

/// The groups of `level`, joined from those of the level below.
fn join(starts: &[u64], halves: &[Group], level: u32) -> Vec<Group> {
    let bucket_of = |group: &Group| start_of(starts, group.first as usize) >> level;
    let mut groups: Vec<Group> = Vec::with_capacity(halves.len());
    for half in halves {
        if groups.last().is_none_or(|last| bucket_of(last) != bucket_of(half)) {
            groups.push(Group {
                first: half.first,
                sums: None,
            });
        }
    }
    groups
}

/// Start of an interval; each group and each bucket begins with one.
fn start_of(starts: &[u64], index: usize) -> u64 {
    starts.get(index).copied().unwrap_or(0)
}

struct Builder<'a, 'b> {
    lane: &'a Lane,
    starts: &'a [u64],
    shown: &'a Shown,
    tally: &'a mut Tally<'b>,
    unknown: bool,
    inferred: bool,
}

impl Builder<'_, '_> {
    /// Sums one dense bucket, in which the intervals `begun` begin: from its halves, or on the first level from its
    /// intervals.
    fn sum(&mut self, level: u32, begun: std::ops::Range<usize>, halves: &[Group], below: &LevelSums) {
        let start = start_of(self.starts, begun.start) >> level << level;
        if halves.is_empty() {
            return self.walk(start, start + (1 << level), begun);
        }
        let middle = start + (1 << (level - 1));
        let starts = self.starts.get(begun.clone()).unwrap_or_default();
        let split = begun.start + starts.partition_point(|&at| at < middle);
        let end = start + (1 << level);
        for (from, to, part) in [(start, middle, begun.start..split), (middle, end, split..begun.end)] {
            let stored = halves
                .iter()
                .find(|half| part.start as u32 == half.first && !part.is_empty())
                .and_then(|half| half.sums);
            match stored.and_then(|index| below.buckets.get(index as usize)) {
                Some(sums) => {
                    self.unknown |= sums.unknown;
                    self.inferred |= sums.inferred;
                    for &(id, ns) in below.arena.get(sums.start..sums.end).unwrap_or_default() {
                        self.tally.add(schedmodel::TaskCommId(id), ns);
                    }
                }
                None => self.walk(from, to, part),
            }
        }
    }

    /// Adds the intervals of `[from, to)`: the one that continues into it, and those that begin in it.
    fn walk(&mut self, from: u64, to: u64, begun: std::ops::Range<usize>) {
        for index in begun.start.saturating_sub(1)..begun.end {
            let interval = self.lane.interval(index);
            let ns = interval.end.min(to).saturating_sub(interval.start.max(from));
            match interval.who {
                _ if ns == 0 => {}
                Who::Run(id) if self.shown.has(id) => {
                    self.inferred |= self.lane.inferred(index);
                    self.tally.add(id, ns);
                }
                Who::Unknown => self.unknown = true,
                Who::Run(_) | Who::Idle => {}
            }
        }
    }

    fn take(&mut self, level: u32, begun: std::ops::Range<usize>, sums: &mut LevelSums) -> Bucket {
        let start = sums.arena.len();
        let dominant = self.tally.take(&mut sums.arena);
        let (unknown, inferred) = (std::mem::take(&mut self.unknown), std::mem::take(&mut self.inferred));
        let first = start_of(self.starts, begun.start);
        let mut flags = if unknown { flag::UNKNOWN } else { 0 };
        flags |= if inferred { flag::INFERRED } else { 0 };
        flags |= if first >> level << level == first {
            flag::FLUSH
        } else {
            0
        };
        sums.buckets.push(Sums {
            start,
            end: sums.arena.len(),
            unknown,
            inferred,
        });
        Bucket {
            first: begun.start as u32,
            count: begun.len() as u32,
            task: dominant.task,
            comm: dominant.comm,
            busy: busy_fraction(dominant.busy, level),
            flags,
        }
    }
}
