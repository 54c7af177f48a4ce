//! What CPUs did at an instant: who made a wakeup, which CPUs were idle, which could take a task.

use schedmodel::{Edge, Trace, Who};

/// Lane and index of the interval in which a wakeup was made, if the lane agrees that the waker ran there.
pub fn waker_run(trace: &Trace, edge: &Edge) -> Option<(usize, usize)> {
    let lane_index = trace.lane_index(edge.waker_cpu)?;
    let lane = trace.lane_at(lane_index);
    let agrees = |index: &usize| match (lane.who(*index), edge.waker) {
        (Who::Run(id), Some(waker)) => trace.task_comm(id).task == waker,
        (Who::Idle, None) => edge.waker_is_idle(),
        _ => false,
    };
    let after = lane.starts().partition_point(|start| start <= edge.at);
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
