//! 14: deadline tasks that are switched out as R, and are not runnable.

use super::story::check;

#[test]
fn s14_a_deadline_task_that_gives_way_to_a_lesser_class_is_off_its_runqueue() {
    // It yields to a fair task, and later uses up its runtime; no wakeup says when its period begins.
    check(
        "0   cpu0 switch swapper/0:0 R -> dl:20 prio -1
         10  cpu0 switch dl:20 R -> a:10
         40  cpu0 switch a:10 R+ -> dl:20 prio -1
         50  cpu0 switch dl:20 R+ -> swapper/0:0
         60  cpu0 switch swapper/0:0 R -> dl:20 prio -1
         70  cpu0 switch dl:20 R -> rt:30 prio 1
         80  cpu0 switch rt:30 S -> dl:20 prio -1
         90  cpu0 switch dl:20 S -> swapper/0:0",
        "cpu0: 0-10 dl:20 R, 10-40 a:10 R+, 40-50 dl:20 R+, 50-60 idle, 60-70 dl:20 R, 70-80 rt:30 S, 80-90 dl:20 S, 90-90 idle
         10 waits 40-90 and is not seen to run
         20 is throttled 10-40
         20 is throttled 50-60
         20 is throttled 70-80",
    );
}

#[test]
fn s14_another_deadline_task_and_the_stop_class_do_not_tell() {
    check(
        "0   cpu0 switch swapper/0:0 R -> dl:20 prio -1
         10  cpu0 switch dl:20 R -> dl2:21 prio -1
         20  cpu0 switch dl2:21 S -> dl:20 prio -1
         30  cpu0 switch dl:20 R+ -> migration/0:5 prio 0
         35  cpu0 switch migration/0:5 S -> dl:20 prio -1
         40  cpu0 switch dl:20 S -> swapper/0:0",
        "cpu0: 0-10 dl:20 R, 10-20 dl2:21 S, 20-30 dl:20 R+, 30-35 migration/0:5 S, 35-40 dl:20 S, 40-40 idle
         20 waits 10-20 for cpu0, preempted
         20 waits 30-35 for cpu0, preempted",
    );
}

#[test]
fn s14_who_yields_in_another_class_stays_runnable() {
    check(
        "0   cpu0 switch swapper/0:0 R -> rt:30 prio 49
         10  cpu0 switch rt:30 R -> a:10
         20  cpu0 switch a:10 R -> rt:30 prio 49
         30  cpu0 switch rt:30 S -> a:10
         40  cpu0 switch a:10 S -> swapper/0:0",
        "cpu0: 0-10 rt:30 R, 10-20 a:10 R, 20-30 rt:30 S, 30-40 a:10 S, 40-40 idle
         30 waits 10-20 for cpu0, preempted
         10 waits 20-30 for cpu0, preempted",
    );
}

#[test]
fn s14_a_wakeup_ends_it() {
    // It slept unseen in the meantime: only a sleeping task is woken.
    check(
        "0   cpu0 switch swapper/0:0 R -> dl:20 prio -1
         10  cpu0 switch dl:20 R -> a:10
         20  cpu0 wakeup dl:20 on 0
         30  cpu0 switch a:10 S -> dl:20 prio -1
         40  cpu0 switch dl:20 S -> swapper/0:0",
        "cpu0: 0-10 dl:20 R, 10-30 a:10 S, 30-40 dl:20 S, 40-40 idle
         20 woken by 10 on cpu0: wakeup 20, runnable 20, running 30; ? -> cpu0
         20 waits 20-30 for cpu0, woken
         20 is throttled 10-20",
    );
}

#[test]
fn s14_a_migration_shows_that_the_next_period_has_begun() {
    // The kernel pushes a replenished task to another CPU, which is busy with another deadline task.
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> dl:20 prio -1
         0   cpu1 switch swapper/1:0 R -> dl2:21 prio -1
         10  cpu0 switch dl:20 R -> a:10
         25  cpu0 migrate dl:20 0 -> 1
         30  cpu1 switch dl2:21 S -> dl:20 prio -1
         35  cpu1 switch dl:20 R -> swapper/1:0
         40  cpu0 switch a:10 S -> swapper/0:0
         45  cpu0 migrate dl:20 1 -> 0
         50  cpu0 switch swapper/0:0 R -> b:11",
        "cpu0: 0-10 dl:20 R, 10-40 a:10 S, 40-50 idle, 50-50 b:11
         cpu1: 0-30 dl2:21 S, 30-35 dl:20 R, 35-50 idle
         20 waits 25-30 for cpu1, replenished
         20 waits 45-50 and is not seen to run
         20 is throttled 10-25
         20 is throttled 35-45
         20 goes cpu0 -> cpu1 at 25, load balance
         20 goes cpu1 -> cpu0 at 45, load balance",
    );
}
