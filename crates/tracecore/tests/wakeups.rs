//! Waits, wake-up latencies, wakers, generations and migrations.

mod support;

use support::{findings, trace, view};
use tracecore::query::{stats, Selection};
use tracecore::sched::{Edge, MigrationKind, Trace, WaitCause, WakeEvent, WakerContext};

/// Since when, and why, the run of `cpu` at `at` had waited.
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
fn waiting_begins_at_the_wakeup_and_latency_at_the_waking() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 S -> b:11
         10 cpu1 waking a:10 last 0 by c:12
         13 cpu0 wakeup a:10 on 0 by b:11
         20 cpu0 switch b:11 S -> a:10
         30 cpu1 switch c:12 S -> idle",
    );
    assert_eq!(wait(&trace, 0, 20), Some((13, WaitCause::Wakeup)));
    assert_eq!(latencies(&trace), [10]);
    let edge = trace.edges.get(0);
    assert_eq!((edge.woken, edge.running), (Some(13), Some(20)));
    assert_eq!(
        (edge.previous_cpu, edge.chosen_cpu, edge.cpu),
        (Some(0), Some(0), Some(0))
    );
}

#[test]
fn the_waker_is_who_wrote_sched_waking_not_who_wrote_sched_wakeup() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 S -> b:11
         1 cpu1 switch idle -> c:12
         10 cpu1 waking a:10 last 0 by c:12
         13 cpu0 wakeup a:10 on 0 by b:11 hardirq
         20 cpu0 switch b:11 S -> a:10",
    );
    let edge = trace.edges.get(0);
    assert_eq!(
        (edge.event, edge.context, edge.waker_cpu),
        (WakeEvent::Waking, WakerContext::Task, 1)
    );
    assert_eq!(waker(&trace, &edge), Some(12));
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
fn a_wakeup_of_a_running_task_makes_no_wait_and_no_latency() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         10 cpu1 waking a:10 last 0 by c:12
         11 cpu1 wakeup a:10 on 0 by c:12
         20 cpu0 switch a:10 S -> idle
         30 cpu0 switch idle -> a:10
         40 cpu1 other",
    );
    assert_eq!(trace.edges.len(), 0);
    assert_eq!(wait(&trace, 0, 30), None);
    assert_eq!(
        findings(&trace)[0],
        "1x a sleeping task is switched to without a wakeup"
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
fn a_waking_that_races_with_the_switch_out_starts_the_clock() {
    // The wakee is about to sleep when the waker finds it: the wakeup is completed once it is off its CPU.
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         10 cpu1 waking a:10 last 0 by c:12
         12 cpu0 switch a:10 S -> idle
         14 cpu1 wakeup a:10 on 0 by c:12
         20 cpu0 switch idle -> a:10
         40 cpu1 other",
    );
    assert_eq!(latencies(&trace), [10]);
    assert_eq!(wait(&trace, 0, 20), Some((14, WaitCause::Wakeup)));
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
fn a_wakeup_of_a_preempted_task_measures_latency_but_not_the_wait() {
    // Preempted after it had set itself to sleep: without the wakeup it would not run again.
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 R+ -> b:11
         20 cpu1 waking a:10 last 0 by c:12
         21 cpu1 wakeup a:10 on 0 by c:12
         30 cpu0 switch b:11 S -> a:10
         50 cpu0 other",
    );
    assert_eq!(wait(&trace, 0, 30), Some((10, WaitCause::Preempted)));
    assert_eq!(latencies(&trace), [10]);
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
fn a_first_switch_in_without_a_wakeup_tells_of_no_wait() {
    let trace = trace(
        1,
        "0 cpu0 switch idle -> a:10
         50 cpu0 other",
    );
    assert_eq!(wait(&trace, 0, 0), None);
    assert_eq!(findings(&trace), Vec::<String>::new());
}

#[test]
fn a_trace_with_only_sched_waking_has_latencies_but_no_waits() {
    let trace = trace(
        2,
        "0 cpu0 switch a:10 S -> idle
         10 cpu1 waking a:10 last 0 by c:12
         30 cpu0 switch idle -> a:10
         50 cpu0 other",
    );
    assert_eq!(wait(&trace, 0, 30), None);
    assert_eq!(latencies(&trace), [20]);
    assert_eq!(findings(&trace)[0], "1x the trace has no sched_wakeup");
}

#[test]
fn a_fork_begins_a_generation_and_the_dead_are_not_woken() {
    let trace = trace(
        1,
        "0 cpu0 switch a:10 Z -> b:11
         10 cpu0 wakeup a:10 on 0 by b:11
         20 cpu0 fork b:11 -> b:10
         21 cpu0 wakeup_new b:10 on 0 by b:11
         30 cpu0 switch b:11 S -> b:10
         50 cpu0 other",
    );
    let tasks: Vec<_> = trace
        .tasks
        .iter()
        .map(|task| (task.pid, task.generation, task.forked))
        .collect();
    assert_eq!(tasks, [(10, 0, false), (11, 0, false), (10, 1, true)]);
    assert_eq!(findings(&trace), ["1x wakeup of a task that was switched out as dead"]);
    let edge = trace.edges.get(0);
    assert_eq!(
        (edge.event, edge.context, waker(&trace, &edge)),
        (WakeEvent::WakeupNew, WakerContext::Task, Some(11))
    );
    assert_eq!(latencies(&trace), [9]);
}

#[test]
fn a_fork_of_a_living_pid_and_a_run_after_death_are_counted() {
    let trace = trace(
        1,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 S -> b:11
         20 cpu0 fork b:11 -> b:10
         30 cpu0 switch b:11 X -> idle
         40 cpu0 switch idle -> b:11
         50 cpu0 other",
    );
    let tasks: Vec<_> = trace.tasks.iter().map(|task| (task.pid, task.generation)).collect();
    assert_eq!(tasks, [(10, 0), (11, 0), (10, 1), (11, 1)]);
    assert_eq!(
        findings(&trace),
        [
            "1x fork of a pid whose last task was not seen to die",
            "1x a task goes on running after it was switched out as dead",
        ]
    );
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
    assert_eq!(latencies(&trace), []);
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
