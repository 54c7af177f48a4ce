//! The numbers of a selection, in the shape in which `corelane stats --json` prints them.

use super::answer::MeanMax;
use crate::index::MoveCounts;
use serde::Serialize;

/// The JSON of `corelane stats`; times are absolute trace times in ns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// Number of CPUs selected.
    pub cpus: usize,
    /// Start of the window.
    pub first_ns: u64,
    /// End of the window.
    pub last_ns: u64,
    /// Of how many of them it is known what they do: `running` and `waiting` are of these.
    pub known_cpus: KnownCpus,
    /// Tasks that run.
    pub running: MeanMax,
    /// Tasks that are runnable and do not run.
    pub waiting: MeanMax,
    /// By CPU, ascending.
    pub idle_ns_per_cpu: Vec<u64>,
    /// By CPU: time that any task runs.
    pub busy_ns_per_cpu: Vec<u64>,
    /// By CPU.
    pub unknown_ns_per_cpu: Vec<u64>,
    /// By CPU: `sched_switch` events to any task.
    pub switches_to_per_cpu: Vec<u64>,
    /// By CPU: time that selected tasks waited on its runqueue, all together.
    pub waiting_ns_per_cpu: Vec<u64>,
    /// By CPU: the most of them at one time.
    pub max_waiting_per_cpu: Vec<u32>,
    /// Time that selected tasks waited where the trace does not tell on which CPU's runqueue.
    pub unplaced_waiting_ns: u64,
    /// Time that selected deadline tasks were off their runqueues, waiting for their next periods: no waiting.
    pub throttled_ns: u64,
    /// Tasks wait while CPUs idle.
    pub overload: Overload,
    /// `sched_migrate_task` events.
    pub migrations: Migrations,
    /// Wakeups that led to a switch-in.
    pub wakeups: Wakeups,
    /// By comm, most execution first.
    pub commands: Vec<Command>,
    /// By task, in order of first appearance.
    pub tasks: Vec<TaskStats>,
}

/// Of how many CPUs it is known what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct KnownCpus {
    /// Over time.
    pub mean: f64,
    /// The fewest at one time.
    pub min: u32,
}

/// Work-conservation violations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overload {
    /// Time in which some task waits and some CPU is idle.
    pub violation_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// Maximal intervals of it.
    pub intervals: u64,
    /// Time in which some task waits behind somebody while some CPU is spare.
    pub behind_ns: u64,
    /// Integral of min(tasks that wait behind somebody, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// Maximal intervals of it.
    pub behind_intervals: u64,
    /// Time in which some task waits for its idle CPU.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}

/// Counts by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Migrations {
    /// All.
    pub total: u64,
    /// By kind.
    #[serde(flatten)]
    pub by_kind: MoveCounts,
}

/// Wake-up latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Wakeups {
    /// How many were measured.
    pub count: usize,
    /// Nearest-rank percentiles; null when there is none.
    pub latency_ns: Percentiles,
}

/// Nearest-rank percentiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// Half are at most this.
    pub p50: Option<u64>,
    /// 90 % are at most this.
    pub p90: Option<u64>,
    /// 99 % are at most this.
    pub p99: Option<u64>,
    /// The worst.
    pub max: Option<u64>,
}

/// One comm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Command {
    /// The name.
    pub comm: String,
    /// When it first ran.
    pub first_ns: u64,
    /// When it last ran.
    pub last_ns: u64,
    /// How long in all.
    pub execution_ns: u64,
    /// How long its tasks were runnable and did not run, before these runs.
    pub waiting_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Distinct pids.
    pub pids: u32,
}

/// One task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskStats {
    /// Thread id.
    pub pid: i32,
    /// Of the pid, from 0.
    pub generation: u32,
    /// What the same thread was before it took over its leader's pid by an exec; null where it did not.
    pub continues: Option<TaskKey>,
    /// All comms that events gave it.
    pub comms: Vec<String>,
    /// How long it ran.
    pub execution_ns: u64,
    /// How long it was runnable and did not run.
    pub waiting_ns: u64,
    /// How long it was off its runqueue, a deadline task, until its next period and the switch-in in it.
    pub throttled_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// `sched_migrate_task` events of it.
    pub migrations: u64,
    /// The same by kind.
    pub migrations_by_kind: MoveCounts,
    /// Wakeups of it that were measured.
    pub wakeups: TaskWakeups,
}

/// A task without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskKey {
    /// Thread id.
    pub pid: i32,
    /// Of the pid, from 0.
    pub generation: u32,
}

/// Wake-up latencies of one task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskWakeups {
    /// How many.
    pub count: u64,
    /// Their latencies, added up.
    pub latency_ns: u64,
    /// The greatest of them.
    pub max_latency_ns: u64,
}
