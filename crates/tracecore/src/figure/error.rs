//! Why a figure cannot be made.

/// What was found, where, and what was expected instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("no trace; expected at least one")]
    NoTrace,
    /// The window has no width, or lies behind the end of every trace.
    #[error("the figure's window is {from} to {to}, the longest trace lasts {length}; expected a part of that")]
    Window {
        /// Where it begins, from time 0, with its unit.
        from: String,
        /// Where it ends.
        to: String,
        /// From time 0 to the end of the longest trace.
        length: String,
    },
    /// A list of CPUs names none of the trace.
    #[error("trace {trace} has none of the CPUs asked for; expected some of {cpus}")]
    Cpus {
        /// Which, from 1.
        trace: usize,
        /// Those it has.
        cpus: String,
    },
    /// The figure is too narrow or too low for what it has to hold.
    #[error("a {what} of {found} mm does not hold the figure; expected at least {expected} mm")]
    Size {
        /// `width` or `height`.
        what: &'static str,
        /// mm.
        found: f64,
        /// mm.
        expected: f64,
    },
}
