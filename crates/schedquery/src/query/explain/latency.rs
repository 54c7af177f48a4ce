//! Wake-up latencies, waits and lengths of runs: their distribution, and the worst latencies.
//!
//! A latency, a wait and a run lie where they begin. None is clipped to the window, because a part of a duration is no
//! duration. Each belongs to the CPU and the comm of the run that it led to (or is).

use crate::query::lanes::edge::WakeupEdge;
use crate::query::select::refs::TaskName;
use crate::query::select::spread::{Measured, Spread};
use crate::query::select::uncertain::UncertainDurations;
use schedmodel::SwitchedOut;
use schedrows::StateCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What distinguishes groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
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

/// JSON of `corelane latency`, which prints instants as absolute trace times; durations are in ns.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "LatencyReport")]
pub struct Latency {
    /// Wakeups that led to a switch-in, without those that are uncertain.
    pub count: usize,
    /// The same by the event that the latency starts at.
    pub clock: ClockCounts,
    /// Their latencies: from the wakeup to the switch-in.
    pub latency_ns: Spread,
    /// The longest latencies, in descending order.
    pub worst: Vec<WakeupEdge>,
    /// From any moment a task became runnable to the switch-in, without waits that are uncertain.
    pub waits: Waits,
    /// What counts and distributions leave out.
    pub uncertain: Uncertain,
    /// Lengths of runs.
    pub runs: RunLengths,
    /// The same for each command, task or CPU, those with most wakeups first.
    pub groups: Vec<LatencyGroup>,
    /// Number of groups, listed or not.
    pub groups_total: usize,
}

/// Durations that may be too long: records are missing meanwhile, in which the task may have run. [`Latency::worst`] lists and marks them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "UncertainLatencies")]
pub struct Uncertain {
    /// Wake-up latencies.
    pub wakeups: UncertainDurations,
    /// Waits.
    pub waits: UncertainDurations,
}

/// Wakeups by the event that their latency starts at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct ClockCounts {
    /// `sched_waking`.
    pub sched_waking: usize,
    /// `sched_wakeup` without a `sched_waking`.
    pub sched_wakeup: usize,
    /// `sched_wakeup_new`: the first wakeup of a forked task.
    pub sched_wakeup_new: usize,
}

/// Waits that ended with a switch-in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Waits {
    /// All waits.
    pub all: Measured,
    /// Waits that began with a wakeup.
    pub woken: Measured,
    /// Waits that began with a switch-out as runnable (`R`, `R+`): a preemption or a yield.
    pub preempted: Measured,
    /// Waits of deadline tasks that were throttled and then moved: their next period had begun.
    pub replenished: Measured,
}

/// Lengths of runs whose begin and end are in the trace, by why they ended. The mean of all is not the time slice,
/// which shows at most in `preempted` runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct RunLengths {
    /// All runs.
    pub all: Measured,
    /// Runs whose task stayed runnable and is not known to have yielded: preempted (`R+`), or left as `R`, which kernels write for
    /// preemptions on the way back to user space and for other ways to give up the CPU alike.
    pub preempted: Measured,
    /// Runs whose task is known to have yielded: it was inside `sched_yield`, as recorded system calls show.
    pub yielded: Measured,
    /// Runs whose task slept, blocked or stopped.
    pub slept: Measured,
    /// Runs whose task exited.
    pub exited: Measured,
    /// Runs of deadline tasks that were then off their runqueue until their next period.
    pub throttled: Measured,
    /// Number of runs that are not measured, because their begin or end is not in the trace.
    pub cut: usize,
}

/// What a group is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(untagged)]
pub enum GroupName {
    /// A command.
    Command {
        /// Its comm.
        comm: String,
    },
    /// A task, with its last comm.
    Task(TaskName),
    /// A CPU.
    Cpu {
        /// Its number.
        cpu: u32,
    },
}

/// The numbers of one command, task or CPU.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct LatencyGroup {
    /// What the group is.
    #[serde(flatten)]
    pub name: GroupName,
    /// Wake-up latencies.
    pub wakeups: Measured,
    /// Waits.
    pub waits: Waits,
    /// Run lengths.
    pub runs: RunLengths,
}

impl LatencyGroup {
    /// Adds its numbers to a list: of wakeups, of waits (all, woken, preempted, replenished), of runs (all, preempted, yielded, slept, exited, throttled),
    /// each as [`Measured::put_numbers`] lays them out, then how many runs were cut.
    pub fn put_numbers(&self, values: &mut Vec<f64>) {
        let LatencyGroup {
            wakeups, waits, runs, ..
        } = self;
        let waits = [&waits.all, &waits.woken, &waits.preempted, &waits.replenished];
        let of_runs = [
            &runs.all,
            &runs.preempted,
            &runs.yielded,
            &runs.slept,
            &runs.exited,
            &runs.throttled,
        ];
        let all = [wakeups].into_iter().chain(waits).chain(of_runs);
        all.for_each(|measured| measured.put_numbers(values));
        values.push(runs.cut as f64);
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The task stayed runnable: it was preempted, or the trace does not say why it left.
    Preempted,
    /// The task stayed runnable: it yielded.
    Yielded,
    /// The task slept, blocked or stopped.
    Slept,
    /// The task exited.
    Exited,
    /// The task is off its runqueue until its next period.
    Throttled,
}

impl RunEnd {
    /// The reason that `prev_state` gives; `None` if the trace does not explain it.
    pub fn of(state: StateCode) -> Option<RunEnd> {
        match SwitchedOut::by(state) {
            SwitchedOut::Runnable if state.yielded() => Some(RunEnd::Yielded),
            SwitchedOut::Runnable => Some(RunEnd::Preempted),
            SwitchedOut::Asleep => Some(RunEnd::Slept),
            SwitchedOut::Dead => Some(RunEnd::Exited),
            SwitchedOut::Throttled => Some(RunEnd::Throttled),
            SwitchedOut::Unknown => None,
        }
    }
}
