//! Migrations by task.

use super::blocks::{Sum, Sums};
use super::group_sort::{GroupSort, Instant, Things};
use super::grouped::Grouped;
use schedmodel::{Migration, MigrationKind, TaskId, Trace};
use serde::Serialize;
use std::ops::Range;
use ts_rs::TS;

/// `sched_migrate_task` events by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct MigrationCounts {
    /// Placement, as part of a wakeup.
    pub placement: u64,
    /// Load balancing, while the task was runnable.
    pub load_balance: u64,
    /// NUMA balancing.
    pub numa: u64,
    /// Anything else.
    pub other: u64,
    /// Reported by no event, but derived from two runs that begin in the trace: not in the total.
    pub derived: u64,
}

impl MigrationCounts {
    /// Counts one migration.
    pub fn add(&mut self, kind: MigrationKind) {
        *match kind {
            MigrationKind::Placement => &mut self.placement,
            MigrationKind::LoadBalance => &mut self.load_balance,
            MigrationKind::Numa => &mut self.numa,
            MigrationKind::Other => &mut self.other,
            MigrationKind::Derived => &mut self.derived,
            MigrationKind::FirstRun => return,
        } += 1;
    }

    /// The sum of all kinds but those derived.
    pub fn total(self) -> u64 {
        self.placement + self.load_balance + self.numa + self.other
    }
}

/// [`MigrationCounts`] in less room.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    placement: u32,
    load_balance: u32,
    numa: u32,
    other: u32,
    derived: u32,
}

impl Sum for Packed {
    /// Numbers of migrations.
    type Items<'a> = (&'a Trace, &'a [u32]);
    const BLOCK: usize = 16;

    fn add(&mut self, (trace, numbers): (&Trace, &[u32]), range: Range<usize>, _: u64) {
        let numbers = numbers.get(range).unwrap_or_default().iter();
        for migration in numbers.filter_map(|&number| trace.migrations.get(number as usize)) {
            *match migration.kind {
                MigrationKind::Placement => &mut self.placement,
                MigrationKind::LoadBalance => &mut self.load_balance,
                MigrationKind::Numa => &mut self.numa,
                MigrationKind::Other => &mut self.other,
                MigrationKind::Derived => &mut self.derived,
                MigrationKind::FirstRun => continue,
            } += 1;
        }
    }
}

impl Packed {
    fn minus(self, earlier: Packed) -> MigrationCounts {
        MigrationCounts {
            placement: u64::from(self.placement - earlier.placement),
            load_balance: u64::from(self.load_balance - earlier.load_balance),
            numa: u64::from(self.numa - earlier.numa),
            other: u64::from(self.other - earlier.other),
            derived: u64::from(self.derived - earlier.derived),
        }
    }
}

/// Numbers of migrations, grouped by task, in time order within a task.
#[derive(Clone, Debug, Default)]
pub struct Migrations {
    numbers: Grouped<u32>,
    counts: Sums<Packed>,
}

/// Blocks of migrations counted per step.
const BLOCKS: usize = if cfg!(debug_assertions) { 1 } else { 1 << 11 };

/// Makes [`Migrations`] in steps.
#[derive(Debug)]
pub struct MigrationsBuilder {
    /// `None` once they are sorted.
    sort: Option<GroupSort>,
    made: Migrations,
}

impl MigrationsBuilder {
    /// Of all migrations of a trace.
    pub fn new(trace: &Trace) -> MigrationsBuilder {
        MigrationsBuilder {
            sort: Some(GroupSort::new(trace.tasks.len())),
            made: Migrations::default(),
        }
    }

    /// Works for about a millisecond; the index, once it has all migrations.
    pub fn step(&mut self, trace: &Trace) -> Option<Migrations> {
        if let Some(sort) = &mut self.sort {
            if !sort.step(&Migrated(trace)) && !sort.release() {
                let (numbers, offsets) = self.sort.take()?.into_numbers();
                self.made.numbers = Grouped::of_parts(numbers, offsets);
            }
            return None;
        }
        let Migrations { numbers, counts } = &mut self.made;
        let numbers = numbers.all();
        let more = counts.step((trace, numbers), numbers.len(), BLOCKS);
        (!more).then(|| std::mem::take(&mut self.made))
    }
}

/// All migrations, by task.
struct Migrated<'a>(&'a Trace);

impl Things for Migrated<'_> {
    fn count(&self) -> usize {
        self.0.migrations.len()
    }

    fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, Instant)) {
        let migrations = self.0.migrations.get(range.clone()).unwrap_or_default();
        for (number, migration) in range.zip(migrations) {
            let instant = Instant {
                at: migration.at,
                number: number as u32,
                more: 0,
            };
            take(migration.task.0, instant);
        }
    }
}

impl Migrations {
    /// Indexes all migrations of a trace.
    pub fn new(trace: &Trace) -> Migrations {
        let mut builder = MigrationsBuilder::new(trace);
        loop {
            if let Some(migrations) = builder.step(trace) {
                return migrations;
            }
        }
    }

    fn slots(&self, task: TaskId) -> Range<usize> {
        self.numbers.slots(task.0 as usize)
    }

    /// The task's first migration at or after `at`; the end of its migrations if there is none.
    fn first_from(&self, trace: &Trace, task: TaskId, at: u64) -> usize {
        let slots = self.slots(task);
        let migration = |&number: &u32| trace.migrations.get(number as usize);
        let before = |number: &u32| migration(number).is_some_and(|migration| migration.at < at);
        slots.start + self.numbers.of(task.0 as usize).partition_point(before)
    }

    /// The migrations of a task at or after `at`, in time order.
    pub fn from<'a>(&'a self, trace: &'a Trace, task: TaskId, at: u64) -> impl Iterator<Item = &'a Migration> + 'a {
        let slots = self.first_from(trace, task, at)..self.slots(task).end;
        let numbers = self.numbers.all().get(slots).unwrap_or_default().iter();
        numbers.filter_map(|&number| trace.migrations.get(number as usize))
    }

    /// The last migration of a task at or before `at`.
    pub fn last_until<'a>(&self, trace: &'a Trace, task: TaskId, at: u64) -> Option<&'a Migration> {
        let slot = self.first_from(trace, task, at.saturating_add(1)).checked_sub(1)?;
        let number = self.numbers.all().get(slot);
        let number = number.filter(|_| self.slots(task).contains(&slot))?;
        trace.migrations.get(*number as usize)
    }

    /// The migrations of a task in a window, by kind.
    pub fn in_window(&self, trace: &Trace, task: TaskId, window: &Range<u64>) -> MigrationCounts {
        let numbers = self.numbers.all();
        let until = |at| {
            let count = self.first_from(trace, task, at);
            self.counts.of_first((trace, numbers), count)
        };
        match self.slots(task).is_empty() {
            true => MigrationCounts::default(),
            false => until(window.end).minus(until(window.start)),
        }
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.numbers.memory_bytes() + self.counts.memory_bytes()
    }
}
