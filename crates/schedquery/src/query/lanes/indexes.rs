//! A view: which runs exist, which are highlighted, and indexes over them.

use crate::query::jobs::on_demand::Runqueues;
use crate::query::jobs::shared::Shared;
use crate::query::select::selection::Selection;
use schedindex::{
    filtered_steps, Arrivals, Bits, Conservation, Curve, Depth, KnownBuilder, OnDemand, Passing, PassingBuilder,
    PassingEvent, RangeSums, Runs, Shown, StateCache, Wakers,
};
use schedindex::{CellsQuery, LaneCells, Levels};
use schedmodel::topology::Topology;
use schedmodel::{CommId, TaskComm, TaskCommId, TaskId, Trace};
use serde::Deserialize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use ts_rs::TS;

/// Changes of the curve per step.
const CHANGES: usize = if cfg!(debug_assertions) { 8 } else { 1 << 16 };

/// Runs that must stay visible at any zoom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Highlight {
    /// No runs.
    #[default]
    None,
    /// Runs whose comm starts with the prefix; an empty prefix means every run.
    Prefix {
        /// The prefix.
        prefix: String,
    },
    /// Runs with one of these comms.
    Comms {
        /// The comms.
        comms: Vec<String>,
    },
    /// Runs of one task.
    Task {
        /// Its id.
        task: u32,
    },
}

/// What a view shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
pub struct IndexSpec {
    /// Only tasks that were forked in the trace; runs of others count as no task's.
    pub forked: bool,
    /// Leave tasks that never ran on a second CPU out of work conservation, because they may be pinned.
    pub movable: bool,
    /// Runs to highlight.
    pub highlight: Highlight,
}

/// Indexes over the runs that are shown.
#[derive(Debug)]
pub(crate) struct ShownIndex {
    pub(crate) shown: Shown,
    pub(super) levels: OnceLock<Vec<Levels>>,
    pub(super) curve: OnceLock<Curve>,
    /// The shown runs of each lane; `None` if all runs are shown.
    pub(crate) shown_runs: Option<Vec<Bits>>,
    /// Made on demand.
    runqueues: Arc<Runqueues>,
}

/// An immutable trace with the indexes of one view. All queries are methods; none changes anything.
#[derive(Clone, Debug)]
pub struct Indexes {
    pub(super) trace: Arc<Trace>,
    pub(super) runs: Arc<Runs>,
    pub(super) wakers: Arc<Wakers>,
    shared: Arc<Shared>,
    sums: Arc<RangeSums>,
    /// The number of known CPUs, as `running`; made on demand.
    known: Arc<OnDemand<Curve, KnownBuilder>>,
    /// The index of all tasks, for views that show everything.
    pub(super) everything: Arc<ShownIndex>,
    /// What lanes show.
    index: Arc<ShownIndex>,
    /// What curves and tables count: of what lanes show, the runs that pass the filter.
    filtered: Arc<ShownIndex>,
    /// The runs that pass the filter; `None`: there is none.
    passing: Option<Arc<Passing>>,
    /// Those of a filter whose events are still coming.
    gathering: Option<Arc<PassingBuilder>>,
    /// The tasks that count for work conservation, and their runqueues; `None`: all that are shown.
    movable: Option<Arc<(Shown, Runqueues)>>,
    spec: IndexSpec,
    highlighted: Option<Arc<Vec<Bits>>>,
    topology: Option<Arc<Topology>>,
    /// Made on demand.
    arrivals: Arc<OnceLock<Arrivals>>,
    /// States of tasks that were queried; shared by all views of a trace.
    states: Arc<Mutex<StateCache>>,
}

impl Indexes {
    /// Builds all indexes that the first screen needs.
    pub fn new(trace: Arc<Trace>, spec: IndexSpec) -> Indexes {
        let view = Indexes::of_runs(trace);
        view.everything.make(&view.trace);
        view.with(spec)
    }

    /// For a few queries about runs: indexes for fast drawing are only made on demand.
    pub fn of_runs(trace: Arc<Trace>) -> Indexes {
        let shared = Arc::<Shared>::default();
        let everything = ShownIndex::new(&trace, Shown::all(), Arc::clone(&shared.runqueues));
        let (runs, wakers) = (Runs::new(&trace), Wakers::new(&trace));
        Indexes::of_parts(trace, runs, wakers, everything, shared)
    }

    /// The view of all tasks, with indexes that were made before.
    pub(super) fn of_parts(
        trace: Arc<Trace>,
        runs: Runs,
        wakers: Wakers,
        everything: ShownIndex,
        shared: Arc<Shared>,
    ) -> Indexes {
        let everything = Arc::new(everything);
        Indexes {
            runs: Arc::new(runs),
            wakers: Arc::new(wakers),
            sums: Arc::default(),
            shared,
            known: Arc::default(),
            index: Arc::clone(&everything),
            filtered: Arc::clone(&everything),
            passing: None,
            gathering: None,
            everything,
            trace,
            movable: None,
            spec: IndexSpec::default(),
            highlighted: None,
            topology: None,
            arrivals: Arc::default(),
            states: Arc::default(),
        }
    }

    /// The number of known CPUs over time, as `running`.
    pub(crate) fn known(&self) -> &Curve {
        let step = |builder: &mut KnownBuilder| known(builder, &self.trace, usize::MAX);
        self.known.get_or_make(KnownBuilder::default, step)
    }

    /// Works for about a millisecond on the number of known CPUs; true once it is there.
    pub fn prepare_known(&self) -> bool {
        let step = |builder: &mut KnownBuilder| known(builder, &self.trace, CHANGES);
        self.known.step(KnownBuilder::default, step)
    }

    /// Results that explanations share.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Another view of the same trace; unchanged indexes are shared.
    pub fn with(&self, spec: IndexSpec) -> Indexes {
        let index = if !spec.forked {
            Arc::clone(&self.everything)
        } else if self.spec.forked {
            Arc::clone(&self.index)
        } else {
            let index = ShownIndex::new(&self.trace, Shown::forked(&self.trace), Arc::default());
            index.make(&self.trace);
            Arc::new(index)
        };
        let filtered = match spec.forked == self.spec.forked {
            true => Arc::clone(&self.filtered),
            false => filtered(&index, self.passing.as_ref()),
        };
        let arrivals = if spec.forked == self.spec.forked {
            Arc::clone(&self.arrivals)
        } else {
            Arc::default()
        };
        let movable = if !spec.movable {
            None
        } else if self.spec.movable && self.spec.forked == spec.forked {
            self.movable.clone()
        } else {
            let movable = movable(&self.trace, spec.forked, self.passing.clone());
            Some(Arc::new((movable, Runqueues::default())))
        };
        Indexes {
            index,
            filtered,
            movable,
            arrivals,
            ..self.clone()
        }
        .highlight(spec)
    }

    /// Begins to gather the runs that pass a filter, from its events.
    pub fn gather(&mut self) {
        self.gathering = Some(Arc::new(PassingBuilder::new(&self.trace)));
    }

    /// Adds events of a CPU.
    pub fn add_passing(&mut self, cpu: u32, events: impl Iterator<Item = PassingEvent>) {
        if let Some(gathering) = &mut self.gathering {
            Arc::make_mut(gathering).add(&self.trace, &self.runs, cpu, events);
        }
    }

    /// From now on only runs count that were gathered: lanes highlight them, and all that is asked is asked of them.
    /// Without any gathering there is no filter any more.
    pub fn filter_gathered(&mut self) {
        let gathered = self.gathering.take();
        self.passing = gathered.map(|gathered| Arc::new(Arc::unwrap_or_clone(gathered).finish(&self.trace)));
        self.filtered = filtered(&self.index, self.passing.as_ref());
        if self.spec.movable {
            let movable = movable(&self.trace, self.spec.forked, self.passing.clone());
            self.movable = Some(Arc::new((movable, Runqueues::default())));
        }
        *self = self.clone().highlight(self.spec.clone());
    }

    /// The runs that pass the filter, if there is one.
    pub fn passing(&self) -> Option<&Arc<Passing>> {
        self.passing.as_ref()
    }

    /// The same view with a topology; `None` if it is not known.
    pub fn with_topology(&self, topology: Option<Arc<Topology>>) -> Indexes {
        Indexes {
            topology,
            arrivals: Arc::default(),
            ..self.clone()
        }
    }

    /// The topology, if it is known.
    pub fn topology(&self) -> Option<&Arc<Topology>> {
        self.topology.as_ref()
    }

    fn highlight(mut self, spec: IndexSpec) -> Indexes {
        let trace = &self.trace;
        let wanted: Option<Vec<bool>> = match &spec.highlight {
            Highlight::None => None,
            Highlight::Prefix { prefix } => Some(by_comm(trace, |comm| comm.starts_with(prefix.as_str()))),
            Highlight::Comms { comms } => Some(by_comm(trace, |comm| comms.iter().any(|name| name == comm))),
            Highlight::Task { task } => Some(trace.task_comms.iter().map(|pair| pair.task == TaskId(*task)).collect()),
        };
        let is_wanted = |id: TaskCommId| {
            let wanted = wanted
                .as_ref()
                .is_none_or(|wanted| wanted.get(id.0 as usize) == Some(&true));
            wanted && self.index.shown.has(id)
        };
        self.highlighted = match &self.passing {
            None => wanted.is_some().then(|| Arc::new(bits(trace, |_, id| is_wanted(id)))),
            Some(passing) => Some(Arc::new(bits(trace, |(lane, index), id| {
                passing.has(lane, index) && is_wanted(id)
            }))),
        };
        self.spec = spec;
        self
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the view shows.
    pub fn spec(&self) -> &IndexSpec {
        &self.spec
    }

    /// What lanes show.
    pub(crate) fn index(&self) -> &ShownIndex {
        &self.index
    }

    /// The runs that count.
    pub(crate) fn counting(&self) -> &Shown {
        &self.filtered.shown
    }

    /// Which tasks wait behind another while some CPU is spare, and which for their own CPU to leave idle.
    pub(crate) fn conservation(&self) -> &Conservation {
        let (shown, runqueues, all) = self.counted();
        &runqueues.swept(&self.trace, shown, all).conservation
    }

    /// Works for about a millisecond on the indexes for work conservation; true once finished.
    pub fn prepare_conservation(&self) -> bool {
        let (shown, runqueues, all) = self.counted();
        // Explanations of waits are about the whole machine.
        runqueues.prepare_swept(&self.trace, shown, all) && self.shared.prepare_swept(&self.trace)
    }

    /// The tasks that count for work conservation, their runqueues, and those of all tasks if they differ.
    fn counted(&self) -> (&Shown, &Runqueues, Option<&Runqueues>) {
        let (shown, runqueues) = match self.movable.as_deref() {
            Some((shown, runqueues)) => (shown, runqueues),
            None => (&self.filtered.shown, &*self.filtered.runqueues),
        };
        (shown, runqueues, (!shown.is_all()).then_some(&*self.shared.runqueues))
    }

    /// Running and waiting over time, of the tasks that are shown.
    pub(crate) fn shown_curve(&self) -> &Curve {
        self.filtered.curve(&self.trace)
    }

    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    pub(crate) fn wakers(&self) -> &Wakers {
        &self.wakers
    }

    pub(crate) fn sums(&self) -> &RangeSums {
        &self.sums
    }

    /// The runqueues of the tasks that are shown.
    pub(crate) fn depth_index(&self) -> &Depth {
        self.filtered.runqueues.depth(&self.trace, &self.filtered.shown)
    }

    /// Works for about a millisecond on the indexes of runqueues; true once finished.
    pub fn prepare_runqueues(&self) -> bool {
        self.filtered.runqueues.prepare_depth(&self.trace, &self.filtered.shown)
    }

    /// The same for the waits of commands and tasks.
    pub fn prepare_waits(&self) -> bool {
        self.sums.prepare_waits(&self.trace, &self.runs)
    }

    /// The same for a table of tasks.
    pub fn prepare_tasks(&self) -> bool {
        self.prepare_waits() && self.sums.prepare_woken(&self.trace)
    }

    /// The same for a table of CPUs.
    pub fn prepare_cpus(&self) -> bool {
        self.prepare_runqueues() && self.sums.prepare_lanes(&self.trace)
    }

    /// The same for what is said of a wait.
    pub fn prepare_wait(&self) -> bool {
        self.prepare_conservation() && self.shared.prepare_idle(&self.trace)
    }

    pub(crate) fn arrivals(&self) -> &Arrivals {
        self.arrivals
            .get_or_init(|| Arrivals::new(&self.trace, &self.runs, &self.index.shown, self.topology.as_deref()))
    }

    pub(crate) fn states(&self) -> MutexGuard<'_, StateCache> {
        // A cache: a panic leaves a valid, if incomplete, value.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn highlighted(&self) -> Option<&[Bits]> {
        self.highlighted.as_deref().map(Vec::as_slice)
    }

    /// Two words per lane and bucket, lanes in the requested order, laid out as `CellsAnswer`.
    pub fn cells(&self, query: &CellsQuery) -> Vec<u32> {
        let mut cells = vec![0; 2 * query.buckets as usize * query.cpus.len()];
        if query.buckets == 0 {
            return cells;
        }
        let empty = (schedmodel::Lane::default(), Levels::default());
        let levels = self.index.levels(&self.trace);
        for (cpu, cells) in query
            .cpus
            .iter()
            .zip(cells.chunks_exact_mut(2 * query.buckets as usize))
        {
            let index = self.trace.lane_index(*cpu);
            LaneCells {
                lane: index.and_then(|index| self.trace.lanes.get(index)).unwrap_or(&empty.0),
                levels: index.and_then(|index| levels.get(index)).unwrap_or(&empty.1),
                pairs: &self.trace.task_comms,
                shown: &self.index.shown,
                highlighted: self.highlighted().zip(index).and_then(|(bits, index)| bits.get(index)),
            }
            .fill(query.span(), cells);
        }
        cells
    }

    /// Size of the trace and all indexes in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Size in bytes, by part.
    pub fn memory_by_part(&self) -> Vec<(&'static str, usize)> {
        let highlighted = self
            .highlighted()
            .map_or(0, |bits| bits.iter().map(Bits::memory_bytes).sum());
        let mut parts = vec![
            ("trace", self.trace.memory_bytes()),
            ("runs by task", self.runs.memory_bytes()),
            ("wakeups by waker", self.wakers.memory_bytes()),
            ("levels of detail and curve", self.everything.memory_bytes()),
            ("highlighted runs", highlighted),
            ("sums of windows", self.sums.memory_bytes()),
            ("explanations", self.shared.memory_bytes()),
            (
                "known CPUs",
                self.known
                    .made()
                    .map_or(0, |known| known.memory_bytes() + known.steps().memory_bytes()),
            ),
            ("moves", self.arrivals.get().map_or(0, Arrivals::memory_bytes)),
        ];
        let of = |index: &ShownIndex| {
            let curve = index.curve.get().map_or(0, |curve| curve.steps().memory_bytes());
            index.memory_bytes() + curve + index.runqueues.memory_bytes()
        };
        if self.spec.forked {
            parts.push(("the same of forked tasks", of(&self.index)));
        }
        if let Some(passing) = &self.passing {
            parts.push((
                "the same of runs that pass",
                of(&self.filtered) + passing.memory_bytes(),
            ));
        }
        if let Some((_, runqueues)) = self.movable.as_deref() {
            parts.push(("runqueues of movable tasks", runqueues.memory_bytes()));
        }
        parts
    }
}

impl ShownIndex {
    pub(super) fn new(trace: &Trace, shown: Shown, runqueues: Arc<Runqueues>) -> ShownIndex {
        ShownIndex {
            shown_runs: (!shown.is_all()).then(|| bits(trace, |(lane, index), id| shown.has_run(id, lane, index))),
            shown,
            levels: OnceLock::new(),
            curve: OnceLock::new(),
            runqueues,
        }
    }

    /// Makes what a screen needs.
    fn make(&self, trace: &Trace) {
        self.levels(trace);
        self.curve(trace);
    }

    pub(super) fn levels(&self, trace: &Trace) -> &[Levels] {
        self.levels
            .get_or_init(|| Levels::of_lanes(&trace.lanes, &trace.task_comms, &self.shown))
    }

    pub(super) fn curve(&self, trace: &Trace) -> &Curve {
        self.curve.get_or_init(|| {
            Curve::new(match self.shown.is_all() {
                true => Arc::clone(&trace.steps),
                false => Arc::new(filtered_steps(trace, &self.shown, None)),
            })
        })
    }

    /// Size in bytes, without the steps of the curve and the runqueues.
    fn memory_bytes(&self) -> usize {
        let shown_runs = self.shown_runs.iter().flatten().map(Bits::memory_bytes);
        let levels = self.levels.get().into_iter().flatten().map(Levels::memory_bytes);
        let curve = self.curve.get().map_or(0, Curve::memory_bytes);
        levels.sum::<usize>() + shown_runs.sum::<usize>() + curve
    }
}

/// Adds the known CPUs of so many changes.
fn known(builder: &mut KnownBuilder, trace: &Trace, changes: usize) -> Option<Curve> {
    let steps = builder.step(&trace.steps, changes)?;
    Some(Curve::new(Arc::new(steps)))
}

/// The tasks that ran on at least two CPUs.
fn movable(trace: &Trace, forked: bool, runs: Option<Arc<Passing>>) -> Shown {
    let selection = Selection {
        forked,
        movable: true,
        runs,
        ..Selection::default()
    };
    selection.shown(trace)
}

/// By lane, the runs for which `keep` is true.
fn bits(trace: &Trace, keep: impl Fn((usize, usize), TaskCommId) -> bool) -> Vec<Bits> {
    let of_lane = |(number, lane): (usize, &schedmodel::Lane)| {
        Bits::new(lane.len(), |index| {
            lane.run(index).is_some_and(|id| keep((number, index), id))
        })
    };
    trace.lanes.iter().enumerate().map(of_lane).collect()
}

/// Of an index, what passes a filter.
fn filtered(index: &Arc<ShownIndex>, passing: Option<&Arc<Passing>>) -> Arc<ShownIndex> {
    match passing {
        None => Arc::clone(index),
        Some(passing) => Arc::new(ShownIndex {
            shown: index.shown.clone().passing(Some(Arc::clone(passing))),
            shown_runs: None,
            levels: OnceLock::new(),
            curve: OnceLock::new(),
            runqueues: Arc::default(),
        }),
    }
}

/// By (task, comm), whether the comm is wanted.
fn by_comm(trace: &Trace, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
    let comms: Vec<bool> = trace.comms.names().iter().map(|name| wanted(name)).collect();
    trace
        .task_comms
        .iter()
        .map(|&TaskComm { comm: CommId(comm), .. }| comms.get(comm as usize) == Some(&true))
        .collect()
}
