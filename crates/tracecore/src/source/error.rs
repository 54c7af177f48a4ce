//! Errors on their way to JavaScript, as JSON text.

use schedrows::{ErrorKind, SourceError};
use serde::Serialize;
use ts_rs::TS;
use wasm_bindgen::prelude::JsValue;

/// Errors are values: what went wrong, where in the file, what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EngineError<'a> {
    /// What kind of error it is.
    pub kind: EngineErrorKind,
    /// What went wrong.
    pub what: &'a str,
    /// Where in the file.
    pub r#where: Option<&'a str>,
    /// What to do.
    pub advice: &'a str,
}

/// Kinds of errors: those of sources, and of what reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
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
    /// There is nothing to show; the page says so.
    Empty,
    /// There is not enough memory.
    Memory,
    /// A failure of ours, not of the file.
    Internal,
}

impl From<ErrorKind> for EngineErrorKind {
    fn from(kind: ErrorKind) -> EngineErrorKind {
        match kind {
            ErrorKind::NotATrace => EngineErrorKind::NotATrace,
            ErrorKind::Truncated => EngineErrorKind::Truncated,
            ErrorKind::Unsupported => EngineErrorKind::Unsupported,
            ErrorKind::Malformed => EngineErrorKind::Malformed,
            ErrorKind::Io => EngineErrorKind::Io,
        }
    }
}

fn text_of(error: &EngineError<'_>) -> JsValue {
    JsValue::from_str(&serde_json::to_string(error).unwrap_or_else(|_| error.what.to_owned()))
}

/// A file that cannot be opened or read.
pub fn thrown(error: &SourceError) -> JsValue {
    text_of(&EngineError {
        kind: error.kind.into(),
        what: &error.what,
        r#where: error.place.as_deref(),
        advice: error.advice,
    })
}

/// A message that the two sides of the engine do not agree on.
pub fn internal(what: &str) -> JsValue {
    text_of(&EngineError {
        kind: EngineErrorKind::Internal,
        what,
        r#where: None,
        advice: "Reload the page; its parts may be of different versions.",
    })
}

/// What was asked for cannot be had.
pub fn unsupported(what: &str, advice: &str) -> JsValue {
    text_of(&EngineError {
        kind: EngineErrorKind::Unsupported,
        what,
        r#where: None,
        advice,
    })
}

/// There is not enough memory for something that the trace itself does not need.
pub fn out_of_memory(what: &str) -> JsValue {
    text_of(&EngineError {
        kind: EngineErrorKind::Memory,
        what,
        r#where: None,
        advice: "Close other pages, or use the command line.",
    })
}
