//! The layout: positions of everything in a figure. Lengths are mm.

use super::extent::Extent;
use super::key::{paragraph_height, Key};
use super::notes::Notes;
use crate::choices::error::FigureError;
use crate::choices::spec::{Kind, Part, Spec};
use crate::paint::axis::TimeAxis;
use crate::paint::brackets;
use crate::paint::theme::{LABEL, LEADING, LEGEND, SMALL, TITLE};
use crate::paint::timescale::Timescale;
use crate::task_lanes::tasks;
use crate::wakeups::wakeup_paint;
use paper::font;

/// Margin on all sides.
pub(crate) const MARGIN: f64 = 1.0;
/// Default width of the figure.
const WIDTH: f64 = 178.0;
/// Length of the marks on axes.
pub(crate) const TICK: f64 = 0.8;
/// Gap between an axis's marks and its labels.
pub(crate) const TICK_GAP: f64 = 0.5;
/// Gaps between panels, across and downwards.
const GAP: f64 = 2.5;
/// Gap between the parts of a panel.
const PART_GAP: f64 = 1.8;
/// Width of an axis title that is read upwards.
const UPRIGHT_TITLE: f64 = LABEL * 1.4;
/// Gap between a panel and its legend, and between the panels and the key.
const LEGEND_GAP: f64 = 1.2;
/// Panels higher than this have labels below each of them.
const TALL: f64 = 40.0;
/// Approximate space around plots.
const AROUND: f64 = 12.0;
/// Space for the label above the line at the number of CPUs, and the greatest share of a curve's height that it takes.
pub(crate) const CPU_LABEL: f64 = LEGEND * 1.3;
const MOST_HEADROOM: f64 = 0.4;
/// Least width and height of a plot.
const LEAST_PLOT: (f64, f64) = (15.0, 4.0);

/// A plot of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartBox {
    /// `None`: the lanes.
    pub(crate) part: Option<Part>,
    pub(crate) top: f64,
    pub(crate) height: f64,
}

/// Position of one trace's panel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Scale of the window.
    pub(crate) scale: Timescale,
    /// Left end of its axis's labels, and right end of the panel.
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// Upper edge of the name.
    pub(crate) top: f64,
    pub(crate) has_name: bool,
    pub(crate) parts: Vec<PartBox>,
    /// Whether labels of CPUs, counts and brackets are to its left.
    pub(crate) has_labels: bool,
    pub(crate) has_time_labels: bool,
    pub(crate) has_time_title: bool,
    pub(crate) legend_top: f64,
}

/// Positions of everything.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    /// Height of everything above the key.
    pub(crate) body: f64,
    /// Height of the figure, if it is given.
    pub(crate) height: Option<f64>,
    /// Room for small print, if the height is given.
    pub(crate) small_print: f64,
    pub(crate) cells: Vec<Cell>,
    pub(crate) time_axis: TimeAxis,
    /// The count at the upper edge of the curve's frame.
    pub(crate) top_value: u32,
    /// Whether panels have legends of their own.
    pub(crate) has_legends: bool,
}

/// What is to be placed.
struct Space<'a> {
    spec: &'a Spec,
    extents: &'a [Extent],
    columns: usize,
    width: f64,
    small_print: f64,
}

impl Layout {
    /// Leaves the usual room for small print.
    pub(crate) fn new(spec: &Spec, extents: &[Extent]) -> Result<Layout, FigureError> {
        Layout::with_small_print(spec, extents, small_print_room(spec.width.unwrap_or(WIDTH)))
    }

    /// Leaves `small_print` mm for small print, if the height is given.
    pub(crate) fn with_small_print(spec: &Spec, extents: &[Extent], small_print: f64) -> Result<Layout, FigureError> {
        let columns = spec.columns.unwrap_or(1).clamp(1, extents.len().max(1) as u32) as usize;
        let width = spec.width.unwrap_or(WIDTH);
        Space {
            spec,
            extents,
            columns,
            width,
            small_print,
        }
        .place()
    }

    /// Width available for the key and everything above it.
    pub(crate) fn inner_width(&self) -> f64 {
        self.width - 2.0 * MARGIN
    }
}

/// Height of the small print of most figures, in mm.
fn small_print_room(width: f64) -> f64 {
    let lines = if width < 120.0 { 2.0 } else { 1.0 };
    lines * SMALL * LEADING
}

/// Height of the lanes: the more there are, the lower is each.
fn lanes_height(lanes: usize) -> f64 {
    let lanes = lanes.max(1) as f64;
    (8.0 * lanes.sqrt()).min(4.0 * lanes).max(LEAST_PLOT.1)
}

impl Space<'_> {
    fn place(&self) -> Result<Layout, FigureError> {
        let (from, to) = self.common_window()?;
        // Labels may reach beyond the plot by half of their width, which hardly depends on the plot's.
        let guess = TimeAxis::new(from, to, self.width / self.columns as f64, LABEL);
        let right = (guess.widest(LABEL) / 2.0).max(0.5);
        let gutters: Vec<f64> = (0..self.columns).map(|column| self.gutter(column)).collect();
        let beside = GAP * (self.columns - 1) as f64 + gutters.iter().sum::<f64>() + right * self.columns as f64;
        let plot_width = (self.width - 2.0 * MARGIN - beside) / self.columns as f64;
        if plot_width < LEAST_PLOT.0 {
            return Err(FigureError::Size {
                what: "width",
                found: self.width,
                expected: (self.width + (LEAST_PLOT.0 - plot_width) * self.columns as f64).ceil(),
            });
        }
        let time_axis = TimeAxis::new(from, to, plot_width, LABEL);
        let mut lefts = Vec::new();
        let mut x = MARGIN;
        for gutter in &gutters {
            lefts.push((x, x + gutter));
            x += gutter + plot_width + right + GAP;
        }
        let scales: Vec<Timescale> = (self.extents.iter().zip(lefts.iter().cycle()))
            .map(|(_, &(_, left))| Timescale {
                from,
                to,
                left,
                width: plot_width,
            })
            .collect();
        let mut layout = Layout {
            width: self.width,
            body: 0.0,
            height: self.spec.height,
            small_print: self.small_print,
            cells: Vec::new(),
            time_axis,
            top_value: 0,
            has_legends: self.columns == 1,
        };
        for (number, (scale, &(left, _))) in scales.iter().zip(lefts.iter().cycle()).enumerate() {
            layout
                .cells
                .push(self.cell(number, *scale, left, scale.right() + right));
        }
        let heights = self.heights(plot_width, &layout)?;
        self.stack(&mut layout, &heights);
        layout.top_value = self.top_value(&layout.cells);
        Ok(layout)
    }

    /// The common scale, from time 0.
    fn common_window(&self) -> Result<(u64, u64), FigureError> {
        let from = self.extents.iter().map(|extent| extent.from_ns).min().unwrap_or(0);
        let to = self.extents.iter().map(|extent| extent.to_ns).max().unwrap_or(0);
        let longest = self.extents.iter().max_by_key(|extent| extent.length_ns);
        let Some(longest) = longest else {
            return Err(FigureError::NoTrace);
        };
        if to <= from || longest.length_ns <= from {
            return Err(FigureError::window(from, to, longest.length_ns, longest.clock_is_ns));
        }
        Ok((from, to))
    }

    /// The most CPUs of any trace, and the most tasks that are runnable at any time.
    fn most(&self) -> (u32, u32) {
        let cpus = self.extents.iter().map(|extent| extent.cpus.len() as u32).max();
        let tasks = self.extents.iter().map(|extent| extent.most_runnable).max();
        (cpus.unwrap_or(0).max(1), tasks.unwrap_or(0))
    }

    /// A count above the highest curve, with room for the label of the line at the number of CPUs.
    fn top_value(&self, cells: &[Cell]) -> u32 {
        let (cpus, tasks) = self.most();
        let curves = cells
            .iter()
            .flat_map(|cell| &cell.parts)
            .filter(|part| part.part == Some(Part::RunningWaiting));
        let height = curves.map(|part| part.height).fold(f64::INFINITY, f64::min);
        let for_label = f64::from(cpus) / (1.0 - (CPU_LABEL / height).min(MOST_HEADROOM));
        (for_label.ceil() as u32).max(tasks.saturating_add(tasks / 20 + 1))
    }

    /// Space left of the plots of a column.
    fn gutter(&self, column: usize) -> f64 {
        if !self.has_labels(column) {
            return 1.0;
        }
        let cpus = self
            .extents
            .iter()
            .flat_map(|extent| &extent.cpus)
            .max()
            .copied()
            .unwrap_or(0);
        let mut digits = 0.0_f64;
        if self.spec.kind != Kind::RunningWaiting {
            digits = digits.max(font::width(&cpus.to_string(), LEGEND));
            digits += brackets::width(self.spec.topology.as_deref());
        }
        if self.spec.has_curve() {
            let (cpus, tasks) = self.most();
            // No count on the axis has more digits.
            let most = f64::from(cpus) / (1.0 - MOST_HEADROOM) + f64::from(tasks) * 1.1;
            digits = digits.max(font::width(&format!("{most:.0}"), LEGEND));
        }
        let names = self.extents.iter().map(|extent| extent.task_lanes.1);
        (UPRIGHT_TITLE + digits + TICK + TICK_GAP).max(names.fold(0.0, f64::max))
    }

    /// Whether a column has labels: only the first one needs them if all panels have the same lanes.
    fn has_labels(&self, column: usize) -> bool {
        column == 0
            || self
                .extents
                .windows(2)
                .any(|pair| matches!(pair, [one, next] if one.cpus != next.cpus))
    }

    fn cell(&self, number: usize, scale: Timescale, left: f64, right: f64) -> Cell {
        let mut parts = Vec::new();
        let mut add = |part| {
            parts.push(PartBox {
                part,
                top: 0.0,
                height: 0.0,
            });
        };
        match self.spec.kind {
            Kind::RunningWaiting => add(Some(Part::RunningWaiting)),
            Kind::Timeline | Kind::Wakeup => {
                add(None);
                if self.spec.kind == Kind::Timeline {
                    self.spec.with.iter().for_each(|&part| add(Some(part)));
                }
            }
        }
        Cell {
            scale,
            left,
            right,
            top: 0.0,
            has_name: !self.spec.names.is_empty() || 1 < self.extents.len(),
            parts,
            has_labels: self.has_labels(number % self.columns),
            has_time_labels: true,
            has_time_title: true,
            legend_top: 0.0,
        }
    }

    /// Natural height of a part in all panels, if the figure's height is not given.
    fn natural(&self, part: Option<Part>, extent: &Extent, plot_width: f64) -> f64 {
        let small = 1 < self.columns;
        match part {
            None if small => lanes_height(extent.cpus.len()).min((0.75 * plot_width).max(20.0)),
            None if self.spec.kind == Kind::Wakeup => extent.cpus.len() as f64 * wakeup_paint::PITCH,
            None => lanes_height(extent.cpus.len()),
            Some(Part::RunningWaiting) if self.spec.kind == Kind::RunningWaiting => {
                (0.32 * plot_width).clamp(if small { 15.0 } else { 25.0 }, 55.0)
            }
            Some(Part::RunningWaiting) => (0.15 * plot_width).clamp(12.0, 25.0),
            Some(Part::Tasks) => extent.task_lanes.0 as f64 * tasks::pitch(self.spec.calls),
        }
    }

    /// Heights of all parts of each panel.
    fn heights(&self, plot_width: f64, layout: &Layout) -> Result<Vec<Vec<f64>>, FigureError> {
        let natural = self.extents.iter().zip(&layout.cells).map(|(extent, cell)| {
            let parts = cell.parts.iter();
            parts
                .map(|part| self.natural(part.part, extent, plot_width))
                .collect::<Vec<f64>>()
        });
        let mut heights: Vec<Vec<f64>> = natural.collect();
        let Some(wanted) = self.spec.height else {
            return Ok(heights);
        };
        let mut trial = layout.clone();
        self.stack(&mut trial, &heights);
        let rows = heights.chunks(self.columns);
        let plots: f64 = rows
            .map(|row| row.iter().map(|parts| parts.iter().sum::<f64>()).fold(0.0, f64::max))
            .sum();
        let fixed = trial.body - plots + self.below_body(&trial);
        let share = (wanted - fixed) / plots;
        let least = LEAST_PLOT.1 * self.extents.len().div_ceil(self.columns) as f64;
        if wanted < fixed + least {
            return Err(FigureError::Size {
                what: "height",
                found: wanted,
                expected: (fixed + least).ceil(),
            });
        }
        for height in heights.iter_mut().flatten() {
            *height *= share;
        }
        Ok(heights)
    }

    /// Height of the key and the small print.
    fn below_body(&self, layout: &Layout) -> f64 {
        // Colours do not matter for heights.
        let colours = crate::choices::colour::Colours::new(self.spec, &[]);
        let key = Key::new(
            self.spec,
            self.extents,
            &colours,
            !layout.has_legends,
            layout.inner_width(),
        );
        key.height() + self.small_print + MARGIN
    }

    /// Stacks the rows of panels.
    fn stack(&self, layout: &mut Layout, heights: &[Vec<f64>]) {
        let mut y = MARGIN;
        if self.spec.title.is_some() {
            y += TITLE * LEADING + 0.8;
        }
        let count = self.extents.len();
        let rows = (self.extents.chunks(self.columns))
            .zip(layout.cells.chunks_mut(self.columns))
            .zip(heights.chunks(self.columns));
        for (first, ((extents, cells), heights)) in (0..).step_by(self.columns).zip(rows) {
            if 0 < first {
                y += GAP;
            }
            let above = (extents.iter().zip(cells.iter()))
                .map(|(extent, cell)| self.above(extent, cell))
                .fold(0.0, f64::max);
            let mut lowest = y;
            let panels = extents.iter().zip(cells).zip(heights);
            for (number, ((extent, cell), heights)) in (first..).zip(panels) {
                let is_last = count <= number + self.columns;
                let bottom = self.place_cell(extent, cell, [y, y + above], heights, is_last);
                lowest = lowest.max(bottom);
            }
            y = lowest;
        }
        layout.body = y + LEGEND_GAP;
    }

    /// Height of the name, marks and notes above the plots.
    fn above(&self, extent: &Extent, cell: &Cell) -> f64 {
        let notes = Notes::new(&self.spec.notes, extent.zero_ns, cell.scale, extent.clock_is_ns);
        let caption = extent.wakeup.as_ref().and_then(|found| found.as_ref().ok());
        let caption = caption.map_or(0.0, |found| paragraph_height(&found.caption, LEGEND, cell.scale.width));
        caption + notes.height() + if cell.has_name { LABEL * LEADING + 0.4 } else { 0.6 }
    }

    /// Places a panel; returns its lower edge.
    fn place_cell(
        &self,
        extent: &Extent,
        cell: &mut Cell,
        [top, plot_top]: [f64; 2],
        heights: &[f64],
        is_last: bool,
    ) -> f64 {
        cell.top = top;
        let mut y = plot_top;
        for (part, &height) in cell.parts.iter_mut().zip(heights) {
            if plot_top < y {
                y += PART_GAP;
            }
            (part.top, part.height) = (y, height);
            y += height;
        }
        let legend = extent.legend.as_ref().filter(|_| self.columns == 1);
        // Where the height is given it must not depend on labels whether there is room for them.
        let rows = self.extents.len().div_ceil(self.columns) as f64;
        let height = self.spec.height.map_or(y - plot_top, |all| all / rows - AROUND);
        let is_tall = self.columns == 1 && TALL <= height;
        cell.has_time_labels = is_last || is_tall || legend.is_some();
        cell.has_time_title = is_last || legend.is_some();
        y += TICK;
        if cell.has_time_labels {
            y += TICK_GAP + LABEL * LEADING;
        }
        if cell.has_time_title {
            y += LABEL * LEADING;
        }
        cell.legend_top = y + LEGEND_GAP;
        match legend {
            Some(legend) => cell.legend_top + legend.table(cell.right - cell.scale.left).height(),
            None => y,
        }
    }
}
