//! What a source says, for JavaScript.

use schedrows::{ReadError, Source};
use serde::Serialize;
use ts_rs::TS;

/// What is known of a file before anything is scanned.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "SourceDescription")]
pub struct Description {
    /// The name of the file's format, as in `trace.dat`.
    pub format: &'static str,
    /// Its version.
    pub version: u32,
    /// In hexadecimal.
    pub fingerprint: String,
    /// All CPUs of the traced system, with or without data.
    pub cpus: Vec<u32>,
    /// Absolute time of the first record in ns, as decimal digits: JavaScript has no numbers of 64 bits.
    pub base_ns: String,
    /// False for clocks that count raw ticks (x86-tsc, counter): "ns" are then ticks.
    pub clock_is_ns: bool,
    /// Empty where it is not known.
    pub clock: String,
    /// The traced system.
    pub uname: Option<String>,
    /// The file holds the text of its records: there is a list of events.
    pub has_text: bool,
    /// The program that wrote the file, where it leaves out what others write.
    pub writer: Option<String>,
    /// What the file has no way to say: `waker`, `context`, `chosen_cpu`, `migrations`, `preemption`, `loss`.
    pub cannot_tell: Vec<&'static str>,
    /// The machine's topology in its canonical text, where the file has it.
    pub topology: Option<String>,
}

impl Description {
    /// `first_ns`: when the first record is; where nobody knows that, the first bytes of all streams are read.
    pub fn of(source: &dyn Source, first_ns: Option<u64>) -> Result<Description, ReadError> {
        let info = source.info();
        let first_ns = match first_ns {
            None => source.first_ns()?,
            known => known,
        };
        Ok(Description {
            format: info.format,
            version: info.version,
            fingerprint: fingerprint(source)?,
            cpus: (0..info.cpu_count).collect(),
            base_ns: first_ns.unwrap_or(0).to_string(),
            clock_is_ns: info.clock_is_ns,
            clock: info.clock.unwrap_or_default(),
            uname: info.uname,
            has_text: info.has_text,
            writer: info.writer,
            cannot_tell: info.cannot_tell.names().collect(),
            topology: info.topology,
        })
    }
}

/// What tells the file from others, in hexadecimal; reads a few bytes.
pub fn fingerprint(source: &dyn Source) -> Result<String, ReadError> {
    Ok(format!("{:016x}", source.fingerprint()?))
}
