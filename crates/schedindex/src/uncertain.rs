//! Which waits are uncertain: where records are missing, the task may have run, slept and been woken again unseen.
//!
//! A wait is certain if the CPUs on which it was spent are known all the time and had no idle time in which to run the
//! task. It is uncertain if records of one of them are missing meanwhile, or of one to which it was moved. While records of any CPU are missing, it is
//! also uncertain if the trace does not tell on which CPU it began, if one of its CPUs began to idle (a CPU does not
//! idle with a task in its queue), or if it is so long that an unseen pull to another CPU is more likely. What remains
//! are short waits on busy CPUs.

use super::queues::Waiter;
use schedmodel::{Edge, Lane, Migration, TaskId, Trace, WaitCause, Who};

/// Waits longer than this are uncertain while records of any CPU are missing. In recordings that were truncated on
/// purpose, compared with the complete ones, nearly all false waits that passed the other tests lasted longer.
const LONG: u64 = 100_000_000;

/// Whether the wait before a run is uncertain.
pub fn wait_in_doubt(trace: &Trace, lane_index: usize, index: usize) -> bool {
    let lane = trace.lane_at(lane_index);
    let (Some(wait), Some(id)) = (lane.wait(index), lane.run(index)) else {
        return false;
    };
    let start = lane.start_of(index);
    if !trace.holes.any(wait.since, start) {
        return false;
    }
    let cpu = trace.cpu_at(lane_index);
    if in_doubt(trace, [Some(cpu)], wait.since, start) {
        return true;
    }
    let task = trace.task_comm(id).task;
    if moved_through_hole(trace, task, wait.since, start) {
        return true;
    }
    let began = match wait.cause {
        WaitCause::Wakeup => trace
            .edges
            .last_before(task, start)
            .map(|number| trace.edges.get(number))
            .filter(|edge| edge.running == Some(start))
            .and_then(|edge| edge.chosen_cpu),
        // Most tasks go on where they were preempted.
        WaitCause::Preempted if ran_on_until(trace, lane, task, wait.since) => return false,
        WaitCause::Preempted => ran_until(trace, task, wait.since),
        WaitCause::Replenished => moved_to(trace, task, wait.since),
    };
    in_doubt(trace, [began], wait.since, start)
}

/// The same for a wait, or a part of one, that no run ended: missing records often cause these.
pub fn waiter_in_doubt(trace: &Trace, waiter: &Waiter, from: u64, to: u64) -> bool {
    match waiter.run {
        Some((_, lane, index)) => wait_in_doubt(trace, lane, index),
        None => trace.holes.any(from, to),
    }
}

/// Whether the latency of a wakeup of `wakee` may belong to a later one that was not seen.
pub fn latency_in_doubt(trace: &Trace, wakee: TaskId, edge: &Edge) -> bool {
    let running = edge.running.unwrap_or(edge.at);
    let doubt = || in_doubt(trace, [edge.chosen_cpu, edge.cpu], edge.at, running);
    trace.holes.any(edge.at, running) && (doubt() || moved_through_hole(trace, wakee, edge.at, running))
}

/// Whether a task was moved to a CPU of which records are missing before `to`, or it is not known when it moved.
fn moved_through_hole(trace: &Trace, task: TaskId, from: u64, to: u64) -> bool {
    let first = trace.migrations.partition_point(|migration| migration.at < from);
    let meanwhile = trace
        .migrations
        .iter()
        .skip(first)
        .take_while(|migration| migration.at <= to);
    let through = |migration: &Migration| {
        let on = migration.to();
        migration.kind.is_derived() || on.is_none_or(|cpu| trace.holes.on(cpu, migration.at, to))
    };
    meanwhile.filter(|migration| migration.task == task).any(through)
}

/// For a wait that began and ended on `cpus`, while records of some CPU are missing.
fn in_doubt<const N: usize>(trace: &Trace, cpus: [Option<u32>; N], from: u64, to: u64) -> bool {
    LONG < to - from
        || cpus.into_iter().any(|cpu| {
            let lane = cpu.and_then(|cpu| Some((cpu, trace.lane(cpu)?)));
            lane.is_none_or(|(cpu, lane)| {
                let first = lane.starts().partition_point(|start| start <= from);
                let end = lane.starts().partition_point(|start| start < to);
                trace.holes.on(cpu, from, to) || (first..end).any(|index| lane.who(index) == Who::Idle)
            })
        })
}

/// The CPU that a task was moved to at `at`.
fn moved_to(trace: &Trace, task: TaskId, at: u64) -> Option<u32> {
    let first = trace.migrations.partition_point(|migration| migration.at < at);
    let then = trace
        .migrations
        .iter()
        .skip(first)
        .take_while(|migration| migration.at == at);
    then.filter(|migration| migration.task == task).last()?.to()
}

/// The CPU on which a run of a task ended at `at`.
fn ran_until(trace: &Trace, task: TaskId, at: u64) -> Option<u32> {
    let lane = trace
        .lanes
        .iter()
        .position(|lane| ran_on_until(trace, lane, task, at))?;
    Some(trace.cpu_at(lane))
}

/// Whether a run of a task on a CPU ended at `at`.
fn ran_on_until(trace: &Trace, lane: &Lane, task: TaskId, at: u64) -> bool {
    let next = lane.starts().partition_point(|start| start < at);
    let last = next.checked_sub(1).filter(|&last| lane.end_of(last) == at);
    last.and_then(|last| lane.run(last)).map(|id| trace.task_comm(id).task) == Some(task)
}
