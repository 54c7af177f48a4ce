//! Work conservation within each socket and each last-level cache: a task waits on the runqueue of one of its CPUs while
//! another of its CPUs is idle.
//!
//! What the whole machine violates and no domain does is between domains: tasks wait in one while only others have idle
//! CPUs. Waits of which the trace does not tell the runqueue are in no domain.

use super::job::{run, Job, Model};
use super::selected::{Scope, Selected};
use super::selection::Selection;
use crate::index::Depth;
use crate::merge::LoserTree;
use crate::sched::{Trace, Who};
use crate::topology::{Domain, Topology};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// Overload within the domains of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainReport {
    /// The machine, as its shortest text.
    pub topology: String,
    /// Sockets, then LLCs where there are others than one for each socket, by number.
    pub domains: Vec<DomainOverload>,
    /// Task time of waits whose runqueue is not known.
    pub unplaced_wait_ns: u64,
    /// CPUs of the trace that the topology does not know: in no domain.
    pub unknown_cpus: Vec<u32>,
}

/// Violations within one domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainOverload {
    /// `socket` or `llc`.
    pub domain: Domain,
    /// Which.
    pub number: u32,
    /// Its CPUs that are in the trace and selected.
    pub cpus: Vec<u32>,
    /// Task time of waits on its runqueues.
    pub wait_ns: u64,
    /// Maximal intervals in which a task waits in it and a CPU of it is idle.
    pub intervals: u64,
    /// How long they last together.
    pub violation_ns: u64,
    /// Integral of min(tasks waiting in it, idle CPUs of it).
    pub cost_task_ns: u64,
}

/// The violations of a selection within each domain.
pub fn domain_overload(trace: &Trace, selection: &Selection, topology: &Arc<Topology>) -> DomainReport {
    run(
        trace,
        DomainsJob::new(Scope::new(trace, selection), Arc::clone(topology)),
    )
}

/// [`domain_overload`], step by step.
#[derive(Debug)]
pub(crate) struct DomainsJob {
    scope: Arc<Scope>,
    topology: Arc<Topology>,
    /// The runqueues, and how far through the domains: made by the first step.
    under_way: Option<(Depth, DomainWalk)>,
}

impl DomainsJob {
    pub(crate) fn new(scope: Arc<Scope>, topology: Arc<Topology>) -> DomainsJob {
        DomainsJob {
            scope,
            topology,
            under_way: None,
        }
    }
}

impl Job for DomainsJob {
    type Answer = DomainReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        match &mut self.under_way {
            Some((depth, walk)) => walk.step(trace, depth),
            None => {
                let depth = Depth::new(trace, &self.scope.shown);
                let walk = DomainWalk::new(&Selected::of(trace, &self.scope), &self.topology, &depth);
                self.under_way = Some((depth, walk));
                true
            }
        }
    }

    fn share(&self, _: Model<'_>) -> f64 {
        self.under_way
            .as_ref()
            .map_or(0.0, |(_, walk)| walk.at as f64 / walk.sweeps.len().max(1) as f64)
    }

    fn answer(self, model: Model<'_>) -> DomainReport {
        let trace = model.trace;
        let (unplaced_wait_ns, domains) = self.under_way.map_or((0, Vec::new()), |(depth, walk)| {
            let unplaced = depth.unplaced().in_window(walk.window).integral;
            (unplaced, walk.sweeps.into_iter().map(|sweep| sweep.found).collect())
        });
        DomainReport {
            topology: self.topology.canonical(),
            domains,
            unplaced_wait_ns,
            unknown_cpus: self.topology.unknown_of(&trace.cpus),
        }
    }
}

/// Goes through the domains, some changes at a time.
#[derive(Debug)]
struct DomainWalk {
    window: Range<u64>,
    sweeps: Vec<Sweep>,
    /// The first that is not done.
    at: usize,
}

/// Changes in a step: a millisecond or so.
const STEP: usize = 10_000;

impl DomainWalk {
    fn new(selected: &Selected, topology: &Topology, depth: &Depth) -> DomainWalk {
        let kinds: &[Domain] = if topology.llcs() == topology.sockets() {
            &[Domain::Socket]
        } else {
            &[Domain::Socket, Domain::Llc]
        };
        let window = selected.closed_window();
        let mut sweeps = Vec::new();
        for &domain in kinds {
            for (number, cpus) in (0..).zip(topology.groups(domain)) {
                let lanes = cpus.iter().filter_map(|&cpu| selected.trace.lane_index(cpu));
                let lanes: Vec<usize> = lanes.filter(|&lane| selected.has_lane(lane)).collect();
                sweeps.push(Sweep::new(selected.trace, depth, &window, (domain, number), &lanes));
            }
        }
        DomainWalk { window, sweeps, at: 0 }
    }

    /// Does some more; false when nothing is left to do.
    fn step(&mut self, trace: &Trace, depth: &Depth) -> bool {
        let Some(sweep) = self.sweeps.get_mut(self.at) else {
            return false;
        };
        if !sweep.step(trace, depth, &self.window) {
            self.at += 1;
        }
        true
    }
}

/// One CPU: which change of its lane and of its runqueue comes next, and how both are now.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    lane: usize,
    interval: usize,
    step: usize,
    is_idle: bool,
    depth: u32,
}

impl Cursor {
    /// When something changes next.
    fn next(&self, trace: &Trace, depth: &Depth) -> Option<u64> {
        let interval = trace.lanes[self.lane].starts().get(self.interval).copied();
        let step = depth.queue(self.lane).and_then(|queue| Some(queue.step(self.step)?.0));
        match (interval, step) {
            (Some(interval), Some(step)) => Some(interval.min(step)),
            (one, other) => one.or(other),
        }
    }

    /// Takes what changes at `at`.
    fn advance(&mut self, trace: &Trace, depth: &Depth, at: u64) {
        let lane = &trace.lanes[self.lane];
        while lane.starts().get(self.interval) == Some(&at) {
            self.is_idle = lane.who(self.interval) == Who::Idle;
            self.interval += 1;
        }
        let step = |index| depth.queue(self.lane)?.step(index).filter(|&(step, _)| step == at);
        while let Some((_, deep)) = step(self.step) {
            self.depth = deep;
            self.step += 1;
        }
    }
}

/// A domain's changes in time order, by a tournament over its CPUs, and what they add up to so far.
#[derive(Debug)]
struct Sweep {
    found: DomainOverload,
    cursors: Vec<Cursor>,
    tree: LoserTree,
    idle: u32,
    waiting: u32,
    /// Of the last change.
    since: u64,
    violated_until: Option<u64>,
}

impl Sweep {
    fn new(
        trace: &Trace,
        depth: &Depth,
        window: &Range<u64>,
        (domain, number): (Domain, u32),
        lanes: &[usize],
    ) -> Sweep {
        let cursors: Vec<Cursor> = lanes
            .iter()
            .map(|&lane| Cursor {
                lane,
                interval: 0,
                step: 0,
                is_idle: false,
                depth: 0,
            })
            .collect();
        let queues = lanes.iter().filter_map(|&lane| depth.queue(lane));
        Sweep {
            found: DomainOverload {
                domain,
                number,
                cpus: lanes.iter().map(|&lane| trace.cpus[lane]).collect(),
                wait_ns: queues.map(|queue| queue.in_window(window.clone()).integral).sum(),
                intervals: 0,
                violation_ns: 0,
                cost_task_ns: 0,
            },
            tree: LoserTree::new(cursors.iter().map(|cursor| cursor.next(trace, depth))),
            cursors,
            idle: 0,
            waiting: 0,
            since: 0,
            violated_until: None,
        }
    }

    /// Some more changes; false after the last.
    fn step(&mut self, trace: &Trace, depth: &Depth, window: &Range<u64>) -> bool {
        for _ in 0..STEP {
            let Some((index, at)) = self.tree.winner() else {
                self.add(trace.span_ns, window);
                return false;
            };
            self.add(at, window);
            let cursor = &mut self.cursors[index];
            let before = (u32::from(cursor.is_idle), cursor.depth);
            cursor.advance(trace, depth, at);
            self.idle = self.idle - before.0 + u32::from(cursor.is_idle);
            self.waiting = self.waiting - before.1 + cursor.depth;
            self.tree.replace(cursor.next(trace, depth));
        }
        true
    }

    /// Nothing changed from the last change to `until`.
    fn add(&mut self, until: u64, window: &Range<u64>) {
        let (from, to) = (self.since.max(window.start), until.min(window.end));
        self.since = until;
        let together = u64::from(self.idle.min(self.waiting));
        if to <= from || together == 0 {
            return;
        }
        let found = &mut self.found;
        found.intervals += u64::from(self.violated_until != Some(from));
        found.violation_ns += to - from;
        found.cost_task_ns = found.cost_task_ns.saturating_add((to - from).saturating_mul(together));
        self.violated_until = Some(to);
    }
}
