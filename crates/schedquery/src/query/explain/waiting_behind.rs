//! Tasks that waited behind another while some CPU could have taken them; see [`Standing`](schedindex::Standing).

use super::explanation::{Explanation, Stretched};
use super::violations::{Violation, Violations};
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::scope_queues::ScopeQueues;
use crate::query::jobs::totals::Totals;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::walk::CountWalk;
use schedindex::{ConservationSums, Sweep, CHANGES};
use schedmodel::Trace;
use std::sync::Arc;

/// The result for a selection.
#[derive(Debug)]
pub(crate) struct Behind {
    /// Number of stretches of at least the minimum duration.
    pub(crate) count: u64,
    /// Their total length.
    pub(crate) ns: u64,
    /// Their total cost.
    pub(crate) cost: u64,
    /// Sums over stretches of any duration, including waits for an idle CPU.
    pub(crate) sums: ConservationSums,
    /// The costliest, costliest first.
    pub(crate) intervals: Vec<Violation>,
}

/// Finds the stretches in which tasks waited behind another while some CPU was spare, and then, for the costliest, the
/// tasks and the spare CPUs.
#[derive(Debug)]
pub(crate) struct BehindJob {
    scope: Arc<Scope>,
    /// Whether the selection is the whole trace, whose stretches are kept.
    whole: bool,
    taken: CountWalk,
    queues: ScopeQueues,
    ready: bool,
    sweep: Option<Sweep>,
    totals: Totals,
    most_tasks: usize,
    explanation: Option<Explanation>,
}

impl BehindJob {
    /// `most_tasks`: further tasks that waited are only counted.
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, min_duration: u64, top: usize, most_tasks: usize) -> BehindJob {
        BehindJob {
            whole: scope.is_whole(trace),
            taken: CountWalk::default(),
            queues: ScopeQueues::new(&scope),
            scope,
            ready: false,
            sweep: None,
            totals: Totals::new(min_duration, top),
            most_tasks,
            explanation: None,
        }
    }

    fn prepare(&self, model: Model<'_>) -> bool {
        match self.whole {
            true => model.shared.prepare_swept(model.trace),
            false => self.queues.prepare(model, &self.scope),
        }
    }

    /// Takes more of the stretches that are kept; false once there are none.
    fn take(&mut self, Model { trace, shared }: Model<'_>) -> bool {
        let swept = shared.swept(trace);
        let Some(numbers) = self.taken.next(swept.behind.len()) else {
            self.totals.sums = swept.conservation.sums(0..trace.span_ns);
            return false;
        };
        let stretches = swept.behind.get(numbers).unwrap_or_default();
        self.totals.stretches.take(stretches.iter().copied());
        true
    }

    /// Handles more changes; false once there are none.
    fn find(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        let window = Selected::of(trace, &self.scope).closed_window();
        let queues = self.queues.get(model, &self.scope);
        let lanes = || (0..trace.lanes.len()).filter(|&lane| self.scope.has_lane(lane));
        let sweep = self.sweep.get_or_insert_with(|| Sweep::new(trace, queues, lanes()));
        let totals = &mut self.totals;
        sweep.step(trace, queues, CHANGES, &mut |from, to, standing| {
            totals.add(&window, from, to, standing);
        })
    }
}

impl Job for BehindJob {
    type Answer = Behind;

    fn step(&mut self, model: Model<'_>) -> bool {
        if !self.ready {
            self.ready = self.prepare(model);
            return true;
        }
        if let Some(explanation) = &mut self.explanation {
            return explanation.step(model, &self.scope);
        }
        let more = if self.whole { self.take(model) } else { self.find(model) };
        if !more {
            let found = Violations::new(self.totals.stretches.costliest(), self.most_tasks);
            self.explanation = Some(Explanation::new(Stretched::Behind, model.trace, &self.scope, found));
        }
        true
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        let explained = self.explanation.as_ref();
        let swept = self.sweep.as_ref().map_or(0.0, |sweep| sweep.share(trace));
        // What is kept is read almost at once.
        let swept = swept.max(f64::from(u8::from(self.whole && explained.is_some())));
        let explained = explained.map_or(0.0, |explanation| explanation.share(trace));
        (f64::from(u8::from(self.ready)) + swept + explained) / 3.0
    }

    fn answer(self, _: Model<'_>) -> Behind {
        let Totals { stretches, sums } = self.totals;
        Behind {
            count: stretches.count,
            ns: stretches.ns,
            cost: stretches.cost,
            sums,
            intervals: self.explanation.map_or(Vec::new(), Explanation::into_told),
        }
    }
}
