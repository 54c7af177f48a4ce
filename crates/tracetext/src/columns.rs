//! The columns before an event's name: the time, the flags, the CPU.
//!
//! `trace_print_context`, `trace_print_lat_context` and `trace_print_lat_fmt` of kernel/trace/trace_output.c print them, and
//! trace-cmd does as they do.

use schedrows::Context;

use crate::prefix::{digits, trim_end};

/// Letters of the flags' columns.
const FLAGS: &[u8] = b".#*0123456789abcdefBDNnpLlXxhHzZsS";
/// Columns of flags, in any kernel.
const FLAG_COLUMNS: std::ops::RangeInclusive<usize> = 3..=8;
/// Letters of perf's column `misc`, at most.
const MISC: usize = 6;
/// Digits that trace-cmd prints of ticks and of seconds at least, so that fewer have a blank before them.
const TICK_DIGITS: usize = 12;
const SECOND_DIGITS: usize = 6;

/// What is known of a text's columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Flags that the header has named so far.
    named: usize,
    /// Which of them is `hardirq/softirq`.
    context: Option<usize>,
    /// Flags of the latency format; 0 while that is unknown. With it, flags and a time without a blank between them are
    /// told apart.
    pub latency: usize,
    /// perf's text has no column of pids.
    pub no_pid: bool,
}

impl Columns {
    /// Learns from a line of the header: `#                             || / _---=> hardirq/softirq`.
    pub fn learn(&mut self, line: &str) {
        let Some((_, name)) = line.strip_prefix('#').and_then(|line| line.rsplit_once("=> ")) else {
            return;
        };
        let name = name.trim();
        if name.starts_with("irqs-off") {
            (self.named, self.context) = (0, None);
        }
        if name != "CPU#" {
            if name.starts_with("hardirq") {
                self.context = Some(self.named);
            }
            self.named += 1;
        }
    }

    /// What flags say, if they are some: by the header's names, else by the letters, which no other column has.
    #[inline]
    pub fn context(&self, flags: &str) -> Option<Context> {
        let bytes = flags.as_bytes();
        if !FLAG_COLUMNS.contains(&bytes.len()) || !bytes.iter().all(|byte| FLAGS.contains(byte)) {
            return None;
        }
        let letter = match self.context {
            Some(at) if self.named == bytes.len() => bytes.get(at),
            _ => bytes.iter().find(|byte| b"hHzZs".contains(byte)),
        };
        Some(Context(match letter {
            Some(b'h') => Context::HARDIRQ,
            Some(b'H') => Context::HARDIRQ | Context::SOFTIRQ,
            Some(b'z') => Context::NMI,
            Some(b'Z') => Context::NMI | Context::HARDIRQ,
            Some(b's') => Context::SOFTIRQ,
            _ => 0,
        }))
    }
}

/// A line's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    /// Nanoseconds or ticks.
    pub value: u64,
    /// Ticks of a clock whose rate no text has: kernels and trace-cmd print them as a whole number.
    pub is_ticks: bool,
}

/// A line's CPU and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub cpu: u32,
    /// `None` where there are no flags.
    pub context: Option<Context>,
    /// How many flags the latency format has; 0 in other formats.
    pub latency: usize,
}

/// The last word, and what is before it.
#[inline]
pub(crate) fn last_word(text: &str) -> (&str, &str) {
    let text = trim_end(text);
    // All programs separate by spaces and tabs. Words are short: a search that is fast for long texts takes longer.
    let letters = text
        .bytes()
        .rev()
        .take_while(|byte| !matches!(byte, b' ' | b'\t'))
        .count();
    text.split_at_checked(text.len() - letters).unwrap_or(("", text))
}

/// A number of nothing but digits.
#[inline]
pub(crate) fn number<T: TryFrom<u64>>(text: &str) -> Option<T> {
    if text.is_empty() || digits(text) != text.len() {
        return None;
    }
    // So many fit.
    let number = match text.len() {
        ..=19 => text.bytes().fold(0, |sum, digit| 10 * sum + u64::from(digit - b'0')),
        _ => text.parse().ok()?,
    };
    number.try_into().ok()
}

/// `450.890489` and `450.890489123` in seconds, `35927us*` since the first event, `254175278781` in ticks.
#[inline]
pub(crate) fn time(word: &str) -> Option<Time> {
    let (whole, rest) = word.split_at_checked(digits(word))?;
    let whole: u64 = number(whole)?;
    let ns = |value| Time { value, is_ticks: false };
    if rest.is_empty() {
        return Some(Time {
            value: whole,
            is_ticks: true,
        });
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let unit = 10_u64.pow(9_u32.checked_sub(fraction.len() as u32)?);
        let part: u64 = number(fraction)?;
        return whole.checked_mul(1_000_000_000)?.checked_add(part * unit).map(ns);
    }
    let is_us = rest.trim_end_matches(['!', '+', '#', '*', '@', '$']) == "us";
    is_us.then(|| whole.checked_mul(1000)).flatten().map(ns)
}

/// The CPU's number in brackets.
fn in_brackets(word: &str) -> Option<u32> {
    number(word.strip_prefix('[')?.strip_suffix(']')?)
}

/// The CPU and the flags before a time, and what is before these.
#[inline]
pub(crate) fn place<'a>(text: &'a str, columns: &Columns) -> Option<(&'a str, Place)> {
    let at = |cpu, context| Place {
        cpu,
        context,
        latency: 0,
    };
    let (rest, word) = last_word(text);
    if let Some(cpu) = in_brackets(word) {
        return Some((rest, at(cpu, None)));
    }
    let (before, earlier) = last_word(rest);
    if let Some(cpu) = in_brackets(earlier) {
        let context = columns.context(word);
        let is_misc = || word.len() <= MISC && word.bytes().all(|byte| byte.is_ascii_uppercase());
        return (context.is_some() || is_misc()).then_some((before, at(cpu, context)));
    }
    let (cpu, flags) = word.split_at_checked(digits(word))?;
    // `2-0x11`, the flags' number: `trace-cmd report -R -l`.
    if let Some(flags) = flags.strip_prefix("-0x") {
        let flags = u8::from_str_radix(flags, 16).ok()?;
        return Some((rest, at(number(cpu)?, Some(Context::of_flags(flags)))));
    }
    // `2dNh2.`
    let latency = Place {
        cpu: number(cpu)?,
        context: Some(columns.context(flags)?),
        latency: flags.len(),
    };
    Some((rest, latency))
}

/// The CPU, the flags and the time of a word that holds them without a blank: trace-cmd prints `[001]254175278781`,
/// `[001]1234567.890123` and, in the latency format, `1d..3.254175278781` where the time has many digits.
#[cold]
pub(crate) fn glued(word: &str, columns: &Columns) -> Option<(Time, Place)> {
    if let Some((cpu, rest)) = word.strip_prefix('[').and_then(|word| word.split_once(']')) {
        let place = Place {
            cpu: number(cpu)?,
            context: None,
            latency: 0,
        };
        return Some((time(rest)?, place));
    }
    let (cpu, rest) = word.split_at_checked(digits(word))?;
    let back = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    // The digits of the time at the end, its fraction apart.
    let fraction = match back(rest) {
        len @ (6 | 9) => rest
            .get(..rest.len() - len)
            .filter(|rest| rest.ends_with('.'))
            .map_or(0, |_| len + 1),
        _ => 0,
    };
    let whole = back(rest.get(..rest.len() - fraction)?);
    // A dot before few digits is the last flag, not a point.
    let (fraction, whole) = match whole {
        SECOND_DIGITS.. => (fraction, whole),
        _ => (0, back(rest)),
    };
    let least = if fraction == 0 { TICK_DIGITS } else { SECOND_DIGITS };
    let spare = whole.checked_sub(least)?;
    let flags = rest.len() - fraction - whole;
    // Digits that may be the last flags: as many as the other lines say.
    let more = match columns.latency.checked_sub(flags) {
        Some(more) if more <= spare => more,
        None if columns.latency == 0 && (spare == 0 || FLAG_COLUMNS.start() < &flags) => 0,
        _ => return None,
    };
    let (flags, time_word) = rest.split_at_checked(flags + more)?;
    let place = Place {
        cpu: number(cpu)?,
        context: Some(columns.context(flags)?),
        latency: flags.len(),
    };
    Some((time(time_word)?, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A header as a kernel prints it.
    fn header(names: &[&str]) -> Columns {
        let mut columns = Columns::default();
        for (at, name) in names.iter().enumerate() {
            columns.learn(&format!("#        {:|<at$} / _----=> {name}  ", ""));
        }
        columns
    }

    #[test]
    fn a_header_names_the_column_of_the_context() {
        let mainline = [
            "irqs-off/BH-disabled",
            "need-resched",
            "hardirq/softirq",
            "preempt-depth",
            "migrate-disable",
        ];
        let rt = [
            "CPU#",
            "irqs-off/BH-disabled",
            "need-resched",
            "need-resched-lazy",
            "hardirq/softirq",
            "preempt-depth",
            "preempt-lazy-depth",
            "migrate-disable",
        ];
        let old = ["irqs-off", "need-resched", "hardirq/softirq", "preempt-depth"];
        for (names, flags) in [
            (&mainline[..], "dNh2."),
            (&rt[..], "d..h3.."),
            (&rt[..], "dn.h413"),
            (&old[..], "d.h1"),
        ] {
            for columns in [header(names), Columns::default(), header(&mainline)] {
                assert_eq!(columns.context(flags), Some(Context(Context::HARDIRQ)), "{flags}");
            }
        }
        assert_eq!(
            header(&rt).context("d..H3.."),
            Some(Context(Context::HARDIRQ | Context::SOFTIRQ))
        );
        assert_eq!(header(&rt).context("d...3.."), Some(Context(0)));
        assert_eq!(header(&rt).context("word"), None);
    }

    proptest! {
        #[test]
        fn another_column_of_flags_changes_no_context(
            irqs in "[.dDbX]", resched in "[.NnpLlB]", letter in "[.hHzZs]", depths in "[.0-9a-f]{0,4}",
            more in "[.L0-9]", at in 0..4_usize, has_header in any::<bool>(),
        ) {
            let mut names = vec!["irqs-off", "need-resched", "hardirq/softirq", "a-depth", "b-depth", "c-depth", "d-depth"];
            names.truncate(3 + depths.len());
            let mut flags = vec![irqs, resched, letter];
            flags.extend(depths.chars().map(String::from));
            let columns = |names: &[&str]| if has_header { header(names) } else { Columns::default() };
            let context = columns(&names).context(&flags.concat());
            prop_assert!(context.is_some());
            let at = at.min(flags.len());
            flags.insert(at, more);
            names.insert(at, if at == 0 { "irqs-off" } else { "something-new" });
            if at == 0 {
                names[1] = "something-new";
            }
            prop_assert_eq!(columns(&names).context(&flags.concat()), context, "{}", flags.concat());
        }
    }

    #[test]
    fn times_say_their_unit() {
        let ns = |value| Some(Time { value, is_ticks: false });
        let ticks = |value| Some(Time { value, is_ticks: true });
        for (word, expected) in [
            ("450.890489", ns(450_890_489_000)),
            ("450.890489123", ns(450_890_489_123)),
            ("35927us*", ns(35_927_000)),
            ("254175278781", ticks(254_175_278_781)),
            ("0", ticks(0)),
            ("1.0000000001", None),
            ("99999999999999999999.1", None),
            ("us", None),
            ("12x", None),
        ] {
            assert_eq!(time(word), expected, "{word}");
        }
    }

    #[test]
    fn glued_words_are_cut_where_that_is_certain() {
        let cut = |word: &str, latency: usize| {
            let columns = Columns {
                latency,
                ..Columns::default()
            };
            glued(word, &columns).map(|(time, place)| (time.value, place.cpu, place.latency))
        };
        let t = 254_175_278_781;
        assert_eq!(cut("[001]254175278781", 0), Some((t, 1, 0)));
        assert_eq!(cut("[001]1234567.890123", 0), Some((1_234_567_890_123_000, 1, 0)));
        assert_eq!(cut("1d..3.254175278781", 0), Some((t, 1, 5)));
        assert_eq!(cut("12d..3.1254175278781", 0), Some((1_254_175_278_781, 12, 5)));
        assert_eq!(cut("1d..3.123456.890123", 0), Some((123_456_890_123_000, 1, 5)));
        assert_eq!(cut("1d..3.1234567.890123456", 5), Some((1_234_567_890_123_456, 1, 5)));
        // Depth 3 of one kernel, or 31 of another.
        assert_eq!(cut("1d..31254175278781", 0), None);
        assert_eq!(cut("1d..31254175278781", 5), Some((t, 1, 5)));
        assert_eq!(cut("1d..31254175278781", 4), Some((1_254_175_278_781, 1, 4)));
        assert_eq!(cut("1d..31.254175278781", 6), Some((t, 1, 6)));
        for word in ["", "x", "1d..3.", "1d..3.12345", "[001]", "[x]1.000000", "254175278781"] {
            assert_eq!(cut(word, 0), None, "{word}");
        }
    }
}
