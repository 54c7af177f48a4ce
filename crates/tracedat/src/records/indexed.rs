//! The records of one CPU by their numbers, through what a scan has left of them.

use super::chunks::Chunks;
use super::cpu::RecordRef;
use super::page::PageRecords;
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::scan::{IndexedPage, RecordIndex};

/// Finds the records of one CPU of the buffer that is shown. The chunk that was needed last is in memory.
pub struct IndexedRecords {
    cpu: u32,
    buffer: usize,
    pages: Vec<IndexedPage>,
    chunks: Chunks,
    page: PageRecords,
    /// The number of the first record in `page`.
    before: Option<u64>,
}

impl IndexedRecords {
    /// Of the CPU that the index was made of; `None` when the file has no such CPU.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, index: &RecordIndex) -> Option<Self> {
        let extent = file.cpus().iter().find(|extent| extent.cpu == index.cpu)?;
        let buffer = file.shown_buffer();
        let format = file.data_format(buffer, extent.cpu);
        Some(IndexedRecords {
            cpu: extent.cpu,
            buffer,
            pages: index.pages.clone(),
            chunks: Chunks::of_directory(&format, extent, index.chunks.clone()),
            page: PageRecords::new(&format),
            before: None,
        })
    }

    /// The record of that number, counted from 0; `None` when there is none.
    #[inline]
    pub fn record<R: ReadAt>(&mut self, input: &R, number: u64) -> Result<Option<RecordRef<'_>>, ReadError> {
        let place = self.before.and_then(|before| number.checked_sub(before));
        if !place.is_some_and(|place| self.page.go(place)) && !self.load(input, number)? {
            return Ok(None);
        }
        Ok(self.current())
    }

    fn current(&self) -> Option<RecordRef<'_>> {
        self.page.record(self.chunks.pages(), self.cpu, self.buffer)
    }

    /// Goes to another page; false when it does not have the record.
    #[cold]
    fn load<R: ReadAt>(&mut self, input: &R, number: u64) -> Result<bool, ReadError> {
        self.before = None;
        let behind = self.pages.partition_point(|page| page.before <= number);
        let Some(page) = behind.checked_sub(1).and_then(|at| self.pages.get(at)) else {
            return Ok(false);
        };
        if !self.chunks.load(input, page.chunk as usize)? {
            return Ok(false);
        }
        let page_size = self.page.page_size();
        let start = (page.page as usize).saturating_mul(page_size);
        let rest = self.chunks.pages().get(start..).unwrap_or_default();
        self.page.clear();
        self.page.read(rest.get(..page_size).unwrap_or(rest), start);
        self.page.set_missed(page.missed());
        self.before = Some(page.before);
        Ok(self.page.go(number - page.before))
    }
}
