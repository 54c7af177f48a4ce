//! Sums of what a CPU did, up to any time.

use schedmodel::{Interval, Lane, Who};

/// Intervals per stored sum.
const BLOCK: usize = 64;

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

    fn add(&mut self, lane: &Lane, index: usize, until: u64) {
        let interval = lane.interval(index);
        let ns = interval.end.min(until).saturating_sub(interval.start);
        match interval.who {
            Who::Run(_) => {
                self.busy += ns;
                self.switches_to += u64::from(lane.switched_to(index));
            }
            Who::Unknown => self.unknown += ns,
            Who::Idle => {}
        }
    }
}

/// Sums over the intervals of one lane.
#[derive(Clone, Debug, Default)]
pub struct LaneSums {
    /// Sums before each block, and over all.
    before: Vec<LaneSum>,
}

impl LaneSums {
    /// Builds the sums of a lane.
    pub fn new(lane: &Lane) -> LaneSums {
        let mut sum = LaneSum::default();
        let mut before = vec![sum];
        for first in (0..lane.len()).step_by(BLOCK) {
            for index in first..lane.len().min(first + BLOCK) {
                sum.add(lane, index, u64::MAX);
            }
            before.push(sum);
        }
        LaneSums { before }
    }

    /// What the CPU did before `time`.
    pub fn until(&self, lane: &Lane, time: u64) -> LaneSum {
        let end = lane.starts().partition_point(|&start| start < time);
        // The last one may continue past `time`, so it is added separately, wherever it is in its block.
        let block = end.saturating_sub(1) / BLOCK;
        let mut sum = self.before[block];
        for index in block * BLOCK..end {
            sum.add(lane, index, time);
        }
        sum
    }

    /// How long a task ran from `from` to `to`, which is not earlier.
    pub fn busy_between(&self, lane: &Lane, from: u64, to: u64) -> u64 {
        let end = lane.starts().partition_point(|&start| start < to);
        let mut busy = 0;
        // Most such times touch a few intervals: these are added up without the sums.
        for index in (end.saturating_sub(BLOCK)..end).rev() {
            let Interval { start, end, who, .. } = lane.interval(index);
            if matches!(who, Who::Run(_)) {
                busy += end.min(to).saturating_sub(start.max(from));
            }
            if start <= from {
                return busy;
            }
        }
        self.until(lane, to).busy - self.until(lane, from).busy
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.before.capacity() * size_of::<LaneSum>()
    }
}
