//! A tar of SchedViz: opens and scans it, and writes it as a trace.dat.

use schedrows::{scan_stream, Source, Want};
use traceimport::schedviz::{is_tar, SchedVizFile};

pub fn check(bytes: &[u8]) {
    let _ = is_tar(bytes);
    let Ok(file) = SchedVizFile::open(bytes) else {
        return;
    };
    assert!(file.info().cpu_count <= 8192);
    file.first_ns().expect("a slice can be read");
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    for stream in 0..file.streams().len() {
        let scan = scan_stream(&file, stream, want, &mut |_| {}).expect("a slice can be read");
        for cpu in scan.cpus {
            assert_eq!(cpu.rows.iter().count(), cpu.rows.len());
        }
    }
    let _ = file.to_trace_dat();
}
