//! All records of a trace, some of one CPU after some of another: about in the order of time, in few large reads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use serde::Serialize;

use super::cpu::RecordRef;
use super::indexed::IndexedRecords;
use crate::error::ReadError;
use crate::file::ReadAt;

/// Bytes of pages of a CPU's first turn: little, so that each CPU soon had one.
const FIRST_TURN: u64 = if cfg!(debug_assertions) { 1 } else { 128 << 10 };
/// The same of the turns behind it. A read has a fixed cost in browsers, which is that of reading half of this.
const TURN: u64 = if cfg!(debug_assertions) { 1 << 13 } else { 1 << 20 };

/// A walk over all records. The CPU of which the least time was seen is next, with some pages, which are read at once.
pub(crate) struct Walk {
    /// By stream, the page that comes next.
    next: Vec<usize>,
    /// The streams that have more, by the latest time that was seen of them.
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    turn: Option<Turn>,
    /// The bytes of the turn.
    bytes: Vec<u8>,
    looked: usize,
}

/// Some pages of one stream.
struct Turn {
    stream: usize,
    pages: Range<usize>,
    /// Where they are in the file.
    file: Range<u64>,
    /// The latest time that was seen of the stream.
    seen: u64,
}

/// What a walk reads from the file.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reads {
    /// Whether the next step begins with the first of these reads.
    pub now: bool,
    /// Some reads that are to come, each where it begins and how long it is; as good as in this order.
    pub coming: Vec<(u64, u64)>,
}

impl Walk {
    pub fn new(streams: &[IndexedRecords]) -> Self {
        let has_pages = streams.iter().enumerate().filter(|(_, records)| 0 < records.pages());
        Walk {
            next: vec![0; streams.len()],
            waiting: has_pages.map(|(stream, _)| Reverse((0, stream))).collect(),
            turn: None,
            bytes: Vec::new(),
            looked: 0,
        }
    }

    /// Records that were looked at.
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// Whether that is all of them.
    pub fn has_ended(&self) -> bool {
        self.turn.is_none() && self.waiting.is_empty()
    }

    /// All records before this time were looked at, unless a CPU's time goes back.
    pub fn reached(&self) -> u64 {
        let waiting = self.waiting.peek().map(|&Reverse((seen, _))| seen);
        let current = self.turn.as_ref().map(|turn| turn.seen);
        waiting.into_iter().chain(current).min().unwrap_or(u64::MAX)
    }

    /// What is read for the turns that come next.
    pub fn reads(&self, streams: &[IndexedRecords], count: usize) -> Reads {
        let mut waiting = self.waiting.clone();
        let next = std::iter::from_fn(|| waiting.pop()).take(count);
        let coming = next.filter_map(|Reverse((_, stream))| {
            let (_, file) = self.turn_of(stream, streams.get(stream)?)?;
            Some((file.start, file.end - file.start))
        });
        Reads {
            now: self.turn.is_none(),
            coming: coming.collect(),
        }
    }

    /// The pages of a stream's next turn, and where they are in the file.
    fn turn_of(&self, stream: usize, records: &IndexedRecords) -> Option<(Range<usize>, Range<u64>)> {
        let first = self.next.get(stream).copied()?;
        let size = match first {
            0 => FIRST_TURN,
            _ => TURN,
        };
        records.stretch(first, size)
    }

    /// Gives some `budget` more records to `each`, by stream; fewer where a turn ends. After an error it is tried again.
    pub fn advance<R: ReadAt>(
        &mut self,
        input: &R,
        streams: &mut [IndexedRecords],
        budget: usize,
        mut each: impl FnMut(usize, &RecordRef<'_>),
    ) -> Result<(), ReadError> {
        let until = self.looked.saturating_add(budget);
        if self.turn.is_none() && self.looked < until {
            self.begin(input, streams)?;
        }
        let Some(turn) = &mut self.turn else {
            return Ok(());
        };
        let Some(records) = streams.get_mut(turn.stream) else {
            return Ok(());
        };
        let held = Held {
            input,
            from: turn.file.start,
            bytes: &self.bytes,
        };
        while self.looked < until && !turn.pages.is_empty() {
            let (stream, page) = (turn.stream, turn.pages.start);
            records.each(&held, page, |record| {
                turn.seen = turn.seen.max(record.ts);
                each(stream, &record);
            })?;
            self.looked += records.records_of(page);
            turn.pages.start += 1;
        }
        if turn.pages.is_empty() {
            if let Some(next) = self.next.get_mut(turn.stream) {
                *next = turn.pages.end;
            }
            if turn.pages.end < records.pages() {
                self.waiting.push(Reverse((turn.seen, turn.stream)));
            }
            self.turn = None;
        }
        Ok(())
    }

    fn begin<R: ReadAt>(&mut self, input: &R, streams: &[IndexedRecords]) -> Result<(), ReadError> {
        let Some(&Reverse((seen, stream))) = self.waiting.peek() else {
            return Ok(());
        };
        let records = streams.get(stream);
        let turn = records.and_then(|records| self.turn_of(stream, records));
        if let Some((pages, file)) = turn {
            self.bytes.resize((file.end - file.start) as usize, 0);
            if !self.bytes.is_empty() {
                input.read_at(file.start, &mut self.bytes)?;
            }
            self.turn = Some(Turn {
                stream,
                pages,
                file,
                seen,
            });
        }
        self.waiting.pop();
        Ok(())
    }
}

/// A file of which some bytes are in memory.
struct Held<'a, R> {
    input: &'a R,
    from: u64,
    bytes: &'a [u8],
}

impl<R: ReadAt> ReadAt for Held<'_, R> {
    fn len(&self) -> u64 {
        self.input.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let start = offset
            .checked_sub(self.from)
            .and_then(|start| usize::try_from(start).ok());
        let held = start.and_then(|start| self.bytes.get(start..start.checked_add(buf.len())?));
        match held {
            Some(held) => {
                buf.copy_from_slice(held);
                Ok(())
            }
            None => self.input.read_at(offset, buf),
        }
    }
}
