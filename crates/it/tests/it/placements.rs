//! Where wakeups placed tasks, where tasks waited, and which tasks had the CPU meanwhile.

use crate::support::{arbitrary, standing::Standings, trace};
use proptest::prelude::*;
use schedindex::{all_queued, FreeCpus, Shown};
use schedmodel::{MigrationKind, Trace, WaitCause, Who};
use schedquery::query::{placements, waits, Placements, Selection, WaitInfo};
use std::collections::BTreeMap;

fn all(trace: &Trace) -> Placements {
    placements(trace, &Selection::default(), 10)
}

/// `a` last ran on CPU 1, which idles; `w` on CPU 0 wakes it onto its own CPU, as in section 3.4 of the paper.
const ONTO_THE_WAKER: &str = "
    0 cpu0 switch idle -> w:9
    0 cpu1 switch idle -> a:10
    0 cpu2 switch x:8 S -> idle
    5 cpu1 switch a:10 S -> idle
    10 cpu0 waking a:10 last 1 by w:9
    11 cpu0 migrate a:10 from 1 to 0
    12 cpu0 wakeup a:10 on 0 by w:9
    30 cpu0 switch w:9 R+ -> a:10
    40 cpu0 switch a:10 S -> w:9
    90 cpu0 other";

#[test]
fn a_wakeup_that_leaves_an_idle_last_cpu_is_listed() {
    let found = all(&trace(3, ONTO_THE_WAKER));
    assert_eq!((found.wakeups, found.to_waker, found.moved_off_idle), (1, 1, 1));
    assert_eq!(found.onto_busy, 1, "the waker's CPU ran the waker, and two CPUs idled");
    let placement = &found.moved[0];
    assert_eq!((placement.at_ns.0, placement.latency_ns), (10, Some(20)));
    assert_eq!(
        (
            placement.previous_cpu,
            placement.waker_cpu,
            placement.chosen_cpu,
            placement.cpu
        ),
        (Some(1), 0, Some(0), Some(0))
    );
    let choice = placement.choice.as_ref().expect("what could be chosen");
    assert_eq!(choice.idle_cpus, [1, 2]);
    assert_eq!(
        (choice.previous_was_free, choice.chosen_was_free),
        (Some(true), Some(false))
    );
}

#[test]
fn a_busy_last_cpu_is_no_finding() {
    let text = ONTO_THE_WAKER.replace("5 cpu1 switch a:10 S -> idle", "5 cpu1 switch a:10 S -> b:11");
    assert_eq!(all(&trace(3, &text)).moved_off_idle, 0);
}

#[test]
fn an_idle_cpu_that_was_chosen_for_another_task_is_not_free() {
    // b is on its way to CPU 1, which still idles when a is woken.
    let text = ONTO_THE_WAKER.replace(
        "10 cpu0 waking a:10",
        "7 cpu2 waking b:11 last 1 by idle\n8 cpu2 wakeup b:11 on 1 by idle\n10 cpu0 waking a:10",
    );
    let text = text.replace("30 cpu0 switch", "20 cpu1 switch idle -> b:11\n30 cpu0 switch");
    let found = all(&trace(3, &text));
    assert_eq!((found.wakeups, found.moved_off_idle), (2, 0));
}

/// `b` is woken while it runs on CPU 2, and no CPU is chosen for it before it has left that.
#[test]
fn a_cpu_is_free_until_a_task_that_is_woken_early_has_left_its_own() {
    let coming = |leaves: u64| {
        let b = format!(
            "0 cpu2 switch idle -> b:11
             7 cpu3 waking b:11 last 2 by idle
             {leaves} cpu2 switch b:11 S -> idle
             {} cpu3 wakeup b:11 on 1 by idle",
            leaves + 1
        );
        let text = LEAVES_CPU_1.replace("0 cpu2 switch idle -> x:8", &b);
        all(&trace(4, &text)).moved_off_idle
    };
    assert_eq!((coming(55), coming(40)), (1, 0));
}

/// `a` leaves CPU 1, which idles until `r`, who is woken last, runs there at 30.
const LEAVES_CPU_1: &str = "
    0 cpu0 switch idle -> w:9
    0 cpu1 switch idle -> a:10
    0 cpu2 switch idle -> x:8
    5 cpu1 switch a:10 S -> idle
    50 cpu0 waking a:10 last 1 by w:9
    51 cpu0 migrate a:10 from 1 to 0
    52 cpu0 wakeup a:10 on 0 by w:9
    60 cpu0 waking r:12 last 1 by w:9
    61 cpu0 wakeup r:12 on 1 by w:9
    70 cpu1 switch idle -> r:12
    80 cpu1 switch r:12 S -> b:11
    90 cpu0 switch w:9 S -> a:10
    95 cpu0 other";

/// What is said of the last CPU of `a` in [`LEAVES_CPU_1`], with these lines before it is woken; then the counts of moves
/// off a free and off an unknown last CPU.
fn left_cpu_1(before: &str) -> (Option<bool>, [u64; 2]) {
    let text = LEAVES_CPU_1.replace("50 cpu0 waking", &format!("{before}\n50 cpu0 waking"));
    let trace = trace(3, &text);
    let found = all(&trace);
    let free = FreeCpus::new(&trace).is_free(&trace, 1, 50);
    (free, [found.moved_off_idle, found.moved_off_unknown])
}

#[test]
fn a_cpu_is_not_free_with_a_task_on_its_runqueue_that_another_one_overtakes() {
    let queued = "20 cpu2 waking b:11 last 1 by x:8\n22 cpu2 wakeup b:11 on 1 by x:8";
    assert_eq!(left_cpu_1(queued), (Some(false), [0, 0]));
    // Still on its way.
    let woken = "20 cpu2 waking b:11 last 1 by x:8";
    let text = LEAVES_CPU_1.replace("60 cpu0 waking", "55 cpu1 wakeup b:11 on 1 by idle\n60 cpu0 waking");
    let text = text.replace("50 cpu0 waking", &format!("{woken}\n50 cpu0 waking"));
    assert_eq!(all(&trace(3, &text)).moved_off_idle, 0);
}

#[test]
fn a_cpu_is_not_free_once_a_task_that_waits_was_moved_to_it() {
    let moved = "20 cpu2 waking b:11 last 2 by x:8\n22 cpu2 wakeup b:11 on 2 by x:8\n40 cpu2 migrate b:11 from 2 to 1";
    assert_eq!(left_cpu_1(moved), (Some(false), [0, 0]));
    let later = moved.replace("40 cpu2 migrate", "50 cpu2 migrate");
    assert_eq!(
        left_cpu_1(&later).0,
        Some(true),
        "what happens at that ns does not count yet"
    );
}

#[test]
fn a_cpu_is_free_again_once_its_task_was_moved_away() {
    let away = "20 cpu2 waking b:11 last 1 by x:8\n22 cpu2 wakeup b:11 on 1 by x:8\n40 cpu2 migrate b:11 from 1 to 2\n\
                45 cpu2 switch x:8 S -> b:11\n47 cpu2 switch b:11 S -> idle";
    assert_eq!(left_cpu_1(away), (Some(true), [1, 0]));
}

#[test]
fn a_cpu_that_next_runs_a_task_of_which_no_wakeup_is_known_is_not_called_free() {
    // r may have been on the runqueue all the time.
    let unknown = LEAVES_CPU_1.replace("60 cpu0 waking r:12 last 1 by w:9\n", "");
    let unknown = unknown.replace("    61 cpu0 wakeup r:12 on 1 by w:9\n", "");
    let found = all(&trace(3, &unknown));
    assert_eq!((found.moved_off_idle, found.moved_off_unknown), (0, 1));
    // Its records may be the ones that are missing.
    let lost = LEAVES_CPU_1.replace("70 cpu1 switch idle -> r:12", "70 cpu1 lost");
    let found = all(&trace(3, &lost));
    assert_eq!((found.moved_off_idle, found.moved_off_unknown), (0, 1));
    assert_eq!(left_cpu_1(""), (Some(true), [1, 0]));
}

#[test]
fn a_placement_with_an_unknown_cpu_is_counted_as_such() {
    // Without sched_waking nothing tells where the task last ran.
    let text = ONTO_THE_WAKER.replace("10 cpu0 waking a:10 last 1 by w:9\n", "");
    let found = all(&trace(3, &text));
    assert_eq!((found.wakeups, found.unknown, found.moved_off_idle), (1, 1, 0));
    // A lane that is not known is not idle.
    let text = ONTO_THE_WAKER.replace("5 cpu1 switch a:10 S -> idle", "5 cpu1 lost");
    assert_eq!(all(&trace(3, &text)).moved_off_idle, 0);
}

fn longest(trace: &Trace) -> Vec<WaitInfo> {
    waits(trace, &Selection::default(), usize::MAX).longest
}

#[test]
fn a_wait_follows_the_task_from_runqueue_to_runqueue() {
    let trace = trace(
        3,
        "0 cpu0 switch idle -> x:8
         0 cpu1 switch idle -> y:9
         0 cpu2 switch z:7 S -> idle
         10 cpu0 wakeup a:10 on 0 by x:8
         20 cpu0 switch x:8 R+ -> b:11
         # Pulled to CPU 1, which frees itself 20 ns later.
         40 cpu1 migrate a:10 from 0 to 1
         60 cpu1 switch y:9 S -> idle
         65 cpu1 switch idle -> a:10
         70 cpu2 switch idle -> z:7
         90 cpu0 switch b:11 S -> x:8
         95 cpu0 other",
    );
    let found = longest(&trace);
    let pids: Vec<_> = found
        .iter()
        .map(|wait| (wait.task.pid, wait.wait_ns, wait.cause))
        .collect();
    assert_eq!(pids, [(8, 70, WaitCause::Preempted), (10, 55, WaitCause::Wakeup)]);
    let wait = &found[1];
    let queues: Vec<_> = wait
        .queues
        .iter()
        .map(|queue| (queue.cpu, queue.from_ns.0, queue.to_ns.0))
        .collect();
    assert_eq!(queues, [(0, 10, 40), (1, 40, 65)]);
    let took: Vec<_> = wait.took.iter().map(|took| (took.task.pid, took.ran_ns)).collect();
    assert_eq!(took, [(9, 20), (11, 20), (8, 10)]);
    assert_eq!((wait.own_idle_ns, wait.unknown_ns, wait.any_idle_ns), (5, 0, 55));
    assert_eq!(
        wait.behind_ns, 50,
        "behind x and b on CPU 0 and y on CPU 1, while CPU 2 idles"
    );
    assert_eq!(found[0].took[0].task.pid, 11);
    assert_eq!(found[0].any_idle_ns, 50, "CPU 2 idles until 70");
}

/// How long each task had the CPU, by (pid, generation, comm); and how long that CPU idled, was unknown, any CPU idled,
/// and some CPU was spare while the task's own CPU ran others.
type NaiveWait = (BTreeMap<(i32, u32, String), u64>, u64, u64, u64, u64);

/// Goes through a wait ns by ns: the last migration says on which CPU the task is; before the first one, it is where
/// that one began, if an event recorded it.
fn naive_wait(trace: &Trace, wait: &WaitInfo) -> NaiveWait {
    let relative = |at: schedmodel::Time| at.0;
    let (since, until) = (relative(wait.since_ns), relative(wait.until_ns));
    let moves: Vec<_> = trace
        .migrations
        .iter()
        .filter(|migration| {
            let task = trace.task(migration.task);
            (task.pid, task.generation) == (wait.task.pid, wait.task.generation)
                && migration.kind != MigrationKind::Placement
                && (since..=until).contains(&migration.at)
        })
        .collect();
    let (mut took, mut idle, mut unknown, mut any_idle, mut behind) = (BTreeMap::new(), 0, 0, 0, 0);
    let standings = Standings::new(trace, &Shown::all());
    for at in since..until {
        let next = moves.iter().find(|migration| at < migration.at);
        // Before a migration that no event recorded it is not known where the task is.
        let cpu = match next {
            Some(next) if next.kind.is_derived() => None,
            Some(next) => next.from(),
            None => Some(wait.cpu),
        };
        let lane = cpu.and_then(|cpu| trace.lane(cpu));
        match lane.and_then(|lane| lane.find(at).map(|index| lane.who(index))) {
            Some(Who::Run(id)) => {
                let task = trace.task_of(id);
                let name = (task.pid, task.generation, trace.comm_of(id).to_owned());
                *took.entry(name).or_insert(0) += 1;
                behind += u64::from(!standings.at(&trace.cpus, at).1.is_empty());
            }
            Some(Who::Idle) => idle += 1,
            _ => unknown += 1,
        }
        let idles = |lane: &schedmodel::Lane| lane.find(at).is_some_and(|index| lane.who(index) == Who::Idle);
        any_idle += u64::from(trace.lanes.iter().any(idles));
    }
    (took, idle, unknown, any_idle, behind)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn wait_explanations(trace in arbitrary::short_trace()) {
        for wait in longest(&trace) {
            let took: BTreeMap<_, _> = wait
                .took
                .iter()
                .map(|took| ((took.task.pid, took.task.generation, took.task.comm.clone()), took.ran_ns))
                .collect();
            let found = (took, wait.own_idle_ns, wait.unknown_ns, wait.any_idle_ns, wait.behind_ns);
            let mut expected = naive_wait(&trace, &wait);
            // No CPU could take what is bound to one: see the findings of waits.
            if wait.task.comm == "rcuc/1" {
                expected.4 = wait.behind_ns;
            }
            prop_assert_eq!(found, expected);
        }
    }

    /// Instant by instant, from all parts of waits and all wakeups.
    #[test]
    fn free_cpus(trace in arbitrary::short_trace()) {
        let free = FreeCpus::new(&trace);
        let (mut parts, mut unplaced) = (Vec::new(), Vec::new());
        all_queued(&trace, &Shown::all(), |part| match part.cpu.filter(|&cpu| trace.lane(cpu).is_some()) {
            Some(cpu) => parts.push((cpu, part.from, part.to)),
            None => unplaced.push((part.from, part.to)),
        });
        let ways = (0..trace.edges.len()).filter_map(|number| {
            let edge = trace.edges.get(number);
            // As long as it runs elsewhere, no CPU is chosen.
            let previous = edge.previous_cpu.filter(|&previous| edge.chosen_cpu != Some(previous));
            let still_there = previous.and_then(|cpu| trace.lane(cpu)).and_then(|lane| {
                let run = lane.interval(lane.find(edge.at)?);
                matches!(run.who, Who::Run(id) if trace.task_comm(id).task == trace.edges.wakee(number)).then_some(run.end)
            });
            Some((edge.chosen_cpu?, edge.at.max(still_there.unwrap_or(0)), edge.woken? + 1))
        });
        parts.extend(ways);
        for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
            for at in 0..=trace.span_ns {
                let index = lane.find(at);
                let next = index.map(|index| index + 1).filter(|&next| next < lane.len());
                let from_nowhere = next.is_some_and(|next| match lane.who(next) {
                    Who::Run(id) => {
                        let task = trace.task_comm(id).task;
                        let throttled = trace.throttles.iter().any(|throttle| {
                            trace.task_comm(throttle.who).task == task && throttle.until == lane.start_of(next)
                        });
                        lane.wait(next).is_none() && !throttled
                    }
                    who => who == Who::Unknown,
                });
                let expected = match index.map(|index| lane.who(index)) {
                    Some(Who::Run(_)) => Some(false),
                    Some(Who::Idle) if parts.iter().any(|&(on, from, to)| on == cpu && from < at && at < to) => Some(false),
                    Some(Who::Idle) if from_nowhere || unplaced.iter().any(|&(from, to)| from < at && at < to) => None,
                    Some(Who::Idle) => Some(true),
                    _ => None,
                };
                prop_assert_eq!(free.is_free(&trace, cpu, at), expected, "CPU {} at {}", cpu, at);
            }
        }
    }

    #[test]
    fn placement_counts(trace in arbitrary::trace(), selection in arbitrary::selection(), top in 0_usize..4) {
        let found = placements(&trace, &selection, top);
        prop_assert_eq!(found.wakeups, found.stayed + found.to_waker + found.elsewhere + found.unknown);
        // Where a task was put is certain even if the latency is not.
        let wakeups = schedquery::query::stats(&trace, &selection).wakeups;
        prop_assert_eq!(found.wakeups, wakeups.count as u64 + wakeups.uncertain.count);
        prop_assert_eq!(found.moved.len() as u64, found.moved_off_idle.min(top as u64));
        for moved in &found.moved {
            let previous = moved.previous_cpu.expect("known");
            let choice = moved.choice.as_ref().expect("what could be chosen");
            prop_assert!(choice.idle_cpus.contains(&previous) && moved.chosen_cpu != Some(previous));
        }
    }

    #[test]
    fn damage_makes_no_panic(trace in arbitrary::damage()) {
        let _ = (all(&trace), longest(&trace));
    }
}
