//! Runs that begin on another CPU than their task's previous run, and which of these moves displaced which.

use crate::query::select::walk::{share, Begin, CountWalk, TimeWalk, CHUNK};
use schedindex::{Grouped, Grouping, Migrations, Pieces, SteppedSort};
use schedmodel::{Migration, MigrationKind, TaskCommId, Trace, Who};

/// A task begins to run on another CPU than before, or runs for the first time after its fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Displacement {
    /// The task with its comm.
    pub(crate) id: TaskCommId,
    /// Lane of the run.
    pub(crate) lane: u32,
    pub(crate) index: u32,
    /// The CPU that the task left: that of the `sched_migrate_task`, else that of its previous run; `None` for a fork.
    pub(crate) from: Option<u32>,
    /// The CPU to which it was moved: that of the event, else that of the run.
    pub(crate) to: u32,
    /// End of the previous run.
    pub(crate) left: u64,
    /// When the kernel moved it: the last `sched_migrate_task` before the run, else the wakeup, else the run's start.
    pub(crate) decided: u64,
    /// The kind of migration; `None` for a fork.
    pub(crate) kind: Option<MigrationKind>,
    /// Index of the move that had taken the CPU which this one left.
    pub(crate) by: Option<u32>,
}

impl Displacement {
    pub(crate) fn start(&self, trace: &Trace) -> u64 {
        trace.lane_at(self.lane as usize).start_of(self.index as usize)
    }

    fn begin(&self, trace: &Trace) -> Begin {
        (self.start(trace), self.lane, self.index)
    }
}

/// All moves of a trace.
#[derive(Debug, Default)]
pub(crate) struct Displacements {
    /// Sorted by `decided`, then by place.
    pub(crate) all: Vec<Displacement>,
    /// Indexes of moves, grouped by task, in order of their runs.
    of_tasks: Grouped<u32>,
    /// By move: the first move of its cascade.
    pub(crate) root: Vec<u32>,
    /// The moves of cascades with at least two, grouped by root, in order within a group.
    pub(crate) by_root: Vec<u32>,
}

impl Displacements {
    /// The move that brought the task of a run to its CPU: its last one until then, because any time elsewhere would
    /// have ended with another move.
    pub(crate) fn arrival(&self, trace: &Trace, lane: usize, index: usize) -> Option<usize> {
        let mut task = trace.task_comm(trace.lane_at(lane).run(index)?).task;
        let begin = (trace.lane_at(lane).start_of(index), lane as u32, index as u32);
        loop {
            let of_task = self.of_tasks.of(task.0 as usize);
            let begun = |number: u32| self.get(number).is_some_and(|one| one.begin(trace) <= begin);
            let after = of_task.partition_point(|&number| begun(number));
            if let Some(&last) = after.checked_sub(1).and_then(|last| of_task.get(last)) {
                return Some(last as usize);
            }
            // The thread's task before an exec.
            task = trace.task(task).continues?;
        }
    }

    /// A move by its number.
    pub(crate) fn get(&self, number: u32) -> Option<&Displacement> {
        self.all.get(number as usize)
    }

    /// The first move of the cascade that contains a move.
    fn root_of(&self, number: u32) -> Option<u32> {
        self.root.get(number as usize).copied()
    }

    /// The moves of the cascade that contains a move, in order.
    pub(crate) fn cascade_of(&self, number: usize) -> Vec<u32> {
        let number = number as u32;
        let root = self.root_of(number);
        let first = self.by_root.partition_point(|&number| self.root_of(number) < root);
        let moves = self.cascade_from(first);
        match moves.first() {
            Some(&one) if self.root_of(one) == root => moves.to_vec(),
            // Nothing followed from it.
            _ => vec![number],
        }
    }

    /// The moves of the cascade that begins at this index of `by_root`, in order.
    pub(crate) fn cascade_from(&self, first: usize) -> &[u32] {
        let rest = self.by_root.get(first..).unwrap_or_default();
        let mut cascades = rest.chunk_by(|one, next| self.root_of(*one) == self.root_of(*next));
        cascades.next().unwrap_or_default()
    }

    /// Size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let numbers = [&self.root, &self.by_root];
        self.of_tasks.memory_bytes()
            + self.all.capacity() * size_of::<Displacement>()
            + numbers.map(|numbers| numbers.capacity() * 4).iter().sum::<usize>()
    }

    /// The move that had taken the CPU which move `number` left, when that was decided.
    fn driver(&self, trace: &Trace, number: usize) -> Option<usize> {
        let Displacement {
            from,
            left,
            decided,
            id,
            ..
        } = *self.all.get(number)?;
        let lane_index = trace.lane_index(from?)?;
        let lane = trace.lane_at(lane_index);
        let here = lane.find(decided)?;
        let other = |index: usize| {
            lane.run(index)
                .filter(|&run| trace.task_comm(run).task != trace.task_comm(id).task)
        };
        // It must come earlier in the list, so that events of the same time make no cycle.
        let came_since = |&arrival: &usize| {
            let came = self.all.get(arrival).map(|came| came.start(trace));
            arrival < number && came.is_some_and(|came| left <= came)
        };
        match lane.who(here) {
            Who::Unknown => return None,
            Who::Run(_) => {
                other(here)?;
                return self.arrival(trace, lane_index, here).filter(came_since);
            }
            Who::Idle if here + 1 == lane.len() => return None,
            Who::Idle => {}
        }
        // Idle, but with a task on its way there.
        other(here + 1)?;
        let arrival = self.arrival(trace, lane_index, here + 1)?;
        let coming = self.all.get(arrival)?;
        let on_its_way = coming.index as usize == here + 1 && coming.decided <= decided;
        Some(arrival).filter(|_| on_its_way).filter(came_since)
    }

    /// Adds a move that follows from another, after those of earlier roots and before later ones of its own.
    fn add_to_cascade(&mut self, root: u32, number: u32) {
        let last = self.by_root.last().and_then(|&last| self.root_of(last));
        if last != Some(root) {
            self.by_root.push(root);
        }
        self.by_root.push(number);
    }
}

/// Finds all moves in resumable steps.
#[derive(Debug)]
pub(crate) struct DisplacementSearch {
    stage: Stage,
    /// By task: its last run so far.
    last: Vec<Option<Begin>>,
    /// (place, decided, number in order of begin) of each move.
    keyed: Pieces<(u64, u64, u32)>,
    /// In order of begin, until they are sorted.
    found: Pieces<Displacement>,
    /// (task, number) of each, also in order of begin.
    begun: Pieces<(u32, u32)>,
    /// (root, number) of each move that follows from another.
    followers: Pieces<(u32, u32)>,
    moves: Displacements,
    walk: CountWalk,
}

#[derive(Debug)]
enum Stage {
    Find(TimeWalk),
    /// Sorts (place, decided, number in order of begin), by one key after the other.
    SortByPlace(SteppedSort<(u64, u64, u32)>),
    SortByTime(SteppedSort<(u64, u64, u32), 1>),
    Reorder(Reorder),
    SortByTask(SteppedSort<(u32, u32)>),
    Group(Grouping<u32>),
    Cause,
    SortByRoot(SteppedSort<(u32, u32)>),
    Cascades(Vec<(u32, u32)>, CountWalk),
}

const STAGES: f64 = 8.0;

/// Puts moves in their final order.
#[derive(Debug)]
struct Reorder {
    /// In this order: (place, decided, number in order of begin).
    sorted: Vec<(u64, u64, u32)>,
    reordered: Vec<Displacement>,
}

impl DisplacementSearch {
    pub(crate) fn new(trace: &Trace) -> DisplacementSearch {
        DisplacementSearch {
            stage: Stage::Find(TimeWalk::new(trace)),
            last: vec![None; trace.tasks.len()],
            keyed: Pieces::default(),
            found: Pieces::default(),
            begun: Pieces::default(),
            followers: Pieces::default(),
            moves: Displacements::default(),
            walk: CountWalk::default(),
        }
    }

    /// Continues; false once finished.
    pub(crate) fn step(&mut self, trace: &Trace, migrations: &Migrations) -> bool {
        match &mut self.stage {
            Stage::Find(walk) => match walk.next(trace) {
                Some(begins) => {
                    for &begin in begins {
                        if let Some(found) = find(trace, migrations, &mut self.last, begin) {
                            let place = u64::from(found.lane) << 32 | u64::from(found.index);
                            self.keyed.push((place, found.decided, self.found.count() as u32));
                            // Its number is known once all are in order.
                            self.begun.push((trace.task_comm(found.id).task.0, 0));
                            self.found.push(found);
                        }
                    }
                }
                None => {
                    let keyed = std::mem::take(&mut self.keyed);
                    self.stage = Stage::SortByPlace(SteppedSort::of_pieces(keyed));
                }
            },
            Stage::SortByPlace(sort) => {
                if !sort.step() {
                    let sort = std::mem::replace(sort, SteppedSort::new(Vec::new()));
                    self.stage = Stage::SortByTime(SteppedSort::new(sort.into_items()));
                }
            }
            Stage::SortByTime(sort) => {
                if !sort.step() {
                    let sort = std::mem::replace(sort, SteppedSort::new(Vec::new()));
                    let sorted = sort.into_items();
                    self.stage = Stage::Reorder(Reorder {
                        reordered: Vec::with_capacity(sorted.len()),
                        sorted,
                    });
                }
            }
            Stage::Reorder(reorder) => {
                if !reorder.step(&self.found, &mut self.begun) {
                    self.found = Pieces::default();
                    self.moves.all = std::mem::take(&mut reorder.reordered);
                    let begun = std::mem::take(&mut self.begun);
                    self.stage = Stage::SortByTask(SteppedSort::of_pieces(begun));
                }
            }
            Stage::SortByTask(sort) => {
                if !sort.step() {
                    let sort = std::mem::replace(sort, SteppedSort::new(Vec::new()));
                    self.stage = Stage::Group(Grouping::new(sort.into_items(), trace.tasks.len()));
                }
            }
            Stage::Group(grouping) => {
                if let Some(of_tasks) = grouping.step() {
                    self.moves.of_tasks = of_tasks;
                    self.moves.root.reserve_exact(self.moves.all.len());
                    self.stage = Stage::Cause;
                }
            }
            Stage::Cause => match self.walk.next(self.moves.all.len()) {
                Some(numbers) => {
                    for number in numbers {
                        let by = self.moves.driver(trace, number).map(|by| by as u32);
                        if let Some(found) = self.moves.all.get_mut(number) {
                            found.by = by;
                        }
                        // A cause comes earlier in the list.
                        let root = by.and_then(|by| self.moves.root_of(by));
                        self.moves.root.push(root.unwrap_or(number as u32));
                        if let Some(root) = root {
                            self.followers.push((root, number as u32));
                        }
                    }
                }
                None => {
                    let followers = std::mem::take(&mut self.followers);
                    self.stage = Stage::SortByRoot(SteppedSort::of_pieces(followers));
                }
            },
            Stage::SortByRoot(sort) => {
                if !sort.step() {
                    let sort = std::mem::replace(sort, SteppedSort::new(Vec::new()));
                    self.stage = Stage::Cascades(sort.into_items(), CountWalk::default());
                }
            }
            Stage::Cascades(followers, walk) => {
                let Some(range) = walk.next(followers.len()) else {
                    self.moves.by_root.shrink_to_fit();
                    return false;
                };
                for &(root, number) in followers.get(range).unwrap_or_default() {
                    self.moves.add_to_cascade(root, number);
                }
            }
        }
        true
    }

    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        let stage = match &self.stage {
            Stage::Find(walk) => walk.share(trace),
            Stage::SortByPlace(_) => 1.0,
            Stage::SortByTime(_) => 2.0,
            Stage::Reorder(reorder) => 3.0 + share(reorder.reordered.len(), reorder.sorted.len()),
            Stage::SortByTask(_) | Stage::Group(_) => 4.0,
            Stage::Cause => 5.0 + share(self.walk.at, self.moves.all.len()),
            Stage::SortByRoot(_) => 6.0,
            Stage::Cascades(followers, walk) => 7.0 + share(walk.at, followers.len()),
        };
        stage / STAGES
    }

    pub(crate) fn into_displacements(self) -> Displacements {
        self.moves
    }
}

impl Reorder {
    /// Continues; false once finished.
    fn step(&mut self, found: &Pieces<Displacement>, begun: &mut Pieces<(u32, u32)>) -> bool {
        let first = self.reordered.len();
        let part = self.sorted.iter().skip(first).take(CHUNK);
        for (&(_, _, begin), at) in part.zip(first as u32..) {
            // Each begin is the number of one move in the old order.
            if let Some(((_, number), found)) = begun.get_mut(begin as usize).zip(found.get(begin as usize)) {
                self.reordered.push(*found);
                *number = at;
            }
        }
        first < self.reordered.len() && self.reordered.len() < self.sorted.len()
    }
}

/// The move that the interval at this begin is, if it is one. Called for all intervals in order.
fn find(trace: &Trace, migrations: &Migrations, last: &mut [Option<Begin>], begin: Begin) -> Option<Displacement> {
    let (start, lane, index) = begin;
    let id = trace.lane_at(lane as usize).run(index as usize)?;
    let task = trace.task_comm(id).task;
    let same_thread = trace
        .task(task)
        .continues
        .and_then(|before| *last.get(before.0 as usize)?);
    let last = last.get_mut(task.0 as usize)?.replace(begin).or(same_thread);
    let is_fork = last.is_none() && trace.task(task).forked;
    if !is_fork && last.is_none_or(|last| last.1 == lane) {
        return None;
    }
    let moved = last.and_then(|last| {
        migrations
            .last_until(trace, task, start)
            .filter(|moved| last.0 < moved.at)
    });
    let woken = trace.edges.last_before(task, start);
    let woken = woken
        .map(|number| trace.edges.get(number))
        .filter(|edge| edge.running == Some(start));
    // What only runs tell is no event.
    let event = moved.filter(|moved| !moved.kind.is_derived());
    let (from, to) = (event.and_then(Migration::from), event.and_then(Migration::to));
    Some(Displacement {
        id,
        lane,
        index,
        from: last.map(|last| from.unwrap_or(trace.cpu_at(last.1 as usize))),
        to: to.unwrap_or(trace.cpu_at(lane as usize)),
        left: last.map_or(0, |(_, lane, index)| {
            trace.lane_at(lane as usize).end_of(index as usize)
        }),
        decided: moved.map_or(woken.map_or(start, |edge| edge.at), |moved| moved.at),
        kind: last.map(|_| match (moved, woken) {
            (Some(moved), _) => moved.kind,
            (None, Some(_)) => MigrationKind::Placement,
            (None, None) => MigrationKind::Other,
        }),
        by: None,
    })
}
