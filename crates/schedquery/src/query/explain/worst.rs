//! The worst wake-up latencies.

use crate::calls::Interrupts;
use crate::query::jobs::job::{Job, Model};
use crate::query::lanes::edge::{WakeupEdge, DESCRIBED};
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::top::Top;
use crate::query::select::walk::CountWalk;
use schedindex::latency_in_doubt;
use schedmodel::{Edge, Trace};
use std::cmp::Reverse;
use std::sync::Arc;

/// The wakeups with the longest latencies, of those that are pushed.
#[derive(Debug)]
pub(crate) struct LongestWakeups {
    /// The longest first; of equal ones the earliest, and of these the task that appeared first.
    longest: Top<Longest>,
    certain_first: bool,
}

/// (uncertain, latency, at, number of the edge); all count as certain unless those come first.
type Longest = (bool, Reverse<u64>, u64, usize);

impl LongestWakeups {
    pub(crate) fn new(top: usize) -> LongestWakeups {
        LongestWakeups {
            longest: Top::new(top),
            certain_first: false,
        }
    }

    /// Those that missing records may have made longer come after all others.
    pub(crate) fn certain_first(self) -> LongestWakeups {
        LongestWakeups {
            certain_first: true,
            ..self
        }
    }

    /// A shorter latency is not kept.
    pub(crate) fn least(&self) -> u64 {
        match self.longest.last() {
            Some(&(false, Reverse(latency), ..)) => latency,
            _ => 0,
        }
    }

    pub(crate) fn push(&mut self, trace: &Trace, woken: &Woken) {
        let ranked = |uncertain| (uncertain, Reverse(woken.latency), woken.edge.at, woken.number);
        if self.longest.takes(&ranked(false)) {
            let uncertain = self.certain_first && latency_in_doubt(trace, woken.wakee, &woken.edge);
            self.longest.push(ranked(uncertain));
        }
    }

    /// Each latency with the number of its edge.
    pub(crate) fn into_sorted(self) -> impl Iterator<Item = (u64, usize)> {
        let longest = self.longest.into_sorted().into_iter();
        longest.map(|(_, Reverse(latency), _, number)| (latency, number))
    }
}

/// Finds the longest latencies, as a job.
#[derive(Debug)]
pub(crate) struct WorstJob {
    scope: Arc<Scope>,
    walk: CountWalk,
    longest: LongestWakeups,
    /// What is left out of latencies.
    interrupts: Option<Arc<Interrupts>>,
    /// Those of the longest that are still to be described, once all wakeups were walked.
    left: Option<std::vec::IntoIter<(u64, usize)>>,
    described: Vec<WakeupEdge>,
}

impl WorstJob {
    pub(crate) fn new(scope: Arc<Scope>, top: usize) -> WorstJob {
        WorstJob {
            scope,
            walk: CountWalk::default(),
            longest: LongestWakeups::new(top),
            interrupts: None,
            left: None,
            described: Vec::new(),
        }
    }

    /// Those that missing records may have made longer come after all others.
    pub(crate) fn certain_first(self) -> WorstJob {
        WorstJob {
            longest: self.longest.certain_first(),
            ..self
        }
    }

    /// Of latencies without what these interrupts took.
    pub(crate) fn net(self, interrupts: Option<Arc<Interrupts>>) -> WorstJob {
        WorstJob { interrupts, ..self }
    }

    /// Handles more wakeups, and calls `each` with each of them.
    pub(crate) fn walk(&mut self, trace: &Trace, each: impl FnMut(&Woken)) -> bool {
        self.walk_from(0, trace, each)
    }

    /// The same without those whose latency is less than `least` ns.
    fn walk_from(&mut self, least: u64, trace: &Trace, mut each: impl FnMut(&Woken)) -> bool {
        let Some(numbers) = self.walk.next(trace.edges.len()) else {
            return false;
        };
        let worth = |edge: &Edge| edge.latency().is_some_and(|latency| least <= latency);
        for mut woken in Selected::of(trace, &self.scope).wakeups_if(numbers, worth) {
            if let Some(interrupts) = &self.interrupts {
                woken.latency -= interrupts.on(woken.lane, woken.edge.at..woken.edge.at + woken.latency);
            }
            self.longest.push(trace, &woken);
            each(&woken);
        }
        true
    }

    /// The numbers of the wakeups with the longest latencies, of a scope.
    pub(crate) fn into_longest(self) -> (Arc<Scope>, Vec<usize>) {
        (
            self.scope,
            self.longest.into_sorted().map(|(_, number)| number).collect(),
        )
    }

    /// Describes more of the longest, after the walk; false once all are described.
    pub(crate) fn describe(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        let longest = &mut self.longest;
        let left = self.left.get_or_insert_with(|| {
            let longest = std::mem::replace(longest, LongestWakeups::new(0)).into_sorted();
            longest.collect::<Vec<_>>().into_iter()
        });
        if !left.as_slice().is_empty() && !model.shared.prepare_free(trace) {
            return true;
        }
        let selected = Selected::of(trace, &self.scope);
        for _ in 0..DESCRIBED {
            let Some((latency, number)) = left.next() else {
                return false;
            };
            if let Some(woken) = selected.woken(trace.edges.wakee(number), number) {
                let mut edge = WakeupEdge::of(model, &woken);
                edge.latency_ns = Some(latency);
                self.described.push(edge);
            }
        }
        true
    }

    pub(crate) fn walked(&self, trace: &Trace) -> f64 {
        self.walk.share(trace.edges.len())
    }
}

impl Job for WorstJob {
    type Answer = Vec<WakeupEdge>;

    fn step(&mut self, model: Model<'_>) -> bool {
        // Without what interrupts took it is not longer.
        let least = self.longest.least();
        self.walk_from(least, model.trace, |_| {})
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walked(model.trace)
    }

    fn answer(mut self, model: Model<'_>) -> Vec<WakeupEdge> {
        while self.describe(model) {}
        self.described
    }
}
