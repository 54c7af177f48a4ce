//! Huffman codes of literals (RFC 8878, 4.2).

use super::bits::BackwardBits;
use super::fse::{Distribution, State};
use super::ZstdError;

/// No code is longer.
const MAX_BITS: u32 = 11;
/// Weights are packed with small tables.
const MAX_WEIGHT_LOG: u32 = 6;
/// The last symbol's weight is not written: it is what the others leave.
const MAX_WEIGHTS: usize = 255;

/// Decodes by looking at `bits` bits at once. Remembered from block to block of a frame.
#[derive(Default)]
pub(super) struct HuffmanTable {
    /// For every value of `bits` bits: the symbol in the low byte, the length of its code in the high byte.
    entries: Vec<u16>,
    /// 0: no table yet.
    bits: u32,
    weights: Vec<u8>,
    states: Vec<State>,
}

impl HuffmanTable {
    pub fn forget(&mut self) {
        self.bits = 0;
    }

    /// Reads the description of a tree; gives the bytes it takes.
    pub fn read(&mut self, bytes: &[u8]) -> Result<usize, ZstdError> {
        const SHORT: ZstdError = ZstdError::Damaged("a Huffman tree that is longer than its block");
        let (&header, rest) = bytes.split_first().ok_or(SHORT)?;
        self.weights.clear();
        let used = if header < 128 {
            let packed = rest.get(..usize::from(header)).ok_or(SHORT)?;
            self.unpack_weights(packed)?;
            packed.len()
        } else {
            // Two weights to a byte, the first in the high half.
            let count = usize::from(header) - 127;
            let packed = rest.get(..count.div_ceil(2)).ok_or(SHORT)?;
            let halves = packed.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            self.weights.extend(halves.take(count));
            packed.len()
        };
        self.build()?;
        Ok(1 + used)
    }

    /// Weights that are packed with two states that take turns.
    fn unpack_weights(&mut self, packed: &[u8]) -> Result<(), ZstdError> {
        let (distribution, used) = Distribution::read(packed, MAX_WEIGHT_LOG)?;
        distribution.build(&mut self.states)?;
        let mut bits = BackwardBits::new(packed, used, packed.len() - used)?;
        let states = &self.states;
        let state = |index: u64| states.get(index as usize).copied().unwrap_or_default();
        let mut now = state(bits.take(distribution.log));
        let mut other = state(bits.take(distribution.log));
        loop {
            self.weights.push(now.symbol);
            let following = u64::from(now.base) + bits.take(u32::from(now.bits));
            if bits.left() < 0 {
                self.weights.push(other.symbol);
                break;
            }
            if self.weights.len() > MAX_WEIGHTS {
                return Err(ZstdError::Damaged("a Huffman tree of too many symbols"));
            }
            now = std::mem::replace(&mut other, state(following));
        }
        Ok(())
    }

    /// Codes from weights: a symbol of weight w takes 2^(w-1) of the 2^bits values.
    fn build(&mut self) -> Result<(), ZstdError> {
        const BAD: ZstdError = ZstdError::Damaged("a Huffman tree whose codes do not add up");
        self.bits = 0;
        if self.weights.len() > MAX_WEIGHTS {
            return Err(BAD);
        }
        let values = |weight: u8| {
            if weight == 0 {
                0
            } else {
                1u32 << (u32::from(weight) - 1).min(31)
            }
        };
        if self.weights.iter().any(|&weight| u32::from(weight) > MAX_BITS) {
            return Err(BAD);
        }
        let sum: u32 = self.weights.iter().map(|&weight| values(weight)).sum();
        if sum == 0 {
            return Err(BAD);
        }
        let bits = sum.ilog2() + 1;
        let left = (1 << bits) - sum;
        if bits > MAX_BITS || !left.is_power_of_two() {
            return Err(BAD);
        }
        self.weights.push(left.ilog2() as u8 + 1);
        self.entries.clear();
        // The longest codes, of weight 1, have the smallest values.
        for weight in 1..=bits as u8 {
            let len = bits as u16 + 1 - u16::from(weight);
            for (&of_symbol, symbol) in self.weights.iter().zip(0u16..) {
                if of_symbol == weight {
                    let end = self.entries.len() + values(weight) as usize;
                    self.entries.resize(end, len << 8 | symbol);
                }
            }
        }
        if self.entries.len() != 1 << bits {
            return Err(BAD);
        }
        self.bits = bits;
        Ok(())
    }

    /// The next symbol.
    #[inline(always)]
    fn symbol(&self, stream: &mut BackwardBits<'_>) -> u8 {
        let entry = self.entries.get(stream.peek(self.bits) as usize).copied().unwrap_or(0);
        stream.skip(u32::from(entry >> 8));
        entry as u8
    }

    /// Fills `out` from one stream, which must end with it.
    pub fn decode(&self, mut stream: BackwardBits<'_>, out: &mut [u8]) -> Result<(), ZstdError> {
        self.check()?;
        for byte in out {
            *byte = self.symbol(&mut stream);
        }
        at_end(&stream)
    }

    /// Fills four stretches from four streams, side by side: the processor works on all of them at once.
    pub fn decode_four(&self, streams: [BackwardBits<'_>; 4], out: &mut [u8]) -> Result<(), ZstdError> {
        self.check()?;
        let stretch = out.len().div_ceil(4);
        let mut stretches = out.chunks_mut(stretch.max(1));
        let mut next = || stretches.next().unwrap_or_default();
        let (first, second, third, fourth) = (next(), next(), next(), next());
        let [mut a, mut b, mut c, mut d] = streams;
        let together = fourth.len();
        for (((first, second), third), fourth) in first
            .iter_mut()
            .zip(second.iter_mut())
            .zip(third.iter_mut())
            .zip(fourth.iter_mut())
        {
            *first = self.symbol(&mut a);
            *second = self.symbol(&mut b);
            *third = self.symbol(&mut c);
            *fourth = self.symbol(&mut d);
        }
        for (stretch, stream) in [(first, &mut a), (second, &mut b), (third, &mut c)] {
            for byte in stretch.iter_mut().skip(together) {
                *byte = self.symbol(stream);
            }
        }
        [a, b, c, d].iter().try_for_each(at_end)
    }

    fn check(&self) -> Result<(), ZstdError> {
        if self.bits == 0 {
            return Err(ZstdError::Damaged("literals without a Huffman tree"));
        }
        Ok(())
    }
}

fn at_end(stream: &BackwardBits<'_>) -> Result<(), ZstdError> {
    if stream.left() == 0 {
        Ok(())
    } else {
        Err(ZstdError::Damaged(
            "a stream of literals that does not end where it should",
        ))
    }
}
