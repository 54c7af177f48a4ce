//! Sums of what a CPU did, up to any time.

use super::blocks::{Sum, Sums};
use schedmodel::{Interval, Lane, Who};
use std::ops::Range;

/// What a CPU did, in ns and events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneSum {
    /// ns in which a task ran.
    pub busy: u64,
    /// ns of which nothing is known.
    pub unknown: u64,
    /// `sched_switch` events to a task.
    pub switches_to: u64,
}

impl LaneSum {
    /// Difference to an earlier sum.
    pub fn minus(self, earlier: LaneSum) -> LaneSum {
        LaneSum {
            busy: self.busy - earlier.busy,
            unknown: self.unknown - earlier.unknown,
            switches_to: self.switches_to - earlier.switches_to,
        }
    }
}

/// How long a task ran from `from` to `to` in some intervals.
fn busy(lane: &Lane, indexes: Range<usize>, from: u64, to: u64) -> u64 {
    let mut busy = 0;
    lane.each(indexes, |_, Interval { start, end, who }| {
        let ns = end.min(to).saturating_sub(start.max(from));
        busy += if matches!(who, Who::Run(_)) { ns } else { 0 };
    });
    busy
}

impl Sum for LaneSum {
    type Items<'a> = &'a Lane;
    const BLOCK: usize = 64;

    fn add(&mut self, lane: &Lane, range: Range<usize>, until: u64) {
        lane.each(range, |index, Interval { start, end, who }| {
            let ns = end.min(until).saturating_sub(start);
            match who {
                Who::Run(_) => {
                    self.busy += ns;
                    self.switches_to += u64::from(lane.switched_to(index));
                }
                Who::Unknown => self.unknown += ns,
                Who::Idle => {}
            }
        });
    }
}

/// Adds so many blocks of intervals to the sums of the lanes, and begins no more lanes than that; the sums, once all have theirs.
pub fn add_lanes(made: &mut Vec<LaneSums>, lanes: &[Lane], blocks: usize) -> Option<Vec<LaneSums>> {
    // The last one may not be finished.
    let mut making = made.pop();
    let mut left = blocks;
    for lane in lanes.iter().skip(made.len()) {
        let mut sums = making.take().unwrap_or_default();
        if left == 0 || sums.step(lane, left) {
            made.push(sums);
            return None;
        }
        left = left.saturating_sub(1 + lane.len() / LaneSum::BLOCK);
        made.push(sums);
    }
    Some(std::mem::take(made))
}

/// Sums over the intervals of one lane.
#[derive(Clone, Debug, Default)]
pub struct LaneSums {
    sums: Sums<LaneSum>,
}

impl LaneSums {
    /// Adds the sums of some blocks of a lane to those that it has; true while there are more.
    fn step(&mut self, lane: &Lane, blocks: usize) -> bool {
        self.sums.step(lane, lane.len(), blocks)
    }

    /// What the CPU did before `time`.
    pub fn until(&self, lane: &Lane, time: u64) -> LaneSum {
        let end = lane.starts().partition_point(|start| start < time);
        self.sums.until(lane, end, time)
    }

    /// How long a task ran from `from` to `to`, which is not earlier. `near`: about which interval begins at `to`, where that is known.
    pub fn busy_between(&self, lane: &Lane, near: Option<usize>, from: u64, to: u64) -> u64 {
        let starts = lane.starts();
        let end = near.map_or_else(
            || starts.partition_point(|start| start < to),
            |near| starts.search_near(near, to),
        );
        let begun = starts.search_near(end, from.saturating_add(1)).min(end);
        let first = begun.saturating_sub(1);
        // About as many as the sums would leave to be added up at most.
        if end - first <= LaneSum::BLOCK {
            return busy(lane, first..end, from, to);
        }
        self.sums.until(lane, end, to).busy - self.sums.until(lane, begun, from).busy
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.sums.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use schedmodel::TaskCommId;

    fn who() -> impl Strategy<Value = Who> {
        prop_oneof![3 => Just(Who::Run(TaskCommId(1))), 1 => Just(Who::Idle), 1 => Just(Who::Unknown)]
    }

    proptest! {
        /// Of times within a few intervals, and over more than the sums have in a block.
        #[test]
        fn what_ran_is_what_ran_in_each_interval(
            intervals in prop::collection::vec((0_u64..4, who()), 1..300),
            near in prop::option::of(0_usize..320),
            (from, length) in (0_u64..600, prop_oneof![0_u64..9, 0_u64..600]),
        ) {
            let lane = Lane::of(&intervals);
            let (from, to) = (from.min(lane.end()), (from + length).min(lane.end()));
            let runs = lane.intervals().filter(|interval| matches!(interval.who, Who::Run(_)));
            let ran = runs.map(|run| run.end.min(to).saturating_sub(run.start.max(from)));
            let mut sums = LaneSums::default();
            while sums.step(&lane, 1) {}
            prop_assert_eq!(sums.busy_between(&lane, near, from, to), ran.sum::<u64>());
        }
    }
}
