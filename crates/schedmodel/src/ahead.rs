//! Merging on a thread of its own, ahead of the state machine. Not in browsers, whose modules share no memory.

use super::merge::{Merge, Next};
use schedrows::Row;
use std::sync::mpsc::{channel, sync_channel};

/// Events that are handed over at once: few enough for the second cache of a core, and enough that waking the other thread
/// costs little beside them.
const BATCH: usize = 512;
/// Batches on their way: while one is taken, the next ones are filled.
const BATCHES: usize = 8;

/// An event, as [`Next`].
struct Event {
    source: usize,
    at: u64,
    backwards: bool,
    row: Row,
}

/// Calls `take` with all events in order, while another thread merges those that follow.
pub fn each(mut merge: Merge, mut take: impl FnMut(Next<'_>)) {
    let (filled, next) = sync_channel::<Vec<Event>>(BATCHES);
    let (taken, empty) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Either side ends when the other does not listen any more.
            while let Ok(mut batch) = empty.recv() {
                fill(&mut merge, &mut batch);
                if batch.is_empty() || filled.send(batch).is_err() {
                    break;
                }
            }
        });
        for _ in 0..BATCHES {
            let _ = taken.send(Vec::with_capacity(BATCH));
        }
        for batch in next {
            for event in &batch {
                take(event.as_next());
            }
            let _ = taken.send(batch);
        }
    });
}

/// Puts the next events into a batch; it is empty behind the last one.
fn fill(merge: &mut Merge, batch: &mut Vec<Event>) {
    batch.clear();
    while batch.len() < BATCH {
        let Some(next) = merge.next() else { break };
        batch.push(Event {
            source: next.source,
            at: next.at,
            backwards: next.backwards,
            row: *next.row,
        });
    }
}

impl Event {
    fn as_next(&self) -> Next<'_> {
        Next {
            source: self.source,
            at: self.at,
            backwards: self.backwards,
            row: &self.row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use schedrows::{RowKind, Rows};

    fn streams(times: &[Vec<u64>]) -> Vec<Rows> {
        let stream = |times: &Vec<u64>| times.iter().map(|&ts| Row::of(RowKind::Lost, ts)).collect();
        times.iter().map(stream).collect()
    }

    proptest! {
        /// More events than there are batches for, and any number in the last batch.
        #[test]
        fn all_events_come_in_order(mut times in prop::collection::vec(prop::collection::vec(5_u64..9000, 0..3000), 0..5)) {
            times.iter_mut().for_each(|times| times.sort_unstable());
            let tell = |next: &Next<'_>| (next.source, next.at, next.backwards, *next.row);
            let mut merge = Merge::new(streams(&times), 7);
            let expected: Vec<_> = std::iter::from_fn(|| merge.next().map(|next| tell(&next))).collect();
            let mut found = Vec::new();
            each(Merge::new(streams(&times), 7), |next| found.push(tell(&next)));
            prop_assert_eq!(found, expected);
        }
    }
}
