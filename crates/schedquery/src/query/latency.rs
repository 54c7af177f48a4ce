//! Wake-up latencies, waits and run lengths: how they spread, and the worst latencies.
//!
//! A wakeup lies where its clock starts, a wait where it begins, a run where it begins; none is clipped to the window,
//! since a part of a duration is no duration. Each belongs to the CPU and the comm of the run that it led to (or is).

use super::name::TaskName;
use super::spread::{Measured, Spread};
use super::worst::WorstLatency;
use schedmodel::Left;
use schedrows::StateCode;
use serde::{Deserialize, Serialize};

/// What makes a group of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupBy {
    /// The comm of the run.
    #[default]
    Command,
    /// The task.
    Task,
    /// The CPU of the run.
    Cpu,
}

/// The JSON of `corelane latency`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Wakeups that led to a switch-in.
    pub count: usize,
    /// By the event that started the clock.
    pub clock: ClockCounts,
    /// Their latencies: from the wakeup to the switch-in.
    pub latency_ns: Spread,
    /// The longest, longest first.
    pub worst: Vec<WorstLatency>,
    /// From any moment a task became runnable to the switch-in.
    pub waits: Waits,
    /// How long tasks ran at a stretch.
    pub runs: RunLengths,
    /// The same for each command, task or CPU, most wakeups first.
    pub groups: Vec<LatencyGroup>,
    /// How many there are, listed or not.
    pub groups_total: usize,
}

/// Wakeups by the event that started their clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClockCounts {
    /// `sched_waking`.
    pub sched_waking: usize,
    /// `sched_wakeup`, where no `sched_waking` belongs to it.
    pub sched_wakeup: usize,
    /// `sched_wakeup_new`: a forked task's first.
    pub sched_wakeup_new: usize,
}

/// Waits that a switch-in ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// All.
    pub all: Measured,
    /// Begun by a wakeup.
    pub woken: Measured,
    /// Begun by a preemption (or a yield).
    pub preempted: Measured,
}

/// Runs whose begin and end the trace tells, by why they ended. The mean length of all runs is not the time slice: that
/// shows at most in those that were preempted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunLengths {
    /// All.
    pub all: Measured,
    /// Switched out while runnable: preempted, or by yielding.
    pub preempted: Measured,
    /// Slept, blocked or stopped.
    pub slept: Measured,
    /// Exited.
    pub exited: Measured,
    /// Of deadline tasks that then were off their runqueue until their next period.
    pub throttled: Measured,
    /// Not measured: their begin or end is not in the trace.
    pub cut: usize,
}

/// What a group is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GroupName {
    /// A command.
    Command {
        /// Its comm.
        comm: String,
    },
    /// A task, under its last comm.
    Task(TaskName),
    /// A CPU.
    Cpu {
        /// Its number.
        cpu: u32,
    },
}

/// The numbers of one command, task or CPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencyGroup {
    /// Which.
    #[serde(flatten)]
    pub name: GroupName,
    /// Wake-up latencies.
    pub wakeups: Measured,
    /// Waits.
    pub waits: Waits,
    /// Run lengths.
    pub runs: RunLengths,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It stayed runnable.
    Preempted,
    /// It slept, blocked or stopped.
    Slept,
    /// It is gone.
    Exited,
    /// It is off the runqueue until its next period.
    Throttled,
}

impl RunEnd {
    /// What a `prev_state` says; `None` for one that the trace does not explain.
    pub fn of(state: StateCode) -> Option<RunEnd> {
        match Left::by(state) {
            Left::Runnable => Some(RunEnd::Preempted),
            Left::Asleep => Some(RunEnd::Slept),
            Left::Dead => Some(RunEnd::Exited),
            Left::Throttled => Some(RunEnd::Throttled),
            Left::Unknown => None,
        }
    }
}
