//! The worst wake-up latencies.

use super::answer::{wake_event_name, waker_context_name};
use super::doubt::latency_in_doubt;
use super::job::{Job, Model};
use super::pick::{idle_cpus, waker_of};
use super::placement::is_free;
use super::selected::{Scope, Selected, Woken};
use super::top::Top;
use super::walk::CountWalk;
use schedmodel::{Time, Trace};
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::Arc;

/// One of the longest wake-up latencies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorstLatency {
    /// When the latency starts.
    pub at_ns: Time,
    /// From there to the switch-in.
    pub latency_ns: u64,
    /// The event that it starts at.
    pub event: &'static str,
    /// When the wakee became runnable; null if no `sched_wakeup` tells.
    pub woken_ns: Option<Time>,
    /// The switch-in.
    pub running_ns: Time,
    /// Thread id.
    pub wakee_pid: i32,
    /// Generation of the pid.
    pub wakee_generation: u32,
    /// Its name in the run.
    pub wakee_comm: String,
    /// Thread id of the waker; -1 if not known, 0 for idle.
    pub waker_pid: i32,
    /// Its name; empty if not known.
    pub waker_comm: String,
    /// `task`, `hardirq`, `softirq` or `unknown`.
    pub waker_context: &'static str,
    /// The CPU on which the event at `at_ns` was written.
    pub waker_cpu: u32,
    /// Where the wakee last ran, according to `sched_waking`.
    pub previous_cpu: Option<u32>,
    /// Where it was put, according to `sched_wakeup`.
    pub chosen_cpu: Option<u32>,
    /// Where it ran.
    pub cpu: u32,
    /// The CPUs that were idle at `at_ns`.
    pub idle_cpus: Vec<u32>,
    /// Whether the last CPU was idle then, with no task on its way to it; null if that is not known.
    pub previous_was_free: Option<bool>,
    /// Records are missing meanwhile, so the task may have run before, and been woken again, unseen.
    pub uncertain: bool,
}

/// Finds the longest latencies, as a job.
#[derive(Debug)]
pub(crate) struct WorstJob {
    scope: Arc<Scope>,
    walk: CountWalk,
    /// (latency, at, number of the edge): the longest first; of equal ones the earliest, and of these the task that
    /// appeared first.
    longest: Top<(Reverse<u64>, u64, usize)>,
}

impl WorstJob {
    pub(crate) fn new(scope: Arc<Scope>, top: usize) -> WorstJob {
        WorstJob {
            scope,
            walk: CountWalk::default(),
            longest: Top::new(top),
        }
    }

    /// Handles more wakeups, and calls `each` with each of them.
    pub(crate) fn walk(&mut self, trace: &Trace, mut each: impl FnMut(&Woken)) -> bool {
        let Some(numbers) = self.walk.next(trace.edges.len()) else {
            return false;
        };
        for woken in Selected::of(trace, &self.scope).wakeups_in(numbers) {
            self.longest.push((Reverse(woken.latency), woken.edge.at, woken.number));
            each(&woken);
        }
        true
    }

    pub(crate) fn walked(&self, trace: &Trace) -> f64 {
        self.walk.share(trace.edges.len())
    }
}

impl Job for WorstJob {
    type Answer = Vec<WorstLatency>;

    fn step(&mut self, model: Model<'_>) -> bool {
        self.walk(model.trace, |_| {})
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walked(model.trace)
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> Vec<WorstLatency> {
        let selected = Selected::of(trace, &self.scope);
        let longest = self.longest.into_sorted().into_iter();
        longest
            .filter_map(|(_, _, number)| Some(worst(trace, &selected.woken(trace.edges.wakee(number), number)?)))
            .collect()
    }
}

fn worst(trace: &Trace, woken: &Woken) -> WorstLatency {
    let (edge, wakee) = (&woken.edge, trace.task(woken.wakee));
    let waker = waker_of(trace, edge);
    WorstLatency {
        at_ns: Time(edge.at),
        latency_ns: woken.latency,
        event: wake_event_name(edge.event),
        woken_ns: edge.woken.map(Time),
        running_ns: Time(edge.at + woken.latency),
        wakee_pid: wakee.pid,
        wakee_generation: wakee.generation,
        wakee_comm: trace.comm_of(woken.id).to_owned(),
        waker_pid: waker.as_ref().map_or(-1, |waker| waker.pid),
        waker_comm: waker.map_or(String::new(), |waker| waker.comm),
        waker_context: waker_context_name(edge.context),
        waker_cpu: edge.waker_cpu,
        previous_cpu: edge.previous_cpu,
        chosen_cpu: edge.chosen_cpu,
        cpu: trace.cpu_at(woken.lane),
        idle_cpus: idle_cpus(trace, edge.at),
        previous_was_free: edge.previous_cpu.and_then(|cpu| is_free(trace, cpu, edge.at)),
        uncertain: latency_in_doubt(trace, edge),
    }
}
