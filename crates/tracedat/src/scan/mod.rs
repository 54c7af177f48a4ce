//! One CPU's pages to columns of scheduling events. Pure and per CPU: the unit of parallelism.

mod bind;
mod decode;
mod event_ids;
mod first_record;
mod kernel;
mod names;
mod near;
mod record_index;
mod sample;
mod scanner;
mod source;
mod state;
mod yields;

pub use record_index::RecordIndex;
pub use scanner::{CpuScanner, RecordScanner};
pub use source::FORMAT;
pub use state::StateDecoder;

pub(crate) use event_ids::EventIds;

use schedrows::{scan_stream, CpuScan, ReadError, Want};

use crate::file::{ReadAt, TraceFile};

/// Scans all of one CPU's data. The only errors are the input's: damage is in the scan's diagnostics.
pub fn scan_cpu<R: ReadAt>(file: &TraceFile<R>, cpu_index: usize) -> Result<CpuScan, ReadError> {
    let scan = scan_stream(file, cpu_index, Want::default(), &mut |_| {})?;
    Ok(scan.cpus.into_iter().next().unwrap_or_default())
}

/// As [`scan_cpu`], and where the records are, as [`RecordIndex::to_bytes`] writes it.
pub fn scan_cpu_indexed<R: ReadAt>(file: &TraceFile<R>, cpu_index: usize) -> Result<(CpuScan, Vec<u8>), ReadError> {
    let scan = scan_stream(
        file,
        cpu_index,
        Want {
            index: true,
            ..Want::default()
        },
        &mut |_| {},
    )?;
    let cpu = scan.cpus.into_iter().next().unwrap_or_default();
    Ok((cpu, scan.index.unwrap_or_default()))
}
