//! A trace of another tool: opens and scans it, and writes it as a trace.dat.

use schedrows::{scan_stream, Source, Want};
use traceimport::Import;

pub fn check(bytes: &[u8]) {
    let Ok(file) = Import::open(bytes) else {
        return;
    };
    let info = file.info();
    assert!(info.cpu_count <= 8192);
    file.first_ns().expect("a slice can be read");
    for stream in 0..file.streams().len() {
        let scan = scan_stream(&file, stream, Want::default(), &mut |_| {}).expect("a slice can be read");
        for cpu in scan.cpus {
            assert_eq!(cpu.rows.iter().count(), cpu.rows.len());
        }
    }
    let _ = file.to_trace_dat();
}
