//! A part of a trace.dat as a trace.dat of its own.
//!
//! What the file says about itself is copied as it is: formats, symbols, options, in the packing they have. The records of
//! the window are written into new pages, packed as the file's are, with the marks of lost events among them. One thing is
//! added: the names of tasks that events before the window have told, without which `trace-cmd report` would not name
//! these tasks as it does in the whole file.

mod names;
mod pages;
mod v6;
mod v7;
mod writer;

use std::io::{self, Seek, Write};

use thiserror::Error;

use crate::error::{OpenError, ReadError};
use crate::file::{ReadAt, TraceFile};

use self::writer::Writer;

/// Which records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From this time on, as [`crate::records::RecordRef::ts`] has it.
    pub from: u64,
    /// Before this time; to the end when there is none.
    pub to: Option<u64>,
    /// Of these CPUs, in every buffer; of all when there are none.
    pub cpus: Option<Vec<u32>>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Records in all buffers.
    pub records: u64,
    /// The time of the first and of the last of them.
    pub times: Option<(u64, u64)>,
    /// Bytes of the new file.
    pub bytes: u64,
}

/// Why there is no cut.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CutError {
    /// Nothing to write.
    #[error("no record of the trace is in the window")]
    Empty,
    /// What every cut needs is damaged.
    #[error("{0}; a file whose metadata is damaged cannot be cut")]
    Damaged(OpenError),
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The new file could not be written.
    #[error("writing: {0}")]
    Write(#[from] io::Error),
}

impl From<OpenError> for CutError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Io(error) => CutError::Read(error),
            error => CutError::Damaged(error),
        }
    }
}

/// Writes the records of a window as a file of their own, of the same version, byte order and packing. `out` is empty, and
/// the output's position at its start.
///
/// The file is read up to the end of the window, a chunk of each CPU at a time; nothing of it is kept but names.
pub fn cut<R: ReadAt>(
    file: &TraceFile<R>,
    window: &Window,
    out: &mut (impl Write + Seek),
) -> Result<Written, CutError> {
    let mut writer = Writer::new(out, file.endian());
    let comms = names::known_at(file, window.from)?;
    let mut written = match file.header().version {
        6 => v6::write(file, window, comms.as_deref(), &mut writer)?,
        _ => v7::write(file, window, comms.as_deref(), &mut writer)?,
    };
    if written.records == 0 {
        return Err(CutError::Empty);
    }
    written.bytes = writer.at()?;
    Ok(written)
}

impl Window {
    fn has_cpu(&self, cpu: u32) -> bool {
        self.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu))
    }
}

impl Written {
    fn add(&mut self, ts: u64) {
        self.records += 1;
        let (first, last) = self.times.unwrap_or((ts, ts));
        self.times = Some((first.min(ts), last.max(ts)));
    }
}

#[cfg(test)]
mod tests;
