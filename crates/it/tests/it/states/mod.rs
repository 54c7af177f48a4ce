//! The states of tasks: scenarios, a naive twin that replays the events, and properties of every trace.

mod replay;
mod stories;
use crate::support::arbitrary;
use proptest::prelude::*;
use replay::Replay;
use schedindex::{Passing, RunId, Runs, StateInterval, TaskState, TaskStates};
use schedmodel::{Claim, LooseWait, TaskId, Trace, Who};
use schedquery::query::{IndexSpec, Indexes, TaskCellsQuery, TimeWindow};
use std::collections::HashMap;
use std::sync::Arc;

fn view_of(trace: Trace) -> Indexes {
    Indexes::new(Arc::new(trace), IndexSpec::default())
}

fn states_of(view: &Indexes, task: u32) -> Arc<TaskStates> {
    view.task_states(task).expect("a task of the trace")
}

fn task_of(trace: &Trace, pid: i32, generation: u32) -> u32 {
    let is_it = |task: &schedmodel::Task| (task.pid, task.generation) == (pid, generation);
    trace.tasks.iter().position(is_it).expect("a task of the trace") as u32
}

/// Joins adjacent parts with equal state; times that a later event corrected are left out.
fn joined(parts: impl Iterator<Item = (u64, u64, TaskState, Option<u32>)>) -> Vec<(u64, u64, TaskState, Option<u32>)> {
    let mut joined: Vec<(u64, u64, TaskState, Option<u32>)> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last) if (last.1, last.2, last.3) == (part.0, part.2, part.3) => last.1 = part.1,
            _ => joined.push(part),
        }
    }
    joined
}

fn found(view: &Indexes, states: &TaskStates) -> Vec<(u64, u64, TaskState, Option<u32>)> {
    let cpu_of = |interval: &StateInterval, index: usize| {
        let running = interval.state == TaskState::Running;
        running.then(|| view.describe_state(0, states, index).cpu).flatten()
    };
    let intervals = states.intervals().enumerate();
    joined(intervals.map(|(index, interval)| (interval.start, interval.end, interval.state, cpu_of(&interval, index))))
}

/// Whether a task has contradictions: runs on two CPUs that overlap, a run before its fork, or a claim that it does not
/// run while it does.
fn contradicts(trace: &Trace, task: TaskId) -> bool {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for lane in &trace.lanes {
        let of_task = |who| matches!(who, Who::Run(id) if trace.task_comm(id).task == task);
        runs.extend(
            lane.intervals()
                .filter(|run| of_task(run.who))
                .map(|run| (run.start, run.end)),
        );
    }
    runs.sort_unstable();
    let inferred = runs.first().is_some_and(|&(start, end)| start == 0 && start < end);
    let overlap = runs
        .windows(2)
        .any(|pair| pair[1].0 < pair[0].1 || pair[1].0 == pair[0].0);
    let denies = |claim: &Claim| claim.task == task && runs.iter().any(|run| run.0 <= claim.at && claim.at < run.1);
    overlap
        || trace.claims.iter().any(denies)
        || (inferred && (trace.task(task).forked || trace.task(task).generation != 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn states_are_what_a_replay_of_the_events_says((scans, trace) in arbitrary::scanned()) {
        let replay = Replay::of(&scans, &trace);
        let view = view_of(trace);
        for (id, task) in view.trace().tasks.iter().enumerate() {
            // Two CPUs say that they ran the pid when the trace began, and several tasks came to have it: it cannot be
            // known which of them ran where.
            if 1 < replay.seats.get(&task.pid).copied().unwrap_or(0) && 0 < replay.generation(task.pid) {
                continue;
            }
            // A wait without length, which one CPU began and another ended, does not keep its place among the events of
            // its ns; where events were lost, what the task did before depends on that place.
            let instant = |wait: &LooseWait| wait.since == wait.until && view.trace().task_comm(wait.who).task.0 == id as u32;
            if view.trace().loose_waits.iter().any(instant) {
                continue;
            }
            let states = states_of(&view, id as u32);
            let expected = match replay.tasks.get(&(task.pid, task.generation)) {
                Some(task) => joined(task.intervals.iter().copied()),
                None if view.trace().span_ns == 0 => Vec::new(),
                None => vec![(0, view.trace().span_ns, TaskState::Unknown, None)],
            };
            prop_assert_eq!(found(&view, &states), expected, "{} {}", task.pid, task.generation);
        }
    }

    #[test]
    fn states_tile_the_trace_and_add_up(trace in arbitrary::trace()) {
        let view = view_of(trace);
        let trace = view.trace();
        let mut waited_by_task = vec![0_u64; trace.tasks.len()];
        for lane in &trace.lanes {
            for index in 0..lane.len() {
                if let (Some(id), Some(wait)) = (lane.run(index), lane.wait(index)) {
                    waited_by_task[trace.task_comm(id).task.0 as usize] += lane.start_of(index) - wait.since;
                }
            }
        }
        for wait in &trace.loose_waits {
            waited_by_task[trace.task_comm(wait.who).task.0 as usize] += wait.until - wait.since;
        }
        for (id, waited) in waited_by_task.into_iter().enumerate() {
            let states = states_of(&view, id as u32);
            let mut at = 0;
            for interval in states.intervals() {
                prop_assert_eq!(interval.start, at);
                prop_assert!(interval.start < interval.end);
                at = interval.end;
            }
            prop_assert_eq!(at, trace.span_ns);
            let (times, _) = states.spans().times_in(0..u64::MAX);
            prop_assert_eq!(times[TaskState::Runnable as usize], waited);
            if !contradicts(trace, TaskId(id as u32)) {
                let info = &view.tasks(Some(&[id as u32]), None)[0];
                prop_assert_eq!(times[TaskState::Running as usize], info.execution_ns);
            }
        }
    }

    #[test]
    fn cells_share_out_time_as_the_intervals_do(
        trace in arbitrary::trace(),
        level in 0_u32..12,
        from in 0.0..1.2,
        buckets in 1_u32..40,
        passing in prop::option::of(prop::collection::vec(any::<u32>(), 0..40)),
    ) {
        let view = view_of(trace);
        let passing = passing.map(|words| Arc::new(Passing::of_words(view.trace(), words)));
        let view = view.filtered(passing);
        let first_bucket = ((from * view.trace().span_ns as f64) as u64) >> level;
        let tasks: Vec<u32> = (0..view.trace().tasks.len() as u32).chain([9999]).collect();
        let query = TaskCellsQuery { level, first_bucket, buckets, tasks: tasks.clone() };
        let answer = view.task_cells(&query);
        prop_assert!(answer.missing.is_empty());
        for (row, &task) in tasks.iter().enumerate() {
            for bucket in 0..buckets as usize {
                let cell = 2 * (row * buckets as usize + bucket);
                let start = (first_bucket + bucket as u64) << level;
                let expected = naive_cell(&view, task, start..start + (1 << level));
                prop_assert_eq!([answer.cells[cell], answer.cells[cell + 1]], expected);
            }
        }
    }

    #[test]
    fn states_at_an_instant_are_those_that_contain_it(trace in arbitrary::trace(), at in 0.0..1.1) {
        let view = view_of(trace);
        let at = (at * view.trace().span_ns as f64) as u64;
        for task in 0..view.trace().tasks.len() as u32 {
            let states = states_of(&view, task);
            let contains = |interval: &StateInterval| interval.start <= at && at < interval.end;
            let expected = states.intervals().position(|interval| contains(&interval));
            let describe = |index: Option<usize>| {
                index.filter(|&index| index < states.len()).map(|index| view.describe_state(task, &states, index))
            };
            prop_assert_eq!(view.task_state_at(task, at), describe(expected));
            let here = expected.unwrap_or(states.len());
            prop_assert_eq!(view.task_step(task, at, true), describe(Some(here + 1)));
            prop_assert_eq!(view.task_step(task, at, false), describe(here.checked_sub(1)));
        }
    }

    #[test]
    fn damage_has_states_all_the_same(trace in arbitrary::damage(), at in any::<u64>(), level in 0_u32..80) {
        let view = view_of(trace);
        let tasks: Vec<u32> = (0..view.trace().tasks.len() as u32).collect();
        view.tasks(None, None);
        for &task in &tasks {
            let sum: u64 = states_of(&view, task).intervals().map(|one| one.end - one.start).sum();
            prop_assert_eq!(sum, view.trace().span_ns);
            view.task_state_at(task, at);
            view.task_step(task, at, false);
        }
        view.task_runs(&tasks, TimeWindow { start: at / 2, end: at }, at / 100);
        view.task_cells(&TaskCellsQuery { level, first_bucket: at >> level.min(63), buckets: 10, tasks });
    }
}

/// One cell, computed from all intervals of the task.
fn naive_cell(view: &Indexes, task: u32, bucket: std::ops::Range<u64>) -> [u32; 2] {
    let Some(states) = view.task_states(task) else {
        return [0, 0];
    };
    let runs = Runs::new(view.trace());
    let passes = |interval: &StateInterval| {
        let run = interval.run.map(|run| runs.decode(run));
        let has = |passing: &Arc<Passing>| run.is_some_and(|RunId { lane, index }| passing.has(lane, index));
        view.passing().is_none_or(has)
    };
    let mut ns = HashMap::<TaskState, u64>::new();
    let mut others = 0;
    for interval in states.intervals() {
        let (start, end) = (interval.start.max(bucket.start), interval.end.min(bucket.end));
        if end <= start {
            continue;
        }
        match interval.state {
            TaskState::Running if !passes(&interval) => others += end - start,
            TaskState::Runnable if !passes(&interval) => {}
            state => *ns.entry(state).or_default() += end - start,
        }
    }
    let width = (bucket.end - bucket.start) as f64;
    let byte = |ns: u64| (ns as f64 * 255.0 / width).ceil() as u32;
    let share = |state| byte(ns.get(&state).copied().unwrap_or(0));
    [
        share(TaskState::Running)
            + (share(TaskState::Runnable) << 8)
            + (share(TaskState::Blocked) << 16)
            + (share(TaskState::Sleeping) << 24),
        share(TaskState::Unknown)
            + (share(TaskState::Stopped) << 8)
            + (byte(others) << 16)
            + (share(TaskState::Throttled) << 24),
    ]
}
