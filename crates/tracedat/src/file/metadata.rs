//! What the readers of both versions gather.

use traceevent::{Endian, PageLayout};

use super::clock::TimeScale;
use super::cursor::Cursor;
use super::event_table::EventTable;
use super::header::{Compression, Header};
use super::tables::TablePlaces;
use super::time_shift::TimeShift;
use crate::error::OpenError;
use schedrows::words::{counted, grouped};
use schedrows::ReadAt;
use schedrows::{Diagnostic, DiagnosticKind};

/// A bound on what is kept of one kind of damage.
const MAX_DIAGNOSTICS: usize = 200;

/// Kernels are built for at most 8192 CPUs; code that reserves space per CPU may rely on this bound.
pub(super) const MAX_CPUS: u32 = 1 << 16;

pub(super) struct Metadata {
    pub header: Header,
    pub layout: Option<PageLayout>,
    pub events: EventTable,
    pub scale: TimeScale,
    /// By CPU; none for CPUs beyond.
    pub shifts: Vec<TimeShift>,
    pub tables: TablePlaces,
    pub diagnostics: Vec<Diagnostic>,
}

impl Metadata {
    pub fn new(version: u32, endian: Endian, long_size: u8, page_size: u32, compression: Compression) -> Self {
        Metadata {
            header: Header {
                version,
                endian,
                long_size,
                page_size,
                compression,
                clock: None,
                named_clocks: Vec::new(),
                uname: None,
                recorder: None,
                trace_id: None,
                cpu_count: 0,
                options: Vec::new(),
                buffers: Vec::new(),
                texts: Vec::new(),
            },
            layout: None,
            events: EventTable::default(),
            scale: TimeScale::default(),
            shifts: Vec::new(),
            tables: TablePlaces::default(),
            diagnostics: Vec::new(),
        }
    }

    /// The file says which clock it was recorded with.
    pub fn take_clock(&mut self, clock: &str) {
        self.header.clock = Some(clock.to_owned());
        self.header.named_clocks.push(clock.to_owned());
    }

    pub fn diagnose(&mut self, kind: DiagnosticKind, text: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic {
                kind,
                cpu: None,
                at_ns: None,
                count: 1,
                text,
            });
        }
    }

    /// Damage that leaves the rest of the file readable.
    pub fn survive(&mut self, error: OpenError) {
        let Diagnostic { kind, text, .. } = diagnostic_of(&error);
        self.diagnose(kind, text);
    }

    /// `header_page\0`, a sized text, `header_event\0`, a sized text.
    pub fn read_header_info<R: ReadAt + ?Sized>(&mut self, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
        expect_tag(cursor, b"header_page\0")?;
        let size = cursor.u64("the size of header_page")?;
        let place = cursor.place();
        let text = cursor.bytes(size, "header_page")?;
        let layout = PageLayout::parse(&String::from_utf8_lossy(&text), self.header.endian);
        self.layout = Some(layout.map_err(|error| OpenError::Malformed {
            what: format!("header_page without use: {error}"),
            place,
        })?);
        expect_tag(cursor, b"header_event\0")?;
        let size = cursor.u64("the size of header_event")?;
        cursor.skip(size, "header_event")
    }

    pub fn read_ftrace_events<R: ReadAt + ?Sized>(&mut self, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
        let mut bad = Vec::new();
        let result = self.events.read_ftrace(cursor, &mut |error| bad.push(error));
        bad.into_iter().for_each(|error| self.survive(error));
        result
    }

    pub fn read_event_systems<R: ReadAt + ?Sized>(&mut self, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
        let mut bad = Vec::new();
        let result = self.events.read_systems(cursor, &mut |error| bad.push(error));
        bad.into_iter().for_each(|error| self.survive(error));
        result
    }

    /// Cuts extents to the size of the file, and reports it.
    pub fn clamp_extents(&mut self, file_size: u64) {
        let mut cut = Vec::new();
        for buffer in &mut self.header.buffers {
            for extent in &mut buffer.cpus {
                let left = file_size.saturating_sub(extent.offset);
                if extent.size > left {
                    cut.push(Diagnostic {
                        kind: DiagnosticKind::Truncated,
                        cpu: Some(extent.cpu),
                        at_ns: None,
                        count: 1,
                        text: format!(
                            "the file is cut off: of {} of data of CPU {}{} it has {}",
                            counted(extent.size, "byte"),
                            extent.cpu,
                            if buffer.name.is_empty() {
                                String::new()
                            } else {
                                format!(" of buffer {}", buffer.name)
                            },
                            grouped(left)
                        ),
                    });
                    extent.missing = extent.size - left;
                    extent.size = left;
                }
            }
        }
        self.diagnostics.extend(cut);
    }
}

/// Damage as the page and the command line report it.
pub(super) fn diagnostic_of(error: &OpenError) -> Diagnostic {
    Diagnostic {
        kind: match error {
            OpenError::Truncated { .. } => DiagnosticKind::Truncated,
            OpenError::Unsupported { .. } => DiagnosticKind::Unsupported,
            _ => DiagnosticKind::Malformed,
        },
        cpu: None,
        at_ns: None,
        count: 1,
        text: error.to_string(),
    }
}

fn expect_tag<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, tag: &'static [u8]) -> Result<(), OpenError> {
    let place = cursor.place();
    let found = cursor.bytes(tag.len() as u64, "the header information")?;
    if found == tag {
        return Ok(());
    }
    Err(OpenError::Malformed {
        what: format!(
            "found {:?}, expected {:?}",
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(tag)
        ),
        place,
    })
}
