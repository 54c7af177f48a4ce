//! What became of the events of system calls.

use schedmodel::stored::stored;
use serde::Serialize;
use ts_rs::TS;

/// Counts of a whole trace: `enters` = `calls` + `unfinished` + `lost_exits`, `exits` = `calls` + `child_returns` +
/// `before_trace` + `exit_only`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "CallTotals")]
pub struct Totals {
    /// Events that begin a call.
    pub enters: u64,
    /// Events that end one.
    pub exits: u64,
    /// Complete calls: both are there.
    pub calls: u64,
    /// Of these, those whose exit does not say of which number.
    pub exits_without_id: u64,
    /// Exits of calls that the parent made: `clone`, `fork` and `vfork` return a second time, in the child.
    pub child_returns: u64,
    /// Exits of calls that began before the trace.
    pub before_trace: u64,
    /// Exits without an enter: it was lost, or the call never ran, since a filter or a tracer answered it.
    pub exit_only: u64,
    /// Enters whose exit was lost.
    pub lost_exits: u64,
    /// Calls in which the thread died.
    pub never_returned: u64,
    /// Calls in which the trace ends.
    pub open_at_end: u64,
    /// Both of these.
    pub unfinished: u64,
    /// Complete calls that are in doubt, because events of some CPU were lost between enter and exit.
    pub across_loss: u64,
}

stored!(Totals {
    enters: u64,
    exits: u64,
    calls: u64,
    exits_without_id: u64,
    child_returns: u64,
    before_trace: u64,
    exit_only: u64,
    lost_exits: u64,
    never_returned: u64,
    open_at_end: u64,
    unfinished: u64,
    across_loss: u64,
});
