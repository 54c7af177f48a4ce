//! A recorded trace.dat file: its sections as they are, and where the pages of its main buffer lie.
//!
//! Versions 6 and 7 (`trace-cmd.dat.v6(5)`, `trace-cmd.dat.v7(5)`). Pages are read when they are asked for, one CPU at
//! a time.

use std::io::{Read, Seek, SeekFrom};

use thiserror::Error;

use crate::compress::decompress;
use crate::container::{option, section, Metadata, COMPRESSED, MAGIC};
use crate::layout::{Endian, Layout};

mod event;

use event::fields;
pub(crate) use event::{Event, Field, Use};

/// Why a recorded file cannot be used.
#[derive(Debug, Error)]
#[error("at {at:#x}: {message}")]
pub struct RecordedError {
    /// Bytes from the file's beginning.
    pub at: u64,
    /// What is wrong there.
    pub message: String,
}

type Result<T> = std::result::Result<T, RecordedError>;

/// A recorded file.
pub(crate) struct Recorded<R> {
    input: Input<R>,
    /// Byte order, sizes, clock and compression.
    pub(crate) layout: Layout,
    pub(crate) metadata: Metadata,
    /// Numbers and data, in their order, without those that say where something is in the file.
    pub(crate) options: Vec<(u16, Vec<u8>)>,
    /// Where the pages of each CPU lie.
    pub(crate) cpus: Vec<CpuPlace>,
    /// Are the pages compressed?
    packed: bool,
}

/// Where the pages of one CPU lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuPlace {
    pub(crate) cpu: u32,
    offset: u64,
    size: u64,
}

/// Reads forward from a place in the file.
struct Input<R> {
    file: R,
    len: u64,
    at: u64,
    endian: Endian,
}

impl<R: Read + Seek> Input<R> {
    fn error(&self, message: impl Into<String>) -> RecordedError {
        let (at, message) = (self.at, message.into());
        RecordedError { at, message }
    }

    fn seek(&mut self, at: u64) -> Result<()> {
        self.at = at;
        let found = self.file.seek(SeekFrom::Start(at));
        found.map(drop).map_err(|error| self.error(error.to_string()))
    }

    fn take(&mut self, len: u64, what: &str) -> Result<Vec<u8>> {
        let left = self.len.saturating_sub(self.at);
        if len > left {
            return Err(self.error(format!("{what} needs {len} bytes, {left} are left")));
        }
        let mut bytes = vec![0; len as usize];
        let read = self.file.read_exact(&mut bytes);
        read.map_err(|error| self.error(format!("{what}: {error}")))?;
        self.at += len;
        Ok(bytes)
    }

    fn number(&mut self, size: u64, what: &str) -> Result<u64> {
        let bytes = self.take(size, what)?;
        Ok(self.endian.number(&bytes))
    }

    /// A length of `size` bytes, followed by that many bytes.
    fn sized(&mut self, size: u64, what: &str) -> Result<Vec<u8>> {
        let len = self.number(size, what)?;
        self.take(len, what)
    }

    fn c_string(&mut self, what: &str) -> Result<String> {
        let mut text = Vec::new();
        loop {
            match self.take(1, what)?[0] {
                0 => return Ok(String::from_utf8_lossy(&text).into_owned()),
                byte => text.push(byte),
            }
        }
    }

    fn expect(&mut self, bytes: &[u8], what: &str) -> Result<()> {
        if self.take(bytes.len() as u64, what)? == bytes {
            return Ok(());
        }
        Err(self.error(format!("no {what}")))
    }

    /// A compressed size, a size, and compressed bytes.
    fn chunk(&mut self, compression: &str, out: &mut Vec<u8>) -> Result<()> {
        let packed = self.number(4, "chunk")?;
        let size = self.number(4, "chunk")? as usize;
        let bytes = self.take(packed, "chunk")?;
        let plain = decompress(compression, &bytes, size).map_err(|error| self.error(error.to_string()))?;
        out.extend_from_slice(&plain);
        Ok(())
    }

    /// The data of a section of version 7, unpacked.
    fn section(&mut self, at: u64, id: u16, compression: &str) -> Result<Vec<u8>> {
        self.seek(at)?;
        let found = self.number(2, "section")? as u16;
        if found != id {
            return Err(self.error(format!("section {found}, expected {id}")));
        }
        let flags = self.number(2, "section flags")? as u16;
        self.number(4, "section description")?;
        let size = self.number(8, "section size")?;
        if flags & COMPRESSED == 0 {
            return self.take(size, "section");
        }
        let mut data = Vec::new();
        self.chunk(compression, &mut data)?;
        Ok(data)
    }
}

impl<R: Read + Seek> Recorded<R> {
    /// Reads everything but the pages.
    pub(crate) fn read(mut file: R) -> Result<Self> {
        let len = file.seek(SeekFrom::End(0));
        let mut input = Input {
            file,
            len: len.unwrap_or(0),
            at: 0,
            endian: Endian::Little,
        };
        input.seek(0)?;
        input.expect(MAGIC, "trace.dat magic")?;
        let version = input.c_string("version")?;
        let endian = input.number(1, "byte order")?;
        input.endian = if endian == 0 { Endian::Little } else { Endian::Big };
        let layout = Layout {
            version,
            endian: input.endian,
            user_long_size: input.number(1, "long size")? as u8,
            page_size: input.number(4, "page size")? as u32,
            ..Layout::default()
        };
        let mut recorded = Recorded {
            metadata: Metadata::empty(input.endian),
            input,
            layout,
            options: Vec::new(),
            cpus: Vec::new(),
            packed: false,
        };
        match recorded.layout.version.as_str() {
            "6" => recorded.read_v6()?,
            "7" => recorded.read_v7()?,
            version => return Err(recorded.input.error(format!("version {version}, expected 6 or 7"))),
        }
        recorded.read_header_page()?;
        Ok(recorded)
    }

    fn read_v6(&mut self) -> Result<()> {
        let Recorded { input, metadata, .. } = self;
        let begin = input.at;
        for name in ["header_page", "header_event"] {
            input.expect(format!("{name}\0").as_bytes(), name)?;
            input.sized(8, name)?;
        }
        let header_end = input.at;
        for _ in 0..input.number(4, "ftrace format count")? {
            input.sized(8, "ftrace format")?;
        }
        let ftrace_end = input.at;
        for _ in 0..input.number(4, "system count")? {
            input.c_string("system name")?;
            for _ in 0..input.number(4, "event count")? {
                input.sized(8, "event format")?;
            }
        }
        let events_end = input.at;
        let mut ends = vec![begin, header_end, ftrace_end, events_end];
        for (size, what) in [(4, "kallsyms"), (4, "printk formats"), (8, "command lines")] {
            input.sized(size, what)?;
            ends.push(input.at);
        }
        for (section, range) in metadata.sections_mut().into_iter().zip(ends.windows(2)) {
            input.seek(range[0])?;
            section.data = input.take(range[1] - range[0], "section")?;
        }
        let cpus = input.number(4, "CPU count")?;
        self.read_v6_options()?;
        let input = &mut self.input;
        for cpu in 0..cpus {
            let offset = input.number(8, "place of a CPU's pages")?;
            let size = input.number(8, "place of a CPU's pages")?;
            let cpu = cpu as u32;
            self.cpus.push(CpuPlace { cpu, offset, size });
        }
        // Old files end the table there; the clock that was used is the one in brackets.
        let clocks = input.sized(8, "clock").unwrap_or_default();
        let clocks = String::from_utf8_lossy(&clocks).into_owned();
        if let Some(used) = clocks.split(['[', ']']).nth(1) {
            self.layout.clock = used.to_owned();
        }
        Ok(())
    }

    fn read_v6_options(&mut self) -> Result<()> {
        let input = &mut self.input;
        let mut kind = input.take(10, "options")?;
        if kind == b"options  \0" {
            loop {
                let id = input.number(2, "option")? as u16;
                if id == option::DONE {
                    break;
                }
                let data = input.sized(4, "option")?;
                if id != option::BUFFER {
                    self.options.push((id, data));
                }
            }
            kind = input.take(10, "kind of data")?;
        }
        if kind != b"flyrecord\0" {
            return Err(input.error("no flyrecord"));
        }
        Ok(())
    }

    fn read_v7(&mut self) -> Result<()> {
        let compression = self.input.c_string("compression")?;
        self.input.c_string("compression's version")?;
        let mut link = self.input.number(8, "place of the options")?;
        self.layout.compression = compression.clone();
        let mut seen = Vec::new();
        while link != 0 {
            if seen.contains(&link) {
                return Err(self.input.error("the options' sections are linked in a circle"));
            }
            seen.push(link);
            let data = self.input.section(link, section::OPTIONS, &compression)?;
            link = 0;
            for (id, data) in options(self.layout.endian, &data) {
                match id {
                    option::DONE => link = self.layout.endian.number(data),
                    option::BUFFER => self.read_buffer(data)?,
                    id => self.read_option(id, data)?,
                }
            }
        }
        Ok(())
    }

    /// Keeps an option, or what it points to.
    fn read_option(&mut self, id: u16, data: &[u8]) -> Result<()> {
        let Recorded {
            input,
            layout,
            metadata,
            ..
        } = self;
        match metadata.section_mut(id) {
            Some(section) => section.data = input.section(layout.endian.number(data), id, &layout.compression)?,
            None if id < section::STRINGS => self.options.push((id, data.to_vec())),
            None => {}
        }
        Ok(())
    }

    /// The option of a buffer; only the main one, which has no name, counts.
    fn read_buffer(&mut self, data: &[u8]) -> Result<()> {
        let mut option = self.memory(data);
        let place = option.number(8, "place of a buffer")?;
        if !option.c_string("buffer's name")?.is_empty() {
            return Ok(());
        }
        self.layout.clock = option.c_string("buffer's clock")?;
        option.number(4, "buffer's page size")?;
        for _ in 0..option.number(4, "buffer's CPUs")? {
            let cpu = option.number(4, "CPU")? as u32;
            let offset = option.number(8, "place of a CPU's pages")?;
            let size = option.number(8, "place of a CPU's pages")?;
            self.cpus.push(CpuPlace { cpu, offset, size });
        }
        self.input.seek(place + 2)?;
        self.packed = self.input.number(2, "section flags")? as u16 & COMPRESSED != 0;
        Ok(())
    }

    /// What the ring buffer's pages are like.
    fn read_header_page(&mut self) -> Result<()> {
        let text = String::from_utf8_lossy(&self.metadata.header_info.data).into_owned();
        let page = text.split_once("header_event").map_or("", |(page, _)| page);
        let page = fields(page);
        let field = |name: &str| page.iter().find(|field| field.name == name);
        let (Some(commit), Some(data)) = (field("commit"), field("data")) else {
            return Err(self.input.error("header_page has no commit or no data"));
        };
        self.layout.long_size = commit.size as u8;
        self.layout.subbuf_size = (data.offset + data.size) as u32;
        Ok(())
    }

    /// The formats of all events.
    pub(crate) fn events(&self) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        let mut formats = |data: &[u8], systems: bool| -> Result<()> {
            let mut input = self.memory(data);
            for _ in 0..if systems { input.number(4, "system count")? } else { 1 } {
                let system = if systems {
                    input.c_string("system name")?
                } else {
                    "ftrace".into()
                };
                for _ in 0..input.number(4, "event count")? {
                    let text = input.sized(8, "event format")?;
                    events.extend(Event::parse(&system, &String::from_utf8_lossy(&text)));
                }
            }
            Ok(())
        };
        formats(&self.metadata.ftrace_formats.data, false)?;
        formats(&self.metadata.event_formats.data, true)?;
        Ok(events)
    }

    /// The saved command lines, pid and comm.
    pub(crate) fn comms(&self) -> Vec<(i32, String)> {
        let text = String::from_utf8_lossy(self.metadata.command_lines.data.get(8..).unwrap_or(&[])).into_owned();
        text.lines()
            .filter_map(|line| {
                let (pid, comm) = line.split_once(' ')?;
                Some((pid.parse().ok()?, comm.to_owned()))
            })
            .collect()
    }

    fn memory<'a>(&self, data: &'a [u8]) -> Input<std::io::Cursor<&'a [u8]>> {
        Input {
            len: data.len() as u64,
            file: std::io::Cursor::new(data),
            at: 0,
            endian: self.layout.endian,
        }
    }

    /// The pages of one CPU, unpacked.
    pub(crate) fn pages(&mut self, place: CpuPlace) -> Result<Vec<u8>> {
        if place.size == 0 {
            return Ok(Vec::new());
        }
        self.input.seek(place.offset)?;
        if !self.packed {
            return self.input.take(place.size, "pages");
        }
        let mut pages = Vec::new();
        for _ in 0..self.input.number(4, "chunk count")? {
            self.input.chunk(&self.layout.compression, &mut pages)?;
        }
        Ok(pages)
    }
}

/// Numbers and data of the options of a section.
fn options(endian: Endian, mut data: &[u8]) -> Vec<(u16, &[u8])> {
    let mut found = Vec::new();
    while data.len() >= 6 {
        let id = endian.number(&data[..2]) as u16;
        let len = endian.number(&data[2..6]) as usize;
        let end = data.len().min(6 + len);
        found.push((id, &data[6..end]));
        if id == option::DONE {
            break;
        }
        data = &data[end..];
    }
    found
}
