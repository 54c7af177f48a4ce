//! Cascades: a task is put on a CPU, whose owner then wakes and is put on another, whose owner ... (section 3.3 of
//! *Graphing Tools for Scheduler Tracing*).
//!
//! A move is caused by the move of another task to the CPU it leaves, if that came after its own last run there and is
//! still there (or on its way) when the kernel decides. Kernel threads that only pass by cause nothing: they are gone.
//! Each move has at most one cause, so that a cascade is a tree with one root.

use super::moves::{Move, Moves};
use super::name::TaskName;
use super::selected::Selected;
use super::selection::Selection;
use crate::sched::{MigrationKind, Trace};
use serde::Serialize;
use std::cmp::Reverse;

/// Moves of one cascade that are listed; the others are counted.
const MOST_MOVES: usize = 1000;

/// The JSON of `corelane cascades`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CascadeReport {
    /// Cascades of at least two moves.
    pub count: usize,
    /// The longest, longest first.
    pub cascades: Vec<Cascade>,
}

/// A move and all that followed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cascade {
    /// Moves on the longest way from the first to a last.
    pub length: usize,
    /// All moves.
    pub moves_total: usize,
    /// The first move.
    pub start_ns: u64,
    /// The last task to move runs.
    pub end_ns: u64,
    /// How long the moved tasks had waited, together, when they ran.
    pub cost_ns: u64,
    /// In order of time.
    pub moves: Vec<CascadeMove>,
}

/// One move of a cascade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CascadeMove {
    /// Who moved.
    #[serde(flatten)]
    pub task: TaskName,
    /// When the kernel moved it.
    pub at_ns: u64,
    /// When it ran there.
    pub running_ns: u64,
    /// How long it had waited until then; 0 where the trace does not tell.
    pub wait_ns: u64,
    /// Where it ran before; null for a fork.
    pub from_cpu: Option<u32>,
    /// Where it was put.
    pub to_cpu: u32,
    /// `placement`, `load_balance`, `numa`, `other` or `fork`.
    pub kind: &'static str,
    /// Which move took the CPU that it left, by index in the list; null for the first.
    pub displaced_by: Option<usize>,
}

/// All cascades of a trace.
#[derive(Debug)]
pub struct Cascades<'a> {
    trace: &'a Trace,
    moves: Moves,
    /// Of each move, which move began its cascade.
    root: Vec<usize>,
    /// Moves grouped by root, in order within a group.
    by_root: Vec<usize>,
}

impl<'a> Cascades<'a> {
    /// Finds all moves, and what caused them.
    pub fn new(trace: &'a Trace) -> Cascades<'a> {
        let moves = Moves::new(trace);
        let mut root: Vec<usize> = Vec::with_capacity(moves.all.len());
        for (index, found) in moves.all.iter().enumerate() {
            // A cause comes earlier in the list.
            root.push(found.by.map_or(index, |by| root[by]));
        }
        let mut by_root: Vec<usize> = (0..root.len()).collect();
        by_root.sort_by_key(|&index| root[index]);
        Cascades {
            trace,
            moves,
            root,
            by_root,
        }
    }

    /// The `top` longest cascades of which a move lies in the selection.
    pub fn longest(&self, selection: &Selection, top: usize) -> CascadeReport {
        let selected = Selected::new(self.trace, selection);
        let mut found: Vec<(usize, &[usize])> = self
            .by_root
            .chunk_by(|&a, &b| self.root[a] == self.root[b])
            .filter(|moves| 1 < moves.len() && moves.iter().any(|&index| self.is_in(&selected, index)))
            .map(|moves| (self.length(moves), moves))
            .collect();
        found
            .sort_by_key(|&(length, moves)| (Reverse((length, self.cost(moves), moves.len())), moves.first().copied()));
        let longest = found.iter().take(top);
        CascadeReport {
            count: found.len(),
            cascades: longest.map(|(_, moves)| self.describe(moves)).collect(),
        }
    }

    /// The cascade that the run of a CPU at an instant (since the trace's first record) is part of: the move that brought
    /// its task there, back to the first one and forward to all that followed.
    pub fn of_run(&self, cpu: u32, at: u64) -> Option<Cascade> {
        let lane = self.trace.lane_index(cpu)?;
        let root = self.root[self.moves.arrival(lane, self.trace.lanes[lane].find(at)?)?];
        let first = self.by_root.partition_point(|&index| self.root[index] < root);
        let end = self.by_root.partition_point(|&index| self.root[index] <= root);
        Some(self.describe(&self.by_root[first..end]))
    }

    fn is_in(&self, selected: &Selected, index: usize) -> bool {
        let found = &self.moves.all[index];
        let on_cpu = selected.has_lane(found.lane) || found.from.is_some_and(|lane| selected.has_lane(lane));
        on_cpu && selected.shown.has(found.id) && selected.window.contains(&found.decided)
    }

    fn length(&self, moves: &[usize]) -> usize {
        let mut lengths: Vec<usize> = Vec::with_capacity(moves.len());
        for &index in moves {
            let before = self.moves.all[index].by.and_then(|by| moves.binary_search(&by).ok());
            lengths.push(before.map_or(1, |before| lengths[before] + 1));
        }
        lengths.into_iter().max().unwrap_or(0)
    }

    fn wait(&self, found: &Move) -> u64 {
        let lane = &self.trace.lanes[found.lane];
        lane.wait(found.index)
            .map_or(0, |wait| lane.starts()[found.index] - wait.since)
    }

    fn cost(&self, moves: &[usize]) -> u64 {
        let waits = moves.iter().map(|&index| self.wait(&self.moves.all[index]));
        waits.fold(0, u64::saturating_add)
    }

    fn describe(&self, moves: &[usize]) -> Cascade {
        let trace = self.trace;
        let running = |found: &Move| trace.lanes[found.lane].starts()[found.index];
        let all = moves.iter().map(|&index| &self.moves.all[index]);
        Cascade {
            length: self.length(moves),
            moves_total: moves.len(),
            start_ns: trace.base_ns + all.clone().map(|found| found.decided).min().unwrap_or(0),
            end_ns: trace.base_ns + all.clone().map(running).max().unwrap_or(0),
            cost_ns: self.cost(moves),
            moves: all
                .take(MOST_MOVES)
                .map(|found| CascadeMove {
                    task: TaskName::of(trace, found.id),
                    at_ns: trace.base_ns + found.decided,
                    running_ns: trace.base_ns + running(found),
                    wait_ns: self.wait(found),
                    from_cpu: found.from.map(|lane| trace.cpus[lane]),
                    to_cpu: trace.cpus[found.lane],
                    kind: kind_name(found.kind),
                    displaced_by: found.by.and_then(|by| moves.binary_search(&by).ok()),
                })
                .collect(),
        }
    }
}

fn kind_name(kind: Option<MigrationKind>) -> &'static str {
    match kind {
        None => "fork",
        Some(MigrationKind::Placement) => "placement",
        Some(MigrationKind::LoadBalance) => "load_balance",
        Some(MigrationKind::Numa) => "numa",
        Some(MigrationKind::Other) => "other",
    }
}
