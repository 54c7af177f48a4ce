//! What is known of tasks: priorities, classes, kernel threads.

mod support;

use tracecore::query::{stats, Selection};
use tracecore::sched::{kernel_thread, TaskId, Trace};

/// `pid#generation comm: kernel`, by task.
fn kernel_threads(trace: &Trace) -> Vec<String> {
    let tasks = trace.tasks.iter().enumerate();
    let line = |(id, task): (usize, &tracecore::sched::Task)| {
        let kernel = kernel_thread(trace, TaskId(id as u32)).name();
        format!(
            "{}#{} {}: {kernel}",
            task.pid,
            task.generation,
            trace.comms.name(task.comm)
        )
    };
    tasks.map(line).collect()
}

const KERNEL: &str = "
    10 cpu0 switch a:10 S -> kthreadd:2
    20 cpu0 fork kthreadd:2 -> kthreadd:30
    22 cpu0 wakeup_new kthreadd:30 on 0 by kthreadd:2
    30 cpu0 switch kthreadd:2 S -> kthreadd:30
    35 cpu0 rename kthreadd:30 -> kworker/0.3
    40 cpu0 switch kworker/0.3:30 S -> kworker/1.7:31
    50 cpu0 fork kworker/1.7:31 -> kworker/1.7:32
    60 cpu0 switch kworker/1.7:31 S -> modprobe:32
    70 cpu0 switch modprobe:32 S -> kthreadd:33
    80 cpu0 switch kthreadd:33 S -> idle";

#[test]
fn kernel_threads_are_those_that_kthreadd_forks_or_that_have_their_names() {
    let trace = support::trace(1, KERNEL);
    let expected = [
        "10#0 a: unknown",
        "2#0 kthreadd: yes",
        "30#0 kworker/0.3: yes",
        "31#0 kworker/1.7: likely",
        // A kernel thread made it, but not kthreadd: a user mode helper.
        "32#0 modprobe: unknown",
        // kthreadd has pid 2.
        "33#0 kthreadd: unknown",
    ];
    assert_eq!(kernel_threads(&trace), expected);

    let selection = Selection {
        no_kernel_threads: true,
        ..Selection::default()
    };
    let left: Vec<_> = stats(&trace, &selection).tasks.iter().map(|task| task.pid).collect();
    assert_eq!(left, [10, 32, 33]);
    let selection = Selection {
        forked: true,
        ..selection
    };
    let forked: Vec<_> = stats(&trace, &selection).tasks.iter().map(|task| task.pid).collect();
    assert_eq!(forked, [32], "a forked kernel thread can be left out");
}
