//! Turns of a filter or a search that other workers look at: each has the same list, without its order.

use serde::{Deserialize, Serialize};

use super::list::EventList;
use super::passing::{Bits, Passing};
use super::query::{EventSelection, EventsQuery};
use super::search::Search;
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::Turn;
use crate::scan::RecordIndex;

/// A turn, and what is looked for in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandedTurn {
    /// Which records.
    pub turn: Turn,
    /// The list.
    of: EventSelection,
    /// What is searched for in it; `None`: what belongs to the list itself.
    text: Option<String>,
}

impl<R: ReadAt> EventList<'_, R> {
    /// What another list of the same trace is made of, to [`seek`](Self::seek) for this one: where each CPU's records are.
    pub fn indexes(&self) -> impl Iterator<Item = &RecordIndex> {
        self.rows.far.iter().map(|records| records.index())
    }

    /// A turn of the filter of the list whose rows were asked for last.
    pub fn hand_out(&mut self) -> Option<HandedTurn> {
        let of = self.shown.clone()?;
        let turn = self.passing(&of, None)?.hand_out()?;
        Some(HandedTurn { turn, of, text: None })
    }

    /// A turn of the search that was asked for last.
    pub fn hand_out_search(&mut self) -> Option<HandedTurn> {
        let (query, search) = self.search.as_mut()?;
        let EventsQuery::EventSearch { of, text, .. } = query else {
            return None;
        };
        Some(HandedTurn {
            turn: search.passing()?.hand_out()?,
            of: of.clone(),
            text: Some(text.clone()),
        })
    }

    /// Looks at a turn of another list of the same trace: which of its records pass, a bit each.
    pub fn seek(&mut self, handed: &HandedTurn) -> Result<Vec<u64>, ReadError> {
        let HandedTurn { turn, of, text } = handed;
        self.choose(of);
        let search = text.as_deref().and_then(|text| Search::new(text, of.mode, -1, 1));
        let (Some(list), lines) = (self.lists.last(), &mut self.lines) else {
            return Ok(Vec::new());
        };
        let streams = (self.rows.file.input(), self.rows.far.as_mut_slice());
        Bits::of_turn(turn, streams, |record| match &search {
            Some(search) => search.takes(&list.filtered, record, lines),
            None => list.filtered.takes(record, lines),
        })
    }

    /// Takes what another list found in a turn; `None`: it could not look at it.
    pub fn found(&mut self, handed: &HandedTurn, bits: Option<Vec<u64>>) {
        if let Some(passing) = self.passing(&handed.of, handed.text.as_deref()) {
            passing.found(&handed.turn, bits);
        }
    }

    /// What decides about the records of a list, or of the search for a text in it.
    fn passing(&mut self, of: &EventSelection, text: Option<&str>) -> Option<&mut Passing> {
        match (&mut self.search, text) {
            (Some((EventsQuery::EventSearch { of: list, text, .. }, search)), Some(wanted)) => {
                let is_asked = list == of && text == wanted;
                search.passing().filter(|_| is_asked)
            }
            (_, Some(_)) => None,
            (_, None) => self.lists.iter_mut().find(|list| list.of == *of)?.filtered.passing(),
        }
    }
}
