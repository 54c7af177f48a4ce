//! The states that are found in some stories.

use super::{states_of, task_of};
use crate::support;
use schedindex::TaskState;
use schedquery::query::{Indexes, TimeWindow};

/// The states of a task in order:
/// `0-10 unknown, 10-20 running on 1 as a until S, 20-30 sleeping S, 30-35 runnable by wakeup`.
fn story(view: &Indexes, pid: i32, generation: u32) -> String {
    let task = task_of(view.trace(), pid, generation);
    let states = states_of(view, task);
    let line = |index: usize| {
        let state = view.describe_state(task, &states, index);
        let letters = state.letters.unwrap_or_default();
        let more = match state.state {
            TaskState::Running => format!(" on {} as {} until {letters}", state.cpu.expect("a CPU"), state.comm),
            TaskState::Runnable => format!(" by {}", state.cause.expect("a cause").name()),
            _ if letters.is_empty() => String::new(),
            _ => format!(" {letters}"),
        };
        format!("{}-{} {}{more}", state.start, state.end, state.state.name())
    };
    (0..states.len()).map(line).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_task_runs_waits_sleeps_blocks_and_dies() {
    let view = support::view(
        2,
        "
        100 cpu0 switch idle -> a:10
        110 cpu0 switch a:10 S -> idle
        118 cpu1 waking a:10 last 0 by idle
        120 cpu1 wakeup a:10 on 1 by idle
        130 cpu1 switch idle -> a:10
        140 cpu1 switch a:10 R -> b:11
        150 cpu1 switch b:11 D -> a:10
        160 cpu1 switch a:10 T -> idle
        170 cpu0 wakeup a:10 on 0 by idle
        180 cpu0 switch idle -> a:10
        190 cpu0 switch a:10 X -> idle
        200 cpu0 other",
    );
    assert_eq!(
        story(&view, 10, 0),
        "0-10 running on 0 as a until S, 10-20 sleeping S, 20-30 runnable by wakeup, \
               30-40 running on 1 as a until R, 40-50 runnable by preempted, 50-60 running on 1 as a until T, \
               60-70 stopped T, 70-80 runnable by wakeup, 80-90 running on 0 as a until X, 90-100 dead X"
    );
    assert_eq!(
        story(&view, 11, 0),
        "0-40 unknown, 40-50 running on 1 as b until D, 50-100 blocked D"
    );
}

#[test]
fn a_forked_task_is_unborn_then_new() {
    let view = support::view(
        1,
        "
        100 cpu0 switch idle -> sh:10
        120 cpu0 fork sh:10 -> sh:11
        125 cpu0 wakeup_new sh:11 on 0 by sh:10
        130 cpu0 switch sh:10 S -> sh:11
        140 cpu0 switch sh:11 R+ -> idle
        150 cpu0 other",
    );
    assert_eq!(
        story(&view, 11, 0),
        "0-20 unborn, 20-25 new, 25-30 runnable by wakeup, 30-40 running on 0 as sh until R+, 40-50 runnable by preempted"
    );
    let waits = view.task_state_at(task_of(view.trace(), 11, 0), 45).expect("a state");
    assert_eq!(
        (waits.letters.as_deref(), waits.cpu, waits.open),
        (Some("R+"), None, true)
    );
}

#[test]
fn a_pid_that_is_used_again_is_another_task() {
    let view = support::view(
        1,
        "
        100 cpu0 switch a:10 X -> b:11
        110 cpu0 fork b:11 -> b:10
        112 cpu0 wakeup_new b:10 on 0 by b:11
        120 cpu0 switch b:11 S -> b:10
        130 cpu0 switch b:10 Z -> c:10
        140 cpu0 switch c:10 S -> idle",
    );
    assert_eq!(story(&view, 10, 0), "0-40 dead X");
    assert_eq!(
        story(&view, 10, 1),
        "0-10 unborn, 10-12 new, 12-20 runnable by wakeup, 20-30 running on 0 as b until Z, 30-40 dead Z"
    );
    // Its fork was not recorded: it exists, at the latest, when it runs.
    assert_eq!(story(&view, 10, 2), "0-30 unborn, 30-40 running on 0 as c until S");
}

#[test]
fn lost_events_make_unknown_what_ran_there() {
    let view = support::view(
        2,
        "
        100 cpu1 switch c:12 S -> idle
        105 cpu0 switch idle -> a:10
        110 cpu1 wakeup b:11 on 0 by idle
        120 cpu0 lost
        150 cpu0 switch c:12 D -> a:10
        160 cpu0 switch a:10 S -> idle
        170 cpu1 other",
    );
    assert_eq!(
        story(&view, 10, 0),
        "0-5 unknown, 5-20 running on 0 as a until , 20-50 unknown, 50-60 running on 0 as a until S, 60-70 sleeping S"
    );
    // It waited, and still waits as far as the trace tells.
    assert_eq!(story(&view, 11, 0), "0-10 unknown, 10-70 runnable by wakeup");
    // It was seen asleep and then leaving the CPU: it ran while events were lost, but since when is not known.
    assert_eq!(story(&view, 12, 0), "0-20 sleeping S, 20-50 unknown, 50-70 blocked D");
}

#[test]
fn a_preempted_sleeper_waits_and_a_running_task_is_woken_in_vain() {
    let view = support::view(
        1,
        "
        100 cpu0 switch idle -> a:10
        105 cpu0 wakeup a:10 on 0 by a:10
        110 cpu0 switch a:10 S+ -> b:11
        115 cpu0 wakeup a:10 on 0 by b:11
        120 cpu0 switch b:11 I -> a:10
        130 cpu0 switch a:10 P -> idle
        140 cpu0 other",
    );
    assert_eq!(
        story(&view, 10, 0),
        "0-10 running on 0 as a until S+, 10-20 runnable by preempted, 20-30 running on 0 as a until P, 30-40 stopped P"
    );
    assert_eq!(
        story(&view, 11, 0),
        "0-10 unknown, 10-20 running on 0 as b until I, 20-40 sleeping I"
    );
}

#[test]
fn a_state_is_called_as_the_next_run_is() {
    let view = support::view(
        1,
        "
        100 cpu0 switch idle -> sh:10
        110 cpu0 rename sh:10 -> ls
        120 cpu0 switch ls:10 S -> idle
        130 cpu0 wakeup ls:10 on 0 by idle
        140 cpu0 switch idle -> ls:10
        145 cpu0 rename ls:10 -> done
        150 cpu0 switch done:10 S -> idle
        160 cpu0 other",
    );
    let names: Vec<_> = (0..60)
        .step_by(10)
        .map(|at| view.task_state_at(0, at).expect("a state").comm)
        .collect();
    assert_eq!(names, ["sh", "sh", "ls", "ls", "ls", "done"]);
}

#[test]
fn steps_go_from_state_to_state_and_name_a_run() {
    let view = support::view(
        2,
        "
        100 cpu0 switch idle -> a:10
        110 cpu0 switch a:10 S -> idle
        120 cpu1 wakeup a:10 on 1 by idle
        130 cpu1 switch idle -> a:10
        140 cpu1 switch a:10 S -> idle
        150 cpu1 other",
    );
    let run = |at| {
        view.task_state_at(0, at)
            .and_then(|state| state.run)
            .map(|run| (run.cpu, run.start))
    };
    assert_eq!(
        [5, 15, 25, 35, 45].map(run),
        [(0, 0), (0, 0), (1, 30), (1, 30), (1, 30)].map(Some)
    );
    let start = |at, forward| view.task_step(0, at, forward).map(|state| state.start);
    assert_eq!(start(15, true), Some(20));
    assert_eq!(start(15, false), Some(0));
    assert_eq!(start(0, false), None);
    assert_eq!(start(45, true), None);
    assert_eq!(start(1000, false), Some(40));
    assert_eq!(view.task_state_at(0, 50), None);
    assert_eq!(view.task_state_at(99, 0), None);
    let runs = view.task_runs(&[0, 99], TimeWindow { start: 9, end: 31 }, 1);
    let runs: Vec<_> = runs.runs.iter().map(|run| (run.cpu, run.start, run.end)).collect();
    assert_eq!(runs, [(0, 0, 10), (1, 30, 40)]);
}

#[test]
fn an_exec_lets_a_thread_go_on_as_the_next_task_with_its_leaders_pid() {
    let view = support::view(
        2,
        "
        100 cpu0 switch idle -> a:11
        100 cpu1 switch idle -> a:10
        110 cpu1 switch a:10 X -> idle
        120 cpu0 exec a:10 from 11
        130 cpu0 switch c:10 S -> idle
        140 cpu0 wakeup c:10 on 0 by idle
        150 cpu0 switch idle -> c:10
        160 cpu0 other",
    );
    assert_eq!(story(&view, 11, 0), "0-20 running on 0 as a until , 20-60 dead");
    assert_eq!(story(&view, 10, 0), "0-10 running on 1 as a until X, 10-60 dead X");
    assert_eq!(
        story(&view, 10, 1),
        "0-20 unborn, 20-30 running on 0 as a until S, 30-40 sleeping S, 40-50 runnable by wakeup, \
               50-60 running on 0 as c until "
    );
}

#[test]
fn an_exec_where_events_were_lost_leaves_the_task_unknown_until_a_switch() {
    let view = support::view(
        1,
        "
        100 cpu0 switch idle -> a:11
        110 cpu0 lost
        120 cpu0 exec a:10 from 11
        130 cpu0 switch c:10 S -> idle
        160 cpu0 other",
    );
    assert_eq!(
        story(&view, 11, 0),
        "0-10 running on 0 as a until , 10-20 unknown, 20-60 dead"
    );
    assert_eq!(story(&view, 10, 0), "0-20 unborn, 20-30 unknown, 30-60 sleeping S");
}
