//! How long tasks waited in any window, by (task, comm).
//!
//! A task has one state at a time, so its waits do not overlap; they are in the order of the runs that end them.

use super::blocks::{Sum, Sums};
use super::runs::Runs;
use schedmodel::{LooseWait, TaskCommId, Trace};
use schedrows::sort_by_keys;
use std::ops::Range;

/// ns waited. Sums wrap; only their differences are used.
#[derive(Clone, Copy, Debug, Default)]
struct BeforeRuns(u64);

impl Sum for BeforeRuns {
    type Items<'a> = (&'a Trace, &'a Runs);
    const BLOCK: usize = 16;

    fn add(&mut self, (trace, runs): (&Trace, &Runs), slots: Range<usize>, _: u64) {
        for (start, since) in slots.filter_map(|slot| runs.started(trace, slot)) {
            self.0 = self.0.wrapping_add(start - since);
        }
    }
}

/// ns waited, likewise.
#[derive(Clone, Copy, Debug, Default)]
struct Loose(u64);

impl Sum for Loose {
    type Items<'a> = &'a [LooseWait];
    /// Waits of different tasks overlap: only a sum before each of them never has to cut any but the last.
    const BLOCK: usize = 1;

    fn add(&mut self, waits: &[LooseWait], range: Range<usize>, until: u64) {
        for wait in waits.get(range).unwrap_or_default() {
            self.0 = self.0.wrapping_add(wait.until.min(until) - wait.since);
        }
    }
}

/// Sums of the waits before runs, in the order of [`Runs`], and of waits that no run ended.
#[derive(Clone, Debug, Default)]
pub struct RunWaits {
    before_runs: Sums<BeforeRuns>,
    /// Sorted by task and comm, then by start.
    loose: Vec<LooseWait>,
    loose_sums: Sums<Loose>,
}

impl RunWaits {
    /// Indexes all waits of a trace.
    pub fn new(trace: &Trace, runs: &Runs) -> RunWaits {
        let mut waits = RunWaits::begin(trace);
        while waits.step(trace, runs, usize::MAX) {}
        waits
    }

    /// An index without the waits before runs, which `step` adds.
    pub fn begin(trace: &Trace) -> RunWaits {
        let mut loose = trace.loose_waits.clone();
        sort_by_keys(&mut loose, |wait| [wait.who.0.into(), wait.since]);
        RunWaits {
            before_runs: Sums::default(),
            loose_sums: Sums::<Loose>::new(&loose, loose.len()),
            loose,
        }
    }

    /// Adds up to `count` blocks of runs; true while there are more.
    pub fn step(&mut self, trace: &Trace, runs: &Runs, count: usize) -> bool {
        self.before_runs.step((trace, runs), runs.len(), count)
    }

    /// ns that the pair waited in a window.
    pub fn in_window(&self, trace: &Trace, runs: &Runs, pair: TaskCommId, window: &Range<u64>) -> u64 {
        let (first, before) = self.begun(trace, runs, pair, window.start);
        let (end, within) = self.begun(trace, runs, pair, window.end);
        let minus = |after: BeforeRuns, before: BeforeRuns| BeforeRuns(after.0.wrapping_sub(before.0));
        let BeforeRuns(whole) = self.before_runs.of_range((trace, runs), first..end.max(first), minus);
        let loose = self
            .loose_until(pair, window.end)
            .wrapping_sub(self.loose_until(pair, window.start));
        whole.wrapping_add(within).wrapping_sub(before).wrapping_add(loose)
    }

    /// The pair's first run that starts after `time`, and how long it had waited for that by then. At 0 all runs are still to come:
    /// for those that start there, nobody waited.
    fn begun(&self, trace: &Trace, runs: &Runs, pair: TaskCommId, time: u64) -> (usize, u64) {
        if time == 0 {
            return (runs.slots(pair).start, 0);
        }
        let next = runs.first_starting(trace, pair, time.saturating_add(1));
        // Damage lets several runs begin at once.
        let rest = next..runs.slots(pair).end;
        let mut rest = rest.map_while(|slot| runs.started(trace, slot)).peekable();
        let first = rest.peek().map(|&(start, _)| start);
        let mut waited: u64 = 0;
        while let Some((_, since)) = rest.next_if(|&(start, _)| Some(start) == first) {
            waited = waited.wrapping_add(time.saturating_sub(since));
        }
        (next, waited)
    }

    fn loose_until(&self, pair: TaskCommId, time: u64) -> u64 {
        let end = self.loose.partition_point(|wait| (wait.who, wait.since) < (pair, time));
        // The pair's last one that begins before `time` may continue after it.
        let last = end.checked_sub(1).and_then(|last| self.loose.get(last));
        let until = last.filter(|last| last.who == pair).map_or(u64::MAX, |_| time);
        self.loose_sums.until(&self.loose, end, until).0
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let loose = self.loose.capacity() * size_of::<LooseWait>();
        self.before_runs.memory_bytes() + self.loose_sums.memory_bytes() + loose
    }
}
