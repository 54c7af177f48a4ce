//! Waits, wake-up latencies, wakers, generations and migrations.

use crate::support::{trace, view};
use schedmodel::{Edge, MigrationKind, Trace, WaitCause, WakerContext};
use schedquery::query::{stats, Selection};

/// Since when and why the task of the run on `cpu` at `at` had waited.
fn wait(trace: &Trace, cpu: u32, at: u64) -> Option<(u64, WaitCause)> {
    let lane = trace.lane(cpu).expect("a CPU of the trace");
    lane.wait(lane.find(at).expect("an interval"))
        .map(|wait| (wait.since, wait.cause))
}

fn edges(trace: &Trace) -> Vec<Edge> {
    (0..trace.edges.len()).map(|index| trace.edges.get(index)).collect()
}

fn latencies(trace: &Trace) -> Vec<u64> {
    edges(trace).iter().filter_map(Edge::latency).collect()
}

fn waker(trace: &Trace, edge: &Edge) -> Option<i32> {
    edge.waker.map(|task| trace.task(task).pid)
}

#[test]
fn an_interrupt_that_wakes_is_not_the_task_that_it_interrupted() {
    let trace = trace(
        1,
        "0 cpu0 switch a:10 S -> b:11
         10 cpu0 waking a:10 last 0 by b:11 hardirq
         11 cpu0 wakeup a:10 on 0 by b:11 hardirq
         20 cpu0 switch b:11 R+ -> a:10
         30 cpu0 switch a:10 S -> b:11
         40 cpu0 waking a:10 last 0 by b:11 softirq
         41 cpu0 wakeup a:10 on 0 by b:11 softirq
         50 cpu0 switch b:11 S -> a:10
         60 cpu0 switch a:10 S -> idle
         70 cpu0 waking a:10 last 0 by idle nmi
         71 cpu0 wakeup a:10 on 0 by idle nmi",
    );
    let contexts: Vec<_> = edges(&trace).iter().map(|edge| edge.context).collect();
    assert_eq!(
        contexts,
        [WakerContext::Hardirq, WakerContext::Softirq, WakerContext::Hardirq]
    );
}

#[test]
fn without_sched_waking_the_waker_is_known_only_where_the_event_is_its_own() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 S -> b:11
         1 cpu1 switch idle -> c:12
         # Through an interrupt that CPU 1 sent: c is the waker, b only was there.
         10 cpu0 wakeup a:10 on 0 by b:11 hardirq
         20 cpu0 switch b:11 S -> a:10
         30 cpu0 switch a:10 S -> idle
         # From the idle loop of the chosen CPU: likewise.
         40 cpu0 wakeup a:10 on 0 by idle
         50 cpu0 switch idle -> a:10
         60 cpu0 switch a:10 S -> idle
         # By c itself.
         70 cpu1 wakeup a:10 on 0 by c:12
         80 cpu0 switch idle -> a:10
         90 cpu0 switch a:10 S -> idle
         # By an interrupt on another CPU than the chosen one.
         100 cpu1 wakeup a:10 on 0 by c:12 hardirq",
    );
    let found: Vec<_> = edges(&trace)
        .iter()
        .map(|edge| (edge.context, waker(&trace, edge)))
        .collect();
    assert_eq!(
        found,
        [
            (WakerContext::Unknown, None),
            (WakerContext::Unknown, None),
            (WakerContext::Task, Some(12)),
            (WakerContext::Hardirq, Some(12)),
        ]
    );
}

#[test]
fn a_wakeup_of_the_task_that_ran_before_the_first_switch_makes_no_wait() {
    let trace = trace(
        2,
        "0 cpu1 waking a:10 last 0 by c:12
         1 cpu1 wakeup a:10 on 0 by c:12
         20 cpu0 switch a:10 S -> idle
         40 cpu1 other",
    );
    assert_eq!(trace.edges.len(), 0);
    assert_eq!(trace.loose_waits.len(), 0);
}

#[test]
fn a_preempted_task_waits_without_latency() {
    let trace = trace(
        1,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 R+ -> b:11
         30 cpu0 switch b:11 R -> a:10
         50 cpu0 switch a:10 S -> b:11",
    );
    assert_eq!(wait(&trace, 0, 30), Some((10, WaitCause::Preempted)));
    let numbers = stats(&trace, &Selection::default());
    assert_eq!(numbers.wakeups.count, 0);
    assert_eq!(
        numbers.tasks.iter().map(|task| task.waiting_ns).collect::<Vec<_>>(),
        [20, 20]
    );
}

#[test]
fn a_task_that_moved_runs_on_whatever_the_old_cpus_clock_says() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         20 cpu1 switch idle -> a:10
         21 cpu0 switch a:10 S -> idle
         30 cpu0 wakeup a:10 on 1
         40 cpu1 switch a:10 S -> b:11
         50 cpu0 other",
    );
    assert!(trace.loose_waits.is_empty(), "a running task is woken in vain");
    assert_eq!(latencies(&trace), Vec::<u64>::new());
}

#[test]
fn who_still_waits_at_the_end_waits_until_then() {
    let view = view(
        1,
        "0 cpu0 switch a:10 R+ -> b:11
         10 cpu0 wakeup c:12 on 0 by b:11
         50 cpu0 other",
    );
    let numbers = stats(view.trace(), &Selection::default());
    let waiting: Vec<_> = numbers.tasks.iter().map(|task| (task.pid, task.waiting_ns)).collect();
    assert_eq!(waiting, [(10, 50), (11, 0), (12, 40)]);
    assert_eq!(numbers.waiting.max, 2);
}

#[test]
fn lost_events_leave_waiting_tasks_waiting() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 S -> b:11
         10 cpu1 wakeup a:10 on 0 by c:12
         20 cpu0 lost
         # It ran unseen, and is switched out.
         40 cpu0 switch a:10 S -> idle
         60 cpu1 other",
    );
    assert_eq!(stats(&trace, &Selection::default()).tasks[0].waiting_ns, 30);
    assert_eq!(latencies(&trace), [0_u64; 0]);
}

#[test]
fn migrations_are_told_apart_by_what_came_before() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 R+ -> b:11
         1 cpu0 migrate a:10 from 0 to 1
         2 cpu0 waking c:12 last 0 by b:11
         3 cpu0 migrate c:12 from 0 to 1
         4 cpu0 wakeup c:12 on 1 by b:11
         5 cpu0 move_numa b:11
         6 cpu0 migrate b:11 from 0 to 1
         7 cpu0 migrate b:11 from 1 to 0
         8 cpu0 fork b:11 -> b:13
         9 cpu0 migrate b:13 from 0 to 1
         10 cpu0 wakeup_new b:13 on 1 by b:11",
    );
    let kinds: Vec<_> = trace.migrations.iter().map(|migration| migration.kind).collect();
    use MigrationKind::{LoadBalance, Numa, Other, Placement};
    assert_eq!(kinds, [LoadBalance, Placement, Numa, Other, Placement]);
    assert_eq!(trace.task(trace.migrations[3].task).migrations, 2);
}
