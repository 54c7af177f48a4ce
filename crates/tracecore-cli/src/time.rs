//! Times in options: seconds, or ticks where the trace's clock counts such. Which, only the trace tells.

use crate::selection::nanoseconds;
use crate::Failure;

/// A time as an option has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// In nanoseconds, if it is a number of seconds.
    ns: Option<u64>,
    /// A count, if it is one.
    ticks: Option<u64>,
}

impl Time {
    /// In nanoseconds; the latest there is where that is later.
    pub fn ns(self) -> u64 {
        self.ns.unwrap_or(u64::MAX)
    }

    /// In nanoseconds, or in ticks of a clock without a scale; `option` is named where it is no whole number of these.
    pub fn of_clock(self, is_ns: bool, option: &str) -> Result<u64, Failure> {
        let ticks = self.ticks.filter(|_| !is_ns);
        ticks.or(is_ns.then_some(self.ns())).ok_or_else(|| {
            Failure(format!(
                "the trace's clock counts ticks: {option} is a whole number of them"
            ))
        })
    }
}

/// Reads `12.5` or `254175952701`.
pub fn time(text: &str) -> Result<Time, String> {
    let ns = nanoseconds(text);
    let ticks = text.parse().ok();
    match (ns, ticks) {
        (Err(error), None) => Err(error),
        (ns, ticks) => Ok(Time { ns: ns.ok(), ticks }),
    }
}
