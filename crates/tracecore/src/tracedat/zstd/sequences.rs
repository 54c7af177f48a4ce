//! Sequences: so many literals, then a copy of so many bytes from so far back (RFC 8878, 3.1.1.3.2 and 3.1.1.4).

use traceevent::{Endian, Reader};

use super::bits::BackwardBits;
use super::fse::{Distribution, State};
use super::output::{Output, STEP};
use super::ZstdError;

/// A state of one of the three tables, with what its symbol means.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The least value of the symbol's range.
    value: u32,
    /// Bits to read and add to it.
    extra: u8,
    /// Bits to read for the next state.
    bits: u8,
    /// What to add to them.
    base: u16,
}

/// One of the three tables: of literal lengths, offsets, or match lengths.
struct Table {
    entries: Vec<Entry>,
    log: u32,
    max_log: u32,
    /// Its distribution when the block brings none, and the states made of it.
    default: Distribution,
    meaning: fn(u8) -> Option<(u32, u8)>,
    states: Vec<State>,
    /// Whether it may be used again by a block that says so.
    valid: bool,
}

/// The tables of a frame.
pub(super) struct SequenceTables {
    literal_lengths: Table,
    offsets: Table,
    match_lengths: Table,
    /// The last three offsets, newest first.
    recent: [usize; 3],
}

impl SequenceTables {
    pub fn new() -> Self {
        SequenceTables {
            literal_lengths: Table::new(9, 6, &LITERAL_LENGTH_SHARES, literal_length),
            offsets: Table::new(8, 5, &OFFSET_SHARES, offset),
            match_lengths: Table::new(9, 6, &MATCH_LENGTH_SHARES, match_length),
            recent: FIRST_RECENT,
        }
    }

    /// A frame begins.
    pub fn forget(&mut self) {
        self.literal_lengths.valid = false;
        self.offsets.valid = false;
        self.match_lengths.valid = false;
        self.recent = FIRST_RECENT;
    }

    /// Reads the sequences of a block and carries them out. `literals` gets some bytes of room at its end.
    pub fn execute(&mut self, bytes: &[u8], literals: &mut Vec<u8>, output: &mut Output) -> Result<(), ZstdError> {
        let literal_count = literals.len();
        literals.resize(literal_count + STEP, 0);
        let mut reader = Reader::new(bytes, Endian::Little);
        let count = match reader.u8()? {
            first @ 0..=127 => usize::from(first),
            255 => usize::from(reader.u16()?) + 0x7f00,
            first => (usize::from(first) - 128) << 8 | usize::from(reader.u8()?),
        };
        let mut used = 0;
        if count > 0 {
            let modes = reader.u8()?;
            let mut at = reader.at();
            at += self
                .literal_lengths
                .prepare(modes >> 6, bytes.get(at..).unwrap_or_default())?;
            at += self
                .offsets
                .prepare(modes >> 4 & 3, bytes.get(at..).unwrap_or_default())?;
            at += self
                .match_lengths
                .prepare(modes >> 2 & 3, bytes.get(at..).unwrap_or_default())?;
            let bits = BackwardBits::new(bytes, at, bytes.len().saturating_sub(at))?;
            used = self.weave(bits, count, literals, literal_count, output)?;
        }
        output.push(literals.get(used..literal_count).unwrap_or_default())
    }

    /// Gives how many literals were taken.
    fn weave(
        &mut self,
        mut bits: BackwardBits<'_>,
        count: usize,
        literals: &[u8],
        literal_count: usize,
        output: &mut Output,
    ) -> Result<usize, ZstdError> {
        let mut recent = self.recent;
        let mut used = 0;
        let mut literal_length = self.literal_lengths.entry(bits.take(self.literal_lengths.log));
        let mut offset = self.offsets.entry(bits.take(self.offsets.log));
        let mut match_length = self.match_lengths.entry(bits.take(self.match_lengths.log));
        for left in (0..count).rev() {
            let offset_value = offset.value as usize + bits.take(u32::from(offset.extra)) as usize;
            let copied = match_length.value as usize + bits.take(u32::from(match_length.extra)) as usize;
            let taken = literal_length.value as usize + bits.take(u32::from(literal_length.extra)) as usize;
            if left > 0 {
                literal_length = self.literal_lengths.next(literal_length, &mut bits);
                match_length = self.match_lengths.next(match_length, &mut bits);
                offset = self.offsets.next(offset, &mut bits);
            }
            let distance = choose_offset(&mut recent, offset_value, taken == 0);
            if taken > literal_count - used {
                return Err(ZstdError::Damaged("a sequence takes literals that are not there"));
            }
            output.push_literals(literals, used, taken)?;
            used += taken;
            output.repeat(distance, copied)?;
        }
        if bits.left() != 0 {
            return Err(ZstdError::Damaged("sequences that do not end where they should"));
        }
        self.recent = recent;
        Ok(used)
    }
}

/// Values above 3 are offsets + 3; the others name one of the recent offsets, counted on by one without literals.
#[inline(always)]
fn choose_offset(recent: &mut [usize; 3], value: usize, no_literals: bool) -> usize {
    let [first, second, third] = *recent;
    if value > 3 {
        *recent = [value - 3, first, second];
        return value - 3;
    }
    match value + usize::from(no_literals) {
        1 => first,
        2 => {
            *recent = [second, first, third];
            second
        }
        3 => {
            *recent = [third, first, second];
            third
        }
        // `first` is at least 1; 0 is refused where it is used.
        _ => {
            *recent = [first - 1, first, second];
            first - 1
        }
    }
}

impl Table {
    fn new(max_log: u32, default_log: u32, default: &[i16], meaning: fn(u8) -> Option<(u32, u8)>) -> Self {
        Table {
            entries: Vec::new(),
            log: 0,
            max_log,
            default: Distribution {
                shares: default.to_vec(),
                log: default_log,
            },
            meaning,
            states: Vec::new(),
            valid: false,
        }
    }

    /// Makes the table that a block asks for; gives the bytes that its description takes.
    fn prepare(&mut self, mode: u8, bytes: &[u8]) -> Result<usize, ZstdError> {
        let used = match mode {
            0 => {
                self.default.build(&mut self.states)?;
                self.log = self.default.log;
                self.translate()?;
                0
            }
            1 => {
                let symbol = *bytes.first().ok_or(ZstdError::Damaged("a table without its symbol"))?;
                self.states.clear();
                self.states.push(State {
                    symbol,
                    ..State::default()
                });
                self.log = 0;
                self.translate()?;
                1
            }
            2 => {
                let (distribution, used) = Distribution::read(bytes, self.max_log)?;
                distribution.build(&mut self.states)?;
                self.log = distribution.log;
                self.translate()?;
                used
            }
            _ if self.valid => 0,
            _ => return Err(ZstdError::Damaged("a table that was not there before is used again")),
        };
        self.valid = true;
        Ok(used)
    }

    fn translate(&mut self) -> Result<(), ZstdError> {
        self.valid = false;
        self.entries.clear();
        for state in &self.states {
            let (value, extra) =
                (self.meaning)(state.symbol).ok_or(ZstdError::Damaged("a length or offset beyond all"))?;
            self.entries.push(Entry {
                value,
                extra,
                bits: state.bits,
                base: state.base,
            });
        }
        Ok(())
    }

    #[inline(always)]
    fn entry(&self, index: u64) -> Entry {
        self.entries.get(index as usize).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn next(&self, now: Entry, bits: &mut BackwardBits<'_>) -> Entry {
        self.entry(u64::from(now.base) + bits.take(u32::from(now.bits)))
    }
}

const FIRST_RECENT: [usize; 3] = [1, 4, 8];

const LITERAL_LENGTH_SHARES: [i16; 36] = [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
];

const MATCH_LENGTH_SHARES: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];

const OFFSET_SHARES: [i16; 29] = [
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
];

/// Bits to add, for the codes from 16 on; each range begins where the one before ends.
const LITERAL_LENGTH_EXTRA: [u8; 20] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
/// The same from 32 on.
const MATCH_LENGTH_EXTRA: [u8; 21] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

fn literal_length(code: u8) -> Option<(u32, u8)> {
    range_of(code, 16, 0, &LITERAL_LENGTH_EXTRA)
}

fn match_length(code: u8) -> Option<(u32, u8)> {
    range_of(code, 32, 3, &MATCH_LENGTH_EXTRA)
}

fn offset(code: u8) -> Option<(u32, u8)> {
    (code < 32).then(|| (1 << code, code))
}

/// The least value and the extra bits of a code; the first `plain` codes are `least`, `least + 1` ... without extra bits.
fn range_of(code: u8, plain: u8, least: u32, extra: &[u8]) -> Option<(u32, u8)> {
    let Some(index) = code.checked_sub(plain) else {
        return Some((least + u32::from(code), 0));
    };
    let bits = *extra.get(usize::from(index))?;
    let before: u32 = extra.iter().take(usize::from(index)).map(|&bits| 1u32 << bits).sum();
    Some((least + u32::from(plain) + before, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mean_what_the_format_says() {
        assert_eq!(literal_length(15), Some((15, 0)));
        assert_eq!(literal_length(16), Some((16, 1)));
        assert_eq!(literal_length(24), Some((48, 4)));
        assert_eq!(literal_length(25), Some((64, 6)));
        assert_eq!(literal_length(35), Some((65536, 16)));
        assert_eq!(literal_length(36), None);
        assert_eq!(match_length(0), Some((3, 0)));
        assert_eq!(match_length(42), Some((99, 5)));
        assert_eq!(match_length(43), Some((131, 7)));
        assert_eq!(match_length(52), Some((65539, 16)));
        assert_eq!(match_length(53), None);
        assert_eq!(offset(31), Some((1 << 31, 31)));
        assert_eq!(offset(32), None);
    }

    #[test]
    fn recent_offsets_move_up() {
        let mut recent = FIRST_RECENT;
        assert_eq!(choose_offset(&mut recent, 13, false), 10);
        assert_eq!(recent, [10, 1, 4]);
        assert_eq!(choose_offset(&mut recent, 1, false), 10);
        assert_eq!(choose_offset(&mut recent, 3, false), 4);
        assert_eq!(recent, [4, 10, 1]);
        assert_eq!(choose_offset(&mut recent, 1, true), 10);
        assert_eq!(recent, [10, 4, 1]);
        assert_eq!(choose_offset(&mut recent, 3, true), 9);
        assert_eq!(recent, [9, 10, 4]);
    }
}
