//! Minima, maxima and integrals of the running and waiting counts, over any window.

use std::ops::Range;
use std::sync::Arc;

use schedmodel::{gallop, Counts, Step, Steps};

/// Steps (or summaries) per summary: a bucket reads at most twice as many on each level.
const FAN: usize = 16;
/// Steps per stored integral.
const BLOCK: usize = 64;

/// Minimum and maximum counts over a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// Minimum of running.
    pub running_min: u32,
    /// Maximum of running.
    pub running_max: u32,
    /// Minimum of running + waiting.
    pub runnable_min: u32,
    /// Maximum of running + waiting.
    pub runnable_max: u32,
    /// Maximum of waiting.
    pub waiting_max: u32,
}

impl Extremes {
    fn of(counts: Counts) -> Extremes {
        let runnable = counts.running + counts.waiting;
        Extremes {
            running_min: counts.running,
            running_max: counts.running,
            runnable_min: runnable,
            runnable_max: runnable,
            waiting_max: counts.waiting,
        }
    }

    fn and(self, other: Extremes) -> Extremes {
        Extremes {
            running_min: self.running_min.min(other.running_min),
            running_max: self.running_max.max(other.running_max),
            runnable_min: self.runnable_min.min(other.runnable_min),
            runnable_max: self.runnable_max.max(other.runnable_max),
            waiting_max: self.waiting_max.max(other.waiting_max),
        }
    }
}

/// Integrals over a stretch of time, in ns times tasks or CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Integral {
    /// Of `running`.
    pub running: u64,
    /// Of `waiting`.
    pub waiting: u64,
    /// ns during which some task waits and some CPU is idle.
    pub violation: u64,
    /// Of min(waiting, idle).
    pub cost: u64,
}

impl Integral {
    /// Saturates, because damaged times can exceed any sum.
    fn add(&mut self, Step { from, to, counts }: Step) {
        let ns = to - from;
        let by = |count: u32| ns.saturating_mul(u64::from(count));
        self.running = self.running.saturating_add(by(counts.running));
        self.waiting = self.waiting.saturating_add(by(counts.waiting));
        self.cost = self.cost.saturating_add(by(counts.waiting.min(counts.idle)));
        self.violation = self.violation.saturating_add(by(u32::from(counts.violates())));
    }

    fn minus(self, other: Integral) -> Integral {
        Integral {
            running: self.running - other.running,
            waiting: self.waiting - other.waiting,
            violation: self.violation - other.violation,
            cost: self.cost - other.cost,
        }
    }
}

/// Steps with summaries.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    steps: Arc<Steps>,
    /// Extremes of FAN steps, of FAN of those, and so on.
    summaries: Vec<Vec<Extremes>>,
    /// Integrals before every BLOCK-th step.
    integrals: Vec<Integral>,
}

impl Curve {
    /// Builds the summaries of some steps.
    pub fn new(steps: Arc<Steps>) -> Curve {
        let mut integrals = Vec::with_capacity(steps.len().div_ceil(BLOCK));
        let mut sum = Integral::default();
        for index in 0..steps.len() {
            if index % BLOCK == 0 {
                integrals.push(sum);
            }
            sum.add(steps.step(index));
        }
        let mut curve = Curve {
            steps,
            summaries: Vec::new(),
            integrals,
        };
        let mut below = curve.steps.len();
        while FAN < below {
            let depth = curve.summaries.len();
            let summary = |first: usize| curve.scan(depth, first..below.min(first + FAN));
            let level: Vec<Extremes> = (0..below).step_by(FAN).filter_map(summary).collect();
            below = level.len();
            curve.summaries.push(level);
        }
        curve
    }

    /// The steps themselves.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// Extremes within each of `count` buckets of `width` ns, the first at `start`; `None` for buckets past the end.
    pub fn buckets(&self, start: u64, width: u64, count: usize, mut each: impl FnMut(Option<Extremes>)) {
        let starts = self.steps.starts();
        let mut next = starts.partition_point(|&at| at <= start);
        let mut from = start;
        for _ in 0..count {
            let to = from.saturating_add(width).min(self.steps.span());
            if to <= from {
                each(None);
                continue;
            }
            // The step in progress at `from`, and those that begin before `to`.
            next = gallop(starts, next, from.saturating_add(1));
            let end = gallop(starts, next, to);
            each(self.fold(0, next.saturating_sub(1), end));
            next = end;
            from = to;
        }
    }

    /// Extremes within a window; `None` when it is empty or past the end.
    pub fn extremes(&self, window: Range<u64>) -> Option<Extremes> {
        let mut found = None;
        let width = window.end.saturating_sub(window.start);
        self.buckets(window.start, width, 1, |extremes| found = extremes);
        found
    }

    /// Integrals over a window.
    pub fn integral(&self, window: Range<u64>) -> Integral {
        let end = window.end.min(self.steps.span());
        if end <= window.start {
            return Integral::default();
        }
        self.integral_until(end).minus(self.integral_until(window.start))
    }

    /// Size in bytes, without the steps.
    pub fn memory_bytes(&self) -> usize {
        let summaries = self
            .summaries
            .iter()
            .map(|level| level.capacity() * size_of::<Extremes>());
        summaries.sum::<usize>() + self.integrals.capacity() * size_of::<Integral>()
    }

    fn integral_until(&self, time: u64) -> Integral {
        let steps = self.steps.starts().partition_point(|&at| at < time);
        let block = steps.saturating_sub(1) / BLOCK;
        let mut sum = self.integrals.get(block).copied().unwrap_or_default();
        for index in block * BLOCK..steps {
            let step = self.steps.step(index);
            sum.add(Step {
                to: step.to.min(time),
                ..step
            });
        }
        sum
    }

    /// Extremes of the steps (`depth` 0) or summaries `from..to`, using higher summaries where possible.
    fn fold(&self, depth: usize, from: usize, to: usize) -> Option<Extremes> {
        let (first, last) = (from.next_multiple_of(FAN), to / FAN * FAN);
        if depth == self.summaries.len() || last <= first {
            return self.scan(depth, from..to);
        }
        let inner = self.fold(depth + 1, first / FAN, last / FAN);
        let parts = [self.scan(depth, from..first), inner, self.scan(depth, last..to)];
        parts.into_iter().flatten().reduce(Extremes::and)
    }

    /// Extremes of steps or summaries, one by one.
    fn scan(&self, depth: usize, range: Range<usize>) -> Option<Extremes> {
        match depth {
            0 => range
                .map(|index| Extremes::of(self.steps.counts(index)))
                .reduce(Extremes::and),
            _ => self.summaries[depth - 1][range].iter().copied().reduce(Extremes::and),
        }
    }
}
