//! Merging on a thread of its own, ahead of the state machine. Not in browsers, whose modules share no memory.

use super::merge::{Merge, Window};
use std::sync::mpsc::{channel, sync_channel};

/// Windows on their way: while those of one batch are taken, those of the next are filled.
const BATCHES: usize = 2;
/// Windows of a batch, most of which have some 30 kB, and a megabyte where all CPUs do something at once. To hand one over wakes a thread,
/// which costs as much as to take some events.
const BATCH: usize = if cfg!(debug_assertions) { 3 } else { 1 << 4 };

/// Calls `take` with all events in order, while another thread merges those that follow.
pub(crate) fn each(mut merge: Merge, mut take: impl FnMut(&Window)) {
    let (filled, next) = sync_channel::<Batch>(BATCHES);
    let (taken, empty) = channel::<Batch>();
    std::thread::scope(|scope| {
        // If `take` panics, it ends here, and so does the other thread.
        let taken = taken;
        scope.spawn(move || {
            // Either side ends when the other does not listen any more.
            while let Ok(mut batch) = empty.recv() {
                batch.fill(&mut merge);
                if batch.filled == 0 || filled.send(batch).is_err() {
                    break;
                }
            }
        });
        for _ in 0..BATCHES {
            let _ = taken.send(Batch::default());
        }
        for batch in next {
            batch.windows.iter().take(batch.filled).for_each(&mut take);
            let _ = taken.send(batch);
        }
    });
}

/// Some windows, of which the first ones are filled.
#[derive(Default)]
struct Batch {
    windows: [Window; BATCH],
    filled: usize,
}

impl Batch {
    fn fill(&mut self, merge: &mut Merge) {
        self.filled = 0;
        for window in &mut self.windows {
            if !merge.next(window) {
                break;
            }
            self.filled += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::Next;
    use proptest::prelude::*;
    use schedrows::{Row, RowKind, Rows};

    fn streams(times: &[Vec<u64>]) -> Vec<Rows> {
        let stream = |times: &Vec<u64>| times.iter().map(|&ts| Row::of(RowKind::Lost, ts)).collect();
        times.iter().map(stream).collect()
    }

    proptest! {
        /// More events than windows on their way hold, and any number in the last one.
        #[test]
        fn all_events_come_in_order(mut times in prop::collection::vec(prop::collection::vec(5_u64..9000, 0..3000), 0..5)) {
            times.iter_mut().for_each(|times| times.sort_unstable());
            let tell = |next: Next<'_>| (next.source, next.at, next.backwards, *next.row);
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            Merge::new(streams(&times), 7).each(|next| expected.push(tell(next)));
            each(Merge::new(streams(&times), 7), |window| found.extend(window.events().map(tell)));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    #[should_panic(expected = "a window too many")]
    fn a_panic_ends_both_threads() {
        let times: Vec<u64> = (0..5000).collect();
        each(Merge::new(streams(&[times]), 0), |_| panic!("a window too many"));
    }
}
