//! How tasks ran and moved in windows, to compare a scheduler with the one before it.

use std::collections::BTreeMap;

use schedmodel::topology::Topology;
use schedmodel::Trace;
use schedquery::query::{
    latency, moves, preempted_runs, slices, GroupBy, GroupName, Measured, MoveCounts, Selection, SliceCounts,
    TimeWindow,
};
use serde::Serialize;
use ts_rs::TS;

/// Bins of a histogram of run lengths; the last one holds all that are longer.
const BINS: usize = 41;
/// Bins up to the nominal slice.
const BINS_TO_SLICE: u64 = 20;

/// A command in a window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct CommandRuns {
    /// Its name.
    pub comm: String,
    /// Runs that ended with the task still runnable; known yields are left out.
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
    pub moves: MoveCounts,
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
    let moved = moves(trace, &selection, topology);
    let mut moved_by: BTreeMap<String, MoveCounts> =
        moved.commands.into_iter().map(|of| (of.comm, of.counts)).collect();
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
            Some(CommandRuns {
                preempted: group.runs.preempted,
                slept: group.runs.slept,
                exited: group.runs.exited,
                slice: within.remove(&comm).unwrap_or_default(),
                histogram: bins.remove(&comm).unwrap_or_default(),
                moves: moved_by.remove(&comm).unwrap_or_default(),
                comm,
            })
        })
        .collect();
    let runs = |of: &CommandRuns| of.preempted.count + of.slept.count + of.exited.count;
    commands.sort_by(|a, b| runs(b).cmp(&runs(a)).then_with(|| a.comm.cmp(&b.comm)));
    WindowRuns {
        length: moved.window_ns,
        bin,
        all: CommandRuns {
            comm: String::new(),
            preempted: latencies.runs.preempted,
            slept: latencies.runs.slept,
            exited: latencies.runs.exited,
            slice: found.all,
            histogram: all_bins,
            moves: moved.all,
        },
        commands,
    }
}
