//! Merges the CPUs' rows by (time, CPU).

use schedrows::{LoserTree, Row, RowDrain, RowKind, Rows, SmallHead};

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
pub(crate) fn since(base_ns: u64, ts: u64) -> u64 {
    ts.saturating_sub(base_ns).min(MAX_TIME)
}

/// A stream of rows, with the next of them.
struct Stream {
    rows: RowDrain,
    next: Row,
    ended: bool,
}

impl Stream {
    fn new(rows: Rows) -> Stream {
        let mut stream = Stream {
            rows: rows.drain(),
            next: Row::of(RowKind::Lost, 0),
            ended: false,
        };
        stream.advance();
        stream
    }

    #[inline]
    fn advance(&mut self) {
        self.ended = !self.rows.read(&mut self.next);
    }

    /// When the next row was written; `None` after the last.
    #[inline]
    fn ts(&self) -> Option<u64> {
        (!self.ended).then_some(self.next.ts)
    }
}

/// Which stream has the earliest row.
enum Tree {
    /// Of as many streams as nearly all machines have CPUs.
    Few(LoserTree<SmallHead>),
    Many(LoserTree),
}

const _: () = assert!(MAX_TIME <= SmallHead::MAX_KEY, "a time is a key");

impl Tree {
    fn new(heads: impl ExactSizeIterator<Item = Option<u64>>) -> Tree {
        match heads.len() <= SmallHead::STREAMS {
            true => Tree::Few(LoserTree::of(heads)),
            false => Tree::Many(LoserTree::new(heads)),
        }
    }

    #[inline]
    fn winner(&self) -> Option<(usize, u64)> {
        match self {
            Tree::Few(tree) => tree.winner(),
            Tree::Many(tree) => tree.winner(),
        }
    }

    #[inline]
    fn replace(&mut self, key: Option<u64>) {
        match self {
            Tree::Few(tree) => tree.replace(key),
            Tree::Many(tree) => tree.replace(key),
        }
    }
}

/// The streams of rows, merged; rows that were taken are freed.
pub struct Merge {
    streams: Vec<Stream>,
    base_ns: u64,
    tree: Tree,
    /// Stream and time of the event that was taken last.
    given: Option<(usize, u64)>,
}

impl Merge {
    /// The streams of a trace whose first record is at `base_ns`. Of rows with the same time, that of the first stream comes
    /// first.
    pub fn new(streams: Vec<Rows>, base_ns: u64) -> Merge {
        let streams: Vec<Stream> = streams.into_iter().map(Stream::new).collect();
        let heads = streams.iter().map(|stream| Some(since(base_ns, stream.ts()?)));
        Merge {
            tree: Tree::new(heads),
            streams,
            base_ns,
            given: None,
        }
    }
}

impl Merge {
    /// The next event, until one is taken again.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "what it gives lives no longer than until the next call"
    )]
    pub fn next(&mut self) -> Option<Next<'_>> {
        let base_ns = self.base_ns;
        if let Some((before, at)) = self.given {
            let stream = self.streams.get_mut(before)?;
            stream.advance();
            self.tree.replace(stream.ts().map(|ts| since(base_ns, ts).max(at)));
        }
        self.given = self.tree.winner();
        let (source, at) = self.given?;
        let row = &self.streams.get(source)?.next;
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
    use proptest::prelude::*;

    fn stream(times: &[u64]) -> Rows {
        let row = |&ts: &u64| Row::of(RowKind::Lost, ts);
        times.iter().map(row).collect()
    }

    fn merged<T>(streams: Vec<Rows>, base_ns: u64, tell: impl Fn(Next) -> T) -> Vec<T> {
        let mut merge = Merge::new(streams, base_ns);
        std::iter::from_fn(|| merge.next().map(&tell)).collect()
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
