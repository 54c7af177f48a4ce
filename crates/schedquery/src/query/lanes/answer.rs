//! Shapes of the answers, as in `web/engine/protocol.ts`.

use super::edge::WakeupEdge;
use crate::ask::whole;
use schedmodel::{named, Class, WaitCause};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use ts_rs::TS;

/// `[start, end)`, in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(type = "TimeWindow")]
pub struct TimeWindow {
    /// First ns.
    #[serde(deserialize_with = "whole")]
    pub start: u64,
    /// First ns after it.
    #[serde(deserialize_with = "whole")]
    pub end: u64,
}

impl From<TimeWindow> for Range<u64> {
    fn from(window: TimeWindow) -> Range<u64> {
        window.start..window.end.max(window.start)
    }
}

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

/// The interval of a lane at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "IntervalFrame")]
pub struct IntervalAnswer {
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
    pub run: Option<RunDetails>,
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

/// A row of the commands table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CommandRow {
    /// The command.
    pub comm: String,
    /// Its comm id.
    pub comm_id: u32,
    /// First ns that it ran.
    #[ts(type = "Ns")]
    pub first: u64,
    /// End of the last ns that it ran.
    #[ts(type = "Ns")]
    pub last: u64,
    /// How long it ran.
    pub execution_ns: u64,
    /// How long its tasks were runnable but did not run.
    pub waiting_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Distinct thread ids.
    pub pids: u32,
}

/// Mean over time and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS)]
pub struct MeanMax {
    /// Mean, weighted by time.
    pub mean: f64,
    /// The most at any time, for at least one ns.
    pub max: u32,
}

/// Numbers of a window, weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS)]
pub struct WindowStats {
    /// Running tasks.
    pub running: MeanMax,
    /// Waiting tasks.
    pub waiting: MeanMax,
    /// Running tasks divided by the number of CPUs.
    pub utilisation: f64,
    /// Mean number of CPUs of which it is known what they do.
    pub known_cpus: f64,
    /// ns in which some task waits while some CPU is idle.
    pub violation_ns: u64,
    /// Integral of min(waiting, idle).
    pub cost_task_ns: u64,
    /// ns in which some task waits behind another while some CPU is spare. This and the next three leave out tasks that
    /// may be pinned, if the view does.
    pub behind_ns: u64,
    /// Integral of min(tasks waiting behind another, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// ns in which some task waits for its own CPU to leave idle.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}
