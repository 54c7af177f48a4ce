//! The column of times.

use traceevent::trace_cmd::{push_u64, push_u64_padded};

use crate::file::{ReadAt, TraceFile};

/// How times are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineClock {
    /// Seconds with six decimals, rounded.
    Microseconds,
    /// Seconds with nine decimals.
    Nanoseconds,
    /// The clock's own count.
    Ticks,
}

impl LineClock {
    /// For all buffers of a file: trace-cmd goes by the file's clock even where a buffer has another. Where the file names
    /// several, one that does not count nanoseconds is enough.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, nanoseconds: bool) -> Self {
        let seconds = file.named_clocks().iter().all(|clock| prints_seconds(clock));
        match (file.has_tick_scale() || seconds, nanoseconds) {
            (false, _) => LineClock::Ticks,
            (true, true) => LineClock::Nanoseconds,
            (true, false) => LineClock::Microseconds,
        }
    }

    /// The time as it is printed, in nanoseconds or ticks.
    #[inline]
    pub(super) fn printed(self, ts: u64) -> u64 {
        match self {
            LineClock::Microseconds => (ts.wrapping_add(500) / 1000).saturating_mul(1000),
            LineClock::Nanoseconds | LineClock::Ticks => ts,
        }
    }

    /// The earliest stamp that is printed as this time or a later one.
    pub(super) fn first_printed_as(self, printed: u64) -> u64 {
        match self {
            LineClock::Microseconds => printed.saturating_sub(500),
            LineClock::Nanoseconds | LineClock::Ticks => printed,
        }
    }

    /// Appends the column. Counts of more than twelve digits leave no blank before them, as in trace-cmd.
    #[inline]
    pub(super) fn push(self, ts: u64, out: &mut Vec<u8>) {
        match self {
            LineClock::Microseconds => {
                let us = ts.wrapping_add(500) / 1000;
                push_seconds(us / 1_000_000, out);
                push_u64_padded(out, us % 1_000_000, 6, b'0');
            }
            LineClock::Nanoseconds => {
                push_seconds(ts / 1_000_000_000, out);
                push_u64_padded(out, ts % 1_000_000_000, 9, b'0');
            }
            LineClock::Ticks => push_u64_padded(out, ts, 12, b' '),
        }
    }
}

fn push_seconds(seconds: u64, out: &mut Vec<u8>) {
    out.push(b' ');
    if seconds < 10_000 {
        push_u64_padded(out, seconds, 5, b' ');
    } else {
        push_u64(out, seconds);
    }
    out.push(b'.');
}

/// Whether trace-cmd takes a clock's stamps for nanoseconds. It does not know `boot`, which counts them, and does take
/// `uptime`, which counts jiffies, for them.
fn prints_seconds(clock: &str) -> bool {
    matches!(
        clock,
        "local" | "global" | "uptime" | "perf" | "mono" | "mono_raw" | "tai"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(clock: LineClock, ts: u64) -> String {
        let mut out = Vec::new();
        clock.push(ts, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The expected texts are those that trace-cmd printed for such stamps.
    #[test]
    fn times_are_rounded_and_aligned_as_trace_cmd_does() {
        for (ts, us, ns) in [
            (0, "     0.000000", "     0.000000000"),
            (499, "     0.000000", "     0.000000499"),
            (500, "     0.000001", "     0.000000500"),
            (999_999_499, "     0.999999", "     0.999999499"),
            (999_999_500, "     1.000000", "     0.999999500"),
            (99_999_000_000_000, " 99999.000000", " 99999.000000000"),
            (1_234_567_000_000_000, " 1234567.000000", " 1234567.000000000"),
            (1 << 63, " 9223372036.854776", " 9223372036.854775808"),
            (u64::MAX, "     0.000000", " 18446744073.709551615"),
        ] {
            assert_eq!(text(LineClock::Microseconds, ts), us);
            assert_eq!(text(LineClock::Nanoseconds, ts), ns);
        }
        assert_eq!(text(LineClock::Ticks, 1), "           1");
        assert_eq!(text(LineClock::Ticks, 12_345_678_901_234), "12345678901234");
    }

    #[test]
    fn a_window_begins_with_the_first_stamp_that_is_printed_so() {
        for clock in [LineClock::Microseconds, LineClock::Nanoseconds, LineClock::Ticks] {
            for printed in [0, 1000, 34_741_524_000] {
                let first = clock.first_printed_as(printed);
                assert!(printed <= clock.printed(first));
                assert!(first == 0 || clock.printed(first - 1) < printed);
            }
        }
    }

    #[test]
    fn clocks_are_those_that_trace_cmd_takes_for_nanoseconds() {
        for clock in ["local", "global", "uptime", "perf", "mono", "mono_raw", "tai"] {
            assert!(prints_seconds(clock), "{clock}");
        }
        for clock in ["boot", "counter", "x86-tsc", "ppc-tb", "s390-tod", "other"] {
            assert!(!prints_seconds(clock), "{clock}");
        }
    }
}
