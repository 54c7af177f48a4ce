//! The findings as a whole equal their naive twin: all of each kind, from the queries that list them one kind at a time, in the
//! order that `docs/numbers.md` gives, each compared with all before it.

use crate::cascades::naive_gaps;
use crate::support::{arbitrary, trace};
use proptest::prelude::*;
use schedmodel::{Time, Trace};
use schedquery::query::{
    findings, latency, overload, placements, waits, Cascades, Finding, FindingKind, GroupBy, RunPlace, Selection,
};

/// What decides about the place of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ranked {
    kind: FindingKind,
    cost: u64,
    from: u64,
    to: u64,
    comm: String,
    run: Option<(u32, u64)>,
    uncertain: bool,
    folded: u64,
}

const fn place(run: RunPlace) -> (u32, u64) {
    (run.cpu, run.start_ns.0)
}

/// Of so many of each kind, in debug builds, other kinds are folded into them and they are counted.
const LOOKED_AT: usize = 16;

/// Kinds that are about one wait, the most telling first.
const TELLING: [FindingKind; 4] = [
    FindingKind::MovedOffIdle,
    FindingKind::Overload,
    FindingKind::Wait,
    FindingKind::Latency,
];

fn telling(kind: FindingKind) -> usize {
    TELLING.iter().position(|&other| other == kind).unwrap_or(TELLING.len())
}

/// All findings but those about preemptions, each kind in the order of its query.
fn all(trace: &Trace) -> Vec<Ranked> {
    let (selection, most) = (Selection::default(), usize::MAX);
    let mut found = Vec::new();
    let mut add = |kind, cost, (Time(from), Time(to)), comm: &str, run: Option<(u32, u64)>, uncertain| {
        found.push(Ranked {
            kind,
            cost,
            from,
            to,
            comm: comm.to_owned(),
            run,
            uncertain,
            folded: 0,
        });
    };
    for one in overload(trace, &selection, 0, most).behind {
        let (comm, run) = one
            .tasks
            .first()
            .map_or(("", None), |first| (first.task.comm.as_str(), first.run));
        let (time, run) = ((one.start_ns, one.end_ns), run.map(place));
        add(FindingKind::Overload, one.cost_task_ns, time, comm, run, one.uncertain);
    }
    for one in waits(trace, &selection, most).longest {
        let (time, run) = ((one.since_ns, one.until_ns), Some((one.cpu, one.until_ns.0)));
        add(
            FindingKind::Wait,
            one.behind_ns,
            time,
            &one.task.comm,
            run,
            one.uncertain,
        );
    }
    for (comm, from, to, cost, _) in naive_gaps(trace, 0..u64::MAX, None) {
        let uncertain = trace.holes.any(from, to);
        add(FindingKind::Gap, cost, (Time(from), Time(to)), &comm, None, uncertain);
    }
    let moved = placements(trace, &selection, most).moved.into_iter();
    let late = latency(trace, &selection, GroupBy::Command, most).worst.into_iter();
    let moved = moved.map(|edge| (FindingKind::MovedOffIdle, edge));
    for (kind, edge) in moved.chain(late.map(|edge| (FindingKind::Latency, edge))) {
        let run = edge.cpu.zip(edge.running_ns);
        let time = (edge.at_ns, edge.running_ns.expect("it ran"));
        let (cost, run) = (edge.latency_ns.expect("it ran"), run.map(|(cpu, at)| (cpu, at.0)));
        add(kind, cost, time, &edge.wakee.comm, run, edge.uncertain);
    }
    for one in Cascades::new(trace).longest(&selection, most).cascades {
        let first = &one.moves[0];
        let (time, comm) = ((one.start_ns, one.end_ns), &first.task.comm);
        add(FindingKind::Cascade, one.cost_ns, time, comm, None, one.uncertain);
    }
    found.retain(|finding| 0 < finding.cost);
    found
}

/// Whether one of two findings of a kind tells the story of the other.
fn same_story(one: &Ranked, other: &Ranked) -> bool {
    let common = one.to.min(other.to).saturating_sub(one.from.max(other.from));
    let shorter = (one.to - one.from).min(other.to - other.from);
    let about_a_wait = telling(one.kind) < TELLING.len();
    (about_a_wait && one.run.is_some() && one.run == other.run)
        || (one.comm == other.comm && 0 < common && shorter <= 2 * common)
}

fn naive(trace: &Trace, top: usize) -> Vec<Ranked> {
    let mut left = all(trace);
    left.sort_by_key(|one| {
        (
            one.uncertain,
            std::cmp::Reverse(one.cost),
            telling(one.kind),
            one.kind as u8,
            one.from,
        )
    });
    let mut kept: Vec<(usize, Ranked)> = Vec::new();
    let mut numbers = [0; 10];
    for one in left {
        let number = &mut numbers[one.kind as usize];
        *number += 1;
        let of_kind = kept
            .iter()
            .position(|(_, other)| other.kind == one.kind && one.cost <= other.cost && same_story(other, &one));
        let of_run = || {
            kept.iter().position(|(number, other)| {
                let says_more = telling(other.kind) < telling(one.kind) && telling(one.kind) < TELLING.len();
                says_more && *number <= LOOKED_AT && one.cost <= other.cost && one.run.is_some() && one.run == other.run
            })
        };
        match of_kind.or_else(of_run) {
            Some(into) => kept[into].1.folded += u64::from(*number <= LOOKED_AT),
            None => kept.push((*number, one)),
        }
    }
    let mut listed = [0; 10];
    let listed = kept.into_iter().filter(|(_, one)| {
        listed[one.kind as usize] += 1;
        listed[one.kind as usize] <= top
    });
    listed.map(|(_, one)| one).collect()
}

fn ranked(found: Vec<Finding>) -> Vec<Ranked> {
    let is_taken = |kind| matches!(kind, FindingKind::Preemption | FindingKind::KernelPreemption);
    let found = found.into_iter().filter(|finding| !is_taken(finding.kind));
    let found = found.map(|finding| Ranked {
        kind: finding.kind,
        cost: finding.cost_ns,
        from: finding.start_ns.0,
        to: finding.end_ns.0,
        // A cascade's run is that of its first move.
        run: finding.run.map(place).filter(|_| finding.kind != FindingKind::Cascade),
        comm: finding.comm,
        uncertain: finding.uncertain,
        folded: finding.folded,
    });
    found.collect()
}

/// What is the same whichever of several findings that cost the same comes first.
fn costs(found: &[Ranked]) -> Vec<(FindingKind, u64, bool)> {
    found.iter().map(|one| (one.kind, one.cost, one.uncertain)).collect()
}

/// Whether costs, with times and kinds, leave no choice.
fn is_unambiguous(all: &[Ranked]) -> bool {
    let mut keys: Vec<_> = all.iter().map(|one| (one.kind, one.cost)).collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn findings_are_their_naive_twin(trace in arbitrary::short_trace(), top in 0_usize..20) {
        let (found, expected) = (ranked(findings(&trace, &Selection::default(), top)), naive(&trace, top));
        match is_unambiguous(&all(&trace)) {
            true => prop_assert_eq!(found, expected),
            false => prop_assert_eq!(costs(&found).first().copied(), costs(&expected).first().copied()),
        }
    }

    #[test]
    fn of_each_kind_a_short_list_is_the_beginning_of_a_long_one(
        trace in arbitrary::trace(),
        selection in arbitrary::selection(),
        short in 0_usize..6,
        more in 0_usize..30,
    ) {
        let short_list = findings(&trace, &selection, short);
        let long_list = findings(&trace, &selection, short + more);
        for &kind in FindingKind::ALL {
            let of_kind = |all: &[Finding]| -> Vec<Finding> {
                all.iter().filter(|finding| finding.kind == kind).cloned().collect()
            };
            let (short_list, long_list) = (of_kind(&short_list), of_kind(&long_list));
            prop_assert_eq!(short_list.len(), long_list.len().min(short));
            prop_assert_eq!(&short_list[..], &long_list[..short_list.len()]);
        }
    }

    #[test]
    fn the_order_is_that_of_the_costs(trace in arbitrary::trace(), top in 0_usize..20) {
        let found = findings(&trace, &Selection::default(), top);
        let rank = |finding: &Finding| {
            let is_usual = finding.kind == FindingKind::Preemption;
            (finding.uncertain, is_usual, std::cmp::Reverse(finding.cost_ns))
        };
        prop_assert!(found.is_sorted_by_key(rank));
    }

    #[test]
    fn the_costliest_is_never_folded(trace in arbitrary::trace()) {
        let found = ranked(findings(&trace, &Selection::default(), 1));
        let all = all(&trace);
        let certain = all.iter().filter(|one| !one.uncertain);
        prop_assert_eq!(
            found.iter().filter(|one| !one.uncertain).map(|one| one.cost).max(),
            certain.map(|one| one.cost).max()
        );
    }
}

#[test]
fn a_finding_is_folded_only_into_one_that_costs_no_less() {
    // a waits for 100 ns, of which CPU 1 is spare for 10: the overload costs less than the latency.
    let found = ranked(findings(
        &trace(
            2,
            "0 cpu0 switch idle -> x:9
             0 cpu1 switch idle -> y:8
             10 cpu0 wakeup a:10 on 0
             50 cpu1 switch y:8 S -> idle
             60 cpu1 switch idle -> y:8
             110 cpu0 switch x:9 S -> a:10
             200 cpu0 other",
        ),
        &Selection::default(),
        10,
    ));
    let told: Vec<_> = found.iter().map(|one| (one.kind, one.cost, one.folded)).collect();
    assert_eq!(
        told,
        [(FindingKind::Latency, 100, 0), (FindingKind::Overload, 10, 1)],
        "the wait is folded into the overload"
    );
}

/// A task that is preempted on CPU 0 is pulled to CPU 1 after `wait` ns, whose task then wakes onto CPU 2, and, if `all`, the task
/// of that onto CPU 3. Pids are from `pid` on, times from `at` on.
fn cascade(at: u64, pid: i32, wait: u64, all: bool) -> String {
    let [a, b, c, other] = [pid, pid + 1, pid + 2, pid + 3];
    let moved = at + 10 + wait;
    let third = format!(
        "{} cpu1 waking t:{c} last 2 by t:{a}
         {} cpu1 migrate t:{c} from 2 to 3
         {} cpu1 wakeup t:{c} on 3 by t:{a}
         {} cpu3 switch idle -> t:{c}
         {} cpu3 switch t:{c} S -> idle\n",
        moved + 20,
        moved + 21,
        moved + 22,
        moved + 23,
        moved + 60
    );
    format!(
        "{at} cpu0 switch idle -> t:{a}
         {at} cpu1 switch idle -> t:{b}
         {at} cpu2 switch idle -> t:{c}
         {} cpu0 switch t:{a} R+ -> t:{other}
         {} cpu1 switch t:{b} S -> idle
         {} cpu2 switch t:{c} S -> idle
         {moved} cpu1 migrate t:{a} from 0 to 1
         {} cpu1 switch idle -> t:{a}
         {} cpu0 switch t:{other} S -> idle
         {} cpu1 waking t:{b} last 1 by t:{a}
         {} cpu1 migrate t:{b} from 1 to 2
         {} cpu1 wakeup t:{b} on 2 by t:{a}
         {} cpu2 switch idle -> t:{b}
         {}{} cpu1 switch t:{a} S -> idle
         {} cpu2 switch t:{b} S -> idle\n",
        at + 10,
        at + 11,
        at + 11,
        moved + 1,
        moved + 5,
        moved + 10,
        moved + 11,
        moved + 12,
        moved + 13,
        if all { third } else { String::new() },
        moved + 60,
        moved + 60
    )
}

#[test]
fn the_costliest_cascade_is_listed_however_short_it_is() {
    let long: String = (0..40_u64)
        .map(|nth| cascade(100 + nth * 200, 10 + 4 * nth as i32, 2, true))
        .collect();
    let text = format!(
        "0 cpu3 switch z:9 S -> idle\n{long}{}20000 cpu0 other",
        cascade(9000, 500, 5000, false)
    );
    let found = trace(4, &text);
    let cascades = Cascades::new(&found).longest(&Selection::default(), usize::MAX);
    assert_eq!(cascades.count, 41);
    assert_eq!(cascades.cascades[0].length, 3);
    for top in [1, 2, 10] {
        let listed = findings(&found, &Selection::default(), top).into_iter();
        let first = listed
            .filter(|one| one.kind == FindingKind::Cascade)
            .map(|one| one.cost_ns)
            .next();
        // Preempted at 9010 and pulled 5000 ns later; the other one was woken 1 ns before it ran.
        assert_eq!(first, Some(5001 + 1), "--top {top}");
    }
}
