//! The records of one CPU by their numbers, through what a scan has left of them.

use std::ops::Range;

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
    /// How many records there are.
    records: u64,
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
            records: index.records,
        })
    }

    /// Pages that have records.
    pub(super) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// How many records such a page has.
    pub(super) fn records_of(&self, page: usize) -> usize {
        let before = |page: usize| self.pages.get(page).map_or(self.records, |page| page.before);
        before(page + 1).saturating_sub(before(page)) as usize
    }

    /// The pages from `first` on that have some `size` bytes, with whole chunks, and where their chunks are in the file. `None` behind
    /// the last page.
    pub(super) fn stretch(&self, first: usize, size: u64) -> Option<(Range<usize>, Range<u64>)> {
        let chunk = |page: usize| Some(self.pages.get(page)?.chunk);
        let place = |page: usize| self.chunks.place(chunk(page)? as usize);
        let mut file = place(first)?;
        let mut end = first + 1;
        let mut unpacked = self.page.page_size() as u64;
        while let Some(next) = place(end) {
            let is_enough = size <= unpacked || size < next.end.saturating_sub(file.start);
            if is_enough && chunk(end) != chunk(end - 1) {
                break;
            }
            unpacked += self.page.page_size() as u64;
            file.end = file.end.max(next.end);
            end += 1;
        }
        Some((first..end, file))
    }

    /// Gives all records of a page to `each`.
    pub(super) fn each<R: ReadAt>(
        &mut self,
        input: &R,
        page: usize,
        mut each: impl FnMut(RecordRef<'_>),
    ) -> Result<(), ReadError> {
        if self.load_page(input, page)? {
            while let Some(record) = self.current() {
                each(record);
                self.page.advance();
            }
        }
        Ok(())
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
        let Some(page) = behind.checked_sub(1) else {
            return Ok(false);
        };
        let is_there = self.load_page(input, page)?;
        Ok(is_there && self.before.is_some_and(|before| self.page.go(number - before)))
    }

    /// Goes to the first record of a page; false when there is no such page.
    fn load_page<R: ReadAt>(&mut self, input: &R, page: usize) -> Result<bool, ReadError> {
        self.before = None;
        let Some(page) = self.pages.get(page) else {
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
        Ok(true)
    }
}
