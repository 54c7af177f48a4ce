//! What the policies would have decided where recordings decided, which only some machines have: agreement in percent, with what a
//! prototype that shares nothing with this found.

use crate::common::{bytes_of, folder, replayed, scanned_in};
use crate::export::written;
use replay::decisions::{decisions, Decisions};
use replay::generate::pairs;
use replay::machine::{Machine, Sync};
use replay::preemptions::Preemptions;
use tracedat::file::TraceFile;

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
    let file = TraceFile::open(bytes_of(&path)).unwrap();
    let (scans, cpus) = scanned_in(&file);
    let preemptions = Preemptions::of_file(&file).unwrap();
    let mut machine = machine(cpus, false);
    change(&mut machine);
    decisions(scans, preemptions.as_ref(), &machine, &policy.parse().unwrap())
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

/// The wakeups that preempted in recordings of this repository: their number, and when and on which CPU the first one was. Counted
/// by a script in the text of `trace-cmd report -l -t`: lines of `sched_wakeup` with an `N` in their second column that have none
/// with an `N` before them, up to the last `sched_switch` of the CPU.
#[test]
fn preemptions_are_those_of_the_flags_that_trace_cmd_prints() {
    for (name, count, at_ns, cpu) in [
        ("barrier32-badplace", 606, 282_588_049_710, 18),
        ("sysmix-4cpu", 564, 36_873_149_836, 1),
        ("forkpipe-aarch64", 780, 4_636_088_000, 0),
        ("execthread-4cpu", 161, 26_254_854_969, 0),
        ("barrier-s390x", 240, 39_174_213_613, 0),
        ("barrier-i686", 111, 137_229_853_778, 0),
    ] {
        let path = format!("{}/../../tests/fixtures/{name}.dat", env!("CARGO_MANIFEST_DIR"));
        let file = TraceFile::open(bytes_of(path.as_ref())).unwrap();
        let found = Preemptions::of_file(&file).unwrap().unwrap();
        assert_eq!(found.count(), count, "{name}");
        assert!(found.has(cpu, at_ns) && !found.has(cpu, at_ns + 1), "{name}");
    }
}

/// The records of a replay have no such flags: the policy decides.
#[test]
fn replays_say_nothing_of_preemptions() {
    const MS: u64 = 1_000_000;
    let outcome = replayed(&pairs(8, MS, 100 * MS), &Machine::flat(2), "cfs", 100 * MS);
    let file = TraceFile::open(written(&outcome, 2)).unwrap();
    assert_eq!(Preemptions::of_file(&file).unwrap(), None);
}
