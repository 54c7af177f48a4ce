//! An opened trace.dat file.

use std::sync::Arc;

use traceevent::{Endian, EventFormat, PageLayout};

use super::clock::{counts_ns, TimeScale};
use super::compression::Codec;
use super::cursor::Cursor;
use super::event_table::EventTable;
use super::header::{Compression, Header};
use super::metadata::Metadata;
use super::tables::{TablePlaces, Tables};
use super::time_shift::TimeShift;
use super::{page_size, shown, v6, v7};
use crate::error::{OpenError, Place};
use schedrows::words::grouped;
use schedrows::{Diagnostic, DiagnosticKind, ReadAt};
use sysnames::Machine;

const MAGIC: &[u8] = b"\x17\x08\x44tracing";

/// Whether a file with these first bytes is a trace.dat file.
pub fn is_trace_dat(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// A file's metadata, read once, and its input. Immutable and cheap to share between scanners.
#[derive(Debug)]
pub struct TraceFile<R: ReadAt> {
    input: R,
    header: Header,
    layout: PageLayout,
    /// Index of the buffer that is shown.
    pub(super) shown: usize,
    /// Says that it is not the main one because that is empty.
    pub(super) fallback: Option<Diagnostic>,
    /// Bytes of a sub-buffer of each buffer.
    page_sizes: Vec<usize>,
    /// Where the sections of a version 7 file begin.
    pub(super) first_section: u64,
    pub(super) codec: Codec,
    scale: TimeScale,
    shifts: Vec<TimeShift>,
    events: Arc<EventTable>,
    pub(super) table_places: TablePlaces,
    pub(super) tables: Tables,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The layout of a buffer's trace data, which a scan needs in addition to the bytes.
#[derive(Clone, Debug)]
pub(crate) struct DataFormat {
    pub layout: PageLayout,
    pub page_size: usize,
    pub codec: Codec,
    pub scale: TimeScale,
    pub events: Arc<EventTable>,
    /// The number of `sched_yield`, if the traced machine is known.
    pub sched_yield: Option<i32>,
}

impl<R: ReadAt> TraceFile<R> {
    /// Reads the metadata: headers, options, event formats and where each CPU's data is. Neither the data nor kallsyms.
    pub fn open(input: R) -> Result<Self, OpenError> {
        let mut cursor = Cursor::new(&input, Endian::Little, 0);
        let (version, mut meta) = read_initial_format(&mut cursor)?;
        let mut codec = Codec::None;
        let mut first_section = 0;
        if version == 6 {
            v6::read(&mut meta, &mut cursor)?;
        } else {
            let place = cursor.place();
            let name = cursor.c_str("the name of the compression")?;
            let version = cursor.c_str("the version of the compression")?;
            codec = Codec::from_name(&name).ok_or_else(|| OpenError::Unsupported {
                what: format!("compression {name:?}"),
                place,
            })?;
            meta.header.compression = Compression { name, version };
            first_section = v7::read(&mut meta, codec, &mut cursor)?;
        }
        meta.clamp_extents(input.len());
        // The standard layout has never changed; that the file's own is missing has been told.
        let standard = || PageLayout::standard(meta.header.long_size, meta.header.page_size, meta.header.endian);
        let layout = meta
            .layout
            .or_else(standard)
            .ok_or_else(|| cursor.malformed("the file has no header_page"))?;
        let cpus = meta.header.buffers.iter().flat_map(|buffer| &buffer.cpus);
        let highest = cpus.map(|extent| extent.cpu + 1).max().unwrap_or(0);
        meta.header.cpu_count = meta.header.cpu_count.max(highest);
        let sizes = meta
            .header
            .buffers
            .iter()
            .map(|buffer| page_size::of_buffer(&input, &meta.header, buffer, &layout, codec));
        let page_sizes: Vec<usize> = sizes.collect();
        // That of the header is the alignment of what is written, whatever size the pages have.
        let largest = *page_size::ALLOWED.end();
        let stated = meta.header.page_size as usize;
        let wrong = page_sizes.iter().find(|size| !page_size::ALLOWED.contains(size));
        if let Some(size) = wrong.or(Some(&stated).filter(|size| largest < **size)) {
            let (size, least, largest) = (
                grouped(*size as u64),
                page_size::ALLOWED.start(),
                grouped(largest as u64),
            );
            return Err(OpenError::Malformed {
                what: format!("a page size of {size} bytes; expected {least} to {largest}"),
                place: Place::file(page_size::IN_HEADER),
            });
        }
        if !meta.header.texts.is_empty() {
            let text = "the file holds the text of a latency tracer, and no records of it".to_owned();
            meta.diagnose(DiagnosticKind::Unsupported, text);
        }
        let (shown, fallback) = shown::choose(&meta.header.buffers);
        Ok(TraceFile {
            header: meta.header,
            layout,
            shown,
            fallback: fallback.clone(),
            page_sizes,
            first_section,
            codec,
            scale: meta.scale,
            shifts: meta.shifts,
            events: Arc::new(meta.events),
            table_places: meta.tables,
            tables: Tables::default(),
            diagnostics: meta.diagnostics.into_iter().chain(fallback).collect(),
            input,
        })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Byte order of the records.
    pub fn endian(&self) -> Endian {
        self.header.endian
    }

    /// Bytes of a `long`, as print fmts and `trace_printk` have it. It is the header's, of user space: trace-cmd prints by
    /// it whatever the kernel's own is (which header_page tells, and pages are read by).
    pub fn long_size(&self) -> u8 {
        self.header.long_size
    }

    /// System and name of the event with that `common_type`.
    pub fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.events.name(id)
    }

    /// Every id up to the highest that an event has; some may have none.
    pub fn event_ids(&self) -> impl Iterator<Item = u16> {
        self.events.ids()
    }

    /// Bytes of a `long` of the traced kernel.
    pub fn kernel_long_size(&self) -> usize {
        self.layout.long_size()
    }

    /// Fields and print fmt of the event with that `common_type`; `None` when there is none, or it cannot be read.
    pub fn event_format(&self, id: u16) -> Option<&EventFormat> {
        self.events.format(id)?.as_ref().ok()
    }

    /// Any event's format that can be read, for the fields that all events have.
    pub(crate) fn any_event_format(&self) -> Option<&EventFormat> {
        self.events.any_format()
    }

    /// The clocks by which trace-cmd prints all times; buffers may name others.
    pub(crate) fn named_clocks(&self) -> &[String] {
        &self.header.named_clocks
    }

    /// Whether the file says how many nanoseconds a tick of its clock takes.
    pub(crate) fn has_tick_scale(&self) -> bool {
        self.scale.ticks.is_some()
    }

    /// Whether times are nanoseconds; else they are the clock's raw ticks.
    pub fn clock_is_ns(&self) -> bool {
        self.scale.ticks.is_some() || self.clock().is_none_or(counts_ns)
    }

    /// What was wrong with the metadata.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The file's bytes, without the file.
    pub fn into_input(self) -> R {
        self.input
    }

    /// The input that the file was opened from.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// How the file is packed, where it is.
    pub(crate) fn codec(&self) -> Codec {
        self.codec
    }

    /// Where the sections of a version 7 file begin.
    pub(crate) fn first_section(&self) -> u64 {
        self.first_section
    }

    /// The data of each CPU of a buffer begins at a multiple of this.
    pub(crate) fn alignment(&self, buffer: usize) -> u64 {
        let page_size = self.page_sizes.get(buffer).copied().unwrap_or(0);
        u64::from(self.header.page_size).max(page_size as u64)
    }

    /// How pages of the main buffer are laid out, and how large they are.
    pub fn page_layout(&self) -> (PageLayout, usize) {
        (self.layout, self.layout.page_size())
    }

    /// How a buffer's data of a CPU is laid out.
    pub(crate) fn data_format(&self, buffer: usize, cpu: u32) -> DataFormat {
        let packed = self.buffers().get(buffer).is_some_and(|buffer| buffer.packed);
        DataFormat {
            layout: self.layout,
            page_size: self.page_sizes.get(buffer).copied().unwrap_or(self.layout.page_size()),
            codec: if packed { self.codec } else { Codec::None },
            scale: TimeScale {
                shift: self.shifts.get(cpu as usize).cloned(),
                ..self.scale.clone()
            },
            events: Arc::clone(&self.events),
            sched_yield: self
                .header
                .uname
                .as_deref()
                .and_then(Machine::of_uname)
                .map(Machine::sched_yield),
        }
    }

    /// Of the system that calls itself so, where another file says it.
    #[must_use]
    pub fn with_uname(mut self, uname: Option<String>) -> Self {
        self.header.uname = uname;
        self
    }
}

/// Magic, version, byte order, long size, page size.
fn read_initial_format<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<(u32, Metadata), OpenError> {
    let start = cursor.bytes(cursor.left().min(MAGIC.len() as u64), "the magic")?;
    if start != MAGIC {
        return Err(OpenError::NotATrace {
            found: describe_start(&start),
        });
    }
    let place = cursor.place();
    let version = cursor.c_str("the version")?;
    let version = match version.as_str() {
        "6" => 6,
        "7" => 7,
        _ => {
            return Err(OpenError::Unsupported {
                what: format!("version {version:?} of trace.dat (6 and 7 are)"),
                place,
            })
        }
    };
    let place = cursor.place();
    let endian = match cursor.u8("the byte order")? {
        0 => Endian::Little,
        1 => Endian::Big,
        other => {
            return Err(OpenError::Malformed {
                what: format!("byte order {other}, expected 0 or 1"),
                place,
            })
        }
    };
    cursor.set_endian(endian);
    let place = cursor.place();
    let long_size = cursor.u8("the long size")?;
    if long_size != 4 && long_size != 8 {
        return Err(OpenError::Malformed {
            what: format!("a long of {long_size} bytes, expected 4 or 8"),
            place,
        });
    }
    let page_size = cursor.u32("the page size")?;
    let compression = Compression {
        name: "none".to_owned(),
        version: String::new(),
    };
    let meta = Metadata::new(version, endian, long_size, page_size, compression);
    Ok((version, meta))
}

fn describe_start(start: &[u8]) -> String {
    if start.is_empty() {
        return "nothing: the file is empty".to_owned();
    }
    let hex: Vec<String> = start.iter().map(|byte| format!("{byte:02x}")).collect();
    let hint = match start {
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ": it is packed with zstd, unpack it first (`zstd -d FILE`)",
        [0x1f, 0x8b, ..] => ": it is packed with gzip, unpack it first (`gunzip FILE`)",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => ": it is packed with xz, unpack it first (`unxz FILE`)",
        _ => "",
    };
    format!("{}, not with 17 08 44 \"tracing\"{hint}", hex.join(" "))
}
