//! Migrations of a selection: by kind, by how far they went, by command, and in a second.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schedmodel::topology::{Distance, Topology};
use schedmodel::{Migration, MigrationKind, TaskCommId, Trace};
use serde::Serialize;
use ts_rs::TS;

use crate::query::select::selection::Selection;
use schedindex::MigrationCounts;

/// Of all tasks, and of each command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moves {
    /// How long the window is, in ns.
    pub window_ns: u64,
    /// Of all tasks.
    #[serde(flatten)]
    pub all: MoveCounts,
    /// By the last name of tasks, those with most first.
    pub commands: Vec<CommandMoves>,
}

/// Of one command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandMoves {
    /// Its name.
    pub comm: String,
    /// Its migrations.
    #[serde(flatten)]
    pub counts: MoveCounts,
}

/// Migrations by kind, and by distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct MoveCounts {
    /// By kind.
    pub kinds: MigrationCounts,
    /// Also of those that are derived; `None` without a topology.
    pub distances: Option<Distances>,
}

/// Migrations by the smallest part of the machine that they stayed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "MoveDistances")]
pub struct Distances {
    /// From one thread of a core to another.
    pub core: u64,
    /// To another core with the same last-level cache.
    pub llc: u64,
    /// To another last-level cache of the socket.
    pub socket: u64,
    /// To another socket.
    pub machine: u64,
    /// Of all these, those to another NUMA node.
    pub nodes: u64,
    /// From or to a CPU that is unknown, or not in the topology.
    pub unknown: u64,
}

impl MoveCounts {
    fn add(&mut self, migration: &Migration, topology: Option<&Topology>) {
        self.kinds.add(migration.kind);
        if let (Some(topology), true) = (topology, migration.kind != MigrationKind::FirstRun) {
            self.distances
                .get_or_insert_with(Distances::default)
                .add(migration, topology);
        }
    }

    /// All, also those that are derived.
    fn count(&self) -> u64 {
        self.kinds.total() + self.kinds.derived
    }
}

impl Distances {
    fn add(&mut self, migration: &Migration, topology: &Topology) {
        let places = migration.from().zip(migration.to());
        let places = places.and_then(|(from, to)| topology.place(from).zip(topology.place(to)));
        let Some((from, to)) = places else {
            self.unknown += 1;
            return;
        };
        *match from.distance(to) {
            // A migration to where the task is: such an event would be the kernel's mistake.
            Distance::Cpu => &mut self.unknown,
            Distance::Core => &mut self.core,
            Distance::Llc => &mut self.llc,
            Distance::Socket => &mut self.socket,
            Distance::Machine => &mut self.machine,
        } += 1;
        self.nodes += u64::from(from.node != to.node);
    }
}

/// The migrations in the window of tasks that are selected under any of their names, whatever the CPU.
pub fn moves(trace: &Trace, selection: &Selection, topology: Option<&Topology>) -> Moves {
    let (window, shown) = (selection.window(trace), selection.shown(trace));
    let mut is_selected = vec![false; trace.tasks.len()];
    for (pair, id) in trace.task_comms.iter().zip((0..).map(TaskCommId)) {
        if let Some(selected) = is_selected.get_mut(pair.task.0 as usize) {
            *selected |= shown.has(id);
        }
    }
    let empty = MoveCounts {
        distances: topology.map(|_| Distances::default()),
        ..MoveCounts::default()
    };
    let mut all = empty;
    let mut commands: BTreeMap<&str, MoveCounts> = BTreeMap::new();
    for migration in &trace.migrations {
        if window.contains(&migration.at) && is_selected.get(migration.task.0 as usize) == Some(&true) {
            all.add(migration, topology);
            let comm = trace.comms.name(trace.task(migration.task).comm);
            commands.entry(comm).or_insert(empty).add(migration, topology);
        }
    }
    let mut commands: Vec<CommandMoves> = commands
        .into_iter()
        .map(|(comm, counts)| CommandMoves {
            comm: comm.to_owned(),
            counts,
        })
        .collect();
    commands.sort_by_key(|command| Reverse(command.counts.count()));
    Moves {
        window_ns: window.end.min(trace.span_ns).saturating_sub(window.start),
        all,
        commands,
    }
}
