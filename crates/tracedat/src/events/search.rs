//! The nearest row whose line holds a text.

use super::filtered::FilteredRows;
use super::lines::{Lines, Needle};
use super::list::Rows;
use super::passing::Passing;
use super::query::EventTextMode;
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::{Backward, Cursor, Place, Reads, RecordRef, RowOrder};

/// Rows of the trace that are looked at one by one: what is searched next is near most times, and read already.
const NEAR: usize = if cfg!(debug_assertions) { 20 } else { 1 << 12 };
/// How many of them at once: their places are looked up together.
const AT_ONCE: usize = 64;

/// A search under way in a list.
pub(super) struct Search {
    needle: Needle,
    mode: EventTextMode,
    forward: bool,
    /// Rows that are left: from here to the list's end, or from its start to here.
    at: usize,
    started: usize,
    /// The first row of the trace that was looked at.
    first: Option<usize>,
    /// Beyond what is near.
    far: Option<Far>,
    /// All rows that the list knows were looked at.
    waits_for_list: bool,
}

/// Rows are looked at in turns.
struct Far {
    /// Behind the first row that was not looked at.
    rows: Along,
    /// That row, once its record is waited for.
    next: Option<Place>,
    passing: Passing,
    /// At the first row that was not planned.
    ahead: Along,
}

/// Rows, in the direction of the search.
#[derive(Clone)]
enum Along {
    Forward(Cursor),
    Backward(Backward),
}

/// What a step of a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The row's number in the list.
    Row(usize),
    /// There is none.
    Nothing,
    /// There are more rows to look at.
    NotYet,
}

impl Along {
    /// The next row of those that the list knows.
    #[inline]
    fn next(&mut self, order: &RowOrder, known: usize) -> Option<Place> {
        match self {
            Along::Forward(cursor) if cursor.row() < known => cursor.next(order).map(Place::from),
            Along::Forward(_) => None,
            Along::Backward(backward) => backward.next(order),
        }
    }
}

impl Search {
    /// `None` for the empty text.
    pub fn new(text: &str, mode: EventTextMode, from: i64, direction: i8) -> Option<Self> {
        let forward = 0 < direction;
        let at = if forward { from.saturating_add(1) } else { from };
        let at = usize::try_from(at).unwrap_or(0);
        Some(Search {
            needle: Needle::new(text)?,
            mode,
            forward,
            at,
            started: at,
            first: None,
            far: None,
            waits_for_list: false,
        })
    }

    /// Rows that were looked at, and rows there are to look at.
    pub fn progress(&self, list: &FilteredRows) -> (usize, usize) {
        match self.forward {
            true => (self.at - self.started, list.len().saturating_sub(self.started)),
            false => (self.started - self.at, self.started),
        }
    }

    /// What is read next: for the search itself, and for the list that it searches.
    pub fn reads(&self, list: &FilteredRows) -> Reads {
        let list = list.reads();
        let own = self.far.as_ref();
        let own = own.map_or_else(Reads::default, |far| far.passing.reads(far.next.is_some()));
        let (mut first, second) = if self.waits_for_list { (list, own) } else { (own, list) };
        first.coming.extend(second.coming);
        first
    }

    /// What decides about records that rows wait for.
    pub fn passing(&mut self) -> Option<&mut Passing> {
        self.far.as_mut().map(|far| &mut far.passing)
    }

    /// Whether a record of the list is one that is searched for.
    pub fn takes<R: ReadAt>(&self, list: &FilteredRows, record: &RecordRef<'_>, lines: &mut Lines<'_, R>) -> bool {
        list.takes(record, lines) && lines.has(&self.needle, self.mode, record)
    }

    /// Searches more rows; continues the list's filter when there are no more.
    pub fn step<R: ReadAt>(
        &mut self,
        list: &mut FilteredRows,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<Found, ReadError> {
        if !self.forward {
            self.at = self.at.min(list.len());
        }
        let found = match &mut self.far {
            None => self.step_near(list, rows, lines, budget)?,
            Some(_) => self.step_far(list, rows, lines, budget)?,
        };
        self.waits_for_list = found == Found::Nothing && self.forward && list.known() < rows.order.len();
        if !self.waits_for_list {
            return Ok(found);
        }
        list.advance(rows, lines, budget)?;
        Ok(Found::NotYet)
    }

    /// Looks at one row after the other; `Nothing` where the list has no more of them.
    fn step_near<R: ReadAt>(
        &mut self,
        list: &FilteredRows,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<Found, ReadError> {
        let left = match self.forward {
            true => list.len().saturating_sub(self.at),
            false => self.at,
        };
        if left == 0 {
            return Ok(Found::Nothing);
        }
        let count = left.min(budget).min(AT_ONCE);
        let first = if self.forward { self.at } else { self.at - count };
        let mut places = list.places(&rows.order, first, count);
        if !self.forward {
            places.reverse();
        }
        for place in places {
            let first = *self.first.get_or_insert(place.row);
            if NEAR <= place.row.abs_diff(first) {
                self.far = Some(Far::new(&rows.order, place.row, self.forward));
                break;
            }
            let record = rows.far(place)?;
            let has = record.is_some_and(|record| lines.has(&self.needle, self.mode, &record));
            if let Some(row) = self.looked_at(has) {
                return Ok(Found::Row(row));
            }
        }
        Ok(Found::NotYet)
    }

    /// The same, of records that are looked at in turns.
    fn step_far<R: ReadAt>(
        &mut self,
        list: &FilteredRows,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<Found, ReadError> {
        let known = list.known();
        let Some(mut far) = self.far.take() else {
            return Ok(Found::Nothing);
        };
        let mut found = Found::NotYet;
        for _ in 0..budget {
            let Some(place) = far.next.take().or_else(|| far.rows.next(&rows.order, known)) else {
                found = Found::Nothing;
                break;
            };
            if !list.has(place.row) {
                continue;
            }
            let Some(has) = far.passing.knows(place) else {
                far.next = Some(place);
                break;
            };
            if let Some(row) = self.looked_at(has) {
                return Ok(Found::Row(row));
            }
        }
        let read = match far.next {
            Some(_) => {
                let order = &rows.order;
                let mut coming = std::iter::from_fn(|| {
                    let place = far.ahead.next(order, known)?;
                    Some(list.has(place.row).then_some(place))
                });
                let streams = (rows.file.input(), rows.far.as_mut_slice());
                let takes = |record: &RecordRef<'_>| self.takes(list, record, lines);
                far.passing.advance(streams, budget, &mut coming, takes)
            }
            None => Ok(()),
        };
        self.far = Some(far);
        read.map(|()| found)
    }

    /// The next row was looked at: its number in the list if it is the one.
    fn looked_at(&mut self, has: bool) -> Option<usize> {
        let row = if self.forward {
            self.at
        } else {
            self.at.saturating_sub(1)
        };
        if self.forward {
            self.at += usize::from(!has);
        } else {
            self.at = row;
        }
        has.then_some(row)
    }
}

impl Far {
    /// From a row of the trace on.
    fn new(order: &RowOrder, row: usize, forward: bool) -> Self {
        let rows = match forward {
            true => Along::Forward(order.cursor(row)),
            false => Along::Backward(order.cursor(row + 1).backward()),
        };
        Far {
            ahead: rows.clone(),
            rows,
            next: None,
            passing: Passing::new(order.streams(), forward),
        }
    }
}
