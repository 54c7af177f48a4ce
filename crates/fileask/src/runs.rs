//! How tasks ran and moved in windows, to compare a scheduler with the one before it.

use std::collections::BTreeMap;

use serde::Serialize;
use tracecore::query::{
    latency, preempted_runs, slices, GroupBy, GroupName, Measured, Selection, SliceCounts, TimeWindow,
};
use tracecore::sched::topology::{Distance, Topology};
use tracecore::sched::{MigrationKind, Trace};
use ts_rs::TS;

/// Bins of a histogram of run lengths; the last one holds all that are longer.
const BINS: usize = 41;
/// Bins up to the nominal slice.
const BINS_TO_SLICE: u64 = 20;

/// Migrations by why the task moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Kinds {
    /// All but those derived.
    pub total: u64,
    /// As part of a wakeup.
    pub placement: u64,
    /// While the task was runnable.
    pub load_balance: u64,
    /// NUMA balancing.
    pub numa: u64,
    /// Anything else.
    pub other: u64,
    /// No event, but derived from where the task runs.
    pub derived: u64,
}

impl Kinds {
    fn add(&mut self, kind: MigrationKind) {
        self.total += u64::from(kind != MigrationKind::Derived);
        *match kind {
            MigrationKind::Placement => &mut self.placement,
            MigrationKind::LoadBalance => &mut self.load_balance,
            MigrationKind::Numa => &mut self.numa,
            MigrationKind::Other => &mut self.other,
            MigrationKind::Derived => &mut self.derived,
        } += 1;
    }
}

/// Migrations, derived ones too, by how far apart the two CPUs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "MigrationDistances")]
pub struct Distances {
    /// Threads of one core.
    pub core: u64,
    /// Cores with one last-level cache.
    pub llc: u64,
    /// Two last-level caches of a socket.
    pub socket: u64,
    /// Two sockets.
    pub machine: u64,
    /// Not known.
    pub unknown: u64,
}

impl Distances {
    fn add(&mut self, distance: Option<Distance>) {
        *match distance {
            Some(Distance::Cpu | Distance::Core) => &mut self.core,
            Some(Distance::Llc) => &mut self.llc,
            Some(Distance::Socket) => &mut self.socket,
            Some(Distance::Machine) => &mut self.machine,
            None => &mut self.unknown,
        } += 1;
    }
}

/// A command in a window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct CommandRuns {
    /// Its name.
    pub comm: String,
    /// Runs that ended by preemption.
    pub preempted: Measured,
    /// That ended by sleeping, blocking or stopping.
    pub slept: Measured,
    /// That ended by exiting.
    pub exited: Measured,
    /// Preempted runs from the slice to a tick more.
    pub slice: SliceCounts,
    /// Preempted runs by length.
    pub histogram: Vec<u32>,
    /// Its tasks' migrations.
    pub migrations: Kinds,
    /// The same by distance.
    pub distances: Distances,
}

/// A window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct WindowRuns {
    /// How long it is, in ns (ticks, where the clock counts such).
    pub length: u64,
    /// Width of a histogram's bin; the last one holds all that are longer.
    pub bin: u64,
    /// All commands together; its name is empty.
    pub all: CommandRuns,
    /// Those that ran, those with most runs first.
    pub commands: Vec<CommandRuns>,
}

#[derive(Default)]
struct Moved {
    kinds: Kinds,
    distances: Distances,
}

/// Measures a window.
pub(crate) fn window_runs(
    trace: &Trace,
    window: TimeWindow,
    (slice, tick): (u64, u64),
    topology: Option<&Topology>,
) -> WindowRuns {
    let selection = Selection {
        min: Some(window.start),
        max: Some(window.end),
        ..Selection::default()
    };
    let bin = (slice / BINS_TO_SLICE).max(1);
    let mut all_bins = vec![0_u32; BINS];
    let mut bins: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    preempted_runs(trace, &selection, &mut |comm, length| {
        let at = (length / bin).min(BINS as u64 - 1) as usize;
        let of = bins
            .entry(trace.comms.name(comm).to_owned())
            .or_insert_with(|| vec![0; BINS]);
        for bins in [&mut all_bins, of] {
            if let Some(count) = bins.get_mut(at) {
                *count += 1;
            }
        }
    });
    let mut all_moved = Moved::default();
    let mut moved: BTreeMap<&str, Moved> = BTreeMap::new();
    let is_in = |at: u64| window.start <= at && at < window.end;
    for migration in trace.migrations.iter().filter(|migration| is_in(migration.at)) {
        let distance = match (topology, migration.from(), migration.to()) {
            (Some(topology), Some(from), Some(to)) => topology.distance(from, to),
            _ => None,
        };
        let comm = trace.comms.name(trace.task(migration.task).comm);
        for moved in [&mut all_moved, moved.entry(comm).or_default()] {
            moved.kinds.add(migration.kind);
            moved.distances.add(distance);
        }
    }
    let found = slices(trace, &selection, slice, tick);
    let mut within: BTreeMap<String, SliceCounts> = found.commands.into_iter().map(|of| (of.comm, of.counts)).collect();
    let latencies = latency(trace, &selection, GroupBy::Command, 0);
    let mut commands: Vec<CommandRuns> = latencies
        .groups
        .into_iter()
        .filter_map(|group| {
            let GroupName::Command { comm } = group.name else {
                return None;
            };
            let moved = moved.remove(comm.as_str()).unwrap_or_default();
            Some(CommandRuns {
                preempted: group.runs.preempted,
                slept: group.runs.slept,
                exited: group.runs.exited,
                slice: within.remove(&comm).unwrap_or_default(),
                histogram: bins.remove(&comm).unwrap_or_default(),
                migrations: moved.kinds,
                distances: moved.distances,
                comm,
            })
        })
        .collect();
    let runs = |of: &CommandRuns| of.preempted.count + of.slept.count + of.exited.count;
    commands.sort_by(|a, b| runs(b).cmp(&runs(a)).then_with(|| a.comm.cmp(&b.comm)));
    WindowRuns {
        length: window.end.min(trace.span_ns).saturating_sub(window.start),
        bin,
        all: CommandRuns {
            comm: String::new(),
            preempted: latencies.runs.preempted,
            slept: latencies.runs.slept,
            exited: latencies.runs.exited,
            slice: found.all,
            histogram: all_bins,
            migrations: all_moved.kinds,
            distances: all_moved.distances,
        },
        commands,
    }
}
