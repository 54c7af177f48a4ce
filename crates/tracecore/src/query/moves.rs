//! Runs that begin on another CPU than the task's run before, and which move drove out which.

use crate::sched::{MigrationKind, TaskCommId, TaskId, Trace, Who};

/// A task begins to run on another CPU than before, or was forked and runs for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The task under its comm.
    pub(crate) id: TaskCommId,
    /// The run: lane and index in it.
    pub(crate) lane: usize,
    pub(crate) index: usize,
    /// Lane of its run before; `None` for a fork.
    pub(crate) from: Option<usize>,
    /// End of its run before.
    pub(crate) left: u64,
    /// When the kernel moved it: the last `sched_migrate_task` before the run, else the wakeup, else the run's start.
    pub(crate) decided: u64,
    /// Why; `None` for a fork.
    pub(crate) kind: Option<MigrationKind>,
    /// Which move had taken the CPU that it left, by index.
    pub(crate) by: Option<usize>,
}

/// All moves of a trace, by `decided`.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    pub(crate) all: Vec<Move>,
    /// For each interval of each lane, the move that brought its task there, plus one; 0: none did.
    arrivals: Vec<Vec<u32>>,
}

impl Moves {
    pub(crate) fn new(trace: &Trace) -> Moves {
        let mut moves = Moves {
            all: find(trace),
            arrivals: Vec::new(),
        };
        moves.all.sort_by_key(|found| (found.decided, found.lane, found.index));
        moves.settle(trace);
        for index in 0..moves.all.len() {
            moves.all[index].by = moves.driver(trace, index);
        }
        moves
    }

    /// The move that brought the task of a run to its CPU.
    pub(crate) fn arrival(&self, lane: usize, index: usize) -> Option<usize> {
        (self.arrivals.get(lane)?.get(index)?)
            .checked_sub(1)
            .map(|index| index as usize)
    }

    /// Fills `arrivals`: a task stays on a CPU until its next move.
    fn settle(&mut self, trace: &Trace) {
        self.arrivals = trace.lanes.iter().map(|lane| vec![0; lane.len()]).collect();
        for (number, found) in self.all.iter().enumerate() {
            self.arrivals[found.lane][found.index] = number as u32 + 1;
        }
        // (lane, move) that each task stays by; an older stay on another lane is over.
        let mut stays = vec![0_u32; trace.tasks.len()];
        let starts = |lane: usize| trace.lanes[lane].starts();
        for lane in 0..trace.lanes.len() {
            stays.fill(0);
            for index in 0..starts(lane).len() {
                let Some(id) = trace.lanes[lane].run(index) else {
                    continue;
                };
                let stay = &mut stays[trace.task_comm(id).task.0 as usize];
                match self.arrivals[lane][index] {
                    // It goes on where it was: any time away would have ended in a move back here.
                    0 => self.arrivals[lane][index] = *stay,
                    number => *stay = number,
                }
            }
        }
    }

    /// Who had taken the CPU that move `number` left, when it was decided: a move that came there since.
    fn driver(&self, trace: &Trace, number: usize) -> Option<usize> {
        let Move {
            from,
            left,
            decided,
            id,
            ..
        } = self.all[number];
        let lane_index = from?;
        let lane = &trace.lanes[lane_index];
        let here = lane.find(decided)?;
        let other = |index: usize| {
            lane.run(index)
                .filter(|&run| trace.task_comm(run).task != trace.task_comm(id).task)
        };
        // Earlier in the list, so that no circle comes of events with the same time.
        let came_since = |&arrival: &usize| arrival < number && left <= self.start(trace, arrival);
        match lane.who(here) {
            Who::Unknown => return None,
            Who::Run(_) => {
                other(here)?;
                return self.arrival(lane_index, here).filter(came_since);
            }
            Who::Idle if here + 1 == lane.len() => return None,
            Who::Idle => {}
        }
        // Idle, but with a task on its way there.
        other(here + 1)?;
        let arrival = self.arrival(lane_index, here + 1)?;
        let on_its_way = self.all[arrival].index == here + 1 && self.all[arrival].decided <= decided;
        Some(arrival).filter(|_| on_its_way).filter(came_since)
    }

    fn start(&self, trace: &Trace, number: usize) -> u64 {
        let found = &self.all[number];
        trace.lanes[found.lane].starts()[found.index]
    }
}

/// The moves of all tasks, task by task.
fn find(trace: &Trace) -> Vec<Move> {
    let mut runs: Vec<(TaskId, u64, u32, u32)> = Vec::new();
    for (lane_index, lane) in trace.lanes.iter().enumerate() {
        for (index, &start) in lane.starts().iter().enumerate() {
            if let Some(id) = lane.run(index) {
                runs.push((trace.task_comm(id).task, start, lane_index as u32, index as u32));
            }
        }
    }
    runs.sort_unstable();
    let migrations = by_task(trace);
    let mut found = Vec::new();
    let mut before: Option<(TaskId, u64, u32, u32)> = None;
    for &run in &runs {
        let (task, start, lane, index) = run;
        let last = before.replace(run).filter(|last| last.0 == task);
        let is_fork = last.is_none() && trace.task(task).forked;
        if !is_fork && last.is_none_or(|last| last.2 == lane) {
            continue;
        }
        let Some(id) = trace.lanes[lane as usize].run(index as usize) else {
            continue;
        };
        let left = last.map_or(0, |(_, _, lane, index)| {
            trace.lanes[lane as usize].end_of(index as usize)
        });
        let moved = last.and_then(|last| last_migration(&migrations, trace, task, last.1, start));
        let woken = trace
            .edges
            .last_before(task, start)
            .map(|number| trace.edges.get(number));
        let woken = woken.filter(|edge| edge.running == Some(start));
        found.push(Move {
            id,
            lane: lane as usize,
            index: index as usize,
            from: last.map(|last| last.2 as usize),
            left,
            decided: moved.map_or(woken.map_or(start, |edge| edge.at), |(at, _)| at),
            kind: last.map(|_| match (moved, woken) {
                (Some((_, kind)), _) => kind,
                (None, Some(_)) => MigrationKind::Placement,
                (None, None) => MigrationKind::Other,
            }),
            by: None,
        });
    }
    found
}

/// Migrations grouped by task, in time order.
fn by_task(trace: &Trace) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..trace.migrations.len() as u32).collect();
    numbers.sort_by_key(|&number| trace.migrations[number as usize].task);
    numbers
}

/// The last migration of a task after `from`, up to `to`.
fn last_migration(by_task: &[u32], trace: &Trace, task: TaskId, from: u64, to: u64) -> Option<(u64, MigrationKind)> {
    let of = |number: u32| &trace.migrations[number as usize];
    let after = by_task.partition_point(|&number| (of(number).task, of(number).at) <= (task, to));
    let last = of(*by_task.get(after.checked_sub(1)?)?);
    (last.task == task && from < last.at).then_some((last.at, last.kind))
}
