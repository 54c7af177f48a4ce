//! Lanes of tasks with their states over time, as in the page. States differ in height as well as in colour, so that
//! colours are not needed to read them.

use super::calls::{self, Strip};
use super::task_stacks::{stacks, Bar, Filter, Shape};
use crate::choices::colour::{pale, Colours};
use crate::choices::counter::{CounterValues, Whose};
use crate::choices::spec::TaskLanes;
use crate::cpu_lanes::counter::CounterPen;
use crate::cpu_lanes::interrupts::IrqBars;
use crate::cpu_lanes::painter::hatched;
use crate::paint::frame::{Drawn, Sample};
use crate::paint::scale::{millimetres, Scale, PRINTED_DOT};
use crate::paint::theme::{self, coloured, text, HALF_CAP, LEGEND, SMALL};
use paper::font;
use paper::{Anchor, Fill, Item, Label, Rect, Rgb, Space};
use schedindex::{Passing, RunId, Runs, TaskStates};
use schedmodel::{TaskCommId, TaskId, Trace};
use schedquery::query::{states_of, CallLanes, CallModel};
use std::collections::BTreeMap;
use std::ops::Range;

/// Greatest width of a name, and gap between names and lanes, in mm.
const MOST_NAME: f64 = 22.0;
const NAME_GAP: f64 = 1.2;
/// Pitch of lanes in mm; of lanes with a strip of calls, which may have names in it.
const PITCH: f64 = 4.5;
const PITCH_WITH_CALLS: f64 = 7.2;
/// The most lanes, which fill a page; further ones are counted.
const MOST_LANES: usize = 40;
/// The most intervals of a lane that are drawn one by one, unless the user sets a dot.
const MOST_EXACT: usize = 4000;
/// Units per lane, and how many of them stay free above it.
const LANE: i64 = 100;
const GAP: i64 = 14;
/// The share of a lane that its calls take, and units between its states and its calls.
const CALLS: f64 = 0.4;
const CALLS_GAP: i64 = 3;

/// Pitch of lanes in mm.
pub(crate) fn pitch(with_calls: bool) -> f64 {
    if with_calls {
        PITCH_WITH_CALLS
    } else {
        PITCH
    }
}

/// Position of a panel's task lanes. Lengths are mm.
#[derive(Clone, Debug)]
pub(crate) struct TasksFrame {
    /// ns since the trace's first record.
    pub(crate) window: Range<u64>,
    /// Left edge of the window.
    pub(crate) left: f64,
    /// Upper edge of the first lane.
    pub(crate) top: f64,
    /// Width of the window.
    pub(crate) width: f64,
    /// Distance from one lane to the next.
    pub(crate) pitch: f64,
    /// Merge what falls within a dot of this width.
    pub(crate) dot: Option<f64>,
}

/// What is drawn on the lanes besides states.
#[derive(Clone, Copy)]
pub(crate) struct Kernel<'a> {
    /// A strip of calls; where the trace has none, it stays empty.
    pub(crate) calls: bool,
    /// Bands of interrupts.
    pub(crate) interrupts: bool,
    pub(crate) model: Option<CallModel<'a>>,
}

/// The tasks with lanes, from the top: first those given by PID, in that order, then those of the comms.
fn chosen(trace: &Trace, wanted: &TaskLanes) -> Vec<TaskId> {
    let mut has_lane = vec![false; trace.tasks.len()];
    let mut chosen = Vec::new();
    let mut add = |task: usize| {
        if let Some(has @ false) = has_lane.get_mut(task) {
            *has = true;
            chosen.push(TaskId(task as u32));
        }
    };
    for &pid in &wanted.pids {
        let same = trace.tasks.iter().enumerate().filter(|(_, task)| task.pid == pid);
        same.for_each(|(task, _)| add(task));
    }
    for comm in &wanted.comms {
        let mut ever: Vec<usize> = (0..trace.task_comms.len() as u32)
            .map(TaskCommId)
            .filter(|&id| trace.comm_of(id) == comm)
            .map(|id| trace.task_comm(id).task.0 as usize)
            .collect();
        ever.sort_unstable_by_key(|&task| (trace.task(TaskId(task as u32)).pid, task));
        ever.into_iter().for_each(&mut add);
    }
    chosen
}

fn name_of(trace: &Trace, task: TaskId) -> String {
    let task = trace.task(task);
    format!("{}-{}", trace.comms.name(task.comm), task.pid)
}

/// The tasks whose lanes are drawn.
pub(crate) fn drawn(trace: &Trace, wanted: &TaskLanes) -> Vec<TaskId> {
    let mut chosen = chosen(trace, wanted);
    chosen.truncate(MOST_LANES);
    chosen
}

/// Number of lanes, and width in mm that their names need.
pub(crate) fn extent(trace: &Trace, wanted: &TaskLanes) -> (usize, f64) {
    let drawn = drawn(trace, wanted);
    let widths = drawn.iter().map(|&task| font::width(&name_of(trace, task), LEGEND));
    let widest = widths.fold(0.0, f64::max);
    (drawn.len(), widest.min(MOST_NAME) + NAME_GAP)
}

/// Draws the lanes, with their names on the left.
pub(crate) fn tasks(
    trace: &Trace,
    wanted: &TaskLanes,
    frame: &TasksFrame,
    kernel: Kernel<'_>,
    counter: Option<(&dyn CounterValues, [f64; 2])>,
    passing: Option<&Passing>,
    colours: &Colours,
) -> Drawn {
    let all = chosen(trace, wanted);
    let runs = Runs::new(trace);
    let mut drawn = Drawn::default();
    let absolute = |at: u64| trace.origin_ns.saturating_add(at).to_string();
    drawn.items.push(Item::Open(Label {
        class: "tasks",
        data: vec![
            ("start-ns", absolute(frame.window.start)),
            ("end-ns", absolute(frame.window.end)),
        ],
        title: String::new(),
    }));
    let pen = counter.map(|(values, range)| CounterPen::new(values, range, &frame.window, frame.width, frame.dot));
    let mut merged = None;
    let mut merged_calls = false;
    for (row, &task) in all.iter().take(MOST_LANES).enumerate() {
        let lane = Lane {
            trace,
            runs: &runs,
            states: &states_of(trace, &runs, task),
            filter: passing.map(|passing| Filter { passing, runs: &runs }),
            frame,
            kernel,
            pen: pen.as_ref(),
            top: frame.top + row as f64 * frame.pitch,
        };
        merged = merged.or(lane.dot());
        merged_calls |= lane.draw(task, colours, &mut drawn.items);
    }
    drawn.items.push(Item::Close);
    if let Some(dot) = merged {
        let dot = millimetres(dot);
        let said = format!("states within {dot} mm merged: bars are as high as each state's share of the time");
        drawn.small_print.push(said);
    }
    if kernel.calls {
        let dot = millimetres(frame.dot.unwrap_or(PRINTED_DOT));
        let merged = merged_calls.then_some(dot.as_str());
        drawn.small_print.extend(calls::told(trace, kernel.model, merged));
    }
    if MOST_LANES < all.len() {
        drawn
            .small_print
            .push(format!("{} more tasks without a lane", all.len() - MOST_LANES));
    }
    drawn
}

/// What gives a bar its colour; later ones cover earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ink {
    /// Its state.
    Area,
    /// Its state's upper edge.
    Edge,
    /// A run, by its [`TaskCommId`].
    Run(u32),
    /// One that does not pass the filter.
    Other(u32),
}

struct Lane<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    states: &'a TaskStates,
    filter: Option<Filter<'a>>,
    frame: &'a TasksFrame,
    kernel: Kernel<'a>,
    pen: Option<&'a CounterPen<'a>>,
    top: f64,
}

impl Lane<'_> {
    /// Range of the intervals in the window.
    fn within(&self) -> Range<usize> {
        let Range { start, end } = self.frame.window;
        let first = self.states.spans().find(start).unwrap_or(0);
        let last = end.checked_sub(1).and_then(|last| self.states.spans().find(last));
        first..last.map_or(self.states.len(), |last| last + 1).max(first)
    }

    /// The dot in mm within which everything is merged; `None`: everything is exact.
    fn dot(&self) -> Option<f64> {
        let crowded = || MOST_EXACT < self.within().len();
        self.frame.dot.or_else(|| crowded().then_some(PRINTED_DOT))
    }

    /// Upper edge and height in units of the part with its states.
    fn upper(&self) -> (i64, i64) {
        let full = LANE - GAP;
        match self.kernel.calls {
            true => (GAP, full - self.strip_height() - CALLS_GAP),
            false => (GAP, full),
        }
    }

    fn strip_height(&self) -> i64 {
        (CALLS * (LANE - GAP) as f64).round() as i64
    }

    /// Returns whether several calls fell within a column.
    fn draw(&self, task: TaskId, colours: &Colours, items: &mut Vec<Item>) -> bool {
        let Lane { trace, frame, .. } = *self;
        let info = trace.task(task);
        let comm = trace.comms.name(info.comm);
        let name = name_of(trace, task);
        let scale = Scale::new(&frame.window, frame.width, self.dot());
        let mut data = vec![
            ("pid", info.pid.to_string()),
            ("generation", info.generation.to_string()),
            ("comm", comm.to_owned()),
        ];
        data.extend(scale.data(trace.origin_ns, self.dot()));
        items.push(Item::Open(Label {
            class: "task-lane",
            data,
            title: name.clone(),
        }));
        self.name(&name, items);
        let bars = stacks(self.states, self.within(), self.filter, &scale, self.dot().is_some());
        self.bars(&bars, &scale, colours, items);
        if self.dot().is_none() {
            self.cpus(colours, items);
        }
        if let Some(pen) = self.pen {
            let space = self.space(pen.scale());
            let line = pen.line(Whose::Task(info.pid), self.upper(), space.unit_y);
            items.extend(pen.items(line, space));
        }
        let merged = self.kernel(task, colours, items);
        items.push(Item::Close);
        merged
    }

    /// Draws its interrupts and calls.
    fn kernel(&self, task: TaskId, colours: &Colours, items: &mut Vec<Item>) -> bool {
        let Some(model) = self.kernel.model else {
            return false;
        };
        let frame = self.frame;
        let dot = frame.dot.unwrap_or(PRINTED_DOT);
        let scale = Scale::new(&frame.window, frame.width, Some(dot));
        let space = self.space(&scale);
        if self.kernel.interrupts {
            let columns = scale.columns();
            let taken = CallLanes::new(model).task_interrupts(task.0, &columns);
            let mut bars = IrqBars::default();
            bars.add(&scale, &columns, &taken, self.upper(), space.unit_y);
            items.extend(bars.into_items(space));
        }
        if !self.kernel.calls {
            return false;
        }
        let strip = Strip {
            space,
            top: LANE - self.strip_height(),
            height: self.strip_height(),
        };
        items.push(Item::Open(Label {
            class: "calls",
            data: scale.data(self.trace.origin_ns, Some(dot)),
            title: String::new(),
        }));
        let (drawn, merged) = calls::strip(model, task, &scale, &strip, colours);
        items.extend(drawn);
        items.push(Item::Close);
        merged
    }

    /// y of a unit.
    fn y(&self, unit: f64) -> f64 {
        self.top + self.frame.pitch * unit / LANE as f64
    }

    /// y of the middle of its bars.
    fn middle(&self) -> f64 {
        let (top, height) = self.upper();
        self.y(top as f64 + height as f64 / 2.0)
    }

    /// The scale's times across, units of the lane downwards.
    fn space(&self, scale: &Scale) -> Space {
        Space {
            left: self.frame.left,
            top: self.top,
            unit_x: scale.unit_mm(),
            unit_y: self.frame.pitch / LANE as f64,
        }
    }

    fn name(&self, name: &str, items: &mut Vec<Item>) {
        let middle = self.y((LANE + GAP) as f64 / 2.0);
        let at = [self.frame.left - NAME_GAP, middle + HALF_CAP * LEGEND];
        let name = font::ellipsize(name, LEGEND, MOST_NAME);
        items.push(text("task-name", at, LEGEND, Anchor::End, name));
    }

    fn bars(&self, bars: &[Bar], scale: &Scale, colours: &Colours, items: &mut Vec<Item>) {
        let space = self.space(scale);
        let (top, full) = self.upper();
        // Three layers: below the marks of narrow bars, these marks, and above them.
        let layer = |bar: &Bar| match bar.shape {
            Shape::Unknown | Shape::Sleeping => 0,
            _ if bar.tick => 1,
            _ => 2,
        };
        let mut groups: BTreeMap<(u8, Shape, Ink), Vec<Rect>> = BTreeMap::new();
        for bar in bars {
            let area = match (bar.shape, bar.pale) {
                (Shape::Running, false) => Ink::Run(bar.who.0),
                (Shape::Running, true) => Ink::Other(bar.who.0),
                _ => Ink::Area,
            };
            let [low, high] = [bar.low, bar.high].map(|share| (share * full as f64).round() as i64);
            let mut add = |ink: Ink, low: i64, high: i64| {
                let rect = Rect {
                    y: top + full - high,
                    x: bar.x,
                    width: bar.width,
                    height: (high - low).max(1),
                };
                groups.entry((layer(bar), bar.shape, ink)).or_default().push(rect);
            };
            add(area, low, high);
            if bar.shape.edge().is_some() {
                add(Ink::Edge, high - EDGE * full / (LANE - GAP), high);
            }
        }
        for ((layer, shape, ink), mut rects) in groups {
            rects.sort_unstable();
            if shape == Shape::Unknown {
                items.extend(hatched(space, rects));
                continue;
            }
            let colour = match ink {
                Ink::Area => shape.fill(),
                Ink::Edge => shape.edge().unwrap_or(theme::INK),
                Ink::Run(id) => colours.of_run(self.trace, TaskCommId(id)),
                Ink::Other(id) => pale(colours.of_run(self.trace, TaskCommId(id))),
            };
            items.push(Item::Rects {
                label: Label {
                    class: match (layer, ink) {
                        (1, _) => "ticks",
                        (_, Ink::Edge) => "state-edge",
                        _ => shape.class(),
                    },
                    data: Vec::new(),
                    title: shape.name().to_owned(),
                },
                space,
                fill: Fill::Solid(colour),
                rects,
            });
        }
    }

    /// Writes the CPU into runs that have room for it.
    fn cpus(&self, colours: &Colours, items: &mut Vec<Item>) {
        let frame = self.frame;
        let scale = Scale::new(&frame.window, frame.width, None);
        for index in self.within() {
            let interval = self.states.interval(index);
            let is_running = Shape::of(interval.state) == Some(Shape::Running);
            let passes = self.filter.is_none_or(|filter| filter.passes(interval.run));
            let Some(run) = interval.run.filter(|_| is_running && passes) else {
                continue;
            };
            let RunId { lane, .. } = self.runs.decode(run);
            let cpu = self.trace.cpu_at(lane).to_string();
            let (left, right) = (scale.mm(interval.start), scale.mm(interval.end));
            if font::width(&cpu, SMALL) + 0.6 <= right - left {
                let colour = ink_on(colours.of_run(self.trace, interval.who));
                let at = [frame.left + (left + right) / 2.0, self.middle() + HALF_CAP * SMALL];
                items.push(coloured("task-cpu", at, SMALL, Anchor::Middle, colour, cpu));
            }
        }
    }
}

/// Height in units of the strong upper edge of waiting and blocked states, where states have the whole lane.
const EDGE: i64 = 9;

/// The colour of letters that is more readable on a background: light or dark.
pub(crate) fn ink_on(Rgb(red, green, blue): Rgb) -> Rgb {
    // Perceived brightness, from 0 to 255.
    let brightness = (f64::from(red) * 299.0 + f64::from(green) * 587.0 + f64::from(blue) * 114.0) / 1000.0;
    if 135.0 < brightness {
        theme::INK
    } else {
        theme::PAPER
    }
}

/// Entries of the key for the bars; `throttled`: include throttled tasks.
pub(crate) fn samples(throttled: bool) -> Vec<Sample> {
    let shapes = [
        Shape::Running,
        Shape::Runnable,
        Shape::Blocked,
        Shape::Throttled,
        Shape::Stopped,
        Shape::Sleeping,
        Shape::Unknown,
    ];
    let drawn = |shape: &Shape| throttled || *shape != Shape::Throttled;
    shapes.into_iter().filter(drawn).map(sample).collect()
}

fn sample(shape: Shape) -> Sample {
    const WIDTH: f64 = 3.0;
    const HEIGHT: i64 = 100;
    Box::new(move |[left, baseline], font_size| {
        let height = font_size * 1.1;
        let high = (shape.height() * HEIGHT as f64).round() as i64;
        let space = Space {
            left,
            top: baseline - height * 0.85,
            unit_x: WIDTH,
            unit_y: height / HEIGHT as f64,
        };
        let rect = |low: i64| Rect {
            y: HEIGHT - high,
            x: 0,
            width: 1,
            height: high - low,
        };
        let solid = |class: &'static str, colour: Rgb, low: i64| Item::Rects {
            label: Label::of(class),
            space,
            fill: Fill::Solid(colour),
            rects: vec![rect(low)],
        };
        let mut items: Vec<Item> = match shape {
            Shape::Unknown => hatched(space, vec![rect(0)]).collect(),
            _ => vec![solid("state-key", shape.fill(), 0)],
        };
        // On the area, as in the lanes: rectangles of one class do not overlap.
        let edge = shape.edge();
        items.extend(edge.map(|edge| solid("state-key-edge", edge, high - EDGE)));
        let (x, words) = (left + WIDTH + font_size * 0.4, shape.words());
        items.push(text("key-text", [x, baseline], font_size, Anchor::Start, words));
        (items, x - left + font::width(words, font_size))
    })
}
