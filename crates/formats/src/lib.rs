//! The formats of traces that Corelane opens, in one table: [`Format::ALL`]. A file's first bytes decide which it is.
//!
//! A new format is a crate with a [`Source`](schedrows::Source), a row of the table and a variant of [`AnySource`].

mod any_source;

pub use any_source::AnySource;
pub use traceimport::{Blocks, Import};

use schedrows::{ReadAt, SourceError};
use schedtext::ScenarioFile;
use tracedat::file::TraceFile;
use traceimport::{perfdata, perfetto, schedviz, text};

/// A format: a row of the table.
pub struct Format<R: ReadAt> {
    /// Its name, as [`SourceInfo::format`](schedrows::SourceInfo::format) has it.
    pub name: &'static str,
    /// Whether a file with these first bytes has the format.
    pub recognises: fn(&[u8]) -> bool,
    /// Whether such bytes prove it: other files, which are nobody's business, do not begin so. Any text may be one of a trace.
    pub is_certain: bool,
    /// Opens a file that has it.
    pub open: fn(R) -> Result<AnySource<R>, SourceError>,
}

impl<R: ReadAt + 'static> Format<R> {
    /// Every format; no two recognise the same file.
    pub const ALL: &'static [Format<R>] = &[
        Format {
            name: tracedat::scan::FORMAT,
            recognises: tracedat::file::is_trace_dat,
            is_certain: true,
            open: |input| Ok(AnySource::TraceDat(Box::new(TraceFile::open(input)?))),
        },
        Format {
            name: schedtext::FORMAT,
            recognises: schedtext::is_scenario,
            is_certain: true,
            open: |input| ScenarioFile::open(input).map(AnySource::Scenario),
        },
        Format {
            name: perfdata::FORMAT,
            recognises: perfdata::is_perf_data,
            is_certain: true,
            open: import,
        },
        Format {
            name: perfetto::FORMAT,
            recognises: perfetto::is_perfetto,
            is_certain: false,
            open: import,
        },
        Format {
            name: schedviz::FORMAT,
            recognises: schedviz::is_tar,
            is_certain: false,
            open: import,
        },
        Format {
            name: "in a container",
            recognises: traceimport::is_container,
            is_certain: false,
            open: import,
        },
        Format {
            name: text::FORMAT,
            recognises: |head| text::is_text(head) && !schedtext::is_scenario(head) && !traceimport::is_container(head),
            is_certain: false,
            open: import,
        },
    ];
}

/// First bytes by which formats are recognised.
pub const HEAD: u64 = traceimport::HEAD;

fn import<R: ReadAt + 'static>(input: R) -> Result<AnySource<R>, SourceError> {
    Ok(AnySource::Import(Box::new(Import::open(input)?)))
}

/// Whether the file that begins with these bytes, as many as [`HEAD`] or all of it, is a trace without doubt.
pub fn is_trace(head: &[u8]) -> bool {
    let mut certain = Format::<Vec<u8>>::ALL.iter().filter(|format| format.is_certain);
    certain.any(|format| (format.recognises)(head))
}

/// The name of text, which nearly any file could be.
pub const TEXT: &str = text::FORMAT;

/// The name of the format of a file that begins with these bytes; `None` if it is not known.
pub fn format_of(head: &[u8]) -> Option<&'static str> {
    recognised::<Vec<u8>>(head).map(|format| format.name)
}

fn recognised<R: ReadAt + 'static>(head: &[u8]) -> Option<&'static Format<R>> {
    Format::ALL.iter().find(|format| (format.recognises)(head))
}

/// Opens a file of any format.
pub fn open<R: ReadAt + 'static>(input: R) -> Result<AnySource<R>, SourceError> {
    let mut head = vec![0; input.len().min(HEAD) as usize];
    input.read_at(0, &mut head)?;
    match recognised(&head) {
        Some(format) => (format.open)(input),
        None => Err(refusal(input)),
    }
}

/// Why a file of no known format is not opened: trace.dat's reader says what was found in place of its first bytes.
fn refusal<R: ReadAt>(input: R) -> SourceError {
    match TraceFile::open(input) {
        Err(error) => error.into(),
        Ok(_) => unknown(),
    }
}

fn unknown() -> SourceError {
    let what = "no format that is known here".to_owned();
    SourceError {
        kind: schedrows::ErrorKind::NotATrace,
        message: what.clone(),
        what,
        place: None,
        advice: "Open a trace.dat, a perf.data, the text of a trace, a SchedViz tar or a scenario.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedrows::Source;

    const SCENARIO: &[u8] = b"# corelane scenario 1\n1s cpu0 a:1 exit\n";

    fn trace_dat() -> Vec<u8> {
        tracegen::Story::parse("1s cpu0 exit a:1").unwrap().to_bytes()
    }

    #[test]
    fn each_file_is_recognised_by_one_format() {
        let text = b"a-1 [000] d..2. 1.000000: sched_waking: comm=b pid=2 prio=120 target_cpu=000\n";
        for (bytes, name) in [
            (trace_dat(), "trace.dat"),
            (SCENARIO.to_vec(), "scenario"),
            (text.to_vec(), "text"),
        ] {
            let found: Vec<&str> = Format::<Vec<u8>>::ALL
                .iter()
                .filter(|format| (format.recognises)(&bytes))
                .map(|format| format.name)
                .collect();
            assert_eq!(found, [name]);
            let source = open(bytes).unwrap();
            assert_eq!(source.info().format, name);
            assert_eq!(source.first_ns().unwrap(), Some(1_000_000_000));
        }
    }

    #[test]
    fn files_that_may_be_anything_are_no_traces_without_doubt() {
        for bytes in [trace_dat(), SCENARIO.to_vec(), b"PERFILE2\x68\0\0\0\0\0\0\0".to_vec()] {
            assert!(is_trace(&bytes));
        }
        for bytes in [
            &b""[..],
            b"notes",
            b"\n\x08notes",
            b"\x1f\x8b\x08\0",
            b"\x28\xb5\x2f\xfd",
        ] {
            assert!(!is_trace(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn other_files_are_refused_as_trace_dat_refuses_them() {
        for (bytes, found) in [
            (&b""[..], "the file is empty"),
            (b"\x23\x00\x63", "23 00 63"),
            (b"# corelane", "it begins \"# corelane\""),
        ] {
            let error = open(bytes.to_vec()).err().unwrap();
            assert_eq!(error.kind.name(), "not_a_trace");
            assert!(error.what.contains(found), "{error}");
        }
    }
}
