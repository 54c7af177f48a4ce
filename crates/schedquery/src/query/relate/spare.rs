//! Which CPUs were spare, and on whose runqueues tasks waited, while tasks waited behind others.
//!
//! The times are those in which some selected task waits behind another on a selected CPU while some selected CPU is spare; see
//! [`Standing`](schedindex::Standing). Of each CPU it is said what it had part in them.

use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::scope_queues::ScopeQueues;
use crate::query::jobs::shared::Shared;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use schedindex::{Queues, Sweep, CHANGES};
use schedmodel::Trace;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;
use ts_rs::TS;

/// What CPUs had part in, while tasks waited behind others and some CPU was spare.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct SpareReport {
    /// How long that was the case.
    pub behind_ns: u64,
    /// Integral of min(tasks behind others, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// Each selected CPU, ascending.
    pub cpus: Vec<SpareCpu>,
}

/// A CPU, and its times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct SpareCpu {
    /// Its number.
    pub cpu: u32,
    /// How long it was spare while some task waited behind another.
    pub spare_ns: u64,
    /// How long some task waited behind another on its runqueue while some CPU was spare.
    pub behind_ns: u64,
    /// The same, summed over these tasks.
    pub behind_task_ns: u64,
    /// How long tasks waited on its runqueue at all, summed over them.
    pub waiting_task_ns: u64,
    /// Of this, while it was leaving idle for them.
    pub leaving_idle_task_ns: u64,
    /// How long it was idle.
    pub idle_ns: u64,
}

/// [`SpareReport`] of a trace about which nothing is kept.
pub fn spare_cpus(trace: &Trace, selection: &Selection) -> SpareReport {
    Model::new(trace, &Shared::default()).spare_cpus(selection)
}

impl Model<'_> {
    /// What each CPU had part in.
    pub fn spare_cpus(self, selection: &Selection) -> SpareReport {
        self.run(SpareJob::new(Scope::new(self.trace, selection)))
    }
}

/// [`spare_cpus`] as a job.
#[derive(Debug)]
pub(crate) struct SpareJob {
    scope: Arc<Scope>,
    queues: ScopeQueues,
    ready: bool,
    /// Finds the times, over all selected CPUs.
    finding: Option<Sweep>,
    times: Vec<(u64, u64)>,
    report: SpareReport,
    /// Lanes that are yet to be looked at, the next one last.
    lanes: Option<Vec<usize>>,
    /// The lane that is being looked at, and the first of the times that is not over there.
    of_lane: Option<(Sweep, SpareCpu, usize)>,
}

impl SpareJob {
    pub(crate) fn new(scope: Arc<Scope>) -> SpareJob {
        SpareJob {
            queues: ScopeQueues::new(&scope),
            scope,
            ready: false,
            finding: None,
            times: Vec::new(),
            report: SpareReport::default(),
            lanes: None,
            of_lane: None,
        }
    }

    /// Finds more of the times; false once there are none.
    fn find(&mut self, trace: &Trace, queues: Queues<'_>, window: &Range<u64>) -> bool {
        let lanes = || (0..trace.lanes.len()).filter(|&lane| self.scope.has_lane(lane));
        let sweep = self.finding.get_or_insert_with(|| Sweep::new(trace, queues, lanes()));
        let (times, report) = (&mut self.times, &mut self.report);
        sweep.step(trace, queues, CHANGES, &mut |from, to, standing| {
            let (from, to) = (from.max(window.start), to.min(window.end));
            if to <= from || standing.kept_waiting() == 0 {
                return;
            }
            report.behind_ns += to - from;
            let cost = (to - from).saturating_mul(u64::from(standing.kept_waiting()));
            report.behind_cost_task_ns = report.behind_cost_task_ns.saturating_add(cost);
            match times.last_mut() {
                Some((_, end)) if *end == from => *end = to,
                _ => times.push((from, to)),
            }
        })
    }

    /// Looks at more of a lane; false once there is none.
    fn look(&mut self, trace: &Trace, queues: Queues<'_>, window: &Range<u64>) -> bool {
        if self.of_lane.is_none() {
            let lanes = self.lanes.get_or_insert_with(|| {
                let lanes = (0..trace.lanes.len()).filter(|&lane| self.scope.has_lane(lane));
                lanes.rev().collect()
            });
            let Some(lane) = lanes.pop() else { return false };
            let cpu = SpareCpu {
                cpu: trace.cpu_at(lane),
                ..SpareCpu::default()
            };
            self.of_lane = Some((Sweep::new(trace, queues, std::iter::once(lane)), cpu, 0));
        }
        let Some((sweep, cpu, first)) = &mut self.of_lane else {
            return false;
        };
        let times = &self.times;
        let more = sweep.step(trace, queues, CHANGES, &mut |from, to, standing| {
            let (from, to) = (from.max(window.start), to.min(window.end));
            let Some(ns) = to.checked_sub(from).filter(|&ns| 0 < ns) else {
                return;
            };
            let tasks = |count: u32| ns.saturating_mul(u64::from(count));
            cpu.waiting_task_ns = cpu.waiting_task_ns.saturating_add(tasks(standing.waiting));
            cpu.leaving_idle_task_ns = cpu.leaving_idle_task_ns.saturating_add(tasks(standing.leaving_idle));
            cpu.idle_ns += if standing.idle == 0 { 0 } else { ns };
            if standing.spare == 0 && standing.behind == 0 {
                return;
            }
            while times.get(*first).is_some_and(|&(_, end)| end <= from) {
                *first += 1;
            }
            let within = times.get(*first..).unwrap_or_default().iter();
            let overlaps = within.take_while(|&&(start, _)| start < to);
            let ns: u64 = overlaps.map(|&(start, end)| end.min(to) - start.max(from)).sum();
            match standing.behind {
                0 => cpu.spare_ns += ns,
                tasks => {
                    cpu.behind_ns += ns;
                    let sum = ns.saturating_mul(u64::from(tasks));
                    cpu.behind_task_ns = cpu.behind_task_ns.saturating_add(sum);
                }
            }
        });
        if !more {
            self.report.cpus.extend(self.of_lane.take().map(|(_, cpu, _)| cpu));
        }
        true
    }
}

impl Job for SpareJob {
    type Answer = SpareReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        if !self.ready {
            self.ready = self.queues.prepare(model, &self.scope);
            return true;
        }
        let window = Selected::of(trace, &self.scope).closed_window();
        // The queues borrow the job: they are taken out while it works.
        let own = std::mem::replace(&mut self.queues, ScopeQueues::none());
        let queues = own.get(model, &self.scope);
        let more = if self.lanes.is_some() {
            self.look(trace, queues, &window)
        } else if self.find(trace, queues, &window) {
            true
        } else {
            self.finding = None;
            self.look(trace, queues, &window)
        };
        self.queues = own;
        more
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        let all = trace.lanes.len().max(1) as f64;
        match (&self.lanes, &self.finding) {
            (Some(lanes), _) => 0.5 + 0.5 * (1.0 - (lanes.len() as f64 / all).min(1.0)),
            (None, Some(sweep)) => 0.5 * sweep.share(trace),
            (None, None) => 0.0,
        }
    }

    fn answer(self, _: Model<'_>) -> SpareReport {
        self.report
    }
}
