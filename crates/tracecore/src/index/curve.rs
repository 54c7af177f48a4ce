//! How many tasks run and wait, over time: a step function with minima, maxima and integrals.
//!
//! Counts change at the ends of runs and waits. Changes with the same time are one change: a count is only a count if
//! it holds for at least one ns.

use super::shown::Shown;
use crate::sched::{gallop, Trace, Who};
use std::ops::Range;

/// Points (or summaries) in one summary: a bucket looks at no more than twice as many on each level.
const FAN: usize = 16;
/// Points between two stored integrals.
const BLOCK: usize = 64;

/// The counts at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// CPUs that run a (shown) task.
    pub running: u32,
    /// (Shown) tasks that are runnable and do not run.
    pub waiting: u32,
    /// CPUs that are idle, whatever is shown.
    pub idle: u32,
}

impl Level {
    /// Some task waits although some CPU is idle.
    pub fn violates(self) -> bool {
        0 < self.waiting.min(self.idle)
    }
}

/// Least and greatest counts over some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extremes {
    /// Least running.
    pub running_min: u32,
    /// Most running.
    pub running_max: u32,
    /// Least running + waiting.
    pub runnable_min: u32,
    /// Most running + waiting.
    pub runnable_max: u32,
    /// Most waiting.
    pub waiting_max: u32,
}

impl Extremes {
    fn of(level: Level) -> Extremes {
        let runnable = level.running + level.waiting;
        Extremes {
            running_min: level.running,
            running_max: level.running,
            runnable_min: runnable,
            runnable_max: runnable,
            waiting_max: level.waiting,
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

/// Sums over some time, in ns times tasks or CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Integral {
    /// Of `running`.
    pub running: u64,
    /// Of `waiting`.
    pub waiting: u64,
    /// ns during which some task waits and some CPU is idle.
    pub violation: u64,
    /// Of min(waiting, idle): the cost of that.
    pub cost: u64,
}

impl Integral {
    fn add(&mut self, level: Level, ns: u64) {
        let by = |count: u32| ns.saturating_mul(u64::from(count));
        self.running = self.running.saturating_add(by(level.running));
        self.waiting = self.waiting.saturating_add(by(level.waiting));
        self.cost = self.cost.saturating_add(by(level.waiting.min(level.idle)));
        self.violation = self.violation.saturating_add(if level.violates() { ns } else { 0 });
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

/// The step function over `[0, span)`.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    span: u64,
    /// Where the counts change; starts with 0.
    at: Vec<u64>,
    running: Vec<u16>,
    idle: Vec<u16>,
    waiting: Vec<u32>,
    /// Extremes of FAN points, of FAN of these, and so on.
    summaries: Vec<Vec<Extremes>>,
    /// Integral up to every BLOCK-th point.
    integrals: Vec<Integral>,
}

impl Curve {
    /// The curve of the `shown` runs and waits. `lanes`: only these CPUs (by index), and the waits that ended on them.
    pub fn new(trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> Curve {
        let changes = Changes::collect(trace, shown, lanes);
        let mut curve = Curve {
            span: trace.span_ns,
            ..Curve::default()
        };
        changes.merge(|at, level| curve.push(at, level));
        curve.at.shrink_to_fit();
        curve.running.shrink_to_fit();
        curve.idle.shrink_to_fit();
        curve.waiting.shrink_to_fit();
        curve.summarise();
        curve
    }

    fn push(&mut self, at: u64, level: Level) {
        if at < self.span && (self.at.is_empty() || self.level(self.at.len() - 1) != level) {
            self.at.push(at);
            self.running.push(u16::try_from(level.running).unwrap_or(u16::MAX));
            self.idle.push(u16::try_from(level.idle).unwrap_or(u16::MAX));
            self.waiting.push(level.waiting);
        }
    }

    fn summarise(&mut self) {
        let mut sum = Integral::default();
        for index in 0..self.at.len() {
            if index % BLOCK == 0 {
                self.integrals.push(sum);
            }
            sum.add(self.level(index), self.end_of(index) - self.at[index]);
        }
        let mut below: Vec<Extremes> = (0..self.at.len())
            .map(|index| Extremes::of(self.level(index)))
            .collect();
        while FAN < below.len() {
            below = below
                .chunks(FAN)
                .filter_map(|chunk| chunk.iter().copied().reduce(Extremes::and))
                .collect();
            below.shrink_to_fit();
            self.summaries.push(below.clone());
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// There is nothing to count in a trace without a span.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// All steps: from, to, counts.
    pub fn steps(&self) -> impl Iterator<Item = (u64, u64, Level)> + '_ {
        (0..self.len()).map(|index| (self.at[index], self.end_of(index), self.level(index)))
    }

    /// The steps that overlap a window, clipped to it.
    pub fn steps_in(&self, window: Range<u64>) -> impl Iterator<Item = (u64, u64, Level)> + '_ {
        let first = self.at.partition_point(|&at| at <= window.start).saturating_sub(1);
        let last = self.at.partition_point(|&at| at < window.end);
        (first..last.max(first)).filter_map(move |index| {
            let (from, to) = (self.at[index].max(window.start), self.end_of(index).min(window.end));
            (from < to).then(|| (from, to, self.level(index)))
        })
    }

    /// Extremes within each of `count` buckets of `width` ns, the first at `start`; `None` for those past the end.
    pub fn buckets(&self, start: u64, width: u64, count: usize, mut each: impl FnMut(usize, Option<Extremes>)) {
        let mut next = 0;
        let mut from = start;
        for bucket in 0..count {
            let to = from.saturating_add(width).min(self.span);
            if to <= from {
                each(bucket, None);
                continue;
            }
            next = gallop(&self.at, next, from.saturating_add(1));
            let end = gallop(&self.at, next, to);
            each(bucket, self.fold(0, next.saturating_sub(1), end));
            next = end;
            from = to;
        }
    }

    /// Extremes within a window; `None` when it is empty or past the end.
    pub fn extremes(&self, window: Range<u64>) -> Option<Extremes> {
        let mut found = None;
        self.buckets(
            window.start,
            window.end.saturating_sub(window.start),
            1,
            |_, extremes| found = extremes,
        );
        found
    }

    /// Integrals over a window.
    pub fn integral(&self, window: Range<u64>) -> Integral {
        let end = window.end.min(self.span);
        if end <= window.start {
            return Integral::default();
        }
        self.integral_until(end).minus(self.integral_until(window.start))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.at.capacity() * 8
            + (self.running.capacity() + self.idle.capacity()) * 2
            + self.waiting.capacity() * 4
            + self
                .summaries
                .iter()
                .map(|level| level.capacity() * size_of::<Extremes>())
                .sum::<usize>()
            + self.integrals.capacity() * size_of::<Integral>()
    }

    fn level(&self, index: usize) -> Level {
        Level {
            running: u32::from(self.running[index]),
            waiting: self.waiting[index],
            idle: u32::from(self.idle[index]),
        }
    }

    fn end_of(&self, index: usize) -> u64 {
        self.at.get(index + 1).copied().unwrap_or(self.span)
    }

    fn integral_until(&self, time: u64) -> Integral {
        let points = self.at.partition_point(|&at| at < time);
        let block = points.saturating_sub(1) / BLOCK;
        let mut sum = self.integrals.get(block).copied().unwrap_or_default();
        for index in block * BLOCK..points {
            sum.add(self.level(index), self.end_of(index).min(time) - self.at[index]);
        }
        sum
    }

    /// Extremes of points (`depth` 0) or summaries `from..to`.
    fn fold(&self, depth: usize, from: usize, to: usize) -> Option<Extremes> {
        let each = |index: usize| match depth {
            0 => Extremes::of(self.level(index)),
            _ => self.summaries[depth - 1][index],
        };
        let (first, last) = (from.next_multiple_of(FAN), to / FAN * FAN);
        if depth == self.summaries.len() || last <= first {
            return (from..to).map(each).reduce(Extremes::and);
        }
        let edges = (from..first).chain(last..to).map(each).reduce(Extremes::and);
        let inner = self.fold(depth + 1, first / FAN, last / FAN);
        [edges, inner].into_iter().flatten().reduce(Extremes::and)
    }
}

/// Begins and ends of runs, waits and idle intervals: each a list of times.
#[derive(Default)]
struct Changes {
    running: (Vec<u64>, Vec<u64>),
    waiting: (Vec<u64>, Vec<u64>),
    idle: (Vec<u64>, Vec<u64>),
}

impl Changes {
    fn collect(trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> Changes {
        let mut changes = Changes::default();
        let add = |list: &mut (Vec<u64>, Vec<u64>), from: u64, to: u64| {
            if from < to {
                list.0.push(from);
                list.1.push(to);
            }
        };
        let chosen = |index: usize| lanes.is_none_or(|lanes| lanes[index]);
        for (_, lane) in trace.lanes.iter().enumerate().filter(|&(index, _)| chosen(index)) {
            for (index, interval) in lane.intervals().enumerate() {
                match interval.who {
                    Who::Run(id) if shown.has(id) => {
                        add(&mut changes.running, interval.start, interval.end);
                        if let Some(wait) = lane.wait(index) {
                            add(&mut changes.waiting, wait.since, interval.start);
                        }
                    }
                    Who::Idle => add(&mut changes.idle, interval.start, interval.end),
                    Who::Run(_) | Who::Unknown => {}
                }
            }
        }
        if lanes.is_none() {
            for wait in trace.loose_waits.iter().filter(|wait| shown.has(wait.who)) {
                add(&mut changes.waiting, wait.since, wait.until);
            }
        }
        changes
    }

    /// Calls `push` with the counts after all changes of each time, in time order, from 0 on.
    fn merge(self, mut push: impl FnMut(u64, Level)) {
        let lists = [
            self.running.0,
            self.running.1,
            self.waiting.0,
            self.waiting.1,
            self.idle.0,
            self.idle.1,
        ];
        // Stable sorts: the lists are made of one ascending sequence for each lane, which these merge.
        let lists = lists.map(|mut list| {
            list.sort();
            list
        });
        let mut heads = [0_usize; 6];
        let mut level = Level::default();
        let mut at = 0;
        loop {
            for (list, (times, head)) in lists.iter().zip(&mut heads).enumerate() {
                let from = *head;
                while times.get(*head) == Some(&at) {
                    *head += 1;
                }
                let changes = (*head - from) as u32;
                match list {
                    0 => level.running += changes,
                    1 => level.running -= changes,
                    2 => level.waiting += changes,
                    3 => level.waiting -= changes,
                    4 => level.idle += changes,
                    _ => level.idle -= changes,
                }
            }
            push(at, level);
            match lists
                .iter()
                .zip(heads)
                .filter_map(|(times, head)| times.get(head))
                .min()
            {
                Some(&next) => at = next,
                None => break,
            }
        }
    }
}
