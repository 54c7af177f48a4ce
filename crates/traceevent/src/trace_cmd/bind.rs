//! Fields that plugins need, bound to their places.

use crate::field::{Field, IntField, TextField};
use crate::format::EventFormat;
use crate::lookup::Env;

/// The number in a field of that name; `None` when there is no such field.
pub(in crate::trace_cmd) fn int(format: &EventFormat, name: &str) -> Option<IntField> {
    format.field(name)?.as_int()
}

/// The number in a field of that name, without its sign: an `int` of -1 is 4294967295.
pub(in crate::trace_cmd) fn uint(format: &EventFormat, name: &str) -> Option<UIntField> {
    let field = Field {
        signed: false,
        ..format.field(name)?.clone()
    };
    field.as_int().map(UIntField)
}

/// See [`uint`].
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_cmd) struct UIntField(IntField);

/// The string in a field of that name.
pub(in crate::trace_cmd) fn text(format: &EventFormat, name: &str) -> Option<TextField> {
    format.field(name)?.as_text()
}

/// What a field holds, sign- or zero-extended; 0 where the record ends before it.
#[inline]
pub(in crate::trace_cmd) fn load(field: IntField, env: &Env<'_>, record: &[u8]) -> i64 {
    field.load(record, env.endian).unwrap_or(0)
}

/// What a field holds, zero-extended; 0 where the record ends before it.
#[inline]
pub(in crate::trace_cmd) fn load_uint(field: UIntField, env: &Env<'_>, record: &[u8]) -> u64 {
    load(field.0, env, record) as u64
}

/// A string's bytes; nothing where the record ends before it.
#[inline]
pub(in crate::trace_cmd) fn load_text<'a>(field: TextField, env: &Env<'_>, record: &'a [u8]) -> &'a [u8] {
    field.load(record, env.endian).unwrap_or_default()
}
