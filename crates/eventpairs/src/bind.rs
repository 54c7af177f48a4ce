//! Declarations bound to the formats of a trace: what each of its events means for which pair.

use std::ops::Range;

use eventfilter::{hint, BoundFilter, Clock, KnownEvent};
use traceevent::Endian;

use crate::declare::{error, Declaration, PairError, Side, Word};
use crate::fields::{Key, Part, Shown};

/// What an event is to a pair. One that is several things is so in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    End,
    Cancel,
    Start,
    /// A value of its own.
    Value,
}

/// What an event means for a pair.
#[derive(Debug)]
pub(crate) struct Use {
    /// The pair's number.
    pub pair: usize,
    pub role: Role,
    /// Which records.
    pub filter: BoundFilter,
    pub key: Vec<Part>,
    /// What the pair is grouped by, if this side tells it.
    pub group: Option<Vec<Shown>>,
    /// Numbers of the value, each with what it is multiplied with.
    pub terms: Vec<(Part, i64)>,
    /// The event's name without `_entry` or `_exit`.
    pub stem: String,
}

/// What a trace says about its records.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formats<'a> {
    pub events: &'a [KnownEvent<'a>],
    pub endian: Endian,
    pub clock: Clock,
    pub long_size: u8,
}

impl<'a> Formats<'a> {
    /// All uses of a pair, each with the id of the event.
    pub fn bind(&self, pair: usize, declared: &Declaration) -> Result<Vec<(u16, Use)>, PairError> {
        if Key::MOST < declared.key.words.len() {
            let message = format!("a key has at most {} fields", Key::MOST);
            return Err(error("--key", &declared.key.text, 0..declared.key.text.len(), message));
        }
        let mut uses = Vec::new();
        let alone = declared.end.is_none();
        let start_role = if alone { Role::Value } else { Role::Start };
        let (start, start_events) = self.side(&declared.start)?;
        let end = declared.end.as_ref().map(|side| self.side(side)).transpose()?;
        let cancel = declared.cancel.as_ref().map(|side| self.side(side)).transpose()?;
        // The side that has the fields of the group: the start, if it has them all.
        let has = |events: &[KnownEvent<'_>], word: &Word| {
            let found = |event| Part::find(&word.name, event).is_some();
            !events.is_empty() && events.iter().all(found)
        };
        let missing = declared.group.words.iter().find(|word| !has(&start_events, word));
        let end_has = |word: &Word| end.as_ref().is_some_and(|(_, events)| has(events, word));
        let group_of_end = missing.is_some() && declared.group.words.iter().all(end_has);
        if let Some(word) = missing.filter(|_| !group_of_end) {
            return Err(self.unknown("--group", &declared.group.text, word, &start_events));
        }
        for event in &start_events {
            uses.push((
                event.id,
                self.make(pair, start_role, declared, &start, event, !group_of_end)?,
            ));
        }
        if let Some((filter, events)) = &end {
            for event in events {
                uses.push((
                    event.id,
                    self.make(pair, Role::End, declared, filter, event, group_of_end)?,
                ));
            }
        }
        if let Some((filter, events)) = &cancel {
            for event in events {
                uses.push((event.id, self.make(pair, Role::Cancel, declared, filter, event, false)?));
            }
        }
        let of = |role: Role| {
            uses.iter()
                .map(|(_, each): &(u16, Use)| each)
                .find(|each| each.role == role)
        };
        if let (Some(start), Some(end)) = (of(Role::Start), of(Role::End)) {
            let is_text = |part: &Part| matches!(part, Part::Text(_) | Part::Comm | Part::Stem);
            let pairs = start.key.iter().zip(&end.key).zip(&declared.key.words);
            for ((left, right), (word, other)) in pairs {
                if is_text(left) != is_text(right) {
                    let message = format!("`{}` and `{}` are a number and a text", word.name, other.name);
                    return Err(error("--key", &declared.key.text, word.at.start..other.at.end, message));
                }
            }
        }
        Ok(uses)
    }

    /// The events of a side.
    fn side(&self, side: &Side) -> Result<(BoundFilter, Vec<KnownEvent<'a>>), PairError> {
        let bound = side
            .filter
            .bind(self.events.iter().copied(), self.endian, self.clock)
            .map_err(|error| side.wrong(error))?;
        let events = self
            .events
            .iter()
            .filter(|event| bound.may_take(event.id))
            .copied()
            .collect();
        Ok((bound, events))
    }

    fn make(
        &self,
        pair: usize,
        role: Role,
        declared: &Declaration,
        filter: &BoundFilter,
        event: &KnownEvent<'a>,
        groups: bool,
    ) -> Result<Use, PairError> {
        let unknown = |option, text: &str, word: &Word| self.unknown(option, text, word, std::slice::from_ref(event));
        let key = declared.key.words.iter().map(|(start, end)| {
            let word = if role == Role::End { end } else { start };
            Part::find(&word.name, event).ok_or_else(|| unknown("--key", &declared.key.text, word))
        });
        let key = if role == Role::Value {
            Vec::new()
        } else {
            key.collect::<Result<_, _>>()?
        };
        let group = declared.group.words.iter().map(|word| {
            Shown::find(&word.name, event, self.long_size).ok_or_else(|| unknown("--group", &declared.group.text, word))
        });
        let group = groups.then(|| group.collect::<Result<_, _>>()).transpose()?;
        let mut terms = Vec::new();
        for term in &declared.value.words {
            let of_start = term.of_start.unwrap_or(declared.end.is_none());
            let here = match role {
                Role::Start | Role::Value => of_start,
                Role::End => !of_start,
                Role::Cancel => false,
            };
            if here {
                let text = &declared.value.text;
                let part = Part::find(&term.word.name, event).ok_or_else(|| unknown("--value", text, &term.word))?;
                if matches!(part, Part::Text(_) | Part::Comm | Part::Stem) {
                    let message = format!("`{}` is no number", term.word.name);
                    return Err(error("--value", text, term.word.at.clone(), message));
                }
                terms.push((part, term.factor));
            }
        }
        let stem = event
            .name
            .strip_suffix("_entry")
            .or_else(|| event.name.strip_suffix("_exit"));
        Ok(Use {
            pair,
            role,
            filter: filter.clone(),
            key,
            group,
            terms,
            stem: stem.unwrap_or(event.name).to_owned(),
        })
    }

    fn unknown(&self, option: &'static str, text: &str, word: &Word, events: &[KnownEvent<'_>]) -> PairError {
        let Word { name, at } = word;
        let at: Range<usize> = at.clone();
        let fields = events.iter().flat_map(|event| &event.format.fields);
        let known = fields.map(|field| field.name.as_str()).chain(["pid", "cpu", "comm"]);
        let of = events.first().map_or("such an event", |event| event.name);
        error(
            option,
            text,
            at,
            format!("{of} has no field `{name}`{}", hint(name, known)),
        )
    }
}
