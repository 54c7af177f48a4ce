//! Copies of a recording, as `tracegen replicate` writes them: every copied machine has the recorded one's lanes, with tasks
//! of its own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::lane;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedrows::Source;
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;
use tracegen::{Replicas, Times};

fn load(path: &Path) -> Trace {
    let bytes = fs::read(path).unwrap();
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let mut builder = TraceBuilder::new(file.first_ns().unwrap().unwrap_or(0));
    for index in 0..file.cpus().len() {
        builder.add(scan_cpu(&file, index).unwrap());
    }
    builder.finish(Meta {
        cpus: (0..file.header().cpu_count).collect(),
        facts: file.facts(),
    })
}

/// A lane's text with the pids of another machine.
fn with_pids(lane: &str, step: u64) -> String {
    let runs = lane.split(", ").map(|run| match run.rsplit_once(':') {
        Some((comm, rest)) => {
            let (pid, state) = rest.split_once(' ').unwrap_or((rest, ""));
            let pid = pid.parse::<u64>().unwrap() + step;
            format!("{comm}:{pid} {state}").trim_end().to_owned()
        }
        None => run.to_owned(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_copied_machine_has_the_lanes_of_the_recorded_one() {
    let recorded: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../public/sample.dat"].iter().collect();
    let copied: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "replicas.dat"].iter().collect();
    let replicas = Replicas {
        machines: 2,
        times: Times::Copies(1),
        version: "7".into(),
        compression: "zstd".into(),
        symbols: None,
    };
    let written = replicas.write(&recorded, &copied).unwrap();
    let (one, two) = (load(&recorded), load(&copied));
    assert_eq!(written.records, two.records);
    assert_eq!(two.records, 2 * one.records);
    assert_eq!(two.sched_events, 2 * one.sched_events);
    assert_eq!((two.origin_ns, two.span_ns), (one.origin_ns, one.span_ns));
    let cpus = one.cpus.len() as u32;
    assert_eq!(two.cpus.len() as u32, 2 * cpus);
    for &cpu in &one.cpus {
        let expected = lane(&one, cpu);
        assert_eq!(lane(&two, cpu), expected, "CPU {cpu}");
        assert_eq!(
            lane(&two, cpu + cpus),
            with_pids(&expected, written.pid_step),
            "CPU {}",
            cpu + cpus
        );
    }
}

#[test]
fn copies_in_time_repeat_the_runs() {
    let recorded: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../public/sample.dat"].iter().collect();
    let copied: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "replicas-in-time.dat"].iter().collect();
    let replicas = Replicas {
        machines: 1,
        times: Times::Copies(3),
        version: "6".into(),
        compression: "none".into(),
        symbols: None,
    };
    let written = replicas.write(&recorded, &copied).unwrap();
    let (one, three) = (load(&recorded), load(&copied));
    assert_eq!(three.sched_events, 3 * one.sched_events);
    assert_eq!(three.span_ns, one.span_ns + 2 * written.period_ns);
    // Where two copies meet, a run may end earlier or be closed by a guess; those within a copy are the same.
    for &cpu in &one.cpus {
        let (recorded, copied) = (one.lane(cpu).unwrap(), three.lane(cpu).unwrap());
        for index in 1..recorded.len().saturating_sub(1) {
            for copy in 0..3 {
                let at = recorded.start_of(index) + copy * written.period_ns;
                let found = copied.find(at).unwrap();
                assert_eq!(copied.start_of(found), at, "CPU {cpu}, run {index}, copy {copy}");
                assert_eq!(copied.end_of(found), recorded.end_of(index) + copy * written.period_ns);
            }
        }
    }
}
