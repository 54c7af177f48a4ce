//! The bar chart of run times.

use super::run_times::{Run, RunTimes};
use crate::paint::axis::{count_ticks, fixed};
use crate::paint::theme::{self, ASCENT, AXIS, HALF_CAP, LABEL, LEADING, PARTING, SERIES, SMALL, TITLE};
use crate::FigureError;
use paper::font;
use paper::{About, Anchor, Drawing, Fill, Item, Label, Rect, Rgb, Space};

fn colour_of(series: usize) -> Rgb {
    SERIES.get(series % SERIES.len()).copied().unwrap_or(theme::INK)
}

const WIDTH: f64 = 85.0;
const HEIGHT: f64 = 55.0;
/// Margin on all sides.
const MARGIN: f64 = 1.0;
/// Gap between things that belong together.
const GAP: f64 = 1.0;
/// Least height of the longest bar, and least width of a bar's place.
const LEAST_HEIGHT: f64 = 10.0;
const LEAST_BAR: f64 = 0.15;
const S: u64 = 1_000_000_000;
/// Units per mm of bars' coordinates across.
const MICROMETRES: f64 = 1000.0;

/// Where the bars are, in mm.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// ns at the upper edge.
    most: u64,
    /// The most runs in a series.
    ranks: usize,
    series: usize,
    /// Decimals of the labels on bars and at the axis.
    decimals: u32,
}

impl RunTimes {
    /// The chart of sorted runs.
    pub fn draw(&self, runs: &[Run]) -> Result<Drawing, FigureError> {
        if runs.is_empty() {
            return Err(FigureError::NoTrace);
        }
        let series: Vec<&[Run]> = runs.chunk_by(|a, b| a.group == b.group).collect();
        draw(self, &series)
    }
}

/// Draws the n-th fastest run of every series side by side, for each n.
fn draw(chart: &RunTimes, series: &[&[Run]]) -> Result<Drawing, FigureError> {
    let (width, height) = (chart.width.unwrap_or(WIDTH), chart.height.unwrap_or(HEIGHT));
    let longest = series
        .iter()
        .flat_map(|runs| runs.iter())
        .map(|run| run.run_time_ns)
        .max();
    let most = longest.unwrap_or(0).max(1);
    let decimals = decimals(most);
    let mut items = Vec::new();
    let mut top = MARGIN;
    if let Some(title) = &chart.title {
        let shown = font::ellipsize(title, TITLE, width - 2.0 * MARGIN);
        items.push(theme::text(
            "title",
            [MARGIN, top + ASCENT * TITLE],
            TITLE,
            Anchor::Start,
            shown,
        ));
        top += LEADING * TITLE + GAP;
    }
    top = keys(series, width, top, &mut items);
    // A label above the longest bar.
    top += LEADING * SMALL;
    let small_print: Vec<String> = series.iter().map(|runs| spread(runs, decimals)).collect();
    let bottom = height - MARGIN - LEADING * (SMALL * small_print.len() as f64 + 2.0 * LABEL) - GAP;
    let ticks = count_ticks(most, (bottom - top).max(1.0), LABEL);
    let tick_decimals = ticks.get(1).map_or(0, |&step| decimals_of(step));
    let label = |at: u64| fixed(at, S, tick_decimals);
    let widest = ticks
        .iter()
        .map(|&at| font::width(&label(at), LABEL))
        .fold(0.0, f64::max);
    let plot = Plot {
        left: MARGIN + LEADING * LABEL + widest + 2.0 * GAP,
        right: width - MARGIN,
        top,
        bottom,
        most,
        ranks: series.iter().map(|runs| runs.len()).max().unwrap_or(0).max(1),
        series: series.len().max(1),
        decimals,
    };
    plot.fits(width, height)?;
    let y = |at: u64| plot.y(at);
    let grid = ticks
        .iter()
        .skip(1)
        .map(|&at| vec![[plot.left, y(at)], [plot.right, y(at)]]);
    items.push(theme::lines("grid", PARTING, grid.collect()));
    for (number, runs) in series.iter().enumerate() {
        plot.bars(number, runs, &mut items);
    }
    items.push(theme::lines(
        "axis",
        AXIS,
        vec![vec![
            [plot.left, plot.top],
            [plot.left, plot.bottom],
            [plot.right, plot.bottom],
        ]],
    ));
    for &at in &ticks {
        let place = [plot.left - GAP, y(at) + HALF_CAP * LABEL];
        items.push(theme::text("value-label", place, LABEL, Anchor::End, label(at)));
    }
    let middle = (plot.top + plot.bottom) / 2.0;
    items.push(theme::upwards(
        "axis-title",
        [MARGIN + ASCENT * LABEL, middle],
        LABEL,
        "run time (s)",
    ));
    plot.ranks(&mut items);
    let mut line = height - MARGIN - LEADING * SMALL * small_print.len() as f64;
    for text in small_print {
        let shown = font::ellipsize(&text, SMALL, width - 2.0 * MARGIN).into_owned();
        items.push(theme::text(
            "small-print",
            [MARGIN, line + ASCENT * SMALL],
            SMALL,
            Anchor::Start,
            shown,
        ));
        line += LEADING * SMALL;
    }
    let count: usize = series.iter().map(|runs| runs.len()).sum();
    Ok(Drawing {
        width,
        height,
        about: About {
            title: chart
                .title
                .clone()
                .unwrap_or_else(|| format!("Run times of {count} traces")),
            command: String::new(),
            views: series
                .iter()
                .flat_map(|runs| runs.iter())
                .map(|run| run.view.clone())
                .collect(),
        },
        items,
    })
}

/// Draws the names of the series in one or several lines; returns their lower edge.
fn keys(series: &[&[Run]], width: f64, top: f64, items: &mut Vec<Item>) -> f64 {
    let (mut left, mut line) = (MARGIN, top);
    let mut any = false;
    for (number, runs) in series.iter().enumerate() {
        let Some(name) = runs.first().and_then(|run| run.group.as_deref()) else {
            continue;
        };
        any = true;
        let shown = font::ellipsize(name, LABEL, width - 2.0 * MARGIN - LABEL - GAP);
        let needed = LABEL + GAP + font::width(&shown, LABEL);
        if MARGIN < left && width - MARGIN < left + needed {
            (left, line) = (MARGIN, line + LEADING * LABEL);
        }
        let swatch = 0.72 * LABEL;
        let at = [left, line + ASCENT * LABEL - swatch];
        items.push(theme::block("key", colour_of(number), at, [swatch, swatch]));
        let place = [left + LABEL + GAP / 2.0, line + ASCENT * LABEL];
        items.push(theme::text("key-label", place, LABEL, Anchor::Start, shown));
        left += needed + 3.0 * GAP;
    }
    if any {
        line + LEADING * LABEL + GAP
    } else {
        line
    }
}

/// The slowest and the fastest run of a series, in words.
fn spread(runs: &[Run], decimals: u32) -> String {
    let (Some(fastest), Some(slowest)) = (runs.first(), runs.last()) else {
        return String::new();
    };
    let name = fastest.group.as_ref().map_or(String::new(), |name| format!("{name}: "));
    let seconds = |run: &Run| fixed(run.run_time_ns, S, decimals);
    if runs.len() == 1 {
        return format!("{name}1 run of {} s", seconds(fastest));
    }
    // Hundredths, rounded half up.
    let least = u128::from(fastest.run_time_ns.max(1));
    let hundredths = (u128::from(slowest.run_time_ns) * 200 + least) / (2 * least);
    format!(
        "{name}{} runs, fastest {} s, slowest {} s, slowest / fastest {}.{:02}×",
        runs.len(),
        seconds(fastest),
        seconds(slowest),
        hundredths / 100,
        hundredths % 100
    )
}

/// Decimals of a second with which the longest of some times has about four digits.
fn decimals(longest: u64) -> u32 {
    match longest {
        0..1_000_000 => 9,
        1_000_000..10_000_000 => 6,
        10_000_000..100_000_000 => 5,
        100_000_000..1_000_000_000 => 4,
        1_000_000_000..10_000_000_000 => 3,
        10_000_000_000..100_000_000_000 => 2,
        _ => 1,
    }
}

/// Decimals of a second that a round number of ns needs.
fn decimals_of(round: u64) -> u32 {
    (0..9)
        .find(|&decimals| round.is_multiple_of(S / 10_u64.pow(decimals)))
        .unwrap_or(9)
}

impl Plot {
    fn fits(&self, width: f64, height: f64) -> Result<(), FigureError> {
        let least = self.ranks as f64 * self.series as f64 * LEAST_BAR;
        let (across, down) = (self.right - self.left, self.bottom - self.top);
        let wrong = |what, found: f64, missing: f64| FigureError::Size {
            what,
            found,
            expected: (found + missing).ceil(),
        };
        if across < least {
            return Err(wrong("width", width, least - across));
        }
        if down < LEAST_HEIGHT {
            return Err(wrong("height", height, LEAST_HEIGHT - down));
        }
        Ok(())
    }

    fn y(&self, at: u64) -> f64 {
        self.bottom - (self.bottom - self.top) * (at as f64 / self.most as f64)
    }

    /// Width of a rank and of a bar, in mm.
    fn widths(&self) -> [f64; 2] {
        let rank = (self.right - self.left) / self.ranks as f64;
        [rank, rank * 0.8 / self.series as f64]
    }

    fn bars(&self, series: usize, runs: &[Run], items: &mut Vec<Item>) {
        let [rank, bar] = self.widths();
        let space = Space {
            left: self.left,
            top: self.bottom,
            unit_x: 1.0 / MICROMETRES,
            unit_y: -(self.bottom - self.top) / self.most as f64,
        };
        let widest = runs
            .iter()
            .map(|run| font::width(&self.seconds(run), SMALL))
            .fold(0.0, f64::max);
        for (number, run) in runs.iter().enumerate() {
            let left = rank * (number as f64 + 0.1) + bar * series as f64;
            let mut data = vec![("file", run.file.clone()), ("run-ns", run.run_time_ns.to_string())];
            data.extend(run.group.iter().map(|group| ("group", group.clone())));
            items.push(Item::Rects {
                label: Label {
                    class: "bar",
                    data,
                    title: format!("{}: {} s", run.file, fixed(run.run_time_ns, S, 9)),
                },
                space,
                fill: Fill::Solid(colour_of(series)),
                rects: vec![Rect {
                    x: (left * MICROMETRES).round() as i64,
                    y: 0,
                    width: ((bar * MICROMETRES).round() as i64).max(1),
                    height: i64::try_from(run.run_time_ns).unwrap_or(i64::MAX).max(1),
                }],
            });
            let (middle, top) = (self.left + left + bar / 2.0, self.y(run.run_time_ns));
            if widest + GAP / 2.0 < bar {
                let place = [middle, top - 0.25 * SMALL];
                items.push(theme::text(
                    "bar-label",
                    place,
                    SMALL,
                    Anchor::Middle,
                    self.seconds(run),
                ));
            } else if SMALL <= bar && 2.0 * GAP + widest < (self.bottom - top).abs() {
                items.push(self.inside(run, series, [middle, top]));
            }
        }
    }

    /// A bar's label inside the bar, read upwards.
    fn inside(&self, run: &Run, series: usize, [middle, top]: [f64; 2]) -> Item {
        let Rgb(red, green, blue) = colour_of(series);
        let light = 2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue);
        let colour = if light < 8 * 128 { theme::PAPER } else { theme::INK };
        let text = self.seconds(run);
        let y = top + GAP + font::width(&text, SMALL) / 2.0;
        match theme::upwards("bar-label", [middle + HALF_CAP * SMALL, y], SMALL, text) {
            Item::Text { label, text } => Item::Text {
                label,
                text: paper::Text { colour, ..text },
            },
            other => other,
        }
    }

    fn seconds(&self, run: &Run) -> String {
        fixed(run.run_time_ns, S, self.decimals)
    }

    /// The numbers of the runs, from the fastest, where there is room.
    fn ranks(&self, items: &mut Vec<Item>) {
        let [rank, _] = self.widths();
        let wide = font::width(&self.ranks.to_string(), LABEL) + GAP;
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
            .into_iter()
            .find(|&step| wide <= rank * step as f64)
            .unwrap_or(self.ranks);
        let y = self.bottom + GAP + ASCENT * LABEL;
        let shown = (1..=self.ranks).filter(|&number| number % step == 0 || (number == 1 && step < 5));
        for number in shown {
            let x = self.left + rank * (number as f64 - 0.5);
            items.push(theme::text(
                "rank-label",
                [x, y],
                LABEL,
                Anchor::Middle,
                number.to_string(),
            ));
        }
        let place = [(self.left + self.right) / 2.0, y + LEADING * LABEL];
        items.push(theme::text(
            "axis-title",
            place,
            LABEL,
            Anchor::Middle,
            "runs, the fastest first",
        ));
    }
}

#[cfg(test)]
mod tests;
