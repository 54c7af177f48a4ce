//! Why a file cannot be opened or read: what, where, and what to do about it.

use thiserror::Error;

use crate::words::{byte_at, counted};

/// The input failed to give bytes that it said it had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("reading {} at 0x{offset:x}: {message}", counted(*len as u64, "byte"))]
pub struct ReadError {
    /// Where in the file.
    pub offset: u64,
    /// How many bytes were asked for.
    pub len: usize,
    /// The system's error message.
    pub message: String,
}

impl ReadError {
    /// What to do about it.
    pub const ADVICE: &'static str = "Check that the file still exists and can be read, then open it again.";
}

/// What kind of error it is, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Another kind of file.
    NotATrace,
    /// The file ends before the trace data.
    Truncated,
    /// Something that is not known here.
    Unsupported,
    /// Bytes that contradict the format.
    Malformed,
    /// The file could not be read.
    Io,
}

impl ErrorKind {
    /// `not_a_trace`, `truncated`, `unsupported`, `malformed` or `io`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::NotATrace => "not_a_trace",
            ErrorKind::Truncated => "truncated",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Malformed => "malformed",
            ErrorKind::Io => "io",
        }
    }
}

/// Why a file of any format cannot be opened or read. Damage that leaves something to show is a diagnostic instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SourceError {
    /// For programs.
    pub kind: ErrorKind,
    /// What was found and what was expected, without the place.
    pub what: String,
    /// Where in the file, if the file has that place.
    pub place: Option<String>,
    /// What to do about it.
    pub advice: &'static str,
    /// What and where, in one line.
    pub message: String,
}

impl From<ReadError> for SourceError {
    fn from(error: ReadError) -> Self {
        SourceError {
            kind: ErrorKind::Io,
            place: Some(byte_at(error.offset)),
            advice: ReadError::ADVICE,
            message: error.to_string(),
            what: error.message,
        }
    }
}

/// A buffer that a file does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no buffer {name:?} in the trace; it has {}", there.iter().map(|there| format!("{there:?}")).collect::<Vec<_>>().join(", "))]
pub struct NoBuffer {
    /// What was asked for.
    pub name: String,
    /// The buffers that there are; the main one has no name.
    pub there: Vec<String>,
}

impl From<NoBuffer> for SourceError {
    fn from(error: NoBuffer) -> Self {
        SourceError::of_buffer(error.to_string())
    }
}

impl SourceError {
    /// A buffer was named of a file whose format holds none.
    pub fn no_buffers(format: &str) -> SourceError {
        SourceError::of_buffer(format!(
            "a file of the format {format} holds no buffers; trace.dat files and texts of trace-cmd do"
        ))
    }

    fn of_buffer(what: String) -> SourceError {
        SourceError {
            kind: ErrorKind::Unsupported,
            message: what.clone(),
            what,
            place: None,
            advice: "Open the file without naming a buffer, or name one that it has.",
        }
    }
}
