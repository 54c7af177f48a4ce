//! Trace files that the command line reads, by name or from standard input.

use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use formats::{AnySource, Blocks, Import};
use schedrows::{ReadAt, ReadError, Source, SourceError};
use tracedat::file::TraceFile;

use crate::as_dat::as_trace_dat;
use crate::pipe::read_all;
use crate::scan::ScanOptions;
use crate::visible::shown;
use crate::Failure;

/// Which trace a command is about.
#[derive(Args, Clone, PartialEq, Eq, Hash)]
pub struct FileArgs {
    /// The trace, of any of the formats (docs/formats.md); `-` for standard input
    pub file: PathBuf,
    /// The instance to look at, instead of the main buffer (whose name is empty); the machine of a Perfetto trace of several
    #[arg(long, value_name = "NAME")]
    pub buffer: Option<String>,
}

impl FileArgs {
    /// Opens the trace, and shows the buffer that was asked for.
    pub fn open(&self) -> Result<AnySource<Input>, Failure> {
        open_buffer(&self.file, self.buffer.as_deref())
    }

    /// Opens it for what reads records: of a format that holds none of ftrace's, the scheduler's events as kernel 6.12
    /// would have written them.
    pub fn open_trace_dat(&self, options: &ScanOptions) -> Result<Box<TraceFile<Input>>, Failure> {
        as_trace_dat(self.open()?, options).map_err(|Failure(why)| Failure(format!("{}: {why}", shown(&self.file))))
    }

    /// Opens it once more; `None` for what comes through a pipe, which is read up.
    pub fn open_again(&self) -> Result<Option<AnySource<Input>>, Failure> {
        match self.is_standard_input() {
            true => Ok(None),
            false => self.open().map(Some),
        }
    }

    /// Whether the trace comes through a pipe.
    pub fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    /// Whether a buffer was asked for.
    pub fn names_buffer(&self) -> bool {
        self.buffer.is_some()
    }
}

/// The bytes of a trace, shared by all scanning threads.
pub enum Input {
    /// A file that is read where needed.
    File(FileReadAt),
    /// The bytes of a pipe, read completely, because they cannot be read twice.
    Memory(Vec<u8>),
    /// What was unpacked.
    Unpacked(Blocks),
}

impl ReadAt for Input {
    fn len(&self) -> u64 {
        match self {
            Input::File(file) => file.len,
            Input::Memory(bytes) => ReadAt::len(bytes),
            Input::Unpacked(bytes) => ReadAt::len(bytes),
        }
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        match self {
            Input::File(file) => file.read_at(offset, buf),
            Input::Memory(bytes) => bytes.read_at(offset, buf),
            Input::Unpacked(bytes) => bytes.read_at(offset, buf),
        }
    }
}

impl Input {
    /// An open file, or what comes out of a pipe.
    pub fn of_file(file: File) -> std::io::Result<Input> {
        let metadata = file.metadata()?;
        match metadata.is_file() {
            true => Ok(Input::File(FileReadAt {
                file,
                len: metadata.len(),
            })),
            false => read_all(file).map(Input::Memory),
        }
    }
}

/// A file that many threads read at once, each at a different place.
pub struct FileReadAt {
    file: File,
    len: u64,
}

impl FileReadAt {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let len = buf.len();
        read_exact_at(&self.file, buf, offset).map_err(|error| ReadError {
            offset,
            len,
            message: error.to_string(),
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buf, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buf: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buf.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buf, offset)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buf = &mut buf[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Opens a trace and shows the buffer that is named, or the main one.
pub fn open_buffer(path: &Path, buffer: Option<&str>) -> Result<AnySource<Input>, Failure> {
    let mut source = open(path)?;
    if let Some(name) = buffer {
        // What is wrong with the choice is said without advice, which is of files that cannot be opened.
        let named = |error: SourceError| Failure(format!("{}: {error}", shown(path)));
        source.select_buffer(name).map_err(named)?;
    }
    Ok(source)
}

/// Opens the trace with that name; `-` is standard input.
pub fn open(path: &Path) -> Result<AnySource<Input>, Failure> {
    let named = |why: &dyn Display| Failure(format!("{}: {why}", shown(path)));
    let input = match path == Path::new("-") {
        true => read_all(std::io::stdin().lock()).map(Input::Memory),
        false => File::open(path).and_then(Input::of_file),
    };
    unpacked(input.map_err(|error| named(&error))?).map_err(|error| named(&Failure::from(error)))
}

/// Opens a trace; a trace.dat that had to be unpacked is one like any other then, with all its buffers.
fn unpacked(input: Input) -> Result<AnySource<Input>, SourceError> {
    let held = match formats::open(input)? {
        AnySource::Import(import) => match *import {
            Import::Held(held) => held,
            other => return Ok(AnySource::Import(Box::new(other))),
        },
        other => return Ok(other),
    };
    match held.into_trace_dat() {
        Ok(bytes) => formats::open(Input::Unpacked(bytes)),
        Err(held) => Ok(AnySource::Import(Box::new(Import::Held(held)))),
    }
}
