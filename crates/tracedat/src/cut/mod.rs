//! A part of a trace.dat as a trace.dat of its own.
//!
//! What the file says about itself is copied as it is: formats, symbols, options, in the packing they have. The records of
//! the window are written into new pages, packed as the file's are, with the marks of lost events among them. One thing is
//! added: the names of tasks that events before the window have told, without which `trace-cmd report` would not name
//! these tasks as it does in the whole file.

mod convert;
mod names;
mod pages;
mod v6;
mod v7;

use std::io::{self, Seek, Write};

use thiserror::Error;

use crate::error::{OpenError, ReadError};
use crate::file::{ReadAt, TraceFile};
use crate::write::{Bounded, FileVersion, Writer};

pub use crate::write::{Window, Written};

/// Bytes that are copied at a time.
const COPY: u64 = 64 << 10;

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
/// The file is read up to the end of the window, a chunk of each CPU at a time; nothing of it is kept but names. At most a
/// fixed multiple of its size is written ([`Bounded`]).
pub fn cut<R: ReadAt>(
    file: &TraceFile<R>,
    window: &Window,
    out: &mut (impl Write + Seek),
) -> Result<Written, CutError> {
    let mut out = Bounded::new(out, file.input().len());
    let mut writer = Writer::new(&mut out, file.endian());
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

/// As [`cut`], but as a file of that version. If it is another one than the file's, only the buffer that is shown is written.
pub fn cut_as<R: ReadAt>(
    file: &TraceFile<R>,
    window: &Window,
    version: FileVersion,
    out: &mut (impl Write + Seek),
) -> Result<Written, CutError> {
    if file.header().version == version.number() {
        return cut(file, window, out);
    }
    let mut out = Bounded::new(out, file.input().len());
    let mut writer = Writer::new(&mut out, file.endian());
    let mut written = convert::write(file, window, version, &mut writer)?;
    if written.records == 0 {
        return Err(CutError::Empty);
    }
    written.bytes = writer.at()?;
    Ok(written)
}

/// Bytes of the file that is cut, as they are.
fn copy<R: ReadAt, W: Write + Seek>(from: &R, out: &mut Writer<'_, W>, mut at: u64, len: u64) -> Result<(), CutError> {
    let end = at.saturating_add(len);
    let mut piece = Vec::new();
    while at < end {
        piece.resize((end - at).min(COPY) as usize, 0);
        from.read_at(at, &mut piece)?;
        out.bytes(&piece)?;
        at += piece.len() as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
