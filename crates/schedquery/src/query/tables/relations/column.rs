//! Columns: what they are called, what their values are, and how a row gives them.

use schedmodel::Time;
use std::borrow::Cow;

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in every format, in snake case.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whether a value may be missing.
    pub optional: bool,
    /// What it means.
    pub doc: &'static str,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number of something, an id, a CPU.
    Int,
    /// An instant; see [`Time`].
    Instant,
    /// How long something lasted.
    Duration,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Bool,
}

impl Kind {
    /// The unit of its values, if they have one. Where a trace's clock has no scale, ns are its ticks.
    pub fn unit(self) -> Option<&'static str> {
        matches!(self, Kind::Instant | Kind::Duration).then_some("ns")
    }
}

/// How a row of type `R` gives the value of a column; the kind of the column follows from it.
pub(super) enum Get<R> {
    Int(fn(&R) -> Option<i64>),
    Instant(fn(&R) -> Option<Time>),
    Duration(fn(&R) -> Option<u64>),
    Text(for<'a> fn(&'a R) -> Option<Cow<'a, str>>),
    Word(&'static [&'static str], fn(&R) -> Option<&'static str>),
    Bool(fn(&R) -> Option<bool>),
}

/// A column of rows of type `R`.
pub struct Field<R> {
    name: &'static str,
    optional: bool,
    doc: &'static str,
    pub(super) get: Get<R>,
}

impl<R> Field<R> {
    /// A column that every row has a value of.
    pub(super) const fn new(name: &'static str, doc: &'static str, get: Get<R>) -> Field<R> {
        let optional = false;
        Field {
            name,
            optional,
            doc,
            get,
        }
    }

    /// A column that some rows have no value of.
    pub(super) const fn optional(name: &'static str, doc: &'static str, get: Get<R>) -> Field<R> {
        let optional = true;
        Field {
            name,
            optional,
            doc,
            get,
        }
    }

    /// What the column is.
    pub fn column(&self) -> Column {
        Column {
            name: self.name,
            kind: match self.get {
                Get::Int(_) => Kind::Int,
                Get::Instant(_) => Kind::Instant,
                Get::Duration(_) => Kind::Duration,
                Get::Text(_) => Kind::Text,
                Get::Word(words, _) => Kind::Word(words),
                Get::Bool(_) => Kind::Bool,
            },
            optional: self.optional,
            doc: self.doc,
        }
    }

    /// Its value as a number, for tables of numbers only; 0 if it is no number.
    pub fn number(&self, row: &R) -> f64 {
        match self.get {
            Get::Int(get) => get(row).map_or(0.0, |value| value as f64),
            Get::Duration(get) => get(row).map_or(0.0, |value| value as f64),
            Get::Instant(get) => get(row).map_or(0.0, |value| value.0 as f64),
            Get::Text(_) | Get::Word(..) | Get::Bool(_) => 0.0,
        }
    }
}
