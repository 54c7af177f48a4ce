//! The machine at an instant, and the way from one to the next.

use crate::support::{arbitrary, trace};
use proptest::prelude::*;
use schedindex::{all_queued, Shown};
use schedmodel::{Trace, Who};
use schedquery::query::{ChangeKind, CpuState, Standpoint};
use std::collections::{BTreeMap, BTreeSet};

const STORY: &str = "
    0 cpu0 switch idle -> a:10
    0 cpu1 switch idle -> x:20
    10 cpu1 waking b:11 last 1 by x:20
    12 cpu1 wakeup b:11 on 0 by x:20
    20 cpu0 switch a:10 R+ -> b:11
    30 cpu1 switch x:20 S -> idle
    35 cpu1 migrate a:10 from 0 to 1
    40 cpu1 switch idle -> a:10
    50 cpu0 switch b:11 S -> idle
    60 cpu0 other";

#[test]
fn a_trace_is_walked_through_event_by_event() {
    let trace = trace(2, STORY);
    let standpoint = Standpoint::new(&trace);
    let mut instants = vec![0];
    let mut told = Vec::new();
    while let Some(next) = standpoint.at(&trace, *instants.last().unwrap()).next_ns {
        let here = standpoint.at(&trace, next.0);
        assert_eq!(here.previous_ns.unwrap().0, *instants.last().unwrap(), "back again");
        let name =
            |task: &Option<schedquery::query::TaskName>| task.as_ref().map_or("-".to_owned(), |task| task.comm.clone());
        let changes = here.changes.iter().map(|change| {
            let why = change.why.clone().unwrap_or_default();
            format!("{:?} {} {} {why}", change.kind, name(&change.task), name(&change.other))
        });
        let queues = here.cpus.iter().map(|cpu| {
            cpu.queue
                .iter()
                .map(|one| one.task.comm.clone())
                .collect::<Vec<_>>()
                .join("+")
        });
        told.push(format!(
            "{next}: {} | {}",
            changes.collect::<Vec<_>>().join(", "),
            queues.collect::<Vec<_>>().join(" "),
            next = next.0
        ));
        instants.push(next.0);
    }
    assert_eq!(
        told,
        [
            "10: Waking b x task |  ",
            "12: Runnable b - wakeup | b ",
            "20: Switch b a R+, Runnable a - preempted | a ",
            "30: Switch - x S | a ",
            "35: Migration a - load_balance |  a",
            "40: Switch a -  |  ",
            "50: Switch - b S |  ",
        ]
    );
    let here = standpoint.at(&trace, 32);
    assert_eq!(here.cpus[1].state, CpuState::Idle);
    let waiting = &here.cpus[0].queue[0];
    assert_eq!(
        (waiting.since_ns.0, waiting.run.map(|run| (run.cpu, run.start_ns.0))),
        (20, Some((1, 40)))
    );
    assert!(here.changes.is_empty());
}

/// Everything that happens.
fn instants(trace: &Trace) -> BTreeSet<u64> {
    let starts = trace
        .lanes
        .iter()
        .flat_map(|lane| lane.intervals().map(|interval| interval.start));
    let edges = (0..trace.edges.len()).map(|number| trace.edges.get(number));
    let woken = edges.flat_map(|edge| {
        let at = trace.cpus.contains(&edge.waker_cpu).then_some(edge.at);
        [at, edge.woken].into_iter().flatten()
    });
    let moves = trace.migrations.iter().map(|one| one.at);
    starts
        .chain(woken)
        .chain(moves)
        .filter(|&at| at <= trace.span_ns)
        .collect()
}

proptest! {
    #[test]
    fn an_instant_equals_its_twin(trace in arbitrary::short_trace(), share in 0.0..1.0) {
        let at = (share * trace.span_ns as f64) as u64;
        let found = Standpoint::new(&trace).at(&trace, at);
        let all = instants(&trace);
        prop_assert_eq!(found.next_ns.map(|next| next.0), all.range(at + 1..).next().copied());
        prop_assert_eq!(found.previous_ns.map(|before| before.0), all.range(..at).next_back().copied());
        let mut queues = BTreeMap::<Option<u32>, usize>::new();
        all_queued(&trace, &Shown::all(), |part| {
            if (part.from..part.to).contains(&at) {
                *queues.entry(part.cpu.filter(|cpu| trace.cpus.contains(cpu))).or_default() += 1;
            }
        });
        prop_assert_eq!(found.unplaced.len(), queues.remove(&None).unwrap_or(0));
        for (of, lane) in found.cpus.iter().zip(&trace.lanes) {
            prop_assert_eq!(of.queue.len(), queues.remove(&Some(of.cpu)).unwrap_or(0), "CPU {}", of.cpu);
            let here = lane.intervals().find(|interval| interval.start <= at && at < interval.end);
            let who = here.map_or(Who::Unknown, |interval| interval.who);
            let expected = match who {
                Who::Run(id) => (CpuState::Run, Some(trace.task_of(id).pid)),
                Who::Idle => (CpuState::Idle, None),
                Who::Unknown => (CpuState::Unknown, None),
            };
            prop_assert_eq!((of.state, of.task.as_ref().map(|task| task.pid)), expected);
            for waiting in &of.queue {
                prop_assert!(waiting.since_ns.0 <= at);
            }
        }
        let switches = found.changes.iter().filter(|change| change.kind == ChangeKind::Switch).count();
        let expected = trace.lanes.iter().flat_map(|lane| {
            let begins = lane.intervals().enumerate().skip(1);
            begins.filter(|(_, interval)| interval.start == at && interval.who != Who::Unknown)
        });
        prop_assert_eq!(switches, expected.count());
    }
}
