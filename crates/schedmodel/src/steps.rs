//! How many CPUs run and idle and how many tasks wait, over time, as a step function.
//!
//! Changes at the same time are one change: a count must hold for at least one ns.

use super::near::{Near, NearBuilder, Times};
use crate::stored::stored;
use schedrows::sort_by_keys;
use std::ops::Range;

/// The counts at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// CPUs that run a task that is shown.
    pub running: u32,
    /// Tasks that are shown and are runnable but do not run.
    pub waiting: u32,
    /// Idle CPUs, whatever is shown.
    pub idle: u32,
}

impl Counts {
    /// Whether some task waits although some CPU is idle.
    pub fn violates(self) -> bool {
        0 < self.waiting.min(self.idle)
    }
}

/// One step: the counts hold from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// First ns.
    pub from: u64,
    /// First ns after it.
    pub to: u64,
    /// The counts in between.
    pub counts: Counts,
}

/// The steps; they tile `[0, span)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    span: u64,
    /// Times at which the counts change: ascending, from 0.
    at: Times,
    running: Near<u8>,
    idle: Near<u8>,
    waiting: Near<u8>,
}

/// Builds steps from changes in the order of time. All counts are zero before the first.
#[derive(Debug, Default)]
pub struct StepsBuilder {
    at: NearBuilder<u32>,
    running: NearBuilder<u8>,
    idle: NearBuilder<u8>,
    waiting: NearBuilder<u8>,
    /// The last step that has been added.
    before: Option<Counts>,
    /// What holds since the last change.
    since: u64,
    counts: Counts,
    /// The last change was undone at its own time.
    undone: bool,
}

impl StepsBuilder {
    /// With room for so many changes: to grow, a list is copied, into memory that is touched for the first time.
    pub(crate) fn with_capacity(changes: usize) -> StepsBuilder {
        StepsBuilder {
            at: NearBuilder::with_capacity(changes),
            running: NearBuilder::with_capacity(changes),
            idle: NearBuilder::with_capacity(changes),
            waiting: NearBuilder::with_capacity(changes),
            ..StepsBuilder::default()
        }
    }

    /// Sets the counts from `at` on, which must not be before an earlier change.
    #[inline]
    pub fn set(&mut self, at: u64, counts: Counts) {
        if self.counts == counts {
            return;
        }
        if self.since < at || self.undone {
            self.end_last();
            self.since = at;
        }
        self.counts = counts;
        self.undone = self.before == Some(counts);
    }

    /// Adds the step that the last change began.
    fn end_last(&mut self) {
        if !self.undone {
            let counts = self.counts;
            self.at.push(self.since);
            self.running.push(counts.running.into());
            self.idle.push(counts.idle.into());
            self.waiting.push(counts.waiting.into());
            self.before = Some(counts);
        }
    }

    /// The steps, the last of which ends at `span`.
    pub fn finish(mut self, span: u64) -> Steps {
        if self.since < span {
            self.end_last();
        }
        Steps {
            span,
            at: self.at.finish(),
            running: self.running.finish(),
            idle: self.idle.finish(),
            waiting: self.waiting.finish(),
        }
    }
}

/// What later events show of a stretch of time that has been counted already: how much more, or less, is to be counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correction {
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// By how much the counts change.
    pub(crate) running: i32,
    pub(crate) waiting: i32,
}

impl Steps {
    /// The steps with what later events show.
    pub(crate) fn corrected(self, corrections: &[Correction]) -> Steps {
        let halves = corrections.iter().filter(|one| one.from < one.to);
        let halves = halves.flat_map(|one| {
            [
                (one.from, one.running, one.waiting),
                (one.to, -one.running, -one.waiting),
            ]
        });
        let mut changes: Vec<(u64, i32, i32)> = halves.collect();
        if changes.is_empty() {
            return self;
        }
        sort_by_keys(&mut changes, |&(at, ..)| [at, 0]);
        let mut builder = StepsBuilder::with_capacity(self.len() + changes.len());
        let mut changes = changes.into_iter().peekable();
        let (mut running, mut waiting) = (0, 0);
        self.each(0..self.len(), |Step { from, to, counts }| {
            let mut at = from;
            while at < to {
                while let Some((_, more_running, more_waiting)) = changes.next_if(|&(change, ..)| change <= at) {
                    (running, waiting) = (running + more_running, waiting + more_waiting);
                }
                let corrected = Counts {
                    running: counts.running.saturating_add_signed(running),
                    waiting: counts.waiting.saturating_add_signed(waiting),
                    ..counts
                };
                builder.set(at, corrected);
                at = changes.peek().map_or(to, |&(change, ..)| change.min(to));
            }
        });
        builder.finish(self.span)
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there are no steps, as in a trace without a span.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// End of the last step.
    pub fn span(&self) -> u64 {
        self.span
    }

    /// Starts of the steps, ascending.
    pub fn starts(&self) -> &Times {
        &self.at
    }

    /// The counts of step `index`; none where there is no such step.
    pub fn counts(&self, index: usize) -> Counts {
        let count = |column: &Near<u8>| column.get(index).map_or(0, |count| count as u32);
        Counts {
            running: count(&self.running),
            waiting: count(&self.waiting),
            idle: count(&self.idle),
        }
    }

    /// The counts at an instant; `None` at or after the end.
    pub fn at(&self, at: u64) -> Option<Counts> {
        let index = self.at.partition_point(|start| start <= at).checked_sub(1)?;
        (at < self.span).then(|| self.counts(index))
    }

    /// Step `index`.
    pub fn step(&self, index: usize) -> Step {
        Step {
            from: self.at.get(index).unwrap_or(self.span),
            to: self.at.get(index + 1).unwrap_or(self.span),
            counts: self.counts(index),
        }
    }

    /// The steps in a range of indexes, as far as there are any; reading them one after the other is cheaper than one by one.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = Step> + '_ {
        let of = |column| Near::<u8>::range(column, range.clone());
        let counts = of(&self.running).zip(of(&self.idle)).zip(of(&self.waiting));
        let ends = self
            .at
            .range(range.start.saturating_add(1)..range.end.saturating_add(1));
        let times = self.at.range(range.clone()).zip(ends.chain([self.span]));
        times.zip(counts).map(|((from, to), ((running, idle), waiting))| Step {
            from,
            to,
            counts: Counts {
                running: running as u32,
                waiting: waiting as u32,
                idle: idle as u32,
            },
        })
    }

    /// Calls `each` with the steps in a range of indexes, as far as there are any: the quickest way through very many.
    #[inline]
    pub fn each(&self, range: Range<usize>, mut each: impl FnMut(Step)) {
        let end = range.end.min(self.len());
        if end <= range.start {
            return;
        }
        let mut last = (self.at.get(range.start).unwrap_or(self.span), self.counts(range.start));
        let mut index = range.start + 1;
        while index < end {
            let columns = [&self.running, &self.idle, &self.waiting].map(|column| column.stretch(index));
            let [(running_from, running), (idle_from, idle), (waiting_from, waiting)] = columns;
            let (base, times) = self.at.stretch(index);
            let times = times.get(..end - index).unwrap_or(times);
            let counts = running.iter().zip(idle).zip(waiting);
            let before = index;
            for (&at, ((&running, &idle), &waiting)) in times.iter().zip(counts) {
                let from = base.saturating_add(at.into());
                let (from_before, counts) = last;
                each(Step {
                    from: from_before,
                    to: from,
                    counts,
                });
                let counts = Counts {
                    running: (running_from + u64::from(running)) as u32,
                    waiting: (waiting_from + u64::from(waiting)) as u32,
                    idle: (idle_from + u64::from(idle)) as u32,
                };
                last = (from, counts);
                index += 1;
            }
            if index == before {
                break;
            }
        }
        let (from, counts) = last;
        let to = self.at.get(index).unwrap_or(self.span);
        each(Step { from, to, counts });
    }

    /// The steps that overlap a window, clipped to it.
    pub fn within(&self, window: Range<u64>) -> impl Iterator<Item = Step> + '_ {
        let first = self.at.partition_point(|at| at <= window.start).saturating_sub(1);
        let last = self.at.partition_point(|at| at < window.end);
        self.range(first..last).filter_map(move |step| {
            let (from, to) = (step.from.max(window.start), step.to.min(window.end));
            (from < to).then_some(Step { from, to, ..step })
        })
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let counts = [&self.running, &self.idle, &self.waiting];
        self.at.memory_bytes() + counts.map(Near::memory_bytes).iter().sum::<usize>()
    }
}

stored!(Steps {
    span: u64,
    at: Times,
    running: Near<u8>,
    idle: Near<u8>,
    waiting: Near<u8>,
});

#[cfg(test)]
mod tests {
    use super::{Counts, Step, StepsBuilder};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_tells_what_range_tells(
            changes in prop::collection::vec((prop_oneof![1_u64..9, 1_u64..1 << 34], 0_u32..700, 0_u32..3, 0_u32..300), 1..90),
            from in 0_usize..90,
            count in 0_usize..90,
        ) {
            let mut steps = StepsBuilder::default();
            let mut at = 0;
            for (after, running, waiting, idle) in changes {
                steps.set(at, Counts { running, waiting, idle });
                at += after;
            }
            let steps = steps.finish(at);
            let range = from..from + count;
            let mut told: Vec<Step> = Vec::new();
            steps.each(range.clone(), |step| told.push(step));
            prop_assert_eq!(told, steps.range(range).collect::<Vec<_>>());
        }
    }

    proptest! {
        /// Instant by instant.
        #[test]
        fn steps_are_what_the_changes_say(changes in prop::collection::vec((0_u64..3, 0_u32..300, 0_u32..2), 0..60), beyond in 0_u64..3) {
            let (mut steps, mut at, mut holds) = (StepsBuilder::default(), 0, vec![Counts::default()]);
            for (after, running, waiting) in changes {
                at += after;
                let counts = Counts { running, waiting, idle: 0 };
                steps.set(at, counts);
                holds.resize(at as usize + 1, holds[holds.len() - 1]);
                holds[at as usize] = counts;
            }
            let span = at + beyond;
            holds.resize(span as usize, holds[holds.len() - 1]);
            let steps = steps.finish(span);
            let found: Vec<Counts> = (0..span).map_while(|at| steps.at(at)).collect();
            holds.truncate(span as usize);
            prop_assert_eq!(&found, &holds);
            let changes = holds.windows(2).filter(|pair| pair[0] != pair[1]).count();
            prop_assert_eq!(steps.len(), changes + usize::from(0 < span));
        }
    }

    fn running(running: u32) -> Counts {
        Counts {
            running,
            ..Counts::default()
        }
    }

    #[test]
    fn what_holds_for_no_time_leaves_no_step() {
        let mut steps = StepsBuilder::default();
        for (at, count) in [(0, 1), (5, 2), (5, 7), (5, 1), (8, 3), (9, 4)] {
            steps.set(at, running(count));
        }
        let steps = steps.finish(9);
        let found: Vec<_> = steps
            .within(0..20)
            .map(|step| (step.from, step.to, step.counts.running))
            .collect();
        assert_eq!(found, [(0, 8, 1), (8, 9, 3)]);
    }
}
