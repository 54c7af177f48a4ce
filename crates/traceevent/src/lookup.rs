//! What the numbers in a record refer to outside of it: kernel symbols, printk formats, names of tasks.

use crate::bytes::Endian;

/// A place in the kernel's text. Implementors of [`Lookup`] make these: it gets no further fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The symbol that the address falls into, as kallsyms names it.
    pub name: &'a str,
    /// The module that it belongs to, without brackets.
    pub module: Option<&'a str>,
    /// Where the symbol starts.
    pub start: u64,
}

/// The tables that a trace carries beside its records. A method that is not implemented finds nothing: addresses then
/// print as numbers. [`Symbols`](crate::Symbols), [`PrintkFormats`](crate::PrintkFormats) and
/// [`SavedComms`](crate::SavedComms) read the kernel's texts and answer these questions.
pub trait Lookup {
    /// The symbol that `address` falls into.
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        let _ = address;
        None
    }

    /// Where the symbol of that name starts.
    fn address(&self, name: &str) -> Option<u64> {
        let _ = name;
        None
    }

    /// The format of a `trace_printk` or the string of a `trace_puts` that the kernel keeps at `address`.
    fn printk(&self, address: u64) -> Option<&str> {
        let _ = address;
        None
    }

    /// The saved command line (comm) of a task, without a NUL.
    fn comm(&self, pid: i32) -> Option<&[u8]> {
        let _ = pid;
        None
    }
}

/// Finds nothing: for records whose trace has no tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLookup;

impl Lookup for NoLookup {}

/// What printing a record needs beside its format. It gets no further fields: what else a trace may carry becomes a method
/// of [`Lookup`].
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// Byte order of the records.
    pub endian: Endian,
    /// Bytes of the traced kernel's `long`: 4 or 8.
    pub long_size: u8,
    /// The trace's tables.
    pub lookup: &'a dyn Lookup,
}
