//! How long any CPU was idle.

use super::blocks::{Sum, Sums};
use schedmodel::{Step, Steps};
use std::ops::Range;

/// ns in which some CPU was idle.
#[derive(Clone, Copy, Debug, Default)]
struct Idle(u64);

impl Sum for Idle {
    type Items<'a> = &'a Steps;
    const BLOCK: usize = 64;

    fn add(&mut self, steps: &Steps, range: Range<usize>, until: u64) {
        for Step { from, to, counts } in range.map(|index| steps.step(index)) {
            if 0 < counts.idle {
                self.0 += to.min(until) - from;
            }
        }
    }
}

/// How long any CPU was idle, up to any instant.
#[derive(Debug, Default)]
pub struct IdleTime {
    sums: Sums<Idle>,
}

impl IdleTime {
    /// Sums up some blocks of steps; true while there are more.
    pub fn step(&mut self, steps: &Steps, blocks: usize) -> bool {
        self.sums.step(steps, steps.len(), blocks)
    }

    fn until(&self, steps: &Steps, at: u64) -> u64 {
        let begun = steps.starts().partition_point(|start| start < at);
        self.sums.until(steps, begun, at).0
    }

    /// ns from `from` to `to` in which some CPU was idle.
    pub fn between(&self, steps: &Steps, from: u64, to: u64) -> u64 {
        self.until(steps, to).saturating_sub(self.until(steps, from))
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.sums.memory_bytes()
    }
}
