//! The case of kernel commit d8fcb81f1acf: a kernel thread ran a moment ago on the idle CPU that a task slept on, and its load,
//! which still counts, sends the task elsewhere.

use crate::common::{replayed, trace_of};
use replay::machine::Machine;
use replay::{Delay, Ending, Start, Task, WorkEvent, WorkKind, Workload};

const MS: u64 = 1_000_000;

fn event(length: u64, kind: WorkKind) -> WorkEvent {
    WorkEvent { length, kind }
}

/// Two sockets of two CPUs. A and B run on 0 and 1; A wakes C, which slept on 2; before that, K has run there.
fn scenario(kworker_prio: i16) -> Workload {
    let exit = WorkKind::Exit { letter: b'X' };
    let a = vec![event(200 * MS, exit)];
    let b = vec![event(200 * MS, exit)];
    let woken = WorkKind::Woken {
        delay: Delay::ZERO,
        waker: 0,
        event: 0,
        distance: 100 * MS,
    };
    let c = vec![event(100 * MS, woken), event(10 * MS, exit)];
    let k = vec![event(89 * MS, WorkKind::Sleep { delay: Delay::ZERO }), event(MS, exit)];
    let mut workload = Workload {
        span_ns: Some(300 * MS),
        ..Workload::default()
    };
    let tasks = [
        ("A", 0, 120, a),
        ("B", 1, 120, b),
        ("C", 2, 120, c),
        ("kworker/2:1H", 2, kworker_prio, k),
    ];
    for (number, (comm, cpu, prio, events)) in tasks.into_iter().enumerate() {
        let first = workload.events.len() as u32;
        workload.events.extend(events);
        workload.comms.push(comm.to_owned());
        workload.tasks.push(Task {
            pid: 10 + number as i32,
            generation: 0,
            aliases: Vec::new(),
            comm: number as u32,
            renames: Vec::new(),
            prio: Some(prio),
            start: if number < 2 { Start::Runnable } else { Start::Sleeping },
            born_ns: 0,
            birth_delay: 0,
            parent: None,
            cpu: Some(cpu),
            allowed: None,
            events: first..workload.events.len() as u32,
            last_clock: 0,
            cpu_ns: 0,
            ending: Ending::Exited,
            endless: false,
            uncertain: false,
        });
    }
    workload
}

/// The CPU that C is put onto, and how many wakeups left an idle last CPU.
fn placed(kworker_prio: i16, idle_prev: bool) -> (u32, u64) {
    let mut machine = Machine::parse(b"2x2x1").unwrap();
    machine.placement.idle_prev = idle_prev;
    let trace = trace_of(replayed(&scenario(kworker_prio), &machine, "cfs", 300 * MS));
    let lane = |cpu: u32| {
        let lane = trace.lane(cpu).unwrap();
        (0..lane.len()).any(|index| lane.run(index).is_some_and(|who| trace.comm_of(who) == "C"))
    };
    let cpus: Vec<u32> = (0..4).filter(|&cpu| lane(cpu)).collect();
    let report = schedquery::query::placements(&trace, &Default::default(), 10);
    (cpus[0], report.moved_off_idle)
}

#[test]
fn without_the_check_the_load_of_a_kernel_thread_decides() {
    assert_eq!(placed(100, false), (0, 1));
}

#[test]
fn with_it_an_idle_last_cpu_is_taken() {
    assert_eq!(placed(100, true), (2, 0));
}

#[test]
fn a_light_thread_drives_nobody_away() {
    assert_eq!(placed(120, false), (2, 0));
    assert_eq!(placed(120, true), (2, 0));
}
