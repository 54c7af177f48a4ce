//! Merges the CPUs' rows by (time, CPU): a tournament over the streams' heads.

use crate::scan::Row;

/// One event in merged order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<'a> {
    /// Index of the stream.
    pub(crate) source: usize,
    /// Since the trace's first record; never before an earlier event of the same stream.
    pub(crate) at: u64,
    /// The row's own time is older than that of the row before it.
    pub(crate) backwards: bool,
    pub(crate) row: &'a Row,
}

/// The latest time there is, 104 days after the first record: up to here a double is exact, and sums over all CPUs fit
/// 64 bits. Only damage goes beyond.
pub(crate) const MAX_TIME: u64 = 1 << 53;

/// Time since the trace's first record.
pub(crate) fn since(base_ns: u64, ts: u64) -> u64 {
    ts.saturating_sub(base_ns).min(MAX_TIME)
}

/// An exhausted stream: later than any event.
const EXHAUSTED: u64 = u64::MAX;

/// A loser tree: inner node `n` holds the loser of the match below it, the winner of all is kept apart, so that taking an
/// event costs log2(streams) comparisons along one path.
pub(crate) struct Merge<'a> {
    streams: Vec<&'a [Row]>,
    base_ns: u64,
    heads: Vec<u64>,
    losers: Vec<u32>,
    winner: u32,
    leaves: usize,
}

impl<'a> Merge<'a> {
    /// Ties go to the stream that comes first.
    pub(crate) fn new(streams: Vec<&'a [Row]>, base_ns: u64) -> Merge<'a> {
        let leaves = streams.len().next_power_of_two().max(2);
        let mut merge = Merge {
            streams,
            base_ns,
            heads: vec![EXHAUSTED; leaves],
            losers: vec![0; leaves],
            winner: 0,
            leaves,
        };
        for stream in 0..merge.streams.len() {
            merge.heads[stream] = merge.time_of_head(stream, 0);
        }
        merge.winner = merge.play(1);
        merge
    }

    fn time_of_head(&self, stream: usize, not_before: u64) -> u64 {
        match self.streams[stream].first() {
            Some(row) => since(self.base_ns, row.ts).max(not_before),
            None => EXHAUSTED,
        }
    }

    fn beats(&self, a: u32, b: u32) -> bool {
        (self.heads[a as usize], a) < (self.heads[b as usize], b)
    }

    /// Plays all matches below `node`, returns the winner.
    fn play(&mut self, node: usize) -> u32 {
        if self.leaves <= node {
            return (node - self.leaves) as u32;
        }
        let (left, right) = (self.play(2 * node), self.play(2 * node + 1));
        let (winner, loser) = if self.beats(left, right) {
            (left, right)
        } else {
            (right, left)
        };
        self.losers[node] = loser;
        winner
    }
}

impl<'a> Iterator for Merge<'a> {
    type Item = Next<'a>;

    fn next(&mut self) -> Option<Next<'a>> {
        let source = self.winner as usize;
        let at = self.heads[source];
        if at == EXHAUSTED {
            return None;
        }
        let (row, rest) = self.streams[source].split_first()?;
        self.streams[source] = rest;
        self.heads[source] = self.time_of_head(source, at);
        let mut winner = self.winner;
        let mut node = (self.leaves + source) / 2;
        while 0 < node {
            let rival = self.losers[node];
            if self.beats(rival, winner) {
                self.losers[node] = winner;
                winner = rival;
            }
            node /= 2;
        }
        self.winner = winner;
        let backwards = since(self.base_ns, row.ts) < at;
        Some(Next {
            source,
            at,
            backwards,
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
