//! What a sweep takes from a recorded file: a walk through version 6 (`trace-cmd.dat.v6(5)`), uncompressed.

use super::format::{self, Event};
use super::SweepError;
use crate::container::{option, MAGIC};
use crate::layout::{Endian, Layout};

/// The option of a further buffer: its pages would not be in the new file.
const OPTION_BUFFER: u16 = 3;

/// A recorded file, as far as a sweep needs it.
pub(super) struct Source<'a> {
    /// Byte order, long size and page size of its ring buffer.
    pub(super) layout: Layout,
    pub(super) cpus: u32,
    pub(super) events: Vec<Event>,
    /// Addresses of kernel symbols.
    pub(super) symbols: Vec<u64>,
    /// Pids of the saved command lines.
    pub(super) pids: Vec<u32>,
    /// The bytes in front of the printk formats' section.
    pub(super) before_printk: &'a [u8],
    /// Addresses and texts of the file's own printk formats.
    pub(super) printk: &'a [u8],
    /// The bytes between the printk formats' section and the options.
    pub(super) after_printk: &'a [u8],
    /// The options, without those of further buffers and without the end mark.
    pub(super) options: Vec<u8>,
}

/// Reads forward through the file.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    endian: Endian,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, len: usize, what: &str) -> Result<&'a [u8], SweepError> {
        let left = self.bytes.len() - self.at;
        if len > left {
            return Err(self.error(format!("{what} needs {len} bytes, {left} are left")));
        }
        let taken = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    fn number(&mut self, size: usize, what: &str) -> Result<u64, SweepError> {
        let bytes = self.take(size, what)?;
        let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Ok(match self.endian {
            Endian::Little => bytes.iter().rev().fold(0, push),
            Endian::Big => bytes.iter().fold(0, push),
        })
    }

    /// A length of `size` bytes, followed by that many bytes.
    fn sized(&mut self, size: usize, what: &str) -> Result<&'a [u8], SweepError> {
        let len = self.number(size, what)?;
        self.take(usize::try_from(len).unwrap_or(usize::MAX), what)
    }

    fn c_string(&mut self, what: &str) -> Result<&'a [u8], SweepError> {
        let len = self.bytes[self.at..].iter().position(|byte| *byte == 0);
        let len = len.ok_or_else(|| self.error(format!("{what} has no end")))?;
        let text = self.take(len, what)?;
        self.at += 1;
        Ok(text)
    }

    fn expect(&mut self, bytes: &[u8], what: &str) -> Result<(), SweepError> {
        if self.take(bytes.len(), what)? == bytes {
            return Ok(());
        }
        Err(self.error(format!("no {what}")))
    }

    fn error(&self, message: String) -> SweepError {
        SweepError::Input { at: self.at, message }
    }
}

impl<'a> Source<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, SweepError> {
        let mut cursor = Cursor {
            bytes,
            at: 0,
            endian: Endian::Little,
        };
        cursor.expect(MAGIC, "trace.dat magic")?;
        cursor.expect(b"6\0", "version 6 (trace-cmd convert --file-version 6 makes one)")?;
        let [endian, user_long_size] = *cursor.take(2, "byte order")? else {
            return Err(cursor.error("no byte order".into()));
        };
        cursor.endian = if endian == 0 { Endian::Little } else { Endian::Big };
        cursor.take(4, "page size")?;
        cursor.expect(b"header_page\0", "header_page")?;
        let header_page = text(cursor.sized(8, "header_page")?);
        cursor.expect(b"header_event\0", "header_event")?;
        cursor.sized(8, "header_event")?;
        let events = events(&mut cursor)?;
        let symbols = symbols(&text(cursor.sized(4, "kallsyms")?));
        let before_printk = &bytes[..cursor.at];
        let printk = cursor.sized(4, "printk formats")?;
        let printk_end = cursor.at;
        let pids = pids(&text(cursor.sized(8, "command lines")?));
        let cpus = cursor.number(4, "CPU count")? as u32;
        let after_printk = &bytes[printk_end..cursor.at];
        let options = options(&mut cursor)?;

        let page = format::fields(&header_page);
        let field = |name: &str| page.iter().find(|field| field.name == name);
        let (Some(commit), Some(data)) = (field("commit"), field("data")) else {
            return Err(cursor.error("header_page has no commit or no data".into()));
        };
        let layout = Layout {
            version: "6".into(),
            endian: cursor.endian,
            long_size: commit.size as u8,
            user_long_size,
            page_size: (data.offset + data.size) as u32,
            ..Layout::default()
        };
        Ok(Source {
            layout,
            cpus,
            events,
            symbols,
            pids,
            before_printk,
            printk,
            after_printk,
            options,
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// FTRACE EVENT FORMATS and EVENT FORMATS.
fn events(cursor: &mut Cursor) -> Result<Vec<Event>, SweepError> {
    let mut events = Vec::new();
    for _ in 0..cursor.number(4, "ftrace format count")? {
        let format = text(cursor.sized(8, "ftrace format")?);
        events.extend(Event::parse("ftrace", &format));
    }
    for _ in 0..cursor.number(4, "system count")? {
        let system = text(cursor.c_string("system name")?);
        for _ in 0..cursor.number(4, "event count")? {
            let format = text(cursor.sized(8, "event format")?);
            events.extend(Event::parse(&system, &format));
        }
    }
    Ok(events)
}

/// Addresses of `/proc/kallsyms`: `ffffffff81000000 T name`.
fn symbols(text: &str) -> Vec<u64> {
    text.lines()
        .filter_map(|line| u64::from_str_radix(line.split_whitespace().next()?, 16).ok())
        .filter(|address| *address != 0)
        .collect()
}

/// Pids of the saved command lines: `123 comm`.
fn pids(text: &str) -> Vec<u32> {
    text.lines()
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect()
}

fn options(cursor: &mut Cursor) -> Result<Vec<u8>, SweepError> {
    let mut kept = Vec::new();
    let mut kind = cursor.take(10, "options")?;
    if kind == b"options  \0" {
        loop {
            let begin = cursor.at;
            let id = cursor.number(2, "option")? as u16;
            if id == option::DONE {
                break;
            }
            cursor.sized(4, "option")?;
            if id != OPTION_BUFFER {
                kept.extend_from_slice(&cursor.bytes[begin..cursor.at]);
            }
        }
        kind = cursor.take(10, "kind of data")?;
    }
    if kind != b"flyrecord\0" {
        return Err(cursor.error("no flyrecord".into()));
    }
    Ok(kept)
}
