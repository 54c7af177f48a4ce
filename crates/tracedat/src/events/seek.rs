//! Turns of filters and searches that other workers look at: each has the same list, without its order.

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
    sought: Sought,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sought {
    /// What belongs to a list: a bit for each record.
    List(EventSelection),
    /// What of a list has a text, likewise.
    Search { of: EventSelection, text: String },
    /// The hits of an expression, as [`super::hits::Hits::seek`] has them.
    Hits { expression: String },
}

/// Whose turns are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The list's whose rows were asked for last.
    List,
    /// The search's that was asked for last.
    Search,
    /// The hits' that were asked for last.
    Hits,
}

impl<R: ReadAt> EventList<'_, R> {
    /// What another list of the same trace is made of, to [`seek`](Self::seek) for this one: where each CPU's records are.
    pub fn indexes(&self) -> impl Iterator<Item = &RecordIndex> {
        self.rows.far.iter().map(|records| records.index())
    }

    /// A turn for another list to look at; `None`: there is none now.
    pub fn hand_out(&mut self, walk: Walk) -> Option<HandedTurn> {
        let (turn, sought) = match walk {
            Walk::List => {
                let of = self.shown.clone()?;
                (self.passing(&of)?.hand_out()?, Sought::List(of))
            }
            Walk::Search => {
                let (query, search) = self.search.as_mut()?;
                let EventsQuery::EventSearch { of, text, .. } = query else {
                    return None;
                };
                let (of, text) = (of.clone(), text.clone());
                (search.passing()?.hand_out()?, Sought::Search { of, text })
            }
            Walk::Hits => {
                let hits = self.hits.last_mut()?;
                let expression = hits.expression.clone();
                (hits.hand_out()?, Sought::Hits { expression })
            }
        };
        Some(HandedTurn { turn, sought })
    }

    /// Looks at a turn of another list of the same trace. What is found is words for its [`found`](Self::found).
    pub fn seek(&mut self, HandedTurn { turn, sought }: &HandedTurn) -> Result<Vec<u64>, ReadError> {
        let (of, text) = match sought {
            Sought::List(of) => (of, None),
            Sought::Search { of, text } => (of, Some(text)),
            Sought::Hits { expression } => {
                self.choose_hits(expression);
                let hits = self.hits.last();
                let words = hits.map(|hits| hits.seek(turn, &mut self.rows, &mut self.lines));
                return words.unwrap_or_else(|| Ok(Vec::new()));
            }
        };
        self.choose(of);
        let search = text.and_then(|text| Search::new(text, of.mode, -1, 1));
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
    pub fn found(&mut self, HandedTurn { turn, sought }: &HandedTurn, words: Option<Vec<u64>>) {
        match sought {
            Sought::List(of) => {
                if let Some(passing) = self.passing(of) {
                    passing.found(turn, words);
                }
            }
            Sought::Search { of, text } => {
                let Some((query, search)) = &mut self.search else {
                    return;
                };
                let passing = match query {
                    EventsQuery::EventSearch {
                        of: list, text: asked, ..
                    } if list == of && asked == text => search.passing(),
                    _ => None,
                };
                if let Some(passing) = passing {
                    passing.found(turn, words);
                }
            }
            Sought::Hits { expression } => {
                let hits = self.hits.iter_mut().find(|hits| hits.expression == *expression);
                if let Some(hits) = hits {
                    hits.found(turn, words.as_deref());
                }
            }
        }
    }

    /// What decides about the records of a list.
    fn passing(&mut self, of: &EventSelection) -> Option<&mut Passing> {
        let list = self.lists.iter_mut().find(|list| list.of == *of)?;
        list.filtered.passing()
    }
}
