//! Numbers of a time window, at any zoom.

use crate::query::lanes::indexes::Indexes;
use crate::query::select::time_window::TimeWindow;
use serde::Serialize;
use std::ops::Range;
use ts_rs::TS;

/// Mean over time and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS)]
pub struct MeanMax {
    /// Mean, weighted by time.
    pub mean: f64,
    /// The most at any time, for at least one ns.
    pub max: u32,
}

/// Numbers of a window, weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS)]
pub struct WindowStats {
    /// Running tasks.
    pub running: MeanMax,
    /// Waiting tasks.
    pub waiting: MeanMax,
    /// Running tasks divided by the number of CPUs.
    pub utilisation: f64,
    /// Mean number of CPUs of which it is known what they do.
    pub known_cpus: f64,
    /// ns in which some task waits while some CPU is idle.
    pub violation_ns: u64,
    /// Integral of min(waiting, idle).
    pub cost_task_ns: u64,
    /// ns in which some task waits behind another while some CPU is spare. This and the next three leave out tasks that
    /// may be pinned, if the view does.
    pub behind_ns: u64,
    /// Integral of min(tasks waiting behind another, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// ns in which some task waits for its own CPU to leave idle.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}

impl Indexes {
    /// Running, waiting and overload in a window.
    pub fn window_stats(&self, window: TimeWindow) -> WindowStats {
        let trace = self.trace();
        let window = Range::from(window);
        let window = window.start..window.end.min(trace.span_ns);
        let curve = self.shown_curve();
        let (integral, Some(extremes)) = (curve.integral(window.clone()), curve.extremes(window.clone())) else {
            return WindowStats::default();
        };
        let kept = self.conservation().sums(window.clone());
        let ns = (window.end - window.start) as f64;
        let mean = |integral: u64| integral as f64 / ns;
        WindowStats {
            running: MeanMax {
                mean: mean(integral.running),
                max: extremes.running_max,
            },
            waiting: MeanMax {
                mean: mean(integral.waiting),
                max: extremes.waiting_max,
            },
            utilisation: mean(integral.running) / trace.cpus.len().max(1) as f64,
            known_cpus: mean(self.known().integral(window.clone()).running),
            violation_ns: integral.violation,
            cost_task_ns: integral.cost,
            behind_ns: kept.behind,
            behind_cost_task_ns: kept.behind_cost,
            leaving_idle_ns: kept.leaving_idle,
            leaving_idle_task_ns: kept.leaving_idle_tasks,
        }
    }
}
