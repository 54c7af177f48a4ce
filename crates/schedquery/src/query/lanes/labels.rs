//! Runs wide enough for a label.

use super::answer::{LabelRun, RunName};
use super::indexes::Indexes;
use crate::query::select::time_window::TimeWindow;
use schedindex::Shown;
use schedmodel::{Lane, TaskCommId, Who};
use std::ops::Range;

/// The most labels; no screen has room for more.
const MOST: usize = 20_000;

impl Indexes {
    /// The shown runs on `cpus` of which at least `min_width` ns lie in `window`.
    ///
    /// Such a run contains one of the instants that are half of `min_width` apart. Only these are visited, so the cost
    /// is bounded by the width of the window in labels.
    pub fn labels(&self, window: TimeWindow, min_width: u64, cpus: &[u32]) -> Vec<LabelRun> {
        let trace = self.trace();
        let lane_of = |cpu| trace.lane_index(cpu).map(|number| (number, trace.lane_at(number)));
        let mut lanes = cpus.iter().filter_map(|&cpu| Some((cpu, lane_of(cpu)?)));
        let name_of = |id| RunName {
            pid: trace.task_of(id).pid,
            comm: trace.comm_of(id).to_owned(),
        };
        labels(&mut lanes, self.counting(), window, min_width, &name_of)
    }
}

/// The same of some lanes: of each, its CPU, and where it is in the trace. `name_of`: what a run is called.
pub(super) fn labels(
    lanes: &mut dyn Iterator<Item = (u32, (usize, &Lane))>,
    shown: &Shown,
    window: TimeWindow,
    min_width: u64,
    name_of: &dyn Fn(TaskCommId) -> RunName,
) -> Vec<LabelRun> {
    let window: Range<u64> = window.into();
    let mut labels = Vec::new();
    for (cpu, (number, lane)) in lanes {
        let window = window.start..window.end.min(lane.end());
        let min_width = min_width
            .max(1)
            .max(window.end.saturating_sub(window.start) / MOST as u64);
        of_lane(shown, (number, lane), &window, min_width, |index| {
            let interval = lane.interval(index);
            if let Who::Run(id) = interval.who {
                let RunName { pid, comm } = name_of(id);
                labels.push(LabelRun {
                    cpu,
                    start: interval.start,
                    end: interval.end,
                    pid,
                    comm,
                });
            }
        });
    }
    labels
}

/// Of runs that pass no filter there are no texts.
fn of_lane(
    shown: &Shown,
    (number, lane): (usize, &Lane),
    window: &Range<u64>,
    min_width: u64,
    mut found: impl FnMut(usize),
) {
    let step = (min_width / 2).max(1);
    let mut at = window.start;
    let mut hint = lane.find(at).unwrap_or(0);
    while at < window.end {
        let Some(index) = lane.find_from(hint, at) else {
            return;
        };
        hint = index;
        let interval = lane.interval(index);
        let visible = interval.end.min(window.end) - interval.start.max(window.start);
        if min_width <= visible && lane.run(index).is_some_and(|id| shown.has_run(id, number, index)) {
            found(index);
        }
        // To the first instant past this interval, keeping to the raster.
        let past = interval.end.saturating_sub(at).div_ceil(step).max(1);
        at = at.saturating_add(past.saturating_mul(step));
    }
}
