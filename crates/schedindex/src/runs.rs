//! The runs of each (task, comm), in time order, with sums of their lengths.

use super::blocks::{Sum, Sums};
use super::grouped::{Grouped, Offsets};
use super::passing::Passing;
use super::runs_builder::RunsBuilder;
use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored, stored_plain};
use schedmodel::{Interval, Lane, TaskCommId, TaskId, Trace};
use std::ops::Range;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// Index of the lane.
    pub lane: usize,
    /// Index of the interval in the lane.
    pub index: usize,
}

impl RunId {
    /// Its lane; `None`, as below, if the trace has no such run.
    pub(super) fn lane(self, trace: &Trace) -> Option<&Lane> {
        trace.lanes.get(self.lane).filter(|lane| self.index < lane.len())
    }

    /// When it begins.
    pub(super) fn start(self, trace: &Trace) -> Option<u64> {
        trace.lanes.get(self.lane)?.starts().get(self.index)
    }

    /// When it ends.
    pub(super) fn end(self, trace: &Trace) -> Option<u64> {
        self.interval(trace).map(|run| run.end)
    }

    /// When it begins and ends.
    fn interval(self, trace: &Trace) -> Option<Interval> {
        self.lane(trace).map(|lane| lane.interval(self.index))
    }
}

/// Total length of runs, in ns.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Length(pub u64);

impl Sum for Length {
    type Items<'a> = (&'a Trace, &'a Runs);
    const BLOCK: usize = BLOCK;

    fn add(&mut self, (trace, runs): (&Trace, &Runs), slots: Range<usize>, _: u64) {
        let intervals = slots.filter_map(|slot| runs.run(slot)?.interval(trace));
        self.0 += intervals.map(|run| run.end - run.start).sum::<u64>();
    }
}

/// Runs per stored start and sum.
pub const BLOCK: usize = 16;

/// Lists of runs by (task, comm), and of (task, comm) pairs by task.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// Number of intervals in the lanes before each lane; the number of a run is that plus its index.
    pub(super) lane_base: Vec<u32>,
    /// Numbers of runs, grouped by pair, sorted by start within a pair.
    pub(super) numbers: Vec<u32>,
    /// Of each pair's runs in `numbers`.
    pub(super) offsets: Offsets,
    /// Start of the first run in each block of `numbers`, to search without reading the lanes.
    pub(super) block_start: Vec<u64>,
    pub(super) lengths: Sums<Length>,
    /// Whether the pair's runs overlap, which contradicting events can cause.
    pub(super) overlapping: Vec<bool>,
    /// Pairs grouped by task.
    pub(super) pairs: Grouped<TaskCommId>,
}

stored_plain!(Length);
stored!(Runs {
    lane_base: Vec<u32>,
    numbers: Vec<u32>,
    offsets: Offsets,
    block_start: Vec<u64>,
    lengths: Sums<Length>,
    overlapping: Vec<bool>,
    pairs: Grouped<TaskCommId>,
});

impl Runs {
    /// Indexes all runs of a trace.
    pub fn new(trace: &Trace) -> Runs {
        let mut builder = RunsBuilder::new(trace);
        loop {
            if let Some(runs) = builder.step(trace) {
                return runs;
            }
        }
    }

    /// The (task, comm) pairs of a task, in order of appearance.
    pub fn pairs_of(&self, task: TaskId) -> &[TaskCommId] {
        self.pairs.of(task.0 as usize)
    }

    /// The slots of a pair's runs.
    pub fn slots(&self, pair: TaskCommId) -> Range<usize> {
        self.offsets.slots(pair.0 as usize)
    }

    /// The pair whose run is in a slot.
    pub(super) fn pair_of(&self, slot: usize) -> TaskCommId {
        TaskCommId(self.offsets.group_of(slot) as u32)
    }

    /// The runs of a pair, by start.
    pub fn of(&self, pair: TaskCommId) -> impl DoubleEndedIterator<Item = RunId> + '_ {
        let numbers = self.offsets.part(pair.0 as usize, &self.numbers);
        numbers.iter().map(|&number| self.decode(number))
    }

    /// The last run of `task` that starts at or before `at`.
    pub fn last_before(&self, trace: &Trace, task: TaskId, at: u64) -> Option<RunId> {
        let candidates = self.pairs_of(task).iter().filter_map(|&pair| {
            let after = self.first_starting(trace, pair, at.saturating_add(1));
            self.run(after.checked_sub(1).filter(|&last| self.slots(pair).start <= last)?)
        });
        candidates.max_by_key(|run| (run.start(trace), run.index))
    }

    /// The same, and when the task's next run starts; `u64::MAX` if it has none.
    pub fn around(&self, trace: &Trace, task: TaskId, at: u64) -> (Option<RunId>, u64) {
        let mut next = u64::MAX;
        let mut last: Option<(u64, RunId)> = None;
        for &pair in self.pairs_of(task) {
            let (slots, after) = (self.slots(pair), self.first_starting(trace, pair, at.saturating_add(1)));
            if after < slots.end {
                next = next.min(self.start(trace, after).unwrap_or(u64::MAX));
            }
            let before = after.checked_sub(1).filter(|&last| slots.start <= last);
            let run = before.and_then(|slot| self.run(slot));
            let found = run.and_then(|run| Some((run.start(trace)?, run)));
            let later = |one: &(u64, RunId)| last.is_none_or(|(start, run)| (start, run.index) <= (one.0, one.1.index));
            last = found.filter(later).or(last);
        }
        (last.map(|(_, run)| run), next)
    }

    /// Sums of the runs of `pair` in a window: `switch`es to it that begin there, how long it ran, and its first and
    /// last ns there. `None` if it did not run there.
    pub fn in_window(&self, trace: &Trace, pair: TaskCommId, window: &Range<u64>) -> Option<RunSum> {
        let slots = self.slots(pair);
        if self.overlapping.get(pair.0 as usize) == Some(&true) {
            return self.scan(trace, slots, window);
        }
        let first = self.first_starting(trace, pair, window.start);
        let end = self.first_starting(trace, pair, window.end);
        // The run before may extend into the window, and the last one out of it: these two are clipped, the others are not.
        let before = first.checked_sub(1).filter(|slot| slots.contains(slot));
        let mut sum = before.and_then(|slot| self.scan(trace, slot..slot + 1, window));
        if first < end {
            let inner = first..end - 1;
            let last = self.scan(trace, end - 1..end, window);
            let whole = self.start(trace, first).map(|begin| RunSum {
                first: begin,
                last: begin,
                execution: self.length_of(trace, inner.clone()),
                runs: inner.len() as u64,
                inferred: u64::from(inner.contains(&slots.start) && self.is_inferred(trace, slots.start)),
            });
            for part in [whole, last].into_iter().flatten() {
                sum = Some(sum.map_or(part, |sum| sum.and(part)));
            }
        }
        sum
    }

    /// The same of the runs that pass a filter, and how long the task waited before them, in a window.
    pub fn passing_in_window(
        &self,
        trace: &Trace,
        pair: TaskCommId,
        window: &Range<u64>,
        passing: &Passing,
    ) -> (Option<RunSum>, u64) {
        let (mut sum, mut waited): (Option<RunSum>, u64) = (None, 0);
        for run in self.slots(pair).filter_map(|slot| self.run(slot)) {
            let Some(lane) = run.lane(trace).filter(|_| passing.has(run.lane, run.index)) else {
                continue;
            };
            let interval = lane.interval(run.index);
            if let Some(wait) = lane.wait(run.index) {
                let since = wait.since.max(window.start);
                waited += interval.start.min(window.end).saturating_sub(since);
            }
            if let Some(part) = RunSum::clipped(interval, lane.switched_to(run.index), window) {
                sum = Some(sum.map_or(part, |sum| sum.and(part)));
            }
        }
        (sum, waited)
    }

    fn scan(&self, trace: &Trace, slots: Range<usize>, window: &Range<u64>) -> Option<RunSum> {
        let parts = slots.filter_map(|slot| {
            let run = self.run(slot)?;
            let switched_to = run.lane(trace)?.switched_to(run.index);
            RunSum::clipped(run.interval(trace)?, switched_to, window)
        });
        parts.reduce(RunSum::and)
    }

    fn is_inferred(&self, trace: &Trace, slot: usize) -> bool {
        let switched_to = |run: RunId| run.lane(trace).is_some_and(|lane| lane.switched_to(run.index));
        !self.run(slot).is_some_and(switched_to)
    }

    /// The first run of `pair` that starts at or after `at`; the end of its runs if there is none.
    pub fn first_starting(&self, trace: &Trace, pair: TaskCommId, at: u64) -> usize {
        let slots = self.slots(pair);
        // All time needs no search; one would wait for memory once for each task.
        match at {
            0 => return slots.start,
            u64::MAX => return slots.end,
            _ => {}
        }
        // Only blocks that begin within the pair are in order; what is before the first of them is looked at one by one.
        let blocks = slots.start.div_ceil(BLOCK)..slots.end.div_ceil(BLOCK);
        let starts = self.block_start.get(blocks.clone()).unwrap_or_default();
        let block = blocks.start + starts.partition_point(|&start| start < at);
        let first = if block == blocks.start {
            slots.start
        } else {
            (block - 1) * BLOCK
        };
        let last = if block == blocks.end { slots.end } else { block * BLOCK };
        let numbers = self.numbers.get(first..last).unwrap_or_default();
        first + numbers.partition_point(|&number| self.decode(number).start(trace).is_some_and(|start| start < at))
    }

    /// Total length of some runs.
    fn length_of(&self, trace: &Trace, slots: Range<usize>) -> u64 {
        self.lengths
            .of_range((trace, self), slots, |after, before| Length(after.0 - before.0))
            .0
    }

    /// Number of runs.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    fn start(&self, trace: &Trace, slot: usize) -> Option<u64> {
        self.run(slot)?.start(trace)
    }

    /// When the run in `slot` begins, and since when its task had been runnable by then.
    pub(super) fn started(&self, trace: &Trace, slot: usize) -> Option<(u64, u64)> {
        let run = self.run(slot)?;
        let lane = trace.lanes.get(run.lane)?;
        let start = lane.starts().get(run.index)?;
        Some((start, lane.wait(run.index).map_or(start, |wait| wait.since)))
    }

    /// The run at a place in the order of tasks.
    pub fn run(&self, slot: usize) -> Option<RunId> {
        self.number(slot).map(|number| self.decode(number))
    }

    /// The number of the run in `slot`: runs are numbered by lane, then by index in the lane.
    pub fn number(&self, slot: usize) -> Option<u32> {
        self.numbers.get(slot).copied()
    }

    /// The run with this number.
    pub fn decode(&self, number: u32) -> RunId {
        // Lanes without intervals share a base with the next one: the last lane of that base has the run. The first base
        // is 0, so that only a trace without lanes, which has no runs, has no base at or below a number.
        let lane = self.lane_base.partition_point(|&base| base <= number).saturating_sub(1);
        let base = self.lane_base.get(lane).copied().unwrap_or(0);
        RunId {
            lane,
            index: (number - base) as usize,
        }
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.numbers.capacity() * 4
            + self.offsets.memory_bytes()
            + self.pairs.memory_bytes()
            + self.block_start.capacity() * 8
            + self.lengths.memory_bytes()
            + self.overlapping.capacity()
    }
}

/// Sums of a pair's runs, clipped to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSum {
    /// First ns that it ran.
    pub first: u64,
    /// End of the last ns that it ran.
    pub last: u64,
    /// How long it ran, in ns.
    pub execution: u64,
    /// Number of runs that begin in the window.
    pub runs: u64,
    /// How many of these are inferred: no `sched_switch` began them.
    pub inferred: u64,
}

impl RunSum {
    /// One run, clipped to the window; `None` if it lies outside. A run of length 0 lies where it begins.
    pub fn clipped(run: Interval, switched_to: bool, window: &Range<u64>) -> Option<RunSum> {
        let begins = window.contains(&run.start);
        if !begins && (window.end <= run.start || run.end <= window.start) {
            return None;
        }
        let (first, last) = (run.start.max(window.start), run.end.min(window.end));
        Some(RunSum {
            first,
            last,
            execution: last - first,
            runs: u64::from(begins),
            inferred: u64::from(begins && !switched_to),
        })
    }

    /// Sum of both.
    pub fn and(self, other: RunSum) -> RunSum {
        RunSum {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
            execution: self.execution + other.execution,
            runs: self.runs + other.runs,
            inferred: self.inferred + other.inferred,
        }
    }

    /// `sched_switch` events to it in the window.
    pub fn switches_to(&self) -> u64 {
        self.runs - self.inferred
    }
}
