//! A counter on lanes: a line that covers, in each column a dot wide, all values that hold there.

use super::lanes::Band;
use crate::choices::counter::{CounterGrid, CounterValues, Whose};
use crate::paint::frame::{Drawn, LanesFrame};
use crate::paint::scale::{Scale, PRINTED_DOT};
use crate::paint::theme;
use paper::{Fill, Item, Label, Rect, Space};
use schedmodel::Trace;
use std::ops::Range;

/// Thickness of the line, and of the paper on both sides of it, in mm.
const THICK: f64 = 0.2;
const EDGE: f64 = 0.1;

/// Draws the lines of a figure's lanes.
pub(crate) struct CounterPen<'a> {
    values: &'a dyn CounterValues,
    scale: Scale,
    columns: Vec<Range<u64>>,
    grid: CounterGrid,
    /// The values at the lower and the upper edge of a lane.
    range: [f64; 2],
}

impl<'a> CounterPen<'a> {
    /// For a window that is `width` mm wide, and the least and the greatest value.
    pub(crate) fn new(
        values: &'a dyn CounterValues,
        [least, greatest]: [f64; 2],
        window: &Range<u64>,
        width: f64,
        dot: Option<f64>,
    ) -> CounterPen<'a> {
        let scale = Scale::new(window, width, Some(dot.unwrap_or(PRINTED_DOT)));
        // As on the page: from 0, and what never changes lies in the middle.
        let range = match [least.min(0.0), greatest.max(0.0)] {
            [bottom, top] if bottom < top => [bottom, top],
            [bottom, top] => [bottom - 1.0, top + 1.0],
        };
        CounterPen {
            values,
            columns: scale.columns(),
            grid: CounterGrid::of(window),
            scale,
            range,
        }
    }

    pub(crate) fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The line of a lane, as rectangles. `top`, `height`: the lane's upper edge and height in units, of which one is `unit_mm` high.
    pub(crate) fn line(&self, whose: Whose, (top, height): (i64, i64), unit_mm: f64) -> Vec<Rect> {
        let extremes = self.values.extremes(whose, &self.grid);
        let thick = units(THICK, unit_mm).min(height);
        let [bottom, upper] = self.range;
        let y = |value: f64| top + ((upper - value) / (upper - bottom) * (height - thick) as f64).round() as i64;
        let mut line: Vec<Rect> = Vec::new();
        // The highest and the lowest place of the column before.
        let mut before: Option<(i64, i64)> = None;
        for column in &self.columns {
            let Some([least, greatest]) = self.within(&extremes, column) else {
                before = None;
                continue;
            };
            let (first, last) = (y(greatest), y(least));
            // Up or down to where the column before ends, so that the line is one.
            let (from, to) = before.map_or((first, last), |(high, low)| (first.min(low), last.max(high)));
            before = Some((first, last));
            let x = self.scale.x(column.start);
            let rect = Rect {
                y: from,
                x,
                width: self.scale.x(column.end) - x,
                height: to - from + thick,
            };
            match line.last_mut() {
                Some(last) if (last.y, last.height, last.x + last.width) == (rect.y, rect.height, x) => {
                    last.width += rect.width;
                }
                _ if 0 < rect.width => line.push(rect),
                _ => {}
            }
        }
        line
    }

    /// The least and the greatest value of all buckets that a column touches.
    fn within(&self, extremes: &[[f64; 2]], column: &Range<u64>) -> Option<[f64; 2]> {
        let CounterGrid { level, first, .. } = self.grid;
        let bucket = |at: u64| ((at >> level) - first) as usize;
        let touched = extremes.get(bucket(column.start)..=bucket(column.end - 1))?;
        let known = touched.iter().copied().filter(|[least, _]| !least.is_nan());
        known.reduce(|[least, greatest], [low, high]| [least.min(low), greatest.max(high)])
    }

    /// The items of lines: on paper, so that they are seen on runs of any colour.
    pub(crate) fn items(&self, lines: Vec<Rect>, space: Space) -> [Item; 2] {
        let edge = units(EDGE, space.unit_y);
        let ground = lines.iter().map(|rect| Rect {
            y: rect.y - edge,
            height: rect.height + 2 * edge,
            ..*rect
        });
        let rects = |class, colour, rects| Item::Rects {
            label: Label {
                title: self.values.name().to_owned(),
                ..Label::of(class)
            },
            space,
            fill: Fill::Solid(colour),
            rects,
        };
        [
            rects("counter-edge", theme::PAPER, ground.collect()),
            rects("counter-line", theme::INK, lines),
        ]
    }

    /// What is said of the lines.
    pub(crate) fn told(&self) -> String {
        let [least, greatest] = self.range;
        format!("line: {}, from {least} to {greatest} on each lane", self.values.name())
    }
}

/// A length in units, of which one is `unit_mm`; at least one.
fn units(mm: f64, unit_mm: f64) -> i64 {
    ((mm / unit_mm).round() as i64).max(1)
}

/// The lines of the lanes of CPUs. `range`: the least and the greatest value; `None`: there is none.
pub(crate) fn counter(
    trace: &Trace,
    values: &dyn CounterValues,
    range: Option<[f64; 2]>,
    frame: &LanesFrame<'_>,
    band: Band,
) -> Drawn {
    let Some(range) = range else {
        return Drawn {
            items: Vec::new(),
            small_print: vec![format!("no event of the trace has {}", values.name())],
        };
    };
    let pen = CounterPen::new(values, range, &frame.window, frame.width, frame.dot);
    let space = frame.space(pen.scale());
    let lines = frame.rows.iter().enumerate().flat_map(|(row, &lane)| {
        let cpu = Whose::Cpu(trace.cpu_at(lane));
        pen.line(cpu, (band.y(row), band.height), space.unit_y)
    });
    let lines = pen.items(lines.collect(), space);
    let mut items = vec![Item::Open(Label {
        class: "counter",
        data: pen
            .scale()
            .data(trace.origin_ns, Some(frame.dot.unwrap_or(PRINTED_DOT))),
        title: String::new(),
    })];
    items.extend(lines);
    items.push(Item::Close);
    Drawn {
        items,
        small_print: vec![pen.told()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The values of CPU 0 in buckets of 1 ns.
    #[derive(Debug)]
    struct Buckets(Vec<[f64; 2]>);

    impl CounterValues for Buckets {
        fn name(&self) -> &str {
            "a:b:c"
        }

        fn range(&self) -> Option<[f64; 2]> {
            Some([-5.0, 9.0])
        }

        fn extremes(&self, whose: Whose, grid: &CounterGrid) -> Vec<[f64; 2]> {
            assert_eq!(whose, Whose::Cpu(0));
            let first = grid.first as usize;
            self.0[first..first + grid.buckets].to_vec()
        }
    }

    proptest! {
        /// A column is covered from its least to its greatest value and to where the column before ends, and no further.
        #[test]
        fn the_line_has_all_values_of_each_column(
            known in prop::collection::vec((0_u32..6, -5_i32..9, 0_i32..4), 60),
            start in 0_u64..20,
            columns in 3_u64..30,
        ) {
            let buckets = known.iter().map(|&(gap, least, more)| match gap {
                0 => [f64::NAN; 2],
                _ => [f64::from(least), f64::from((least + more).min(9))],
            });
            let values = Buckets(buckets.collect());
            let window = start..60;
            let pen = CounterPen::new(&values, [-5.0, 9.0], &window, columns as f64 * 0.1, None);
            // 140 units of 0.1 mm for 14 values, beside the two of the line's thickness.
            let (top, height, thick) = (7, 142, 2);
            let y = |value: f64| top + (9.0 - value) as i64 * 10;
            let line = pen.line(Whose::Cpu(0), (top, height), 0.1);
            let mut before: Option<(i64, i64)> = None;
            for column in pen.scale().columns() {
                let held = values.0[column.start as usize..column.end as usize].iter().filter(|[least, _]| !least.is_nan());
                let least = held.clone().map(|pair| pair[0]).reduce(f64::min);
                let greatest = held.map(|pair| pair[1]).reduce(f64::max);
                let own = greatest.zip(least).map(|(greatest, least)| (y(greatest), y(least)));
                let naive = own.map(|(high, low)| match before {
                    Some((was_high, was_low)) => (high.min(was_low), low.max(was_high) + thick),
                    None => (high, low + thick),
                });
                before = own;
                let middle = (pen.scale().x(column.start) + pen.scale().x(column.end)) / 2;
                let there: Vec<_> = line.iter().filter(|rect| rect.x <= middle && middle < rect.x + rect.width).collect();
                prop_assert_eq!(there.len(), usize::from(naive.is_some()));
                prop_assert_eq!(there.first().map(|rect| (rect.y, rect.y + rect.height)), naive);
            }
        }
    }
}
