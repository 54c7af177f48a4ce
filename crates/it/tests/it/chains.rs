//! Wakeup chains: back to a cause, and forward to the tasks that a run woke.

use crate::support::{self, trace, view};
use schedmodel::Time;
use schedquery::query::{Chain, ChainEnd, Indexes, Selection, Waker, WakeupEdge};

/// The waker's pid; -1 where it is not known, 0 for idle.
fn waker_pid(edge: &WakeupEdge) -> i32 {
    match &edge.waker {
        Waker::Task(task) => task.pid,
        Waker::Idle => 0,
        Waker::Unknown => -1,
    }
}

/// A chain as text: `wakee<waker` for each hop, then where it ends.
fn back(view: &Indexes, cpu: u32, at: u64) -> String {
    let chain = view.chain(cpu, at, 100).expect("a run");
    let hops = chain
        .back
        .iter()
        .map(|hop| format!("{}<{}", hop.wakee.pid, waker_pid(hop)));
    hops.chain([format!("{:?}", chain.ends_at)])
        .collect::<Vec<_>>()
        .join(" ")
}

const RELAY: &str = "
    0 cpu0 switch idle -> a:10
    0 cpu1 switch b:11 S -> idle
    0 cpu2 switch c:12 S -> idle
    10 cpu0 waking b:11 last 1 by a:10
    11 cpu0 wakeup b:11 on 1 by a:10
    15 cpu1 switch idle -> b:11
    20 cpu1 waking c:12 last 2 by b:11
    21 cpu1 wakeup c:12 on 2 by b:11
    30 cpu2 switch idle -> c:12
    40 cpu0 switch a:10 S -> idle
    60 cpu2 switch c:12 S -> idle";

#[test]
fn hops_lead_from_wakee_to_waker() {
    let view = view(3, RELAY);
    assert_eq!(back(&view, 2, 30), "12<11 11<10 Unknown");
    let chain = view.chain(2, 59, 100).expect("a run");
    let hop = &chain.back[0];
    assert_eq!(
        (hop.at_ns, hop.running_ns, hop.latency_ns, hop.cpu),
        (Time(20), Some(Time(30)), Some(10), Some(2))
    );
    assert_eq!((hop.waker_cpu, hop.waker_run_ns), (1, Some(Time(15))));
    assert_eq!(
        (hop.wakee.comm.as_str(), hop.waker_name().as_deref()),
        ("c", Some("b-11"))
    );
}

#[test]
fn a_chain_stops_at_the_hop_limit() {
    let view = view(3, RELAY);
    let Chain { back, ends_at, .. } = view.chain(2, 30, 1).expect("a run");
    assert_eq!((back.len(), ends_at), (1, ChainEnd::Limit));
}

#[test]
fn forward_hops_are_the_wakeups_that_the_run_made() {
    let view = view(3, RELAY);
    let chain = view.chain(1, 20, 100).expect("a run");
    assert_eq!(chain.forward_total, 1);
    assert_eq!((chain.forward[0].wakee.pid, chain.forward[0].at_ns), (12, Time(20)));
    // An interrupt in between does not belong to the run.
    let text = RELAY.replace("c:12 last 2 by b:11", "c:12 last 2 by b:11 hardirq");
    assert_eq!(
        support::view(3, &text)
            .chain(1, 20, 100)
            .map(|chain| chain.forward_total),
        Some(0)
    );
}

#[test]
fn a_chain_ends_at_an_interrupt_at_idle_and_at_the_trace_s_start() {
    let from = |by: &str| RELAY.replace("waking b:11 last 1 by a:10", &format!("waking b:11 last 1 by {by}"));
    assert_eq!(back(&view(3, &from("a:10 hardirq")), 2, 30), "12<11 11<10 Interrupt");
    assert_eq!(back(&view(3, &from("a:10 softirq")), 2, 30), "12<11 11<10 Interrupt");
    assert_eq!(back(&view(3, &from("idle")), 2, 30), "12<11 11<0 Idle");
    let text = format!("0 cpu3 other\n{}", RELAY.replace("0 cpu0 switch idle -> a:10\n", ""));
    assert_eq!(back(&view(4, &text), 2, 30), "12<11 11<10 TraceStart");
}

#[test]
fn a_preempted_run_goes_back_to_the_wakeup_that_made_it_runnable() {
    let view = view(
        1,
        "0 cpu0 switch a:10 S -> b:11
         10 cpu0 waking a:10 last 0 by b:11 softirq
         11 cpu0 wakeup a:10 on 0 by b:11 softirq
         20 cpu0 switch b:11 R+ -> a:10
         30 cpu0 switch a:10 R+ -> b:11
         40 cpu0 switch b:11 R+ -> a:10
         50 cpu0 switch a:10 S -> b:11",
    );
    let chain = view.chain(0, 45, 10).expect("a run");
    assert_eq!(
        (chain.back[0].at_ns, chain.back[0].running_ns),
        (Time(10), Some(Time(20)))
    );
    assert_eq!(chain.ends_at, ChainEnd::Interrupt);
    // It was preempted and never woken: nothing tells why it first came onto the CPU.
    assert_eq!(back(&view, 0, 35), "Unknown");
}

#[test]
fn a_run_whose_wakeup_was_not_recorded_has_an_unknown_cause() {
    let view = view(
        1,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 S -> idle
         20 cpu0 switch idle -> a:10
         30 cpu0 other",
    );
    assert_eq!(back(&view, 0, 25), "Unknown");
    assert_eq!(view.chain(0, 15, 10), None, "idle has no chain");
}

#[test]
fn a_picked_run_tells_its_wakeup_and_who_idled() {
    let view = view(3, RELAY);
    let run = view.pick(2, 45).and_then(|interval| interval.run).expect("a run");
    assert_eq!(
        (run.pid, run.comm.as_str(), run.end_state.as_deref()),
        (12, "c", Some("S"))
    );
    let wakeup = run.wakeup.expect("a wakeup");
    assert_eq!(
        (wakeup.at_ns, wakeup.woken_ns, wakeup.waker_cpu),
        (Time(20), Some(Time(21)), 1)
    );
    assert_eq!(wakeup.choice, None, "a click waits for no index");
    let placement = view.placement(2, 45).expect("a placement");
    assert_eq!(placement.choice.expect("what could be chosen").idle_cpus, [2]);
    assert_eq!(view.pick(0, 1000), None);
}

#[test]
fn selections_leave_the_facts_of_cpus_alone() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> sleep:9
         10 cpu0 exit sleep:9
         11 cpu0 fork sleep:9 -> work:10
         12 cpu0 wakeup_new work:10 on 1 by sleep:9
         20 cpu0 switch sleep:9 Z -> idle
         20 cpu1 switch idle -> work:10
         60 cpu1 switch work:10 S -> x:11
         70 cpu1 other",
    );
    let numbers = |selection| schedquery::query::stats(&trace, &selection);
    let forked = numbers(Selection {
        forked: true,
        ..Selection::default()
    });
    assert_eq!(forked.busy_ns_per_cpu, [20, 50]);
    assert_eq!(forked.running.mean, 40.0 / 70.0);
    assert_eq!(
        forked.commands.iter().map(|row| row.comm.as_str()).collect::<Vec<_>>(),
        ["work"]
    );
    let later = numbers(Selection {
        after_sleep: true,
        min: Some(5),
        max: Some(30),
        ..Selection::default()
    });
    assert_eq!((later.first_ns.0, later.last_ns.0), (15, 40));
    assert_eq!(
        later.commands.iter().map(|row| row.execution_ns).collect::<Vec<_>>(),
        [20, 5]
    );
    assert_eq!((later.wakeups.count, later.overload.violation_ns), (0, 5));
    let target = numbers(Selection {
        target: Some("wo".to_owned()),
        cpus: Some(vec![1]),
        ..Selection::default()
    });
    assert_eq!(
        (target.cpus, target.busy_ns_per_cpu.as_slice()),
        (1, [50_u64].as_slice())
    );
    assert_eq!((target.wakeups.count, target.wakeups.latency_ns.max), (1, Some(8)));
    let pid = numbers(Selection {
        pids: vec![11],
        comms: vec!["x".to_owned()],
        ..Selection::default()
    });
    assert_eq!(
        pid.tasks
            .iter()
            .map(|task| (task.pid, task.execution_ns))
            .collect::<Vec<_>>(),
        [(11, 10)]
    );
}

/// 11 of process 10 is woken by 12, execs, wakes 13, is preempted and runs again.
const EXEC: &str = "
    0 cpu0 switch a:11 S -> idle
    0 cpu1 switch idle -> b:12
    0 cpu2 switch d:13 S -> idle
    10 cpu1 waking a:11 last 0 by b:12
    11 cpu1 wakeup a:11 on 0 by b:12
    15 cpu0 switch idle -> a:11
    17 cpu0 waking d:13 last 2 by a:11
    18 cpu2 wakeup d:13 on 2 by idle
    19 cpu2 switch idle -> d:13
    20 cpu0 exec a:10 from 11
    22 cpu2 switch d:13 S -> idle
    25 cpu0 waking d:13 last 2 by a:10
    26 cpu2 wakeup d:13 on 2 by idle
    30 cpu2 switch idle -> d:13
    35 cpu0 switch c:10 R+ -> e:14
    40 cpu0 switch e:14 S -> c:10
    50 cpu0 switch c:10 S -> idle";

#[test]
fn a_chain_goes_on_across_an_exec_that_changes_the_pid() {
    let view = view(3, EXEC);
    // Asked for runs before and after the exec, and for the run after a preemption.
    for at in [15, 20, 34, 40] {
        assert_eq!(back(&view, 0, at), "11<12 Unknown", "at {at}");
    }
    assert_eq!(back(&view, 2, 30), "13<10 11<12 Unknown");
    // The task that the run woke, under either pid.
    for at in [15, 20] {
        let woke = view.chain(0, at, 100).expect("a run").forward;
        let times: Vec<u64> = woke.iter().map(|hop| hop.at_ns.0).collect();
        assert_eq!(times, [17, 25], "at {at}");
    }
}

#[test]
fn an_exec_parts_a_run_that_numbers_count_once() {
    let trace = trace(3, EXEC);
    let numbers = schedquery::query::stats(&trace, &Selection::default());
    let of = |pid: i32| numbers.tasks.iter().find(|task| task.pid == pid).expect("a task");
    let told = |pid| (of(pid).execution_ns, of(pid).switches_to, of(pid).waiting_ns);
    // 11 ran during 15-20 and continued as 10 during 20-35; the second switch is the one at 40.
    assert_eq!((told(11), told(10)), ((5, 1, 4), (25, 1, 5)));
    let before = of(10).continues.expect("a thread before");
    assert_eq!((before.pid, before.generation), (11, 0));
    assert_eq!(of(11).continues, None);
    // The run of 15-35 counts as a whole, and no part of it does.
    let latency = schedquery::query::latency(&trace, &Selection::default(), Default::default(), 0);
    assert_eq!((latency.runs.preempted.count, latency.runs.preempted.ns.sum), (1, 20));
    assert_eq!(numbers.wakeups.count, 3);
    let picked = view(3, EXEC)
        .pick(0, 20)
        .and_then(|interval| interval.run)
        .expect("a run");
    let from = picked.exec_from.expect("the run before");
    assert_eq!((from.pid, from.start, picked.exec_to), (11, 15, None));
}
