//! Random rows, and those that once kept a policy busy for ever: see `fuzz/inputs/switches.rs`.

#[path = "../../../../fuzz/inputs/switches.rs"]
mod input;

use crate::common::{cases, replayed, trace_of};
use crate::properties::workload;
use input::{check, read, Step, CPUS};
use proptest::prelude::*;
use replay::engine::{run, Limits};
use replay::machine::Machine;

const MS: u64 = 1_000_000;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![6 => Just(0_u8), 1 => 1_u8..6];
    let state = prop_oneof![Just(b'R'), Just(b'R' | 0x80), Just(b'S'), Just(b'D'), Just(b'X')];
    let prio = prop_oneof![6 => 100_u8..140, 1 => 1_u8..99];
    let gap = prop_oneof![1 => 0..2_u64, 8 => 0..9 * MS];
    let step = (kind, 0..CPUS, (0..5_i32, 0..5_i32), state, prio, gap);
    let step = step.prop_map(|(kind, cpu, pids, state, prio, gap)| Step {
        kind,
        cpu,
        pids,
        state,
        prio,
        gap,
    });
    prop::collection::vec(step, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]

    /// At most 60 rows in at most 540 ms are at most some thousand events, whoever picks.
    #[test]
    fn whatever_rows_say_all_ends(steps in steps()) {
        prop_assert!(read(&steps, 100_000));
    }

    /// The same of the bytes that the fuzzer makes.
    #[test]
    fn whatever_bytes_say_all_ends(bytes in prop::collection::vec(any::<u8>(), 0..480)) {
        check(&bytes);
    }

    /// One wild time makes them span up to centuries.
    #[test]
    fn wild_times_end_too(mut steps in steps(), at in 0_usize..60, gap in 1_u64 << 40..1 << 62) {
        let at = at % steps.len();
        steps[at].gap = gap;
        read(&steps, 5000);
    }
}

/// `b` is current on CPU 1 when CPU 0 switches it in: two heaps had it, and the loop that moves tasks between them never ended.
#[test]
fn a_task_is_current_on_one_cpu() {
    let switch = |cpu, prev, state, next, gap_ms| Step {
        kind: 0,
        cpu,
        pids: (prev, next),
        state,
        prio: 120,
        gap: gap_ms * MS,
    };
    let steps = [
        switch(0, 0, b'R', 3, 0),
        switch(1, 2, b'R', 2, 3),
        switch(0, 2, b'R' | 0x80, 3, 2),
        switch(1, 2, b'R' | 0x80, 2, 1),
        switch(1, 2, b'R', 3, 1),
        switch(0, 3, b'R', 2, 2),
        switch(1, 3, b'S', 1, 2),
    ];
    assert!(read(&steps, 100_000));
}

/// Tasks that wait for CPU 0 end no slices on CPU 1, where nobody else may run: that took an event for each nanosecond.
#[test]
fn slices_end_for_those_who_may_run_there() {
    let long = |prio| (vec![(500 * MS, 1, false)], prio);
    let mut workload = workload(vec![long(120), long(120), long(120)]);
    for (task, cpu) in workload.tasks.iter_mut().zip([0, 0, 1]) {
        task.allowed = Some([cpu].into_iter().collect());
    }
    let limits = Limits {
        events: 10_000,
        ..Limits::default()
    };
    let outcome = run(&workload, &Machine::flat(2), &"rlfifo".parse().unwrap(), limits).unwrap();
    let outcome = outcome.whole(limits).unwrap();
    // Two tasks share CPU 0 in slices of 2.5 ms, 501 ms each; CPU 1 has one task to itself.
    assert!((400..420).contains(&outcome.switches), "{}", outcome.switches);
}

/// What an idle CPU leaves behind does not grow with the number of CPUs.
#[test]
fn idle_cpus_have_no_names_of_others() {
    let workload = workload(vec![(Vec::new(), 120)]);
    let outcome = run(
        &workload,
        &Machine::flat(4096),
        &"eevdf".parse().unwrap(),
        Limits::default(),
    );
    let scans = outcome.unwrap().scans;
    let names: usize = scans.iter().map(|scan| scan.comms.names.len()).sum();
    assert_eq!((scans.len(), names), (4096, 2 * 4096 + 1));
    assert_eq!(scans[4095].comms.names, ["", "swapper/4095"]);
}

/// The limit is an error, which says how far the run came.
#[test]
fn a_run_that_stops_says_where() {
    let hogs = workload(vec![(vec![(1 << 60, 1, false)], 120), (vec![(1 << 60, 1, false)], 120)]);
    let limits = Limits {
        events: 1000,
        ..Limits::of_recording(1, 80 * 365 * 86_400_000 * MS)
    };
    let outcome = run(&hogs, &Machine::flat(1), &"cfs".parse().unwrap(), limits).unwrap();
    let error = outcome.whole(limits).unwrap_err();
    assert_eq!(error.events, 1000);
    let text = error.to_string();
    assert!(text.contains("1,000 events") && text.contains("of 80 years"), "{text}");
}

/// When task `waits` first runs, and on which CPU. It is dispatched to idle CPU 0, which `urgent` then takes for 100 ms: as a task of
/// real time for the first millisecond, and as a fair one from then on.
fn dispatched_behind(policy: &str, cpus: u32, others: &str) -> (u64, u32) {
    let text = format!(
        "1 INIT 1 0 1 R\n2 INIT 2 0 2 R\n3 EXIT 1 5\n4 PRIO 2 1 120\n5 EXIT 2 100\n{others}\
         #: 1 comm=waits cpu=0 prio=120\n#: 2 comm=urgent cpu=0 prio=50\n"
    );
    let workload = replay::text::read(&text).unwrap();
    let trace = trace_of(replayed(&workload, &Machine::flat(cpus), policy, 300 * MS));
    let runs = trace.lanes.iter().zip(0..).flat_map(|(lane, cpu)| {
        let own = (0..lane.len()).filter(|&at| lane.run(at).is_some_and(|who| trace.comm_of(who) == "waits"));
        own.map(move |at| (lane.start_of(at), cpu))
    });
    runs.min().unwrap()
}

/// CPU 1 has nothing to do from 2 ms on: it takes the task that waits for CPU 0.
#[test]
fn an_idle_cpu_takes_who_was_dispatched_to_a_busy_one() {
    let other = "6 INIT 3 0 3 R\n7 EXIT 3 2\n#: 3 comm=other cpu=1 prio=120\n";
    for policy in ["scx", "scx:order=fifo"] {
        assert_eq!(dispatched_behind(policy, 2, other), (2 * MS, 1), "{policy}");
    }
}

/// Ticks are at 0, 4, 8 ... ms. The slice of 20 ms that `urgent` has since 1 ms is used up at the tick at 24 ms.
#[test]
fn slices_end_for_who_was_dispatched() {
    for policy in ["scx", "scx:order=fifo"] {
        assert_eq!(dispatched_behind(policy, 1, ""), (24 * MS, 0), "{policy}");
    }
}
