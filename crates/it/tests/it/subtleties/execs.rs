//! 14: an exec by a thread that does not lead its process.
//!
//! Thread 11 of process 10 calls exec on CPU 0. Its leader, 10, has to die first; then it takes over that pid.

use super::story::check;

/// The thread computes, waits for its leader's death, and goes on.
const BEFORE: &str = "cpus 2
     0   cpu0 switch swapper/0:0 R -> a:11
     0   cpu1 switch b:12 S -> a:10
     10  cpu0 switch a:11 D -> swapper/0:0
     20  cpu1 exit a:10
     21  cpu1 waking a:11 on 0
     22  cpu1 wakeup a:11 on 0
";

#[test]
fn s14_the_run_goes_on_under_the_leaders_pid() {
    check(
        &format!(
            "{BEFORE}
             25  cpu1 switch a:10 X -> swapper/1:0
             30  cpu0 switch swapper/0:0 R -> a:11
             40  cpu0 exec a:10 /bin/c from 11
             45  cpu0 waking b:12 on 1
             46  cpu1 wakeup b:12 on 1
             48  cpu1 switch swapper/1:0 R -> b:12
             50  cpu0 switch c:10 S -> swapper/0:0
             60  cpu0 wakeup c:10 on 0 hardirq
             65  cpu0 switch swapper/0:0 R -> c:10
             70  cpu0 switch c:10 X -> swapper/0:0"
        ),
        "cpu0: 0-10 a:11 D, 10-30 idle, 30-40 a:11, 40-50 =a:10#1 S, 50-65 idle, 65-70 c:10#1 X, 70-70 idle
         cpu1: 0-25 a:10 X, 25-48 idle, 48-70 b:12
         12 woken by 10#1 on cpu0: waking 45, runnable 46, running 48; cpu1 -> cpu1
         11 woken by 10 on cpu1: waking 21, runnable 22, running 30; cpu0 -> cpu0
         10#1 woken by an unknown waker on cpu0: wakeup 60, runnable 60, running 65; ? -> cpu0
         11 waits 22-30 for cpu0, woken
         10#1 waits 60-65 for cpu0, woken
         12 waits 46-48 for cpu1, woken
         10#1 is 11 after an exec",
    );
}

#[test]
fn s14_the_pid_changes_before_the_event_that_tells() {
    // It is preempted, moved and woken between the two.
    check(
        &format!(
            "{BEFORE}
             25  cpu1 switch a:10 X -> swapper/1:0
             30  cpu0 switch swapper/0:0 R -> a:11
             40  cpu0 switch a:10 R+ -> d:13
             44  cpu0 migrate a:10 0 -> 1
             50  cpu1 switch swapper/1:0 R -> a:10
             60  cpu1 exec a:10 /bin/c from 11
             70  cpu1 switch c:10 X -> swapper/1:0"
        ),
        "cpu0: 0-10 a:11 D, 10-30 idle, 30-40 a:11, 40-40 =a:10#1 R+, 40-70 d:13
         cpu1: 0-25 a:10 X, 25-50 idle, 50-70 a:10#1 X, 70-70 idle
         11 woken by 10 on cpu1: waking 21, runnable 22, running 30; cpu0 -> cpu0
         11 waits 22-30 for cpu0, woken
         10#1 waits 40-50 for cpu1, preempted
         10#1 goes cpu0 -> cpu1 at 44, load balance
         10#1 is 11 after an exec",
    );
}

#[test]
fn s14_whatever_it_writes_shows_the_takeover() {
    check(
        &format!(
            "{BEFORE}
             25  cpu1 switch a:10 X -> swapper/1:0
             30  cpu0 switch swapper/0:0 R -> a:11
             35  cpu0 waking b:12 on 1 by 10
             40  cpu0 exec a:10 /bin/c from 11
             50  cpu0 switch c:10 X -> swapper/0:0"
        ),
        "cpu0: 0-10 a:11 D, 10-30 idle, 30-35 a:11, 35-50 =a:10#1 X, 50-50 idle
         cpu1: 0-25 a:10 X, 25-50 idle
         11 woken by 10 on cpu1: waking 21, runnable 22, running 30; cpu0 -> cpu0
         11 waits 22-30 for cpu0, woken
         10#1 is 11 after an exec",
    );
}

#[test]
fn s14_the_leader_dies_under_the_pid_of_the_thread() {
    // Both pids have changed hands when it is switched out; either of the two events may come first.
    let lanes = |exec: u64, death: u64| {
        format!(
            "cpu0: 0-10 a:11 D, 10-30 idle, 30-{at} a:11, {at}-50 =a:10#1 X, 50-50 idle
             cpu1: 0-{death} a:10 X, {death}-50 idle
             11 woken by 10 on cpu1: waking 21, runnable 22, running 30; cpu0 -> cpu0
             11 waits 22-30 for cpu0, woken
             10#1 is 11 after an exec",
            at = exec.min(death)
        )
    };
    for (exec, death) in [(40, 45), (45, 40)] {
        let mut late = [
            (30, "cpu0 switch swapper/0:0 R -> a:11".to_owned()),
            (exec, "cpu0 exec a:10 /bin/c from 11".to_owned()),
            (death, "cpu1 switch a:11 X -> swapper/1:0 by 11".to_owned()),
            (50, "cpu0 switch c:10 X -> swapper/0:0".to_owned()),
        ];
        late.sort();
        let late: Vec<String> = late.iter().map(|(at, event)| format!("{at} {event}")).collect();
        check(&format!("{BEFORE}{}", late.join("\n")), &lanes(exec, death));
    }
}

#[test]
fn s14_the_leader_writes_under_the_pid_of_the_thread() {
    check(
        &format!(
            "{BEFORE}
             30  cpu0 switch swapper/0:0 R -> a:11
             35  cpu1 waking b:12 on 1 by 11
             36  cpu1 wakeup b:12 on 1 by 11
             37  cpu1 switch a:11 X -> b:12
             40  cpu0 exec a:10 /bin/c from 11
             50  cpu0 switch c:10 X -> swapper/0:0"
        ),
        "cpu0: 0-10 a:11 D, 10-30 idle, 30-35 a:11, 35-50 =a:10#1 X, 50-50 idle
         cpu1: 0-37 a:10 X, 37-50 b:12
         12 woken by 10 on cpu1: waking 35, runnable 36, running 37; cpu1 -> cpu1
         11 woken by 10 on cpu1: waking 21, runnable 22, running 30; cpu0 -> cpu0
         11 waits 22-30 for cpu0, woken
         12 waits 36-37 for cpu1, woken
         10#1 is 11 after an exec",
    );
}

#[test]
fn s14_before_the_first_switch_of_its_cpu() {
    check(
        "cpus 2
         0   cpu1 print begin
         30  cpu0 exec a:10 /bin/c from 11
         50  cpu0 switch c:10 S -> swapper/0:0
         60  cpu1 print end",
        "cpu0: 0-30 ~c:11, 30-50 =c:10 S, 50-60 idle
         cpu1: 0-60 ?
         10 is 11 after an exec
         1x no sched_switch on this CPU",
    );
}

#[test]
fn s14_after_lost_events_the_lane_stays_unknown() {
    check(
        "cpus 1
         0   cpu0 switch swapper/0:0 R -> a:11
         10  cpu0 lost
         30  cpu0 exec a:10 /bin/c from 11
         50  cpu0 switch c:10 S -> swapper/0:0",
        "cpu0: 0-0 a:11, 0-50 ?, 50-50 idle
         10 is 11 after an exec
         1x events of CPU 0 were lost in 1 gap (how many is not known)",
    );
}

#[test]
fn s14_pids_of_another_process_are_a_contradiction_as_before() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:11
         30  cpu0 exit b:10 by 10
         50  cpu0 switch b:10 S -> swapper/0:0",
        "cpu0: 0-0 a:11, 0-50 ?, 50-50 idle
         1x sched_switch to a task",
    );
}
