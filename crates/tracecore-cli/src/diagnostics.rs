//! Diagnostics as every command prints them.

use std::fmt;

use serde::Serialize;
use tracecore::scan::Diagnostic;

/// The keys of a diagnostic in JSON.
#[derive(Serialize)]
pub struct DiagnosticInfo {
    kind: &'static str,
    cpu: Option<u32>,
    at_ns: Option<u64>,
    count: u64,
    text: String,
}

impl From<&Diagnostic> for DiagnosticInfo {
    fn from(diagnostic: &Diagnostic) -> Self {
        DiagnosticInfo {
            kind: diagnostic.kind.name(),
            cpu: diagnostic.cpu,
            at_ns: diagnostic.at_ns,
            count: diagnostic.count,
            text: diagnostic.text.clone(),
        }
    }
}

impl fmt::Display for DiagnosticInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.text)
    }
}
