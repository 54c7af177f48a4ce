//! What of a lane is drawn: its runs, or where many fall within a printed dot, columns that stand for them.

use super::scale::Scale;
use crate::sched::{Lane, Who};

/// Who a run is drawn as; several tasks may look alike. Dense.
pub(super) type Look = u32;

/// The look of runs that are not drawn.
pub(super) const HIDDEN: Look = Look::MAX;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A run.
    Run(Look),
    /// What ran before the CPU's first switch.
    Inferred(Look),
    /// Nobody knows.
    Unknown,
}

/// A part of a lane that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// First ns.
    pub(super) from: u64,
    /// First ns after it.
    pub(super) to: u64,
    /// What it is.
    pub(super) what: What,
}

/// Calls `each` with all pieces of a lane, in order. `looks`: by [`TaskCommId`](crate::sched::TaskCommId).
pub(super) fn pieces(lane: &Lane, looks: &[Look], scale: &Scale, mut each: impl FnMut(Piece)) {
    let window = &scale.window;
    let first = lane.find(window.start).unwrap_or(lane.len());
    for index in first..lane.len() {
        let interval = lane.interval(index);
        if window.end <= interval.start {
            break;
        }
        let (from, to) = (interval.start.max(window.start), interval.end.min(window.end));
        let what = match interval.who {
            Who::Idle => continue,
            Who::Unknown => What::Unknown,
            Who::Run(id) => match looks[id.0 as usize] {
                HIDDEN => continue,
                look if lane.inferred(index) => What::Inferred(look),
                look => What::Run(look),
            },
        };
        if from < to {
            each(Piece { from, to, what });
        }
    }
}
