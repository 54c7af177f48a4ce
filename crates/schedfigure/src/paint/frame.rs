//! The position of a panel's lanes on the paper.

use paper::Item;
use std::ops::Range;

/// The lanes of one panel. Lengths are mm.
#[derive(Clone, Debug)]
pub(crate) struct LanesFrame<'a> {
    /// ns since the trace's first record.
    pub(crate) window: Range<u64>,
    /// Left edge of the window.
    pub(crate) left: f64,
    /// Upper edge of the first row.
    pub(crate) top: f64,
    /// Width of the window.
    pub(crate) width: f64,
    /// Distance from one lane to the next.
    pub(crate) pitch: f64,
    /// Indexes of the lanes, from the top.
    pub(crate) rows: &'a [usize],
    /// Merge what falls within a printed dot of this width; `None`: as `Spec::dot` says.
    pub(crate) dot: Option<f64>,
}

impl LanesFrame<'_> {
    /// x of an instant; outside the frame if the instant is outside the window.
    pub(crate) fn x(&self, at: u64) -> f64 {
        let length = self.window.end.saturating_sub(self.window.start).max(1);
        let from_start = if self.window.start <= at {
            (at - self.window.start) as f64
        } else {
            -((self.window.start - at) as f64)
        };
        self.left + from_start / length as f64 * self.width
    }

    /// The row of a lane, if it is shown.
    pub(crate) fn row_of(&self, lane: usize) -> Option<usize> {
        self.rows.iter().position(|&row| row == lane)
    }

    /// y of the middle of a row.
    pub(crate) fn middle(&self, row: usize) -> f64 {
        self.top + (row as f64 + 0.5) * self.pitch
    }

    /// Lower edge of the last row.
    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.rows.len() as f64 * self.pitch
    }
}

/// What was drawn into a frame, and sentences about it for the small print.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// Items from the lowest to the topmost.
    pub(crate) items: Vec<Item>,
    /// Sentences without a final full stop.
    pub(crate) small_print: Vec<String>,
}

/// An entry of a figure's key. Draws itself from a point on the base line, in letters of the given size, and returns
/// its width. Lengths are mm.
pub(crate) type Sample = Box<dyn Fn([f64; 2], f64) -> (Vec<Item>, f64)>;

/// Boxes occupied by texts, in mm: left, top, right, bottom.
#[derive(Debug, Default)]
pub(crate) struct Taken(Vec<[f64; 4]>);

impl Taken {
    /// Occupies a box, free or not.
    pub(crate) fn keep(&mut self, bounds: [f64; 4]) {
        self.0.push(bounds);
    }

    /// Occupies a box if it is free.
    pub(crate) fn take(&mut self, [left, top, right, bottom]: [f64; 4]) -> bool {
        let overlaps = |other: &[f64; 4]| left < other[2] && other[0] < right && top < other[3] && other[1] < bottom;
        let free = !self.0.iter().any(overlaps);
        if free {
            self.0.push([left, top, right, bottom]);
        }
        free
    }
}
