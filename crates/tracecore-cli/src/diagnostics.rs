//! Diagnostics as every command prints them.

use serde::Serialize;
use tracecore::sched::{Diagnostic, Time};

/// The keys of a diagnostic in JSON.
#[derive(Serialize)]
pub struct DiagnosticInfo {
    pub kind: &'static str,
    pub cpu: Option<u32>,
    pub at_ns: Option<Time>,
    pub count: u64,
    more_ns: Vec<Time>,
    pub text: String,
}

impl From<&Diagnostic> for DiagnosticInfo {
    fn from(diagnostic: &Diagnostic) -> Self {
        DiagnosticInfo {
            kind: diagnostic.kind.name(),
            cpu: diagnostic.cpu,
            at_ns: diagnostic.at,
            count: diagnostic.count,
            more_ns: diagnostic.more.clone(),
            text: diagnostic.text.clone(),
        }
    }
}
