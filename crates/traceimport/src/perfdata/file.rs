//! An opened perf.data file.

use std::sync::Arc;

use schedrows::words::grouped;
use schedrows::{
    CannotTell, Diagnostic, DiagnosticKind, ErrorKind, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo,
    Stream, Want,
};
use tracedat::file::TraceFile;

use super::header::{feature, is_perf, refusal, Header};
use super::machine;
use super::pages::Pages;
use super::sample::Attr;
use super::scan::PerfScanner;
use super::switches::SWITCHES;
use crate::dat::Head;

/// The format's name.
pub const FORMAT: &str = "perf.data";

/// Bytes read at a time to find the first records.
const READ: u64 = 256 << 10;

/// Whether a file with these first bytes is a perf.data file.
pub fn is_perf_data(head: &[u8]) -> bool {
    is_perf(head)
}

/// A perf.data file whose header was read.
pub struct PerfFile<R> {
    input: R,
    header: Header,
    formats: Arc<TraceFile<Vec<u8>>>,
    attrs: Arc<super::sample::Attrs>,
    cpu_count: u32,
    first_ns: Option<u64>,
    diagnostics: Vec<Diagnostic>,
    /// The formats as the file has them.
    tracing: Vec<u8>,
    /// There are no tracepoints: switches are records of their own.
    switches: bool,
}

impl<R: ReadAt> PerfFile<R> {
    /// Reads all but the data, and its beginning.
    pub fn open(input: R) -> Result<Self, SourceError> {
        let mut header = Header::read(&input)?;
        let has_tracepoints = header.attrs.all().iter().any(|attr| attr.is_tracepoint());
        if header.features.contains_key(&feature::DIR_FORMAT) {
            return Err(refusal(
                ErrorKind::Unsupported,
                "a file of a perf.data directory (perf record --threads)",
                "Record again without --threads.",
            ));
        }
        let switches = !has_tracepoints && header.attrs.all().iter().any(Attr::has_switches);
        if !has_tracepoints && !switches {
            return Err(match header.has_stats {
                true => refusal(
                    ErrorKind::Unsupported,
                    "counters of `perf sched stats`, and no events",
                    "Record the events with `perf sched record`.",
                ),
                false => refusal(
                    ErrorKind::Unsupported,
                    "a perf.data file without tracepoints",
                    "Record the scheduler's events with `perf sched record`, or switches with `perf record -a --switch-events`.",
                ),
            });
        }
        if !switches
            && !header
                .attrs
                .all()
                .iter()
                .any(|attr| attr.is_tracepoint() && attr.is_complete())
        {
            return Err(refusal(
                ErrorKind::Unsupported,
                "tracepoints without their time, CPU or raw records",
                "Record with `perf sched record`, or with `perf record -R -T -C`.",
            ));
        }
        let tracing = header.tracing.take().unwrap_or_default();
        let head = match switches {
            true => Some(Head::of_nothing()),
            false => Head::of_perf(&tracing),
        };
        let head = head.ok_or_else(|| {
            refusal(
                ErrorKind::Malformed,
                "a perf.data file without the formats of its events (tracing data)",
                "Record again; a file that was cut off has lost them.",
            )
        })?;
        let formats = Arc::new(head.formats()?.with_uname(machine::uname(&header)));
        let mut diagnostics = Vec::new();
        if 0 < header.missing {
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::Truncated,
                cpu: None,
                at_ns: None,
                count: 1,
                text: format!(
                    "{} bytes of the data are beyond the end of the file",
                    grouped(header.missing)
                ),
            });
        }
        diagnostics.extend(machine::left_out(&header).map(|text| Diagnostic {
            kind: DiagnosticKind::MissingEvent,
            cpu: None,
            at_ns: None,
            count: 1,
            text,
        }));
        let attrs = Arc::new(header.attrs.clone());
        let mut file = PerfFile {
            cpu_count: machine::cpus(&header).unwrap_or(0),
            first_ns: machine::times(&header).map(|(first, _)| first),
            input,
            header,
            formats,
            attrs,
            diagnostics,
            tracing,
            switches,
        };
        if file.cpu_count == 0 || file.first_ns.is_none() {
            file.look()?;
        }
        Ok(file)
    }

    /// Finds the first record and the CPUs in the first round of buffers, where the header does not say them.
    fn look(&mut self) -> Result<(), ReadError> {
        let mut scanner = self.scanner_for(Want::default());
        self.header.data.read(&self.input, READ, &mut |bytes| {
            scanner.push(bytes);
            scanner.samples().rounds < 2
        })?;
        // What is still packed comes when the scanner is told that no more follows.
        for cpu in Box::new(scanner).finish().cpus {
            self.cpu_count = self.cpu_count.max(if cpu.records == 0 { 0 } else { cpu.cpu + 1 });
            self.first_ns = [self.first_ns, cpu.first_ns].into_iter().flatten().min();
        }
        Ok(())
    }

    fn scanner_for(&self, want: Want) -> PerfScanner {
        PerfScanner::new(
            Arc::clone(&self.attrs),
            Arc::clone(&self.formats),
            self.header.endian,
            want,
            self.switches,
        )
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.input
    }

    /// The same records and formats as a trace.dat file; `None` of a file that has none.
    pub fn to_trace_dat(&self) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(head) = Head::of_perf(&self.tracing).filter(|_| !self.switches) else {
            return Ok(None);
        };
        let (layout, size) = self.formats.page_layout();
        let mut pages = Pages::new(Arc::clone(&self.attrs), self.header.endian, layout, size);
        self.header.data.read(&self.input, READ, &mut |bytes| {
            pages.push(bytes);
            true
        })?;
        Ok(Some(head.with_pages(pages.finish())))
    }

    fn records(&self, name: &str) -> bool {
        let attrs = self.header.attrs.all().iter().filter(|attr| attr.is_tracepoint());
        let mut ids = attrs.filter_map(|attr| u16::try_from(attr.config).ok());
        ids.any(|id| self.formats.event_name(id) == Some(("sched", name)))
    }
}

impl<R: ReadAt> Source for PerfFile<R> {
    fn info(&self) -> SourceInfo {
        SourceInfo {
            format: FORMAT,
            version: 2,
            cpu_count: self.cpu_count,
            clock: Some("perf".to_owned()),
            clock_is_ns: true,
            uname: machine::uname(&self.header),
            has_text: false,
            writer: None,
            cannot_tell: match self.switches {
                true => CannotTell::WAKER
                    .and(CannotTell::CONTEXT)
                    .and(CannotTell::CHOSEN_CPU)
                    .and(CannotTell::MIGRATIONS),
                false => CannotTell::CHOSEN_CPU.if_so(!self.records("sched_wakeup")),
            },
            topology: machine::topology(&self.header),
            tasks: self.header.tasks.clone(),
            buffer: None,
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn input(&self) -> &dyn ReadAt {
        &self.input
    }

    fn streams(&self) -> Vec<Stream> {
        vec![self.header.data]
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        (stream == 0).then(|| Box::new(self.scanner_for(want)) as Box<dyn Scanner>)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Ok(self.first_ns)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        match self.switches {
            true => (id == SWITCHES).then_some(("sched", "sched_switch")),
            false => self.formats.event_name(id),
        }
    }
}
