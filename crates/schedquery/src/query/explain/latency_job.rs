//! [`latency`] as a job: measures, sorts by length for the distribution of all durations, then by group.

use super::latency::{ClockCounts, GroupBy, GroupName, Latency, LatencyGroup, RunEnd, RunLengths, Uncertain, Waits};
use super::worst::WorstJob;
use crate::calls::Interrupts;
use crate::query::jobs::job::{run, Job, Model};
use crate::query::select::durations::{Duration, Durations};
use crate::query::select::refs::TaskName;
use crate::query::select::selected::{Run, Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::spread::Measured;
use crate::query::select::walk::LaneWalk;
use schedindex::{latency_in_doubt, wait_in_doubt};
use schedmodel::{CommId, TaskCommId, TaskId, Trace, WakeEvent};
use schedrows::sort_by_keys;
use std::ops::Range;
use std::sync::Arc;

/// Wake-up latencies, waits and run lengths of a selection, with the `top` worst latencies.
pub fn latency(trace: &Trace, selection: &Selection, by: GroupBy, top: usize) -> Latency {
    run(
        trace,
        LatencyJob::new(trace, Scope::new(trace, selection), by, top, usize::MAX),
    )
}

/// The same without what these interrupts took, whoever ran or idled then, on the CPU of the run that a duration is or led to.
pub fn net_latency(
    trace: &Trace,
    selection: &Selection,
    by: GroupBy,
    top: usize,
    interrupts: &Arc<Interrupts>,
) -> Latency {
    let job = LatencyJob::new(trace, Scope::new(trace, selection), by, top, usize::MAX);
    run(trace, job.net(Arc::clone(interrupts)))
}

/// [`latency`] as a job.
#[derive(Debug)]
pub(crate) struct LatencyJob {
    scope: Arc<Scope>,
    by: GroupBy,
    most_groups: usize,
    wakeups: WorstJob,
    runs: LaneWalk,
    /// Latencies, then waits from [`WAITS`], then runs from [`RUNS`].
    durations: [Durations; DURATIONS],
    clock: ClockCounts,
    uncertain: Uncertain,
    /// Number of cut runs, by group.
    cut: Vec<usize>,
    stage: Stage,
    all: Option<Numbers>,
    /// Groups still to be described, the last one first.
    left: Vec<u32>,
    groups: Vec<LatencyGroup>,
    groups_total: usize,
    /// What is left out of durations.
    interrupts: Option<Arc<Interrupts>>,
}

/// First index of the waits, which follow in the order of [`WaitCause`].
const WAITS: usize = 1;
/// First index of the runs, which follow in the order of [`RunEnd`].
const RUNS: usize = 4;
/// Groups that are described in a step: percentiles are looked up, in about as many looks whatever their size.
const GROUPS: usize = if cfg!(debug_assertions) { 2 } else { 16 };
/// With so many durations a group is the last one of its step: no look at them is in the cache.
const MANY: usize = if cfg!(debug_assertions) { 8 } else { 1 << 14 };
/// Number of kinds of durations.
const DURATIONS: usize = RUNS + 5;

/// The current stage, with the index of the durations that it works on.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Wakeups,
    Worst,
    Runs,
    Sort(usize),
    Group(usize),
    Describe,
    Release,
}

/// All measurements of one group, or of all groups.
#[derive(Debug)]
struct Numbers {
    wakeups: Measured,
    waits: Waits,
    runs: RunLengths,
}

impl LatencyJob {
    /// `most_groups`: further groups are only counted.
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, by: GroupBy, top: usize, most_groups: usize) -> LatencyJob {
        let groups = match by {
            GroupBy::Command => trace.comms.names().len(),
            GroupBy::Task => trace.tasks.len(),
            GroupBy::Cpu => trace.lanes.len(),
        };
        LatencyJob {
            wakeups: WorstJob::new(Arc::clone(&scope), top),
            scope,
            by,
            most_groups,
            runs: LaneWalk::default(),
            durations: [(); DURATIONS].map(|()| Durations::new(groups)),
            clock: ClockCounts::default(),
            uncertain: Uncertain::default(),
            cut: vec![0; groups],
            stage: Stage::Wakeups,
            all: None,
            left: Vec::new(),
            groups: Vec::new(),
            groups_total: 0,
            interrupts: None,
        }
    }

    /// Of durations without what these interrupts took.
    fn net(self, interrupts: Arc<Interrupts>) -> LatencyJob {
        LatencyJob {
            wakeups: self.wakeups.net(Some(Arc::clone(&interrupts))),
            interrupts: Some(interrupts),
            ..self
        }
    }

    /// The length of a time on a lane.
    fn length(&self, lane: usize, time: Range<u64>) -> u64 {
        let length = time.end - time.start;
        let interrupts = self.interrupts.as_ref();
        length - interrupts.map_or(0, |interrupts| interrupts.on(lane, time))
    }

    fn add_runs(&mut self, selected: &Selected, lane_index: usize, indexes: Range<usize>) {
        let (window, lane) = (&selected.window, selected.trace.lane_at(lane_index));
        for run in selected.runs_in(lane_index, indexes) {
            let Run { interval, index, .. } = run;
            let group = key(selected.trace, self.by, run.id, lane_index);
            if let Some(wait) = run.wait.filter(|wait| window.contains(&wait.since)) {
                let ns = self.length(lane_index, wait.since..interval.start);
                match wait_in_doubt(selected.trace, lane_index, index) {
                    true => self.uncertain.waits.add(ns),
                    false => self.duration(WAITS + wait.cause as usize, group, ns),
                }
            }
            let whole = lane.whole_run(index);
            let begin = lane.start_of(whole.start);
            // A run that continues after an exec is measured once, for the task that ends it.
            if whole.end != index + 1 || !window.contains(&begin) {
                continue;
            }
            let end = lane.end_state(index).filter(|_| lane.switched_to(whole.start));
            match end.and_then(RunEnd::of) {
                Some(end) => {
                    let ns = self.length(lane_index, begin..interval.end);
                    self.duration(RUNS + end as usize, group, ns);
                }
                None => {
                    if let Some(cut) = self.cut.get_mut(group as usize) {
                        *cut += 1;
                    }
                }
            }
        }
    }

    /// Adds a duration to those of a kind.
    fn duration(&mut self, kind: usize, group: u32, ns: u64) {
        if let Some(durations) = self.durations.get_mut(kind) {
            durations.add(group, ns);
        }
    }

    /// Chooses the groups to describe.
    fn choose_groups(&mut self) {
        let count = |durations: &[Durations], group: u32| -> usize {
            let of_group = durations
                .iter()
                .map(|durations| durations.of_group(group as usize).len());
            of_group.sum()
        };
        let groups = (0..).zip(&self.cut);
        let mut left: Vec<u32> = groups
            .filter(|&(group, &cut)| 0 < count(&self.durations, group) + cut)
            .map(|(group, _)| group)
            .collect();
        if self.by != GroupBy::Cpu {
            let [wakeups, _, _, _, runs @ ..] = &self.durations;
            let wakeups = std::slice::from_ref(wakeups);
            // Stable: ties stay in order of first appearance.
            let most = |durations, group| !(count(durations, group) as u64);
            sort_by_keys(&mut left, |&group| [most(wakeups, group), most(runs, group)]);
        }
        self.groups_total = left.len();
        left.truncate(self.most_groups);
        left.reverse();
        self.left = left;
    }

    /// Describes more groups.
    fn describe(&mut self, trace: &Trace) -> bool {
        for _ in 0..GROUPS {
            let Some(group) = self.left.pop() else { return false };
            let index = group as usize;
            let parts = self.durations.each_ref();
            let parts = parts.map(|durations| (durations.of_group(index), durations.sum_of(index)));
            let is_large = MANY <= parts.iter().map(|(part, _)| part.len()).sum();
            let Numbers { wakeups, waits, runs } = numbers(parts, self.cut.get(index).copied().unwrap_or(0));
            self.groups.push(LatencyGroup {
                name: name(trace, self.by, group),
                wakeups,
                waits,
                runs,
            });
            if is_large {
                break;
            }
        }
        true
    }
}

impl Job for LatencyJob {
    type Answer = Latency;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        self.stage = match self.stage {
            Stage::Wakeups => {
                let [durations, ..] = &mut self.durations;
                let (by, clock, uncertain) = (self.by, &mut self.clock, &mut self.uncertain.wakeups);
                let more = self.wakeups.walk(trace, |woken| {
                    if latency_in_doubt(trace, woken.wakee, &woken.edge) {
                        return uncertain.add(woken.latency);
                    }
                    durations.add(key(trace, by, woken.id, woken.lane), woken.latency);
                    *match woken.edge.event {
                        WakeEvent::Waking => &mut clock.sched_waking,
                        WakeEvent::Wakeup => &mut clock.sched_wakeup,
                        WakeEvent::WakeupNew => &mut clock.sched_wakeup_new,
                    } += 1;
                });
                if more {
                    Stage::Wakeups
                } else {
                    Stage::Worst
                }
            }
            Stage::Worst => match self.wakeups.describe(model) {
                true => Stage::Worst,
                false => Stage::Runs,
            },
            Stage::Runs => match self.runs.next(trace, &self.scope) {
                Some((lane, indexes)) => {
                    let scope = Arc::clone(&self.scope);
                    self.add_runs(&Selected::of(trace, &scope), lane, indexes);
                    Stage::Runs
                }
                None => Stage::Sort(0),
            },
            Stage::Sort(which) => {
                if let Some(durations) = self.durations.get_mut(which) {
                    self.stage = Stage::Sort(which + usize::from(!durations.sort()));
                    return true;
                }
                let parts = self
                    .durations
                    .each_ref()
                    .map(|durations| (durations.all(), durations.sum));
                self.all = Some(numbers(parts, self.cut.iter().sum()));
                Stage::Group(0)
            }
            Stage::Group(which) => {
                if let Some(durations) = self.durations.get_mut(which) {
                    self.stage = Stage::Group(which + usize::from(!durations.group()));
                    return true;
                }
                self.choose_groups();
                Stage::Describe
            }
            Stage::Describe => match self.describe(trace) {
                true => Stage::Describe,
                false => Stage::Release,
            },
            Stage::Release => return self.durations.iter_mut().any(Durations::release),
        };
        true
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        let of_samples = |which: usize| which as f64 / self.durations.len() as f64;
        let stage = match self.stage {
            Stage::Wakeups | Stage::Worst => self.wakeups.walked(trace),
            Stage::Runs => 1.0 + self.runs.share(trace),
            Stage::Sort(which) => 2.0 + of_samples(which),
            Stage::Group(which) => 3.0 + of_samples(which),
            Stage::Describe => {
                let all = self.groups.len() + self.left.len();
                4.0 + self.groups.len() as f64 / all.max(1) as f64
            }
            Stage::Release => 5.0,
        };
        stage / 5.0
    }

    fn answer(self, model: Model<'_>) -> Latency {
        let numbers_of_all = self
            .all
            .unwrap_or_else(|| numbers([(); DURATIONS].map(|()| (&[][..], 0)), 0));
        let Numbers { wakeups, waits, runs } = numbers_of_all;
        Latency {
            count: wakeups.count,
            clock: self.clock,
            latency_ns: wakeups.ns,
            worst: self.wakeups.answer(model),
            waits,
            uncertain: self.uncertain,
            runs,
            groups: self.groups,
            groups_total: self.groups_total,
        }
    }
}

/// From durations in the order of [`LatencyJob`], each with its sum.
fn numbers(parts: [(&[Duration], u64); DURATIONS], cut: usize) -> Numbers {
    let [latencies, woken, preempted, replenished, left_runnable, yielded, slept, exited, throttled] = parts;
    Numbers {
        wakeups: Measured::of(&[latencies]),
        waits: Waits {
            all: Measured::of(&[woken, preempted, replenished]),
            woken: Measured::of(&[woken]),
            preempted: Measured::of(&[preempted]),
            replenished: Measured::of(&[replenished]),
        },
        runs: RunLengths {
            all: Measured::of(&[left_runnable, yielded, slept, exited, throttled]),
            preempted: Measured::of(&[left_runnable]),
            yielded: Measured::of(&[yielded]),
            slept: Measured::of(&[slept]),
            exited: Measured::of(&[exited]),
            throttled: Measured::of(&[throttled]),
            cut,
        },
    }
}

/// The group of a measurement, as the id of a comm, a task or a lane.
fn key(trace: &Trace, by: GroupBy, id: TaskCommId, lane: usize) -> u32 {
    match by {
        GroupBy::Command => trace.task_comm(id).comm.0,
        GroupBy::Task => trace.task_comm(id).task.0,
        GroupBy::Cpu => lane as u32,
    }
}

fn name(trace: &Trace, by: GroupBy, key: u32) -> GroupName {
    match by {
        GroupBy::Command => GroupName::Command {
            comm: trace.comms.name(CommId(key)).to_owned(),
        },
        GroupBy::Task => GroupName::Task(TaskName::of_task(trace, TaskId(key))),
        GroupBy::Cpu => GroupName::Cpu {
            cpu: trace.cpu_at(key as usize),
        },
    }
}
