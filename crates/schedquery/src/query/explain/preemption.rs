//! Which commands ran next after tasks of other commands that stayed runnable, and for how long.
//!
//! Commands with one thread per CPU (`kworker/3:1`, `ksoftirqd/0`) count as one command: the part before the `/`.

use super::latency::RunEnd;
use crate::query::jobs::job::{Job, Model};
use crate::query::select::selected::Scope;
use crate::query::select::walk::LaneWalk;
use schedmodel::{CommId, Interval, TaskCommId, Trace, Who};
use schedrows::{sort_by_keys, StateCode};
use std::collections::HashMap;
use std::sync::Arc;

/// How often a command ran next after runnable tasks of others, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preemptor {
    pub(crate) command: CommId,
    pub(crate) count: u64,
    /// How many of these the kernel marks as preemptions (`R+`).
    pub(crate) involuntary: u64,
    /// Total length of the runs that followed.
    pub(crate) ns: u64,
    /// The longest of these.
    pub(crate) longest: Preemption,
}

/// One preemption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preemption {
    pub(crate) lane: usize,
    /// Index of the run that came next.
    pub(crate) index: usize,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) by: TaskCommId,
    pub(crate) of: TaskCommId,
    /// With which `prev_state` that one left.
    pub(crate) left: StateCode,
}

/// Finds the preemptions of selected tasks in the window, by the preempting command. Known yields do not count. A task that left
/// as a plain `R` may have been preempted on the way back to user space, or not: it counts, but not as involuntary.
#[derive(Debug)]
pub(crate) struct PreemptionsJob {
    scope: Arc<Scope>,
    walk: LaneWalk,
    /// By [`CommId`]: the first comm of the same command.
    commands: Vec<CommId>,
    /// By the [`CommId`] of that comm.
    found: Vec<Option<Preemptor>>,
}

impl PreemptionsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>) -> PreemptionsJob {
        let mut first = HashMap::new();
        let names = trace.comms.names().iter().enumerate();
        let commands = names.map(|(comm, name)| *first.entry(command(name)).or_insert(CommId(comm as u32)));
        PreemptionsJob {
            scope,
            walk: LaneWalk::default(),
            commands: commands.collect(),
            found: vec![None; trace.comms.names().len()],
        }
    }

    fn add(&mut self, this: Preemption, command: CommId) {
        let ns = this.to - this.from;
        let Some(found) = self.found.get_mut(command.0 as usize) else {
            return;
        };
        let sum = found.get_or_insert(Preemptor {
            command,
            count: 0,
            involuntary: 0,
            ns: 0,
            longest: this,
        });
        sum.count += 1;
        sum.involuntary += u64::from(this.left.preempted());
        sum.ns = sum.ns.saturating_add(ns);
        if sum.longest.to - sum.longest.from < ns {
            sum.longest = this;
        }
    }
}

impl Job for PreemptionsJob {
    type Answer = Vec<Preemptor>;

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        let Some((lane_index, indexes)) = self.walk.next(trace, &self.scope) else {
            return false;
        };
        let scope = Arc::clone(&self.scope);
        let lane = trace.lane_at(lane_index);
        lane.each(indexes, |index, Interval { end, who, .. }| {
            let (Who::Run(of), Some(by)) = (who, lane.run(index + 1)) else {
                return;
            };
            let stays = |state: &StateCode| RunEnd::of(*state) == Some(RunEnd::Preempted);
            let Some(left) = lane.end_state(index).filter(stays) else {
                return;
            };
            if !scope.window.contains(&end) || !scope.shown.has_run(of, lane_index, index) {
                return;
            }
            let command = |id: TaskCommId| self.commands.get(trace.task_comm(id).comm.0 as usize).copied();
            let command = command(by).filter(|&by| command(of) != Some(by));
            if let Some(command) = command {
                let this = Preemption {
                    lane: lane_index,
                    index: index + 1,
                    from: end,
                    to: lane.end_of(lane.whole_run(index + 1).end - 1),
                    by,
                    of,
                    left,
                };
                self.add(this, command);
            }
        });
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.walk.share(model.trace)
    }

    /// The commands, by how long they ran, descending.
    fn answer(self, _: Model<'_>) -> Vec<Preemptor> {
        let mut found: Vec<Preemptor> = self.found.into_iter().flatten().collect();
        sort_by_keys(&mut found, |preemptor| [!preemptor.ns, preemptor.command.0.into()]);
        found
    }
}

/// The command of a comm.
pub(crate) fn command(comm: &str) -> &str {
    comm.split_once('/').map_or(comm, |(command, _)| command)
}
