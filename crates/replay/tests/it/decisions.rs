//! What the policies would have decided where recordings decided, which only some machines have: agreement in percent, with what a
//! prototype that shares nothing with this found.

use crate::common::{folder, scanned};
use replay::decisions::{decisions, Decisions};
use replay::machine::{Machine, Sync};

/// No two CPUs share a cache: as the guests place that made most recordings.
fn machine(cpus: u32, shared: bool) -> Machine {
    let mut machine = Machine::flat(cpus);
    if !shared {
        machine.places.iter_mut().for_each(|place| place.llc = place.cpu);
    }
    machine
}

fn percent(agreed: u64, asked: u64) -> f64 {
    agreed as f64 * 100.0 / asked.max(1) as f64
}

fn asked(name: &str, policy: &str, change: impl Fn(&mut Machine)) -> Option<Decisions> {
    let path = ["traces", "replay"].into_iter().filter_map(folder);
    let path = path
        .flat_map(|folder| ["dat", "dat.zst"].map(|end| folder.join(format!("{name}.{end}"))))
        .find(|path| path.exists())?;
    let (scans, cpus) = scanned(&path);
    let mut machine = machine(cpus, false);
    change(&mut machine);
    decisions(scans, &machine, &policy.parse().unwrap())
}

/// How often it is asked, and the least agreement, to a tenth of a percent.
#[test]
fn picks() {
    for (name, policy, times, least) in [
        ("responsebench-4cpu", "cfs", 1912, 91.0),
        ("hackbench-8cpu-sleep", "cfs", 10_353, 89.0),
        ("hackthread-8cpu", "cfs", 4810, 89.0),
        ("badplace-8cpu", "cfs", 468, 98.0),
        ("mixed128", "cfs", 175, 98.0),
        ("b510-hackbench-8cpu", "cfs", 6871, 87.0),
        ("fork61-1cpu", "cfs", 4102, 99.5),
        ("t612-response-8cpu", "eevdf", 1886, 82.0),
    ] {
        let Some(found) = asked(name, policy, |_| {}) else {
            continue;
        };
        let agreement = percent(found.picks.agreed, found.picks.asked);
        eprintln!("{name} {policy}: {agreement:.1} % of {}", found.picks.asked);
        assert_eq!(found.picks.asked, times, "{name}");
        assert!(least <= (agreement * 10.0).round() / 10.0, "{name}: {agreement}");
    }
}

/// The wrong policy agrees less.
#[test]
fn other_policies_pick_others() {
    for (name, right, wrong) in [
        ("responsebench-4cpu", "cfs", ["eevdf", "fcfs"]),
        ("hackthread-8cpu", "cfs", ["eevdf", "fcfs"]),
        ("t612-response-8cpu", "eevdf", ["cfs", "fcfs"]),
    ] {
        let agreed = |policy| asked(name, policy, |_| {}).map(|found| found.picks.agreed);
        let Some(right) = agreed(right) else { continue };
        for policy in wrong {
            assert!(agreed(policy).unwrap() < right, "{name} {policy}");
        }
    }
}

type Change = fn(&mut Machine);
const NOTHING: Change = |_| {};
const SHARED: Change = |it| *it = machine(it.cpus(), true);
const SYNC: Change = |it| it.placement.sync = Sync::On;
const WITHOUT_CHECK: Change = |it| it.placement.idle_prev = false;

/// Caches, sync wakeups, and the check of commit d8fcb81f1acf each move where wakeups would have gone, as far as the prototype found,
/// give or take one percent.
#[test]
fn placements() {
    for (name, policy, change, expected) in [
        ("responsebench-4cpu", "cfs", NOTHING, 98.0),
        ("responsebench-4cpu", "cfs", SHARED, 88.0),
        ("t612-response-8cpu", "eevdf", NOTHING, 94.0),
        ("stress-8cpu", "cfs", NOTHING, 99.0),
        ("stress-8cpu", "cfs", SHARED, 66.0),
        ("hackbench-8cpu-sleep", "cfs", NOTHING, 75.0),
        ("hackbench-8cpu-sleep", "cfs", SYNC, 89.0),
        ("hackthread-8cpu", "cfs", NOTHING, 84.0),
        ("hackthread-8cpu", "cfs", SYNC, 92.0),
        ("gclike-8cpu", "cfs", NOTHING, 92.0),
        ("gclike-8cpu", "cfs", SYNC, 21.0),
        ("gclike-8cpu", "cfs", WITHOUT_CHECK, 64.0),
        ("barrier32-overload", "cfs", NOTHING, 90.0),
        ("barrier32-overload", "cfs", SYNC, 15.0),
        ("barrier32-badplace", "cfs", NOTHING, 88.0),
        ("barrier32-badplace", "cfs", WITHOUT_CHECK, 83.0),
    ] {
        let Some(found) = asked(name, policy, change) else {
            continue;
        };
        let agreement = percent(found.placement.agreed, found.placement.asked);
        eprintln!("{name} {policy}: {agreement:.1} %, {expected} expected");
        assert!(
            (agreement - expected).abs() <= 1.0,
            "{name}: {agreement} instead of {expected}"
        );
    }
}

/// Tasks of one parent share one weight, and are lighter for it.
#[test]
fn groups_move_wakeups() {
    let agreed = |groups| {
        let found = asked("hackbench-8cpu-sleep", "cfs", |it| it.placement.groups = groups);
        found.map(|found| found.placement.agreed)
    };
    if let Some(without) = agreed(false) {
        assert_ne!(agreed(true), Some(without));
    }
}
