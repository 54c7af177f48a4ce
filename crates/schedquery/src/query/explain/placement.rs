//! Where wakeups put tasks: the CPU on which the wakee last ran, the waker's CPU, the chosen one, and which CPUs were
//! idle at the time.
//!
//! The time is that of `sched_waking`, just before the kernel chooses. A CPU is free if it is idle and no task that was
//! woken earlier is on its way to it: the kernel does not treat such a CPU as idle.
//!
//! Since Linux 5.11 (commit d8fcb81f1acf) a wakeup starts its search at the last CPU if that is idle; a wakeup that
//! leaves a free last CPU nevertheless deserves a look.

use super::overload::AFFINITY_CAVEAT;
use super::worst::LongestWakeups;
use crate::query::jobs::job::{run, Job, Model};
use crate::query::lanes::edge::WakeupEdge;
use crate::query::lanes::instant::is_free;
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::selection::Selection;
use crate::query::select::walk::CountWalk;
use schedindex::Shown;
use schedmodel::{Edge, Trace};
use std::ops::Range;
use std::sync::Arc;

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
    /// Wakeups that left a free last CPU, the longest latency first.
    pub moved: Vec<WakeupEdge>,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// Counts the placements of a selection; lists the `top` worst that left a free last CPU.
pub fn placements(trace: &Trace, selection: &Selection, top: usize) -> Placements {
    let selected = Selected::new(trace, selection);
    let mut counts = Placements {
        wakeups: 0,
        stayed: 0,
        to_waker: 0,
        elsewhere: 0,
        unknown: 0,
        moved_off_idle: 0,
        onto_busy: 0,
        moved: Vec::new(),
        caveat: AFFINITY_CAVEAT,
    };
    for woken in selected.wakeups() {
        counts.wakeups += 1;
        let edge = &woken.edge;
        *match put_elsewhere(edge) {
            Some((_, chosen)) if chosen == edge.waker_cpu => &mut counts.to_waker,
            Some(_) => &mut counts.elsewhere,
            None if edge.previous_cpu.is_some() && edge.chosen_cpu.is_some() => &mut counts.stayed,
            None => &mut counts.unknown,
        } += 1;
        let chosen_was_free = edge.chosen_cpu.and_then(|cpu| is_free(trace, cpu, edge.at));
        let some_idle = 0 < trace.steps.at(edge.at).map_or(0, |counts| counts.idle);
        counts.onto_busy += u64::from(some_idle && chosen_was_free == Some(false));
    }
    (counts.moved_off_idle, counts.moved) = run(trace, MovedOffIdleJob::new(Scope::new(trace, selection), top));
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

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        let Some(numbers) = self.walk.next(trace.edges.len()) else {
            return false;
        };
        let left = |edge: &Edge| left_free_cpu(trace, edge);
        for woken in Selected::of(trace, &self.scope).wakeups_if(numbers, left) {
            self.count += 1;
            self.longest.push(trace, &woken);
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walk.share(model.trace.edges.len())
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> (u64, Vec<WakeupEdge>) {
        let selected = Selected::of(trace, &self.scope);
        let longest = self.longest.into_sorted();
        let woken = longest.filter_map(|(_, number)| selected.woken(trace.edges.wakee(number), number));
        (self.count, woken.map(|woken| WakeupEdge::of(trace, &woken)).collect())
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

fn left_free_cpu(trace: &Trace, edge: &Edge) -> bool {
    put_elsewhere(edge).is_some_and(|(previous, _)| is_free(trace, previous, edge.at) == Some(true))
}
