//! Counted findings: one diagnostic for each kind of contradiction and CPU, however often it occurs.

use crate::scan::{Diagnostic, DiagnosticKind};
use std::collections::BTreeMap;

/// What can be wrong or missing in a stream of events; the order is that of the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Note {
    PrevMismatch,
    RunsTwice,
    ForkOfLiving,
    LivingDead,
    StaleWakeup,
    NoWakeup,
    TimeBackwards,
    NoWakeupEvents,
    NoSwitch,
    SameCpuTwice,
    TooLate,
}

impl Note {
    fn kind(self) -> DiagnosticKind {
        match self {
            Note::PrevMismatch | Note::RunsTwice | Note::StaleWakeup | Note::LivingDead | Note::SameCpuTwice => {
                DiagnosticKind::Contradiction
            }
            Note::ForkOfLiving | Note::NoWakeup | Note::NoWakeupEvents | Note::NoSwitch => DiagnosticKind::MissingEvent,
            Note::TimeBackwards => DiagnosticKind::TimeBackwards,
            Note::TooLate => DiagnosticKind::Malformed,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Note::PrevMismatch => "sched_switch away from a task other than the one that was switched to before; the earlier run ends there",
            Note::RunsTwice => "a task is switched to while it runs on another CPU; each lane stays as its own switches say",
            Note::ForkOfLiving => "fork of a pid whose last task was not seen to die; a new generation begins",
            Note::LivingDead => "a task goes on running after it was switched out as dead, without a fork; a new generation begins",
            Note::StaleWakeup => "wakeup of a task that was switched out as dead; ignored",
            Note::NoWakeup => "a sleeping task is switched to without a wakeup; since when it was runnable is not known",
            Note::TimeBackwards => "an event is older than the one before it; taken as of the same time",
            Note::NoWakeupEvents => "the trace has no sched_wakeup; tasks that were woken do not count as waiting",
            Note::NoSwitch => "no sched_switch on this CPU; what it ran is unknown",
            Note::TooLate => "events more than 104 days after the first are taken as of that time",
            Note::SameCpuTwice => "two streams claim the same CPU; only the first is used",
        }
    }
}

#[derive(Debug)]
struct Count {
    count: u64,
    first: Option<u64>,
}

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    counts: BTreeMap<(Note, Option<u32>), Count>,
}

impl Notes {
    /// Counts one finding; the first one's time is kept.
    pub(crate) fn count(&mut self, note: Note, cpu: Option<u32>, at: Option<u64>) {
        self.counts
            .entry((note, cpu))
            .or_insert(Count { count: 0, first: at })
            .count += 1;
    }

    /// As diagnostics, with absolute times.
    pub(crate) fn into_diagnostics(self, base_ns: u64) -> impl Iterator<Item = Diagnostic> {
        self.counts
            .into_iter()
            .map(move |((note, cpu), Count { count, first })| Diagnostic {
                kind: note.kind(),
                cpu,
                at_ns: first.map(|at| base_ns.saturating_add(at)),
                count,
                text: note.text().to_owned(),
            })
    }
}
