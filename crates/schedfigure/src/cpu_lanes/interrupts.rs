//! Interrupts on lanes: two bands at a lane's upper edge, hardirqs above softirqs. In each column, a dot wide, a bar hangs from
//! its band's upper edge, as long as the share of the time that they took, and never so short that it is lost.

use super::lanes::Band;
use crate::paint::frame::{Drawn, LanesFrame};
use crate::paint::scale::{millimetres, Scale, PRINTED_DOT};
use crate::paint::theme;
use paper::{Fill, Item, Label, Rect, Space};
use schedquery::calls::InterruptTime;
use schedquery::query::{CallLanes, CallModel};
use std::ops::Range;

/// The share of a lane that each of the two bands takes.
const SHARE: f64 = 0.14;

/// What is said of a trace without any.
pub(crate) const NONE: &str = "interrupts: none were recorded";

/// The bars of some lanes.
#[derive(Default)]
pub(crate) struct IrqBars {
    hard: Vec<Rect>,
    soft: Vec<Rect>,
}

impl IrqBars {
    /// Adds a lane: what interrupts took of each of these columns. `band`: the lane's upper edge and height in units, of which
    /// one is `unit_mm` high.
    pub(crate) fn add(
        &mut self,
        scale: &Scale,
        columns: &[Range<u64>],
        taken: &[InterruptTime],
        (top, height): (i64, i64),
        unit_mm: f64,
    ) {
        let full = ((height as f64 * SHARE).round() as i64).max(1);
        let least = ((PRINTED_DOT / unit_mm).round() as i64).clamp(1, full);
        for (column, taken) in columns.iter().zip(taken) {
            let x = scale.x(column.start);
            let width = scale.x(column.end) - x;
            let bar = |bars: &mut Vec<Rect>, y: i64, ns: u64| {
                if ns == 0 || width <= 0 {
                    return;
                }
                let share = ns as f64 / (column.end - column.start) as f64;
                let height = ((full as f64 * share).round() as i64).clamp(least, full);
                match bars.last_mut() {
                    Some(last) if (last.y, last.height, last.x + last.width) == (y, height, x) => last.width += width,
                    _ => bars.push(Rect { y, x, width, height }),
                }
            };
            bar(&mut self.hard, top, taken.hard);
            bar(&mut self.soft, top + full, taken.soft);
        }
    }

    /// The items of both bands.
    pub(crate) fn into_items(self, space: Space) -> impl Iterator<Item = Item> {
        let kinds = [
            ("hardirqs", theme::HARDIRQ, self.hard),
            ("softirqs", theme::SOFTIRQ, self.soft),
        ];
        let drawn = kinds.into_iter().filter(|(.., rects)| !rects.is_empty());
        drawn.map(move |(class, colour, rects)| Item::Rects {
            label: Label {
                title: class.to_owned(),
                ..Label::of(class)
            },
            space,
            fill: Fill::Solid(colour),
            rects,
        })
    }
}

/// The bands of the lanes of CPUs, over what ran and over idle time.
pub(crate) fn interrupts(model: CallModel<'_>, frame: &LanesFrame<'_>, band: Band) -> Drawn {
    let scale = Scale::new(&frame.window, frame.width, Some(frame.dot.unwrap_or(PRINTED_DOT)));
    let columns = scale.columns();
    let lanes = CallLanes::new(model);
    let space = frame.space(&scale);
    let mut bars = IrqBars::default();
    for (row, &lane) in frame.rows.iter().enumerate() {
        let taken = lanes.cpu_interrupts(model.trace.cpu_at(lane), &columns);
        bars.add(&scale, &columns, &taken, (band.y(row), band.height), space.unit_y);
    }
    let mut items = vec![Item::Open(Label {
        class: "interrupts",
        data: scale.data(model.trace.origin_ns, Some(frame.dot.unwrap_or(PRINTED_DOT))),
        title: String::new(),
    })];
    items.extend(bars.into_items(space));
    items.push(Item::Close);
    Drawn {
        items,
        small_print: told(model, frame.dot),
    }
}

/// What is said of the bands: how they are drawn, and what was not recorded.
fn told(model: CallModel<'_>, dot: Option<f64>) -> Vec<String> {
    let interrupts = &model.calls.interrupts;
    if !interrupts.recorded() {
        return vec![NONE.to_owned()];
    }
    let dot = millimetres(dot.unwrap_or(PRINTED_DOT));
    let mut said = vec![format!("interrupts: bars as high as their share of {dot} mm")];
    let missing = [
        (interrupts.hardirqs, "hardirqs"),
        (interrupts.softirqs, "softirqs"),
        // Where the machine is not known, it may be an x86.
        (interrupts.vectors || !model.names.may_be_x86(), "vectors of x86"),
    ];
    let missing: Vec<&str> = missing.iter().filter(|(has, _)| !has).map(|&(_, name)| name).collect();
    if !missing.is_empty() {
        said.push(format!("not recorded: {}", missing.join(", ")));
    }
    said
}
