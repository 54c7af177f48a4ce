//! Tars of SchedViz, and of what tracefs has: raw ring-buffer pages of each CPU with the formats of their events.
//!
//! Pages and formats are put together as a trace.dat, in memory, and read as one.

use std::collections::BTreeMap;

use containers::{Place, Problem};
use schedrows::{Diagnostic, ErrorKind, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want};
use topology::tar::walk_stream;
use topology::Topology;
use tracedat::file::TraceFile;

use crate::dat::{Head, Parts, Texts, PAGE_SIZE};
use schedrows::MOST_CPUS;

/// The format's name.
pub const FORMAT: &str = "schedviz";

/// The most bytes of a member that are read: the pages of a CPU.
const MOST: u64 = 1 << 30;

const ADVICE: &str =
    "Pack traces/cpuN (or per_cpu/cpuN/trace_pipe_raw) with formats/header_page and formats/*/*/format.";

/// Whether a file with these first bytes is a tar.
pub fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

/// A tar whose pages were put together.
pub struct SchedVizFile {
    file: TraceFile<Parts>,
    topology: Option<String>,
}

/// What a tar holds of a trace.
#[derive(Default)]
struct Found {
    header_page: Vec<u8>,
    /// Formats by system and event.
    formats: BTreeMap<(String, String), Vec<u8>>,
    cpus: BTreeMap<u32, Vec<u8>>,
    trace_type: Option<String>,
}

impl Found {
    fn take(&mut self, path: &str, content: Vec<u8>) {
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let number = |part: &str| part.strip_prefix("cpu")?.parse().ok().filter(|&cpu| cpu < MOST_CPUS);
        match parts.as_slice() {
            [.., "header_page"] => self.header_page = content,
            [.., system, event, "format"] => {
                self.formats
                    .insert(((*system).to_owned(), (*event).to_owned()), content);
            }
            [.., "traces", cpu] | [.., "per_cpu", cpu, "trace_pipe_raw"] => {
                if let Some(cpu) = number(cpu) {
                    self.cpus.insert(cpu, content);
                }
            }
            [.., "metadata.textproto"] => {
                let text = String::from_utf8_lossy(&content);
                let kind = text.lines().find_map(|line| line.trim().strip_prefix("trace_type:"));
                self.trace_type = kind.map(|kind| kind.trim().to_owned());
            }
            _ => {}
        }
    }

    /// Of pages and formats one file.
    fn put_together(self) -> Parts {
        let events = self.formats.iter();
        let texts = Texts {
            header_page: &self.header_page,
            events: events
                .map(|((system, _), text)| (system.as_str(), text.as_slice()))
                .collect(),
        };
        let last = self.cpus.keys().next_back().copied().unwrap_or(0);
        let head = Head::of_texts(&texts, page_size(&self.header_page));
        let mut cpus = self.cpus;
        head.with_parts((0..=last).map(|cpu| cpus.remove(&cpu).unwrap_or_default()).collect())
    }
}

/// Bytes of a page, from where its data begins and how long it is.
fn page_size(header_page: &[u8]) -> u32 {
    let text = String::from_utf8_lossy(header_page);
    let number = |line: &str, key: &str| -> Option<u32> {
        let (_, rest) = line.split_once(key)?;
        rest.split(';').next()?.trim().parse().ok()
    };
    let data = text.lines().find(|line| line.contains(" data;"));
    let size = data.and_then(|line| number(line, "offset:")?.checked_add(number(line, "size:")?));
    size.filter(|size| size.is_power_of_two()).unwrap_or(PAGE_SIZE)
}

impl SchedVizFile {
    /// Of a tar at a place in a file; returns what was wrong with what is around it, too.
    pub fn open(input: &dyn ReadAt, place: &Place) -> Result<(Self, Vec<Problem>), SourceError> {
        let mut found = Found::default();
        let mut topology_files = 0_u32;
        let mut reader = place.reader(input);
        let walked = walk_stream(&mut reader, MOST, &mut |member| {
            topology_files += u32::from(member.path.contains("/topology/"));
            found.take(&member.path, member.content);
        });
        let problems = reader.problems();
        let error = |kind, what: String| SourceError {
            kind,
            message: what.clone(),
            what,
            place: None,
            advice: ADVICE,
        };
        if let Some(kind) = found.trace_type.as_deref().filter(|&kind| kind != "FTRACE") {
            return Err(SourceError {
                advice: "Record with ftrace: SchedViz's trace.sh does so where it is not told otherwise.",
                ..error(
                    ErrorKind::Unsupported,
                    format!("a SchedViz trace of type {kind}; only FTRACE is read"),
                )
            });
        }
        if found.cpus.is_empty() || found.formats.is_empty() {
            // Where the tar is damaged, that is why.
            let why = walked.err().map(|error| format!(": {error}")).unwrap_or_default();
            return Err(error(
                ErrorKind::NotATrace,
                format!("a tar without pages of a trace and their formats{why}"),
            ));
        }
        let has_topology = 0 < topology_files;
        let topology = has_topology.then(|| Topology::of_tar_stream(place.reader(input)).ok());
        let file = SchedVizFile {
            file: TraceFile::open(found.put_together())?,
            topology: topology.flatten().map(|topology| topology.canonical()),
        };
        Ok((file, problems))
    }

    /// The same records and formats as a trace.dat file.
    pub fn to_trace_dat(&self) -> Result<Vec<u8>, ReadError> {
        let input = self.file.input();
        let mut bytes = vec![0; input.len() as usize];
        input.read_at(0, &mut bytes)?;
        Ok(bytes)
    }
}

impl Source for SchedVizFile {
    fn info(&self) -> SourceInfo {
        SourceInfo {
            format: FORMAT,
            version: 1,
            has_text: false,
            topology: self.topology.clone(),
            ..self.file.info()
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        Source::diagnostics(&self.file)
    }

    fn input(&self) -> &dyn ReadAt {
        Source::input(&self.file)
    }

    fn streams(&self) -> Vec<Stream> {
        self.file.streams()
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        self.file.scanner(stream, want)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Source::first_ns(&self.file)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        Source::event_name(&self.file, id)
    }
}
