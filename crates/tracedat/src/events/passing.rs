//! Which records pass a test, found in turns ahead of the rows that ask for it.

use std::collections::VecDeque;
use std::ops::Range;

use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::{IndexedRecords, Place, Reads, RecordRef, Turn, Turns};

/// What is known of the records of rows to come.
pub(super) struct Passing {
    turns: Turns,
    /// Of the turn that is under way.
    bits: Bits,
    /// By stream, in the order of rows: what is known, up to the row that was asked for last.
    blocks: Vec<VecDeque<Block>>,
}

/// Some records of a stream.
struct Block {
    records: Range<u64>,
    bits: Bits,
}

/// Which of some records pass, a bit each; none of those beyond the last word.
#[derive(Default)]
pub(super) struct Bits(Vec<u64>);

impl Passing {
    /// Rows will be asked for in their order, or from the last to the first.
    pub fn new(streams: usize, forward: bool) -> Self {
        Passing {
            turns: Turns::new(streams, forward),
            bits: Bits::default(),
            blocks: (0..streams).map(|_| VecDeque::new()).collect(),
        }
    }

    /// Whether the record of a row passes; `None`: it was not looked at yet.
    #[inline]
    pub fn knows(&mut self, place: Place) -> Option<bool> {
        let blocks = self.blocks.get_mut(place.stream)?;
        loop {
            match blocks.front() {
                Some(Block { records, bits }) if records.contains(&place.record) => {
                    return Some(bits.has(place.record - records.start))
                }
                Some(block) if block.is_past(place.record, self.turns.forward()) => blocks.pop_front(),
                // Of a record that cannot be found, nothing passes.
                _ => return self.turns.has_looked_at(place).then_some(false),
            };
        }
    }

    /// What is read to look at more; not now, as long as rows come next whose records are known.
    pub fn reads(&self, is_waited_for: bool) -> Reads {
        let reads = self.turns.reads();
        Reads {
            now: reads.now && is_waited_for,
            elsewhere: reads.elsewhere && is_waited_for,
            ..reads
        }
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
            bits.put(number - turn.records.start, passes(record));
        })?;
        if let Some(turn) = ended {
            let bits = std::mem::take(&mut self.bits);
            self.learn(&turn, bits);
        }
        self.turns.plan(streams, coming);
        Ok(())
    }

    /// A turn that another worker is to look at.
    pub fn hand_out(&mut self) -> Option<Turn> {
        self.turns.hand_out()
    }

    /// What another worker found in such a turn; `None`: it could not look at it.
    pub fn found(&mut self, turn: &Turn, bits: Option<Vec<u64>>) {
        let was_asked = self.turns.take_back(turn, bits.is_some());
        if let Some(bits) = bits.filter(|_| was_asked) {
            self.learn(turn, Bits(bits));
        }
    }

    fn learn(&mut self, turn: &Turn, bits: Bits) {
        let Some(blocks) = self.blocks.get_mut(turn.stream) else {
            return;
        };
        let forward = self.turns.forward();
        // Turns of a stream may end in another order than that of rows.
        let behind = blocks.partition_point(|block| match forward {
            true => block.records.start < turn.records.start,
            false => turn.records.start < block.records.start,
        });
        let records = turn.records.clone();
        blocks.insert(behind, Block { records, bits });
    }
}

impl Bits {
    /// Of the records of a turn.
    pub fn of_turn<R: ReadAt>(
        turn: &Turn,
        (input, streams): (&R, &mut [IndexedRecords]),
        mut passes: impl FnMut(&RecordRef<'_>) -> bool,
    ) -> Result<Vec<u64>, ReadError> {
        let mut bits = Bits::default();
        Turns::of(turn.clone()).advance(input, streams, usize::MAX, |turn, number, record| {
            bits.put(number - turn.records.start, passes(record));
        })?;
        Ok(bits.0)
    }

    #[inline]
    fn put(&mut self, place: u64, passes: bool) {
        let word = (place / 64) as usize;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= u64::from(passes) << (place % 64);
        }
    }

    #[inline]
    fn has(&self, place: u64) -> bool {
        let word = self.0.get((place / 64) as usize);
        word.is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

impl Block {
    /// Whether the rows to come need none of these records.
    fn is_past(&self, record: u64, forward: bool) -> bool {
        match forward {
            true => self.records.end <= record,
            false => record < self.records.start,
        }
    }
}
