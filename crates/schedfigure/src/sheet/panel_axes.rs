//! A panel's axes: CPUs with brackets, counts, time.

use super::extent::Extent;
use super::key::CPU_LINE;
use super::layout::{PartBox, TICK, TICK_GAP};
use super::panel::Drawer;
use crate::choices::spec::Spec;
use crate::paint::axis::{count_ticks, labelled_rows};
use crate::paint::brackets::{brackets, stretches};
use crate::paint::scale::PRINTED_DOT;
use crate::paint::theme::{lines, text, upwards, ASCENT, AXIS, HALF_CAP, LABEL, LEADING, LEGEND};
use paper::font;
use paper::{Anchor, Item, Label};
use schedindex::known_steps;
use schedmodel::topology::Domain;
use schedmodel::Steps;
use std::sync::Arc;

/// Number of positions that are tried for the label of the line at the number of CPUs.
const LABEL_PLACES: u32 = 24;
/// Steps of that line narrower than this, in mm, are merged.
const NARROW: f64 = PRINTED_DOT / 2.0;

impl Drawer<'_> {
    /// Draws the line at a plot's left edge, and returns its position.
    fn left_axis(&mut self, part: &PartBox) -> f64 {
        let left = self.cell.scale.left;
        let line = vec![[left, part.top], [left, part.top + part.height]];
        self.add(lines("axis", AXIS, vec![line]));
        left
    }

    pub(crate) fn cpu_axis(&mut self, part: &PartBox, pitch: f64) {
        let left = self.left_axis(part);
        if !self.cell.has_labels {
            return;
        }
        let labelled = cpu_rows(&self.plan.spec, self.extent, pitch);
        let middle = |row: usize| part.top + (row as f64 + 0.5) * pitch;
        let ticks = labelled
            .iter()
            .map(|&row| vec![[left - TICK, middle(row)], [left, middle(row)]]);
        self.add(lines("axis", AXIS, ticks.collect()));
        let right = left - TICK - TICK_GAP;
        let mut widest = 0.0_f64;
        for &row in &labelled {
            let Some(&cpu) = self.extent.cpus.get(row) else {
                continue;
            };
            let at = [right, middle(row) + HALF_CAP * LEGEND];
            let mut label = text("cpu-label", at, LEGEND, Anchor::End, cpu.to_string());
            if let Item::Text { label, .. } = &mut label {
                *label = Label::of("cpu-label").with("cpu", cpu);
            }
            self.add(label);
            widest = widest.max(font::width(&cpu.to_string(), LEGEND));
        }
        if let Some(topology) = self.plan.spec.topology.as_deref() {
            let all = brackets(topology, &self.extent.cpus, [right - widest - 0.3, part.top], pitch);
            self.panel.items.extend(all);
        }
        // Labels of some lanes imply those of the others only if CPUs are in order; otherwise the axis says so.
        let is_counted = self.extent.cpus.windows(2);
        let is_counted = is_counted
            .into_iter()
            .all(|pair| matches!(pair, [one, next] if one.abs_diff(*next) == 1));
        let step = match labelled.as_slice() {
            [first, second, ..] if !is_counted => first.abs_diff(*second),
            _ => 1,
        };
        let title = match step {
            1 => "CPU".to_owned(),
            _ => format!("CPU (1 in {step} labelled)"),
        };
        self.upright_title(
            if font::width(&title, LABEL) <= part.height {
                &title
            } else {
                "CPU"
            },
            part,
        );
    }

    fn upright_title(&mut self, title: &str, part: &PartBox) {
        if font::width(title, LABEL) <= part.height {
            let at = [self.cell.left + ASCENT * LABEL, part.top + part.height / 2.0];
            self.add(upwards("axis-title", at, LABEL, title));
        }
    }

    fn count_y(&self, part: &PartBox, count: u64) -> f64 {
        part.top + part.height * (1.0 - count as f64 / f64::from(self.plan.layout.top_value))
    }

    pub(crate) fn count_axis(&mut self, part: &PartBox) {
        let left = self.left_axis(part);
        if !self.cell.has_labels {
            return;
        }
        for count in count_ticks(u64::from(self.plan.layout.top_value), part.height, LEGEND) {
            let y = self.count_y(part, count);
            self.add(lines("axis", AXIS, vec![vec![[left - TICK, y], [left, y]]]));
            let at = [left - TICK - TICK_GAP, y + HALF_CAP * LEGEND];
            self.add(text("count-label", at, LEGEND, Anchor::End, count.to_string()));
        }
        self.upright_title("tasks", part);
    }

    /// The dotted line at the number of known CPUs, with its label above it where the curve does not reach.
    pub(crate) fn cpu_line(&mut self, part: &PartBox, steps: &Arc<Steps>) {
        let scale = self.cell.scale;
        let cpus = self.extent.cpus.len();
        let y = self.count_y(part, cpus as u64);
        self.add(lines("cpus-line", CPU_LINE, vec![self.known_line(part)]));
        let content = if cpus == 1 {
            "1 CPU".to_owned()
        } else {
            format!("{cpus} CPUs")
        };
        let width = font::width(&content, LEGEND) + 1.0;
        let ns_per_mm = (scale.to - scale.from) as f64 / scale.width;
        let is_free = |left: f64| {
            let at = |x: f64| self.extent.zero_ns + scale.from + ((x - scale.left).max(0.0) * ns_per_mm) as u64;
            let most = crate::curves::curve::most(steps, at(left)..at(left + width).max(at(left) + 1));
            most as usize <= cpus
        };
        // The rightmost free place, or the right end.
        let (left, right) = (scale.left + 0.5, scale.right() - width);
        let places =
            (0..=LABEL_PLACES).map(|place| right + (left - right) * f64::from(place) / f64::from(LABEL_PLACES));
        let x = places.into_iter().find(|&x| is_free(x)).unwrap_or(right);
        if part.top + LEGEND <= y {
            self.add(text("cpus-line", [x + 0.5, y - 0.6], LEGEND, Anchor::Start, content));
        }
    }

    /// The line at the number of CPUs or, where not all are known, at the number of known ones. Within steps that are
    /// too narrow to be visible, the minimum counts.
    fn known_line(&self, part: &PartBox) -> Vec<[f64; 2]> {
        let (scale, zero) = (self.cell.scale, self.extent.zero_ns);
        let y = |count: u32| self.count_y(part, u64::from(count));
        let known = known_steps(self.subject.trace, self.selected.as_deref());
        let all = self.extent.cpus.len() as u32;
        if known.within(self.window.clone()).all(|step| step.counts.running == all) {
            return vec![[scale.left, y(all)], [scale.right(), y(all)]];
        }
        let mut line: Vec<[f64; 2]> = Vec::new();
        for step in known.within(self.window.clone()) {
            let [left, right] = [step.from, step.to].map(|at| scale.x(at.saturating_sub(zero)));
            let height = y(step.counts.running);
            match line.as_mut_slice() {
                [.., from, to] if from[1] == height => to[0] = right,
                [.., from, to] if right - from[0] < NARROW => {
                    from[1] = from[1].max(height);
                    *to = [right, from[1]];
                }
                _ => line.extend([[left, height], [right, height]]),
            }
        }
        line
    }

    pub(crate) fn time_axis(&mut self, part: &PartBox, is_lowest: bool) {
        let scale = self.cell.scale;
        let bottom = part.top + part.height;
        self.add(lines(
            "axis",
            AXIS,
            vec![vec![[scale.left, bottom], [scale.right(), bottom]]],
        ));
        if !is_lowest {
            return;
        }
        let axis = &self.plan.layout.time_axis;
        let ticks = axis.ticks.iter().map(|tick| {
            let x = scale.x(tick.at);
            vec![[x, bottom], [x, bottom + TICK]]
        });
        self.add(lines("axis", AXIS, ticks.collect()));
        let mut y = bottom + TICK + TICK_GAP + ASCENT * LABEL;
        if self.cell.has_time_labels {
            for tick in &axis.ticks {
                let at = [scale.x(tick.at), y];
                self.add(text("time-label", at, LABEL, Anchor::Middle, tick.label.as_str()));
            }
            y += LABEL * LEADING;
        }
        if self.cell.has_time_title {
            let title = self.time_title(scale.width);
            let at = [scale.left + scale.width / 2.0, y];
            self.add(text("axis-title", at, LABEL, Anchor::Middle, title));
        }
    }

    /// The title of the time axis, with what time 0 is if there is room.
    fn time_title(&self, width: f64) -> String {
        let axis = &self.plan.layout.time_axis;
        let zero = if self.extent.zero_is_exit {
            "exit of sleep"
        } else {
            "first record"
        };
        let full = axis.title(self.extent.clock_is_ns, zero);
        if font::width(&full, LABEL) <= width {
            full
        } else {
            axis.short_title(self.extent.clock_is_ns)
        }
    }
}

/// The labelled rows of lanes of this pitch; row 0 is at the top.
fn cpu_rows(spec: &Spec, extent: &Extent, pitch: f64) -> Vec<usize> {
    let count = extent.cpus.len();
    // Counted from the first CPU, which is at the bottom unless requested otherwise.
    let mut cpus = extent.cpus.clone();
    if !spec.top_down {
        cpus.reverse();
    }
    let groups: Vec<usize> = match spec.topology.as_deref() {
        None => vec![count],
        Some(topology) => {
            let sockets = stretches(topology, Domain::Socket, &cpus);
            sockets.into_iter().map(|stretch| stretch.rows).collect()
        }
    };
    let rows = labelled_rows(&groups, pitch, LEGEND).into_iter();
    rows.map(|row| if spec.top_down { row } else { count - 1 - row })
        .collect()
}
