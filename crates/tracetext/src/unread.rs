//! Lines that hold an event and are not read: what they lack, and what to do about it.

use schedrows::{Diagnostic, DiagnosticKind};

use crate::columns::{last_word, time};
use crate::event::kind_of;
use crate::head::event;

/// Letters of a line that are shown.
const SHOWN: usize = 80;

/// What a line lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// perf's column of CPUs.
    Cpu,
    /// perf's column of times.
    Time,
    /// perf's column of events.
    Event,
    /// All that `context-info` adds.
    Context,
    /// The times of function_graph.
    GraphTime,
    /// The CPUs of function_graph.
    GraphCpu,
    /// A time in the unit of the other lines.
    Unit,
    /// Columns that can be told apart.
    Form,
}

impl Lack {
    /// What the lines lack, and why that matters.
    fn what(self) -> &'static str {
        match self {
            Lack::Cpu => "the CPU column is missing",
            Lack::Time => "the time column is missing",
            Lack::Event => "the event column is missing",
            Lack::Context => "task, CPU and time are missing",
            Lack::GraphTime => "the times of the function_graph tracer's events are missing",
            Lack::GraphCpu => "the CPU column of the function_graph tracer is missing",
            Lack::Unit => "the time is in another unit than that of the first event",
            Lack::Form => "the columns before the event are not those of a kernel, of trace-cmd or of perf",
        }
    }

    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Lack::Cpu => "Print the text again with `perf script -F +cpu`.",
            Lack::Time => "Print the text again with `perf script -F +time`.",
            Lack::Event => "Print the text again with `perf script -F +event`.",
            Lack::Context => "Read the trace again with `echo 1 > /sys/kernel/tracing/options/context-info`.",
            Lack::GraphTime => "Read the trace again with `echo 1 > /sys/kernel/tracing/options/funcgraph-abstime`.",
            Lack::GraphCpu => "Read the trace again with `echo 1 > /sys/kernel/tracing/options/funcgraph-cpu`.",
            Lack::Unit => "Print the buffers of each clock to a text of their own.",
            Lack::Form => "Open the text as `trace-cmd report`, `perf script` or tracefs print it.",
        }
    }
}

/// Lines that hold an event and are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unread {
    /// How many.
    pub count: u64,
    /// What the first lacks, its number from 1 on, and its text.
    pub first: Option<(Lack, u64, String)>,
}

impl Unread {
    pub fn add(&mut self, lack: Lack, number: u64, line: &str) {
        self.count += 1;
        self.first
            .get_or_insert_with(|| (lack, number, line.chars().take(SHOWN).collect()));
    }

    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (lack, number, text) = self.first.as_ref()?;
        Some(Diagnostic {
            kind: DiagnosticKind::Malformed,
            cpu: None,
            at_ns: None,
            count: self.count,
            text: format!(
                "lines hold an event that is not read: {}; the first is line {number}: {text:?}. {}",
                lack.what(),
                lack.advice()
            ),
        })
    }

    /// What a text is refused for that has no other lines: what, the line's number, what to do.
    pub fn refusal(&self) -> Option<(String, u64, &'static str)> {
        let (lack, number, text) = self.first.as_ref()?;
        let what = format!(
            "{}, so no event of this text can be read; it reads {text:?}",
            lack.what()
        );
        Some((what, *number, lack.advice()))
    }
}

/// Whether a line that is not read holds an event, and what it lacks then.
#[cold]
pub(crate) fn lack(line: &str) -> Option<Lack> {
    if line.starts_with('#') {
        return None;
    }
    let has_cpu = |before: &str| {
        before.split_whitespace().any(|word| {
            let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
            inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    memchr::memchr_iter(b':', line.as_bytes()).find_map(|colon| {
        let (before, rest) = line.split_at_checked(colon)?;
        let text = rest.strip_prefix(':')?;
        let (columns, word) = last_word(before);
        if is_time(word) && text.starts_with(char::is_whitespace) {
            return match (event(text).is_some(), is_field(text), has_cpu(columns)) {
                (true, _, false) => Some(Lack::Cpu),
                (false, true, true) => Some(Lack::Event),
                (false, true, false) => Some(Lack::Cpu),
                (true, _, true) => Some(Lack::Form),
                (false, false, _) => None,
            };
        }
        // A scheduler's event by its name, at the end of a word.
        let name = before
            .rsplit_once(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(before, |(_, name)| name);
        let is_named = kind_of(None, name).is_some() && text.starts_with(char::is_whitespace) && is_field(text);
        is_named.then(|| {
            match (
                has_cpu(columns),
                columns
                    .split_whitespace()
                    .any(|word| is_time(word.trim_end_matches(':'))),
            ) {
                (true, true) => Lack::Form,
                (false, true) => Lack::Cpu,
                (true, false) => Lack::Time,
                (false, false) if columns.is_empty() => Lack::Context,
                (false, false) => Lack::Form,
            }
        })
    })
}

/// A time as programs print it, not any number.
fn is_time(word: &str) -> bool {
    let is_long = |part: &str| matches!(part.len(), 6 | 9);
    time(word).is_some() && (word.contains("us") || word.rsplit_once('.').is_some_and(|(_, part)| is_long(part)))
}

/// Whether a text begins with a field, or a task as plugins print it.
fn is_field(text: &str) -> bool {
    let first = text.trim_start().split(' ').next().unwrap_or_default();
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    first.split_once('=').is_some_and(|(key, _)| is_key(key)) || text.contains(" ==> ") || text.contains(" CPU:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_lacks_is_named() {
        for (line, expected) in [
            (
                "swapper     0   100.000000: sched:sched_waking: comm=worker pid=100",
                Some(Lack::Cpu),
            ),
            (
                "swapper     0   100.000000: irq:irq_handler_entry: irq=1",
                Some(Lack::Cpu),
            ),
            ("100.000000: sched:sched_waking: comm=worker pid=100", Some(Lack::Cpu)),
            (
                "swapper     0 [000] sched:sched_waking: comm=worker pid=100",
                Some(Lack::Time),
            ),
            (
                "swapper     0 [000]   100.000000: comm=worker pid=100",
                Some(Lack::Event),
            ),
            ("sched_waking: comm=worker pid=100", Some(Lack::Context)),
            ("a-1 [00x] 1.000000: sched_waking: comm=worker pid=100", Some(Lack::Cpu)),
            (
                "a 1 [001] d..2 x 1.000000: sched_waking: comm=worker pid=100",
                Some(Lack::Form),
            ),
            (
                "a-1 [001] d..2. x: sched_switch: a:1 [120] S ==> b:2 [120]",
                Some(Lack::Time),
            ),
            ("", None),
            ("On Tue, 10:00:00 someone wrote:", None),
            ("at 10.5: see [001]: x", None),
            ("sched_switch: it is the event that matters", None),
            ("the event sched_switch: prev_comm is its first field", None),
            ("=> __trace_stack", None),
            ("ffffffff813e90cd schedule+0x1d ([kernel.kallsyms])", None),
            ("CPU:3 [LOST 390 EVENTS]", None),
            ("# a-1 1.000000: sched_waking: comm=worker pid=100", None),
        ] {
            assert_eq!(lack(line), expected, "{line}");
        }
    }
}
