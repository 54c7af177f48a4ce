//! From one CPU's switches and gaps to its lane.

use super::lane::{flag, Lane, Wait, WaitCause, Who, LONG};
use super::task::TaskCommId;
use schedrows::Row;

/// One side of a switch: an identity to compare with, and who to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    /// Same task, same key, whatever its comm; [`Party::IDLE`] for idle.
    pub(crate) key: u32,
    pub(crate) who: Who,
}

impl Party {
    pub(crate) const IDLE_KEY: u32 = u32::MAX;
    pub(crate) const IDLE: Party = Party {
        key: Self::IDLE_KEY,
        who: Who::Idle,
    };
    /// No task, no idle: what [`LaneBuilder::current`] is while a lane is unknown.
    pub(crate) const UNKNOWN_KEY: u32 = u32::MAX - 1;
}

/// What a switch found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switched {
    /// `prev` is who was thought to run, or nobody was.
    pub(crate) agreed: bool,
    /// The lane has a run of `prev` that ended here, and how.
    pub(crate) told: bool,
}

/// Turns one CPU's switches and gaps, in time order, into its lane.
#[derive(Debug)]
pub(crate) struct LaneBuilder {
    lane: Lane,
    /// Key of who has the CPU now.
    pub(crate) current: u32,
    /// A gap came before the first switch: nothing can be inferred from it.
    lost: bool,
}

impl LaneBuilder {
    /// `switches`: how many will come, at most.
    pub(crate) fn new(switches: usize) -> LaneBuilder {
        let capacity = switches + 1;
        let lane = Lane {
            start: Vec::with_capacity(capacity),
            who: Vec::with_capacity(capacity),
            waited: Vec::with_capacity(capacity),
            end_state: Vec::with_capacity(capacity),
            flags: Vec::with_capacity(capacity),
            prio: Vec::with_capacity(capacity),
            long_waits: Vec::new(),
            end: 0,
        };
        LaneBuilder {
            lane,
            current: Party::UNKNOWN_KEY,
            lost: false,
        }
    }

    /// Intervals begun so far.
    pub(crate) fn len(&self) -> usize {
        self.lane.len()
    }

    /// What the last interval is a run of.
    pub(crate) fn last_run(&self) -> Option<TaskCommId> {
        self.lane.run(self.lane.len().checked_sub(1)?)
    }

    /// As far as the lane can tell, `key` has the CPU: it was switched to, or is the first that is switched away from.
    pub(crate) fn may_have(&self, key: u32) -> bool {
        self.current == key || (self.lane.is_empty() && !self.lost)
    }

    /// A `sched_switch`.
    pub(crate) fn switch(
        &mut self,
        at: u64,
        prev: Party,
        state: u8,
        next: Party,
        prio: u8,
        wait: Option<Wait>,
    ) -> Switched {
        let mut closes = self.current == prev.key;
        let agreed = closes || self.current == Party::UNKNOWN_KEY;
        if self.lane.is_empty() && 0 < at {
            // What ran before the first switch ran since the trace's start, unless events were lost meanwhile.
            closes = !self.lost;
            let (who, flags) = if closes {
                (prev.who, flag::INFERRED)
            } else {
                (Who::Unknown, 0)
            };
            self.push(0, who, flags, Row::NO_PRIO, None);
        }
        let mut told = false;
        if let (true, Who::Run(_), Some(last)) = (closes, prev.who, self.lane.end_state.last_mut()) {
            *last = state;
            told = state != 0;
        }
        self.push(at, next.who, flag::SWITCH, prio, wait);
        self.current = next.key;
        Switched { agreed, told }
    }

    /// Who has the CPU, `before`, goes on as another task; gives the [`Row::prio`] of the run.
    pub(crate) fn go_on(&mut self, at: u64, before: Who, after: Party) -> u8 {
        if self.lane.is_empty() && 0 < at {
            self.push(0, before, flag::INFERRED, Row::NO_PRIO, None);
        }
        let prio = self.lane.prio.last().copied().unwrap_or(Row::NO_PRIO);
        self.push(at, after.who, flag::GOES_ON, prio, None);
        self.current = after.key;
        prio
    }

    /// Events were lost from `at` on.
    pub(crate) fn lost(&mut self, at: u64) {
        if self.lane.is_empty() {
            self.lost = true;
        } else if self.current != Party::UNKNOWN_KEY {
            self.push(at, Who::Unknown, 0, Row::NO_PRIO, None);
        }
        self.current = Party::UNKNOWN_KEY;
    }

    /// The lane, up to the trace's end.
    pub(crate) fn finish(mut self, span: u64) -> Lane {
        if self.lane.is_empty() && 0 < span {
            self.push(0, Who::Unknown, 0, Row::NO_PRIO, None);
        }
        self.lane.end = span.max(self.lane.start.last().copied().unwrap_or(0));
        let lane = &mut self.lane;
        lane.start.shrink_to_fit();
        lane.who.shrink_to_fit();
        lane.waited.shrink_to_fit();
        lane.end_state.shrink_to_fit();
        lane.flags.shrink_to_fit();
        lane.prio.shrink_to_fit();
        lane.long_waits.shrink_to_fit();
        self.lane
    }

    fn push(&mut self, at: u64, who: Who, flags: u8, prio: u8, wait: Option<Wait>) {
        let lane = &mut self.lane;
        let waited = wait.map_or(0, |wait| at.saturating_sub(wait.since));
        let cause = match wait.map(|wait| wait.cause) {
            Some(WaitCause::Wakeup) => flag::WOKEN,
            Some(WaitCause::Preempted) => flag::PREEMPTED,
            None => 0,
        };
        if u64::from(LONG) <= waited {
            lane.long_waits.push((lane.start.len() as u32, waited));
        }
        lane.start.push(at);
        lane.who.push(who.code());
        lane.waited.push(u32::try_from(waited).unwrap_or(LONG));
        lane.end_state.push(0);
        lane.flags.push(flags | cause);
        lane.prio.push(prio);
    }
}
