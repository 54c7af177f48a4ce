//! Maps times to the paper, in the same way for all panels of a figure.

/// A time scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timescale {
    /// ns from time 0.
    pub(crate) from: u64,
    /// ns from time 0, after `from`.
    pub(crate) to: u64,
    /// Position of `from` in mm.
    pub(crate) left: f64,
    /// mm from `from` to `to`.
    pub(crate) width: f64,
}

impl Timescale {
    /// Position in mm of an instant from time 0, limited to the scale.
    pub(crate) fn x(&self, at: u64) -> f64 {
        let since = at.clamp(self.from, self.to) - self.from;
        self.left + since as f64 / (self.to - self.from).max(1) as f64 * self.width
    }

    /// Whether an instant lies on the scale; `None` is before time 0.
    pub(crate) fn shows(&self, at: Option<u64>) -> bool {
        at.is_some_and(|at| self.from <= at && at <= self.to)
    }

    /// Position of the right end in mm.
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }
}
