//! The states of one task over time.
//!
//! A task's states tile `[0, span)` without gap or overlap. They are those of the state machine in `sched`, derived
//! again from the task's runs, waits and claims, so that nothing has to be kept for tasks that nobody looks at:
//!
//! - **running** from a switch-in to the switch-out. If two lanes claim the task, the one that switched it in last
//!   counts, until it switches it out.
//! - **runnable** from `sched_wakeup`, `sched_wakeup_new` or a switch-out as R or with a `+`, to the switch-in: exactly
//!   the waits of the model.
//! - **throttled** from the switch-out as R of a deadline task that is then off its runqueue, to its next switch-in or migration: no
//!   event tells when it was on the runqueue again.
//! - **sleeping, blocked, stopped, dead** from a switch-out, by its letter; letters not named here count as sleeping. A
//!   task that is switched in without a wakeup has slept until then as far as the trace tells (a diagnostic counts it).
//!   A task is also dead from an exec that lets its thread continue under another pid.
//! - **unborn** before the fork, before the exec that gave the thread this pid, or while a task of an earlier
//!   generation had the pid; **new** from the fork to the first wakeup.
//! - **unknown** from when it became runnable, if a wakeup shows that it ran and slept since, unseen; before the first event that tells the state; from a gap on, if events are lost on the CPU where the
//!   task runs, or if the first switch after the gap shows that the task, last seen asleep, ran there; and when a
//!   switch says that another task ran.

use super::passing::Passing;
use super::runs::Runs;
use super::state_spans::StateSpans;
use schedmodel::{named, SwitchedOut, TaskCommId, WaitCause};
use schedrows::StateCode;

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TaskState {
    /// No event tells the state.
    Unknown,
    /// Not created yet.
    Unborn,
    /// Forked, not yet woken for the first time.
    New,
    /// Running on a CPU.
    Running,
    /// On a runqueue, but not on a CPU.
    Runnable,
    /// Not runnable: S, I and all letters not listed below.
    Sleeping,
    /// Uninterruptible sleep: D.
    Blocked,
    /// T, t, or P (parked).
    Stopped,
    /// X or Z.
    Dead,
    /// A deadline task off its runqueue until its next period.
    Throttled,
}

impl TaskState {
    /// The state after a switch-out.
    pub fn after_switch_out(state: StateCode) -> TaskState {
        match (SwitchedOut::by(state), state.letter()) {
            (SwitchedOut::Runnable, _) => TaskState::Runnable,
            (SwitchedOut::Throttled, _) => TaskState::Throttled,
            (SwitchedOut::Dead, _) => TaskState::Dead,
            (SwitchedOut::Unknown, _) => TaskState::Unknown,
            (SwitchedOut::Asleep, b'D') => TaskState::Blocked,
            (SwitchedOut::Asleep, b'T' | b't' | b'P') => TaskState::Stopped,
            (SwitchedOut::Asleep, _) => TaskState::Sleeping,
        }
    }
}

named!(TaskState as "TaskState" {
    Unknown = "unknown",
    Unborn = "unborn",
    New = "new",
    Running = "running",
    Runnable = "runnable",
    Sleeping = "sleeping",
    Blocked = "blocked",
    Stopped = "stopped",
    Dead = "dead",
    Throttled = "throttled",
});

/// A state and the interval in which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateInterval {
    /// First ns.
    pub start: u64,
    /// First ns after it.
    pub end: u64,
    /// The state.
    pub state: TaskState,
    /// The run of `Running`, or the run that ended the wait of `Runnable`, as a number of [`Runs`](super::Runs).
    pub run: Option<u32>,
    /// What made it `Runnable`.
    pub cause: Option<WaitCause>,
    /// The `prev_state` at its begin.
    pub letters: Option<StateCode>,
    /// The task with its comm: of the run, or else of its next run, or else its last.
    pub who: TaskCommId,
}

/// `run` of an interval without one.
const NO_RUN: u32 = u32::MAX;

/// The intervals of a task, as a struct of arrays.
#[derive(Debug, Default)]
pub struct TaskStates {
    spans: StateSpans,
    /// A `StateCode`, or 0 for none.
    code: Vec<u8>,
    run: Vec<u32>,
    /// Empty if there is only `only`.
    who: Vec<u32>,
    only: u32,
}

/// A change of state, while the states are being derived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) state: TaskState,
    pub(super) run: Option<u32>,
    pub(super) cause: Option<WaitCause>,
    pub(super) code: Option<StateCode>,
    pub(super) who: Option<TaskCommId>,
}

impl Change {
    pub(super) fn to(state: TaskState) -> Change {
        Change {
            state,
            run: None,
            cause: None,
            code: None,
            who: None,
        }
    }
}

/// Value of `code` for a wait that began with a wakeup; no letter is that large.
const WOKEN: u8 = 0xff;
/// The same for a wait that began when a throttled task was moved.
const REPLENISHED: u8 = 0xfe;
/// `who` while it is still unknown.
const LATER: u32 = u32::MAX;

impl TaskStates {
    /// `only`: the only name of the task, if it has just one.
    pub(super) fn begin(only: Option<TaskCommId>) -> TaskStates {
        TaskStates {
            only: only.map_or(LATER, |id| id.0),
            ..TaskStates::default()
        }
    }

    /// The last change so far.
    pub(super) fn last(&self) -> Option<(u64, TaskState)> {
        self.spans.last()
    }

    /// Changes the state at `at`; later changes that were recorded before are dropped.
    pub(super) fn change(&mut self, at: u64, to: Change) {
        while self.last().is_some_and(|(last, _)| at <= last) {
            self.pop();
        }
        self.spans.push(at, to.state);
        self.code.push(match to.cause {
            Some(WaitCause::Wakeup) => WOKEN,
            Some(WaitCause::Replenished) => REPLENISHED,
            _ => to.code.map_or(0, |code| code.0),
        });
        self.run.push(to.run.unwrap_or(NO_RUN));
        if self.only == LATER {
            self.who.push(to.who.map_or(LATER, |id| id.0));
        }
    }

    /// Ends the current wait with this run.
    pub(super) fn led_to(&mut self, run: u32) {
        if let Some(last) = self.run.last_mut() {
            *last = run;
        }
    }

    /// What tells an interval from the one before it; runs and waits are never alike.
    fn kind(&self, index: usize) -> Option<(TaskState, u8)> {
        let (state, &code) = (self.spans.state_at(index), self.code.get(index)?);
        (![TaskState::Running, TaskState::Runnable].contains(&state)).then_some((state, code))
    }

    /// Joins intervals with equal ones before them.
    fn join(&mut self) {
        let repeats = |index: usize| {
            let kind = self.kind(index);
            kind.is_some() && index.checked_sub(1).map(|before| self.kind(before)) == Some(kind)
        };
        let repeats: Vec<bool> = (0..self.len()).map(repeats).collect();
        if repeats.contains(&true) {
            keep_first(&mut self.spans.start, &repeats);
            keep_first(&mut self.spans.state, &repeats);
            keep_first(&mut self.code, &repeats);
            keep_first(&mut self.run, &repeats);
            keep_first(&mut self.who, &repeats);
        }
    }

    fn pop(&mut self) {
        self.spans.pop();
        self.code.pop();
        self.run.pop();
        self.who.pop();
    }

    /// Ends the last state at `end`; `last` is the task's name there.
    pub(super) fn finish(&mut self, end: u64, last: TaskCommId) {
        while self.last().is_some_and(|(start, _)| end <= start) {
            self.pop();
        }
        self.join();
        let mut name = last.0;
        for who in self.who.iter_mut().rev() {
            if *who == LATER {
                *who = name;
            }
            name = *who;
        }
        self.code.shrink_to_fit();
        self.run.shrink_to_fit();
        self.who.shrink_to_fit();
        self.spans.finish(end);
    }

    /// From when on the task is in which state.
    pub fn spans(&self) -> &StateSpans {
        &self.spans
    }

    /// The same without the runs that do not pass, and the waits for them.
    pub fn passing(&self, runs: &Runs, passing: &Passing) -> StateSpans {
        self.spans.keeping(|index, state| match state {
            TaskState::Running | TaskState::Runnable => {
                let run = self.run.get(index).filter(|&&run| run != NO_RUN);
                run.is_some_and(|&run| passing.has_run(runs, run))
            }
            _ => true,
        })
    }

    /// Number of intervals.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no interval, as in a trace without any span.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Interval `index`; one that does not exist is unknown, and lies at the end.
    pub fn interval(&self, index: usize) -> StateInterval {
        let state = self.spans.state_at(index);
        let code = self.code.get(index).copied().unwrap_or(0);
        StateInterval {
            start: self.spans.start_of(index),
            end: self.spans.end_of(index),
            state,
            run: self.run.get(index).copied().filter(|&run| run != NO_RUN),
            cause: (state == TaskState::Runnable).then_some(match code {
                WOKEN => WaitCause::Wakeup,
                REPLENISHED => WaitCause::Replenished,
                _ => WaitCause::Preempted,
            }),
            letters: (code != 0 && code < REPLENISHED).then_some(StateCode(code)),
            who: TaskCommId(self.who.get(index).copied().unwrap_or(self.only)),
        }
    }

    /// All intervals in order.
    pub fn intervals(&self) -> impl Iterator<Item = StateInterval> + '_ {
        (0..self.len()).map(|index| self.interval(index))
    }

    /// The last run at or before interval `index`.
    pub fn run_before(&self, index: usize) -> Option<u32> {
        let is_run = |&index: &usize| self.spans.state_at(index) == TaskState::Running;
        let last = (0..=index).rev().find(is_run)?;
        self.run.get(last).copied()
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.spans.memory_bytes() + self.code.capacity() + (self.run.capacity() + self.who.capacity()) * 4
    }
}

/// Removes the items that repeat the one before them.
fn keep_first<T>(items: &mut Vec<T>, repeats: &[bool]) {
    let mut repeats = repeats.iter();
    items.retain(|_| repeats.next() != Some(&true));
}
