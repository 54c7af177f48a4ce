//! The options that versions 6 and 7 share.

use traceevent::bytes::until_nul;
use traceevent::{Endian, Reader};

use super::clock::{chosen_clock, TickScale};
use super::header::OptionInfo;
use super::metadata::{Metadata, MAX_CPUS};
use super::time_shift;
use crate::scan::DiagnosticKind;

pub(super) const DONE: u16 = 0;
pub(super) const DATE: u16 = 1;
pub(super) const BUFFER: u16 = 3;
pub(super) const TRACECLOCK: u16 = 4;
pub(super) const UNAME: u16 = 5;
pub(super) const OFFSET: u16 = 7;
pub(super) const CPUCOUNT: u16 = 8;
pub(super) const VERSION: u16 = 9;
pub(super) const TIME_SHIFT: u16 = 12;
pub(super) const TSC2NSEC: u16 = 14;
pub(super) const HEADER_INFO: u16 = 16;
pub(super) const FTRACE_EVENTS: u16 = 17;
pub(super) const EVENT_FORMATS: u16 = 18;
pub(super) const KALLSYMS: u16 = 19;
pub(super) const PRINTK: u16 = 20;
pub(super) const CMDLINES: u16 = 21;

impl Metadata {
    /// Takes in one option. Options that change nothing that is read here (CPUSTAT, TRACEID, GUEST ...) are only listed.
    pub(super) fn apply_option(&mut self, option: OptionInfo, data: &[u8], endian: Endian) {
        let text = || String::from_utf8_lossy(until_nul(data)).trim().to_owned();
        let stated = |text: String| (!text.is_empty()).then_some(text);
        match option.id {
            // Text, in the order in which trace-cmd adds them up: microseconds, nanoseconds.
            DATE => match parse_signed(&text()) {
                Some(us) => self.scale.add = self.scale.add.wrapping_add(us.wrapping_mul(1000)),
                None => self.bad_option(option, &text(), "a time in microseconds"),
            },
            OFFSET => match parse_signed(&text()) {
                Some(ns) => self.scale.add = self.scale.add.wrapping_add(ns),
                None => self.bad_option(option, &text(), "a time in nanoseconds"),
            },
            TRACECLOCK => self.header.clock = chosen_clock(&text()).map(str::to_owned),
            UNAME => self.header.uname = stated(text()),
            VERSION => self.header.recorder = stated(text()),
            CPUCOUNT => match Reader::new(data, endian).u32() {
                Ok(count) if count <= MAX_CPUS => self.header.cpu_count = count,
                Ok(count) => self.bad_option(option, &count.to_string(), "a count of CPUs"),
                Err(error) => self.bad_option(option, &error.to_string(), "a 32-bit count"),
            },
            TSC2NSEC => {
                let mut reader = Reader::new(data, endian);
                match (reader.u32(), reader.u32()) {
                    (Ok(multiplier), Ok(shift)) => {
                        self.scale.ticks = (multiplier != 0).then_some(TickScale { multiplier, shift });
                    }
                    _ => self.bad_option(option, &format!("{} bytes", data.len()), "16 bytes"),
                }
            }
            TIME_SHIFT => match time_shift::read(data, endian) {
                Ok(shifts) => self.shifts = shifts,
                Err(error) => self.bad_option(option, &error.to_string(), "samples for each CPU"),
            },
            _ if option.name().is_some() => {}
            id => self.diagnose(
                DiagnosticKind::Unsupported,
                format!(
                    "option {id} at 0x{:x} ({} bytes) is not known and was skipped",
                    option.offset, option.size
                ),
            ),
        }
    }

    pub(super) fn bad_option(&mut self, option: OptionInfo, found: &str, expected: &str) {
        let name = option.name().unwrap_or("?");
        self.diagnose(
            DiagnosticKind::Malformed,
            format!(
                "option {name} at 0x{:x}: found {found}, expected {expected}; it is ignored",
                option.offset
            ),
        );
    }
}

/// As `strtoll` with base 0 reads it; values above `i64::MAX` keep their bits.
fn parse_signed(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    } as i64;
    Some(if negative { magnitude.wrapping_neg() } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::parse_signed;

    #[test]
    fn numbers_are_decimal_or_hex_and_signed() {
        assert_eq!(parse_signed("0x10"), Some(16));
        assert_eq!(parse_signed("-0x10"), Some(-16));
        assert_eq!(parse_signed("-12"), Some(-12));
        assert_eq!(parse_signed("x"), None);
    }
}
