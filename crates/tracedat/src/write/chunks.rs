//! Pages of a CPU, packed by the chunk.

use std::io::{self, Seek, Write};

use super::writer::Writer;
use crate::file::Codec;

/// Pages that are packed together; trace-cmd's number.
const CHUNK_PAGES: usize = 10;

/// Pages on their way out.
pub(crate) struct Chunks {
    codec: Codec,
    /// Where the data begins: with the count of chunks, where it is packed.
    start: u64,
    /// Bytes of the pages of a chunk.
    size: usize,
    count: u32,
    /// Those that are not written yet.
    pub pages: Vec<u8>,
}

impl Chunks {
    /// None yet; they begin at `start`.
    pub fn new(codec: Codec, start: u64, page_size: usize) -> Chunks {
        Chunks {
            codec,
            start,
            size: CHUNK_PAGES * page_size,
            count: 0,
            pages: Vec::new(),
        }
    }

    /// Writes the pages, if they are as many as are packed together.
    pub fn write_full<W: Write + Seek>(&mut self, out: &mut Writer<'_, W>) -> io::Result<()> {
        if self.pages.len() < self.size {
            return Ok(());
        }
        self.write(out)
    }

    fn write<W: Write + Seek>(&mut self, out: &mut Writer<'_, W>) -> io::Result<()> {
        if self.codec != Codec::None {
            if self.count == 0 {
                out.u32(0)?;
            }
            let packed = self.codec.pack(&self.pages)?;
            out.u32(packed.len() as u32)?;
            out.u32(self.pages.len() as u32)?;
            out.bytes(&packed)?;
        } else {
            out.bytes(&self.pages)?;
        }
        self.count += 1;
        self.pages.clear();
        Ok(())
    }

    /// Writes the last pages, and how many chunks there are.
    pub fn finish<W: Write + Seek>(mut self, out: &mut Writer<'_, W>) -> io::Result<()> {
        if !self.pages.is_empty() {
            self.write(out)?;
        }
        if self.codec != Codec::None && 0 < self.count {
            let count = self.count;
            out.go_back(self.start, |out| out.u32(count))?;
        }
        Ok(())
    }
}
