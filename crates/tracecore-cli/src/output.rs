//! Files that commands write: as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tracecore::cut::{CutError, Written};
use traceexport::perfetto::PerfettoError;

use crate::input::FileArgs;
use crate::Failure;

/// Writes a file or replaces it in one step, so that a whole file is there, whatever fails.
pub fn replace_with<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        // Devices and pipes have no contents that could be lost.
        return write(&mut File::options().write(true).open(&path)?);
    }
    let new = beside(&path);
    let written = File::create_new(&new)
        .and_then(|mut file| write(&mut file))
        .and_then(|written| fs::rename(&new, &path).map(|()| written));
    if written.is_err() {
        // If the file does not exist, there is nothing to remove.
        let _ = fs::remove_file(&new);
    }
    written
}

/// Why a part of a trace was not written.
pub enum Fault {
    /// The trace could not be read, or has no such part.
    Trace(String),
    /// The file could not be written.
    Output(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Output(error)
    }
}

impl From<CutError> for Fault {
    fn from(error: CutError) -> Self {
        match error {
            CutError::Write(error) => Fault::Output(error),
            error => Fault::Trace(error.to_string()),
        }
    }
}

impl From<PerfettoError> for Fault {
    fn from(error: PerfettoError) -> Self {
        match error {
            PerfettoError::Write(error) => Fault::Output(error),
            error => Fault::Trace(error.to_string()),
        }
    }
}

/// Writes a file as a whole or not at all. What goes wrong with the trace is no fault of the output, and the other way
/// round.
pub fn write_whole<F: Into<Fault>>(
    trace: &FileArgs,
    output: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<Written, F>,
) -> Result<Written, Failure> {
    let mut failed = None;
    let written = replace_with(output, |out| {
        let mut out = BufWriter::new(out);
        let written = write(&mut out).map_err(|fault| match fault.into() {
            Fault::Output(error) => error,
            Fault::Trace(error) => {
                failed = Some(error);
                io::ErrorKind::Other.into()
            }
        })?;
        out.flush()?;
        Ok(written)
    });
    if let Some(error) = failed {
        return Err(Failure(format!("{}: {error}", trace.file.display())));
    }
    written.map_err(|error| Failure(format!("{}: {error}", output.display())))
}

/// The trace itself is not overwritten: what is written may be a part of it, or a picture.
pub fn refuse_same(trace: &Path, output: &Path) -> Result<(), Failure> {
    let same = match (fs::canonicalize(trace), fs::canonicalize(output)) {
        (Ok(trace), Ok(output)) => trace == output,
        _ => false,
    };
    match same {
        true => Err(Failure(format!(
            "{}: is the trace itself; write to another file",
            output.display()
        ))),
        false => Ok(()),
    }
}

/// A file name that no other program uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}
