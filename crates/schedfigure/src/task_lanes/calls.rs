//! What system call a task is in, as a strip at the foot of its lane. In each column, a dot wide, the strip has the colour of
//! the call that takes most of it, and is as high as the share of the time in calls: at the foot solid for the part on CPU,
//! above it striped for the rest. An error that was returned has a tick at the strip's upper edge.

use crate::choices::colour::Colours;
use crate::cpu_lanes::painter::{hatched, in_micrometres, MICROMETRE};
use crate::paint::frame::Sample;
use crate::paint::scale::Scale;
use crate::paint::theme::{self, coloured, text, HALF_CAP, SMALL};
use crate::task_lanes::tasks::ink_on;
use paper::font;
use paper::{Anchor, Fill, Item, Label, Rect, Rgb, Space};
use schedmodel::{TaskId, Trace};
use schedquery::query::{CallCell, CallLanes, CallModel, CALL_FAILED, CALL_MERGED, CALL_UNKNOWN};
use std::collections::BTreeMap;
use std::ops::Range;

/// How much paper is mixed into a call's colour between the stripes of the part off CPU.
const PALE: f64 = 0.72;
/// Height of an error's tick in mm.
const TICK: f64 = 0.5;
/// Room on both sides of a name, in mm.
const ROOM: f64 = 0.3;

/// Where a strip is.
pub(crate) struct Strip {
    /// Of the lane: times across, units of its height downwards.
    pub(crate) space: Space,
    /// Upper edge and height in these units.
    pub(crate) top: i64,
    pub(crate) height: i64,
}

/// The rectangles of one call.
#[derive(Default)]
struct OfCall {
    /// Where the task ran.
    solid: Vec<Rect>,
    /// Where it did not.
    off: Vec<Rect>,
}

/// The strip of a task; the second value says whether several calls fell within a column.
pub(crate) fn strip(
    model: CallModel<'_>,
    task: TaskId,
    scale: &Scale,
    strip: &Strip,
    colours: &Colours,
) -> (Vec<Item>, bool) {
    let lanes = CallLanes::new(model);
    let names: Vec<String> = lanes.names().map(|(_, name)| name.into_owned()).collect();
    let columns = scale.columns();
    let cells = lanes.calls(task.0, &columns);
    let merged = cells.iter().any(|cell| cell.flags & CALL_MERGED != 0);
    let mut of: BTreeMap<u32, OfCall> = BTreeMap::new();
    let (mut failed, mut unknown) = (Vec::new(), Vec::new());
    for (column, cell) in columns.iter().zip(&cells) {
        let at = (scale.x(column.start), scale.x(column.end));
        let [high, ran] = strip.heights(cell);
        let bottom = strip.top + strip.height;
        if 0 < high {
            let call = of.entry(cell.call).or_default();
            add(&mut call.solid, at, (bottom - ran, bottom));
            add(&mut call.off, at, (bottom - high, bottom - ran));
        }
        if cell.flags & CALL_UNKNOWN != 0 {
            add(&mut unknown, at, (strip.top, bottom));
        }
        if cell.flags & CALL_FAILED != 0 {
            let tick = ((TICK / strip.space.unit_y).round() as i64).clamp(1, strip.height);
            add(&mut failed, at, (strip.top, strip.top + tick));
        }
    }
    let mut items: Vec<Item> = if unknown.is_empty() {
        Vec::new()
    } else {
        hatched(strip.space, sorted(unknown)).collect()
    };
    for (call, rects) in of {
        let name = call.checked_sub(1).and_then(|index| names.get(index as usize));
        let name = name.map_or("", String::as_str);
        items.extend(rects.items(strip.space, name, colours.of_call(name)));
    }
    if !failed.is_empty() {
        items.push(rects_of(
            "call-errors",
            "",
            strip.space,
            Fill::Solid(theme::RUNNABLE),
            sorted(failed),
        ));
    }
    items.extend(strip.names(&lanes, task, scale, colours));
    (items, merged)
}

/// Appends a rectangle from `at.0` to `at.1`, or makes the last one longer.
fn add(rects: &mut Vec<Rect>, at: (i64, i64), (top, bottom): (i64, i64)) {
    let (x, width, height) = (at.0, at.1 - at.0, bottom - top);
    if width <= 0 || height <= 0 {
        return;
    }
    match rects.last_mut() {
        Some(last) if (last.y, last.height, last.x + last.width) == (top, height, x) => last.width += width,
        _ => rects.push(Rect {
            y: top,
            x,
            width,
            height,
        }),
    }
}

fn sorted(mut rects: Vec<Rect>) -> Vec<Rect> {
    rects.sort_unstable();
    rects
}

impl Strip {
    /// How high a column is, and how much of that is solid.
    fn heights(&self, cell: &CallCell) -> [i64; 2] {
        if cell.inside == 0 {
            return [0, 0];
        }
        // What is there is seen: a tenth of the strip.
        let least = (self.height / 10).max(1);
        let of = |share: u32| (f64::from(share) / 255.0 * self.height as f64).round() as i64;
        let high = of(cell.inside).max(least);
        let ran = match cell.ran {
            0 => 0,
            ran => of(ran.min(cell.inside)).max(least.min(high)),
        };
        [high, ran.min(high)]
    }

    /// The names of calls that have room for them, each on its call's colour: stripes would make it hard to read.
    fn names(&self, lanes: &CallLanes<'_>, task: TaskId, scale: &Scale, colours: &Colours) -> Vec<Item> {
        let (top, height) = (
            self.top as f64 * self.space.unit_y,
            self.height as f64 * self.space.unit_y,
        );
        if height < SMALL {
            return Vec::new();
        }
        let mut items = Vec::new();
        // No name is narrower than a letter.
        let length = scale.window.end - scale.window.start;
        let least = length as f64 * (SMALL / (scale.unit_mm() * scale.x(scale.window.end) as f64).max(SMALL));
        for call in lanes.labels(task.0, &scale.window, least as u64) {
            let (left, right) = (scale.mm(call.start), scale.mm(call.end));
            let width = font::width(&call.call, SMALL) + 2.0 * ROOM;
            if right - left < width {
                continue;
            }
            let colour = colours.of_call(&call.call);
            let (x, y) = (self.space.left + left, self.space.top + top);
            items.push(theme::block("call-ground", colour, [x, y], [width, height]));
            let at = [x + ROOM, y + height / 2.0 + HALF_CAP * SMALL];
            items.push(coloured(
                "call-name",
                at,
                SMALL,
                Anchor::Start,
                ink_on(colour),
                call.call,
            ));
        }
        items
    }
}

impl OfCall {
    fn items(self, space: Space, name: &str, colour: Rgb) -> Vec<Item> {
        let mut items = Vec::new();
        if !self.off.is_empty() {
            let striped = Space {
                unit_x: MICROMETRE,
                unit_y: MICROMETRE,
                ..space
            };
            let off = sorted(self.off);
            let stripes = off.iter().map(|&rect| in_micrometres(rect, space)).collect();
            let pale = Fill::Solid(colour.mixed(theme::PAPER, PALE));
            items.push(rects_of("call-off-cpu", name, space, pale, off));
            items.push(rects_of("call-stripes", name, striped, Fill::Hatch(colour), stripes));
        }
        if !self.solid.is_empty() {
            items.push(rects_of(
                "call-on-cpu",
                name,
                space,
                Fill::Solid(colour),
                sorted(self.solid),
            ));
        }
        items
    }
}

fn rects_of(class: &'static str, call: &str, space: Space, fill: Fill, rects: Vec<Rect>) -> Item {
    let label = Label {
        title: call.to_owned(),
        ..Label::of(class)
    };
    Item::Rects {
        label: if call.is_empty() {
            label
        } else {
            label.with("call", call)
        },
        space,
        fill,
        rects,
    }
}

/// The names of a trace's calls, and of those that some tasks are in during a window how long they are, the longest first.
pub(crate) fn shown(model: CallModel<'_>, tasks: &[TaskId], window: &Range<u64>) -> (Vec<String>, Vec<(String, u64)>) {
    let lanes = CallLanes::new(model);
    let mut names: Vec<String> = lanes.names().map(|(_, name)| name.into_owned()).collect();
    // Numbers of two tables may have the same name.
    names.sort_unstable();
    names.dedup();
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for task in tasks {
        for call in lanes.labels(task.0, window, 0) {
            let ns = call.end.min(window.end).saturating_sub(call.start.max(window.start));
            *times.entry(call.call.into_owned()).or_default() += ns;
        }
    }
    let mut times: Vec<(String, u64)> = times.into_iter().collect();
    times.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (names, times)
}

/// What is said of the strips. `merged`: several calls fell within a column of `dot`, mm in words.
pub(crate) fn told(trace: &Trace, model: Option<CallModel<'_>>, merged: Option<&str>) -> Vec<String> {
    let Some(model) = model.filter(|model| model.calls.recorded.is_some()) else {
        return vec!["calls: no system calls were recorded".to_owned()];
    };
    let mut said = Vec::new();
    if let Some(dot) = merged {
        said.push(format!(
            "calls within {dot} mm merged: as high as their share of the time"
        ));
    }
    if !model.calls.has_sched || trace.lanes.is_empty() {
        said.push("calls: no scheduling events tell what was on CPU".to_owned());
    }
    said
}

/// Entries of the key.
pub(crate) fn samples() -> Vec<Sample> {
    vec![
        sample("in a system call, on CPU", |space| {
            vec![rects_of("call-key", "", space, Fill::Solid(theme::QUIET), vec![WHOLE])]
        }),
        sample("off CPU", |space| {
            let of_call = OfCall {
                off: vec![WHOLE],
                ..OfCall::default()
            };
            of_call.items(space, "", theme::QUIET)
        }),
        sample("an error returned", |space| {
            let tick = Rect { height: 30, ..WHOLE };
            let whole = rects_of("call-key", "", space, Fill::Solid(theme::FAINT), vec![WHOLE]);
            vec![
                whole,
                rects_of("call-key-error", "", space, Fill::Solid(theme::RUNNABLE), vec![tick]),
            ]
        }),
    ]
}

/// All of a sample.
const WHOLE: Rect = Rect {
    y: 0,
    x: 0,
    width: 1,
    height: 100,
};

fn sample(words: &'static str, items: impl Fn(Space) -> Vec<Item> + 'static) -> Sample {
    const WIDTH: f64 = 3.0;
    Box::new(move |[left, baseline], font_size| {
        let height = font_size * 0.9;
        let space = Space {
            left,
            top: baseline - height * 0.9,
            unit_x: WIDTH,
            unit_y: height / WHOLE.height as f64,
        };
        let mut items = items(space);
        let x = left + WIDTH + font_size * 0.4;
        items.push(text("key-text", [x, baseline], font_size, Anchor::Start, words));
        (items, x - left + font::width(words, font_size))
    })
}
