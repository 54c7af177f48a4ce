//! The options that versions 6 and 7 share: their numbers, and what they change.

use traceevent::Endian;

use super::clock::{chosen_clock, TickScale};
use super::header::OptionInfo;
use super::metadata::{Metadata, MAX_CPUS};
use super::option_value::OptionValue;
use super::time_shift;
use schedrows::words::{counted, grouped};
use schedrows::DiagnosticKind;

pub(crate) const DONE: u16 = 0;
pub(crate) const DATE: u16 = 1;
pub(crate) const CPUSTAT: u16 = 2;
pub(crate) const BUFFER: u16 = 3;
pub(crate) const TRACECLOCK: u16 = 4;
pub(crate) const UNAME: u16 = 5;
pub(crate) const HOOK: u16 = 6;
pub(crate) const OFFSET: u16 = 7;
pub(crate) const CPUCOUNT: u16 = 8;
pub(crate) const VERSION: u16 = 9;
pub(crate) const PROCMAPS: u16 = 10;
pub(crate) const TRACEID: u16 = 11;
pub(crate) const TIME_SHIFT: u16 = 12;
pub(crate) const GUEST: u16 = 13;
pub(crate) const TSC2NSEC: u16 = 14;
pub(crate) const STRINGS: u16 = 15;
pub(crate) const HEADER_INFO: u16 = 16;
pub(crate) const FTRACE_EVENTS: u16 = 17;
pub(crate) const EVENT_FORMATS: u16 = 18;
pub(crate) const KALLSYMS: u16 = 19;
pub(crate) const PRINTK: u16 = 20;
pub(crate) const CMDLINES: u16 = 21;
pub(crate) const BUFFER_TEXT: u16 = 22;

/// The man page's name for an option, or a section, of that number.
pub(super) fn name(id: u16) -> Option<&'static str> {
    Some(match id {
        DATE => "DATE",
        CPUSTAT => "CPUSTAT",
        BUFFER => "BUFFER",
        TRACECLOCK => "TRACECLOCK",
        UNAME => "UNAME",
        HOOK => "HOOK",
        OFFSET => "OFFSET",
        CPUCOUNT => "CPUCOUNT",
        VERSION => "VERSION",
        PROCMAPS => "PROCMAPS",
        TRACEID => "TRACEID",
        TIME_SHIFT => "TIME_SHIFT",
        GUEST => "GUEST",
        TSC2NSEC => "TSC2NSEC",
        STRINGS => "STRINGS",
        HEADER_INFO => "HEADER_INFO",
        FTRACE_EVENTS => "FTRACE_EVENTS",
        EVENT_FORMATS => "EVENT_FORMATS",
        KALLSYMS => "KALLSYMS",
        PRINTK => "PRINTK",
        CMDLINES => "CMDLINES",
        BUFFER_TEXT => "BUFFER_TEXT",
        _ => return None,
    })
}

impl Metadata {
    /// Lists an option and applies it.
    pub(super) fn take_option(&mut self, id: u16, offset: u64, data: &[u8]) {
        let endian = self.header.endian;
        let option = OptionInfo {
            id,
            size: data.len() as u32,
            offset,
            value: OptionValue::decode(id, data, endian),
        };
        self.apply_option(&option, data, endian);
        self.header.options.push(option);
    }

    fn apply_option(&mut self, option: &OptionInfo, data: &[u8], endian: Endian) {
        let stated = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        match (option.id, &option.value) {
            // Text, in the order in which trace-cmd adds them up: microseconds, nanoseconds.
            (DATE, OptionValue::Text(text)) => match parse_signed(text) {
                Some(us) => self.scale.add = self.scale.add.wrapping_add(us.wrapping_mul(1000)),
                None => self.bad_option(option, text, "a time in microseconds"),
            },
            (OFFSET, OptionValue::Text(text)) => match parse_signed(text) {
                Some(ns) => self.scale.add = self.scale.add.wrapping_add(ns),
                None => self.bad_option(option, text, "a time in nanoseconds"),
            },
            (TRACECLOCK, OptionValue::Text(text)) => {
                if let Some(clock) = chosen_clock(text) {
                    self.take_clock(clock);
                }
            }
            (UNAME, OptionValue::Text(text)) => self.header.uname = stated(text),
            (VERSION, OptionValue::Text(text)) => self.header.recorder = stated(text),
            (CPUCOUNT, &OptionValue::Count(count)) if count <= MAX_CPUS => self.header.cpu_count = count,
            (CPUCOUNT, OptionValue::Count(count)) => self.bad_option(option, &count.to_string(), "a count of CPUs"),
            (TRACEID, &OptionValue::TraceId(id)) => self.header.trace_id = Some(id),
            (TSC2NSEC, &OptionValue::Ticks { multiplier, shift, .. }) => {
                self.scale.ticks = (multiplier != 0).then_some(TickScale { multiplier, shift });
            }
            (TIME_SHIFT, _) => match time_shift::read(data, endian) {
                Ok(shifts) => self.shifts = shifts,
                Err(error) => self.bad_option(option, &error.to_string(), "samples for each CPU"),
            },
            (KALLSYMS, &OptionValue::Section(at)) => self.tables.kallsyms = Some(at),
            (PRINTK, &OptionValue::Section(at)) => self.tables.printk = Some(at),
            (CMDLINES, &OptionValue::Section(at)) => self.tables.cmdlines = Some(at),
            (STRINGS, _) => {}
            (id, OptionValue::Unread) => match name(id) {
                Some(_) => self.bad_option(option, &counted(u64::from(option.size), "byte"), "more"),
                None => self.diagnose(
                    DiagnosticKind::Unsupported,
                    format!(
                        "option {id} at byte {} ({}) is not known; it is skipped",
                        grouped(option.offset),
                        counted(u64::from(option.size), "byte")
                    ),
                ),
            },
            _ => {}
        }
    }

    fn bad_option(&mut self, option: &OptionInfo, found: &str, expected: &str) {
        let name = option.name().unwrap_or("?");
        self.diagnose(
            DiagnosticKind::Malformed,
            format!(
                "option {name} at byte {}: found {found}, expected {expected}; it is ignored",
                grouped(option.offset)
            ),
        );
    }
}

/// As `strtoll` with base 0 reads it; values above `i64::MAX` keep their bits.
fn parse_signed(text: &str) -> Option<i64> {
    let text = text.trim();
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
        assert_eq!(parse_signed(" -12\n"), Some(-12));
        assert_eq!(parse_signed("x"), None);
    }
}
