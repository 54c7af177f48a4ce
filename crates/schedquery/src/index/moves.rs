//! Migrations by task.

use super::grouped::Grouped;
use schedmodel::{Migration, MigrationKind, TaskId, Trace};
use serde::Serialize;
use std::ops::Range;

/// Migrations per stored count.
const BLOCK: usize = 16;

/// `sched_migrate_task` events by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoveCounts {
    /// Placement, as part of a wakeup.
    pub placement: u64,
    /// Load balancing, while the task was runnable.
    pub load_balance: u64,
    /// NUMA balancing.
    pub numa: u64,
    /// Anything else.
    pub other: u64,
}

impl MoveCounts {
    /// Counts one migration.
    pub fn add(&mut self, kind: MigrationKind) {
        *match kind {
            MigrationKind::Placement => &mut self.placement,
            MigrationKind::LoadBalance => &mut self.load_balance,
            MigrationKind::Numa => &mut self.numa,
            MigrationKind::Other => &mut self.other,
        } += 1;
    }

    /// The sum of all kinds.
    pub fn total(self) -> u64 {
        self.placement + self.load_balance + self.numa + self.other
    }

    fn packed(self) -> [u32; 4] {
        [self.placement, self.load_balance, self.numa, self.other].map(|count| count as u32)
    }

    fn unpacked(counts: [u32; 4]) -> MoveCounts {
        let [placement, load_balance, numa, other] = counts.map(u64::from);
        MoveCounts {
            placement,
            load_balance,
            numa,
            other,
        }
    }

    fn minus(self, other: MoveCounts) -> MoveCounts {
        MoveCounts {
            placement: self.placement - other.placement,
            load_balance: self.load_balance - other.load_balance,
            numa: self.numa - other.numa,
            other: self.other - other.other,
        }
    }
}

/// Numbers of migrations, grouped by task, in time order within a task.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    numbers: Grouped<u32>,
    /// Counts before each block of `numbers`, and of all.
    before: Vec<[u32; 4]>,
}

impl Moves {
    /// Indexes all migrations of a trace.
    pub fn new(trace: &Trace) -> Moves {
        let tasks = trace.migrations.iter().map(|migration| migration.task.0);
        let numbers = Grouped::new(tasks.zip(0_u32..), trace.tasks.len());
        let mut before = vec![[0; 4]];
        let mut counts = MoveCounts::default();
        for block in numbers.all().chunks(BLOCK) {
            for &number in block {
                counts.add(trace.migrations[number as usize].kind);
            }
            before.push(counts.packed());
        }
        Moves { numbers, before }
    }

    fn slots(&self, task: TaskId) -> Range<usize> {
        self.numbers.slots(task.0 as usize)
    }

    /// The task's first migration at or after `at`; the end of its migrations if there is none.
    fn first_from(&self, trace: &Trace, task: TaskId, at: u64) -> usize {
        let slots = self.slots(task);
        let before = |&number: &u32| trace.migrations[number as usize].at < at;
        slots.start + self.numbers.all()[slots].partition_point(before)
    }

    /// The migrations of a task at or after `at`, in time order.
    pub fn from<'a>(&'a self, trace: &'a Trace, task: TaskId, at: u64) -> impl Iterator<Item = &'a Migration> + 'a {
        let numbers = &self.numbers.all()[self.first_from(trace, task, at)..self.slots(task).end];
        numbers.iter().map(|&number| &trace.migrations[number as usize])
    }

    /// The last migration of a task at or before `at`.
    pub fn last_until<'a>(&self, trace: &'a Trace, task: TaskId, at: u64) -> Option<&'a Migration> {
        let slot = self.first_from(trace, task, at.saturating_add(1)).checked_sub(1)?;
        let number = self
            .numbers
            .all()
            .get(slot)
            .filter(|_| self.slots(task).contains(&slot))?;
        Some(&trace.migrations[*number as usize])
    }

    /// The migrations of a task in a window, by kind.
    pub fn in_window(&self, trace: &Trace, task: TaskId, window: &Range<u64>) -> MoveCounts {
        let until = |at| self.counts_until(trace, self.first_from(trace, task, at));
        match self.slots(task).is_empty() {
            true => MoveCounts::default(),
            false => until(window.end).minus(until(window.start)),
        }
    }

    /// Counts of all migrations before `slot`.
    fn counts_until(&self, trace: &Trace, slot: usize) -> MoveCounts {
        let block = slot / BLOCK;
        let mut counts = MoveCounts::unpacked(self.before[block]);
        for &number in &self.numbers.all()[block * BLOCK..slot] {
            counts.add(trace.migrations[number as usize].kind);
        }
        counts
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.numbers.memory_bytes() + self.before.capacity() * 16
    }
}
