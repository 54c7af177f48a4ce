//! What a source cannot tell, in the model: wakers, contexts, chosen CPUs, previous tasks, migrations, and broken chains.

use schedindex::MigrationCounts;
use schedmodel::{Meta, MigrationKind, Trace, TraceBuilder, WakerContext, Who};
use schedquery::query::{missing_events, nothing_to_count};
use schedrows::{CannotTell, CommTable, Context, CpuScan, FileFacts, KnownTask, Row, RowKind, Rows};

const NAMES: [&str; 4] = ["", "a", "b", "c"];

/// A switch from one task to another; the names are those of the pids.
fn switch(ts: u64, prev: i32, next: i32) -> Row {
    Row {
        common_pid: prev,
        pid: prev,
        arg: next,
        comm: prev.max(0) as u32,
        comm2: next as u32,
        state: b'S',
        prio: 120,
        ..Row::of(RowKind::Switch, ts)
    }
}

fn wake(kind: RowKind, ts: u64, pid: i32, cpu: i32, context: u8) -> Row {
    Row {
        common_pid: 1,
        pid,
        arg: cpu,
        comm: pid as u32,
        context,
        prio: 120,
        ..Row::of(kind, ts)
    }
}

fn build(cpus: &[Rows], cannot_tell: CannotTell, tasks: Vec<KnownTask>) -> Trace {
    let mut builder = TraceBuilder::new(0);
    for (cpu, rows) in (0..).zip(cpus) {
        builder.add(CpuScan {
            cpu,
            rows: rows.clone(),
            comms: CommTable {
                names: NAMES.map(str::to_owned).to_vec(),
            },
            first_ns: Some(0),
            last_ns: Some(100),
            ..CpuScan::default()
        });
    }
    builder.finish(Meta {
        cpus: Vec::new(),
        facts: FileFacts {
            cannot_tell,
            tasks,
            ..FileFacts::default()
        },
    })
}

#[test]
fn an_unknown_waker_and_an_unknown_context_are_neither_idle_nor_a_task() {
    for (context, waker_is_known) in [(Context::NO_WRITER, false), (Context::UNKNOWN, true), (0, true)] {
        let zero = Rows::from_iter([
            switch(10, 0, 1),
            wake(RowKind::Waking, 20, 2, 1, context),
            wake(RowKind::Wakeup, 21, 2, 1, context),
            switch(90, 1, 0),
        ]);
        let one = Rows::from_iter([switch(30, 0, 2)]);
        let trace = build(&[zero, one], CannotTell::NOTHING, Vec::new());
        let edge = trace.edges.get(0);
        assert_eq!(edge.waker.is_some(), waker_is_known);
        assert_eq!(edge.context == WakerContext::Task, context == 0);
        assert!(!edge.waker_is_idle());
    }
}

#[test]
fn wakings_alone_make_tasks_wait_where_they_were_last_put() {
    let zero = Rows::from_iter([switch(10, 0, 1), wake(RowKind::Waking, 20, 2, 0, 0), switch(90, 1, 0)]);
    let moved = Row {
        common_pid: 1,
        pid: 2,
        arg: 1,
        comm: 2,
        comm2: 0,
        ..Row::of(RowKind::Migrate, 22)
    };
    let zero: Rows = zero.iter().take(2).chain([moved]).chain(zero.iter().skip(2)).collect();
    let one = Rows::from_iter([switch(30, 0, 2)]);
    let wait = |trace: &Trace| trace.lane(1).unwrap().wait(1).map(|wait| 30 - wait.since);
    let trace = build(&[zero.clone(), one.clone()], CannotTell::CHOSEN_CPU, Vec::new());
    let edge = trace.edges.get(0);
    assert_eq!((edge.at, edge.woken, edge.running), (20, None, Some(30)));
    assert_eq!(
        (edge.previous_cpu, edge.chosen_cpu, edge.cpu),
        (Some(0), Some(1), Some(1))
    );
    assert_eq!(wait(&trace), Some(10));
    // A source that could have told, but has no sched_wakeup, is read in the same way.
    let trace = build(&[zero, one], CannotTell::NOTHING, Vec::new());
    assert_eq!((trace.edges.get(0).chosen_cpu, wait(&trace)), (Some(1), Some(10)));
}

#[test]
fn migrations_are_derived_where_the_recording_has_none() {
    let zero = Rows::from_iter([switch(10, 0, 1), switch(20, 1, 0)]);
    let one = Rows::from_iter([switch(40, 0, 1)]);
    let trace = build(&[zero.clone(), one.clone()], CannotTell::MIGRATIONS, Vec::new());
    let [migration] = trace.migrations.as_slice() else {
        panic!()
    };
    assert_eq!((migration.kind, migration.at), (MigrationKind::Derived, 40));
    assert_eq!((migration.from(), migration.to()), (Some(0), Some(1)));
    let same = build(&[zero, one], CannotTell::NOTHING, Vec::new());
    assert_eq!(same.migrations, trace.migrations);
}

#[test]
fn the_first_run_of_a_task_elsewhere_than_it_waited_is_counted_as_no_migration() {
    // It ran on CPU 0 before the trace begins.
    let preempted = Row {
        state: b'R',
        ..switch(10, 1, 0)
    };
    let cpus = [Rows::from_iter([preempted]), Rows::from_iter([switch(40, 0, 1)])];
    let trace = build(&cpus, CannotTell::MIGRATIONS, Vec::new());
    let kinds: Vec<_> = trace.migrations.iter().map(|migration| migration.kind).collect();
    assert_eq!(kinds, [MigrationKind::FirstRun]);
    let mut counts = MigrationCounts::default();
    kinds.into_iter().for_each(|kind| counts.add(kind));
    assert_eq!(counts, MigrationCounts::default());
}

#[test]
fn an_unknown_previous_task_ends_what_ran_and_begins_nothing_before() {
    let rows = Rows::from_iter([
        switch(10, Row::UNKNOWN_PID, 1),
        switch(30, 1, 2),
        switch(50, Row::UNKNOWN_PID, 3),
    ]);
    let trace = build(&[rows], CannotTell::NOTHING, Vec::new());
    let lane = trace.lane(0).unwrap();
    let told: Vec<_> = lane
        .intervals()
        .map(|interval| (interval.start, interval.who == Who::Unknown))
        .collect();
    assert_eq!(told, [(0, true), (10, false), (30, false), (50, false)]);
    assert!(trace
        .diagnostics
        .iter()
        .all(|found| !found.text.contains("switched to before")));
}

#[test]
fn a_broken_chain_is_unknown_from_the_earlier_switch_on() {
    let rows = Rows::from_iter([switch(10, 0, 1), switch(40, 2, 3), switch(60, 3, 0)]);
    let trace = build(&[rows], CannotTell::NOTHING, Vec::new());
    let lane = trace.lane(0).unwrap();
    let unknown: Vec<_> = lane
        .intervals()
        .filter(|interval| interval.who == Who::Unknown)
        .map(|interval| (interval.start, interval.end))
        .collect();
    assert_eq!(unknown, [(10, 40)]);
    assert!(trace.holes.on(0, 10, 40) && !trace.holes.on(0, 40, 100));
}

#[test]
fn known_names_are_those_of_tasks_that_no_event_names() {
    let zero = Rows::from_iter([
        Row {
            common_pid: 77,
            ..wake(RowKind::Waking, 20, 2, 0, 0)
        },
        switch(30, 0, 2),
    ]);
    let known = |pid, comm: &str| KnownTask {
        pid,
        tgid: None,
        comm: comm.to_owned(),
    };
    let trace = build(
        &[zero],
        CannotTell::NOTHING,
        vec![known(77, "named"), known(2, "other"), known(5, "absent")],
    );
    let name = |pid: i32| {
        let task = trace.tasks.iter().find(|task| task.pid == pid)?;
        Some(trace.comms.name(task.comm).to_owned())
    };
    assert_eq!(
        (name(77).as_deref(), name(2).as_deref(), name(5)),
        (Some("named"), Some("b"), None)
    );
}

#[test]
fn a_trace_without_switches_says_what_it_holds_in_place_of_zeros() {
    let of = |events: &str| {
        let (trace, _) = crate::syscalls::load("version 7", events);
        (missing_events(&trace), nothing_to_count(&trace))
    };
    let only_others = "cpus 1\n3 cpu0 print here\n9 cpu0 print there";
    let (missing, sentence) = of(only_others);
    assert_eq!(missing, ["sched_switch", "sched_wakeup"]);
    assert_eq!(
        sentence.unwrap(),
        "this file holds no scheduler events (2 events of other kinds); record with -e sched"
    );
    let (missing, sentence) = of(&format!("{only_others}\n12 cpu0 wakeup a:10 on 0"));
    assert_eq!(missing, ["sched_switch"]);
    assert_eq!(
        sentence.unwrap(),
        "this file holds no sched_switch, so when tasks ran is unknown (1 scheduler event, 2 events of other kinds); record with -e sched"
    );
    assert_eq!(of("cpus 1\n3 cpu0 switch a:10 S -> b:11"), (vec!["sched_wakeup"], None));
}
