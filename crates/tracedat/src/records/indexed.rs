//! The records of one CPU by their numbers, through what a scan has left of them.

use std::ops::Range;
use std::sync::Arc;

use super::chunks::Chunks;
use super::cpu::RecordRef;
use super::page::PageRecords;
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::scan::RecordIndex;

/// Finds the records of one CPU of the buffer that is shown. The chunk that was needed last is in memory.
pub struct IndexedRecords {
    cpu: u32,
    buffer: usize,
    index: Arc<RecordIndex>,
    chunks: Chunks,
    page: PageRecords,
    /// The number of the first record in `page`.
    before: Option<u64>,
}

impl IndexedRecords {
    /// Of the CPU that the index was made of; `None` when the file has no such CPU.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, index: &Arc<RecordIndex>) -> Option<Self> {
        let extent = file.cpus().iter().find(|extent| extent.cpu == index.cpu)?;
        let buffer = file.shown_buffer();
        let format = file.data_format(buffer, extent.cpu);
        Some(IndexedRecords {
            cpu: extent.cpu,
            buffer,
            index: Arc::clone(index),
            chunks: Chunks::of_directory(&format, extent, index.chunks.clone()),
            page: PageRecords::new(&format),
            before: None,
        })
    }

    /// What it was made of.
    pub fn index(&self) -> &RecordIndex {
        &self.index
    }

    /// The page that has a record.
    pub(super) fn page_of(&self, record: u64) -> Option<usize> {
        let behind = self.index.pages.partition_point(|page| page.before <= record);
        behind.checked_sub(1)
    }

    /// The records of some pages.
    pub(super) fn records_of(&self, pages: &Range<usize>) -> Range<u64> {
        let before = |page: usize| {
            self.index
                .pages
                .get(page)
                .map_or(self.index.records, |page| page.before)
        };
        before(pages.start)..before(pages.end)
    }

    /// Where in the file the chunk is that has a record; `None` if it is in memory, or there is no such record.
    pub fn read_for(&self, record: u64) -> Option<Range<u64>> {
        let page = self.index.pages.get(self.page_of(record)?)?;
        let chunk = page.chunk as usize;
        self.chunks.place(chunk).filter(|_| !self.chunks.is_loaded(chunk))
    }

    /// The pages from `first` on, or up to it, that have some `size` bytes, with whole chunks, and where their chunks are in the
    /// file. `None` if there is no such page.
    pub(super) fn stretch(&self, first: usize, forward: bool, size: u64) -> Option<(Range<usize>, Range<u64>)> {
        let chunk = |page: usize| Some(self.index.pages.get(page)?.chunk);
        let place = |page: usize| self.chunks.place(chunk(page)? as usize);
        let (mut pages, mut file) = (first..first + 1, place(first)?);
        let mut unpacked = self.page.page_size() as u64;
        loop {
            let (edge, next) = match forward {
                true => (pages.end - 1, Some(pages.end)),
                false => (pages.start, pages.start.checked_sub(1)),
            };
            let Some((next, at)) = next.and_then(|next| Some((next, place(next)?))) else {
                return Some((pages, file));
            };
            let joined = file.start.min(at.start)..file.end.max(at.end);
            let is_enough = size <= unpacked || size < joined.end - joined.start;
            if is_enough && chunk(next) != chunk(edge) {
                return Some((pages, file));
            }
            unpacked += self.page.page_size() as u64;
            file = joined;
            pages = pages.start.min(next)..pages.end.max(next + 1);
        }
    }

    /// Gives all records of a page to `each`, with their numbers.
    pub(super) fn each<R: ReadAt>(
        &mut self,
        input: &R,
        page: usize,
        mut each: impl FnMut(u64, RecordRef<'_>),
    ) -> Result<(), ReadError> {
        if self.load_page(input, page)? {
            let mut number = self.before.unwrap_or(0);
            while let Some(record) = self.current() {
                each(number, record);
                self.page.advance();
                number += 1;
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
        let Some(page) = self.page_of(number) else {
            return Ok(false);
        };
        let is_there = self.load_page(input, page)?;
        Ok(is_there && self.before.is_some_and(|before| self.page.go(number - before)))
    }

    /// Goes to the first record of a page; false when there is no such page.
    fn load_page<R: ReadAt>(&mut self, input: &R, page: usize) -> Result<bool, ReadError> {
        self.before = None;
        let Some(page) = self.index.pages.get(page) else {
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
