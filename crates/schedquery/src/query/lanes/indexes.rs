//! A view: which runs exist, which are highlighted, and indexes over them.

use crate::query::jobs::job::Model;
use crate::query::jobs::on_demand::Runqueues;
use crate::query::jobs::shared::Shared;
use crate::query::select::selection::Selection;
use schedindex::{
    filtered_steps, Arrivals, ArrivalsBuilder, Bits, Conservation, Curve, CurveBuilder, Depth, KnownBuilder, OnDemand,
    Passing, RangeSums, Runs, RunsBuilder, Shown, StateCache, Wakers, WakersBuilder,
};
use schedindex::{CellsQuery, Detail, LaneCells, Levels, LevelsBuilder, Tally};
use schedmodel::topology::Topology;
use schedmodel::{CommId, TaskComm, TaskCommId, TaskId, Trace};
use serde::Deserialize;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ts_rs::TS;

/// Changes of the curve per step.
const CHANGES: usize = if cfg!(debug_assertions) { 8 } else { 1 << 16 };

/// Intervals that are summed per step.
const INTERVALS: f64 = 65_536.0;

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
#[derive(Debug, Default)]
pub(crate) struct ShownIndex {
    pub(crate) shown: Shown,
    /// Made on demand, as the curve is; until then cells are made of intervals.
    pub(super) levels: OnDemand<Vec<Levels>, LevelsBuilder>,
    pub(super) curve: OnDemand<Curve, CurveBuilder>,
    /// The shown runs of each lane; `None` if all runs are shown.
    pub(crate) shown_runs: Option<Vec<Bits>>,
    /// Made on demand.
    runqueues: Arc<Runqueues>,
}

/// An immutable trace with the indexes of one view. All queries are methods; none changes anything.
#[derive(Clone, Debug)]
pub struct Indexes {
    pub(super) trace: Arc<Trace>,
    /// The runs of each task, and the wakeups made on each CPU; made on demand, or read from a stored model.
    runs: Arc<OnDemand<Runs, RunsBuilder>>,
    wakers: Arc<OnDemand<Wakers, WakersBuilder>>,
    shared: Arc<Shared>,
    sums: Arc<RangeSums>,
    /// The number of known CPUs, as `running`; made on demand.
    known: Arc<OnDemand<Curve, KnownBuilder>>,
    /// The index of all tasks, for views that show everything.
    pub(super) everything: Arc<ShownIndex>,
    /// What lanes show.
    index: Arc<ShownIndex>,
    /// What curves and tables count: of what lanes show, the runs that pass the filter.
    counting: Arc<ShownIndex>,
    /// The tasks that count for work conservation, and their runqueues; `None`: all that are shown.
    movable: Option<Arc<(Shown, Runqueues)>>,
    spec: IndexSpec,
    highlighted: Option<Arc<Vec<Bits>>>,
    topology: Option<Arc<Topology>>,
    /// Made on demand.
    arrivals: Arc<OnDemand<Arrivals, ArrivalsBuilder>>,
    /// States of tasks that were queried; shared by all views of a trace.
    states: Arc<Mutex<StateCache>>,
    /// For cells that are made of intervals.
    tally: Arc<Mutex<RefCell<Tally>>>,
}

impl Indexes {
    /// With all indexes that make drawing fast.
    pub fn new(trace: Arc<Trace>, spec: IndexSpec) -> Indexes {
        let view = Indexes::of(trace).with(spec);
        view.everything.make(&view.trace);
        view.index.make(&view.trace);
        view
    }

    /// Indexes are only made on demand: who draws more than once has [`Indexes::prepare`] make them between pictures.
    pub fn of(trace: Arc<Trace>) -> Indexes {
        let shared = Arc::<Shared>::default();
        let everything = ShownIndex::new(&trace, Shown::all(), Arc::clone(&shared.runqueues));
        Indexes::of_parts(trace, OnDemand::default(), OnDemand::default(), everything, shared)
    }

    /// The view of all tasks, with indexes that were made before.
    pub(super) fn of_parts(
        trace: Arc<Trace>,
        runs: OnDemand<Runs, RunsBuilder>,
        wakers: OnDemand<Wakers, WakersBuilder>,
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
            counting: Arc::clone(&everything),
            everything,
            trace,
            movable: None,
            spec: IndexSpec::default(),
            highlighted: None,
            topology: None,
            arrivals: Arc::default(),
            states: Arc::default(),
            tally: Arc::default(),
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

    /// The trace, with what queries about it share.
    pub(crate) fn model(&self) -> Model<'_> {
        Model::new(&self.trace, &self.shared)
    }

    /// Results that explanations share.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Another view of the same trace; unchanged indexes are shared.
    pub fn with(&self, spec: IndexSpec) -> Indexes {
        self.view(spec, self.passing().cloned())
    }

    /// The same view, in which only these runs count: lanes highlight them, and all that is asked is asked of them. `None`: all do.
    pub fn filtered(&self, runs: Option<Arc<Passing>>) -> Indexes {
        self.view(self.spec.clone(), runs)
    }

    fn view(&self, spec: IndexSpec, runs: Option<Arc<Passing>>) -> Indexes {
        let are_same_tasks = spec.forked == self.spec.forked;
        let is_same = are_same_tasks && runs.as_ref().map(Arc::as_ptr) == self.passing().map(Arc::as_ptr);
        let index = if !spec.forked {
            Arc::clone(&self.everything)
        } else if self.spec.forked {
            Arc::clone(&self.index)
        } else {
            Arc::new(ShownIndex::new(&self.trace, Shown::forked(&self.trace), Arc::default()))
        };
        let counting = match &runs {
            _ if is_same => Arc::clone(&self.counting),
            None => Arc::clone(&index),
            runs => Arc::new(index.passing(runs.clone())),
        };
        let arrivals = if are_same_tasks {
            Arc::clone(&self.arrivals)
        } else {
            Arc::default()
        };
        let movable = if !spec.movable {
            None
        } else if self.spec.movable && is_same {
            self.movable.clone()
        } else {
            let movable = movable(&self.trace, spec.forked, runs);
            Some(Arc::new((movable, Runqueues::default())))
        };
        Indexes {
            index,
            counting,
            movable,
            arrivals,
            ..self.clone()
        }
        .highlight(spec)
    }

    /// The runs that pass the filter, if there is one.
    pub fn passing(&self) -> Option<&Arc<Passing>> {
        self.counting.shown.runs()
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
        let shown = self.counting();
        let is_any = wanted.is_some() || shown.runs().is_some();
        self.highlighted = is_any.then(|| Arc::new(bits(trace, shown, wanted.as_deref())));
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
        &self.counting.shown
    }

    /// Which tasks wait behind another while some CPU is spare, and which for their own CPU to leave idle.
    pub(crate) fn conservation(&self) -> &Conservation {
        let (shown, runqueues, all) = self.counted();
        &runqueues.swept(&self.trace, shown, all).conservation
    }

    /// Works for about a millisecond on the curve of what is shown; true once it is there.
    pub fn prepare_curve(&self) -> bool {
        self.counting.prepare_curve(&self.trace)
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
            None => (&self.counting.shown, &*self.counting.runqueues),
        };
        (shown, runqueues, (!shown.is_all()).then_some(&*self.shared.runqueues))
    }

    /// Running and waiting over time, of the tasks that are shown.
    pub(crate) fn shown_curve(&self) -> &Curve {
        self.counting.curve(&self.trace)
    }

    pub(crate) fn runs(&self) -> &Runs {
        let step = |builder: &mut RunsBuilder| builder.step(&self.trace);
        self.runs.get_or_make(|| RunsBuilder::new(&self.trace), step)
    }

    pub(crate) fn wakers(&self) -> &Wakers {
        let step = |builder: &mut WakersBuilder| builder.step(&self.trace);
        self.wakers.get_or_make(|| WakersBuilder::new(&self.trace), step)
    }

    /// Works for about a millisecond on what the first picture does not need, but most questions after it; true once all is there.
    pub fn prepare(&self) -> bool {
        self.everything.prepare_curve(&self.trace)
            && self.everything.prepare_levels(&self.trace)
            && self.prepare_chains()
    }

    /// Works for about a millisecond on what lanes need; true once it is there.
    pub fn prepare_lanes(&self) -> bool {
        // Of all tasks, they can be drawn before.
        !self.spec.forked || self.index.prepare_levels(&self.trace)
    }

    /// How many lanes, whose intervals are all summed, make a step that is not long.
    pub(crate) fn lanes_at_a_time(&self, query: &CellsQuery) -> usize {
        if self.index.levels.made().is_some() {
            return usize::MAX;
        }
        let share = query.buckets as f64 * 2_f64.powi(query.level as i32) / self.trace.span_ns.max(1) as f64;
        let intervals: usize = self.trace.lanes.iter().map(schedmodel::Lane::len).sum();
        let of_lane = intervals as f64 / self.trace.lanes.len().max(1) as f64 * share.min(1.0);
        (INTERVALS / of_lane.max(1.0)) as usize
    }

    /// Works for about a millisecond on the index of runs by task; true once it is there.
    pub fn prepare_runs(&self) -> bool {
        let step = |builder: &mut RunsBuilder| builder.step(&self.trace);
        self.runs.step(|| RunsBuilder::new(&self.trace), step)
    }

    /// The same for what is asked of single runs.
    pub fn prepare_chains(&self) -> bool {
        let step = |builder: &mut WakersBuilder| builder.step(&self.trace);
        self.prepare_runs() && self.wakers.step(|| WakersBuilder::new(&self.trace), step)
    }

    pub(crate) fn sums(&self) -> &RangeSums {
        &self.sums
    }

    /// The runqueues of the tasks that are shown.
    pub(crate) fn depth_index(&self) -> &Depth {
        self.counting.runqueues.depth(&self.trace, &self.counting.shown)
    }

    /// Works for about a millisecond on the indexes of runqueues; true once finished.
    pub fn prepare_runqueues(&self) -> bool {
        self.counting.runqueues.prepare_depth(&self.trace, &self.counting.shown)
    }

    /// The same for the waits of commands and tasks.
    pub fn prepare_waits(&self) -> bool {
        self.prepare_runs() && self.sums.prepare_waits(&self.trace, self.runs())
    }

    /// The same for a table of tasks.
    pub fn prepare_tasks(&self) -> bool {
        self.prepare_waits() && self.sums.prepare_woken(&self.trace) && self.shared.prepare_migrations(&self.trace)
    }

    /// The same for a table of CPUs.
    pub fn prepare_cpus(&self) -> bool {
        self.prepare_runqueues() && self.shared.prepare_lanes(&self.trace)
    }

    /// The same for what is said of a wait.
    pub fn prepare_wait(&self) -> bool {
        self.prepare_conservation() && self.shared.prepare_waits(&self.trace)
    }

    pub(crate) fn arrivals(&self) -> &Arrivals {
        let begin = || ArrivalsBuilder::new(&self.trace, self.topology.as_deref());
        let step = |builder: &mut ArrivalsBuilder| builder.step(&self.trace, self.runs(), &self.index.shown);
        self.arrivals.get_or_make(begin, step)
    }

    /// Works for about a millisecond on what is said of runs on other CPUs than before; true once finished.
    pub fn prepare_moves(&self) -> bool {
        let begin = || ArrivalsBuilder::new(&self.trace, self.topology.as_deref());
        let step = |builder: &mut ArrivalsBuilder| builder.step(&self.trace, self.runs(), &self.index.shown);
        self.prepare_runs() && self.arrivals.step(begin, step)
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
        let mut words = Vec::new();
        self.add_cells(query, &mut words);
        words
    }

    /// Adds the same to some words.
    pub(crate) fn add_cells(&self, query: &CellsQuery, words: &mut Vec<u32>) {
        let rows = query.rows_behind(words);
        let levels = self.index.levels.made().map(Vec::as_slice);
        // As for states: sums are begun anew.
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.borrow_mut().fit(&self.trace.task_comms);
        for (cpu, cells) in rows {
            let index = self.trace.lane_index(cpu);
            LaneCells {
                lane: self.trace.lane_at(index.unwrap_or(usize::MAX)),
                detail: match levels.zip(index).and_then(|(levels, index)| levels.get(index)) {
                    Some(levels) => Detail::Levels(levels),
                    None => Detail::Intervals(&tally),
                },
                pairs: &self.trace.task_comms,
                shown: &self.index.shown,
                highlighted: self.highlighted().zip(index).and_then(|(bits, index)| bits.get(index)),
            }
            .fill(query.span(), cells);
        }
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
            ("runs by task", self.runs.made().map_or(0, Runs::memory_bytes)),
            ("wakeups by waker", self.wakers.made().map_or(0, Wakers::memory_bytes)),
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
            ("moves", self.arrivals.made().map_or(0, Arrivals::memory_bytes)),
        ];
        let of = |index: &ShownIndex| {
            let curve = index.curve.made().map_or(0, |curve| curve.steps().memory_bytes());
            index.memory_bytes() + curve + index.runqueues.memory_bytes()
        };
        if self.spec.forked {
            parts.push(("the same of forked tasks", of(&self.index)));
        }
        if let Some(passing) = self.passing() {
            parts.push((
                "the same of runs that pass",
                of(&self.counting) + passing.memory_bytes(),
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
            shown_runs: (!shown.is_all()).then(|| bits(trace, &shown, None)),
            shown,
            runqueues,
            ..ShownIndex::default()
        }
    }

    /// Of these tasks, the runs that pass a filter: for curves and queues, which are made on demand.
    fn passing(&self, runs: Option<Arc<Passing>>) -> ShownIndex {
        ShownIndex {
            shown: self.shown.clone().passing(runs),
            ..ShownIndex::default()
        }
    }

    /// Makes what a screen needs.
    fn make(&self, trace: &Trace) {
        self.levels(trace);
        self.curve(trace);
    }

    pub(super) fn levels(&self, trace: &Trace) -> &[Levels] {
        self.levels
            .get_or_make(LevelsBuilder::default, |builder| self.some_levels(builder, trace))
    }

    /// Works for about a millisecond on the levels; true once they are there.
    fn prepare_levels(&self, trace: &Trace) -> bool {
        self.levels
            .step(LevelsBuilder::default, |builder| self.some_levels(builder, trace))
    }

    fn some_levels(&self, builder: &mut LevelsBuilder, trace: &Trace) -> Option<Vec<Levels>> {
        builder.step(&trace.lanes, &trace.task_comms, &self.shown)
    }

    pub(super) fn curve(&self, trace: &Trace) -> &Curve {
        self.curve.get_or_make(|| self.begin_curve(trace), CurveBuilder::step)
    }

    /// The same for the curve.
    fn prepare_curve(&self, trace: &Trace) -> bool {
        self.curve.step(|| self.begin_curve(trace), CurveBuilder::step)
    }

    fn begin_curve(&self, trace: &Trace) -> CurveBuilder {
        CurveBuilder::new(match self.shown.is_all() {
            true => Arc::clone(&trace.steps),
            false => Arc::new(filtered_steps(trace, &self.shown, None)),
        })
    }

    /// Size in bytes, without the steps of the curve and the runqueues.
    fn memory_bytes(&self) -> usize {
        let shown_runs = self.shown_runs.iter().flatten().map(Bits::memory_bytes);
        let levels = self.levels.made().into_iter().flatten().map(Levels::memory_bytes);
        let curve = self.curve.made().map_or(0, Curve::memory_bytes);
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

/// By lane, the shown runs of the wanted pairs; `None`: of all.
fn bits(trace: &Trace, shown: &Shown, wanted: Option<&[bool]>) -> Vec<Bits> {
    let is_wanted = |id: TaskCommId| wanted.is_none_or(|wanted| wanted.get(id.0 as usize) == Some(&true));
    let of_lane = |(number, lane): (usize, &schedmodel::Lane)| {
        let is_in = |index: usize, id: TaskCommId| is_wanted(id) && shown.has_run(id, number, index);
        Bits::new(lane.len(), |index| lane.run(index).is_some_and(|id| is_in(index, id)))
    };
    trace.lanes.iter().enumerate().map(of_lane).collect()
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
