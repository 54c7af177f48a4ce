//! Summaries of the buckets of one level of a lane, in columns: ids take as few bytes as they fit, and what a screen copies
//! lies together.

use super::cells::{CellKey, CellWords, CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY};
use super::fraction;
use schedmodel::stored::stored;
use schedmodel::Codes;
use std::ops::Range;

/// The most intervals that may begin in a bucket which is not dense.
pub const DENSE: usize = 3;

/// Beside the flags that the second word of a cell has in its upper half: the next dense bucket is the next one of the lane.
const FOLLOWED: u8 = 1 << 7;
/// What is kept of a cell beside it are bits 16 to 22 of its second word.
const _: () = assert!((CELL_UNKNOWN | CELL_MERGED | CELL_HIGHLIGHT | CELL_INFERRED) >> 16 < FOLLOWED as u32);

/// What is known of a bucket.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The task that runs longest (smallest id if several do); [`NO_KEY`] if none that is shown runs.
    pub task: u32,
    /// The comm that runs longest, likewise.
    pub comm: u32,
    /// The second word of its cell.
    pub packed: u32,
}

/// Buckets of one level of a lane, ascending: the dense ones, or all.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    /// The first interval that begins in each or after it; of none, where that is soon found.
    first: Vec<u32>,
    task: Codes,
    comm: Codes,
    /// Busy fractions; see [`busy_fraction`].
    busy: Vec<u16>,
    flags: Vec<u8>,
}

/// `busy` ns as a fraction of a bucket of `level`: 65535 is all of it; rounded up, so that 1 ns is never 0.
pub fn busy_fraction(busy: u64, level: u32) -> u16 {
    fraction::of_bucket(busy, 65535, level).min(65535) as u16
}

/// The second word of a cell.
pub fn packed(busy: u16, unknown: bool, inferred: bool) -> u32 {
    let unknown = if unknown { CELL_UNKNOWN } else { 0 };
    let inferred = if inferred { CELL_INFERRED } else { 0 };
    u32::from(busy) | unknown | inferred
}

impl Buckets {
    /// None.
    pub const NONE: Buckets = Buckets {
        first: Vec::new(),
        task: Codes::NONE,
        comm: Codes::NONE,
        busy: Vec::new(),
        flags: Vec::new(),
    };

    /// Room for so many, with their first intervals or without.
    pub fn with_capacity(buckets: usize, with_first: bool) -> Buckets {
        Buckets {
            first: Vec::with_capacity(if with_first { buckets } else { 0 }),
            task: Codes::with_capacity(buckets),
            comm: Codes::with_capacity(buckets),
            busy: Vec::with_capacity(buckets),
            flags: Vec::with_capacity(buckets),
        }
    }

    /// Adds a bucket. `first`: the first interval that begins in it or after it.
    pub fn push(&mut self, first: Option<usize>, summary: Summary) {
        self.first.extend(first.map(|first| first as u32));
        self.task.push(summary.task);
        self.comm.push(summary.comm);
        self.busy.push(summary.packed as u16);
        self.flags.push((summary.packed >> 16) as u8);
    }

    /// Adds several with the same summary, before the same interval.
    pub fn push_times(&mut self, first: Option<usize>, summary: Summary, times: usize) {
        let first = first.map(|first| std::iter::repeat_n(first as u32, times));
        self.first.extend(first.into_iter().flatten());
        self.task.push_times(summary.task, times);
        self.comm.push_times(summary.comm, times);
        self.busy.resize(self.busy.len() + times, summary.packed as u16);
        self.flags
            .resize(self.flags.len() + times, (summary.packed >> 16) as u8);
    }

    /// The next one to add is the next bucket of the lane.
    pub fn mark_last_followed(&mut self) {
        self.flags.last_mut().into_iter().for_each(|flags| *flags |= FOLLOWED);
    }

    /// Adds dense ones of a lane, as cells.
    pub fn push_dense(&mut self, dense: &Buckets, range: Range<usize>, with_first: bool) {
        let first = dense.first.get(range.clone()).filter(|_| with_first);
        self.first.extend_from_slice(first.unwrap_or_default());
        self.task.extend(&dense.task, range.clone());
        self.comm.extend(&dense.comm, range.clone());
        self.busy
            .extend_from_slice(dense.busy.get(range.clone()).unwrap_or_default());
        let flags = dense.flags.get(range).unwrap_or_default();
        self.flags.extend(flags.iter().map(|flags| flags & !FOLLOWED));
    }

    /// Says how busy a bucket is.
    pub fn set_busy(&mut self, index: usize, busy: u16) {
        self.busy
            .get_mut(index)
            .into_iter()
            .for_each(|of_bucket| *of_bucket = busy);
    }

    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// How many come before the one that has the interval `first` or one after it as its first.
    pub fn before(&self, first: usize) -> usize {
        self.first.partition_point(|&of_bucket| (of_bucket as usize) < first)
    }

    /// The first interval that begins in a bucket or after it, if that is known.
    #[inline]
    pub fn first(&self, index: usize) -> Option<usize> {
        self.first.get(index).map(|&first| first as usize)
    }

    /// How many dense buckets, at most `most`, follow one another without a gap from one of them on.
    pub fn run(&self, index: usize, most: usize) -> usize {
        let flags = self.flags.get(index..).unwrap_or_default();
        let followed = |flags: &&u8| *flags & FOLLOWED != 0;
        1 + flags.iter().take(most.saturating_sub(1)).take_while(followed).count()
    }

    /// The first interval after those that begin in the dense bucket before one, if that is known; else from where on it is.
    #[inline]
    pub fn next(&self, index: usize) -> Result<usize, usize> {
        let last = index.saturating_sub(1);
        let next = self.first(index).filter(|_| self.flags(last) & FOLLOWED != 0);
        next.ok_or_else(|| self.first(last).unwrap_or(0) + DENSE + 1)
    }

    fn flags(&self, index: usize) -> u8 {
        self.flags.get(index).copied().unwrap_or(0)
    }

    /// The task or comm that runs longest.
    #[inline]
    pub fn key(&self, index: usize, key: CellKey) -> u32 {
        self.keys(key).get(index).unwrap_or(NO_KEY)
    }

    /// The second word of a cell.
    #[inline]
    pub fn packed(&self, index: usize) -> u32 {
        let busy = self.busy.get(index).copied().unwrap_or(0);
        word(busy, self.flags(index))
    }

    fn keys(&self, key: CellKey) -> &Codes {
        match key {
            CellKey::Task => &self.task,
            CellKey::Comm => &self.comm,
        }
    }

    /// Fills cells from a bucket on, as far as there are buckets; returns how many.
    pub fn copy(&self, from: usize, key: CellKey, cells: &mut [CellWords]) -> usize {
        let range = from.min(self.len())..from.saturating_add(cells.len()).min(self.len());
        let words = self.busy.iter().zip(&self.flags).skip(range.start);
        let mut words = cells.iter_mut().zip(words);
        let copied = range.len();
        self.keys(key).each(range, |key| {
            if let Some((cell, (&busy, &flags))) = words.next() {
                *cell = [key, word(busy, flags)];
            }
        });
        copied
    }

    pub fn shrink_to_fit(&mut self) {
        self.first.shrink_to_fit();
        self.task.shrink_to_fit();
        self.comm.shrink_to_fit();
        self.busy.shrink_to_fit();
        self.flags.shrink_to_fit();
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let columns = self.first.capacity() * size_of::<u32>() + self.busy.capacity() * size_of::<u16>();
        let codes = self.task.memory_bytes() + self.comm.memory_bytes();
        columns + codes + self.flags.capacity() + size_of::<Buckets>()
    }
}

#[inline]
fn word(busy: u16, flags: u8) -> u32 {
    u32::from(busy) | u32::from(flags & !FOLLOWED) << 16
}

stored!(Buckets {
    first: Vec<u32>,
    task: Codes,
    comm: Codes,
    busy: Vec<u16>,
    flags: Vec<u8>,
});
