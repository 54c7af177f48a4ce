//! A tournament over the heads of many sorted streams.

/// A loser tree: inner node `n` holds the loser of the match below it, the winner of all is kept apart, so that replacing
/// the winner costs log2(streams) comparisons along one path. Ties go to the stream that comes first.
#[derive(Clone, Debug)]
pub struct LoserTree<H = Head> {
    losers: Vec<H>,
    winner: H,
    leaves: usize,
}

/// The key of a stream's next item, above the stream in one number: which of two is the lesser is as good as random, and of
/// numbers it is found without a branch.
pub trait Entrant: Copy + Ord {
    /// The key of a stream that has ended: later than any item.
    const ENDED: u64;

    /// The stream's entry.
    fn new(key: u64, stream: u32) -> Self;
    /// The key.
    fn key(self) -> u64;
    /// The stream.
    fn stream(self) -> u32;
}

/// Any key, any stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Head(u128);

impl Entrant for Head {
    const ENDED: u64 = u64::MAX;

    #[inline]
    fn new(key: u64, stream: u32) -> Head {
        Head(u128::from(key) << u64::BITS | u128::from(stream))
    }

    #[inline]
    fn key(self) -> u64 {
        (self.0 >> u64::BITS) as u64
    }

    #[inline]
    fn stream(self) -> u32 {
        self.0 as u32
    }
}

/// Half as large: a key of at most [`SmallHead::MAX_KEY`], and the number of a stream below [`SmallHead::STREAMS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SmallHead(u64);

impl SmallHead {
    /// How many streams there may be.
    pub const STREAMS: usize = 1 << Self::STREAM_BITS;
    /// The greatest key that an item may have.
    pub const MAX_KEY: u64 = Self::ENDED - 1;

    const STREAM_BITS: u32 = 10;
}

impl Entrant for SmallHead {
    const ENDED: u64 = u64::MAX >> Self::STREAM_BITS;

    #[inline]
    fn new(key: u64, stream: u32) -> SmallHead {
        SmallHead(key << Self::STREAM_BITS | u64::from(stream))
    }

    #[inline]
    fn key(self) -> u64 {
        self.0 >> Self::STREAM_BITS
    }

    #[inline]
    fn stream(self) -> u32 {
        self.0 as u32 & (Self::STREAMS as u32 - 1)
    }
}

impl LoserTree {
    /// The greatest key that an item may have; greater ones would never be taken.
    pub const MAX_KEY: u64 = Head::ENDED - 1;

    /// A tree over streams with these first keys; `None` for an empty stream.
    pub fn new(heads: impl IntoIterator<Item = Option<u64>>) -> Self {
        LoserTree::of(heads)
    }
}

impl<H: Entrant> LoserTree<H> {
    /// The same, of entries of another size.
    pub fn of(heads: impl IntoIterator<Item = Option<u64>>) -> Self {
        let keys = heads.into_iter().map(|key| key.unwrap_or(H::ENDED));
        let mut row: Vec<H> = keys.zip(0..).map(|(key, stream)| H::new(key, stream)).collect();
        let leaves = row.len().next_power_of_two().max(2);
        row.extend((row.len()..leaves).map(|stream| H::new(H::ENDED, stream as u32)));
        // Round by round, from the leaves to the final: node `n` decides between the winners of `2n` and `2n + 1`.
        let mut losers = vec![H::new(H::ENDED, 0); leaves];
        while 1 < row.len() {
            let first_node = row.len() / 2;
            let matches = row.chunks_exact(2).zip(losers.iter_mut().skip(first_node));
            row = matches
                .map(|(pair, loser)| {
                    *loser = pair.iter().copied().max().unwrap_or(*loser);
                    pair.iter().copied().min().unwrap_or(*loser)
                })
                .collect();
        }
        LoserTree {
            winner: row.first().copied().unwrap_or(H::new(H::ENDED, 0)),
            losers,
            leaves,
        }
    }

    /// The stream whose item comes next, and that item's key; `None` when all have ended.
    #[inline]
    pub fn winner(&self) -> Option<(usize, u64)> {
        let (stream, key) = (self.winner.stream(), self.winner.key());
        (key != H::ENDED).then_some((stream as usize, key))
    }

    /// Takes the winner's item: its stream goes on with `key`, or ends.
    #[inline]
    pub fn replace(&mut self, key: Option<u64>) {
        let stream = self.winner.stream();
        let mut winner = H::new(key.unwrap_or(H::ENDED), stream);
        let mut node = (self.leaves + stream as usize) / 2;
        while let Some(rival) = self.losers.get_mut(node).filter(|_| 0 < node) {
            let before = *rival;
            *rival = winner.max(before);
            winner = winner.min(before);
            node /= 2;
        }
        self.winner = winner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All items as (key, stream), in the tree's order.
    fn merged(streams: &[Vec<u64>]) -> Vec<(u64, usize)> {
        merged_by::<Head>(streams)
    }

    fn merged_by<H: Entrant>(streams: &[Vec<u64>]) -> Vec<(u64, usize)> {
        let mut rest: Vec<_> = streams.iter().map(|stream| stream.iter().copied()).collect();
        let mut tree = LoserTree::<H>::of(rest.iter_mut().map(Iterator::next));
        let mut found = Vec::new();
        while let Some((stream, key)) = tree.winner() {
            found.push((key, stream));
            tree.replace(rest[stream].next());
        }
        found
    }

    /// Takes the smallest head again and again; of equal ones, the first stream's.
    fn one_by_one(streams: &[Vec<u64>]) -> Vec<(u64, usize)> {
        let mut rest: Vec<&[u64]> = streams.iter().map(Vec::as_slice).collect();
        let mut found = Vec::new();
        loop {
            let heads = rest
                .iter()
                .enumerate()
                .filter_map(|(stream, rest)| Some((*rest.first()?, stream)));
            let Some(next) = heads.min() else {
                return found;
            };
            rest[next.1] = &rest[next.1][1..];
            found.push(next);
        }
    }

    proptest! {
        #[test]
        fn the_smallest_head_comes_next(streams in prop::collection::vec(prop::collection::vec(0_u64..40, 0..20), 0..20)) {
            prop_assert_eq!(merged(&streams), one_by_one(&streams));
            prop_assert_eq!(merged_by::<SmallHead>(&streams), one_by_one(&streams));
        }

        #[test]
        fn sorted_streams_are_sorted(mut streams in prop::collection::vec(prop::collection::vec(0_u64..40, 0..20), 0..9)) {
            streams.iter_mut().for_each(|stream| stream.sort_unstable());
            let mut sorted: Vec<(u64, usize)> = streams
                .iter()
                .enumerate()
                .flat_map(|(stream, keys)| keys.iter().map(move |&key| (key, stream)))
                .collect();
            sorted.sort_unstable();
            prop_assert_eq!(merged(&streams), sorted);
        }
    }

    #[test]
    fn the_greatest_key_is_taken() {
        assert_eq!(merged(&[vec![LoserTree::MAX_KEY], vec![]]), [(LoserTree::MAX_KEY, 0)]);
        let last = vec![SmallHead::MAX_KEY];
        let streams: Vec<Vec<u64>> = (0..SmallHead::STREAMS).map(|_| last.clone()).collect();
        assert_eq!(merged_by::<SmallHead>(&streams), one_by_one(&streams));
    }
}
