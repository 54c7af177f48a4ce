//! The longest waits: on which CPUs' runqueues each was spent, and which tasks had these CPUs meanwhile.

use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::selected::{Run, Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::top::Top;
use crate::query::select::walk::LaneWalk;
use schedindex::{queued, wait_in_doubt, Queued};
use schedmodel::{TaskCommId, Time, Trace, WaitCause, Who};
use serde::Serialize;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;
use ts_rs::TS;

/// JSON of `corelane waits`, which prints instants as absolute trace times; durations are in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WaitReport {
    /// Number of waits that ended with a switch-in.
    pub count: usize,
    /// The longest waits, in descending order.
    pub longest: Vec<WaitInfo>,
}

/// A wait, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WaitInfo {
    /// The task that waited.
    #[serde(flatten)]
    pub task: TaskName,
    /// When it became runnable.
    pub since_ns: Time,
    /// Its switch-in.
    pub until_ns: Time,
    /// How long it waited.
    pub wait_ns: u64,
    /// `wakeup` or `preempted`.
    pub cause: WaitCause,
    /// Where it then ran.
    pub cpu: u32,
    /// The CPUs on whose runqueues it waited, in order of time.
    pub queues: Vec<Queue>,
    /// The tasks that ran there meanwhile, longest first, at most 1000.
    pub took: Vec<Took>,
    /// How many tasks ran there.
    pub took_total: usize,
    /// How long the CPU that it waited for was idle: it was leaving idle for the task.
    pub own_idle_ns: u64,
    /// How long it waited behind another while some CPU was spare: idle, with no task on its runqueue.
    pub behind_ns: u64,
    /// The task is a kernel thread that is bound to the CPU it waited for: no other could take it, and `behind_ns` is 0.
    pub bound: bool,
    /// How long it is unknown what that CPU did.
    pub unknown_ns: u64,
    /// How long any CPU was idle meanwhile.
    pub any_idle_ns: u64,
    /// Records are missing meanwhile, so the task may have run and waited anew, unseen.
    pub uncertain: bool,
}

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "WaitQueue")]
pub struct Queue {
    /// The CPU of the runqueue.
    pub cpu: u32,
    /// When it begins.
    pub from_ns: Time,
    /// When it ends.
    pub to_ns: Time,
}

/// A task that ran on the CPU for which another one waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Took {
    /// The task.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long it ran.
    pub ran_ns: u64,
    /// Its first run there meanwhile.
    pub run: RunPlace,
}

/// [`Model::waits`] of a trace about which nothing is kept.
pub fn waits(trace: &Trace, selection: &Selection, top: usize) -> WaitReport {
    Model::new(trace, &Shared::default()).waits(selection, top)
}

impl Model<'_> {
    /// The `top` longest waits of a selection. A wait lies where it begins.
    pub fn waits(self, selection: &Selection, top: usize) -> WaitReport {
        self.run(WaitsJob::new(Scope::new(self.trace, selection), top))
    }
}

/// [`Model::waits`] as a job.
#[derive(Debug)]
pub(crate) struct WaitsJob {
    scope: Arc<Scope>,
    walk: LaneWalk,
    count: usize,
    /// (ns, since, lane, index) of the run after the wait.
    longest: Top<(Reverse<u64>, u64, usize, usize)>,
    /// Those still to be explained, the shortest first, once all are known.
    left: Option<Vec<(usize, usize)>>,
    explained: Vec<WaitInfo>,
}

/// How many waits are explained in one step.
const EXPLAINED: usize = if cfg!(debug_assertions) { 2 } else { 16 };

impl WaitsJob {
    pub(crate) fn new(scope: Arc<Scope>, top: usize) -> WaitsJob {
        WaitsJob {
            scope,
            walk: LaneWalk::default(),
            count: 0,
            longest: Top::new(top),
            left: None,
            explained: Vec::new(),
        }
    }

    /// Explains more waits; false once there are none.
    fn explain(&mut self, model: Model<'_>) -> bool {
        let longest = &mut self.longest;
        let left = self.left.get_or_insert_with(|| {
            let longest = std::mem::replace(longest, Top::new(0)).into_sorted().into_iter();
            longest.rev().map(|(_, _, lane, index)| (lane, index)).collect()
        });
        if left.is_empty() {
            return false;
        }
        if model.shared.prepare_waits(model.trace) {
            let next = left.split_off(left.len().saturating_sub(EXPLAINED)).into_iter().rev();
            self.explained
                .extend(next.filter_map(|(lane, index)| explain_wait(model, lane, index)));
        }
        true
    }
}

impl Job for WaitsJob {
    type Answer = WaitReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        let Some((lane, indexes)) = self.walk.next(trace, &self.scope) else {
            return self.explain(model);
        };
        for (since, run) in begun_in_window(&Selected::of(trace, &self.scope), lane, indexes) {
            self.count += 1;
            self.longest
                .push((Reverse(run.interval.start - since), since, run.lane, run.index));
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walk.share(model.trace)
    }

    fn answer(self, _: Model<'_>) -> WaitReport {
        WaitReport {
            count: self.count,
            longest: self.explained,
        }
    }
}

/// Finds the waits behind another during which some CPU was spare for longest: (ns, lane, index) of the run after each. Uncertain
/// ones come after all others.
#[derive(Debug)]
pub(crate) struct BehindWaitsJob {
    scope: Arc<Scope>,
    ready: bool,
    walk: LaneWalk,
    /// (uncertain, ns, start, lane, index) of the run after the wait.
    longest: Top<(bool, Reverse<u64>, u64, usize, usize)>,
}

impl BehindWaitsJob {
    pub(crate) fn new(scope: Arc<Scope>, top: usize) -> BehindWaitsJob {
        BehindWaitsJob {
            scope,
            ready: false,
            walk: LaneWalk::default(),
            longest: Top::new(top),
        }
    }
}

impl Job for BehindWaitsJob {
    type Answer = Vec<(u64, usize, usize)>;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        if !self.ready {
            self.ready = model.shared.prepare_waits(trace);
            return true;
        }
        let Some((lane, indexes)) = self.walk.next(trace, &self.scope) else {
            return false;
        };
        for (since, run) in begun_in_window(&Selected::of(trace, &self.scope), lane, indexes) {
            let until = run.interval.start;
            let ranked = |uncertain, ns: u64| (uncertain, Reverse(ns), until, run.lane, run.index);
            // It is not longer than the wait.
            if self.longest.takes(&ranked(false, until - since)) {
                let mut behind = 0;
                each_queue(model, (run.id, run.lane), (since, until), |part| {
                    behind += behind_ns(model, run.id, part);
                });
                if 0 < behind {
                    self.longest
                        .push(ranked(wait_in_doubt(trace, run.lane, run.index), behind));
                }
            }
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walk.share(model.trace)
    }

    fn answer(self, _: Model<'_>) -> Vec<(u64, usize, usize)> {
        let longest = self.longest.into_sorted().into_iter();
        longest
            .map(|(_, Reverse(ns), _, lane, index)| (ns, lane, index))
            .collect()
    }
}

/// Calls `each` with the parts of the wait before a run.
fn each_queue(
    Model { trace, shared }: Model<'_>,
    (id, lane): (TaskCommId, usize),
    (since, until): (u64, u64),
    each: impl FnMut(Queued),
) {
    let moves = shared.migrations(trace).from(trace, trace.task_comm(id).task, since);
    queued(moves, (since, until), |_| Some(trace.cpu_at(lane)), each);
}

/// How long, in a part of a wait of a task, its CPU ran other tasks while some CPU was spare; 0 if the task can run on no
/// other CPU. A CPU with a task on its runqueue is not spare itself.
pub(crate) fn behind_ns(Model { trace, shared }: Model<'_>, who: TaskCommId, part: Queued) -> u64 {
    let Queued { cpu, from, to } = part;
    let lane = cpu.and_then(|cpu| trace.lane(cpu));
    let Some(lane) = lane.filter(|_| !shared.depth(trace).is_bound(who, cpu)) else {
        return 0;
    };
    let spare = &shared.swept(trace).spare;
    let most = spare.between(from, to);
    if most == 0 {
        return 0;
    }
    let first = lane.starts().partition_point(|start| start <= from).saturating_sub(1);
    let intervals = (first..lane.len()).map(|index| lane.interval(index));
    let others = intervals
        .take_while(|interval| interval.start < to)
        .filter(|interval| !matches!(interval.who, Who::Run(_)));
    let elsewise = others.map(|interval| {
        let (from, to) = (interval.start.max(from), interval.end.min(to));
        spare.between(from, to.max(from))
    });
    most.saturating_sub(elsewise.sum())
}

/// (since, run) of each wait that begins in the window, before a selected run.
fn begun_in_window<'a>(
    selected: &'a Selected,
    lane: usize,
    indexes: Range<usize>,
) -> impl Iterator<Item = (u64, Run)> + 'a {
    let runs = selected.runs_in(lane, indexes);
    let with_wait = runs.filter_map(|run| Some((run.wait?.since, run)));
    with_wait.filter(|(since, _)| selected.window.contains(since))
}

/// The wait before a run, given by its lane and index; `None` if the trace has none.
pub(crate) fn explain_wait(model: Model<'_>, lane_index: usize, index: usize) -> Option<WaitInfo> {
    let Model { trace, shared } = model;
    let lane = trace.lanes.get(lane_index)?;
    let id = lane.run(index)?;
    let (wait, until) = (lane.wait(index)?, lane.start_of(index));
    let mut queues = Vec::new();
    let mut taken = Taken::new(trace);
    let mut behind = 0;
    each_queue(model, (id, lane_index), (wait.since, until), |part| {
        let Queued { cpu, from, to } = part;
        behind += behind_ns(model, id, part);
        match cpu.and_then(|cpu| trace.lane_index(cpu)) {
            Some(lane) => taken.add(trace, lane, from, to),
            None => taken.unknown += to - from,
        }
        queues.extend(cpu.map(|cpu| Queue {
            cpu,
            from_ns: Time(from),
            to_ns: Time(to),
        }));
    });
    let (took, took_total) = taken.longest(trace);
    Some(WaitInfo {
        task: TaskName::of(trace, id),
        since_ns: Time(wait.since),
        until_ns: Time(until),
        wait_ns: until - wait.since,
        cause: wait.cause,
        cpu: trace.cpu_at(lane_index),
        queues,
        took,
        took_total,
        own_idle_ns: taken.idle,
        behind_ns: behind,
        bound: shared.depth(trace).is_bound(id, Some(trace.cpu_at(lane_index))),
        unknown_ns: taken.unknown,
        any_idle_ns: shared.idle(trace).between(&trace.steps, wait.since, until),
        uncertain: wait_in_doubt(trace, lane_index, index),
    })
}

/// The most tasks listed that took a CPU; the others are counted.
const MOST_TOOK: usize = 1000;

/// How long tasks had a CPU.
struct Taken {
    /// By (task, comm): how long it had the CPU, and lane and index of its first run.
    by: Vec<(u64, (u32, u32))>,
    idle: u64,
    unknown: u64,
}

impl Taken {
    fn new(trace: &Trace) -> Taken {
        Taken {
            by: vec![(0, (0, 0)); trace.task_comms.len()],
            idle: 0,
            unknown: 0,
        }
    }

    fn add(&mut self, trace: &Trace, lane_index: usize, from: u64, to: u64) {
        let lane = trace.lane_at(lane_index);
        let first = lane.starts().partition_point(|start| start <= from).saturating_sub(1);
        for index in first..lane.len() {
            let interval = lane.interval(index);
            if to <= interval.start {
                return;
            }
            let ns = interval.end.min(to).saturating_sub(interval.start.max(from));
            match interval.who {
                Who::Run(id) => {
                    let Some((sum, first)) = self.by.get_mut(id.0 as usize) else {
                        continue;
                    };
                    if *sum == 0 {
                        *first = (lane_index as u32, index as u32);
                    }
                    *sum += ns;
                }
                Who::Idle => self.idle += ns,
                Who::Unknown => self.unknown += ns,
            }
        }
    }

    /// The tasks that had it longest, in descending order, and their number.
    fn longest(&self, trace: &Trace) -> (Vec<Took>, usize) {
        let mut longest = Top::new(MOST_TOOK);
        let took = self.by.iter().enumerate().filter(|(_, (ns, _))| 0 < *ns);
        let total = took
            .map(|(id, &(ns, first))| longest.push((Reverse(ns), id, first)))
            .count();
        let longest = longest.into_sorted().into_iter();
        let took = longest.map(|(Reverse(ran_ns), id, (lane, index))| Took {
            task: TaskName::of(trace, TaskCommId(id as u32)),
            ran_ns,
            run: RunPlace::of(trace, lane as usize, index as usize),
        });
        (took.collect(), total)
    }
}
