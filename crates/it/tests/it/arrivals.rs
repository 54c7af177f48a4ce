//! Runs that begin on another CPU than their task's run before, and how far apart the two are.

use crate::support::{self, arbitrary};
use proptest::prelude::*;
use schedindex::ArrivalCounts;
use schedmodel::topology::{Distance, Topology};
use schedmodel::Trace;
use schedquery::query::{CpuMove, CpuMoves, IndexSpec, Indexes, TimeWindow};
use std::sync::Arc;

fn topology(text: &str) -> Option<Arc<Topology>> {
    Some(Arc::new(Topology::parse(text.as_bytes()).expect("a topology")))
}

#[test]
fn a_task_that_comes_from_another_cpu_from_near_or_far() {
    // a goes from CPU 0 to its sibling 4, to 1 with the same cache, to 2 on the other socket, and stays there.
    let view = support::view(
        8,
        "0 cpu0 switch idle -> a:10
         10 cpu0 switch a:10 R -> b:11
         20 cpu4 switch idle -> a:10
         30 cpu4 switch a:10 S -> idle
         40 cpu1 switch idle -> a:10
         50 cpu1 switch a:10 S -> idle
         60 cpu2 switch idle -> a:10
         70 cpu2 switch a:10 S -> idle
         80 cpu2 switch idle -> a:10
         90 cpu7 other",
    );
    let all = TimeWindow { start: 0, end: 100 };
    let cpus: Vec<u32> = (0..8).collect();
    let moved = |cpu, at, from, left, distance| CpuMove {
        cpu,
        at,
        from,
        left,
        distance,
    };
    let known = view.with_topology(topology("2x2x2"));
    let CpuMoves { counts, moves } = known.moves(all, &cpus, 3);
    let expected = ArrivalCounts {
        core: 1,
        llc: 1,
        machine: 1,
        ..ArrivalCounts::default()
    };
    assert_eq!(counts, expected);
    let expected = [
        moved(1, 40, 4, 30, Some(Distance::Llc)),
        moved(2, 60, 1, 50, Some(Distance::Machine)),
        moved(4, 20, 0, 10, Some(Distance::Core)),
    ];
    assert_eq!(moves.as_deref(), Some(&expected[..]));
    assert_eq!(known.moves(all, &cpus, 2).moves, None);
    // Without a topology, or with one that lacks a CPU, the distance is not known.
    assert_eq!(view.moves(all, &cpus, 3).counts.unknown, 3);
    let part = view.with_topology(topology("1x4x1"));
    assert_eq!(part.moves(all, &[4], 3).counts.unknown, 1);
    assert_eq!(
        part.moves(all, &[2, 99], 3).moves,
        Some(vec![moved(2, 60, 1, 50, Some(Distance::Llc))])
    );
}

/// The answer by looking at all runs of each task, sorted by time.
fn naive(trace: &Trace, topology: &Topology, window: &TimeWindow, cpus: &[u32], forked: bool) -> Vec<CpuMove> {
    let mut moves = Vec::new();
    for task in 0..trace.tasks.len() {
        let mut runs = Vec::new();
        for (lane, &cpu) in trace.lanes.iter().zip(&trace.cpus) {
            for index in 0..lane.len() {
                let is_it = lane
                    .run(index)
                    .is_some_and(|id| trace.task_comm(id).task.0 as usize == task);
                if is_it && (!forked || trace.tasks[task].forked) {
                    runs.push((lane.start_of(index), cpu, lane.end_of(index)));
                }
            }
        }
        // The sort is stable: runs that begin at the same time stay ordered by CPU, as they were found.
        runs.sort_by_key(|&(start, _, _)| start);
        for two in runs.windows(2) {
            let ((_, from, left), (at, cpu, _)) = (two[0], two[1]);
            if from != cpu && window.start <= at && at < window.end && cpus.contains(&cpu) {
                let distance = topology.distance(from, cpu);
                moves.push(CpuMove {
                    cpu,
                    at,
                    from,
                    left,
                    distance,
                });
            }
        }
    }
    moves.sort_by_key(|found| (found.cpu, found.at, found.from, found.left));
    moves
}

proptest! {
    #[test]
    fn moves_equal_their_twin(
        trace in arbitrary::trace(),
        bounds in (0..6000_u64, 0..6000_u64),
        forked in any::<bool>(),
        text in prop_oneof![Just("1x3x1"), Just("2x1x2"), Just("socket:0.2/1"), Just("2x1x1")],
    ) {
        let window = TimeWindow { start: bounds.0.min(bounds.1), end: bounds.0.max(bounds.1) };
        let known = topology(text).expect("a topology");
        let expected = naive(&trace, &known, &window, &trace.cpus, forked);
        let spec = IndexSpec { forked, ..IndexSpec::default() };
        let view = Indexes::new(Arc::new(trace.clone()), IndexSpec::default()).with_topology(Some(known)).with(spec);
        let found = view.moves(window, &trace.cpus, usize::MAX);
        let count = |distance| expected.iter().filter(|found| found.distance == distance).count() as u32;
        prop_assert_eq!(found.counts.core, count(Some(Distance::Core)));
        prop_assert_eq!(found.counts.llc, count(Some(Distance::Llc)));
        prop_assert_eq!(found.counts.machine, count(Some(Distance::Machine)));
        prop_assert_eq!(found.counts.unknown, count(None));
        let mut moves = found.moves.expect("all are asked for");
        moves.sort_by_key(|found| (found.cpu, found.at, found.from, found.left));
        prop_assert_eq!(moves, expected);
    }
}
