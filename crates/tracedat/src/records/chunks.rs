//! One CPU's data, chunk by chunk and in any order: a directory of where the chunks are, and the pages of one of them.

use std::ops::Range;

use traceevent::Endian;

use crate::error::ReadError;
use crate::file::{Chunk, Codec, CpuExtent, DataFormat, ReadAt, Unpacker};

/// Bytes of unpacked data that are read as one chunk: whole pages of it.
const PLAIN_CHUNK: usize = 64 << 10;
/// The count of chunks, and a chunk's header: packed size, unpacked size.
const COUNT: u64 = 4;
const HEADER: u64 = 8;

/// The chunks of one CPU; the pages of the last one loaded are in memory.
pub(super) struct Chunks {
    endian: Endian,
    codec: Codec,
    /// Where the CPU's data ends.
    end: u64,
    /// What is known of the directory so far.
    known: Vec<Chunk>,
    next: Next,
    unpacker: Unpacker,
    packed: Vec<u8>,
    pages: Vec<u8>,
    loaded: Option<usize>,
    /// The loaded chunk should have more pages.
    damaged: bool,
}

/// What follows the chunks that are known.
#[derive(Clone, Copy)]
enum Next {
    Count { at: u64 },
    Headers { at: u64, left: u32 },
    End,
}

impl Chunks {
    /// The directory is read from the file as it is needed.
    pub fn new(format: &DataFormat, extent: &CpuExtent) -> Self {
        let end = extent.offset.saturating_add(extent.size);
        let mut chunks = Chunks {
            endian: format.layout.endian(),
            codec: format.codec,
            end,
            known: Vec::new(),
            next: Next::Count { at: extent.offset },
            unpacker: Unpacker::new(format.codec),
            packed: Vec::new(),
            pages: Vec::new(),
            loaded: None,
            damaged: false,
        };
        if format.codec == Codec::None {
            chunks.known = plain_chunks(extent, format.page_size);
            chunks.next = Next::End;
        }
        chunks
    }

    /// The chunks that a scan found; no others are looked for.
    pub fn of_directory(format: &DataFormat, extent: &CpuExtent, chunks: Vec<Chunk>) -> Self {
        Chunks {
            known: chunks,
            next: Next::End,
            ..Self::new(format, extent)
        }
    }

    /// The chunk of that number; `None` behind the last one. Reads the headers before it that are not known yet.
    pub fn chunk<R: ReadAt>(&mut self, input: &R, index: usize) -> Result<Option<Chunk>, ReadError> {
        while self.known.len() <= index {
            let mut bytes = [0; (COUNT + HEADER) as usize];
            let (at, wanted) = match self.next {
                Next::Count { at } => (at, COUNT + HEADER),
                Next::Headers { at, .. } => (at, HEADER),
                Next::End => return Ok(None),
            };
            let there = self.end.saturating_sub(at).min(wanted) as usize;
            let bytes = bytes.get_mut(..there).unwrap_or_default();
            read(input, at, bytes)?;
            self.learn(bytes);
        }
        Ok(self.known.get(index).copied())
    }

    /// Where a known chunk's packed bytes are in the file.
    pub fn place(&self, index: usize) -> Option<Range<u64>> {
        let chunk = self.known.get(index)?;
        let end = chunk.offset.saturating_add(u64::from(chunk.packed));
        Some(chunk.offset..end.min(self.end).max(chunk.offset))
    }

    /// Takes in the next header, or the count and the first header; fewer bytes are a cut end.
    fn learn(&mut self, bytes: &[u8]) {
        let word = |at| self.endian.u32(bytes, at);
        let (at, left, skip) = match self.next {
            Next::Count { at } => (at + COUNT, word(0).unwrap_or(0), COUNT as usize),
            Next::Headers { at, left } => (at, left, 0),
            Next::End => return,
        };
        self.next = match (left.checked_sub(1), word(skip), word(skip + 4)) {
            (Some(left), Some(packed), Some(unpacked)) => {
                let offset = at + HEADER;
                self.known.push(Chunk::new(offset, packed as usize, unpacked as usize));
                Next::Headers {
                    at: offset + u64::from(packed),
                    left,
                }
            }
            _ => Next::End,
        };
    }

    /// Unpacks the chunk of that number; false when there is none. On damage the pages before it are there.
    pub fn load<R: ReadAt>(&mut self, input: &R, index: usize) -> Result<bool, ReadError> {
        if self.loaded == Some(index) {
            return Ok(true);
        }
        let Some(chunk) = self.chunk(input, index)? else {
            return Ok(false);
        };
        let left = self.end.saturating_sub(chunk.offset);
        let packed = u64::from(chunk.packed).min(left) as usize;
        // One read gives the next header too.
        let is_last = index + 1 == self.known.len();
        let header = match self.next {
            Next::Headers { .. } if is_last => (left - packed as u64).min(HEADER) as usize,
            _ => 0,
        };
        self.loaded = None;
        self.packed.resize(packed + header, 0);
        read(input, chunk.offset, &mut self.packed)?;
        if 0 < header {
            let bytes: Vec<u8> = self.packed.split_off(packed);
            self.learn(&bytes);
        }
        let unpacked = chunk.unpacked as usize;
        let result = match self.codec {
            Codec::None => {
                std::mem::swap(&mut self.pages, &mut self.packed);
                Ok(())
            }
            _ => self.unpacker.unpack(&self.packed, unpacked, &mut self.pages),
        };
        self.damaged = result.is_err() || packed < chunk.packed as usize;
        self.loaded = Some(index);
        Ok(true)
    }

    /// Whether that chunk is the loaded one.
    pub fn is_loaded(&self, index: usize) -> bool {
        self.loaded == Some(index)
    }

    /// The pages of the loaded chunk.
    pub fn pages(&self) -> &[u8] {
        &self.pages
    }

    /// Whether the loaded chunk should have more pages than it has.
    pub fn damaged(&self) -> bool {
        self.damaged
    }
}

/// Where nothing is to be read, the file may have ended.
fn read<R: ReadAt>(input: &R, offset: u64, bytes: &mut [u8]) -> Result<(), ReadError> {
    match bytes {
        [] => Ok(()),
        _ => input.read_at(offset, bytes),
    }
}

/// Data that is not packed, as chunks of some pages. The last one may hold a part of a page.
fn plain_chunks(extent: &CpuExtent, page_size: usize) -> Vec<Chunk> {
    let size = (PLAIN_CHUNK / page_size.max(1)).max(1) * page_size.max(1);
    let starts = (0..extent.size).step_by(size);
    starts
        .map(|start| {
            let len = (extent.size - start).min(size as u64) as usize;
            Chunk::new(extent.offset + start, len, len)
        })
        .collect()
}
