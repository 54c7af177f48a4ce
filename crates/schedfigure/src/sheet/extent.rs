//! What a common scale, layout and colours need to know of a trace.

use super::legend::Legend;
use crate::choices::error::FigureError;
use crate::choices::spec::{Kind, Part, Spec};
use crate::choices::subject::Subject;
use crate::curves::curve::{most, steps};
use crate::task_lanes::{calls, tasks};
use crate::wakeups::wakeup::{extract, Extract};
use schedmodel::Trace;
use schedquery::query::Selection;
use std::ops::Range;

/// What has to be known of a trace before any panel is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extent {
    /// Time 0, in ns since the trace's first record.
    pub zero_ns: u64,
    /// Whether time 0 is the exit of the first `sleep` rather than the first record.
    pub(crate) zero_is_exit: bool,
    /// From time 0 to the trace's end.
    pub length_ns: u64,
    /// First instant that is drawn, from time 0.
    pub from_ns: u64,
    /// Last instant that is drawn, from time 0; may lie past the trace's end.
    pub to_ns: u64,
    /// Whether times are nanoseconds; if not, they are raw ticks.
    pub(crate) clock_is_ns: bool,
    /// The CPUs with lanes, from the top.
    pub cpus: Vec<u32>,
    /// All commands in order of first appearance, which is the order in which they get colours.
    pub comms: Vec<String>,
    /// The most tasks that are runnable at any time, if a curve is drawn.
    pub(crate) most_runnable: u32,
    /// The legend, if one is requested.
    pub(crate) legend: Option<Legend>,
    /// Contents of a wakeup figure, or the reason why there is none.
    pub(crate) wakeup: Option<Result<Extract, FigureError>>,
    /// Whether some deadline task is throttled.
    pub(crate) throttled: bool,
    /// The least and the greatest value of the counter, if one is drawn.
    pub(crate) counter: Option<[f64; 2]>,
    /// Number of task lanes, and width of the widest of their names in mm.
    pub(crate) task_lanes: (usize, f64),
    /// The names of all system calls, if some are drawn.
    pub(crate) call_names: Vec<String>,
    /// The calls that the tasks with lanes are in, with their time in ns, the longest first.
    pub(crate) calls: Vec<(String, u64)>,
}

impl Extent {
    /// The extent of a trace in a figure.
    pub fn of(subject: &Subject<'_>, spec: &Spec) -> Extent {
        let trace = subject.trace;
        let selection = &spec.selection;
        let zero_ns = selection.time_zero(trace);
        let length_ns = trace.span_ns.saturating_sub(zero_ns);
        let mut extent = Extent {
            zero_ns,
            zero_is_exit: selection.after_sleep && trace.after_sleep.is_some(),
            length_ns,
            from_ns: selection.min.unwrap_or(0),
            to_ns: selection.max.unwrap_or(length_ns),
            clock_is_ns: subject.clock_is_ns,
            cpus: cpus(trace, spec),
            comms: trace.comms.names().to_vec(),
            most_runnable: 0,
            throttled: !trace.throttles.is_empty(),
            legend: Legend::of(subject, spec),
            wakeup: (spec.kind == Kind::Wakeup).then(|| extract(subject, spec)),
            counter: subject.counter.and_then(|counter| counter.range()),
            task_lanes: (0, 0.0),
            call_names: Vec::new(),
            calls: Vec::new(),
        };
        if let Some(Ok(found)) = &extent.wakeup {
            extent.from_ns = found.window.start.saturating_sub(zero_ns);
            extent.to_ns = found.window.end.saturating_sub(zero_ns);
            let cpus = found.lanes.iter().map(|&lane| trace.cpu_at(lane)).collect();
            extent.cpus = in_order(cpus, spec);
        }
        if spec.has_task_lanes() {
            extent.task_lanes = tasks::extent(trace, &spec.task_lanes);
            if let Some(model) = subject.calls.filter(|_| spec.calls) {
                let window = extent.window(trace.span_ns);
                let lanes = tasks::drawn(trace, &spec.task_lanes);
                (extent.call_names, extent.calls) = calls::shown(model, &lanes, &window);
            }
        }
        if spec.has_curve() {
            let drawn = spec.drawn(subject);
            let steps = steps(trace, &drawn.shown(trace), drawn.lanes(trace).as_deref());
            extent.most_runnable = most(&steps, extent.window(trace.span_ns));
        }
        extent
    }

    /// Indexes of the lanes, from the top.
    pub(crate) fn rows(&self, trace: &Trace) -> Vec<usize> {
        self.cpus.iter().filter_map(|&cpu| trace.lane_index(cpu)).collect()
    }

    /// The part of the trace that is drawn, in ns since its first record; empty if the trace ends earlier.
    pub(crate) fn window(&self, span_ns: u64) -> Range<u64> {
        let end = self.zero_ns.saturating_add(self.to_ns).min(span_ns);
        let start = self.zero_ns.saturating_add(self.from_ns).min(end);
        start..end
    }
}

impl Spec {
    /// The selection of runs that are drawn: in a timeline the target only affects colours.
    pub(crate) fn drawn(&self, subject: &Subject<'_>) -> Selection {
        let mut drawn = self.selected(subject);
        if self.kind == Kind::Timeline {
            drawn.target = None;
        }
        drawn
    }

    /// The selection of runs of a trace.
    pub(crate) fn selected(&self, subject: &Subject<'_>) -> Selection {
        Selection {
            runs: subject.passing.cloned(),
            ..self.selection.clone()
        }
    }

    /// Whether some tasks have lanes.
    pub(crate) fn has_task_lanes(&self) -> bool {
        self.kind == Kind::Timeline && self.with.contains(&Part::Tasks)
    }

    /// Whether running and runnable tasks are drawn.
    pub(crate) fn has_curve(&self) -> bool {
        self.kind == Kind::RunningWaiting || (self.kind == Kind::Timeline && self.with.contains(&Part::RunningWaiting))
    }
}

/// The selected CPUs, from the top.
fn cpus(trace: &Trace, spec: &Spec) -> Vec<u32> {
    let selected = spec.selection.lanes(trace);
    let has = |lane: usize| {
        selected
            .as_ref()
            .is_none_or(|selected| selected.get(lane) == Some(&true))
    };
    let cpus = trace.cpus.iter().enumerate().filter(|(lane, _)| has(*lane));
    in_order(cpus.map(|(_, &cpu)| cpu).collect(), spec)
}

/// Ascending CPUs, reordered from the top.
fn in_order(mut cpus: Vec<u32>, spec: &Spec) -> Vec<u32> {
    if let Some(topology) = spec.topology.as_deref() {
        cpus = topology.order(&cpus);
    }
    if !spec.top_down {
        cpus.reverse();
    }
    cpus
}
