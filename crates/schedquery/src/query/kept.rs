//! Results that several explanations share, found once per trace.

use super::moves::Moves;
use super::prepared::{Runqueues, Swept};
use crate::index::{Depth, Moves as Migrations, Shown};
use schedmodel::{Steps, Trace};
use std::sync::{Arc, OnceLock};

/// Indexes that are made when first needed, and kept.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    idle: OnceLock<IdleTime>,
    migrations: OnceLock<Migrations>,
    /// The runqueues of all tasks.
    pub(crate) runqueues: Arc<Runqueues>,
    /// Set by the job that finds them.
    pub(crate) moves: OnceLock<Arc<Moves>>,
}

impl Kept {
    pub(crate) fn idle(&self, trace: &Trace) -> &IdleTime {
        self.idle.get_or_init(|| IdleTime::new(&trace.steps))
    }

    /// Size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let idle = self.idle.get().map_or(0, |idle| idle.before.capacity() * 8);
        let migrations = self.migrations.get().map_or(0, Migrations::memory_bytes);
        idle + migrations + self.runqueues.memory_bytes() + self.moves.get().map_or(0, |moves| moves.memory_bytes())
    }

    /// Does some of the work for [`Kept::depth`] and [`Kept::swept`]; true once finished.
    pub(crate) fn prepare_swept(&self, trace: &Trace) -> bool {
        self.runqueues.prepare_swept(trace, &Shown::all(), None)
    }

    /// The runqueues of all tasks.
    pub(crate) fn depth(&self, trace: &Trace) -> &Depth {
        self.runqueues.depth(trace, &Shown::all())
    }

    /// What follows from the runqueues of all tasks about work conservation.
    pub(crate) fn swept(&self, trace: &Trace) -> &Swept {
        self.runqueues.swept(trace, &Shown::all(), None)
    }

    pub(crate) fn migrations(&self, trace: &Trace) -> &Migrations {
        self.migrations.get_or_init(|| Migrations::new(trace))
    }
}

/// Steps per stored sum.
const BLOCK: usize = 64;

/// How long any CPU was idle, up to any instant.
#[derive(Debug)]
pub(crate) struct IdleTime {
    /// Idle time before every BLOCK-th step.
    before: Vec<u64>,
}

impl IdleTime {
    fn new(steps: &Steps) -> IdleTime {
        let mut before = Vec::with_capacity(steps.len().div_ceil(BLOCK));
        let mut sum = 0;
        for index in 0..steps.len() {
            if index % BLOCK == 0 {
                before.push(sum);
            }
            sum += idle_of(steps, index, u64::MAX);
        }
        IdleTime { before }
    }

    fn until(&self, steps: &Steps, at: u64) -> u64 {
        let Some(index) = steps.starts().partition_point(|&start| start < at).checked_sub(1) else {
            return 0;
        };
        let block = index / BLOCK;
        let before = self.before.get(block).copied().unwrap_or(0);
        (block * BLOCK..=index).fold(before, |sum, index| sum + idle_of(steps, index, at))
    }

    /// ns from `from` to `to` in which some CPU was idle.
    pub(crate) fn between(&self, trace: &Trace, from: u64, to: u64) -> u64 {
        let steps = &trace.steps;
        self.until(steps, to).saturating_sub(self.until(steps, from))
    }
}

/// How long some CPU was idle in a step, up to `end`.
fn idle_of(steps: &Steps, index: usize, end: u64) -> u64 {
    let step = steps.step(index);
    if 0 < step.counts.idle {
        step.to.min(end) - step.from
    } else {
        0
    }
}
