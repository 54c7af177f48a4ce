//! The data of one CPU: the records of the window in new pages, packed by the chunk.

use std::io::{Seek, Write};

use traceevent::PageWriter;

use super::writer::Writer;
use super::{CutError, Window, Written};
use crate::file::{Codec, ReadAt, TraceFile};
use crate::records::CpuRecords;

/// Pages that are packed together; trace-cmd's number.
const CHUNK_PAGES: usize = 10;

/// Writes the records of `file.buffers()[buffer].cpus[index]` that are in the window; gives the bytes that they take, none
/// where there are none.
pub(super) fn write<R: ReadAt, W: Write + Seek>(
    file: &TraceFile<R>,
    (buffer, index): (usize, usize),
    window: &Window,
    out: &mut Writer<'_, W>,
    written: &mut Written,
) -> Result<u64, CutError> {
    let extent = file.buffers().get(buffer).and_then(|buffer| buffer.cpus.get(index));
    let (Some(extent), Some(mut records)) = (extent, CpuRecords::new(file, buffer, index)) else {
        return Ok(0);
    };
    if !window.has_cpu(extent.cpu) {
        return Ok(0);
    }
    if 0 < window.from {
        records.seek(window.from)?;
    }
    let format = file.data_format(buffer, extent.cpu);
    let start = out.at()?;
    let mut pages = PageWriter::new(format.layout, format.page_size);
    let mut chunks = Chunks {
        codec: format.codec,
        start,
        size: CHUNK_PAGES * format.page_size,
        count: 0,
        pages: Vec::new(),
    };
    while let Some(record) = records.peek()? {
        if window.to.is_some_and(|to| to <= record.ts) {
            break;
        }
        // Where time goes back, records of before the window may follow.
        if window.from <= record.ts {
            while !pages.push(record.stamp, record.missed, record.data) {
                if !pages.finish(&mut chunks.pages) {
                    // No record of a page is longer than a page.
                    break;
                }
                chunks.write_full(out)?;
            }
            written.add(record.ts);
        }
        records.advance();
    }
    pages.finish(&mut chunks.pages);
    chunks.finish(out)?;
    Ok(out.at()? - start)
}

/// Pages on their way out.
struct Chunks {
    codec: Codec,
    /// Where the data begins: with the count of chunks, where it is packed.
    start: u64,
    /// Bytes of the pages of a chunk.
    size: usize,
    count: u32,
    pages: Vec<u8>,
}

impl Chunks {
    fn write_full<W: Write + Seek>(&mut self, out: &mut Writer<'_, W>) -> Result<(), CutError> {
        if self.pages.len() < self.size {
            return Ok(());
        }
        self.write(out)
    }

    fn write<W: Write + Seek>(&mut self, out: &mut Writer<'_, W>) -> Result<(), CutError> {
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

    fn finish<W: Write + Seek>(mut self, out: &mut Writer<'_, W>) -> Result<(), CutError> {
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
