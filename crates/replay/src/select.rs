//! A part of a workload: tasks left out, bursts that never end.

use crate::delay::Delay;
use crate::workload::{Start, Task, WorkEvent, WorkKind, Workload};

/// Names of tasks that are the recorded scheduler itself: a number follows.
const OF_THE_SCHEDULER: &str = "migration/";

impl Workload {
    /// The names of a task, the first one first.
    pub fn comms_of<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a str> + 'a {
        let later = task.renames.iter().map(|&(_, comm)| comm);
        [task.comm].into_iter().chain(later).map(|comm| self.comm(comm))
    }

    /// Whether a task belongs to the scheduler that was recorded: `migration/N`.
    pub fn is_of_scheduler(&self, task: &Task) -> bool {
        let number = self.comm_of(task).strip_prefix(OF_THE_SCHEDULER).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Leaves out tasks: what they woke sleeps as long as recorded instead, and what they forked begins asleep.
    pub fn leave_out(self, out: impl Fn(&Workload, &Task) -> bool) -> Workload {
        let kept: Vec<bool> = self.tasks.iter().map(|task| !out(&self, task)).collect();
        let mut left = self.with_only(&kept);
        left.notes.left_out += kept.iter().filter(|&&kept| !kept).count() as u64;
        left.number_comms();
        left
    }

    /// Makes the last burst endless of tasks that have a name which begins so.
    pub fn make_endless(&mut self, prefix: &str) {
        let ends: Vec<bool> = (self.tasks.iter())
            .map(|task| self.comms_of(task).any(|comm| comm.starts_with(prefix)))
            .collect();
        for (task, ends) in self.tasks.iter_mut().zip(ends) {
            task.endless |= ends;
        }
    }

    /// Only the tasks with a `true` in their place.
    pub(crate) fn with_only(mut self, kept: &[bool]) -> Workload {
        if kept.iter().all(|&kept| kept) {
            return self;
        }
        let mut number = 0;
        let numbers: Vec<Option<u32>> = (kept.iter())
            .map(|&kept| {
                number += u32::from(kept);
                kept.then(|| number - 1)
            })
            .collect();
        let number_of = |task: u32| numbers.get(task as usize).copied().flatten();
        let all = std::mem::take(&mut self.tasks);
        let events = std::mem::take(&mut self.events);
        // Where each event is now, or the one that the task does next, and the CPU time until that.
        let mut moved: Vec<(u32, u64)> = vec![(WorkKind::NO_EVENT, 0); events.len()];
        for (mut task, _) in all.into_iter().zip(kept).filter(|(_, &kept)| kept) {
            let start = self.events.len() as u32;
            if task.start == Start::Forked && task.parent.and_then(number_of).is_none() {
                (task.start, task.birth_delay) = (Start::Sleeping, 0);
                self.events.push(WorkEvent {
                    length: task.born_ns,
                    kind: WorkKind::Sleep { delay: Delay::ZERO },
                });
                self.notes.cut_dependencies += 1;
            }
            task.parent = task.parent.and_then(number_of);
            let range = task.events.start as usize..task.events.end as usize;
            let mut waiting = range.start;
            for at in range.clone() {
                let Some(&event) = events.get(at) else { break };
                let kind = match event.kind {
                    WorkKind::Fork { child } => match number_of(child) {
                        Some(child) => WorkKind::Fork { child },
                        None => continue,
                    },
                    kind => kind,
                };
                settle(
                    &mut moved,
                    &events,
                    waiting..at + 1,
                    self.events.len() as u32,
                    event.length,
                );
                waiting = at + 1;
                self.events.push(WorkEvent { kind, ..event });
            }
            settle(
                &mut moved,
                &events,
                waiting..range.end,
                WorkKind::NO_EVENT,
                task.last_clock,
            );
            task.events = start..self.events.len() as u32;
            self.tasks.push(task);
        }
        for event in &mut self.events {
            let WorkKind::Woken {
                delay,
                waker,
                event: next,
                distance,
            } = event.kind
            else {
                continue;
            };
            event.kind = match number_of(waker) {
                Some(waker) => {
                    let (next, later) = moved.get(next as usize).copied().unwrap_or((WorkKind::NO_EVENT, 0));
                    WorkKind::Woken {
                        delay,
                        waker,
                        event: next,
                        distance: distance.saturating_add(later),
                    }
                }
                None => {
                    self.notes.cut_dependencies += 1;
                    WorkKind::Sleep { delay }
                }
            };
        }
        self
    }

    /// What depends on an uncertain task is uncertain.
    pub(crate) fn spread_uncertainty(&mut self) {
        let mut found: Vec<u32> = (0..)
            .zip(&self.tasks)
            .filter(|(_, task)| task.uncertain)
            .map(|(at, _)| at)
            .collect();
        if found.is_empty() {
            return;
        }
        let mut wakees: Vec<(u32, u32)> = Vec::new();
        for (at, task) in (0..).zip(&self.tasks) {
            for event in self.events_of(task) {
                match event.kind {
                    WorkKind::Woken { waker, .. } => wakees.push((waker, at)),
                    WorkKind::Fork { child } => wakees.push((at, child)),
                    _ => {}
                }
            }
        }
        wakees.sort_unstable();
        wakees.dedup();
        while let Some(waker) = found.pop() {
            let first = wakees.partition_point(|&(by, _)| by < waker);
            for &(_, wakee) in wakees.iter().skip(first).take_while(|&&(by, _)| by == waker) {
                if let Some(task) = self.tasks.get_mut(wakee as usize).filter(|task| !task.uncertain) {
                    task.uncertain = true;
                    found.push(wakee);
                }
            }
        }
    }
}

/// Says of some events that the task does the event with a new index next, at `length`.
fn settle(moved: &mut [(u32, u64)], events: &[WorkEvent], old: std::ops::Range<usize>, new: u32, length: u64) {
    for at in old {
        if let (Some(place), Some(event)) = (moved.get_mut(at), events.get(at)) {
            *place = (new, length.saturating_sub(event.length));
        }
    }
}
