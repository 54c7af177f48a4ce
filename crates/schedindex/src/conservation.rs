//! Work conservation over time: how many tasks wait behind another although a spare CPU could take them, and how many
//! only wait for their own CPU to leave idle. See [`Standing`].

use super::blocks::{Sum, Sums};
use super::depth::Depth;
use super::sweep::{Queues, Standing, Sweep};
use schedmodel::{gallop, Trace};
use std::ops::Range;

/// Changes per step of the builder: about a millisecond of work; few in debug builds, so that every test takes several
/// steps.
pub const CHANGES: usize = if cfg!(debug_assertions) { 8 } else { 1 << 11 };

/// Sums over a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConservationSums {
    /// ns in which some task waits behind another while some CPU is spare.
    pub behind: u64,
    /// Integral of [`Standing::kept_waiting`], in ns times tasks.
    pub behind_cost: u64,
    /// ns in which some bound kernel thread waits behind another while some CPU is spare.
    pub bound: u64,
    /// Integral of [`Standing::bound_beside_spare`], in ns times tasks.
    pub bound_tasks: u64,
    /// ns in which some task waits for its own CPU to leave idle.
    pub leaving_idle: u64,
    /// Integral of how many do, in ns times tasks.
    pub leaving_idle_tasks: u64,
}

impl ConservationSums {
    /// Saturates, because damaged times can exceed any sum.
    pub fn hold(&mut self, ns: u64, standing: Standing) {
        self.hold_counts(
            ns,
            standing.kept_waiting(),
            standing.bound_beside_spare(),
            standing.leaving_idle,
        );
    }

    fn hold_counts(&mut self, ns: u64, kept_waiting: u32, bound: u32, leaving_idle: u32) {
        let sum = |sum: &mut u64, count: u32| *sum = sum.saturating_add(ns.saturating_mul(u64::from(count)));
        sum(&mut self.behind, kept_waiting.min(1));
        sum(&mut self.behind_cost, kept_waiting);
        sum(&mut self.bound, bound.min(1));
        sum(&mut self.bound_tasks, bound);
        sum(&mut self.leaving_idle, leaving_idle.min(1));
        sum(&mut self.leaving_idle_tasks, leaving_idle);
    }

    fn minus(self, other: ConservationSums) -> ConservationSums {
        ConservationSums {
            behind: self.behind - other.behind,
            behind_cost: self.behind_cost - other.behind_cost,
            bound: self.bound - other.bound,
            bound_tasks: self.bound_tasks - other.bound_tasks,
            leaving_idle: self.leaving_idle - other.leaving_idle,
            leaving_idle_tasks: self.leaving_idle_tasks - other.leaving_idle_tasks,
        }
    }
}

impl Sum for ConservationSums {
    type Items<'a> = &'a Conservation;
    const BLOCK: usize = 64;

    fn add(&mut self, steps: &Conservation, range: Range<usize>, until: u64) {
        for index in range {
            let (Some(&at), Some(&[kept_waiting, bound]), Some(&leaving_idle)) = (
                steps.at.get(index),
                steps.behind.get(index),
                steps.leaving_idle.get(index),
            ) else {
                return;
            };
            let end = steps.at.get(index + 1).copied().unwrap_or(steps.span).min(until);
            let [kept_waiting, bound] = [kept_waiting, bound].map(u32::from);
            self.hold_counts(end.saturating_sub(at), kept_waiting, bound, leaving_idle);
        }
    }
}

/// The steps of a whole trace, with sums.
#[derive(Clone, Debug, Default)]
pub struct Conservation {
    span: u64,
    /// Times at which a count changes: ascending, from 0 unless the trace has no span.
    at: Vec<u64>,
    /// [`Standing::kept_waiting`] and [`Standing::bound_beside_spare`]; at most the number of CPUs.
    behind: Vec<[u16; 2]>,
    leaving_idle: Vec<u32>,
    sums: Sums<ConservationSums>,
}

impl Conservation {
    /// Over all CPUs. `all`: the runqueues of all tasks, if `shown` leaves some out.
    pub fn new(trace: &Trace, shown: &Depth, all: Option<&Depth>) -> Conservation {
        let queues = Queues { shown, all };
        let mut builder = ConservationBuilder::new(trace, queues);
        loop {
            if let Some((conservation, _)) = builder.step(trace, queues, &mut |_, _, _| {}) {
                return conservation;
            }
        }
    }

    fn push(&mut self, from: u64, standing: Standing) {
        let counts = [standing.kept_waiting(), standing.bound_beside_spare()];
        let behind = counts.map(|count| u16::try_from(count).unwrap_or(u16::MAX));
        let last = self.behind.last().zip(self.leaving_idle.last());
        if last != Some((&behind, &standing.leaving_idle)) {
            self.at.push(from);
            self.behind.push(behind);
            self.leaving_idle.push(standing.leaving_idle);
        }
    }

    /// Sums up the first steps, as many as have ended: all at the end would be a long step of the builder.
    fn sum_up(&mut self, ended: usize) {
        let mut sums = std::mem::take(&mut self.sums);
        sums.step(self, ended, usize::MAX);
        self.sums = sums;
    }

    fn finish(&mut self, span: u64) {
        self.span = span;
        self.at.shrink_to_fit();
        self.behind.shrink_to_fit();
        self.leaving_idle.shrink_to_fit();
        self.sum_up(self.at.len());
    }

    /// Sums over a window.
    pub fn sums(&self, window: Range<u64>) -> ConservationSums {
        let end = window.end.min(self.span);
        if end <= window.start {
            return ConservationSums::default();
        }
        let begun = |time: u64| self.at.partition_point(|&at| at < time);
        let (first, last) = (begun(window.start), begun(end));
        self.until(last, end).minus(self.until(first, window.start))
    }

    /// Whether some sum over the whole trace is too large for its number, so that sums over windows are too small.
    pub fn is_saturated(&self) -> bool {
        let ConservationSums {
            behind,
            behind_cost,
            bound,
            bound_tasks,
            leaving_idle,
            leaving_idle_tasks,
        } = self.until(self.at.len(), self.span);
        let sums = [
            behind,
            behind_cost,
            bound,
            bound_tasks,
            leaving_idle,
            leaving_idle_tasks,
        ];
        sums.contains(&u64::MAX)
    }

    /// Sums over each of `count` buckets of `width` ns, the first at `start`; zero for a bucket past the end.
    pub fn buckets(&self, start: u64, width: u64, count: usize, mut each: impl FnMut(ConservationSums)) {
        let mut from = start.min(self.span);
        let mut steps = self.at.partition_point(|&at| at < from);
        let mut before = self.until(steps, from);
        for _ in 0..count {
            let to = from.saturating_add(width).min(self.span);
            steps = gallop(&self.at, steps, to);
            let after = self.until(steps, to);
            each(after.minus(before));
            (from, before) = (to, after);
        }
    }

    /// Sums up to `time`, before which `steps` steps begin.
    fn until(&self, steps: usize, time: u64) -> ConservationSums {
        self.sums.until(self, steps, time)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.at.capacity() * 8
            + self.behind.capacity() * 4
            + self.leaving_idle.capacity() * 4
            + self.sums.memory_bytes()
    }
}

/// Times in which some CPU is spare.
#[derive(Clone, Debug, Default)]
pub struct SpareTime {
    /// Since when some CPU has been spare, while the times are being found.
    since: Option<u64>,
    /// Begins and ends.
    times: Vec<(u64, u64)>,
    lengths: Sums<Length>,
}

/// Total length of some times, in ns.
#[derive(Clone, Copy, Debug, Default)]
struct Length(u64);

impl Sum for Length {
    type Items<'a> = &'a [(u64, u64)];
    const BLOCK: usize = 64;

    fn add(&mut self, times: &[(u64, u64)], range: Range<usize>, until: u64) {
        for &(from, to) in times.get(range).unwrap_or_default() {
            self.0 += to.min(until) - from;
        }
    }
}

impl SpareTime {
    fn push(&mut self, at: u64, standing: Standing) {
        match self.since {
            None if 0 < standing.spare => self.since = Some(at),
            Some(since) if standing.spare == 0 => {
                self.times.push((since, at));
                self.since = None;
            }
            _ => {}
        }
    }

    fn finish(&mut self, span: u64) {
        self.times.extend(self.since.take().map(|since| (since, span)));
        self.times.shrink_to_fit();
        self.sum_up();
    }

    /// Sums up the times so far, all of which have ended.
    fn sum_up(&mut self) {
        self.lengths.step(&self.times, self.times.len(), usize::MAX);
    }

    fn until(&self, time: u64) -> u64 {
        let begun = self.times.partition_point(|&(from, _)| from < time);
        self.lengths.until(&self.times, begun, time).0
    }

    /// ns from `from` to `to` in which some CPU is spare.
    pub fn between(&self, from: u64, to: u64) -> u64 {
        self.until(to).saturating_sub(self.until(from))
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.times.capacity() * size_of::<(u64, u64)>() + self.lengths.memory_bytes()
    }
}

/// Builds both in one resumable sweep.
#[derive(Debug)]
pub struct ConservationBuilder {
    sweep: Sweep,
    conservation: Conservation,
    spare: SpareTime,
}

impl ConservationBuilder {
    /// Of what waits on those queues.
    pub fn new(trace: &Trace, queues: Queues<'_>) -> ConservationBuilder {
        ConservationBuilder {
            sweep: Sweep::new(trace, queues, 0..trace.lanes.len()),
            conservation: Conservation::default(),
            spare: SpareTime::default(),
        }
    }

    /// Does some of the work, and calls `each` as [`Sweep::step`] does; returns the result once finished. Every call takes
    /// the same arguments.
    pub fn step(
        &mut self,
        trace: &Trace,
        queues: Queues<'_>,
        each: &mut impl FnMut(u64, u64, Standing),
    ) -> Option<(Conservation, SpareTime)> {
        let (conservation, spare) = (&mut self.conservation, &mut self.spare);
        let more = self.sweep.step(trace, queues, CHANGES, &mut |from, to, standing| {
            conservation.push(from, standing);
            spare.push(from, standing);
            each(from, to, standing);
        });
        conservation.sum_up(conservation.at.len().saturating_sub(1));
        spare.sum_up();
        if more {
            return None;
        }
        conservation.finish(trace.span_ns);
        spare.finish(trace.span_ns);
        Some((std::mem::take(conservation), std::mem::take(spare)))
    }
}
