//! Conflicts: what each event claims, what is done when it contradicts earlier events, and how often that happened.

use crate::diagnostic::Diagnostic;
use crate::time::Time;
use schedrows::DiagnosticKind;
use std::collections::BTreeMap;

/// What can be wrong or missing in a stream of events, in the order of the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Conflict {
    CutAway,
    CutOff,
    BrokenChain,
    PrevMismatch,
    RunsTwice,
    RunsElsewhere,
    LivingDead,
    NoWakeup,
    RanUnseen,
    OtherTask,
    WakingTwice,
    WokenElsewhere,
    StaleWakeup,
    NewWithoutFork,
    NewOfLiving,
    MigrateRunning,
    MigrateDead,
    MigrateElsewhere,
    ForkOfLiving,
    TimeBackwards,
    NoWakeupEvents,
    NoSwitch,
    SentUnseen,
    WentOffline,
    SameCpuTwice,
    TooLate,
}

impl Conflict {
    /// The policy for each claim that contradicts the state so far: one table for the state machine, the command line
    /// and the page; `docs/numbers.md` has it for users. A text is `claim; policy`.
    ///
    /// A `sched_switch` overrules all other events on its own CPU; a wakeup, a migration or a fork never moves a task
    /// off a CPU. What no event proves stays unknown.
    fn declared(self) -> (DiagnosticKind, &'static str) {
        use DiagnosticKind::{Contradiction, Malformed, MissingEvent, TimeBackwards, Truncated};
        match self {
            Conflict::CutAway => (Truncated, "the file is cut off before anything tells what this CPU ran; that is unknown"),
            Conflict::CutOff => (Truncated, "the file is cut off within the data of this CPU; what it ran from here on is unknown"),
            Conflict::BrokenChain => (MissingEvent, "sched_switch to a task, and the next sched_switch takes another one off the CPU; what the CPU did in between is unknown"),
            Conflict::PrevMismatch => (Contradiction, "sched_switch away from a task other than the one that was switched to before; the earlier run ends there"),
            Conflict::RunsTwice => (Contradiction, "a task is switched to while it runs on another CPU; each lane stays as its own switches say"),
            Conflict::RunsElsewhere => (MissingEvent, "a task is switched to on another CPU than the one it was put on; where it is switched to counts"),
            Conflict::LivingDead => (Contradiction, "a task goes on running after it was switched out as dead, without a fork; a new generation begins"),
            Conflict::NoWakeup => (MissingEvent, "a sleeping task is switched to without a wakeup; since when it was runnable is not known"),
            Conflict::RanUnseen => (MissingEvent, "sched_waking or sched_wakeup of a task that waits already: it ran and slept meanwhile, unseen; what it did since it became runnable is unknown"),
            Conflict::OtherTask => (Contradiction, "an event was written by another task than the one that its CPU was switched to; the lane stays as its switches say"),
            Conflict::WakingTwice => (MissingEvent, "sched_waking of a task whose last sched_waking no sched_wakeup followed; the later one counts"),
            Conflict::WokenElsewhere => (MissingEvent, "sched_waking or sched_wakeup names another CPU than the one that the task was last on; the event is believed"),
            Conflict::StaleWakeup => (Contradiction, "wakeup of a task that was switched out as dead; ignored"),
            Conflict::NewWithoutFork => (MissingEvent, "sched_wakeup_new of a pid whose last task was switched out as dead, without a fork; a new generation begins"),
            Conflict::NewOfLiving => (Contradiction, "sched_wakeup_new of a task that was seen before; taken as a sched_wakeup"),
            Conflict::MigrateRunning => (Contradiction, "sched_migrate_task of a task that runs; counted as a migration, and its run goes on"),
            Conflict::MigrateDead => (Contradiction, "sched_migrate_task of a task that was switched out as dead; counted as a migration"),
            Conflict::MigrateElsewhere => (MissingEvent, "sched_migrate_task from another CPU than the one that the task was last on; the event is believed"),
            Conflict::ForkOfLiving => (MissingEvent, "fork of a pid whose last task was not seen to die; a new generation begins"),
            Conflict::TimeBackwards => (TimeBackwards, "an event is older than the one before it; taken as of the same time"),
            Conflict::NoWakeupEvents => (MissingEvent, "the trace has no sched_wakeup; a woken task waits from its sched_waking on, or from when it left the CPU, if that was later"),
            Conflict::NoSwitch => (MissingEvent, "no sched_switch on this CPU; what it ran is unknown"),
            Conflict::SentUnseen => (MissingEvent, "no sched_switch on this CPU, to which tasks were sent; what it ran, and what they did from then on, is unknown"),
            Conflict::WentOffline => (MissingEvent, "the CPU's stopper, migration/N, was switched to and never away from: the CPU went offline; what it does is unknown until it is back"),
            Conflict::SameCpuTwice => (Contradiction, "two streams claim the same CPU; only the first is used"),
            Conflict::TooLate => (Malformed, "events more than 104 days after the first; taken as of that time"),
        }
    }
}

/// How many places are kept for each kind of conflict and CPU, besides the first.
const MORE_PLACES: usize = 7;

#[derive(Debug)]
struct Count {
    count: u64,
    first: Option<u64>,
    more: Vec<u64>,
}

/// Counts of conflicts.
#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    counts: BTreeMap<(Conflict, Option<u32>), Count>,
}

impl Conflicts {
    /// Counts a conflict; keeps the times of the first ones.
    #[cold]
    pub(crate) fn count(&mut self, conflict: Conflict, cpu: Option<u32>, at: Option<u64>) {
        let counted = self.counts.entry((conflict, cpu)).or_insert(Count {
            count: 0,
            first: at,
            more: Vec::new(),
        });
        if 0 < counted.count && counted.more.len() < MORE_PLACES {
            counted.more.extend(at);
        }
        counted.count += 1;
    }

    /// As diagnostics.
    pub(crate) fn into_diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        self.counts.into_iter().map(move |((conflict, cpu), counted)| {
            let (kind, text) = conflict.declared();
            Diagnostic {
                kind,
                cpu,
                at: counted.first.map(Time),
                count: counted.count,
                more: counted.more.into_iter().map(Time).collect(),
                text: text.to_owned(),
            }
        })
    }
}
