//! A file, whole, as the model sees it.

use tracecore::sched::{Meta, Trace, TraceBuilder};

use crate::input::FileArgs;
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
    // Asking the file would unpack the first chunk of every CPU once more.
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    for scan in scans {
        builder.add(scan);
    }
    let meta = Meta {
        cpus: (0..file.header().cpu_count).collect(),
        diagnostics: file.diagnostics().to_vec(),
    };
    Ok(Loaded {
        trace: builder.finish(meta),
        clock_is_ns: file.clock_is_ns(),
    })
}
