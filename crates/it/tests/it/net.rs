//! Numbers without what interrupts took, against single ns.

use crate::support::{arbitrary, doubt};
use proptest::prelude::*;
use schedindex::Runs;
use schedmodel::{Trace, Who};
use schedquery::calls::{Calls, Interrupts, KernelLog};
use schedquery::query::{latency, net_latency, stats, GroupBy, Model, RunEnd, Selection, Shared};
use schedrows::{CommTable, CpuScan, KernelKind, KernelRow};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// When handlers began and ended on a CPU, since the trace's begin; those of a kind do not overlap.
#[derive(Clone, Debug)]
struct Handlers {
    hard: Vec<Range<u64>>,
    soft: Vec<Range<u64>>,
}

fn handlers() -> impl Strategy<Value = Handlers> {
    let one = || prop::collection::vec((0_u64..90, 1_u64..40), 0..12);
    let placed = |gaps: Vec<(u64, u64)>| {
        let mut at = 0;
        let place = |(after, ns): (u64, u64)| {
            let from = at + after;
            at = from + ns;
            from..at
        };
        gaps.into_iter().map(place).collect::<Vec<_>>()
    };
    (one(), one()).prop_map(move |(hard, soft)| Handlers {
        hard: placed(hard),
        soft: placed(soft),
    })
}

fn log(trace: &Trace, cpu: u32, handlers: &Handlers) -> KernelLog {
    let kinds = [
        (&handlers.hard, KernelKind::IrqEntry, KernelKind::IrqExit),
        (&handlers.soft, KernelKind::SoftirqEntry, KernelKind::SoftirqExit),
    ];
    let mut rows = Vec::new();
    for (times, entry, exit) in kinds {
        // One that ends where the next begins does so first.
        rows.extend(
            times
                .iter()
                .flat_map(|time| [(time.start, 1, entry), (time.end, 0, exit)]),
        );
    }
    rows.sort_by_key(|&(at, order, _)| (at, order));
    let mut scan = CpuScan {
        cpu,
        comms: CommTable {
            names: vec![String::new()],
        },
        ..CpuScan::default()
    };
    for (at, _, kind) in rows.into_iter().filter(|&(at, ..)| at <= trace.span_ns) {
        scan.kernel.push(KernelRow {
            ts: trace.origin_ns + at,
            kind,
            pid: 1,
            number: 1,
            value: 0,
        });
    }
    KernelLog::take(&mut scan)
}

fn interrupts(trace: &Trace, cpus: &[Handlers]) -> Arc<Interrupts> {
    let logs: Vec<KernelLog> = (0..)
        .zip(cpus)
        .map(|(cpu, handlers)| log(trace, cpu, handlers))
        .collect();
    Calls::new(trace, &Runs::new(trace), &logs).interrupts
}

/// By lane, the ns that handlers took which ended before the trace did.
fn taken(trace: &Trace, cpus: &[Handlers]) -> Vec<HashSet<u64>> {
    let mut taken = vec![HashSet::new(); trace.lanes.len()];
    for (cpu, Handlers { hard, soft }) in (0..).zip(cpus) {
        let Some(lane) = trace.lane_index(cpu) else { continue };
        let ended = hard.iter().chain(soft).filter(|time| time.end <= trace.span_ns);
        taken[lane].extend(ended.flat_map(Clone::clone));
    }
    taken
}

proptest! {
    #[test]
    fn net_stats_count_no_ns_of_interrupts(
        trace in arbitrary::short_trace(),
        cpus in prop::collection::vec(handlers(), 3),
        (min, length) in (0_u64..500, 0_u64..1500),
    ) {
        let selection = Selection { min: Some(min), max: Some(min + length), ..Selection::default() };
        let window = min..(min + length);
        let gross = stats(&trace, &selection);
        let shared = Shared::default();
        let net = Model::new(&trace, &shared).net_stats(&selection, &interrupts(&trace, &cpus));
        let taken = taken(&trace, &cpus);
        let mut of_tasks = vec![0; trace.tasks.len()];
        let mut of_comms = BTreeMap::<&str, u64>::new();
        let mut of_lanes = vec![0; trace.lanes.len()];
        for (index, lane) in trace.lanes.iter().enumerate() {
            for interval in lane.intervals() {
                let Who::Run(who) = interval.who else { continue };
                let inside = |at: &u64| window.contains(at) && taken[index].contains(at);
                let ns = (interval.start..interval.end).filter(inside).count() as u64;
                of_lanes[index] += ns;
                of_tasks[trace.task_comm(who).task.0 as usize] += ns;
                *of_comms.entry(trace.comm_of(who)).or_default() += ns;
            }
        }
        prop_assert_eq!(net.irq_ns_per_cpu.as_ref(), Some(&of_lanes));
        for (lane, irq) in of_lanes.iter().enumerate() {
            prop_assert_eq!(net.busy_ns_per_cpu[lane] + irq, gross.busy_ns_per_cpu[lane]);
        }
        for (task, (net, gross)) in net.tasks.iter().zip(&gross.tasks).enumerate() {
            prop_assert_eq!(net.irq_ns, Some(of_tasks[task]));
            prop_assert_eq!(net.execution_ns + of_tasks[task], gross.execution_ns);
            prop_assert_eq!(net.waiting_ns, gross.waiting_ns);
        }
        prop_assert_eq!(net.commands.len(), gross.commands.len());
        prop_assert!(net.commands.is_sorted_by_key(|command| std::cmp::Reverse(command.execution_ns)));
        for command in &net.commands {
            let whole = gross.commands.iter().find(|other| other.comm == command.comm).unwrap();
            prop_assert_eq!(command.irq_ns, of_comms.get(command.comm.as_str()).copied());
            prop_assert_eq!(command.execution_ns + command.irq_ns.unwrap(), whole.execution_ns);
        }
    }

    #[test]
    fn net_latencies_count_no_ns_of_interrupts(
        trace in arbitrary::short_trace(),
        cpus in prop::collection::vec(handlers(), 3),
    ) {
        let all = Selection::default();
        let taken = taken(&trace, &cpus);
        let left = |lane: usize, time: Range<u64>| time.filter(|at| !taken[lane].contains(at)).count() as u64;
        let net = net_latency(&trace, &all, GroupBy::Cpu, usize::MAX, &interrupts(&trace, &cpus));
        let gross = latency(&trace, &all, GroupBy::Cpu, usize::MAX);
        let mut expected: Vec<(u64, bool)> = Vec::new();
        for edge in &gross.worst {
            let lane = trace.lane_index(edge.cpu.unwrap()).unwrap();
            expected.push((left(lane, edge.at_ns.0..edge.running_ns.unwrap().0), edge.uncertain));
        }
        expected.sort_by_key(|&(ns, _)| std::cmp::Reverse(ns));
        let found: Vec<u64> = net.worst.iter().map(|edge| edge.latency_ns.unwrap()).collect();
        let all: Vec<u64> = expected.iter().map(|&(ns, _)| ns).collect();
        prop_assert_eq!(&found, &all);
        let mut certain = expected.iter().filter(|&&(_, uncertain)| !uncertain);
        prop_assert_eq!(net.latency_ns.max, certain.next().map(|&(ns, _)| ns));

        let (mut runs, mut waits) = (Vec::new(), Vec::new());
        for (index, lane) in trace.lanes.iter().enumerate() {
            for (number, interval) in lane.intervals().enumerate() {
                if !matches!(interval.who, Who::Run(_)) {
                    continue;
                }
                let wait = lane.wait(number).filter(|_| !doubt::of_wait(&trace, index, number));
                waits.extend(wait.map(|wait| left(index, wait.since..interval.start)));
                let whole = lane.whole_run(number);
                let ended = lane.end_state(number).and_then(RunEnd::of);
                if whole.end == number + 1 && lane.switched_to(whole.start) && ended.is_some() {
                    runs.push(left(index, lane.start_of(whole.start)..interval.end));
                }
            }
        }
        for (mut expected, found) in [(runs, net.runs.all), (waits, net.waits.all)] {
            expected.sort_unstable();
            prop_assert_eq!(expected.len(), found.count);
            prop_assert_eq!(expected.last().copied(), found.ns.max);
            let half = expected.len().div_ceil(2).checked_sub(1);
            prop_assert_eq!(half.map(|half| expected[half]), found.ns.p50);
        }
    }
}
