//! A replay that is written as a trace.dat opens as the same trace.

use crate::common::{built, recorded, replayed, scanned_in};
use replay::engine::Outcome;
use replay::generate::{fairbench, pairs, responsebench};
use replay::machine::Machine;
use schedmodel::{Trace, Who};
use std::io::Cursor;
use std::path::Path;
use tracedat::file::TraceFile;
use tracedat::write::{write, FileVersion, Marker, Recording};

const MS: u64 = 1_000_000;

/// A trace.dat of a replay.
pub fn written(outcome: &Outcome, cpu_count: u32) -> Vec<u8> {
    let recording = Recording {
        scans: &outcome.scans,
        window: Default::default(),
        cpu_count,
        clock: None,
        uname: None,
        comms: &[],
        marker: Some(Marker {
            text: "a test",
            span: (outcome.first_ns, outcome.first_ns + outcome.span_ns),
        }),
    };
    let mut out = Cursor::new(Vec::new());
    write(&recording, FileVersion::V7, &mut out).unwrap();
    out.into_inner()
}

/// Each CPU's intervals: from when to when, who, under which name, in which state it left, and since when it had waited.
fn intervals(trace: &Trace) -> Vec<String> {
    let mut found = vec![format!("{} ns", trace.span_ns)];
    for (cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        for (index, interval) in lane.intervals().enumerate() {
            let who = match interval.who {
                Who::Run(who) => format!("{} {}", trace.task_of(who).pid, trace.comm_of(who)),
                other => format!("{other:?}"),
            };
            let wait = lane.wait(index).map(|wait| wait.since);
            let left = lane.end_state(index);
            found.push(format!(
                "CPU {cpu} {} to {}: {who}, {left:?}, waited since {wait:?}",
                interval.start, interval.end
            ));
        }
    }
    found
}

fn comes_back(outcome: Outcome, cpus: u32, name: &str) {
    let bytes = written(&outcome, cpus);
    let (scans, cpu_count) = scanned_in(&TraceFile::open(bytes).unwrap());
    assert_eq!(cpu_count, cpus, "{name}");
    let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap();
    assert_eq!(first_ns, outcome.first_ns, "{name}");
    let (found, simulated) = (built(scans, first_ns), built(outcome.scans, outcome.first_ns));
    let (found, simulated) = (intervals(&found), intervals(&simulated));
    let first = found
        .iter()
        .zip(&simulated)
        .find(|(found, simulated)| found != simulated);
    assert!(
        found == simulated,
        "{name}: {first:?}, {} of {}",
        found.len(),
        simulated.len()
    );
}

#[test]
fn an_export_opens_with_the_same_intervals() {
    // Their last runs are open, and long.
    for (name, workload) in [
        ("fairbench", fairbench()),
        ("responsebench", responsebench(1000 * MS)),
        ("pairs", pairs(6, MS, 1000 * MS)),
    ] {
        for (policy, cpus) in [("fcfs", 1), ("cfs", 2), ("eevdf", 3), ("scx", 4)] {
            let outcome = replayed(&workload, &Machine::flat(cpus), policy, 1000 * MS);
            comes_back(outcome, cpus, &format!("{name} {policy}"));
        }
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    for name in ["forkpipe-8cpu", "barrier32-badplace", "execthread-4cpu", "sysmix-4cpu"] {
        let workload = recorded(&fixtures.join(name).with_extension("dat")).1;
        let cpus = workload.cpus.unwrap();
        for policy in ["fcfs", "o1", "cfs", "eevdf"] {
            let outcome = replayed(&workload, &Machine::flat(cpus), policy, workload.span_ns.unwrap());
            comes_back(outcome, cpus, &format!("{name} {policy}"));
        }
    }
}
