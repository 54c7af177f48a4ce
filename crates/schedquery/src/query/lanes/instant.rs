//! What CPUs did at an instant: who made a wakeup, and which CPUs were idle.

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
