//! Records some of one CPU after some of another, in about the order in which rows need them: in few large reads.

use std::collections::VecDeque;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cpu::RecordRef;
use super::indexed::IndexedRecords;
use super::order::Place;
use crate::error::ReadError;
use crate::file::ReadAt;

/// Bytes of pages of a CPU's first turn: little, so that each CPU soon had one.
const FIRST_TURN: u64 = if cfg!(debug_assertions) { 1 } else { 32 << 10 };
/// The same of the turns behind it. A read has a fixed cost in browsers, which is that of reading half of this.
const TURN: u64 = if cfg!(debug_assertions) { 1 << 13 } else { 1 << 20 };
/// Turns that are read before they begin.
const READ: Amount = Amount {
    turns: if cfg!(debug_assertions) { 1 } else { 64 },
    bytes: 4 * TURN,
};
/// Turns that are planned: those, and some for others to look at.
const PLANNED: Amount = Amount {
    turns: READ.turns + 12,
    bytes: 3 * READ.bytes,
};
/// Rows that are gone through at once to plan them.
const ROWS: usize = 1 << 16;

/// Turns of about so many bytes, but no more turns than this.
struct Amount {
    turns: usize,
    bytes: u64,
}

/// Turns for the records of rows that come in their order, or from the last to the first.
pub(crate) struct Turns {
    forward: bool,
    /// By stream: its records before this one were planned; backward, this one and those behind it. `None`: none yet.
    edges: Vec<Option<u64>>,
    coming: VecDeque<Turn>,
    /// Turns that others look at.
    handed: Vec<Turn>,
    current: Option<Current>,
    /// The bytes of the current turn.
    bytes: Vec<u8>,
    looked: usize,
}

/// Some pages of one stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Position in the list of streams.
    pub stream: usize,
    /// The records there, counted from 0.
    pub records: Range<u64>,
    pages: Range<usize>,
    /// Where they are in the file.
    pub file: Range<u64>,
}

impl Turn {
    fn bytes(&self) -> u64 {
        self.file.end - self.file.start
    }
}

struct Current {
    turn: Turn,
    /// The page that is looked at next.
    page: usize,
}

/// What is read from the file.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reads {
    /// Whether the next step begins with the first of these reads.
    pub now: bool,
    /// Whether nothing can be looked at before a turn comes back that another worker looks at.
    pub elsewhere: bool,
    /// Some reads that are to come, each where it begins and how long it is, in this order.
    pub coming: Vec<(u64, u64)>,
}

impl Turns {
    pub fn new(streams: usize, forward: bool) -> Self {
        Turns {
            forward,
            edges: vec![None; streams],
            coming: VecDeque::new(),
            handed: Vec::new(),
            current: None,
            bytes: Vec::new(),
            looked: 0,
        }
    }

    /// Of one turn alone, which was planned by another worker.
    pub fn of(turn: Turn) -> Self {
        let mut turns = Turns::new(0, true);
        turns.coming.push_back(turn);
        turns
    }

    /// Whether rows are looked at in their order.
    pub fn forward(&self) -> bool {
        self.forward
    }

    /// Records that were looked at.
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// Whether all that was planned was looked at.
    pub fn is_idle(&self) -> bool {
        self.current.is_none() && self.coming.is_empty() && self.handed.is_empty()
    }

    /// Whether all that is before a record, or behind it, was looked at; the record too.
    #[inline]
    pub fn has_looked_at(&self, place: Place) -> bool {
        let current = self.current.as_ref().map(|current| &current.turn);
        let planned = self.coming.iter().chain(&self.handed).chain(current);
        let mut waiting = planned.filter(|turn| turn.stream == place.stream);
        self.is_planned(place) && !waiting.any(|turn| turn.records.contains(&place.record))
    }

    #[inline]
    fn is_planned(&self, place: Place) -> bool {
        let edge = self.edges.get(place.stream).copied().flatten();
        edge.is_some_and(|edge| match self.forward {
            true => place.record < edge,
            false => edge <= place.record,
        })
    }

    /// Plans turns for the records of some more rows, until there are enough; `None` is a row whose record is not wanted.
    pub fn plan(&mut self, streams: &[IndexedRecords], rows: &mut impl Iterator<Item = Option<Place>>) {
        let mut bytes: u64 = self.coming.iter().map(Turn::bytes).sum();
        for _ in 0..ROWS {
            if PLANNED.turns <= self.coming.len() || PLANNED.bytes <= bytes {
                return;
            }
            match rows.next() {
                None => return,
                Some(Some(place)) if !self.is_planned(place) => bytes += self.plan_turn(streams, place),
                Some(_) => {}
            }
        }
    }

    /// Returns of how many bytes the turn is.
    #[cold]
    fn plan_turn(&mut self, streams: &[IndexedRecords], place: Place) -> u64 {
        let (Some(records), Some(edge)) = (streams.get(place.stream), self.edges.get_mut(place.stream)) else {
            return 0;
        };
        let size = if edge.is_none() { FIRST_TURN } else { TURN };
        let page = records.page_of(place.record);
        let stretch = page.and_then(|page| records.stretch(page, self.forward, size));
        // A record without a page is looked at as soon as it is planned.
        let mut planned = place.record..place.record.saturating_add(1);
        let mut bytes = 0;
        if let Some((pages, file)) = stretch {
            planned = records.records_of(&pages);
            bytes = file.end - file.start;
            self.coming.push_back(Turn {
                stream: place.stream,
                records: planned.clone(),
                pages,
                file,
            });
        }
        *edge = Some(if self.forward { planned.end } else { planned.start });
        bytes
    }

    /// The turns that are being read.
    fn read(&self) -> impl Iterator<Item = &Turn> {
        let before = self.coming.iter().scan(0, |sum, turn| {
            let before = *sum;
            *sum += turn.bytes();
            Some((before, turn))
        });
        let read = before.take(READ.turns).take_while(|&(before, _)| before < READ.bytes);
        read.map(|(_, turn)| turn)
    }

    /// What is read for the turns that come next.
    pub fn reads(&self) -> Reads {
        Reads {
            now: self.current.is_none(),
            elsewhere: self.current.is_none() && self.coming.is_empty() && !self.handed.is_empty(),
            coming: self.read().map(|turn| (turn.file.start, turn.bytes())).collect(),
        }
    }

    /// A turn for another worker to look at; not one of the next, which are being read here.
    pub fn hand_out(&mut self) -> Option<Turn> {
        if self.coming.len() <= self.read().count() {
            return None;
        }
        let turn = self.coming.pop_back()?;
        self.handed.push(turn.clone());
        Some(turn)
    }

    /// Another worker looked at a turn, or could not. Returns whether it was asked to.
    pub fn take_back(&mut self, turn: &Turn, was_looked_at: bool) -> bool {
        let Some(index) = self.handed.iter().position(|handed| handed == turn) else {
            return false;
        };
        let turn = self.handed.swap_remove(index);
        if was_looked_at {
            self.looked += (turn.records.end - turn.records.start) as usize;
        } else {
            self.coming.push_front(turn);
        }
        true
    }

    /// Gives some `budget` more records to `each`, with their turns and numbers; fewer where a turn ends, which is returned. After
    /// an error it is tried again.
    pub fn advance<R: ReadAt>(
        &mut self,
        input: &R,
        streams: &mut [IndexedRecords],
        budget: usize,
        mut each: impl FnMut(&Turn, u64, &RecordRef<'_>),
    ) -> Result<Option<Turn>, ReadError> {
        let until = self.looked.saturating_add(budget);
        if self.current.is_none() && self.looked < until {
            self.begin(input)?;
        }
        let Some(Current { turn, page }) = &mut self.current else {
            return Ok(None);
        };
        let Some(records) = streams.get_mut(turn.stream) else {
            return Ok(None);
        };
        let held = Held {
            input,
            from: turn.file.start,
            bytes: &self.bytes,
        };
        while self.looked < until && *page < turn.pages.end {
            records.each(&held, *page, |number, record| each(turn, number, &record))?;
            let looked = records.records_of(&(*page..*page + 1));
            self.looked += (looked.end - looked.start) as usize;
            *page += 1;
        }
        let has_ended = *page == turn.pages.end;
        Ok(self.current.take_if(|_| has_ended).map(|current| current.turn))
    }

    fn begin<R: ReadAt>(&mut self, input: &R) -> Result<(), ReadError> {
        let Some(turn) = self.coming.front() else {
            return Ok(());
        };
        self.bytes.resize(turn.bytes() as usize, 0);
        if !self.bytes.is_empty() {
            input.read_at(turn.file.start, &mut self.bytes)?;
        }
        self.current = self.coming.pop_front().map(|turn| Current {
            page: turn.pages.start,
            turn,
        });
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
