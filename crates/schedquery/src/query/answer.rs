//! Shapes of the answers, as in `web/engine/protocol.ts`.

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
pub struct IntervalAnswer {
    /// CPU number.
    pub cpu: u32,
    /// First ns.
    pub start: u64,
    /// First ns after it.
    pub end: u64,
    /// What the interval is.
    pub kind: IntervalKind,
    /// It began before the trace, or its start was not seen.
    pub inferred: bool,
    /// It lasts until the end of the trace.
    pub open: bool,
    /// Details of a run.
    #[serde(flatten)]
    pub run: Option<RunDetails>,
}

/// Details of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub class: Option<&'static str>,
    /// The letter of `prev_state` at the end of the run, with its `+`.
    pub end_state: Option<String>,
    /// Whether the task was off its runqueue after the run, until its next period; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub throttled: bool,
    /// The previous part of the run, if the task called exec and got another pid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec_from: Option<PartOfRun>,
    /// The next part of the run, if the task called exec and got another pid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec_to: Option<PartOfRun>,
    /// When the task became runnable before this run.
    pub waited_since: Option<u64>,
    /// How the wait began.
    #[serde(serialize_with = "wait_cause")]
    pub wait_cause: Option<WaitCause>,
    /// The wakeup that led to this run.
    pub wakeup: Option<Wakeup>,
}

/// A part of a run, before or after the thread took over its leader's pid by an exec.
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
    /// Its name at the wakeup; `swapper/N` for idle.
    pub comm: String,
}

/// A wakeup edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wakeup {
    /// The event that `at` is the time of.
    #[serde(serialize_with = "wake_event")]
    pub event: WakeEvent,
    /// When the latency starts.
    pub at: u64,
    /// When the wakee became runnable.
    pub woken_at: Option<u64>,
    /// The waker, if known.
    pub waker: Option<EdgeWaker>,
    /// What the waker's CPU was doing.
    #[serde(serialize_with = "waker_context")]
    pub context: WakerContext,
    /// The CPU on which the wakeup was made.
    pub waker_cpu: u32,
    /// Where the wakee last ran.
    pub previous_cpu: Option<u32>,
    /// Where the wakee was put.
    pub chosen_cpu: Option<u32>,
    /// CPUs known to be idle at `at`.
    pub idle_cpus: Vec<u32>,
}

/// One step of a wakeup chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hop {
    /// Thread id of the wakee.
    pub wakee_pid: i32,
    /// The wakee's name.
    pub wakee_comm: String,
    /// The wakee's task id.
    pub wakee: u32,
    /// When the latency starts.
    pub woken: u64,
    /// The wakee's switch-in.
    pub running: Option<u64>,
    /// The CPU of the switch-in.
    pub cpu: Option<u32>,
    /// From `woken` to `running`.
    pub latency: Option<u64>,
    /// Thread id of the waker; -1 if not known, 0 for idle.
    pub waker_pid: i32,
    /// The waker's name; empty if not known.
    pub waker_comm: String,
    /// What the waker's CPU was doing.
    #[serde(serialize_with = "waker_context")]
    pub waker_context: WakerContext,
    /// The CPU on which the wakeup was made.
    pub waker_cpu: u32,
    /// The event that `woken` is the time of.
    #[serde(serialize_with = "wake_event")]
    pub event: WakeEvent,
    /// Start of the waker's run that made the wakeup.
    pub waker_run: Option<u64>,
}

/// Why a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// A run, the wakeups that led to it, and the wakeups that it made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chain {
    /// The run.
    pub run: IntervalAnswer,
    /// The hops from the run back to its cause.
    pub back: Vec<Hop>,
    /// Why it ends there.
    pub ends_at: ChainEnd,
    /// The first wakeups made by this run, in time order.
    pub forward: Vec<Hop>,
    /// How many wakeups it made.
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
    /// The task's name at the switch-in.
    pub comm: String,
}

/// A row of the commands table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommandRow {
    /// The command.
    pub comm: String,
    /// Its comm id.
    pub comm_id: u32,
    /// First ns that it ran.
    pub first: u64,
    /// End of the last ns that it ran.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanMax {
    /// Mean, weighted by time.
    pub mean: f64,
    /// The most at any time, for at least one ns.
    pub max: u32,
}

/// Numbers of a window, weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
