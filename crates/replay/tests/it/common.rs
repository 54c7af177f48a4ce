//! What several tests need.

use replay::engine::{run, Limits, Outcome};
use replay::machine::Machine;
use replay::policy::Spec;
use replay::{from_rows, Recording, Workload};
use schedmodel::{Meta, Trace, TraceBuilder};
use schedrows::{scan_stream, CpuScan, Source, Want};
use std::io::Read;
use std::path::{Path, PathBuf};
use tracedat::file::TraceFile;

pub fn replayed(workload: &Workload, machine: &Machine, spec: &str, until_ns: u64) -> Outcome {
    let spec: Spec = spec.parse().unwrap();
    let limits = Limits {
        until_ns: Some(until_ns),
        ..Limits::default()
    };
    run(workload, machine, &spec, limits).unwrap()
}

pub fn built(scans: Vec<CpuScan>, first_ns: u64) -> Trace {
    let cpus = scans.iter().map(|scan| scan.cpu).collect();
    let mut builder = TraceBuilder::new(first_ns);
    scans.into_iter().for_each(|scan| builder.add(scan));
    builder.finish(Meta {
        cpus,
        ..Meta::default()
    })
}

pub fn trace_of(outcome: Outcome) -> Trace {
    built(outcome.scans, outcome.first_ns)
}

/// The bytes of a file, unpacked if zstd packed it.
pub fn bytes_of(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_none_or(|extension| extension != "zst") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    let mut decoder = zrip::FrameDecoder::new(bytes.as_slice());
    decoder.read_to_end(&mut unpacked).unwrap();
    unpacked
}

/// The rows of an open file, and how many CPUs it was recorded on.
pub fn scanned_in(file: &TraceFile<Vec<u8>>) -> (Vec<CpuScan>, u32) {
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let streams = 0..file.streams().len();
    let scans: Vec<CpuScan> = streams
        .flat_map(|at| scan_stream(file, at, want, &mut |_| {}).unwrap().cpus)
        .collect();
    (scans, file.info().cpu_count)
}

/// The trace and the workload of a file.
pub fn recorded(path: &Path) -> (Trace, Workload) {
    recorded_in(&TraceFile::open(bytes_of(path)).unwrap()).unwrap()
}

/// The same of an open file; `None` of one without events.
pub fn recorded_in(file: &TraceFile<Vec<u8>>) -> Option<(Trace, Workload)> {
    let (scans, cpus) = scanned_in(file);
    let recording = Recording {
        cpus,
        ..Recording::default()
    };
    let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min()?;
    let workload = from_rows(scans.clone(), &recording);
    Some((built(scans, first_ns), workload))
}

/// A folder beside the repository that only some machines have.
pub fn folder(name: &str) -> Option<PathBuf> {
    let mut here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    while here.pop() {
        let found = here.join("shared").join(name);
        if found.is_dir() {
            return Some(found);
        }
    }
    None
}

/// How many workloads a property is tried on: `CORELANE_CASES`, or so many.
pub fn cases(usually: u32) -> u32 {
    let asked = std::env::var("CORELANE_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(usually)
}
