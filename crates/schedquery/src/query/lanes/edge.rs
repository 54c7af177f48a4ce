//! Wakeup edges as answers: what woke a task, when, where, and what the scheduler could choose from.

use super::instant::{idle_cpus, waker_run};
use crate::query::jobs::job::Model;
use crate::query::select::selected::Woken;
use schedindex::latency_in_doubt;
use schedmodel::{Edge, TaskId, Time, Trace, WakeEvent, WakerContext};
use serde::Serialize;
use ts_rs::TS;

/// A task, by its id in the trace and by what people call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TaskRef {
    /// Task id.
    pub task: u32,
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid, from 0.
    pub generation: u32,
    /// Its comm at that time, or its last.
    pub comm: String,
}

impl TaskRef {
    pub(crate) fn new(trace: &Trace, id: TaskId, comm: &str) -> TaskRef {
        let task = trace.task(id);
        TaskRef {
            task: id.0,
            pid: task.pid,
            generation: task.generation,
            comm: comm.to_owned(),
        }
    }
}

/// A task as the kernel's reports write it.
pub fn task_name(comm: &str, pid: i32) -> String {
    format!("{comm}-{pid}")
}

/// What was on the CPU on which a wakeup was made. In interrupt context ([`WakeupEdge::context`]) it is what the interrupt
/// interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Waker {
    /// A task.
    Task(TaskRef),
    /// The idle loop.
    Idle,
    /// The trace does not tell.
    Unknown,
}

impl Waker {
    /// `run`: that of the waker, by lane and index, if the lane agrees that it ran there.
    fn of(trace: &Trace, edge: &Edge, run: Option<(usize, usize)>) -> Waker {
        if edge.waker_is_idle() {
            return Waker::Idle;
        }
        let Some(id) = edge.waker else {
            return Waker::Unknown;
        };
        // Its comm at that time is that of the run; where there is none, its latest.
        let run = run.and_then(|(lane, index)| trace.lane_at(lane).run(index));
        let comm = run.map_or(trace.comms.name(trace.task(id).comm), |run| trace.comm_of(run));
        Waker::Task(TaskRef::new(trace, id, comm))
    }
}

/// What the scheduler could choose from, and what it chose. The time is that of the edge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct CpuChoice {
    /// CPUs known to be idle.
    pub idle_cpus: Vec<u32>,
    /// Whether the last CPU was free: idle, with no task on its runqueue and none on its way to it. Null if the trace does
    /// not tell, or does not tell the CPU.
    pub previous_was_free: Option<bool>,
    /// The same of the chosen CPU.
    pub chosen_was_free: Option<bool>,
}

impl CpuChoice {
    fn of(Model { trace, shared }: Model<'_>, edge: &Edge) -> CpuChoice {
        let free = shared.free(trace);
        let is_free = |cpu: Option<u32>| cpu.and_then(|cpu| free.is_free(trace, cpu, edge.at));
        CpuChoice {
            idle_cpus: idle_cpus(trace, edge.at),
            previous_was_free: is_free(edge.previous_cpu),
            chosen_was_free: is_free(edge.chosen_cpu),
        }
    }
}

/// A wakeup edge: one shape for chains, placements, latencies and runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WakeupEdge {
    /// The event that `at_ns` is the time of.
    pub event: WakeEvent,
    /// When the latency starts: at `sched_waking` where it exists.
    pub at_ns: Time,
    /// When the wakee became runnable; null if no `sched_wakeup` tells.
    pub woken_ns: Option<Time>,
    /// The wakee's switch-in; null if there is none.
    pub running_ns: Option<Time>,
    /// From `at_ns` to `running_ns`.
    pub latency_ns: Option<u64>,
    /// The CPU of the switch-in.
    pub cpu: Option<u32>,
    /// The task that was woken.
    pub wakee: TaskRef,
    /// What woke it.
    pub waker: Waker,
    /// What the waker's CPU was doing.
    pub context: WakerContext,
    /// The CPU on which the wakeup was made.
    pub waker_cpu: u32,
    /// Start of the waker's run that made the wakeup, if the trace has it.
    pub waker_run_ns: Option<Time>,
    /// Where the wakee last ran, according to `sched_waking`.
    pub previous_cpu: Option<u32>,
    /// Where the wakee was put, according to `sched_wakeup`.
    pub chosen_cpu: Option<u32>,
    /// What could be chosen; null in the hops of a chain, which leave it out for their number, and in picked runs, which
    /// do not wait for the index that it needs (`placement` has it).
    pub choice: Option<CpuChoice>,
    /// Records are missing meanwhile, so the task may have run before, and been woken again, unseen.
    pub uncertain: bool,
}

/// How many are described in one step: which CPUs were idle is looked up on each of hundreds.
pub(in crate::query) const DESCRIBED: usize = if cfg!(debug_assertions) { 2 } else { 4 };

impl WakeupEdge {
    /// The edge of `wakee`, which is called `comm` in the run that it led to. Without [`WakeupEdge::choice`].
    pub(crate) fn new(trace: &Trace, edge: &Edge, wakee: TaskId, comm: &str) -> WakeupEdge {
        let run = waker_run(trace, edge);
        WakeupEdge {
            event: edge.event,
            at_ns: Time(edge.at),
            woken_ns: edge.woken.map(Time),
            running_ns: edge.running.map(Time),
            latency_ns: edge.latency(),
            cpu: edge.cpu,
            wakee: TaskRef::new(trace, wakee, comm),
            waker: Waker::of(trace, edge, run),
            context: edge.context,
            waker_cpu: edge.waker_cpu,
            waker_run_ns: run.map(|(lane, index)| Time(trace.lane_at(lane).start_of(index))),
            previous_cpu: edge.previous_cpu,
            chosen_cpu: edge.chosen_cpu,
            choice: None,
            uncertain: latency_in_doubt(trace, wakee, edge),
        }
    }

    /// The edge of a wakeup that led to a run, with what could be chosen.
    pub fn of(model: Model<'_>, woken: &Woken) -> WakeupEdge {
        let trace = model.trace;
        WakeupEdge {
            choice: Some(CpuChoice::of(model, &woken.edge)),
            ..WakeupEdge::new(trace, &woken.edge, woken.wakee, trace.comm_of(woken.id))
        }
    }

    /// The waker's comm and pid, as the kernel's reports write them; `None` if it is not known.
    pub fn waker_name(&self) -> Option<String> {
        match &self.waker {
            Waker::Task(task) => Some(task_name(&task.comm, task.pid)),
            Waker::Idle => Some(format!("swapper/{}", self.waker_cpu)),
            Waker::Unknown => None,
        }
    }
}
