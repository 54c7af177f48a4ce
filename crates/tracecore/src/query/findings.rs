//! What is worth a look, the costliest first: each with a time and a CPU to go to.

use super::cascade::Cascades;
use super::gaps::gaps;
use super::latency::{latency, GroupBy};
use super::name::TaskName;
use super::overload::overload;
use super::placement::moved_off_idle;
use super::preemption::preemptors;
use super::selected::Selected;
use super::selection::Selection;
use super::waits::{begun_in_window, explain_wait, IdleTime};
use crate::sched::Trace;
use serde::Serialize;
use std::cmp::Reverse;

/// What kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Tasks waited while CPUs idled. Cost: integral of min(waiting, idle). CPU: the one that idled longest.
    Overload,
    /// A task waited while some CPU idled. Cost: how long. CPU: where it ran then. Tasks: it, and who had its CPU longest.
    Wait,
    /// A command that is busy otherwise hardly ran. Cost: what usually would have run.
    Gap,
    /// A wakeup left a free last CPU. Cost: its latency. CPU: the one left.
    MovedOffIdle,
    /// One move drove out the next. Cost: the waits of all. CPU: where the first task was put.
    Cascade,
    /// A long wake-up latency. Cost: how long. CPU: where it ran then.
    Latency,
    /// A command (of kernel threads, say) preempted others. Cost: how long it then ran. The longest one's CPU, time and tasks.
    Preemption,
}

/// Something to look at. Times are absolute trace times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// What it cost, in ns (times tasks).
    pub cost_ns: u64,
    /// Where to look: its begin.
    pub start_ns: u64,
    /// Its end.
    pub end_ns: u64,
    /// On which CPU to look; null where it is about a command.
    pub cpu: Option<u32>,
    /// Tasks, preemptions or moves of it; else 1.
    pub count: u64,
    /// Which command it is about.
    pub comm: String,
    /// Which tasks it is about, the most important first.
    pub tasks: Vec<TaskName>,
}

/// Tasks that a finding names.
const MOST_TASKS: usize = 8;

/// The costliest findings of a selection, at most `top` of each kind, by cost.
pub fn findings(trace: &Trace, selection: &Selection, top: usize) -> Vec<Finding> {
    let finder = Finder {
        trace,
        selection,
        selected: Selected::new(trace, selection),
        top,
    };
    let mut found = finder.overloads();
    found.extend(finder.waits());
    found.extend(finder.gaps());
    found.extend(finder.moved_off_idle());
    found.extend(finder.cascades());
    found.extend(finder.latencies());
    found.extend(finder.preemptions());
    found.retain(|finding| 0 < finding.cost_ns);
    // Stable: ties stay in order of kind and rank.
    found.sort_by_key(|finding| Reverse(finding.cost_ns));
    found
}

struct Finder<'a> {
    trace: &'a Trace,
    selection: &'a Selection,
    selected: Selected<'a>,
    top: usize,
}

impl Finder<'_> {
    fn overloads(&self) -> Vec<Finding> {
        let report = overload(self.trace, self.selection, 0, self.top);
        let found = report.intervals.into_iter().map(|violation| {
            let longest = violation
                .idle_cpus
                .iter()
                .max_by_key(|idled| (idled.idle_ns, Reverse(idled.cpu)));
            Finding {
                kind: FindingKind::Overload,
                cost_ns: violation.cost_task_ns,
                start_ns: violation.start_ns,
                end_ns: violation.end_ns,
                cpu: longest.map(|idled| idled.cpu),
                count: violation.tasks.len() as u64,
                comm: violation
                    .tasks
                    .first()
                    .map_or(String::new(), |waited| waited.task.comm.clone()),
                tasks: violation
                    .tasks
                    .into_iter()
                    .take(MOST_TASKS)
                    .map(|waited| waited.task)
                    .collect(),
            }
        });
        found.collect()
    }

    fn waits(&self) -> Vec<Finding> {
        let idle = IdleTime::new(&self.trace.steps);
        let mut longest: Vec<_> = begun_in_window(&self.selected)
            .map(|(ns, run)| (idle.between(run.interval.start - ns, run.interval.start), run))
            .collect();
        longest.sort_by_key(|&(ns, run)| (Reverse(ns), run.interval.start, run.lane, run.index));
        longest.truncate(self.top);
        let found = longest.into_iter().filter_map(|(cost_ns, run)| {
            let wait = explain_wait(self.trace, run.lane, run.index)?;
            Some(Finding {
                kind: FindingKind::Wait,
                cost_ns,
                start_ns: wait.since_ns,
                end_ns: wait.until_ns,
                cpu: Some(wait.cpu),
                count: 1,
                comm: wait.task.comm.clone(),
                tasks: [wait.task]
                    .into_iter()
                    .chain(wait.took.into_iter().map(|took| took.task).take(1))
                    .collect(),
            })
        });
        found.collect()
    }

    fn gaps(&self) -> Vec<Finding> {
        let mut gaps = gaps(&self.selected);
        gaps.sort_by_key(|gap| (Reverse(gap.cost), gap.from, gap.comm));
        gaps.truncate(self.top);
        let found = gaps.into_iter().map(|gap| Finding {
            kind: FindingKind::Gap,
            cost_ns: gap.cost,
            start_ns: self.trace.base_ns + gap.from,
            end_ns: self.trace.base_ns + gap.to,
            cpu: None,
            count: 1,
            comm: self.trace.comms.name(gap.comm).to_owned(),
            tasks: Vec::new(),
        });
        found.collect()
    }

    fn moved_off_idle(&self) -> Vec<Finding> {
        let moved = moved_off_idle(&self.selected);
        let found = moved.into_iter().take(self.top).map(|woken| {
            let task = TaskName::of(self.trace, woken.id);
            Finding {
                kind: FindingKind::MovedOffIdle,
                cost_ns: woken.latency,
                start_ns: self.trace.base_ns + woken.edge.at,
                end_ns: self.trace.base_ns + woken.edge.at + woken.latency,
                cpu: woken.edge.previous_cpu,
                count: 1,
                comm: task.comm.clone(),
                tasks: vec![task],
            }
        });
        found.collect()
    }

    fn cascades(&self) -> Vec<Finding> {
        let report = Cascades::new(self.trace).longest(self.selection, self.top);
        let found = report.cascades.into_iter().map(|cascade| Finding {
            kind: FindingKind::Cascade,
            cost_ns: cascade.cost_ns,
            start_ns: cascade.start_ns,
            end_ns: cascade.end_ns,
            cpu: cascade.moves.first().map(|first| first.to_cpu),
            count: cascade.moves_total as u64,
            comm: cascade
                .moves
                .first()
                .map_or(String::new(), |first| first.task.comm.clone()),
            tasks: cascade
                .moves
                .into_iter()
                .take(MOST_TASKS)
                .map(|each| each.task)
                .collect(),
        });
        found.collect()
    }

    fn latencies(&self) -> Vec<Finding> {
        let worst = latency(self.trace, self.selection, GroupBy::Cpu, self.top).worst;
        let found = worst.into_iter().map(|worst| Finding {
            kind: FindingKind::Latency,
            cost_ns: worst.latency_ns,
            start_ns: worst.at_ns,
            end_ns: worst.running_ns,
            cpu: Some(worst.cpu),
            count: 1,
            comm: worst.wakee_comm.clone(),
            tasks: vec![TaskName {
                pid: worst.wakee_pid,
                generation: worst.wakee_generation,
                comm: worst.wakee_comm,
            }],
        });
        found.collect()
    }

    fn preemptions(&self) -> Vec<Finding> {
        let mut preemptors = preemptors(&self.selected);
        preemptors.sort_by_key(|preemptor| (Reverse(preemptor.ns), preemptor.command));
        preemptors.truncate(self.top);
        let found = preemptors.into_iter().map(|preemptor| {
            let longest = preemptor.longest;
            Finding {
                kind: FindingKind::Preemption,
                cost_ns: preemptor.ns,
                start_ns: self.trace.base_ns + longest.from,
                end_ns: self.trace.base_ns + longest.to,
                cpu: Some(self.trace.cpus[longest.lane]),
                count: preemptor.count,
                comm: preemptor.command.to_owned(),
                tasks: [longest.by, longest.of].map(|id| TaskName::of(self.trace, id)).to_vec(),
            }
        });
        found.collect()
    }
}
