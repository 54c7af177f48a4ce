//! Cascades: a task is put on a CPU; when the task that belongs there wakes, it is put on another CPU, and so on
//! (section 3.3 of *Graphing Tools for Scheduler Tracing*).
//!
//! A move is caused by the move of another task to the CPU that it leaves, if that came after its own last run there
//! and the other task is still there, or on its way, when the kernel decides. Kernel threads that only pass through
//! cause nothing, because they are gone by then. Each move has at most one cause, so a cascade is a tree with one root.

use crate::query::jobs::displacements::{Displacement, DisplacementSearch, Displacements};
use crate::query::jobs::job::{run, Job, Model};
use crate::query::select::refs::TaskName;
use crate::query::select::selected::Scope;
use crate::query::select::selection::Selection;
use crate::query::select::top::Top;
use crate::query::select::walk::CHUNK;
use schedindex::wait_in_doubt;
use schedmodel::{named, MigrationKind, Time, Trace};
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::Arc;
use ts_rs::TS;

/// The most moves listed per cascade; the others are counted.
const MOST_MOVES: usize = 1000;

/// JSON of `corelane cascades`, which prints instants as absolute trace times; durations are in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CascadeReport {
    /// Number of cascades with at least two moves.
    pub count: usize,
    /// The longest cascades, in descending order.
    pub cascades: Vec<Cascade>,
}

/// A move and all moves that it caused, directly or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Cascade {
    /// Number of moves on the longest path from the first move.
    pub length: usize,
    /// Number of moves.
    pub moves_total: usize,
    /// When the first move was decided.
    pub start_ns: Time,
    /// When the last of the moved tasks runs.
    pub end_ns: Time,
    /// How long the moved tasks had waited, in total.
    pub cost_ns: u64,
    /// Records are missing while one of the tasks waited, so it may have run before, unseen.
    pub uncertain: bool,
    /// The moves in order of time.
    pub moves: Vec<CascadeMove>,
}

/// One move of a cascade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CascadeMove {
    /// The task that moved.
    #[serde(flatten)]
    pub task: TaskName,
    /// When the kernel decided the move.
    pub at_ns: Time,
    /// When the task ran there.
    pub running_ns: Time,
    /// How long it had waited until then; 0 if the trace does not tell.
    pub wait_ns: u64,
    /// The CPU that it left, as `sched_migrate_task` has it; without such an event, where it ran before. Null for a fork.
    pub from_cpu: Option<u32>,
    /// Where it was put, as the event has it; without an event, where it then ran.
    pub to_cpu: u32,
    /// `placement`, `load_balance`, `numa`, `other` or `fork`.
    pub kind: CascadeMoveKind,
    /// Index, in the list, of the move that took the CPU which this one left; null for the first.
    pub displaced_by: Option<usize>,
}

/// All cascades of a trace.
#[derive(Debug)]
pub struct Cascades<'a> {
    trace: &'a Trace,
    moves: Arc<Displacements>,
}

impl<'a> Cascades<'a> {
    /// Finds all moves and their causes.
    pub fn new(trace: &'a Trace) -> Cascades<'a> {
        let moves = run(trace, DisplacementsJob::new(trace));
        Cascades { trace, moves }
    }

    /// The `top` longest cascades with at least one move in the selection.
    pub fn longest(&self, selection: &Selection, top: usize) -> CascadeReport {
        let mut ranking = Ranking::new(Scope::new(self.trace, selection), top, By::Length);
        while ranking.step(self.trace, &self.moves) {}
        ranking.report(self.trace, &self.moves)
    }

    /// The cascade that the run on a CPU at an instant (since the trace's first record) is part of: the move that
    /// brought its task there, back to the first one and forward to all that followed.
    pub fn of_run(&self, cpu: u32, at: u64) -> Option<Cascade> {
        of_run(self.trace, &self.moves, cpu, at)
    }
}

fn of_run(trace: &Trace, moves: &Displacements, cpu: u32, at: u64) -> Option<Cascade> {
    let lane = trace.lane_index(cpu)?;
    let arrival = moves.arrival(trace, lane, trace.lane_at(lane).find(at)?)?;
    Some(describe(trace, moves, &moves.cascade_of(arrival)))
}

/// Finds all moves, unless they are known already.
#[derive(Debug)]
pub(crate) struct DisplacementsJob(Option<DisplacementSearch>);

impl DisplacementsJob {
    pub(crate) fn new(trace: &Trace) -> DisplacementsJob {
        DisplacementsJob(Some(DisplacementSearch::new(trace)))
    }
}

impl Job for DisplacementsJob {
    type Answer = Arc<Displacements>;

    fn step(&mut self, model: Model<'_>) -> bool {
        let Model { trace, shared } = model;
        let search = self.0.as_mut().filter(|_| shared.displacements.get().is_none());
        let more = |search: &mut DisplacementSearch| {
            !shared.prepare_migrations(trace) || search.step(trace, shared.migrations(trace))
        };
        if search.is_some_and(more) {
            return true;
        }
        if let Some(search) = self.0.take() {
            shared
                .displacements
                .get_or_init(|| Arc::new(search.into_displacements()));
        }
        false
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.0.as_ref().map_or(1.0, |search| search.share(model.trace))
    }

    fn answer(self, model: Model<'_>) -> Arc<Displacements> {
        model.shared.displacements.get().map_or_else(Arc::default, Arc::clone)
    }
}

/// [`Cascades::longest`] as a job.
#[derive(Debug)]
pub(crate) struct CascadesJob {
    moves: DisplacementsJob,
    ranking: Ranking,
}

impl CascadesJob {
    /// The longest.
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, top: usize) -> CascadesJob {
        CascadesJob::by(trace, Ranking::new(scope, top, By::Length))
    }

    /// The costliest; uncertain ones come after all others.
    pub(crate) fn costliest(trace: &Trace, scope: Arc<Scope>, top: usize) -> CascadesJob {
        CascadesJob::by(trace, Ranking::new(scope, top, By::Cost))
    }

    fn by(trace: &Trace, ranking: Ranking) -> CascadesJob {
        let moves = DisplacementsJob::new(trace);
        CascadesJob { moves, ranking }
    }
}

impl Job for CascadesJob {
    type Answer = CascadeReport;

    fn step(&mut self, model: Model<'_>) -> bool {
        let found = model.shared.displacements.get();
        self.moves.step(model) || found.is_none_or(|moves| self.ranking.step(model.trace, moves))
    }

    fn share(&self, model: Model<'_>) -> f64 {
        // Ranking is little work.
        self.moves.share(model) * 0.9
    }

    fn answer(self, model: Model<'_>) -> CascadeReport {
        let moves = self.moves.answer(model);
        self.ranking.report(model.trace, &moves)
    }
}

/// Finds the cascade that a run is part of, as a job.
#[derive(Debug)]
pub(crate) struct CascadeOfJob {
    moves: DisplacementsJob,
    cpu: u32,
    at: u64,
}

impl CascadeOfJob {
    pub(crate) fn new(trace: &Trace, cpu: u32, at: u64) -> CascadeOfJob {
        let moves = DisplacementsJob::new(trace);
        CascadeOfJob { moves, cpu, at }
    }
}

impl Job for CascadeOfJob {
    type Answer = Option<Cascade>;

    fn step(&mut self, model: Model<'_>) -> bool {
        self.moves.step(model)
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.moves.share(model)
    }

    fn answer(self, model: Model<'_>) -> Option<Cascade> {
        of_run(model.trace, &self.moves.answer(model), self.cpu, self.at)
    }
}

/// Uncertain; (length, cost, number of moves), or (cost, length, number of moves), reversed; then the first move.
type Rank = (bool, Reverse<(u64, u64, usize)>, usize);

/// What cascades are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// Length, then cost, whether they are certain or not.
    Length,
    /// Certainty, then cost, then length.
    Cost,
}

/// The first cascades of a selection.
#[derive(Debug)]
struct Ranking {
    scope: Arc<Scope>,
    by: By,
    /// Next index into `by_root`.
    at: usize,
    count: usize,
    first: Top<Rank>,
}

impl Ranking {
    fn new(scope: Arc<Scope>, top: usize, by: By) -> Ranking {
        Ranking {
            scope,
            by,
            at: 0,
            count: 0,
            first: Top::new(top),
        }
    }

    /// Ranks a cascade that is selected.
    fn add(&mut self, trace: &Trace, found: &Displacements, moves: &[u32], first: usize) {
        self.count += 1;
        let (length, cost) = (length(found, moves) as u64, cost(trace, found, moves));
        let rank = match self.by {
            By::Length => (length, cost, moves.len()),
            By::Cost => (cost, length, moves.len()),
        };
        if self.first.takes(&(false, Reverse(rank), first)) {
            let uncertain = self.by == By::Cost && in_doubt(trace, found, moves);
            self.first.push((uncertain, Reverse(rank), first));
        }
    }

    fn step(&mut self, trace: &Trace, found: &Displacements) -> bool {
        let end = found.by_root.len().min(self.at + CHUNK);
        while self.at < end {
            let first = self.at;
            let moves = found.cascade_from(first);
            // A cascade has a move at least.
            self.at += moves.len().max(1);
            if moves
                .iter()
                .any(|&number| found.get(number).is_some_and(|one| self.is_in(trace, one)))
            {
                self.add(trace, found, moves, first);
            }
        }
        self.at < found.by_root.len()
    }

    fn is_in(&self, trace: &Trace, found: &Displacement) -> bool {
        let has_cpu = |cpu: u32| trace.lane_index(cpu).is_some_and(|lane| self.scope.has_lane(lane));
        (self.scope.has_lane(found.lane as usize) || has_cpu(found.to) || found.from.is_some_and(has_cpu))
            && self
                .scope
                .shown
                .has_run(found.id, found.lane as usize, found.index as usize)
            && self.scope.window.contains(&found.decided)
    }

    fn report(self, trace: &Trace, moves: &Displacements) -> CascadeReport {
        let first = self.first.into_sorted().into_iter();
        CascadeReport {
            count: self.count,
            cascades: first
                .map(|(_, _, first)| describe(trace, moves, moves.cascade_from(first)))
                .collect(),
        }
    }
}

fn length(found: &Displacements, moves: &[u32]) -> usize {
    let mut lengths: Vec<usize> = Vec::with_capacity(moves.len());
    for &number in moves {
        let by = found.get(number).and_then(|one| one.by);
        let before = by.and_then(|by| lengths.get(moves.binary_search(&by).ok()?));
        lengths.push(before.map_or(1, |before| before + 1));
    }
    lengths.into_iter().max().unwrap_or(0)
}

fn wait(trace: &Trace, found: &Displacement) -> u64 {
    let (lane, index) = (trace.lane_at(found.lane as usize), found.index as usize);
    lane.wait(index).map_or(0, |wait| lane.start_of(index) - wait.since)
}

fn cost(trace: &Trace, found: &Displacements, moves: &[u32]) -> u64 {
    let waits = moves.iter().filter_map(|&number| Some(wait(trace, found.get(number)?)));
    waits.fold(0, u64::saturating_add)
}

fn in_doubt(trace: &Trace, found: &Displacements, moves: &[u32]) -> bool {
    let mut all = moves.iter().filter_map(|&number| found.get(number));
    all.any(|each| wait_in_doubt(trace, each.lane as usize, each.index as usize))
}

fn describe(trace: &Trace, found: &Displacements, moves: &[u32]) -> Cascade {
    let all = moves.iter().filter_map(|&number| found.get(number));
    let (decided, running) = (
        all.clone().map(|each| each.decided),
        all.clone().map(|each| each.start(trace)),
    );
    Cascade {
        length: length(found, moves),
        moves_total: moves.len(),
        start_ns: Time(decided.min().unwrap_or(0)),
        end_ns: Time(running.max().unwrap_or(0)),
        cost_ns: cost(trace, found, moves),
        uncertain: in_doubt(trace, found, moves),
        moves: all
            .take(MOST_MOVES)
            .map(|each| CascadeMove {
                task: TaskName::of(trace, each.id),
                at_ns: Time(each.decided),
                running_ns: Time(each.start(trace)),
                wait_ns: wait(trace, each),
                from_cpu: each.from,
                to_cpu: each.to,
                kind: each.kind.into(),
                displaced_by: each.by.and_then(|by| moves.binary_search(&by).ok()),
            })
            .collect(),
    }
}

/// What moved a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CascadeMoveKind {
    /// Nothing: it was forked there.
    Fork,
    /// A wakeup, which chose another CPU.
    Placement,
    /// Load balancing.
    LoadBalance,
    /// NUMA balancing.
    Numa,
    /// Something else.
    Other,
}

named!(CascadeMoveKind as "CascadeMoveKind" {
    Fork = "fork",
    Placement = "placement",
    LoadBalance = "load_balance",
    Numa = "numa",
    Other = "other",
});

impl From<Option<MigrationKind>> for CascadeMoveKind {
    fn from(kind: Option<MigrationKind>) -> CascadeMoveKind {
        match kind {
            None => CascadeMoveKind::Fork,
            Some(MigrationKind::Placement) => CascadeMoveKind::Placement,
            Some(MigrationKind::LoadBalance) => CascadeMoveKind::LoadBalance,
            Some(MigrationKind::Numa) => CascadeMoveKind::Numa,
            Some(MigrationKind::Other | MigrationKind::Derived | MigrationKind::FirstRun) => CascadeMoveKind::Other,
        }
    }
}
