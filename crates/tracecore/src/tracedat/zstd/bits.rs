//! Bit streams: forward for tables, backward for everything else.

use traceevent::bytes::load;

use super::{tail, ZstdError};

/// Bits from the first byte on, low bits first; beyond the end there are zeros.
pub(super) struct ForwardBits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ForwardBits<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        ForwardBits { bytes, at: 0 }
    }

    /// The next `count` (at most 16) bits, without taking them.
    pub fn peek(&self, count: u32) -> u32 {
        let word = word_at(self.bytes, self.at / 8);
        (word >> (self.at % 8)) as u32 & ((1 << count) - 1)
    }

    pub fn skip(&mut self, count: u32) {
        self.at += count as usize;
    }

    pub fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek(count);
        self.skip(count);
        bits
    }

    /// Whole bytes that hold what was taken.
    pub fn used(&self) -> Result<usize, ZstdError> {
        let used = self.at.div_ceil(8);
        if used <= self.bytes.len() {
            Ok(used)
        } else {
            Err(ZstdError::Damaged("a table that is longer than its block"))
        }
    }
}

/// The 8 bytes at `at`, with zeros beyond the end.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    match load(bytes, at) {
        Some(raw) => u64::from_le_bytes(raw),
        None => word_at_end(bytes, at),
    }
}

#[cold]
fn word_at_end(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Bits from the last one back to the first: the stream was written forwards, and is read like a stack.
pub(super) struct BackwardBits<'a> {
    /// The stream, and what follows it.
    bytes: &'a [u8],
    /// Bits that are left; negative after reading beyond the first.
    left: isize,
}

impl<'a> BackwardBits<'a> {
    /// Over `len` bytes at `at`. The highest bit that is set in the last byte only marks the end.
    pub fn new(block: &'a [u8], at: usize, len: usize) -> Result<Self, ZstdError> {
        let bytes = tail(block, at, len)?;
        let last = len
            .checked_sub(1)
            .and_then(|last| bytes.get(last))
            .copied()
            .unwrap_or(0);
        if last == 0 {
            return Err(ZstdError::Damaged("a stream without its end mark"));
        }
        let left = len * 8 - 8 + last.ilog2() as usize;
        Ok(BackwardBits {
            bytes,
            left: left as isize,
        })
    }

    pub fn left(&self) -> isize {
        self.left
    }

    /// The next `count` (at most 56) bits, without taking them; zeros beyond the first bit.
    #[inline(always)]
    pub fn peek(&self, count: u32) -> u64 {
        let start = self.left - count as isize;
        if start < 0 {
            return self.peek_beyond(count);
        }
        let start = start as usize;
        (word_at(self.bytes, start / 8) >> (start % 8)) & ((1 << count) - 1)
    }

    #[cold]
    fn peek_beyond(&self, count: u32) -> u64 {
        if self.left <= 0 {
            return 0;
        }
        let there = word_at(self.bytes, 0) & ((1 << self.left) - 1);
        there << (count as isize - self.left)
    }

    #[inline(always)]
    pub fn skip(&mut self, count: u32) {
        self.left -= count as isize;
    }

    #[inline(always)]
    pub fn take(&mut self, count: u32) -> u64 {
        let bits = self.peek(count);
        self.skip(count);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_bits_come_low_bits_first() {
        let mut bits = ForwardBits::new(&[0b1010_0110, 0b1]);
        assert_eq!(
            (bits.take(3), bits.take(4), bits.take(2), bits.take(5)),
            (0b110, 0b0100, 0b11, 0)
        );
        assert_eq!(bits.used(), Ok(2));
        bits.skip(3);
        assert!(bits.used().is_err());
    }

    #[test]
    fn backward_bits_come_high_bits_first() {
        // the mark is bit 2 of the last byte; 0xff follows the stream
        let mut bits = BackwardBits::new(&[0b0000_0101, 0b0000_0110, 0xff], 0, 2).unwrap();
        assert_eq!(bits.left(), 10);
        assert_eq!((bits.take(2), bits.take(6), bits.take(4)), (0b10, 0b000001, 0b0100));
        assert_eq!((bits.left(), bits.take(5)), (-2, 0));
        assert!(BackwardBits::new(&[1, 0], 0, 2).is_err());
        assert!(BackwardBits::new(&[1], 0, 0).is_err());
        assert!(BackwardBits::new(&[1], 0, 2).is_err());
    }
}
