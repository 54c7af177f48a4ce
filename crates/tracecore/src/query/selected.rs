//! A selection, applied to a trace: what every query of the command line goes through.

use super::selection::Selection;
use crate::index::{filtered_steps, Shown};
use crate::sched::{Edge, Interval, Lane, Steps, TaskCommId, TaskId, Trace, Wait};
use std::ops::Range;
use std::sync::Arc;

/// The selected part of a trace.
pub(crate) struct Selected<'a> {
    pub(crate) trace: &'a Trace,
    /// Open to what happens at the very last ns of the trace, unless the selection ends before.
    pub(crate) window: Range<u64>,
    pub(crate) shown: Shown,
    lanes: Option<Vec<bool>>,
}

/// A run of a selected task on a selected CPU.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) lane: usize,
    pub(crate) index: usize,
    pub(crate) id: TaskCommId,
    pub(crate) interval: Interval,
    /// How long it had been runnable before.
    pub(crate) wait: Option<Wait>,
}

/// A wakeup that led to a run of a selected task on a selected CPU.
pub(crate) struct Woken {
    /// Of the edge.
    pub(crate) number: usize,
    pub(crate) edge: Edge,
    pub(crate) wakee: TaskId,
    /// Lane of the run.
    pub(crate) lane: usize,
    /// The task under its comm in the run.
    pub(crate) id: TaskCommId,
    pub(crate) latency: u64,
}

impl<'a> Selected<'a> {
    pub(crate) fn new(trace: &'a Trace, selection: &Selection) -> Selected<'a> {
        Selected {
            trace,
            window: selection.window(trace),
            shown: selection.shown(trace),
            lanes: selection.lanes(trace),
        }
    }

    /// The window, cut at the trace's end.
    pub(crate) fn closed_window(&self) -> Range<u64> {
        self.window.start..self.window.end.min(self.trace.span_ns).max(self.window.start)
    }

    /// Every CPU is selected.
    pub(crate) fn has_all_lanes(&self) -> bool {
        self.lanes.is_none()
    }

    pub(crate) fn has_lane(&self, lane: usize) -> bool {
        self.lanes.as_ref().is_none_or(|lanes| lanes[lane])
    }

    /// The lanes of the selected CPUs, with their index.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (usize, &'a Lane)> + '_ {
        self.trace
            .lanes
            .iter()
            .enumerate()
            .filter(|&(index, _)| self.has_lane(index))
    }

    /// The runs of selected tasks on selected CPUs, at any time, by CPU.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        self.lanes().flat_map(move |(lane_index, lane)| {
            (0..lane.len()).filter_map(move |index| {
                let id = lane.run(index).filter(|&id| self.shown.has(id))?;
                Some(Run {
                    lane: lane_index,
                    index,
                    id,
                    interval: lane.interval(index),
                    wait: lane.wait(index),
                })
            })
        })
    }

    /// The wakeups whose clock starts in the window and that led to a selected run, grouped by wakee.
    pub(crate) fn wakeups(&self) -> impl Iterator<Item = Woken> + '_ {
        let tasks = (0..self.trace.tasks.len() as u32).map(TaskId);
        tasks.flat_map(move |wakee| {
            let numbers = self.trace.edges.of(wakee);
            numbers.filter_map(move |number| self.woken(wakee, number))
        })
    }

    /// Wakeup `number` of `wakee`, if it is one of these.
    pub(crate) fn woken(&self, wakee: TaskId, number: usize) -> Option<Woken> {
        let trace = self.trace;
        if !self.window.contains(&trace.edges.at(number)) {
            return None;
        }
        let edge = trace.edges.get(number);
        let latency = edge.latency()?;
        let (lane, index) = run_of(trace, wakee, &edge)?;
        let id = trace.lanes[lane].run(index)?;
        (self.has_lane(lane) && self.shown.has(id)).then_some(Woken {
            number,
            edge,
            wakee,
            lane,
            id,
            latency,
        })
    }

    /// Calls `each` with who waited, since when and until when: the waits before selected runs, and those that ended on no
    /// CPU where no CPUs are selected.
    pub(crate) fn waits(&self, mut each: impl FnMut(TaskCommId, u64, u64)) {
        for run in self.runs() {
            if let Some(wait) = run.wait {
                each(run.id, wait.since, run.interval.start);
            }
        }
        if self.has_all_lanes() {
            for wait in self.trace.loose_waits.iter().filter(|wait| self.shown.has(wait.who)) {
                each(wait.who, wait.since, wait.until);
            }
        }
    }

    /// How many run, wait and idle, of what is selected.
    pub(crate) fn steps(&self) -> Arc<Steps> {
        if self.shown.is_all() && self.has_all_lanes() {
            Arc::clone(&self.trace.steps)
        } else {
            Arc::new(filtered_steps(self.trace, &self.shown, self.lanes.as_deref()))
        }
    }
}

/// The run, by lane and index, that a wakeup of `wakee` led to.
fn run_of(trace: &Trace, wakee: TaskId, edge: &Edge) -> Option<(usize, usize)> {
    let (running, lane_index) = (edge.running?, trace.lane_index(edge.cpu?)?);
    let lane = &trace.lanes[lane_index];
    let first = lane.starts().partition_point(|&start| start < running);
    let same_time = (first..lane.len()).take_while(|&index| lane.starts()[index] == running);
    let is_wakee = |index: &usize| lane.run(*index).is_some_and(|id| trace.task_comm(id).task == wakee);
    same_time.into_iter().find(is_wakee).map(|index| (lane_index, index))
}
