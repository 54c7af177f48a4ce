//! The states of tasks: scenarios, a naive twin that replays the events, and what holds for every trace.

mod support;

use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use support::arbitrary;
use tracecore::index::{StateInterval, TaskState, TaskStates};
use tracecore::query::{TaskCellsQuery, TimeWindow, View, ViewSpec, TASK_CELL_MERGED};
use tracecore::scan::{CpuScan, Row, RowKind, StateCode};
use tracecore::sched::{Claim, LooseWait, TaskId, Trace, Who};

fn view_of(trace: Trace) -> View {
    View::new(Arc::new(trace), ViewSpec::default())
}

fn states_of(view: &View, task: u32) -> Arc<TaskStates> {
    view.task_states(task).expect("a task of the trace")
}

fn task_of(trace: &Trace, pid: i32, generation: u32) -> u32 {
    let is_it = |task: &tracecore::sched::Task| (task.pid, task.generation) == (pid, generation);
    trace.tasks.iter().position(is_it).expect("a task of the trace") as u32
}

/// `0-10 unknown, 10-20 running on 1 as a until S, 20-30 sleeping S, 30-35 runnable by wakeup`.
fn story(view: &View, pid: i32, generation: u32) -> String {
    let task = task_of(view.trace(), pid, generation);
    let states = states_of(view, task);
    let line = |index: usize| {
        let state = view.describe_state(task, &states, index);
        let letters = state.letters.unwrap_or_default();
        let more = match state.state {
            "running" => format!(" on {} as {} until {letters}", state.cpu.expect("a CPU"), state.comm),
            "runnable" => format!(" by {}", state.cause.expect("a cause")),
            _ if letters.is_empty() => String::new(),
            _ => format!(" {letters}"),
        };
        format!("{}-{} {}{more}", state.start, state.end, state.state)
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
    // Its fork was not recorded: it is there, at the latest, when it runs.
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
    // It waited, and waits as far as the trace tells.
    assert_eq!(story(&view, 11, 0), "0-10 unknown, 10-70 runnable by wakeup");
    // Seen asleep, then seen to leave the CPU: it ran where the events are lost, since when is not known.
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

/// What a replay of all events says of one task.
struct Replayed {
    state: TaskState,
    /// The CPU it runs on.
    cpu: Option<u32>,
    since: u64,
    intervals: Vec<(u64, u64, TaskState, Option<u32>)>,
}

/// One CPU in a replay.
#[derive(Default)]
struct Cpu {
    /// Pid and generation of who runs; `None` while not known.
    who: Option<(i32, u32)>,
    /// Since when it is not known, where events were lost.
    gap: Option<u64>,
    begun: bool,
}

/// Goes through all events in order, and keeps every state of every task: what the states are by definition.
#[derive(Default)]
struct Replay {
    tasks: HashMap<(i32, u32), Replayed>,
    generations: HashMap<i32, u32>,
    cpus: HashMap<u32, Cpu>,
    /// Who ran when the trace began, and where, until that CPU's first switch.
    seated: HashMap<Key, u32>,
    /// By pid, how many CPUs' first switches take it off.
    seats: HashMap<i32, u32>,
}

type Key = (i32, u32);

impl Replay {
    fn of(scans: &[CpuScan], trace: &Trace) -> Replay {
        let mut replay = Replay::default();
        let mut events: Vec<(u64, u32, &Row)> = Vec::new();
        for scan in scans {
            events.extend(scan.rows.iter().map(|row| (row.ts - trace.base_ns, scan.cpu, row)));
            let is = |row: &&Row, kind: RowKind| row.kind == kind as u8;
            let first = scan
                .rows
                .iter()
                .find(|row| is(row, RowKind::Switch) || is(row, RowKind::Lost));
            if let Some(first) = first.filter(|row| is(row, RowKind::Switch) && row.pid != 0) {
                let task = replay.latest(first.pid);
                *replay.seats.entry(first.pid).or_default() += 1;
                replay.cpus.entry(scan.cpu).or_default().who = Some(task);
                if replay.tasks[&task].state == TaskState::Unknown {
                    replay.runs(task, 0, scan.cpu);
                    replay.seated.insert(task, scan.cpu);
                }
            }
        }
        events.sort_by_key(|&(at, cpu, _)| (at, cpu));
        for (at, cpu, row) in events {
            replay.event(at, cpu, row);
        }
        let all: Vec<Key> = replay.tasks.keys().copied().collect();
        for task in all {
            replay.set(task, trace.span_ns, TaskState::Dead);
        }
        replay
    }

    fn event(&mut self, at: u64, cpu: u32, row: &Row) {
        let kind = |kind: RowKind| row.kind == kind as u8;
        if kind(RowKind::Switch) {
            self.switch(at, cpu, row);
        } else if kind(RowKind::Wakeup) || kind(RowKind::WakeupNew) {
            self.wakeup(at, row.pid, kind(RowKind::WakeupNew));
        } else if kind(RowKind::Fork) {
            if row.pid != 0 {
                self.latest(row.pid);
            }
            self.fork(at, row.arg);
        } else if kind(RowKind::Lost) {
            self.lost(at, cpu);
        } else if row.pid != 0 {
            self.latest(row.pid);
        }
    }

    fn switch(&mut self, at: u64, cpu: u32, row: &Row) {
        let lane = self.cpus.entry(cpu).or_default();
        let (who, gap) = (lane.who, lane.gap.take());
        // Whom the first switch takes off the CPU ran there.
        let first = !lane.begun && gap.is_none();
        lane.begun = true;
        if row.pid != 0 {
            let prev = self.living(row.pid);
            self.seated.retain(|_, on| *on != cpu);
            let elsewhere = self.tasks[&prev].cpu.is_some_and(|on| on != cpu);
            if !(elsewhere && (first || who == Some(prev))) {
                let asleep = [
                    TaskState::New,
                    TaskState::Sleeping,
                    TaskState::Blocked,
                    TaskState::Stopped,
                ];
                if let Some(gap) = gap.filter(|_| asleep.contains(&self.tasks[&prev].state)) {
                    self.set(prev, gap.max(self.tasks[&prev].since), TaskState::Unknown);
                }
                self.set(prev, at, after(StateCode(row.state)));
            }
        }
        let next = if row.arg == 0 { (0, 0) } else { self.living(row.arg) };
        if row.arg != 0 {
            self.runs(next, at, cpu);
        }
        if let Some(displaced) = who.filter(|&who| who != (row.pid, self.generation(row.pid)) && who != next) {
            self.vanishes(displaced, at, cpu);
        }
        self.cpus.entry(cpu).or_default().who = Some(next);
    }

    fn lost(&mut self, at: u64, cpu: u32) {
        let lane = self.cpus.entry(cpu).or_default();
        let who = lane.who.take();
        if !lane.begun {
            lane.gap = Some(0);
        } else if who.is_some() {
            lane.gap = Some(at);
        }
        if let Some(who) = who {
            self.vanishes(who, at, cpu);
        }
    }

    fn vanishes(&mut self, task: Key, at: u64, cpu: u32) {
        if self.tasks.get(&task).is_some_and(|task| task.cpu == Some(cpu)) {
            self.set(task, at, TaskState::Unknown);
        }
    }

    fn wakeup(&mut self, at: u64, pid: i32, new: bool) {
        if pid == 0 {
            return;
        }
        let task = if new { self.living(pid) } else { self.latest(pid) };
        if ![TaskState::Running, TaskState::Runnable, TaskState::Dead].contains(&self.tasks[&task].state) {
            self.set(task, at, TaskState::Runnable);
        }
    }

    fn fork(&mut self, at: u64, pid: i32) {
        if let Some(&generation) = self.generations.get(&pid) {
            if self.tasks[&(pid, generation)].state != TaskState::Dead {
                self.set((pid, generation), at, TaskState::Dead);
            }
        }
        let child = self.begin(pid, TaskState::Unborn);
        self.set(child, at, TaskState::New);
    }

    fn generation(&self, pid: i32) -> u32 {
        self.generations.get(&pid).copied().unwrap_or(0)
    }

    fn latest(&mut self, pid: i32) -> Key {
        match self.generations.get(&pid) {
            Some(&generation) => (pid, generation),
            None => self.begin(pid, TaskState::Unknown),
        }
    }

    fn living(&mut self, pid: i32) -> Key {
        let latest = self.latest(pid);
        let Replayed { state, since, .. } = self.tasks[&latest];
        if state != TaskState::Dead {
            return latest;
        }
        let next = self.begin(pid, TaskState::Unborn);
        self.set(next, since, TaskState::Unknown);
        next
    }

    fn begin(&mut self, pid: i32, state: TaskState) -> Key {
        let generation = self.generations.get(&pid).map_or(0, |last| last + 1);
        let last = (pid, generation.wrapping_sub(1));
        // The first switch will name the new task, so that the lane shows a run of that one since the trace began.
        if let (Some(cpu), Some(task)) = (self.seated.remove(&last), self.tasks.get_mut(&last)) {
            if let Some(first) = task
                .intervals
                .first_mut()
                .filter(|first| (first.0, first.3) == (0, Some(cpu)))
            {
                (first.2, first.3) = (TaskState::Unknown, None);
            }
        }
        self.generations.insert(pid, generation);
        let new = Replayed {
            state,
            cpu: None,
            since: 0,
            intervals: Vec::new(),
        };
        self.tasks.insert((pid, generation), new);
        (pid, generation)
    }

    fn runs(&mut self, task: Key, at: u64, cpu: u32) {
        self.set(task, at, TaskState::Running);
        if let Some(task) = self.tasks.get_mut(&task) {
            task.cpu = Some(cpu);
        }
    }

    fn set(&mut self, task: Key, at: u64, state: TaskState) {
        let task = self.tasks.get_mut(&task).expect("a task that began");
        if task.since < at {
            task.intervals.push((task.since, at, task.state, task.cpu));
        }
        (task.state, task.cpu, task.since) = (state, None, at);
    }
}

/// The letters, spelled out once more.
fn after(code: StateCode) -> TaskState {
    match (code.letter(), code.preempted()) {
        (b'Z', _) => TaskState::Dead,
        (b'R', _) | (_, true) => TaskState::Runnable,
        (b'D', false) => TaskState::Blocked,
        (b'T', false) => TaskState::Stopped,
        (b'S', false) => TaskState::Sleeping,
        (letter, _) => panic!("the generator makes no {letter}"),
    }
}

/// Parts of equal state that follow each other, as one; times of what a later event set right are left out.
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

fn found(view: &View, states: &TaskStates) -> Vec<(u64, u64, TaskState, Option<u32>)> {
    let cpu_of = |interval: &StateInterval, index: usize| {
        let running = interval.state == TaskState::Running;
        running.then(|| view.describe_state(0, states, index).cpu).flatten()
    };
    let intervals = states.intervals().enumerate();
    joined(intervals.map(|(index, interval)| (interval.start, interval.end, interval.state, cpu_of(&interval, index))))
}

/// Runs of two CPUs that overlap, a run before the task's fork, a claim that it does not run while it does: as
/// contradictions make them.
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
            // Two CPUs say that they ran the pid when the trace began, and there came to be several tasks of it: which of
            // them ran where is anyone's guess.
            if 1 < replay.seats.get(&task.pid).copied().unwrap_or(0) && 0 < replay.generation(task.pid) {
                continue;
            }
            // A wait of no length, which one CPU began and another ended, does not keep its place among the events of its
            // ns; what the task did before depends on it where events were lost.
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
                    waited_by_task[trace.task_comm(id).task.0 as usize] += lane.starts()[index] - wait.since;
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
            let (times, _) = states.times_in(0..u64::MAX);
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
    ) {
        let view = view_of(trace);
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

/// One cell, from all intervals of the task.
fn naive_cell(view: &View, task: u32, bucket: std::ops::Range<u64>) -> [u32; 2] {
    let Some(states) = view.task_states(task) else {
        return [0, 0];
    };
    let mut ns = HashMap::<TaskState, u64>::new();
    let mut count = 0;
    for interval in states.intervals() {
        let (start, end) = (interval.start.max(bucket.start), interval.end.min(bucket.end));
        if start < end {
            *ns.entry(interval.state).or_default() += end - start;
            count += 1;
        }
    }
    let width = (bucket.end - bucket.start) as f64;
    let share = |state| (ns.get(&state).copied().unwrap_or(0) as f64 * 255.0 / width).ceil() as u32;
    [
        share(TaskState::Running)
            + (share(TaskState::Runnable) << 8)
            + (share(TaskState::Blocked) << 16)
            + (share(TaskState::Sleeping) << 24),
        share(TaskState::Unknown) + (share(TaskState::Stopped) << 8) + if 2 < count { TASK_CELL_MERGED } else { 0 },
    ]
}
