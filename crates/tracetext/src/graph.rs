//! Lines of the function_graph tracer, whose events are comments.
//!
//! ```text
//! [SECONDS.FRACTION |] CPU) [comm-PID |] [flags |] [duration |] /* event: text */
//! ```
//! The columns are those of kernel/trace/trace_functions_graph.c; `funcgraph-abstime` adds the time, `funcgraph-proc` the task,
//! whose comm has seven letters at most.

use crate::columns::{number, time, Columns, Place};
use crate::head::{event, Head};
use crate::unread::Lack;

/// What a line of the tracer holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Line<'a> {
    Event(Head<'a>),
    /// An event that cannot be read.
    Unread(Lack),
    /// A function, without the time that would make it an event.
    Function,
}

/// Reads a line; `None` if it is none of the tracer's.
#[cold]
pub(crate) fn line<'a>(line: &'a str, columns: &Columns) -> Option<Line<'a>> {
    let (before, code) = code(line)?;
    let comment = code
        .strip_prefix("/* ")
        .map(|text| text.trim_end_matches("*/").trim_end());
    let (system, event, text) = match comment {
        Some(comment) => event(comment)?,
        None => (Some(crate::tracer::SYSTEM), function(code)?, code),
    };
    let (mut at, mut cpu, mut task, mut context) = (None, None, None, None);
    for part in before.split('|') {
        let part = part.trim();
        let (first, rest) = part.split_once(')').unwrap_or(("", part));
        let is_first = at.is_none() && cpu.is_none() && task.is_none();
        cpu = number(first).or(cpu);
        let rest = rest.trim();
        if is_first && cpu.is_none() {
            at = time(rest).filter(|time| !time.is_ticks);
        }
        task = task.or_else(|| task_of(rest));
        context = context.or_else(|| columns.context(rest));
    }
    let (Some(time), Some(cpu)) = (at, cpu) else {
        let lack = if at.is_none() { Lack::GraphTime } else { Lack::GraphCpu };
        return Some(comment.map_or(Line::Function, |_| Line::Unread(lack)));
    };
    let (comm, pid) = task.unwrap_or(("", -1));
    Some(Line::Event(Head {
        instance: None,
        comm,
        pid,
        tgid: None,
        place: Place {
            cpu,
            context,
            latency: 0,
        },
        time,
        system,
        event,
        text,
        of_perf: false,
        is_glued: false,
    }))
}

/// The columns of a line, and the comment or the function behind them.
fn code(line: &str) -> Option<(&str, &str)> {
    let is_end = |at: &usize| {
        line.get(..*at)
            .is_some_and(|before| before.trim_end().ends_with(['|', ')']))
    };
    let at = match line.find("/* ").filter(is_end) {
        Some(at) => at,
        None => line.rfind('|')? + 1,
    };
    let (before, code) = line.split_at_checked(at)?;
    Some((before, code.trim()))
}

/// The event of a line of a function, as its format names it.
fn function(code: &str) -> Option<&'static str> {
    match code {
        _ if code.starts_with('}') => Some("funcgraph_exit"),
        _ if code.ends_with(['{', ';']) => Some("funcgraph_entry"),
        _ => None,
    }
}

/// `worker-100`
fn task_of(text: &str) -> Option<(&str, i32)> {
    let (comm, pid) = text.rsplit_once('-')?;
    Some((comm, number(pid)?)).filter(|(comm, _)| !comm.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedrows::Context;

    /// Time, CPU, comm, pid, context and event.
    type Parts<'a> = (u64, u32, &'a str, i32, Option<u8>, &'a str);

    fn parts(text: &str) -> Option<Parts<'_>> {
        match line(text, &Columns::default())? {
            Line::Event(head) => {
                let context = head.place.context.map(|context| context.0);
                Some((
                    head.time.value,
                    head.place.cpu,
                    head.comm,
                    head.pid,
                    context,
                    head.event,
                ))
            }
            _ => None,
        }
    }

    #[test]
    fn comments_are_events() {
        let ns = 100_000_500_000;
        for (text, expected) in [
            (
                "100.000500 |   0)   worker-100    |  d.s2.             |  /* sched_waking: comm=a|b */",
                (ns, 0, "worker", 100, Some(Context::SOFTIRQ), "sched_waking"),
            ),
            (
                "100.000500 |  12)  kworker-7  |               |    /* sched_waking: comm=a */",
                (ns, 12, "kworker", 7, None, "sched_waking"),
            ),
            (
                "100.000500 |   3)               |  /* sched_waking: x */",
                (ns, 3, "", -1, None, "sched_waking"),
            ),
            (
                "100.000500 | 3)  /* sched_waking: x */",
                (ns, 3, "", -1, None, "sched_waking"),
            ),
            (
                "100.000500 | 3) <idle>-0 |  d..1. |   0.123 us    |  func();",
                (ns, 3, "<idle>", 0, Some(0), "funcgraph_entry"),
            ),
            (
                "100.000500 | 3) <idle>-0 |   ! 100.123 us  |  } /* func */",
                (ns, 3, "<idle>", 0, None, "funcgraph_exit"),
            ),
        ] {
            assert_eq!(parts(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        let read = |text| line(text, &Columns::default());
        assert_eq!(
            read("0)   worker-100    |   |  /* sched_waking: x */"),
            Some(Line::Unread(Lack::GraphTime))
        );
        assert_eq!(
            read("1.000000 |  worker-100    |   |  /* sched_waking: x */"),
            Some(Line::Unread(Lack::GraphCpu))
        );
        assert_eq!(read("0)   0.123 us    |  func();"), Some(Line::Function));
        for text in [
            "",
            "a | b",
            "------------------------------------------",
            "0)   <idle>-0    =>   worker-100",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
