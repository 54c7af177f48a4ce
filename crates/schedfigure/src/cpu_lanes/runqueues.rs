//! Runqueue depths: a strip at the lower edge of each lane shows how many tasks wait on the CPU's runqueue.

use super::lanes::Band;
use crate::paint::frame::{Drawn, LanesFrame};
use crate::paint::scale::{millimetres, Scale, PRINTED_DOT};
use crate::paint::theme::{DEPTH, PAPER};
use paper::{Fill, Item, Label, Rect, Rgb};
use schedindex::{Depth, Queue, Shown};
use schedmodel::Trace;
use std::collections::BTreeMap;

/// Names of the depths that share a colour, for the key.
pub(crate) const NAMES: [&str; 4] = ["1", "2–3", "4–7", "8 or more"];
/// Lanes of at least this height in mm also show the depth as a height.
const TALL: f64 = 2.5;
/// Number of strengths, by how many waited on average in a merged dot.
const STRENGTHS: u32 = 4;
/// How much of the paper is mixed into the palest colour.
const PALEST: f64 = 0.45;

/// Strips of the waiting tasks of `who`, in a band of each lane. `most_exact`: a window with at most this many steps is
/// drawn exactly, unless the frame has a dot.
pub(crate) fn runqueues(trace: &Trace, frame: &LanesFrame<'_>, who: &Shown, most_exact: usize, band: Band) -> Drawn {
    let depth = Depth::new(trace, who);
    let queues = || frame.rows.iter().map(|&lane| depth.queue(lane));
    let steps = |most: usize| {
        let all = queues().flatten();
        all.flat_map(|queue| queue.within(frame.window.clone()))
            .take(most)
            .count()
    };
    let crowded = || most_exact < steps(most_exact.saturating_add(1));
    let merged = frame.dot.or_else(|| crowded().then_some(PRINTED_DOT));
    let scale = Scale::new(&frame.window, frame.width, merged);
    let space = frame.space(&scale);
    let waiting = queues()
        .flatten()
        .map(|queue| queue.in_window(frame.window.clone()).max);
    let strips = Strips {
        scale: &scale,
        band,
        most: waiting.max().unwrap_or(0),
        tall: TALL <= frame.pitch,
        found: BTreeMap::new(),
    };
    let found = strips.draw(queues(), merged.is_some());
    let mut items = vec![Item::Open(Label {
        class: "runqueues",
        data: scale.data(trace.origin_ns, merged),
        title: String::new(),
    })];
    items.extend(found.into_iter().map(|((depth, strength), rects)| Item::Rects {
        label: Label {
            title: format!("{depth} waiting"),
            ..Label::of("runqueue").with("depth", depth)
        },
        space,
        fill: Fill::Solid(colour(depth, strength)),
        rects,
    }));
    items.push(Item::Close);
    let words = |dot| {
        format!(
            "runqueues: the most within {} mm, paler for a part of it",
            millimetres(dot)
        )
    };
    Drawn {
        items,
        small_print: merged.map(words).into_iter().collect(),
    }
}

/// The colour for 1, 2-3, 4-7 and 8 or more tasks.
fn colour(depth: u32, strength: u32) -> Rgb {
    let step = depth.max(1).ilog2().min(3) as usize;
    let part = 1.0 - f64::from(strength) / f64::from(STRENGTHS);
    let colour = DEPTH.get(step).copied().unwrap_or(PAPER);
    colour.mixed(PAPER, PALEST * part)
}

type Found = BTreeMap<(u32, u32), Vec<Rect>>;

struct Strips<'a> {
    scale: &'a Scale,
    /// Position of the strip in the first row.
    band: Band,
    /// The greatest depth of any runqueue.
    most: u32,
    tall: bool,
    /// Rectangles by depth and strength.
    found: Found,
}

impl Strips<'_> {
    fn draw<'q>(mut self, queues: impl Iterator<Item = Option<&'q Queue>>, merged: bool) -> Found {
        let window = self.scale.window.clone();
        for (row, queue) in queues.enumerate() {
            let Some(queue) = queue else { continue };
            if !merged {
                for (from, to, depth) in queue.within(window.clone()) {
                    self.add(row, from, to, depth, STRENGTHS);
                }
                continue;
            }
            let dot = self.scale.dot;
            let dots = (window.end - window.start) / dot;
            let mut from = window.start;
            queue.buckets(window.start, dot, dots as usize, |alike, waiting| {
                let to = from + alike as u64 * dot;
                self.add(row, from, to, waiting.max, strength(waiting.integral, dot));
                from = to;
            });
            let rest = from..window.end;
            let waiting = queue.in_window(rest.clone());
            self.add(row, rest.start, rest.end, waiting.max, strength(waiting.integral, dot));
        }
        self.found
    }

    fn add(&mut self, row: usize, from: u64, to: u64, depth: u32, strength: u32) {
        let x = self.scale.x(from);
        let width = self.scale.x(to) - x;
        if depth == 0 || width <= 0 {
            return;
        }
        let height = self.height(depth);
        let y = self.band.y(row) + self.band.height - height;
        let rects = self.found.entry((depth, strength)).or_default();
        match rects.last_mut() {
            Some(last) if last.y == y && last.x + last.width == x => last.width += width,
            _ => rects.push(Rect { y, x, width, height }),
        }
    }

    /// A height by the logarithm of the depth, if there is room.
    fn height(&self, depth: u32) -> i64 {
        if !self.tall || self.most <= 1 {
            return self.band.height;
        }
        let log = |count: u32| libm::log2(1.0 + f64::from(count));
        let height = self.band.height as f64 * log(depth) / log(self.most);
        (height.round() as i64).clamp(1, self.band.height)
    }
}

fn strength(integral: u64, width: u64) -> u32 {
    let quarters = integral.saturating_mul(u64::from(STRENGTHS)).div_ceil(width.max(1));
    quarters.clamp(1, u64::from(STRENGTHS)) as u32
}

#[cfg(test)]
#[path = "runqueues_tests.rs"]
mod tests;
