//! `print fmt`: how the kernel says an event is printed, a C format string and C expressions over the record's fields.
//!
//! Read here as the small language it is, so that meaning (the letters of `prev_state`, say) comes from the trace and not
//! from a table of ours. Layers: [`lexer`] -> [`parser`] with [`calls`] -> [`expr`] (the tree); [`template`] (the format
//! string); [`eval`] (numbers), [`text`] (`%s`), [`pointer`] (`%p`) and [`printf`] (how it is written).
//!
//! Where trace-cmd's evaluation differs from C, trace-cmd's is meant: numbers are 64 bits wide, unsigned and filled with
//! zeros, whatever their fields' types; operators of one strength group to the right; `%c` is not known.

mod address;
mod bprint;
mod calls;
mod eval;
mod expr;
mod lexer;
mod mask;
mod parser;
mod pointer;
mod printf;
mod raw;
mod template;
mod text;

use thiserror::Error;

use crate::lookup::Env;
pub use bprint::print_bprint;
pub(crate) use bprint::BinaryPrint;
use eval::Context;
use expr::Expr;
pub(crate) use parser::Names;
use printf::{write_number, write_plain};
pub(crate) use raw::RawFields;
pub use raw::RawHistory;
use template::{pieces, Conversion, Kind, Piece, Star};

/// Why a print fmt cannot be read or evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrintFmtError {
    /// Text that does not follow the grammar.
    #[error("at byte {at} of the print fmt: {found} instead of {expected}")]
    Syntax {
        /// Offset in the print fmt.
        at: usize,
        /// What is there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// More than some 200 expressions inside each other.
    #[error("the print fmt is nested too deeply")]
    TooDeep,
    /// A function, operator or conversion that is not known here.
    #[error("the print fmt uses {0}, which is not supported")]
    Unsupported(String),
    /// A conversion without an argument: which one, counted from 0.
    #[error("the print fmt's argument {0} is missing")]
    Argument(usize),
    /// No print fmt at all.
    #[error("the event has no print fmt")]
    Missing,
}

/// A print fmt, compiled for the fields of an event.
#[derive(Clone, Debug)]
pub(crate) struct PrintFmt {
    pieces: Vec<Piece>,
}

impl PrintFmt {
    /// Reads what follows `print fmt: `.
    pub fn parse(text: &str, names: Names<'_>) -> Result<Self, PrintFmtError> {
        if text.is_empty() {
            return Err(PrintFmtError::Missing);
        }
        let parsed = parser::parse(lexer::tokens(text)?, names)?;
        Ok(PrintFmt {
            pieces: pieces(&parsed.template, parsed.arguments)?,
        })
    }

    /// Prints all of it. `None` when the record is too short for it, with a part of it printed.
    #[inline]
    pub fn print(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) -> Option<()> {
        print(&self.pieces, Context { env, record }, out)
    }

    /// What is printed behind `label` (such as `prev_state=`) up to the next blank; `None` when nothing is so labelled.
    pub fn labelled(&self, label: &str) -> Option<PrintFmt> {
        let start = self
            .pieces
            .iter()
            .position(|piece| matches!(piece, Piece::Text(text) if ends_with_word(text, label.as_bytes())))?;
        let behind = self.pieces.get(start + 1..)?;
        let mut pieces = Vec::new();
        for piece in behind {
            if let Piece::Text(text) = piece {
                let end = text.iter().position(u8::is_ascii_whitespace);
                pieces.push(Piece::Text(text.get(..end.unwrap_or(text.len()))?.to_vec()));
                if end.is_some() {
                    break;
                }
            } else {
                pieces.push(piece.clone());
            }
        }
        Some(PrintFmt { pieces })
    }
}

/// `label` ends the text, and is not the tail of a longer word.
fn ends_with_word(text: &[u8], label: &[u8]) -> bool {
    text.strip_suffix(label)
        .is_some_and(|before| !before.last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_'))
}

#[inline]
fn print(pieces: &[Piece], context: Context<'_>, out: &mut Vec<u8>) -> Option<()> {
    pieces.iter().try_for_each(|piece| piece.print(context, out))
}

impl Piece {
    #[inline]
    fn print(&self, context: Context<'_>, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Number { value, radix, length } => write_plain(context.number(value)?, *radix, *length, out),
            Piece::Conversion(conversion) => print_conversion(conversion, context, out)?,
        }
        Some(())
    }
}

fn print_conversion(conversion: &Conversion, context: Context<'_>, out: &mut Vec<u8>) -> Option<()> {
    let mut shape = conversion.shape;
    let mut count = None;
    if let Some((place, star)) = &conversion.star {
        let number = context.number(star)?;
        // An `int` in C.
        match place {
            Star::Width => shape.set_width(i64::from(number as i32)),
            Star::Precision => shape.set_precision(i64::from(number as i32)),
        }
        count = Some(number);
    }
    let argument: &Expr = &conversion.argument;
    match &conversion.kind {
        Kind::Text => context.print_text(argument, shape, out),
        Kind::Pointer(pointer) => context.print_pointer(pointer, argument, count, out),
        Kind::Number(radix, length) => {
            write_number(context.number(argument)?, *radix, *length, shape, out);
            Some(())
        }
    }
}

#[cfg(test)]
mod tests;
