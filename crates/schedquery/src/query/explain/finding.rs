//! What a finding is.

use crate::query::select::refs::{RunPlace, TaskName};
use schedmodel::{named, Time};
use serde::Serialize;
use ts_rs::TS;

/// Kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Tasks waited behind others while CPUs were spare. Cost: integral of min(tasks waiting behind another, spare
    /// CPUs). CPUs: the spare ones, the one that was spare longest first. Tasks: those that waited, longest first. Run:
    /// the one that the first task's wait led to.
    Overload,
    /// A task waited behind others while some CPU was spare. Cost: for how long. CPU: where it then ran. Tasks: the
    /// task, and the one that had its CPU longest.
    Wait,
    /// A command that is busy otherwise hardly ran, and its tasks waited. Cost: how long they waited, at most what is missing of what
    /// it usually runs. It has no CPU and no run.
    Gap,
    /// A wakeup left a free last CPU. Cost: its latency. CPUs: the one left and the one chosen.
    MovedOffIdle,
    /// Moves displaced one another. Cost: the waits of all moved tasks. CPU: where the first task was put. CPUs: the
    /// longest path, from where the first task was, with repetitions.
    Cascade,
    /// A long wake-up latency. Cost: its length. CPU: where the task then ran.
    Latency,
    /// A command of kernel threads ran next after tasks of others that stayed runnable and are not known to have yielded. Cost: how
    /// long it then ran. CPU, time and tasks are those of the longest such run: its task, and the one that left.
    KernelPreemption,
    /// The same for a command that is not known to be the kernel's.
    Preemption,
    /// A task waited for a CPU in a system call. Cost: for how long. CPU: where it then ran.
    CallWait,
    /// A task was blocked (D) in a system call. Cost: for how long. The time is that of the call. CPU: where it was entered.
    CallBlocked,
}

named!(FindingKind as "FindingKind" {
    Overload = "overload",
    Wait = "wait",
    Gap = "gap",
    MovedOffIdle = "moved_off_idle",
    Cascade = "cascade",
    Latency = "latency",
    KernelPreemption = "kernel_preemption",
    Preemption = "preemption",
    CallWait = "call_wait",
    CallBlocked = "call_blocked",
});

impl FindingKind {
    /// Number of kinds.
    pub(crate) const COUNT: usize = FindingKind::ALL.len();

    /// Whether a task that may not run on other CPUs could be the cause, which the trace does not say.
    pub fn needs_affinity(self) -> bool {
        use FindingKind::{Cascade, MovedOffIdle, Overload, Wait};
        matches!(self, Overload | Wait | MovedOffIdle | Cascade)
    }
}

/// Whether tasks that left their CPU runnable were preempted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Preempted {
    /// How many of them the kernel marks as preempted (`R+`). The others left as `R`: preempted on the way back to user space, or
    /// of their own accord.
    pub involuntary: u64,
    /// `prev_state` with which the one before the longest run left, `R` or `R+`.
    pub end_state: String,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// Its cost, in ns (times tasks).
    pub cost_ns: u64,
    /// Begin of the time to look at.
    pub start_ns: Time,
    /// End of that time.
    pub end_ns: Time,
    /// The CPU to look at; null if the finding is about a command.
    pub cpu: Option<u32>,
    /// The CPUs involved, the most important first.
    pub cpus: Vec<u32>,
    /// Number of tasks, moves, or runs of a preempting command; otherwise 1.
    pub count: u64,
    /// The command that it is about.
    pub comm: String,
    /// The tasks that it is about, the most important first.
    pub tasks: Vec<TaskName>,
    /// Of the two kinds of preemptions: whether they are certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub preempted: Option<Preempted>,
    /// The system call that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub call: Option<String>,
    /// The run to select.
    pub run: Option<RunPlace>,
    /// Of a gap: what is missing of what the command usually runs while its tasks slept, in ns times tasks. It is in no cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slept_ns: Option<u64>,
    /// Number of findings that repeat this one at no higher cost, and are not listed: of the 256 costliest of each kind.
    pub folded: u64,
    /// Whether missing records may have caused it. Uncertain findings are listed after all others.
    pub uncertain: bool,
}
