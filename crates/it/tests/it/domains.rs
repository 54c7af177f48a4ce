//! Work conservation within sockets and last-level caches.

use crate::support::{arbitrary, standing::Standings, trace};
use proptest::prelude::*;
use schedindex::{all_queued, Shown};
use schedmodel::topology::{Domain, Topology};
use schedmodel::{Trace, Who};
use schedquery::query::{domain_overload, overload, DomainOverload, Selection};
use std::sync::Arc;

fn machine(text: &str) -> Arc<Topology> {
    Arc::new(Topology::parse(text.as_bytes()).expect("a topology"))
}

fn within(trace: &Trace, text: &str) -> Vec<DomainOverload> {
    domain_overload(trace, &Selection::default(), &machine(text)).domains
}

#[test]
fn a_task_that_waits_beside_an_idle_cpu_of_its_own_socket_and_one_that_does_not() {
    // Two sockets of two CPUs. From 20 on b waits on CPU 0, whose socket is busy; CPU 2 of the other socket idles.
    // From 40 on CPU 1 idles too.
    let trace = trace(
        4,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> c:12
         0 cpu2 switch d:13 S -> idle
         0 cpu3 switch idle -> e:14
         20 cpu0 wakeup b:11 on 0
         40 cpu1 switch c:12 S -> idle
         60 cpu0 switch a:10 S -> b:11
         80 cpu3 other",
    );
    let found = within(&trace, "2x2x1");
    let [first, second] = found.as_slice() else {
        panic!("two sockets: {found:?}")
    };
    assert_eq!(
        (first.cpus.as_slice(), second.cpus.as_slice()),
        (&[0, 1][..], &[2, 3][..])
    );
    assert_eq!(
        (first.wait_ns, first.intervals, first.violation_ns, first.cost_task_ns),
        (40, 1, 20, 20)
    );
    assert_eq!((second.wait_ns, second.intervals, second.violation_ns), (0, 0, 0));
    // For the machine as a whole the violation begins at 20: its first 20 ns are between the sockets.
    assert_eq!(overload(&trace, &Selection::default(), 0, 9).violation_ns, 40);
}

#[test]
fn a_wait_that_is_balanced_away_counts_where_it_is_at_the_time() {
    // b waits on CPU 0 from 10, on CPU 1 from 30, and runs at 50. CPU 2 idles; only CPU 1 shares its cache.
    let trace = trace(
        3,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> c:12
         0 cpu2 switch d:13 S -> idle
         10 cpu0 wakeup b:11 on 0
         30 cpu0 migrate b:11 from 0 to 1
         50 cpu1 switch c:12 S -> b:11
         90 cpu0 other",
    );
    let found = within(&trace, "socket:0-2,llc:0/1-2");
    let sums: Vec<_> = found
        .iter()
        .map(|found| (found.domain, found.number, found.wait_ns, found.violation_ns))
        .collect();
    assert_eq!(
        sums,
        [
            (Domain::Socket, 0, 40, 40),
            (Domain::Llc, 0, 20, 0),
            (Domain::Llc, 1, 20, 20)
        ]
    );
}

#[test]
fn what_the_topology_does_not_know_is_said() {
    let trace = trace(
        3,
        "0 cpu0 switch idle -> a:10\n0 cpu2 switch idle -> c:12\n90 cpu0 other",
    );
    let report = domain_overload(&trace, &Selection::default(), &machine("2x1x1"));
    assert_eq!(
        (report.unknown_cpus.as_slice(), report.topology.as_str()),
        (&[2][..], "2x1x1")
    );
    let some = Selection {
        cpus: Some(vec![1, 2]),
        ..Selection::default()
    };
    let cpus: Vec<_> = domain_overload(&trace, &some, &machine("2x1x1"))
        .domains
        .into_iter()
        .map(|found| found.cpus)
        .collect();
    assert_eq!(cpus, [vec![], vec![1]]);
}

/// The counts, found ns by ns: (wait, intervals, violation, cost).
fn naive(trace: &Trace, cpus: &[u32]) -> (u64, u64, u64, u64) {
    let mut waits = Vec::new();
    all_queued(trace, &Shown::all(), |part| {
        if part.cpu.is_some_and(|cpu| cpus.contains(&cpu)) {
            waits.push(part.from..part.to);
        }
    });
    let idle_at = |at: u64| {
        let idle = |cpu: &&u32| {
            let lane = trace.lane(**cpu).expect("a CPU of the trace");
            lane.find(at).is_some_and(|index| lane.who(index) == Who::Idle)
        };
        cpus.iter().filter(idle).count()
    };
    let (mut wait, mut intervals, mut violation, mut cost) = (0, 0, 0, 0);
    let mut was = false;
    for at in 0..trace.span_ns {
        let waiting = waits.iter().filter(|part| part.contains(&at)).count();
        let together = waiting.min(idle_at(at));
        wait += waiting as u64;
        cost += together as u64;
        violation += u64::from(together != 0);
        intervals += u64::from(together != 0 && !was);
        was = together != 0;
    }
    (wait, intervals, violation, cost)
}

/// The same for waiting behind others: (intervals, ns, cost), and ns and tasks' ns of waiting for an idle CPU.
fn naive_behind(trace: &Trace, cpus: &[u32]) -> [u64; 5] {
    let standings = Standings::new(trace, &Shown::all());
    let mut sums = [0; 5];
    let mut was = false;
    for at in 0..trace.span_ns {
        let (behind, spare, leaving) = standings.at(cpus, at);
        let cost = behind.min(spare.len() as u64);
        let now = [u64::from(cost != 0 && !was), cost.min(1), cost, leaving.min(1), leaving];
        for (sum, value) in sums.iter_mut().zip(now) {
            *sum += value;
        }
        was = cost != 0;
    }
    sums
}

proptest! {
    #[test]
    fn domains_equal_their_twin(trace in arbitrary::short_trace(), text in prop_oneof![Just("2x1x2"), Just("1x4x1"), Just("socket:0-3,llc:0.3/1-2"), Just("4x1x1")]) {
        for found in within(&trace, text) {
            let sums = (found.wait_ns, found.intervals, found.violation_ns, found.cost_task_ns);
            prop_assert_eq!(sums, naive(&trace, &found.cpus), "{:?}", found);
            let behind = [
                found.behind_intervals,
                found.behind_ns,
                found.behind_cost_task_ns,
                found.leaving_idle_ns,
                found.leaving_idle_task_ns,
            ];
            prop_assert_eq!(behind, naive_behind(&trace, &found.cpus), "{:?}", found);
        }
    }

    /// A single domain of all CPUs is the machine, if every wait is on a known CPU.
    #[test]
    fn a_machine_of_one_socket_is_its_socket(trace in arbitrary::trace()) {
        let report = domain_overload(&trace, &Selection::default(), &machine("1x4x1"));
        if report.unplaced_wait_ns == 0 {
            let all = overload(&trace, &Selection::default(), 0, 0);
            let sums = (report.domains[0].intervals, report.domains[0].violation_ns, report.domains[0].cost_task_ns);
            prop_assert_eq!(sums, (all.count, all.violation_ns, all.cost_task_ns));
        }
    }
}
