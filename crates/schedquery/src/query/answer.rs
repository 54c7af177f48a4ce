//! The shapes of the answers, as `web/engine/protocol.ts` has them.

use schedmodel::{WaitCause, WakeEvent, WakerContext};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Range;

/// `[start, end)`, in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeWindow {
    /// First ns.
    pub start: u64,
    /// First ns after it.
    pub end: u64,
}

impl From<TimeWindow> for Range<u64> {
    fn from(window: TimeWindow) -> Range<u64> {
        window.start..window.end.max(window.start)
    }
}

/// What an interval is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IntervalAnswer {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    pub start: u64,
    /// First ns after it.
    pub end: u64,
    /// What it is.
    pub kind: IntervalKind,
    /// Began before the trace, or its start was not seen.
    pub inferred: bool,
    /// Still going on when the trace ends.
    pub open: bool,
    /// What only runs have.
    #[serde(flatten)]
    pub run: Option<RunDetails>,
}

/// What only runs have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunDetails {
    /// Task id.
    pub task: u32,
    /// Thread id.
    pub pid: i32,
    /// Of the pid.
    pub generation: u32,
    /// At the switch-in.
    pub comm: String,
    /// Kernel priority that it was switched in with, -1 for deadline.
    pub prio: Option<i32>,
    /// The class that the priority tells.
    pub class: Option<&'static str>,
    /// The letter of `prev_state` at the end of the run, with its `+`.
    pub end_state: Option<String>,
    /// Told only where it is so: the run ended so that the task was off its runqueue until its next period.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub throttled: bool,
    /// The run before, where this one goes on from it after an exec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec_from: Option<PartOfRun>,
    /// The run that it goes on as after an exec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec_to: Option<PartOfRun>,
    /// When the task became runnable before this run.
    pub waited_since: Option<u64>,
    /// How.
    #[serde(serialize_with = "wait_cause")]
    pub wait_cause: Option<WaitCause>,
    /// The wakeup that led to this run.
    pub wakeup: Option<Wakeup>,
}

/// What a thread runs as before or after it takes over its leader's pid by an exec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PartOfRun {
    /// Thread id.
    pub pid: i32,
    /// First ns under this pid.
    pub start: u64,
}

/// The task that made a wakeup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeWaker {
    /// Task id; `u32::MAX` for idle.
    pub task: u32,
    /// Thread id; 0 for idle.
    pub pid: i32,
    /// At the wakeup; `swapper/N` for idle.
    pub comm: String,
}

/// A wakeup edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wakeup {
    /// Which event `at` is.
    #[serde(serialize_with = "wake_event")]
    pub event: WakeEvent,
    /// The clock's start.
    pub at: u64,
    /// When the wakee became runnable.
    pub woken_at: Option<u64>,
    /// Who, where known.
    pub waker: Option<EdgeWaker>,
    /// In what context.
    #[serde(serialize_with = "waker_context")]
    pub context: WakerContext,
    /// Where.
    pub waker_cpu: u32,
    /// Where the wakee last ran.
    pub previous_cpu: Option<u32>,
    /// Where it was put.
    pub chosen_cpu: Option<u32>,
    /// CPUs known to be idle at `at`.
    pub idle_cpus: Vec<u32>,
}

/// One step of a wakeup chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hop {
    /// Thread id of who was woken.
    pub wakee_pid: i32,
    /// Its comm.
    pub wakee_comm: String,
    /// Its task id.
    pub wakee: u32,
    /// The clock's start.
    pub woken: u64,
    /// When it came onto a CPU.
    pub running: Option<u64>,
    /// Where it came onto a CPU.
    pub cpu: Option<u32>,
    /// From `woken` to `running`.
    pub latency: Option<u64>,
    /// Thread id of who woke it; -1 when not known, 0 for idle.
    pub waker_pid: i32,
    /// Its comm; empty when not known.
    pub waker_comm: String,
    /// In what context.
    #[serde(serialize_with = "waker_context")]
    pub waker_context: WakerContext,
    /// Where.
    pub waker_cpu: u32,
    /// Which event `woken` is.
    #[serde(serialize_with = "wake_event")]
    pub event: WakeEvent,
    /// Start of the waker's run in which the wakeup happened.
    pub waker_run: Option<u64>,
}

/// Where a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChainEnd {
    /// An interrupt woke.
    Interrupt,
    /// The idle loop woke.
    Idle,
    /// The run began before the trace.
    TraceStart,
    /// No event tells.
    Unknown,
    /// As many hops as were asked for.
    Limit,
}

/// A run, what led to it, and what it led to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Chain {
    /// The run.
    pub run: IntervalAnswer,
    /// From the run back to its cause.
    pub back: Vec<Hop>,
    /// Why it ends there.
    pub ends_at: ChainEnd,
    /// The first wakeups made by this run, in time order.
    pub forward: Vec<Hop>,
    /// How many it made.
    pub forward_total: u64,
}

/// A run wide enough for a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelRun {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    pub start: u64,
    /// First ns after it.
    pub end: u64,
    /// Thread id.
    pub pid: i32,
    /// At the switch-in.
    pub comm: String,
}

/// A line of the commands table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandRow {
    /// The name.
    pub comm: String,
    /// Its id.
    pub comm_id: u32,
    /// First ns it ran.
    pub first: u64,
    /// End of the last ns it ran.
    pub last: u64,
    /// How long it ran in all.
    pub execution_ns: u64,
    /// How long its tasks were runnable and did not run.
    pub waiting_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Distinct thread ids.
    pub pids: u32,
}

/// Mean over time, and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanMax {
    /// Time weighted.
    pub mean: f64,
    /// Over at least one ns.
    pub max: u32,
}

/// Time-weighted numbers over a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowStats {
    /// Running tasks.
    pub running: MeanMax,
    /// Waiting tasks.
    pub waiting: MeanMax,
    /// Running over number of CPUs.
    pub utilisation: f64,
    /// Of how many CPUs it is known what they do: the mean.
    pub known_cpus: f64,
    /// ns during which tasks wait and CPUs idle.
    pub violation_ns: u64,
    /// Integral of min(waiting, idle) over that.
    pub cost_task_ns: u64,
    /// ns during which tasks wait behind somebody while a CPU is spare; without tasks that are left out because they may be
    /// pinned, as are the next three.
    pub behind_ns: u64,
    /// Integral of min(waiting behind somebody, spare CPUs) over that.
    pub behind_cost_task_ns: u64,
    /// ns during which tasks wait for their idle CPU.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}

/// The name of a chain's end.
pub fn ends_at_name(end: ChainEnd) -> &'static str {
    match end {
        ChainEnd::Interrupt => "interrupt",
        ChainEnd::Idle => "idle",
        ChainEnd::TraceStart => "trace_start",
        ChainEnd::Unknown => "unknown",
        ChainEnd::Limit => "limit",
    }
}

/// The event's name.
pub fn wake_event_name(event: WakeEvent) -> &'static str {
    match event {
        WakeEvent::Waking => "sched_waking",
        WakeEvent::Wakeup => "sched_wakeup",
        WakeEvent::WakeupNew => "sched_wakeup_new",
    }
}

/// The context's name.
pub fn waker_context_name(context: WakerContext) -> &'static str {
    match context {
        WakerContext::Task => "task",
        WakerContext::Hardirq => "hardirq",
        WakerContext::Softirq => "softirq",
        WakerContext::Unknown => "unknown",
    }
}

fn wake_event<S: Serializer>(event: &WakeEvent, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wake_event_name(*event))
}

fn waker_context<S: Serializer>(context: &WakerContext, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(waker_context_name(*context))
}

fn wait_cause<S: Serializer>(cause: &Option<WaitCause>, serializer: S) -> Result<S::Ok, S::Error> {
    cause
        .map(|cause| match cause {
            WaitCause::Wakeup => "wakeup",
            WaitCause::Preempted => "preempted",
        })
        .serialize(serializer)
}
