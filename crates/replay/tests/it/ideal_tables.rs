//! What each policy gives each nice value, by arithmetic.

use crate::common::{replayed, trace_of};
use replay::compare::{metrics, Only};
use replay::generate::{fairbench, responsebench};
use replay::machine::Machine;

const MS: u64 = 1_000_000;
const SPAN: u64 = 180_000 * MS;

/// Seconds for each task at nice -20, -10, 0, 10 and 19.
fn each(spec: &str, span: u64) -> Vec<Vec<u64>> {
    let workload = fairbench();
    let outcome = replayed(&workload, &Machine::flat(1), spec, span);
    assert_eq!(outcome.cpu_ns.iter().sum::<u64>(), span, "{spec}");
    outcome.cpu_ns.chunks(5).map(<[u64]>::to_vec).collect()
}

fn assert_shares(spec: &str, weights: [u64; 5], slack: impl Fn(u64) -> u64) {
    let sum: u64 = weights.iter().sum();
    for (found, weight) in each(spec, SPAN).into_iter().zip(weights) {
        let ideal = SPAN / 5 * weight / sum;
        for found in found {
            assert!(found.abs_diff(ideal) <= slack(ideal), "{spec}: {found} of {ideal}");
        }
    }
}

#[test]
fn whole_rounds_are_exact() {
    let linux24 = [110, 80, 60, 30, 10];
    let o1 = [200, 151, 102, 53, 10];
    for (spec, slices) in [("linux24", linux24), ("o1", o1)] {
        let round = 5 * slices.iter().sum::<u64>();
        for rounds in [1, 7, 40] {
            let found = each(spec, rounds * round * MS);
            for (found, slice) in found.into_iter().zip(slices) {
                assert_eq!(found, vec![rounds * slice * MS; 5], "{spec}, {rounds} rounds");
            }
        }
    }
}

#[test]
fn fair_policies_share_by_weight() {
    let tick = 4 * MS;
    let slack = |ideal: u64| if 100 * tick <= ideal { ideal / 100 } else { tick };
    assert_shares("cfs", [88761, 9548, 1024, 110, 15], slack);
    assert_shares("eevdf", [88761, 9548, 1024, 110, 15], slack);
}

#[test]
fn shares_of_ebs() {
    assert_shares("ebs", [420, 120, 20, 10, 1], |_| 200 * MS);
}

#[test]
fn round_robin_knows_no_nice_values() {
    assert_shares("rr", [1; 5], |_| 100 * MS);
}

/// The longest wait of any kind in ms, in whichever whole millisecond of its period a tick comes. Who meets whom decides it, and
/// thus the order in which the tasks begin: with the longest sleepers first, as they are made, it is in the bounds; of O(1)
/// other orders lie up to 6 % beyond.
#[test]
fn the_longest_wait_of_responsebench() {
    let made = responsebench(SPAN);
    let worst = |spec: &str, phase: u64| {
        let mut machine = Machine::flat(1);
        machine.phases = vec![Some(phase * MS)];
        let trace = trace_of(replayed(&made, &machine, spec, SPAN));
        let open = trace.loose_waits.iter().map(|wait| wait.until - wait.since);
        metrics(&trace, &Only(None)).waits.max.max(open.max().unwrap_or(0)) / MS
    };
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for (spec, range) in [
        ("linux24", 195..=265),
        ("o1", 21_650..=22_010),
        ("cfs", 110..=132),
        ("eevdf", 105..=108),
        ("ebs", 100..=120),
        ("rr", 100..=120),
    ] {
        let found: Vec<u64> = (0..4).map(|phase| worst(spec, phase)).collect();
        if !found.iter().all(|found| range.contains(found)) {
            wrong.push(format!("{spec}: {found:?} ms of {range:?}"));
        }
        all.push(found);
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    // As WARP found: 2.4 and EBS are alike, and O(1) is an order of magnitude worse.
    let (linux24, o1, ebs) = (all[0].iter().max(), all[1].iter().min(), all[4].iter().max());
    assert!(10 * linux24.max(ebs).unwrap() <= *o1.unwrap(), "{all:?}");
}
