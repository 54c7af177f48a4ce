//! The head of a trace.dat, made for records and pages that come from elsewhere: with it all that reads trace.dat reads them.

use schedrows::{ReadAt, ReadError, SourceError};
use tracedat::file::TraceFile;

/// `17 08 44 "tracing"`, with which perf's tracing data begins too.
const MAGIC: &[u8] = b"\x17\x08\x44tracing";
/// The version of trace.dat that is laid out as perf's tracing data is.
const VERSION: &[u8] = b"6\0";

/// The page size that is written where the recorder does not say one.
pub(crate) const PAGE_SIZE: u32 = 4096;

/// What stands in front of the data of all CPUs.
pub(crate) struct Head {
    /// From the magic up to the saved command lines.
    bytes: Vec<u8>,
    is_big: bool,
}

/// Formats of events, from which a head is made.
#[derive(Default)]
pub(crate) struct Texts<'a> {
    pub header_page: &'a [u8],
    /// System, then the text of the format.
    pub events: Vec<(&'a str, &'a [u8])>,
}

impl Head {
    /// Of perf's tracing data. `None` if it does not begin as it should.
    pub fn of_perf(data: &[u8]) -> Option<Head> {
        let rest = data.strip_prefix(MAGIC)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        let (version, rest) = rest.split_at_checked(end)?;
        let rest = rest.get(1..)?;
        let mut bytes = [MAGIC, VERSION, rest].concat();
        // Saved command lines came with 0.6.
        if version < b"0.6".as_slice() {
            bytes.extend([0; 8]);
        }
        Some(Head {
            bytes,
            is_big: rest.first() == Some(&1),
        })
    }

    /// Without formats, for what holds no records.
    pub fn of_nothing() -> Head {
        let header_page = b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
            \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
            \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
        let texts = Texts {
            header_page,
            events: Vec::new(),
        };
        Head::of_texts(&texts, PAGE_SIZE)
    }

    /// Of formats as tracefs has them, of a little-endian machine of 64 bits.
    pub fn of_texts(texts: &Texts<'_>, page_size: u32) -> Head {
        let mut bytes = [MAGIC, VERSION, &[0, 8], &page_size.to_le_bytes()].concat();
        let mut sized = |name: &[u8], text: &[u8]| {
            bytes.extend_from_slice(name);
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text);
        };
        sized(b"header_page\0", texts.header_page);
        sized(b"header_event\0", b"");
        // Events of ftrace itself.
        bytes.extend(0_u32.to_le_bytes());
        let mut systems: Vec<&str> = texts.events.iter().map(|&(system, _)| system).collect();
        systems.sort_unstable();
        systems.dedup();
        bytes.extend((systems.len() as u32).to_le_bytes());
        for system in systems {
            bytes.extend_from_slice(system.as_bytes());
            bytes.push(0);
            let of_system = texts.events.iter().filter(|&&(of, _)| of == system);
            let formats: Vec<&[u8]> = of_system.map(|&(_, text)| text).collect();
            bytes.extend((formats.len() as u32).to_le_bytes());
            for text in formats {
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text);
            }
        }
        // Neither symbols, nor printk formats, nor command lines.
        bytes.extend([0; 4 + 4 + 8]);
        Head { bytes, is_big: false }
    }

    /// A whole file: the head, and the pages of each CPU, which follow it at whole pages.
    pub fn with_parts(self, cpus: Vec<Vec<u8>>) -> Parts {
        let Head { mut bytes, is_big } = self;
        let u32_of = |number: u32| match is_big {
            true => number.to_be_bytes(),
            false => number.to_le_bytes(),
        };
        let u64_of = |number: u64| match is_big {
            true => number.to_be_bytes(),
            false => number.to_le_bytes(),
        };
        bytes.extend(u32_of(cpus.len().max(1) as u32));
        bytes.extend_from_slice(b"flyrecord\0");
        let table = bytes.len() + 16 * cpus.len().max(1);
        let mut at = whole_pages(table as u64);
        for pages in &cpus {
            bytes.extend(u64_of(at));
            bytes.extend(u64_of(pages.len() as u64));
            at += whole_pages(pages.len() as u64);
        }
        let mut parts = vec![bytes];
        parts.extend(cpus);
        Parts::new(parts)
    }

    /// The same in one piece.
    pub fn with_pages(self, cpus: Vec<Vec<u8>>) -> Vec<u8> {
        let parts = self.with_parts(cpus);
        let mut bytes = vec![0; parts.len() as usize];
        // They are all there.
        let _ = parts.read_at(0, &mut bytes);
        bytes
    }

    /// Its formats, without any data.
    pub fn formats(self) -> Result<TraceFile<Vec<u8>>, SourceError> {
        Ok(TraceFile::open(self.with_pages(Vec::new()))?)
    }
}

/// Rounds a number of bytes up to whole pages.
fn whole_pages(bytes: u64) -> u64 {
    bytes.next_multiple_of(u64::from(PAGE_SIZE))
}

/// Parts of a file, each filled up with zeros to whole pages. To put them together would take their memory once more.
pub(crate) struct Parts {
    /// Where each begins, and its bytes.
    parts: Vec<(u64, Vec<u8>)>,
    len: u64,
}

impl Parts {
    fn new(parts: Vec<Vec<u8>>) -> Parts {
        let mut len = 0;
        let place = |part: Vec<u8>| {
            let at = len;
            len += whole_pages(part.len() as u64);
            (at, part)
        };
        Parts {
            parts: parts.into_iter().map(place).collect(),
            len,
        }
    }
}

impl ReadAt for Parts {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let len = buf.len();
        let end = offset.checked_add(len as u64).filter(|&end| end <= self.len);
        let end = end.ok_or_else(|| ReadError {
            offset,
            len,
            message: "beyond the end".to_owned(),
        })?;
        buf.fill(0);
        let first = self.parts.partition_point(|&(at, _)| at <= offset).saturating_sub(1);
        for (at, part) in self.parts.iter().skip(first).take_while(|&&(at, _)| at < end) {
            let (from, to) = (offset.max(*at), end.min(at + part.len() as u64));
            if from < to {
                let there = part.get((from - at) as usize..(to - at) as usize).unwrap_or_default();
                let into = buf
                    .get_mut((from - offset) as usize..(to - offset) as usize)
                    .unwrap_or_default();
                into.copy_from_slice(there);
            }
        }
        Ok(())
    }
}
