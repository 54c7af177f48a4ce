//! How many tasks wait on each CPU's runqueue, over time.

use super::blocks::{Fold, Folds, Sum, Sums};
use super::queues::QueueWalk;
use super::shown::Shown;
use schedmodel::{gallop, Trace};
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
    /// Waits whose runqueue the trace does not tell.
    unplaced: Queue,
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

    /// The greatest depth of any runqueue.
    pub fn most(&self) -> u32 {
        let most = |queue: &Queue| queue.in_window(0..u64::MAX).max;
        self.queues.iter().map(most).max().unwrap_or(0)
    }

    /// Waits on no known CPU.
    pub fn unplaced(&self) -> &Queue {
        &self.unplaced
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let queues = self.queues.iter().chain([&self.unplaced]);
        queues.map(Queue::memory_bytes).sum()
    }
}

/// Intervals per step of the builder: about a millisecond of work.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 14 };

/// Builds a [`Depth`] in resumable steps.
#[derive(Debug)]
pub(crate) struct DepthBuilder {
    /// `None` once all waits are found.
    walk: Option<QueueWalk>,
    /// Begins and ends of waits, by lane, those on no known CPU last; consumed from the front once all are found.
    periods: VecDeque<[Vec<u64>; 2]>,
    queues: Vec<Queue>,
}

impl DepthBuilder {
    pub(crate) fn new(trace: &Trace, shown: &Shown) -> DepthBuilder {
        DepthBuilder {
            walk: Some(QueueWalk::new(trace, shown)),
            periods: vec![<[Vec<u64>; 2]>::default(); trace.lanes.len() + 1].into(),
            queues: Vec::new(),
        }
    }

    /// Does some of the work; returns the runqueues once finished.
    pub(crate) fn step(&mut self, trace: &Trace, shown: &Shown) -> Option<Depth> {
        let periods = &mut self.periods;
        if let Some(walk) = &mut self.walk {
            let more = walk.step(trace, shown, STEP, &mut |_, part| {
                let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
                // There is one for each lane, and one more.
                if let Some([begins, ends]) = periods.get_mut(lane.unwrap_or(trace.lanes.len())) {
                    begins.push(part.from);
                    ends.push(part.to);
                }
            });
            if !more {
                self.walk = None;
            }
            return None;
        }
        if let Some([begins, ends]) = periods.pop_front() {
            self.queues.push(Queue::new(begins, ends));
            return None;
        }
        let mut queues = std::mem::take(&mut self.queues);
        let unplaced = queues.pop().unwrap_or_default();
        Some(Depth { queues, unplaced })
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
    fn new(mut begins: Vec<u64>, mut ends: Vec<u64>) -> Queue {
        // Stable sorts are quick where much is in order already, as begins and ends of one CPU's waits are.
        begins.sort();
        ends.sort();
        let mut queue = Queue::default();
        let mut begins = begins.into_iter().peekable();
        let mut ends = ends.into_iter().peekable();
        let (mut open, mut last) = (0_u32, 0);
        while let Some(&end) = ends.peek() {
            let at = begins.peek().map_or(end, |&begin| begin.min(end));
            while begins.next_if_eq(&at).is_some() {
                open += 1;
            }
            while ends.next_if_eq(&at).is_some() {
                open -= 1;
            }
            if open != last {
                queue.at.push(at);
                queue.depth.push(open);
                last = open;
            }
        }
        queue.at.shrink_to_fit();
        queue.depth.shrink_to_fit();
        queue.maxima = Folds::<Deepest>::new(&queue.depth, queue.depth.len());
        queue.integrals = Sums::new(&queue, queue.at.len());
        queue
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
        columns + self.maxima.memory_bytes() + self.integrals.memory_bytes()
    }
}
