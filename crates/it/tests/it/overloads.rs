//! Work-conservation violations: their intervals and cost, which tasks waited and which CPUs idled.

use crate::support::{self, arbitrary, selects, standing::Standings, trace};
use proptest::prelude::*;
use schedindex::{QueueWalk, Shown};
use schedmodel::{Trace, Who};
use schedquery::query::{findings, overload, stats, FindingKind, OverloadReport, Selection};
use std::collections::BTreeMap;

fn all(trace: &Trace) -> OverloadReport {
    overload(trace, &Selection::default(), 0, 10)
}

/// Two tasks wait for CPU 0; CPU 1 idles from 20 on, and CPU 2 from 25 to 50.
const TWO_WAIT: &str = "
    0 cpu0 switch idle -> x:9
    0 cpu1 switch idle -> y:8
    0 cpu2 switch idle -> z:7
    10 cpu0 wakeup a:10 on 0
    15 cpu0 wakeup b:11 on 0
    20 cpu1 switch y:8 S -> idle
    25 cpu2 switch z:7 S -> idle
    40 cpu0 switch x:9 S -> a:10
    50 cpu2 switch idle -> z:7
    60 cpu0 switch a:10 S -> b:11
    70 cpu0 switch b:11 S -> idle
    80 cpu2 switch z:7 S -> idle
    90 cpu0 other";

#[test]
fn a_violation_costs_what_the_idle_cpus_could_have_taken() {
    let trace = trace(3, TWO_WAIT);
    let report = all(&trace);
    assert_eq!((report.count, report.violation_ns), (1, 40));
    let violation = &report.intervals[0];
    assert_eq!(
        (violation.start_ns.0, violation.end_ns.0, violation.duration_ns),
        (20, 60, 40)
    );
    // One CPU idles until 25, two until 40; then only one task waits.
    assert_eq!((violation.cost_task_ns, violation.waiting_max), (5 + 2 * 15 + 20, 2));
    let tasks: Vec<_> = violation
        .tasks
        .iter()
        .map(|waited| (waited.task.pid, waited.waited_ns))
        .collect();
    assert_eq!(tasks, [(11, 40), (10, 20)]);
    let cpus: Vec<_> = violation
        .idle_cpus
        .iter()
        .map(|idled| (idled.cpu, idled.idle_ns))
        .collect();
    assert_eq!(cpus, [(1, 40), (2, 25)]);
    assert!(report.caveat.contains("affinity"), "said in place");
}

/// The part of a report about waiting behind others: count, ns, cost, and ns and tasks' ns of waiting for an idle CPU.
fn behind(report: &OverloadReport) -> [u64; 5] {
    [
        report.behind_count,
        report.behind_ns,
        report.behind_cost_task_ns,
        report.leaving_idle_ns,
        report.leaving_idle_task_ns,
    ]
}

fn kinds(trace: &Trace) -> Vec<FindingKind> {
    let found = findings(trace, &Selection::default(), 10).into_iter();
    let of_waiting = [FindingKind::Overload, FindingKind::Wait];
    found
        .map(|finding| finding.kind)
        .filter(|kind| of_waiting.contains(kind))
        .collect()
}

#[test]
fn a_cpu_that_leaves_idle_for_its_task_is_no_failure() {
    // CPU 1 idles all the time, but a's own CPU is about to run it.
    let trace = trace(
        2,
        "0 cpu0 switch x:9 S -> idle
         0 cpu1 switch y:8 S -> idle
         10 cpu0 wakeup a:10 on 0
         32 cpu0 switch idle -> a:10
         90 cpu0 other",
    );
    let report = all(&trace);
    assert_eq!((report.count, report.violation_ns, report.cost_task_ns), (1, 22, 22));
    assert_eq!(behind(&report), [0, 0, 0, 22, 22]);
    assert!(report.behind.is_empty());
    assert!(kinds(&trace).is_empty());
}

#[test]
fn who_waits_behind_somebody_while_a_cpu_idles_is_a_failure() {
    let trace = trace(3, TWO_WAIT);
    let report = all(&trace);
    // This equals the result for all waits, because none of them was for an idle CPU.
    assert_eq!(behind(&report), [1, 40, 55, 0, 0]);
    assert_eq!(report.behind, report.intervals);
    assert!([FindingKind::Overload, FindingKind::Wait]
        .iter()
        .all(|kind| kinds(&trace).contains(kind)));
}

#[test]
fn a_cpu_that_leaves_idle_can_take_no_other() {
    // b waits behind x from 10 on; CPU 1 idles until 60, but from 20 to 30 its own task c is on its way onto it.
    let trace = trace(
        2,
        "0 cpu0 switch idle -> x:9
         0 cpu1 switch y:8 S -> idle
         10 cpu0 wakeup b:10 on 0
         20 cpu1 wakeup c:11 on 1
         30 cpu1 switch idle -> c:11
         45 cpu1 switch c:11 S -> idle
         60 cpu0 switch x:9 S -> b:10
         90 cpu0 other",
    );
    let report = all(&trace);
    assert_eq!((report.violation_ns, report.cost_task_ns), (10 + 10 + 15, 10 + 10 + 15));
    assert_eq!(behind(&report), [2, 10 + 15, 10 + 15, 10, 10]);
    let told: Vec<_> = report
        .behind
        .iter()
        .map(|found| {
            let tasks: Vec<_> = found.tasks.iter().map(|task| (task.task.pid, task.waited_ns)).collect();
            let cpus: Vec<_> = found.idle_cpus.iter().map(|idled| (idled.cpu, idled.idle_ns)).collect();
            (found.start_ns.0, found.end_ns.0, found.waiting_max, tasks, cpus)
        })
        .collect();
    assert_eq!(
        told,
        [
            (45, 60, 1, vec![(10, 15)], vec![(1, 15)]),
            (10, 20, 1, vec![(10, 10)], vec![(1, 10)]),
        ]
    );
}

#[test]
fn what_is_not_known_is_neither() {
    // The CPU for which a waits is unknown from 15 to 25, because events were lost.
    let trace = trace(
        2,
        "0 cpu0 switch idle -> x:9
         0 cpu1 switch y:8 S -> idle
         10 cpu0 wakeup a:10 on 0
         15 cpu0 lost
         25 cpu0 switch x:9 R -> z:7
         40 cpu0 switch z:7 S -> a:10
         90 cpu0 other",
    );
    let report = all(&trace);
    assert_eq!((report.violation_ns, report.cost_task_ns), (80, 80));
    // a waits from 10 to 15 and from 25 to 40, x from its preemption at 25 to the end; CPU 1 could take one of them.
    assert_eq!(behind(&report)[1..3], [5 + 65, 5 + 65]);
}

/// A kernel thread waits for CPU 0 from 10 to 40; CPU 1 is spare.
const BOUND: &str = "
    0 cpu0 switch idle -> x:9
    0 cpu1 switch y:8 S -> idle
    10 cpu0 wakeup ksoftirqd/0:7 on 0
    40 cpu0 switch x:9 S -> ksoftirqd/0:7
    60 cpu0 switch ksoftirqd/0:7 S -> idle
    90 cpu0 other";

#[test]
fn a_kernel_thread_that_is_bound_to_its_cpu_is_no_failure() {
    let found = trace(2, BOUND);
    let report = all(&found);
    assert_eq!((report.count, report.violation_ns, report.cost_task_ns), (1, 30, 30));
    assert_eq!(behind(&report), [0, 0, 0, 0, 0]);
    assert_eq!((report.bound_ns, report.bound_task_ns), (30, 30));
    assert!(report.behind.is_empty() && kinds(&found).is_empty());
    let numbers = stats(&found, &Selection::default()).overload;
    assert_eq!(
        (numbers.bound_ns, numbers.bound_task_ns, numbers.behind_ns),
        (30, 30, 0)
    );
}

#[test]
fn a_name_alone_binds_no_task_of_which_more_is_known() {
    let others = [
        // Another CPU's thread.
        BOUND.replace("ksoftirqd/0", "ksoftirqd/1"),
        // A worker of no CPU.
        BOUND.replace("ksoftirqd/0", "kworker/u8"),
        // A program forked it.
        format!("0 cpu1 fork shell:5 -> ksoftirqd/0:7\n{BOUND}"),
        // It had another name.
        BOUND
            .replace("60 cpu0", "50 cpu0 rename ksoftirqd/0:7 -> prog\n60 cpu0")
            .replace(
                "90 cpu0 other",
                "65 cpu0 switch idle -> prog:7\n70 cpu0 switch prog:7 S -> idle\n90 cpu0 other",
            ),
    ];
    for text in others {
        let found = trace(2, &text);
        let report = all(&found);
        assert_eq!((report.behind_ns, report.bound_ns), (30, 0), "{text}");
        assert_eq!(kinds(&found), [FindingKind::Overload], "{text}");
    }
    // kthreadd makes kernel threads only.
    let forked = format!("0 cpu1 fork kthreadd:2 -> ksoftirqd/0:7\n{BOUND}");
    let report = all(&trace(2, &forked));
    assert_eq!((report.behind_ns, report.bound_ns), (0, 30));
}

#[test]
fn a_task_that_is_renamed_meanwhile_is_listed_once() {
    // b waits behind x from 10 to 80; a, renamed while it runs for a moment, waits before and after that.
    let report = all(&trace(
        2,
        "0 cpu0 switch idle -> x:9
         0 cpu1 switch y:8 S -> idle
         10 cpu0 wakeup a:10 on 0
         10 cpu0 wakeup b:11 on 0
         30 cpu0 switch x:9 R+ -> a:10
         31 cpu0 rename a:10 -> z
         32 cpu0 switch a:10 R+ -> x:9
         60 cpu0 switch x:9 S -> z:10
         80 cpu0 switch z:10 S -> b:11
         90 cpu0 other",
    ));
    for violation in [&report.intervals[0], &report.behind[0]] {
        assert_eq!((violation.start_ns.0, violation.end_ns.0), (10, 80));
        let tasks: Vec<_> = violation
            .tasks
            .iter()
            .map(|waited| (waited.task.pid, waited.task.comm.as_str(), waited.waited_ns))
            .collect();
        // x waits from 30 to 32.
        assert_eq!(tasks, [(11, "b", 70), (10, "z", 20 + 28), (9, "x", 2)]);
        assert_eq!(violation.tasks_total, 3);
    }
}

#[test]
fn more_tasks_than_cpus_is_no_violation() {
    let trace = trace(
        1,
        "0 cpu0 switch idle -> x:9
         10 cpu0 wakeup a:10 on 0
         40 cpu0 switch x:9 S -> a:10
         90 cpu0 other",
    );
    assert_eq!((all(&trace).count, all(&trace).violation_ns), (0, 0));
}

#[test]
fn an_unknown_cpu_is_not_an_idle_one() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> x:9
         10 cpu0 wakeup a:10 on 0
         40 cpu0 switch x:9 S -> a:10
         90 cpu1 other",
    );
    assert_eq!(all(&trace).count, 0);
}

#[test]
fn the_costliest_comes_first_and_short_ones_can_be_left_out() {
    let trace = trace(
        2,
        "0 cpu1 switch y:8 S -> idle
         0 cpu0 switch idle -> x:9
         10 cpu0 wakeup a:10 on 0
         12 cpu0 switch x:9 S -> a:10
         20 cpu0 wakeup x:9 on 0
         50 cpu0 switch a:10 S -> x:9
         90 cpu0 other",
    );
    let starts = |report: OverloadReport| -> Vec<u64> {
        report.intervals.iter().map(|violation| violation.start_ns.0).collect()
    };
    assert_eq!(starts(all(&trace)), [20, 10]);
    let long = overload(&trace, &Selection::default(), 30, 10);
    assert_eq!((long.count, long.cost_task_ns), (1, 30));
    assert_eq!(starts(long), [20]);
    assert_eq!(starts(overload(&trace, &Selection::default(), 0, 1)), [20]);
}

proptest! {
    #[test]
    fn the_costliest_is_told_of_as_among_others(
        trace in support::arbitrary::trace(),
        window in prop::option::of((0.0..1.0_f64, 0.0..1.0_f64)),
    ) {
        let window = window.map(|(from, width)| support::arbitrary::window(trace.span_ns, from, width));
        let selection = Selection {
            min: window.map(|(from, _)| from),
            max: window.map(|(_, to)| to),
            ..Selection::default()
        };
        // Of one, only what lies near it is looked at.
        let (one, all) = (overload(&trace, &selection, 0, 1), overload(&trace, &selection, 0, 1000));
        prop_assert!(one.behind.iter().eq(all.behind.iter().take(1)));
        prop_assert!(one.intervals.iter().eq(all.intervals.iter().take(1)));
        prop_assert_eq!(one.behind_ns, all.behind_ns);
    }
}

#[test]
fn tasks_that_never_ran_on_a_second_cpu_can_be_left_out() {
    let movable = Selection {
        movable: true,
        ..Selection::default()
    };
    let trace = trace(3, TWO_WAIT);
    assert_eq!(overload(&trace, &movable, 0, 10).count, 0);
    // b runs on CPU 1 at the end, so the task that waited could have run there.
    let moves = TWO_WAIT.replace("90 cpu0 other", "90 cpu1 switch idle -> b:11\n95 cpu0 other");
    let report = overload(&support::trace(3, &moves), &movable, 0, 10);
    assert_eq!((report.count, report.cost_task_ns), (1, 40));
    assert_eq!(report.intervals[0].tasks.len(), 1);
}

/// A part of a wait of a task: pid, generation, from, to.
type Part = ((i32, u32), u64, u64);

/// The waits that count: those on the runqueues of the selected CPUs; of all CPUs also those whose runqueue is not known.
fn naive_waits(trace: &Trace, selection: &Selection) -> Vec<Part> {
    let of_tasks = Selection {
        cpus: None,
        ..selection.clone()
    };
    let shown = Shown::filter(trace, |id| selects(trace, &of_tasks, 0, id));
    let mut parts = Vec::new();
    let mut walk = QueueWalk::new(trace, &shown);
    let has_all = has_all_cpus(trace, selection);
    while walk.step(trace, &shown, usize::MAX, &mut |waiter, part| {
        let cpus = selection.cpus.as_deref().unwrap_or_default();
        if has_all || part.cpu.is_some_and(|cpu| cpus.contains(&cpu)) {
            let task = trace.task_of(waiter.who);
            parts.push(((task.pid, task.generation), part.from, part.to));
        }
    }) {}
    parts
}

fn has_all_cpus(trace: &Trace, selection: &Selection) -> bool {
    let cpus = selection.cpus.as_ref();
    cpus.is_none_or(|cpus| trace.cpus.iter().all(|cpu| cpus.contains(cpu)))
}

/// Counts at an instant: waiting by (pid, generation), and idle CPUs.
fn naive_at(trace: &Trace, selection: &Selection, parts: &[Part], at: u64) -> (Vec<(i32, u32)>, Vec<u32>) {
    let waiting = parts.iter().filter(|(_, from, to)| (*from..*to).contains(&at));
    let waiting = waiting.map(|&(task, ..)| task).collect();
    let mut idle = Vec::new();
    for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        let is_idle = lane.find(at).is_some_and(|index| lane.who(index) == Who::Idle);
        let is_selected = selection.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu));
        idle.extend((is_idle && is_selected).then_some(cpu));
    }
    (waiting, idle)
}

type Naive = (u64, u64, u64, usize, BTreeMap<(i32, u32), u64>, BTreeMap<u32, u64>);

/// What the query has to answer, found ns by ns.
fn naive(trace: &Trace, selection: &Selection) -> Vec<Naive> {
    let from = selection.min.unwrap_or(0).min(trace.span_ns);
    let to = selection.max.unwrap_or(u64::MAX).min(trace.span_ns);
    let mut found: Vec<Naive> = Vec::new();
    let parts = naive_waits(trace, selection);
    for at in from..to {
        let (waiting, idle) = naive_at(trace, selection, &parts, at);
        let cost = waiting.len().min(idle.len()) as u64;
        if cost == 0 {
            continue;
        }
        if found.last().is_none_or(|last| last.1 != at) {
            found.push((at, at, 0, 0, BTreeMap::new(), BTreeMap::new()));
        }
        let last = found.last_mut().expect("pushed");
        last.1 = at + 1;
        last.2 += cost;
        last.3 = last.3.max(waiting.len());
        for task in waiting {
            *last.4.entry(task).or_default() += 1;
        }
        for cpu in idle {
            *last.5.entry(cpu).or_default() += 1;
        }
    }
    found.sort_by_key(|violation| (std::cmp::Reverse(violation.2), violation.0));
    found
}

/// First ns, first ns after it, cost, most tasks at once, and how long each CPU was spare.
type Stretch = (u64, u64, u64, u64, BTreeMap<u32, u64>);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn violations(trace in arbitrary::short_trace(), selection in arbitrary::selection()) {
        let report = overload(&trace, &selection, 0, usize::MAX);
        let found: Vec<Naive> = report
            .intervals
            .iter()
            .map(|violation| {
                let tasks = violation.tasks.iter().map(|waited| {
                    let task = &waited.task;
                    ((task.pid, task.generation), waited.waited_ns)
                });
                let relative = |at: schedmodel::Time| at.0;
                (
                    relative(violation.start_ns),
                    relative(violation.end_ns),
                    violation.cost_task_ns,
                    violation.waiting_max as usize,
                    tasks.collect(),
                    violation.idle_cpus.iter().map(|idled| (idled.cpu, idled.idle_ns)).collect(),
                )
            })
            .collect();
        prop_assert_eq!(found, naive(&trace, &selection));
    }

    #[test]
    fn behind_somebody(trace in arbitrary::short_trace(), selection in arbitrary::selection()) {
        let of_tasks = Selection { cpus: None, ..selection.clone() };
        let shown = Shown::filter(&trace, |id| selects(&trace, &of_tasks, 0, id));
        let standings = Standings::new(&trace, &shown);
        let cpus: Vec<u32> = trace.cpus.iter().copied().filter(|cpu| {
            selection.cpus.as_ref().is_none_or(|cpus| cpus.contains(cpu))
        }).collect();
        let from = selection.min.unwrap_or(0).min(trace.span_ns);
        let to = selection.max.unwrap_or(u64::MAX).min(trace.span_ns);
        let mut expected: Vec<Stretch> = Vec::new();
        let (mut leaving_idle, mut bound) = ([0, 0], [0, 0]);
        for at in from..to {
            let (behind, spare, leaving) = standings.at(&cpus, at);
            let stay = standings.bound_at(&cpus, at).min(spare.len() as u64);
            bound = [bound[0] + stay.min(1), bound[1] + stay];
            leaving_idle = [leaving_idle[0] + leaving.min(1), leaving_idle[1] + leaving];
            let cost = behind.min(spare.len() as u64);
            if cost == 0 {
                continue;
            }
            if expected.last().is_none_or(|last| last.1 != at) {
                expected.push((at, at, 0, 0, BTreeMap::new()));
            }
            let last = expected.last_mut().expect("pushed");
            (last.1, last.2, last.3) = (at + 1, last.2 + cost, last.3.max(behind));
            for cpu in spare {
                *last.4.entry(cpu).or_default() += 1;
            }
        }
        expected.sort_by_key(|stretch| (std::cmp::Reverse(stretch.2), stretch.0));
        let report = overload(&trace, &selection, 0, usize::MAX);
        let found: Vec<_> = report.behind.iter().map(|found| {
            let relative = |at: schedmodel::Time| at.0;
            let idle: BTreeMap<u32, u64> = found.idle_cpus.iter().map(|idled| (idled.cpu, idled.idle_ns)).collect();
            let most = u64::from(found.waiting_max);
            (relative(found.start_ns), relative(found.end_ns), found.cost_task_ns, most, idle)
        }).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!([report.leaving_idle_ns, report.leaving_idle_task_ns], leaving_idle);
        prop_assert_eq!([report.bound_ns, report.bound_task_ns], bound);
        for (stretch, found) in expected.iter().zip(&report.behind) {
            // The waits of all tasks together: the number of tasks that waited behind others, summed over all instants.
            let waited: u64 = found.tasks.iter().map(|task| task.waited_ns).sum();
            let at_each = (stretch.0..stretch.1).map(|at| standings.at(&cpus, at).0);
            prop_assert_eq!(waited, at_each.sum::<u64>());
        }
    }

    #[test]
    fn all_cpus_are_the_whole(trace in arbitrary::trace()) {
        let all = Selection { cpus: Some(trace.cpus.clone()), ..Selection::default() };
        prop_assert_eq!(overload(&trace, &all, 0, 100), overload(&trace, &Selection::default(), 0, 100));
        let whole = stats(&trace, &Selection::default());
        prop_assert_eq!(&stats(&trace, &all), &whole);
        // What waits on each CPU's runqueue adds up to what waits on any.
        for (&cpu, &waiting) in trace.cpus.iter().zip(&whole.waiting_ns_per_cpu) {
            let one = stats(&trace, &Selection { cpus: Some(vec![cpu]), ..Selection::default() });
            let mean = waiting as f64 / trace.span_ns.max(1) as f64;
            prop_assert!((one.waiting.mean - mean).abs() <= 1e-9 * mean.max(1.0), "CPU {}: {} {}", cpu, one.waiting.mean, mean);
        }
    }

    #[test]
    fn sums_are_those_of_stats(trace in arbitrary::trace(), selection in arbitrary::selection(), top in 0_usize..4) {
        let report = overload(&trace, &selection, 0, top);
        let stats = stats(&trace, &selection).overload;
        prop_assert_eq!(
            (report.count, report.violation_ns, report.cost_task_ns),
            (stats.intervals, stats.violation_ns, stats.cost_task_ns)
        );
        let of_stats = [
            stats.behind_intervals,
            stats.behind_ns,
            stats.behind_cost_task_ns,
            stats.leaving_idle_ns,
            stats.leaving_idle_task_ns,
        ];
        prop_assert_eq!(behind(&report), of_stats);
        prop_assert_eq!(report.intervals.len() as u64, report.count.min(top as u64));
    }

    #[test]
    fn damage_makes_no_panic(trace in arbitrary::damage()) {
        let _ = overload(&trace, &Selection::default(), 1, 5);
    }
}
