//! A whole Perfetto trace: opens and scans it, and builds the model.

use schedmodel::{Meta, TraceBuilder};
use schedrows::{scan_stream, Source, Want};
use traceimport::perfetto::{is_perfetto, PerfettoFile};
use traceimport::Place;

pub fn check(bytes: &[u8]) {
    let _ = is_perfetto(bytes);
    let Ok(file) = PerfettoFile::open(bytes, Place::whole(&bytes)) else {
        return;
    };
    let mut builder = TraceBuilder::new(file.first_ns().expect("a slice can be read").unwrap_or(0));
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    for index in 0..file.streams().len() {
        let scan = scan_stream(&file, index, want, &mut |_| {}).expect("a slice can be read");
        for cpu in scan.cpus {
            for &(id, count) in &cpu.events {
                let _ = file.event_name(id);
                assert!(count <= cpu.records);
            }
            builder.add(cpu);
        }
    }
    let meta = Meta {
        cpus: (0..file.info().cpu_count).collect(),
        facts: file.facts(),
    };
    let trace = builder.finish(meta);
    assert!(trace.cpus.len() <= 1024);
}
