//! 6, 8, 10, 12: what is known about a CPU, and from when to when.

use super::story::check;

#[test]
fn s06_who_ran_before_the_first_switch_ran_since_the_start_and_that_is_inferred() {
    check(
        "cpus 2
         0   cpu1 print begin
         20  cpu0 switch a:10 S -> swapper/0:0
         30  cpu1 switch swapper/1:0 R -> b:11
         50  cpu1 print end",
        "cpu0: 0-20 ~a:10 S, 20-50 idle
         cpu1: 0-30 ~idle, 30-50 b:11",
    );
}

#[test]
fn s06_a_cpu_without_a_switch_is_unknown_and_not_idle() {
    check(
        "cpus 3
         0   cpu0 switch a:10 S -> swapper/0:0
         10  cpu1 print here
         50  cpu0 print end",
        "cpu0: 0-50 idle
         cpu1: 0-50 ?
         cpu2: 0-50 ?
         1x no sched_switch on this CPU
         1x no sched_switch on this CPU",
    );
}

#[test]
fn s06_the_last_interval_is_open_until_the_end_of_the_trace() {
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         70  cpu1 switch swapper/1:0 R -> b:11
         90  cpu1 print end",
        "cpu0: 0-90 a:10
         cpu1: 0-70 ~idle, 70-90 b:11",
    );
}

#[test]
fn s08_after_lost_events_a_cpu_is_unknown_until_its_next_switch() {
    // A gap begins at the last record before it.
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch swapper/1:0 R -> c:12
         20  cpu0 print last
         20  cpu0 lost 5
         50  cpu0 print here
         60  cpu0 switch b:11 S -> swapper/0:0
         80  cpu1 switch c:12 S -> swapper/1:0",
        "cpu0: 0-20 a:10, 20-60 ?, 60-80 idle
         cpu1: 0-80 c:12 S, 80-80 idle
         1x events of CPU 0 were lost in 1 gap (5 by the kernel's count)",
    );
}

#[test]
fn s08_nothing_is_inferred_across_a_gap() {
    check(
        "cpus 2
         0   cpu1 switch swapper/1:0 R -> c:12
         10  cpu0 print first
         10  cpu0 lost
         50  cpu0 switch a:10 S -> swapper/0:0
         90  cpu1 print end",
        "cpu0: 0-50 ?, 50-90 idle
         cpu1: 0-90 c:12
         1x events of CPU 0 were lost in 1 gap (how many is not known)",
    );
}

#[test]
fn s10_events_of_one_time_are_ordered_by_cpu() {
    // The wakeup on CPU 0 comes before the switch on CPU 1, so it wakes a task that sleeps.
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> c:12
         0   cpu1 switch a:10 S -> swapper/1:0
         20  cpu0 wakeup a:10 on 1
         20  cpu1 switch swapper/1:0 R -> a:10
         50  cpu0 print end",
        "cpu0: 0-50 c:12
         cpu1: 0-20 idle, 20-50 a:10
         10 woken by 12 on cpu0: wakeup 20, runnable 20, running 20; ? -> cpu1
         10 waits 20-20 for cpu1, woken",
    );
}

#[test]
fn s10_time_that_goes_back_on_a_cpu_is_told_and_not_sorted_away() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         30  cpu0 switch a:10 S -> b:11
         20  cpu0 page
         20  cpu0 switch b:11 S -> swapper/0:0
         50  cpu0 print end",
        "cpu0: 0-30 a:10 S, 30-30 b:11 S, 30-50 idle
         1x time went back on CPU 0
         1x an event is older than the one before it",
    );
}

#[test]
fn s10_clocks_that_disagree_between_cpus_leave_each_lane_as_its_own_switches_say() {
    // CPU 1's clock is ahead: a runs there before CPU 0 has switched it out.
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch b:11 S -> swapper/1:0
         20  cpu1 switch swapper/1:0 R -> a:10
         22  cpu0 switch a:10 R+ -> swapper/0:0
         40  cpu1 switch a:10 S -> swapper/1:0",
        "cpu0: 0-22 a:10 R+, 22-40 idle
         cpu1: 0-20 idle, 20-40 a:10 S, 40-40 idle
         10 goes cpu0 -> cpu1 at 20, derived
         1x a task is switched to while it runs on another CPU",
    );
}

#[test]
fn s10_clocks_that_disagree_after_a_gap_are_told_too() {
    // CPU 0's clock is ahead: a runs there before CPU 1 has switched it out, which lost how a had come there.
    check(
        "cpus 2
         0   cpu1 switch b:11 S -> swapper/1:0
         5   cpu1 print last
         5   cpu1 lost
         10  cpu0 switch swapper/0:0 R -> a:10
         12  cpu1 switch a:10 S -> c:12
         20  cpu1 switch c:12 S -> a:10
         30  cpu0 switch a:10 S -> swapper/0:0",
        "cpu0: 0-10 ~idle, 10-30 a:10 S, 30-30 idle
         cpu1: 0-5 idle, 5-12 ?, 12-20 c:12 S, 20-30 a:10
         10 goes cpu0 -> cpu1 at 20, derived
         1x events of CPU 1 were lost in 1 gap (how many is not known)
         1x a task is switched to while it runs on another CPU",
    );
}

#[test]
fn s12_a_lane_may_begin_and_end_inside_the_trace() {
    // CPU 1 comes up at 30 with its first switch, and goes down at 60: its idle task is the last thing known about it.
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         30  cpu1 switch swapper/1:0 R -> cpuhp/1:20
         60  cpu1 switch cpuhp/1:20 P -> swapper/1:0
         100 cpu0 print end",
        "cpu0: 0-100 a:10
         cpu1: 0-30 ~idle, 30-60 cpuhp/1:20 P, 60-100 idle",
    );
}
