//! What happens at an instant.

use super::{Standpoint, Waits};
use crate::query::lanes::pick::state_text;
use crate::query::select::refs::TaskName;
use schedmodel::{Trace, WakerContext, Who};
use serde::Serialize;
use ts_rs::TS;

/// A change. What does not belong to its kind is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "InstantChange")]
pub struct Change {
    /// What happens.
    pub kind: ChangeKind,
    /// Where: the CPU that switches, on which the wakeup is made, on whose runqueue the task waits, or to which it migrates.
    pub cpu: Option<u32>,
    /// Of a migration: the CPU that the task leaves.
    pub from_cpu: Option<u32>,
    /// The task that gets the CPU, is woken, becomes runnable, or migrates; null: the CPU idles, or it is not known.
    pub task: Option<TaskName>,
    /// The task that leaves the CPU, or that wakes; null: it idled, an interrupt wakes, or it is not known.
    pub other: Option<TaskName>,
    /// The letters of the state in which the other leaves; the context of a wakeup; why a task waits; why it migrates.
    pub why: Option<String>,
}

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// A CPU switches to another task, or to idle.
    Switch,
    /// A wakeup begins.
    Waking,
    /// A task begins to wait on a runqueue.
    Runnable,
    /// A task migrates.
    Migration,
}

impl Standpoint {
    /// `waiting`: who waits at the instant.
    pub(super) fn changes(&self, trace: &Trace, at: u64, waiting: &[Waits]) -> Vec<Change> {
        let mut changes = Vec::new();
        for (lane_index, lane) in trace.lanes.iter().enumerate() {
            let cpu = trace.cpu_at(lane_index);
            let name = |index: usize| lane.run(index).map(|id| TaskName::of(trace, id));
            let first = lane.starts().partition_point(|start| start < at);
            for index in (first..lane.len()).take_while(|&index| lane.start_of(index) == at) {
                // The first interval begins with the trace, by no event.
                let Some(before) = index.checked_sub(1) else { continue };
                // Nor is it one where a run goes on after an exec.
                if lane.who(index) == Who::Unknown || lane.whole_run(index).start < index {
                    continue;
                }
                changes.push(Change {
                    kind: ChangeKind::Switch,
                    cpu: Some(cpu),
                    from_cpu: None,
                    task: name(index),
                    other: name(before),
                    why: lane.end_state(before).map(state_text),
                });
            }
            for &number in self.wakers.between(trace, lane_index, at, at) {
                let edge = trace.edges.get(number as usize);
                let is_task = edge.context == WakerContext::Task;
                changes.push(Change {
                    kind: ChangeKind::Waking,
                    cpu: Some(cpu),
                    from_cpu: None,
                    task: Some(TaskName::of_task(trace, trace.edges.wakee(number as usize))),
                    other: edge
                        .waker
                        .filter(|_| is_task)
                        .map(|waker| TaskName::of_task(trace, waker)),
                    why: Some(edge.context.name().to_owned()),
                });
            }
        }
        for one in waiting.iter().filter(|one| one.since == at) {
            changes.push(Change {
                kind: ChangeKind::Runnable,
                cpu: one.cpu,
                from_cpu: None,
                task: Some(TaskName::of(trace, one.who)),
                other: None,
                why: Some(one.cause.name().to_owned()),
            });
        }
        let moves = trace
            .migrations
            .iter()
            .skip(trace.migrations.partition_point(|one| one.at < at));
        for one in moves.take_while(|one| one.at == at) {
            changes.push(Change {
                kind: ChangeKind::Migration,
                cpu: one.to(),
                from_cpu: one.from(),
                task: Some(TaskName::of_task(trace, one.task)),
                other: None,
                why: Some(one.kind.name().to_owned()),
            });
        }
        changes
    }
}
