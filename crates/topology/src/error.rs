//! Why a topology could not be understood.

use std::fmt;

/// Where in what was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The whole of it.
    Whole,
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a file, from 0.
    Byte(u64),
    /// A member of a tar.
    Member(String),
}

/// What was found, where, and what was expected instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}{what}")]
pub struct TopologyError {
    /// Where.
    pub at: At,
    /// What was found and what was expected.
    pub what: String,
}

impl TopologyError {
    pub(super) fn new(at: At, what: impl Into<String>) -> Self {
        TopologyError { at, what: what.into() }
    }

    pub(super) fn whole(what: impl Into<String>) -> Self {
        TopologyError::new(At::Whole, what)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Whole => Ok(()),
            At::Line(line) => write!(f, "line {line}: "),
            At::Byte(offset) => write!(f, "at 0x{offset:x}: "),
            At::Member(name) => write!(f, "{name}: "),
        }
    }
}

/// The beginning of a text, for a message.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let shown: String = text.chars().take(MOST).collect();
    let rest = if shown.len() < text.len() { "…" } else { "" };
    // Escaped as in `Debug`: other ways would be code of their own in each module.
    let escaped = format!("{shown:?}");
    format!("`{}{rest}`", escaped.get(1..escaped.len() - 1).unwrap_or_default())
}
