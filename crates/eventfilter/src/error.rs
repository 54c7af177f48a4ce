//! What is wrong with a filter, and where.

use std::ops::Range;

use thiserror::Error;

/// Why a text is no filter, or none for this trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct FilterError {
    /// The bytes of the text that are wrong; empty at a place where something is missing.
    pub at: Range<usize>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl FilterError {
    pub(crate) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        FilterError {
            at,
            message: message.into(),
        }
    }

    /// The text and, on a line below it, marks under what is wrong; both indented.
    pub fn pointed(&self, text: &str) -> String {
        let chars = |range: Range<usize>| text.get(range).map_or(0, |part| part.chars().count());
        let (before, marks) = (chars(0..self.at.start), chars(self.at.clone()).max(1));
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("    {line}\n    {}{}", " ".repeat(before), "^".repeat(marks))
    }
}
