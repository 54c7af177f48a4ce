//! The curves of running and runnable tasks over time.

use super::outline::{columns, exact, Top};
use crate::paint::frame::Drawn;
use crate::paint::scale::{millimetres, Scale, PRINTED_DOT};
use crate::paint::theme::{PAPER, RUNNABLE, RUNNING, RUNNING_FILL, WAITING_FILL};
use paper::{Fill, Item, Label, Rect, Rgb, Space, Stroke};
use schedindex::{filtered_steps, Shown};
use schedmodel::{Counts, Steps, Trace};
use std::ops::Range;
use std::sync::Arc;

/// Width of the lines along the tops, in mm.
const LINE: f64 = 0.12;
/// Precision in mm with which the lines follow the tops: finer lines look the same on paper and need millions of
/// points.
const LINE_STEP: f64 = PRINTED_DOT / 2.0;
/// How much of the paper is mixed into the green where tasks ran for only a part of a dot.
const PART_OF_DOT: f64 = 0.55;

/// Position of a panel's curve. Lengths are mm.
#[derive(Clone, Debug)]
pub(crate) struct CurveFrame {
    /// ns since the trace's first record.
    pub(crate) window: Range<u64>,
    /// Left edge of the window.
    pub(crate) left: f64,
    /// Base line, where the count is 0.
    pub(crate) bottom: f64,
    /// Width of the window.
    pub(crate) width: f64,
    /// Height from the base line to `top_value`.
    pub(crate) height: f64,
    /// The count at the upper edge of the frame.
    pub(crate) top_value: u32,
    /// Merge what falls within a printed dot of this width; `None`: only if there are many steps.
    pub(crate) dot: Option<f64>,
}

impl CurveFrame {
    /// Height of this many tasks in mm.
    fn tasks(&self, count: u32) -> f64 {
        f64::from(count) * self.height / f64::from(self.top_value.max(1))
    }
}

/// The steps of some tasks; `lanes`: only on these CPUs.
pub(crate) fn steps(trace: &Trace, who: &Shown, lanes: Option<&[bool]>) -> Arc<Steps> {
    if who.is_all() && lanes.is_none() {
        Arc::clone(&trace.steps)
    } else {
        Arc::new(filtered_steps(trace, who, lanes))
    }
}

/// The most tasks that are runnable at any time of a window.
pub(crate) fn most(steps: &Steps, window: Range<u64>) -> u32 {
    let runnable = |counts: Counts| counts.running.saturating_add(counts.waiting);
    let all = steps.within(window).map(|step| runnable(step.counts));
    all.max().unwrap_or(0)
}

/// Running tasks in green, waiting ones in red above them. `first_ns`: absolute time of the trace's first record.
/// `most_exact`: a window with at most this many steps is drawn exactly, unless the frame has a dot.
///
/// In a merged dot the red is as high as the most tasks that waited in it, and ends where the most were runnable. So a
/// peak of one nanosecond is visible, and red is visible only where some task waited.
pub(crate) fn curve(first_ns: u64, steps: &Steps, frame: &CurveFrame, most_exact: usize) -> Drawn {
    let starts = steps.starts();
    let within = starts.partition_point(|at| at < frame.window.end)
        - starts.partition_point(|at| at < frame.window.start).saturating_sub(1);
    let merged = frame.dot.or_else(|| (most_exact < within).then_some(PRINTED_DOT));
    let scale = Scale::new(&frame.window, frame.width, merged);
    let tops = match merged {
        None => exact(steps, &scale.window),
        Some(_) => columns(steps, &scale),
    };
    let mut items = vec![Item::Open(Label {
        class: "curve",
        data: scale.data(first_ns, merged),
        title: String::new(),
    })];
    items.extend(areas(&tops, &scale, frame, merged.is_some()));
    if (tops.len() as f64) < frame.width / LINE_STEP {
        items.extend(lines(&tops, &scale, frame));
    } else {
        let fine = Scale::new(&frame.window, frame.width, Some(LINE_STEP));
        items.extend(lines(&columns(steps, &fine), &fine, frame));
    }
    items.push(Item::Close);
    let small_print = merged.map(|dot| format!("least and most within {} mm", millimetres(dot)));
    Drawn {
        items,
        small_print: small_print.into_iter().collect(),
    }
}

/// The areas, from the lowest to the topmost.
fn areas(tops: &[Top], scale: &Scale, frame: &CurveFrame, merged: bool) -> Vec<Item> {
    let Some(first) = tops.first() else {
        return Vec::new();
    };
    let space = Space {
        left: frame.left,
        top: frame.bottom,
        unit_x: scale.unit_mm(),
        unit_y: -frame.tasks(1),
    };
    let from = scale.x(first.from);
    let area = |class: &'static str, colour: Rgb, height: fn(&Top) -> u32| Item::Area {
        label: Label {
            class,
            ..Label::default()
        },
        space,
        fill: Fill::Solid(colour),
        from,
        steps: staircase(from, tops.iter().map(|top| (scale.x(top.to), i64::from(height(top))))),
    };
    if merged {
        let pale = RUNNING_FILL.mixed(PAPER, PART_OF_DOT);
        vec![
            area("runnable-max", WAITING_FILL, |top| top.runnable),
            area("running-max", pale, |top| top.running_max),
            area("running-min", RUNNING_FILL, |top| top.running_min),
            hidden_waits(tops, scale, frame),
        ]
    } else {
        vec![
            area("runnable", WAITING_FILL, |top| top.runnable),
            area("running", RUNNING_FILL, |top| top.running_max),
        ]
    }
}

/// Red areas over the green, for dots in which the most tasks ran at another time than tasks waited.
fn hidden_waits(tops: &[Top], scale: &Scale, frame: &CurveFrame) -> Item {
    let hidden = tops.iter().filter(|top| top.green() < top.running_max);
    let mut rects: Vec<Rect> = hidden
        .map(|top| Rect {
            y: i64::from(frame.top_value) - i64::from(top.runnable),
            x: scale.x(top.from),
            width: scale.x(top.to) - scale.x(top.from),
            height: i64::from(top.waiting),
        })
        .filter(|rect| 0 < rect.width)
        .collect();
    rects.sort();
    Item::Rects {
        label: Label {
            class: "waiting",
            ..Label::default()
        },
        space: Space {
            left: frame.left,
            top: frame.bottom - frame.tasks(frame.top_value),
            unit_x: scale.unit_mm(),
            unit_y: frame.tasks(1),
        },
        fill: Fill::Solid(WAITING_FILL),
        rects,
    }
}

/// Joins neighbouring steps of equal height and drops steps narrower than half a unit.
fn staircase(from: i64, steps: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, i64)> {
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (end, height) in steps {
        let begin = joined.last().map_or(from, |last| last.0);
        match joined.last_mut() {
            _ if end <= begin => {}
            Some(last) if last.1 == height => last.0 = end,
            _ => joined.push((end, height)),
        }
    }
    joined
}

/// Lines along the tops: a green line everywhere, and where some task waits a red one over it, from the green one up
/// and back.
fn lines(tops: &[Top], scale: &Scale, frame: &CurveFrame) -> [Item; 2] {
    let point = |at: u64, count: u32| [frame.left + scale.mm(at), frame.bottom - frame.tasks(count)];
    let mut green: Vec<[f64; 2]> = Vec::new();
    let mut red: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut before: Option<&Top> = None;
    for top in tops {
        if before.is_some_and(|before| before.green() == top.green()) {
            green.pop();
        } else {
            green.push(point(top.from, top.green()));
        }
        green.push(point(top.to, top.green()));
        let waited_before = before.is_some_and(|before| 0 < before.waiting);
        if 0 < top.waiting && !waited_before {
            red.push(vec![point(top.from, before.unwrap_or(top).green())]);
        }
        if let Some(line) = red.last_mut().filter(|_| 0 < top.waiting) {
            line.extend([point(top.from, top.runnable), point(top.to, top.runnable)]);
        } else if let Some(line) = red.last_mut().filter(|_| waited_before) {
            line.push(point(top.from, top.green()));
        }
        before = Some(top);
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
        line("running-line", RUNNING, vec![green]),
        line("runnable-line", RUNNABLE, red),
    ]
}
