//! One CPU's ring buffer: sub-buffer pages of records with time deltas.
//!
//! A page is `u64 timestamp`, `local_t commit`, data. `commit` is the length of the data, and its two highest bits say
//! that events were lost before this page (`RB_MISSED_EVENTS`) and that their number follows the data
//! (`RB_MISSED_STORED`). A record begins with 32 bits, `type_len:5, time_delta:27` in the machine's bit order.

use std::mem;

use crate::bytes::Bytes;
use crate::layout::{Endian, Layout};

const TYPE_PADDING: u32 = 29;
const TYPE_TIME_EXTEND: u32 = 30;
const TYPE_TIME_STAMP: u32 = 31;
const DATA_MAX_TYPE_LEN: usize = 28;
const DELTA_BITS: u32 = 27;

const MISSED_EVENTS: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;

/// Events lost before a page; the inner number only where the kernel knew it.
type Missed = Option<Option<u64>>;

/// Takes a CPU's records in order of time; gives full pages.
#[derive(Debug)]
pub(crate) struct RingWriter {
    endian: Endian,
    long_size: usize,
    page_size: usize,
    /// Data of the page under way.
    data: Bytes,
    /// Time stamp of the page under way.
    page_ns: u64,
    /// Time of the latest record.
    last_ns: u64,
    missed: Missed,
    /// The next record carries a full time stamp.
    absolute: bool,
    /// Pages that are done.
    pages: Vec<u8>,
}

impl RingWriter {
    pub(crate) fn new(layout: &Layout) -> Self {
        RingWriter {
            endian: layout.endian,
            long_size: layout.long_size.into(),
            page_size: layout.subbuf() as usize,
            data: Bytes::new(layout.endian),
            page_ns: 0,
            last_ns: 0,
            missed: None,
            absolute: false,
            pages: Vec::new(),
        }
    }

    /// Adds a record. Its time may lie before that of the previous one: then it begins a page.
    pub(crate) fn record(&mut self, at_ns: u64, payload: &[u8]) {
        let len = payload.len().next_multiple_of(4);
        let header = if len <= DATA_MAX_TYPE_LEN * 4 { 4 } else { 8 };
        self.make_room(at_ns, header + len);
        let delta = self.time_to(at_ns);
        if header == 4 {
            self.header((len / 4) as u32, delta);
        } else {
            self.header(0, delta);
            self.data.u32(len as u32 + 4);
        }
        self.data.raw(payload);
        self.data.pad_to(self.data.len().next_multiple_of(4));
    }

    /// Adds an event that the kernel discarded after reserving `len` bytes for it.
    pub(crate) fn discarded(&mut self, at_ns: u64, len: usize) {
        self.discarded_as(at_ns, len, 0);
    }

    /// The same; what is left of the event is full of a byte.
    pub(crate) fn discarded_as(&mut self, at_ns: u64, len: usize, byte: u8) {
        let len = len.next_multiple_of(4);
        self.make_room(at_ns, 8 + len);
        let mut delta = self.time_to(at_ns);
        if delta == 0 {
            // A delta of 0 would say that the rest of the page is empty.
            delta = 1;
            self.last_ns += 1;
        }
        self.header(TYPE_PADDING, delta);
        self.data.u32(len as u32 + 4);
        self.data.raw(&vec![byte; len]);
    }

    /// Events are lost here; with their number, if the kernel knew it.
    pub(crate) fn lose(&mut self, count: Option<u64>) {
        self.end_page();
        self.missed = Some(count);
    }

    /// The next record begins a page.
    pub(crate) fn end_page(&mut self) {
        if self.data.len() == 0 {
            return;
        }
        let mut commit = self.data.len() as u64;
        let data = mem::replace(&mut self.data, Bytes::new(self.endian));
        let missed = self.missed.take();
        if missed.is_some() {
            commit |= MISSED_EVENTS;
        }
        if let Some(Some(_)) = missed {
            commit |= MISSED_STORED;
        }
        let mut page = Bytes::new(self.endian);
        page.u64(self.page_ns);
        page.number(commit, self.long_size);
        page.raw(&data.data);
        if let Some(Some(count)) = missed {
            page.number(count, self.long_size);
        }
        page.pad_to(self.page_size);
        self.pages.extend_from_slice(&page.data);
    }

    /// The next record carries a full time stamp in front of it.
    pub(crate) fn absolute(&mut self) {
        self.absolute = true;
    }

    /// The pages that are done since this was asked last.
    pub(crate) fn take_pages(&mut self) -> Vec<u8> {
        mem::take(&mut self.pages)
    }

    /// The pages that are left, the last one too.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.end_page();
        self.pages
    }

    /// Begins a page where this one has no room for `len` bytes, a time stamp, and a number of lost events.
    fn make_room(&mut self, at_ns: u64, len: usize) {
        let capacity = self.page_size - 8 - self.long_size - self.long_size;
        if at_ns < self.last_ns || self.data.len() + 8 + len > capacity {
            self.end_page();
        }
        if self.data.len() == 0 {
            self.page_ns = at_ns;
            self.last_ns = at_ns;
        }
    }

    /// Moves the page's clock and gives the delta that is left for the record's own header.
    fn time_to(&mut self, at_ns: u64) -> u32 {
        let delta = at_ns - self.last_ns;
        self.last_ns = at_ns;
        let low = |value: u64| (value & ((1 << DELTA_BITS) - 1)) as u32;
        let (kind, value) = if mem::take(&mut self.absolute) {
            (TYPE_TIME_STAMP, at_ns)
        } else if delta >> DELTA_BITS != 0 {
            (TYPE_TIME_EXTEND, delta)
        } else {
            return delta as u32;
        };
        self.header(kind, low(value));
        self.data.u32((value >> DELTA_BITS) as u32);
        0
    }

    fn header(&mut self, type_len: u32, delta: u32) {
        self.data.u32(match self.endian {
            Endian::Little => delta << 5 | type_len,
            Endian::Big => type_len << DELTA_BITS | delta,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(layout: &Layout, write: impl Fn(&mut RingWriter)) -> Vec<u8> {
        let mut ring = RingWriter::new(layout);
        write(&mut ring);
        ring.finish()
    }

    #[test]
    fn a_page_is_stamped_with_its_first_record() {
        let bytes = pages(&Layout::default(), |ring| ring.record(0x0102, &[0xaa; 4]));
        assert_eq!(bytes.len(), 4096);
        assert_eq!(&bytes[..8], &[2, 1, 0, 0, 0, 0, 0, 0], "timestamp");
        assert_eq!(&bytes[8..16], &[8, 0, 0, 0, 0, 0, 0, 0], "commit: 8 bytes of data");
        assert_eq!(
            &bytes[16..24],
            &[1, 0, 0, 0, 0xaa, 0xaa, 0xaa, 0xaa],
            "type_len 1, delta 0"
        );
    }

    #[test]
    fn big_endian_bit_fields_begin_at_the_highest_bit() {
        let layout = Layout {
            endian: Endian::Big,
            long_size: 4,
            ..Layout::default()
        };
        let bytes = pages(&layout, |ring| {
            ring.record(0, &[0xaa; 4]);
            ring.record(5, &[0xbb; 4]);
        });
        assert_eq!(&bytes[8..12], &[0, 0, 0, 16], "commit is a 4-byte long");
        assert_eq!(
            &bytes[20..24],
            &[1 << 3, 0, 0, 5],
            "type_len 1 in the upper five bits, delta 5"
        );
    }

    #[test]
    fn long_gaps_in_time_take_an_extend() {
        let bytes = pages(&Layout::default(), |ring| {
            ring.record(0, &[0xaa; 4]);
            ring.record((3 << 27) + 7, &[0xbb; 4]);
        });
        assert_eq!(&bytes[24..28], &[7 << 5 | 30, 0, 0, 0]);
        assert_eq!(&bytes[28..32], &[3, 0, 0, 0]);
        assert_eq!(&bytes[32..36], &[1, 0, 0, 0]);
    }

    #[test]
    fn lost_events_flag_the_next_page_and_follow_its_data() {
        let bytes = pages(&Layout::default(), |ring| {
            ring.lose(Some(9));
            ring.record(1, &[0xaa; 4]);
            ring.lose(None);
            ring.record(2, &[0xbb; 4]);
        });
        assert_eq!(bytes.len(), 2 * 4096);
        assert_eq!(&bytes[8..12], &[8, 0, 0, 0xc0]);
        assert_eq!(&bytes[24..32], &[9, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&bytes[4096 + 8..4096 + 12], &[8, 0, 0, 0x80]);
    }

    #[test]
    fn long_records_keep_their_length_in_the_array() {
        let bytes = pages(&Layout::default(), |ring| ring.record(0, &[0xaa; 117]));
        assert_eq!(&bytes[16..24], &[0, 0, 0, 0, 124, 0, 0, 0]);
    }

    #[test]
    fn full_pages_are_followed_by_more() {
        let bytes = pages(&Layout::default(), |ring| {
            for at in 0..100 {
                ring.record(at, &[0xaa; 112]);
            }
        });
        assert_eq!(bytes.len(), 3 * 4096);
    }
}
