//! The contents that both file versions share, in whatever order.

use std::io::{self, Read, Seek, Write};

use crate::bytes::Bytes;
use crate::formats::{header_page, HEADER_EVENT, PRINT, SYSTEMS};
use crate::layout::Layout;
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
    /// The saved command lines: pid and comm.
    pub(crate) comms: Vec<(i32, String)>,
}

/// Writes a trace.dat file.
pub(crate) fn write(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    if contents.layout.version == "6" {
        v6::write(out, contents, pages)
    } else {
        v7::write(out, contents, pages)
    }
}

impl Contents<'_> {
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
        bytes.raw(&[u8::from(*endian == crate::Endian::Big), *user_long_size]);
        bytes.u32(*page_size);
        bytes
    }

    /// HEADER INFO: what a page and a record's header look like.
    pub(crate) fn header_info(&self) -> Bytes {
        let mut bytes = self.bytes();
        bytes.c_string("header_page");
        bytes.file(&header_page(self.layout.long_size, self.layout.subbuf()));
        bytes.c_string("header_event");
        bytes.file(HEADER_EVENT);
        bytes
    }

    /// FTRACE EVENT FORMATS.
    pub(crate) fn ftrace_formats(&self) -> Bytes {
        let mut bytes = self.bytes();
        bytes.u32(1);
        bytes.file(&PRINT.text(self.layout));
        bytes
    }

    /// EVENT FORMATS, by system.
    pub(crate) fn event_formats(&self) -> Bytes {
        let mut bytes = self.bytes();
        let systems = if self.layout.sched_formats { SYSTEMS } else { &[] };
        bytes.u32(systems.len() as u32);
        for (system, formats) in systems {
            bytes.c_string(system);
            bytes.u32(formats.len() as u32);
            for format in *formats {
                bytes.file(&format.text(self.layout));
            }
        }
        bytes
    }

    /// KALLSYMS and TRACE_PRINTK: a 4-byte length and a text.
    pub(crate) fn text(&self, text: &str) -> Bytes {
        let mut bytes = self.bytes();
        bytes.u32(text.len() as u32);
        bytes.raw(text.as_bytes());
        bytes
    }

    /// SAVED COMMAND LINES.
    pub(crate) fn command_lines(&self) -> Bytes {
        let text: String = self.comms.iter().map(|(pid, comm)| format!("{pid} {comm}\n")).collect();
        let mut bytes = self.bytes();
        bytes.file(&text);
        bytes
    }

    /// The options that both versions write, without DONE.
    pub(crate) fn options(&self) -> Bytes {
        let mut options = self.bytes();
        let mut text = |id, text: &str| {
            let mut data = self.bytes();
            data.c_string(text);
            push_option(&mut options, id, &data);
        };
        text(option::TRACECLOCK, &self.layout.clock_text());
        text(option::UNAME, "Linux tracegen 6.1.0 synthetic");
        text(option::VERSION, "tracegen");
        if let Some(offset) = self.layout.offset_ns {
            text(option::OFFSET, &offset.to_string());
        }
        let mut cpus = self.bytes();
        cpus.u32(self.cpus);
        push_option(&mut options, option::CPUCOUNT, &cpus);
        for (id, further) in &self.layout.options {
            let mut data = self.bytes();
            data.raw(further);
            push_option(&mut options, *id, &data);
        }
        options
    }
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
