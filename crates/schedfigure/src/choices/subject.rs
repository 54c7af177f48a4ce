//! What a figure is about.

use super::counter::CounterValues;
use schedindex::Passing;
use schedmodel::Trace;
use schedquery::query::CallModel;
use std::sync::Arc;

/// A trace and its names.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The trace.
    pub trace: &'a Arc<Trace>,
    /// The file, as named on the command line.
    pub file: &'a str,
    /// As `TraceFile::fingerprint`, for the URL of the view.
    pub fingerprint: u64,
    /// Whether times are nanoseconds; if not, they are raw ticks.
    pub clock_is_ns: bool,
    /// Its system calls and interrupts; only figures that draw some need them.
    pub calls: Option<CallModel<'a>>,
    /// The runs that pass the figure's filter; `None`: it has none.
    pub passing: Option<&'a Arc<Passing>>,
    /// The values of the figure's counter; only figures that draw one need them.
    pub counter: Option<&'a dyn CounterValues>,
}
