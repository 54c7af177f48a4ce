//! How long tasks waited in any window, by (task, comm).
//!
//! A task has one state at a time, so its waits do not overlap; they are in the order of the runs that end them.

use super::runs::Runs;
use schedmodel::{LooseWait, TaskCommId, Trace};
use std::ops::Range;

/// Runs per stored sum.
const BLOCK: usize = 16;

/// Sums of the waits before runs, in the order of [`Runs`], and of waits that no run ended.
#[derive(Clone, Debug, Default)]
pub struct RunWaits {
    /// ns waited before the runs ahead of each block, and in all.
    before: Vec<u64>,
    /// Sorted by task and comm, then by start.
    loose: Vec<LooseWait>,
    /// Total length of the loose waits before each, and of all.
    loose_before: Vec<u64>,
}

impl RunWaits {
    /// Indexes all waits of a trace.
    pub fn new(trace: &Trace, runs: &Runs) -> RunWaits {
        let mut waits = RunWaits::begin(trace);
        while waits.step(trace, runs, usize::MAX) {}
        waits
    }

    /// An index without the waits before runs, which `step` adds.
    pub(crate) fn begin(trace: &Trace) -> RunWaits {
        let mut loose = trace.loose_waits.clone();
        loose.sort_by_key(|wait| (wait.who, wait.since));
        let mut sum = 0_u64;
        let mut loose_before = vec![0];
        loose_before.extend(loose.iter().map(|wait| {
            sum = sum.wrapping_add(wait.until - wait.since);
            sum
        }));
        RunWaits {
            before: vec![0],
            loose,
            loose_before,
        }
    }

    /// Adds up to `count` blocks of runs; true while there are more.
    pub(crate) fn step(&mut self, trace: &Trace, runs: &Runs, count: usize) -> bool {
        let (done, all) = (self.before.len() - 1, runs.len().div_ceil(BLOCK));
        let end = all.min(done.saturating_add(count));
        let mut sum = self.before[done];
        for block in done..end {
            let slots = block * BLOCK..runs.len().min((block + 1) * BLOCK);
            sum = slots.fold(sum, |sum, slot| sum.wrapping_add(wait_before(trace, runs, slot)));
            self.before.push(sum);
        }
        end < all
    }

    /// ns that the pair waited in a window.
    pub fn in_window(&self, trace: &Trace, runs: &Runs, pair: TaskCommId, window: &Range<u64>) -> u64 {
        let until = |time| {
            let before_runs = self.until(trace, runs, pair, time);
            before_runs.wrapping_add(self.loose_until(pair, time))
        };
        until(window.end).wrapping_sub(until(window.start))
    }

    /// ns waited until `time`, plus everything listed before this pair. Sums wrap; only their differences are used.
    fn until(&self, trace: &Trace, runs: &Runs, pair: TaskCommId, time: u64) -> u64 {
        let next = runs.first_starting(trace, pair, time.saturating_add(1));
        let block = next / BLOCK;
        let whole = (block * BLOCK..next).fold(self.before[block], |sum, slot| {
            sum.wrapping_add(wait_before(trace, runs, slot))
        });
        // The wait that goes on at `time` is before the next run. Damage lets several begin at once.
        let mut rest = next..runs.slots(pair).end;
        let Some(start) = rest.clone().next().map(|slot| runs.start(trace, slot)) else {
            return whole;
        };
        let mut sum = whole;
        for slot in rest.by_ref().take_while(|&slot| runs.start(trace, slot) == start) {
            let run = runs.run(slot);
            let since = trace.lanes[run.lane].wait(run.index).map_or(start, |wait| wait.since);
            sum = sum.wrapping_add(time.saturating_sub(since));
        }
        sum
    }

    fn loose_until(&self, pair: TaskCommId, time: u64) -> u64 {
        let end = self.loose.partition_point(|wait| (wait.who, wait.since) < (pair, time));
        let sum = self.loose_before[end];
        match end.checked_sub(1).map(|last| self.loose[last]) {
            // The last one that begins before `time` may continue after it.
            Some(last) if last.who == pair => sum.wrapping_sub(last.until.saturating_sub(time)),
            _ => sum,
        }
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        (self.before.capacity() + self.loose_before.capacity()) * 8 + self.loose.capacity() * size_of::<LooseWait>()
    }
}

/// ns that the task waited before a run.
fn wait_before(trace: &Trace, runs: &Runs, slot: usize) -> u64 {
    let run = runs.run(slot);
    let lane = &trace.lanes[run.lane];
    lane.wait(run.index)
        .map_or(0, |wait| lane.starts()[run.index] - wait.since)
}
