//! A file, whole, as the model sees it.

use tracecore::scan::{CpuScan, Diagnostic};
use tracecore::sched::{Meta, Trace, TraceBuilder};
use tracecore::tracedat::TraceFile;

use crate::input::{FileArgs, Input};
use crate::scan::{scan_all, ScanOptions};
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
    if let Some(warning) = damage(&loaded.trace).filter(|_| !options.quiet) {
        eprintln!("corelane: {warning}");
    }
    Ok(loaded)
}

/// What is said of a trace that is not whole.
pub fn damage(trace: &Trace) -> Option<String> {
    let found = trace.diagnostics.iter().map(|found| found.count).sum::<u64>();
    let warning = format!("{found} times events were lost, missing or in conflict: `corelane info` says which");
    (0 < found).then_some(warning)
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
