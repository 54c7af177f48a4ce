//! Which CPUs are free: idle, with no task on their runqueue and none on its way to it.
//!
//! A task is on its way from the beginning of its wakeup, usually `sched_waking`, until `sched_wakeup` queues it. If it
//! still runs on another CPU then, it is on its way as soon as it has left that. The
//! kernel does not treat such a CPU as idle either (`available_idle_cpu`). What happens at the same ns does not count
//! yet, so a wakeup never occupies the CPU that it chooses from.

use super::queues::QueueWalk;
use super::shown::Shown;
use super::sort::{Pieces, SteppedSort};
use schedmodel::{Edge, Trace, Who};
use std::ops::Range;

/// When each CPU is idle but not free.
#[derive(Clone, Debug, Default)]
pub struct FreeCpus {
    /// By lane, for times in which the CPU is idle: when a task is queued on it or on its way to it.
    taken: Vec<Stretches>,
    /// When a task waits on a runqueue that the trace does not tell: it may be that of any CPU.
    unplaced: Stretches,
}

/// Half-open stretches of time, disjoint and ascending.
type Stretches = Vec<Range<u64>>;

impl FreeCpus {
    /// Of a trace, at once.
    pub fn new(trace: &Trace) -> FreeCpus {
        let mut builder = FreeCpusBuilder::new(trace);
        loop {
            if let Some(free) = builder.step(trace) {
                return free;
            }
        }
    }

    /// Whether a CPU is free at an instant.
    ///
    /// `None` if the trace does not tell: it does not tell what the CPU does, or since when the task that it runs next was
    /// on its runqueue, or on which runqueue some other task waits; or the trace does not have the CPU.
    pub fn is_free(&self, trace: &Trace, cpu: u32, at: u64) -> Option<bool> {
        let lane = trace.lane_index(cpu)?;
        let intervals = trace.lane_at(lane);
        let index = intervals.find(at)?;
        match intervals.who(index) {
            Who::Unknown => return None,
            Who::Run(_) => return Some(false),
            Who::Idle => {}
        }
        if self.taken.get(lane).is_some_and(|taken| covers(taken, at)) {
            return Some(false);
        }
        let is_known = leaves_idle_for_a_known_task(trace, lane, index) && !covers(&self.unplaced, at);
        is_known.then_some(true)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let all = self.taken.iter().chain([&self.unplaced]);
        all.map(|stretches| stretches.capacity() * size_of::<Range<u64>>())
            .sum()
    }
}

fn covers(stretches: &[Range<u64>], at: u64) -> bool {
    let begun = stretches.partition_point(|stretch| stretch.start <= at);
    let last = begun.checked_sub(1).and_then(|last| stretches.get(last));
    last.is_some_and(|last| at < last.end)
}

/// Whether it is known since when the task that ends an idle interval was runnable. If records are missing, it may have
/// been queued at any time before.
fn leaves_idle_for_a_known_task(trace: &Trace, lane: usize, idle: usize) -> bool {
    let intervals = trace.lane_at(lane);
    let next = idle + 1;
    if intervals.len() <= next {
        return true;
    }
    match intervals.who(next) {
        Who::Unknown => false,
        Who::Idle => true,
        Who::Run(id) => {
            let (task, start) = (trace.task_comm(id).task, intervals.start_of(next));
            let throttles = trace.throttles.get(trace.throttles_of(task)).unwrap_or_default();
            // A throttled task is off the runqueue until its switch-in, as far as the trace tells.
            let ended = throttles.partition_point(|throttle| throttle.until < start);
            let was_throttled = throttles.get(ended).is_some_and(|throttle| throttle.until == start);
            was_throttled || intervals.wait_before(next, start).is_some()
        }
    }
}

/// A stretch of time while it is collected, with its begin first.
type Period = (u64, u64, ());

/// Wakeups, or intervals of lanes, per step.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 12 };

/// Builds [`FreeCpus`] in resumable steps.
#[derive(Debug)]
pub struct FreeCpusBuilder {
    walk: QueueWalk,
    walked: bool,
    /// The next wakeup.
    edge: usize,
    /// By lane, those on no known CPU last; each is consumed once all are found.
    periods: Vec<Pieces<Period>>,
    /// The lane whose periods are being sorted.
    lane: usize,
    sort: Option<SteppedSort<Period>>,
    merge: Option<Merge>,
    found: Vec<Stretches>,
}

impl FreeCpusBuilder {
    /// At the beginning.
    pub fn new(trace: &Trace) -> FreeCpusBuilder {
        FreeCpusBuilder {
            walk: QueueWalk::new(trace, &Shown::all()),
            walked: false,
            edge: 0,
            periods: vec![Pieces::default(); trace.lanes.len() + 1],
            lane: 0,
            sort: None,
            merge: None,
            found: Vec::new(),
        }
    }

    /// Works for about a millisecond; returns the index once finished.
    pub fn step(&mut self, trace: &Trace) -> Option<FreeCpus> {
        if !self.walked {
            self.walked = !self.walk_queues(trace);
            return None;
        }
        if self.edge < trace.edges.len() {
            self.walk_wakeups(trace);
            return None;
        }
        if let Some(merge) = &mut self.merge {
            if !merge.step(trace, self.lane) {
                let mut found = self.merge.take().map_or(Vec::new(), |merge| merge.found);
                found.shrink_to_fit();
                self.found.push(found);
                self.lane += 1;
            }
            return None;
        }
        if let Some(sort) = &mut self.sort {
            if !sort.step() {
                let sorted = self.sort.take().map_or(Vec::new(), SteppedSort::into_items);
                self.merge = Some(Merge::new(sorted));
            }
            return None;
        }
        if let Some(periods) = self.periods.get_mut(self.lane) {
            self.sort = Some(SteppedSort::of_pieces(std::mem::take(periods)));
            return None;
        }
        let mut taken = std::mem::take(&mut self.found);
        let unplaced = taken.pop().unwrap_or_default();
        Some(FreeCpus { taken, unplaced })
    }

    /// Collects parts of waits.
    fn walk_queues(&mut self, trace: &Trace) -> bool {
        let periods = &mut self.periods;
        self.walk.step(trace, &Shown::all(), STEP, &mut |_, part| {
            let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
            add(periods, lane.unwrap_or(trace.lanes.len()), part.from, part.to);
        })
    }

    /// Collects the times from the beginning of wakeups until their tasks are queued.
    fn walk_wakeups(&mut self, trace: &Trace) {
        let end = trace.edges.len().min(self.edge + STEP);
        for number in self.edge..end {
            let edge = trace.edges.get(number);
            let lane = edge.chosen_cpu.and_then(|cpu| trace.lane_index(cpu));
            let (Some(lane), Some(woken)) = (lane, edge.woken) else {
                continue;
            };
            // Most CPUs that are not idle run one task meanwhile.
            let intervals = trace.lane_at(lane);
            let runs = |&index: &usize| matches!(intervals.who(index), Who::Run(_)) && woken < intervals.end_of(index);
            if intervals.find(edge.at).filter(runs).is_none() {
                let from = edge.at.max(left_at(trace, number, &edge));
                // The wait begins after the ns of the wakeup.
                add(&mut self.periods, lane, from, woken.saturating_add(1));
            }
        }
        self.edge = end;
    }
}

/// When a task that is woken while it is still on another CPU than the chosen one leaves that; else 0. The waker waits until then
/// before it chooses (`try_to_wake_up` in `kernel/sched/core.c`).
fn left_at(trace: &Trace, number: usize, edge: &Edge) -> u64 {
    let left = || {
        let previous = edge.previous_cpu.filter(|&cpu| Some(cpu) != edge.chosen_cpu)?;
        let lane = trace.lane(previous)?;
        let index = lane.find(edge.at)?;
        let task = trace.task_comm(lane.run(index)?).task;
        (task == trace.edges.wakee(number)).then(|| lane.end_of(index))
    };
    left().unwrap_or(0)
}

/// Adds a stretch that begins after the ns of its event.
fn add(periods: &mut [Pieces<Period>], lane: usize, from: u64, to: u64) {
    let from = from.saturating_add(1);
    if let Some(periods) = periods.get_mut(lane).filter(|_| from < to) {
        periods.push((from, to, ()));
    }
}

/// Joins sorted periods into stretches, and keeps those in which their CPU is idle.
#[derive(Debug)]
struct Merge {
    sorted: Vec<Period>,
    at: usize,
    /// The first interval of the lane that may be in the next stretch.
    interval: usize,
    found: Stretches,
    open: Option<Range<u64>>,
}

impl Merge {
    fn new(sorted: Vec<Period>) -> Merge {
        Merge {
            sorted,
            at: 0,
            interval: 0,
            found: Vec::new(),
            open: None,
        }
    }

    /// Joins some periods; false once finished.
    fn step(&mut self, trace: &Trace, lane: usize) -> bool {
        let end = self.sorted.len().min(self.at + STEP);
        for index in self.at..end {
            let Some(&(from, to, ())) = self.sorted.get(index) else {
                break;
            };
            match &mut self.open {
                Some(open) if from <= open.end => open.end = open.end.max(to),
                open => {
                    let closed = open.replace(from..to);
                    self.close(trace, lane, closed);
                }
            }
        }
        self.at = end;
        if self.at < self.sorted.len() {
            return true;
        }
        let last = self.open.take();
        self.close(trace, lane, last);
        false
    }

    fn close(&mut self, trace: &Trace, lane: usize, stretch: Option<Range<u64>>) {
        let Some(stretch) = stretch else { return };
        // Periods on no known CPU have no lane.
        let Some(intervals) = trace.lanes.get(lane) else {
            return self.found.push(stretch);
        };
        while self.interval < intervals.len() && intervals.end_of(self.interval) <= stretch.start {
            self.interval += 1;
        }
        let within = (self.interval..intervals.len()).take_while(|&index| intervals.start_of(index) < stretch.end);
        if within.into_iter().any(|index| intervals.who(index) == Who::Idle) {
            self.found.push(stretch);
        }
    }
}
