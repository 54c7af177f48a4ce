//! The order of a trace's rows: row `n` is the `n`-th record of all CPUs, merged.

use crate::scan::RecordIndex;
use schedrows::{varint, Entrant, Head, LoserTree, SmallHead};

/// Rows from one anchor to the next, at least: a lookup walks through half of them.
const ANCHOR_ROWS: usize = 4096;

/// Which CPU each row is of, and when it is: some 3 bytes for each row.
#[derive(Debug, Default)]
pub struct RowOrder {
    streams: Streams,
    /// Each row's time since the row before it (the first one's since 0), as [`varint::put`] writes it.
    times: Vec<u8>,
    anchors: Vec<Anchor>,
    /// For each anchor, how many records of each stream come before it.
    counts: Vec<u32>,
    stream_count: usize,
    anchor_rows: usize,
}

/// A position in the list of CPUs for each row.
#[derive(Debug)]
enum Streams {
    Few(Vec<u8>),
    Many(Vec<u16>),
}

/// What is known at every `anchor_rows`-th row.
#[derive(Clone, Copy, Debug, Default)]
struct Anchor {
    /// Where its time begins in `times`.
    at: usize,
    /// Time of the row before it.
    ts: u64,
    /// The latest time of all rows before it: where time goes back, not the last one's.
    latest: u64,
}

/// Where a row's record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row's number.
    pub row: usize,
    /// Its CPU: position in the indexes that the order was made of.
    pub stream: usize,
    /// Which record of that CPU it is, counted from 0.
    pub record: u64,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub row: usize,
    /// Its CPU: position in the indexes that the order was made of.
    pub stream: usize,
    /// Which record of that CPU it is, counted from 0.
    pub record: u64,
    /// Trace time in ns.
    pub ts: u64,
}

impl Default for Streams {
    fn default() -> Self {
        Streams::Few(Vec::new())
    }
}

impl Streams {
    fn len(&self) -> usize {
        match self {
            Streams::Few(streams) => streams.len(),
            Streams::Many(streams) => streams.len(),
        }
    }

    #[inline]
    fn push(&mut self, stream: usize) {
        match self {
            Streams::Few(streams) => streams.push(stream as u8),
            Streams::Many(streams) => streams.push(stream as u16),
        }
    }

    #[inline]
    fn get(&self, row: usize) -> Option<usize> {
        match self {
            Streams::Few(streams) => streams.get(row).copied().map(usize::from),
            Streams::Many(streams) => streams.get(row).copied().map(usize::from),
        }
    }
}

/// The times of one stream, one after the other.
struct Times {
    bytes: Vec<u8>,
    at: usize,
    ts: u64,
}

impl Times {
    fn of(bytes: Vec<u8>) -> Times {
        Times { bytes, at: 0, ts: 0 }
    }

    /// The first record's.
    fn first(&self) -> Option<u64> {
        varint::take_at(&self.bytes, &mut 0)
    }

    /// Goes back before the first record.
    fn rewind(&mut self) {
        (self.at, self.ts) = (0, 0);
    }

    /// Goes on to the next record; its time.
    #[inline]
    fn advance(&mut self) -> Option<u64> {
        self.ts = self.ts.wrapping_add(varint::take_at(&self.bytes, &mut self.at)?);
        Some(self.ts)
    }

    /// The same, and what the tree is to know of it: nothing (the inner) behind the last record. `None` if its time is not for
    /// this tree.
    #[inline]
    fn next_key(&mut self, key: impl Fn(u64) -> Option<u64>) -> Option<Option<u64>> {
        match self.advance() {
            Some(ts) => key(ts).map(Some),
            None => Some(None),
        }
    }
}

impl RowOrder {
    /// Merges the CPUs as [`super::MergedRecords`] does. Takes the indexes' times, which are not needed any more.
    pub fn new(indexes: &mut [RecordIndex]) -> RowOrder {
        let rows = indexes
            .iter()
            .map(|index| index.times.len().min(index.records as usize))
            .sum();
        // Streams are counted in 16 bits.
        let mut streams: Vec<Times> = indexes
            .iter_mut()
            .take(1 << 16)
            .map(|index| Times::of(std::mem::take(&mut index.times)))
            .collect();
        let few = streams.len() <= SmallHead::STREAMS;
        let earliest = streams.iter().filter_map(Times::first).min().unwrap_or(0);
        let since = |ts: u64| ts.checked_sub(earliest).filter(|&key| key <= SmallHead::MAX_KEY);
        let order = few
            .then(|| RowOrder::merged::<SmallHead>(&mut streams, rows, since))
            .flatten();
        // Of times that are far apart, as damaged records have, or of very many streams: in twice the time.
        let any = |ts: u64| Some(ts.min(LoserTree::MAX_KEY));
        order
            .or_else(|| RowOrder::merged::<Head>(&mut streams, rows, any))
            .unwrap_or_default()
    }

    /// From the first times on. `key`: what the tree is to know of a time; `None` if that one is not for this tree, and then
    /// there is no order.
    fn merged<H: Entrant>(streams: &mut [Times], rows: usize, key: impl Fn(u64) -> Option<u64>) -> Option<RowOrder> {
        let mut order = RowOrder {
            streams: match streams.len() {
                0..=0x100 => Streams::Few(Vec::with_capacity(rows)),
                _ => Streams::Many(Vec::with_capacity(rows)),
            },
            stream_count: streams.len(),
            // The counts of many CPUs are not to outweigh the rows.
            anchor_rows: ANCHOR_ROWS.max(16 * streams.len().next_power_of_two()),
            ..RowOrder::default()
        };
        streams.iter_mut().for_each(Times::rewind);
        let heads = streams.iter_mut().map(|stream| Times::next_key(stream, &key));
        let heads = heads.collect::<Option<Vec<_>>>()?;
        let mut tree = LoserTree::<H>::of(heads);
        let mut counts = vec![0_u32; streams.len()];
        let mut anchor = Anchor::default();
        while tree.winner().is_some() {
            order.counts.extend_from_slice(&counts);
            anchor = order.take_part(anchor, &mut tree, &mut counts, streams, &key)?;
        }
        order.times.shrink_to_fit();
        Some(order)
    }

    /// Takes the rows from an anchor to the next; that one.
    ///
    /// Not inlined: engines of wasm exchange slow code for fast code between calls, not within a loop (docs/internals.md).
    #[inline(never)]
    fn take_part<H: Entrant>(
        &mut self,
        anchor: Anchor,
        tree: &mut LoserTree<H>,
        counts: &mut [u32],
        streams: &mut [Times],
        key: impl Fn(u64) -> Option<u64>,
    ) -> Option<Anchor> {
        self.anchors.push(anchor);
        let Anchor {
            ts: mut last,
            mut latest,
            ..
        } = anchor;
        for _ in 0..self.anchor_rows {
            let Some((stream, _)) = tree.winner() else { break };
            let (times, count) = (streams.get_mut(stream)?, counts.get_mut(stream)?);
            self.streams.push(stream);
            varint::put(&mut self.times, times.ts.wrapping_sub(last));
            last = times.ts;
            latest = latest.max(last);
            *count += 1;
            tree.replace(times.next_key(&key)?);
        }
        Some(Anchor {
            at: self.times.len(),
            ts: last,
            latest,
        })
    }

    /// Rows there are.
    pub fn len(&self) -> usize {
        self.streams.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Streams there are.
    pub fn streams(&self) -> usize {
        self.stream_count
    }

    /// The stream of a row.
    pub fn stream(&self, row: usize) -> Option<usize> {
        self.streams.get(row)
    }

    /// The rows of these numbers, which ascend.
    pub fn rows(&self, numbers: impl Iterator<Item = usize>) -> Vec<Row> {
        let mut cursor: Option<Cursor> = None;
        let found = numbers.map(|number| {
            // Walking on is cheaper than looking for the anchor, as long as the row is near.
            let near = |cursor: &Cursor| cursor.row <= number && number - cursor.row < self.anchor_rows;
            let mut at = cursor.take().filter(near).unwrap_or_else(|| self.cursor(number));
            while at.row < number && at.next(self).is_some() {}
            let row = at.next(self);
            cursor = Some(at);
            row
        });
        found.flatten().collect()
    }

    /// Before the row of that number, or at the end.
    pub fn cursor(&self, row: usize) -> Cursor {
        let row = row.min(self.len());
        let mut cursor = self.cursor_at_anchor(row / self.anchor_rows.max(1));
        while cursor.row < row && cursor.next(self).is_some() {}
        cursor
    }

    /// The first row at or after `ts`; their number, when there is none.
    pub fn row_at(&self, ts: u64) -> usize {
        let anchor = self.anchors.partition_point(|anchor| anchor.latest < ts);
        let mut cursor = self.cursor_at_anchor(anchor.saturating_sub(1));
        loop {
            match cursor.next(self) {
                None => return self.len(),
                Some(row) if ts <= row.ts => return row.row,
                Some(_) => {}
            }
        }
    }

    fn cursor_at_anchor(&self, index: usize) -> Cursor {
        let index = index.min(self.anchors.len().saturating_sub(1));
        let anchor = self.anchors.get(index);
        let counts = self.counts.chunks(self.stream_count.max(1)).nth(index);
        Cursor {
            row: index * self.anchor_rows,
            at: anchor.map_or(0, |anchor| anchor.at),
            ts: anchor.map_or(0, |anchor| anchor.ts),
            counts: counts.unwrap_or_default().to_vec(),
        }
    }
}

/// Walks along an order.
#[derive(Clone, Debug)]
pub struct Cursor {
    row: usize,
    at: usize,
    ts: u64,
    /// Records of each stream before the row.
    counts: Vec<u32>,
}

impl Cursor {
    /// The number of the row that comes next.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The next row.
    #[inline]
    pub fn next(&mut self, order: &RowOrder) -> Option<Row> {
        let stream = order.streams.get(self.row)?;
        let count = self.counts.get_mut(stream)?;
        self.ts = self.ts.wrapping_add(varint::take_at(&order.times, &mut self.at)?);
        let row = Row {
            row: self.row,
            stream,
            record: u64::from(*count),
            ts: self.ts,
        };
        *count += 1;
        self.row += 1;
        Some(row)
    }

    /// Walks from here to the first row.
    pub fn backward(self) -> Backward {
        Backward {
            row: self.row,
            counts: self.counts,
        }
    }
}

/// Walks along an order from its end to its beginning, where times are not known.
#[derive(Clone, Debug)]
pub struct Backward {
    row: usize,
    /// Records of each stream before the row.
    counts: Vec<u32>,
}

impl Backward {
    /// The row before.
    #[inline]
    pub fn next(&mut self, order: &RowOrder) -> Option<Place> {
        let row = self.row.checked_sub(1)?;
        let stream = order.streams.get(row)?;
        let count = self.counts.get_mut(stream)?;
        *count = count.checked_sub(1)?;
        self.row = row;
        Some(Place {
            row,
            stream,
            record: u64::from(*count),
        })
    }
}

impl From<Row> for Place {
    fn from(row: Row) -> Self {
        Place {
            row: row.row,
            stream: row.stream,
            record: row.record,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn index_of(times: &[u64]) -> RecordIndex {
        let mut bytes = Vec::new();
        times.iter().fold(0, |last: u64, &ts| {
            varint::put(&mut bytes, ts.wrapping_sub(last));
            ts
        });
        RecordIndex {
            records: times.len() as u64,
            times: bytes,
            ..RecordIndex::default()
        }
    }

    /// Takes the smallest head again and again; of equal ones, the first stream's.
    fn naive(streams: &[Vec<u64>]) -> Vec<Row> {
        let mut taken = vec![0; streams.len()];
        let mut rows = Vec::new();
        loop {
            let heads = streams
                .iter()
                .enumerate()
                .filter_map(|(at, stream)| Some((*stream.get(taken[at])?, at)));
            let Some((ts, stream)) = heads.min() else {
                return rows;
            };
            rows.push(Row {
                row: rows.len(),
                stream,
                record: taken[stream] as u64,
                ts,
            });
            taken[stream] += 1;
        }
    }

    fn check(streams: &[Vec<u64>], places: &[usize]) {
        let mut indexes: Vec<RecordIndex> = streams.iter().map(|times| index_of(times)).collect();
        let order = RowOrder::new(&mut indexes);
        let expected = naive(streams);
        assert_eq!(order.len(), expected.len());
        for &place in places {
            let from = if expected.is_empty() {
                0
            } else {
                place % (expected.len() + 1)
            };
            let mut cursor = order.cursor(from);
            for row in expected[from..].iter().take(50) {
                assert_eq!(cursor.next(&order).as_ref(), Some(row));
            }
            let mut backward = order.cursor(from).backward();
            for row in expected[..from].iter().rev().take(50) {
                assert_eq!(backward.next(&order), Some(Place::from(*row)));
            }
            assert!(50 <= from || backward.next(&order).is_none());
            let near = expected.get(from).map_or(0, |row| row.ts);
            for ts in near.saturating_sub(1)..near.saturating_add(2) {
                let first = expected.iter().position(|row| ts <= row.ts);
                assert_eq!(order.row_at(ts), first.unwrap_or(expected.len()), "{ts}");
            }
        }
        assert_eq!(order.cursor(expected.len()).next(&order), None);
    }

    proptest! {
        #[test]
        fn rows_are_in_the_order_of_a_naive_merge(
            streams in prop::collection::vec(prop::collection::vec(0_u64..200, 0..30), 0..6),
            places in prop::collection::vec(any::<usize>(), 1..8),
        ) {
            check(&streams, &places);
        }

        /// As damaged records say.
        #[test]
        fn times_may_be_any(
            streams in prop::collection::vec(
                prop::collection::vec(prop_oneof![0_u64..9, (1_u64 << 54) - 3..(1 << 54) + 3, u64::MAX - 3..u64::MAX], 0..30),
                0..6,
            ),
            places in prop::collection::vec(any::<usize>(), 1..8),
        ) {
            check(&streams, &places);
        }
    }

    #[test]
    fn rows_beyond_the_first_anchor_and_streams_beyond_8_bits_are_found() {
        let few: Vec<Vec<u64>> = (0..3)
            .map(|stream| (0..5000).map(|n| 1000 + n * 7 * (stream + 1)).collect())
            .collect();
        let many: Vec<Vec<u64>> = (0..300)
            .map(|stream| (0..60).map(|n| stream + n * 9).collect())
            .collect();
        for streams in [few, many] {
            check(&streams, &[0, 1, 4095, 4096, 4097, 8192, 9000, 14_999, 15_000, 17_999]);
        }
    }
}
