//! Work conservation within each socket and each last-level cache (domains): a task waits on the runqueue of one of its
//! CPUs while another of its CPUs is idle; and the part of that in which the task waits behind another while another of
//! its CPUs is spare.
//!
//! Violations of the whole machine that no domain has are between domains: tasks wait in one while only others have
//! idle CPUs. Waits whose runqueue the trace does not tell are in no domain.

use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::scope_queues::ScopeQueues;
use crate::query::jobs::shared::Shared;
use crate::query::jobs::totals::Totals;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::stretches::Stretches;
use schedindex::{Queues, Sweep, CHANGES};
use schedmodel::topology::{Domain, Topology};
use schedmodel::Trace;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;
use ts_rs::TS;

/// Overload within the domains of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct DomainReport {
    /// The machine's shortest description.
    pub topology: String,
    /// Sockets, then LLCs if there is not just one per socket; by number.
    pub domains: Vec<DomainOverload>,
    /// Task time of waits whose runqueue is unknown.
    pub unplaced_wait_ns: u64,
    /// CPUs of the trace that the topology does not have; they are in no domain.
    pub unknown_cpus: Vec<u32>,
}

/// Violations within one domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct DomainOverload {
    /// `socket` or `llc`.
    pub domain: Domain,
    /// Its number.
    pub number: u32,
    /// Its CPUs that are in the trace and selected.
    pub cpus: Vec<u32>,
    /// Task time of waits on its runqueues.
    pub wait_ns: u64,
    /// Maximal intervals in which a task waits in the domain and one of its CPUs is idle.
    pub intervals: u64,
    /// Their total length.
    pub violation_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs) of the domain.
    pub cost_task_ns: u64,
    /// The same three for tasks that wait behind another, and spare CPUs of the domain.
    pub behind_intervals: u64,
    /// Their total length.
    pub behind_ns: u64,
    /// Their total cost.
    pub behind_cost_task_ns: u64,
    /// How long some task waits for its own CPU, one of these, to leave idle.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}

/// [`Model::domain_overload`] of a trace about which nothing is kept.
pub fn domain_overload(trace: &Trace, selection: &Selection, topology: &Arc<Topology>) -> DomainReport {
    Model::new(trace, &Shared::default()).domain_overload(selection, topology)
}

impl Model<'_> {
    /// The violations of a selection within each domain.
    pub fn domain_overload(self, selection: &Selection, topology: &Arc<Topology>) -> DomainReport {
        self.run(DomainsJob::new(Scope::new(self.trace, selection), Arc::clone(topology)))
    }
}

/// [`Model::domain_overload`] as a job.
#[derive(Debug)]
pub(crate) struct DomainsJob {
    scope: Arc<Scope>,
    topology: Arc<Topology>,
    queues: ScopeQueues,
    /// Progress through the domains, once the runqueues are known.
    walk: Option<DomainWalk>,
}

impl DomainsJob {
    pub(crate) fn new(scope: Arc<Scope>, topology: Arc<Topology>) -> DomainsJob {
        DomainsJob {
            queues: ScopeQueues::new(&scope),
            scope,
            topology,
            walk: None,
        }
    }
}

impl Job for DomainsJob {
    type Answer = DomainReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        if let Some(walk) = &mut self.walk {
            return walk.step(trace, self.queues.get(model, &self.scope));
        }
        if self.queues.prepare(model, &self.scope) {
            let selected = Selected::of(trace, &self.scope);
            let queues = self.queues.get(model, &self.scope);
            self.walk = Some(DomainWalk::new(&selected, &self.topology, queues));
        }
        true
    }

    fn share(&self, _: Model<'_>) -> f64 {
        let walk = self.walk.as_ref();
        walk.map_or(0.0, |walk| walk.at as f64 / walk.domains.len().max(1) as f64)
    }

    fn answer(self, model: Model<'_>) -> DomainReport {
        let trace = model.trace;
        let unplaced = self.queues.get(model, &self.scope).shown.unplaced();
        let (unplaced_wait_ns, domains) = self.walk.map_or((0, Vec::new()), |walk| {
            let unplaced = unplaced.in_window(walk.window).integral;
            (unplaced, walk.domains.into_iter().map(DomainSweep::told).collect())
        });
        DomainReport {
            topology: self.topology.canonical(),
            domains,
            unplaced_wait_ns,
            unknown_cpus: self.topology.unknown_of(&trace.cpus),
        }
    }
}

/// Walks over the domains, a few changes at a time.
#[derive(Debug)]
struct DomainWalk {
    window: Range<u64>,
    domains: Vec<DomainSweep>,
    /// The first domain that is not finished.
    at: usize,
}

impl DomainWalk {
    fn new(selected: &Selected, topology: &Topology, queues: Queues<'_>) -> DomainWalk {
        let kinds: &[Domain] = if topology.llcs() == topology.sockets() {
            &[Domain::Socket]
        } else {
            &[Domain::Socket, Domain::Llc]
        };
        let window = selected.closed_window();
        let mut domains = Vec::new();
        for &domain in kinds {
            for (number, cpus) in (0..).zip(topology.groups(domain)) {
                let lanes = cpus.iter().filter_map(|&cpu| selected.trace.lane_index(cpu));
                let lanes: Vec<usize> = lanes.filter(|&lane| selected.has_lane(lane)).collect();
                let of = (domain, number);
                domains.push(DomainSweep::new(selected.trace, queues, &window, of, &lanes));
            }
        }
        DomainWalk { window, domains, at: 0 }
    }

    /// Does some of the work; false once finished.
    fn step(&mut self, trace: &Trace, queues: Queues<'_>) -> bool {
        let Some(domain) = self.domains.get_mut(self.at) else {
            return false;
        };
        if !domain.step(trace, queues, &self.window) {
            self.at += 1;
        }
        true
    }
}

/// The sweep over one domain.
#[derive(Debug)]
struct DomainSweep {
    domain: Domain,
    number: u32,
    cpus: Vec<u32>,
    wait_ns: u64,
    sweep: Sweep,
    /// Stretches of all its waits.
    all: Stretches,
    totals: Totals,
}

impl DomainSweep {
    fn new(
        trace: &Trace,
        queues: Queues<'_>,
        window: &Range<u64>,
        (domain, number): (Domain, u32),
        lanes: &[usize],
    ) -> DomainSweep {
        let waiting = lanes.iter().filter_map(|&lane| queues.shown.queue(lane));
        DomainSweep {
            domain,
            number,
            cpus: lanes.iter().map(|&lane| trace.cpu_at(lane)).collect(),
            wait_ns: waiting.map(|queue| queue.in_window(window.clone()).integral).sum(),
            sweep: Sweep::new(trace, queues, lanes.iter().copied()),
            all: Stretches::new(0, 0),
            totals: Totals::new(0, 0),
        }
    }

    /// Handles more changes; false after the last.
    fn step(&mut self, trace: &Trace, queues: Queues<'_>, window: &Range<u64>) -> bool {
        let (all, totals) = (&mut self.all, &mut self.totals);
        self.sweep.step(trace, queues, CHANGES, &mut |from, to, standing| {
            let together = standing.waiting.min(standing.idle);
            all.add(from.max(window.start), to.min(window.end), together, standing.waiting);
            totals.add(window, from, to, standing);
        })
    }

    fn told(mut self) -> DomainOverload {
        let Totals { mut stretches, sums } = self.totals;
        self.all.close();
        stretches.close();
        DomainOverload {
            domain: self.domain,
            number: self.number,
            cpus: self.cpus,
            wait_ns: self.wait_ns,
            intervals: self.all.count,
            violation_ns: self.all.ns,
            cost_task_ns: self.all.cost,
            behind_intervals: stretches.count,
            behind_ns: sums.behind,
            behind_cost_task_ns: sums.behind_cost,
            leaving_idle_ns: sums.leaving_idle,
            leaving_idle_task_ns: sums.leaving_idle_tasks,
        }
    }
}
