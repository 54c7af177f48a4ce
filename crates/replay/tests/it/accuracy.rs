//! Replays against recordings with exact clocks, which only some machines have.

use crate::common::{folder, recorded, replayed, trace_of};
use replay::compare::{cpu_curve, metrics, wait_distance, Only};
use replay::engine::Limits;
use replay::fit::fit;
use replay::machine::Machine;
use replay::policy::Spec;

/// Name, prefix of the tasks, whether these never end, the right policy, the other fair one, and some that are far off.
type Case = (
    &'static str,
    &'static str,
    bool,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const COARSE: &[&str] = &["rr", "rr:slice=4ms", "fcfs"];
const CASES: [Case; 4] = [
    ("fair61-1cpu", "nice", true, "cfs", "eevdf", COARSE),
    ("resp61-1cpu", "sleep", false, "cfs", "eevdf:base_slice=0.75ms", COARSE),
    ("fair612-1cpu", "nice", true, "eevdf", "cfs", COARSE),
    ("resp612-1cpu", "sleep", false, "eevdf:exact_slices=on", "cfs", COARSE),
];
/// Distances of the waits: at most that of the right policy, and so many times as much of the others.
const RIGHT: f64 = 0.06;
const OTHER: f64 = 3.0;
const COARSELY: f64 = 10.0;

#[test]
fn the_right_policy_explains_the_recording() {
    let Some(folder) = folder("replay") else { return };
    let mut wrong = Vec::new();
    for (name, prefix, endless, right, other, coarse) in CASES {
        let (trace, mut workload) = recorded(&folder.join(format!("{name}.dat")));
        if endless {
            workload.make_endless(prefix);
        }
        let only = Only(Some(prefix.to_owned()));
        let mut machine = Machine::flat(1);
        machine.wake_ns = workload.costs.wake_ns.unwrap_or(0);
        machine.idle_exit_ns = workload.costs.idle_exit_ns.unwrap_or(0);
        machine.tick_as(&trace, workload.first_ns);
        let rec = metrics(&trace, &only);
        eprintln!(
            "{name}: recorded {:?} {}, costs {:?}",
            rec.waits, rec.switches, workload.costs
        );
        let distance = |spec: &str| {
            let outcome = replayed(&workload, &machine, spec, trace.span_ns);
            let sim = trace_of(outcome);
            let found = metrics(&sim, &only);
            let curve = cpu_curve(&trace, &sim, &only).unwrap();
            let distance = wait_distance(&rec.waits, &found.waits).unwrap();
            eprintln!(
                "{name} {spec}: curve {:.1}/{:.1} %, waits {:.1} {:.1} {:.1} D {distance:.3} switches {}",
                curve.mean * 100.0,
                curve.max * 100.0,
                found.waits.p50 as f64 / 1e6,
                found.waits.p90 as f64 / 1e6,
                found.waits.p99 as f64 / 1e6,
                found.switches
            );
            distance
        };
        let best = distance(right);
        if RIGHT < best {
            wrong.push(format!("{name} {right}: {best}"));
        }
        let others = coarse.iter().map(|&spec| (spec, COARSELY));
        for (spec, times) in others.chain([(other, OTHER)]) {
            let found = distance(spec);
            if found < times * best {
                wrong.push(format!("{name} {spec}: {found}, {right}: {best}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What explains each recording best is the kernel's policy, with its tick and, where slices end exactly, its slice.
#[test]
fn fitting_finds_the_policy() {
    let Some(folder) = folder("replay") else { return };
    let mut wrong = Vec::new();
    for (name, prefix, endless, right, _, _) in CASES {
        let (trace, mut workload) = recorded(&folder.join(format!("{name}.dat")));
        if endless {
            workload.make_endless(prefix);
        }
        let mut machine = Machine::flat(1);
        machine.wake_ns = workload.costs.wake_ns.unwrap_or(0);
        machine.idle_exit_ns = workload.costs.idle_exit_ns.unwrap_or(0);
        let found = fit(
            &workload,
            &trace,
            &machine,
            &Only(Some(prefix.to_owned())),
            Limits::default(),
            &mut |_| (),
        )
        .unwrap();
        for it in found.iter().take(4) {
            eprintln!(
                "{name}: {} tick {} D {:?} switches {:?}",
                it.policy, it.tick_ns, it.wait_distance, it.switch_ratio
            );
        }
        let best = found[0];
        let right: Spec = right.parse().unwrap();
        let ok = match right {
            Spec::Eevdf(params) if params.exact_slices => best.policy == right,
            Spec::Cfs(_) => best.policy == right && best.tick_ns == 4_000_000,
            _ => best.policy.name() == right.name(),
        };
        if !ok {
            wrong.push(format!("{name}: {} at {} ns", best.policy, best.tick_ns));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
