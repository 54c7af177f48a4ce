//! Merging on a thread of its own, ahead of the state machine. Not in browsers, whose modules share no memory.

use super::merge::{Merge, Window};
use std::sync::mpsc::{channel, sync_channel};

/// Windows on their way: while one is taken, the next ones are filled.
const WINDOWS: usize = 4;

/// Calls `take` with all events in order, while another thread merges those that follow.
pub(crate) fn each(mut merge: Merge, mut take: impl FnMut(&Window)) {
    let (filled, next) = sync_channel::<Window>(WINDOWS);
    let (taken, empty) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Either side ends when the other does not listen any more.
            while let Ok(mut window) = empty.recv() {
                if !merge.next(&mut window) || filled.send(window).is_err() {
                    break;
                }
            }
        });
        for _ in 0..WINDOWS {
            let _ = taken.send(Window::default());
        }
        for window in next {
            take(&window);
            let _ = taken.send(window);
        }
    });
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
}
