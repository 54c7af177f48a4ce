//! The tables of text beside the records: kernel symbols, printk formats, saved command lines. Each is read when something
//! first asks for it: kallsyms is some 5 MB of text, and most that is done with a trace does without.

use std::sync::OnceLock;

use traceevent::{Lookup, PrintkFormats, SavedComms, Symbol, Symbols};

use super::cursor::Cursor;
use super::metadata::diagnostic_of;
use super::trace_file::TraceFile;
use super::v7;
use crate::error::OpenError;
use schedrows::Diagnostic;
use schedrows::ReadAt;

/// Where the tables are: in version 6 their sizes, in version 7 their sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TablePlaces {
    pub kallsyms: Option<u64>,
    pub printk: Option<u64>,
    pub cmdlines: Option<u64>,
}

/// The tables that were asked for.
#[derive(Debug, Default)]
pub(super) struct Tables {
    symbols: OnceLock<Table<Symbols>>,
    printk: OnceLock<Table<PrintkFormats>>,
    comms: OnceLock<Table<SavedComms>>,
}

/// See [`TraceFile::table_counts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCounts {
    /// Kernel symbols that code can be at.
    pub symbols: usize,
    /// Formats and strings of `trace_printk` and `trace_puts`.
    pub printk_formats: usize,
    /// Saved command lines.
    pub comms: usize,
}

/// A table, up to where it is damaged, and the damage.
#[derive(Debug)]
struct Table<T> {
    found: T,
    damage: Option<OpenError>,
}

impl Tables {
    fn damages(&self) -> impl Iterator<Item = &OpenError> {
        fn of<T>(table: &OnceLock<Table<T>>) -> Option<&OpenError> {
            table.get()?.damage.as_ref()
        }
        [of(&self.symbols), of(&self.printk), of(&self.comms)]
            .into_iter()
            .flatten()
    }
}

impl<R: ReadAt> TraceFile<R> {
    /// Kernel symbols, printk formats and saved command lines, each read when first asked for.
    pub fn lookup(&self) -> &dyn Lookup {
        self
    }

    /// How many entries each table has. Reads them all.
    pub fn table_counts(&self) -> TableCounts {
        TableCounts {
            symbols: self.symbols().len(),
            printk_formats: self.printk_formats().len(),
            comms: self.saved_comms().len(),
        }
    }

    /// What was wrong with those of the tables that were asked for so far.
    pub fn lookup_diagnostics(&self) -> Vec<Diagnostic> {
        self.tables.damages().map(diagnostic_of).collect()
    }

    /// Where the saved command lines are: in version 6 their size, in version 7 their section.
    pub(crate) fn saved_comms_at(&self) -> Option<u64> {
        self.table_places.cmdlines
    }

    /// Where kernel symbols, printk formats and saved command lines are: in version 6 their sizes, in version 7 their
    /// sections.
    pub(crate) fn table_places(&self) -> [Option<u64>; 3] {
        [
            self.table_places.kallsyms,
            self.table_places.printk,
            self.table_places.cmdlines,
        ]
    }

    /// The text of the saved command lines, up to where it is damaged.
    pub(crate) fn saved_comms_text(&self) -> Vec<u8> {
        let read = |at| self.read_table_text(at, Width::DoubleWord, &mut None);
        self.table_places
            .cmdlines
            .and_then(|at| read(at).ok())
            .unwrap_or_default()
    }

    /// The saved command lines: pid and name, each pid once.
    pub fn saved_names(&self) -> impl Iterator<Item = (i32, String)> + '_ {
        let saved = self.saved_comms();
        saved.pids().filter_map(|pid| {
            let comm = saved.find(pid)?;
            Some((pid, String::from_utf8_lossy(comm).into_owned()))
        })
    }

    fn symbols(&self) -> &Symbols {
        let read = || self.read_table(self.table_places.kallsyms, Width::Word, Symbols::parse);
        &self.tables.symbols.get_or_init(read).found
    }

    fn printk_formats(&self) -> &PrintkFormats {
        let read = || self.read_table(self.table_places.printk, Width::Word, PrintkFormats::parse);
        &self.tables.printk.get_or_init(read).found
    }

    pub(crate) fn saved_comms(&self) -> &SavedComms {
        let read = || self.read_table(self.table_places.cmdlines, Width::DoubleWord, SavedComms::parse);
        &self.tables.comms.get_or_init(read).found
    }

    fn read_table<T>(&self, place: Option<u64>, width: Width, parse: impl Fn(&[u8]) -> T) -> Table<T> {
        let mut damage = None;
        let text = match place.map(|at| self.read_table_text(at, width, &mut damage)) {
            None => Vec::new(),
            Some(Ok(text)) => text,
            Some(Err(error)) => {
                damage.get_or_insert(error);
                Vec::new()
            }
        };
        Table {
            found: parse(&text),
            damage,
        }
    }

    fn read_table_text(&self, at: u64, width: Width, damage: &mut Option<OpenError>) -> Result<Vec<u8>, OpenError> {
        let endian = self.header().endian;
        let mut cursor = Cursor::new(self.input(), endian, at);
        if self.header().version == 6 {
            return read_sized(&mut cursor, width, damage);
        }
        let section = v7::unpack_section(&mut cursor, at, self.codec, damage)?;
        read_sized(&mut Cursor::in_section(&section, endian, at), width, damage)
    }
}

impl<R: ReadAt> Lookup for TraceFile<R> {
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        self.symbols().find(address)
    }

    fn address(&self, name: &str) -> Option<u64> {
        self.symbols().address(name)
    }

    fn printk(&self, address: u64) -> Option<&str> {
        self.printk_formats().find(address)
    }

    fn comm(&self, pid: i32) -> Option<&[u8]> {
        self.saved_comms().find(pid)
    }
}

/// Of the number in front of a table that says its size.
#[derive(Clone, Copy)]
enum Width {
    Word,
    DoubleWord,
}

/// Reads a size and that many bytes; if the file is truncated, everything that is there.
fn read_sized<R: ReadAt + ?Sized>(
    cursor: &mut Cursor<'_, R>,
    width: Width,
    damage: &mut Option<OpenError>,
) -> Result<Vec<u8>, OpenError> {
    const WHAT: &str = "a table of text";
    let size = match width {
        Width::Word => u64::from(cursor.u32(WHAT)?),
        Width::DoubleWord => cursor.u64(WHAT)?,
    };
    if size > cursor.left() {
        damage.get_or_insert(cursor.truncated(WHAT, size));
    }
    cursor.bytes(size.min(cursor.left()), WHAT)
}
