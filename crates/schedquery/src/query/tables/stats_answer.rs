//! The numbers of a selection, in the shape of `corelane stats --json`.

use crate::query::select::uncertain::UncertainDurations;
use crate::query::tables::window::MeanMax;
use schedindex::MigrationCounts;
use schedmodel::Time;
use serde::Serialize;

/// JSON of `corelane stats`, which prints instants as absolute trace times; durations are in ns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// Number of selected CPUs.
    pub cpus: usize,
    /// Start of the window.
    pub first_ns: Time,
    /// End of the window.
    pub last_ns: Time,
    /// How many of them it is known of what they do; `running` and `waiting` count only these.
    pub known_cpus: KnownCpus,
    /// Running tasks.
    pub running: MeanMax,
    /// Tasks that are runnable but do not run.
    pub waiting: MeanMax,
    /// Idle time by CPU, ascending.
    pub idle_ns_per_cpu: Vec<u64>,
    /// Time in which any task runs, by CPU.
    pub busy_ns_per_cpu: Vec<u64>,
    /// Unknown time, by CPU.
    pub unknown_ns_per_cpu: Vec<u64>,
    /// Only where interrupts are left out: what they took of the busy time, by CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irq_ns_per_cpu: Option<Vec<u64>>,
    /// `sched_switch` events to any task, by CPU.
    pub switches_to_per_cpu: Vec<u64>,
    /// Task time that selected tasks waited on the CPU's runqueue.
    pub waiting_ns_per_cpu: Vec<u64>,
    /// The most of them at any time, by CPU.
    pub max_waiting_per_cpu: Vec<u32>,
    /// Task time that selected tasks waited on a runqueue that the trace does not tell.
    pub unplaced_waiting_ns: u64,
    /// How much of the task time that selected tasks waited is uncertain, because records are missing meanwhile.
    pub uncertain_waiting_ns: u64,
    /// Task time that selected deadline tasks were off their runqueues until their next periods, which is not waiting.
    pub throttled_ns: u64,
    /// Tasks that wait while CPUs idle.
    pub overload: Overload,
    /// `sched_migrate_task` events.
    pub migrations: Migrations,
    /// Broken chains of switches in the whole trace: what the CPU did in between is unknown.
    pub chain_breaks: u64,
    /// Wakeups that led to a switch-in.
    pub wakeups: Wakeups,
    /// By comm, longest execution first.
    pub commands: Vec<Command>,
    /// By task, in order of first appearance.
    pub tasks: Vec<TaskStats>,
}

/// How many CPUs it is known of what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct KnownCpus {
    /// Mean over time.
    pub mean: f64,
    /// The fewest at any time.
    pub min: u32,
}

/// Work-conservation violations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overload {
    /// Time in which some task waits and some CPU is idle.
    pub violation_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// Number of maximal intervals.
    pub intervals: u64,
    /// Time in which some task waits behind another while some CPU is spare.
    pub behind_ns: u64,
    /// Integral of min(tasks that wait behind another, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// Number of maximal intervals.
    pub behind_intervals: u64,
    /// Time in which some kernel thread that is bound to its CPU waits behind another while some CPU is spare. It is in none of the
    /// three before.
    pub bound_ns: u64,
    /// Integral of min(bound threads that wait behind another, spare CPUs).
    pub bound_task_ns: u64,
    /// Time in which some task waits for its own CPU to leave idle.
    pub leaving_idle_ns: u64,
    /// Integral of how many do.
    pub leaving_idle_task_ns: u64,
}

/// Numbers by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Migrations {
    /// All kinds.
    pub total: u64,
    /// The same by kind.
    #[serde(flatten)]
    pub by_kind: MigrationCounts,
}

/// Wake-up latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Wakeups {
    /// How many there are, without those that are uncertain.
    pub count: usize,
    /// Nearest-rank percentiles; null when there is none.
    pub latency_ns: Percentiles,
    /// Those that are left out, because records are missing meanwhile.
    pub uncertain: UncertainDurations,
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
    /// The longest.
    pub max: Option<u64>,
}

/// The numbers of one comm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Command {
    /// The comm.
    pub comm: String,
    /// When it first began to run.
    pub first_ns: Time,
    /// When it last stopped running.
    pub last_ns: Time,
    /// How long it ran.
    pub execution_ns: u64,
    /// Only where interrupts are left out: what they took of its runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irq_ns: Option<u64>,
    /// How long its tasks were runnable but did not run, before these runs.
    pub waiting_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Distinct pids.
    pub pids: u32,
}

/// The numbers of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskStats {
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid, from 0.
    pub generation: u32,
    /// The task that this thread was before it took over its leader's pid by an exec; null if there is none.
    pub continues: Option<TaskKey>,
    /// All comms that events give it.
    pub comms: Vec<String>,
    /// How long it ran.
    pub execution_ns: u64,
    /// Only where interrupts are left out: what they took of its runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irq_ns: Option<u64>,
    /// How long it was runnable but did not run.
    pub waiting_ns: u64,
    /// For deadline tasks: how long it was off its runqueue, from a switch-out until the switch-in in its next period.
    pub throttled_ns: u64,
    /// `sched_switch` events to it.
    pub switches_to: u64,
    /// Its `sched_migrate_task` events.
    pub migrations: u64,
    /// The same by kind.
    pub migrations_by_kind: MigrationCounts,
    /// Its wakeups that led to a switch-in.
    pub wakeups: TaskWakeups,
}

/// A task without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TaskKey {
    /// Thread id.
    pub pid: i32,
    /// Generation of the pid, from 0.
    pub generation: u32,
}

/// Wake-up latencies of one task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskWakeups {
    /// How many there are.
    pub count: u64,
    /// The sum of their latencies.
    pub latency_ns: u64,
    /// The longest of them.
    pub max_latency_ns: u64,
}
