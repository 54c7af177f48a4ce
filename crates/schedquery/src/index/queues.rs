//! On which CPU's runqueue a wait is spent.
//!
//! A woken task waits where `sched_wakeup` put it, a preempted one where it ran. Each `sched_migrate_task` meanwhile says
//! which runqueue it left; the last part of a wait that a switch-in ended was spent on the CPU of that run. A placement
//! belongs to the wakeup, before the wait begins. What the trace does not tell is on no known CPU: where the move or the
//! wakeup that would tell was lost, or names a CPU that there is not.

use super::shown::Shown;
use schedmodel::{Claim, ClaimKind, Left, LooseWait, Migration, MigrationKind, TaskCommId, TaskId, Trace};

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Whose runqueue, where known.
    pub cpu: Option<u32>,
    /// Since when.
    pub from: u64,
    /// Until when, which is after that.
    pub to: u64,
}

/// Whose wait a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The task.
    pub who: TaskCommId,
    /// The run that ended the wait: its start, and the indexes of its lane and of the run there.
    pub run: Option<(u64, usize, usize)>,
}

/// Calls `each` with the parts of a wait, in time order.
///
/// `migrations`: those of the task from `since` on, in time order. `last`: where it waited after the last of them, and where
/// it waited if there was none.
pub fn queued<'a>(
    migrations: impl Iterator<Item = &'a Migration>,
    (since, until): (u64, u64),
    last: impl FnOnce(Option<&'a Migration>) -> Option<u32>,
    mut each: impl FnMut(Queued),
) {
    let mut part = |cpu, from, to| {
        if from < to {
            each(Queued { cpu, from, to });
        }
    };
    let mut from = since;
    let mut moved = None;
    let during = migrations.take_while(|migration| migration.at <= until);
    for migration in during.filter(|migration| migration.kind != MigrationKind::Placement) {
        part(migration.from(), from, migration.at);
        from = migration.at;
        moved = Some(migration);
    }
    part(last(moved), from, until);
}

/// Calls `each` with the parts of all waits of shown tasks: by lane those that runs ended, then the others.
pub fn all_queued(trace: &Trace, shown: &Shown, mut each: impl FnMut(Queued)) {
    let mut walk = QueueWalk::new(trace, shown);
    while walk.step(trace, shown, usize::MAX, &mut |_, part| each(part)) {}
}

/// Goes through the waits as [`all_queued`] does; may be left and gone on with.
#[derive(Debug)]
pub(crate) struct QueueWalk {
    moves: MovesAside,
    origins: Origins,
    /// The next interval.
    lane: usize,
    index: usize,
}

impl QueueWalk {
    pub(crate) fn new(trace: &Trace, shown: &Shown) -> QueueWalk {
        QueueWalk {
            moves: MovesAside::new(trace),
            origins: Origins::new(trace, shown),
            lane: 0,
            index: 0,
        }
    }

    /// How much of it is done, roughly.
    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        self.lane as f64 / trace.lanes.len().max(1) as f64
    }

    /// Looks at up to `count` intervals; after all of them at the waits that no run ended, and then it is false.
    pub(crate) fn step(
        &mut self,
        trace: &Trace,
        shown: &Shown,
        count: usize,
        each: &mut impl FnMut(Waiter, Queued),
    ) -> bool {
        let (Some(lane), Some(&cpu)) = (trace.lanes.get(self.lane), trace.cpus.get(self.lane)) else {
            self.loose(trace, each);
            return false;
        };
        let end = lane.len().min(self.index.saturating_add(count));
        for index in self.index..end {
            let Some(id) = lane.run(index) else {
                continue;
            };
            let task = trace.task_comm(id).task;
            if let Some(wait) = lane.wait(index).filter(|_| shown.has(id)) {
                let start = lane.starts()[index];
                let moves = self.moves.from(task, wait.since);
                let run = Some((start, self.lane, index));
                let waiter = Waiter { who: id, run };
                queued(moves, (wait.since, start), |_| Some(cpu), |part| each(waiter, part));
            }
            // Also under a comm that is not shown: the wait may be of another.
            if lane.end_state(index).map(Left::by) == Some(Left::Runnable) {
                self.origins.preempted(task, lane.end_of(index), cpu);
            }
        }
        self.index = end;
        if end == lane.len() {
            (self.lane, self.index) = (self.lane + 1, 0);
        }
        true
    }

    fn loose(&self, trace: &Trace, each: &mut impl FnMut(Waiter, Queued)) {
        for &(wait, preempted_on) in &self.origins.waits {
            let task = trace.task_comm(wait.who).task;
            let origin = || {
                preempted_on
                    .or_else(|| switched_out_on(trace, task, wait.since))
                    .or_else(|| woken_on(trace, task, wait.since))
            };
            let last = |moved: Option<&Migration>| moved.map_or_else(origin, Migration::to);
            let moves = self.moves.from(task, wait.since);
            let (who, run) = (wait.who, None);
            queued(moves, (wait.since, wait.until), last, |part| {
                each(Waiter { who, run }, part)
            });
        }
    }
}

/// The migrations that are not placements, by task: few of all, so that most waits are found to be without any at once.
#[derive(Debug)]
struct MovesAside {
    /// By task and time.
    moves: Vec<Migration>,
    /// First move of each task, and one past the last of all.
    offsets: Vec<u32>,
}

impl MovesAside {
    fn new(trace: &Trace) -> MovesAside {
        let aside = trace.migrations.iter();
        let aside = aside.filter(|migration| migration.kind != MigrationKind::Placement);
        let mut moves: Vec<Migration> = aside.copied().collect();
        // Stable: in time order within a task.
        moves.sort_by_key(|migration| migration.task);
        let first_of = |task: u32| moves.partition_point(|migration| migration.task.0 < task) as u32;
        MovesAside {
            offsets: (0..=trace.tasks.len() as u32).map(first_of).collect(),
            moves,
        }
    }

    /// Those of a task at or after `at`.
    fn from(&self, task: TaskId, at: u64) -> impl Iterator<Item = &Migration> {
        let offset = |task: u32| self.offsets[task as usize] as usize;
        let of_task = &self.moves[offset(task.0)..offset(task.0 + 1)];
        let first = of_task.partition_point(|migration| migration.at < at);
        of_task[first..].iter()
    }
}

/// Where the task was switched out at `since` that no lane had a run of.
fn switched_out_on(trace: &Trace, task: TaskId, since: u64) -> Option<u32> {
    let claims = &trace.claims[trace.claims_of(task)];
    let stays = |claim: &&Claim| matches!(claim.kind, ClaimKind::SwitchedOut(code) if Left::by(code) == Left::Runnable);
    let first = claims.partition_point(|claim| claim.at < since);
    let then = claims[first..].iter().take_while(|claim| claim.at == since);
    then.filter(stays).last().map(|claim| claim.cpu)
}

/// Where the wakeup put the task that made it runnable at `since`.
fn woken_on(trace: &Trace, task: TaskId, since: u64) -> Option<u32> {
    let mut edges = trace.edges.of(task).rev().map(|index| trace.edges.get(index));
    edges.find(|edge| edge.woken == Some(since))?.chosen_cpu
}

/// Waits that no run ended, and where the tasks ran that were preempted before.
#[derive(Debug)]
struct Origins {
    /// By (task, since).
    waits: Vec<(LooseWait, Option<u32>)>,
    /// First wait of each task, and one past the last of all.
    offsets: Vec<u32>,
}

impl Origins {
    fn new(trace: &Trace, shown: &Shown) -> Origins {
        let task_of = |wait: &LooseWait| trace.task_comm(wait.who).task;
        let mut waits: Vec<(LooseWait, Option<u32>)> = trace
            .loose_waits
            .iter()
            .filter(|wait| shown.has(wait.who))
            .map(|&wait| (wait, None))
            .collect();
        waits.sort_by_key(|(wait, _)| (task_of(wait), wait.since));
        let tasks = 0..=trace.tasks.len() as u32;
        let first_of = |task: u32| waits.partition_point(|(wait, _)| task_of(wait).0 < task) as u32;
        Origins {
            offsets: tasks.map(first_of).collect(),
            waits,
        }
    }

    /// A run of `task` on `cpu` ended at `at`, and the task stayed runnable.
    fn preempted(&mut self, task: TaskId, at: u64, cpu: u32) {
        let offset = |task: u32| self.offsets[task as usize] as usize;
        for (wait, on) in &mut self.waits[offset(task.0)..offset(task.0 + 1)] {
            if wait.since == at {
                *on = Some(cpu);
            }
        }
    }
}
