//! A file, whole, as the model sees it.

use tracecore::scan::{CpuScan, Diagnostic};
use tracecore::sched::{Meta, Trace, TraceBuilder};
use tracecore::tracedat::TraceFile;

use crate::damage;
use crate::input::{FileArgs, Input};
use crate::scan::{scan_all, ScanOptions};
use crate::text::Times;
use crate::Failure;

/// A built trace.
pub struct Loaded {
    pub trace: Trace,
    /// Times are nanoseconds; else raw ticks of a clock without a scale.
    pub clock_is_ns: bool,
}

/// Opens a trace, scans its CPUs in parallel and builds the model.
pub fn load(file: &FileArgs, options: &ScanOptions) -> Result<Loaded, Failure> {
    let file = file.open()?;
    let scans = scan_all(&file, options)?;
    let loaded = Loaded {
        trace: build(&file, scans, file.diagnostics().to_vec()),
        clock_is_ns: file.clock_is_ns(),
    };
    let warning = damage::warning(&loaded.trace, Times::of(&loaded));
    if let Some(warning) = warning.filter(|_| !options.quiet) {
        eprintln!("corelane: {warning}");
    }
    Ok(loaded)
}

/// The model of a file's scans; `diagnostics` of the file come first in the model's.
pub fn build(file: &TraceFile<Input>, scans: Vec<CpuScan>, diagnostics: Vec<Diagnostic>) -> Trace {
    // Asking the file would unpack the first chunk of every CPU once more.
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    for scan in scans {
        builder.add(scan);
    }
    builder.finish(Meta {
        cpus: (0..file.header().cpu_count).collect(),
        diagnostics,
    })
}
