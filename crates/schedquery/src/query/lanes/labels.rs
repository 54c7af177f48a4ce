//! Runs wide enough for a label.

use super::answer::LabelRun;
use super::indexes::Indexes;
use crate::query::select::time_window::TimeWindow;
use schedindex::Shown;
use schedmodel::{Lane, Who};

/// The most labels; no screen has room for more.
const MOST: usize = 20_000;

impl Indexes {
    /// The shown runs on `cpus` of which at least `min_width` ns lie in `window`.
    ///
    /// Such a run contains one of the instants that are half of `min_width` apart. Only these are visited, so the cost
    /// is bounded by the width of the window in labels.
    pub fn labels(&self, window: TimeWindow, min_width: u64, cpus: &[u32]) -> Vec<LabelRun> {
        let trace = self.trace();
        let window: std::ops::Range<u64> = window.into();
        let window = window.start..window.end.min(trace.span_ns);
        let min_width = min_width
            .max(1)
            .max(window.end.saturating_sub(window.start) / MOST as u64);
        let mut labels = Vec::new();
        for &cpu in cpus {
            if let Some((number, lane)) = trace.lane_index(cpu).map(|number| (number, trace.lane_at(number))) {
                of_lane(self.counting(), (number, lane), &window, min_width, |index| {
                    let interval = lane.interval(index);
                    if let Who::Run(id) = interval.who {
                        let (pid, comm) = (trace.task_of(id).pid, trace.comm_of(id).to_owned());
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
        }
        labels
    }
}

/// Of runs that pass no filter there are no texts.
fn of_lane(
    shown: &Shown,
    (number, lane): (usize, &Lane),
    window: &std::ops::Range<u64>,
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
