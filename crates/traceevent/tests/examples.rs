//! Runs the examples. Their `main` only prints what is compared here.

#[allow(dead_code)]
#[path = "../examples/fields.rs"]
mod fields;
#[allow(dead_code)]
#[path = "../examples/print_page.rs"]
mod print_page;

/// The lines of `trace-cmd report -N -t --cpu 0` 3.1.6 for these records, without the columns before the time.
#[test]
fn a_page_prints_as_trace_cmd_prints_it() {
    let expected = "\
19.249172812: sched_switch: prev_comm=barrier prev_pid=295 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
19.250575674: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=barrier next_pid=295 next_prio=120
19.251474691: sched_switch: prev_comm=barrier prev_pid=295 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
19.265336212: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=barrier next_pid=295 next_prio=120
19.270655563: sched_process_exit: comm=barrier pid=295 prio=120
19.270839308: sched_waking: comm=trace-cmd pid=286 prio=120 target_cpu=005
19.274208216: sched_wakeup: comm=trace-cmd pid=286 prio=120 target_cpu=005
19.274322598: sched_switch: prev_comm=barrier prev_pid=295 prev_prio=120 prev_state=Z ==> next_comm=swapper/0 next_pid=0 next_prio=120
";
    assert_eq!(print_page::lines().unwrap(), expected);
}

#[test]
fn fields_are_those_of_the_bytes() {
    assert_eq!(fields::exec().unwrap(), (294, 295, "/bin/sh".to_owned()));
}
