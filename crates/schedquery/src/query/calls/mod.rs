//! Tables of system calls: of any part of a trace, by call, command, task or process; and of threads, in calls and outside.

mod answer;
mod findings;
mod instances;
mod job;
mod lanes;
mod names;
mod of_row;
mod rows;
mod split;
mod staktau;
mod step;
mod stolen;
mod sums;
mod threads;
mod walk;

pub use answer::{CallReport, CallRow, CallSpread, CallThread, Doing, Longest, Of, Split};
pub use findings::{call_findings, CallFindingsJob};
pub use instances::{CallInstance, CallPlace};
pub use job::CallsJob;
pub use lanes::{
    CallCell, CallItem, CallLabel, CallLanes, CallSpan, CALL_FAILED, CALL_MERGED, CALL_OPEN, CALL_UNKNOWN,
};
pub use names::CallNames;
pub use of_row::{CallBucket, CallPoint, CallsOfRow, OfRowJob};
pub use split::CallStates;
pub use staktau::{thread_times, ThreadTimesJob};
pub use step::{CallStep, StepJob};
pub use stolen::{IrqHandler, IrqKind, IrqPlace, IrqTime, Stolen, StolenIn, StolenPart};

pub(crate) use instances::call_at;
pub(crate) use lanes::{interrupt_word, Buckets};
pub(crate) use stolen::{stolen_of_cpu, stolen_of_task, StolenJob};

use super::select::selection::Selection;
use crate::calls::{Call, Calls, Thread};
use schedindex::{Runs, Shown};
use schedmodel::{CommId, Trace};
use serde::Deserialize;
use std::ops::Range;
use ts_rs::TS;

/// What rows tell apart besides calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
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
    /// Which part of the trace. A call lies where it was entered, under the comm and on the CPU that its thread had then; it passes
    /// a filter if the run passes in which it was entered.
    pub selection: Selection,
    /// What rows tell apart.
    pub by: CallsBy,
    /// Only these calls; all if there are none.
    pub calls: Vec<String>,
    /// Only those of this number.
    pub nr: Option<i32>,
    /// Only this row's, of a table by [`CallsQuery::by`].
    pub of: Option<Of>,
    /// Only calls that failed.
    pub errors: bool,
    /// Without interrupts in the time on CPU.
    pub net: bool,
    /// Without percentiles and histograms, which take longest.
    pub sums_only: bool,
    /// At most so many rows.
    pub top: Option<usize>,
}

/// A trace's calls, and what is asked of to tell about them.
#[derive(Clone, Copy, Debug)]
pub struct CallModel<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its runs.
    pub runs: &'a Runs,
    /// Its calls.
    pub calls: &'a Calls,
    /// What they are named.
    pub names: &'a CallNames,
    /// The states of its tasks that were looked at.
    pub states: &'a CallStates,
}

/// A query, and what follows from it for the whole trace.
struct Chosen {
    query: CallsQuery,
    window: Range<u64>,
    /// By lane.
    lanes: Option<Vec<bool>>,
    /// Which tasks of the trace are wanted, whatever they are called.
    tasks: Vec<bool>,
}

impl Chosen {
    fn new(trace: &Trace, query: CallsQuery) -> Chosen {
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
        Chosen {
            window: selection.window(trace),
            lanes: selection.lanes(trace),
            tasks,
            query,
        }
    }

    fn of<'a>(&'a self, model: CallModel<'a>) -> Asked<'a> {
        let CallModel {
            trace,
            runs,
            calls,
            names,
            states,
        } = model;
        Asked {
            trace,
            runs,
            calls,
            names,
            states,
            chosen: self,
            query: &self.query,
        }
    }
}

/// A query of a model.
#[derive(Clone, Copy)]
struct Asked<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    calls: &'a Calls,
    names: &'a CallNames,
    states: &'a CallStates,
    chosen: &'a Chosen,
    query: &'a CallsQuery,
}

impl Asked<'_> {
    /// Whether a thread is wanted, whatever it is called.
    fn has_thread(&self, thread: &Thread) -> bool {
        let Selection {
            pids, forked, movable, ..
        } = &self.query.selection;
        let as_task = match thread.task {
            Some(task) => self.chosen.tasks.get(task.0 as usize) == Some(&true),
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
        self.chosen.window.contains(&at)
            && self
                .chosen
                .lanes
                .as_ref()
                .is_none_or(|lanes| lanes.get(lane) == Some(&true))
            && self.has_comm(comm)
            && self.passes(at, lane)
    }

    /// Whether the run on a lane at an instant passes the filter.
    fn passes(&self, at: u64, lane: usize) -> bool {
        let runs = self.query.selection.runs.as_ref();
        runs.is_none_or(|runs| {
            // What is entered with the trace's last event is of the last run.
            let in_trace = at.min(self.trace.span_ns.saturating_sub(1));
            let run = self.trace.lanes.get(lane).and_then(|lane| lane.find(in_trace));
            run.is_some_and(|index| runs.has(lane, index))
        })
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
    let states = CallStates::default();
    let model = CallModel {
        trace,
        runs,
        calls,
        names,
        states: &states,
    };
    let mut job = CallsJob::new(trace, query.clone());
    while job.step(model) {}
    job.answer(model)
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
    let states = CallStates::default();
    let model = CallModel {
        trace,
        runs,
        calls,
        names,
        states: &states,
    };
    instances::each(&Chosen::new(trace, query.clone()).of(model), each)
}
