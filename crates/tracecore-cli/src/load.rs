//! A file, whole, as the model sees it.

use std::path::Path;

use tracecore::sched::{Meta, Trace, TraceBuilder};

use crate::input;
use crate::scan::{scan_all, ScanOptions};
use crate::Failure;

/// Opens a trace, scans its CPUs in parallel and builds the model.
pub fn load(path: &Path, options: &ScanOptions) -> Result<Trace, Failure> {
    let file = input::open(path)?;
    let mut builder = TraceBuilder::new(file.first_ns()?.unwrap_or(0));
    for scan in scan_all(&file, options)? {
        builder.add(scan);
    }
    Ok(builder.finish(Meta {
        cpus: (0..file.header().cpu_count).collect(),
        diagnostics: file.diagnostics().to_vec(),
    }))
}
