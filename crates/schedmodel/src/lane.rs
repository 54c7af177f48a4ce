//! A CPU's lane: intervals that tile the trace, as a struct of arrays.

use super::codes::Codes;
use super::lengths::Lengths;
use super::near::Times;
use super::prio::kernel_prio;
use super::task::TaskCommId;
use super::traits::{Trait, Traits};
use crate::named;
use crate::stored::{stored, stored_words};
use schedrows::StateCode;
use std::ops::Range;

/// What a CPU does during an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A task.
    Run(TaskCommId),
    /// The idle task, `swapper/N`.
    Idle,
    /// Not known: events were lost, or the CPU has no switch.
    Unknown,
}

const IDLE: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

impl Who {
    pub(super) fn code(self) -> u32 {
        match self {
            Who::Run(id) => id.0,
            Who::Idle => IDLE,
            Who::Unknown => UNKNOWN,
        }
    }

    pub(super) fn from_code(code: u32) -> Who {
        match code {
            IDLE => Who::Idle,
            UNKNOWN => Who::Unknown,
            id => Who::Run(TaskCommId(id)),
        }
    }
}

/// How a wait began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitCause {
    /// By a wakeup.
    Wakeup,
    /// By a switch-out as runnable (R, R+).
    Preempted,
    /// A throttled deadline task was moved to another CPU: its next period has begun.
    Replenished,
}

named!(WaitCause as "WaitCause" { Wakeup = "wakeup", Preempted = "preempted", Replenished = "replenished" });

/// The time that a task was runnable before it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When it began.
    pub since: u64,
    /// How it began.
    pub cause: WaitCause,
}

/// One interval of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// First ns.
    pub start: u64,
    /// First ns after it. Equals `start` when two switches have the same time.
    pub end: u64,
    /// What the CPU did.
    pub who: Who,
}

pub(super) mod flag {
    /// The start was not seen: the interval is what ran before the CPU's first switch.
    pub const INFERRED: u8 = 1;
    /// A `sched_switch` opened the interval.
    pub const SWITCH: u8 = 2;
    /// The task had waited since a wakeup.
    pub const WOKEN: u8 = 4;
    /// The task had waited since it was preempted.
    pub const PREEMPTED: u8 = 8;
    /// The task had waited since it was replenished.
    pub const REPLENISHED: u8 = WOKEN | PREEMPTED;
    /// The thread of the previous interval continues: it took over its leader's pid by an exec.
    pub const GOES_ON: u8 = 16;
}

/// The intervals of one CPU: they tile `[0, end)` without gap or overlap, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    pub(super) start: Times,
    pub(super) who: Codes,
    /// From the begin of the wait to the start of the run.
    pub(super) waited: Lengths,
    pub(super) traits: Traits,
    pub(super) end: u64,
}

impl Lane {
    /// The lane of no CPU.
    pub(super) const NONE: Lane = Lane {
        start: Times::NONE,
        who: Codes::NONE,
        waited: Lengths::NONE,
        traits: Traits::NONE,
        end: 0,
    };

    /// Number of intervals.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Only the lane of a trace without any span has no interval.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// End of the last interval: the trace's span.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Starts of all intervals, ascending.
    pub fn starts(&self) -> &Times {
        &self.start
    }

    /// Where interval `index` begins; the lane's end where there is none.
    pub fn start_of(&self, index: usize) -> u64 {
        self.start.get(index).unwrap_or(self.end)
    }

    /// Where interval `index` ends.
    pub fn end_of(&self, index: usize) -> u64 {
        self.start.get(index + 1).unwrap_or(self.end)
    }

    /// What the CPU does in interval `index`.
    #[inline]
    pub fn who(&self, index: usize) -> Who {
        self.who.get(index).map_or(Who::Unknown, Who::from_code)
    }

    /// The (task, comm) of interval `index` if it is a run.
    pub fn run(&self, index: usize) -> Option<TaskCommId> {
        match self.who(index) {
            Who::Run(id) => Some(id),
            Who::Idle | Who::Unknown => None,
        }
    }

    /// Interval `index`; an empty one at the lane's end where there is none.
    pub fn interval(&self, index: usize) -> Interval {
        Interval {
            start: self.start_of(index),
            end: self.end_of(index),
            who: self.who(index),
        }
    }

    /// All intervals in order.
    pub fn intervals(&self) -> impl Iterator<Item = Interval> + '_ {
        let ends = self.start.range(1..self.len()).chain([self.end]);
        let times = self.start.iter().zip(ends).enumerate();
        times.map(|(index, (start, end))| Interval {
            start,
            end,
            who: self.who(index),
        })
    }

    /// Calls `each` with the intervals in a range of indexes and these indexes, as far as there are any: the quickest way through
    /// very many.
    #[inline]
    pub fn each(&self, range: Range<usize>, mut each: impl FnMut(usize, Interval)) {
        let end = range.end.min(self.len());
        let (mut index, mut start) = (range.start, self.start_of(range.start));
        while index < end {
            let (base, starts) = self.start.stretch(index + 1);
            let starts = starts.get(..end - index).unwrap_or(starts);
            let ends = starts.iter().map(|&next| base.saturating_add(next.into()));
            // Behind the last interval there is no start.
            let last = starts.is_empty().then_some(self.end);
            for end in ends.chain(last) {
                let who = self.who(index);
                each(index, Interval { start, end, who });
                (index, start) = (index + 1, end);
            }
        }
    }

    /// The interval that contains `at`; never one of zero length.
    pub fn find(&self, at: u64) -> Option<usize> {
        if at >= self.end {
            return None;
        }
        self.start.partition_point(|start| start <= at).checked_sub(1)
    }

    /// Like [`Lane::find`], for an instant at or after the start of interval `hint`; cheap when it is near.
    pub fn find_from(&self, hint: usize, at: u64) -> Option<usize> {
        if at >= self.end {
            return None;
        }
        self.start.gallop(hint, at.saturating_add(1)).checked_sub(1)
    }

    /// Whether interval `index` is what ran before the CPU's first switch: only the first one can be.
    pub fn inferred(&self, index: usize) -> bool {
        index == 0 && self.flags(index) & flag::INFERRED != 0
    }

    /// The intervals of the run that contains interval `index`. There are several if the thread took over its leader's
    /// pid by an exec and continued as another task.
    pub fn whole_run(&self, index: usize) -> Range<usize> {
        let goes_on = |index: usize| self.flags(index) & flag::GOES_ON != 0;
        let first = (1..=index).rev().find(|&index| !goes_on(index)).unwrap_or(0);
        let last = (index..).find(|&index| !goes_on(index + 1)).unwrap_or(index);
        first..last + 1
    }

    /// Whether a `sched_switch` opened the interval; others are inferred, unknown, or continue after an exec.
    pub fn switched_to(&self, index: usize) -> bool {
        self.flags(index) & flag::SWITCH != 0
    }

    fn flags(&self, index: usize) -> u8 {
        self.traits.get(index).map_or(0, |traits| traits.flags)
    }

    /// Whether the interval lasts until the end of the trace.
    pub fn open(&self, index: usize) -> bool {
        index + 1 == self.len()
    }

    /// `prev_state` at the end of a run; `None` if no switch ended it.
    pub fn end_state(&self, index: usize) -> Option<StateCode> {
        let code = self.traits.get(index)?.end_state;
        (code != 0).then_some(StateCode(code))
    }

    /// Kernel priority of a run at its switch-in, -1 for deadline; `None` if it is not known.
    pub fn prio(&self, index: usize) -> Option<i32> {
        kernel_prio(self.traits.get(index)?.prio)
    }

    /// How long the task had been runnable when run `index` began; `None` when the trace does not say.
    pub fn wait(&self, index: usize) -> Option<Wait> {
        self.wait_before(index, self.start.get(index)?)
    }

    /// The same, if it is known that the run begins at `start`.
    #[inline]
    pub fn wait_before(&self, index: usize, start: u64) -> Option<Wait> {
        let cause = match self.flags(index) & (flag::WOKEN | flag::PREEMPTED) {
            0 => return None,
            flag::PREEMPTED => WaitCause::Preempted,
            flag::REPLENISHED => WaitCause::Replenished,
            _ => WaitCause::Wakeup,
        };
        let waited = self.waited.get(index)?;
        Some(Wait {
            since: start.saturating_sub(waited),
            cause,
        })
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.start.memory_bytes() + self.who.memory_bytes() + self.waited.memory_bytes() + self.traits.memory_bytes()
    }
}

/// Lanes made by hand, for tests and for schedules that no recording tells.
impl Lane {
    /// Intervals of these lengths, one after the other; the first is inferred if it is a run.
    pub fn of(intervals: &[(u64, Who)]) -> Lane {
        let mut lane = Lane::default();
        let (mut starts, mut traits) = (Vec::new(), Vec::new());
        for &(length, who) in intervals {
            let first = matches!(who, Who::Run(_)) && starts.is_empty();
            starts.push(lane.end);
            lane.who.push(who.code());
            lane.waited.push(None);
            traits.push(Trait {
                flags: if first { flag::INFERRED } else { 0 },
                ..Trait::default()
            });
            lane.end += length;
        }
        lane.start = starts.into_iter().collect();
        lane.traits = Traits::new(&traits);
        lane
    }

    /// Marks all known intervals as opened by a switch.
    pub fn switch_all(&mut self) {
        let mut traits: Vec<Trait> = self.traits.iter().collect();
        for (index, each) in traits.iter_mut().enumerate() {
            let known = self.who.get(index).is_some_and(|who| who != UNKNOWN);
            each.flags |= if known { flag::SWITCH } else { 0 };
        }
        self.traits = Traits::new(&traits);
    }
}

/// The first index at or after `from` whose time is at least `time`, by galloping search: near results are cheap, far
/// ones logarithmic.
pub fn gallop(at: &[u64], from: usize, time: u64) -> usize {
    let mut step = 1;
    let mut low = from;
    while at.get(low + step - 1).is_some_and(|&at| at < time) {
        low += step;
        step *= 2;
    }
    let high = (low + step - 1).min(at.len());
    let near = at.get(low..high).unwrap_or_default();
    low + near.partition_point(|&at| at < time)
}

stored_words!(WaitCause);
stored!(Lane {
    start: Times,
    who: Codes,
    waited: Lengths,
    traits: Traits,
    end: u64,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_tells_every_interval(
            lengths in prop::collection::vec(prop_oneof![0_u64..9, 1_u64..1 << 34], 0..600),
            from in 0_usize..600,
            count in 0_usize..600,
        ) {
            let intervals = lengths.iter().zip(0..).map(|(&length, id)| (length, Who::Run(TaskCommId(id))));
            let lane = Lane::of(&intervals.collect::<Vec<_>>());
            let range = from..from + count;
            let mut told = Vec::new();
            lane.each(range.clone(), |index, interval| told.push((index, interval)));
            let known = range.filter(|&index| index < lane.len());
            prop_assert_eq!(told, known.map(|index| (index, lane.interval(index))).collect::<Vec<_>>());
        }
    }
}
