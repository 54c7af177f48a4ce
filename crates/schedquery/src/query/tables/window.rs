//! Numbers of a time window, at any zoom.

use crate::query::lanes::answer::{MeanMax, TimeWindow, WindowStats};
use crate::query::lanes::view::View;
use std::ops::Range;

impl View {
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
