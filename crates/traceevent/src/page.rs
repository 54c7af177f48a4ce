//! Ring-buffer sub-buffers ("pages"), as `kernel/trace/ring_buffer.c` writes them.
//!
//! ```text
//! u64 timestamp | long commit | records ...        (struct buffer_data_page; offsets from events/header_page)
//! record: u32 header = type_len:5, time_delta:27   (type_len in the low bits on little, in the high on big endian)
//!   1..=28        data of type_len * 4 bytes
//!   0             u32 array[0] = 4 + length, then data
//!   29 padding    time_delta 0: the rest of the page; else u32 array[0] = bytes to skip (a discarded event)
//!   30 extend     u32 array[0]: time_delta + (array[0] << 27) to add
//!   31 stamp      the same number, absolute (59 bits)
//! ```

use thiserror::Error;

use crate::bytes::{slice, Endian};
use crate::field::IntField;
use crate::format::{parse_fields, FormatError};

pub(crate) const TYPE_PADDING: u32 = 29;
pub(crate) const TYPE_TIME_EXTEND: u32 = 30;
const TYPE_TIME_STAMP: u32 = 31;
pub(crate) const DELTA_BITS: u32 = 27;
pub(crate) const DELTA_MASK: u32 = (1 << DELTA_BITS) - 1;
/// Absolute stamps hold 59 bits; the other five come from the time before.
const STAMP_MSB: u64 = 0xf8 << 56;

/// `RB_MISSED_EVENTS`: events were lost before this page.
pub(crate) const MISSED_EVENTS: u64 = 1 << 31;
/// `RB_MISSED_STORED`: how many is stored as a long after the page's data.
pub(crate) const MISSED_STORED: u64 = 1 << 30;
/// What is left is the length of the data; the flags start above any page size.
const COMMIT_MASK: u64 = (1 << 27) - 1;

/// Where a page keeps its parts, from the text of `events/header_page`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    timestamp: IntField,
    commit: IntField,
    commit_size: usize,
    data_offset: usize,
    data_size: usize,
    endian: Endian,
}

/// Events that were lost before a page. There are these two cases and no more (`RB_MISSED_STORED` is set or not).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// The kernel counted them: this many.
    Count(u64),
    /// The kernel had no room to say how many.
    Unknown,
}

impl Missed {
    /// The sum of this gap and an `earlier` one with no record between them.
    pub fn after(self, earlier: Option<Missed>) -> Missed {
        match (earlier, self) {
            (None, missed) => missed,
            (Some(Missed::Count(a)), Missed::Count(b)) => Missed::Count(a.saturating_add(b)),
            _ => Missed::Unknown,
        }
    }
}

/// The start of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageHeader {
    /// The time that the first record's delta adds to, in the trace clock's unit (nanoseconds for most clocks).
    pub timestamp: u64,
    /// Bytes of records, as the kernel says; a page that is cut short has fewer.
    pub commit: usize,
    /// Events that were lost just before the page; `None` when none were.
    pub missed: Option<Missed>,
}

/// A page that contradicts itself; its records before `at` are fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{what} at byte {at} of the page: {needed} bytes needed, {left} left")]
pub struct PageDamage {
    /// Which structure is damaged, in words.
    pub what: &'static str,
    /// Its offset in the page.
    pub at: usize,
    /// Bytes the structure claims.
    pub needed: usize,
    /// Bytes there are.
    pub left: usize,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record<'a> {
    /// Its time, in the trace clock's unit (nanoseconds for most clocks).
    pub timestamp: u64,
    /// The offset of the data in the page.
    pub at: usize,
    /// The fields, those of the common header first; up to three bytes of alignment may follow.
    pub data: &'a [u8],
}

impl PageLayout {
    /// Reads the text of `events/header_page`. [`FormatError`] when `timestamp`, `commit` or `data` is missing or no number.
    pub fn parse(text: &str, endian: Endian) -> Result<Self, FormatError> {
        let fields = parse_fields(text)?;
        let field = |name: &str, line| {
            fields
                .iter()
                .find(|field| field.name == name)
                .ok_or(FormatError::NoLine(line))
        };
        let timestamp = field("timestamp", "field: u64 timestamp")?;
        let commit = field("commit", "field: local_t commit")?;
        let data = field("data", "field: char data")?;
        Ok(PageLayout {
            timestamp: timestamp.as_int().ok_or(FormatError::NoLine("field: u64 timestamp"))?,
            commit: commit.as_int().ok_or(FormatError::NoLine("field: local_t commit"))?,
            commit_size: commit.size,
            data_offset: data.offset,
            data_size: data.size,
            endian,
        })
    }

    /// The layout of every kernel so far, for traces without the text. `None` when `long_size` is neither 4 nor 8 bytes.
    pub fn standard(long_size: u8, page_size: u32, endian: Endian) -> Option<Self> {
        let data = 8 + u32::from(long_size);
        let text = format!(
            "field: u64 timestamp; offset:0; size:8;\n\
             field: local_t commit; offset:8; size:{long_size};\n\
             field: char data; offset:{data}; size:{};\n",
            page_size.saturating_sub(data)
        );
        PageLayout::parse(&text, endian).ok()
    }

    /// Bytes for records in a page of `page_size` bytes.
    pub fn room(&self, page_size: usize) -> usize {
        page_size.saturating_sub(self.data_offset)
    }

    /// Bytes of a whole page.
    pub fn page_size(&self) -> usize {
        self.data_offset + self.data_size
    }

    /// Bytes of the traced kernel's `long`.
    pub fn long_size(&self) -> usize {
        self.commit_size
    }

    /// Byte order of the records.
    pub fn endian(&self) -> Endian {
        self.endian
    }

    /// Where the records begin in a page.
    pub(crate) fn data_offset(&self) -> usize {
        self.data_offset
    }

    /// Writes the time of a page.
    pub(crate) fn set_timestamp(&self, page: &mut [u8], timestamp: u64) {
        self.timestamp.store(page, self.endian, timestamp);
    }

    /// Writes a page's length of records, and its flags.
    pub(crate) fn set_commit(&self, page: &mut [u8], word: u64) {
        self.commit.store(page, self.endian, word);
    }

    /// Reads the start of a page, and gives the records behind it. [`PageDamage`] when the page is shorter than its header.
    pub fn open<'a>(&self, page: &'a [u8]) -> Result<(PageHeader, Records<'a>), PageDamage> {
        let short = |what| PageDamage {
            what,
            at: 0,
            needed: self.data_offset,
            left: page.len(),
        };
        let timestamp = self.timestamp.load(page, self.endian).ok_or(short("page header"))? as u64;
        let word = self.commit.load(page, self.endian).ok_or(short("page header"))? as u64;
        let commit = (word & COMMIT_MASK) as usize;
        let there = page.get(self.data_offset..).unwrap_or_default();
        let data = there.get(..commit).unwrap_or(there);
        let missed = (word & MISSED_EVENTS != 0).then(|| {
            let stored = self.data_offset + commit;
            let count = match (word & MISSED_STORED != 0, self.commit_size) {
                (true, 4) => self.endian.u32(page, stored).map(u64::from),
                (true, _) => self.endian.u64(page, stored),
                (false, _) => None,
            };
            count.map_or(Missed::Unknown, Missed::Count)
        });
        let header = PageHeader {
            timestamp,
            commit,
            missed,
        };
        let records = Records {
            data,
            committed: commit,
            data_offset: self.data_offset,
            at: 0,
            timestamp,
            endian: self.endian,
        };
        Ok((header, records))
    }
}

/// The records of one page, in order; from [`PageLayout::open`]. It ends after the first damage; a page that is cut short
/// gives the records that are whole first.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    data: &'a [u8],
    committed: usize,
    data_offset: usize,
    at: usize,
    timestamp: u64,
    endian: Endian,
}

impl<'a> Records<'a> {
    /// The time of the record that came last, or of the page before the first.
    pub fn timestamp(&self) -> u64 {
        self.timestamp
    }

    #[cold]
    fn damage(&mut self, what: &'static str, needed: usize) -> Option<Result<Record<'a>, PageDamage>> {
        let at = self.at;
        self.at = self.data.len();
        self.committed = self.data.len();
        Some(Err(PageDamage {
            what,
            at: self.data_offset + at,
            needed,
            left: self.data.len().saturating_sub(at),
        }))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, PageDamage>;

    // Native programs have room for it in each of their loops.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.at >= self.data.len() {
                if self.committed <= self.data.len() {
                    return None;
                }
                return self.damage("committed data", self.committed - self.data.len());
            }
            let Some(header) = self.endian.u32(self.data, self.at) else {
                return self.damage("record header", 4);
            };
            let header = match self.endian {
                Endian::Little => header,
                Endian::Big => as_little(header),
            };
            let (type_len, delta) = (header & 31, header >> 5);
            if (1..TYPE_PADDING).contains(&type_len) {
                let len = type_len as usize * 4;
                let Some(data) = slice(self.data, self.at + 4, len) else {
                    return self.damage("record", 4 + len);
                };
                let at = self.data_offset + self.at + 4;
                self.at += 4 + len;
                self.timestamp = self.timestamp.wrapping_add(u64::from(delta));
                return Some(Ok(Record {
                    timestamp: self.timestamp,
                    at,
                    data,
                }));
            }
            if type_len == TYPE_PADDING && delta == 0 {
                self.at = self.data.len();
                return None;
            }
            let Some(array0) = self.endian.u32(self.data, self.at + 4) else {
                return self.damage("record header", 8);
            };
            match type_len {
                0 => {
                    let needed = (array0 as usize).saturating_add(4);
                    let Some(data) = slice(self.data, self.at + 8, (array0 as usize).saturating_sub(4)) else {
                        return self.damage("record", needed);
                    };
                    let at = self.data_offset + self.at + 8;
                    self.at += 4 + (array0.max(4) as usize).next_multiple_of(4);
                    self.timestamp = self.timestamp.wrapping_add(u64::from(delta));
                    return Some(Ok(Record {
                        timestamp: self.timestamp,
                        at,
                        data,
                    }));
                }
                TYPE_PADDING => {
                    let needed = (array0 as usize).saturating_add(4);
                    if self.data.len() - self.at < needed {
                        return self.damage("discarded record", needed);
                    }
                    self.at += needed;
                    self.timestamp = self.timestamp.wrapping_add(u64::from(delta));
                }
                TYPE_TIME_EXTEND => {
                    self.at += 8;
                    let extend = (u64::from(array0) << DELTA_BITS) + u64::from(delta);
                    self.timestamp = self.timestamp.wrapping_add(extend);
                }
                TYPE_TIME_STAMP => {
                    self.at += 8;
                    let stamp = (u64::from(array0) << DELTA_BITS) + u64::from(delta);
                    self.timestamp = extend_stamp(stamp, self.timestamp);
                }
                _ => return self.damage("record type", 8),
            }
        }
    }
}

/// A record header of a big-endian machine with its parts where the other machines have them.
#[cold]
fn as_little(header: u32) -> u32 {
    header >> DELTA_BITS | (header & DELTA_MASK) << 5
}

/// Completes a 59-bit absolute stamp with the bits of the time before it (`rb_fix_abs_ts`).
fn extend_stamp(stamp: u64, before: u64) -> u64 {
    if before & STAMP_MSB == 0 {
        return stamp;
    }
    let full = stamp | (before & STAMP_MSB);
    if full < before {
        full.wrapping_add(1 << 59)
    } else {
        full
    }
}

#[cfg(test)]
mod tests;
