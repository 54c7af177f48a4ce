//! Preempted runs beside a nominal time slice: how many lasted about as long. The mean of all runs is not the slice, since
//! most runs end by sleeping.

use crate::query::explain::latency::RunEnd;
use crate::query::select::selected::Selected;
use crate::query::select::selection::Selection;
use schedmodel::{CommId, Trace};
use serde::Serialize;
use std::cmp::Reverse;
use ts_rs::TS;

/// Of all, and of each command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slices {
    /// The slice, in ns.
    pub slice_ns: u64,
    /// What a run may last longer: the scheduler looks at it at ticks.
    pub tick_ns: u64,
    /// All commands.
    #[serde(flatten)]
    pub all: SliceCounts,
    /// Those with preempted runs, those with most first.
    pub commands: Vec<CommandSlices>,
}

/// Of one command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandSlices {
    /// Its name.
    pub comm: String,
    /// Its runs.
    #[serde(flatten)]
    pub counts: SliceCounts,
}

/// Preempted runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS)]
pub struct SliceCounts {
    /// All whose begin and end are in the trace.
    pub preempted: u64,
    /// Those from the slice to a tick more.
    pub within: u64,
    /// Those, of all; `None` if there are none.
    pub share: Option<f64>,
}

impl SliceCounts {
    fn add(&mut self, is_within: bool) {
        self.preempted += 1;
        self.within += u64::from(is_within);
        self.share = Some(self.within as f64 / self.preempted as f64);
    }
}

/// Hands each preempted run of a selection, whose begin and end are in the trace, to `take`: its command and its length.
pub fn preempted_runs(trace: &Trace, selection: &Selection, take: &mut dyn FnMut(CommId, u64)) {
    let selected = Selected::new(trace, selection);
    for (lane_index, lane) in trace
        .lanes
        .iter()
        .enumerate()
        .filter(|(lane, _)| selected.has_lane(*lane))
    {
        for run in selected.runs_in(lane_index, 0..lane.len()) {
            let whole = lane.whole_run(run.index);
            let begin = lane.start_of(whole.start);
            let is_measured =
                whole.end == run.index + 1 && selected.window.contains(&begin) && lane.switched_to(whole.start);
            let end = lane.end_state(run.index).and_then(RunEnd::of);
            if is_measured && end == Some(RunEnd::Preempted) {
                take(trace.task_comm(run.id).comm, run.interval.end - begin);
            }
        }
    }
}

/// The preempted runs of a selection that lasted from `slice_ns` to `tick_ns` longer.
pub fn slices(trace: &Trace, selection: &Selection, slice_ns: u64, tick_ns: u64) -> Slices {
    let mut all = SliceCounts::default();
    let mut by_comm = vec![SliceCounts::default(); trace.comms.names().len()];
    preempted_runs(trace, selection, &mut |comm, length| {
        let is_within = (slice_ns..=slice_ns.saturating_add(tick_ns)).contains(&length);
        all.add(is_within);
        if let Some(of) = by_comm.get_mut(comm.0 as usize) {
            of.add(is_within);
        }
    });
    let mut commands: Vec<CommandSlices> = by_comm
        .into_iter()
        .zip(0..)
        .filter(|(counts, _)| 0 < counts.preempted)
        .map(|(counts, comm)| CommandSlices {
            comm: trace.comms.name(CommId(comm)).to_owned(),
            counts,
        })
        .collect();
    commands.sort_by_key(|command| Reverse(command.counts.preempted));
    Slices {
        slice_ns,
        tick_ns,
        all,
        commands,
    }
}
