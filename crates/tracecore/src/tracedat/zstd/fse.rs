//! Finite state entropy: how likely each symbol is, and the table that decodes it (RFC 8878, 4.1).

use super::bits::ForwardBits;
use super::ZstdError;

/// Symbols that a distribution may have.
const MAX_SYMBOLS: usize = 256;

/// Shares of each symbol in a table of `1 << log` states; -1 is less than one, and takes one.
pub(super) struct Distribution {
    pub shares: Vec<i16>,
    pub log: u32,
}

/// One state: the symbol it stands for, and how the next state follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub symbol: u8,
    /// Bits to read for the next state.
    pub bits: u8,
    /// What to add to them.
    pub base: u16,
}

impl Distribution {
    /// Reads a table description; gives the bytes it takes.
    pub fn read(bytes: &[u8], max_log: u32) -> Result<(Self, usize), ZstdError> {
        let mut bits = ForwardBits::new(bytes);
        let log = bits.take(4) + 5;
        if log > max_log {
            return Err(ZstdError::Damaged("a table of too many states"));
        }
        let mut shares: Vec<i16> = Vec::with_capacity(64);
        let mut left = 1i32 << log;
        while left > 0 {
            // A value from 0 to left + 1. The smaller ones take a bit less than the larger ones.
            let width = (left + 1).ilog2() + 1;
            let short = (1u32 << width) - 1 - (left as u32 + 1);
            let low_mask = (1u32 << (width - 1)) - 1;
            let wide = bits.peek(width);
            let value = if wide & low_mask < short {
                bits.skip(width - 1);
                wide & low_mask
            } else {
                bits.skip(width);
                if wide > low_mask {
                    wide - short
                } else {
                    wide
                }
            };
            let share = value as i16 - 1;
            left -= i32::from(share.abs());
            shares.push(share);
            if share == 0 {
                // How many more symbols have no share, two bits at a time.
                loop {
                    let repeat = bits.take(2);
                    shares.extend((0..repeat).map(|_| 0));
                    if repeat < 3 || shares.len() > MAX_SYMBOLS {
                        break;
                    }
                }
            }
            if shares.len() > MAX_SYMBOLS {
                return Err(ZstdError::Damaged("a table of too many symbols"));
            }
        }
        if left < 0 {
            return Err(ZstdError::Damaged("a table whose shares are more than the whole"));
        }
        Ok((Distribution { shares, log }, bits.used()?))
    }

    /// The states, in a buffer that is used again and again.
    pub fn build(&self, states: &mut Vec<State>) -> Result<(), ZstdError> {
        let size = 1usize << self.log;
        states.clear();
        states.resize(size, State::default());
        // What the next state of a symbol counts from.
        let mut next = [0u16; MAX_SYMBOLS];
        let mut high = size;
        for ((&share, symbol), next) in self.shares.iter().zip(0u8..=u8::MAX).zip(&mut next) {
            *next = share.unsigned_abs();
            if share == -1 {
                high = high.saturating_sub(1);
                if let Some(state) = states.get_mut(high) {
                    state.symbol = symbol;
                }
            }
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (&share, symbol) in self.shares.iter().zip(0u8..=u8::MAX) {
            for _ in 0..share.max(0) {
                if let Some(state) = states.get_mut(at) {
                    state.symbol = symbol;
                }
                at = (at + step) & (size - 1);
                while at >= high && high > 0 {
                    at = (at + step) & (size - 1);
                }
            }
        }
        if at != 0 {
            return Err(ZstdError::Damaged("a table whose shares are not the whole"));
        }
        for state in states.iter_mut() {
            let Some(next) = next.get_mut(usize::from(state.symbol)) else {
                continue;
            };
            // At least 1: the symbol has a state, so it has a share.
            let from = (*next).max(1);
            *next += 1;
            let bits = self.log - from.ilog2();
            state.bits = bits as u8;
            state.base = ((usize::from(from) << bits) - size) as u16;
        }
        Ok(())
    }
}
