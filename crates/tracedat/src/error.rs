//! Why a file cannot be opened or read: what, where, and what to do about it.

use std::fmt;

use thiserror::Error;

use schedrows::words::{counted, grouped};

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

/// A place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In the file, or in the uncompressed section.
    pub offset: u64,
    /// Where the compressed section starts in the file that `offset` counts in.
    pub section: Option<u64>,
}

impl Place {
    /// An offset in the file.
    pub fn file(offset: u64) -> Self {
        Place { offset, section: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.section {
            None => write!(f, "byte {} (0x{:x})", grouped(self.offset), self.offset),
            Some(section) => write!(
                f,
                "byte {} of the unpacked section at byte {} (0x{section:x})",
                grouped(self.offset),
                grouped(section)
            ),
        }
    }
}

/// Why a file cannot be opened. Damage that leaves something to show is a diagnostic instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another kind of file.
    #[error("not a trace.dat file: it starts with {found}")]
    NotATrace {
        /// The first bytes.
        found: String,
    },
    /// The file ends before the trace data.
    #[error("{} ({structure} at {place})", self.what())]
    Truncated {
        /// What is cut.
        structure: &'static str,
        /// Where it starts.
        place: Place,
        /// Bytes it needs.
        needed: u64,
        /// Bytes of the file, or of the unpacked section.
        size: u64,
    },
    /// A version or compression that is not known here.
    #[error("{what} at {place} is not supported")]
    Unsupported {
        /// What was found.
        what: String,
        /// Where.
        place: Place,
    },
    /// Bytes that contradict the format.
    #[error("{what} at {place}")]
    Malformed {
        /// What was found and what was expected.
        what: String,
        /// Where.
        place: Place,
    },
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] ReadError),
}

impl OpenError {
    /// One word for programs: `not_a_trace`, `truncated`, `unsupported`, `malformed` or `io`.
    pub fn kind(&self) -> &'static str {
        match self {
            OpenError::NotATrace { .. } => "not_a_trace",
            OpenError::Truncated { .. } => "truncated",
            OpenError::Unsupported { .. } => "unsupported",
            OpenError::Malformed { .. } => "malformed",
            OpenError::Io(_) => "io",
        }
    }

    /// What was found and what was expected, without the place.
    pub fn what(&self) -> String {
        match self {
            OpenError::Truncated {
                place, needed, size, ..
            } => {
                let least = counted(place.offset.saturating_add(*needed), "byte");
                let size = counted(*size, "byte");
                match place.section {
                    None => format!("the file has {size}; it should have at least {least}"),
                    Some(section) => format!(
                        "the section at byte {} has {size} when unpacked; it should have at least {least}",
                        grouped(section)
                    ),
                }
            }
            OpenError::Unsupported { what, .. } => format!("{what} is not supported"),
            OpenError::Malformed { what, .. } => what.clone(),
            OpenError::Io(error) => error.message.clone(),
            OpenError::NotATrace { .. } => self.to_string(),
        }
    }

    /// Where in the file, if the file has that place.
    pub fn place(&self) -> Option<Place> {
        match self {
            OpenError::NotATrace { .. } | OpenError::Truncated { .. } => None,
            OpenError::Unsupported { place, .. } | OpenError::Malformed { place, .. } => Some(*place),
            OpenError::Io(error) => Some(Place::file(error.offset)),
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            OpenError::NotATrace { .. } => {
                "Open a file written by `trace-cmd record` or `trace-cmd extract` (usually named trace.dat)."
            }
            OpenError::Truncated { .. } => {
                "Its end is missing, and the trace data with it. Copy it again, or record again and let trace-cmd finish writing."
            }
            OpenError::Unsupported { .. } => {
                "Convert it with `trace-cmd convert -i IN -o OUT --compression zstd` (or `--file-version 6`)."
            }
            OpenError::Malformed { .. } => "The file is damaged at this place. Copy it again, or record again.",
            OpenError::Io(_) => "Check that the file still exists and can be read, then open it again.",
        }
    }
}
