//! Latencies, waits or lengths of runs against time.
//!
//! Near ones are one point, which is the longest of them: so the highest point of each column of time is the longest of that
//! time, and each point is a value that was measured.

use crate::query::explain::latency::RunEnd;
use crate::query::jobs::job::{run, Job, Model};
use crate::query::select::columns::{column, half_octave};
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use crate::query::select::uncertain::UncertainDurations;
use crate::query::select::walk::{CountWalk, LaneWalk};
use schedindex::{latency_in_doubt, wait_in_doubt};
use schedmodel::{TaskCommId, Time, Trace, WaitCause};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use ts_rs::TS;

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum PointsOf {
    /// Wake-up latencies, by when they start.
    #[default]
    Wakeup,
    /// Waits, by when they begin.
    Wait,
    /// Waits that began with a wakeup.
    WaitWoken,
    /// Waits that began with a switch-out as runnable.
    WaitPreempted,
    /// Runs, by when they begin.
    Run,
    /// Runs whose task stayed runnable and is not known to have yielded.
    RunPreempted,
    /// Runs whose task yielded.
    RunYielded,
    /// Runs whose task slept.
    RunSlept,
    /// Runs whose task exited.
    RunExited,
}

/// Durations against time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LatencyPoints {
    /// How many durations there are, without those that are uncertain.
    pub count: u64,
    /// Those that are left out: records are missing meanwhile.
    pub uncertain: UncertainDurations,
    /// Begin of the time over which columns are spread.
    pub first_ns: Time,
    /// Its end.
    pub last_ns: Time,
    /// By column, then from short to long.
    pub points: Vec<LatencyPoint>,
}

/// Durations that began at about the same time and are about as long: the longest of them, the first of equal ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LatencyPoint {
    /// When it began.
    pub at_ns: Time,
    /// How long it is.
    pub ns: u64,
    /// How many there are.
    pub count: u64,
    /// Whose it is.
    pub task: TaskName,
    /// The run that it led to, or is.
    pub run: RunPlace,
}

/// Durations of a selection against time, told apart in `columns` of time and half octaves of length.
pub fn latency_points(trace: &Trace, selection: &Selection, of: PointsOf, columns: u32) -> LatencyPoints {
    run(trace, PointsJob::new(trace, Scope::new(trace, selection), of, columns))
}

/// The most columns: those of the widest screen.
const MOST_COLUMNS: u32 = 8192;

/// [`latency_points`] as a job.
#[derive(Debug)]
pub(crate) struct PointsJob {
    scope: Arc<Scope>,
    of: PointsOf,
    edges: CountWalk,
    runs: LaneWalk,
    cells: Cells,
}

#[derive(Debug)]
struct Cells {
    columns: u32,
    window: Range<u64>,
    count: u64,
    uncertain: UncertainDurations,
    /// By column and half octave.
    found: BTreeMap<(u32, u32), Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    at: u64,
    ns: u64,
    count: u64,
    id: TaskCommId,
    /// Lane and start of the run.
    run: (usize, u64),
}

impl Cells {
    fn add(&mut self, at: u64, ns: u64, id: TaskCommId, run: (usize, u64)) {
        self.count += 1;
        let key = (column(at, &self.window, self.columns), half_octave(ns));
        let cell = Cell {
            at,
            ns,
            count: 0,
            id,
            run,
        };
        let kept = self.found.entry(key).or_insert(cell);
        let is_ahead = kept.ns < ns || (kept.ns == ns && (at, run) < (kept.at, kept.run));
        let count = kept.count + 1;
        if is_ahead {
            *kept = cell;
        }
        kept.count = count;
    }
}

impl PointsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, of: PointsOf, columns: u32) -> PointsJob {
        PointsJob {
            cells: Cells {
                columns: columns.clamp(1, MOST_COLUMNS),
                window: Selected::of(trace, &scope).closed_window(),
                count: 0,
                uncertain: UncertainDurations::default(),
                found: BTreeMap::new(),
            },
            scope,
            of,
            edges: CountWalk::default(),
            runs: LaneWalk::default(),
        }
    }

    /// Adds waits or runs.
    fn add_runs(&mut self, trace: &Trace, lane_index: usize, indexes: Range<usize>) {
        let selected = Selected::of(trace, &self.scope);
        let (window, lane) = (&selected.window, trace.lane_at(lane_index));
        let cause = match self.of {
            PointsOf::WaitWoken => Some(WaitCause::Wakeup),
            PointsOf::WaitPreempted => Some(WaitCause::Preempted),
            _ => None,
        };
        let wanted_end = match self.of {
            PointsOf::RunPreempted => Some(RunEnd::Preempted),
            PointsOf::RunYielded => Some(RunEnd::Yielded),
            PointsOf::RunSlept => Some(RunEnd::Slept),
            PointsOf::RunExited => Some(RunEnd::Exited),
            _ => None,
        };
        for run in selected.runs_in(lane_index, indexes) {
            let start = run.interval.start;
            if matches!(self.of, PointsOf::Wait | PointsOf::WaitWoken | PointsOf::WaitPreempted) {
                let wait = run.wait.filter(|wait| window.contains(&wait.since));
                match wait.filter(|wait| cause.is_none_or(|cause| cause == wait.cause)) {
                    Some(wait) if wait_in_doubt(trace, lane_index, run.index) => {
                        self.cells.uncertain.add(start - wait.since);
                    }
                    Some(wait) => {
                        let ns = start - wait.since;
                        self.cells.add(wait.since, ns, run.id, (lane_index, start));
                    }
                    None => {}
                }
                continue;
            }
            // As lengths of runs are measured in `latency`.
            let whole = lane.whole_run(run.index);
            let begin = lane.start_of(whole.start);
            if whole.end != run.index + 1 || !window.contains(&begin) {
                continue;
            }
            let end = lane.end_state(run.index).filter(|_| lane.switched_to(whole.start));
            let end = end.and_then(RunEnd::of);
            if end.is_some_and(|end| wanted_end.is_none_or(|wanted| wanted == end)) {
                self.cells
                    .add(begin, run.interval.end - begin, run.id, (lane_index, begin));
            }
        }
    }
}

impl Job for PointsJob {
    type Answer = LatencyPoints;

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        if self.of == PointsOf::Wakeup {
            let Some(numbers) = self.edges.next(trace.edges.len()) else {
                return false;
            };
            for woken in Selected::of(trace, &self.scope).wakeups_in(numbers) {
                if latency_in_doubt(trace, woken.wakee, &woken.edge) {
                    self.cells.uncertain.add(woken.latency);
                    continue;
                }
                let start = woken.edge.running.unwrap_or(woken.edge.at);
                self.cells
                    .add(woken.edge.at, woken.latency, woken.id, (woken.lane, start));
            }
            return true;
        }
        let Some((lane, indexes)) = self.runs.next(trace, &self.scope) else {
            return false;
        };
        self.add_runs(trace, lane, indexes);
        true
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        match self.of {
            PointsOf::Wakeup => self.edges.share(trace.edges.len()),
            _ => self.runs.share(trace),
        }
    }

    fn answer(self, Model { trace, .. }: Model<'_>) -> LatencyPoints {
        let points = self.cells.found.into_values().map(|cell| LatencyPoint {
            at_ns: Time(cell.at),
            ns: cell.ns,
            count: cell.count,
            task: TaskName::of(trace, cell.id),
            run: RunPlace {
                cpu: trace.cpu_at(cell.run.0),
                start_ns: Time(cell.run.1),
            },
        });
        LatencyPoints {
            count: self.cells.count,
            uncertain: self.cells.uncertain,
            first_ns: Time(self.cells.window.start),
            last_ns: Time(self.cells.window.end),
            points: points.collect(),
        }
    }
}
