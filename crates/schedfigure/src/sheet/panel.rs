//! One trace's panel: its plots with their axes, what is drawn on them, and its legend.

use super::extent::Extent;
use super::key::paragraph;
use super::layout::{Cell, PartBox};
use super::legend::colour_of;
use super::notes::Notes;
use super::plan::{Panel, Plan};
use crate::choices::error::FigureError;
use crate::choices::fragment;
use crate::choices::spec::{Kind, Part};
use crate::choices::subject::Subject;
use crate::cpu_lanes::arrows;
use crate::cpu_lanes::counter;
use crate::cpu_lanes::crosses;
use crate::cpu_lanes::interrupts;
use crate::cpu_lanes::lanes;
use crate::cpu_lanes::runqueues;
use crate::curves::curve::{curve, steps, CurveFrame};
use crate::paint::brackets::{levels, stretches};
use crate::paint::frame::{Drawn, LanesFrame};
use crate::paint::theme::{block, lines, text, ASCENT, INK, LABEL, LEADING, LEGEND, NOWHERE, PARTING};
use crate::task_lanes::tasks::{self, Kernel, TasksFrame};
use crate::wakeups::wakeup_paint;
use paper::font;
use paper::{Anchor, Item, Label};
use schedindex::Shown;
use schedmodel::Who;
use std::ops::Range;

impl Plan {
    /// Draws the panel of trace `number`, without any other trace, so that panels can be drawn in parallel.
    pub fn panel(&self, number: usize, subject: &Subject<'_>) -> Result<Panel, FigureError> {
        draw(self, number, subject)
    }
}

/// Draws the panel of trace `number`.
fn draw(plan: &Plan, number: usize, subject: &Subject<'_>) -> Result<Panel, FigureError> {
    let (Some(extent), Some(cell)) = (plan.extents.get(number), plan.layout.cells.get(number)) else {
        return Ok(Panel::default());
    };
    let drawn = plan.spec.drawn(subject);
    Drawer {
        plan,
        subject,
        extent,
        cell,
        window: extent.window(subject.trace.span_ns),
        rows: extent.rows(subject.trace),
        shown: drawn.shown(subject.trace),
        selected: drawn.lanes(subject.trace),
        panel: Panel {
            view: fragment::fragment(&plan.spec, subject),
            file: subject.file.to_owned(),
            ..Panel::default()
        },
    }
    .draw(number)
}

pub(crate) struct Drawer<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) extent: &'a Extent,
    pub(crate) cell: &'a Cell,
    /// The window in ns since the trace's first record, clipped to the trace.
    pub(crate) window: Range<u64>,
    /// Indexes of the lanes, from the top.
    rows: Vec<usize>,
    /// The tasks whose runs are drawn.
    shown: Shown,
    pub(crate) selected: Option<Vec<bool>>,
    pub(crate) panel: Panel,
}

fn kind_name(part: Option<Part>) -> &'static str {
    match part {
        None => "timeline",
        Some(Part::RunningWaiting) => "running-waiting",
        Some(Part::Tasks) => "tasks",
    }
}

impl Drawer<'_> {
    fn draw(mut self, number: usize) -> Result<Panel, FigureError> {
        let kind = match self.plan.spec.kind {
            Kind::Timeline => "timeline",
            Kind::RunningWaiting => "running-waiting",
            Kind::Wakeup => "wakeup",
        };
        let label = Label::of("panel").with("file", self.subject.file).with("kind", kind);
        self.add(Item::Open(label));
        self.name(number);
        for (index, part) in self.cell.parts.iter().enumerate() {
            self.nowhere(part);
            if 0 < index {
                self.add(Item::Open(Label::of("panel").with("kind", kind_name(part.part))));
            }
            match part.part {
                None => self.lanes(part)?,
                Some(Part::RunningWaiting) => self.curve(part),
                Some(Part::Tasks) => self.tasks(part),
            }
            self.time_axis(part, index + 1 == self.cell.parts.len());
            if 0 < index {
                self.add(Item::Close);
            }
        }
        self.tell_filter();
        self.notes();
        self.legend();
        self.add(Item::Close);
        Ok(self.panel)
    }

    pub(crate) fn add(&mut self, item: Item) {
        self.panel.items.push(item);
    }

    fn say(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.panel.small_print.contains(&sentence) {
            self.panel.small_print.push(sentence);
        }
    }

    fn take(&mut self, drawn: Drawn) {
        self.panel.items.extend(drawn.items);
        for sentence in drawn.small_print {
            self.say(sentence);
        }
    }

    /// Width of the trace's window in mm.
    fn width(&self) -> f64 {
        let since_zero = self.window.end.saturating_sub(self.extent.zero_ns);
        self.cell.scale.x(since_zero) - self.cell.scale.left
    }

    fn name(&mut self, number: usize) {
        if !self.cell.has_name {
            return;
        }
        let file = self.subject.file;
        let name = match self.plan.spec.names.get(number) {
            Some(name) => name,
            None => file.rsplit(['/', '\\']).next().unwrap_or(file),
        };
        let at = [self.cell.scale.left, self.cell.top + ASCENT * LABEL];
        let name = font::ellipsize(name, LABEL, self.cell.right - self.cell.scale.left).into_owned();
        self.add(text("panel-name", at, LABEL, Anchor::Start, name));
    }

    /// Draws the area past the trace's end.
    fn nowhere(&mut self, part: &PartBox) {
        let (scale, width) = (self.cell.scale, self.width());
        let end = self.extent.zero_ns.saturating_add(scale.to);
        if self.window.end < end && 0.05 < scale.width - width {
            let corner = [scale.left + width, part.top];
            self.add(block("no-trace", NOWHERE, corner, [scale.width - width, part.height]));
            self.say("Grey: after the end of the trace");
        }
    }

    fn lanes(&mut self, part: &PartBox) -> Result<(), FigureError> {
        let plan = self.plan;
        let spec = &plan.spec;
        let (trace, scale) = (self.subject.trace, self.cell.scale);
        let topology = spec.topology.as_deref();
        let pitch = part.height / self.rows.len().max(1) as f64;
        let rows = std::mem::take(&mut self.rows);
        let frame = LanesFrame {
            window: self.window.clone(),
            left: scale.left,
            top: part.top,
            width: self.width(),
            pitch,
            rows: &rows,
            dot: spec.dot,
        };
        if let Some(topology) = topology {
            let parts = levels(Some(topology)).last();
            let stretches = parts.map_or(Vec::new(), |&level| stretches(topology, level, &self.extent.cpus));
            let partings = stretches.iter().skip(1).map(|stretch| {
                let y = part.top + stretch.first as f64 * pitch;
                vec![[scale.left, y], [scale.right(), y]]
            });
            let partings: Vec<_> = partings.collect();
            if !partings.is_empty() {
                self.add(lines("parting", PARTING, partings));
            }
        }
        if let Some(Ok(found)) = &self.extent.wakeup {
            let (at, size) = ([scale.left, self.caption_top()], (LEGEND, INK));
            self.panel
                .items
                .extend(paragraph("caption", &found.caption, at, size, scale.width));
            self.take(wakeup_paint::draw(trace, found, &frame));
        } else if self.window.start < self.window.end {
            let most = lanes::MOST_EXACT / plan.extents.len().max(1);
            let whole = lanes::Band::of(pitch);
            let [runs, waits] = whole.parted();
            let band = if spec.runqueues { runs } else { whole };
            let drawn = lanes::lanes(trace, &frame, &self.shown, &plan.colours, most, band);
            self.tell_lanes(&drawn.items);
            self.take(drawn);
            if spec.interrupts {
                match self.subject.calls {
                    Some(model) => self.take(interrupts::interrupts(model, &frame, band)),
                    None => self.say(interrupts::NONE),
                }
            }
            if let Some(values) = self.subject.counter {
                self.take(counter::counter(trace, values, plan.counter_range(), &frame, band));
            }
            if spec.runqueues {
                self.take(runqueues::runqueues(trace, &frame, &self.shown, most, waits));
            }
            if spec.moves {
                let drawn = crosses::crosses(trace, &frame, &self.shown, topology);
                self.take(drawn);
            }
            if let Some(wanted) = &spec.arrows {
                let drawn = arrows::arrows(trace, &frame, wanted, topology)?;
                self.take(drawn);
            }
        }
        self.rows = rows;
        self.cpu_axis(part, pitch);
        Ok(())
    }

    /// Upper edge of the caption above the lanes.
    fn caption_top(&self) -> f64 {
        self.cell.top + if self.cell.has_name { LABEL * LEADING } else { 0.0 }
    }

    fn tasks(&mut self, part: &PartBox) {
        let plan = self.plan;
        let (count, _) = self.extent.task_lanes;
        if count == 0 {
            self.say("None of the tasks asked for is in the trace");
            return;
        }
        let frame = TasksFrame {
            window: self.window.clone(),
            left: self.cell.scale.left,
            top: part.top,
            width: self.width(),
            pitch: part.height / count as f64,
            dot: plan.spec.dot,
        };
        if self.window.start < self.window.end {
            let kernel = Kernel {
                calls: plan.spec.calls,
                interrupts: plan.spec.interrupts,
                model: self.subject.calls,
            };
            let wanted = &plan.spec.task_lanes;
            let counter = self.subject.counter.zip(plan.counter_range());
            let passing = self.subject.passing.map(|passing| &**passing);
            let drawn = tasks::tasks(
                self.subject.trace,
                wanted,
                &frame,
                kernel,
                counter,
                passing,
                &plan.colours,
            );
            self.take(drawn);
        }
    }

    /// Adds sentences about what the lanes do not show exactly.
    fn tell_lanes(&mut self, items: &[Item]) {
        let has = |class: &str| {
            items
                .iter()
                .any(|item| matches!(item, Item::Rects { label, .. } if label.class == class))
        };
        let (inferred, unknown) = (has("inferred"), has("unknown"));
        if inferred {
            self.say("Pale: before a CPU’s first switch, inferred from it");
        }
        if unknown {
            self.say("Striped: not known what ran");
        }
    }

    fn curve(&mut self, part: &PartBox) {
        let plan = self.plan;
        let (trace, scale) = (self.subject.trace, self.cell.scale);
        let steps = steps(trace, &self.shown, self.selected.as_deref());
        let frame = CurveFrame {
            window: self.window.clone(),
            left: scale.left,
            bottom: part.top + part.height,
            width: self.width(),
            height: part.height,
            top_value: plan.layout.top_value,
            dot: plan.spec.dot,
        };
        if self.window.start < self.window.end {
            let most = lanes::MOST_EXACT / plan.extents.len().max(1);
            let drawn = curve(trace.origin_ns, &steps, &frame, most);
            self.take(drawn);
            self.tell_curve();
        }
        self.count_axis(part);
        self.cpu_line(part, &steps);
    }

    /// Says which runs count, if not all do.
    fn tell_filter(&mut self) {
        let Some(filter) = self
            .plan
            .spec
            .filter
            .as_deref()
            .filter(|_| self.subject.passing.is_some())
        else {
            return;
        };
        if self.plan.spec.kind == Kind::Timeline {
            self.say(format!("Pale: runs that do not pass the filter “{filter}”"));
        }
        if self.plan.spec.has_curve() {
            self.say(format!(
                "Counted: runs that pass the filter “{filter}”, and waits before them"
            ));
        }
    }

    /// Adds a sentence about what the curve cannot count.
    fn tell_curve(&mut self) {
        let trace = self.subject.trace;
        let counted = |lane: usize| {
            self.selected
                .as_ref()
                .is_none_or(|selected| selected.get(lane) == Some(&true))
        };
        let unknown = trace.lanes.iter().enumerate().filter(|&(lane_index, lane)| {
            let first = lane.find(self.window.start).unwrap_or(lane.len());
            let end = lane.starts().partition_point(|start| start < self.window.end);
            counted(lane_index) && (first..end).any(|index| lane.who(index) == Who::Unknown)
        });
        match unknown.count() {
            0 => {}
            1 => self.say("Not counted: what ran on 1 CPU while that is not known"),
            cpus => self.say(format!("Not counted: what ran on {cpus} CPUs while that is not known")),
        }
    }

    fn notes(&mut self) {
        let (Some(first), Some(last)) = (self.cell.parts.first(), self.cell.parts.last()) else {
            return;
        };
        let notes = Notes::new(
            &self.plan.spec.notes,
            self.extent.zero_ns,
            self.cell.scale,
            self.extent.clock_is_ns,
        );
        let pitch = first.height / self.extent.cpus.len().max(1) as f64;
        let lane_y = |cpu: u32| {
            let row = self.extent.cpus.iter().position(|&shown| shown == cpu)?;
            first.part.is_none().then_some(first.top + (row as f64 + 0.5) * pitch)
        };
        let items = notes.draw(
            [first.top, last.top + last.height],
            lane_y,
            self.subject.trace.origin_ns,
        );
        self.panel.items.extend(items);
    }

    fn legend(&mut self) {
        let plan = self.plan;
        let Some(legend) = self.extent.legend.as_ref().filter(|_| plan.layout.has_legends) else {
            return;
        };
        let table = legend.table(self.cell.right - self.cell.scale.left);
        let colour = |whose: &_| colour_of(&plan.colours, self.subject.trace, whose);
        let items = table.draw([self.cell.scale.left, self.cell.legend_top], colour);
        self.panel.items.extend(items);
    }
}
