//! The rows that a filter lets through, found step by step in the order of the list.

use super::lines::{Lines, Needle};
use super::list::Rows;
use super::matcher::Matcher;
use super::query::EventTextMode;
use super::row_set::RowSet;
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::{Cursor, Row, RowOrder};

/// The rows of a list, as far as they are known.
pub(super) enum FilteredRows {
    /// Nothing is filtered.
    All {
        /// Rows there are.
        len: usize,
    },
    /// Some are looked for.
    Some(Box<Filtering>),
}

/// A filter under way.
pub(super) struct Filtering {
    matcher: Matcher,
    needle: Option<Needle>,
    mode: EventTextMode,
    found: RowSet,
    /// At the first row that was not looked at.
    cursor: Cursor,
}

impl FilteredRows {
    pub fn new(matcher: Matcher, text: &str, mode: EventTextMode, order: &RowOrder) -> Self {
        let needle = Needle::new(text);
        if needle.is_none() && matcher.takes_all() {
            return FilteredRows::All { len: order.len() };
        }
        let start = matcher.start().map_or(0, |ts| order.row_at(ts));
        let mut found = RowSet::default();
        found.skip(start);
        FilteredRows::Some(Box::new(Filtering {
            matcher,
            needle,
            mode,
            found,
            cursor: order.cursor(start),
        }))
    }

    /// Rows of the trace that were looked at.
    pub fn known(&self) -> usize {
        match self {
            FilteredRows::All { len } => *len,
            FilteredRows::Some(filtering) => filtering.found.known(),
        }
    }

    /// Rows found among them.
    pub fn len(&self) -> usize {
        match self {
            FilteredRows::All { len } => *len,
            FilteredRows::Some(filtering) => filtering.found.len(),
        }
    }

    /// Up to `count` rows of the list from `first` on.
    pub fn places(&self, order: &RowOrder, first: usize, count: usize) -> Vec<Row> {
        let numbers = first..first.saturating_add(count).min(self.len());
        match self {
            FilteredRows::All { .. } => order.rows(numbers),
            FilteredRows::Some(filtering) => order.rows(numbers.filter_map(|number| filtering.found.select(number))),
        }
    }

    /// The number in the list of the first row at or after `row` that `wanted` takes, by its stream. The outer `None`: it
    /// is not known yet.
    pub fn first_from(&self, order: &RowOrder, row: usize, wanted: impl Fn(usize) -> bool) -> Option<Option<usize>> {
        let is_wanted = |&row: &usize| order.stream(row).is_some_and(&wanted);
        match self {
            FilteredRows::All { len } => Some((row..*len).find(is_wanted)),
            FilteredRows::Some(filtering) => {
                let found = &filtering.found;
                let mut number = found.rank(row);
                while let Some(row) = found.select(number) {
                    if is_wanted(&row) {
                        return Some(Some(number));
                    }
                    number += 1;
                }
                (found.known() == order.len()).then_some(None)
            }
        }
    }

    /// Looks at some more rows.
    pub fn advance<R: ReadAt>(
        &mut self,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<(), ReadError> {
        let FilteredRows::Some(filtering) = self else {
            return Ok(());
        };
        for _ in 0..budget {
            let Some(row) = filtering.cursor.next(&rows.order) else {
                break;
            };
            match filtering.takes(row, rows, lines) {
                Ok(takes) => filtering.found.push(takes),
                Err(error) => {
                    // The row is looked at again when this is tried again.
                    filtering.cursor = rows.order.cursor(row.row);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

impl Filtering {
    #[inline]
    fn takes<R: ReadAt>(&self, row: Row, rows: &mut Rows<'_, R>, lines: &mut Lines<'_, R>) -> Result<bool, ReadError> {
        if !self.matcher.takes_row(row.stream, row.ts) {
            return Ok(false);
        }
        if self.needle.is_none() && !self.matcher.needs_record() {
            return Ok(true);
        }
        let record = rows.far(row)?;
        Ok(record.is_some_and(|record| {
            self.matcher.takes_record(&record)
                && self
                    .matcher
                    .bound()
                    .is_none_or(|filter| lines.passes(filter, self.mode, &record))
                && self
                    .needle
                    .as_ref()
                    .is_none_or(|needle| lines.has(needle, self.mode, &record))
        }))
    }
}
