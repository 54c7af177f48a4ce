//! Minima, maxima and integrals of the running and waiting counts, over any window.

use super::blocks::{Fold, Folds, Sum, Sums};
use super::pyramid::MAX_LEVEL;
use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored_plain, Reader, Stored, Writer};
use schedmodel::{Counts, Step, Steps};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Minimum and maximum counts over a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
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
    fn at(counts: Counts) -> Extremes {
        let runnable = counts.running + counts.waiting;
        Extremes {
            running_min: counts.running,
            running_max: counts.running,
            runnable_min: runnable,
            runnable_max: runnable,
            waiting_max: counts.waiting,
        }
    }
}

impl Fold for Extremes {
    type Items<'a> = &'a Steps;
    const FAN: usize = 16;
    const NONE: Extremes = Extremes {
        running_min: u32::MAX,
        running_max: 0,
        runnable_min: u32::MAX,
        runnable_max: 0,
        waiting_max: 0,
    };

    fn walk(steps: &Steps, range: Range<usize>) -> Extremes {
        let mut all = Extremes::NONE;
        steps.each(range, |step| all = all.and(Extremes::at(step.counts)));
        all
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
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

impl Sum for Integral {
    type Items<'a> = &'a Steps;
    const BLOCK: usize = 64;

    fn add(&mut self, steps: &Steps, range: Range<usize>, until: u64) {
        steps.each(range, |step| {
            self.add_step(Step {
                to: step.to.min(until),
                ..step
            });
        });
    }
}

impl Integral {
    /// Saturates, because damaged times can exceed any sum.
    #[inline]
    fn add_step(&mut self, Step { from, to, counts }: Step) {
        let ns = to - from;
        // In wasm, a multiplication of 64 bits that tells of an overflow takes a call.
        let is_short = ns <= u64::from(u32::MAX);
        let by = |count: u32| match is_short {
            true => ns * u64::from(count),
            false => ns.saturating_mul(u64::from(count)),
        };
        self.running = self.running.saturating_add(by(counts.running));
        self.waiting = self.waiting.saturating_add(by(counts.waiting));
        self.cost = self.cost.saturating_add(by(counts.waiting.min(counts.idle)));
        let violation = if counts.violates() { ns } else { 0 };
        self.violation = self.violation.saturating_add(violation);
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

stored_plain!(Extremes, Integral);

/// Steps with summaries.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    steps: Arc<Steps>,
    extremes: Folds<Extremes>,
    integrals: Sums<Integral>,
    /// The lowest level that has few buckets.
    first_stored: u32,
    /// Of that level and all above: the extremes in every bucket, for a screen with many changes in each column.
    stored: Vec<Vec<Option<Extremes>>>,
}

/// A level is stored if it has at most one bucket for so many changes.
const CHANGES: u64 = if cfg!(debug_assertions) { 2 } else { 256 };

/// Steps that are summarised at a time: whole blocks.
const STEPS: usize = if cfg!(debug_assertions) { 64 } else { 1 << 15 };
/// Buckets that are stored at a time.
const BUCKETS: usize = if cfg!(debug_assertions) { 4 } else { 1 << 11 };

/// Makes a curve in steps.
#[derive(Debug)]
pub struct CurveBuilder {
    curve: Curve,
    /// Of the steps before `at`.
    extremes: Vec<Extremes>,
    integral: Integral,
    at: usize,
    /// The lowest level that is stored.
    level: Option<Vec<Option<Extremes>>>,
}

impl CurveBuilder {
    /// Of these steps.
    pub fn new(steps: Arc<Steps>) -> CurveBuilder {
        let extremes = Vec::with_capacity(steps.len().div_ceil(Extremes::FAN));
        let curve = Curve {
            steps,
            ..Curve::default()
        };
        CurveBuilder {
            curve,
            extremes,
            integral: Integral::default(),
            at: 0,
            level: None,
        }
    }

    /// Works for about a millisecond; the curve, once it is complete.
    pub fn step(&mut self) -> Option<Curve> {
        if self.at < self.curve.steps.len() {
            self.sum();
            return None;
        }
        let CurveBuilder { curve, level, .. } = self;
        let level = level.get_or_insert_with(|| {
            curve.extremes = Folds::of_blocks(std::mem::take(&mut self.extremes));
            Vec::new()
        });
        if curve.store(level, BUCKETS) {
            return None;
        }
        Some(std::mem::take(curve))
    }

    /// Both summaries of some steps.
    fn sum(&mut self) {
        let CurveBuilder {
            curve,
            extremes,
            integral,
            at,
            ..
        } = self;
        let mut of_block = Extremes::NONE;
        curve.steps.each(*at..at.saturating_add(STEPS), |step| {
            curve.integrals.push(*at, *integral);
            integral.add_step(step);
            of_block = of_block.and(Extremes::at(step.counts));
            *at += 1;
            if *at % Extremes::FAN == 0 {
                extremes.push(std::mem::replace(&mut of_block, Extremes::NONE));
            }
        });
        if *at % Extremes::FAN != 0 {
            extremes.push(of_block);
        }
    }
}

impl Curve {
    /// Builds the summaries of some steps.
    pub fn new(steps: Arc<Steps>) -> Curve {
        let mut builder = CurveBuilder::new(steps);
        loop {
            if let Some(curve) = builder.step() {
                return curve;
            }
        }
    }

    /// Stores some more buckets of the lowest level that has few, and then all levels above; false once it is done.
    fn store(&mut self, level: &mut Vec<Option<Extremes>>, some: usize) -> bool {
        let most = self.steps.len() as u64 / CHANGES;
        let buckets = |level: u32| self.steps.span().div_ceil(1 << level);
        let Some(first) = (0..=MAX_LEVEL).find(|&level| buckets(level) <= most) else {
            return false;
        };
        let all = buckets(first) as usize;
        if level.len() < all {
            let begin = (level.len() as u64) << first;
            let count = some.min(all - level.len());
            self.buckets(begin, 1 << first, count, |extremes| level.push(extremes));
            return true;
        }
        let mut level = std::mem::take(level);
        level.shrink_to_fit();
        self.first_stored = first;
        for _ in first..MAX_LEVEL {
            let both = |halves: &[Option<Extremes>]| halves.iter().copied().flatten().reduce(Extremes::and);
            let above = level.chunks(2).map(both).collect();
            self.stored.push(std::mem::replace(&mut level, above));
        }
        self.stored.push(level);
        false
    }

    /// The extremes in the buckets of this width, a power of two.
    fn stored(&self, width: u64) -> Option<&[Option<Extremes>]> {
        let level = width.trailing_zeros().checked_sub(self.first_stored)?;
        self.stored.get(level as usize).map(Vec::as_slice)
    }

    /// Writes the summaries.
    pub fn put_sums(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.extremes.put(out)?;
        self.integrals.put(out)
    }

    /// Reads the summaries of `steps`.
    pub fn get_sums(reader: &mut Reader<'_>, steps: Arc<Steps>) -> io::Result<Curve> {
        let mut level = Vec::new();
        let mut curve = Curve {
            extremes: Stored::get(reader)?,
            integrals: Stored::get(reader)?,
            steps,
            first_stored: 0,
            stored: Vec::new(),
        };
        while curve.store(&mut level, usize::MAX) {}
        Ok(curve)
    }

    /// The steps themselves.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// Extremes within each of `count` buckets of `width` ns, the first at `start`; `None` for buckets past the end.
    pub fn buckets(&self, start: u64, width: u64, count: usize, mut each: impl FnMut(Option<Extremes>)) {
        let aligned = width.is_power_of_two() && start.is_multiple_of(width);
        if let Some(stored) = self.stored(width).filter(|_| aligned) {
            let first = usize::try_from(start / width).unwrap_or(usize::MAX);
            let stored = stored.get(first..).unwrap_or_default().iter().copied();
            return stored.chain(std::iter::repeat(None)).take(count).for_each(each);
        }
        let starts = self.steps.starts();
        let mut next = starts.partition_point(|at| at <= start);
        let mut from = start;
        for _ in 0..count {
            let to = from.saturating_add(width).min(self.steps.span());
            if to <= from {
                each(None);
                continue;
            }
            // The step in progress at `from`, and those that begin before `to`.
            next = starts.gallop(next, from.saturating_add(1));
            let end = starts.gallop(next, to);
            let within = next.saturating_sub(1)..end;
            each((!within.is_empty()).then(|| self.extremes.over(&self.steps, within)));
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
        let stored = self.stored.iter();
        let stored = stored.map(|level| level.capacity() * size_of::<Option<Extremes>>() + size_of::<Vec<()>>());
        self.extremes.memory_bytes() + self.integrals.memory_bytes() + stored.sum::<usize>()
    }

    fn integral_until(&self, time: u64) -> Integral {
        let steps = self.steps.starts().partition_point(|at| at < time);
        self.integrals.until(&self.steps, steps, time)
    }
}
