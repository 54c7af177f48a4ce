//! Work conservation: intervals in which some task waits while some CPU is idle, and those of them in which it waits
//! behind another.

use super::explanation::{Explanation, Stretched};
use super::violations::{Violation, Violations};
use super::waiting_behind::BehindJob;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::jobs::steps::StepsJob;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::stretches::Stretches;
use crate::query::select::walk::CountWalk;
use schedmodel::{Step, Steps, Trace};
use serde::Serialize;
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
    /// How long some kernel thread that is bound to its CPU waited behind another while some CPU was spare, whatever the minimum
    /// duration. It is in no other number about waiting behind others.
    pub bound_ns: u64,
    /// Integral of min(bound threads that wait behind another, spare CPUs).
    pub bound_task_ns: u64,
    /// How long some task waited for its own CPU to leave idle, whatever the minimum duration.
    pub leaving_idle_ns: u64,
    /// Integral of how many did.
    pub leaving_idle_task_ns: u64,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// [`Model::overload`] of a trace about which nothing is kept.
pub fn overload(trace: &Trace, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
    Model::new(trace, &Shared::default()).overload(selection, min_duration, top)
}

impl Model<'_> {
    /// The `top` costliest violations of at least `min_duration` ns.
    pub fn overload(self, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
        let scope = Scope::new(self.trace, selection);
        self.run(OverloadJob::new(self.trace, scope, min_duration, top, usize::MAX))
    }
}

/// [`overload`] as a job: first the violations, then the tasks and CPUs of the costliest.
#[derive(Debug)]
pub(crate) struct OverloadJob {
    scope: Arc<Scope>,
    steps: StepsJob,
    walk: CountWalk,
    stretches: Stretches,
    most_tasks: usize,
    explanation: Option<Explanation>,
    explained: bool,
    behind: BehindJob,
}

impl OverloadJob {
    /// `most_tasks`: further tasks that waited are only counted.
    pub(crate) fn new(
        trace: &Trace,
        scope: Arc<Scope>,
        min_duration: u64,
        top: usize,
        most_tasks: usize,
    ) -> OverloadJob {
        OverloadJob {
            steps: StepsJob::new(Arc::clone(&scope)),
            behind: BehindJob::new(trace, Arc::clone(&scope), min_duration, top, most_tasks),
            scope,
            walk: CountWalk::default(),
            stretches: Stretches::new(min_duration, top),
            most_tasks,
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
            self.explained = !explanation.step(model, &self.scope);
            return true;
        }
        let steps = Arc::clone(self.steps.found(model));
        if !self.find(model.trace, &steps) {
            let found = Violations::new(self.stretches.costliest(), self.most_tasks);
            self.explanation = Some(Explanation::new(Stretched::All, model.trace, &self.scope, found));
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let explained = self.explanation.as_ref();
        let shares = [
            self.steps.share(model),
            explained.map_or_else(|| self.walk.share(self.steps.count()), |_| 1.0),
            explained.map_or(0.0, |explanation| explanation.share(model.trace)),
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
            intervals: self.explanation.map_or(Vec::new(), Explanation::into_told),
            behind_count: behind.count,
            behind_ns: behind.ns,
            behind_cost_task_ns: behind.cost,
            behind: behind.intervals,
            bound_ns: behind.sums.bound,
            bound_task_ns: behind.sums.bound_tasks,
            leaving_idle_ns: behind.sums.leaving_idle,
            leaving_idle_task_ns: behind.sums.leaving_idle_tasks,
            caveat: AFFINITY_CAVEAT,
        }
    }
}
