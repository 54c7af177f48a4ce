//! What a source has no way to say.

/// Things that no row of a source says, because its format or its writer lacks them: a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CannotTell(u8);

impl CannotTell {
    /// Nothing is missing.
    pub const NOTHING: CannotTell = CannotTell(0);
    /// Which task woke another.
    pub const WAKER: CannotTell = CannotTell(1);
    /// Whether a task or an interrupt did something.
    pub const CONTEXT: CannotTell = CannotTell(2);
    /// On which CPU a wakeup put a task, which is what only `sched_wakeup` says.
    pub const CHOSEN_CPU: CannotTell = CannotTell(4);
    /// When a task went from one CPU to another.
    pub const MIGRATIONS: CannotTell = CannotTell(8);
    /// Whether a task that is switched out as runnable was preempted.
    pub const PREEMPTION: CannotTell = CannotTell(16);
    /// Where events were lost.
    pub const LOSS: CannotTell = CannotTell(32);

    /// Each of them, with its name.
    pub const ALL: [(CannotTell, &'static str); 6] = [
        (CannotTell::WAKER, "waker"),
        (CannotTell::CONTEXT, "context"),
        (CannotTell::CHOSEN_CPU, "chosen_cpu"),
        (CannotTell::MIGRATIONS, "migrations"),
        (CannotTell::PREEMPTION, "preemption"),
        (CannotTell::LOSS, "loss"),
    ];

    /// All that is in either.
    #[must_use]
    pub const fn and(self, other: CannotTell) -> CannotTell {
        CannotTell(self.0 | other.0)
    }

    /// Itself, if so; else nothing.
    #[must_use]
    pub const fn if_so(self, so: bool) -> CannotTell {
        match so {
            true => self,
            false => CannotTell::NOTHING,
        }
    }

    /// Whether all of `other` is in it.
    pub const fn has(self, other: CannotTell) -> bool {
        self.0 & other.0 == other.0
    }

    /// What follows from what is in it, for people.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        const TEXTS: [(CannotTell, &str); 6] = [
            (CannotTell::WAKER, "which task woke another; chains end as unknown"),
            (CannotTell::CONTEXT, "whether a task or an interrupt woke another; chains end as unknown"),
            (CannotTell::CHOSEN_CPU, "the CPU that a wakeup chose; it is where the task was last seen before it ran, and tasks wait from their sched_waking on"),
            (CannotTell::MIGRATIONS, "when tasks migrate; migrations are derived from where they run, and counted apart"),
            (CannotTell::PREEMPTION, "whether a runnable task was preempted"),
            (CannotTell::LOSS, "where events were lost; breaks in the chains of switches show some of it"),
        ];
        TEXTS
            .into_iter()
            .filter(move |&(one, _)| self.has(one))
            .map(|(_, text)| text)
    }

    /// The names of what is in it, in the order of [`CannotTell::ALL`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let told = CannotTell::ALL.into_iter().filter(move |&(one, _)| self.has(one));
        told.map(|(_, name)| name)
    }

    /// As a number, for bytes that go from one worker to another.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// What [`CannotTell::bits`] gave.
    pub const fn of_bits(bits: u8) -> CannotTell {
        CannotTell(bits & 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let both = CannotTell::LOSS
            .and(CannotTell::WAKER)
            .and(CannotTell::CONTEXT.if_so(false));
        assert_eq!(both.names().collect::<Vec<_>>(), ["waker", "loss"]);
        assert_eq!(CannotTell::of_bits(both.bits()), both);
        assert!(both.has(CannotTell::WAKER) && !both.has(CannotTell::CONTEXT));
    }
}
