//! Work-conservation violations: intervals in which some task waits while some CPU is idle.

use super::job::{run, Job, Model};
use super::name::{RunPlace, TaskName};
use super::selected::{Scope, Selected};
use super::selection::Selection;
use super::steps::StepsJob;
use super::top::Top;
use super::walk::{CountWalk, LaneWalk};
use crate::sched::{Step, Steps, TaskCommId, Trace, Who};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What every list of violations has to say of itself.
pub const AFFINITY_CAVEAT: &str =
    "a trace holds no affinity masks: a task that may not run on the idle CPUs looks like one that the scheduler forgot";

/// The JSON of `corelane overload`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverloadReport {
    /// Violations of at least the least duration.
    pub count: u64,
    /// How long they last together.
    pub violation_ns: u64,
    /// What they cost together.
    pub cost_task_ns: u64,
    /// The costliest, costliest first.
    pub intervals: Vec<Violation>,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// A maximal interval in which some task waits and some CPU is idle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// First ns.
    pub start_ns: u64,
    /// First ns after it.
    pub end_ns: u64,
    /// From one to the other.
    pub duration_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// Most tasks that waited at once.
    pub waiting_max: u32,
    /// Who waited, longest first.
    pub tasks: Vec<Waited>,
    /// How many waited, listed or not.
    pub tasks_total: usize,
    /// Which CPUs idled, by number.
    pub idle_cpus: Vec<Idled>,
}

/// A task that waited meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waited {
    /// Which.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long of the interval.
    pub waited_ns: u64,
    /// The run that the last of its waits led to; null where the trace has none.
    pub run: Option<RunPlace>,
}

/// A CPU that idled meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Idled {
    /// Which.
    pub cpu: u32,
    /// How long of the interval.
    pub idle_ns: u64,
}

/// A violation, relative to the trace's first record.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: u64,
    to: u64,
    cost: u64,
    waiting_max: u32,
}

/// The `top` costliest violations among those of at least `min_duration` ns.
pub fn overload(trace: &Trace, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
    run(trace, OverloadJob::new(Scope::new(trace, selection), min_duration, top))
}

/// [`overload`], step by step: first the violations, then who waited and who idled in the costliest.
#[derive(Debug)]
pub(crate) struct OverloadJob {
    scope: Arc<Scope>,
    min_duration: u64,
    steps: StepsJob,
    walk: CountWalk,
    /// The violation that the steps walked over so far end with.
    last: Option<Stretch>,
    count: u64,
    violation_ns: u64,
    cost_task_ns: u64,
    /// (cost, from, to, waiting_max)
    costliest: Top<(Reverse<u64>, u64, u64, u32)>,
    explanation: Option<Explanation>,
}

impl OverloadJob {
    pub(crate) fn new(scope: Arc<Scope>, min_duration: u64, top: usize) -> OverloadJob {
        OverloadJob {
            steps: StepsJob::new(Arc::clone(&scope)),
            scope,
            min_duration,
            walk: CountWalk::default(),
            last: None,
            count: 0,
            violation_ns: 0,
            cost_task_ns: 0,
            costliest: Top::new(top),
            explanation: None,
        }
    }

    /// Looks at some more steps; false when there are none.
    fn find(&mut self, trace: &Trace, steps: &Steps) -> bool {
        let Some(indexes) = self.walk.next(steps.len()) else {
            return false;
        };
        let window = Selected::of(trace, &self.scope).closed_window();
        for index in indexes {
            let Step { from, to, counts } = steps.step(index);
            let (from, to) = (from.max(window.start), to.min(window.end));
            if to <= from || !counts.violates() {
                continue;
            }
            let cost = (to - from).saturating_mul(u64::from(counts.waiting.min(counts.idle)));
            match self.last.as_mut().filter(|last| last.to == from) {
                Some(last) => {
                    last.to = to;
                    last.cost = last.cost.saturating_add(cost);
                    last.waiting_max = last.waiting_max.max(counts.waiting);
                }
                None => {
                    self.close();
                    self.last = Some(Stretch {
                        from,
                        to,
                        cost,
                        waiting_max: counts.waiting,
                    });
                }
            }
        }
        true
    }

    /// No step goes on with the last violation.
    fn close(&mut self) {
        let long_enough = |stretch: &Stretch| self.min_duration <= stretch.to - stretch.from;
        if let Some(stretch) = self.last.take().filter(long_enough) {
            self.count += 1;
            self.violation_ns = self.violation_ns.saturating_add(stretch.to - stretch.from);
            self.cost_task_ns = self.cost_task_ns.saturating_add(stretch.cost);
            let Stretch {
                from,
                to,
                cost,
                waiting_max,
            } = stretch;
            self.costliest.push((Reverse(cost), from, to, waiting_max));
        }
    }
}

impl Job for OverloadJob {
    type Answer = OverloadReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        if self.steps.step(model) {
            return true;
        }
        if let Some(explanation) = &mut self.explanation {
            return explanation.step(&Selected::of(model.trace, &self.scope));
        }
        let steps = Arc::clone(self.steps.found(model));
        if !self.find(model.trace, &steps) {
            self.close();
            let costliest = std::mem::replace(&mut self.costliest, Top::new(0)).into_sorted();
            let stretches = costliest
                .into_iter()
                .map(|(Reverse(cost), from, to, waiting_max)| Stretch {
                    from,
                    to,
                    cost,
                    waiting_max,
                });
            self.explanation = Some(Explanation::new(stretches.collect()));
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let explained = self.explanation.as_ref();
        let shares = [
            self.steps.share(model),
            explained.map_or_else(|| self.walk.share(self.steps.count()), |_| 1.0),
            explained.map_or(0.0, |explanation| explanation.walk.share(model.trace)),
        ];
        shares.iter().sum::<f64>() / 3.0
    }

    fn answer(self, model: Model<'_>) -> OverloadReport {
        OverloadReport {
            count: self.count,
            violation_ns: self.violation_ns,
            cost_task_ns: self.cost_task_ns,
            intervals: self
                .explanation
                .map_or(Vec::new(), |explanation| explanation.violations(model.trace)),
            caveat: AFFINITY_CAVEAT,
        }
    }
}

/// How long, and the last run that it led to.
type Waiting = (u64, Option<(u64, usize, usize)>);

/// Says who waited and who idled in each of some disjoint stretches; keeps their order.
#[derive(Debug)]
struct Explanation {
    stretches: Vec<Stretch>,
    /// Numbers of stretches, by time.
    by_time: Vec<usize>,
    walk: LaneWalk,
    waited: Vec<HashMap<TaskCommId, Waiting>>,
    idled: Vec<BTreeMap<u32, u64>>,
    loose: bool,
}

impl Explanation {
    fn new(stretches: Vec<Stretch>) -> Explanation {
        let mut by_time: Vec<usize> = (0..stretches.len()).collect();
        by_time.sort_unstable_by_key(|&number| stretches[number].from);
        Explanation {
            by_time,
            walk: LaneWalk::default(),
            waited: vec![HashMap::new(); stretches.len()],
            idled: vec![BTreeMap::new(); stretches.len()],
            stretches,
            loose: false,
        }
    }

    fn step(&mut self, selected: &Selected) -> bool {
        let trace = selected.trace;
        // Without stretches there is nothing to explain.
        let part = self.walk.next(trace, selected).filter(|_| !self.stretches.is_empty());
        let Some((lane_index, indexes)) = part else {
            if !std::mem::replace(&mut self.loose, true) {
                for wait in selected.loose_waits() {
                    self.add_wait(wait.who, wait.since, wait.until, None);
                }
            }
            return false;
        };
        let lane = &trace.lanes[lane_index];
        for index in indexes {
            let interval = lane.interval(index);
            match interval.who {
                Who::Run(id) if selected.shown.has(id) => {
                    if let Some(wait) = lane.wait(index) {
                        let run = (interval.start, lane_index, index);
                        self.add_wait(id, wait.since, interval.start, Some(run));
                    }
                }
                Who::Idle => {
                    let cpu = trace.cpus[lane_index];
                    let idled = &mut self.idled;
                    overlaps(
                        &self.stretches,
                        &self.by_time,
                        interval.start,
                        interval.end,
                        |number, ns| {
                            *idled[number].entry(cpu).or_default() += ns;
                        },
                    );
                }
                Who::Run(_) | Who::Unknown => {}
            }
        }
        true
    }

    fn add_wait(&mut self, id: TaskCommId, since: u64, until: u64, run: Option<(u64, usize, usize)>) {
        let waited = &mut self.waited;
        overlaps(&self.stretches, &self.by_time, since, until, |number, ns| {
            let waiting = waited[number].entry(id).or_default();
            waiting.0 += ns;
            waiting.1 = waiting.1.max(run);
        });
    }

    fn violations(self, trace: &Trace) -> Vec<Violation> {
        let both = self.stretches.iter().zip(self.waited.into_iter().zip(self.idled));
        both.map(|(stretch, (waited, idled))| {
            let mut waited: Vec<_> = waited.into_iter().collect();
            waited.sort_unstable_by_key(|&(id, (ns, _))| (Reverse(ns), id));
            let tasks_total = waited.len();
            let tasks = waited.into_iter().map(|(id, (waited_ns, run))| Waited {
                task: TaskName::of(trace, id),
                waited_ns,
                run: run.map(|(_, lane, index)| RunPlace::of(trace, lane, index)),
            });
            let idled = idled.into_iter().map(|(cpu, idle_ns)| Idled { cpu, idle_ns });
            Violation {
                start_ns: trace.base_ns + stretch.from,
                end_ns: trace.base_ns + stretch.to,
                duration_ns: stretch.to - stretch.from,
                cost_task_ns: stretch.cost,
                waiting_max: stretch.waiting_max,
                tasks: tasks.collect(),
                tasks_total,
                idle_cpus: idled.collect(),
            }
        })
        .collect()
    }
}

/// Calls `add` with each stretch that overlaps, and by how much.
fn overlaps(stretches: &[Stretch], by_time: &[usize], from: u64, to: u64, mut add: impl FnMut(usize, u64)) {
    let first = by_time.partition_point(|&number| stretches[number].to <= from);
    for &number in &by_time[first..] {
        let (start, end) = (stretches[number].from.max(from), stretches[number].to.min(to));
        if end <= start {
            return;
        }
        add(number, end - start);
    }
}
