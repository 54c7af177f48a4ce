//! Functions that a print fmt calls and that are compiled into the kernel: a trace has their names only.

use crate::bytes::Endian;

/// An argument of a [`Function`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arg<'a> {
    /// A number, or an address outside of the record.
    Int(i64),
    /// An address in the record: the bytes from there to the record's end.
    Bytes(&'a [u8]),
}

/// A function that print fmts may call, for [`EventText::compile_with`](crate::EventText::compile_with). It gets the
/// record's byte order and the call's arguments, of which there may be fewer than it expects.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Function {
    /// Returns a number.
    Int(fn(Endian, &[Arg<'_>]) -> i64),
    /// Appends a string.
    Text(fn(Endian, &[Arg<'_>], &mut Vec<u8>)),
}
