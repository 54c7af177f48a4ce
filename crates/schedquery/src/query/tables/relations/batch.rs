//! Batches: some rows of a relation, column by column.

use super::column::{Column, Field, Get, Kind};
use schedmodel::Time;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The values of one column, one for each row; where one is missing, any.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Of [`Kind::Int`].
    Ints(Vec<i64>),
    /// Of [`Kind::Instant`].
    Instants(Vec<Time>),
    /// Of [`Kind::Duration`], in ns.
    Durations(Vec<u64>),
    /// Of [`Kind::Text`].
    Texts {
        /// All texts, one after the other.
        text: String,
        /// Where each ends.
        ends: Vec<usize>,
    },
    /// Of [`Kind::Word`].
    Words(Vec<&'static str>),
    /// Of [`Kind::Bool`].
    Bools(Vec<bool>),
}

/// One column of a batch.
#[derive(Clone, Debug)]
pub struct ColumnBatch {
    /// What it is.
    pub column: Column,
    /// By row, whether there is a value; empty for a column that is not optional.
    pub present: Vec<bool>,
    /// The values.
    pub values: Values,
}

/// Some rows of a relation: as many values in each of its columns.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The columns, the same in every batch of a relation.
    pub columns: Vec<ColumnBatch>,
    rows: usize,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// None.
    Missing,
    /// Of [`Kind::Int`].
    Int(i64),
    /// Of [`Kind::Instant`].
    Instant(Time),
    /// Of [`Kind::Duration`], in ns.
    Duration(u64),
    /// Of [`Kind::Text`] or [`Kind::Word`].
    Text(&'a str),
    /// Of [`Kind::Bool`].
    Bool(bool),
}

impl ColumnBatch {
    fn new(column: Column) -> ColumnBatch {
        let (text, ends) = Default::default();
        ColumnBatch {
            column,
            present: Vec::new(),
            values: match column.kind {
                Kind::Int => Values::Ints(Vec::new()),
                Kind::Instant => Values::Instants(Vec::new()),
                Kind::Duration => Values::Durations(Vec::new()),
                Kind::Text => Values::Texts { text, ends },
                Kind::Word(_) => Values::Words(Vec::new()),
                Kind::Bool => Values::Bools(Vec::new()),
            },
        }
    }

    fn push<R>(&mut self, field: &Field<R>, row: &R) {
        let present = match (&field.get, &mut self.values) {
            (Get::Int(get), Values::Ints(values)) => add(values, get(row)),
            (Get::Instant(get), Values::Instants(values)) => add(values, get(row)),
            (Get::Duration(get), Values::Durations(values)) => add(values, get(row)),
            (Get::Word(_, get), Values::Words(values)) => add(values, get(row)),
            (Get::Bool(get), Values::Bools(values)) => add(values, get(row)),
            (Get::Text(get), Values::Texts { text, ends }) => {
                let value = get(row);
                text.push_str(value.as_deref().unwrap_or_default());
                ends.push(text.len());
                value.is_some()
            }
            // The values were made for the kind that the field has.
            _ => false,
        };
        if self.column.optional {
            self.present.push(present);
        }
    }

    fn clear(&mut self) {
        self.present.clear();
        match &mut self.values {
            Values::Ints(values) => values.clear(),
            Values::Instants(values) => values.clear(),
            Values::Durations(values) => values.clear(),
            Values::Words(values) => values.clear(),
            Values::Bools(values) => values.clear(),
            Values::Texts { text, ends } => {
                text.clear();
                ends.clear();
            }
        }
    }

    /// The value of a row; missing also where there is no such row.
    pub fn value(&self, row: usize) -> Value<'_> {
        if self.column.optional && self.present.get(row) != Some(&true) {
            return Value::Missing;
        }
        let value = match &self.values {
            Values::Ints(values) => values.get(row).copied().map(Value::Int),
            Values::Instants(values) => values.get(row).copied().map(Value::Instant),
            Values::Durations(values) => values.get(row).copied().map(Value::Duration),
            Values::Words(values) => values.get(row).copied().map(Value::Text),
            Values::Bools(values) => values.get(row).copied().map(Value::Bool),
            Values::Texts { text, ends } => {
                let start = row.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied());
                let range = start.zip(ends.get(row).copied());
                range.and_then(|(start, end)| text.get(start..end)).map(Value::Text)
            }
        };
        value.unwrap_or(Value::Missing)
    }
}

fn add<T: Default>(values: &mut Vec<T>, value: Option<T>) -> bool {
    let present = value.is_some();
    values.push(value.unwrap_or_default());
    present
}

impl Batch {
    pub(super) fn new<R>(fields: &[Field<R>]) -> Batch {
        Batch {
            columns: fields.iter().map(|field| ColumnBatch::new(field.column())).collect(),
            rows: 0,
        }
    }

    /// Adds a row; `fields` are those that the batch was made for.
    pub(super) fn push<R>(&mut self, fields: &[Field<R>], row: &R) {
        for (column, field) in self.columns.iter_mut().zip(fields) {
            column.push(field, row);
        }
        self.rows += 1;
    }

    /// Removes the rows, and keeps their room.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(ColumnBatch::clear);
        self.rows = 0;
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Its rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows).map(|row| Row { batch: self, row })
    }
}

/// A row of a batch. In JSON, an object with a field for each column.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    batch: &'a Batch,
    row: usize,
}

impl<'a> Row<'a> {
    /// The values, in the order of the columns.
    pub fn values(self) -> impl Iterator<Item = Value<'a>> {
        self.batch.columns.iter().map(move |column| column.value(self.row))
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = &self.batch.columns;
        let mut map = serializer.serialize_map(Some(columns.len()))?;
        for (column, value) in columns.iter().zip(self.values()) {
            map.serialize_entry(column.column.name, &value)?;
        }
        map.end()
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Missing => serializer.serialize_none(),
            Value::Int(value) => value.serialize(serializer),
            Value::Instant(value) => value.serialize(serializer),
            Value::Duration(value) => value.serialize(serializer),
            Value::Text(value) => value.serialize(serializer),
            Value::Bool(value) => value.serialize(serializer),
        }
    }
}
