//! From the ring buffer's stamps to the times that are shown.

use super::time_shift::TimeShift;

/// What `trace-cmd report` does to every stamp: guest to host (TIME_SHIFT), scale (TSC2NSEC), then add (DATE, OFFSET).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TimeScale {
    /// This CPU's corrections.
    pub shift: Option<TimeShift>,
    /// Nanoseconds = ticks * `multiplier` >> `shift`.
    pub ticks: Option<TickScale>,
    /// Added at the end, in nanoseconds; wraps.
    pub add: i64,
}

/// The TSC2NSEC option. (Its third number, an offset, is not applied by trace-cmd.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickScale {
    /// See [`TimeScale::ticks`].
    pub multiplier: u32,
    /// See [`TimeScale::ticks`].
    pub shift: u32,
}

impl TimeScale {
    /// The time of a stamp.
    #[inline]
    pub fn apply(&self, stamp: u64) -> u64 {
        let scaled = match (&self.shift, self.ticks) {
            (None, None) => stamp,
            _ => self.scaled(stamp),
        };
        scaled.wrapping_add_signed(self.add)
    }

    fn scaled(&self, stamp: u64) -> u64 {
        let stamp = match &self.shift {
            None => stamp,
            Some(shift) => shift.apply(stamp),
        };
        match self.ticks {
            None => stamp,
            Some(TickScale { multiplier, shift }) => {
                ((u128::from(stamp) * u128::from(multiplier)) >> shift.min(127)) as u64
            }
        }
    }
}

/// The clock in use, from the text of `tracing/trace_clock`: `local [global] mono`.
pub fn chosen_clock(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    let (name, _) = rest.split_once(']')?;
    Some(name)
}

/// Whether a clock counts nanoseconds by itself (`trace_clocks[].in_ns` in `kernel/trace/trace.c`).
pub fn counts_ns(clock: &str) -> bool {
    !matches!(clock, "counter" | "uptime" | "x86-tsc" | "ppc-tb" | "s390-tod")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_scaled_then_moved() {
        let scale = TimeScale {
            shift: None,
            ticks: Some(TickScale {
                multiplier: 3 << 30,
                shift: 31,
            }),
            add: -5,
        };
        assert_eq!(scale.apply(1000), 1495);
        // The product takes more than 64 bits.
        assert_eq!(scale.apply(1 << 60), (3 << 59) - 5);
        assert_eq!(TimeScale::default().apply(7), 7);
    }

    #[test]
    fn the_bracketed_clock_is_the_chosen_one() {
        assert_eq!(chosen_clock("local [global] counter\n"), Some("global"));
        assert_eq!(chosen_clock(""), None);
        assert!(counts_ns("mono") && !counts_ns("x86-tsc"));
    }
}
