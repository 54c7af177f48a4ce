//! The steps of a subset of tasks and CPUs.

use super::shown::Shown;
use super::sort::SteppedSort;
use schedmodel::{Counts, Steps, Trace, Who};

/// Intervals or changes per step; few in debug builds, so that every test takes several steps.
const PART: usize = if cfg!(debug_assertions) { 8 } else { 8192 };

/// The steps of the `shown` runs and waits. `lanes`: only these CPUs (by index), and the waits that ended on them.
///
/// If everything is shown on all lanes, they equal [`Trace::steps`].
pub fn filtered_steps(trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> Steps {
    let mut filter = StepsFilter::default();
    while filter.step(trace, shown, lanes) {}
    filter.into_steps()
}

/// The number of known CPUs, as [`Steps::known`]. `lanes`: count only these.
pub fn known_steps(trace: &Trace, lanes: Option<&[bool]>) -> Steps {
    match lanes {
        None => trace.steps.known(),
        Some(_) => filtered_steps(trace, &Shown::all(), lanes).known(),
    }
}

/// [`filtered_steps`] in resumable steps.
#[derive(Debug, Default)]
pub(crate) struct StepsFilter {
    /// The next interval: lane and index.
    at: (usize, usize),
    /// Begins and ends of running, waiting and idling.
    times: [Vec<u64>; LISTS],
    sorting: Option<SteppedSort<u64>>,
    /// Number of lists that are sorted already.
    sorted: usize,
    /// Number of changes merged so far, by list.
    heads: [usize; LISTS],
    merged_to: u64,
    steps: Steps,
}

const LISTS: usize = 6;
const RUNNING: usize = 0;
const WAITING: usize = 2;
const IDLE: usize = 4;

impl StepsFilter {
    /// Continues with the same arguments; false once finished.
    pub(crate) fn step(&mut self, trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> bool {
        if self.at.0 < trace.lanes.len() {
            self.collect(trace, shown, lanes);
            return true;
        }
        if self.sorted < LISTS {
            let times = &mut self.times[self.sorted];
            let sorting = self
                .sorting
                .get_or_insert_with(|| SteppedSort::new(std::mem::take(times), |&at| at));
            if !sorting.step() {
                self.times[self.sorted] = self.sorting.take().map_or(Vec::new(), SteppedSort::into_items);
                self.sorted += 1;
            }
            return true;
        }
        self.merge(trace.span_ns)
    }

    /// The steps, once `step` has returned false.
    pub(crate) fn into_steps(self) -> Steps {
        self.steps
    }

    /// Approximate share of the work that is done.
    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        let collected = self.at.0 as f64 / trace.lanes.len().max(1) as f64;
        let merged = self.merged_to as f64 / trace.span_ns.max(1) as f64;
        (collected + self.sorted as f64 / LISTS as f64 + merged.min(1.0)) / 3.0
    }

    fn collect(&mut self, trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) {
        let (lane_index, first) = self.at;
        let lane = &trace.lanes[lane_index];
        let end = lane.len().min(first + PART);
        let chosen = lanes.is_none_or(|lanes| lanes[lane_index]);
        for index in (first..end).filter(|_| chosen) {
            let interval = lane.interval(index);
            match interval.who {
                Who::Run(id) if shown.has(id) => {
                    self.add(RUNNING, interval.start, interval.end);
                    if let Some(wait) = lane.wait(index) {
                        self.add(WAITING, wait.since, interval.start);
                    }
                }
                Who::Idle => self.add(IDLE, interval.start, interval.end),
                Who::Run(_) | Who::Unknown => {}
            }
        }
        self.at = if end == lane.len() {
            (lane_index + 1, 0)
        } else {
            (lane_index, end)
        };
        if self.at.0 == trace.lanes.len() && lanes.is_none() {
            for wait in trace.loose_waits.iter().filter(|wait| shown.has(wait.who)) {
                self.add(WAITING, wait.since, wait.until);
            }
        }
    }

    fn add(&mut self, what: usize, from: u64, to: u64) {
        if from < to {
            self.times[what].push(from);
            self.times[what + 1].push(to);
        }
    }

    /// Merges the changes in time order, starting at 0, and sets the counts after all changes of each time.
    fn merge(&mut self, span: u64) -> bool {
        for _ in 0..PART {
            let at = self.merged_to;
            for (times, head) in self.times.iter().zip(&mut self.heads) {
                while times.get(*head) == Some(&at) {
                    *head += 1;
                }
            }
            let open = |what: usize| (self.heads[what] - self.heads[what + 1]) as u32;
            let (running, waiting, idle) = (open(RUNNING), open(WAITING), open(IDLE));
            self.steps.set(at, Counts { running, waiting, idle });
            let next = self
                .times
                .iter()
                .zip(self.heads)
                .filter_map(|(times, head)| times.get(head));
            match next.min() {
                Some(&next) => self.merged_to = next,
                None => {
                    self.steps.finish(span);
                    return false;
                }
            }
        }
        true
    }
}
