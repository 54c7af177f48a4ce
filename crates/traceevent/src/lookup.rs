//! What the numbers in a record refer to outside of it: kernel symbols, printk formats, names of tasks.

use crate::bytes::Endian;

/// A place in the kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The symbol that the address falls into, as kallsyms names it.
    pub name: &'a str,
    /// The module that it belongs to, without brackets.
    pub module: Option<&'a str>,
    /// Where the symbol starts.
    pub start: u64,
}

/// The tables that a trace file carries beside its records. Each is read when first asked for.
pub trait Lookup {
    /// The symbol that `address` falls into.
    fn symbol(&self, address: u64) -> Option<Symbol<'_>>;
    /// Where the symbol of that name starts.
    fn address(&self, name: &str) -> Option<u64>;
    /// The format of a `trace_printk` or the string of a `trace_puts` that the kernel keeps at `address`.
    fn printk(&self, address: u64) -> Option<&str>;
    /// The saved command line (comm) of a task.
    fn comm(&self, pid: i32) -> Option<&[u8]>;
}

/// For records without a file.
pub struct NoLookup;

impl Lookup for NoLookup {
    fn symbol(&self, _: u64) -> Option<Symbol<'_>> {
        None
    }

    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn printk(&self, _: u64) -> Option<&str> {
        None
    }

    fn comm(&self, _: i32) -> Option<&[u8]> {
        None
    }
}

/// What printing a record needs beside its format.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// Byte order of the records.
    pub endian: Endian,
    /// Bytes of the traced kernel's `long`: 4 or 8.
    pub long_size: u8,
    /// The file's tables.
    pub lookup: &'a dyn Lookup,
}
