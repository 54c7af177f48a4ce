//! Latencies, waits and run lengths of a selection, and the worst wakeups.

use crate::support::{arbitrary, doubt, lies_in, selects, trace};
use proptest::prelude::*;
use schedmodel::{TaskId, Trace, Who};
use schedquery::query::{latency, stats, GroupBy, GroupName, Latency, Selection};

fn all(trace: &Trace) -> Latency {
    latency(trace, &Selection::default(), GroupBy::Command, 10)
}

#[test]
fn the_json_has_the_keys_that_scripts_rely_on() {
    let trace = trace(
        2,
        "100 cpu0 switch a:10 S -> b:11
         110 cpu1 waking a:10 last 0 by c:12 softirq
         113 cpu0 wakeup a:10 on 0 by b:11
         120 cpu0 switch b:11 S -> a:10
         130 cpu1 switch c:12 S -> idle",
    );
    let json = serde_json::to_value(all(&trace)).expect("JSON");
    assert_eq!(json["count"], 1);
    assert_eq!(
        json["latency_ns"],
        serde_json::json!({"p50": 10, "p90": 10, "p99": 10, "p999": 10, "max": 10, "sum": 10, "histogram": [[8, 1]]})
    );
    assert_eq!(
        json["worst"],
        serde_json::json!([{
            "at_ns": 10, "latency_ns": 10, "event": "sched_waking", "woken_ns": 13, "running_ns": 20,
            "wakee": {"task": 0, "pid": 10, "generation": 0, "comm": "a"},
            "waker": {"kind": "task", "task": 1, "pid": 12, "generation": 0, "comm": "c"},
            "context": "softirq", "waker_cpu": 1, "waker_run_ns": 0,
            "previous_cpu": 0, "chosen_cpu": 0, "cpu": 0,
            "choice": {"idle_cpus": [], "previous_was_free": false, "chosen_was_free": false}, "uncertain": false,
        }])
    );
    assert_eq!(json["waits"]["woken"]["ns"]["max"], 7);
    assert_eq!(json["groups"][0]["comm"], "a");
}

#[test]
fn runs_are_told_apart_by_why_they_ended() {
    let trace = trace(
        1,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 R+ -> b:11
         # Preempted on its way to sleep: still preempted.
         15 cpu0 switch b:11 D+ -> a:10
         # A yield: runnable, and so no end of its own.
         35 cpu0 switch a:10 R -> b:11
         36 cpu0 switch b:11 D -> a:10
         40 cpu0 switch a:10 Z -> c:12
         90 cpu0 other",
    );
    let runs = all(&trace).runs;
    assert_eq!((runs.preempted.count, runs.preempted.ns.sum), (3, 35));
    assert_eq!((runs.slept.count, runs.slept.ns.sum), (1, 1));
    assert_eq!((runs.exited.count, runs.exited.ns.sum), (1, 4));
    assert_eq!((runs.all.count, runs.cut), (5, 1), "c still runs when the trace ends");
}

#[test]
fn a_run_whose_begin_was_not_seen_is_not_measured() {
    let trace = trace(
        2,
        "0 cpu1 other
         # Ran since before the trace.
         10 cpu0 switch a:10 S -> b:11
         # Its end is not known.
         20 cpu0 lost
         30 cpu0 switch c:12 S -> idle
         90 cpu0 other",
    );
    let runs = all(&trace).runs;
    assert_eq!((runs.all.count, runs.cut), (0, 2));
}

#[test]
fn waits_are_told_apart_by_what_began_them() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         4 cpu1 waking b:11 last 0 by c:12
         5 cpu1 wakeup b:11 on 0 by c:12
         10 cpu0 switch a:10 R+ -> b:11
         30 cpu0 switch b:11 S -> a:10
         90 cpu0 other",
    );
    let waits = all(&trace).waits;
    assert_eq!((waits.woken.ns.sum, waits.preempted.ns.sum), (5, 20));
    assert_eq!((waits.all.count, waits.all.ns.max), (2, Some(20)));
}

#[test]
fn a_wakeup_belongs_to_the_comm_and_the_cpu_that_it_led_to() {
    // A shell forks and the child execs: the child's first wakeup counts for the shell, later ones for the command.
    let trace = trace(
        2,
        "0 cpu0 switch idle -> sh:10
         5 cpu0 fork sh:10 -> sh:11
         6 cpu0 wakeup_new sh:11 on 1 by sh:10
         8 cpu1 switch idle -> sh:11
         10 cpu1 rename sh:11 -> ls
         20 cpu1 switch ls:11 S -> idle
         30 cpu0 waking ls:11 last 1 by sh:10
         31 cpu0 wakeup ls:11 on 0 by sh:10
         70 cpu0 switch sh:10 S -> ls:11
         90 cpu0 other",
    );
    let of = |comm: &str| {
        let comms = vec![comm.to_owned()];
        let selection = Selection {
            comms,
            ..Selection::default()
        };
        assert_eq!(stats(&trace, &selection).wakeups.count, 1);
        latency(&trace, &selection, GroupBy::Cpu, 10)
    };
    assert_eq!((of("sh").latency_ns.max, of("ls").latency_ns.max), (Some(2), Some(40)));
    assert_eq!(of("ls").groups[0].name, GroupName::Cpu { cpu: 0 });
}

#[test]
fn the_worst_come_first_and_equal_ones_in_order_of_time() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> x:9
         10 cpu1 wakeup b:11 on 0 by c:12
         20 cpu1 wakeup a:10 on 0 by c:12
         30 cpu0 switch x:9 S -> b:11
         40 cpu0 switch b:11 S -> a:10
         50 cpu1 wakeup b:11 on 0 by c:12
         80 cpu0 switch a:10 S -> b:11
         90 cpu0 other",
    );
    let top = |top| -> Vec<(u64, u64)> {
        let found = latency(&trace, &Selection::default(), GroupBy::Command, top);
        assert_eq!(found.count, 3);
        found
            .worst
            .iter()
            .map(|worst| (worst.at_ns.0, worst.latency_ns.unwrap_or(0)))
            .collect()
    };
    assert_eq!(top(10), [(50, 30), (10, 20), (20, 20)]);
    assert_eq!(top(2), [(50, 30), (10, 20)]);
    assert_eq!(top(0), []);
}

/// What the query has to answer, one duration at a time.
#[derive(Debug, Default, PartialEq)]
struct Naive {
    /// How long, when it began, and whether it is uncertain.
    latencies: Vec<(u64, u64, bool)>,
    /// How long, and whether it is uncertain.
    waits: Vec<(u64, bool)>,
    ends: [Vec<u64>; 4],
    cut: usize,
}

fn naive(trace: &Trace, selection: &Selection) -> Naive {
    let mut naive = Naive::default();
    for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        let lane_index = trace.lane_index(cpu).unwrap();
        for (index, interval) in lane.intervals().enumerate() {
            let Who::Run(id) = interval.who else { continue };
            if !selects(trace, selection, cpu, id) {
                continue;
            }
            let task = trace.task_comm(id).task;
            // If a task has several runs at the same ns, which have no length, a wakeup led to the first of them.
            let twin = |&other: &usize| {
                let same = |id| trace.task_comm(id).task == task;
                lane.start_of(other) == interval.start && lane.run(other).is_some_and(same)
            };
            let first = (0..index).find(twin).is_none();
            let wakeups = (0..trace.edges.len()).filter(|&number| trace.edges.wakee(number) == task);
            for edge in wakeups.map(|number| trace.edges.get(number)) {
                let is_its = first && edge.running == Some(interval.start) && edge.cpu == Some(cpu);
                if is_its && lies_in(trace, selection, edge.at) {
                    let uncertain = doubt::of_latency(trace, task, &edge);
                    naive
                        .latencies
                        .push((interval.start.saturating_sub(edge.at), edge.at, uncertain));
                }
            }
            if let Some(wait) = lane.wait(index).filter(|wait| lies_in(trace, selection, wait.since)) {
                let uncertain = doubt::of_wait(trace, lane_index, index);
                naive.waits.push((interval.start - wait.since, uncertain));
            }
            // An exec that changes the pid divides a run, but neither begins nor ends one.
            let goes_on = |index: usize| lane.whole_run(index).start < index;
            let begin = (0..=index).rev().find(|&index| !goes_on(index)).unwrap();
            let start = lane.interval(begin).start;
            if index + 1 < lane.len() && goes_on(index + 1) || !lies_in(trace, selection, start) {
                continue;
            }
            let state = lane.end_state(index).filter(|_| lane.switched_to(begin));
            let end = match state.map(|state| (state.letter(), state.preempted())) {
                _ if state.is_some_and(|state| state.throttled()) => 3,
                None => {
                    naive.cut += 1;
                    continue;
                }
                Some((b'R', _)) | Some((b'S' | b'D' | b'T', true)) => 0,
                Some((b'S' | b'D' | b'T', false)) => 1,
                Some((b'Z', _)) => 2,
                other => panic!("not a state of the strategy: {other:?}"),
            };
            naive.ends[end].push(interval.end - start);
        }
    }
    naive
}

fn percentile(values: &[u64], percent: f64) -> Option<u64> {
    let enough = |&&value: &&u64| {
        let within = values.iter().filter(|&&other| other <= value).count();
        percent / 100.0 * values.len() as f64 <= within as f64
    };
    values.iter().filter(enough).min().copied()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn latencies(trace in arbitrary::trace(), selection in arbitrary::selection(), top in 0_usize..6) {
        let found = latency(&trace, &selection, GroupBy::Task, top);
        let mut expected = naive(&trace, &selection);
        expected.latencies.sort_by_key(|&(latency, at, _)| (std::cmp::Reverse(latency), at));
        let certain = expected.latencies.iter().filter(|&&(.., uncertain)| !uncertain);
        let values: Vec<u64> = certain.map(|&(latency, ..)| latency).collect();
        let left_out = &found.uncertain.wakeups;
        let others = expected.latencies.iter().filter(|&&(.., uncertain)| uncertain).map(|&(latency, ..)| latency);
        prop_assert_eq!(left_out.count as usize, expected.latencies.len() - values.len());
        prop_assert_eq!(left_out.ns, others.sum::<u64>());
        prop_assert_eq!(found.count, values.len());
        prop_assert_eq!(found.count, stats(&trace, &selection).wakeups.count);
        let spread = &found.latency_ns;
        for (percent, value) in [(50.0, spread.p50), (90.0, spread.p90), (99.0, spread.p99), (100.0, spread.max)] {
            prop_assert_eq!(value, percentile(&values, percent));
        }
        let worst: Vec<_> = found.worst.iter().map(|worst| (worst.latency_ns.unwrap_or(0), worst.at_ns.0, worst.uncertain)).collect();
        let kept = expected.latencies.len().min(top);
        prop_assert_eq!(&worst[..], &expected.latencies[..kept]);
        let sums = |in_doubt: bool| {
            let of = expected.waits.iter().filter(|&&(_, uncertain)| uncertain == in_doubt);
            of.fold((0, 0), |sum, &(ns, _)| (sum.0 + 1, sum.1 + ns))
        };
        let all = &found.waits.all;
        prop_assert_eq!((all.count as u64, all.ns.sum), sums(false));
        prop_assert_eq!((found.uncertain.waits.count, found.uncertain.waits.ns), sums(true));
        let runs = [&found.runs.preempted, &found.runs.slept, &found.runs.exited, &found.runs.throttled];
        for (found, expected) in runs.into_iter().zip(&expected.ends) {
            prop_assert_eq!((found.count, found.ns.sum), (expected.len(), expected.iter().sum::<u64>()));
        }
        prop_assert_eq!(found.runs.cut, expected.cut);
    }

    #[test]
    fn groups_are_selections_of_their_own(trace in arbitrary::trace(), selection in arbitrary::selection()) {
        for by in [GroupBy::Command, GroupBy::Task, GroupBy::Cpu] {
            for group in latency(&trace, &selection, by, 0).groups {
                let mut narrow = selection.clone();
                let fits = match &group.name {
                    GroupName::Command { comm } => {
                        narrow.comms = vec![comm.clone()];
                        true
                    }
                    GroupName::Cpu { cpu } => {
                        narrow.cpus = Some(vec![*cpu]);
                        true
                    }
                    // A selection identifies tasks only by pid.
                    GroupName::Task(task) => {
                        narrow.pids = vec![task.pid];
                        let same = |id: &u32| trace.task(TaskId(*id)).pid == task.pid;
                        (0..trace.tasks.len() as u32).filter(same).count() == 1
                    }
                };
                if fits {
                    let alone = latency(&trace, &narrow, by, 0);
                    prop_assert_eq!((group.wakeups.count, group.wakeups.ns), (alone.count, alone.latency_ns));
                    prop_assert_eq!((group.waits, group.runs), (alone.waits, alone.runs));
                }
            }
        }
    }

    #[test]
    fn damage_makes_no_panic(trace in arbitrary::damage()) {
        let _ = serde_json::to_string(&latency(&trace, &Selection::default(), GroupBy::Task, 5));
    }
}
