//! Work-conservation violations: which intervals, what they cost, who waited and who idled.

mod support;

use proptest::prelude::*;
use std::collections::BTreeMap;
use support::{arbitrary, selects, trace};
use tracecore::query::{overload, stats, OverloadReport, Selection};
use tracecore::sched::{Trace, Who};

fn all(trace: &Trace) -> OverloadReport {
    overload(trace, &Selection::default(), 0, 10)
}

/// Two tasks wait for CPU 0; CPU 1 idles from 20 on and CPU 2 from 25 to 50.
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
        (violation.start_ns, violation.end_ns, violation.duration_ns),
        (20, 60, 40)
    );
    // One idle CPU to 25, two to 40; then one waits.
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
    let starts =
        |report: OverloadReport| -> Vec<u64> { report.intervals.iter().map(|violation| violation.start_ns).collect() };
    assert_eq!(starts(all(&trace)), [20, 10]);
    let long = overload(&trace, &Selection::default(), 30, 10);
    assert_eq!((long.count, long.cost_task_ns), (1, 30));
    assert_eq!(starts(long), [20]);
    assert_eq!(starts(overload(&trace, &Selection::default(), 0, 1)), [20]);
}

#[test]
fn tasks_that_never_ran_on_a_second_cpu_can_be_left_out() {
    let movable = Selection {
        movable: true,
        ..Selection::default()
    };
    let trace = trace(3, TWO_WAIT);
    assert_eq!(overload(&trace, &movable, 0, 10).count, 0);
    // b runs on CPU 1 at the end: what waited was a task that could have.
    let moves = TWO_WAIT.replace("90 cpu0 other", "90 cpu1 switch idle -> b:11\n95 cpu0 other");
    let report = overload(&support::trace(3, &moves), &movable, 0, 10);
    assert_eq!((report.count, report.cost_task_ns), (1, 40));
    assert_eq!(report.intervals[0].tasks.len(), 1);
}

/// Counts at an instant: waiting by (pid, generation, comm), and idle CPUs.
fn naive_at(trace: &Trace, selection: &Selection, at: u64) -> (Vec<(i32, u32, String)>, Vec<u32>) {
    let (mut waiting, mut idle) = (Vec::new(), Vec::new());
    let name = |id| {
        (
            trace.task_of(id).pid,
            trace.task_of(id).generation,
            trace.comm_of(id).to_owned(),
        )
    };
    for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        for (index, interval) in lane.intervals().enumerate() {
            match interval.who {
                Who::Run(id) if selects(trace, selection, cpu, id) => {
                    let waits = lane.wait(index).filter(|wait| wait.since <= at && at < interval.start);
                    waiting.extend(waits.map(|_| name(id)));
                }
                Who::Idle if selection.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu)) => {
                    idle.extend((interval.start <= at && at < interval.end).then_some(cpu));
                }
                _ => {}
            }
        }
    }
    for wait in &trace.loose_waits {
        let anywhere = selection.cpus.is_none() && selects(trace, selection, 0, wait.who);
        waiting.extend((anywhere && wait.since <= at && at < wait.until).then(|| name(wait.who)));
    }
    (waiting, idle)
}

type Naive = (
    u64,
    u64,
    u64,
    usize,
    BTreeMap<(i32, u32, String), u64>,
    BTreeMap<u32, u64>,
);

/// Every ns of the window, one by one.
fn naive(trace: &Trace, selection: &Selection) -> Vec<Naive> {
    let from = selection.min.unwrap_or(0).min(trace.span_ns);
    let to = selection.max.unwrap_or(u64::MAX).min(trace.span_ns);
    let mut found: Vec<Naive> = Vec::new();
    for at in from..to {
        let (waiting, idle) = naive_at(trace, selection, at);
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
                    ((task.pid, task.generation, task.comm.clone()), waited.waited_ns)
                });
                let relative = |ns: u64| ns - trace.base_ns;
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
    fn sums_are_those_of_stats(trace in arbitrary::trace(), selection in arbitrary::selection(), top in 0_usize..4) {
        let report = overload(&trace, &selection, 0, top);
        let stats = stats(&trace, &selection).overload;
        prop_assert_eq!(
            (report.count, report.violation_ns, report.cost_task_ns),
            (stats.intervals, stats.violation_ns, stats.cost_task_ns)
        );
        prop_assert_eq!(report.intervals.len() as u64, report.count.min(top as u64));
    }

    #[test]
    fn damage_makes_no_panic(trace in arbitrary::damage()) {
        let _ = overload(&trace, &Selection::default(), 1, 5);
    }
}
