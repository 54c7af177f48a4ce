//! Merges the CPUs' rows by (time, CPU).
//!
//! The rows of a window of time are read stream by stream, and put in order together: what one of them costs does not depend on
//! how many streams there are, and none waits for the comparison before.

use schedrows::{Row, RowDrain, Rows};

/// One event in merged order.
#[derive(Clone, Copy, Debug)]
pub struct Next<'a> {
    /// Index of the stream.
    pub source: usize,
    /// Since the trace's first record; never earlier than a previous event of the same stream.
    pub at: u64,
    /// Whether the row is older than the previous one in its stream.
    pub backwards: bool,
    /// What the stream says.
    pub row: &'a Row,
}

/// The latest possible time, 104 days after the first record: up to here a double is exact and sums over all CPUs fit
/// 64 bits. Only damaged records exceed it.
pub const MAX_TIME: u64 = 1 << 53;

/// Time since the trace's first record.
#[inline]
pub(crate) fn since(base_ns: u64, ts: u64) -> u64 {
    ts.saturating_sub(base_ns).min(MAX_TIME)
}

/// How many events a window has, as far as it can be foreseen: few enough for the first caches of a core, and many beside the streams,
/// each of which is looked at for each window.
const WINDOW: usize = 1 << 10;
/// How many events of one stream a window has at most: what all CPUs do at once need not be in memory at once.
const OF_STREAM: usize = 1 << 11;
/// Times in a window are the upper half of its keys.
const MAX_LENGTH: u64 = 1 << u32::BITS;

/// A row with the index of its stream.
#[derive(Clone, Copy, Debug)]
struct Read {
    row: Row,
    source: u32,
}

/// Some events, in order.
#[derive(Debug, Default)]
pub struct Window {
    base_ns: u64,
    /// When the first of them was.
    from: u64,
    /// As they were read, stream by stream; those of earlier windows behind them.
    read: Vec<Read>,
    /// A key for each, ascending: when it was, since `from`, above its index in `read`.
    order: Vec<u64>,
    /// The keys before they were put in order.
    keys: Vec<u64>,
}

impl Window {
    /// The events in order.
    #[inline]
    pub fn events(&self) -> impl Iterator<Item = Next<'_>> {
        self.order.iter().filter_map(|&key| {
            let Read { row, source } = self.read.get(key as u32 as usize)?;
            let at = self.time_of(key);
            Some(Next {
                source: *source as usize,
                at,
                backwards: since(self.base_ns, row.ts) < at,
                row,
            })
        })
    }

    /// When the last event was; `None` if there is none.
    pub fn last(&self) -> Option<u64> {
        self.order.last().map(|&key| self.time_of(key))
    }

    fn time_of(&self, key: u64) -> u64 {
        self.from + (key >> u32::BITS)
    }

    /// Adds an event. Of those at the same time, the first that is added comes first.
    #[inline(always)]
    fn add(&mut self, at: u64, read: Read) {
        let index = self.keys.len();
        self.keys.push((at - self.from) << u32::BITS | index as u64);
        match self.read.get_mut(index) {
            Some(slot) => *slot = read,
            None => self.read.push(read),
        }
    }

    /// Puts the keys in order, the times of which are less than `length`: digit by digit, from the lowest on.
    fn sort(&mut self, length: u64) {
        const DIGIT: u32 = u8::BITS;
        let keys = &mut self.keys;
        self.order.resize(keys.len(), 0);
        for shift in (u32::BITS..u64::BITS).step_by(DIGIT as usize) {
            if (length - 1) << u32::BITS >> shift == 0 {
                break;
            }
            let digit = |key: u64| usize::from((key >> shift) as u8);
            // How many keys there are with each digit, and then where the next of them goes.
            let mut places = [0_u32; 1 << DIGIT];
            for &key in keys.iter() {
                places[digit(key)] += 1;
            }
            let mut before = 0;
            for place in &mut places {
                before += std::mem::replace(place, before);
            }
            for &key in keys.iter() {
                let place = &mut places[digit(key)];
                if let Some(slot) = self.order.get_mut(*place as usize) {
                    *slot = key;
                }
                *place += 1;
            }
            std::mem::swap(keys, &mut self.order);
        }
        std::mem::swap(keys, &mut self.order);
    }
}

/// Stands for the time of a stream's next row if there is none.
const ENDED: u64 = u64::MAX;

/// The streams of rows, merged; rows that were read are freed.
pub struct Merge {
    base_ns: u64,
    streams: Vec<RowDrain>,
    /// When the next row of each stream is.
    heads: Vec<u64>,
    /// Events that were read, and come after the last window.
    carried: Vec<(u64, Read)>,
    /// How long the next window is.
    length: u64,
}

impl Merge {
    /// The streams of a trace whose first record is at `base_ns`. Of rows with the same time, that of the first stream comes
    /// first.
    pub fn new(streams: Vec<Rows>, base_ns: u64) -> Merge {
        let heads = streams.iter().map(|rows| rows.iter().next());
        Merge {
            base_ns,
            heads: heads.map(|row| row.map_or(ENDED, |row| since(base_ns, row.ts))).collect(),
            streams: streams.into_iter().map(Rows::drain).collect(),
            carried: Vec::new(),
            length: 1 << 16,
        }
    }

    /// Calls `take` with all events in order.
    pub fn each(mut self, mut take: impl FnMut(Next<'_>)) {
        let mut window = Window::default();
        while self.next(&mut window) {
            window.events().for_each(&mut take);
        }
    }

    /// Puts the next events into a window, in place of those before; returns whether there are any.
    pub fn next(&mut self, window: &mut Window) -> bool {
        window.keys.clear();
        let carried = self.carried.first().map(|&(at, _)| at);
        let from = self.heads.iter().copied().chain(carried).min();
        let Some(from) = from.filter(|&from| from != ENDED) else {
            window.order.clear();
            return false;
        };
        (window.base_ns, window.from) = (self.base_ns, from);
        for (at, read) in self.carried.drain(..) {
            window.add(at, read);
        }
        let all = from + self.length;
        let mut until = all;
        let streams = self.streams.iter_mut().zip(&mut self.heads).zip(0..);
        for ((rows, next), source) in streams.filter(|((_, next), _)| **next < all) {
            let (mut before, most) = (*next, window.keys.len() + OF_STREAM);
            *next = ENDED;
            rows.read_while(|row| {
                let at = since(self.base_ns, row.ts).max(before);
                let taken = at < until && window.keys.len() < most;
                if taken {
                    window.add(at, Read { row: *row, source });
                    before = at;
                } else {
                    *next = at;
                }
                taken
            });
            // All that is read of the others is before what is left of this one.
            if *next < until {
                until = before;
            }
        }
        window.sort(self.length);
        let end = match until < all {
            true => window.order.partition_point(|&key| window.time_of(key) <= until),
            false => window.order.len(),
        };
        for &key in window.order.get(end..).unwrap_or_default() {
            let read = window.read.get(key as u32 as usize);
            self.carried.extend(read.map(|&read| (window.time_of(key), read)));
        }
        window.order.truncate(end);
        if WINDOW < end || until < all {
            self.length = (self.length / 2).max(1);
        } else if end < WINDOW / 2 {
            self.length = (self.length * 2).min(MAX_LENGTH);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use schedrows::RowKind;

    fn stream(times: &[u64]) -> Rows {
        let row = |&ts: &u64| Row::of(RowKind::Lost, ts);
        times.iter().map(row).collect()
    }

    fn merged<T>(streams: Vec<Rows>, base_ns: u64, tell: impl Fn(Next) -> T) -> Vec<T> {
        let mut told = Vec::new();
        Merge::new(streams, base_ns).each(|next| told.push(tell(next)));
        told
    }

    proptest! {
        #[test]
        fn merges_like_a_sort(mut times in prop::collection::vec(prop::collection::vec(5_u64..40, 0..20), 0..9)) {
            times.iter_mut().for_each(|times| times.sort_unstable());
            let streams: Vec<Rows> = times.iter().map(|times| stream(times)).collect();
            let merged = merged(streams, 5, |next| (next.at, next.source));
            let mut sorted: Vec<(u64, usize)> =
                times.iter().enumerate().flat_map(|(source, times)| times.iter().map(move |&at| (at - 5, source))).collect();
            sorted.sort();
            prop_assert_eq!(merged, sorted);
        }
    }

    #[test]
    fn time_that_goes_back_stands_still() {
        let rows = stream(&[10, 30, 20, 40]);
        let merged = merged(vec![rows], 10, |next| (next.at, next.backwards));
        assert_eq!(merged, [(0, false), (20, false), (20, true), (30, false)]);
    }
}
