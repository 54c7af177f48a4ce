//! The machine at an instant: which task each CPU runs, which tasks wait on its runqueue, what has just changed, and when
//! something changes next. For stepping through a trace event by event.
//!
//! An instant is after everything that happens at its ns. Something happens where a CPU switches, where a wakeup begins
//! (`sched_waking`) or makes a task runnable (`sched_wakeup`), and where a task migrates.

mod changes;
mod waiting;

pub use changes::{Change, ChangeKind};
pub use waiting::Standpoint;
pub(crate) use waiting::StandpointBuilder;

use crate::query::lanes::pick::state_text;
use crate::query::select::refs::{RunPlace, TaskName};
use schedindex::{queued, Queued};
use schedmodel::{TaskCommId, Time, Trace, WaitCause, Who};
use serde::Serialize;
use ts_rs::TS;

/// JSON of `corelane at`, which prints instants as absolute trace times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "InstantAnswer")]
pub struct Instant {
    /// When.
    pub at_ns: Time,
    /// The last instant before at which something happens; null if there is none.
    pub previous_ns: Option<Time>,
    /// The next one after it.
    pub next_ns: Option<Time>,
    /// What happens at this ns: in the order of CPUs.
    pub changes: Vec<Change>,
    /// All CPUs, ascending.
    pub cpus: Vec<InstantCpu>,
    /// Tasks that wait on a runqueue that the trace does not tell, the longest waiting first.
    pub unplaced: Vec<QueuedTask>,
}

/// A CPU at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct InstantCpu {
    /// Its number.
    pub cpu: u32,
    /// Whether it runs a task, idles, or it is not known.
    pub state: CpuState,
    /// The task that it runs.
    pub task: Option<TaskName>,
    /// The task's kernel priority at its switch-in, -1 for deadline; null if it is not known.
    pub prio: Option<i32>,
    /// Since when; null beyond the end of what is known of the CPU.
    pub since_ns: Option<Time>,
    /// Until when.
    pub until_ns: Option<Time>,
    /// Why the run then stops: the letters of `prev_state`.
    pub end_state: Option<String>,
    /// Tasks that wait on its runqueue, the longest waiting first.
    pub queue: Vec<QueuedTask>,
}

/// What a CPU does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CpuState {
    /// It runs a task.
    Run,
    /// It idles.
    Idle,
    /// It is not known.
    Unknown,
}

/// A task that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct QueuedTask {
    /// The task.
    #[serde(flatten)]
    pub task: TaskName,
    /// Since when.
    pub since_ns: Time,
    /// `wakeup` or `preempted`.
    pub cause: WaitCause,
    /// The run that it waits for; null if the trace has none.
    pub run: Option<RunPlace>,
}

/// A task that waits, before it is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    pub(super) who: TaskCommId,
    pub(super) since: u64,
    pub(super) cause: WaitCause,
    pub(super) run: Option<(usize, usize)>,
    /// The CPU of its runqueue.
    pub(super) cpu: Option<u32>,
}

impl Standpoint {
    /// The machine at an instant.
    pub fn at(&self, trace: &Trace, at: u64) -> Instant {
        let mut waiting = self.waiting(trace, at);
        waiting.sort_by_key(|one| (one.since, one.who));
        let cpus = trace.cpus.iter().zip(&trace.lanes).map(|(&cpu, lane)| {
            let index = lane.find(at);
            let who = index.map_or(Who::Unknown, |index| lane.who(index));
            let id = index.and_then(|index| lane.run(index));
            let here = waiting.iter().filter(|one| one.cpu == Some(cpu));
            InstantCpu {
                cpu,
                state: match who {
                    Who::Run(_) => CpuState::Run,
                    Who::Idle => CpuState::Idle,
                    Who::Unknown => CpuState::Unknown,
                },
                task: id.map(|id| TaskName::of(trace, id)),
                prio: index.filter(|_| id.is_some()).and_then(|index| lane.prio(index)),
                since_ns: index.map(|index| Time(lane.start_of(index))),
                until_ns: index.map(|index| Time(lane.end_of(index))),
                end_state: index.and_then(|index| lane.end_state(index)).map(state_text),
                queue: here.map(|one| one.told(trace)).collect(),
            }
        });
        let is_placed = |one: &Waits| one.cpu.is_some_and(|cpu| trace.lane_index(cpu).is_some());
        Instant {
            at_ns: Time(at),
            previous_ns: self.step(trace, at, false).map(Time),
            next_ns: self.step(trace, at, true).map(Time),
            changes: self.changes(trace, at, &waiting),
            cpus: cpus.collect(),
            unplaced: waiting
                .iter()
                .filter(|one| !is_placed(one))
                .map(|one| one.told(trace))
                .collect(),
        }
    }
}

impl Waits {
    fn told(&self, trace: &Trace) -> QueuedTask {
        QueuedTask {
            task: TaskName::of(trace, self.who),
            since_ns: Time(self.since),
            cause: self.cause,
            run: self.run.map(|(lane, index)| RunPlace::of(trace, lane, index)),
        }
    }
}

/// The CPU on whose runqueue a wait before a run is spent at an instant.
pub(super) fn queue_at<'a>(
    migrations: impl Iterator<Item = &'a schedmodel::Migration>,
    (since, until): (u64, u64),
    last: u32,
    at: u64,
) -> Option<u32> {
    let mut found = None;
    queued(
        migrations,
        (since, until),
        |_| Some(last),
        |Queued { cpu, from, to }| {
            if (from..to).contains(&at) {
                found = cpu;
            }
        },
    );
    found
}
