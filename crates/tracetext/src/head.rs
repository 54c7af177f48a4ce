//! What stands before an event's text: task, CPU, flags, time, the event's name.
//!
//! ```text
//! comm-PID  [(TGID|-------)] [CPU] [flags] SECONDS.FRACTION: event: text      trace, trace_pipe, trace-cmd report
//! comm-PID    CPUflags SECONDS.FRACTION: event: text                          trace-cmd report -l
//! comm-PID    CPUflags MICROSECONDSus!: event: text                           trace with latency-format
//! comm PID[/TID] [CPU] SECONDS.FRACTION: system:event: text                   perf script
//! NAME: comm-PID ...                                                          an instance's line in trace-cmd report
//! ```
//! A comm may hold spaces and any of `-:[(`, so all is read from the right, from the time on.

use schedrows::Context;

/// A line of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// The instance that trace-cmd names.
    pub instance: Option<&'a str>,
    pub comm: &'a str,
    pub pid: i32,
    pub tgid: Option<i32>,
    pub cpu: u32,
    /// Nothing where there are no flags.
    pub context: Option<Context>,
    pub ns: u64,
    pub system: Option<&'a str>,
    pub event: &'a str,
    pub text: &'a str,
}

/// Letters of the flags' columns.
const FLAGS: &[u8] = b".#*0123456789abcdefBDNnpLlXxhHzZsS";
/// Columns of flags, in any kernel.
const FLAG_COLUMNS: std::ops::RangeInclusive<usize> = 3..=8;

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
fn trim_end(text: &str) -> &str {
    match text.as_bytes().last() {
        Some(0x21..=0x7e) => text,
        _ => text.trim_end(),
    }
}

/// Reads a line; `None` for one that is no event.
pub(crate) fn head(line: &str) -> Option<Head<'_>> {
    // The first time that has a CPU before it: a comm or a text may hold what looks like one.
    memchr::memchr_iter(b':', line.as_bytes()).find_map(|colon| {
        let (before, rest) = line.split_at_checked(colon)?;
        at(before, rest.strip_prefix(": ")?)
    })
}

fn at<'a>(before: &'a str, text: &'a str) -> Option<Head<'a>> {
    let (rest, word) = last_word(before);
    let ns = time(word)?;
    let (rest, cpu, context) = cpu(rest)?;
    let (rest, tgid) = tgid(trim_end(rest));
    let (system, event, text) = event(text)?;
    let (instance, comm, pid) = task(rest, system.is_some())?;
    Some(Head {
        instance,
        comm,
        pid,
        tgid,
        cpu,
        context,
        ns,
        system,
        event,
        text,
    })
}

/// The last word, and what is before it.
#[inline]
fn last_word(text: &str) -> (&str, &str) {
    let text = trim_end(text);
    // All programs separate by spaces and tabs. Words are short: a search that is fast for long texts takes longer.
    let letters = text
        .bytes()
        .rev()
        .take_while(|byte| !matches!(byte, b' ' | b'\t'))
        .count();
    text.split_at_checked(text.len() - letters).unwrap_or(("", text))
}

#[inline]
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// A number of nothing but digits.
#[inline]
fn number<T: TryFrom<u64>>(text: &str) -> Option<T> {
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

/// Nanoseconds.
#[inline]
fn time(word: &str) -> Option<u64> {
    let (whole, rest) = word.split_at_checked(digits(word))?;
    let whole: u64 = number(whole)?;
    if rest.is_empty() {
        return Some(whole);
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let unit = 10_u64.pow(9_u32.checked_sub(fraction.len() as u32)?);
        let part: u64 = number(fraction)?;
        return whole.checked_mul(1_000_000_000)?.checked_add(part * unit);
    }
    // The latency format: since its first event.
    let is_us = rest.trim_end_matches(['!', '+', '#', '*', '@', '$']) == "us";
    is_us.then(|| whole.checked_mul(1000)).flatten()
}

/// The CPU and the context before a time, and what is before these.
fn cpu(text: &str) -> Option<(&str, u32, Option<Context>)> {
    let in_brackets = |word: &str| number(word.strip_prefix('[')?.strip_suffix(']')?);
    let (rest, word) = last_word(text);
    if let Some(cpu) = in_brackets(word) {
        return Some((rest, cpu, None));
    }
    let (before, earlier) = last_word(rest);
    if let Some(cpu) = in_brackets(earlier) {
        return Some((before, cpu, Some(context(word)?)));
    }
    // `2dNh2.`
    let (cpu, flags) = word.split_at_checked(digits(word))?;
    Some((rest, number(cpu)?, Some(context(flags)?)))
}

/// The third letter tells what interrupted the task.
fn context(flags: &str) -> Option<Context> {
    let bytes = flags.as_bytes();
    if !FLAG_COLUMNS.contains(&bytes.len()) || !bytes.iter().all(|byte| FLAGS.contains(byte)) {
        return None;
    }
    Some(Context(match bytes.get(2)? {
        b'h' => Context::HARDIRQ,
        b'H' => Context::HARDIRQ | Context::SOFTIRQ,
        b'z' => Context::NMI,
        b'Z' => Context::NMI | Context::HARDIRQ,
        b's' => Context::SOFTIRQ,
        _ => 0,
    }))
}

/// `(   169)` or `(-------)` at the end, and what is before it.
fn tgid(text: &str) -> (&str, Option<i32>) {
    let found = text.strip_suffix(')').and_then(|inner| inner.rsplit_once('('));
    let Some((before, inner)) = found else {
        return (text, None);
    };
    let is_unknown = !inner.is_empty() && inner.bytes().all(|byte| byte == b'-');
    match number::<u64>(inner.trim()) {
        // A number that is no pid is none.
        Some(tgid) => (trim_end(before), tgid.try_into().ok()),
        None if is_unknown => (trim_end(before), None),
        None => (text, None),
    }
}

/// The event's name, with its system in perf's text, and its text.
fn event(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let text = text.trim_start();
    // perf prints the period before the event if asked to.
    let text = match text.split_at_checked(digits(text)) {
        Some((period, rest)) if !period.is_empty() && rest.starts_with(' ') => rest.trim_start(),
        _ => text,
    };
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name_at_start = |text: &str| text.bytes().take_while(is_letter).count();
    let (name, rest) = text.split_at_checked(name_at_start(text))?;
    let rest = rest.strip_prefix(':')?;
    let (system, name, rest) = match rest.split_at_checked(name_at_start(rest))? {
        ("", _) => (None, name, rest),
        (event, rest) => (Some(name), event, rest.strip_prefix(':')?),
    };
    let is_end = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (!name.is_empty() && system != Some("") && is_end).then(|| (system, name, rest.trim_start()))
}

/// Instance, comm and pid.
fn task(text: &str, is_perf: bool) -> Option<(Option<&str>, &str, i32)> {
    if is_perf {
        let (comm, ids) = last_word(text);
        let id = ids.rsplit_once('/').map_or(ids, |(_, tid)| tid);
        return Some((None, comm.trim(), id.parse().ok()?));
    }
    let text = trim_end(text);
    let pid = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (comm, pid) = text.split_at_checked(text.len() - pid)?;
    let (comm, pid) = (comm.strip_suffix('-')?, number(pid)?);
    // trace-cmd fills names up to 16 columns at least: behind an instance's name there are two spaces or more.
    Some(match comm.split_once(':') {
        Some((name, rest)) if rest.starts_with("  ") || 16 < comm.trim().len() && rest.starts_with(' ') => {
            (Some(name), rest.trim(), pid)
        }
        _ => (None, comm.trim(), pid),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Option<(&str, i32, u32, u64, &str, &str)> {
        head(unquoted(line)).map(|head| (head.comm, head.pid, head.cpu, head.ns, head.event, head.text))
    }

    #[test]
    fn every_form_is_read() {
        let s = 1_000_000_000;
        for (line, expected) in [
            (
                "            bash-169     [003] d..2.   450.890489: sched_wakeup_new: comm=a",
                ("bash", 169, 3, 450 * s + 890_489_000, "sched_wakeup_new", "comm=a"),
            ),
            (
                "> > \t <idle>-0       (-------) [002] dNh2.   453.911281: sched_wakeup: x",
                ("<idle>", 0, 2, 453 * s + 911_281_000, "sched_wakeup", "x"),
            ),
            (
                "     rcu_preempt-16      (     16) [002]    453.911771: sched_switch: x",
                ("rcu_preempt", 16, 2, 453 * s + 911_771_000, "sched_switch", "x"),
            ),
            (
                "rcu_pree-16        2d..2. 35927us*: sched_switch: x",
                ("rcu_pree", 16, 2, 35_927_000, "sched_switch", "x"),
            ),
            (
                "            perf     525/526 [000]   292.862133256:       sched:sched_waking: y: 1",
                ("perf", 526, 0, 292 * s + 862_133_256, "sched_waking", "y: 1"),
            ),
            (
                "             :-1      -1 [003]   1.000001: sched:sched_switch: z",
                (":-1", -1, 3, s + 1000, "sched_switch", "z"),
            ),
            (
                "ref:        trace-cmd-577   [001]   328.029604467: sched_stat_runtime:    r",
                ("trace-cmd", 577, 1, 328 * s + 29_604_467, "sched_stat_runtime", "r"),
            ),
            (
                " a [1] 2.5: b-(c) -7 [011] d.s1 12345: print: 3.4: x",
                ("a [1] 2.5: b-(c)", 7, 11, 12345, "print", "3.4: x"),
            ),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn instances_tgids_and_contexts_are_told() {
        let found = head("ref:           <idle>-0     [002] d.H1. 1.000002: x: y").unwrap();
        assert_eq!((found.instance, found.comm), (Some("ref"), "<idle>"));
        assert_eq!(found.context, Some(Context(Context::HARDIRQ | Context::SOFTIRQ)));
        let found = head("kworker/0:1-9 (  9) [002] 1.000002: x: y").unwrap();
        assert_eq!((found.comm, found.tgid, found.context), ("kworker/0:1", Some(9), None));
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "",
            "On Tue, someone wrote:",
            "0 2 453911280796 type: 312",
            "at 10.5: see [001]: x",
            "a-1 [00x] 1.000000: x: y",
            "a-1 [001] 1.0000000001: x: y",
            "CPU:3 [LOST 390 EVENTS]",
        ] {
            assert_eq!(parts(line), None, "{line}");
        }
    }
}
