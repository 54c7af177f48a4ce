//! 3, 4, 5, 11, 13: states by letter, names that change, pids that are reused.

use super::story::{check, read};
use schedquery::query::{stats, Selection};

#[test]
fn s03_the_letter_of_prev_state_decides_what_becomes_of_a_task() {
    // R and R+ stay runnable; S, D, I, T, t and P do not; X and Z are dead: the next of that pid is another generation.
    check(
        "0   cpu0 switch a:10 R -> b:11
         10  cpu0 switch b:11 R+ -> c:12
         20  cpu0 switch c:12 S -> d:13
         30  cpu0 switch d:13 D -> e:14
         40  cpu0 switch e:14 I -> f:15
         50  cpu0 switch f:15 T -> g:16
         60  cpu0 switch g:16 t -> h:17
         70  cpu0 switch h:17 P -> i:18
         80  cpu0 switch i:18 X -> j:19
         90  cpu0 switch j:19 Z -> swapper/0:0
         100 cpu0 print end",
        "cpu0: 0-10 b:11 R+, 10-20 c:12 S, 20-30 d:13 D, 30-40 e:14 I, 40-50 f:15 T, 50-60 g:16 t, 60-70 h:17 P, \
         70-80 i:18 X, 80-90 j:19 Z, 90-100 idle
         10 waits 0-100 and is not seen to run
         11 waits 10-100 and is not seen to run",
    );
}

#[test]
fn s03_a_preempted_task_stays_runnable_whatever_it_was_about_to_do() {
    // The state is TASK_INTERRUPTIBLE with the bit that the format's print fmt shows as a plus.
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 switch a:10 R+ -> b:11
         30  cpu0 switch b:11 S -> a:10",
        "cpu0: 0-10 a:10 R+, 10-30 b:11 S, 30-30 a:10
         10 waits 10-30 for cpu0, preempted",
    );
}

#[test]
fn s04_a_run_has_the_comm_that_it_was_switched_in_with() {
    check(
        "0   cpu0 switch swapper/0:0 R -> sh:10
         10  cpu0 exec sh:10 /bin/ls
         11  cpu0 rename 10 sh -> ls
         20  cpu0 switch ls:10 R -> swapper/0:0
         30  cpu0 switch swapper/0:0 R -> ls:10
         50  cpu0 switch ls:10 S -> swapper/0:0",
        "cpu0: 0-20 sh:10 R, 20-30 idle, 30-50 ls:10 S, 50-50 idle
         10 waits 20-30 for cpu0, preempted",
    );
}

#[test]
fn s05_a_fork_after_an_exit_begins_a_generation() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 exit a:10
         11  cpu0 switch a:10 X -> b:11
         20  cpu0 fork b:11 -> b:10
         21  cpu0 wakeup_new b:10 on 0
         30  cpu0 switch b:11 S -> b:10",
        "cpu0: 0-11 a:10 X, 11-30 b:11 S, 30-30 b:10#1
         10#1 woken by 11 on cpu0: wakeup_new 21, runnable 21, running 30; ? -> cpu0
         10#1 waits 21-30 for cpu0, woken
         10#1 forked by 11",
    );
}

#[test]
fn s05_a_fork_of_a_pid_that_was_not_seen_to_die_begins_one_too() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 switch a:10 S -> b:11
         20  cpu0 fork b:11 -> b:10
         21  cpu0 wakeup_new b:10 on 0
         30  cpu0 switch b:11 S -> b:10",
        "cpu0: 0-10 a:10 S, 10-30 b:11 S, 30-30 b:10#1
         10#1 woken by 11 on cpu0: wakeup_new 21, runnable 21, running 30; ? -> cpu0
         10#1 waits 21-30 for cpu0, woken
         10#1 forked by 11
         1x fork of a pid whose last task was not seen to die",
    );
}

#[test]
fn s11_forked_takes_in_kernel_threads_that_kthreadd_made_during_the_trace() {
    let events = "0   cpu0 switch old:9 S -> kthreadd:2
         10  cpu0 fork kthreadd:2 -> kthreadd:300
         11  cpu0 wakeup_new kthreadd:300 on 0
         20  cpu0 switch kthreadd:2 S -> kworker/0:5:300
         50  cpu0 switch kworker/0:5:300 I -> old:9";
    let forked = Selection {
        forked: true,
        ..Selection::default()
    };
    let numbers = stats(&read("version 7", events), &forked);
    let shown: Vec<_> = numbers.tasks.iter().map(|task| (task.pid, task.execution_ns)).collect();
    assert_eq!(shown, [(300, 30)]);
}

#[test]
fn s13_exit_frees_the_pid_and_later_wakeups_are_stale() {
    check(
        "0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 exit a:10
         12  cpu0 switch a:10 Z -> b:11
         20  cpu0 wakeup a:10 on 0
         30  cpu0 switch b:11 S -> swapper/0:0",
        "cpu0: 0-12 a:10 Z, 12-30 b:11 S, 30-30 idle
         1x wakeup of a task that was switched out as dead",
    );
}

#[test]
fn s13_the_exit_event_alone_ends_nothing_and_marks_the_end_of_sleep() {
    // A task that exits may still be preempted, and sleep, before it is switched out for good.
    check(
        "0   cpu0 switch swapper/0:0 R -> sleep:10
         10  cpu0 exit sleep:10
         12  cpu0 switch sleep:10 R+ -> b:11
         20  cpu0 switch b:11 S -> sleep:10
         25  cpu0 switch sleep:10 X -> swapper/0:0",
        "cpu0: 0-12 sleep:10 R+, 12-20 b:11 S, 20-25 sleep:10 X, 25-25 idle
         10 waits 12-20 for cpu0, preempted
         sleep exits at 10",
    );
}
