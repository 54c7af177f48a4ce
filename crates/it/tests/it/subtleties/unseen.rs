//! 16 to 20: what was not recorded shows only by what comes later.

use super::story::{check, read};
use schedmodel::{Hole, Trace};

/// What the model says about the events in the shape of the first layout.
fn trace(events: &str) -> Trace {
    read("version 7", events)
}

#[test]
fn s16_a_broken_chain_is_unknown_from_the_earlier_switch_on() {
    let events = "0    cpu0 switch swapper/0:0 R -> mine:100
         10   cpu0 switch mine:100 S -> other:200
         90   cpu0 switch third:300 S -> mine:100
         100  cpu0 switch mine:100 S -> swapper/0:0";
    check(
        events,
        "cpu0: 0-10 mine:100 S, 10-10 other:200, 10-90 ?, 90-100 mine:100 S, 100-100 idle
         1x sched_switch to a task
         1x a sleeping task is switched to without a wakeup",
    );
    let trace = trace(events);
    assert_eq!(trace.chain_breaks, 1);
    assert_eq!(
        trace.holes.all(),
        [Hole {
            cpu: 0,
            from: 10,
            to: 90
        }]
    );
    // Nothing runs and nothing waits in between.
    let counts = trace.steps.at(50).unwrap();
    assert_eq!((counts.running, counts.idle, counts.waiting), (0, 0, 0));
}

#[test]
fn s17_a_cpu_that_goes_offline_is_unknown_until_it_is_back() {
    let back = "cpus 2
         0     cpu0 switch swapper/0:0 R -> a:10
         0     cpu1 switch a:11 S -> migration/1:19
         5     cpu1 switch migration/1:19 S -> swapper/1:0
         20    cpu1 switch swapper/1:0 R -> migration/1:19
         9000  cpu1 switch swapper/1:0 R -> cpuhp/1:18
         9010  cpu1 switch cpuhp/1:18 S -> swapper/1:0
         9050  cpu0 print end";
    check(
        back,
        "cpu0: 0-9050 a:10
         cpu1: 0-5 migration/1:19 S, 5-20 idle, 20-20 migration/1:19, 20-9000 ?, 9000-9010 cpuhp/1:18 S, 9010-9050 idle
         1x a sleeping task is switched to without a wakeup
         1x the CPU's stopper",
    );
    let trace = trace(back);
    // No task can have run there.
    assert!(trace.holes.all().is_empty());
    assert_eq!((trace.chain_breaks, trace.steps.at(100).unwrap().running), (0, 1));
}

#[test]
fn s17_a_cpu_whose_stopper_never_left_is_offline_if_it_is_silent() {
    let events = |last: &str| {
        format!(
            "cpus 2
             0         cpu0 switch swapper/0:0 R -> a:10
             0         cpu1 switch swapper/1:0 R -> b:11
             1000      cpu1 switch b:11 S -> migration/1:19
             {last}
             20000000  cpu0 print end"
        )
    };
    let silent = trace(&events(""));
    assert_eq!(silent.steps.at(2000).map(|counts| counts.running), Some(1));
    assert!(silent.holes.all().is_empty());
    check(
        &events(""),
        "cpu0: 0-20000000 a:10
         cpu1: 0-1000 b:11 S, 1000-1000 migration/1:19, 1000-20000000 ?
         1x the CPU's stopper",
    );
    // It writes later: it is online.
    check(
        &events("15000000 cpu1 print here"),
        "cpu0: 0-20000000 a:10
         cpu1: 0-1000 b:11 S, 1000-20000000 migration/1:19",
    );
    // Another CPU's stopper is a task like others.
    let other = events("").replace("migration/1:19", "migration/0:12");
    assert_eq!(trace(&other).steps.at(2000).map(|counts| counts.running), Some(2));
}

#[test]
fn s18_without_sched_wakeup_a_waking_that_comes_while_its_task_leaves_is_the_cause() {
    check(
        "cpus 2
         0    cpu0 switch swapper/0:0 R -> worker:10
         0    cpu1 switch swapper/1:0 R -> boss:20
         100  cpu1 waking worker:10 on 0
         110  cpu0 switch worker:10 S -> hog:30
         200  cpu0 switch hog:30 R+ -> worker:10
         300  cpu0 switch worker:10 S -> hog:30",
        "cpu0: 0-110 worker:10 S, 110-200 hog:30 R+, 200-300 worker:10 S, 300-300 hog:30
         cpu1: 0-300 boss:20
         10 woken by 20 on cpu1: waking 100, runnable ?, running 200; cpu0 -> ?
         10 waits 110-200 for cpu0, woken
         30 waits 200-300 for cpu0, preempted
         1x the trace has no sched_wakeup",
    );
}

#[test]
fn s18_a_waking_of_a_task_that_goes_on_is_used_up() {
    // It leaves as runnable: it did not sleep. Or it is woken once more: it slept until then.
    check(
        "cpus 2
         0    cpu0 switch swapper/0:0 R -> worker:10
         0    cpu1 switch swapper/1:0 R -> boss:20
         50   cpu1 waking worker:10 on 0
         60   cpu0 switch worker:10 R+ -> hog:30
         80   cpu0 switch hog:30 S -> worker:10
         100  cpu1 waking worker:10 on 0
         110  cpu0 switch worker:10 S -> swapper/0:0
         150  cpu1 waking worker:10 on 0
         170  cpu0 switch swapper/0:0 R -> worker:10",
        "cpu0: 0-60 worker:10 R+, 60-80 hog:30 S, 80-110 worker:10 S, 110-170 idle, 170-170 worker:10
         cpu1: 0-170 boss:20
         10 woken by 20 on cpu1: waking 150, runnable ?, running 170; cpu0 -> cpu0
         10 waits 60-80 for cpu0, preempted
         10 waits 150-170 for cpu0, woken
         1x the trace has no sched_wakeup",
    );
}

#[test]
fn s18_a_second_waking_of_a_waiting_task_shows_that_it_ran_unseen() {
    let events = "cpus 4
         0     cpu3 switch srv-a:80 S -> swapper/3:0
         500   cpu1 switch swapper/1:0 R -> srv-b:81
         1000  cpu1 waking srv-a:80 on 3
         1010  cpu1 switch srv-b:81 S -> swapper/1:0
         8810  cpu2 switch swapper/2:0 R -> srv-c:82
         8811  cpu2 waking srv-a:80 on 3
         8831  cpu3 switch swapper/3:0 R -> srv-a:80
         9000  cpu3 switch srv-a:80 S -> swapper/3:0";
    check(
        events,
        "cpu0: 0-9000 ?
         cpu1: 0-500 ~idle, 500-1010 srv-b:81 S, 1010-9000 idle
         cpu2: 0-8810 ~idle, 8810-9000 srv-c:82
         cpu3: 0-8831 idle, 8831-9000 srv-a:80 S, 9000-9000 idle
         80 woken by 81 on cpu1: waking 1000, runnable ?, running ?; cpu3 -> ?
         80 woken by 82 on cpu2: waking 8811, runnable ?, running 8831; cpu3 -> cpu3
         80 waits 8811-8831 for cpu3, woken
         1x sched_waking or sched_wakeup of a task that waits already: it ran and slept meanwhile
         1x the trace has no sched_wakeup
         1x no sched_switch on this CPU",
    );
    let trace = trace(events);
    let waiting = |at: u64| trace.steps.at(at).map(|counts| counts.waiting);
    assert_eq!(
        [1005, 8810, 8811, 8831].map(waiting),
        [Some(0), Some(0), Some(1), Some(0)]
    );
}

#[test]
fn s19_a_waking_of_a_waiting_task_ends_its_wait_as_unknown() {
    let told = |state: &str| {
        let trace = trace(&format!(
            "0    cpu0 switch worker:10 {state} -> boss:20
             50   cpu0 waking worker:10 on 0
             52   cpu0 wakeup worker:10 on 0
             90   cpu0 switch boss:20 S -> worker:10
             100  cpu0 print end"
        ));
        let lane = trace.lane(0).unwrap();
        let wait = lane.wait(lane.find(90).unwrap()).unwrap();
        (wait.since, trace.steps.at(30).unwrap().waiting)
    };
    // A task that leaves as R+ may be woken on its runqueue; one that leaves as R has not set out to sleep.
    assert_eq!(told("R+"), (0, 1));
    assert_eq!(told("R"), (52, 0));
}

#[test]
fn s19_the_states_of_a_task_that_ran_unseen_are_unknown_until_it_is_woken_anew() {
    check(
        "0    cpu0 switch worker:10 S -> boss:20
         10   cpu0 waking worker:10 on 0
         11   cpu0 wakeup worker:10 on 0
         50   cpu0 waking worker:10 on 0
         52   cpu0 wakeup worker:10 on 0
         90   cpu0 switch boss:20 S -> worker:10",
        "cpu0: 0-90 boss:20 S, 90-90 worker:10
         10 woken by 20 on cpu0: waking 10, runnable 11, running ?; cpu0 -> cpu0
         10 woken by 20 on cpu0: waking 50, runnable 52, running 90; cpu0 -> cpu0
         10 waits 52-90 for cpu0, woken
         1x sched_waking or sched_wakeup of a task that waits already: it ran and slept meanwhile",
    );
}

#[test]
fn s19_a_migration_of_a_task_that_is_woken_on_its_runqueue_is_load_balancing() {
    check(
        "cpus 2
         0    cpu0 switch worker:10 R+ -> boss:20
         0    cpu1 switch a:11 S -> swapper/1:0
         10   cpu0 waking worker:10 on 0
         20   cpu1 migrate worker:10 0 -> 1
         30   cpu1 switch swapper/1:0 R -> worker:10
         40   cpu0 wakeup b:12 on 0",
        "cpu0: 0-40 boss:20
         cpu1: 0-30 idle, 30-40 worker:10
         10 woken by 20 on cpu0: waking 10, runnable ?, running 30; cpu0 -> ?
         12 woken by 20 on cpu0: wakeup 40, runnable 40, running ?; ? -> cpu0
         10 waits 0-30 for cpu1, preempted
         12 waits 40-40 and is not seen to run
         10 goes cpu0 -> cpu1 at 20, load balance",
    );
}

#[test]
fn s20_a_cpu_without_a_switch_is_a_hole_from_when_a_task_is_sent_there() {
    let events = |sent: &str| {
        format!(
            "cpus 2
             0   cpu0 switch boss:20 S -> a:10
             10  cpu0 {sent}
             50  cpu0 print end"
        )
    };
    let holes = |sent: &str| trace(&events(sent)).holes.all().to_vec();
    let sent = [Hole {
        cpu: 1,
        from: 10,
        to: 50,
    }];
    assert_eq!(holes("wakeup boss:20 on 1"), sent);
    assert_eq!(holes("wakeup_new child:30 on 1"), sent);
    assert_eq!(holes("migrate boss:20 0 -> 1"), sent);
    // It stays, or it was there before.
    assert_eq!(holes("wakeup boss:20 on 0"), []);
    assert_eq!(holes("waking boss:20 on 1"), []);
    check(
        &events("migrate boss:20 0 -> 1"),
        "cpu0: 0-50 a:10
         cpu1: 0-50 ?
         20 goes cpu0 -> cpu1 at 10, other
         1x no sched_switch on this CPU",
    );
}

#[test]
fn s20_a_wait_that_ends_on_another_cpu_than_its_task_was_put_on_has_moved_at_an_unknown_time() {
    check(
        "cpus 2
         0   cpu0 switch a:10 R+ -> b:11
         0   cpu1 switch c:12 S -> swapper/1:0
         20  cpu1 switch swapper/1:0 R -> a:10
         30  cpu0 print end",
        "cpu0: 0-30 b:11
         cpu1: 0-20 idle, 20-30 a:10
         10 waits 0-20 for cpu1, preempted
         10 goes cpu0 -> cpu1 at 20, derived",
    );
}
