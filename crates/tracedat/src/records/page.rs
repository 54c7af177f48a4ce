//! The records of one page.

use traceevent::{Missed, PageLayout};

use super::cpu::RecordRef;
use crate::file::{DataFormat, TimeScale};
use crate::scan::EventIds;

/// A record of a page.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub ts: u64,
    pub stamp: u64,
    /// Of the data, in the chunk's pages.
    pub at: u32,
    pub len: u32,
    pub id: u16,
}

/// Where the records of one page are, and the one that comes next.
pub(super) struct PageRecords {
    layout: PageLayout,
    page_size: usize,
    scale: TimeScale,
    ids: EventIds,
    entries: Vec<Entry>,
    at: usize,
    /// Where the page ends in the chunk's pages.
    end: usize,
    /// What was lost before the first of them.
    missed: Option<Missed>,
    /// What was lost since the last record.
    lost: Option<Missed>,
}

impl PageRecords {
    pub fn new(format: &DataFormat) -> Self {
        PageRecords {
            layout: format.layout,
            page_size: format.page_size.max(1),
            scale: format.scale.clone(),
            ids: EventIds::new(format),
            entries: Vec::new(),
            at: 0,
            end: 0,
            missed: None,
            lost: None,
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.at = 0;
        self.lost = None;
    }

    pub fn page_size(&self) -> usize {
        self.page_size
    }

    /// The record that comes next.
    #[inline]
    pub fn entry(&self) -> Option<&Entry> {
        self.entries.get(self.at)
    }

    #[inline]
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// The record of that number in the page comes next; false when there is none.
    #[inline]
    pub fn go(&mut self, number: u64) -> bool {
        self.at = usize::try_from(number).unwrap_or(usize::MAX);
        self.at < self.entries.len()
    }

    /// Sets what was lost before the first record, of which more may be known than the page says.
    pub fn set_missed(&mut self, missed: Option<Missed>) {
        self.missed = missed;
    }

    /// The record that comes next, in the pages of its chunk.
    #[inline]
    pub fn record<'p>(&self, pages: &'p [u8], cpu: u32, buffer: usize) -> Option<RecordRef<'p>> {
        let entry = self.entry()?;
        let page = pages.get(entry.at as usize..self.end)?;
        Some(RecordRef {
            ts: entry.ts,
            stamp: entry.stamp,
            cpu,
            buffer,
            id: entry.id,
            data: page.get(..entry.len as usize)?,
            page,
            missed: self.missed.filter(|_| self.at == 0),
        })
    }

    /// More was lost since the last record.
    pub fn lose(&mut self, missed: Missed) {
        self.lost = Some(missed.after(self.lost));
    }

    /// Takes in the page at `start` of the chunk's pages. Records before damage are kept; the rest is lost.
    pub fn read(&mut self, page: &[u8], start: usize) {
        self.entries.clear();
        self.at = 0;
        self.end = start + page.len();
        let Ok((header, records)) = self.layout.open(page) else {
            return self.lose(Missed::Unknown);
        };
        if let Some(missed) = header.missed {
            self.lose(missed);
        }
        for record in records {
            let Ok(record) = record else {
                self.lose(Missed::Unknown);
                break;
            };
            let Some(id) = self.ids.of(record.data) else {
                continue;
            };
            if self.entries.is_empty() {
                self.missed = self.lost.take();
            }
            self.entries.push(Entry {
                ts: self.scale.apply(record.timestamp),
                stamp: record.timestamp,
                // A chunk's unpacked size is a 32-bit number.
                at: (start + record.at) as u32,
                len: record.data.len() as u32,
                id,
            });
        }
    }
}
