//! Finds the CPUs on whose runqueues a wait is spent.
//!
//! A woken task waits where `sched_wakeup` put it, a preempted one where it ran. Each `sched_migrate_task` in between
//! says which runqueue it left; the last part of a wait that ended with a switch-in was spent on the CPU of that run. A
//! placement belongs to the wakeup, before the wait begins. If the migration or wakeup that would tell the CPU was
//! lost, or names a CPU that does not exist, that part of the wait is on no known CPU.

use super::grouped::{Grouped, Grouping};
use super::shown::Shown;
use super::sort::{Pieces, SteppedSort};
use schedmodel::{
    Claim, ClaimKind, Interval, LooseWait, Migration, MigrationKind, SwitchedOut, TaskCommId, TaskId, Trace, Who,
};
use std::ops::Range;

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The CPU of the runqueue, if known.
    pub cpu: Option<u32>,
    /// When it begins.
    pub from: u64,
    /// When it ends, which is later.
    pub to: u64,
}

/// The wait that a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The task.
    pub who: TaskCommId,
    /// The run that ended the wait: its start, its lane and its index there.
    pub run: Option<(u64, usize, usize)>,
}

/// Calls `each` with the parts of a wait, in time order.
///
/// `migrations`: those of the task from `since` on, in time order. `last`: where it waited after the last of them, or
/// all the time if there are none.
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
        // When a task went of which only runs tell is not known, nor is where it waited.
        let known = !migration.kind.is_derived();
        part(migration.from().filter(|_| known), from, migration.at);
        from = migration.at;
        moved = Some(migration);
    }
    part(last(moved), from, until);
}

/// Calls `each` with the parts of all waits of the tasks that are shown: first those that runs ended, by lane, then the
/// others.
pub fn all_queued(trace: &Trace, shown: &Shown, mut each: impl FnMut(Queued)) {
    let mut walk = QueueWalk::new(trace, shown);
    while walk.step(trace, shown, usize::MAX, &mut |_, part| each(part)) {}
}

/// A resumable [`all_queued`].
#[derive(Debug)]
pub struct QueueWalk {
    moves: MovesAside,
    /// `None` once `moves` has all of them.
    finding: Option<MovesSearch>,
    origins: Origins,
    /// Waits that do not overlap this are left out.
    within: Range<u64>,
    /// The next interval.
    lane: usize,
    index: usize,
}

impl QueueWalk {
    /// At the beginning of the trace; of the tasks that are shown.
    pub fn new(trace: &Trace, shown: &Shown) -> QueueWalk {
        QueueWalk::within(trace, shown, 0..u64::MAX)
    }

    /// Of the waits that overlap a part of the time, all parts, also those beside it.
    pub fn within(trace: &Trace, shown: &Shown, within: Range<u64>) -> QueueWalk {
        QueueWalk {
            within,
            moves: MovesAside::default(),
            finding: Some(MovesSearch::default()),
            origins: Origins::new(trace, shown),
            lane: 0,
            index: 0,
        }
    }

    /// Approximate share of the work that is done.
    pub fn share(&self, trace: &Trace) -> f64 {
        self.lane as f64 / trace.lanes.len().max(1) as f64
    }

    /// Finds migrations, then reads up to `count` intervals; after all of them, the waits that no run ended, and then returns
    /// false.
    pub fn step(&mut self, trace: &Trace, shown: &Shown, count: usize, each: &mut dyn FnMut(Waiter, Queued)) -> bool {
        if let Some(finding) = &mut self.finding {
            if let Some(moves) = finding.step(trace, count) {
                self.moves = moves;
                self.finding = None;
            }
            return true;
        }
        let (Some(lane), Some(&cpu)) = (trace.lanes.get(self.lane), trace.cpus.get(self.lane)) else {
            self.loose(trace, each);
            return false;
        };
        // Runs that began before only say where a task had run.
        if self.index == 0 && self.origins.waits.all().is_empty() {
            self.index = lane.starts().partition_point(|at| at <= self.within.start);
        }
        let end = lane.len().min(self.index.saturating_add(count));
        let (lane_index, moves, origins) = (self.lane, &self.moves, &mut self.origins);
        let within = &self.within;
        lane.each(self.index..end, |index, Interval { start, end, who }| {
            let Who::Run(id) = who else {
                return;
            };
            let task = trace.task_comm(id).task;
            let wait = if within.start < start {
                lane.wait_before(index, start)
            } else {
                None
            };
            let wait = wait.filter(|wait| wait.since < within.end);
            if let Some(wait) = wait.filter(|_| shown.has_run(id, lane_index, index)) {
                let moves = moves.from(task, wait.since);
                let run = Some((start, lane_index, index));
                let waiter = Waiter { who: id, run };
                queued(moves, (wait.since, start), |_| Some(cpu), |part| each(waiter, part));
            }
            // Also under a comm that is not shown: the wait may be of another.
            if lane.end_state(index).map(SwitchedOut::by) == Some(SwitchedOut::Runnable) {
                origins.preempted(task, end, cpu);
            }
        });
        self.index = end;
        if end == lane.len() {
            (self.lane, self.index) = (self.lane + 1, 0);
        }
        true
    }

    fn loose(&self, trace: &Trace, each: &mut dyn FnMut(Waiter, Queued)) {
        let all = self.origins.waits.all().iter();
        for &(wait, preempted_on) in
            all.filter(|(wait, _)| wait.since < self.within.end && self.within.start < wait.until)
        {
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

/// Migrations that are not placements, by task. They are few, so most waits are quickly found to have none.
#[derive(Debug, Default)]
struct MovesAside {
    /// By task, in time order.
    moves: Grouped<Migration>,
}

impl MovesAside {
    /// The migrations of a task at or after `at`.
    fn from(&self, task: TaskId, at: u64) -> impl Iterator<Item = &Migration> {
        let of_task = self.moves.of(task.0 as usize);
        let first = of_task.partition_point(|migration| migration.at < at);
        of_task.iter().skip(first)
    }
}

/// Finds [`MovesAside`] in resumable steps.
#[derive(Debug, Default)]
struct MovesSearch {
    /// The next migration.
    at: usize,
    found: Pieces<(u32, Migration)>,
    /// By task.
    sort: Option<SteppedSort<(u32, Migration)>>,
    grouping: Option<Grouping<Migration>>,
}

impl MovesSearch {
    /// Reads up to `count` migrations, or sorts or groups some; returns what is found once finished.
    fn step(&mut self, trace: &Trace, count: usize) -> Option<MovesAside> {
        let all = &trace.migrations;
        if self.at < all.len() {
            let end = all.len().min(self.at.saturating_add(count));
            let some = all.get(self.at..end).unwrap_or_default();
            let aside = some
                .iter()
                .filter(|migration| migration.kind != MigrationKind::Placement);
            aside.for_each(|migration| self.found.push((migration.task.0, *migration)));
            self.at = end;
            return None;
        }
        if let Some(grouping) = &mut self.grouping {
            return grouping.step().map(|moves| MovesAside { moves });
        }
        let found = &mut self.found;
        let sort = self
            .sort
            .get_or_insert_with(|| SteppedSort::of_pieces(std::mem::take(found)));
        if !sort.step() {
            let sorted = self.sort.take().map(SteppedSort::into_items);
            self.grouping = Some(Grouping::new(sorted.unwrap_or_default(), trace.tasks.len()));
        }
        None
    }
}

/// The CPU where the task was switched out at `since` without having a run on any lane.
fn switched_out_on(trace: &Trace, task: TaskId, since: u64) -> Option<u32> {
    let claims = trace.claims.get(trace.claims_of(task)).unwrap_or_default();
    let stays = |claim: &&Claim| matches!(claim.kind, ClaimKind::SwitchedOut(code) if SwitchedOut::by(code) == SwitchedOut::Runnable);
    let first = claims.partition_point(|claim| claim.at < since);
    let then = claims.iter().skip(first).take_while(|claim| claim.at == since);
    then.filter(stays).last().map(|claim| claim.cpu)
}

/// The CPU where the wakeup at `since` put the task.
fn woken_on(trace: &Trace, task: TaskId, since: u64) -> Option<u32> {
    let mut edges = trace.edges.of(task).rev().map(|index| trace.edges.get(index));
    edges.find(|edge| edge.woken == Some(since))?.chosen_cpu
}

/// Waits that no run ended, and, for tasks that were preempted, where they had run.
#[derive(Debug)]
struct Origins {
    /// By task, sorted by `since`.
    waits: Grouped<(LooseWait, Option<u32>)>,
}

impl Origins {
    fn new(trace: &Trace, shown: &Shown) -> Origins {
        let waits = trace.loose_waits.iter().filter(|wait| shown.has_loose(wait.who));
        let by_task = waits.map(|&wait| (trace.task_comm(wait.who).task.0, (wait, None)));
        let mut waits = Grouped::new(by_task, trace.tasks.len());
        waits.sort_each(|(wait, _)| wait.since);
        Origins { waits }
    }

    /// Records that a run of `task` on `cpu` ended at `at` and the task stayed runnable.
    fn preempted(&mut self, task: TaskId, at: u64, cpu: u32) {
        for (wait, on) in self.waits.of_mut(task.0 as usize) {
            if wait.since == at {
                *on = Some(cpu);
            }
        }
    }
}
