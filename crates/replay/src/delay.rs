//! How long a wakeup took, in few bytes.

use std::fmt;

/// A time in ns, in seven bytes: an event has no room for more, and no trace is longer. (Four would not do: a waking may be
/// seconds before its wakeup.)
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Delay([u8; 7]);

impl Delay {
    /// None.
    pub const ZERO: Delay = Delay([0; 7]);

    /// So many ns; two years at most.
    pub fn of(ns: u64) -> Delay {
        let [low @ .., high] = ns.to_le_bytes();
        Delay(if high == 0 { low } else { [u8::MAX; 7] })
    }

    /// In ns.
    pub fn ns(self) -> u64 {
        let [a, b, c, d, e, f, g] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, 0])
    }
}

impl fmt::Debug for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.ns(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_comes_back() {
        for ns in [0, 1, 1 << 32, schedmodel::MAX_TIME, (1 << 56) - 1] {
            assert_eq!(Delay::of(ns).ns(), ns);
        }
        assert_eq!(Delay::of(u64::MAX).ns(), (1 << 56) - 1);
    }
}
