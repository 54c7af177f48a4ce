//! A recording, written for the Perfetto UI and read again: the model is the same.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;

use schedmodel::{Meta, Trace, TraceBuilder};
use schedrows::{scan_stream, CpuScan, Source, Want};
use tracedat::file::TraceFile;
use tracedat::write::Window;
use traceexport::perfetto::{write, Extra};
use traceimport::Import;

const NAMES: [&str; 6] = [
    "forkpipe-8cpu",
    "barrier-s390x",
    "forkpipe-aarch64",
    "execthread-4cpu",
    "lost-s390x",
    "scx-lab-fifo-4cpu",
];

fn scans(source: &dyn Source) -> Vec<CpuScan> {
    let streams = source.streams().len();
    let scan = |stream| scan_stream(source, stream, Want::default(), &mut |_| {}).unwrap();
    (0..streams).flat_map(|stream| scan(stream).cpus).collect()
}

/// The model, without what only says how much was read, as text.
fn model(scans: Vec<CpuScan>, cpus: u32) -> String {
    let origin = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap();
    let mut builder = TraceBuilder::new(origin);
    for scan in scans {
        builder.add(CpuScan {
            events: Vec::new(),
            diagnostics: Vec::new(),
            lost_events: 0,
            ..scan
        });
    }
    let trace = builder.finish(Meta {
        cpus: (0..cpus).collect(),
        facts: Default::default(),
    });
    // The table that finds names has no order.
    let names = format!("{:?}", trace.comms.names());
    let rest = Trace {
        comms: Default::default(),
        diagnostics: Vec::new(),
        ..trace
    };
    format!("{names} {rest:?}")
}

#[test]
fn what_is_exported_is_imported() {
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
        let file = TraceFile::open(std::fs::read(path.join(format!("{name}.dat"))).unwrap()).unwrap();
        let mut out = Vec::new();
        write(&file, &Window::default(), Extra::default(), &mut out).unwrap();
        let import = Import::open(out).unwrap();
        let cpus = Source::info(&file).cpu_count;
        assert_eq!(import.info().cpu_count, cpus, "{name}");
        assert!(model(scans(&import), cpus) == model(scans(&file), cpus), "{name}");
    }
}
