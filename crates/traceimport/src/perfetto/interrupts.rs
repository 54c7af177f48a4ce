//! What interrupts a CPU's task: by the flags of an event where it has them, else by the events of interrupts.

use schedrows::Context;

/// Interrupts under way, as their events tell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interrupts {
    hard: u8,
    soft: bool,
}

impl Interrupts {
    pub fn hard_begins(&mut self) {
        self.hard = self.hard.saturating_add(1);
    }

    pub fn hard_ends(&mut self) {
        self.hard = self.hard.saturating_sub(1);
    }

    pub fn soft_begins(&mut self) {
        self.soft = true;
    }

    pub fn soft_ends(&mut self) {
        self.soft = false;
    }

    /// The context of an event with these flags. Without flags a context that no event began may be one that has no events.
    #[inline]
    pub fn context(self, flags: Option<u8>) -> u8 {
        match flags {
            Some(flags) => Context::of_flags(flags).0,
            None if 0 < self.hard => Context::HARDIRQ,
            None if self.soft => Context::SOFTIRQ,
            None => Context::UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_say_more_than_events() {
        let mut interrupts = Interrupts::default();
        assert_eq!(interrupts.context(None), Context::UNKNOWN);
        assert_eq!(interrupts.context(Some(1)), 0);
        interrupts.soft_begins();
        interrupts.hard_begins();
        assert_eq!(interrupts.context(None), Context::HARDIRQ);
        interrupts.hard_ends();
        interrupts.hard_ends();
        assert_eq!(interrupts.context(None), Context::SOFTIRQ);
        assert_eq!(interrupts.context(Some(0x40)), Context::NMI);
        interrupts.soft_ends();
        assert_eq!(interrupts.context(None), Context::UNKNOWN);
    }
}
