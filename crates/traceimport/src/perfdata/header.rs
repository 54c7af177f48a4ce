//! What a perf.data file says before its data: attributes, formats, features.

use std::collections::BTreeMap;

use schedrows::{ErrorKind, KnownTask, ReadAt, ReadError, SourceError, Stream};
use traceevent::{until_nul, Endian};

use super::records::{kind, Cutter, Record, HEADER};
use super::sample::{Attr, Attrs};

/// `PERFILE2` as its writer's machine has it in memory.
const MAGIC: &[u8] = b"PERFILE2";
const SWAPPED: &[u8] = b"2ELIFREP";
/// Version 1, which no perf since 2009 writes.
const OLD: &[u8] = b"PERFFILE";
/// Size of a pipe's header: magic and size.
const PIPE: u64 = 16;
/// The header of a file.
const FILE: u64 = 104;
/// Ids of an attribute: a section.
const SECTION: u64 = 16;
/// No section before the data is larger; tracing data is mostly formats and symbols.
const MOST: u64 = 256 << 20;
/// More attributes than any recording has.
const MOST_ATTRS: u64 = 1 << 16;
/// How far tasks that ran before the recording are looked for.
const MOST_EARLY: u64 = 64 << 20;
const READ: u64 = 256 << 10;

/// Numbers of features, `tools/perf/util/header.h`.
pub(super) mod feature {
    pub const TRACING_DATA: u8 = 1;
    pub const HOSTNAME: u8 = 3;
    pub const RELEASE: u8 = 4;
    pub const ARCH: u8 = 6;
    pub const CPUS: u8 = 7;
    pub const COMMAND: u8 = 11;
    pub const CPU_TOPOLOGY: u8 = 13;
    pub const NUMA_TOPOLOGY: u8 = 14;
    pub const CACHE: u8 = 20;
    pub const SAMPLE_TIME: u8 = 21;
    pub const DIR_FORMAT: u8 = 24;
}

/// Whether a file begins so.
pub(super) fn is_perf(head: &[u8]) -> bool {
    [MAGIC, SWAPPED, OLD].iter().any(|magic| head.starts_with(magic))
}

/// All that is known before the data is read.
pub(super) struct Header {
    pub endian: Endian,
    pub data: Stream,
    pub attrs: Attrs,
    pub features: BTreeMap<u8, Vec<u8>>,
    /// As perf has it.
    pub tracing: Option<Vec<u8>>,
    /// The tasks that perf found when it began.
    pub tasks: Vec<KnownTask>,
    /// Bytes of the data beyond the end of the file.
    pub missing: u64,
    /// The data has snapshots of counters.
    pub has_stats: bool,
}

pub(super) fn refusal(kind: ErrorKind, what: impl Into<String>, advice: &'static str) -> SourceError {
    let what = what.into();
    SourceError {
        kind,
        message: what.clone(),
        what,
        place: None,
        advice,
    }
}

impl Header {
    pub fn read(input: &dyn ReadAt) -> Result<Header, SourceError> {
        let head = bytes_at(input, 0, FILE.min(input.len()))?;
        if head.starts_with(OLD) {
            return Err(refusal(
                ErrorKind::Unsupported,
                "a perf.data file of version 1 (PERFFILE)",
                "Record again with a perf of Linux 2.6.32 or newer.",
            ));
        }
        let endian = if head.starts_with(SWAPPED) {
            Endian::Big
        } else {
            Endian::Little
        };
        let short = || {
            refusal(
                ErrorKind::Truncated,
                "a perf.data file that ends within its header",
                "Copy the file again, or record again.",
            )
        };
        let size = endian.u64(&head, 8).ok_or_else(short)?;
        let mut header = Header {
            endian,
            data: Stream {
                cpu: None,
                offset: PIPE,
                size: input.len().saturating_sub(PIPE),
            },
            attrs: Attrs::new(Vec::new(), endian),
            features: BTreeMap::new(),
            tracing: None,
            tasks: Vec::new(),
            missing: 0,
            has_stats: false,
        };
        let mut attrs = Vec::new();
        if size != PIPE {
            let word = |at| endian.u64(&head, at).ok_or_else(short);
            let data = (word(40)?, word(48)?);
            attrs = read_attrs(input, endian, word(16)?, (word(24)?, word(32)?))?;
            let offset = data.0.min(input.len());
            let there = input.len() - offset;
            // A perf that was killed did not write how much there is.
            let size = if data.1 == 0 { there } else { data.1.min(there) };
            header.missing = data.1.saturating_sub(there);
            header.data = Stream {
                cpu: None,
                offset,
                size,
            };
            header.read_features(input, data.0.saturating_add(data.1), head.get(72..).unwrap_or_default())?;
        }
        header.read_early(input, &mut attrs)?;
        header.attrs = Attrs::new(attrs, endian);
        if let Some(tracing) = header.features.remove(&feature::TRACING_DATA) {
            header.tracing = Some(tracing);
        }
        Ok(header)
    }

    /// The sections that stand behind the data, one for each bit that is set.
    fn read_features(&mut self, input: &dyn ReadAt, at: u64, bitmap: &[u8]) -> Result<(), ReadError> {
        let bitmap = [0, 1, 2, 3].map(|word| self.endian.u64(bitmap, 8 * word).unwrap_or(0));
        let is_set = |bit: u8| {
            bitmap
                .get(usize::from(bit / 64))
                .is_some_and(|word| word >> (bit % 64) & 1 == 1)
        };
        let set: Vec<u8> = (0..=u8::MAX).filter(|&bit| is_set(bit)).collect();
        let table = bytes_at(input, at, set.len() as u64 * SECTION)?;
        for (index, bit) in set.into_iter().enumerate() {
            let section = |word: usize| self.endian.u64(&table, index * SECTION as usize + 8 * word);
            if let (Some(offset), Some(size)) = (section(0), section(1)) {
                let bytes = bytes_at(input, offset, size.min(MOST))?;
                self.features.insert(bit, bytes);
            }
        }
        Ok(())
    }

    /// What the first records say: of a pipe, all that a file's header has; of both, the tasks there were at the start.
    fn read_early(&mut self, input: &dyn ReadAt, attrs: &mut Vec<Attr>) -> Result<(), ReadError> {
        let mut cutter = Cutter::new(self.endian);
        let (mut done, mut more) = (0, true);
        let early = Stream {
            size: self.data.size.min(MOST_EARLY),
            ..self.data
        };
        let mut tasks = Vec::new();
        early.read(input, READ, &mut |bytes| {
            done += bytes.len();
            cutter.push(bytes, &mut |record| {
                more = more && self.early(record, attrs, &mut tasks);
                more
            });
            more
        })?;
        self.tasks = tasks;
        Ok(())
    }

    /// Takes a record; false for the first of what was recorded.
    fn early(
        &mut self,
        Record { kind, body, .. }: Record<'_>,
        attrs: &mut Vec<Attr>,
        tasks: &mut Vec<KnownTask>,
    ) -> bool {
        let endian = self.endian;
        match kind {
            kind::HEADER_ATTR => {
                let size = endian.u32(body, 4).unwrap_or(0) as usize;
                if let Some(mut attr) = Attr::read(body, endian) {
                    attr.ids = words(body.get(size..).unwrap_or_default(), endian);
                    attrs.push(attr);
                }
            }
            kind::TRACING_DATA => self.tracing = Some(body.to_vec()),
            kind::HEADER_FEATURE => {
                let number = endian.u64(body, 0).and_then(|number| u8::try_from(number).ok());
                if let Some(number) = number {
                    self.features.insert(number, body.get(8..).unwrap_or_default().to_vec());
                }
            }
            kind::COMM => {
                if let (Some(tgid), Some(pid)) = (endian.u32(body, 0), endian.u32(body, 4)) {
                    let comm = until_nul(body.get(HEADER..).unwrap_or_default());
                    tasks.push(KnownTask {
                        pid: pid as i32,
                        tgid: Some(tgid as i32),
                        comm: String::from_utf8_lossy(comm).into_owned(),
                    });
                }
            }
            kind::SCHEDSTAT_CPU | kind::SCHEDSTAT_DOMAIN => self.has_stats = true,
            kind::SAMPLE | kind::COMPRESSED | kind::COMPRESSED2 | kind::FINISHED_ROUND => return false,
            kind::SWITCH | kind::SWITCH_CPU_WIDE => return false,
            _ => {}
        }
        true
    }

    /// A feature that is a text: its length, then the text with NULs behind it.
    pub fn text(&self, number: u8) -> Option<String> {
        text(self.features.get(&number)?, self.endian).map(|(text, _)| text)
    }
}

/// A text, and what is behind it.
pub(super) fn text(bytes: &[u8], endian: Endian) -> Option<(String, &[u8])> {
    let len = endian.u32(bytes, 0)? as usize;
    let (text, rest) = bytes.get(4..)?.split_at_checked(len)?;
    Some((String::from_utf8_lossy(until_nul(text)).into_owned(), rest))
}

fn words(bytes: &[u8], endian: Endian) -> Vec<u64> {
    let words = bytes.chunks_exact(8);
    words.filter_map(|word| endian.u64(word, 0)).collect()
}

fn read_attrs(
    input: &dyn ReadAt,
    endian: Endian,
    attr_size: u64,
    (offset, size): (u64, u64),
) -> Result<Vec<Attr>, ReadError> {
    let mut attrs = Vec::new();
    if attr_size < SECTION {
        return Ok(attrs);
    }
    let all = bytes_at(input, offset, size.min(attr_size.saturating_mul(MOST_ATTRS)).min(MOST))?;
    for bytes in all.chunks_exact(attr_size as usize) {
        let Some(mut attr) = Attr::read(bytes, endian) else {
            break;
        };
        let section = bytes.len() - SECTION as usize;
        let (at, size) = (endian.u64(bytes, section), endian.u64(bytes, section + 8));
        let ids = match (at, size) {
            (Some(at), Some(size)) => bytes_at(input, at, size.min(8 * MOST_ATTRS))?,
            _ => Vec::new(),
        };
        attr.ids = words(&ids, endian);
        attrs.push(attr);
    }
    Ok(attrs)
}

/// As many of these bytes as there are.
fn bytes_at(input: &dyn ReadAt, offset: u64, size: u64) -> Result<Vec<u8>, ReadError> {
    let there = input.len().saturating_sub(offset).min(size);
    let mut bytes = vec![0; there as usize];
    if 0 < there {
        input.read_at(offset, &mut bytes)?;
    }
    Ok(bytes)
}
