//! The legend: the meaning of each colour, with the numbers that `corelane stats` has.

use crate::choices::colour::{parent_name, Colours};
use crate::choices::spec::{ColorBy, Kind, LegendOf, Spec};
use crate::choices::subject::Subject;
use crate::paint::axis::{duration, fixed};
use crate::paint::theme::{block, coloured, text, ASCENT, LEADING, LEGEND, QUIET};
use paper::font;
use paper::{Anchor, Item, Label, Rgb};
use schedmodel::{TaskCommId, TaskId, Trace};
use schedquery::query::{PairSums, Selected, Selection};
use std::collections::BTreeMap;

/// The most rows; those with the longest execution come first.
const MOST: usize = 12;
/// Distance between rows, in mm.
const ROW: f64 = LEGEND * LEADING;
/// Width of the coloured square and the gap after it, in mm.
const SWATCH: f64 = 2.6;
/// Gap between columns, in mm.
const COLUMN_GAP: f64 = 2.6;
/// Gap between tables beside each other, in mm.
const TABLE_GAP: f64 = 8.0;
/// Least width of a name, in mm.
const LEAST_NAME: f64 = 12.0;
/// Tables with fewer rows are not broken into several beside each other.
const LEAST_ROWS: usize = 4;

/// The owner of a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// A command.
    Command(String),
    /// All tasks forked by one task; `None` for tasks that were not forked in the trace.
    Parent(Option<TaskId>),
}

/// A row of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LegendRow {
    pub(crate) whose: Whose,
    pub(crate) execution_ns: u64,
    /// Texts by column, the name first.
    cells: Vec<String>,
}

/// A trace's legend, as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Legend {
    of: LegendOf,
    /// Says what is counted.
    heading: String,
    /// Names of the columns.
    columns: &'static [&'static str],
    pub(crate) rows: Vec<LegendRow>,
    /// Number of rows that are left out.
    more: usize,
    /// Singular and plural of what a row is.
    what: [&'static str; 2],
    /// The time that is counted, in ns of absolute trace time.
    window: [u64; 2],
}

impl Legend {
    /// The legend of a trace; `None` if colours have no names, or no legend is requested.
    pub(crate) fn of(subject: &Subject<'_>, spec: &Spec) -> Option<Legend> {
        if spec.kind != Kind::Timeline {
            return None;
        }
        let trace = subject.trace;
        let mut selection = spec.selected(subject);
        match spec.legend {
            LegendOf::None => return None,
            LegendOf::Window => {}
            LegendOf::ToEnd => selection.min = None,
            LegendOf::Trace => (selection.min, selection.max, selection.after_sleep) = (None, None, false),
        }
        let zero = spec.selection.time_zero(trace);
        let window = selection.window(trace);
        let window = [window.start, window.end.min(trace.span_ns).max(window.start)];
        let times = Times::new(zero, window, subject.clock_is_ns);
        let (what, columns, rows) = match spec.color_by {
            ColorBy::Pid => return None,
            ColorBy::Command => (
                ["command", "commands"],
                &["command", "first–last", "execution", "switches to", "PIDs"][..],
                commands(&sums(trace, &selection), trace, &times),
            ),
            ColorBy::Parent => (
                ["parent", "parents"],
                &["forked by", "first–last", "execution", "switches to", "tasks"][..],
                parents(&sums(trace, &selection), trace, &times),
            ),
        };
        let more = rows.len().saturating_sub(MOST);
        Some(Legend {
            of: spec.legend,
            heading: heading(spec.legend, &times, what[1]),
            columns,
            rows: rows.into_iter().take(MOST).collect(),
            more,
            what,
            window: window.map(|at| trace.origin_ns.saturating_add(at)),
        })
    }

    /// Width of each column in mm.
    fn widths(&self) -> Vec<f64> {
        let mut widths: Vec<f64> = self.columns.iter().map(|name| font::width(name, LEGEND)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = width.max(font::width(cell, LEGEND));
            }
        }
        widths
    }

    /// The table, laid out on this width in mm.
    pub(crate) fn table(&self, width: f64) -> Table<'_> {
        let mut widths = self.widths();
        let all = |widths: &[f64]| SWATCH + widths.iter().map(|width| width + COLUMN_GAP).sum::<f64>() - COLUMN_GAP;
        let too_wide = all(&widths) - width;
        if let Some(name) = widths.first_mut().filter(|_| 0.0 < too_wide) {
            *name = (*name - too_wide).max(LEAST_NAME.min(*name));
        }
        let table = all(&widths);
        let beside = ((width + TABLE_GAP) / (table + TABLE_GAP)).floor().max(1.0) as usize;
        let tables = beside.min(self.rows.len().div_ceil(LEAST_ROWS)).max(1);
        Table {
            legend: self,
            widths,
            width: table,
            rows: self.rows.len().div_ceil(tables),
        }
    }
}

/// `Commands, 3–3.2 s`
fn heading(of: LegendOf, times: &Times, what: &str) -> String {
    let counted = match of {
        LegendOf::Trace => "whole trace".to_owned(),
        LegendOf::Window | LegendOf::ToEnd | LegendOf::None => times.range(times.window[0], times.window[1], true),
    };
    let unit = if times.clock_is_ns { "s" } else { "ticks" };
    format!("{what}, {counted} (first–last in {unit} from time 0)")
}

/// Format of the legend's times.
struct Times {
    zero: u64,
    window: [u64; 2],
    clock_is_ns: bool,
    decimals: u32,
}

const SECOND: u64 = 1_000_000_000;

impl Times {
    fn new(zero: u64, window: [u64; 2], clock_is_ns: bool) -> Times {
        // At least a thousandth of the window.
        let decimals = match window[1] - window[0] {
            10_000_000.. => 4,
            100_000.. => 6,
            _ => 9,
        };
        Times {
            zero,
            window,
            clock_is_ns,
            decimals,
        }
    }

    /// Seconds (or ticks) from time 0; `short`: without trailing zeros.
    fn seconds(&self, at: u64, short: bool) -> String {
        let sign = if at < self.zero { "−" } else { "" };
        let distance = at.abs_diff(self.zero);
        if !self.clock_is_ns {
            return format!("{sign}{distance}");
        }
        let digits = fixed(distance, SECOND, self.decimals);
        let shown = match short {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => &digits,
        };
        format!("{sign}{shown}")
    }

    fn range(&self, from: u64, to: u64, with_unit: bool) -> String {
        let range = format!("{}–{}", self.seconds(from, with_unit), self.seconds(to, with_unit));
        match (with_unit, self.clock_is_ns) {
            (false, _) => range,
            (true, true) => format!("{range} s"),
            (true, false) => format!("{range} ticks"),
        }
    }
}

fn commands(sums: &PairSums, trace: &Trace, times: &Times) -> Vec<LegendRow> {
    let rows = sums.commands(trace).into_iter().map(|row| LegendRow {
        execution_ns: row.execution_ns,
        cells: vec![
            row.comm.clone(),
            times.range(row.first, row.last, false),
            duration(row.execution_ns, times.clock_is_ns),
            row.switches_to.to_string(),
            row.pids.to_string(),
        ],
        whose: Whose::Command(row.comm),
    });
    rows.collect()
}

/// The tasks that forked others, by how long the forked tasks ran.
fn parents(sums: &PairSums, trace: &Trace, times: &Times) -> Vec<LegendRow> {
    let mut found: BTreeMap<Option<TaskId>, (schedindex::RunSum, Vec<TaskId>)> = BTreeMap::new();
    for (pair, sum) in (0..).map(TaskCommId).zip(&sums.ran) {
        let Some(sum) = *sum else { continue };
        let task = trace.task_comm(pair).task;
        let of_parent = found.entry(trace.task(task).parent);
        let (all, tasks) = of_parent
            .and_modify(|(all, _)| *all = all.and(sum))
            .or_insert((sum, Vec::new()));
        debug_assert!(sum.execution <= all.execution);
        tasks.push(task);
    }
    let mut rows: Vec<LegendRow> = found
        .into_iter()
        .map(|(parent, (sum, mut tasks))| {
            tasks.sort_unstable();
            tasks.dedup();
            LegendRow {
                whose: Whose::Parent(parent),
                execution_ns: sum.execution,
                cells: vec![
                    parent_name(trace, parent),
                    times.range(sum.first, sum.last, false),
                    duration(sum.execution, times.clock_is_ns),
                    sum.switches_to().to_string(),
                    tasks.len().to_string(),
                ],
            }
        })
        .collect();
    // Stable: equal ones in order of first appearance.
    rows.sort_by_key(|row| std::cmp::Reverse(row.execution_ns));
    rows
}

/// A laid-out legend, in one table or several beside each other.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    legend: &'a Legend,
    /// Width of each column in mm.
    widths: Vec<f64>,
    /// Width of one table in mm.
    pub(crate) width: f64,
    /// Rows in each table.
    rows: usize,
}

impl Table<'_> {
    /// Total height in mm.
    pub(crate) fn height(&self) -> f64 {
        (2 + self.rows + usize::from(0 < self.legend.more)) as f64 * ROW
    }

    /// Draws it with its upper left corner at this point; `colour` gives the colour of an owner.
    pub(crate) fn draw(&self, [left, top]: [f64; 2], colour: impl Fn(&Whose) -> Rgb) -> Vec<Item> {
        let legend = self.legend;
        let of = match legend.of {
            LegendOf::Window | LegendOf::None => "window",
            LegendOf::ToEnd => "to-end",
            LegendOf::Trace => "trace",
        };
        let label = Label::of("legend")
            .with("of", of)
            .with("start-ns", legend.window[0])
            .with("end-ns", legend.window[1]);
        let line = |number: usize| top + ASCENT * LEGEND + number as f64 * ROW;
        let mut items = vec![Item::Open(label)];
        items.push(text(
            "legend-heading",
            [left, line(0)],
            LEGEND,
            Anchor::Start,
            legend.heading.as_str(),
        ));
        for (number, rows) in legend.rows.chunks(self.rows.max(1)).enumerate() {
            let left = left + number as f64 * (self.width + TABLE_GAP);
            self.line(
                "legend-head",
                [left, line(1)],
                legend.columns,
                &mut items,
                |class, at, anchor, cell| coloured(class, at, LEGEND, anchor, QUIET, cell),
            );
            for (row, y) in rows.iter().zip((2..).map(line)) {
                let label = Label::of("legend-row");
                let label = match &row.whose {
                    Whose::Command(comm) => label.with("comm", comm),
                    Whose::Parent(_) => label.with("parent", row.cells.first().map_or("", String::as_str)),
                };
                items.push(Item::Open(label));
                let size = LEGEND * 0.72;
                let corner = [left, y - size + 0.05];
                items.push(block("legend-swatch", colour(&row.whose), corner, [size * 1.25, size]));
                self.line(
                    "legend-cell",
                    [left, y],
                    &row.cells,
                    &mut items,
                    |class, at, anchor, cell| text(class, at, LEGEND, anchor, cell),
                );
                items.push(Item::Close);
            }
        }
        if 0 < legend.more {
            let at = [left + SWATCH, line(2 + self.rows)];
            let [one, several] = legend.what;
            let what = if 1 < legend.more { several } else { one };
            let said = format!("{} more {what}", legend.more);
            items.push(coloured("legend-more", at, LEGEND, Anchor::Start, QUIET, said));
        }
        items.push(Item::Close);
        items
    }

    /// One row: the first column is left-aligned, the others are right-aligned.
    fn line(
        &self,
        class: &'static str,
        [left, y]: [f64; 2],
        cells: &[impl AsRef<str>],
        items: &mut Vec<Item>,
        write: impl Fn(&'static str, [f64; 2], Anchor, String) -> Item,
    ) {
        let mut x = left + SWATCH;
        for (column, (cell, &width)) in cells.iter().zip(&self.widths).enumerate() {
            let cell = font::ellipsize(cell.as_ref(), LEGEND, width + 0.01).into_owned();
            items.push(match column {
                0 => write(class, [x, y], Anchor::Start, cell),
                _ => write(class, [x + width, y], Anchor::End, cell),
            });
            x += width + COLUMN_GAP;
        }
    }
}

/// The colour of an owner in the legend.
pub(crate) fn colour_of(colours: &Colours, trace: &Trace, whose: &Whose) -> Rgb {
    match whose {
        Whose::Command(comm) => colours.of_command(comm),
        Whose::Parent(parent) => colours.of_parent(trace, *parent),
    }
}

/// Sums of the runs of a selection.
fn sums(trace: &Trace, selection: &Selection) -> PairSums {
    PairSums::new(&Selected::new(trace, selection))
}
