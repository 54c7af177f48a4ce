//! One of two traces that are compared, summed up.

use super::sample::Sample;
use crate::query::explain::waits::behind_ns;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::relate::SpareJob;
use crate::query::select::durations::Durations;
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::walk::{CountWalk, LaneWalk, CHUNK};
use schedindex::{latency_in_doubt, wait_in_doubt, QueueWalk, Queued};
use schedmodel::{CommId, TaskCommId, Trace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use ts_rs::TS;

/// A trace, or a part of one. Durations are in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Side {
    /// How long it is.
    pub length_ns: u64,
    /// How many CPUs it has, of those selected.
    pub cpus: u32,
    /// How long some task waited behind another while some CPU was spare.
    pub behind_ns: u64,
    /// The integral of min(tasks behind others, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// Its commands, in the order of their names.
    pub commands: Vec<SideCommand>,
}

/// A command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SideCommand {
    /// Its comm.
    pub comm: String,
    /// How long it ran.
    pub execution_ns: u64,
    /// How long its tasks waited.
    pub waiting_ns: u64,
    /// Of this, behind another while some CPU was spare.
    pub behind_ns: u64,
    /// Runs that begin in the window.
    pub runs: u64,
    /// Migrations of tasks whose last name it is.
    pub migrations: u64,
    /// Wake-up latencies.
    pub latency: Sample,
    /// Waits that a run ended.
    pub wait: Sample,
}

/// [`Side`] of a trace about which nothing is kept.
pub fn side(trace: &Trace, selection: &Selection) -> Side {
    Model::new(trace, &Shared::default()).run(SideJob::new(trace, Scope::new(trace, selection)))
}

/// [`side`] as a job.
#[derive(Debug)]
pub(crate) struct SideJob {
    scope: Arc<Scope>,
    edges: CountWalk,
    lanes: LaneWalk,
    migrations: CountWalk,
    queues: QueueWalk,
    parts: Vec<(TaskCommId, Queued)>,
    spare: Option<SpareJob>,
    /// By comm.
    sums: Vec<SideCommand>,
    /// By task: whether it is selected.
    tasks: Vec<bool>,
    /// Latencies, then waits, by comm.
    durations: [Durations; 2],
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Stage {
    Edges,
    Lanes,
    Migrations,
    Swept,
    Queues,
    Spare,
    Sort(usize),
    Group(usize),
    Done,
}

impl SideJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>) -> SideJob {
        let comms = trace.comms.names().len();
        let mut tasks = vec![false; trace.tasks.len()];
        for pair in (0..trace.task_comms.len()).map(|pair| TaskCommId(pair as u32)) {
            if let Some(selected) = tasks.get_mut(trace.task_comm(pair).task.0 as usize) {
                *selected |= scope.shown.has(pair);
            }
        }
        SideJob {
            queues: QueueWalk::new(trace, &scope.shown),
            spare: Some(SpareJob::new(Arc::clone(&scope))),
            scope,
            edges: CountWalk::default(),
            lanes: LaneWalk::default(),
            migrations: CountWalk::default(),
            parts: Vec::new(),
            sums: vec![SideCommand::default(); comms],
            tasks,
            durations: [Durations::new(comms), Durations::new(comms)],
            stage: Stage::Edges,
        }
    }

    fn of(&mut self, comm: CommId) -> Option<&mut SideCommand> {
        self.sums.get_mut(comm.0 as usize)
    }

    fn add_lanes(&mut self, trace: &Trace) -> bool {
        let Some((lane, indexes)) = self.lanes.next(trace, &self.scope) else {
            return false;
        };
        let selected = Selected::of(trace, &self.scope);
        for run in selected.runs_in(lane, indexes) {
            let comm = trace.task_comm(run.id).comm;
            let ran = selected.clip(run.interval.start, run.interval.end);
            let begins = selected.window.contains(&run.interval.start) && trace.lane_at(lane).switched_to(run.index);
            if let Some(sums) = self.of(comm) {
                sums.execution_ns = sums.execution_ns.saturating_add(ran);
                sums.runs += u64::from(begins);
            }
            let wait = run.wait.filter(|wait| selected.window.contains(&wait.since));
            let wait = wait.filter(|_| !wait_in_doubt(trace, lane, run.index));
            if let Some(wait) = wait {
                let [_, waits] = &mut self.durations;
                waits.add(comm.0, run.interval.start - wait.since);
            }
        }
        true
    }

    fn add_migrations(&mut self, trace: &Trace) -> bool {
        let Some(numbers) = self.migrations.next(trace.migrations.len()) else {
            return false;
        };
        for migration in trace.migrations.get(numbers).unwrap_or_default() {
            let is_selected = self.tasks.get(migration.task.0 as usize) == Some(&true);
            let counts = !migration.kind.is_derived() && self.scope.window.contains(&migration.at);
            if is_selected && counts {
                if let Some(sums) = self.of(trace.task(migration.task).comm) {
                    sums.migrations += 1;
                }
            }
        }
        true
    }

    /// Adds parts of waits.
    fn add_queues(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        let window = Selected::of(trace, &self.scope).closed_window();
        let (scope, parts) = (&self.scope, &mut self.parts);
        let more = self.queues.step(trace, &scope.shown, CHUNK / 8, &mut |waiter, part| {
            let (from, to) = (part.from.max(window.start), part.to.min(window.end));
            let lane = part.cpu.and_then(|cpu| trace.lane_index(cpu));
            let counts = scope.has_all_lanes() || lane.is_some_and(|lane| scope.has_lane(lane));
            if from < to && counts {
                parts.push((waiter.who, Queued { from, to, ..part }));
            }
        });
        for (who, part) in std::mem::take(&mut self.parts) {
            let behind = behind_ns(model, who, part);
            if let Some(sums) = self.of(trace.task_comm(who).comm) {
                sums.waiting_ns = sums.waiting_ns.saturating_add(part.to - part.from);
                sums.behind_ns = sums.behind_ns.saturating_add(behind);
            }
        }
        more
    }
}

impl Job for SideJob {
    type Answer = Side;

    fn step(&mut self, model: Model<'_>) -> bool {
        let trace = model.trace;
        let stage = self.stage;
        match stage {
            Stage::Edges => match self.edges.next(trace.edges.len()) {
                Some(numbers) => {
                    let [latencies, _] = &mut self.durations;
                    let selected = Selected::of(trace, &self.scope);
                    let woken = selected.wakeups_in(numbers);
                    for woken in woken.filter(|woken| !latency_in_doubt(trace, woken.wakee, &woken.edge)) {
                        latencies.add(trace.task_comm(woken.id).comm.0, woken.latency);
                    }
                }
                None => self.stage = Stage::Lanes,
            },
            Stage::Lanes if self.add_lanes(trace) => {}
            Stage::Lanes => self.stage = Stage::Migrations,
            Stage::Migrations if self.add_migrations(trace) => {}
            Stage::Migrations => self.stage = Stage::Swept,
            Stage::Swept if !model.shared.prepare_swept(trace) => {}
            Stage::Swept => self.stage = Stage::Queues,
            Stage::Queues if self.add_queues(model) => {}
            Stage::Queues => self.stage = Stage::Spare,
            Stage::Spare if self.spare.as_mut().is_some_and(|job| job.step(model)) => {}
            Stage::Spare => self.stage = Stage::Sort(0),
            Stage::Sort(which) => match self.durations.get_mut(which) {
                Some(durations) => self.stage = Stage::Sort(which + usize::from(!durations.sort())),
                None => self.stage = Stage::Group(0),
            },
            Stage::Group(which) => match self.durations.get_mut(which) {
                Some(durations) => self.stage = Stage::Group(which + usize::from(!durations.group())),
                None => self.stage = Stage::Done,
            },
            Stage::Done => return false,
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let trace = model.trace;
        let stages = match self.stage {
            Stage::Edges => self.edges.share(trace.edges.len()),
            Stage::Lanes => 1.0 + self.lanes.share(trace),
            Stage::Migrations | Stage::Swept => 2.0,
            Stage::Queues => 3.0 + self.queues.share(trace),
            Stage::Spare => 4.0 + self.spare.as_ref().map_or(0.0, |job| job.share(model)),
            Stage::Sort(which) => 5.0 + which as f64 / 2.0,
            Stage::Group(which) => 6.0 + which as f64 / 2.0,
            Stage::Done => 7.0,
        };
        stages / 7.0
    }

    fn answer(self, model: Model<'_>) -> Side {
        let trace = model.trace;
        let window = Selected::of(trace, &self.scope).closed_window();
        let spare = self.spare.map(|job| job.answer(model)).unwrap_or_default();
        let [latencies, waits] = &self.durations;
        let commands = self.sums.into_iter().enumerate().filter_map(|(comm, sums)| {
            let sums = SideCommand {
                comm: trace.comms.name(CommId(comm as u32)).to_owned(),
                latency: Sample::of(latencies.of_group(comm)),
                wait: Sample::of(waits.of_group(comm)),
                ..sums
            };
            let numbers = [
                sums.execution_ns,
                sums.waiting_ns,
                sums.runs,
                sums.migrations,
                sums.latency.count,
            ];
            let is_seen = numbers.into_iter().any(|number| 0 < number);
            is_seen.then_some(sums)
        });
        let mut commands: Vec<SideCommand> = commands.collect();
        commands.sort_by(|a, b| a.comm.cmp(&b.comm));
        Side {
            length_ns: window.end - window.start,
            cpus: spare.cpus.len() as u32,
            behind_ns: spare.behind_ns,
            behind_cost_task_ns: spare.behind_cost_task_ns,
            commands,
        }
    }
}
