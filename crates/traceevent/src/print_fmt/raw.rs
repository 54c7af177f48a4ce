//! All fields of a record as `name=value`, as `trace-cmd report -R` prints them.

use super::eval::Context;
use super::expr::{is_text, Expr, Slot};
use super::printf::{write_hex, write_hex_byte, write_plain, Length, Radix};
use super::template::Piece;
use super::PrintFmt;
use crate::bytes::{slice, until_nul};
use crate::field::{Field, FieldShape};
use crate::format::EventFormat;
use crate::lookup::Env;

/// What trace-cmd remembers of the records of one event that it has printed: an array of characters that once held
/// something else is never taken for a string again, and one `bprint` without an argument for each conversion makes all
/// that follow unreadable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawHistory {
    /// A bit for each of the first fields; no event has as many.
    not_text: u64,
    pub(crate) unreadable: bool,
}

impl RawHistory {
    fn not_text(self, field: usize) -> bool {
        self.not_text & bit(field) != 0
    }

    fn set_not_text(&mut self, field: usize) {
        self.not_text |= bit(field);
    }
}

fn bit(field: usize) -> u64 {
    u32::try_from(field)
        .ok()
        .and_then(|field| 1u64.checked_shl(field))
        .unwrap_or(0)
}

/// The fields behind the common header, ready to be printed.
#[derive(Clone, Debug)]
pub(crate) struct RawFields(Vec<RawField>);

#[derive(Clone, Debug)]
struct RawField {
    /// ` name=`
    label: Vec<u8>,
    slot: Slot,
    kind: RawKind,
}

#[derive(Clone, Debug)]
enum RawKind {
    Array {
        is_text: bool,
        is_dynamic: bool,
    },
    Hex,
    Signed,
    Unsigned,
    /// As the print fmt prints it.
    Printed {
        prefix: bool,
        piece: Piece,
    },
}

impl RawFields {
    /// Fields that are printed as the event's print fmt prints them, where it does so in the same order.
    pub fn new(format: &EventFormat, print_fmt: Option<&PrintFmt>) -> Self {
        let mut pieces = Pieces {
            all: print_fmt.map_or(&[][..], |print_fmt| &print_fmt.pieces),
            next: 0,
        };
        let shown = format.fields.iter().filter(|field| !is_common(field));
        RawFields(shown.map(|field| RawField::new(field, &mut pieces)).collect())
    }

    /// Prints the fields that the record has.
    pub fn print(&self, env: &Env<'_>, record: &[u8], history: &mut RawHistory, out: &mut Vec<u8>) {
        for (index, field) in self.0.iter().enumerate() {
            let start = out.len();
            out.extend_from_slice(&field.label);
            let mut is_text = !history.not_text(index);
            if field.print(Context { env, record }, &mut is_text, out).is_none() {
                out.truncate(start);
            } else if !is_text {
                history.set_not_text(index);
            }
        }
    }
}

/// The header that all events share.
fn is_common(field: &Field) -> bool {
    field.name.starts_with("common_")
}

impl RawField {
    fn new(field: &Field, pieces: &mut Pieces<'_>) -> Self {
        let slot = Slot::new(field);
        // May hold an address, even where it is signed.
        let is_long = field.type_name.contains("long");
        let is_pointer = field.type_name.contains('*');
        let kind = if field.brackets.is_some() {
            RawKind::Array {
                is_text: is_text(&field.type_name),
                is_dynamic: field.shape != FieldShape::Array,
            }
        } else if let Some((prefix, piece)) = pieces.find(slot) {
            RawKind::Printed {
                prefix,
                piece: piece.clone(),
            }
        } else if is_pointer || (is_long && (!field.signed || field.size == 4)) {
            RawKind::Hex
        } else if field.signed {
            RawKind::Signed
        } else {
            RawKind::Unsigned
        };
        RawField {
            label: format!(" {}=", field.name).into_bytes(),
            slot,
            kind,
        }
    }

    fn print(&self, context: Context<'_>, stays_text: &mut bool, out: &mut Vec<u8>) -> Option<()> {
        let Slot { offset, size, .. } = self.slot;
        match &self.kind {
            RawKind::Array { is_text, is_dynamic } => {
                let (start, len) = if *is_dynamic {
                    context.locate(self.slot)?
                } else {
                    (offset, size)
                };
                let bytes = slice(context.record, start, len)?;
                *stays_text &= until_nul(bytes).iter().all(|byte| is_printable(*byte));
                if *is_text && *stays_text {
                    // Not cut to the field's length: what is not NUL-terminated goes on.
                    out.extend_from_slice(context.c_string(start)?);
                } else {
                    print_array(bytes, out);
                }
            }
            RawKind::Hex => {
                out.extend_from_slice(b"0x");
                write_hex(context.load(offset, size)?, out);
            }
            RawKind::Signed => {
                let value = context.load(offset, size)?;
                let length = match size {
                    1 => Length::Char,
                    2 => Length::Short,
                    4 => Length::Int,
                    _ => Length::Long,
                };
                // One place of two is left blank, for no other size.
                if size == 2 && (0..10).contains(&(value as i16)) {
                    out.push(b' ');
                }
                write_plain(value, Radix::Signed, length, out);
            }
            RawKind::Printed { prefix, piece } => {
                out.extend_from_slice(if *prefix { b"0x" } else { b"" });
                piece.print(context, out)?;
            }
            RawKind::Unsigned => write_plain(context.load(offset, size)?, Radix::Unsigned, Length::Long, out),
        }
        Some(())
    }
}

/// The pieces of a print fmt, looked through as trace-cmd does: from behind the one last found, around to it again; but
/// nothing more is found once the last piece of all has been.
struct Pieces<'p> {
    all: &'p [Piece],
    next: usize,
}

impl<'p> Pieces<'p> {
    /// The conversion that prints a field, and whether `0x` is just before it.
    fn find(&mut self, slot: Slot) -> Option<(bool, &'p Piece)> {
        let count = self.all.len();
        let around = (self.next..count).chain(0..self.next);
        let at = around.take(if self.next < count { count } else { 0 }).find(|&at| {
            let piece = self.all.get(at);
            piece.is_some_and(|piece| prints(piece, slot))
        })?;
        let before = at.checked_sub(1).and_then(|before| self.all.get(before));
        self.next = at + 1;
        let prefix = matches!(before, Some(Piece::Text(text)) if text.ends_with(b"0x"));
        Some((prefix, self.all.get(at)?))
    }
}

/// Whether a piece prints that field and nothing else, cast or not.
fn prints(piece: &Piece, slot: Slot) -> bool {
    let mut argument = match piece {
        Piece::Text(_) => return false,
        Piece::Number { value, .. } => value,
        Piece::Conversion(conversion) => &conversion.argument,
    };
    while let Expr::Cast(_, inside) = argument {
        argument = inside;
    }
    matches!(argument, Expr::Field(printed) if *printed == slot)
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t'..=b'\r')
}

fn print_array(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"ARRAY[");
    for (at, byte) in bytes.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(b", ");
        }
        write_hex_byte(*byte, out);
    }
    out.push(b']');
}
