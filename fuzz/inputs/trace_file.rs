//! A whole trace.dat: opens and scans it, builds the model, and prints every record.

use tracecore::query::{IndexSpec, Indexes};
use tracecore::report::{Report, ReportOptions};
use tracecore::scan::{scan_cpu, Source};
use tracecore::sched::{Meta, TraceBuilder};
use tracecore::tracedat::TraceFile;

/// The most CPUs: more show nothing new and cost time.
const MAX_CPUS: u32 = 64;

pub fn check(bytes: &[u8]) {
    let Ok(file) = TraceFile::open(bytes) else {
        return;
    };
    if file.header().cpu_count > MAX_CPUS {
        return;
    }
    let mut builder = TraceBuilder::new(file.first_ns().expect("a slice can be read").unwrap_or(0));
    for index in 0..file.cpus().len() {
        builder.add(scan_cpu(&file, index).expect("a slice can be read"));
    }
    let meta = Meta {
        cpus: (0..file.header().cpu_count).collect(),
        diagnostics: file.diagnostics().to_vec(),
    };
    let view = Indexes::new(builder.finish(meta).into(), IndexSpec::default());
    let _ = view.commands(None);
    for raw in [false, true] {
        let options = ReportOptions {
            raw,
            latency: raw,
            ..ReportOptions::default()
        };
        let mut report = Report::new(&file, options).expect("a slice can be read");
        let mut lines = Vec::new();
        while report.next(&mut lines).expect("a slice can be read") {
            lines.clear();
        }
    }
}
