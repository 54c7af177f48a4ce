//! Merges the CPUs' rows by (time, CPU).

use schedrows::{LoserTree, Row};

/// One event in merged order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<'a> {
    /// Index of the stream.
    pub(crate) source: usize,
    /// Since the trace's first record; never earlier than a previous event of the same stream.
    pub(crate) at: u64,
    /// Whether the row is older than the previous one in its stream.
    pub(crate) backwards: bool,
    pub(crate) row: &'a Row,
}

/// The latest possible time, 104 days after the first record: up to here a double is exact and sums over all CPUs fit
/// 64 bits. Only damaged records exceed it.
pub const MAX_TIME: u64 = 1 << 53;

/// Time since the trace's first record.
pub(crate) fn since(base_ns: u64, ts: u64) -> u64 {
    ts.saturating_sub(base_ns).min(MAX_TIME)
}

/// Rows that are read ahead at once: 2 KiB, so that those of 128 streams fit the second cache of a core.
const BLOCK: usize = 64;

/// A stream of rows, read ahead a block at a time: processors fetch what is read from one end to the other ahead of need,
/// while rows taken one by one from a hundred places are waited for.
struct Stream<'a> {
    rows: &'a [Row],
    /// How many of them were read ahead.
    ahead: usize,
}

impl<'a> Stream<'a> {
    fn new(rows: &'a [Row]) -> Stream<'a> {
        let mut stream = Stream { rows, ahead: 0 };
        stream.read_ahead();
        stream
    }

    /// The next row.
    #[inline]
    fn head(&self) -> Option<&'a Row> {
        self.rows.first()
    }

    /// Goes on to the row after [`Stream::head`].
    #[inline]
    fn advance(&mut self) {
        self.rows = self.rows.get(1..).unwrap_or_default();
        self.ahead = self.ahead.saturating_sub(1);
        if self.ahead == 0 {
            self.read_ahead();
        }
    }

    /// Brings the next rows into the cache. Every second one is enough: a line of it is as long as two rows.
    #[cold]
    fn read_ahead(&mut self) {
        let block = self.rows.get(..BLOCK).unwrap_or(self.rows);
        let read = block.iter().step_by(2).fold(0, |read, row| read ^ row.ts);
        std::hint::black_box(read);
        self.ahead = block.len();
    }
}

/// The streams of rows, merged.
pub(crate) struct Merge<'a> {
    streams: Vec<Stream<'a>>,
    base_ns: u64,
    tree: LoserTree,
}

impl<'a> Merge<'a> {
    /// Of rows with the same time, that of the first stream comes first.
    pub fn new(streams: Vec<&'a [Row]>, base_ns: u64) -> Merge<'a> {
        let streams: Vec<Stream> = streams.into_iter().map(Stream::new).collect();
        let heads = streams.iter().map(|rows| Some(since(base_ns, rows.head()?.ts)));
        Merge {
            tree: LoserTree::new(heads),
            streams,
            base_ns,
        }
    }
}

impl<'a> Iterator for Merge<'a> {
    type Item = Next<'a>;

    #[inline]
    fn next(&mut self) -> Option<Next<'a>> {
        let (source, at) = self.tree.winner()?;
        let stream = self.streams.get_mut(source)?;
        let row = stream.head()?;
        stream.advance();
        let base_ns = self.base_ns;
        self.tree
            .replace(stream.head().map(|next| since(base_ns, next.ts).max(at)));
        Some(Next {
            source,
            at,
            backwards: since(base_ns, row.ts) < at,
            row,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    fn stream(times: &[u64]) -> Vec<Row> {
        times.iter().map(|&ts| Row { ts, ..Row::zeroed() }).collect()
    }

    proptest! {
        #[test]
        fn merges_like_a_sort(mut times in prop::collection::vec(prop::collection::vec(5_u64..40, 0..20), 0..9)) {
            times.iter_mut().for_each(|times| times.sort_unstable());
            let streams: Vec<Vec<Row>> = times.iter().map(|times| stream(times)).collect();
            let merged: Vec<(u64, usize)> =
                Merge::new(streams.iter().map(Vec::as_slice).collect(), 5).map(|next| (next.at, next.source)).collect();
            let mut sorted: Vec<(u64, usize)> =
                times.iter().enumerate().flat_map(|(source, times)| times.iter().map(move |&at| (at - 5, source))).collect();
            sorted.sort();
            prop_assert_eq!(merged, sorted);
        }
    }

    #[test]
    fn time_that_goes_back_stands_still() {
        let rows = stream(&[10, 30, 20, 40]);
        let merged: Vec<(u64, bool)> = Merge::new(vec![&rows], 10)
            .map(|next| (next.at, next.backwards))
            .collect();
        assert_eq!(merged, [(0, false), (20, false), (20, true), (30, false)]);
    }
}
