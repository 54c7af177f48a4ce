//! Sums of whole blocks of calls, so that a table of any window looks at single calls only where the window begins and ends.
//!
//! A block is so many successive calls of a thread, or what is left of its calls. It holds a sum for each kind of calls in it,
//! packed: of the few kinds that a thread has, these are a byte or two a call. The sums are made when the first table is.

use super::answer::Split;
use super::split::ThreadStates;
use super::Asked;
use crate::calls::{Call, Thread};
use schedrows::varint;
use std::cell::RefCell;
use std::ops::Range;

/// Calls of a block.
const BLOCK: usize = if cfg!(debug_assertions) { 4 } else { 256 };

/// Counts and sums of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// Appends it, packed.
    fn pack(&self, kind: u32, bytes: &mut Vec<u8>) {
        let (longest, at) = self.longest;
        let counts = [u64::from(kind), self.count, self.errors.into(), self.interrupted.into()];
        for number in counts
            .into_iter()
            .chain([self.ns, self.min, longest, at])
            .chain(self.split)
        {
            varint::put(bytes, number);
        }
    }

    /// Takes what was packed, and its kind; `None` where the bytes end.
    fn unpack(bytes: &mut std::slice::Iter<'_, u8>) -> Option<(u32, Sum)> {
        let kind = varint::take(bytes)? as u32;
        let mut next = || varint::take(bytes).unwrap_or(0);
        let sum = Sum {
            count: next(),
            errors: next() as u32,
            interrupted: next() as u32,
            ns: next(),
            min: next(),
            longest: (next(), next()),
            split: std::array::from_fn(|_| next()),
        };
        Some((kind, sum))
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

/// Those of one thread, from its first call on to its last.
#[derive(Debug, Default)]
struct ThreadBlocks {
    /// How many calls are in blocks.
    calls: usize,
    /// Where each block's sums end in `sums`.
    ends: Vec<u32>,
    /// Kinds of calls and their sums, packed.
    sums: Vec<u8>,
    /// What the thread did in all its life.
    life: LifeTimes,
}

/// What a thread did in all its life, in ns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LifeTimes {
    pub(super) running: u64,
    /// What interrupts took of that.
    pub(super) irq: u64,
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
        let all = asked.calls.of(thread).len();
        let mut of_block: Vec<(u32, Sum)> = Vec::new();
        while blocks.calls < all {
            if *steps == 0 {
                return true;
            }
            let calls = blocks.calls..all.min(blocks.calls + BLOCK);
            *steps = steps.saturating_sub(calls.len());
            blocks.calls = calls.end;
            asked.calls.each_kind(thread, calls, |kind, call| {
                let what = asked.calls.what(kind);
                let one = Sum::of(&call, &states.gross(asked, call.at..call.end()));
                match of_block.iter_mut().find(|(known, _)| *known == what) {
                    Some((_, sum)) => sum.add(&one),
                    None => of_block.push((what, one)),
                }
            });
            for (kind, sum) in of_block.drain(..) {
                sum.pack(kind, &mut blocks.sums);
            }
            let end = blocks.sums.len() as u32;
            blocks.ends.push(end);
        }
        let mut done = std::mem::take(&mut *blocks);
        done.life = LifeTimes {
            running: states.ran(thread.life.clone()),
            irq: states.irq(asked, thread.life.clone()),
        };
        done.sums.shrink_to_fit();
        done.ends.shrink_to_fit();
        self.done.borrow_mut().push(done);
        false
    }

    /// What a thread did in all its life, if that is known yet.
    pub(super) fn life(&self, thread: usize) -> Option<LifeTimes> {
        self.done.borrow().get(thread).map(|blocks| blocks.life)
    }

    /// The blocks of a thread that lie within some of its calls, and which calls are in them.
    pub(super) fn within(&self, thread: usize, calls: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let all = self.done.borrow();
        let (count, known) = all.get(thread).map_or((0, 0), |of| (of.calls, of.ends.len()));
        let first = calls.start.div_ceil(BLOCK);
        let end = if calls.end == count {
            known
        } else {
            (calls.end / BLOCK).min(known)
        };
        let blocks = first..end.max(first);
        let within = count.min(blocks.start * BLOCK)..count.min(blocks.end * BLOCK);
        (blocks, within)
    }

    /// Calls `each` with the sums of some blocks of a thread, and the kinds whose they are.
    pub(super) fn each(&self, thread: usize, blocks: Range<usize>, mut each: impl FnMut(u32, &Sum)) {
        let all = self.done.borrow();
        let Some(of) = all.get(thread) else { return };
        let end = |block: usize| of.ends.get(block).map_or(0, |&end| end as usize);
        let from = blocks.start.checked_sub(1).map_or(0, end);
        let to = blocks.end.checked_sub(1).map_or(0, end).max(from);
        let mut packed = of.sums.get(from..to).unwrap_or_default().iter();
        while let Some((kind, sum)) = Sum::unpack(&mut packed) {
            each(kind, &sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(sums in prop::collection::vec((any::<u32>(), any::<[u64; 14]>(), 0..64_u32), 0..9)) {
            let of = |(kind, numbers, shift): &(u32, [u64; 14], u32)| {
                let [count, errors, interrupted, ns, min, longest, at, split @ ..] = numbers.map(|number| number >> shift);
                let (errors, interrupted) = (errors as u32, interrupted as u32);
                (*kind, Sum { count, errors, interrupted, ns, min, longest: (longest, at), split })
            };
            let mut bytes = Vec::new();
            sums.iter().map(of).for_each(|(kind, sum)| sum.pack(kind, &mut bytes));
            let mut packed = bytes.iter();
            for sum in &sums {
                prop_assert_eq!(Sum::unpack(&mut packed), Some(of(sum)));
            }
            prop_assert!(packed.as_slice().is_empty());
        }
    }
}
