//! Makes [`Runs`] in steps.

use super::group_sort::{GroupSort, Instant, Things};
use super::grouped::Grouped;
use super::runs::{Length, Runs, BLOCK};
use schedmodel::{Interval, TaskCommId, Trace, Who};
use std::ops::Range;

/// Runs summed per step.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 15 };

/// Longer than the 32 bits that a run has while it is sorted.
const LONG: u32 = u32::MAX;

/// Makes the runs of a trace.
#[derive(Debug)]
pub struct RunsBuilder {
    sort: GroupSort,
    /// Without those that are still sorted.
    runs: Runs,
    length: Length,
    /// The next to be summed.
    slot: usize,
    /// The pair whose runs are summed, and up to when one of them lasts.
    pair: usize,
    last_end: u64,
}

impl RunsBuilder {
    /// Of all runs of a trace.
    pub fn new(trace: &Trace) -> RunsBuilder {
        let pairs_by_task = trace.task_comms.iter().map(|pair| pair.task.0);
        let pairs_by_task = pairs_by_task.zip((0..).map(TaskCommId));
        let base = |total: &mut u32, lane: usize| Some(std::mem::replace(total, *total + lane as u32));
        RunsBuilder {
            sort: GroupSort::new(trace.task_comms.len()),
            runs: Runs {
                lane_base: trace.lanes.iter().map(|lane| lane.len()).scan(0, base).collect(),
                pairs: Grouped::new(pairs_by_task, trace.tasks.len()),
                overlapping: vec![false; trace.task_comms.len()],
                ..Runs::default()
            },
            length: Length::default(),
            slot: 0,
            pair: 0,
            last_end: 0,
        }
    }

    /// Works for about a millisecond; the runs, once all are there.
    pub fn step(&mut self, trace: &Trace) -> Option<Runs> {
        let lanes = LaneRuns {
            trace,
            lane_base: &self.runs.lane_base,
        };
        if self.sort.step(&lanes) {
            return None;
        }
        if self.pair < self.sort.offsets().groups() {
            self.sum(trace);
            return None;
        }
        if self.sort.release() {
            return None;
        }
        let sort = std::mem::replace(&mut self.sort, GroupSort::new(0));
        let mut runs = std::mem::take(&mut self.runs);
        (runs.numbers, runs.offsets) = sort.into_numbers();
        Some(runs)
    }

    /// Sums some runs.
    fn sum(&mut self, trace: &Trace) {
        let RunsBuilder { sort, runs, .. } = self;
        let instants = sort.instants();
        let until = self.slot + STEP;
        while self.pair < sort.offsets().groups() && self.slot < until {
            let slots = sort.offsets().slots(self.pair);
            let part = self.slot..slots.end.min(until);
            let mut overlapping = false;
            for (slot, run) in part.clone().zip(instants.get(part.clone()).unwrap_or_default()) {
                let end = match run.more {
                    LONG => runs.decode(run.number).end(trace).unwrap_or(run.at),
                    ns => run.at.saturating_add(ns.into()),
                };
                if slot % BLOCK == 0 {
                    runs.block_start.push(run.at);
                }
                runs.lengths.push(slot, self.length);
                overlapping |= run.at < self.last_end;
                self.last_end = end;
                self.length.0 += end - run.at;
            }
            if let Some(known) = runs.overlapping.get_mut(self.pair) {
                *known |= overlapping;
            }
            self.slot = part.end;
            if self.slot == slots.end {
                (self.pair, self.last_end) = (self.pair + 1, 0);
            }
        }
    }
}

/// All intervals, by number, of which runs are grouped by (task, comm).
struct LaneRuns<'a> {
    trace: &'a Trace,
    /// See [`Runs`].
    lane_base: &'a [u32],
}

impl Things for LaneRuns<'_> {
    fn count(&self) -> usize {
        let last = self.lane_base.last().zip(self.trace.lanes.last());
        last.map_or(0, |(&base, lane)| base as usize + lane.len())
    }

    fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, Instant)) {
        let first = self.lane_base.partition_point(|&base| base as usize <= range.start);
        let lanes = self.trace.lanes.iter().zip(self.lane_base);
        for (lane, &base) in lanes.skip(first.saturating_sub(1)) {
            let first = base as usize;
            if range.end <= first {
                break;
            }
            let part = range.start.saturating_sub(first)..lane.len().min(range.end - first);
            lane.each(part, |index, Interval { start, end, who }| {
                if let Who::Run(id) = who {
                    let ns = u32::try_from(end.saturating_sub(start)).unwrap_or(LONG);
                    let run = Instant {
                        at: start,
                        number: base + index as u32,
                        more: ns,
                    };
                    take(id.0, run);
                }
            });
        }
    }
}
