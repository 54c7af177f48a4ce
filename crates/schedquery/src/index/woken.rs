//! Wake-up latencies of a task in any window.

use schedmodel::{TaskId, Trace};
use std::ops::Range;

/// Edges per summary.
const BLOCK: usize = 16;

/// Wakeups that led to a switch-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Woken {
    /// How many.
    pub count: u64,
    /// The sum of their latencies, in ns.
    pub latency: u64,
    /// The longest of them.
    pub max: u64,
}

impl Woken {
    fn and(self, other: Woken) -> Woken {
        Woken {
            count: self.count + other.count,
            latency: self.latency.saturating_add(other.latency),
            max: self.max.max(other.max),
        }
    }
}

/// Summaries of the edges, which are grouped by wakee.
#[derive(Clone, Debug, Default)]
pub struct WakeSums {
    blocks: Vec<Woken>,
}

impl WakeSums {
    /// Summarises all edges of a trace.
    pub fn new(trace: &Trace) -> WakeSums {
        let edges = trace.edges.len();
        let blocks = (0..edges).step_by(BLOCK);
        WakeSums {
            blocks: blocks
                .map(|first| scan(trace, first..edges.min(first + BLOCK)))
                .collect(),
        }
    }

    /// The wakeups of `wakee` whose latency starts in the window and that led to a switch-in.
    pub fn in_window(&self, trace: &Trace, wakee: TaskId, window: &Range<u64>) -> Woken {
        let all = trace.edges.of(wakee);
        let first_from = |at: u64| trace.edges.first_from(all.clone(), at);
        let (from, to) = (first_from(window.start), first_from(window.end));
        let (first, last) = (from.next_multiple_of(BLOCK), to / BLOCK * BLOCK);
        if last <= first {
            return scan(trace, from..to.max(from));
        }
        let whole = self.blocks[first / BLOCK..last / BLOCK].iter().copied();
        [scan(trace, from..first), scan(trace, last..to)]
            .into_iter()
            .chain(whole)
            .fold(Woken::default(), Woken::and)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Woken>()
    }
}

fn scan(trace: &Trace, range: Range<usize>) -> Woken {
    let latencies = range.filter_map(|index| trace.edges.latency(index));
    latencies.fold(Woken::default(), |sum, latency| {
        sum.and(Woken {
            count: 1,
            latency,
            max: latency,
        })
    })
}
