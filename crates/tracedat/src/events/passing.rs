//! Which records pass a test, found in turns ahead of the rows that ask for it.

use std::collections::VecDeque;
use std::ops::Range;

use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::{IndexedRecords, Place, Reads, RecordRef, Turns};

/// What is known of the records of rows to come.
pub(super) struct Passing {
    turns: Turns,
    /// Of the turn that is under way.
    bits: Vec<u64>,
    /// By stream, in the order of rows: what is known, up to the row that was asked for last.
    blocks: Vec<VecDeque<Block>>,
}

/// Some records of a stream, a bit each.
struct Block {
    records: Range<u64>,
    bits: Vec<u64>,
}

impl Passing {
    /// Rows will be asked for in their order, or from the last to the first.
    pub fn new(streams: usize, forward: bool) -> Self {
        Passing {
            turns: Turns::new(streams, forward),
            bits: Vec::new(),
            blocks: (0..streams).map(|_| VecDeque::new()).collect(),
        }
    }

    /// Whether the record of a row passes; `None`: it was not looked at yet.
    #[inline]
    pub fn knows(&mut self, place: Place) -> Option<bool> {
        let blocks = self.blocks.get_mut(place.stream)?;
        loop {
            match blocks.front() {
                Some(block) if block.records.contains(&place.record) => return Some(block.has(place.record)),
                Some(block) if block.is_past(place.record, self.turns.forward()) => blocks.pop_front(),
                // Of a record that cannot be found, nothing passes.
                _ => return self.turns.has_looked_at(place).then_some(false),
            };
        }
    }

    /// What is read to look at more; not now, as long as rows come next whose records are known.
    pub fn reads(&self, is_waited_for: bool) -> Reads {
        let Reads { now, coming } = self.turns.reads();
        let now = now && is_waited_for;
        Reads { now, coming }
    }

    /// Looks at some `budget` more records of the rows to come; `None` is one whose record will not be asked for.
    pub fn advance<R: ReadAt>(
        &mut self,
        (input, streams): (&R, &mut [IndexedRecords]),
        budget: usize,
        coming: &mut impl Iterator<Item = Option<Place>>,
        mut passes: impl FnMut(&RecordRef<'_>) -> bool,
    ) -> Result<(), ReadError> {
        self.turns.plan(streams, coming);
        let bits = &mut self.bits;
        let ended = self.turns.advance(input, streams, budget, |turn, number, record| {
            let place = (number - turn.records.start) as usize;
            if bits.len() <= place / 64 {
                bits.resize(place / 64 + 1, 0);
            }
            if let Some(word) = bits.get_mut(place / 64).filter(|_| passes(record)) {
                *word |= 1 << (place % 64);
            }
        })?;
        if let Some(turn) = ended {
            let block = Block {
                records: turn.records,
                bits: std::mem::take(&mut self.bits),
            };
            if let Some(blocks) = self.blocks.get_mut(turn.stream) {
                blocks.push_back(block);
            }
        }
        self.turns.plan(streams, coming);
        Ok(())
    }
}

impl Block {
    fn has(&self, record: u64) -> bool {
        let place = (record - self.records.start) as usize;
        let word = self.bits.get(place / 64);
        word.is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Whether the rows to come need none of these records.
    fn is_past(&self, record: u64, forward: bool) -> bool {
        match forward {
            true => self.records.end <= record,
            false => record < self.records.start,
        }
    }
}
