//! Where wakeups put tasks: the CPU on which the wakee last ran, the waker's CPU, the chosen one, and which CPUs were
//! idle at the time.
//!
//! The time is that of `sched_waking`, just before the kernel chooses. A CPU is [free](schedindex::FreeCpus) if it is idle
//! and no task is on its runqueue or on its way to it.
//!
//! A wakeup that leaves a free last CPU deserves a look, but need not be a mistake. Since Linux 5.11 (commit
//! d8fcb81f1acf) `wake_affine_idle` prefers an idle last CPU, but only after a sync wakeup may have pulled the task to
//! its waker's CPU, and not for every class and path: `wake_wide`, energy-aware placement, sched_ext, realtime and
//! deadline tasks decide otherwise. A task that may not run on its last CPU any more has to leave it.

use super::worst::LongestWakeups;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::lanes::edge::WakeupEdge;
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::selection::Selection;
use crate::query::select::walk::CountWalk;
use schedindex::{FreeCpus, Shown};
use schedmodel::{Edge, Trace};
use std::ops::Range;
use std::sync::Arc;

/// What the kernel goes by and a trace does not hold.
const CAVEAT: &str = "a trace does not hold what else the kernel goes by: affinity masks, sync wakeups, wake_wide, \
                      energy-aware placement, sched_ext, the rules of realtime and deadline tasks";

/// Counts of placements, and the worst of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placements {
    /// Wakeups that led to a switch-in.
    pub wakeups: u64,
    /// Wakeups that put the task where it last ran.
    pub stayed: u64,
    /// Wakeups that put it elsewhere, on the waker's CPU.
    pub to_waker: u64,
    /// Wakeups that put it on a third CPU.
    pub elsewhere: u64,
    /// Wakeups whose last or chosen CPU the trace does not tell.
    pub unknown: u64,
    /// Wakeups that put it elsewhere although its last CPU was free.
    pub moved_off_idle: u64,
    /// Wakeups that put it on a CPU that was not free although some CPU was idle.
    pub onto_busy: u64,
    /// Wakeups that put it elsewhere, and the trace does not tell whether its last CPU was free.
    pub moved_off_unknown: u64,
    /// Wakeups that put it on a CPU of which the trace does not tell whether it was free.
    pub onto_unknown: u64,
    /// Wakeups that left a free last CPU, the longest latency first.
    pub moved: Vec<WakeupEdge>,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// Counts the placements of a selection; lists the `top` worst that left a free last CPU.
pub fn placements(trace: &Trace, selection: &Selection, top: usize) -> Placements {
    let shared = Shared::default();
    let model = Model::new(trace, &shared);
    let free = shared.free(trace);
    let selected = Selected::new(trace, selection);
    let mut counts = Placements {
        wakeups: 0,
        stayed: 0,
        to_waker: 0,
        elsewhere: 0,
        unknown: 0,
        moved_off_idle: 0,
        onto_busy: 0,
        moved_off_unknown: 0,
        onto_unknown: 0,
        moved: Vec::new(),
        caveat: CAVEAT,
    };
    for woken in selected.wakeups() {
        counts.wakeups += 1;
        let edge = &woken.edge;
        let moved = put_elsewhere(edge);
        *match moved {
            Some((_, chosen)) if chosen == edge.waker_cpu => &mut counts.to_waker,
            Some(_) => &mut counts.elsewhere,
            None if edge.previous_cpu.is_some() && edge.chosen_cpu.is_some() => &mut counts.stayed,
            None => &mut counts.unknown,
        } += 1;
        let is_unknown = |cpu: u32| free.is_free(trace, cpu, edge.at).is_none();
        counts.moved_off_unknown += u64::from(moved.is_some_and(|(previous, _)| is_unknown(previous)));
        match edge.chosen_cpu.map(|cpu| free.is_free(trace, cpu, edge.at)) {
            Some(Some(false)) => {
                let some_idle = 0 < trace.steps.at(edge.at).map_or(0, |counts| counts.idle);
                counts.onto_busy += u64::from(some_idle);
            }
            Some(None) => counts.onto_unknown += 1,
            Some(Some(true)) | None => {}
        }
    }
    (counts.moved_off_idle, counts.moved) = model.run(MovedOffIdleJob::new(Scope::new(trace, selection), top));
    counts
}

/// Finds the wakeups that left a free last CPU: their number, and those with the longest latencies.
#[derive(Debug)]
pub struct MovedOffIdleJob {
    scope: Arc<Scope>,
    walk: CountWalk,
    count: u64,
    longest: LongestWakeups,
}

impl MovedOffIdleJob {
    pub fn new(scope: Arc<Scope>, top: usize) -> MovedOffIdleJob {
        MovedOffIdleJob {
            scope,
            walk: CountWalk::default(),
            count: 0,
            longest: LongestWakeups::new(top),
        }
    }

    /// Those that missing records may have made longer come after all others.
    pub(super) fn certain_first(self) -> MovedOffIdleJob {
        MovedOffIdleJob {
            longest: self.longest.certain_first(),
            ..self
        }
    }

    /// The numbers of the wakeups with the longest latencies, of a scope.
    pub(super) fn into_longest(self) -> (Arc<Scope>, Vec<usize>) {
        (
            self.scope,
            self.longest.into_sorted().map(|(_, number)| number).collect(),
        )
    }
}

impl Job for MovedOffIdleJob {
    type Answer = (u64, Vec<WakeupEdge>);

    fn step(&mut self, Model { trace, shared }: Model<'_>) -> bool {
        if !shared.prepare_free(trace) {
            return true;
        }
        let free = shared.free(trace);
        let Some(numbers) = self.walk.next(trace.edges.len()) else {
            return false;
        };
        let left = |edge: &Edge| left_free_cpu(trace, free, edge);
        for woken in Selected::of(trace, &self.scope).wakeups_if(numbers, left) {
            self.count += 1;
            self.longest.push(trace, &woken);
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walk.share(model.trace.edges.len())
    }

    fn answer(self, model: Model<'_>) -> (u64, Vec<WakeupEdge>) {
        let trace = model.trace;
        let selected = Selected::of(trace, &self.scope);
        let longest = self.longest.into_sorted();
        let woken = longest.filter_map(|(_, number)| selected.woken(trace.edges.wakee(number), number));
        (self.count, woken.map(|woken| WakeupEdge::of(model, &woken)).collect())
    }
}

/// The wakeup that led to the run on a CPU at an instant (since the trace's first record).
pub fn woken_at(trace: &Trace, cpu: u32, at: u64) -> Option<Woken> {
    let lane = trace.lane_index(cpu)?;
    let index = trace.lane_at(lane).find(at)?;
    let (id, start) = (trace.lane_at(lane).run(index)?, trace.lane_at(lane).start_of(index));
    let wakee = trace.task_comm(id).task;
    let number = trace.edges.last_before(wakee, start)?;
    let edge = trace.edges.get(number);
    let latency = edge.latency().filter(|_| edge.running == Some(start))?;
    Some(Woken {
        number,
        edge,
        wakee,
        lane,
        id,
        latency,
    })
}

/// The CPU on which the wakee last ran, and the different one on which it was put; `None` if it stayed or the trace
/// does not tell both.
fn put_elsewhere(edge: &Edge) -> Option<(u32, u32)> {
    edge.previous_cpu
        .zip(edge.chosen_cpu)
        .filter(|(previous, chosen)| previous != chosen)
}

/// A wakeup that put a task on another CPU than it last ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutElsewhere {
    /// When the wakeup's latency starts, in ns since the trace's first record.
    pub at: u64,
    /// Where the wakee last ran.
    pub previous_cpu: u32,
    /// Where it was put.
    pub chosen_cpu: u32,
}

/// The wakeups in a window that led to a run of a shown task and put it on another CPU than it last ran on: as many as
/// [`Placements::to_waker`] and [`Placements::elsewhere`] count.
pub fn all_put_elsewhere(trace: &Trace, window: Range<u64>, shown: &Shown) -> Vec<PutElsewhere> {
    let scope = Scope {
        window,
        shown: shown.clone(),
        lanes: None,
    };
    let selected = Selected::of(trace, &Arc::new(scope));
    let found = selected.wakeups().filter_map(|woken| {
        let (previous_cpu, chosen_cpu) = put_elsewhere(&woken.edge)?;
        Some(PutElsewhere {
            at: woken.edge.at,
            previous_cpu,
            chosen_cpu,
        })
    });
    found.collect()
}

fn left_free_cpu(trace: &Trace, free: &FreeCpus, edge: &Edge) -> bool {
    put_elsewhere(edge).is_some_and(|(previous, _)| free.is_free(trace, previous, edge.at) == Some(true))
}
