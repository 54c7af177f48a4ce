//! The outlines of running and waiting tasks: exact, or merged to printed dots.

use crate::paint::scale::Scale;
use schedmodel::{Counts, Steps};
use std::ops::Range;

/// The counts to draw for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Top {
    /// First ns.
    pub(crate) from: u64,
    /// First ns after it.
    pub(crate) to: u64,
    /// The fewest tasks that ran at any time.
    pub(crate) running_min: u32,
    /// The most that ran at any time; likewise below.
    pub(crate) running_max: u32,
    pub(crate) waiting: u32,
    /// The most that were runnable: running or waiting.
    pub(crate) runnable: u32,
}

impl Top {
    fn new(from: u64, to: u64, counts: Counts) -> Top {
        let Counts { running, waiting, .. } = counts;
        Top {
            from,
            to,
            running_min: running,
            running_max: running,
            waiting,
            runnable: running.saturating_add(waiting),
        }
    }

    /// The height at which the waiting tasks begin when they are drawn at the top of all runnable ones: between the
    /// minimum and the maximum of running; the maximum if no task waited.
    pub(crate) fn green(&self) -> u32 {
        self.runnable - self.waiting
    }

    /// Both, if `next` follows this one.
    fn and(self, next: Top) -> Top {
        Top {
            from: self.from,
            to: next.to,
            running_min: self.running_min.min(next.running_min),
            running_max: self.running_max.max(next.running_max),
            waiting: self.waiting.max(next.waiting),
            runnable: self.runnable.max(next.runnable),
        }
    }
}

/// Every step of a window.
pub(crate) fn exact(steps: &Steps, window: &Range<u64>) -> Vec<Top> {
    let within = steps.within(window.clone());
    joined(within.map(|step| Top::new(step.from, step.to, step.counts)))
}

/// The dots of a window that have steps; neighbours that look the same are joined.
pub(crate) fn columns(steps: &Steps, scale: &Scale) -> Vec<Top> {
    let Scale { ref window, dot, .. } = *scale;
    let mut found = Vec::new();
    let mut border = window.start.saturating_add(dot);
    let mut open: Option<Top> = None;
    for step in steps.within(window.clone()) {
        let mut from = step.from;
        while border <= step.to {
            let top = Top::new(from, border, step.counts);
            found.push(open.take().map_or(top, |open| open.and(top)));
            // First the dots that the step covers completely, then the one that it begins.
            let whole = (step.to - border) / dot * dot;
            if 0 < whole {
                found.push(Top::new(border, border + whole, step.counts));
            }
            from = border + whole;
            border = from.saturating_add(dot);
        }
        if from < step.to {
            let top = Top::new(from, step.to, step.counts);
            open = Some(open.map_or(top, |open| open.and(top)));
        }
    }
    joined(found.into_iter().chain(open))
}

fn joined(tops: impl Iterator<Item = Top>) -> Vec<Top> {
    let mut all: Vec<Top> = Vec::new();
    for top in tops {
        match all.last_mut() {
            Some(last) if Top { from: last.from, ..top } == Top { to: top.to, ..*last } => last.to = top.to,
            _ => all.push(top),
        }
    }
    all
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
