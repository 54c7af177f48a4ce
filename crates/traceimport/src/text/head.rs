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
pub(super) struct Head<'a> {
    /// The instance that trace-cmd names.
    pub instance: Option<&'a str>,
    pub comm: &'a str,
    pub pid: i32,
    pub tgid: Option<i32>,
    pub cpu: u32,
    /// Nothing where there are no flags.
    pub context: Option<Context>,
    pub ns: u64,
    /// What a digit of the time stands for, in ns.
    pub resolution: u32,
    pub system: Option<&'a str>,
    pub event: &'a str,
    pub text: &'a str,
    /// Names have eight bytes, and times count from the first event.
    pub is_latency: bool,
}

/// Letters of the flags' columns.
const FLAGS: &[u8] = b".#*0123456789abcdefBDNnpLlXxhHzZsS";
/// Columns of flags, in any kernel.
const FLAG_COLUMNS: std::ops::RangeInclusive<usize> = 3..=8;

/// The line without what mails put before it.
pub(super) fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || c == '>' || c == '|' || c == '\u{feff}')
        .trim_end()
}

/// Reads a line; `None` for one that is no event.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    // The first time that has a CPU before it: a comm or a text may hold what looks like one.
    memchr::memchr_iter(b':', line.as_bytes()).find_map(|colon| {
        let (before, rest) = line.split_at_checked(colon)?;
        at(before, rest.strip_prefix(": ")?)
    })
}

fn at<'a>(before: &'a str, text: &'a str) -> Option<Head<'a>> {
    let (rest, word) = last_word(before);
    let (ns, resolution, is_latency) = time(word)?;
    let (rest, cpu, context) = cpu(rest)?;
    let (rest, tgid) = tgid(rest.trim_end());
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
        resolution,
        system,
        event,
        text,
        is_latency,
    })
}

/// The last word, and what is before it.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    // All programs separate by spaces and tabs.
    match memchr::memrchr2(b' ', b'\t', text.as_bytes()) {
        Some(at) => text.split_at_checked(at + 1).unwrap_or((text, "")),
        None => ("", text),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Nanoseconds, the resolution, and whether the time counts from the first event.
fn time(word: &str) -> Option<(u64, u32, bool)> {
    if let Some((whole, fraction)) = word.split_once('.') {
        if !is_number(whole) || !is_number(fraction) || 9 < fraction.len() {
            return None;
        }
        let unit = 10_u32.pow(9 - fraction.len() as u32);
        let seconds: u64 = whole.parse().ok()?;
        let part: u64 = fraction.parse::<u64>().ok()? * u64::from(unit);
        return Some((seconds.checked_mul(1_000_000_000)?.checked_add(part)?, unit, false));
    }
    if is_number(word) {
        return Some((word.parse().ok()?, 1, false));
    }
    let us = word
        .trim_end_matches(['!', '+', '#', '*', '@', '$'])
        .strip_suffix("us")?;
    if !is_number(us) {
        return None;
    }
    Some((us.parse::<u64>().ok()?.checked_mul(1000)?, 1000, true))
}

/// The CPU and the context before a time, and what is before these.
fn cpu(text: &str) -> Option<(&str, u32, Option<Context>)> {
    let in_brackets = |word: &str| {
        let inner = word.strip_prefix('[')?.strip_suffix(']')?;
        is_number(inner).then(|| inner.parse().ok()).flatten()
    };
    let (rest, word) = last_word(text);
    if let Some(cpu) = in_brackets(word) {
        return Some((rest, cpu, None));
    }
    let (before, earlier) = last_word(rest);
    if let Some(cpu) = in_brackets(earlier) {
        return Some((before, cpu, Some(context(word)?)));
    }
    // `2dNh2.`
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (cpu, flags) = word.split_at_checked(digits)?;
    Some((rest, cpu.parse().ok()?, Some(context(flags)?)))
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
    match found {
        Some((before, inner)) if is_number(inner.trim()) => (before.trim_end(), inner.trim().parse().ok()),
        Some((before, inner)) if !inner.is_empty() && inner.bytes().all(|byte| byte == b'-') => {
            (before.trim_end(), None)
        }
        _ => (text, None),
    }
}

/// The event's name, with its system in perf's text, and its text.
fn event(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let text = text.trim_start();
    // perf prints the period before the event if asked to.
    let text = match text.split_once(' ') {
        Some((number, rest)) if is_number(number) => rest.trim_start(),
        _ => text,
    };
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end)?;
    let name = word.strip_suffix(':')?;
    let (system, name) = match name.split_once(':') {
        Some((system, name)) => (Some(system), name),
        None => (None, name),
    };
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name(name) || !system.is_none_or(is_name) {
        return None;
    }
    Some((system, name, rest.trim_start()))
}

/// Instance, comm and pid.
fn task(text: &str, is_perf: bool) -> Option<(Option<&str>, &str, i32)> {
    if is_perf {
        let (comm, ids) = last_word(text);
        let id = ids.rsplit_once('/').map_or(ids, |(_, tid)| tid);
        return Some((None, comm.trim(), id.parse().ok()?));
    }
    let (comm, pid) = text.trim_end().rsplit_once('-')?;
    if !is_number(pid) {
        return None;
    }
    let pid = pid.parse().ok()?;
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
        assert_eq!(found.resolution, 1000);
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
