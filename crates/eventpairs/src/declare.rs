//! What a pair is, read from the options of a user or of the table.

use std::ops::Range;

use eventfilter::{Filter, FilterError};
use serde::Deserialize;
use ts_rs::TS;

use crate::table::Row;

/// What is done with a second start of a key whose first is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "PairAgain")]
pub enum Again {
    /// The last start counts.
    #[default]
    Last,
    /// The first start counts.
    First,
    /// Starts nest: an end ends the last one that is open.
    Nest,
}

/// What is wrong with a declaration: which option's text, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairError {
    /// The option, as in `--start`.
    pub option: &'static str,
    /// Its text.
    pub text: String,
    /// What is wrong with it.
    pub error: FilterError,
}

impl PairError {
    /// Something is wrong with an option as a whole.
    pub fn new(option: &'static str, text: &str, message: &str) -> PairError {
        error(option, text, 0..text.len(), message)
    }
}

/// An event with a filter, `SYSTEM:EVENT[FILTER]`.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub option: &'static str,
    pub text: String,
    /// Where the filter begins behind its bracket; its own text has a byte more before it.
    bracket: Option<usize>,
    pub filter: Filter,
}

impl Side {
    fn parse(option: &'static str, text: &str) -> Result<Side, PairError> {
        let (bracket, as_filter) = match text.split_once('[').filter(|_| text.ends_with(']')) {
            Some((event, rest)) => {
                let inner = rest.strip_suffix(']').unwrap_or(rest);
                (Some(event.len()), format!("{event}: {inner}"))
            }
            None => (None, text.to_owned()),
        };
        let place = |error| moved(option, text, bracket, error);
        let filter = Filter::parse(&as_filter).map_err(place)?;
        if filter.events.is_empty() {
            let message = "expected an event, as in irq:softirq_entry or power:cpu_idle[state != 4294967295]";
            return Err(place(FilterError {
                at: 0..text.len(),
                message: message.to_owned(),
            }));
        }
        Ok(Side {
            option,
            text: text.to_owned(),
            bracket,
            filter,
        })
    }

    /// What is wrong with the filter, as something wrong with the option.
    pub fn wrong(&self, error: FilterError) -> PairError {
        moved(self.option, &self.text, self.bracket, error)
    }
}

fn moved(option: &'static str, text: &str, bracket: Option<usize>, mut error: FilterError) -> PairError {
    let back = |at: usize| match bracket {
        // `: ` stands where the bracket does.
        Some(bracket) if bracket + 1 < at => at - 1,
        _ => at,
    };
    error.at = back(error.at.start).min(text.len())..back(error.at.end).min(text.len());
    PairError {
        option,
        text: text.to_owned(),
        error,
    }
}

/// A name in an option's text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub name: String,
    pub at: Range<usize>,
}

/// A number of the value: which side it is of, and what it is multiplied with.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub word: Word,
    /// `start.` or `end.`; without either the end's, if there is one.
    pub of_start: Option<bool>,
    /// Negative if it is subtracted.
    pub factor: i64,
}

/// A list of names, and the text that it was read from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words<T> {
    pub text: String,
    pub words: Vec<T>,
}

/// A pair, read.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    pub(crate) start: Side,
    pub(crate) end: Option<Side>,
    pub(crate) cancel: Option<Side>,
    /// The field of the start (and of what takes it back), and that of the end.
    pub(crate) key: Words<(Word, Word)>,
    pub(crate) group: Words<Word>,
    pub(crate) again: Again,
    pub(crate) value: Words<Term>,
    /// Whether what its events lack is an error; else the pair is not there.
    pub(crate) asked: bool,
}

impl Declaration {
    /// Reads a pair of a user, from the texts of its options; those that were not given are empty. What its events lack will
    /// be an error.
    pub fn parse(
        name: &str,
        [start, end]: [&str; 2],
        [key, group, value]: [&str; 3],
        again: Again,
    ) -> Result<Declaration, PairError> {
        Declaration::read(name, [start, end, ""], [key, group, value], again, true)
    }

    /// A pair of the table: where the trace does not have all that it names, it is not there.
    pub fn built_in(row: &Row) -> Result<Declaration, PairError> {
        Declaration::of_row(row, false)
    }

    /// The same, which was asked for by its name: what is not there is an error.
    pub fn asked(row: &Row) -> Result<Declaration, PairError> {
        Declaration::of_row(row, true)
    }

    fn of_row(row: &Row, asked: bool) -> Result<Declaration, PairError> {
        let texts = [row.key, row.group, row.value];
        Declaration::read(row.name, [row.start, row.end, row.cancel], texts, row.again, asked)
    }

    fn read(
        name: &str,
        [start, end, cancel]: [&str; 3],
        [keys, group, values]: [&str; 3],
        again: Again,
        asked: bool,
    ) -> Result<Declaration, PairError> {
        let side = |option, text: &str| (!text.is_empty()).then(|| Side::parse(option, text)).transpose();
        Ok(Declaration {
            name: name.to_owned(),
            start: Side::parse("--start", start)?,
            end: side("--end", end)?,
            cancel: side("--cancel", cancel)?,
            key: key(keys)?,
            group: Words {
                text: group.to_owned(),
                words: words("--group", group)?,
            },
            again,
            value: value(values)?,
            asked,
        })
    }

    /// The start, as it was declared.
    pub fn start(&self) -> &str {
        &self.start.text
    }

    /// The end, as it was declared; `None` for a value of one event.
    pub fn end(&self) -> Option<&str> {
        self.end.as_ref().map(|side| side.text.as_str())
    }
}

pub(crate) fn error(option: &'static str, text: &str, at: Range<usize>, message: impl Into<String>) -> PairError {
    PairError {
        option,
        text: text.to_owned(),
        error: FilterError {
            at,
            message: message.into(),
        },
    }
}

/// Parts of a text between separators, each with where it begins.
fn parts(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(separator).filter(|_| !text.is_empty()).map(move |part| {
        let start = at;
        at += part.len() + separator.len_utf8();
        (start, part)
    })
}

/// One name, which blanks may surround.
fn word(option: &'static str, text: &str, start: usize, part: &str) -> Result<Word, PairError> {
    let name = part.trim();
    let start = start + part.len() - part.trim_start().len();
    let at = start..start + name.len();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_name && !name.is_empty() {
        true => Ok(Word {
            name: name.to_owned(),
            at,
        }),
        false => Err(error(option, text, at, format!("expected a field, found `{name}`"))),
    }
}

fn words(option: &'static str, text: &str) -> Result<Vec<Word>, PairError> {
    parts(text, ',')
        .map(|(at, part)| word(option, text, at, part))
        .collect()
}

fn key(text: &str) -> Result<Words<(Word, Word)>, PairError> {
    let words = parts(text, ',').map(|(at, part)| match part.split_once('=') {
        Some((start, end)) => Ok((
            word("--key", text, at, start)?,
            word("--key", text, at + start.len() + 1, end)?,
        )),
        None => word("--key", text, at, part).map(|word| (word.clone(), word)),
    });
    Ok(Words {
        text: text.to_owned(),
        words: words.collect::<Result<_, _>>()?,
    })
}

fn value(text: &str) -> Result<Words<Term>, PairError> {
    let words = parts(text, '-').enumerate().map(|(index, (at, part))| {
        let (part, factor) = match part.split_once('*') {
            None => (part, 1),
            Some((field, number)) => {
                let read = number.trim().parse::<u32>();
                let here = at + field.len() + 1..at + part.len();
                let message = || format!("expected a whole number after `*`, found `{}`", number.trim());
                (field, read.map_err(|_| error("--value", text, here, message()))?)
            }
        };
        let (of_start, part, at) = match part.trim_start().split_once('.') {
            Some((side, rest)) if matches!(side.trim(), "start" | "end") => {
                let skipped = part.len() - rest.len();
                (Some(side.trim() == "start"), rest, at + skipped)
            }
            _ => (None, part, at),
        };
        Ok(Term {
            word: word("--value", text, at, part)?,
            of_start,
            factor: if index == 0 { factor.into() } else { -i64::from(factor) },
        })
    });
    Ok(Words {
        text: text.to_owned(),
        words: words.collect::<Result<_, _>>()?,
    })
}
