//! Which waits and latencies are uncertain, from all holes, intervals and migrations, one by one.

use schedmodel::{Edge, TaskId, Trace, WaitCause, Who};

/// Waits longer than this are uncertain while records of any CPU are missing, in ns.
const LONG: u64 = 100_000_000;

fn has_hole(trace: &Trace, cpu: Option<u32>, from: u64, to: u64) -> bool {
    let mut holes = trace.holes.all().iter();
    holes.any(|hole| cpu.is_none_or(|cpu| cpu == hole.cpu) && from.max(hole.from) < to.min(hole.to))
}

/// Whether a CPU on which a task is thought to wait may have run it: none is known, records are missing, or it begins to idle.
fn may_have_run(trace: &Trace, cpu: Option<u32>, from: u64, to: u64) -> bool {
    let Some((cpu, lane)) = cpu.and_then(|cpu| Some((cpu, trace.lane(cpu)?))) else {
        return true;
    };
    let begins = |start: u64| from < start && start < to;
    let idles = lane.intervals().any(|one| one.who == Who::Idle && begins(one.start));
    idles || has_hole(trace, Some(cpu), from, to)
}

/// Whether a task was moved meanwhile at a time that is not known, or to a CPU that may have run it since.
fn moved_unseen(trace: &Trace, task: TaskId, from: u64, to: u64) -> bool {
    trace.migrations.iter().any(|moved| {
        let unseen = match moved.to() {
            Some(cpu) => has_hole(trace, Some(cpu), moved.at, to),
            None => true,
        };
        moved.task == task && from <= moved.at && moved.at <= to && (moved.kind.is_derived() || unseen)
    })
}

/// Whether the latency of a wakeup that led to a run is uncertain.
pub fn of_latency(trace: &Trace, wakee: TaskId, edge: &Edge) -> bool {
    let (from, to) = (edge.at, edge.running.expect("a run"));
    has_hole(trace, None, from, to)
        && (LONG < to - from
            || may_have_run(trace, edge.chosen_cpu, from, to)
            || may_have_run(trace, edge.cpu, from, to)
            || moved_unseen(trace, wakee, from, to))
}

/// Whether the wait before a run is uncertain; false if there is none.
pub fn of_wait(trace: &Trace, lane_index: usize, index: usize) -> bool {
    let lane = &trace.lanes[lane_index];
    let (Some(wait), Some(id)) = (lane.wait(index), lane.run(index)) else {
        return false;
    };
    let (task, from, to) = (trace.task_comm(id).task, wait.since, lane.start_of(index));
    let ended_here = |lane: usize| {
        let lane = &trace.lanes[lane];
        let ended = |index: usize| lane.run(index).is_some_and(|id| trace.task_comm(id).task == task);
        let last = (0..lane.len()).rfind(|&index| lane.start_of(index) < from);
        last.is_some_and(|last| lane.interval(last).end == from && ended(last))
    };
    let began_on_another = || {
        let began = match wait.cause {
            WaitCause::Preempted if ended_here(lane_index) => return false,
            WaitCause::Preempted => (0..trace.lanes.len())
                .find(|&lane| ended_here(lane))
                .map(|lane| trace.cpus[lane]),
            WaitCause::Replenished => {
                let mut moves = trace.migrations.iter().rev();
                moves
                    .find(|moved| moved.task == task && moved.at == from)
                    .and_then(|moved| moved.to())
            }
            WaitCause::Wakeup => {
                let mut edges = trace.edges.of(task).rev().map(|number| trace.edges.get(number));
                let before = edges.find(|edge| edge.running.is_some_and(|running| running <= to));
                before
                    .filter(|edge| edge.running == Some(to))
                    .and_then(|edge| edge.chosen_cpu)
            }
        };
        may_have_run(trace, began, from, to)
    };
    has_hole(trace, None, from, to)
        && (LONG < to - from
            || may_have_run(trace, Some(trace.cpus[lane_index]), from, to)
            || moved_unseen(trace, task, from, to)
            || began_on_another())
}
