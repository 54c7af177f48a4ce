//! Merges the CPUs' rows by (time, CPU).
//!
//! The rows of a window of time are read stream by stream, and put in order together: what one of them costs does not depend on
//! how many streams there are, and none waits for the comparison before.

use schedrows::{Row, RowDrain, RowKind, Rows};

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

/// How many events a window has, as far as it can be foreseen: few enough for the first cache of a core, and many beside the streams,
/// each of which is looked at for each window. Few in debug builds, so that tests have many windows.
const WINDOW: usize = if cfg!(debug_assertions) { 1 << 4 } else { 1 << 9 };
/// How many events are read for a window at most, but for machines of very many CPUs: each stream has its share. What all CPUs do at
/// once need not be in memory at once.
const MOST: usize = WINDOW << 6;
/// A stream's share of that, at least and at most.
const SHARE: std::ops::RangeInclusive<usize> = WINDOW / 16..=WINDOW * 2;
/// Times in a window have 32 bits.
const MAX_LENGTH: u64 = 1 << u32::BITS;

/// A row that was read.
#[derive(Clone, Copy, Debug)]
struct Read {
    row: Row,
    /// Its stream.
    source: u32,
    /// Since the window began.
    after: u32,
}

impl Read {
    const NONE: Read = Read {
        row: Row::of(RowKind::Lost, 0),
        source: 0,
        after: 0,
    };
}

/// Some events, in order.
#[derive(Debug, Default)]
pub(crate) struct Window {
    base_ns: u64,
    /// When the first of them was.
    from: u64,
    /// As they were read: what earlier windows left, then stream by stream. Behind [`Window::count`] is what has been taken.
    read: Vec<Read>,
    count: usize,
    /// Keys of the events, ascending: when each was, since the window began, above its index in `read`.
    order: Vec<u64>,
    /// The keys while they are put in order.
    keys: Vec<u64>,
}

impl Window {
    /// The events in order.
    #[inline]
    pub(crate) fn events(&self) -> impl Iterator<Item = Next<'_>> {
        self.order.iter().filter_map(|&key| {
            let Read { row, source, .. } = self.of_key(key)?;
            let at = self.time_of(key);
            Some(Next {
                source: *source as usize,
                at,
                backwards: since(self.base_ns, row.ts) < at,
                row,
            })
        })
    }

    /// How many events there are.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// When the last event was; `None` if there is none.
    pub(crate) fn last(&self) -> Option<u64> {
        self.order.last().map(|&key| self.time_of(key))
    }

    #[inline]
    fn time_of(&self, key: u64) -> u64 {
        self.from + (key >> u32::BITS)
    }

    #[inline]
    fn of_key(&self, key: u64) -> Option<&Read> {
        self.read.get(key as u32 as usize)
    }

    /// Room for events.
    fn room(&mut self, events: usize) -> &mut [Read] {
        let end = self.count + events;
        if self.read.len() < end {
            self.read.resize(end, Read::NONE);
        }
        self.read.get_mut(self.count..end).unwrap_or_default()
    }

    /// Puts the events in order, the last of which was at most so long after the window began. Of those at the same time, the one that
    /// was read first comes first.
    fn sort(&mut self, latest: u64) {
        let Window {
            read,
            count,
            order,
            keys,
            ..
        } = self;
        let read = read.get(..*count).unwrap_or_default().iter().zip(0..);
        let unsorted = read.map(|(read, index): (_, u64)| u64::from(read.after) << u32::BITS | index);
        if *count < FEW {
            order.clear();
            order.extend(unsorted);
            return order.sort_unstable();
        }
        keys.resize(*count, 0);
        order.resize(*count, 0);
        scatter(unsorted, u32::BITS, order);
        for shift in (u32::BITS..u64::BITS).step_by(DIGIT as usize).skip(1) {
            if latest << u32::BITS >> shift == 0 {
                break;
            }
            std::mem::swap(order, keys);
            scatter(keys.iter().copied(), shift, order);
        }
    }
}

/// Fewer keys are sorted by comparing them: counting has to look at all digits.
const FEW: usize = if cfg!(debug_assertions) { 8 } else { 64 };
const DIGIT: u32 = u8::BITS;

/// Puts keys in the order of the digit at bit `shift`, those with the same one as they come.
fn scatter(keys: impl Iterator<Item = u64> + Clone, shift: u32, sorted: &mut [u64]) {
    let digit = |key: u64| usize::from((key >> shift) as u8);
    // How many keys have each digit, and then where the next of them goes.
    let mut places = [0_u32; 1 << DIGIT];
    for key in keys.clone() {
        if let Some(place) = places.get_mut(digit(key)) {
            *place += 1;
        }
    }
    let mut before = 0;
    for place in &mut places {
        before += std::mem::replace(place, before);
    }
    for key in keys {
        let Some(place) = places.get_mut(digit(key)) else {
            continue;
        };
        if let Some(slot) = sorted.get_mut(*place as usize) {
            *slot = key;
        }
        *place += 1;
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
    /// Events that were read and come after the last window, the next one last, and when they were.
    carried: Vec<(u64, Read)>,
    /// How long the next window is: a power of two, so that it seldom has a digit more than it needs.
    length: u64,
    /// How many events of one stream are read for a window at most.
    share: usize,
}

impl Merge {
    /// The streams of a trace whose first record is at `base_ns`. Of rows with the same time, that of the first stream comes
    /// first.
    pub fn new(streams: Vec<Rows>, base_ns: u64) -> Merge {
        let share = (MOST / streams.len().max(1)).clamp(*SHARE.start(), *SHARE.end());
        let heads = streams.iter().map(|rows| rows.iter().next());
        Merge {
            base_ns,
            heads: heads
                .map(|row| row.map_or(ENDED, |row| since(base_ns, row.ts)))
                .collect(),
            streams: streams.into_iter().map(Rows::drain).collect(),
            carried: Vec::new(),
            length: 1 << 16,
            share,
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
    pub(crate) fn next(&mut self, window: &mut Window) -> bool {
        let carried = self.carried.last().map(|&(at, _)| at);
        let from = self.heads.iter().copied().chain(carried).min();
        let Some(from) = from.filter(|&from| from != ENDED) else {
            window.order.clear();
            return false;
        };
        (window.base_ns, window.from, window.count) = (self.base_ns, from, 0);
        let within = |&&(at, _): &&(u64, Read)| at - from < self.length;
        let count = self.carried.iter().rev().take_while(within).count();
        let carried = self.carried.drain(self.carried.len() - count..).rev();
        // They come first: no stream before theirs has rows of the same time that are still to be read.
        for (slot, (at, read)) in window.room(count).iter_mut().zip(carried) {
            let after = (at - from) as u32;
            *slot = Read { after, ..read };
        }
        window.count = count;
        let complete = self.read(window, from);
        window.sort(self.length - 1);
        let end = window.order.partition_point(|&key| key >> u32::BITS < complete);
        let behind = window.order.get(end..).unwrap_or_default().iter().rev();
        let behind = behind.filter_map(|&key| Some((window.time_of(key), *window.of_key(key)?)));
        self.carried.extend(behind);
        window.order.truncate(end);
        if complete < self.length || WINDOW < end {
            let length = complete * WINDOW as u64 / end.max(WINDOW) as u64;
            self.length = 1 << length.max(1).ilog2();
        } else if end < WINDOW / 2 {
            self.length = (self.length * 2).min(MAX_LENGTH);
        }
        true
    }

    /// Reads what belongs into a window that begins at `from`. Returns how much of it is complete.
    fn read(&mut self, window: &mut Window, from: u64) -> u64 {
        let first_ts = self.base_ns.saturating_add(from);
        let (mut until, mut complete) = (self.length, self.length);
        for ((rows, head), source) in self.streams.iter_mut().zip(&mut self.heads).zip(0..) {
            if from + until <= *head {
                continue;
            }
            let mut last = *head - from;
            *head = ENDED;
            let mut room = window.room(self.share).iter_mut();
            rows.read_while(|row| {
                let after = row.ts.saturating_sub(first_ts).min(MAX_TIME - from).max(last);
                let slot = if after < until { room.next() } else { None };
                let Some(slot) = slot else {
                    *head = from + after;
                    return false;
                };
                *slot = Read {
                    row: *row,
                    source,
                    after: after as u32,
                };
                last = after;
                true
            });
            let left = room.len();
            window.count += self.share - left;
            if left == 0 && *head < from + until {
                // Of the same time, later streams come after what is left of this one.
                (until, complete) = (last, last + 1);
            }
        }
        complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stream(times: &[u64]) -> Rows {
        let row = |&ts: &u64| Row::of(RowKind::Lost, ts);
        times.iter().map(row).collect()
    }

    fn merged<T>(streams: Vec<Rows>, base_ns: u64, tell: impl Fn(Next) -> T) -> Vec<T> {
        let mut told = Vec::new();
        Merge::new(streams, base_ns).each(|next| told.push(tell(next)));
        told
    }

    /// Bursts and pauses: how many rows follow each other, and how far they are apart.
    fn bursts() -> impl Strategy<Value = Vec<u64>> {
        let apart = prop_oneof![
            Just(0_u64),
            0_u64..3,
            0_u64..90,
            Just(1 << 20),
            Just(1 << 33),
            Just(1 << 47),
            Just(1 << 58)
        ];
        let back = prop::bool::weighted(0.05);
        prop::collection::vec((1_usize..90, apart, back), 0..12).prop_map(|bursts| {
            let mut at = 5_u64;
            let mut times = Vec::new();
            for (rows, apart, back) in bursts {
                at = if back { at / 2 } else { at };
                times.extend((0..rows as u64).map(|row| at.saturating_add(row.saturating_mul(apart))));
                at = times.last().copied().unwrap_or(at);
            }
            times
        })
    }

    proptest! {
        #[test]
        fn merges_like_a_sort(times in prop::collection::vec(bursts(), 0..9), base_ns in 0_u64..40) {
            let streams: Vec<Rows> = times.iter().map(|times| stream(times)).collect();
            let merged = merged(streams, base_ns, |next| (next.at, next.source, next.row.ts, next.backwards));
            let mut sorted = Vec::new();
            for (source, times) in times.iter().enumerate() {
                let mut at = 0;
                for &ts in times {
                    let since = ts.saturating_sub(base_ns).min(MAX_TIME);
                    at = at.max(since);
                    sorted.push((at, source, ts, since < at));
                }
            }
            sorted.sort_by_key(|&(at, source, ..)| (at, source));
            prop_assert_eq!(merged, sorted);
        }
    }

    /// All CPUs are idle for long, then begin at once, and one of them has a burst.
    #[test]
    fn what_is_carried_is_not_gone_through_again_and_again() {
        let mut streams: Vec<Vec<u64>> = (0..64)
            .map(|cpu| (0..64).map(|row| row * 1_000_000 + cpu).collect())
            .collect();
        streams.iter_mut().for_each(|times| times.insert(0, 0));
        let burst: Vec<u64> = (0..40_000).collect();
        streams.push(burst);
        let all: usize = streams.iter().map(Vec::len).sum();
        let (mut merge, mut window) = (
            Merge::new(streams.iter().map(|times| stream(times)).collect(), 0),
            Window::default(),
        );
        merge.length = MAX_LENGTH;
        let (mut events, mut gone_through) = (0, 0);
        while merge.next(&mut window) {
            events += window.order.len();
            gone_through += window.count;
        }
        assert_eq!(events, all);
        assert!(gone_through < 2 * all, "{gone_through} of {all}");
    }

    #[test]
    fn time_that_goes_back_stands_still() {
        let rows = stream(&[10, 30, 20, 40]);
        let merged = merged(vec![rows], 10, |next| (next.at, next.backwards));
        assert_eq!(merged, [(0, false), (20, false), (20, true), (30, false)]);
    }
}
