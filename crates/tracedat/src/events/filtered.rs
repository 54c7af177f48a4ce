//! The rows that a filter lets through, found step by step in the order of the list.

use super::lines::{Lines, Needle};
use super::list::Rows;
use super::matcher::Matcher;
use super::passing::Passing;
use super::query::EventTextMode;
use super::row_set::RowSet;
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::{Cursor, Reads, RecordRef, Row, RowOrder};

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
    /// Behind the first row that is not known.
    cursor: Cursor,
    /// That row, once its record is waited for.
    next: Option<Row>,
    /// `None`: rows pass or not, whatever their records are.
    records: Option<Records>,
}

struct Records {
    passing: Passing,
    /// At the first row that was not planned.
    ahead: Cursor,
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
        let needs_records = needle.is_some() || matcher.needs_record();
        FilteredRows::Some(Box::new(Filtering {
            matcher,
            needle,
            mode,
            found,
            cursor: order.cursor(start),
            next: None,
            records: needs_records.then(|| Records {
                passing: Passing::new(order.streams(), true),
                ahead: order.cursor(start),
            }),
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

    /// Whether a row of the trace that is known is in the list.
    #[inline]
    pub fn has(&self, row: usize) -> bool {
        match self {
            FilteredRows::All { .. } => true,
            FilteredRows::Some(filtering) => filtering.found.has(row),
        }
    }

    /// Whether a record passes the conditions that need one.
    #[inline]
    pub fn takes<R: ReadAt>(&self, record: &RecordRef<'_>, lines: &mut Lines<'_, R>) -> bool {
        match self {
            FilteredRows::All { .. } => true,
            FilteredRows::Some(filtering) => takes(
                &filtering.matcher,
                filtering.needle.as_ref(),
                filtering.mode,
                record,
                lines,
            ),
        }
    }

    /// What is read next to know more rows.
    pub fn reads(&self) -> Reads {
        match self {
            FilteredRows::All { .. } => Reads::default(),
            FilteredRows::Some(filtering) => {
                let records = filtering.records.as_ref();
                records.map_or_else(Reads::default, |records| {
                    records.passing.reads(filtering.next.is_some())
                })
            }
        }
    }

    /// What decides about records that rows wait for.
    pub fn passing(&mut self) -> Option<&mut Passing> {
        match self {
            FilteredRows::All { .. } => None,
            FilteredRows::Some(filtering) => filtering.records.as_mut().map(|records| &mut records.passing),
        }
    }

    /// Looks at some more rows, or at records for them.
    pub fn advance<R: ReadAt>(
        &mut self,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<(), ReadError> {
        match self {
            FilteredRows::All { .. } => Ok(()),
            FilteredRows::Some(filtering) => filtering.advance(rows, lines, budget),
        }
    }
}

impl Filtering {
    fn advance<R: ReadAt>(
        &mut self,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<(), ReadError> {
        let matcher = &self.matcher;
        for _ in 0..budget {
            let Some(row) = self.next.take().or_else(|| self.cursor.next(&rows.order)) else {
                return Ok(());
            };
            let takes = match &mut self.records {
                _ if !matcher.takes_row(row.stream, row.ts) => Some(false),
                Some(records) => records.passing.knows(row.into()),
                None => Some(true),
            };
            match takes {
                Some(takes) => self.found.push(takes),
                None => {
                    self.next = Some(row);
                    break;
                }
            }
        }
        let Some(Records { passing, ahead }) = self.records.as_mut().filter(|_| self.next.is_some()) else {
            return Ok(());
        };
        let order = &rows.order;
        let mut coming = std::iter::from_fn(|| {
            let row = ahead.next(order)?;
            Some(matcher.takes_row(row.stream, row.ts).then(|| row.into()))
        });
        let (needle, mode) = (self.needle.as_ref(), self.mode);
        let far = (rows.file.input(), rows.far.as_mut_slice());
        passing.advance(far, budget, &mut coming, |record| {
            takes(matcher, needle, mode, record, lines)
        })
    }
}

fn takes<R: ReadAt>(
    matcher: &Matcher,
    needle: Option<&Needle>,
    mode: EventTextMode,
    record: &RecordRef<'_>,
    lines: &mut Lines<'_, R>,
) -> bool {
    matcher.takes_record(record)
        && matcher.bound().is_none_or(|filter| lines.passes(filter, mode, record))
        && needle.is_none_or(|needle| lines.has(needle, mode, record))
}
