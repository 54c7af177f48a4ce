//! The rows of recordings, written as a trace.dat of their own and read again: the model is the same.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io::Cursor;
use std::path::Path;

use schedmodel::{Meta, Trace, TraceBuilder};
use schedrows::{CpuScan, FileFacts, Source};
use tracedat::file::{ReadAt, TraceFile};
use tracedat::scan::scan_cpu;
use tracedat::write::{write, FileVersion, Recording, Window};

/// Without gaps, whose begin is that of the last record of any kind, of which only the scheduler's are written.
const NAMES: [&str; 5] = [
    "forkpipe-8cpu",
    "barrier-s390x",
    "forkpipe-aarch64",
    "execthread-4cpu",
    "scx-lab-fifo-4cpu",
];

fn scans<R: ReadAt>(file: &TraceFile<R>) -> Vec<CpuScan> {
    (0..file.cpus().len()).map(|cpu| scan_cpu(file, cpu).unwrap()).collect()
}

/// The model of the scheduler's events alone, as text.
fn model(scans: Vec<CpuScan>, cpus: u32) -> String {
    let times = |scan: &CpuScan| {
        scan.rows
            .iter()
            .map(|row| row.ts)
            .min()
            .zip(scan.rows.iter().map(|row| row.ts).max())
    };
    let origin = scans
        .iter()
        .filter_map(|scan| times(scan).map(|(first, _)| first))
        .min()
        .unwrap();
    let mut builder = TraceBuilder::new(origin);
    for scan in scans.into_iter().filter(|scan| !scan.rows.is_empty()) {
        let (first, last) = times(&scan).unwrap();
        let (first_ns, last_ns) = (Some(first), Some(last));
        builder.add(CpuScan {
            first_ns,
            last_ns,
            records: 0,
            events: Vec::new(),
            diagnostics: Vec::new(),
            ..scan
        });
    }
    let trace = builder.finish(Meta {
        cpus: (0..cpus).collect(),
        facts: FileFacts::default(),
    });
    // The table that finds names has no order.
    let names = format!("{:?}", trace.comms.names());
    let rest = Trace {
        comms: Default::default(),
        ..trace
    };
    format!("{names} {rest:?}")
}

#[test]
fn what_is_written_is_what_was_read() {
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/fixtures")
            .join(format!("{name}.dat"));
        let file = TraceFile::open(std::fs::read(path).unwrap()).unwrap();
        let info = file.info();
        let read = scans(&file);
        let expected = model(read.clone(), info.cpu_count);
        for version in [FileVersion::V6, FileVersion::V7] {
            let recording = Recording {
                scans: &read,
                window: Window::default(),
                cpu_count: info.cpu_count,
                clock: info.clock.as_deref(),
                uname: info.uname.as_deref(),
                comms: &[],
                marker: None,
            };
            let mut out = Cursor::new(Vec::new());
            write(&recording, version, &mut out).unwrap();
            let written = TraceFile::open(out.into_inner()).unwrap();
            assert_eq!(Source::diagnostics(&written), [], "{name}");
            assert_eq!(written.info().uname, info.uname);
            assert!(model(scans(&written), info.cpu_count) == expected, "{name} {version:?}");
        }
    }
}
