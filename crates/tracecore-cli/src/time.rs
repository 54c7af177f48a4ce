//! Times in options: seconds, or ticks if the trace's clock counts those, which only the trace tells.

use crate::selection::nanoseconds;
use crate::Failure;

/// A time as it is given in an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeOption {
    /// The time in nanoseconds, if it is a number of seconds.
    ns: Option<u64>,
    /// The count of ticks, if it is a whole number.
    ticks: Option<u64>,
}

impl TimeOption {
    /// The time in nanoseconds, at most the greatest that can be represented.
    pub fn ns(self) -> u64 {
        self.ns.unwrap_or(u64::MAX)
    }

    /// The time in nanoseconds, or in ticks of a clock without a scale; the error names `option` if it is no whole
    /// number of ticks.
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
pub fn time(text: &str) -> Result<TimeOption, String> {
    let ns = nanoseconds(text);
    let ticks = text.parse().ok();
    match (ns, ticks) {
        (Err(error), None) => Err(error),
        (ns, ticks) => Ok(TimeOption { ns: ns.ok(), ticks }),
    }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn the_clock_says_what_a_number_is() {
        let of = |text: &str, is_ns| time(text).unwrap().of_clock(is_ns, "--min").map_err(|error| error.0);
        assert_eq!(of("2", true), Ok(2_000_000_000));
        assert_eq!(of("2", false), Ok(2));
        assert_eq!(of("0.5", true), Ok(500_000_000));
        assert!(of("0.5", false).unwrap_err().contains("--min is a whole number"));
        // No trace lasts this many seconds, but such a number of ticks is possible.
        assert_eq!(of("254175952701", true), Ok(u64::MAX));
        assert_eq!(of("254175952701", false), Ok(254_175_952_701));
        assert!(time("-1").is_err() && time("1s").is_err());
    }
}
