//! Which task ran where: switches, gaps and CPUs without records.

use crate::support::{findings, lane, trace};

#[test]
fn a_switch_closes_one_run_and_opens_the_next() {
    let trace = trace(
        1,
        "100 cpu0 switch a:10 S -> b:11
         130 cpu0 switch b:11 R+ -> idle
         150 cpu0 switch idle -> a:10
         190 cpu0 other",
    );
    assert_eq!((trace.origin_ns, trace.span_ns), (100, 90));
    assert_eq!(lane(&trace, 0), "0-30 b:11 R+, 30-50 idle, 50-90 a:10");
}

#[test]
fn lost_events_are_unknown_until_the_next_switch() {
    let trace = trace(
        2,
        "100 cpu1 switch idle -> w:20
         105 cpu0 switch x:9 S -> a:10
         110 cpu0 wakeup w:20 on 1 by a:10
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
