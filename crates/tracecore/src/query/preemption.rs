//! Which commands took the CPU from tasks of other commands, and for how long.
//!
//! Nothing in a trace says for certain who is a kernel thread, so that all commands count. Those that have a thread for
//! each CPU (`kworker/3:1`, `ksoftirqd/0`) are one command here, by what comes before the `/`.

use super::latency::RunEnd;
use super::selected::Selected;
use crate::sched::{TaskCommId, Trace};
use std::collections::BTreeMap;

/// What a command took by preempting others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preemptor<'a> {
    pub(crate) command: &'a str,
    pub(crate) count: u64,
    /// How long the runs that followed lasted.
    pub(crate) ns: u64,
    /// The longest of these.
    pub(crate) longest: Preemption,
}

/// One preemption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preemption {
    pub(crate) lane: usize,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) by: TaskCommId,
    pub(crate) of: TaskCommId,
}

/// The preemptions of selected tasks in the window, by command of who preempted. A yield is one that the task asked for;
/// the trace does not tell it apart.
pub(crate) fn preemptors<'a>(selected: &Selected<'a>) -> Vec<Preemptor<'a>> {
    let trace = selected.trace;
    let mut found = BTreeMap::<&str, Preemptor>::new();
    for run in selected.runs() {
        let lane = &trace.lanes[run.lane];
        let preempted = lane.end_state(run.index).and_then(RunEnd::of) == Some(RunEnd::Preempted);
        if !preempted || run.index + 1 == lane.len() || !selected.window.contains(&run.interval.end) {
            continue;
        }
        let (Some(by), next) = (lane.run(run.index + 1), lane.interval(run.index + 1)) else {
            continue;
        };
        let command = command(trace, by);
        if command == self::command(trace, run.id) {
            continue;
        }
        let this = Preemption {
            lane: run.lane,
            from: next.start,
            to: next.end,
            by,
            of: run.id,
        };
        let sum = found.entry(command).or_insert(Preemptor {
            command,
            count: 0,
            ns: 0,
            longest: this,
        });
        sum.count += 1;
        sum.ns = sum.ns.saturating_add(next.end - next.start);
        if sum.longest.to - sum.longest.from < next.end - next.start {
            sum.longest = this;
        }
    }
    found.into_values().collect()
}

fn command(trace: &Trace, id: TaskCommId) -> &str {
    let comm = trace.comm_of(id);
    comm.split_once('/').map_or(comm, |(command, _)| command)
}
