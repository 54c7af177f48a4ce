//! Traces of other formats as a trace.dat in memory, for what reads records: reports, cuts, pairs, exports.

use std::io::{self, Cursor};

use formats::AnySource;
use tracecore::cut::Window;
use tracecore::scan::{Source, SourceInfo, Want};
use tracecore::tracedat::TraceFile;
use tracecore::write::{write, FileVersion, Recording};

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
    let AnySource::Import(import) = source else {
        return Ok(None);
    };
    let bytes = import.to_trace_dat()?;
    Ok(bytes.map(|bytes| TraceFile::open(Input::Memory(bytes))).transpose()?)
}

/// The rows of another format, packed.
fn rows_as_trace_dat(source: &AnySource<Input>, options: &ScanOptions) -> Result<TraceFile<Input>, Failure> {
    let scans = scan_all(source, Want::default(), options)?;
    let info = source.info();
    let recording = Recording {
        scans: &scans,
        window: Window::default(),
        cpu_count: info.cpu_count,
        clock: info.clock.as_deref(),
        uname: info.uname.as_deref(),
        comms: &names(&info),
        marker: None,
    };
    let mut out = Cursor::new(Vec::new());
    let written =
        write(&recording, FileVersion::V7, &mut out).map_err(|error: io::Error| Failure(error.to_string()))?;
    if written.records == 0 {
        return Err(Failure("the trace has no events of the scheduler".to_owned()));
    }
    Ok(TraceFile::open(Input::Memory(out.into_inner()))?)
}

/// The names that a file tells besides its events.
fn names(info: &SourceInfo) -> Vec<(i32, String)> {
    info.tasks.iter().map(|task| (task.pid, task.comm.clone())).collect()
}
