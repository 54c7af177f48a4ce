//! Indexes that are built on demand, in steps if other work is waiting.

use super::totals::Totals;
use crate::query::select::stretches::{Joiner, Stretch};
use schedindex::{Conservation, ConservationBuilder, Depth, DepthBuilder, OnDemand, Queues, Shown, SpareTime};
use schedmodel::Trace;
use std::ops::Range;

/// The runqueues of some tasks, and what follows from them about work conservation.
#[derive(Debug, Default)]
pub(crate) struct Runqueues {
    depth: OnDemand<Depth, DepthBuilder>,
    swept: OnDemand<Swept, SweptBuilder>,
}

/// Results of one sweep over the whole trace.
#[derive(Debug, Default)]
pub(crate) struct Swept {
    /// Which tasks wait behind another, and which for their own CPU to leave idle.
    pub(crate) conservation: Conservation,
    /// Times in which some CPU is spare.
    pub(crate) spare: SpareTime,
    /// In which tasks wait behind another while some CPU is spare, in time order.
    pub(crate) behind: Vec<Stretch>,
}

/// Makes [`Swept`] in resumable steps.
#[derive(Debug)]
struct SweptBuilder {
    conservation: ConservationBuilder,
    joiner: Joiner,
    behind: Vec<Stretch>,
}

impl SweptBuilder {
    fn new(trace: &Trace, queues: Queues<'_>) -> SweptBuilder {
        SweptBuilder {
            conservation: ConservationBuilder::new(trace, queues),
            joiner: Joiner::default(),
            behind: Vec::new(),
        }
    }

    /// Does some of the work; returns the result once finished.
    fn step(&mut self, trace: &Trace, queues: Queues<'_>) -> Option<Swept> {
        let (joiner, behind) = (&mut self.joiner, &mut self.behind);
        let (conservation, spare) = self.conservation.step(trace, queues, &mut |from, to, standing| {
            let to = to.min(trace.span_ns);
            behind.extend(joiner.add(from, to, standing.kept_waiting(), standing.behind));
        })?;
        behind.extend(joiner.close());
        behind.shrink_to_fit();
        let behind = std::mem::take(behind);
        Some(Swept {
            conservation,
            spare,
            behind,
        })
    }
}

impl Runqueues {
    /// Does some of the work for [`Runqueues::depth`]; true once finished.
    pub(crate) fn prepare_depth(&self, trace: &Trace, shown: &Shown) -> bool {
        let begin = || DepthBuilder::new(trace, shown);
        self.depth.step(begin, |builder| builder.step(trace, shown))
    }

    /// How many tasks wait on each runqueue.
    pub(crate) fn depth(&self, trace: &Trace, shown: &Shown) -> &Depth {
        self.depth
            .get_or_make(|| DepthBuilder::new(trace, shown), |builder| builder.step(trace, shown))
    }

    /// Does some of the work for [`Runqueues::swept`]; true once finished. `all`: the runqueues of all tasks, if `shown`
    /// leaves some out.
    pub(crate) fn prepare_swept(&self, trace: &Trace, shown: &Shown, all: Option<&Runqueues>) -> bool {
        if self.swept.made().is_some() {
            return true;
        }
        let everyone = Shown::all();
        if !self.prepare_depth(trace, shown) || !all.is_none_or(|all| all.prepare_depth(trace, &everyone)) {
            return false;
        }
        let queues = Queues {
            shown: self.depth(trace, shown),
            all: all.map(|all| all.depth(trace, &everyone)),
        };
        let begin = || SweptBuilder::new(trace, queues);
        self.swept.step(begin, |builder| builder.step(trace, queues))
    }

    /// What follows from the runqueues about work conservation.
    pub(crate) fn swept(&self, trace: &Trace, shown: &Shown, all: Option<&Runqueues>) -> &Swept {
        while !self.prepare_swept(trace, shown, all) {}
        // It exists by now; the type asks for this.
        self.swept.get_or_default()
    }

    /// Size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let depth = self.depth.made().map_or(0, Depth::memory_bytes);
        depth + self.swept.made().map_or(0, Swept::memory_bytes)
    }
}

impl Swept {
    /// What a sweep over a window would find; `None` if only that can tell, because the sums have saturated.
    pub(crate) fn totals(&self, window: &Range<u64>) -> Option<Totals> {
        if self.conservation.is_saturated() {
            return None;
        }
        let mut totals = Totals::new(0, 0);
        totals.sums = self.conservation.sums(window.clone());
        let first = self.behind.partition_point(|stretch| stretch.to <= window.start);
        let within = self.behind.iter().skip(first);
        let within = within.take_while(|stretch| stretch.from < window.end);
        totals.stretches.take(within.map(|stretch| Stretch {
            from: stretch.from.max(window.start),
            to: stretch.to.min(window.end),
            ..*stretch
        }));
        Some(totals)
    }

    fn memory_bytes(&self) -> usize {
        self.conservation.memory_bytes() + self.spare.memory_bytes() + self.behind.capacity() * size_of::<Stretch>()
    }
}
