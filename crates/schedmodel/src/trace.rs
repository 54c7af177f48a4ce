//! The built trace: immutable, and the input of every query.

use super::claims::Claim;
use super::diagnostic::Diagnostic;
use super::edge::Edges;
use super::holes::Holes;
use super::lane::{Lane, WaitCause};
use super::migration::Migration;
use super::steps::Steps;
use super::task::{Comms, Task, TaskComm, TaskCommId, TaskId};
use schedrows::CannotTell;
use std::ops::Range;
use std::sync::Arc;

/// A wait without a recorded switch-in at its end: the trace ended, the pid was forked anew, or the switch-in was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LooseWait {
    /// The waiting task, with its comm at that time.
    pub who: TaskCommId,
    /// When it began to wait.
    pub since: u64,
    /// Until when it is known to have waited.
    pub until: u64,
    /// How the wait began.
    pub cause: WaitCause,
}

/// A time in which a deadline task was off its runqueue, waiting for its next period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttle {
    /// The task, with its comm at the end of that time.
    pub who: TaskCommId,
    /// When it was switched out.
    pub since: u64,
    /// When it was switched in again, or something else ended it. How long it was on its runqueue before that is not
    /// known.
    pub until: u64,
}

/// The scheduling story of one trace. Times are ns since [`Trace::origin_ns`] (raw ticks for clocks without a scale).
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// When the first record of any kind was written, in ns of the trace's clock. All other times count from there; only
    /// code that prints absolute times needs it.
    pub origin_ns: u64,
    /// From the first to the last record of any kind.
    pub span_ns: u64,
    /// All CPUs of the file, ascending.
    pub cpus: Vec<u32>,
    /// One lane per CPU in `cpus`.
    pub lanes: Vec<Lane>,
    /// By [`TaskId`].
    pub tasks: Vec<Task>,
    /// By [`TaskCommId`], in order of first appearance.
    pub task_comms: Vec<TaskComm>,
    /// All names.
    pub comms: Comms,
    /// All wakeups that made a task runnable.
    pub edges: Edges,
    /// All `sched_migrate_task` events, and what is derived where the source has none, in time order.
    pub migrations: Vec<Migration>,
    /// Waits that did not end with a switch-in, sorted by task, then by time.
    pub loose_waits: Vec<LooseWait>,
    /// Times in which deadline tasks were off their runqueues, sorted by task, then by time.
    pub throttles: Vec<Throttle>,
    /// Other claims about tasks' states, sorted by task, then in order of events.
    pub claims: Vec<Claim>,
    /// How many CPUs run and idle and how many tasks wait, over time.
    pub steps: Arc<Steps>,
    /// Where records are missing.
    pub holes: Holes,
    /// Exit of the first task named `sleep`.
    pub after_sleep: Option<u64>,
    /// Records of every kind.
    pub records: u64,
    /// Number of scheduling events, by which memory is budgeted.
    pub sched_events: u64,
    /// Events that the kernel reports as lost, where it reports a number.
    pub lost_events: u64,
    /// Gaps in the streams.
    pub lost_gaps: u64,
    /// Broken chains of switches: a switch takes another task off its CPU than the one before put there. What the CPU did in between is
    /// unknown.
    pub chain_breaks: u64,
    /// What the source has no way to say.
    pub cannot_tell: CannotTell,
    /// What was wrong, by the reader and by the model; times count from the origin, like all others.
    pub diagnostics: Vec<Diagnostic>,
}

impl Trace {
    /// Index of a CPU in `cpus` and `lanes`.
    pub fn lane_index(&self, cpu: u32) -> Option<usize> {
        // Most machines number their CPUs from 0 on.
        match self.cpus.get(cpu as usize) {
            Some(&at) if at == cpu => Some(cpu as usize),
            _ => self.cpus.binary_search(&cpu).ok(),
        }
    }

    /// The lane of a CPU.
    pub fn lane(&self, cpu: u32) -> Option<&Lane> {
        self.lanes.get(self.lane_index(cpu)?)
    }

    /// The lane at an index; one without intervals where there is none.
    pub fn lane_at(&self, index: usize) -> &Lane {
        static NONE: Lane = Lane::NONE;
        self.lanes.get(index).unwrap_or(&NONE)
    }

    /// The CPU of the lane at an index; `u32::MAX`, which no CPU has, where there is none.
    pub fn cpu_at(&self, index: usize) -> u32 {
        self.cpus.get(index).copied().unwrap_or(u32::MAX)
    }

    /// The task and comm of a run; for an id of another trace, a task and a comm that this one does not have.
    pub fn task_comm(&self, id: TaskCommId) -> TaskComm {
        self.task_comms.get(id.0 as usize).copied().unwrap_or(TaskComm::NONE)
    }

    /// The task of a run.
    pub fn task_of(&self, id: TaskCommId) -> &Task {
        self.task(self.task_comm(id).task)
    }

    /// The name of a run.
    pub fn comm_of(&self, id: TaskCommId) -> &str {
        self.comms.name(self.task_comm(id).comm)
    }

    /// A task; for an id of another trace, one with pid 0 and no name.
    pub fn task(&self, id: TaskId) -> &Task {
        self.tasks.get(id.0 as usize).unwrap_or(&Task::NONE)
    }

    /// Range of `claims` that are about a task.
    pub fn claims_of(&self, task: TaskId) -> Range<usize> {
        range_of(&self.claims, task, |claim| claim.task)
    }

    /// Range of `loose_waits` that are of a task.
    pub fn loose_waits_of(&self, task: TaskId) -> Range<usize> {
        range_of(&self.loose_waits, task, |wait| self.task_comm(wait.who).task)
    }

    /// Range of `throttles` that are of a task.
    pub fn throttles_of(&self, task: TaskId) -> Range<usize> {
        range_of(&self.throttles, task, |throttle| self.task_comm(throttle.who).task)
    }

    /// Size in bytes, without the indexes that queries use.
    pub fn memory_bytes(&self) -> usize {
        self.lanes.iter().map(Lane::memory_bytes).sum::<usize>()
            + self.steps.memory_bytes()
            + self.edges.memory_bytes()
            + self.comms.memory_bytes()
            + self.tasks.capacity() * size_of::<Task>()
            + self.task_comms.capacity() * size_of::<TaskComm>()
            + self.migrations.capacity() * size_of::<Migration>()
            + self.loose_waits.capacity() * size_of::<LooseWait>()
            + self.throttles.capacity() * size_of::<Throttle>()
            + self.claims.capacity() * size_of::<Claim>()
            + self.holes.memory_bytes()
    }
}

/// The range of one task in a slice that is sorted by task.
fn range_of<T>(all: &[T], task: TaskId, task_of: impl Fn(&T) -> TaskId) -> Range<usize> {
    all.partition_point(|one| task_of(one) < task)..all.partition_point(|one| task_of(one) <= task)
}
