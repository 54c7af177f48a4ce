//! Random numbers that are the same everywhere for the same seed.

/// Marsaglia's xorshift64*: small, and good enough for tests.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed | 1)
    }

    /// A number below `bound`, which is at most 2^31; 0 for a bound of 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 33) % bound.max(1)
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// True once in `n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of these; nothing of nothing.
    pub(crate) fn choose<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len() as u64) as usize)
    }
}
