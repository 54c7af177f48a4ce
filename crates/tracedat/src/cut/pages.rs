//! The data of one CPU: the records of the window in new pages, packed by the chunk.

use std::io::{Seek, Write};

use traceevent::PageWriter;

use super::{CutError, Window, Written};
use crate::file::{Codec, ReadAt, TraceFile};
use crate::of_tasks::OfTasks;
use crate::records::CpuRecords;
use crate::write::{Chunks, Writer};

/// Writes the records of `file.buffers()[buffer].cpus[index]` that are in the window; gives the bytes that they take, none
/// where there are none. They are packed as the file is, unless `codec` says how.
pub(super) fn write<R: ReadAt, W: Write + Seek>(
    file: &TraceFile<R>,
    (buffer, index): (usize, usize),
    codec: Option<Codec>,
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
    let of_tasks = OfTasks::new(file, &window.pids);
    let mut missed = None;
    let format = file.data_format(buffer, extent.cpu);
    let start = out.at()?;
    let mut pages = PageWriter::new(format.layout, format.page_size);
    let mut chunks = Chunks::new(codec.unwrap_or(format.codec), start, format.page_size);
    while let Some(record) = records.peek()? {
        if window.to.is_some_and(|to| to <= record.ts) {
            break;
        }
        // Where time goes back, records of before the window may follow.
        let is_wanted = window.from <= record.ts && of_tasks.as_ref().is_none_or(|of| of.has(record.id, record.data));
        // What was lost before a record that is left out, was lost before the next one.
        missed = match record.missed {
            Some(more) if window.from <= record.ts => Some(more.after(missed)),
            _ => missed,
        };
        if is_wanted {
            let missed = missed.take();
            while !pages.push(record.stamp, missed, record.data) {
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
