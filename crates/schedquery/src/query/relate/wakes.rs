//! Who wakes whom, and over which distance.
//!
//! Counted are the wakeups whose latency starts in the window and that led to a switch-in of a selected task on a selected CPU,
//! without those that are uncertain, as in [`latency`](crate::query::latency). A wakeup in interrupt context is the interrupt's, whatever it interrupted.

use super::end::{key_of, key_of_task, Key, HARDIRQ, IDLE, SOFTIRQ, UNKNOWN};
use super::matrix::{Matrix, Pairs, RelatedPair, Weight};
use crate::query::explain::latency::GroupBy;
use crate::query::jobs::job::{run, Job, Model};
use crate::query::lanes::instant::waker_run;
use crate::query::select::durations::Durations;
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::selection::Selection;
use crate::query::select::spread::Measured;
use crate::query::select::uncertain::UncertainDurations;
use crate::query::select::walk::CountWalk;
use schedindex::latency_in_doubt;
use schedmodel::topology::{Distance, Topology};
use schedmodel::{Trace, WakerContext};
use serde::Serialize;
use std::sync::Arc;
use ts_rs::TS;

/// JSON of `corelane wakes`; durations are in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WakesReport {
    /// Wakeups that led to a switch-in, without those that are uncertain.
    pub count: u64,
    /// The sum of their latencies.
    pub latency_ns: u64,
    /// Wakeups that are left out: records are missing meanwhile, so another one may have led to the switch-in.
    pub uncertain: UncertainDurations,
    /// The pairs with most wakeups, most first.
    pub pairs: Vec<RelatedPair>,
    /// How many pairs there are.
    pub pairs_total: usize,
    /// All of them.
    pub matrix: Matrix,
    /// The machine's shortest description; null if it is not known.
    pub topology: Option<String>,
    /// How far wakeups reached, nearest first; a row for each distance that occurs.
    pub distances: Vec<ReachRow>,
}

/// How far it is from one CPU to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// The same CPU.
    Cpu,
    /// Another thread of the core.
    Core,
    /// Another core with the same last-level cache.
    Llc,
    /// The same socket.
    Socket,
    /// Another socket.
    Machine,
    /// Another CPU; the topology does not say how far.
    Other,
    /// The trace does not tell both CPUs.
    Unknown,
}

const REACHES: [Reach; 7] = [
    Reach::Cpu,
    Reach::Core,
    Reach::Llc,
    Reach::Socket,
    Reach::Machine,
    Reach::Other,
    Reach::Unknown,
];

/// Wakeups that reached equally far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ReachRow {
    /// How far.
    pub reach: Reach,
    /// From the CPU on which the wakeup was made to the chosen one.
    pub from_waker: Reached,
    /// From the CPU on which the task last ran to the chosen one.
    pub from_last: Reached,
}

/// How many, and their latencies in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Reached {
    /// How many.
    pub count: u64,
    /// The sum of their latencies.
    pub latency_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

impl Reached {
    fn add(&mut self, latency: u64) {
        self.count += 1;
        self.latency_ns = self.latency_ns.saturating_add(latency);
        self.max_ns = self.max_ns.max(latency);
    }
}

/// The wakeups of a selection, the `top` pairs with most of them, and a matrix with up to `ends` rows and columns.
pub fn wakes(
    trace: &Trace,
    selection: &Selection,
    by: GroupBy,
    (top, ends): (usize, usize),
    topology: Option<Arc<Topology>>,
) -> WakesReport {
    run(
        trace,
        WakesJob::new(Scope::new(trace, selection), by, (top, ends), topology),
    )
}

/// [`wakes`] as a job.
#[derive(Debug)]
pub(crate) struct WakesJob {
    scope: Arc<Scope>,
    by: GroupBy,
    top: usize,
    ends: usize,
    topology: Option<Arc<Topology>>,
    walk: CountWalk,
    pairs: Pairs,
    /// By pair.
    latencies: Durations,
    reached: [(Reached, Reached); REACHES.len()],
    count: u64,
    uncertain: UncertainDurations,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Walk,
    Sort,
    Group,
    Done,
}

impl WakesJob {
    pub(crate) fn new(
        scope: Arc<Scope>,
        by: GroupBy,
        (top, ends): (usize, usize),
        topology: Option<Arc<Topology>>,
    ) -> WakesJob {
        WakesJob {
            scope,
            by,
            top,
            ends,
            topology,
            walk: CountWalk::default(),
            pairs: Pairs::default(),
            latencies: Durations::new(0),
            reached: Default::default(),
            count: 0,
            uncertain: UncertainDurations::default(),
            stage: Stage::Walk,
        }
    }

    fn add(&mut self, trace: &Trace, woken: &Woken) {
        let Woken { edge, latency, .. } = woken;
        if latency_in_doubt(trace, woken.wakee, edge) {
            return self.uncertain.add(*latency);
        }
        let number = self.pairs.number(
            waker(trace, self.by, woken),
            key_of(trace, self.by, woken.id, woken.lane),
        );
        if let Some(sum) = self.pairs.sum(number) {
            sum.count += 1;
            let index = edge.running.map(|running| run_index(trace, woken.lane, running, woken));
            sum.add(*latency, index.map(|index| (woken.lane as u32, index as u32)));
        }
        self.latencies.add_to_new(number, *latency);
        self.count += 1;
        let chosen = edge.chosen_cpu.or(edge.cpu);
        let reach = |from: Option<u32>| self.reach(from, chosen) as usize;
        let (from_waker, from_last) = (reach(Some(edge.waker_cpu)), reach(edge.previous_cpu));
        if let Some((reached, _)) = self.reached.get_mut(from_waker) {
            reached.add(*latency);
        }
        if let Some((_, reached)) = self.reached.get_mut(from_last) {
            reached.add(*latency);
        }
    }

    fn reach(&self, from: Option<u32>, to: Option<u32>) -> Reach {
        let (Some(from), Some(to)) = (from, to) else {
            return Reach::Unknown;
        };
        if from == to {
            return Reach::Cpu;
        }
        match self.topology.as_ref().and_then(|topology| topology.distance(from, to)) {
            None => Reach::Other,
            Some(Distance::Cpu) => Reach::Cpu,
            Some(Distance::Core) => Reach::Core,
            Some(Distance::Llc) => Reach::Llc,
            Some(Distance::Socket) => Reach::Socket,
            Some(Distance::Machine) => Reach::Machine,
        }
    }
}

/// Who made a wakeup; by CPU: where.
fn waker(trace: &Trace, by: GroupBy, Woken { edge, .. }: &Woken) -> Key {
    if by == GroupBy::Cpu {
        return trace.lane_index(edge.waker_cpu).map_or(UNKNOWN, |lane| lane as Key);
    }
    match edge.context {
        WakerContext::Hardirq => HARDIRQ,
        WakerContext::Softirq => SOFTIRQ,
        WakerContext::Unknown => UNKNOWN,
        WakerContext::Task if edge.waker_is_idle() => IDLE,
        WakerContext::Task => {
            let run = waker_run(trace, edge);
            let id = run.and_then(|(lane, index)| trace.lane_at(lane).run(index));
            match (id, edge.waker) {
                (Some(id), _) => key_of(trace, by, id, 0),
                (None, Some(task)) => key_of_task(trace, by, task),
                (None, None) => UNKNOWN,
            }
        }
    }
}

/// The index of the run that a wakeup led to.
fn run_index(trace: &Trace, lane: usize, running: u64, woken: &Woken) -> usize {
    let lane = trace.lane_at(lane);
    let first = lane.starts().partition_point(|start| start < running);
    let same_time = (first..lane.len()).take_while(|&index| lane.start_of(index) == running);
    let mut same_task = same_time.filter(|&index| lane.run(index) == Some(woken.id));
    same_task.next().unwrap_or(first)
}

impl Job for WakesJob {
    type Answer = WakesReport;

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        match self.stage {
            Stage::Walk => match self.walk.next(trace.edges.len()) {
                Some(numbers) => {
                    let scope = Arc::clone(&self.scope);
                    for woken in Selected::of(trace, &scope).wakeups_in(numbers) {
                        self.add(trace, &woken);
                    }
                }
                None => self.stage = Stage::Sort,
            },
            Stage::Sort if self.latencies.sort() => {}
            Stage::Sort => self.stage = Stage::Group,
            Stage::Group if self.latencies.group() => {}
            Stage::Group => self.stage = Stage::Done,
            Stage::Done => return false,
        }
        true
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        match self.stage {
            Stage::Walk => 0.8 * self.walk.share(trace.edges.len()),
            Stage::Sort => 0.8,
            Stage::Group => 0.9,
            Stage::Done => 1.0,
        }
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> WakesReport {
        let pairs = self.pairs.largest(Weight::Count, self.top).into_iter();
        let told = pairs.filter_map(|number| {
            let of_pair = self.latencies.of_group(number as usize);
            let sum = of_pair.iter().fold(0, |sum: u64, one| sum.saturating_add(one.ns));
            let measured = Measured::of(&[(of_pair, sum)]);
            self.pairs.told(trace, self.by, number, Some(measured))
        });
        let distances = REACHES.into_iter().zip(self.reached);
        let distances = distances.map(|(reach, (from_waker, from_last))| ReachRow {
            reach,
            from_waker,
            from_last,
        });
        WakesReport {
            count: self.count,
            latency_ns: self.latencies.sum,
            uncertain: self.uncertain,
            pairs: told.collect(),
            pairs_total: self.pairs.sums.len(),
            matrix: self.pairs.matrix(trace, self.by, Weight::Count, self.ends),
            topology: self.topology.as_ref().map(|topology| topology.canonical()),
            distances: distances
                .filter(|row| 0 < row.from_waker.count + row.from_last.count)
                .collect(),
        }
    }
}
