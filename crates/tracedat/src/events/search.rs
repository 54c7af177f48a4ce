//! The nearest row whose line holds a text.

use super::filtered::FilteredRows;
use super::lines::{Lines, Needle};
use super::list::Rows;
use super::query::EventTextMode;
use crate::error::ReadError;
use crate::file::ReadAt;

/// A search under way in a list.
pub(super) struct Search {
    needle: Needle,
    mode: EventTextMode,
    forward: bool,
    /// Rows that are left: from here to the list's end, or from its start to here.
    at: usize,
    started: usize,
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
        })
    }

    /// Rows that were looked at, and rows there are to look at.
    pub fn progress(&self, list: &FilteredRows) -> (usize, usize) {
        match self.forward {
            true => (self.at - self.started, list.len().saturating_sub(self.started)),
            false => (self.started - self.at, self.started),
        }
    }

    /// Searches more rows; continues the list's filter when there are no more.
    pub fn step<R: ReadAt>(
        &mut self,
        list: &mut FilteredRows,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<Found, ReadError> {
        if self.forward {
            let places = list.places(&rows.order, self.at, budget);
            for place in &places {
                let has = rows
                    .far(*place)?
                    .is_some_and(|record| lines.has(&self.needle, self.mode, &record));
                if has {
                    return Ok(Found::Row(self.at));
                }
                self.at += 1;
            }
            if self.at < list.len() {
                return Ok(Found::NotYet);
            }
            if list.known() == rows.order.len() {
                return Ok(Found::Nothing);
            }
            list.advance(rows, lines, budget)?;
            return Ok(Found::NotYet);
        }
        self.at = self.at.min(list.len());
        let first = self.at.saturating_sub(budget);
        let places = list.places(&rows.order, first, self.at - first);
        for place in places.iter().rev() {
            let has = rows
                .far(*place)?
                .is_some_and(|record| lines.has(&self.needle, self.mode, &record));
            self.at -= 1;
            if has {
                return Ok(Found::Row(self.at));
            }
        }
        Ok(if self.at == 0 { Found::Nothing } else { Found::NotYet })
    }
}
