//! The tasks and CPUs of stretches of time in which tasks wait while CPUs idle.

use super::violations::{Violation, Violations};
use crate::query::jobs::job::Model;
use crate::query::select::selected::Scope;
use schedindex::{QueueWalk, Queued, Shown, Waiter, CHANGES};
use schedmodel::{Interval, Trace, Who};
use std::ops::Range;

/// Which times the stretches are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretched {
    /// Some task waits and some CPU is idle.
    All,
    /// Some task waits behind another and some CPU is spare.
    Behind,
}

/// Finds the waiting tasks and the idle or spare CPUs of each stretch.
#[derive(Debug)]
pub(crate) struct Explanation {
    of: Stretched,
    found: Violations,
    /// In which all of them are.
    span: Range<u64>,
    walk: QueueWalk,
    walked: bool,
    /// The next interval whose idle time is to be added.
    at: (usize, usize),
}

impl Explanation {
    pub(crate) fn new(of: Stretched, trace: &Trace, scope: &Scope, found: Violations) -> Explanation {
        let span = found.span();
        Explanation {
            of,
            walk: QueueWalk::within(trace, &scope.shown, span.clone()),
            span,
            walked: false,
            at: (0, 0),
            found,
        }
    }

    /// Continues; false once finished.
    pub(crate) fn step(&mut self, model: Model<'_>, scope: &Scope) -> bool {
        if self.found.is_empty() {
            return false;
        }
        if self.of == Stretched::Behind && !self.is_prepared(model) {
            return true;
        }
        if !self.walked {
            self.walked = match self.of {
                Stretched::All => !self.waits(model, scope),
                Stretched::Behind => !self.waits_behind(model, scope),
            };
            return true;
        }
        self.idle(model, scope) || self.found.tell(model.trace)
    }

    fn is_prepared(&self, Model { trace, shared }: Model<'_>) -> bool {
        shared.prepare_lanes(trace) && shared.runqueues.prepare_depth(trace, &Shown::all())
    }

    /// Share of the waits that are added.
    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        self.walk.share(trace)
    }

    /// The stretches, once `step` has returned false.
    pub(crate) fn into_told(self) -> Vec<Violation> {
        self.found.into_told()
    }

    fn waits(&mut self, Model { trace, .. }: Model<'_>, scope: &Scope) -> bool {
        let found = &mut self.found;
        self.walk
            .step(trace, &scope.shown, CHANGES, &mut |waiter: Waiter, part: Queued| {
                let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
                if scope.has_all_lanes() || lane.is_some_and(|lane| scope.has_lane(lane)) {
                    found.waited(trace, waiter, part.from, part.to, |from, to| to - from);
                }
            })
    }

    fn waits_behind(&mut self, Model { trace, shared }: Model<'_>, scope: &Scope) -> bool {
        let (found, lanes, depth) = (&mut self.found, shared.lanes(trace), shared.depth(trace));
        self.walk
            .step(trace, &scope.shown, CHANGES, &mut |waiter: Waiter, part: Queued| {
                if depth.is_bound(waiter.who, part.cpu) {
                    return;
                }
                found.waited(trace, waiter, part.from, part.to, |from, to| {
                    let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
                    let lane = lane.filter(|&lane| scope.has_lane(lane));
                    // Every lane has its sums.
                    let Some((lane_index, sums)) = lane.and_then(|lane| Some((lane, lanes.get(lane)?))) else {
                        return 0;
                    };
                    // Nearly all waits end where the run begins.
                    let near = waiter.run.filter(|&(_, on, _)| on == lane_index);
                    let near = near.map(|(_, _, index)| index);
                    sums.busy_between(trace.lane_at(lane_index), near, from, to)
                });
            })
    }

    /// Adds the idle time of CPUs: all of it, or that with no task on their runqueue.
    fn idle(&mut self, Model { trace, shared }: Model<'_>, scope: &Scope) -> bool {
        let (lane_index, first) = self.at;
        let Some((lane, &cpu)) = trace.lanes.get(lane_index).zip(trace.cpus.get(lane_index)) else {
            return false;
        };
        // Of few stretches, which may be near each other, most idle times are elsewhere.
        let first = first.max(lane.find(self.span.start).unwrap_or(lane.len()));
        let last = lane.starts().partition_point(|at| at < self.span.end);
        let end = last.min(first.saturating_add(CHANGES));
        let queue = match self.of {
            Stretched::All => None,
            Stretched::Behind => shared.depth(trace).queue(lane_index),
        };
        let idle = if scope.has_lane(lane_index) { first..end } else { 0..0 };
        let found = &mut self.found;
        lane.each(idle, |_, Interval { start, end, who }| {
            if who == Who::Idle {
                found.idled(cpu, start, end, |from, to| {
                    let taken = queue.into_iter().flat_map(|queue| queue.within(from..to));
                    let taken: u64 = taken.map(|(from, to, _)| to - from).sum();
                    (to - from).saturating_sub(taken)
                });
            }
        });
        self.at = if last <= end {
            (lane_index + 1, 0)
        } else {
            (lane_index, end)
        };
        true
    }
}
