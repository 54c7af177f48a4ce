//! Every state of every selected task, in order.

use super::pick::state_text;
use crate::index::{RunId, Runs, StateBuilder, StateInterval, TaskState, TaskStates};
use crate::query::select::name::TaskName;
use crate::query::select::selection::Selection;
use schedmodel::{Class, TaskId, Time, Trace, WaitCause};

/// A state of a task over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// The task with its comm in the run, or in the next run, or its last one.
    pub task: TaskName,
    /// The name of a [`TaskState`].
    pub state: &'static str,
    /// First ns.
    pub start_ns: Time,
    /// First ns after it.
    pub end_ns: Time,
    /// For a run, its CPU; for a wait, the CPU of the switch-in that followed.
    pub cpu: Option<u32>,
    /// `prev_state`, in the letters of the event's print fmt: at the end of a run, or at the begin of another state.
    pub letters: Option<String>,
    /// What made the task runnable: `wakeup` or `preempted`.
    pub cause: Option<&'static str>,
    /// Kernel priority of a run at its switch-in, -1 for deadline.
    pub prio: Option<i32>,
    /// The class of that priority: `deadline`, `RT`, `fair` or `idle`.
    pub class: Option<&'static str>,
}

/// Calls `each` with the states of the selected tasks, clipped to the window: by task in order of first appearance,
/// then by time. If CPUs are selected, only with runs there and waits that ended there.
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
        Some(RunId { lane, index }) => trace.lane_at(lane).end_state(index),
        None => interval.letters,
    };
    let prio = own.and_then(|RunId { lane, index }| trace.lane_at(lane).prio(index));
    StateRow {
        task: TaskName::of(trace, interval.who),
        state: interval.state.name(),
        start_ns: Time(interval.start),
        end_ns: Time(interval.end),
        cpu: place.map(|run| trace.cpu_at(run.lane)),
        letters: letters.map(state_text),
        cause: interval.cause.map(WaitCause::name),
        prio,
        class: prio.map(|prio| Class::of(prio).name()),
    }
}
