//! Lanes of runs: what runs on each CPU, as rectangles.

use super::colour_groups::ColourGroups;
use super::painter::Painter;
use super::pieces::{Cutter, HIDDEN};
use crate::choices::colour::Colours;
use crate::paint::frame::{Drawn, LanesFrame};
use crate::paint::scale::{millimetres, Scale, PRINTED_DOT};
use paper::{Item, Label, Space};
use schedindex::Shown;
use schedmodel::Trace;

/// The most runs of a panel, or steps of a curve, that are drawn one by one unless the user sets a dot. Several panels
/// share this number.
pub(crate) const MOST_EXACT: usize = 50_000;
/// Merged runs make at most this multiple of rectangles, some MB: with hundreds of CPUs the dot grows.
const MERGED_TO_EXACT: usize = 5;
/// The widest dot in mm.
const WIDEST_DOT: f64 = 0.8;
/// Units from one lane to the next.
const LANE: i64 = 100;
/// Lanes with a smaller pitch, in mm, have no gap, which would take up most of them.
const GAPPED: f64 = 0.9;

/// The lanes of a panel, with the runs in a band of each lane. Only the tasks of `who` are drawn, and pale if their
/// runs are not of it. `most_exact`: a
/// window with at most this many runs is drawn exactly, unless the frame has a dot.
pub(crate) fn lanes(
    trace: &Trace,
    frame: &LanesFrame<'_>,
    who: &Shown,
    colours: &Colours,
    most_exact: usize,
    band: Band,
) -> Drawn {
    let groups = ColourGroups::new(trace, who, colours);
    let crowded = || most_exact < runs_within(trace, frame, &groups, most_exact);
    let merged = frame.dot.or_else(|| crowded().then_some(PRINTED_DOT));
    let (merged, scale, painter) = painted(
        frame,
        merged,
        |scale, most| {
            let mut cutter = Cutter::new(groups.looks(), &groups.stands_out, scale, merged.is_some());
            let mut painter = Painter::new(scale.clone(), &groups);
            for (row, &number) in frame.rows.iter().enumerate() {
                if let Some(lane) = trace.lanes.get(number) {
                    painter.row(band.y(row), band.height);
                    cutter.lane(number, lane, |piece| painter.add(piece));
                }
                if most < painter.len() {
                    return None;
                }
            }
            Some(painter)
        },
        most_exact.saturating_mul(MERGED_TO_EXACT),
    );
    let space = frame.space(&scale);
    let mut items = vec![Item::Open(label(trace, frame, &scale, merged))];
    items.extend(painter.into_items(trace, space));
    items.push(Item::Close);
    let small_print = merged.map(|dot| format!("runs within {} mm merged; tint = busy share", millimetres(dot)));
    Drawn {
        items,
        small_print: small_print.into_iter().collect(),
    }
}

/// Calls `paint` with a scale and the most rectangles allowed; again with a dot twice as wide while there are more,
/// unless the user has set the dot.
fn painted<'a>(
    frame: &LanesFrame<'_>,
    mut merged: Option<f64>,
    paint: impl Fn(&Scale, usize) -> Option<Painter<'a>>,
    most: usize,
) -> (Option<f64>, Scale, Painter<'a>) {
    loop {
        let wider = merged.filter(|&dot| frame.dot.is_none() && dot < WIDEST_DOT);
        let scale = Scale::new(&frame.window, frame.width, merged);
        let most = wider.map_or(usize::MAX, |_| most);
        match paint(&scale, most) {
            Some(painter) => return (merged, scale, painter),
            None => merged = wider.map(|dot| 2.0 * dot),
        }
    }
}

/// Number of runs that are drawn in the window; stops counting beyond `most`.
fn runs_within(trace: &Trace, frame: &LanesFrame<'_>, groups: &ColourGroups, most: usize) -> usize {
    let looks = groups.looks();
    let lanes = frame
        .rows
        .iter()
        .filter_map(|&number| Some((number, trace.lanes.get(number)?)));
    let runs = lanes.flat_map(|(number, lane)| {
        let first = lane.find(frame.window.start).unwrap_or(lane.len());
        let end = lane.starts().partition_point(|start| start < frame.window.end);
        (first..end).filter_map(move |index| Some(looks.of_run(lane.run(index)?, number, index)))
    });
    let drawn = runs.filter(|&look| look != HIDDEN);
    drawn.take(most.saturating_add(1)).count()
}

/// A vertical band within each lane, in units of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    /// Offset from the lane's upper edge.
    top: i64,
    pub(crate) height: i64,
}

impl Band {
    /// A band of the whole lane at this pitch in mm, except for a gap.
    pub(crate) fn of(pitch: f64) -> Band {
        let share = if pitch < GAPPED { 0.0 } else { (0.5 / pitch).min(0.14) };
        let top = (share * LANE as f64 / 2.0).round() as i64;
        Band {
            top,
            height: LANE - 2 * top,
        }
    }

    /// The upper part, for runs, and the lower part, for waiting tasks.
    pub(crate) fn parted(self) -> [Band; 2] {
        let [upper, lower] = [0.56, 0.4].map(|share| (self.height as f64 * share).round() as i64);
        let runs = Band { height: upper, ..self };
        let waits = Band {
            top: self.top + self.height - lower,
            height: lower,
        };
        [runs, waits]
    }

    /// Its upper edge in a row.
    pub(crate) fn y(self, row: usize) -> i64 {
        row as i64 * LANE + self.top
    }
}

impl LanesFrame<'_> {
    /// The scale's times across, [`LANE`] units per lane downwards.
    pub(crate) fn space(&self, scale: &Scale) -> Space {
        Space {
            left: self.left,
            top: self.top,
            unit_x: scale.unit_mm(),
            unit_y: self.pitch / LANE as f64,
        }
    }
}

/// The label of the lanes.
fn label(trace: &Trace, frame: &LanesFrame<'_>, scale: &Scale, merged: Option<f64>) -> Label {
    let rows: Vec<String> = frame
        .rows
        .iter()
        .filter_map(|&lane| trace.cpus.get(lane).map(u32::to_string))
        .collect();
    let mut data = scale.data(trace.origin_ns, merged);
    data.push(("rows", rows.join(" ")));
    Label {
        class: "lanes",
        data,
        title: String::new(),
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
