//! The worst wake-up latencies.

use crate::calls::Interrupts;
use crate::query::jobs::job::{Job, Model};
use crate::query::lanes::edge::WakeupEdge;
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::top::Top;
use crate::query::select::walk::CountWalk;
use schedmodel::Trace;
use std::cmp::Reverse;
use std::sync::Arc;

/// Finds the longest latencies, as a job.
#[derive(Debug)]
pub(crate) struct WorstJob {
    scope: Arc<Scope>,
    walk: CountWalk,
    /// (latency, at, number of the edge): the longest first; of equal ones the earliest, and of these the task that
    /// appeared first.
    longest: Top<(Reverse<u64>, u64, usize)>,
    /// What is left out of latencies.
    interrupts: Option<Arc<Interrupts>>,
}

impl WorstJob {
    pub(crate) fn new(scope: Arc<Scope>, top: usize) -> WorstJob {
        WorstJob {
            scope,
            walk: CountWalk::default(),
            longest: Top::new(top),
            interrupts: None,
        }
    }

    /// Of latencies without what these interrupts took.
    pub(crate) fn net(self, interrupts: Option<Arc<Interrupts>>) -> WorstJob {
        WorstJob { interrupts, ..self }
    }

    /// Handles more wakeups, and calls `each` with each of them.
    pub(crate) fn walk(&mut self, trace: &Trace, mut each: impl FnMut(&Woken)) -> bool {
        let Some(numbers) = self.walk.next(trace.edges.len()) else {
            return false;
        };
        for mut woken in Selected::of(trace, &self.scope).wakeups_in(numbers) {
            if let Some(interrupts) = &self.interrupts {
                woken.latency -= interrupts.on(woken.lane, woken.edge.at..woken.edge.at + woken.latency);
            }
            self.longest.push((Reverse(woken.latency), woken.edge.at, woken.number));
            each(&woken);
        }
        true
    }

    /// The numbers of the wakeups with the longest latencies, of a scope.
    pub(crate) fn into_longest(self) -> (Arc<Scope>, Vec<usize>) {
        let longest = self.longest.into_sorted().into_iter();
        (self.scope, longest.map(|(_, _, number)| number).collect())
    }

    pub(crate) fn walked(&self, trace: &Trace) -> f64 {
        self.walk.share(trace.edges.len())
    }
}

impl Job for WorstJob {
    type Answer = Vec<WakeupEdge>;

    fn step(&mut self, model: Model<'_>) -> bool {
        self.walk(model.trace, |_| {})
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walked(model.trace)
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> Vec<WakeupEdge> {
        let selected = Selected::of(trace, &self.scope);
        let longest = self.longest.into_sorted().into_iter();
        longest
            .filter_map(|(Reverse(latency), _, number)| {
                let mut edge = WakeupEdge::of(trace, &selected.woken(trace.edges.wakee(number), number)?);
                edge.latency_ns = Some(latency);
                Some(edge)
            })
            .collect()
    }
}
