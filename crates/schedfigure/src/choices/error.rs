//! Why a figure cannot be made.

use paper::PaperError;

use super::spec::Place;
use crate::paint::axis::{instant, time};
use schedmodel::Trace;

/// What was found, where, and what was expected instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("no trace; expected at least one")]
    NoTrace,
    /// The window has no width, or lies behind the end of every trace.
    #[error("the figure's window is {from} to {to}, the longest trace lasts {length}; expected a part of that")]
    Window {
        /// Its start, from time 0, with a unit.
        from: String,
        /// Its end.
        to: String,
        /// From time 0 to the end of the longest trace.
        length: String,
    },
    /// A list of CPUs contains none of the trace.
    #[error("trace {trace} has none of the CPUs asked for; expected at least one to draw")]
    Cpus {
        /// Number of the trace, from 1.
        trace: usize,
    },
    /// The figure cannot be written.
    #[error(transparent)]
    Paper(#[from] PaperError),
    /// The machine's topology could not be parsed.
    #[error("the topology was not understood: {0}")]
    Topology(String),
    /// The figure is too narrow or too low for its contents.
    #[error("a {what} of {found} mm does not hold the figure; expected at least {expected} mm")]
    Size {
        /// `width` or `height`.
        what: &'static str,
        /// In mm.
        found: f64,
        /// In mm.
        expected: f64,
    },
    /// No task runs at the requested place.
    #[error("no task runs on CPU {cpu} at {at}; expected a place where one does")]
    NoRun {
        /// As requested.
        cpu: u32,
        /// The time, with a unit.
        at: String,
    },
    /// No recorded wakeup led to the run.
    #[error("no recorded wakeup led to the run of CPU {cpu} at {at}; expected the first run after a wakeup")]
    NoWakeup {
        /// As requested.
        cpu: u32,
        /// The time, with a unit.
        at: String,
    },
    /// The figure is about a run, but none is given.
    #[error("no run is named; expected a CPU and a time at which a task runs there")]
    NoPlace,
    /// The trace has no move that brought the run's task to its CPU.
    #[error("the trace knows of no move that brought the task to CPU {cpu}, where it runs at {at}; expected a run of a cascade")]
    NoMove {
        /// As requested.
        cpu: u32,
        /// The time, with a unit.
        at: String,
    },
}

impl FigureError {
    pub(crate) fn no_wakeup(trace: &Trace, Place { cpu, at }: Place) -> FigureError {
        let at = instant(trace.origin_ns.saturating_add(at), true);
        FigureError::NoWakeup { cpu, at }
    }

    pub(crate) fn no_run(trace: &Trace, Place { cpu, at }: Place) -> FigureError {
        let at = instant(trace.origin_ns.saturating_add(at), true);
        FigureError::NoRun { cpu, at }
    }

    pub(crate) fn no_move(trace: &Trace, Place { cpu, at }: Place) -> FigureError {
        let at = instant(trace.origin_ns.saturating_add(at), true);
        FigureError::NoMove { cpu, at }
    }
}

impl FigureError {
    /// A window, from time 0, that lies outside a trace of that length.
    pub(crate) fn window(from: u64, to: u64, length: u64, clock_is_ns: bool) -> FigureError {
        FigureError::Window {
            from: time(from, clock_is_ns),
            to: time(to, clock_is_ns),
            length: time(length, clock_is_ns),
        }
    }
}
