//! The contents that both file versions share, in whatever order.

use std::io::{self, Read, Seek, Write};

use crate::bytes::Bytes;
use crate::formats::{header_page, HEADER_EVENT, PRINT, SYSTEMS};
use crate::layout::{Endian, Layout};
use crate::{v6, v7};

/// The first ten bytes of every trace.dat file.
pub(crate) const MAGIC: &[u8; 10] = b"\x17\x08\x44tracing";

/// Option numbers that both versions know (`trace-cmd.dat.v7(5)`, OPTIONS SECTION).
pub(crate) mod option {
    pub(crate) const DONE: u16 = 0;
    pub(crate) const BUFFER: u16 = 3;
    pub(crate) const TRACECLOCK: u16 = 4;
    pub(crate) const UNAME: u16 = 5;
    pub(crate) const OFFSET: u16 = 7;
    pub(crate) const CPUCOUNT: u16 = 8;
    pub(crate) const VERSION: u16 = 9;
}

/// A file's output: it goes back to write offsets that it learns later.
pub(crate) trait Output: Write + Seek {}
impl<W: Write + Seek> Output for W {}

/// The ring-buffer pages of one CPU.
pub(crate) struct CpuPages<'a> {
    pub(crate) cpu: u32,
    /// Bytes that `pages` gives.
    pub(crate) len: u64,
    pub(crate) pages: Box<dyn Read + 'a>,
}

/// A whole file except for its pages.
pub(crate) struct Contents<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) cpus: u32,
    pub(crate) metadata: Metadata,
    /// The options that both versions write, without DONE.
    pub(crate) options: Bytes,
    /// Pages that are compressed together.
    pub(crate) chunk_pages: usize,
}

/// The sections in front of the pages, in the form that both versions share, in the order of version 6.
pub(crate) struct Metadata {
    pub(crate) header_info: Bytes,
    pub(crate) ftrace_formats: Bytes,
    pub(crate) event_formats: Bytes,
    pub(crate) kallsyms: Bytes,
    pub(crate) printk: Bytes,
    pub(crate) command_lines: Bytes,
}

impl Metadata {
    pub(crate) fn empty(endian: Endian) -> Self {
        let empty = || Bytes::new(endian);
        Metadata {
            header_info: empty(),
            ftrace_formats: empty(),
            event_formats: empty(),
            kallsyms: empty(),
            printk: empty(),
            command_lines: empty(),
        }
    }

    pub(crate) fn sections_mut(&mut self) -> [&mut Bytes; 6] {
        let Metadata {
            header_info,
            ftrace_formats,
            event_formats,
            kallsyms,
            printk,
            command_lines,
        } = self;
        [
            header_info,
            ftrace_formats,
            event_formats,
            kallsyms,
            printk,
            command_lines,
        ]
    }

    /// The sections with what version 7 calls them: number and description.
    pub(crate) fn named(&self) -> [(u16, &'static str, &Bytes); 6] {
        [
            (section::HEADER_INFO, "headers", &self.header_info),
            (section::FTRACE_EVENTS, "ftrace events", &self.ftrace_formats),
            (section::EVENT_FORMATS, "events format", &self.event_formats),
            (section::KALLSYMS, "kallsyms", &self.kallsyms),
            (section::PRINTK, "printk", &self.printk),
            (section::CMDLINES, "command lines", &self.command_lines),
        ]
    }

    /// By its number in version 7.
    pub(crate) fn section_mut(&mut self, id: u16) -> Option<&mut Bytes> {
        let index = self.named().iter().position(|(of, ..)| *of == id)?;
        self.sections_mut().into_iter().nth(index)
    }
}

/// Section numbers of version 7; except for OPTIONS and STRINGS, these are also the numbers of the options that point
/// to the sections.
pub(crate) mod section {
    pub(crate) const OPTIONS: u16 = 0;
    pub(crate) const BUFFER: u16 = 3;
    pub(crate) const STRINGS: u16 = 15;
    pub(crate) const HEADER_INFO: u16 = 16;
    pub(crate) const FTRACE_EVENTS: u16 = 17;
    pub(crate) const EVENT_FORMATS: u16 = 18;
    pub(crate) const KALLSYMS: u16 = 19;
    pub(crate) const PRINTK: u16 = 20;
    pub(crate) const CMDLINES: u16 = 21;
    pub(crate) const BUFFER_TEXT: u16 = 22;
}

/// Flag of a section of version 7: the data is compressed.
pub(crate) const COMPRESSED: u16 = 1;

/// Pages that are compressed together. trace-cmd takes more; few make small traces have several chunks.
const CHUNK_PAGES: usize = 2;

/// Writes a trace.dat file.
pub(crate) fn write(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    if contents.layout.version == "6" {
        v6::write(out, contents, pages)
    } else {
        v7::write(out, contents, pages)
    }
}

impl<'a> Contents<'a> {
    /// Contents that were invented; `comms` are the saved command lines, pid and comm.
    pub(crate) fn invented(layout: &'a Layout, cpus: u32, comms: &[(i32, String)]) -> Self {
        let mut header_info = Bytes::new(layout.endian);
        header_info.c_string("header_page");
        header_info.file(&header_page(layout.long_size, layout.subbuf()));
        header_info.c_string("header_event");
        header_info.file(HEADER_EVENT);
        let mut ftrace_formats = Bytes::new(layout.endian);
        ftrace_formats.u32(1);
        ftrace_formats.file(&PRINT.text(layout));
        Contents {
            layout,
            cpus,
            metadata: Metadata {
                header_info,
                ftrace_formats,
                event_formats: event_formats(layout),
                kallsyms: text(layout, layout.kallsyms.as_bytes()),
                printk: text(layout, layout.printk_formats.as_bytes()),
                command_lines: command_lines(layout, comms),
            },
            options: options(layout, cpus),
            chunk_pages: CHUNK_PAGES,
        }
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes::new(self.layout.endian)
    }

    /// Magic, version, byte order, long size, page size.
    pub(crate) fn initial(&self) -> Bytes {
        let Layout {
            version,
            endian,
            user_long_size,
            page_size,
            ..
        } = self.layout;
        let mut bytes = self.bytes();
        bytes.raw(MAGIC);
        bytes.c_string(version);
        bytes.raw(&[u8::from(*endian == Endian::Big), *user_long_size]);
        bytes.u32(*page_size);
        bytes
    }
}

/// EVENT FORMATS, by system.
fn event_formats(layout: &Layout) -> Bytes {
    let mut bytes = Bytes::new(layout.endian);
    let systems = if layout.sched_formats { SYSTEMS } else { &[] };
    bytes.u32(systems.len() as u32);
    for (system, formats) in systems {
        bytes.c_string(system);
        bytes.u32(formats.len() as u32);
        for format in *formats {
            bytes.file(&format.text(layout));
        }
    }
    bytes
}

/// KALLSYMS and TRACE_PRINTK: a 4-byte length and a text.
pub(crate) fn text(layout: &Layout, text: &[u8]) -> Bytes {
    let mut bytes = Bytes::new(layout.endian);
    bytes.u32(text.len() as u32);
    bytes.raw(text);
    bytes
}

/// SAVED COMMAND LINES: pids and comms.
pub(crate) fn command_lines(layout: &Layout, comms: &[(i32, String)]) -> Bytes {
    let text: String = comms.iter().map(|(pid, comm)| format!("{pid} {comm}\n")).collect();
    let mut bytes = Bytes::new(layout.endian);
    bytes.file(&text);
    bytes
}

fn options(layout: &Layout, cpus: u32) -> Bytes {
    let mut options = Bytes::new(layout.endian);
    let mut text = |id, text: &str| {
        let mut data = Bytes::new(layout.endian);
        data.c_string(text);
        push_option(&mut options, id, &data);
    };
    text(option::TRACECLOCK, &layout.clock_text());
    let uname = format!("Linux tracegen 6.1.0 synthetic {}", layout.machine);
    text(option::UNAME, uname.trim_end());
    text(option::VERSION, "tracegen");
    if let Some(offset) = layout.offset_ns {
        text(option::OFFSET, &offset.to_string());
    }
    push_cpu_count(&mut options, cpus);
    for (id, further) in &layout.options {
        let mut data = Bytes::new(layout.endian);
        data.raw(further);
        push_option(&mut options, *id, &data);
    }
    options
}

pub(crate) fn push_cpu_count(options: &mut Bytes, cpus: u32) {
    let mut data = Bytes::new(options.endian);
    data.u32(cpus);
    push_option(options, option::CPUCOUNT, &data);
}

/// Appends an option: number, length, data.
pub(crate) fn push_option(options: &mut Bytes, id: u16, data: &Bytes) {
    options.u16(id);
    options.u32(data.len() as u32);
    options.raw(&data.data);
}

/// Writes zeros up to the next multiple of `align`; gives the position there.
pub(crate) fn align(out: &mut dyn Output, align: u64) -> io::Result<u64> {
    let at = out.stream_position()?;
    let end = at.next_multiple_of(align);
    io::copy(&mut io::repeat(0).take(end - at), out)?;
    Ok(end)
}
