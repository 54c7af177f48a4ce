//! Tables of system calls: of any part of a trace, by call, command, task or process; and of threads, in calls and outside.

mod answer;
mod instances;
mod names;
mod rows;
mod split;
mod threads;

pub use answer::{CallReport, CallRow, CallSpread, CallThread, Longest, Of, Split};
pub use instances::CallInstance;
pub use names::CallNames;

use super::select::selection::Selection;
use crate::calls::{Call, Calls, Thread};
use crate::index::{Runs, Shown};
use schedmodel::{CommId, Time, Trace};
use std::ops::Range;

/// What rows tell apart besides calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallsBy {
    /// Nothing.
    #[default]
    Call,
    /// What threads are called when they enter.
    Command,
    /// Threads.
    Task,
    /// Processes.
    Process,
}

/// What is asked of calls.
#[derive(Clone, Debug, Default)]
pub struct CallsQuery {
    /// Which part of the trace. A call lies where it was entered, under the comm and on the CPU that its thread had then.
    pub selection: Selection,
    /// What rows tell apart.
    pub by: CallsBy,
    /// Only these calls; all if there are none.
    pub calls: Vec<String>,
    /// Only calls that failed.
    pub errors: bool,
    /// Without interrupts in the time on CPU.
    pub net: bool,
    /// At most so many rows.
    pub top: Option<usize>,
}

/// A query's parts that are the same for all threads.
struct Asked<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    calls: &'a Calls,
    names: &'a CallNames,
    query: &'a CallsQuery,
    window: Range<u64>,
    /// By lane.
    lanes: Option<Vec<bool>>,
    /// Which tasks of the trace are wanted, whatever they are called.
    tasks: Vec<bool>,
}

impl<'a> Asked<'a> {
    fn new(
        trace: &'a Trace,
        runs: &'a Runs,
        calls: &'a Calls,
        names: &'a CallNames,
        query: &'a CallsQuery,
    ) -> Asked<'a> {
        let selection = &query.selection;
        let of_task = Selection {
            target: None,
            comms: Vec::new(),
            pids: Vec::new(),
            ..selection.clone()
        };
        let mut tasks = vec![false; trace.tasks.len()];
        let shown: Shown = of_task.shown(trace);
        for (index, pair) in trace.task_comms.iter().enumerate() {
            if let Some(wanted) = tasks.get_mut(pair.task.0 as usize) {
                *wanted |= shown.has(schedmodel::TaskCommId(index as u32));
            }
        }
        Asked {
            trace,
            runs,
            calls,
            names,
            query,
            window: selection.window(trace),
            lanes: selection.lanes(trace),
            tasks,
        }
    }

    /// Whether a thread is wanted, whatever it is called.
    fn has_thread(&self, thread: &Thread) -> bool {
        let Selection {
            pids, forked, movable, ..
        } = &self.query.selection;
        let as_task = match thread.task {
            Some(task) => self.tasks.get(task.0 as usize) == Some(&true),
            None => !forked && !movable,
        };
        as_task && (pids.is_empty() || pids.contains(&thread.pid))
    }

    fn has_comm(&self, comm: CommId) -> bool {
        let Selection { target, comms, .. } = &self.query.selection;
        let name = self.calls.comms.name(comm);
        target.as_deref().is_none_or(|prefix| name.starts_with(prefix))
            && (comms.is_empty() || comms.iter().any(|wanted| wanted == name))
    }

    /// Whether a call is wanted that was entered then.
    fn has_entered(&self, at: u64, lane: usize, comm: CommId) -> bool {
        self.window.contains(&at)
            && self.lanes.as_ref().is_none_or(|lanes| lanes.get(lane) == Some(&true))
            && self.has_comm(comm)
    }

    fn has_name(&self, name: &str) -> bool {
        let wanted = &self.query.calls;
        wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)
    }

    /// Whether a complete call is wanted, by what is not its name.
    fn has_call(&self, call: &Call) -> bool {
        self.has_entered(call.at, call.lane, call.comm) && (!self.query.errors || sysnames::is_error(call.ret))
    }
}

/// The tables of a trace's calls.
pub fn call_report(trace: &Trace, runs: &Runs, calls: &Calls, names: &CallNames, query: &CallsQuery) -> CallReport {
    let asked = Asked::new(trace, runs, calls, names, query);
    let (rows, threads) = rows::rows(&asked);
    let end = asked.window.end.min(trace.span_ns).max(asked.window.start);
    CallReport {
        arch: names.machine().map(sysnames::Machine::name),
        events: calls.recorded,
        first_ns: Time(asked.window.start),
        last_ns: Time(end),
        totals: calls.totals,
        rows,
        threads,
    }
}

/// Calls `each` with the selected complete calls, in order of time; `query.by` does not matter. With `query.top`, only so
/// many, the longest.
pub fn each_call<E>(
    trace: &Trace,
    runs: &Runs,
    calls: &Calls,
    names: &CallNames,
    query: &CallsQuery,
    each: impl FnMut(&CallInstance<'_>) -> Result<(), E>,
) -> Result<(), E> {
    instances::each(&Asked::new(trace, runs, calls, names, query), each)
}
