//! Finds intervals: the one at an instant, the next one, the next highlighted one.

use super::answer::{IntervalAnswer, PartOfRun, RunDetails};
use super::edge::WakeupEdge;
use super::indexes::Indexes;
use schedindex::Bits;
use schedmodel::{Class, Lane, TaskId};
use schedrows::StateCode;

impl Indexes {
    /// The interval of a CPU at an instant.
    pub fn pick(&self, cpu: u32, at: u64) -> Option<IntervalAnswer> {
        let lane = self.trace().lane_index(cpu)?;
        Some(self.describe(lane, self.trace().lane_at(lane).find(at)?))
    }

    /// The shown run before or after the interval at `at`, which may lie past the trace's end.
    pub fn step(&self, cpu: u32, at: u64, forward: bool) -> Option<IntervalAnswer> {
        let trace = self.trace();
        let lane_index = trace.lane_index(cpu)?;
        let lane = trace.lane_at(lane_index);
        let shown = self.index().shown_runs.as_deref().and_then(|bits| bits.get(lane_index));
        Some(self.describe(lane_index, run_beside(lane, at, forward, shown)?))
    }

    /// The first highlighted run that starts after `at`, or the last one that starts before it, on any CPU.
    pub fn next_highlighted(&self, at: u64, forward: bool) -> Option<IntervalAnswer> {
        let lanes = self.trace().lanes.iter();
        let found = lanes
            .zip(self.highlighted()?)
            .enumerate()
            .filter_map(|(lane_index, (lane, bits))| {
                let index = if forward {
                    bits.next(lane.starts().partition_point(|start| start <= at))
                } else {
                    bits.previous(lane.starts().partition_point(|start| start < at))
                }?;
                Some((lane.start_of(index), lane_index, index))
            });
        let (_, lane, index) = if forward { found.min() } else { found.max() }?;
        Some(self.describe(lane, index))
    }

    /// All that is known of an interval.
    pub fn describe(&self, lane_index: usize, index: usize) -> IntervalAnswer {
        let trace = self.trace();
        let lane = trace.lane_at(lane_index);
        IntervalAnswer::new(trace.cpu_at(lane_index), lane, index, |id| {
            let pair = trace.task_comm(id);
            let task = trace.task(pair.task);
            let wait = lane.wait(index);
            let whole = lane.whole_run(index);
            let part = |index: usize| {
                let (id, start) = (lane.run(index)?, lane.start_of(index));
                let pid = trace.task_of(id).pid;
                Some(PartOfRun { pid, start })
            };
            RunDetails {
                task: pair.task.0,
                pid: task.pid,
                generation: task.generation,
                comm: trace.comm_of(id).to_owned(),
                prio: lane.prio(index),
                class: lane.prio(index).map(Class::of),
                end_state: lane.end_state(index).map(state_text),
                throttled: lane.end_state(index).is_some_and(StateCode::throttled),
                yielded: lane.end_state(index).is_some_and(StateCode::yielded),
                exec_from: (whole.start < index).then(|| part(index - 1)).flatten(),
                exec_to: (index + 1 < whole.end).then(|| part(index + 1)).flatten(),
                waited_since: wait.map(|wait| wait.since),
                wait_cause: wait.map(|wait| wait.cause),
                wakeup: self.wakeup_of(pair.task, lane.start_of(index), trace.comm_of(id)),
            }
        })
    }

    /// The wakeup whose switch-in was at `start`.
    fn wakeup_of(&self, task: TaskId, start: u64, comm: &str) -> Option<WakeupEdge> {
        let trace = self.trace();
        let edge = trace.edges.get(trace.edges.last_before(task, start)?);
        (edge.running == Some(start)).then(|| WakeupEdge::new(trace, &edge, task, comm))
    }
}

/// The run before or after the interval at `at`, which may lie past the lane's end. `shown`: the runs that count; `None`: all do.
pub(super) fn run_beside(lane: &Lane, at: u64, forward: bool, shown: Option<&Bits>) -> Option<usize> {
    let here = lane.find(at).unwrap_or(lane.len());
    let is_run = |&index: &usize| lane.run(index).is_some();
    match (forward, shown) {
        (true, Some(bits)) => bits.next(here + 1),
        (false, Some(bits)) => bits.previous(here),
        // Between two runs there is at most an idle and an unknown interval.
        (true, None) => (here + 1..lane.len()).find(is_run),
        (false, None) => (0..here).rev().find(is_run),
    }
}

/// The letter, with a `+` if the task was preempted.
pub fn state_text(state: StateCode) -> String {
    let plus = if state.preempted() { "+" } else { "" };
    format!("{}{plus}", char::from(state.letter()))
}
