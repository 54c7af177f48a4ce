//! The declared policy: each claim that contradicts earlier events, how it is resolved, and that it is counted.

use super::story::{check, read};
use schedmodel::Time;
use schedquery::query::Summary;
use schedrows::DiagnosticKind;

#[test]
fn sched_switch_away_from_another_task_leaves_the_cpu_unknown_since_the_earlier_switch() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         20  cpu0 switch b:11 S -> c:12
         50  cpu0 print end",
        "cpu0: 0-0 a:10, 0-20 ?, 20-50 c:12
         1x sched_switch to a task",
    );
}

#[test]
fn sched_switch_to_a_task_elsewhere_than_it_was_put_counts_where_it_is_switched_to() {
    check(
        "cpus 3
         0   cpu0 switch a:10 R+ -> b:11
         0   cpu1 switch c:12 S -> swapper/1:0
         0   cpu2 switch d:13 S -> swapper/2:0
         10  cpu0 migrate a:10 0 -> 1
         20  cpu2 switch swapper/2:0 R -> a:10",
        "cpu0: 0-20 b:11
         cpu1: 0-20 idle
         cpu2: 0-20 idle, 20-20 a:10
         10 waits 0-20 for cpu2, preempted
         10 goes cpu0 -> cpu1 at 10, load balance
         10 goes cpu1 -> cpu2 at 20, derived
         1x a task is switched to on another CPU than the one it was put on",
    );
}

#[test]
fn sched_switch_to_a_dead_task_begins_a_generation() {
    check(
        "0   cpu0 switch a:10 X -> swapper/0:0
         20  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-20 idle, 20-20 a:10#1
         1x a task goes on running after it was switched out as dead",
    );
}

#[test]
fn events_of_a_task_that_does_not_have_the_cpu_leave_the_lane_alone() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 exit b:11 by 11
         20  cpu0 switch a:10 S -> swapper/0:0",
        "cpu0: 0-20 a:10 S, 20-20 idle
         1x an event was written by another task than the one that its CPU was switched to",
    );
}

#[test]
fn of_two_sched_waking_the_later_counts_and_a_second_sched_wakeup_shows_an_unseen_run() {
    check(
        "0   cpu0 switch a:10 S -> b:11
         10  cpu0 waking a:10 on 0
         20  cpu0 waking a:10 on 0
         21  cpu0 wakeup a:10 on 0
         25  cpu0 wakeup a:10 on 0
         30  cpu0 switch b:11 S -> a:10",
        "cpu0: 0-30 b:11 S, 30-30 a:10
         10 woken by 11 on cpu0: waking 20, runnable 21, running ?; cpu0 -> cpu0
         10 woken by 11 on cpu0: wakeup 25, runnable 25, running 30; ? -> cpu0
         10 waits 25-30 for cpu0, woken
         1x sched_waking or sched_wakeup of a task that waits already: it ran and slept meanwhile
         1x sched_waking of a task whose last sched_waking no sched_wakeup followed",
    );
}

#[test]
fn a_wakeup_that_names_another_cpu_is_believed() {
    check(
        "cpus 2
         0   cpu0 switch a:10 S -> b:11
         0   cpu1 switch b:12 R+ -> swapper/1:0
         5   cpu1 migrate b:12 1 -> 0
         10  cpu0 waking a:10 on 1
         12  cpu0 wakeup a:10 on 1
         20  cpu1 switch swapper/1:0 R -> a:10",
        "cpu0: 0-20 b:11
         cpu1: 0-20 idle, 20-20 a:10
         10 woken by 11 on cpu0: waking 10, runnable 12, running 20; cpu1 -> cpu1
         10 waits 12-20 for cpu1, woken
         12 waits 0-20 and is not seen to run
         12 goes cpu1 -> cpu0 at 5, load balance
         1x sched_waking or sched_wakeup names another CPU than the one that the task was last on",
    );
}

#[test]
fn sched_wakeup_new_of_a_dead_pid_begins_a_generation_and_of_a_living_one_is_a_wakeup() {
    check(
        "0   cpu0 switch a:10 Z -> b:11
         10  cpu0 wakeup_new a:10 on 0
         20  cpu0 switch b:11 S -> a:10
         30  cpu0 wakeup_new b:11 on 0
         40  cpu0 switch a:10 S -> b:11",
        "cpu0: 0-20 b:11 S, 20-40 a:10#1 S, 40-40 b:11
         11 woken by 10#1 on cpu0: wakeup_new 30, runnable 30, running 40; ? -> cpu0
         10#1 woken by 11 on cpu0: wakeup_new 10, runnable 10, running 20; ? -> cpu0
         10#1 waits 10-20 for cpu0, woken
         11 waits 30-40 for cpu0, woken
         1x sched_wakeup_new of a pid whose last task was switched out as dead
         1x sched_wakeup_new of a task that was seen before",
    );
}

#[test]
fn a_migration_never_moves_a_running_or_a_dead_task() {
    check(
        "cpus 2
         0   cpu0 switch z:9 X -> a:10
         0   cpu1 switch b:11 S -> swapper/1:0
         10  cpu1 migrate a:10 0 -> 1
         20  cpu1 migrate z:9 0 -> 1
         30  cpu1 migrate b:11 0 -> 1
         40  cpu0 switch a:10 S -> swapper/0:0",
        "cpu0: 0-40 a:10 S, 40-40 idle
         cpu1: 0-40 idle
         10 goes cpu0 -> cpu1 at 10, other
         9 goes cpu0 -> cpu1 at 20, other
         11 goes cpu0 -> cpu1 at 30, other
         1x sched_migrate_task of a task that runs
         1x sched_migrate_task of a task that was switched out as dead
         1x sched_migrate_task from another CPU than the one that the task was last on",
    );
}

#[test]
fn a_numa_event_tells_of_the_next_migration_of_its_task_alone() {
    check(
        "cpus 2
         0   cpu0 switch a:10 S -> b:11
         0   cpu1 switch c:12 S -> swapper/1:0
         10  cpu0 numa a:10 0 -> 1
         11  cpu0 migrate a:10 0 -> 1
         20  cpu0 migrate a:10 1 -> 0",
        "cpu0: 0-20 b:11
         cpu1: 0-20 idle
         10 goes cpu0 -> cpu1 at 11, NUMA
         10 goes cpu1 -> cpu0 at 20, other",
    );
}

#[test]
fn what_may_have_happened_in_a_gap_contradicts_nothing() {
    check(
        "cpus 2
         0   cpu0 switch a:10 R+ -> b:11
         0   cpu1 switch c:12 S -> swapper/1:0
         5   cpu0 migrate a:10 0 -> 1
         8   cpu0 lost
         20  cpu0 switch x:15 S -> a:10
         30  cpu1 print end",
        "cpu0: 0-5 b:11, 5-20 ?, 20-30 a:10
         cpu1: 0-30 idle
         10 waits 0-20 for cpu0, preempted
         10 goes cpu0 -> cpu1 at 5, load balance
         10 goes cpu1 -> cpu0 at 20, derived
         1x events of CPU 0 were lost in 1 gap (how many is not known)",
    );
}

#[test]
fn a_conflict_is_counted_by_cpu_with_its_first_places() {
    let mut events =
        "cpus 2\nstart 1s\n0 cpu0 switch swapper/0:0 R -> a:10\n0 cpu1 switch swapper/1:0 R -> b:11".to_owned();
    for at in 1..=20 {
        events += &format!("\n{at} cpu0 switch c:12 S -> a:10");
    }
    events += "\n30 cpu1 switch c:12 S -> b:11";
    let trace = read("version 7", &events);
    let found: Vec<_> = trace
        .diagnostics
        .iter()
        .map(|found| (found.kind, found.cpu, found.count, found.at, found.more.len()))
        .collect();
    let kind = DiagnosticKind::MissingEvent;
    assert_eq!(
        found,
        [
            (kind, Some(0), 20, Some(Time(0)), 7),
            (kind, Some(1), 1, Some(Time(0)), 0)
        ]
    );
    assert_eq!(trace.diagnostics[0].more[..2], [Time(1), Time(2)]);
    let told = &Summary::new(&trace).diagnostics[0];
    assert_eq!(
        (told.at_ns, &told.more_ns[..]),
        (Some(Time(0)), &[1, 2, 3, 4, 5, 6, 7].map(Time)[..])
    );
}
