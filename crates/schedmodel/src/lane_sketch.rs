//! A lane as far as pictures need it: who has the CPU, and since when.

use super::codes::Codes;
use super::lane::{flag, Lane, Who};
use super::lengths::Lengths;
use super::near::NearBuilder;
use super::traits::{Trait, Traits};

/// Draws the lane of one CPU from its switches and gaps, in time order, in half of the memory of a whole one.
#[derive(Debug)]
pub(crate) struct LaneSketch {
    start: NearBuilder<u32>,
    who: Codes,
    /// The first interval is what ran before the first switch.
    inferred: bool,
    /// What has the CPU now; `None` as long as nothing was told.
    on: Option<Who>,
}

impl LaneSketch {
    /// Room for so many switches and gaps.
    pub(crate) fn new(openings: usize) -> LaneSketch {
        LaneSketch {
            start: NearBuilder::with_capacity(openings + 1),
            who: Codes::with_capacity(openings + 1),
            inferred: false,
            on: None,
        }
    }

    /// Whether the first switch would be the first that is known of the CPU.
    pub(crate) fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Before the first switch, at `at`: what that takes off the CPU. It ran since the trace's start, unless events were lost
    /// meanwhile.
    pub(crate) fn ran_before(&mut self, at: u64, prev: Who) {
        if 0 < at {
            self.inferred = self.on.is_none() && prev != Who::Unknown;
            self.push(0, if self.on.is_none() { prev } else { Who::Unknown });
        }
    }

    /// A switch to `next`.
    #[inline]
    pub(crate) fn switch(&mut self, at: u64, next: Who) {
        self.push(at, next);
        self.on = Some(next);
    }

    /// Marks events from `at` on as lost.
    pub(crate) fn lost(&mut self, at: u64) {
        if !self.is_empty() && self.on != Some(Who::Unknown) {
            self.push(at, Who::Unknown);
        }
        self.on = Some(Who::Unknown);
    }

    #[inline]
    fn push(&mut self, at: u64, who: Who) {
        self.start.push(at);
        self.who.push(who.code());
    }

    /// The lane, up to `end`.
    pub(crate) fn finish(mut self, end: u64) -> Lane {
        if self.is_empty() && 0 < end {
            self.push(0, Who::Unknown);
        }
        let first = Trait {
            flags: if self.inferred { flag::INFERRED } else { 0 },
            ..Trait::default()
        };
        Lane {
            end: end.max(self.start.last().unwrap_or(0)),
            start: self.start.finish(),
            who: self.who,
            waited: Lengths::NONE,
            traits: Traits::new(&[first]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane_builder::{LaneBuilder, Side};
    use crate::TaskCommId;
    use proptest::prelude::*;
    use schedrows::Row;

    fn side() -> impl Strategy<Value = Side> {
        (0_u32..4).prop_map(|key| match key {
            0 => Side::IDLE,
            _ => Side {
                key,
                who: Who::Run(TaskCommId(key)),
            },
        })
    }

    proptest! {
        /// Of switches away from whom the one before put onto the CPU, as nearly all are, or from nobody who is known.
        #[test]
        fn it_shows_what_a_whole_lane_shows(
            first in side(),
            events in prop::collection::vec((0_u64..5, prop::bool::weighted(0.8), prop::bool::weighted(0.1), side()), 0..40),
        ) {
            let (mut sketch, mut whole) = (LaneSketch::new(events.len()), LaneBuilder::new(events.len()));
            let (mut at, mut on) = (0, first);
            for (after, is_switch, is_untold, next) in events {
                at += after;
                if is_switch {
                    let prev = if is_untold { Side::UNKNOWN } else { on };
                    if sketch.is_empty() {
                        sketch.ran_before(at, prev.who);
                    }
                    sketch.switch(at, next.who);
                    whole.switch(at, prev, b'S', next, Row::NO_PRIO, None);
                    on = next;
                } else {
                    sketch.lost(at);
                    whole.lost(at);
                }
            }
            let (sketch, whole) = (sketch.finish(at + 1), whole.finish(at + 1));
            prop_assert!(sketch.intervals().eq(whole.intervals()));
            prop_assert_eq!(sketch.inferred(0), whole.inferred(0));
        }
    }
}
