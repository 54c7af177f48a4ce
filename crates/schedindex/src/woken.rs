//! Wake-up latencies of a task in any window.

use super::blocks::{Fold, Folds};
use super::uncertain::latency_in_doubt;
use schedmodel::{TaskId, Trace};
use std::ops::Range;

/// Wakeups that led to a switch-in, without those whose latency is [uncertain](latency_in_doubt).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Woken {
    /// How many.
    pub count: u64,
    /// The sum of their latencies, in ns.
    pub latency: u64,
    /// The longest of them.
    pub max: u64,
}

impl Fold for Woken {
    type Items<'a> = &'a Trace;
    const FAN: usize = 16;
    const NONE: Woken = Woken {
        count: 0,
        latency: 0,
        max: 0,
    };

    fn walk(trace: &Trace, edges: Range<usize>) -> Woken {
        let latencies = edges.filter_map(|index| trace.edges.latency(index).filter(|_| is_certain(trace, index)));
        latencies.fold(Woken::NONE, |sum, latency| {
            sum.and(Woken {
                count: 1,
                latency,
                max: latency,
            })
        })
    }

    fn and(self, other: Woken) -> Woken {
        Woken {
            count: self.count + other.count,
            latency: self.latency.saturating_add(other.latency),
            max: self.max.max(other.max),
        }
    }
}

fn is_certain(trace: &Trace, index: usize) -> bool {
    // Few traces have holes, and to find the wakee takes longer than all else here.
    let has_holes = !trace.holes.all().is_empty();
    !(has_holes && latency_in_doubt(trace, trace.edges.wakee(index), &trace.edges.get(index)))
}

/// Sums over the edges, which are grouped by wakee.
#[derive(Clone, Debug, Default)]
pub struct WakeSums {
    folds: Folds<Woken>,
}

impl WakeSums {
    /// Sums up some blocks of edges; true while there are more.
    pub fn step(&mut self, trace: &Trace, blocks: usize) -> bool {
        self.folds.step(trace, trace.edges.len(), blocks)
    }

    /// The wakeups of `wakee` whose latency starts in the window, is certain, and ended with a switch-in.
    pub fn in_window(&self, trace: &Trace, wakee: TaskId, window: &Range<u64>) -> Woken {
        let all = trace.edges.of(wakee);
        let first_from = |at: u64| trace.edges.first_from(all.clone(), at);
        let (from, to) = (first_from(window.start), first_from(window.end));
        self.folds.over(trace, from..to.max(from))
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.folds.memory_bytes()
    }
}
