//! Who has the CPU while whom waits: over all waits, on whichever runqueues they are spent.
//!
//! Waits are cut at the ends of the window, so that all pairs together are the time that tasks of the selection waited. With
//! CPUs selected, only what is spent on their runqueues counts.

use super::end::{key_of, Key, IDLE, UNKNOWN};
use super::matrix::{Matrix, Pairs, RelatedPair, Weight};
use crate::query::explain::latency::GroupBy;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::walk::CHUNK;
use schedindex::{waiter_in_doubt, QueueWalk, Queued, Waiter};
use schedmodel::{Trace, Who};
use serde::Serialize;
use std::sync::Arc;
use ts_rs::TS;

/// JSON of `corelane antagonists`; durations are in ns, summed over tasks that wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TookReport {
    /// How long tasks waited.
    pub waiting_ns: u64,
    /// Of this, while their CPU ran another task and some CPU was spare.
    pub behind_ns: u64,
    /// Of this, while their CPU was idle: leaving idle for them.
    pub idle_ns: u64,
    /// Of this, on no known CPU, or on one of which it is not known what it did.
    pub unknown_ns: u64,
    /// Of `waiting_ns`, in waits that are uncertain: records are missing meanwhile.
    pub uncertain_ns: u64,
    /// The pairs with most time, most first.
    pub pairs: Vec<RelatedPair>,
    /// How many pairs there are.
    pub pairs_total: usize,
    /// All of them.
    pub matrix: Matrix,
}

/// [`TookReport`] of a trace about which nothing is kept.
pub fn took(trace: &Trace, selection: &Selection, by: GroupBy, top_and_ends: (usize, usize)) -> TookReport {
    let scope = Scope::new(trace, selection);
    Model::new(trace, &Shared::default()).run(TookJob::new(trace, scope, by, top_and_ends))
}

/// [`took`] as a job.
#[derive(Debug)]
pub(crate) struct TookJob {
    scope: Arc<Scope>,
    by: GroupBy,
    top: usize,
    ends: usize,
    ready: bool,
    walk: QueueWalk,
    walked: bool,
    /// Parts of waits that are yet to be looked at, the next one last; each with the number of its wait.
    parts: Vec<(u64, Waiter, Queued)>,
    waits: u64,
    last: Option<Waiter>,
    pairs: Pairs,
    /// By pair: the number of the wait that was counted last.
    counted: Vec<u64>,
    report: TookReport,
}

impl TookJob {
    /// `top` pairs; a matrix with up to `ends` rows and columns.
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, by: GroupBy, (top, ends): (usize, usize)) -> TookJob {
        TookJob {
            walk: QueueWalk::new(trace, &scope.shown),
            scope,
            by,
            top,
            ends,
            ready: false,
            walked: false,
            parts: Vec::new(),
            waits: 0,
            last: None,
            pairs: Pairs::default(),
            counted: Vec::new(),
            report: TookReport {
                waiting_ns: 0,
                behind_ns: 0,
                idle_ns: 0,
                unknown_ns: 0,
                uncertain_ns: 0,
                pairs: Vec::new(),
                pairs_total: 0,
                matrix: Matrix::default(),
            },
        }
    }

    /// Takes more parts of waits.
    fn walk(&mut self, trace: &Trace) {
        let window = Selected::of(trace, &self.scope).closed_window();
        let (scope, parts) = (&self.scope, &mut self.parts);
        let (waits, last) = (&mut self.waits, &mut self.last);
        let uncertain_ns = &mut self.report.uncertain_ns;
        let more = self.walk.step(trace, &scope.shown, CHUNK, &mut |waiter, part| {
            if last.replace(waiter) != Some(waiter) {
                *waits += 1;
            }
            let (from, to) = (part.from.max(window.start), part.to.min(window.end));
            let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
            let counts = scope.has_all_lanes() || lane.is_some_and(|lane| scope.has_lane(lane));
            if from < to && counts {
                if waiter_in_doubt(trace, &waiter, from, to) {
                    *uncertain_ns = uncertain_ns.saturating_add(to - from);
                }
                parts.push((*waits, waiter, Queued { from, to, ..part }));
            }
        });
        self.walked = !more;
        // The first is to be the next.
        self.parts.reverse();
    }

    /// Looks at some intervals of the CPU that a task waits for.
    fn look(&mut self, Model { trace, shared }: Model<'_>, (wait, waiter, part): (u64, Waiter, Queued)) {
        let Queued { cpu, from, to } = part;
        let Some(lane_index) = cpu.and_then(|cpu| trace.lane_index(cpu)) else {
            self.report.unknown_ns = self.report.unknown_ns.saturating_add(to - from);
            self.add(trace, (wait, waiter), UNKNOWN, (to - from, None), 0);
            return;
        };
        let spare = &shared.swept(trace).spare;
        let is_bound = shared.depth(trace).is_bound(waiter.who, cpu);
        let lane = trace.lane_at(lane_index);
        let first = lane.starts().partition_point(|start| start <= from).saturating_sub(1);
        for index in first..lane.len() {
            let interval = lane.interval(index);
            if to <= interval.start {
                break;
            }
            if first + CHUNK <= index {
                // The rest is for another step.
                let rest = Queued {
                    from: interval.start.max(from),
                    ..part
                };
                self.parts.push((wait, waiter, rest));
                break;
            }
            let (start, end) = (interval.start.max(from), interval.end.min(to));
            let ns = end.saturating_sub(start);
            if ns == 0 {
                continue;
            }
            let run = Some((lane_index as u32, index as u32));
            match interval.who {
                Who::Run(id) => {
                    let who = key_of(trace, self.by, id, lane_index);
                    let behind = if is_bound { 0 } else { spare.between(start, end) };
                    self.add(trace, (wait, waiter), who, (ns, run), behind);
                }
                Who::Idle => self.add(trace, (wait, waiter), self.or_lane(IDLE, lane_index), (ns, None), 0),
                Who::Unknown => self.add(trace, (wait, waiter), self.or_lane(UNKNOWN, lane_index), (ns, None), 0),
            }
            match interval.who {
                Who::Run(_) => {}
                Who::Idle => self.report.idle_ns = self.report.idle_ns.saturating_add(ns),
                Who::Unknown => self.report.unknown_ns = self.report.unknown_ns.saturating_add(ns),
            }
        }
    }

    /// By CPU, it is the CPU that counts, whatever it does.
    fn or_lane(&self, key: Key, lane: usize) -> Key {
        if self.by == GroupBy::Cpu {
            lane as Key
        } else {
            key
        }
    }

    fn add(
        &mut self,
        trace: &Trace,
        (wait, waiter): (u64, Waiter),
        who: Key,
        (ns, run): (u64, Option<(u32, u32)>),
        behind: u64,
    ) {
        let whom = match (self.by, waiter.run) {
            (GroupBy::Cpu, Some((_, lane, _))) => lane as Key,
            (GroupBy::Cpu, None) => UNKNOWN,
            (by, _) => key_of(trace, by, waiter.who, 0),
        };
        let number = self.pairs.number(who, whom);
        self.counted.resize(self.pairs.sums.len(), 0);
        let is_new = self
            .counted
            .get_mut(number as usize)
            .is_some_and(|last| std::mem::replace(last, wait) != wait);
        if let Some(sum) = self.pairs.sum(number) {
            sum.count += u64::from(is_new);
            sum.behind = sum.behind.saturating_add(behind);
            sum.add(ns, run);
        }
        let report = &mut self.report;
        report.waiting_ns = report.waiting_ns.saturating_add(ns);
        report.behind_ns = report.behind_ns.saturating_add(behind);
    }
}

impl Job for TookJob {
    type Answer = TookReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        if !self.ready {
            self.ready = model.shared.prepare_swept(trace);
            return true;
        }
        if self.parts.is_empty() {
            if self.walked {
                return false;
            }
            self.walk(trace);
            return true;
        }
        for _ in 0..CHUNK / 8 {
            let Some(part) = self.parts.pop() else { break };
            self.look(model, part);
        }
        true
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        if self.walked {
            1.0
        } else {
            self.walk.share(trace)
        }
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> TookReport {
        let pairs = self.pairs.largest(Weight::Ns, self.top).into_iter();
        TookReport {
            pairs: pairs
                .filter_map(|number| self.pairs.told(trace, self.by, number, None))
                .collect(),
            pairs_total: self.pairs.sums.len(),
            matrix: self.pairs.matrix(trace, self.by, Weight::Ns, self.ends),
            ..self.report
        }
    }
}
