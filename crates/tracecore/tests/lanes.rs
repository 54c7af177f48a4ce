//! Who ran where: switches, gaps and CPUs that say nothing.

mod support;

use support::{findings, lane, trace};

#[test]
fn a_switch_closes_one_run_and_opens_the_next() {
    let trace = trace(
        1,
        "100 cpu0 switch a:10 S -> b:11
         130 cpu0 switch b:11 R+ -> idle
         150 cpu0 switch idle -> a:10
         190 cpu0 other",
    );
    assert_eq!((trace.base_ns, trace.span_ns), (100, 90));
    assert_eq!(lane(&trace, 0), "0-30 b:11 R+, 30-50 idle, 50-90 a:10");
}

#[test]
fn what_ran_before_the_first_switch_ran_since_the_start() {
    let trace = trace(
        2,
        "100 cpu1 other
         120 cpu0 switch a:10 S -> idle
         130 cpu1 switch idle -> b:11
         150 cpu1 other",
    );
    assert_eq!(lane(&trace, 0), "0-20 ~a:10 S, 20-50 idle");
    assert_eq!(lane(&trace, 1), "0-30 ~idle, 30-50 b:11");
}

#[test]
fn a_cpu_without_a_switch_is_unknown_and_not_idle() {
    let trace = trace(
        3,
        "100 cpu0 switch a:10 S -> idle
         110 cpu1 other
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 1), "0-50 ?");
    assert_eq!(lane(&trace, 2), "0-50 ?");
    assert_eq!(findings(&trace), ["2x no sched_switch on this CPU"]);
}

#[test]
fn lost_events_are_unknown_until_the_next_switch() {
    let trace = trace(
        2,
        "100 cpu1 switch idle -> w:20
         105 cpu0 switch x:9 S -> a:10
         110 cpu0 wakeup w:20 on 1
         120 cpu0 lost
         150 cpu0 other
         160 cpu0 switch b:11 S -> c:12
         170 cpu1 switch w:20 S -> idle
         180 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-5 ~x:9 S, 5-20 a:10, 20-60 ?, 60-80 c:12");
    assert_eq!(lane(&trace, 1), "0-70 w:20 S, 70-80 idle");
    assert_eq!(findings(&trace), Vec::<String>::new());
}

#[test]
fn nothing_is_inferred_across_a_gap() {
    let trace = trace(
        2,
        "100 cpu0 lost
         100 cpu0 other
         150 cpu0 switch a:10 S -> idle
         160 cpu1 lost
         200 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-50 ?, 50-100 idle");
    assert_eq!(lane(&trace, 1), "0-100 ?");
}

#[test]
fn a_gap_at_the_end_is_unknown_to_the_end() {
    let trace = trace(
        1,
        "100 cpu0 switch idle -> a:10
         120 cpu0 lost
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-20 a:10, 20-50 ?");
}

#[test]
fn a_prev_that_did_not_run_is_counted_and_the_earlier_claim_stays() {
    let trace = trace(
        1,
        "100 cpu0 switch idle -> a:10
         120 cpu0 switch b:11 S -> c:12
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-20 a:10, 20-50 c:12");
    assert!(findings(&trace)[0].starts_with("1x sched_switch away from a task other than the one"));
}

#[test]
fn two_cpus_that_claim_one_task_keep_their_lanes() {
    let trace = trace(
        2,
        "100 cpu0 switch idle -> a:10
         110 cpu1 switch idle -> a:10
         120 cpu0 switch a:10 S -> idle
         130 cpu1 switch a:10 S -> idle
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-20 a:10 S, 20-50 idle");
    assert_eq!(lane(&trace, 1), "0-10 ~idle, 10-30 a:10 S, 30-50 idle");
    assert_eq!(
        findings(&trace),
        ["1x a task is switched to while it runs on another CPU"]
    );
}

#[test]
fn two_switches_at_the_same_time_leave_an_interval_of_no_length() {
    let trace = trace(
        1,
        "100 cpu0 switch idle -> a:10
         120 cpu0 switch a:10 S -> b:11
         120 cpu0 switch b:11 S -> c:12
         150 cpu0 switch c:12 S -> idle",
    );
    assert_eq!(lane(&trace, 0), "0-20 a:10 S, 20-20 b:11 S, 20-50 c:12 S, 50-50 idle");
}

#[test]
fn the_comm_of_a_run_is_that_of_its_switch_in() {
    let trace = trace(
        1,
        "100 cpu0 switch idle -> sh:10
         110 cpu0 rename sh:10 -> ls
         120 cpu0 switch ls:10 S -> idle
         130 cpu0 switch idle -> ls:10
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-20 sh:10 S, 20-30 idle, 30-50 ls:10");
    assert_eq!(trace.tasks.len(), 1);
}

#[test]
fn ties_between_cpus_are_ordered_by_cpu() {
    // The wakeup on CPU 0 comes before the switch on CPU 1: it hits a sleeping task, not a running one.
    let trace = trace(
        2,
        "100 cpu1 switch a:10 S -> idle
         120 cpu0 wakeup a:10 on 1
         120 cpu1 switch idle -> a:10
         150 cpu0 other",
    );
    let lane = trace.lane(1).expect("CPU 1");
    assert!(lane.wait(1).is_some());
}

#[test]
fn time_that_goes_back_is_counted() {
    let trace = trace(
        1,
        "100 cpu0 switch idle -> a:10
         130 cpu0 switch a:10 S -> b:11
         120 cpu0 switch b:11 S -> idle
         150 cpu0 other",
    );
    assert_eq!(lane(&trace, 0), "0-30 a:10 S, 30-30 b:11 S, 30-50 idle");
    assert_eq!(findings(&trace), ["1x an event is older than the one before it"]);
}
