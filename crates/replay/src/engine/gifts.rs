//! The wakeups that tasks give each other, by waker.

use crate::policy::{Ns, TaskId};
use crate::workload::{Task, WorkKind, Workload};

/// A wakeup that a task gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gift {
    /// The waker's.
    pub clock: Ns,
    /// The wakeup, as an event of the wakee.
    pub wakeup: u32,
}

/// All wakeups by tasks, by the event that the waker does next; those behind which it does nothing more come last.
pub struct Gifts<'a> {
    workload: &'a Workload,
    /// The first wakeup before each event, then that behind the last event of each task.
    firsts: Vec<u32>,
    /// In no order.
    all: Vec<Listed>,
    /// Those that were asked for.
    found: Vec<Gift>,
}

/// A wakeup in its list.
struct Listed {
    /// From the wakeup to the event before which it comes, by the waker's clock.
    distance: Ns,
    /// As an event of the wakee.
    wakeup: u32,
    /// The next one in [`Gifts::all`].
    next: u32,
}

/// Behind the last one of a list.
const NONE: u32 = u32::MAX;

impl<'a> Gifts<'a> {
    /// Of a workload.
    pub fn of(workload: &'a Workload) -> Gifts<'a> {
        let mut gifts = Gifts {
            workload,
            firsts: vec![NONE; workload.events.len() + workload.tasks.len()],
            all: Vec::new(),
            found: Vec::new(),
        };
        workload.tasks.iter().for_each(|task| gifts.add_task(task));
        gifts
    }

    /// A function of its own for each task: see `Engine::next_event`.
    #[inline(never)]
    fn add_task(&mut self, task: &Task) {
        for (wakeup, event) in task.events.clone().zip(self.workload.events_of(task)) {
            let WorkKind::Woken {
                waker, event, distance, ..
            } = event.kind
            else {
                continue;
            };
            let list = self.list(waker, event);
            if let Some(first) = self.firsts.get_mut(list) {
                let next = std::mem::replace(first, self.all.len() as u32);
                self.all.push(Listed { distance, wakeup, next });
            }
        }
    }

    /// Where the list before an event begins, or behind the last one of a task.
    fn list(&self, waker: TaskId, event: u32) -> usize {
        let events = self.workload.events.len();
        match (event as usize) < events {
            true => event as usize,
            false => events + waker as usize,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Those before an event of a task, or behind its last one, in order. They count back from `last`, the task's clock there.
    #[inline]
    pub fn before(&mut self, waker: TaskId, event: u32, last: Ns) -> &[Gift] {
        let mut at = self.firsts.get(self.list(waker, event)).copied().unwrap_or(NONE);
        self.found.clear();
        while let Some(&Listed { distance, wakeup, next }) = self.all.get(at as usize) {
            let clock = last.saturating_sub(distance);
            self.found.push(Gift { clock, wakeup });
            at = next;
        }
        if 1 < self.found.len() {
            self.found.sort_unstable();
        }
        &self.found
    }
}
