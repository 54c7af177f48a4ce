//! How many tasks wait on each CPU's runqueue, over time.

use super::queues::QueueWalk;
use super::shown::Shown;
use schedmodel::{gallop, Trace};
use std::collections::VecDeque;
use std::ops::Range;

/// Steps (or maxima) per maximum.
const FAN: usize = 16;

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
                let [begins, ends] = &mut periods[lane.unwrap_or(trace.lanes.len())];
                begins.push(part.from);
                ends.push(part.to);
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
    /// Maxima of FAN depths, of FAN of those, and so on.
    maxima: Vec<Vec<u32>>,
    /// Integral before every FAN-th step.
    integrals: Vec<u64>,
}

impl Queue {
    fn new(mut begins: Vec<u64>, mut ends: Vec<u64>) -> Queue {
        // Stable sorts are quick where much is in order already, as begins and ends of one CPU's waits are.
        begins.sort();
        ends.sort();
        let mut queue = Queue::default();
        let (mut begun, mut ended) = (0, 0);
        let mut last = 0;
        while ended < ends.len() {
            let at = begins.get(begun).map_or(ends[ended], |&begin| begin.min(ends[ended]));
            begun += begins[begun..].iter().take_while(|&&begin| begin == at).count();
            ended += ends[ended..].iter().take_while(|&&end| end == at).count();
            let depth = (begun - ended) as u32;
            if depth != last {
                queue.at.push(at);
                queue.depth.push(depth);
                last = depth;
            }
        }
        queue.at.shrink_to_fit();
        queue.depth.shrink_to_fit();
        queue.summarise();
        queue
    }

    fn summarise(&mut self) {
        let mut sum = 0_u64;
        for index in 0..self.at.len() {
            if index % FAN == 0 {
                self.integrals.push(sum);
            }
            sum = sum.saturating_add(self.area(index, u64::MAX));
        }
        let most = |depths: &[u32]| -> Vec<u32> {
            depths
                .chunks(FAN)
                .map(|some| some.iter().copied().max().unwrap_or(0))
                .collect()
        };
        let mut below = most(&self.depth);
        while 1 < below.len() {
            let level = most(&below);
            self.maxima.push(std::mem::replace(&mut below, level));
        }
    }

    /// Contribution of step `index` to the integral, up to `until`, which is not before the step.
    fn area(&self, index: usize, until: u64) -> u64 {
        // The last step is 0 deep.
        let end = self.at.get(index + 1).copied().unwrap_or(self.at[index]);
        (end.min(until) - self.at[index]).saturating_mul(u64::from(self.depth[index]))
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
            let next = self.at.get(index + 1).copied().unwrap_or(u64::MAX);
            let (from, to) = (self.at[index].max(window.start), next.min(window.end));
            (from < to && self.depth[index] != 0).then_some((from, to, self.depth[index]))
        })
    }

    /// The depth at an instant.
    pub fn at(&self, time: u64) -> u32 {
        self.depth_of(self.begun(time.saturating_add(1)))
    }

    /// The depth after this many steps.
    fn depth_of(&self, steps: usize) -> u32 {
        steps.checked_sub(1).map_or(0, |index| self.depth[index])
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
                    0..FAN => (first.max(1) - 1..end).fold(0, |sum: u64, index| {
                        let before = from
                            .saturating_sub(self.at[index])
                            .saturating_mul(u64::from(self.depth[index]));
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
        self.depth_of(first).max(self.fold(0, first, end))
    }

    /// The maximum of the depths (level 0) or maxima `from..to`, using higher maxima where possible.
    fn fold(&self, level: usize, from: usize, to: usize) -> u32 {
        let values = match level.checked_sub(1) {
            None => &self.depth,
            Some(above) => &self.maxima[above],
        };
        let scan = |range: Range<usize>| values[range].iter().copied().max().unwrap_or(0);
        let (first, last) = (from.next_multiple_of(FAN), to / FAN * FAN);
        if level == self.maxima.len() || last <= first {
            return scan(from..to.max(from));
        }
        let inner = self.fold(level + 1, first / FAN, last / FAN);
        inner.max(scan(from..first)).max(scan(last..to))
    }

    /// The integral up to `time`, before which `steps` steps begin (the last may begin at `time`).
    fn integral_until(&self, steps: usize, time: u64) -> u64 {
        let block = steps.saturating_sub(1) / FAN;
        let stored = self.integrals.get(block).copied().unwrap_or(0);
        (block * FAN..steps).fold(stored, |sum, index| sum.saturating_add(self.area(index, time)))
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let maxima: usize = self.maxima.iter().map(Vec::capacity).sum();
        (self.at.capacity() + self.integrals.capacity()) * 8 + (self.depth.capacity() + maxima) * 4
    }
}
