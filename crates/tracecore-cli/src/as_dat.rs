//! Traces of other formats as a trace.dat in memory, for what reads records: reports, cuts, pairs, exports.

use fileask::{records_of, rows_as, NO_EVENTS};
use formats::AnySource;
use schedrows::{Source, Want};
use tracedat::file::TraceFile;
use tracedat::write::FileVersion;

use crate::input::Input;
use crate::scan::{scan_all, ScanOptions};
use crate::Failure;

/// A trace.dat as it is; another trace with its records, if it holds ftrace's, or else with the scheduler's events.
pub fn as_trace_dat(source: AnySource<Input>, options: &ScanOptions) -> Result<Box<TraceFile<Input>>, Failure> {
    if let AnySource::TraceDat(file) = source {
        return Ok(file);
    }
    match records_as_trace_dat(&source)? {
        Some(file) => Ok(Box::new(file)),
        None => rows_as_trace_dat(&source, options).map(Box::new),
    }
}

/// The records of a source that has them, and their formats.
pub fn records_as_trace_dat(source: &AnySource<Input>) -> Result<Option<TraceFile<Input>>, Failure> {
    let bytes = records_of(source)?;
    Ok(bytes.map(|bytes| TraceFile::open(Input::Memory(bytes))).transpose()?)
}

/// The rows of another format, packed.
fn rows_as_trace_dat(source: &AnySource<Input>, options: &ScanOptions) -> Result<TraceFile<Input>, Failure> {
    let scans = scan_all(source, Want::default(), options)?;
    let bytes = rows_as(&scans, &source.info(), FileVersion::V7).map_err(|error| Failure(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| Failure(NO_EVENTS.to_owned()))?;
    Ok(TraceFile::open(Input::Memory(bytes))?)
}
