//! The column of times.

use traceevent::text::{push_u64, push_u64_padded};

use crate::tracedat::{ReadAt, TraceFile};

/// How the times of a buffer are printed.
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
    /// For a buffer of a file.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, buffer: usize, nanoseconds: bool) -> Self {
        let of_buffer = file.buffers().get(buffer).and_then(|buffer| buffer.clock.as_deref());
        let clock = of_buffer.or(file.header().clock.as_deref());
        match (file.has_tick_scale() || clock.is_none_or(prints_seconds), nanoseconds) {
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
