//! Some pages of a CPU's data, from any place: what a trace is like before it is scanned.
//!
//! Chunks of packed data are found without walking there: from any place on, the next bytes are looked for that read as a
//! chunk's header, the begin of a packed frame, and another header right behind it. What unpacks to the size that its
//! header says was one.

use traceevent::Endian;

use super::CpuScanner;
use crate::file::{Codec, CpuExtent, DataFormat, ReadAt, TraceFile, Unpacker};
use schedrows::{CpuScan, ReadError};

/// A chunk's header: packed size, unpacked size.
const HEADER: usize = 8;
/// The count of chunks, before the first one.
const COUNT: u64 = 4;
/// Where a chunk is looked for; twice as far, again and again, while none is there, up to `MOST`.
const WINDOW: usize = 16 << 10;
const MOST: usize = 1 << 20;
/// The most pages that are scanned at a place; a chunk may have more.
const PAGES: usize = 2;
/// First bytes of a zstd frame (RFC 8878, 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

impl<R: ReadAt> TraceFile<R> {
    /// Scans one stretch of the data of `self.cpus()[cpu_index]`: what is at `share` of its bytes, 0 being the first page or
    /// chunk and 1 the last. The scan tells of what is missing before it as it does of lost events. `None` when there is
    /// no such CPU, or nothing there.
    pub fn sample_cpu(&self, cpu_index: usize, share: f64) -> Result<Option<CpuScan>, ReadError> {
        let Some(extent) = self.cpus().get(cpu_index) else {
            return Ok(None);
        };
        let packed = self.data_format(self.shown_buffer(), extent.cpu);
        let format = DataFormat {
            codec: Codec::None,
            ..packed.clone()
        };
        let stretch = match packed.codec {
            Codec::None => self.page_at(extent, format.page_size, share)?,
            _ => self.chunk_at(extent, &packed, share)?,
        };
        Ok(stretch.map(|Stretch { is_first, pages }| {
            let mut scanner = CpuScanner::new(&format, extent);
            if !is_first || 1.0 <= share {
                scanner.skip();
            }
            let pages = pages.chunks_exact(format.page_size.max(1));
            // The end of the trace is in the last page.
            let skipped = if share < 1.0 {
                0
            } else {
                pages.len().saturating_sub(PAGES)
            };
            for page in pages.skip(skipped).take(PAGES) {
                scanner.push(page);
            }
            scanner.finish()
        }))
    }

    fn page_at(&self, extent: &CpuExtent, page_size: usize, share: f64) -> Result<Option<Stretch>, ReadError> {
        let Some(last) = (extent.size / page_size.max(1) as u64).checked_sub(1) else {
            return Ok(None);
        };
        let index = part_of(last, share);
        let mut pages = vec![0; page_size];
        self.input()
            .read_at(extent.offset + index * page_size as u64, &mut pages)?;
        Ok(Some(Stretch {
            is_first: index == 0,
            pages,
        }))
    }

    fn chunk_at(&self, extent: &CpuExtent, format: &DataFormat, share: f64) -> Result<Option<Stretch>, ReadError> {
        let first = extent.offset.saturating_add(COUNT);
        let end = extent.offset.saturating_add(extent.size);
        let mut finder = Finder {
            input: self.input(),
            endian: format.layout.endian(),
            codec: format.codec,
            page_size: format.page_size,
            first,
            end,
            window: Vec::new(),
        };
        let mut found = None;
        if share < 1.0 {
            found = finder.from(first + part_of(end.saturating_sub(first), share))?;
        }
        // Behind the begin of the last chunk there is no other.
        if found.is_none() {
            found = finder.last()?;
        }
        Ok(found.and_then(|chunk| {
            let mut pages = Vec::new();
            let mut unpacker = Unpacker::new(format.codec);
            let unpacked = unpacker.unpack(finder.bytes(&chunk), chunk.unpacked, &mut pages);
            unpacked.is_ok().then_some(Stretch {
                is_first: chunk.at == first,
                pages,
            })
        }))
    }
}

/// Some whole pages that follow each other.
struct Stretch {
    /// They are the CPU's first.
    is_first: bool,
    pages: Vec<u8>,
}

fn part_of(most: u64, share: f64) -> u64 {
    ((most as f64 * share.clamp(0.0, 1.0)) as u64).min(most)
}

/// A chunk whose header is at `at` in the file.
#[derive(Clone, Copy)]
struct Found {
    at: u64,
    /// Where its packed bytes are in the window.
    within: usize,
    packed: usize,
    unpacked: usize,
}

impl Found {
    fn end(&self) -> u64 {
        self.at + (HEADER + self.packed) as u64
    }
}

/// Finds chunks in the data of one CPU.
struct Finder<'a, R> {
    input: &'a R,
    endian: Endian,
    codec: Codec,
    page_size: usize,
    /// Where the first chunk's header is.
    first: u64,
    /// Where the data ends.
    end: u64,
    window: Vec<u8>,
}

impl<R: ReadAt> Finder<'_, R> {
    /// The bytes of the chunk that was found last.
    fn bytes(&self, chunk: &Found) -> &[u8] {
        let bytes = self.window.get(chunk.within..);
        bytes.and_then(|bytes| bytes.get(..chunk.packed)).unwrap_or_default()
    }

    /// The first chunk from `at` on that is whole.
    fn from(&mut self, at: u64) -> Result<Option<Found>, ReadError> {
        let mut size = WINDOW;
        loop {
            self.read(at, at.saturating_add(size as u64).min(self.end))?;
            let found = (0..self.window.len()).find_map(|within| self.chunk(at, within));
            if found.is_some() || self.end <= at + size as u64 || MOST <= size {
                return Ok(found);
            }
            size *= 2;
        }
    }

    /// The last chunk.
    fn last(&mut self) -> Result<Option<Found>, ReadError> {
        let mut size = WINDOW;
        loop {
            let at = self.end.saturating_sub(size as u64).max(self.first);
            self.read(at, self.end)?;
            let first = (0..self.window.len()).find_map(|within| self.chunk(at, within));
            // Behind a chunk there is another, or else the end, which may be behind some bytes more.
            let next = |found: &Found| self.whole(at, found.within + found.packed);
            let last = std::iter::successors(first, next).last();
            if last.is_some_and(|found| found.end() == self.end) || at == self.first || MOST <= size {
                return Ok(last);
            }
            size *= 2;
        }
    }

    fn read(&mut self, at: u64, end: u64) -> Result<(), ReadError> {
        self.window.clear();
        self.window.resize(end.saturating_sub(at) as usize, 0);
        match self.window.is_empty() {
            true => Ok(()),
            false => self.input.read_at(at, &mut self.window),
        }
    }

    /// The chunk whose header is `within` bytes behind the window's begin, which is at `at` in the file, if another one or the
    /// end is behind it.
    fn chunk(&self, at: u64, within: usize) -> Option<Found> {
        let found = self.whole(at, within)?;
        let followed = found.end() == self.end || self.header(found.within + found.packed).is_some();
        followed.then_some(found)
    }

    /// The chunk whose header is there, if the window has all of it.
    fn whole(&self, at: u64, within: usize) -> Option<Found> {
        let (packed, unpacked) = self.header(within)?;
        let found = Found {
            at: at + within as u64,
            within: within + HEADER,
            packed,
            unpacked,
        };
        (found.within.checked_add(packed)? <= self.window.len()).then_some(found)
    }

    /// The two sizes, if these bytes can be a header with a packed frame behind it.
    fn header(&self, within: usize) -> Option<(usize, usize)> {
        let packed = self.endian.u32(&self.window, within)? as usize;
        let unpacked = self.endian.u32(&self.window, within.checked_add(4)?)? as usize;
        let head = self.window.get(within + HEADER..)?;
        let is_frame = match self.codec {
            Codec::None => false,
            Codec::Zstd => head.starts_with(&ZSTD),
            // RFC 1950, 2.2: deflate, and a sum for checks.
            Codec::Zlib => {
                matches!(head, [method, flags, ..] if method & 15 == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0)
            }
        };
        (is_frame && 0 < packed && 0 < unpacked && unpacked.is_multiple_of(self.page_size.max(1)))
            .then_some((packed, unpacked))
    }
}
