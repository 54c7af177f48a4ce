//! A trace of any format as a trace.dat in memory, for what reads records.

use std::io::{self, Cursor};

use formats::AnySource;
use schedrows::{scan_stream, CpuScan, ErrorKind, ReadAt, ReadError, Source, SourceError, SourceInfo, Want};
use tracedat::cut::Window;
use tracedat::file::TraceFile;
use tracedat::write::{write, FileVersion, Recording};

/// Bytes of a file, or what was made of it.
pub enum Bytes<R> {
    /// The file's own.
    File(R),
    /// Made of it.
    Memory(Vec<u8>),
}

impl<R: ReadAt> ReadAt for Bytes<R> {
    fn len(&self) -> u64 {
        match self {
            Bytes::File(file) => file.len(),
            Bytes::Memory(bytes) => ReadAt::len(bytes),
        }
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        match self {
            Bytes::File(file) => file.read_at(offset, buf),
            Bytes::Memory(bytes) => bytes.read_at(offset, buf),
        }
    }
}

/// Another trace's records with their formats, as a trace.dat; `None` of a trace.dat, and of a format that holds none of ftrace's.
pub fn records_of<R: ReadAt>(source: &AnySource<R>) -> Result<Option<Vec<u8>>, SourceError> {
    match source {
        AnySource::Import(import) => import.to_trace_dat(),
        AnySource::TraceDat(_) | AnySource::Scenario(_) => Ok(None),
    }
}

/// A trace.dat as it is; another trace with its records, if it holds ftrace's, or else with the scheduler's events.
pub fn trace_dat<R: ReadAt>(source: AnySource<Bytes<R>>) -> Result<TraceFile<Bytes<R>>, SourceError> {
    let bytes = match source {
        AnySource::TraceDat(file) => return Ok(*file),
        other => match records_of(&other)? {
            Some(bytes) => bytes,
            None => rows(&other)?,
        },
    };
    Ok(TraceFile::open(Bytes::Memory(bytes))?)
}

/// All that a source tells of its CPUs.
pub(crate) fn scans_of(source: &dyn Source) -> Result<Vec<CpuScan>, SourceError> {
    let mut scans = Vec::new();
    for stream in 0..source.streams().len() {
        scans.extend(scan_stream(source, stream, Want::default(), &mut |_| {})?.cpus);
    }
    Ok(scans)
}

/// The events of the scheduler and of sched_ext of a format without records, as a kernel would have written them.
fn rows(source: &dyn Source) -> Result<Vec<u8>, SourceError> {
    // Not packed: it is read again at once.
    match rows_as(&scans_of(source)?, &source.info(), FileVersion::V6) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(refused(ErrorKind::Unsupported, NO_EVENTS.to_owned())),
        Err(error) => Err(refused(ErrorKind::Io, error.to_string())),
    }
}

/// Why there is no trace.dat of a trace.
pub const NO_EVENTS: &str = "the trace has no events of the scheduler";

/// All that was scanned of a trace, as a trace.dat; `None` if there are no events. `info`: what its file says.
pub fn rows_as(scans: &[CpuScan], info: &SourceInfo, version: FileVersion) -> io::Result<Option<Vec<u8>>> {
    let comms: Vec<(i32, String)> = info.tasks.iter().map(|task| (task.pid, task.comm.clone())).collect();
    let recording = Recording {
        scans,
        window: Window::default(),
        cpu_count: info.cpu_count,
        clock: info.clock.as_deref(),
        uname: info.uname.as_deref(),
        comms: &comms,
        marker: None,
    };
    let mut out = Cursor::new(Vec::new());
    let written = write(&recording, version, &mut out)?;
    Ok((0 < written.records).then(|| out.into_inner()))
}

pub(crate) fn refused(kind: ErrorKind, what: String) -> SourceError {
    SourceError {
        kind,
        message: what.clone(),
        what,
        place: None,
        advice: "Lanes, tables and chains show all that the file holds.",
    }
}

/// A trace.dat in memory, and where its records are.
pub struct Listed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Of each CPU, as scans leave it.
    pub indexes: Vec<Vec<u8>>,
}

/// Another format's events for the list of events.
pub fn listed<R: ReadAt>(source: AnySource<Bytes<R>>) -> Result<Listed, SourceError> {
    let file = trace_dat(source)?;
    let want = Want {
        index: true,
        ..Want::default()
    };
    let mut indexes = Vec::new();
    for stream in 0..file.streams().len() {
        indexes.extend(scan_stream(&file, stream, want, &mut |_| {})?.index);
    }
    let bytes = match file.into_input() {
        Bytes::Memory(bytes) => bytes,
        Bytes::File(file) => {
            let mut bytes = vec![0; file.len() as usize];
            file.read_at(0, &mut bytes)?;
            bytes
        }
    };
    Ok(Listed { bytes, indexes })
}
