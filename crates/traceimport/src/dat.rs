//! The head of a trace.dat, made for records and pages that come from elsewhere: with it all that reads trace.dat reads them.

use schedrows::SourceError;
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

    /// A whole file: the head, and the pages of each CPU, which are written behind it at whole pages.
    pub fn with_pages(self, cpus: &[&[u8]]) -> Vec<u8> {
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
        let mut at = table.next_multiple_of(PAGE_SIZE as usize) as u64;
        let start = at;
        for pages in cpus {
            bytes.extend(u64_of(at));
            bytes.extend(u64_of(pages.len() as u64));
            at += (pages.len() as u64).next_multiple_of(u64::from(PAGE_SIZE));
        }
        bytes.resize(start as usize, 0);
        for pages in cpus {
            bytes.extend_from_slice(pages);
            bytes.resize(bytes.len().next_multiple_of(PAGE_SIZE as usize), 0);
        }
        bytes
    }

    /// Its formats, without any data.
    pub fn formats(self) -> Result<TraceFile<Vec<u8>>, SourceError> {
        Ok(TraceFile::open(self.with_pages(&[]))?)
    }
}
