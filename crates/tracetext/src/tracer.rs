//! What tracers print in place of an event's name and text.

use schedrows::{RowKind, StateCode};

use crate::columns::number;
use crate::event::{Second, Told};

/// The system of the events that tracers make, as their formats say it (`events/ftrace`).
pub(crate) const SYSTEM: &str = "ftrace";

/// The states of tasks by their numbers, as `task_index_to_char` of include/linux/sched.h has them.
const STATES: &[u8] = b"RSDTtXZPI";

/// System, name and text of the event that a tracer has printed without its name.
#[cold]
pub(crate) fn event(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let text = text.trim();
    let name = match text {
        "<stack trace>" => "kernel_stack",
        "<user stack trace>" => "user_stack",
        // Function number 0 is printed as its number.
        "0" => "function",
        _ if text.starts_with("PERF_RECORD_") => {
            let len = text
                .bytes()
                .take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_')
                .count();
            let (name, text) = text.split_at_checked(len)?;
            return Some((Some("perf"), name, text));
        }
        _ if is_function(text) => "function",
        _ => match switch_or_wakeup(text)?.kind {
            RowKind::Switch => "context_switch",
            _ => "wakeup",
        },
    };
    Some((Some(SYSTEM), name, text))
}

/// `schedule <-worker_thread`, `schedule`, `schedule [module] <-worker_thread`, and in kernels before 2.6.30 `schedule (worker_thread)`.
fn is_function(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '+' | '/');
    let is_name =
        |word: &str| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(is_letter);
    let mut words = text.split(' ');
    words.next().is_some_and(is_name)
        && words.all(|word| {
            let name = word.strip_prefix("<-").unwrap_or(word);
            let inner = |open, close| name.strip_prefix(open)?.strip_suffix(close);
            word.starts_with("<-") && is_name(name)
                || inner('[', ']')
                    .or_else(|| inner('(', ')'))
                    .or_else(|| inner('<', '>'))
                    .is_some_and(is_name)
        })
}

/// What the lines of the wakeup tracers and of the old sched_switch tracer say (`trace_ctxwake_print` of
/// kernel/trace/trace_output.c): `232:120:R ==> [000] 217:  0:R cyclictest`, with `+` for a wakeup, whose waker is before it;
/// and, as trace-cmd prints the same events, `232:120:0 ==> 217:0:0 [000]` and `==+`.
pub(crate) fn switch_or_wakeup(text: &str) -> Option<Told<'_>> {
    let (kind, before, rest) = match (
        text.split_once("==>"),
        text.split_once(" + ").or_else(|| text.split_once("==+")),
    ) {
        (Some((before, rest)), _) => (RowKind::Switch, before, rest),
        (None, Some((before, rest))) => (RowKind::Wakeup, before, rest),
        (None, None) => return None,
    };
    let prev = task(before)?;
    let rest = rest.trim();
    let (cpu, next, comm) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (cpu, rest) = rest.split_once(']')?;
            // Behind the second colon is the state, one letter, and then the name.
            let (colon, _) = rest.match_indices(':').nth(1)?;
            let (next, comm) = rest.split_at_checked(colon + 2)?;
            (cpu, next, comm.trim())
        }
        None => {
            let (next, cpu) = rest.rsplit_once(" [")?;
            (cpu.strip_suffix(']')?, next, "")
        }
    };
    let next = task(next)?;
    let cpu: i32 = number(cpu)?;
    Some(match kind {
        RowKind::Switch => Told {
            pid: prev.pid,
            arg: next.pid,
            comm2: Second::Name(comm),
            state: StateCode(prev.state).with_prios(prev.prio, next.prio),
            prio: Some(next.prio),
            // A preempted task is printed as R.
            by_plugin: true,
            ..Told::of(kind)
        },
        _ => Told {
            pid: next.pid,
            comm,
            prio: Some(next.prio),
            arg: cpu,
            ..Told::of(kind)
        },
    })
}

struct Task {
    pid: i32,
    prio: i64,
    state: u8,
}

/// `217:  0:R`, or with the state's number.
fn task(text: &str) -> Option<Task> {
    let mut parts = text.trim().split(':');
    let (pid, prio, state) = (parts.next()?, parts.next()?.trim(), parts.next()?.trim());
    let state = match (number::<usize>(state), state.as_bytes()) {
        (Some(index), _) => *STATES.get(index)?,
        (None, &[letter]) if letter.is_ascii_alphabetic() => letter,
        _ => return None,
    };
    let prio = prio.parse().ok()?;
    let pid = number(pid)?;
    parts.next().is_none().then_some(Task { pid, prio, state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracers_lines_have_names() {
        for (text, name) in [
            ("<stack trace>", "kernel_stack"),
            ("<user stack trace>", "user_stack"),
            ("0", "function"),
            ("__schedule", "function"),
            ("schedule <-worker_thread", "function"),
            ("nf_hook [nf_tables] <-ip_rcv+0x1/0x2", "function"),
            ("path_put (path_walk)", "function"),
            ("     232:120:R   + [000]     217:  0:R cyclictest", "wakeup"),
            ("     232:120:R ==> [000]     217:  0:R a b:c", "context_switch"),
            ("PERF_RECORD_LOST lost 12", "PERF_RECORD_LOST"),
        ] {
            assert_eq!(event(text).map(|event| event.1), Some(name), "{text}");
        }
        for text in ["", "see this and that", "comm=a pid=1", "1:2 + 3", "x: y", "12"] {
            assert_eq!(event(text), None, "{text}");
        }
    }

    #[test]
    fn switches_and_wakeups_are_read_in_both_forms() {
        let switch = switch_or_wakeup("     232:120:R ==> [003]     217:  0:R a b:c").unwrap();
        assert_eq!((switch.kind, switch.pid, switch.arg), (RowKind::Switch, 232, 217));
        assert_eq!((switch.comm2, switch.prio), (Second::Name("a b:c"), Some(0)));
        assert_eq!(switch.state.letter(), b'R');
        let numbers = switch_or_wakeup("232:120:1  ==> 217:0:0 [003]").unwrap();
        assert_eq!((numbers.pid, numbers.arg, numbers.state.letter()), (232, 217, b'S'));
        let wakeup = switch_or_wakeup("  232:120:R   + [003]   217:  0:R cyclictest").unwrap();
        assert_eq!((wakeup.kind, wakeup.pid, wakeup.arg), (RowKind::Wakeup, 217, 3));
        assert_eq!((wakeup.comm, wakeup.prio), ("cyclictest", Some(0)));
        let numbers = switch_or_wakeup("232:120:0  ==+ 217:0:0 [003]").unwrap();
        assert_eq!((numbers.kind, numbers.pid, numbers.arg), (RowKind::Wakeup, 217, 3));
        for text in [
            "",
            " + ",
            "==>",
            "1:2:R ==> [x] 1:2:R a",
            "1:2:RR ==> [000] 1:2:R a",
            "a:2:R ==> [000] 1:2:R a",
        ] {
            assert_eq!(switch_or_wakeup(text), None, "{text}");
        }
    }
}
