//! Finds intervals: the one at an instant, the next one, the next highlighted one.

use super::answer::{IntervalAnswer, IntervalKind, PartOfRun, RunDetails};
use super::edge::WakeupEdge;
use super::view::View;
use schedmodel::{Class, Edge, TaskId, Trace, Who};
use schedrows::StateCode;

impl View {
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
        let here = lane.find(at).unwrap_or(lane.len());
        let shown = self.index().shown_runs.as_deref().and_then(|bits| bits.get(lane_index));
        let is_run = |&index: &usize| lane.run(index).is_some();
        let found = match (forward, shown) {
            (true, Some(bits)) => bits.next(here + 1),
            (false, Some(bits)) => bits.previous(here),
            // Between two runs there is at most an idle and an unknown interval.
            (true, None) => (here + 1..lane.len()).find(is_run),
            (false, None) => (0..here).rev().find(is_run),
        };
        Some(self.describe(lane_index, found?))
    }

    /// The first highlighted run that starts after `at`, or the last one that starts before it, on any CPU.
    pub fn next_highlighted(&self, at: u64, forward: bool) -> Option<IntervalAnswer> {
        let lanes = self.trace().lanes.iter();
        let found = lanes
            .zip(self.highlighted()?)
            .enumerate()
            .filter_map(|(lane_index, (lane, bits))| {
                let index = if forward {
                    bits.next(lane.starts().partition_point(|&start| start <= at))
                } else {
                    bits.previous(lane.starts().partition_point(|&start| start < at))
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
        let interval = lane.interval(index);
        let (kind, run) = match interval.who {
            Who::Idle => (IntervalKind::Idle, None),
            Who::Unknown => (IntervalKind::Unknown, None),
            Who::Run(id) => {
                let pair = trace.task_comm(id);
                let task = trace.task(pair.task);
                let wait = lane.wait(index);
                let whole = lane.whole_run(index);
                let part = |index: usize| {
                    let (id, start) = (lane.run(index)?, lane.start_of(index));
                    let pid = trace.task_of(id).pid;
                    Some(PartOfRun { pid, start })
                };
                let details = RunDetails {
                    task: pair.task.0,
                    pid: task.pid,
                    generation: task.generation,
                    comm: trace.comm_of(id).to_owned(),
                    prio: lane.prio(index),
                    class: lane.prio(index).map(Class::of),
                    end_state: lane.end_state(index).map(state_text),
                    throttled: lane.end_state(index).is_some_and(StateCode::throttled),
                    exec_from: (whole.start < index).then(|| part(index - 1)).flatten(),
                    exec_to: (index + 1 < whole.end).then(|| part(index + 1)).flatten(),
                    waited_since: wait.map(|wait| wait.since),
                    wait_cause: wait.map(|wait| wait.cause),
                    wakeup: self.wakeup_of(pair.task, interval.start, trace.comm_of(id)),
                };
                (IntervalKind::Run, Some(details))
            }
        };
        IntervalAnswer {
            cpu: trace.cpu_at(lane_index),
            start: interval.start,
            end: interval.end,
            kind,
            inferred: lane.inferred(index),
            open: lane.open(index),
            run,
        }
    }

    /// The wakeup whose switch-in was at `start`.
    fn wakeup_of(&self, task: TaskId, start: u64, comm: &str) -> Option<WakeupEdge> {
        let trace = self.trace();
        let edge = trace.edges.get(trace.edges.last_before(task, start)?);
        (edge.running == Some(start)).then(|| WakeupEdge::new(trace, &edge, task, comm).with_choice(trace, &edge))
    }
}

/// The letter, with a `+` if the task was preempted.
pub fn state_text(state: StateCode) -> String {
    let plus = if state.preempted() { "+" } else { "" };
    format!("{}{plus}", char::from(state.letter()))
}

/// Lane and index of the interval in which a wakeup was made, if the lane agrees that the waker ran there.
pub fn waker_run(trace: &Trace, edge: &Edge) -> Option<(usize, usize)> {
    let lane_index = trace.lane_index(edge.waker_cpu)?;
    let lane = trace.lane_at(lane_index);
    let agrees = |index: &usize| match (lane.who(*index), edge.waker) {
        (Who::Run(id), Some(waker)) => trace.task_comm(id).task == waker,
        (Who::Idle, None) => edge.waker_is_idle(),
        _ => false,
    };
    let after = lane.starts().partition_point(|&start| start <= edge.at);
    // At the very ns of a switch the wakeup may belong to either side of it.
    (0..after)
        .rev()
        .take_while(|&index| edge.at <= lane.end_of(index))
        .find(agrees)
        .map(|index| (lane_index, index))
}

/// CPUs that were idle at an instant.
pub fn idle_cpus(trace: &Trace, at: u64) -> Vec<u32> {
    let lanes = trace.cpus.iter().zip(&trace.lanes);
    let idle = lanes.filter(|(_, lane)| lane.find(at).is_some_and(|index| lane.who(index) == Who::Idle));
    idle.map(|(&cpu, _)| cpu).collect()
}

/// Whether a CPU is idle at an instant, with no task on its way to it; `None` for a CPU that is not in the trace.
pub(in crate::query) fn is_free(trace: &Trace, cpu: u32, at: u64) -> Option<bool> {
    let lane = trace.lane(cpu)?;
    let index = lane.find(at)?;
    Some(match lane.who(index) {
        Who::Unknown => return None,
        Who::Run(_) => false,
        Who::Idle => !next_was_woken_before(trace, cpu, index + 1, at),
    })
}

/// Whether the run at `index` of a CPU's lane follows a wakeup that had chosen the CPU before `at`.
fn next_was_woken_before(trace: &Trace, cpu: u32, index: usize, at: u64) -> bool {
    let Some(lane) = trace.lane(cpu).filter(|lane| index < lane.len()) else {
        return false;
    };
    let Some(id) = lane.run(index) else { return false };
    let (task, start) = (trace.task_comm(id).task, lane.start_of(index));
    let Some(number) = trace.edges.last_before(task, start) else {
        return false;
    };
    let edge = trace.edges.get(number);
    edge.running == Some(start) && edge.chosen_cpu == Some(cpu) && edge.at < at
}
