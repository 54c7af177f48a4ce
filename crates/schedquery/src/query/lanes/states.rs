//! Every state of every selected task, in order.

use super::pick::state_text;
use crate::query::select::selection::Selection;
use schedindex::{states_of, RunId, Runs, StateInterval, TaskState};
use schedmodel::{Task, TaskCommId, TaskId, Time, Trace, WaitCause};
use schedrows::StateCode;

/// A state of a task over time.
#[derive(Clone, Copy, Debug)]
pub struct StateRow<'t> {
    trace: &'t Trace,
    /// The task with its comm in the run, or in the next run, or its last one.
    pub who: TaskCommId,
    /// What it does.
    pub state: TaskState,
    /// First ns.
    pub start_ns: Time,
    /// First ns after it.
    pub end_ns: Time,
    /// For a run, its CPU; for a wait, the CPU of the switch-in that followed.
    pub cpu: Option<u32>,
    /// `prev_state`: at the end of a run, or at the begin of another state.
    pub left: Option<StateCode>,
    /// What made the task runnable.
    pub cause: Option<WaitCause>,
    /// Kernel priority of a run at its switch-in, -1 for deadline.
    pub prio: Option<i32>,
}

impl<'t> StateRow<'t> {
    /// The task.
    pub fn task(&self) -> &'t Task {
        self.trace.task_of(self.who)
    }

    /// The task's name.
    pub fn comm(&self) -> &'t str {
        self.trace.comm_of(self.who)
    }

    /// `prev_state` in the letters of the event's print fmt.
    pub fn letters(&self) -> Option<String> {
        self.left.map(state_text)
    }
}

/// Calls `each` with the states of the selected tasks, clipped to the window: by task in order of first appearance,
/// then by time. If CPUs are selected, only with runs there and waits that ended there.
pub fn each_state<'t, E>(
    trace: &'t Trace,
    selection: &Selection,
    mut each: impl FnMut(&StateRow<'t>) -> Result<(), E>,
) -> Result<(), E> {
    let runs = Runs::new(trace);
    let (window, shown) = (selection.window(trace), selection.shown(trace));
    for task in (0..trace.tasks.len() as u32).map(TaskId) {
        if !runs.pairs_of(task).iter().any(|&pair| shown.has(pair)) {
            continue;
        }
        for mut interval in states_of(trace, &runs, task).intervals() {
            interval.start = interval.start.max(window.start);
            interval.end = interval.end.min(window.end);
            if interval.start < interval.end && shown.has(interval.who) {
                let row = row(trace, &runs, &interval);
                let here = |cpus: &Vec<u32>| row.cpu.is_some_and(|cpu| cpus.contains(&cpu));
                if selection.cpus.as_ref().is_none_or(here) {
                    each(&row)?;
                }
            }
        }
    }
    Ok(())
}

fn row<'t>(trace: &'t Trace, runs: &Runs, interval: &StateInterval) -> StateRow<'t> {
    let place = interval.run.map(|run| runs.decode(run));
    let own = place.filter(|_| interval.state == TaskState::Running);
    StateRow {
        trace,
        who: interval.who,
        state: interval.state,
        start_ns: Time(interval.start),
        end_ns: Time(interval.end),
        cpu: place.map(|run| trace.cpu_at(run.lane)),
        left: match own {
            Some(RunId { lane, index }) => trace.lane_at(lane).end_state(index),
            None => interval.letters,
        },
        cause: interval.cause,
        prio: own.and_then(|RunId { lane, index }| trace.lane_at(lane).prio(index)),
    }
}
