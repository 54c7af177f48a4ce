//! What is known about a task while the events are gone through.

use super::edge::{Edge, WakeEvent, WakerContext};
use super::lane::WaitCause;
use super::left::Left;
use super::task::{TaskCommId, TaskId};
use schedrows::{Context, Row, StateCode};

/// The state of a task at the current event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// No event has told yet, or events were lost.
    Unknown,
    /// Forked, not yet woken for the first time.
    New,
    /// On the CPU of this stream.
    Running(u32),
    /// Runnable, not on a CPU.
    Waiting {
        since: u64,
        cause: WaitCause,
        /// Index into the log of edges when a wakeup made it runnable.
        edge: Option<u32>,
    },
    /// A deadline task off its runqueue until its next period: nothing tells when that begins, but the next switch-in that
    /// it has begun.
    Throttled { since: u64 },
    /// Sleeping, blocked, stopped, parked: not runnable.
    Asleep,
    /// Switched out as X or Z; the generation is over.
    Dead { since: u64 },
}

impl State {
    /// Since when it is dead, if it is.
    pub(crate) fn dead_since(self) -> Option<u64> {
        match self {
            State::Dead { since } => Some(since),
            _ => None,
        }
    }

    /// Where a switch-out with `state` leaves the previous task.
    pub(crate) fn after_switch_out(state: StateCode, at: u64) -> State {
        match Left::by(state) {
            Left::Runnable => State::Waiting {
                since: at,
                cause: WaitCause::Preempted,
                edge: None,
            },
            Left::Throttled => State::Throttled { since: at },
            Left::Asleep => State::Asleep,
            Left::Dead => State::Dead { since: at },
            Left::Unknown => State::Unknown,
        }
    }
}

/// A `sched_waking` whose `sched_wakeup` has not come yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waking {
    pub(crate) at: u64,
    pub(crate) context: WakerContext,
    pub(crate) waker: Option<TaskId>,
    pub(crate) waker_cpu: u32,
    pub(crate) previous_cpu: Option<u32>,
}

impl Waking {
    /// As an edge whose wakee is not yet runnable.
    pub(crate) fn edge(self) -> Edge {
        Edge {
            at: self.at,
            woken: None,
            running: None,
            event: WakeEvent::Waking,
            context: self.context,
            waker: self.waker,
            waker_cpu: self.waker_cpu,
            previous_cpu: self.previous_cpu,
            chosen_cpu: None,
            cpu: None,
        }
    }
}

/// On which CPU a task was last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    cpu: Option<u32>,
    /// How many gaps the trace had until then: it may have been moved in one.
    gaps: u32,
}

impl Place {
    pub(crate) fn new(cpu: Option<u32>, gaps: u32) -> Place {
        Place { cpu, gaps }
    }

    /// An event says that it is on `cpu`, and nothing that was seen can have put it there.
    pub(crate) fn contradicts(self, cpu: Option<u32>, gaps: u32) -> bool {
        self.gaps == gaps && matches!((self.cpu, cpu), (Some(known), Some(told)) if known != told)
    }
}

/// One task, now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    pub(crate) state: State,
    pub(crate) waking: Option<Waking>,
    /// A NUMA move was announced and has not happened yet.
    pub(crate) numa: bool,
    /// Where it was put last, or ran.
    pub(crate) place: Place,
    /// The task under its latest comm.
    pub(crate) name: TaskCommId,
}

/// The context that an event's `common_flags` tell.
pub(crate) fn context_of(row: &Row) -> WakerContext {
    if row.context & (Context::HARDIRQ | Context::NMI) != 0 {
        WakerContext::Hardirq
    } else if row.context & Context::SOFTIRQ != 0 {
        WakerContext::Softirq
    } else {
        WakerContext::Task
    }
}

/// Who wakes in a `sched_wakeup` that no `sched_waking` belongs to, written on `cpu`.
///
/// The kernel may have put the wakee on a list of its new CPU, which then writes the event: in the handler of the
/// interrupt that the waker's CPU sent, or, where it was idle, in its idle loop. Such an event is always written on the
/// chosen CPU. So a real task in task context is the waker, and so is an interrupt when the event is written elsewhere
/// or in a softirq; of the others nothing can be said.
pub(crate) fn context_of_wakeup(row: &Row, cpu: u32) -> WakerContext {
    match context_of(row) {
        WakerContext::Task if row.common_pid != 0 => WakerContext::Task,
        WakerContext::Softirq => WakerContext::Softirq,
        WakerContext::Hardirq if cpu_number(row.arg) != Some(cpu) => WakerContext::Hardirq,
        _ => WakerContext::Unknown,
    }
}

/// A CPU field of an event; negative means none.
pub(crate) fn cpu_number(field: i32) -> Option<u32> {
    u32::try_from(field).ok()
}
