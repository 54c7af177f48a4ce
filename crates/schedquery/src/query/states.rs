//! Every state of every selected task, one after the other: what `corelane states` prints.

use super::name::TaskName;
use super::pick::state_text;
use super::selection::Selection;
use super::tasks::cause_name;
use crate::index::{RunId, Runs, StateBuilder, StateInterval, TaskState, TaskStates};
use schedmodel::{Class, TaskId, Trace};
use serde::Serialize;

/// A line of `corelane states --json`; times are absolute trace times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateRow {
    /// Who, under the comm of the run, or of the next run, or else the last comm.
    #[serde(flatten)]
    pub task: TaskName,
    /// The name of a [`TaskState`].
    pub state: &'static str,
    /// First ns.
    pub start_ns: u64,
    /// First ns after it.
    pub end_ns: u64,
    /// Of a run: where. Of a wait: where the task was then switched in.
    pub cpu: Option<u32>,
    /// `prev_state`, by the letters of the event's print fmt: at the end of a run, at the begin of another state.
    pub letters: Option<String>,
    /// `wakeup` or `preempted`: what made it runnable.
    pub cause: Option<&'static str>,
    /// Kernel priority that a run was switched in with, -1 for deadline.
    pub prio: Option<i32>,
    /// `deadline`, `RT`, `fair` or `idle`, by the priority.
    pub class: Option<&'static str>,
}

/// Calls `each` with the states of the selected tasks, clipped to the window: by task in order of first appearance, then
/// by time. Of a selection of CPUs only what ran there, and the waits that ended there.
pub fn each_state<E>(
    trace: &Trace,
    selection: &Selection,
    mut each: impl FnMut(&StateRow) -> Result<(), E>,
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

/// All states of a task.
pub fn states_of(trace: &Trace, runs: &Runs, task: TaskId) -> TaskStates {
    let mut steps = usize::MAX;
    let states = StateBuilder::new(trace, runs, task).step(trace, runs, &mut steps);
    states.unwrap_or_default()
}

fn row(trace: &Trace, runs: &Runs, interval: &StateInterval) -> StateRow {
    let place = interval.run.map(|run| runs.decode(run));
    let own = place.filter(|_| interval.state == TaskState::Running);
    let letters = match own {
        Some(RunId { lane, index }) => trace.lanes[lane].end_state(index),
        None => interval.letters,
    };
    let prio = own.and_then(|RunId { lane, index }| trace.lanes[lane].prio(index));
    StateRow {
        task: TaskName::of(trace, interval.who),
        state: interval.state.name(),
        start_ns: trace.base_ns + interval.start,
        end_ns: trace.base_ns + interval.end,
        cpu: place.map(|run| trace.cpus[run.lane]),
        letters: letters.map(state_text),
        cause: interval.cause.map(cause_name),
        prio,
        class: prio.map(|prio| Class::of(prio).name()),
    }
}
