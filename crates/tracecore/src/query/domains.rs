//! Work conservation within each socket and each last-level cache: a task waits on the runqueue of one of its CPUs while
//! another of its CPUs is idle.
//!
//! What the whole machine violates and no domain does is between domains: tasks wait in one while only others have idle
//! CPUs. Waits of which the trace does not tell the runqueue are in no domain.

use super::selected::Selected;
use super::selection::Selection;
use crate::index::{Depth, Moves, Queue};
use crate::merge::LoserTree;
use crate::sched::{Lane, Trace, Who};
use crate::topology::{Domain, Topology};
use serde::Serialize;
use std::ops::Range;

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
pub fn domain_overload(trace: &Trace, selection: &Selection, topology: &Topology) -> DomainReport {
    let selected = Selected::new(trace, selection);
    let depth = Depth::new(trace, &Moves::new(trace), &selected.shown);
    let window = selected.closed_window();
    let mut domains = Vec::new();
    let kinds: &[Domain] = if topology.llcs() == topology.sockets() {
        &[Domain::Socket]
    } else {
        &[Domain::Socket, Domain::Llc]
    };
    for &domain in kinds {
        for (number, cpus) in topology.groups(domain).into_iter().enumerate() {
            let lanes: Vec<usize> = cpus
                .iter()
                .filter_map(|&cpu| trace.lane_index(cpu))
                .filter(|&lane| selected.has_lane(lane))
                .collect();
            let mut found = DomainOverload {
                domain,
                number: number as u32,
                cpus: lanes.iter().map(|&lane| trace.cpus[lane]).collect(),
                wait_ns: 0,
                intervals: 0,
                violation_ns: 0,
                cost_task_ns: 0,
            };
            sweep(trace, &depth, &lanes, &window, &mut found);
            domains.push(found);
        }
    }
    DomainReport {
        topology: topology.canonical(),
        domains,
        unplaced_wait_ns: depth.unplaced().in_window(window).integral,
        unknown_cpus: topology.unknown_of(&trace.cpus),
    }
}

/// One CPU: what changes next in its lane and on its runqueue, and how both are now.
struct Cpu<'a> {
    lane: &'a Lane,
    queue: &'a Queue,
    next_interval: usize,
    next_step: usize,
    is_idle: bool,
    depth: u32,
}

impl Cpu<'_> {
    /// When something changes next.
    fn next(&self) -> Option<u64> {
        let interval = self.lane.starts().get(self.next_interval).copied();
        let step = self.queue.step(self.next_step).map(|(at, _)| at);
        match (interval, step) {
            (Some(interval), Some(step)) => Some(interval.min(step)),
            (one, other) => one.or(other),
        }
    }

    /// Takes what changes at `at`.
    fn advance(&mut self, at: u64) {
        while self.lane.starts().get(self.next_interval) == Some(&at) {
            self.is_idle = self.lane.who(self.next_interval) == Who::Idle;
            self.next_interval += 1;
        }
        while let Some((_, depth)) = self.queue.step(self.next_step).filter(|&(step, _)| step == at) {
            self.depth = depth;
            self.next_step += 1;
        }
    }
}

/// Adds up a domain's violations: all its changes in time order, by a tournament over its CPUs.
fn sweep(trace: &Trace, depth: &Depth, lanes: &[usize], window: &Range<u64>, found: &mut DomainOverload) {
    let mut cpus: Vec<Cpu> = lanes
        .iter()
        .filter_map(|&lane| {
            Some(Cpu {
                lane: &trace.lanes[lane],
                queue: depth.queue(lane)?,
                next_interval: 0,
                next_step: 0,
                is_idle: false,
                depth: 0,
            })
        })
        .collect();
    found.wait_ns = cpus
        .iter()
        .map(|cpu| cpu.queue.in_window(window.clone()).integral)
        .sum();
    let mut tree = LoserTree::new(cpus.iter().map(Cpu::next));
    let (mut idle, mut waiting) = (0_u32, 0_u32);
    let mut since = 0;
    let mut violated_until = None;
    let mut stretch = |from: u64, to: u64, together: u32| {
        let (from, to) = (from.max(window.start), to.min(window.end));
        if to <= from || together == 0 {
            return;
        }
        found.intervals += u64::from(violated_until != Some(from));
        found.violation_ns += to - from;
        found.cost_task_ns = found
            .cost_task_ns
            .saturating_add((to - from).saturating_mul(u64::from(together)));
        violated_until = Some(to);
    };
    while let Some((index, at)) = tree.winner() {
        stretch(since, at, idle.min(waiting));
        since = at;
        let cpu = &mut cpus[index];
        let before = (u32::from(cpu.is_idle), cpu.depth);
        cpu.advance(at);
        idle = idle - before.0 + u32::from(cpu.is_idle);
        waiting = waiting - before.1 + cpu.depth;
        tree.replace(cpu.next());
    }
    stretch(since, trace.span_ns, idle.min(waiting));
}
