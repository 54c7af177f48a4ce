//! What other programs put before a line of a trace: mails, consoles, the kernel's log, syslog, `ts`, `grep`; and the names that
//! trace-cmd puts there.

/// Prefixes on a line, at most.
const MOST: usize = 8;
/// A host's name and a program's, at most, in bytes.
const LOG: usize = 80;

/// The line without what mails put before it.
pub(crate) fn unquoted(line: &str) -> &str {
    let quotes = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'|');
    let at = line.as_bytes().iter().take_while(quotes).count();
    let line = trim_end(line.get(at..).unwrap_or_default());
    match line.as_bytes().first() {
        Some(0x21..=0x7e) => line,
        _ => line.trim_start_matches(|c: char| c.is_whitespace() || c == '>' || c == '|' || c == '\u{feff}'),
    }
}

/// `str::trim_end`, for texts that end in a letter of ASCII most often.
pub(crate) fn trim_end(text: &str) -> &str {
    match text.as_bytes().last() {
        Some(0x21..=0x7e) => text,
        _ => text.trim_end(),
    }
}

/// Whether [`unprefixed`] may find something: a look at the first bytes, since nearly all lines begin with a name.
#[inline]
pub(crate) fn may_have_prefix(line: &str) -> bool {
    matches!(
        line.as_bytes(),
        [b'[' | b'0'..=b'9' | b'A'..=b'Z', ..] | [b'<', b'0'..=b'9', ..]
    )
}

/// The line without the prefixes of logs and of `grep -n`.
#[cold]
pub(crate) fn unprefixed(mut line: &str) -> &str {
    for _ in 0..MOST {
        let found = level(line)
            .or_else(|| stamp(line))
            .or_else(|| date(line))
            .or_else(|| log(line))
            .or_else(|| line_number(line));
        match found {
            Some(rest) => line = unquoted(rest),
            None => break,
        }
    }
    line
}

/// Digits that a text begins with.
pub(crate) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// `<6>`, the level of a message.
fn level(line: &str) -> Option<&str> {
    let (level, rest) = line.strip_prefix('<')?.split_once('>')?;
    (matches!(level.len(), 1..=3) && digits(level) == level.len()).then_some(rest)
}

/// `[10363.661700]`, `[Mon Nov 30 10:00:00 2026]` and, behind it, `[T1234]` or `[    C0]`. A number alone is a CPU.
fn stamp(line: &str) -> Option<&str> {
    let (inner, rest) = line.strip_prefix('[')?.split_once(']')?;
    let inner = inner.trim();
    let seconds = || {
        let (whole, part) = inner.split_once('.')?;
        (digits(whole) == whole.len() && !part.is_empty() && digits(part) == part.len()).then_some(())
    };
    let caller = || {
        let id = inner.strip_prefix(['T', 'C'])?;
        (!id.is_empty() && digits(id) == id.len()).then_some(())
    };
    let is_stamp = inner.len() <= LOG && (seconds().is_some() || caller().is_some() || has_clock(inner));
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '[']);
    (is_stamp && ends).then_some(rest)
}

/// Whether a word is `10:00:00`, with or without a fraction or a zone.
fn has_clock(text: &str) -> bool {
    text.split([' ', 'T']).any(|word| {
        let bytes = word.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        [0, 1, 3, 4, 6, 7].into_iter().all(is_digit) && [2, 5].into_iter().all(|at| bytes.get(at) == Some(&b':'))
    })
}

/// `2026-11-30T10:00:00.123456+00:00`, `2026-11-30 10:00:00`, `Nov 30 10:00:00` or `10:00:00`.
fn date(line: &str) -> Option<&str> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (first, rest) = line.split_once(' ')?;
    if has_clock(first) {
        return Some(rest);
    }
    let is_day = digits(first) == 4 && first.len() == 10 && first.split('-').count() == 3;
    let rest = if is_day {
        rest
    } else {
        let is_month = MONTHS.contains(&first);
        let (day, rest) = rest.trim_start().split_once(' ').filter(|_| is_month)?;
        (digits(day) == day.len()).then_some(rest)?
    };
    let (clock, rest) = rest.split_once(' ')?;
    has_clock(clock).then_some(rest)
}

/// `host kernel: `, or without a host.
fn log(line: &str) -> Option<&str> {
    let at = line.find("kernel").filter(|&at| at <= LOG)?;
    let (host, rest) = line.split_at_checked(at)?;
    let is_host = host.is_empty() || host.ends_with(' ') && host.trim_end().split(' ').count() == 1;
    let rest = rest.strip_prefix("kernel")?;
    let number = || rest.strip_prefix('[')?.split_once(']').map(|(_, rest)| rest);
    let rest = number().unwrap_or(rest).strip_prefix(": ")?;
    is_host.then_some(rest)
}

/// `12:` before a line that `grep -n` found, `12-` before one around it.
fn line_number(line: &str) -> Option<&str> {
    let (number, rest) = line.split_at_checked(digits(line))?;
    let found = || rest.strip_prefix(':').filter(|rest| digits(rest) == 0);
    let around = || rest.strip_prefix('-').filter(|rest| rest.starts_with([' ', '\t']));
    found().or_else(around).filter(|_| !number.is_empty())
}

/// The name in `timers:`, in `trace.txt:12:` and in `trace.txt-12-`, which grep prints; empty for a line's number alone.
pub(crate) fn name_of(before: &str) -> Option<&str> {
    let end = before.chars().next_back().filter(|&end| end == ':' || end == '-')?;
    let name = before.strip_suffix(end)?;
    let rest = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match rest.strip_suffix(end).filter(|_| rest.len() < name.len()) {
        _ if rest.is_empty() => Some(rest),
        Some(file) => Some(file),
        None => (end == ':').then_some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_taken_off() {
        let line = "boost/7-17        1d..2. 10347723905us : sched_switch: x";
        for prefix in [
            "",
            "[10363.661702] ",
            "[    1.661702][    T0] ",
            "[    1.661702] [ T1234] ",
            "<6>[10363.661702]  ",
            "[Mon Nov 30 10:00:00 2026] ",
            "[2026-11-30 10:00:00.123] ",
            "Nov 30 10:00:00 host kernel: [10363.661702] ",
            "Nov  3 10:00:00 host kernel: ",
            "2026-11-30T10:00:00.123456+00:00 host kernel: [   3.661702] ",
            "2026-11-30 10:00:00 ",
            "10:00:00 ",
            "kernel: ",
            "> 12:",
            "12:   ",
            "12-   ",
            "12:[10363.661702]   ",
            "> > [10363.661702] ",
        ] {
            let text = format!("{prefix}{line}");
            assert_eq!(unprefixed(unquoted(&text)), line, "{prefix:?}");
        }
    }

    #[test]
    fn what_is_part_of_a_line_stays() {
        for line in [
            "[001]   394.419404: sched:sched_waking: comm=a",
            "631/631 [001]   394.419404: sched:sched_waking: comm=a",
            "631 [001]   394.419404: sched:sched_waking: comm=a",
            "100.000000 |   0)   <idle>-0    |  d..2. |  /* sched_waking: comm=a */",
            "0)   <idle>-0    |  /* sched_waking: comm=a */",
            "12-34 [000] 1.000000: x: y",
            "Xorg-34 [000] 1.000000: x: y",
            "<...>-34 [000] 1.000000: x: y",
            "0 2 453911280796 type: 312",
            "On Mon, 30 Nov, someone wrote:",
            "[",
            "<",
            "Nov",
        ] {
            assert_eq!(unprefixed(unquoted(line)), line);
        }
    }

    #[test]
    fn names_before_lines_are_told_from_numbers() {
        for (before, name) in [
            ("timers:", Some("timers")),
            ("foo-1:", Some("foo-1")),
            ("trace.txt:12:", Some("trace.txt")),
            ("trace.txt-12-", Some("trace.txt")),
            ("12:", Some("")),
            ("12-", Some("")),
            ("timers", None),
            ("timers-", None),
            ("", None),
        ] {
            assert_eq!(name_of(before), name, "{before}");
        }
    }
}
