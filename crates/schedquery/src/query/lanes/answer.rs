//! Shapes of the answers, as in `web/engine/protocol.ts`.

use super::edge::WakeupEdge;
use schedmodel::{named, Class, Lane, TaskCommId, WaitCause, Who};
use serde::Serialize;
use ts_rs::TS;

/// What an interval is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum IntervalKind {
    /// A task runs.
    Run,
    /// The idle task runs.
    Idle,
    /// Not known.
    Unknown,
}

/// The interval of a lane at an instant. While a trace loads, of a run only its name is known ([`RunName`]).
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "IntervalFrame", concrete(Run = RunDetails))]
pub struct IntervalAnswer<Run = RunDetails> {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    #[ts(type = "Ns")]
    pub start: u64,
    /// First ns after it.
    #[ts(type = "Ns")]
    pub end: u64,
    /// What the interval is.
    pub kind: IntervalKind,
    /// It began before the trace, or its start was not seen.
    pub inferred: bool,
    /// It lasts until the end of the trace.
    pub open: bool,
    /// Details of a run.
    #[serde(flatten)]
    #[ts(skip)]
    pub run: Option<Run>,
}

impl<Run> IntervalAnswer<Run> {
    /// Interval `index` of a CPU's lane; `run_of`: what is said of a run.
    pub(super) fn new(cpu: u32, lane: &Lane, index: usize, run_of: impl FnOnce(TaskCommId) -> Run) -> Self {
        let interval = lane.interval(index);
        let (kind, run) = match interval.who {
            Who::Idle => (IntervalKind::Idle, None),
            Who::Unknown => (IntervalKind::Unknown, None),
            Who::Run(id) => (IntervalKind::Run, Some(run_of(id))),
        };
        IntervalAnswer {
            cpu,
            start: interval.start,
            end: interval.end,
            kind,
            inferred: lane.inferred(index),
            open: lane.open(index),
            run,
        }
    }
}

/// What can be told of a run from its CPU's events alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunName {
    /// Thread id.
    pub pid: i32,
    /// The task's name at the switch-in.
    pub comm: String,
}

/// Details of a run.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct RunDetails {
    /// Task id.
    pub task: u32,
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid.
    pub generation: u32,
    /// The task's name at the switch-in.
    pub comm: String,
    /// Kernel priority at the switch-in, -1 for deadline.
    pub prio: Option<i32>,
    /// The scheduling class of that priority.
    pub class: Option<Class>,
    /// The letter of `prev_state` at the end of the run, with its `+`.
    pub end_state: Option<String>,
    /// Whether the task was off its runqueue after the run, until its next period.
    pub throttled: bool,
    /// Whether the task is known to have yielded: the run ended inside `sched_yield`.
    pub yielded: bool,
    /// The previous part of the run, if the task called exec and got another pid.
    pub exec_from: Option<PartOfRun>,
    /// The next part of the run, if the task called exec and got another pid.
    pub exec_to: Option<PartOfRun>,
    /// When the task became runnable before this run.
    #[ts(type = "Ns | null")]
    pub waited_since: Option<u64>,
    /// How the wait began.
    pub wait_cause: Option<WaitCause>,
    /// The wakeup that led to this run.
    pub wakeup: Option<WakeupEdge>,
}

/// A part of a run, before or after the thread took over its leader's pid by an exec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PartOfRun {
    /// Thread id.
    pub pid: i32,
    /// First ns under this pid.
    #[ts(type = "Ns")]
    pub start: u64,
}

/// Why a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// The waker is an interrupt.
    Interrupt,
    /// The waker is the idle loop.
    Idle,
    /// The run began before the trace.
    TraceStart,
    /// No event tells what came before.
    Unknown,
    /// The requested number of hops is reached.
    Limit,
}

named!(ChainEnd as "ChainEnd" {
    Interrupt = "interrupt",
    Idle = "idle",
    TraceStart = "trace_start",
    Unknown = "unknown",
    Limit = "limit",
});

/// A run, the wakeups that led to it, and the wakeups that it made.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Chain {
    /// The run.
    #[ts(type = "Interval")]
    pub run: IntervalAnswer,
    /// The hops from the run back to its cause.
    pub back: Vec<WakeupEdge>,
    /// Why it ends there.
    pub ends_at: ChainEnd,
    /// The first wakeups made by this run, in time order.
    pub forward: Vec<WakeupEdge>,
    /// How many wakeups it made.
    pub forward_total: u64,
}

/// A run wide enough for a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LabelRun {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    #[ts(type = "Ns")]
    pub start: u64,
    /// First ns after it.
    #[ts(type = "Ns")]
    pub end: u64,
    /// Thread id.
    pub pid: i32,
    /// The task's name at the switch-in.
    pub comm: String,
}
