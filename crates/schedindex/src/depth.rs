//! How many tasks wait on each CPU's runqueue, over time.

use super::blocks::{Fold, Folds, Sum, Sums};
use super::fraction;
use super::pyramid::MAX_LEVEL;
use super::queues::QueueWalk;
use super::shown::Shown;
use super::sort::SteppedSort;
use schedmodel::{gallop, BoundThreads, TaskCommId, Trace};
use std::collections::VecDeque;
use std::ops::Range;

/// How many tasks wait during some time: maximum and integral.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The most at any time.
    pub max: u32,
    /// In ns times tasks.
    pub integral: u64,
}

/// The runqueues of all lanes.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    queues: Vec<Queue>,
    /// Of these, the kernel threads that can run on no other CPU.
    bound: Vec<Queue>,
    threads: BoundThreads,
    /// Waits whose runqueue the trace does not tell.
    unplaced: Queue,
    /// The greatest depth of any runqueue.
    most: u32,
}

impl Depth {
    /// Counts the waits of the tasks that are shown.
    pub fn new(trace: &Trace, shown: &Shown) -> Depth {
        let mut builder = DepthBuilder::new(trace, shown);
        loop {
            if let Some(depth) = builder.step(trace, shown) {
                return depth;
            }
        }
    }

    /// The runqueue of a lane's CPU.
    pub fn queue(&self, lane: usize) -> Option<&Queue> {
        self.queues.get(lane)
    }

    /// The kernel threads on the runqueue of a lane's CPU that can run on no other.
    pub fn bound(&self, lane: usize) -> Option<&Queue> {
        self.bound.get(lane)
    }

    /// Whether a task that waits on the runqueue of a CPU is a kernel thread that can run on no other.
    pub fn is_bound(&self, id: TaskCommId, cpu: Option<u32>) -> bool {
        self.threads.holds(id, cpu)
    }

    /// The greatest depth of any runqueue.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Waits on no known CPU.
    pub fn unplaced(&self) -> &Queue {
        &self.unplaced
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let queues = self.queues.iter().chain(&self.bound).chain([&self.unplaced]);
        self.threads.memory_bytes() + queues.map(Queue::memory_bytes).sum::<usize>()
    }
}

/// Intervals, or changes of a runqueue, per step of the builder: about a millisecond of work.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 12 };

/// Builds a [`Depth`] in resumable steps.
#[derive(Debug)]
pub struct DepthBuilder {
    /// `None` once all waits are found.
    walk: Option<QueueWalk>,
    threads: BoundThreads,
    /// By lane; then those on no known CPU; then, by lane, those of bound threads. Consumed from the front once all are found.
    periods: VecDeque<Periods>,
    /// The runqueue that is being made.
    queue: Option<QueueBuilder>,
    queues: Vec<Queue>,
}

/// Begins and ends of waits on a CPU, and the ends that do not come in order of time: those without a run there.
type Periods = [Vec<u64>; 3];

impl DepthBuilder {
    /// Of the tasks that are shown.
    pub fn new(trace: &Trace, shown: &Shown) -> DepthBuilder {
        DepthBuilder {
            walk: Some(QueueWalk::new(trace, shown)),
            threads: BoundThreads::new(trace),
            periods: vec![Periods::default(); 2 * trace.lanes.len() + 1].into(),
            queue: None,
            queues: Vec::new(),
        }
    }

    /// Does some of the work; returns the runqueues once finished.
    pub fn step(&mut self, trace: &Trace, shown: &Shown) -> Option<Depth> {
        let (periods, threads) = (&mut self.periods, &self.threads);
        if let Some(walk) = &mut self.walk {
            let more = walk.step(trace, shown, STEP, &mut |waiter, part| {
                let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
                let there = waiter
                    .run
                    .is_some_and(|(start, on, _)| lane == Some(on) && part.to == start);
                let bound = lane.filter(|_| threads.holds(waiter.who, part.cpu));
                let bound = bound.map(|lane| trace.lanes.len() + 1 + lane);
                for number in [Some(lane.unwrap_or(trace.lanes.len())), bound].into_iter().flatten() {
                    if let Some([begins, ends, others]) = periods.get_mut(number) {
                        begins.push(part.from);
                        let ends = if there { ends } else { others };
                        ends.push(part.to);
                    }
                }
            });
            if !more {
                self.walk = None;
            }
            return None;
        }
        if let Some(queue) = &mut self.queue {
            if !queue.step() {
                self.queues.extend(self.queue.take().map(|made| made.queue));
            }
            return None;
        }
        if let Some(periods) = self.periods.pop_front() {
            self.queue = Some(QueueBuilder::new(periods));
            return None;
        }
        let mut queues = std::mem::take(&mut self.queues);
        let bound = queues.split_off(queues.len().min(trace.lanes.len() + 1));
        let unplaced = queues.pop().unwrap_or_default();
        let most = queues.iter().map(|queue| queue.in_window(0..u64::MAX).max).max();
        Some(Depth {
            queues,
            bound,
            threads: std::mem::take(&mut self.threads),
            unplaced,
            most: most.unwrap_or(0),
        })
    }
}

/// Builds a [`Queue`] in resumable steps.
#[derive(Debug)]
struct QueueBuilder {
    periods: [SteppedSort<u64>; 3],
    stage: Stage,
    /// How many of each are done.
    done: [usize; 3],
    queue: Queue,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Sort,
    Merge,
    Sum,
    Store,
}

impl QueueBuilder {
    fn new(periods: Periods) -> QueueBuilder {
        QueueBuilder {
            periods: periods.map(SteppedSort::new),
            stage: Stage::Sort,
            done: [0; 3],
            queue: Queue::default(),
        }
    }

    /// Does some of the work; false once finished.
    fn step(&mut self) -> bool {
        let queue = &mut self.queue;
        match self.stage {
            Stage::Sort => {
                if !self.periods.iter_mut().any(SteppedSort::step) {
                    self.stage = Stage::Merge;
                }
            }
            Stage::Merge => {
                if self.merge() {
                    return true;
                }
                let queue = &mut self.queue;
                queue.at.shrink_to_fit();
                queue.depth.shrink_to_fit();
                queue.maxima = Folds::<Deepest>::new(&queue.depth, queue.depth.len());
                self.stage = Stage::Sum;
            }
            Stage::Sum => {
                let mut integrals = std::mem::take(&mut queue.integrals);
                let more = integrals.step(queue, queue.at.len(), STEP / Area::BLOCK + 1);
                queue.integrals = integrals;
                if !more {
                    queue.stored = Stored::new(queue);
                    self.stage = Stage::Store;
                }
            }
            Stage::Store => {
                let mut stored = std::mem::take(&mut queue.stored);
                let more = stored.step(queue, STEP);
                queue.stored = stored;
                return more;
            }
        }
        true
    }

    /// Goes through some begins and ends in time order; false once there are no more.
    fn merge(&mut self) -> bool {
        let queue = &mut self.queue;
        let times = self.periods.each_ref().map(SteppedSort::items);
        for _ in 0..STEP {
            let next = times
                .iter()
                .zip(&self.done)
                .filter_map(|(times, &done)| times.get(done));
            let Some(&at) = next.min() else { return false };
            for (times, done) in times.iter().zip(&mut self.done) {
                while times.get(*done) == Some(&at) {
                    *done += 1;
                }
            }
            // No wait ends before it begins.
            let [begun, ended, others] = self.done;
            let open = begun.saturating_sub(ended + others) as u32;
            if queue.depth.last().copied().unwrap_or(0) != open {
                queue.at.push(at);
                queue.depth.push(open);
            }
        }
        true
    }
}

/// The answers for all buckets of the levels that have few: for a screen with many changes in each column.
#[derive(Clone, Debug, Default)]
struct Stored {
    /// The lowest of these levels.
    first: u32,
    /// From there on, by bucket until the last change, as [`Queue::words`] has them.
    levels: Vec<Vec<u32>>,
}

/// A level is stored if it has at most one bucket for so many changes.
const CHANGES: u64 = if cfg!(debug_assertions) { 2 } else { 8 };

impl Stored {
    /// Nothing yet.
    fn new(queue: &Queue) -> Stored {
        let most = queue.at.len() as u64 / CHANGES;
        let first = (0..=MAX_LEVEL).find(|&level| queue.buckets_of(level) <= most);
        Stored {
            first: first.unwrap_or(MAX_LEVEL + 1),
            levels: Vec::new(),
        }
    }

    /// Adds up to `count` buckets of one level; false once finished.
    fn step(&mut self, queue: &Queue, count: usize) -> bool {
        let level = |levels: &[Vec<u32>], first: u32| first + levels.len().saturating_sub(1) as u32;
        let all = |level: u32| queue.buckets_of(level) as usize;
        let now = level(&self.levels, self.first);
        if self.levels.last().is_none_or(|words| words.len() == all(now)) {
            let next = self.first + self.levels.len() as u32;
            if MAX_LEVEL < next {
                return false;
            }
            self.levels.push(Vec::with_capacity(all(next)));
        }
        let now = level(&self.levels, self.first);
        if let Some(words) = self.levels.last_mut() {
            let from = words.len();
            words.resize(all(now).min(from.saturating_add(count)), 0);
            queue.walk_words(now, from as u64, words.get_mut(from..).unwrap_or_default());
        }
        true
    }

    fn of(&self, level: u32) -> Option<&[u32]> {
        let index = level.checked_sub(self.first)?;
        self.levels.get(index as usize).map(Vec::as_slice)
    }

    fn memory_bytes(&self) -> usize {
        let levels = self.levels.iter();
        levels.map(|words| words.capacity() * 4 + size_of::<Vec<u32>>()).sum()
    }
}

/// The depth of one runqueue as a step function: 0 before its first step and after its last.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Times at which the depth changes, ascending.
    at: Vec<u64>,
    /// The depth from each of these times on.
    depth: Vec<u32>,
    maxima: Folds<Deepest>,
    integrals: Sums<Area>,
    stored: Stored,
}

/// The greatest of some depths.
#[derive(Clone, Copy, Debug)]
struct Deepest(u32);

impl Fold for Deepest {
    type Items<'a> = &'a [u32];
    const FAN: usize = 16;
    const NONE: Deepest = Deepest(0);

    fn walk(depths: &[u32], range: Range<usize>) -> Deepest {
        let depths = depths.get(range).unwrap_or_default();
        Deepest(depths.iter().copied().max().unwrap_or(0))
    }

    fn and(self, other: Deepest) -> Deepest {
        Deepest(self.0.max(other.0))
    }
}

/// Integral over steps, in ns times tasks.
#[derive(Clone, Copy, Debug, Default)]
struct Area(u64);

impl Sum for Area {
    type Items<'a> = &'a Queue;
    const BLOCK: usize = 16;

    fn add(&mut self, queue: &Queue, range: Range<usize>, until: u64) {
        self.0 = range.fold(self.0, |sum, index| sum.saturating_add(queue.area(index, until)));
    }
}

impl Queue {
    /// How many buckets of a level begin before the last change.
    fn buckets_of(&self, level: u32) -> u64 {
        self.at.last().map_or(0, |end| end.div_ceil(1 << level))
    }

    /// How many tasks wait in buckets of a level, the first number `first`: the maximum in the upper half, and in the lower
    /// half the mean in 256ths, rounded up. Both saturate.
    pub fn words(&self, level: u32, first: u64, words: &mut [u32]) {
        let Some(stored) = self.stored.of(level) else {
            return self.walk_words(level, first, words);
        };
        let stored = usize::try_from(first).ok().and_then(|first| stored.get(first..));
        let stored = stored.unwrap_or_default();
        let (now, rest) = words.split_at_mut(words.len().min(stored.len()));
        now.copy_from_slice(stored.get(..now.len()).unwrap_or_default());
        rest.fill(0);
    }

    fn walk_words(&self, level: u32, first: u64, words: &mut [u32]) {
        let (width, count) = (1 << level, words.len());
        let mut rest = words;
        self.buckets(first.saturating_mul(width), width, count, |alike, waiting| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(alike);
            now.fill(packed(waiting, level));
            rest = later;
        });
    }

    /// Contribution of step `index` to the integral, up to `until`, which is not before the step; none of a step that
    /// does not exist.
    fn area(&self, index: usize, until: u64) -> u64 {
        let Some((at, depth)) = self.step(index) else {
            return 0;
        };
        // The last step is 0 deep.
        let end = self.at.get(index + 1).copied().unwrap_or(at);
        (end.min(until) - at).saturating_mul(u64::from(depth))
    }

    /// Number of steps that begin before `time`.
    fn begun(&self, time: u64) -> usize {
        self.at.partition_point(|&at| at < time)
    }

    /// Time of step `index`, and the depth from there on.
    pub fn step(&self, index: usize) -> Option<(u64, u32)> {
        Some((*self.at.get(index)?, *self.depth.get(index)?))
    }

    /// The stretches of a window with a depth other than 0, clipped to the window, and their depth.
    pub fn within(&self, window: Range<u64>) -> impl Iterator<Item = (u64, u64, u32)> + '_ {
        let first = self.begun(window.start.saturating_add(1)).saturating_sub(1);
        let end = self.begun(window.end).max(first);
        (first..end).filter_map(move |index| {
            let (at, depth) = self.step(index)?;
            let next = self.at.get(index + 1).copied().unwrap_or(u64::MAX);
            let (from, to) = (at.max(window.start), next.min(window.end));
            (from < to && depth != 0).then_some((from, to, depth))
        })
    }

    /// The depth at an instant.
    pub fn at(&self, time: u64) -> u32 {
        self.depth_of(self.begun(time.saturating_add(1)))
    }

    /// The depth after this many steps.
    fn depth_of(&self, steps: usize) -> u32 {
        let last = steps.checked_sub(1).and_then(|index| self.depth.get(index));
        last.copied().unwrap_or(0)
    }

    /// How many tasks wait in a window.
    pub fn in_window(&self, window: Range<u64>) -> Waiting {
        if window.end <= window.start {
            return Waiting::default();
        }
        let (first, end) = (self.begun(window.start.saturating_add(1)), self.begun(window.end));
        Waiting {
            max: self.most(first, end),
            integral: self
                .integral_until(end, window.end)
                .saturating_sub(self.integral_until(first, window.start)),
        }
    }

    /// How many tasks wait in each of `count` buckets of `width` ns, the first at `start`. Calls `each` once per group
    /// of equal buckets, with their number and the value of one of them.
    pub fn buckets(&self, start: u64, width: u64, count: usize, mut each: impl FnMut(usize, Waiting)) {
        let mut from = start;
        let mut first = self.begun(start.saturating_add(1));
        let mut left = count;
        while 0 < left {
            let next = self.at.get(first).copied().unwrap_or(u64::MAX);
            // Buckets in which nothing changes; a change just where the next one begins is not in these.
            let alike = usize::try_from(next.saturating_sub(from) / width).unwrap_or(usize::MAX);
            if 0 < alike {
                let max = self.depth_of(first);
                let integral = width.saturating_mul(u64::from(max));
                each(alike.min(left), Waiting { max, integral });
                left -= alike.min(left);
                from = from.saturating_add(width.saturating_mul(alike as u64));
            } else {
                let to = from.saturating_add(width);
                let end = gallop(&self.at, first, to);
                let integral = match end - first {
                    // Few: added up one by one.
                    0..Area::BLOCK => (first.max(1) - 1..end).fold(0, |sum: u64, index| {
                        let before = |(at, depth)| from.saturating_sub(at).saturating_mul(u64::from(depth));
                        let before = self.step(index).map_or(0, before);
                        sum.saturating_add(self.area(index, to)).saturating_sub(before)
                    }),
                    _ => self
                        .integral_until(end, to)
                        .saturating_sub(self.integral_until(first, from)),
                };
                let max = self.most(first, end);
                each(1, Waiting { max, integral });
                left -= 1;
                from = to;
                first = end;
            }
            first = gallop(&self.at, first, from.saturating_add(1));
        }
    }

    /// The greatest depth from after `first` steps to after `end` steps.
    fn most(&self, first: usize, end: usize) -> u32 {
        let within = self.maxima.over(&self.depth, first..end.max(first));
        self.depth_of(first).max(within.0)
    }

    /// The integral up to `time`, before which `steps` steps begin (the last may begin at `time`).
    fn integral_until(&self, steps: usize, time: u64) -> u64 {
        self.integrals.until(self, steps, time).0
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let columns = self.at.capacity() * 8 + self.depth.capacity() * 4;
        columns + self.maxima.memory_bytes() + self.integrals.memory_bytes() + self.stored.memory_bytes()
    }
}

fn packed(waiting: Waiting, level: u32) -> u32 {
    const TOP: u32 = 0xffff;
    let mean = fraction::of_bucket(waiting.integral, 256, level).min(u64::from(TOP));
    waiting.max.min(TOP) << 16 | mean as u32
}
