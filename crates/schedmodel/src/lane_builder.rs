//! Builds a CPU's lane from its switches and gaps.

use super::codes::Codes;
use super::current_task::CurrentTask;
use super::lane::{flag, Lane, Wait, WaitCause, Who};
use super::lengths::Lengths;
use super::near::NearBuilder;
use super::task::{TaskCommId, TaskId};
use super::traits::{Trait, Traits};
use schedrows::Row;

/// One side of a switch: a key to compare tasks by, and what to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The same for all comms of a task; [`Side::IDLE`] for idle.
    pub(crate) key: u32,
    pub(crate) who: Who,
}

impl Side {
    pub(crate) const IDLE_KEY: u32 = u32::MAX;
    pub(crate) const IDLE: Side = Side {
        key: Self::IDLE_KEY,
        who: Who::Idle,
    };
    /// Neither a task nor idle: the value of [`LaneBuilder::current`] while the lane is unknown.
    pub(crate) const UNKNOWN_KEY: u32 = u32::MAX - 1;
    /// What a switch that does not tell takes off the CPU.
    pub(crate) const UNKNOWN: Side = Side {
        key: Self::UNKNOWN_KEY,
        who: Who::Unknown,
    };

    /// A task, under its present name.
    pub(crate) fn of(task: TaskId, live: &CurrentTask) -> Side {
        Side {
            key: task.0,
            who: Who::Run(live.name),
        }
    }
}

/// Result of a switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switched {
    /// Whether `prev` is the task that the lane expected, or the lane expected none.
    pub(crate) agreed: bool,
    /// Whether the lane has a run of `prev` that ended here in a known state.
    pub(crate) told: bool,
}

/// Builds the lane of one CPU from its switches and gaps, in time order.
#[derive(Debug)]
pub(crate) struct LaneBuilder {
    start: NearBuilder<u32>,
    who: Codes,
    waited: Lengths,
    traits: Vec<Trait>,
    /// Key of the task that has the CPU now.
    pub(crate) current: u32,
    /// A gap came before the first switch, so nothing can be inferred from that switch.
    lost: bool,
}

impl LaneBuilder {
    /// `switches`: an upper bound of their number.
    pub(crate) fn new(switches: usize) -> LaneBuilder {
        let capacity = switches + 1;
        LaneBuilder {
            start: NearBuilder::with_capacity(capacity),
            who: Codes::with_capacity(capacity),
            waited: Lengths::with_capacity(capacity),
            traits: Vec::with_capacity(capacity),
            current: Side::UNKNOWN_KEY,
            lost: false,
        }
    }

    /// Number of intervals so far.
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// When the last interval began; `None` before the first.
    pub(crate) fn last_start(&self) -> Option<u64> {
        (!self.start.is_empty()).then(|| self.start.last()).flatten()
    }

    /// The task of the last interval, if that is a run.
    pub(crate) fn last_run(&self) -> Option<TaskCommId> {
        match Who::from_code(self.who.get(self.len().checked_sub(1)?)?) {
            Who::Run(task) => Some(task),
            Who::Idle | Who::Unknown => None,
        }
    }

    /// Whether `key` has the CPU as far as the lane can tell: it was switched to, or nothing has told who was, before the
    /// first switch and behind a gap.
    pub(crate) fn may_have(&self, key: u32) -> bool {
        self.current == key || self.current == Side::UNKNOWN_KEY
    }

    /// A `sched_switch`.
    pub(crate) fn switch(
        &mut self,
        at: u64,
        prev: Side,
        state: u8,
        next: Side,
        prio: u8,
        wait: Option<Wait>,
    ) -> Switched {
        let mut closes = self.current == prev.key;
        let agreed = closes || self.current == Side::UNKNOWN_KEY || prev.key == Side::UNKNOWN_KEY;
        if self.start.is_empty() && 0 < at {
            // What ran before the first switch ran since the trace's start, unless events were lost meanwhile.
            closes = !self.lost && prev.key != Side::UNKNOWN_KEY;
            let (who, flags) = if closes {
                (prev.who, flag::INFERRED)
            } else {
                (Who::Unknown, 0)
            };
            self.push(0, who, flags, Row::NO_PRIO, None);
        }
        let mut told = false;
        if let (true, Who::Run(_), Some(last)) = (closes, prev.who, self.traits.last_mut()) {
            last.end_state = state;
            told = state != 0;
        }
        self.push(at, next.who, flag::SWITCH, prio, wait);
        self.current = next.key;
        Switched { agreed, told }
    }

    /// Continues the run of `before`, which has the CPU, as another task; returns the [`Row::prio`] of the run.
    pub(crate) fn go_on(&mut self, at: u64, before: Who, after: Side) -> u8 {
        if self.start.is_empty() && 0 < at {
            self.push(0, before, flag::INFERRED, Row::NO_PRIO, None);
        }
        let prio = self.traits.last().map_or(Row::NO_PRIO, |last| last.prio);
        self.push(at, after.who, flag::GOES_ON, prio, None);
        self.current = after.key;
        prio
    }

    /// Marks events from `at` on as lost.
    pub(crate) fn lost(&mut self, at: u64) {
        if self.start.is_empty() {
            self.lost = true;
        } else if self.current != Side::UNKNOWN_KEY {
            self.push(at, Who::Unknown, 0, Row::NO_PRIO, None);
        }
        self.current = Side::UNKNOWN_KEY;
    }

    /// The finished lane, up to the end of the trace.
    pub(crate) fn finish(mut self, span: u64) -> Lane {
        if self.start.is_empty() && 0 < span {
            self.push(0, Who::Unknown, 0, Row::NO_PRIO, None);
        }
        self.who.shrink_to_fit();
        self.waited.shrink_to_fit();
        Lane {
            end: span.max(self.start.last().unwrap_or(0)),
            start: self.start.finish(),
            who: self.who,
            waited: self.waited,
            traits: Traits::new(&self.traits),
        }
    }

    fn push(&mut self, at: u64, who: Who, flags: u8, prio: u8, wait: Option<Wait>) {
        let cause = match wait.map(|wait| wait.cause) {
            Some(WaitCause::Wakeup) => flag::WOKEN,
            Some(WaitCause::Preempted) => flag::PREEMPTED,
            Some(WaitCause::Replenished) => flag::REPLENISHED,
            None => 0,
        };
        self.start.push(at);
        self.who.push(who.code());
        self.waited.push(wait.map(|wait| at.saturating_sub(wait.since)));
        self.traits.push(Trait {
            flags: flags | cause,
            prio,
            end_state: 0,
        });
    }
}
