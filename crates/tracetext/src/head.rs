//! What stands before an event's text: task, CPU, flags, time, the event's name.
//!
//! ```text
//! comm-PID  [(TGID|-------)] [CPU] [flags] SECONDS.FRACTION: event: text      trace, trace_pipe, trace-cmd report
//! comm-PID    CPUflags SECONDS.FRACTION: event: text                          trace-cmd report -l
//! comm-PID    CPUflags MICROSECONDSus!: event: text                           trace with latency-format
//! comm PID CPU F PREEMPT INDEX [HEX] MS.USms (+MS.USms): event: text          the same with the option `verbose`
//! [comm] [PID[/TID]] [CPU] SECONDS.FRACTION: system:event: text               perf script, with any of its fields
//! ... SECONDS.FRACTION: (+DIFFERENCE) event: text                             trace-cmd report --ts-diff
//! NAME: comm-PID ...                                                          an instance's line in trace-cmd report
//! ```
//! Clocks that do not count nanoseconds have whole numbers. A comm may hold spaces and any of `-:[(`, so all is read from
//! the right, from the time on.

use schedrows::Context;

use crate::columns::{glued, last_word, number, place, time, Columns, Place, Time};
use crate::prefix::{digits, name_of, trim_end};
use crate::tracer;

/// A line of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// The instance that trace-cmd names, or the file that grep does.
    pub instance: Option<&'a str>,
    /// Empty where there is none.
    pub comm: &'a str,
    /// Negative where it is not known.
    pub pid: i32,
    pub tgid: Option<i32>,
    pub place: Place,
    pub time: Time,
    pub system: Option<&'a str>,
    pub event: &'a str,
    pub text: &'a str,
    /// The line is one of `perf script`, which may have a column of pids.
    pub of_perf: bool,
    /// The line's flags and time are one word.
    pub is_glued: bool,
}

/// Letters of a comm, at most: `TASK_COMM_LEN` without its end, and what the latency format leaves of it.
const COMM: usize = 15;
const LATENCY_COMM: usize = 8;

/// Reads a line; `None` for one that is no event.
pub(crate) fn head<'a>(line: &'a str, columns: &Columns) -> Option<Head<'a>> {
    // The first time that has a CPU before it: a comm or a text may hold what looks like one.
    memchr::memchr_iter(b':', line.as_bytes()).find_map(|colon| {
        let (before, rest) = line.split_at_checked(colon)?;
        at(before, rest.strip_prefix(": ")?, columns)
    })
}

fn at<'a>(before: &'a str, text: &'a str, columns: &Columns) -> Option<Head<'a>> {
    let (rest, word) = last_word(before);
    let Some(time) = time(word) else {
        return odd(before, text, columns);
    };
    let (rest, place) = place(rest, columns)?;
    read(rest, time, place, text, columns)
}

/// What is before a text, where the last word is not just a time.
#[cold]
fn odd<'a>(before: &'a str, text: &'a str, columns: &Columns) -> Option<Head<'a>> {
    if before.ends_with(')') {
        return verbose(before, text);
    }
    let (rest, word) = last_word(before);
    let (time, place) = glued(word, columns)?;
    let head = read(rest, time, place, text, columns)?;
    Some(Head { is_glued: true, ..head })
}

// In line, since it is called for each line, from one place but for rare ones.
#[inline(always)]
fn read<'a>(before: &'a str, time: Time, place: Place, text: &'a str, columns: &Columns) -> Option<Head<'a>> {
    let (rest, tgid) = tgid(trim_end(before));
    let (system, event, text) = match event(text) {
        Some(event) => event,
        None => tracer::event(text)?,
    };
    let of_perf = system.is_some_and(|system| system != tracer::SYSTEM);
    let task = match of_perf {
        true => None,
        false => task(rest, place.latency != 0),
    };
    let (of_perf, (instance, comm, pid)) = match task {
        Some(task) => (false, task),
        None => (true, perf_task(rest, columns, of_perf)?),
    };
    Some(Head {
        instance,
        comm,
        pid,
        tgid,
        place,
        time,
        system,
        event,
        text,
        of_perf,
        is_glued: false,
    })
}

/// `bash 169 3 1 00000002 0000001f [1b0b7a6f] 35.927ms (+0.150ms)`, as `trace_print_lat_context` prints it: time since the
/// first event, and the time of the clock in hexadecimal, in microseconds or ticks.
fn verbose<'a>(before: &'a str, text: &'a str) -> Option<Head<'a>> {
    let (rest, _) = before.rsplit_once(" (+")?;
    let (rest, since) = last_word(rest);
    let is_ticks = number::<u64>(since).is_some();
    let (rest, at) = last_word(rest);
    let at = u64::from_str_radix(at.strip_prefix('[')?.strip_suffix(']')?, 16).ok()?;
    let value = if is_ticks { at } else { at.checked_mul(1000)? };
    let (rest, _index) = last_word(rest);
    let (rest, _preempt) = last_word(rest);
    let (rest, flags) = last_word(rest);
    let (rest, cpu) = last_word(rest);
    let (comm, pid) = last_word(rest);
    let (system, event, text) = event(text).or_else(|| tracer::event(text))?;
    Some(Head {
        instance: None,
        comm: comm.trim(),
        pid: number(pid)?,
        tgid: None,
        place: Place {
            cpu: number(cpu)?,
            context: Some(Context::of_flags(number(flags)?)),
            latency: 0,
        },
        time: Time { value, is_ticks },
        system,
        event,
        text,
        of_perf: false,
        is_glued: false,
    })
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
#[inline]
pub(crate) fn event(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let text = text.trim_start();
    // trace-cmd prints the time since the last event behind the time, and perf the period before the event, if asked to.
    let text = match text.as_bytes().first() {
        Some(b'(') => difference(text)?,
        Some(b'0'..=b'9') => {
            let rest = text.get(digits(text)..).unwrap_or_default();
            rest.strip_prefix(' ').map_or(text, str::trim_start)
        }
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

/// What is behind `(+82)`.
#[cold]
fn difference(text: &str) -> Option<&str> {
    let (number, rest) = text.strip_prefix('(')?.split_once(')')?;
    let number = number.strip_prefix(['+', '-'])?;
    (!number.is_empty() && digits(number) == number.len()).then(|| rest.trim_start())
}

/// Instance, comm and pid.
fn task(text: &str, is_latency: bool) -> Option<(Option<&str>, &str, i32)> {
    let text = trim_end(text);
    let pid = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (comm, pid) = text.split_at_checked(text.len() - pid)?;
    let (comm, pid) = (comm.strip_suffix('-')?, number(pid)?);
    let longest = if is_latency { LATENCY_COMM } else { COMM };
    // What is before a comm ends with one of these.
    let (instance, comm) = match comm.bytes().any(|byte| matches!(byte, b':' | b'-')) {
        true => instance(comm, longest),
        false => (None, comm),
    };
    Some((instance, comm.trim(), pid))
}

/// The instance before a comm, if there is one, and the comm. trace-cmd pads comms to 16 columns, those of the latency format to
/// eight: behind an instance's name there are two spaces or more, or what follows fills its column.
fn instance(text: &str, longest: usize) -> (Option<&str>, &str) {
    let text = text.trim();
    let cut = match text.rfind("  ") {
        Some(at) => text.split_at_checked(at),
        None => text
            .find(": ")
            .filter(|_| longest < text.len())
            .and_then(|at| text.split_at_checked(at + 1)),
    };
    let named = cut.and_then(|(before, comm)| Some((name_of(before.trim_end())?, comm)));
    match named {
        Some((name, comm)) => (Some(name).filter(|name| !name.is_empty()), comm),
        None => (None, text),
    }
}

/// Instance, comm and pid of a line of `perf script`; it may lack a pid if the event is certainly perf's.
fn perf_task<'a>(text: &'a str, columns: &Columns, is_certain: bool) -> Option<(Option<&'a str>, &'a str, i32)> {
    let (comm, ids) = last_word(text);
    let id = ids.rsplit_once('/').map_or(ids, |(_, tid)| tid);
    let pid = match id.parse() {
        Ok(pid) if !columns.no_pid => Some(pid),
        _ => None,
    };
    match pid {
        Some(pid) => Some((None, comm.trim(), pid)),
        None => is_certain.then(|| (None, text.trim(), -1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefix::unquoted;

    fn parts(line: &str) -> Option<(&str, i32, u32, u64, &str, &str)> {
        head(unquoted(line), &Columns::default()).map(|head| {
            (
                head.comm,
                head.pid,
                head.place.cpu,
                head.time.value,
                head.event,
                head.text,
            )
        })
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
                "  <idle>-0       1-0x11   270.950357: sched_waking:          comm=a",
                ("<idle>", 0, 1, 270 * s + 950_357_000, "sched_waking", "comm=a"),
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
                " a [1] 2.5: b-c -7 [011] d.s1 12345: print: 3.4: x",
                ("a [1] 2.5: b-c", 7, 11, 12345, "print", "3.4: x"),
            ),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn instances_tgids_and_contexts_are_told() {
        let read = |line| head(line, &Columns::default()).unwrap();
        let found = read("ref:           <idle>-0     [002] d.H1. 1.000002: x: y");
        assert_eq!((found.instance, found.comm), (Some("ref"), "<idle>"));
        assert_eq!(found.place.context, Some(Context(Context::HARDIRQ | Context::SOFTIRQ)));
        let found = read("<idle>-0       1-0x11   1.000002: x: y");
        assert_eq!(found.place.context, Some(Context(Context::SOFTIRQ)));
        let found = read("kworker/0:1-9 (  9) [002] 1.000002: x: y");
        assert_eq!(
            (found.comm, found.tgid, found.place.context),
            ("kworker/0:1", Some(9), None)
        );
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
