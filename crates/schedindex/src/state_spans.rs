//! From when on a task is in which state, and how long in each.

use super::blocks::{Sum, Sums};
use super::task_states::TaskState;
use schedmodel::gallop;
use std::ops::Range;

/// ns by [`TaskState`].
pub type StateTimes = [u64; TaskState::ALL.len()];

/// The states of a task and when they begin, as a struct of arrays.
#[derive(Debug, Default)]
pub struct StateSpans {
    pub(super) start: Vec<u64>,
    pub(super) state: Vec<u8>,
    times: Sums<StateTimes>,
    end: u64,
}

impl StateSpans {
    /// Number of spans.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there is no span, as in a trace that lasts no time.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// The last state so far, and since when.
    pub(super) fn last(&self) -> Option<(u64, TaskState)> {
        Some((*self.start.last()?, state_of(*self.state.last()?)))
    }

    pub(super) fn push(&mut self, at: u64, state: TaskState) {
        self.start.push(at);
        self.state.push(state as u8);
    }

    pub(super) fn pop(&mut self) {
        self.start.pop();
        self.state.pop();
    }

    /// Ends the last state at `end`; nothing is changed from now on.
    pub(super) fn finish(&mut self, end: u64) {
        self.end = end;
        self.start.shrink_to_fit();
        self.state.shrink_to_fit();
        self.times = Sums::<StateTimes>::new(self, self.len());
    }

    /// The same, with [`TaskState::Unborn`] in the place of all states for whose span `keep` is false.
    pub(super) fn keeping(&self, keep: impl Fn(usize, TaskState) -> bool) -> StateSpans {
        let kept = |(index, &state): (usize, &u8)| match keep(index, state_of(state)) {
            true => state,
            false => TaskState::Unborn as u8,
        };
        let mut spans = StateSpans {
            start: self.start.clone(),
            state: self.state.iter().enumerate().map(kept).collect(),
            ..StateSpans::default()
        };
        spans.finish(self.end);
        spans
    }

    /// State `index`; unknown where there is none.
    pub(super) fn state_at(&self, index: usize) -> TaskState {
        self.state
            .get(index)
            .map_or(TaskState::Unknown, |&state| state_of(state))
    }

    /// When span `index` begins; the end for one that does not exist.
    pub(super) fn start_of(&self, index: usize) -> u64 {
        self.start.get(index).copied().unwrap_or(self.end)
    }

    /// When span `index` ends.
    pub(super) fn end_of(&self, index: usize) -> u64 {
        self.start_of(index + 1)
    }

    /// The span that contains `at`.
    pub fn find(&self, at: u64) -> Option<usize> {
        if self.end <= at {
            return None;
        }
        self.start.partition_point(|&start| start <= at).checked_sub(1)
    }

    /// ns per state in a window, and the number of spans in it.
    pub fn times_in(&self, window: Range<u64>) -> (StateTimes, usize) {
        let mut walk = TimesWalk::new(self, window.start);
        walk.until(window.end)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.start.capacity() * 8 + self.state.capacity() + self.times.memory_bytes()
    }
}

/// Times from one instant to the next, in ascending order.
pub struct TimesWalk<'a> {
    spans: &'a StateSpans,
    /// The span that contains `at`.
    index: usize,
    at: u64,
}

/// Up to so many spans are added up one by one.
const FEW: usize = 2 * StateTimes::BLOCK;

impl<'a> TimesWalk<'a> {
    /// From the time `at` on.
    pub fn new(spans: &'a StateSpans, at: u64) -> TimesWalk<'a> {
        let at = at.min(spans.end);
        let index = spans.start.partition_point(|&start| start <= at).saturating_sub(1);
        TimesWalk { spans, index, at }
    }

    /// The same, quicker if that is in or shortly after a span.
    pub fn near(spans: &'a StateSpans, span: usize, at: u64) -> TimesWalk<'a> {
        if spans.end <= at || spans.start.get(span).is_none_or(|&start| at < start) {
            return TimesWalk::new(spans, at);
        }
        let index = gallop(&spans.start, span, at.saturating_add(1)).saturating_sub(1);
        TimesWalk { spans, index, at }
    }

    /// The span in which the walk is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether the walk is at the end.
    pub fn at_end(&self) -> bool {
        self.spans.end <= self.at
    }

    /// ns per state from the walk's position to `until`, its new position; and the number of spans in between.
    pub fn until(&mut self, until: u64) -> (StateTimes, usize) {
        let spans = self.spans;
        let until = until.min(spans.end);
        if until <= self.at {
            return (StateTimes::default(), 0);
        }
        // The span that contains the last ns.
        let last = gallop(&spans.start, self.index, until).saturating_sub(1);
        let count = last - self.index + 1;
        let mut times = StateTimes::default();
        if count <= FEW {
            times.add(spans, self.index..last + 1, until);
            let before = spans.start.get(self.index).map_or(0, |&start| self.at - start);
            if let Some(first) = times.get_mut(spans.state_at(self.index) as usize) {
                *first -= before;
            }
        } else {
            times = spans.times.until(spans, last + 1, until);
            let earlier = spans.times.until(spans, self.index + 1, self.at);
            for (time, earlier) in times.iter_mut().zip(earlier) {
                *time -= earlier;
            }
        }
        self.index = if spans.end_of(last) == until { last + 1 } else { last };
        self.at = until;
        (times, count)
    }
}

impl Sum for StateTimes {
    type Items<'a> = &'a StateSpans;
    const BLOCK: usize = 16;

    fn add(&mut self, spans: &StateSpans, range: Range<usize>, until: u64) {
        let starts = spans.start.get(range.clone()).unwrap_or_default();
        let kinds = spans.state.get(range.clone()).unwrap_or_default();
        for (index, (&start, &state)) in range.zip(starts.iter().zip(kinds)) {
            if let Some(time) = self.get_mut(usize::from(state)) {
                *time += spans.end_of(index).min(until).saturating_sub(start);
            }
        }
    }
}

fn state_of(code: u8) -> TaskState {
    TaskState::ALL
        .get(usize::from(code))
        .copied()
        .unwrap_or(TaskState::Unknown)
}
