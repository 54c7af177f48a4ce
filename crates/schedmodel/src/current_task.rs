//! What is known about a task at the current event.

use super::edge::{pack_cpu, unpack_cpu, Edge, EdgeNumber, WakeEvent, WakerContext};
use super::lane::WaitCause;
use super::steps::Counts;
use super::switched_out::SwitchedOut;
use super::task::{CommId, TaskCommId, TaskId};
use super::trace::{LooseWait, Throttle};
use schedrows::{Context, Row, StateCode};

/// The state of a task at the current event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not known: no event about it yet, or events were lost.
    Unknown,
    /// Forked, not yet woken for the first time.
    New,
    /// Running on the CPU of this stream.
    Running(u32),
    /// Runnable but not running.
    Waiting {
        since: u64,
        cause: WaitCause,
        /// Switched out with a `+`: it may have set a state of sleep, of which a wakeup finds it on its runqueue.
        preempted: bool,
        /// The edge, if a wakeup made it runnable.
        edge: Option<EdgeNumber>,
    },
    /// A deadline task off its runqueue until its next period. No event says when that begins; the next switch-in, or
    /// a migration before it, shows that it has begun.
    Throttled { since: u64 },
    /// Not runnable: sleeping, blocked, stopped or parked.
    Asleep { since: u64 },
    /// Switched out as X or Z; this generation is over.
    Dead { since: u64 },
}

impl State {
    /// When it died, if it is dead.
    pub(crate) fn dead_since(self) -> Option<u64> {
        match self {
            State::Dead { since } => Some(since),
            _ => None,
        }
    }

    /// The previous task's state after a switch-out with `state`.
    pub(crate) fn after_switch_out(state: StateCode, at: u64) -> State {
        match SwitchedOut::by(state) {
            SwitchedOut::Runnable => State::Waiting {
                since: at,
                cause: WaitCause::Preempted,
                preempted: state.preempted(),
                edge: None,
            },
            SwitchedOut::Throttled => State::Throttled { since: at },
            SwitchedOut::Asleep => State::Asleep { since: at },
            SwitchedOut::Dead => State::Dead { since: at },
            SwitchedOut::Unknown => State::Unknown,
        }
    }
}

/// A `sched_waking` whose `sched_wakeup` has not come yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waking {
    pub(crate) at: u64,
    pub(crate) context: WakerContext,
    pub(crate) waker: Option<TaskId>,
    /// As edges have them; see [`pack_cpu`].
    pub(crate) waker_cpu: u16,
    previous_cpu: u16,
}

impl Waking {
    pub(crate) fn new(
        at: u64,
        context: WakerContext,
        waker: Option<TaskId>,
        waker_cpu: u32,
        previous_cpu: Option<u32>,
    ) -> Waking {
        Waking {
            at,
            context,
            waker,
            waker_cpu: pack_cpu(Some(waker_cpu)),
            previous_cpu: pack_cpu(previous_cpu),
        }
    }

    /// The edge, whose wakee is not runnable yet.
    pub(crate) fn edge(self) -> Edge {
        Edge {
            at: self.at,
            woken: None,
            running: None,
            event: WakeEvent::Waking,
            context: self.context,
            waker: self.waker,
            waker_cpu: u32::from(self.waker_cpu),
            previous_cpu: unpack_cpu(self.previous_cpu),
            chosen_cpu: None,
            cpu: None,
        }
    }
}

/// The last known CPU of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// [`Place::UNKNOWN`] if it is not known.
    cpu: u32,
    /// Number of gaps in the trace until then; the task may have moved in a later one.
    gaps: u32,
}

impl Place {
    /// No CPU has this number.
    const UNKNOWN: u32 = u32::MAX;

    pub(crate) const NONE: Place = Place {
        cpu: Place::UNKNOWN,
        gaps: 0,
    };

    pub(crate) fn new(cpu: Option<u32>, gaps: u32) -> Place {
        let cpu = cpu.unwrap_or(Place::UNKNOWN);
        Place { cpu, gaps }
    }

    /// The CPU, if it is known.
    pub(crate) fn cpu(self) -> Option<u32> {
        (self.cpu != Place::UNKNOWN).then_some(self.cpu)
    }

    /// Whether an event that puts the task on `cpu` contradicts this: no event moved it, and no gap came in between.
    pub(crate) fn contradicts(self, cpu: Option<u32>, gaps: u32) -> bool {
        self.gaps == gaps && self.cpu != Place::UNKNOWN && cpu.is_some_and(|told| told != self.cpu)
    }
}

/// All that events ask and change about a task, in one line of the processor's cache: of what there is for each task,
/// nearly every event touches nothing else.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct CurrentTask {
    pub(crate) pid: i32,
    /// The last comm that an event gave it.
    pub(crate) comm: CommId,
    pub(crate) state: State,
    pub(crate) waking: Option<Waking>,
    /// A NUMA migration was announced and has not happened yet.
    pub(crate) numa: bool,
    /// Where it was last put, or ran.
    pub(crate) place: Place,
    /// The task with its latest comm.
    pub(crate) name: TaskCommId,
    /// Of its last switch-in; see [`Row::prio`].
    pub(crate) prio: u8,
}

const _: () = assert!(size_of::<CurrentTask>() == 64, "a line of the cache");

impl CurrentTask {
    /// Changes the state and the number of waiting tasks; returns the previous state.
    #[inline]
    pub(crate) fn set_state(&mut self, state: State, counts: &mut Counts) -> State {
        let before = std::mem::replace(&mut self.state, state);
        let waits = |state| u32::from(matches!(state, State::Waiting { .. }));
        counts.waiting = counts.waiting + waits(state) - waits(before);
        before
    }

    /// The wait that ends at an instant without a switch-in, if the task waits.
    #[inline]
    pub(crate) fn loose_wait(&self, until: u64) -> Option<LooseWait> {
        let State::Waiting { since, cause, .. } = self.state else {
            return None;
        };
        let who = self.name;
        Some(LooseWait {
            who,
            since,
            until,
            cause,
        })
    }

    /// If the task is throttled: as far as is known, until then.
    #[inline]
    pub(crate) fn throttle(&self, until: u64) -> Option<Throttle> {
        let State::Throttled { since } = self.state else {
            return None;
        };
        let who = self.name;
        Some(Throttle { who, since, until })
    }

    /// Stands for a task that the roster does not have.
    pub(crate) const NONE: CurrentTask = CurrentTask {
        pid: 0,
        comm: CommId::NONE,
        state: State::Unknown,
        waking: None,
        numa: false,
        place: Place::NONE,
        name: TaskCommId(u32::MAX),
        prio: Row::NO_PRIO,
    };
}

/// The context given by an event's `common_flags`.
pub(crate) fn context_of(row: &Row) -> WakerContext {
    if row.context & (Context::UNKNOWN | Context::NO_WRITER) != 0 {
        WakerContext::Unknown
    } else if row.context & (Context::HARDIRQ | Context::NMI) != 0 {
        WakerContext::Hardirq
    } else if row.context & Context::SOFTIRQ != 0 {
        WakerContext::Softirq
    } else {
        WakerContext::Task
    }
}

/// The context of the waker in a `sched_wakeup` that has no `sched_waking`; `on_chosen`: the CPU that the wakee is put on
/// wrote it.
///
/// The kernel may have put the wakee on a list of its new CPU, which then writes the event: in the handler of the
/// interrupt that the waker's CPU sent, or, if it was idle, in its idle loop. Such an event is always written on the
/// chosen CPU. So a task other than idle in task context is the waker, and so is an interrupt if the event is written
/// elsewhere or in a softirq; in all other cases the waker is unknown.
pub(crate) fn context_of_wakeup(row: &Row, on_chosen: bool) -> WakerContext {
    match context_of(row) {
        WakerContext::Task if row.common_pid != 0 => WakerContext::Task,
        WakerContext::Softirq => WakerContext::Softirq,
        WakerContext::Hardirq if !on_chosen => WakerContext::Hardirq,
        _ => WakerContext::Unknown,
    }
}
