//! 1, 2, 7: which task woke which, and since when tasks waited.

use super::story::{check, check_in};

#[test]
fn s01_the_waker_wrote_sched_waking_and_sched_wakeup_may_be_written_elsewhere() {
    // c (12) wakes a (10) from CPU 1; CPU 0, which runs b (11), enqueues it in the handler of an IPI.
    check(
        "cpus 2
         0   cpu0 switch a:10 S -> b:11
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu1 waking a:10 on 0
         13  cpu0 wakeup a:10 on 0 hardirq
         20  cpu0 switch b:11 S -> a:10
         30  cpu1 switch c:12 S -> swapper/1:0",
        "cpu0: 0-20 b:11 S, 20-30 a:10
         cpu1: 0-30 c:12 S, 30-30 idle
         10 woken by 12 on cpu1: waking 10, runnable 13, running 20; cpu0 -> cpu0
         10 waits 13-20 for cpu0, woken",
    );
}

#[test]
fn s01_an_interrupt_wakes_not_the_task_that_it_interrupted() {
    check(
        "0   cpu0 switch a:10 S -> b:11
         10  cpu0 waking a:10 on 0 hardirq
         11  cpu0 wakeup a:10 on 0 hardirq
         20  cpu0 switch b:11 R+ -> a:10
         30  cpu0 switch a:10 S -> b:11
         40  cpu0 waking a:10 on 0 softirq
         41  cpu0 wakeup a:10 on 0 softirq
         50  cpu0 switch b:11 S -> a:10",
        "cpu0: 0-20 b:11 R+, 20-30 a:10 S, 30-50 b:11 S, 50-50 a:10
         10 woken by a hardirq over 11 on cpu0: waking 10, runnable 11, running 20; cpu0 -> cpu0
         10 woken by a softirq over 11 on cpu0: waking 40, runnable 41, running 50; cpu0 -> cpu0
         10 waits 11-20 for cpu0, woken
         11 waits 20-30 for cpu0, preempted
         10 waits 41-50 for cpu0, woken",
    );
}

#[test]
fn s01_a_migration_between_waking_and_wakeup_is_placement() {
    // The task last ran on CPU 0 (sched_waking says so); CPU 1 was chosen (sched_wakeup says so).
    check(
        "cpus 2
         0   cpu0 switch a:10 S -> b:11
         0   cpu1 switch c:12 S -> swapper/1:0
         10  cpu0 waking a:10 on 0
         11  cpu0 migrate a:10 0 -> 1
         12  cpu0 wakeup a:10 on 1
         15  cpu1 switch swapper/1:0 R -> a:10
         20  cpu0 switch b:11 R+ -> d:13
         21  cpu0 migrate b:11 0 -> 1
         30  cpu1 switch a:10 S -> b:11",
        "cpu0: 0-20 b:11 R+, 20-30 d:13
         cpu1: 0-15 idle, 15-30 a:10 S, 30-30 b:11
         10 woken by 11 on cpu0: waking 10, runnable 12, running 15; cpu0 -> cpu1
         10 waits 12-15 for cpu1, woken
         11 waits 20-30 for cpu1, preempted
         10 goes cpu0 -> cpu1 at 11, placement
         11 goes cpu0 -> cpu1 at 21, load balance",
    );
}

#[test]
fn s01_without_sched_waking_a_wakeup_of_the_chosen_cpu_in_an_interrupt_has_no_known_waker() {
    check(
        "cpus 2
         0   cpu0 switch a:10 S -> b:11
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu0 wakeup a:10 on 0 hardirq     # may be an IPI for CPU 1's wakeup
         20  cpu0 switch b:11 S -> a:10
         30  cpu0 switch a:10 S -> swapper/0:0
         40  cpu1 wakeup a:10 on 0             # c itself
         50  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-20 b:11 S, 20-30 a:10 S, 30-50 idle, 50-50 a:10
         cpu1: 0-50 c:12
         10 woken by an unknown waker on cpu0: wakeup 10, runnable 10, running 20; ? -> cpu0
         10 woken by 12 on cpu1: wakeup 40, runnable 40, running 50; ? -> cpu0
         10 waits 10-20 for cpu0, woken
         10 waits 40-50 for cpu0, woken",
    );
}

#[test]
fn s02_a_wakeup_of_a_running_task_makes_no_sleep_and_no_wait() {
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu1 waking a:10 on 0
         11  cpu1 wakeup a:10 on 0
         20  cpu0 switch a:10 R+ -> swapper/0:0
         30  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-20 a:10 R+, 20-30 idle, 30-30 a:10
         cpu1: 0-30 c:12
         10 waits 20-30 for cpu0, preempted",
    );
}

#[test]
fn s02_a_waking_while_it_still_runs_and_a_wakeup_once_it_sleeps_are_a_wakeup() {
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu1 waking a:10 on 0
         12  cpu0 switch a:10 S -> swapper/0:0
         14  cpu1 wakeup a:10 on 0
         20  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-12 a:10 S, 12-20 idle, 20-20 a:10
         cpu1: 0-20 c:12
         10 woken by 12 on cpu1: waking 10, runnable 14, running 20; cpu0 -> cpu0
         10 waits 14-20 for cpu0, woken",
    );
}

#[test]
fn s02_a_preempted_task_that_is_woken_goes_on_waiting_since_it_was_preempted() {
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu0 switch a:10 R+ -> b:11
         20  cpu1 waking a:10 on 0
         21  cpu1 wakeup a:10 on 0
         30  cpu0 switch b:11 S -> a:10",
        "cpu0: 0-10 a:10 R+, 10-30 b:11 S, 30-30 a:10
         cpu1: 0-30 c:12
         10 woken by 12 on cpu1: waking 20, runnable 21, running 30; cpu0 -> cpu0
         10 waits 10-30 for cpu0, preempted",
    );
}

#[test]
fn s07_a_task_first_seen_at_a_switch_in_has_waited_since_an_unknown_time() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         20  cpu0 switch a:10 S -> swapper/0:0",
        "cpu0: 0-20 a:10 S, 20-20 idle",
    );
}

#[test]
fn s07_a_sleeper_that_is_switched_in_without_a_wakeup_is_counted() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         20  cpu0 switch a:10 S -> swapper/0:0
         30  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-20 a:10 S, 20-30 idle, 30-30 a:10
         1x a sleeping task is switched to without a wakeup",
    );
}

#[test]
fn s07_where_only_sched_waking_was_recorded_waits_begin_there() {
    check_in(
        "version 7",
        "cpus 2
         0   cpu0 switch a:10 S -> swapper/0:0
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu1 waking a:10 on 0
         30  cpu0 switch swapper/0:0 R -> a:10",
        "cpu0: 0-30 idle, 30-30 a:10
         cpu1: 0-30 c:12
         10 woken by 12 on cpu1: waking 10, runnable ?, running 30; cpu0 -> cpu0
         10 waits 10-30 for cpu0, woken
         1x the trace has no sched_wakeup",
    );
}
