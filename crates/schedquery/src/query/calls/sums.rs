//! Sums of whole blocks of calls, so that a table of any window looks at single calls only where the window begins and ends.
//!
//! A block is so many successive calls of a thread. It holds a sum for each kind of calls in it; of the few kinds that a thread
//! has, these are some 3 bytes a call. The sums are made when the first table is.

use super::answer::Split;
use super::split::ThreadStates;
use super::Asked;
use crate::calls::{Call, Thread};
use std::cell::RefCell;
use std::ops::Range;

/// Calls of a block.
const BLOCK: usize = if cfg!(debug_assertions) { 4 } else { 256 };

/// Counts and sums of calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) errors: u32,
    pub(super) interrupted: u32,
    pub(super) ns: u64,
    pub(super) min: u64,
    /// The longest: how long, and when it was entered; of equal ones the first.
    pub(super) longest: (u64, u64),
    pub(super) split: [u64; PARTS],
}

/// The parts of a [`Split`].
const PARTS: usize = 7;

impl Sum {
    pub(super) fn of(call: &Call, split: &Split) -> Sum {
        Sum {
            count: 1,
            errors: u32::from(sysnames::is_error(call.ret)),
            interrupted: u32::from(sysnames::is_interrupted(call.ret)),
            ns: call.ns,
            min: call.ns,
            longest: (call.ns, call.at),
            split: split.parts().map(|part| part.unwrap_or(0)),
        }
    }

    pub(super) fn add(&mut self, other: &Sum) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let (ns, at) = other.longest;
        if self.longest.0 < ns || (self.longest.0 == ns && at < self.longest.1) {
            self.longest = other.longest;
        }
        self.count += other.count;
        self.errors += other.errors;
        self.interrupted += other.interrupted;
        self.ns = self.ns.saturating_add(other.ns);
        self.min = self.min.min(other.min);
        for (sum, part) in self.split.iter_mut().zip(other.split) {
            *sum = sum.saturating_add(part);
        }
    }

    /// ns on CPU, with what interrupts took.
    pub(super) fn oncpu(&self) -> u64 {
        let [oncpu, ..] = self.split;
        oncpu
    }
}

/// The blocks of a trace's threads.
#[derive(Debug, Default)]
pub(super) struct CallSums {
    done: RefCell<Vec<ThreadBlocks>>,
    /// Those of the next thread, as far as they are summed: by whoever asks, some at a time.
    next: RefCell<ThreadBlocks>,
}

/// Those of one thread: whole ones only, from its first call on.
#[derive(Debug, Default)]
struct ThreadBlocks {
    /// Where each block's sums end in `sums`.
    ends: Vec<u32>,
    /// A kind of calls, and its sum.
    sums: Vec<(u32, Sum)>,
}

impl CallSums {
    /// How many threads are summed.
    pub(super) fn threads(&self) -> usize {
        self.done.borrow().len()
    }

    /// Sums more calls of the next thread, which is this one, and at most as many as there are steps left; false once all are
    /// summed.
    pub(super) fn add(&self, asked: &Asked<'_>, thread: &Thread, steps: &mut usize) -> bool {
        let states = ThreadStates::new(asked, thread);
        let mut blocks = self.next.borrow_mut();
        let left = blocks.ends.len()..asked.calls.of(thread).len() / BLOCK;
        let some = left.len().min(steps.div_ceil(BLOCK).max(1));
        *steps = steps.saturating_sub(some * BLOCK);
        let blocks_left = some < left.len();
        for first in (left.start..left.start + some).map(|block| block * BLOCK) {
            let from = blocks.sums.len();
            asked.calls.each_kind(thread, first..first + BLOCK, |kind, call| {
                let what = asked.calls.what(kind);
                let one = Sum::of(&call, &states.gross(asked, call.at..call.end()));
                let of_block = blocks.sums.get_mut(from..).unwrap_or_default();
                match of_block.iter_mut().find(|(known, _)| *known == what) {
                    Some((_, sum)) => sum.add(&one),
                    None => blocks.sums.push((what, one)),
                }
            });
            let end = blocks.sums.len() as u32;
            blocks.ends.push(end);
        }
        if blocks_left {
            return true;
        }
        let mut done = std::mem::take(&mut *blocks);
        done.sums.shrink_to_fit();
        self.done.borrow_mut().push(done);
        false
    }

    /// The blocks of a thread that lie within some of its calls.
    pub(super) fn within(&self, thread: usize, calls: &Range<usize>) -> Range<usize> {
        let known = self.done.borrow().get(thread).map_or(0, |blocks| blocks.ends.len());
        let first = calls.start.div_ceil(BLOCK);
        first..(calls.end / BLOCK).min(known).max(first)
    }

    /// The calls that are in some blocks.
    pub(super) fn calls(blocks: &Range<usize>) -> Range<usize> {
        blocks.start * BLOCK..blocks.end * BLOCK
    }

    /// Calls `each` with the sums of some blocks of a thread, and the kinds whose they are.
    pub(super) fn each(&self, thread: usize, blocks: Range<usize>, mut each: impl FnMut(u32, &Sum)) {
        let all = self.done.borrow();
        let Some(of) = all.get(thread) else { return };
        let end = |block: usize| of.ends.get(block).map_or(0, |&end| end as usize);
        let from = blocks.start.checked_sub(1).map_or(0, end);
        let to = blocks.end.checked_sub(1).map_or(0, end).max(from);
        for (kind, sum) in of.sums.get(from..to).unwrap_or_default() {
            each(*kind, sum);
        }
    }
}
