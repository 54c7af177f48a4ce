//! All fields of a record as `name=value`, as `trace-cmd report -R` prints them.

use super::eval::Context;
use super::expr::Slot;
use super::printf::{write_hex, write_hex_byte, write_plain, Length, Radix};
use crate::bytes::{slice, until_nul};
use crate::field::{Field, FieldShape};
use crate::lookup::Env;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RawKind {
    Array { is_text: bool, is_dynamic: bool },
    Hex,
    Signed,
    Unsigned,
}

impl RawFields {
    pub fn new(fields: &[Field], long_size: u8) -> Self {
        let shown = fields.iter().filter(|field| !is_common(field));
        RawFields(shown.map(|field| RawField::new(field, long_size)).collect())
    }

    /// Prints the fields that the record has.
    pub fn print(&self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) {
        for field in &self.0 {
            let start = out.len();
            out.extend_from_slice(&field.label);
            if field.print(Context { env, record }, out).is_none() {
                out.truncate(start);
            }
        }
    }
}

/// The header that all events share.
fn is_common(field: &Field) -> bool {
    field.name.starts_with("common_")
}

impl RawField {
    fn new(field: &Field, long_size: u8) -> Self {
        // A `long` may hold an address; on 32-bit machines even a signed one is shown as such.
        let is_long = field.type_name.split_whitespace().any(|word| word == "long");
        let is_pointer = field.type_name.contains('*');
        let kind = if field.brackets.is_some() {
            RawKind::Array {
                is_text: is_text(&field.type_name),
                is_dynamic: field.shape != FieldShape::Array,
            }
        } else if field.signed && !(is_long && field.size == 4) {
            RawKind::Signed
        } else if is_long || is_pointer {
            RawKind::Hex
        } else {
            RawKind::Unsigned
        };
        RawField {
            label: format!(" {}=", field.name).into_bytes(),
            slot: Slot::new(field, long_size),
            kind,
        }
    }

    fn print(&self, context: Context<'_>, out: &mut Vec<u8>) -> Option<()> {
        let Slot { offset, size, .. } = self.slot;
        match self.kind {
            RawKind::Array { is_text, is_dynamic } => {
                let (start, len) = if is_dynamic {
                    context.locate(self.slot)?
                } else {
                    (offset, size)
                };
                let bytes = slice(context.record, start, len)?;
                if is_text && until_nul(bytes).iter().all(|byte| is_printable(*byte)) {
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
                write_plain(value, Radix::Signed, length, out);
            }
            RawKind::Unsigned => write_plain(context.load(offset, size)?, Radix::Unsigned, Length::Long, out),
        }
        Some(())
    }
}

/// Whether an array of such elements may be a string.
fn is_text(type_name: &str) -> bool {
    type_name
        .split_whitespace()
        .any(|word| matches!(word, "char" | "u8" | "s8" | "__u8" | "__s8"))
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
