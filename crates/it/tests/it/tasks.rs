//! What is known about tasks: priorities, classes, kernel threads.

use crate::support;
use schedmodel::{kernel_thread, Class, Meta, TaskId, Trace, TraceBuilder};
use schedquery::query::{stats, IndexSpec, Indexes, Prios, Selection};
use schedrows::Row;
use std::sync::Arc;

/// `pid#generation comm: kernel`, by task.
fn kernel_threads(trace: &Trace) -> Vec<String> {
    let tasks = trace.tasks.iter().enumerate();
    let line = |(id, task): (usize, &schedmodel::Task)| {
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
        // A kernel thread other than kthreadd made it: a user mode helper.
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

#[test]
fn a_priority_tells_the_class_and_deadline_is_not_unknown() {
    let mut scans = support::scans(
        "
        100 cpu0 switch idle -> a:10
        110 cpu0 switch a:10 R -> b:11
        120 cpu0 switch b:11 R -> a:10
        130 cpu0 switch a:10 R -> c:12
        140 cpu0 switch c:12 S -> idle",
    );
    // The priorities of tasks that are switched to: boosted from fair to real time, deadline, one whose event has none.
    let prios = [120, -1, 40, 300, 120].map(Row::prio_code);
    let rows = scans[0].rows.iter().zip(prios);
    let rows = rows.map(|(row, prio)| Row { prio, ..row }).collect();
    scans[0].rows = rows;
    let mut builder = TraceBuilder::new(100);
    scans.into_iter().for_each(|scan| builder.add(scan));
    let view = Indexes::new(Arc::new(builder.finish(Meta::default())), IndexSpec::default());

    let run = |at| {
        view.pick(0, at)
            .and_then(|interval| interval.run)
            .map(|run| (run.prio, run.class))
    };
    let runs = [5, 15, 25, 35].map(run);
    let expected = [
        (Some(120), Some(Class::Fair)),
        (Some(-1), Some(Class::Deadline)),
        (Some(40), Some(Class::RealTime)),
        (None, None),
    ];
    assert_eq!(runs, expected.map(Some));

    let tasks = view.tasks(None, None);
    let told: Vec<_> = tasks.iter().map(|task| (task.pid, task.class, task.prio)).collect();
    let range = |min, max| Some(Prios { min, max });
    let expected = [
        (10, Some(Class::RealTime), range(40, 120)),
        (11, Some(Class::Deadline), range(-1, -1)),
        (12, None, None),
    ];
    assert_eq!(told, expected);
}
