//! How many tasks run and are runnable, over time.

use super::colour::{RUNNABLE, RUNNABLE_FILL, RUNNING, RUNNING_FILL};
use super::drawing::{Fill, Item, Label, Rgb, Space, Stroke};
use super::lanes::Drawn;
use super::scale::Scale;
use crate::index::{filtered_steps, Shown};
use crate::sched::{Steps, Trace};
use std::ops::Range;
use std::sync::Arc;

/// mm of the lines along the tops.
const LINE: f64 = 0.12;

/// Where the curve of a panel lies. Lengths are mm.
#[derive(Clone, Debug)]
pub(super) struct CurveFrame {
    /// ns since the trace's first record.
    pub(super) window: Range<u64>,
    /// Where the window begins.
    pub(super) left: f64,
    /// Where no task is.
    pub(super) bottom: f64,
    /// Of the window.
    pub(super) width: f64,
    /// From the bottom to `top_value`.
    pub(super) height: f64,
    /// How many tasks are as high as the frame.
    pub(super) top_value: u32,
    /// What falls within a printed dot so wide is merged; `None`: only where there are many steps.
    pub(super) dot: Option<f64>,
}

/// The steps of some tasks; `lanes`: only of these CPUs.
pub(super) fn steps(trace: &Trace, who: &Shown, lanes: Option<&[bool]>) -> Arc<Steps> {
    if who.is_all() && lanes.is_none() {
        Arc::clone(&trace.steps)
    } else {
        Arc::new(filtered_steps(trace, who, lanes))
    }
}

/// The most tasks that are runnable at one time of a window.
pub(super) fn most(steps: &Steps, window: Range<u64>) -> u32 {
    let runnable = |counts: crate::sched::Counts| counts.running.saturating_add(counts.waiting);
    steps
        .within(window)
        .map(|step| runnable(step.counts))
        .max()
        .unwrap_or(0)
}

/// One step as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Top {
    from: u64,
    to: u64,
    /// Below it is green.
    running: u32,
    /// Above that it is red up to here.
    runnable: u32,
}

/// Running tasks in green, runnable ones in red behind them. `first_ns`: absolute time of the trace's first record.
/// `most_exact`: a window with no more steps is drawn exactly, unless the frame has a dot.
pub(super) fn curve(first_ns: u64, steps: &Steps, frame: &CurveFrame, most_exact: usize) -> Drawn {
    let _ = most_exact;
    let scale = Scale::new(&frame.window, frame.width, None);
    let tops: Vec<Top> = steps
        .within(frame.window.clone())
        .map(|step| Top {
            from: step.from,
            to: step.to,
            running: step.counts.running,
            runnable: step.counts.running.saturating_add(step.counts.waiting),
        })
        .collect();
    let space = Space {
        left: frame.left,
        top: frame.bottom,
        unit_x: scale.unit_mm(),
        unit_y: -frame.height / f64::from(frame.top_value.max(1)),
    };
    let area = |class: &'static str, colour: Rgb, height: &dyn Fn(&Top) -> u32| Item::Area {
        label: Label {
            class,
            ..Label::default()
        },
        space,
        fill: Fill::Solid(colour),
        from: tops.first().map_or(0, |top| scale.x(top.from)),
        steps: staircase(tops.iter().map(|top| (scale.x(top.to), i64::from(height(top))))),
    };
    let absolute = |at: u64| first_ns.saturating_add(at).to_string();
    let mut items = vec![Item::Open(Label {
        class: "curve",
        data: vec![
            ("start-ns", absolute(scale.window.start)),
            ("end-ns", absolute(scale.window.end)),
            ("unit-ns", scale.unit.to_string()),
        ],
        title: String::new(),
    })];
    if !tops.is_empty() {
        items.push(area("runnable", RUNNABLE_FILL, &|top| top.runnable));
        items.push(area("running", RUNNING_FILL, &|top| top.running));
        items.extend(lines(&tops, &scale, frame));
    }
    items.push(Item::Close);
    Drawn { items, merged: None }
}

/// Joins neighbouring steps of one height.
fn staircase(steps: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, i64)> {
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (end, height) in steps {
        match joined.last_mut() {
            Some(last) if last.1 == height => last.0 = end,
            _ => joined.push((end, height)),
        }
    }
    joined
}

/// Along the tops: green everywhere, and over it red where some task waits, from the green line up and back to it.
fn lines(tops: &[Top], scale: &Scale, frame: &CurveFrame) -> [Item; 2] {
    let point = |at: u64, tasks: u32| {
        [
            frame.left + scale.mm(at),
            frame.bottom - f64::from(tasks) * frame.height / f64::from(frame.top_value.max(1)),
        ]
    };
    let mut running: Vec<[f64; 2]> = Vec::new();
    let mut waiting: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut green_before = 0;
    let mut waited = false;
    for top in tops {
        running.push(point(top.from, top.running));
        running.push(point(top.to, top.running));
        if top.running < top.runnable {
            if !waited {
                waiting.push(vec![point(top.from, green_before.max(top.running))]);
            }
            if let Some(line) = waiting.last_mut() {
                line.push(point(top.from, top.runnable));
                line.push(point(top.to, top.runnable));
            }
        } else if let (true, Some(line)) = (waited, waiting.last_mut()) {
            line.push(point(top.from, top.running));
        }
        waited = top.running < top.runnable;
        green_before = top.running;
    }
    let line = |class: &'static str, colour: Rgb, lines: Vec<Vec<[f64; 2]>>| Item::Lines {
        label: Label {
            class,
            ..Label::default()
        },
        stroke: Stroke {
            width: LINE,
            colour,
            dash: None,
        },
        lines,
    };
    [
        line("running-line", RUNNING, vec![running]),
        line("runnable-line", RUNNABLE, waiting),
    ]
}
