//! How many CPUs run and idle and how many tasks wait, over time, as a step function.
//!
//! Changes at the same time are one change: a count must hold for at least one ns.

use super::near::{Near, Times};
use crate::stored::stored;
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

impl Steps {
    /// Sets the counts from `at` on, which must not be before an earlier change.
    pub fn set(&mut self, at: u64, counts: Counts) {
        if self.last() != Some(counts) {
            self.change(at, counts);
        }
    }

    /// The same, of counts that differ from the last.
    #[inline]
    pub(crate) fn change(&mut self, at: u64, counts: Counts) {
        if self.at.last() == Some(at) {
            self.pop();
            if self.last() == Some(counts) {
                return;
            }
        }
        self.at.push(at);
        self.running.push(counts.running.into());
        self.idle.push(counts.idle.into());
        self.waiting.push(counts.waiting.into());
    }

    /// Ends the last step at `span`.
    pub fn finish(&mut self, span: u64) {
        self.span = span;
        while self.at.last().is_some_and(|at| span <= at) {
            self.pop();
        }
        self.at.shrink_to_fit();
        self.running.shrink_to_fit();
        self.idle.shrink_to_fit();
        self.waiting.shrink_to_fit();
    }

    fn pop(&mut self) {
        self.at.pop();
        self.running.pop();
        self.idle.pop();
        self.waiting.pop();
    }

    /// The counts of the last step.
    fn last(&self) -> Option<Counts> {
        let count = |column: &Near<u8>| column.last().map(|count| count as u32);
        Some(Counts {
            running: count(&self.running)?,
            waiting: count(&self.waiting)?,
            idle: count(&self.idle)?,
        })
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
    use super::{Counts, Step, Steps};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_tells_what_range_tells(
            changes in prop::collection::vec((prop_oneof![1_u64..9, 1_u64..1 << 34], 0_u32..700, 0_u32..3, 0_u32..300), 1..90),
            from in 0_usize..90,
            count in 0_usize..90,
        ) {
            let mut steps = Steps::default();
            let mut at = 0;
            for (after, running, waiting, idle) in changes {
                steps.set(at, Counts { running, waiting, idle });
                at += after;
            }
            steps.finish(at);
            let range = from..from + count;
            let mut told: Vec<Step> = Vec::new();
            steps.each(range.clone(), |step| told.push(step));
            prop_assert_eq!(told, steps.range(range).collect::<Vec<_>>());
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
        let mut steps = Steps::default();
        for (at, count) in [(0, 1), (5, 2), (5, 7), (5, 1), (8, 3), (9, 4)] {
            steps.set(at, running(count));
        }
        steps.finish(9);
        let found: Vec<_> = steps
            .within(0..20)
            .map(|step| (step.from, step.to, step.counts.running))
            .collect();
        assert_eq!(found, [(0, 8, 1), (8, 9, 3)]);
    }
}
