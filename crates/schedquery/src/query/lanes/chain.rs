//! The wakeup chain of a run: back to its cause, and forward to the wakeups that it made.
//!
//! A run that follows a wakeup was caused by it. A run that follows a preemption was caused by the wakeup that had made
//! the task runnable before: the last one of that task that led to a run. The waker's run is the interval of its CPU
//! that contains the wakeup; it has a chain of its own, and so on. A run that continues after an exec under its
//! leader's pid is one run.
//!
//! A chain does not lead through records that are missing: if a latency is uncertain, another wakeup may have come, and if a
//! task may have slept unseen since its last wakeup, another one caused its run. There the chain ends as unknown.

use super::answer::{Chain, ChainEnd};
use super::edge::WakeupEdge;
use super::indexes::Indexes;
use super::instant::waker_run;
use schedindex::{latency_in_doubt, wait_in_doubt, RunId};
use schedmodel::{Edge, TaskId, Wait, WaitCause, WakerContext, Who};

/// The most hops; nobody reads more.
const MOST_HOPS: u32 = 10_000;
/// The most wakeups of one run that are listed; the others are counted.
const MOST_FORWARD: usize = 200;

/// What caused a run.
enum Cause {
    /// The wakeup with this number.
    Wakeup(usize),
    /// No wakeup that the trace tells.
    None,
    /// It may be a wakeup that is not recorded.
    InDoubt,
}

impl Indexes {
    /// The chain of the run on `cpu` at `at`, with at most `hops` hops; `None` if no task runs there.
    pub fn chain(&self, cpu: u32, at: u64, hops: u32) -> Option<Chain> {
        let trace = self.trace();
        let lane = trace.lane_index(cpu)?;
        let index = trace.lane_at(lane).find(at)?;
        trace.lane_at(lane).run(index)?;
        let (back, ends_at) = self.back(lane, index, hops.min(MOST_HOPS));
        let (forward, forward_total) = self.forward(lane, index);
        Some(Chain {
            run: self.describe(lane, index),
            back,
            ends_at,
            forward,
            forward_total,
        })
    }

    fn back(&self, lane: usize, index: usize, hops: u32) -> (Vec<WakeupEdge>, ChainEnd) {
        let trace = self.trace();
        let mut back = Vec::new();
        let mut here = (lane, index);
        loop {
            // The part after an exec belongs to the same run.
            here.1 = trace.lane_at(here.0).whole_run(here.1).start;
            let number = match self.cause(here) {
                Cause::Wakeup(number) => number,
                Cause::None => return (back, self.origin(here)),
                Cause::InDoubt => return (back, ChainEnd::Unknown),
            };
            if back.len() as u32 == hops {
                return (back, ChainEnd::Limit);
            }
            let edge = trace.edges.get(number);
            back.push(self.hop(number, &edge));
            match edge.context {
                WakerContext::Hardirq | WakerContext::Softirq => return (back, ChainEnd::Interrupt),
                WakerContext::Unknown => return (back, ChainEnd::Unknown),
                WakerContext::Task if edge.waker_is_idle() => return (back, ChainEnd::Idle),
                WakerContext::Task => {}
            }
            match waker_run(trace, &edge) {
                Some(run) => here = run,
                None => return (back, ChainEnd::Unknown),
            }
        }
    }

    /// What caused a run.
    fn cause(&self, here: (usize, usize)) -> Cause {
        let trace = self.trace();
        let lane = trace.lane_at(here.0);
        let Who::Run(id) = lane.who(here.1) else {
            return Cause::None;
        };
        let start = lane.start_of(here.1);
        let preempted = lane.wait(here.1).is_some_and(|wait| wait.cause == WaitCause::Preempted);
        let number = self.last_wakeup(trace.task_comm(id).task, start);
        let Some((number, edge)) = number.map(|number| (number, trace.edges.get(number))) else {
            return match preempted && self.may_have_slept(here, 0) {
                true => Cause::InDoubt,
                false => Cause::None,
            };
        };
        let led = edge.running.unwrap_or(0);
        match led == start {
            false if !preempted => Cause::None,
            false if self.may_have_slept(here, led) => Cause::InDoubt,
            _ if latency_in_doubt(trace, trace.edges.wakee(number), &edge) => Cause::InDoubt,
            _ => Cause::Wakeup(number),
        }
    }

    /// Whether the task of a run may have slept since `from`, because records are missing: what is known of it is not one run after
    /// the other, each preempted.
    fn may_have_slept(&self, (mut lane, mut index): (usize, usize), from: u64) -> bool {
        let trace = self.trace();
        let start = trace.lane_at(lane).start_of(index);
        if !trace.holes.any(from, start) {
            return false;
        }
        loop {
            index = trace.lane_at(lane).whole_run(index).start;
            let here = trace.lane_at(lane);
            if here.start_of(index) <= from || here.inferred(index) {
                return false;
            }
            let preempted = |wait: &Wait| wait.cause == WaitCause::Preempted && !wait_in_doubt(trace, lane, index);
            let (Some(id), Some(wait)) = (here.run(index), here.wait(index).filter(preempted)) else {
                return true;
            };
            let before = self.runs().last_before(trace, trace.task_comm(id).task, wait.since);
            let ends_then = |run: &RunId| trace.lane_at(run.lane).end_of(run.index) == wait.since;
            match before.filter(ends_then) {
                // It ended when it began: nothing comes before the same run.
                Some(run) if (run.lane, run.index) != (lane, index) => (lane, index) = (run.lane, run.index),
                _ => return true,
            }
        }
    }

    /// The last wakeup of a thread that led to a switch-in at or before `start`, including wakeups before an exec.
    fn last_wakeup(&self, mut task: TaskId, start: u64) -> Option<usize> {
        let trace = self.trace();
        loop {
            match trace.edges.last_before(task, start) {
                None => task = trace.task(task).continues?,
                found => return found,
            }
        }
    }

    /// Why a chain ends at a run without a cause.
    fn origin(&self, (lane, index): (usize, usize)) -> ChainEnd {
        let trace = self.trace();
        let Some(id) = trace.lane_at(lane).run(index) else {
            return ChainEnd::Unknown;
        };
        let preempted = trace
            .lane_at(lane)
            .wait(index)
            .is_some_and(|wait| wait.cause == WaitCause::Preempted);
        // Preempted and never woken: it has been runnable since its first run.
        let mut task = trace.task_comm(id).task;
        while let Some(before) = trace.task(task).continues {
            task = before;
        }
        let first = self
            .runs()
            .pairs_of(task)
            .iter()
            .find_map(|&pair| self.runs().of(pair).next());
        let began = if preempted {
            first.map_or((lane, index), |run| (run.lane, run.index))
        } else {
            (lane, index)
        };
        if trace.lane_at(began.0).inferred(began.1) {
            ChainEnd::TraceStart
        } else {
            ChainEnd::Unknown
        }
    }

    fn forward(&self, lane: usize, index: usize) -> (Vec<WakeupEdge>, u64) {
        let trace = self.trace();
        let run = trace.lane_at(lane).whole_run(index);
        let (start, end) = (
            trace.lane_at(lane).start_of(run.start),
            trace.lane_at(lane).end_of(run.end - 1),
        );
        let in_it = |(other, index)| other == lane && run.contains(&index);
        let made_by_it = |edge: &Edge| {
            edge.context == WakerContext::Task && edge.waker.is_some() && waker_run(trace, edge).is_some_and(in_it)
        };
        let mut forward = Vec::new();
        let mut total = 0;
        for &number in self.wakers().between(trace, lane, start, end) {
            let edge = trace.edges.get(number as usize);
            if made_by_it(&edge) {
                total += 1;
                if forward.len() < MOST_FORWARD {
                    forward.push(self.hop(number as usize, &edge));
                }
            }
        }
        (forward, total)
    }

    fn hop(&self, number: usize, edge: &Edge) -> WakeupEdge {
        let trace = self.trace();
        let wakee = trace.edges.wakee(number);
        let comm = edge.running.and_then(|running| self.comm_at(wakee, running));
        let comm = comm.unwrap_or(trace.comms.name(trace.task(wakee).comm));
        WakeupEdge::new(trace, edge, wakee, comm)
    }

    /// The comm of the run of `task` that starts at `start`.
    fn comm_at(&self, task: TaskId, start: u64) -> Option<&str> {
        let trace = self.trace();
        let run = self.runs().last_before(trace, task, start)?;
        trace.lane_at(run.lane).run(run.index).map(|id| trace.comm_of(id))
    }
}
