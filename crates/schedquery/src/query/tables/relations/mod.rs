//! Relations: a trace as tables with named, typed columns, delivered in batches.
//!
//! A [`Relation`] has [`Relation::columns`], and [`Model::each_batch`] delivers its rows as [`Batch`]es, one at a time and in
//! the same room: a table of any length takes the memory of one batch. Columns are named here and nowhere else.
//!
//! A format is a function of batches, as CSV and JSON are in the command line. One of a data engine needs no query either:
//! [`Values`] are laid out as Arrow's arrays are, so that each column of a batch becomes an array (`Int64` of ints, `UInt64`
//! of instants and durations, `Utf8` of texts with their ends as offsets, `Dictionary` of words, `Boolean`), its `present` the
//! array's validity, the columns the schema with `doc` and [`Kind::unit`] as metadata, and each batch a `RecordBatch` or
//! a row group of a Parquet file.

mod batch;
mod column;
mod events;
mod intervals;
mod page;
mod sums;

pub use batch::{Batch, ColumnBatch, Row, Value, Values};
pub use column::{Column, Field, Kind};
pub use page::{CPU_COLUMNS, TASK_COLUMNS};

use crate::query::jobs::job::Model;
use crate::query::select::selection::Selection;
use serde::ser::{Error, Serialize, SerializeSeq, Serializer};
use std::cell::RefCell;

/// A table of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// What every CPU did, by CPU, then by time: all of it, whatever is selected.
    Intervals,
    /// What every task did, by task, then by time.
    States,
    /// Runs of tasks, by CPU, then by time.
    Runs,
    /// Times in which a task was runnable and did not run: by the CPU of the run that followed, then by its time; at last
    /// those that no run ended, by task.
    Waits,
    /// Wakeups, by wakee, then by time.
    Wakeups,
    /// `sched_migrate_task` events, by time.
    Migrations,
    /// Sums by task.
    Tasks,
    /// Sums by command.
    Commands,
}

/// Rows of a batch, at most.
const ROWS: usize = 1024;

/// Puts rows into batches.
struct Batches<'a, R, E> {
    fields: &'a [Field<R>],
    batch: Batch,
    each: &'a mut dyn FnMut(&Batch) -> Result<(), E>,
}

impl<'a, R, E> Batches<'a, R, E> {
    fn new(fields: &'a [Field<R>], each: &'a mut dyn FnMut(&Batch) -> Result<(), E>) -> Self {
        Batches {
            batch: Batch::new(fields),
            fields,
            each,
        }
    }

    fn push(&mut self, row: &R) -> Result<(), E> {
        self.batch.push(self.fields, row);
        match self.batch.len() {
            ROWS => self.flush(),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), E> {
        if !self.batch.is_empty() {
            (self.each)(&self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }

    fn all(mut self, rows: impl Iterator<Item = R>) -> Result<(), E> {
        for row in rows {
            self.push(&row)?;
        }
        self.flush()
    }
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 8] = [
        Relation::Intervals,
        Relation::States,
        Relation::Runs,
        Relation::Waits,
        Relation::Wakeups,
        Relation::Migrations,
        Relation::Tasks,
        Relation::Commands,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Intervals => "intervals",
            Relation::States => "states",
            Relation::Runs => "runs",
            Relation::Waits => "waits",
            Relation::Wakeups => "wakeups",
            Relation::Migrations => "migrations",
            Relation::Tasks => "tasks",
            Relation::Commands => "commands",
        }
    }

    /// Its columns, in order.
    pub fn columns(self) -> Vec<Column> {
        fn of<R>(fields: &[Field<R>]) -> Vec<Column> {
            fields.iter().map(Field::column).collect()
        }
        match self {
            Relation::Intervals => of(&intervals::interval_fields()),
            Relation::States => of(&intervals::state_fields()),
            Relation::Runs => of(&intervals::run_fields()),
            Relation::Waits => of(&intervals::wait_fields()),
            Relation::Wakeups => of(&events::wakeup_fields()),
            Relation::Migrations => of(&events::migration_fields()),
            Relation::Tasks => of(&sums::TASKS),
            Relation::Commands => of(&sums::COMMANDS),
        }
    }
}

impl Model<'_> {
    /// Calls `each` with the rows of a relation, a batch at a time.
    pub fn each_batch<E>(
        self,
        relation: Relation,
        selection: &Selection,
        each: &mut dyn FnMut(&Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        match relation {
            Relation::Intervals => {
                Batches::new(&intervals::interval_fields(), each).all(intervals::intervals(self.trace))
            }
            Relation::States => {
                let fields = intervals::state_fields();
                let mut batches = Batches::new(&fields, each);
                crate::query::lanes::states::each_state(self.trace, selection, |row| batches.push(row))?;
                batches.flush()
            }
            Relation::Runs => intervals::runs(self.trace, selection, Batches::new(&intervals::run_fields(), each)),
            Relation::Waits => intervals::waits(self.trace, selection, Batches::new(&intervals::wait_fields(), each)),
            Relation::Wakeups => events::wakeups(self.trace, selection, Batches::new(&events::wakeup_fields(), each)),
            Relation::Migrations => {
                let rows = events::migrations(self.trace, selection);
                Batches::new(&events::migration_fields(), each).all(rows)
            }
            Relation::Tasks => Batches::new(&sums::TASKS, each).all(self.stats(selection).tasks.into_iter()),
            Relation::Commands => Batches::new(&sums::COMMANDS, each).all(self.stats(selection).commands.into_iter()),
        }
    }

    /// The rows of a relation as one list, which is never in memory as a whole.
    pub fn rows<'a>(self, relation: Relation, selection: &'a Selection) -> impl Serialize + 'a
    where
        Self: 'a,
    {
        Rows {
            model: self,
            relation,
            selection,
        }
    }
}

struct Rows<'a> {
    model: Model<'a>,
    relation: Relation,
    selection: &'a Selection,
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list = RefCell::new(serializer.serialize_seq(None)?);
        self.model.each_batch(self.relation, self.selection, &mut |batch| {
            let mut list = list.borrow_mut();
            batch.rows().try_for_each(|row| list.serialize_element(&row))
        })?;
        list.into_inner().end().map_err(S::Error::custom)
    }
}

#[cfg(test)]
mod tests;
