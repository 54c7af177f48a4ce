//! The longest waits, and for each: on which CPU's runqueue it was spent, and who had that CPU meanwhile.

use super::name::TaskName;
use super::selected::{Run, Selected};
use super::selection::Selection;
use crate::index::queued;
use crate::sched::{Lane, Steps, TaskCommId, TaskId, Trace, WaitCause, Who};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The JSON of `corelane waits`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitReport {
    /// Waits that a switch-in ended.
    pub count: usize,
    /// The longest, longest first.
    pub longest: Vec<WaitInfo>,
}

/// A wait, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitInfo {
    /// Who waited.
    #[serde(flatten)]
    pub task: TaskName,
    /// Since when.
    pub since_ns: u64,
    /// Until its switch-in.
    pub until_ns: u64,
    /// From one to the other.
    pub wait_ns: u64,
    /// `wakeup` or `preempted`.
    pub cause: &'static str,
    /// Where it ran then.
    pub cpu: u32,
    /// On which CPUs' runqueues it waited, in order of time.
    pub queues: Vec<Queue>,
    /// Who ran there meanwhile, longest first.
    pub took: Vec<Took>,
    /// How long the CPU that it waited for was idle meanwhile.
    pub own_idle_ns: u64,
    /// How long it is not known who had the CPU.
    pub unknown_ns: u64,
    /// How long any CPU was idle meanwhile.
    pub any_idle_ns: u64,
}

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Queue {
    /// Whose runqueue.
    pub cpu: u32,
    /// Since when.
    pub from_ns: u64,
    /// Until when.
    pub to_ns: u64,
}

/// A task that ran on the CPU another waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Took {
    /// Which.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long.
    pub ran_ns: u64,
}

/// The `top` longest waits of a selection. A wait lies where it begins.
pub fn waits(trace: &Trace, selection: &Selection, top: usize) -> WaitReport {
    let selected = Selected::new(trace, selection);
    let mut found: Vec<(u64, Run)> = begun_in_window(&selected).collect();
    found.sort_by_key(|&(ns, run)| (Reverse(ns), run.interval.start - ns, run.lane, run.index));
    let longest = found.iter().take(top);
    WaitReport {
        count: found.len(),
        longest: longest
            .filter_map(|(_, run)| explain_wait(trace, run.lane, run.index))
            .collect(),
    }
}

/// (ns, run) of every wait before a selected run that begins in the window.
pub(crate) fn begun_in_window<'a>(selected: &'a Selected) -> impl Iterator<Item = (u64, Run)> + 'a {
    let with_wait = selected.runs().filter_map(|run| Some((run.wait?.since, run)));
    with_wait
        .filter(|(since, _)| selected.window.contains(since))
        .map(|(since, run)| (run.interval.start - since, run))
}

/// The wait before a run, by index of its lane and in it; `None` where the trace tells of none.
pub fn explain_wait(trace: &Trace, lane_index: usize, index: usize) -> Option<WaitInfo> {
    let lane = trace.lanes.get(lane_index)?;
    let id = lane.run(index)?;
    let (wait, until) = (lane.wait(index)?, lane.starts()[index]);
    let queues = queues(trace, trace.task_comm(id).task, lane_index, wait.since, until);
    let mut taken = Taken::default();
    for &(cpu, from, to) in &queues {
        match trace.lane(cpu) {
            Some(lane) => taken.add(lane, from, to),
            None => taken.unknown += to - from,
        }
    }
    let mut took: Vec<_> = taken.by.into_iter().collect();
    took.sort_by_key(|&(id, ns)| (Reverse(ns), id));
    let idle = trace
        .steps
        .within(wait.since..until)
        .filter(|step| 0 < step.counts.idle);
    Some(WaitInfo {
        task: TaskName::of(trace, id),
        since_ns: trace.base_ns + wait.since,
        until_ns: trace.base_ns + until,
        wait_ns: until - wait.since,
        cause: match wait.cause {
            WaitCause::Wakeup => "wakeup",
            WaitCause::Preempted => "preempted",
        },
        cpu: trace.cpus[lane_index],
        queues: queues
            .iter()
            .map(|&(cpu, from, to)| Queue {
                cpu,
                from_ns: trace.base_ns + from,
                to_ns: trace.base_ns + to,
            })
            .collect(),
        took: took
            .into_iter()
            .map(|(id, ran_ns)| Took {
                task: TaskName::of(trace, id),
                ran_ns,
            })
            .collect(),
        own_idle_ns: taken.idle,
        unknown_ns: taken.unknown,
        any_idle_ns: idle.map(|step| step.to - step.from).sum(),
    })
}

/// Where a task waited, as far as the trace tells.
fn queues(trace: &Trace, task: TaskId, lane_index: usize, since: u64, until: u64) -> Vec<(u32, u64, u64)> {
    let first = trace.migrations.partition_point(|migration| migration.at < since);
    let meanwhile = trace.migrations[first..]
        .iter()
        .take_while(|migration| migration.at <= until);
    let moves = meanwhile.filter(|migration| migration.task == task);
    let mut queues = Vec::new();
    queued(
        moves,
        (since, until),
        |_| Some(trace.cpus[lane_index]),
        |part| {
            queues.extend(part.cpu.map(|cpu| (cpu, part.from, part.to)));
        },
    );
    queues
}

/// Who had a CPU.
#[derive(Default)]
struct Taken {
    by: BTreeMap<TaskCommId, u64>,
    idle: u64,
    unknown: u64,
}

impl Taken {
    fn add(&mut self, lane: &Lane, from: u64, to: u64) {
        let first = lane.starts().partition_point(|&start| start <= from).saturating_sub(1);
        for index in first..lane.len() {
            let interval = lane.interval(index);
            if to <= interval.start {
                return;
            }
            let ns = interval.end.min(to).saturating_sub(interval.start.max(from));
            match interval.who {
                _ if ns == 0 => {}
                Who::Run(id) => *self.by.entry(id).or_default() += ns,
                Who::Idle => self.idle += ns,
                Who::Unknown => self.unknown += ns,
            }
        }
    }
}

/// How long any CPU was idle, up to any instant.
pub(crate) struct IdleTime<'a> {
    steps: &'a Steps,
    /// Up to the begin of each step.
    before: Vec<u64>,
}

impl<'a> IdleTime<'a> {
    pub(crate) fn new(steps: &'a Steps) -> IdleTime<'a> {
        let mut sum = 0;
        let before = (0..steps.len()).map(|index| {
            let step = steps.step(index);
            let before = sum;
            sum += if 0 < step.counts.idle { step.to - step.from } else { 0 };
            before
        });
        IdleTime {
            before: before.collect(),
            steps,
        }
    }

    fn until(&self, at: u64) -> u64 {
        let Some(index) = self.steps.starts().partition_point(|&start| start < at).checked_sub(1) else {
            return 0;
        };
        let step = self.steps.step(index);
        let inside = if 0 < step.counts.idle {
            at.min(step.to) - step.from
        } else {
            0
        };
        self.before[index] + inside
    }

    pub(crate) fn between(&self, from: u64, to: u64) -> u64 {
        self.until(to).saturating_sub(self.until(from))
    }
}
