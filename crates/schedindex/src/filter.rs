//! The steps of a subset of tasks and CPUs.

use super::queues::QueueWalk;
use super::shown::Shown;
use super::sort::SteppedSort;
use schedmodel::{Counts, Steps, StepsBuilder, Trace, Who};

/// Intervals or changes per step; few in debug builds, so that every test takes several steps.
const PART: usize = if cfg!(debug_assertions) { 8 } else { 8192 };

/// The steps of the `shown` runs and waits. `lanes`: only these CPUs (by index), and the waits on their runqueues.
///
/// If everything is shown on all lanes, they equal [`Trace::steps`].
pub fn filtered_steps(trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> Steps {
    let mut filter = StepsFilter::default();
    while filter.step(trace, shown, lanes) {}
    filter.into_steps(trace)
}

/// The number of known CPUs as `running`: each either runs or idles. `lanes`: count only these.
pub fn known_steps(trace: &Trace, lanes: Option<&[bool]>) -> Steps {
    let filtered = lanes.map(|_| filtered_steps(trace, &Shown::all(), lanes));
    let steps = filtered.as_ref().unwrap_or(&trace.steps);
    KnownBuilder::default().step(steps, usize::MAX).unwrap_or_default()
}

/// The same of all lanes, in resumable steps. Only of the steps of all tasks.
#[derive(Debug, Default)]
pub struct KnownBuilder {
    done: usize,
    known: StepsBuilder,
}

impl KnownBuilder {
    /// Reads up to `count` changes; returns the steps once finished.
    pub fn step(&mut self, steps: &Steps, count: usize) -> Option<Steps> {
        let end = steps.len().min(self.done.saturating_add(count));
        steps.each(self.done..end, |step| {
            let counts = Counts {
                running: step.counts.running + step.counts.idle,
                ..Counts::default()
            };
            self.known.set(step.from, counts);
        });
        self.done = end;
        (end == steps.len()).then(|| std::mem::take(&mut self.known).finish(steps.span()))
    }
}

/// [`filtered_steps`] in resumable steps.
#[derive(Debug, Default)]
pub struct StepsFilter {
    /// The next interval: lane and index.
    at: (usize, usize),
    running: Periods,
    waiting: Periods,
    idle: Periods,
    /// The waits by runqueue, if only some CPUs count; `None` before that and once all are found.
    queues: Option<QueueWalk>,
    sorting: Option<SteppedSort<u64>>,
    /// Number of lists that are sorted already: the begins and the ends of each kind.
    sorted: usize,
    merged_to: u64,
    steps: StepsBuilder,
}

/// Periods of one kind, which may overlap.
#[derive(Debug, Default)]
struct Periods {
    begins: Vec<u64>,
    ends: Vec<u64>,
    /// How many have begun and ended so far.
    begun: usize,
    ended: usize,
}

impl Periods {
    fn add(&mut self, from: u64, to: u64) {
        if from < to {
            self.begins.push(from);
            self.ends.push(to);
        }
    }

    /// How many are open after all changes up to `at`, which is not after the next one.
    fn open_at(&mut self, at: u64) -> u32 {
        while self.begins.get(self.begun) == Some(&at) {
            self.begun += 1;
        }
        while self.ends.get(self.ended) == Some(&at) {
            self.ended += 1;
        }
        (self.begun - self.ended) as u32
    }

    /// When the next one begins or ends.
    fn next(&self) -> Option<u64> {
        let next = [self.begins.get(self.begun), self.ends.get(self.ended)];
        next.into_iter().flatten().min().copied()
    }
}

const LISTS: usize = 6;

impl StepsFilter {
    /// Continues with the same arguments; false once finished.
    pub fn step(&mut self, trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> bool {
        if self.at.0 < trace.lanes.len() {
            self.collect(trace, shown, lanes);
            return true;
        }
        if let Some((queues, lanes)) = self.queues.as_mut().zip(lanes) {
            let waiting = &mut self.waiting;
            let more = queues.step(trace, shown, PART, &mut |_, part| {
                let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
                if lane.is_some_and(|lane| lanes.get(lane) == Some(&true)) {
                    waiting.add(part.from, part.to);
                }
            });
            if !more {
                self.queues = None;
            }
            return true;
        }
        let kinds = [&mut self.running, &mut self.waiting, &mut self.idle];
        let mut lists = kinds
            .map(|kind| [&mut kind.begins, &mut kind.ends])
            .into_iter()
            .flatten();
        let times = lists.nth(self.sorted);
        drop(lists);
        if let Some(times) = times {
            let sorting = self
                .sorting
                .get_or_insert_with(|| SteppedSort::new(std::mem::take(times)));
            if !sorting.step() {
                *times = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
                self.sorted += 1;
            }
            return true;
        }
        self.merge()
    }

    /// The steps, once `step` has returned false.
    pub fn into_steps(self, trace: &Trace) -> Steps {
        self.steps.finish(trace.span_ns)
    }

    /// Approximate share of the work that is done.
    pub fn share(&self, trace: &Trace) -> f64 {
        let collected = self.at.0 as f64 / trace.lanes.len().max(1) as f64;
        let merged = self.merged_to as f64 / trace.span_ns.max(1) as f64;
        (collected + self.sorted as f64 / LISTS as f64 + merged.min(1.0)) / 3.0
    }

    fn collect(&mut self, trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) {
        let (lane_index, first) = self.at;
        let Some(lane) = trace.lanes.get(lane_index) else {
            return;
        };
        let end = lane.len().min(first + PART);
        let chosen = lanes.is_none_or(|lanes| lanes.get(lane_index) == Some(&true));
        for index in (first..end).filter(|_| chosen) {
            let interval = lane.interval(index);
            match interval.who {
                Who::Run(id) if shown.has_run(id, lane_index, index) => {
                    self.running.add(interval.start, interval.end);
                    let wait = lane.wait(index).filter(|_| lanes.is_none());
                    if let Some(wait) = wait {
                        self.waiting.add(wait.since, interval.start);
                    }
                }
                Who::Idle => self.idle.add(interval.start, interval.end),
                Who::Run(_) | Who::Unknown => {}
            }
        }
        self.at = if end == lane.len() {
            (lane_index + 1, 0)
        } else {
            (lane_index, end)
        };
        if self.at.0 < trace.lanes.len() {
            return;
        }
        if lanes.is_some() {
            self.queues = Some(QueueWalk::new(trace, shown));
        } else {
            for wait in trace.loose_waits.iter().filter(|wait| shown.has_loose(wait.who)) {
                self.waiting.add(wait.since, wait.until);
            }
        }
    }

    /// Merges the changes in time order, starting at 0, and sets the counts after all changes of each time.
    fn merge(&mut self) -> bool {
        for _ in 0..PART {
            let at = self.merged_to;
            let counts = Counts {
                running: self.running.open_at(at),
                waiting: self.waiting.open_at(at),
                idle: self.idle.open_at(at),
            };
            self.steps.set(at, counts);
            let next = [self.running.next(), self.waiting.next(), self.idle.next()];
            match next.into_iter().flatten().min() {
                Some(next) => self.merged_to = next,
                None => return false,
            }
        }
        true
    }
}
