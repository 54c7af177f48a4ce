//! A selection, applied to a trace: used by every query of the command line.

use super::selection::Selection;
use schedindex::{filtered_steps, Shown};
use schedmodel::{Edge, Interval, LooseWait, Steps, TaskCommId, TaskId, Trace, Wait, Who};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// What a selection means for one trace; made once per query.
#[derive(Debug)]
pub struct Scope {
    /// As [`Selection::window`] has it.
    pub window: Range<u64>,
    pub shown: Shown,
    pub lanes: Option<Vec<bool>>,
}

impl Scope {
    pub fn new(trace: &Trace, selection: &Selection) -> Arc<Scope> {
        Arc::new(Scope {
            window: selection.window(trace),
            shown: selection.shown(trace),
            lanes: selection.lanes(trace),
        })
    }

    /// The whole trace.
    pub fn everything() -> Scope {
        Scope {
            window: 0..u64::MAX,
            shown: Shown::all(),
            lanes: None,
        }
    }

    /// Whether only time is restricted.
    pub fn is_all(&self) -> bool {
        self.shown.is_all() && self.has_all_lanes()
    }

    /// Whether nothing is restricted.
    pub fn is_whole(&self, trace: &Trace) -> bool {
        self.is_all() && self.window.start == 0 && trace.span_ns <= self.window.end
    }

    /// Whether every CPU is selected.
    pub fn has_all_lanes(&self) -> bool {
        self.lanes.is_none()
    }

    pub fn has_lane(&self, lane: usize) -> bool {
        self.lanes.as_ref().is_none_or(|lanes| lanes.get(lane) == Some(&true))
    }
}

/// The selected part of a trace.
pub struct Selected<'a> {
    /// All of it.
    pub trace: &'a Trace,
    scope: Arc<Scope>,
}

impl Deref for Selected<'_> {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

/// A run of a selected task on a selected CPU.
#[derive(Clone, Copy)]
pub struct Run {
    pub lane: usize,
    pub index: usize,
    pub id: TaskCommId,
    pub interval: Interval,
    /// The wait before it.
    pub wait: Option<Wait>,
}

/// A wakeup that led to a run of a selected task on a selected CPU.
pub struct Woken {
    /// Number of the edge.
    pub number: usize,
    /// The wakeup.
    pub edge: Edge,
    /// Who was woken.
    pub wakee: TaskId,
    /// Lane of the run.
    pub lane: usize,
    /// The task with its comm in the run.
    pub id: TaskCommId,
    /// From the wakeup to the run, in ns.
    pub latency: u64,
}

impl<'a> Selected<'a> {
    /// What `selection` selects of a trace.
    pub fn new(trace: &'a Trace, selection: &Selection) -> Selected<'a> {
        Selected::of(trace, &Scope::new(trace, selection))
    }

    /// The same of a scope that was worked out before.
    pub fn of(trace: &'a Trace, scope: &Arc<Scope>) -> Selected<'a> {
        let scope = Arc::clone(scope);
        Selected { trace, scope }
    }

    /// The window, clipped to the trace's end.
    pub fn closed_window(&self) -> Range<u64> {
        self.window.start..self.window.end.min(self.trace.span_ns).max(self.window.start)
    }

    /// How much of a stretch of time lies in the window.
    pub fn clip(&self, start: u64, end: u64) -> u64 {
        end.min(self.window.end).saturating_sub(start.max(self.window.start))
    }

    /// The runs of selected tasks among intervals of a selected lane, at any time.
    pub fn runs_in(&self, lane_index: usize, indexes: Range<usize>) -> impl Iterator<Item = Run> + '_ {
        let lane = self.trace.lane_at(lane_index);
        let mut start = lane.start_of(indexes.start);
        indexes.filter_map(move |index| {
            let (who, end) = (lane.who(index), lane.end_of(index));
            let interval = Interval {
                start: std::mem::replace(&mut start, end),
                end,
                who,
            };
            let Who::Run(id) = who else { return None };
            self.shown.has_run(id, lane_index, index).then(|| Run {
                lane: lane_index,
                index,
                id,
                interval,
                wait: lane.wait_before(index, interval.start),
            })
        })
    }

    /// The wakeups whose latency starts in the window and that led to a selected run, grouped by wakee.
    pub fn wakeups(&self) -> impl Iterator<Item = Woken> + '_ {
        self.wakeups_in(0..self.trace.edges.len())
    }

    /// Those among edges with these numbers.
    pub fn wakeups_in(&self, numbers: Range<usize>) -> impl Iterator<Item = Woken> + '_ {
        self.wakeups_if(numbers, |_| true)
    }

    /// Those of them of which `worth` is true, which is asked before the run is looked up: that takes longer than to read a wakeup.
    pub fn wakeups_if<'s>(
        &'s self,
        numbers: Range<usize>,
        worth: impl Fn(&Edge) -> bool + 's,
    ) -> impl Iterator<Item = Woken> + 's {
        let edges = &self.trace.edges;
        let mut wakee = if numbers.is_empty() {
            TaskId(0)
        } else {
            edges.wakee(numbers.start)
        };
        let mut hints = vec![0; self.trace.lanes.len()];
        numbers.filter_map(move |number| {
            while edges.of(wakee).end <= number {
                wakee.0 += 1;
            }
            self.woken_near(wakee, number, &mut hints, &worth)
        })
    }

    /// Wakeup `number` of `wakee`, if it is selected.
    pub fn woken(&self, wakee: TaskId, number: usize) -> Option<Woken> {
        self.woken_near(wakee, number, &mut [], |_| true)
    }

    /// The same; `hints` has, by lane, the last run that was found, near which the next is looked for: the wakeups of a task
    /// are in order of time.
    fn woken_near(
        &self,
        wakee: TaskId,
        number: usize,
        hints: &mut [usize],
        worth: impl Fn(&Edge) -> bool,
    ) -> Option<Woken> {
        let trace = self.trace;
        if !self.window.contains(&trace.edges.at(number)) {
            return None;
        }
        let edge = trace.edges.get(number);
        let latency = edge.latency().filter(|_| worth(&edge))?;
        let (lane, index) = run_of(trace, wakee, &edge, hints)?;
        let id = trace.lane_at(lane).run(index)?;
        (self.has_lane(lane) && self.shown.has_run(id, lane, index)).then_some(Woken {
            number,
            edge,
            wakee,
            lane,
            id,
            latency,
        })
    }

    /// The waits of selected tasks that did not end with a run; none if CPUs are selected.
    pub fn loose_waits(&self) -> impl Iterator<Item = &'a LooseWait> + '_ {
        let waits = if self.has_all_lanes() {
            &self.trace.loose_waits[..]
        } else {
            &[]
        };
        waits.iter().filter(|wait| self.shown.has_loose(wait.who))
    }

    /// How many CPUs run and idle and how many tasks wait, of what is selected.
    pub fn steps(&self) -> Arc<Steps> {
        if self.is_all() {
            Arc::clone(&self.trace.steps)
        } else {
            Arc::new(filtered_steps(self.trace, &self.shown, self.lanes.as_deref()))
        }
    }
}

/// Lane and index of the run that a wakeup of `wakee` led to.
fn run_of(trace: &Trace, wakee: TaskId, edge: &Edge, hints: &mut [usize]) -> Option<(usize, usize)> {
    let (running, lane_index) = (edge.running?, trace.lane_index(edge.cpu?)?);
    let lane = trace.lane_at(lane_index);
    let first = match hints.get_mut(lane_index) {
        Some(hint) => {
            // Of a task before, it may be later.
            let after = 0 < *hint && lane.start_of(*hint - 1) < running;
            *hint = match after {
                true => lane.starts().gallop(*hint, running),
                false => lane.starts().partition_point(|start| start < running),
            };
            *hint
        }
        None => lane.starts().partition_point(|start| start < running),
    };
    let mut same_time = (first..lane.len()).take_while(|&index| lane.start_of(index) == running);
    let is_wakee = |index: &usize| lane.run(*index).is_some_and(|id| trace.task_comm(id).task == wakee);
    same_time.find(is_wakee).map(|index| (lane_index, index))
}
