//! Files of other tools: opens and scans them, and writes those that hold records as a trace.dat.

use schedrows::{scan_stream, Source, Want};
use traceimport::perfdata::{is_perf_data, PerfFile};
use traceimport::schedviz::{is_tar, SchedVizFile};
use traceimport::text::{is_text, TextFile};
use traceimport::{Import, Place};

pub fn perf_data(bytes: &[u8]) {
    let _ = is_perf_data(bytes);
    if let Ok(file) = PerfFile::open(bytes) {
        scan(&file);
        let _ = file.to_trace_dat();
    }
}

pub fn schedviz(bytes: &[u8]) {
    let _ = is_tar(bytes);
    if let Ok((file, _)) = SchedVizFile::open(&bytes, &Place::whole(&bytes)) {
        scan(&file);
        let _ = file.to_trace_dat();
    }
}

pub fn text(bytes: &[u8]) {
    let _ = is_text(bytes);
    if let Ok(mut file) = TextFile::open(bytes, Place::whole(&bytes)) {
        let found = scan(&file);
        // The first scan was made on opening.
        assert_eq!(scan(&file), found, "a second scan finds something else");
        let before = file.info();
        if file.select_buffer("timers").is_err() {
            assert_eq!(file.info(), before, "a buffer that is not there was chosen");
        }
        scan(&file);
    }
}

/// Whatever is around a trace, and the trace in it.
pub fn container(bytes: &[u8]) {
    if let Ok(file) = Import::open(bytes) {
        scan(&file);
    }
}

/// Scans all; how many rows and records that finds.
fn scan(file: &dyn Source) -> (usize, u64) {
    let mut found = (0, 0);
    assert!(file.info().cpu_count <= 8192);
    file.first_ns().expect("a slice can be read");
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    for stream in 0..file.streams().len() {
        let scan = scan_stream(file, stream, want, &mut |_| {}).expect("a slice can be read");
        for cpu in scan.cpus {
            assert_eq!(cpu.rows.iter().count(), cpu.rows.len());
            found.0 += cpu.rows.len();
            found.1 += cpu.records;
        }
    }
    found
}
