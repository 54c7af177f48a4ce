//! Work conservation: intervals in which some task waits while some CPU is idle, and those of them in which it waits
//! behind another.

use super::behind::BehindJob;
use crate::index::Waiter;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::kept::Kept;
use crate::query::jobs::steps::StepsJob;
use crate::query::select::doubt::waiter_in_doubt;
use crate::query::select::name::{RunPlace, TaskName};
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::stretches::{ByTime, Stretch, Stretches};
use crate::query::select::walk::{CountWalk, LaneWalk};
use schedmodel::{Step, Steps, TaskCommId, Time, Trace, Who};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use ts_rs::TS;

/// A caveat that belongs to every list of violations.
pub const AFFINITY_CAVEAT: &str =
    "a trace holds no affinity masks: a task that may not run on the idle CPUs looks like one that the scheduler forgot";

/// JSON of `corelane overload`, which prints instants as absolute trace times; durations are in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OverloadReport {
    /// Number of violations of at least the minimum duration.
    pub count: u64,
    /// Their total length.
    pub violation_ns: u64,
    /// Their total cost.
    pub cost_task_ns: u64,
    /// The costliest, costliest first.
    pub intervals: Vec<Violation>,
    /// The same for tasks that wait behind another while some CPU is spare: idle, with nobody on its runqueue.
    pub behind_count: u64,
    /// Total length of these.
    pub behind_ns: u64,
    /// Total cost of these: integral of min(tasks that wait behind another, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// The costliest of these, costliest first, with the tasks that waited behind another and the spare CPUs.
    pub behind: Vec<Violation>,
    /// How long some task waited for its own CPU to leave idle, whatever the minimum duration.
    pub leaving_idle_ns: u64,
    /// Integral of how many did.
    pub leaving_idle_task_ns: u64,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// A maximal interval in which some task waits (behind another) and some CPU is idle (spare).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Violation {
    /// First ns.
    pub start_ns: Time,
    /// First ns after it.
    pub end_ns: Time,
    /// Its length.
    pub duration_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// The most tasks that waited at any time.
    pub waiting_max: u32,
    /// The tasks that waited, longest first.
    pub tasks: Vec<Waited>,
    /// How many tasks waited, listed or not.
    pub tasks_total: usize,
    /// The CPUs that idled, by number.
    pub idle_cpus: Vec<Idled>,
    /// Records are missing while one of the tasks waited, so it may have run and slept, unseen.
    pub uncertain: bool,
}

/// A task that waited during the interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Waited {
    /// The task.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long it waited in the interval.
    pub waited_ns: u64,
    /// The run that the last of its waits led to; null if the trace has none.
    pub run: Option<RunPlace>,
}

/// A CPU that idled during the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Idled {
    /// The CPU.
    pub cpu: u32,
    /// How long it idled in the interval.
    pub idle_ns: u64,
}

/// [`Model::overload`] of a trace about which nothing is kept.
pub fn overload(trace: &Trace, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
    Model::new(trace, &Kept::default()).overload(selection, min_duration, top)
}

impl Model<'_> {
    /// The `top` costliest violations of at least `min_duration` ns.
    pub fn overload(self, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
        let scope = Scope::new(self.trace, selection);
        self.run(OverloadJob::new(self.trace, scope, min_duration, top))
    }
}

/// [`overload`] as a job: first the violations, then the tasks and CPUs of the costliest.
#[derive(Debug)]
pub(crate) struct OverloadJob {
    scope: Arc<Scope>,
    steps: StepsJob,
    walk: CountWalk,
    stretches: Stretches,
    explanation: Option<Explanation>,
    explained: bool,
    behind: BehindJob,
}

impl OverloadJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, min_duration: u64, top: usize) -> OverloadJob {
        OverloadJob {
            steps: StepsJob::new(Arc::clone(&scope)),
            behind: BehindJob::new(trace, Arc::clone(&scope), min_duration, top),
            scope,
            walk: CountWalk::default(),
            stretches: Stretches::new(min_duration, top),
            explanation: None,
            explained: false,
        }
    }

    /// Handles more steps; false once there are none.
    fn find(&mut self, trace: &Trace, steps: &Steps) -> bool {
        let Some(indexes) = self.walk.next(steps.len()) else {
            return false;
        };
        let window = Selected::of(trace, &self.scope).closed_window();
        for index in indexes {
            let Step { from, to, counts } = steps.step(index);
            let (from, to) = (from.max(window.start), to.min(window.end));
            let rate = counts.waiting.min(counts.idle);
            self.stretches.add(from, to, rate, counts.waiting);
        }
        true
    }
}

impl Job for OverloadJob {
    type Answer = OverloadReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        if self.steps.step(model) {
            return true;
        }
        if self.explained {
            return self.behind.step(model);
        }
        if let Some(explanation) = &mut self.explanation {
            self.explained = !explanation.step(&Selected::of(model.trace, &self.scope));
            return true;
        }
        let steps = Arc::clone(self.steps.found(model));
        if !self.find(model.trace, &steps) {
            self.explanation = Some(Explanation::new(self.stretches.costliest()));
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let explained = self.explanation.as_ref();
        let shares = [
            self.steps.share(model),
            explained.map_or_else(|| self.walk.share(self.steps.count()), |_| 1.0),
            explained.map_or(0.0, |explanation| explanation.walk.share(model.trace)),
            self.behind.share(model),
        ];
        shares.iter().sum::<f64>() / shares.len() as f64
    }

    fn answer(self, model: Model<'_>) -> OverloadReport {
        let behind = self.behind.answer(model);
        OverloadReport {
            count: self.stretches.count,
            violation_ns: self.stretches.ns,
            cost_task_ns: self.stretches.cost,
            intervals: self
                .explanation
                .map_or(Vec::new(), |explanation| explanation.found.told(model.trace)),
            behind_count: behind.count,
            behind_ns: behind.ns,
            behind_cost_task_ns: behind.cost,
            behind: behind.intervals,
            leaving_idle_ns: behind.sums.leaving_idle,
            leaving_idle_task_ns: behind.sums.leaving_idle_tasks,
            caveat: AFFINITY_CAVEAT,
        }
    }
}

/// Finds the waiting tasks and idle CPUs of each stretch.
#[derive(Debug)]
struct Explanation {
    found: Violations,
    walk: LaneWalk,
    loose: bool,
}

impl Explanation {
    fn new(stretches: Vec<Stretch>) -> Explanation {
        Explanation {
            found: Violations::new(stretches),
            walk: LaneWalk::default(),
            loose: false,
        }
    }

    fn step(&mut self, selected: &Selected) -> bool {
        let trace = selected.trace;
        let all = |from: u64, to: u64| to - from;
        // Without stretches there is nothing to explain.
        let part = self.walk.next(trace, selected).filter(|_| !self.found.is_empty());
        let Some((lane_index, indexes)) = part else {
            if !std::mem::replace(&mut self.loose, true) {
                for wait in selected.loose_waits() {
                    let (who, run) = (wait.who, None);
                    self.found
                        .waited(trace, Waiter { who, run }, wait.since, wait.until, all);
                }
            }
            return false;
        };
        let lane = trace.lane_at(lane_index);
        for index in indexes {
            let interval = lane.interval(index);
            match interval.who {
                Who::Run(who) if selected.shown.has(who) => {
                    if let Some(wait) = lane.wait(index) {
                        let run = Some((interval.start, lane_index, index));
                        self.found
                            .waited(trace, Waiter { who, run }, wait.since, interval.start, all);
                    }
                }
                Who::Idle => self
                    .found
                    .idled(trace.cpu_at(lane_index), interval.start, interval.end, all),
                Who::Run(_) | Who::Unknown => {}
            }
        }
        true
    }
}

/// How long a task waited, and the last run that a wait led to.
type Waiting = (u64, Option<(u64, usize, usize)>);

/// The waiting tasks and idle CPUs of some disjoint stretches, in the stretches' order.
#[derive(Debug)]
pub(crate) struct Violations {
    stretches: ByTime,
    waited: Vec<HashMap<TaskCommId, Waiting>>,
    idled: Vec<BTreeMap<u32, u64>>,
    /// By stretch.
    uncertain: Vec<bool>,
}

impl Violations {
    pub(crate) fn new(stretches: Vec<Stretch>) -> Violations {
        Violations {
            waited: vec![HashMap::new(); stretches.len()],
            idled: vec![BTreeMap::new(); stretches.len()],
            uncertain: vec![false; stretches.len()],
            stretches: ByTime::new(stretches),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.stretches.is_empty()
    }

    /// Adds a wait of a task; `counts` gives how much of a part of that time counts.
    pub(crate) fn waited(
        &mut self,
        trace: &Trace,
        waiter: Waiter,
        since: u64,
        until: u64,
        mut counts: impl FnMut(u64, u64) -> u64,
    ) {
        let (waited, uncertain) = (&mut self.waited, &mut self.uncertain);
        self.stretches.overlaps(since, until, |number, from, to| {
            let ns = counts(from, to);
            // Every stretch has both.
            let of_stretch = waited.get_mut(number).zip(uncertain.get_mut(number));
            if let Some((waited, uncertain)) = of_stretch.filter(|_| 0 < ns) {
                *uncertain = *uncertain || waiter_in_doubt(trace, &waiter, since, until);
                let waiting = waited.entry(waiter.who).or_default();
                waiting.0 += ns;
                waiting.1 = waiting.1.max(waiter.run);
            }
        });
    }

    /// Adds idle time of a CPU; `counts` as in [`Violations::waited`].
    pub(crate) fn idled(&mut self, cpu: u32, from: u64, to: u64, mut counts: impl FnMut(u64, u64) -> u64) {
        let idled = &mut self.idled;
        self.stretches.overlaps(from, to, |number, from, to| {
            let ns = counts(from, to);
            if let Some(idled) = idled.get_mut(number).filter(|_| 0 < ns) {
                *idled.entry(cpu).or_default() += ns;
            }
        });
    }

    pub(crate) fn told(self, trace: &Trace) -> Vec<Violation> {
        let both = self.stretches.stretches.iter().zip(self.uncertain);
        let both = both.zip(self.waited.into_iter().zip(self.idled));
        both.map(|((stretch, uncertain), (waited, idled))| {
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
                start_ns: Time(stretch.from),
                end_ns: Time(stretch.to),
                duration_ns: stretch.to - stretch.from,
                cost_task_ns: stretch.cost,
                waiting_max: stretch.waiting_max,
                tasks: tasks.collect(),
                tasks_total,
                idle_cpus: idled.collect(),
                uncertain,
            }
        })
        .collect()
    }
}
