//! The records of one CPU of one buffer, pulled through the file.

use traceevent::Missed;

use super::chunks::Chunks;
use super::page::PageRecords;
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};

/// One record where it was found. The data is that of the chunk in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordRef<'a> {
    /// Trace time in ns (raw ticks for clocks without a scale).
    pub ts: u64,
    /// The same as the ring buffer has it, before any scale.
    pub stamp: u64,
    /// The CPU's number.
    pub cpu: u32,
    /// Position of its buffer in [`crate::file::Header::buffers`]: 0 is the main one.
    pub buffer: usize,
    /// `common_type`.
    pub id: u16,
    /// Starts with the common fields; may end with up to three bytes of alignment.
    pub data: &'a [u8],
    /// The same, and what follows it up to the end of its page.
    pub page: &'a [u8],
    /// Events that were lost between the record before and this one; unknown how many where pages are damaged.
    pub missed: Option<Missed>,
}

/// The records of one CPU of one buffer in their order. One chunk (some pages) of them is in memory.
pub struct CpuRecords<'f, R> {
    input: &'f R,
    chunks: Chunks,
    page: PageRecords,
    cpu: u32,
    buffer: usize,
    /// Where the page behind the current one is: the chunk, and which of its pages.
    next: (usize, usize),
}

impl<'f, R: ReadAt> CpuRecords<'f, R> {
    /// From the first record of `header().buffers[buffer].cpus[cpu_index]` on; `None` when there is no such CPU.
    pub fn new(file: &'f TraceFile<R>, buffer: usize, cpu_index: usize) -> Option<Self> {
        let extent = file.header().buffers.get(buffer)?.cpus.get(cpu_index)?;
        let format = file.data_format(buffer, extent.cpu);
        Some(CpuRecords {
            input: file.input(),
            chunks: Chunks::new(&format, extent),
            page: PageRecords::new(&format),
            cpu: extent.cpu,
            buffer,
            next: (0, 0),
        })
    }

    /// The next record; it stays the next one until [`CpuRecords::advance`].
    #[inline]
    pub fn peek(&mut self) -> Result<Option<RecordRef<'_>>, ReadError> {
        if self.page.entry().is_none() && !self.next_page()? {
            return Ok(None);
        }
        Ok(self.current())
    }

    /// Time of the next record.
    #[inline]
    pub fn peek_ts(&mut self) -> Result<Option<u64>, ReadError> {
        if self.page.entry().is_none() && !self.next_page()? {
            return Ok(None);
        }
        Ok(self.page.entry().map(|entry| entry.ts))
    }

    /// Goes on to the record behind the one that [`CpuRecords::peek`] showed.
    #[inline]
    pub fn advance(&mut self) {
        self.page.advance();
    }

    /// Goes to a record at or after `ts` whose predecessor is before `ts`: the first such one, unless time goes back.
    ///
    /// The chunks' headers are walked, 8 bytes each; then the chunks are bisected by the times of their first records.
    pub fn seek(&mut self, ts: u64) -> Result<(), ReadError> {
        let (mut before, mut from) = (0, 0);
        while self.chunks.chunk(self.input, from)?.is_some() {
            from += 1;
        }
        while before + 1 < from {
            let middle = before + (from - before) / 2;
            // A chunk without records tells nothing: the next one that has some decides.
            match self.first_record(middle)? {
                Some((chunk, first)) if chunk < from && first < ts => before = chunk,
                _ => from = middle,
            }
        }
        self.go(before, 0);
        while self.peek_ts()?.is_some_and(|found| found < ts) {
            self.advance();
        }
        Ok(())
    }

    /// The first chunk from this one on that has a record, and the record's time.
    fn first_record(&mut self, chunk: usize) -> Result<Option<(usize, u64)>, ReadError> {
        self.go(chunk, 0);
        let first = self.peek_ts()?;
        Ok(first.map(|ts| (self.next.0, ts)))
    }

    /// Looks for records from the start of a page on. Whether pages are missing before it is not known there.
    fn go(&mut self, chunk: usize, page: usize) {
        self.page.clear();
        self.next = (chunk, page);
    }

    #[inline]
    fn current(&self) -> Option<RecordRef<'_>> {
        self.page.record(self.chunks.pages(), self.cpu, self.buffer)
    }

    /// Finds the next page with a record; false at the end.
    #[cold]
    fn next_page(&mut self) -> Result<bool, ReadError> {
        let page_size = self.page.page_size();
        loop {
            let (chunk, page) = self.next;
            // What is loaded is not loaded again; after an error it is tried once more.
            if !self.chunks.load(self.input, chunk)? {
                return Ok(false);
            }
            let start = page * page_size;
            let rest = self.chunks.pages().get(start..).unwrap_or_default();
            if rest.is_empty() {
                if self.chunks.damaged() {
                    self.page.lose(Missed::Unknown);
                }
                self.next = (chunk + 1, 0);
                continue;
            }
            self.next = (chunk, page + 1);
            self.page.read(rest.get(..page_size).unwrap_or(rest), start);
            if self.page.entry().is_some() {
                return Ok(true);
            }
        }
    }
}
