//! What a source says, on its way from the module that opened it to the one that builds the model.

use schedrows::{Diagnostic, DiagnosticKind, ReadError, Source};
use serde::{Deserialize, Serialize};

/// Goes through JavaScript as JSON text, which `Metadata` of the protocol is read from, without what the caller knows (name
/// and size).
#[derive(Serialize, Deserialize)]
pub struct Description {
    /// The name of the format.
    pub format: String,
    /// Of the format.
    pub version: u32,
    /// In hexadecimal.
    pub fingerprint: String,
    /// All CPUs of the traced system, with or without data.
    pub cpus: Vec<u32>,
    /// Time of the first record, as a text: JavaScript has no numbers of 64 bits.
    pub base_ns: String,
    /// Times are nanoseconds; else raw ticks.
    pub clock_is_ns: bool,
    /// Empty where it is not known.
    pub clock: String,
    /// The traced system.
    pub uname: Option<String>,
    /// The file holds the text of its records: scans leave an index of them.
    pub has_text: bool,
    /// What was wrong with the file as a whole.
    pub file_diagnostics: Vec<FileDiagnostic>,
}

/// A [`Diagnostic`].
#[derive(Serialize, Deserialize)]
pub struct FileDiagnostic {
    kind: String,
    cpu: Option<u32>,
    at_ns: Option<u64>,
    count: u64,
    text: String,
}

impl Description {
    /// Reads what it takes to find the first record.
    pub fn of(source: &dyn Source) -> Result<Description, ReadError> {
        let info = source.info();
        let diagnostics = source.diagnostics().iter().map(|found| FileDiagnostic {
            kind: found.kind.name().to_owned(),
            cpu: found.cpu,
            at_ns: found.at_ns,
            count: found.count,
            text: found.text.clone(),
        });
        Ok(Description {
            format: info.format.to_owned(),
            version: info.version,
            fingerprint: format!("{:016x}", source.fingerprint()?),
            cpus: (0..info.cpu_count).collect(),
            base_ns: source.first_ns()?.unwrap_or(0).to_string(),
            clock_is_ns: info.clock_is_ns,
            clock: info.clock.unwrap_or_default(),
            uname: info.uname,
            has_text: info.has_text,
            file_diagnostics: diagnostics.collect(),
        })
    }

    /// What was wrong with the file, without what another build of the page's parts may have found.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let known = self.file_diagnostics.iter().filter_map(|found| {
            Some(Diagnostic {
                kind: DiagnosticKind::of_name(&found.kind)?,
                cpu: found.cpu,
                at_ns: found.at_ns,
                count: found.count,
                text: found.text.clone(),
            })
        });
        known.collect()
    }
}
