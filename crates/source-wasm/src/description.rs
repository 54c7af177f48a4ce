//! What a source says, for JavaScript.

use schedrows::{ReadError, Source};
use serde::Serialize;

/// `Metadata` of the protocol, without what the caller knows (name and size).
#[derive(Serialize)]
pub(crate) struct Description {
    /// The name of the format.
    format: &'static str,
    /// Of the format.
    version: u32,
    /// In hexadecimal.
    fingerprint: String,
    /// All CPUs of the traced system, with or without data.
    cpus: Vec<u32>,
    /// Time of the first record, as a text: JavaScript has no numbers of 64 bits.
    base_ns: String,
    /// Times are nanoseconds; else raw ticks.
    clock_is_ns: bool,
    /// Empty where it is not known.
    clock: String,
    /// The traced system.
    uname: Option<String>,
    /// The file holds the text of its records: scans leave an index of them.
    has_text: bool,
}

impl Description {
    /// Reads what it takes to find the first record.
    pub fn of(source: &dyn Source) -> Result<Description, ReadError> {
        let info = source.info();
        Ok(Description {
            format: info.format,
            version: info.version,
            fingerprint: format!("{:016x}", source.fingerprint()?),
            cpus: (0..info.cpu_count).collect(),
            base_ns: source.first_ns()?.unwrap_or(0).to_string(),
            clock_is_ns: info.clock_is_ns,
            clock: info.clock.unwrap_or_default(),
            uname: info.uname,
            has_text: info.has_text,
        })
    }
}
