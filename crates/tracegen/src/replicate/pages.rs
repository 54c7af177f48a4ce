//! A walk through the records of a ring-buffer page (`include/linux/ring_buffer.h`), and the times in it.

use std::ops::Range;

use crate::layout::{Endian, Layout};

const PADDING: u64 = 29;
const TIME_EXTEND: u64 = 30;
const TIME_STAMP: u64 = 31;
/// Bits of a delta in a record's header.
const DELTA_BITS: u32 = 27;
/// The bits of a page's `commit` that are a length; the others are flags.
const COMMIT_LENGTH: u64 = (1 << 30) - 1;
/// A full time stamp lacks the highest bits: they are those of the page's.
const STAMP_BITS: u32 = 59;

/// What a page holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// An event: its time and the place of its payload.
    Record { at_ns: u64, payload: Range<usize> },
    /// A full time stamp, which applies to the next record.
    Stamp { at: usize },
}

/// How far a walk through a page has come.
pub(super) struct Walk {
    endian: Endian,
    at: usize,
    end: usize,
    now: u64,
}

impl Walk {
    pub(super) fn new(layout: &Layout, page: &[u8]) -> Self {
        let header = 8 + usize::from(layout.long_size);
        let number = |range: Range<usize>| page.get(range).map_or(0, |bytes| layout.endian.number(bytes));
        Walk {
            endian: layout.endian,
            at: header,
            end: (header + (number(8..header) & COMMIT_LENGTH) as usize).min(page.len()),
            now: number(0..8),
        }
    }

    /// The next item of the page that the walk began on.
    pub(super) fn next(&mut self, page: &[u8]) -> Option<Item> {
        loop {
            let at = self.at;
            let (kind, delta) = header(self.endian, self.word(page, at)?);
            // What follows the header, where the kind has it.
            let word = || self.word(page, at + 4);
            let len = match kind {
                PADDING if delta == 0 => return None,
                PADDING => 4 + word()? as usize,
                TIME_EXTEND => {
                    self.now += word()? << DELTA_BITS;
                    8
                }
                TIME_STAMP => {
                    let stamp = word()? << DELTA_BITS | delta;
                    self.now = self.now >> STAMP_BITS << STAMP_BITS | stamp;
                    self.at += 8;
                    return Some(Item::Stamp { at });
                }
                0 => 4 + word()? as usize,
                words => 4 + 4 * words as usize,
            };
            self.now += delta;
            self.at += len.next_multiple_of(4);
            if matches!(kind, PADDING | TIME_EXTEND) {
                continue;
            }
            let begin = if kind == 0 { at + 8 } else { at + 4 };
            let payload = begin..at + len;
            let at_ns = self.now;
            return (payload.start <= payload.end && payload.end <= self.end)
                .then_some(Item::Record { at_ns, payload });
        }
    }

    fn word(&self, page: &[u8], at: usize) -> Option<u64> {
        let bytes = page.get(at..at + 4).filter(|_| at + 4 <= self.end)?;
        Some(self.endian.number(bytes))
    }
}

/// `type_len:5, time_delta:27` in the machine's bit order.
fn header(endian: Endian, word: u64) -> (u64, u64) {
    match endian {
        Endian::Little => (word & 31, word >> 5),
        Endian::Big => (word >> DELTA_BITS, word & ((1 << DELTA_BITS) - 1)),
    }
}

/// Moves a page, and with it all records whose times are counted from it.
pub(super) fn shift_page(layout: &Layout, page: &mut [u8], by_ns: u64) {
    if let Some(stamp) = page.get_mut(..8) {
        let moved = layout.endian.number(stamp).wrapping_add(by_ns);
        layout.endian.put(stamp, moved);
    }
}

/// Moves a full time stamp, at the beginning of `bytes`.
pub(super) fn shift_stamp(layout: &Layout, bytes: &mut [u8], by_ns: u64) {
    let endian = layout.endian;
    let (_, low) = header(endian, endian.number(&bytes[..4]));
    let moved = (endian.number(&bytes[4..8]) << DELTA_BITS | low).wrapping_add(by_ns);
    let low = moved & ((1 << DELTA_BITS) - 1);
    let word = match endian {
        Endian::Little => low << 5 | TIME_STAMP,
        Endian::Big => TIME_STAMP << DELTA_BITS | low,
    };
    endian.put(&mut bytes[..4], word);
    endian.put(&mut bytes[4..8], moved >> DELTA_BITS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::RingWriter;

    fn times(layout: &Layout, page: &[u8]) -> Vec<u64> {
        let mut walk = Walk::new(layout, page);
        let items = std::iter::from_fn(|| walk.next(page));
        items
            .filter_map(|item| match item {
                Item::Record { at_ns, payload } => {
                    assert_eq!(page[payload.start], 0xaa);
                    Some(at_ns)
                }
                Item::Stamp { .. } => None,
            })
            .collect()
    }

    #[test]
    fn all_records_of_a_page_are_found_and_moved() {
        for (endian, long_size) in [(Endian::Little, 8), (Endian::Big, 8), (Endian::Little, 4)] {
            let layout = Layout {
                endian,
                long_size,
                ..Layout::default()
            };
            let mut ring = RingWriter::new(&layout);
            let at = [5, 5, 900, 900 + (7 << 27), 4_000_000_000];
            ring.lose(Some(3));
            ring.record(at[0], &[0xaa; 4]);
            ring.record(at[1], &[0xaa; 117]);
            ring.discarded(at[1] + 9, 40);
            ring.record(at[2], &[0xaa; 12]);
            ring.record(at[3], &[0xaa; 12]);
            ring.absolute();
            ring.record(at[4], &[0xaa; 12]);
            let mut page = ring.finish();
            assert_eq!(times(&layout, &page), at);

            let stamps: Vec<usize> = {
                let mut walk = Walk::new(&layout, &page);
                let items = std::iter::from_fn(|| walk.next(&page));
                items
                    .filter_map(|item| match item {
                        Item::Stamp { at } => Some(at),
                        Item::Record { .. } => None,
                    })
                    .collect()
            };
            let by = 123_456_789_012;
            shift_page(&layout, &mut page, by);
            stamps.iter().for_each(|at| shift_stamp(&layout, &mut page[*at..], by));
            assert_eq!(times(&layout, &page), at.map(|at| at + by));
        }
    }
}
