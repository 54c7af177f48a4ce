//! Ring-buffer pages written anew from records, as [`crate::PageLayout::open`] reads them.

use crate::bytes::Endian;
use crate::page::{
    Missed, PageLayout, DELTA_BITS, DELTA_MASK, MISSED_EVENTS, MISSED_STORED, TYPE_PADDING, TYPE_TIME_EXTEND,
};

/// A length of data that the four bytes of a record's header cannot say stands in four bytes of its own.
const LONGEST_SHORT: usize = (TYPE_PADDING as usize - 1) * 4;

/// Fills one page after another with records.
///
/// Records are pushed until one does not go into the page any more; then [`PageWriter::finish`] gives the page, and the
/// record is pushed again.
#[derive(Clone, Debug)]
pub struct PageWriter {
    layout: PageLayout,
    page: Vec<u8>,
    size: usize,
    /// The time of the page's last record.
    last: u64,
    /// Bytes at the end that the count of lost events takes.
    reserved: usize,
    missed: Option<Missed>,
}

impl PageWriter {
    /// For pages of `size` bytes.
    pub fn new(layout: PageLayout, size: usize) -> Self {
        PageWriter {
            layout,
            page: Vec::with_capacity(size),
            size,
            last: 0,
            reserved: 0,
            missed: None,
        }
    }

    /// Appends a record, before which events were `missed`; false when it needs a page of its own: because this one is full,
    /// or because events were lost or time goes back, which only the start of a page can say. A record that is longer than a
    /// page is refused by an empty page, too.
    pub fn push(&mut self, timestamp: u64, missed: Option<Missed>, data: &[u8]) -> bool {
        let is_first = self.page.is_empty();
        if !is_first && (missed.is_some() || timestamp < self.last) {
            return false;
        }
        let delta = if is_first { 0 } else { timestamp - self.last };
        let short = !data.is_empty() && data.len() <= LONGEST_SHORT && data.len() % 4 == 0;
        let extend = if delta >> DELTA_BITS == 0 { 0 } else { 8 };
        let header = if short { 4 } else { 8 };
        let needed = extend + header + data.len().next_multiple_of(4);
        let at = if is_first {
            self.layout.data_offset()
        } else {
            self.page.len()
        };
        let left = self.size.saturating_sub(at).saturating_sub(self.reserved);
        if left < needed || u64::from(u32::MAX) < delta >> DELTA_BITS {
            return false;
        }
        if is_first {
            self.begin(timestamp, missed, left - needed);
        }
        if 0 < extend {
            self.header(TYPE_TIME_EXTEND, delta);
            self.word((delta >> DELTA_BITS) as u32);
        }
        let delta = if 0 < extend { 0 } else { delta };
        if short {
            self.header((data.len() / 4) as u32, delta);
        } else {
            self.header(0, delta);
            self.word(data.len() as u32 + 4);
        }
        self.page.extend_from_slice(data);
        self.page.resize(self.page.len().next_multiple_of(4), 0);
        self.last = timestamp;
        true
    }

    /// Appends the page, filled up with zeros, to `out`; false when it has no record. The next record begins another.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        if self.page.is_empty() {
            return false;
        }
        let commit = self.page.len() - self.layout.data_offset();
        let flags = match self.missed.take() {
            None => 0,
            Some(Missed::Count(count)) => {
                let endian = self.layout.endian();
                match self.reserved {
                    4 => push_u32(&mut self.page, endian, count as u32),
                    _ => push_u64(&mut self.page, endian, count),
                }
                MISSED_EVENTS | MISSED_STORED
            }
            Some(Missed::Unknown) => MISSED_EVENTS,
        };
        self.layout.set_commit(&mut self.page, commit as u64 | flags);
        self.page.resize(self.size, 0);
        out.extend_from_slice(&self.page);
        self.page.clear();
        self.reserved = 0;
        true
    }

    /// Writes what stands before the first record. The count of lost events is only kept where there is room for it.
    fn begin(&mut self, timestamp: u64, missed: Option<Missed>, left: usize) {
        let long = self.layout.long_size();
        self.missed = missed.map(|missed| match missed {
            Missed::Count(count) if long <= left && (long == 8 || count <= u64::from(u32::MAX)) => {
                self.reserved = long;
                Missed::Count(count)
            }
            _ => Missed::Unknown,
        });
        self.page.resize(self.layout.data_offset(), 0);
        self.layout.set_timestamp(&mut self.page, timestamp);
    }

    fn header(&mut self, type_len: u32, delta: u64) {
        let delta = delta as u32 & DELTA_MASK;
        self.word(match self.layout.endian() {
            Endian::Little => type_len | delta << 5,
            Endian::Big => type_len << DELTA_BITS | delta,
        });
    }

    fn word(&mut self, word: u32) {
        push_u32(&mut self.page, self.layout.endian(), word);
    }
}

fn push_u32(page: &mut Vec<u8>, endian: Endian, number: u32) {
    page.extend(match endian {
        Endian::Little => number.to_le_bytes(),
        Endian::Big => number.to_be_bytes(),
    });
}

fn push_u64(page: &mut Vec<u8>, endian: Endian, number: u64) {
    page.extend(match endian {
        Endian::Little => number.to_le_bytes(),
        Endian::Big => number.to_be_bytes(),
    });
}
