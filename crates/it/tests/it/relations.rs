//! Who wakes whom, who has the CPU while whom waits, which CPUs are spare meanwhile, and durations against time.

use crate::support::{arbitrary, doubt, lies_in, selects, standing::Standings, trace};
use proptest::prelude::*;
use schedindex::{all_queued, Queued, Shown};
use schedmodel::topology::Topology;
use schedmodel::{Edge, TaskId, Trace, WakerContext, Who};
use schedquery::query::{
    compare, latency, latency_points, overload, side, spare_cpus, stats, took, waits, wakes, End, EndKind, GroupBy,
    PointsOf, Reach, Selection, Standpoint,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const EVERYTHING: (usize, usize) = (usize::MAX, usize::MAX);

fn text(end: &End) -> String {
    match (end.kind, &end.comm, end.pid, end.cpu) {
        (EndKind::Command, Some(comm), ..) => comm.clone(),
        (EndKind::Task, Some(_), Some(pid), _) => format!("{pid}.{}", end.generation.unwrap()),
        (EndKind::Cpu, .., Some(cpu)) => format!("CPU {cpu}"),
        (kind, None, None, None) => format!("{kind:?}"),
        _ => panic!("an end that is not one: {end:?}"),
    }
}

#[test]
fn wakeups_are_counted_by_who_made_them() {
    let trace = trace(
        4,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> b:11
         10 cpu0 waking c:12 last 1 by a:10
         11 cpu0 wakeup c:12 on 2 by a:10
         15 cpu2 switch idle -> c:12
         20 cpu2 switch c:12 S -> idle
         # An interrupt, whatever it interrupts.
         30 cpu1 waking c:12 last 2 by b:11 hardirq
         31 cpu1 wakeup c:12 on 2 by b:11
         50 cpu2 switch idle -> c:12
         60 cpu2 switch c:12 S -> idle
         70 cpu0 waking c:12 last 2 by a:10
         71 cpu0 wakeup c:12 on 0 by a:10
         80 cpu0 switch a:10 S -> c:12
         90 cpu0 other",
    );
    let machine = Arc::new(Topology::parse(b"2x2x1").unwrap());
    let found = wakes(&trace, &Selection::default(), GroupBy::Command, (10, 10), Some(machine));
    let pairs: Vec<_> = found
        .pairs
        .iter()
        .map(|pair| (text(&pair.from), text(&pair.to), pair.count, pair.ns, pair.longest_ns))
        .collect();
    assert_eq!(
        pairs,
        [
            ("a".to_owned(), "c".to_owned(), 2, 15, 10),
            ("Hardirq".to_owned(), "c".to_owned(), 1, 20, 20)
        ]
    );
    let run = found.pairs[0].run.expect("a run");
    assert_eq!((run.cpu, run.start_ns.0), (0, 80));
    assert_eq!(found.pairs[0].latency.as_ref().unwrap().ns.p50, Some(5));
    // From CPU 0 to 2, from 1 to 2, and on 0: two of three leave their socket.
    let reached: Vec<_> = found
        .distances
        .iter()
        .map(|row| (row.reach, row.from_waker.count, row.from_last.count))
        .collect();
    assert_eq!(reached, [(Reach::Cpu, 1, 1), (Reach::Machine, 2, 2)]);
}

#[test]
fn who_had_the_cpu_took_it_from_whoever_waited() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch x:20 S -> idle
         10 cpu0 wakeup b:11 on 0
         30 cpu0 switch a:10 R -> c:12
         45 cpu0 switch c:12 S -> b:11
         60 cpu0 switch b:11 S -> a:10
         90 cpu0 other",
    );
    let found = took(&trace, &Selection::default(), GroupBy::Command, (10, 10));
    let pairs: Vec<_> = found
        .pairs
        .iter()
        .map(|pair| (text(&pair.from), text(&pair.to), pair.ns, pair.count, pair.behind_ns))
        .collect();
    // b waits for a from 10 to 30 and for c until 45; a for c from 30 to 45 and for b until 60. CPU 1 is spare.
    let pair = |from: &str, to: &str, ns| (from.to_owned(), to.to_owned(), ns, 1, Some(ns));
    assert_eq!(
        pairs,
        [
            pair("a", "b", 20),
            pair("b", "a", 15),
            pair("c", "a", 15),
            pair("c", "b", 15)
        ]
    );
    assert_eq!((found.waiting_ns, found.behind_ns, found.idle_ns), (65, 65, 0));
    // With one row and column of their own, the others are one.
    let matrix = took(&trace, &Selection::default(), GroupBy::Command, (0, 1)).matrix;
    let ends: Vec<String> = matrix.from.iter().map(|row| text(&row.end)).collect();
    assert_eq!(ends, ["c", "Others"]);
    assert_eq!(matrix.from.iter().map(|row| row.ns).collect::<Vec<_>>(), [30, 35]);
}

/// By waker and wakee: how many, the sum of latencies, the longest.
type Sums = BTreeMap<(String, String), (u64, u64, u64)>;

fn name(trace: &Trace, by: GroupBy, task: TaskId, comm: &str) -> String {
    match by {
        GroupBy::Command => comm.to_owned(),
        _ => format!("{}.{}", trace.task(task).pid, trace.task(task).generation),
    }
}

/// Who made a wakeup, from the lane of its CPU.
fn naive_waker(trace: &Trace, by: GroupBy, edge: &Edge) -> String {
    match (by, edge.context) {
        (GroupBy::Cpu, _) => {
            let is_there = trace.cpus.contains(&edge.waker_cpu);
            return if is_there {
                format!("CPU {}", edge.waker_cpu)
            } else {
                "Unknown".to_owned()
            };
        }
        (_, WakerContext::Hardirq) => return "Hardirq".to_owned(),
        (_, WakerContext::Softirq) => return "Softirq".to_owned(),
        (_, WakerContext::Unknown) => return "Unknown".to_owned(),
        (_, WakerContext::Task) => {}
    }
    let Some(waker) = edge.waker else {
        return "Idle".to_owned();
    };
    let lane = trace.lane(edge.waker_cpu);
    let runs = lane.into_iter().flat_map(|lane| lane.intervals());
    let ran = runs.filter_map(|interval| match interval.who {
        Who::Run(id) if interval.start <= edge.at && edge.at <= interval.end => Some(id),
        _ => None,
    });
    let comm = ran
        .filter(|&id| trace.task_comm(id).task == waker)
        .last()
        .map(|id| trace.comm_of(id));
    name(
        trace,
        by,
        waker,
        comm.unwrap_or(trace.comms.name(trace.task(waker).comm)),
    )
}

fn naive_wakes(trace: &Trace, selection: &Selection, by: GroupBy) -> Sums {
    let mut sums = Sums::new();
    for number in 0..trace.edges.len() {
        let (edge, wakee) = (trace.edges.get(number), trace.edges.wakee(number));
        let Some(running) = edge.running.filter(|_| lies_in(trace, selection, edge.at)) else {
            continue;
        };
        let Some(lane) = edge.cpu.and_then(|cpu| trace.lane(cpu)) else {
            continue;
        };
        let of_wakee = |index: usize| lane.run(index).filter(|&id| trace.task_comm(id).task == wakee);
        let led_to = (0..lane.len())
            .filter(|&index| lane.start_of(index) == running)
            .find_map(of_wakee);
        let Some(id) = led_to.filter(|&id| selects(trace, selection, edge.cpu.unwrap(), id)) else {
            continue;
        };
        let to = match by {
            GroupBy::Cpu => format!("CPU {}", edge.cpu.unwrap()),
            _ => name(trace, by, wakee, trace.comm_of(id)),
        };
        if doubt::of_latency(trace, wakee, &edge) {
            continue;
        }
        let latency = running.saturating_sub(edge.at);
        let sum = sums.entry((naive_waker(trace, by, &edge), to)).or_default();
        *sum = (sum.0 + 1, sum.1 + latency, sum.2.max(latency));
    }
    sums
}

/// By who had the CPU, and, if that is known, who waited: how long.
fn naive_took(trace: &Trace, selection: &Selection) -> BTreeMap<String, u64> {
    let shown = Shown::filter(trace, |id| {
        let any_cpu = Selection {
            cpus: None,
            ..selection.clone()
        };
        selects(trace, &any_cpu, 0, id)
    });
    let mut sums = BTreeMap::new();
    all_queued(trace, &shown, |Queued { cpu, from, to }| {
        if selection
            .cpus
            .as_ref()
            .is_some_and(|cpus| !cpu.is_some_and(|cpu| cpus.contains(&cpu)))
        {
            return;
        }
        for at in (from..to).filter(|&at| at < trace.span_ns && lies_in(trace, selection, at)) {
            let lane = cpu.and_then(|cpu| trace.lane(cpu));
            let who = lane.and_then(|lane| lane.find(at).map(|index| lane.who(index)));
            let who = match who {
                Some(Who::Run(id)) => trace.comm_of(id).to_owned(),
                Some(Who::Idle) => "Idle".to_owned(),
                Some(Who::Unknown) | None => "Unknown".to_owned(),
            };
            *sums.entry(who).or_default() += 1;
        }
    });
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn wakeups_equal_their_twin(trace in arbitrary::trace(), selection in arbitrary::selection()) {
        for by in [GroupBy::Command, GroupBy::Task, GroupBy::Cpu] {
            let expected = naive_wakes(&trace, &selection, by);
            let found = wakes(&trace, &selection, by, EVERYTHING, None);
            let mut sums = Sums::new();
            for pair in &found.pairs {
                let measured = pair.latency.as_ref().unwrap();
                prop_assert_eq!((measured.count as u64, measured.ns.sum, measured.ns.max), (pair.count, pair.ns, Some(pair.longest_ns)));
                let run = pair.run.expect("a wakeup led to a run");
                prop_assert!(trace.lane(run.cpu).unwrap().intervals().any(|interval| interval.start == run.start_ns.0));
                sums.insert((text(&pair.from), text(&pair.to)), (pair.count, pair.ns, pair.longest_ns));
            }
            prop_assert_eq!(&sums, &expected);
            let all = latency(&trace, &selection, by, 0);
            prop_assert_eq!((found.count as usize, found.latency_ns), (all.count, all.latency_ns.sum));
            prop_assert_eq!(found.uncertain, all.uncertain.wakeups);
            for from in [false, true] {
                let reached = found.distances.iter().map(|row| if from { row.from_last } else { row.from_waker });
                let sum = reached.fold((0, 0), |sum, row| (sum.0 + row.count, sum.1 + row.latency_ns));
                prop_assert_eq!(sum, (found.count, found.latency_ns));
            }
            // A matrix of any size has the same sum.
            for ends in [1, 2, 100] {
                let matrix = wakes(&trace, &selection, by, (0, ends), None).matrix;
                prop_assert!(matrix.from.len() <= ends + 1 && matrix.to.len() <= ends + 1);
                prop_assert_eq!(matrix.cells.iter().map(|cell| cell.count).sum::<u64>(), found.count);
                prop_assert_eq!(matrix.from.iter().map(|row| row.count).sum::<u64>(), found.count);
                for (row, end) in matrix.from.iter().enumerate() {
                    let cells = matrix.cells.iter().filter(|cell| cell.from == row);
                    prop_assert_eq!(cells.map(|cell| cell.ns).sum::<u64>(), end.ns);
                }
            }
        }
    }

    #[test]
    fn who_had_the_cpu_equals_its_twin(trace in arbitrary::short_trace(), selection in arbitrary::selection()) {
        let found = took(&trace, &selection, GroupBy::Command, EVERYTHING);
        let mut sums = BTreeMap::new();
        for pair in &found.pairs {
            *sums.entry(text(&pair.from)).or_default() += pair.ns;
        }
        let expected = naive_took(&trace, &selection);
        prop_assert_eq!(&sums, &expected);
        prop_assert_eq!(found.waiting_ns, expected.values().sum::<u64>());
        prop_assert_eq!(found.idle_ns, expected.get("Idle").copied().unwrap_or(0));
        prop_assert_eq!(found.unknown_ns, expected.get("Unknown").copied().unwrap_or(0));
        prop_assert_eq!(found.behind_ns, found.pairs.iter().filter_map(|pair| pair.behind_ns).sum::<u64>());
        for by in [GroupBy::Task, GroupBy::Cpu] {
            let other = took(&trace, &selection, by, EVERYTHING);
            let sums = |found: &schedquery::query::TookReport| (found.waiting_ns, found.behind_ns, found.idle_ns, found.unknown_ns);
            prop_assert_eq!(sums(&other), sums(&found));
        }
    }

    /// Of whole waits, what they say one by one.
    #[test]
    fn who_had_the_cpu_is_the_sum_over_all_waits(trace in arbitrary::trace()) {
        let found = took(&trace, &Selection::default(), GroupBy::Command, EVERYTHING);
        let mut expected = BTreeMap::<(String, String), u64>::new();
        let all = waits(&trace, &Selection::default(), usize::MAX).longest;
        for wait in &all {
            for took in &wait.took {
                *expected.entry((took.task.comm.clone(), wait.task.comm.clone())).or_default() += took.ran_ns;
            }
        }
        let pairs = found.pairs.iter().filter(|pair| pair.from.kind == EndKind::Command);
        let sums: BTreeMap<_, _> = pairs.map(|pair| ((text(&pair.from), text(&pair.to)), pair.ns)).collect();
        for (pair, ns) in &expected {
            // Waits that no run ended come on top.
            prop_assert!(*ns <= sums.get(pair).copied().unwrap_or(0), "{pair:?}");
        }
        if trace.loose_waits.is_empty() {
            prop_assert_eq!(&sums, &expected);
            prop_assert_eq!(found.idle_ns, all.iter().map(|wait| wait.own_idle_ns).sum::<u64>());
            prop_assert_eq!(found.behind_ns, all.iter().map(|wait| wait.behind_ns).sum::<u64>());
        }
        let all = stats(&trace, &Selection::default());
        let on_cpus: u64 = all.waiting_ns_per_cpu.iter().sum();
        prop_assert_eq!(found.waiting_ns, on_cpus + all.unplaced_waiting_ns);
        prop_assert!(found.uncertain_ns <= all.uncertain_waiting_ns);
        prop_assert!(!trace.loose_waits.is_empty() || found.uncertain_ns == all.uncertain_waiting_ns);
    }

    /// Rows that make no sense stop nothing.
    #[test]
    fn damage_is_counted_too(trace in arbitrary::damage(), at in any::<u64>()) {
        let selection = Selection::default();
        for by in [GroupBy::Command, GroupBy::Task, GroupBy::Cpu] {
            wakes(&trace, &selection, by, (3, 2), None);
            took(&trace, &selection, by, (3, 2));
        }
        spare_cpus(&trace, &selection);
        for of in [PointsOf::Wakeup, PointsOf::Wait, PointsOf::Run] {
            latency_points(&trace, &selection, of, 7);
        }
        let side = side(&trace, &selection);
        compare(&side, &side);
        Standpoint::new(&trace).at(&trace, at);
    }

    #[test]
    fn spare_cpus_equal_their_twin(trace in arbitrary::short_trace(), selection in arbitrary::selection()) {
        let found = spare_cpus(&trace, &selection);
        let cpus: Vec<u32> = trace.cpus.iter().copied().filter(|cpu| selection.cpus.as_ref().is_none_or(|cpus| cpus.contains(cpu))).collect();
        prop_assert_eq!(found.cpus.iter().map(|of| of.cpu).collect::<Vec<_>>(), cpus.clone());
        let any_cpu = Selection { cpus: None, ..selection.clone() };
        let standings = Standings::new(&trace, &Shown::filter(&trace, |id| selects(&trace, &any_cpu, 0, id)));
        let mut expected: BTreeMap<u32, [u64; 4]> = cpus.iter().map(|&cpu| (cpu, [0; 4])).collect();
        let mut all = 0;
        for at in (0..trace.span_ns).filter(|&at| lies_in(&trace, &selection, at)) {
            let (behind, spare, _) = standings.at(&cpus, at);
            let together = 0 < behind && !spare.is_empty();
            all += u64::from(together);
            for &cpu in &cpus {
                let (behind, spare, leaving) = standings.at(&[cpu], at);
                let sums = expected.get_mut(&cpu).unwrap();
                sums[0] += u64::from(together && !spare.is_empty());
                sums[1] += u64::from(together && 0 < behind);
                sums[2] += if together { behind } else { 0 };
                sums[3] += leaving;
            }
        }
        prop_assert_eq!(found.behind_ns, all);
        for of in &found.cpus {
            prop_assert_eq!([of.spare_ns, of.behind_ns, of.behind_task_ns, of.leaving_idle_task_ns], expected[&of.cpu]);
        }
        let overloads = overload(&trace, &selection, 0, 0);
        prop_assert_eq!((found.behind_ns, found.behind_cost_task_ns), (overloads.behind_ns, overloads.behind_cost_task_ns));
    }

    #[test]
    fn points_are_the_longest_of_their_columns(trace in arbitrary::trace(), selection in arbitrary::selection(), columns in 1_u32..40) {
        let all = latency(&trace, &selection, GroupBy::Command, usize::MAX);
        let found = latency_points(&trace, &selection, PointsOf::Wakeup, columns);
        prop_assert_eq!(found.count as usize, all.count);
        prop_assert_eq!(found.uncertain, all.uncertain.wakeups);
        prop_assert_eq!(found.points.iter().map(|point| point.count).sum::<u64>(), found.count);
        let (first, last) = (found.first_ns.0, found.last_ns.0);
        let column = |at: u64| u128::from(at - first) * u128::from(columns) / u128::from((last - first).max(1));
        let mut expected = BTreeMap::new();
        for worst in all.worst.iter().filter(|worst| !worst.uncertain) {
            let most = expected.entry(column(worst.at_ns.0)).or_insert(0);
            *most = worst.latency_ns.unwrap().max(*most);
        }
        let mut highest = BTreeMap::new();
        for point in &found.points {
            let most = highest.entry(column(point.at_ns.0)).or_insert(0);
            *most = point.ns.max(*most);
            let is_one = all.worst.iter().any(|worst| {
                !worst.uncertain && (worst.at_ns, worst.latency_ns) == (point.at_ns, Some(point.ns))
            });
            prop_assert!(is_one, "a point is a value that was measured");
        }
        prop_assert_eq!(highest, expected);
        for (of, measured) in [
            (PointsOf::Wait, &all.waits.all),
            (PointsOf::WaitPreempted, &all.waits.preempted),
            (PointsOf::Run, &all.runs.all),
            (PointsOf::RunSlept, &all.runs.slept),
        ] {
            let found = latency_points(&trace, &selection, of, columns);
            prop_assert_eq!(found.count as usize, measured.count);
            prop_assert_eq!(found.points.iter().map(|point| point.ns).max(), measured.ns.max);
        }
    }
}
