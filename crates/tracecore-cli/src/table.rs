//! `corelane table`: the relations of a trace as CSV and as lines of JSON, and their rows for other commands.

use std::io::{self, BufWriter, Write};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use schedquery::query::relations::{Batch, Relation, Value};
use schedquery::query::Selection;

use crate::input::FileArgs;
use crate::load::{Loaded, Loader};
use crate::selection::SelectionArgs;
use crate::text::{quoted, Times};
use crate::{heard, Failure};

#[derive(Args)]
pub struct TableArgs {
    /// Which table
    table: Table,
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// As comma-separated values (RFC 4180), times in nanoseconds: the default
    #[arg(long)]
    csv: bool,
    /// As lines of JSON, one object for each row, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
}

/// A relation, by its name.
#[derive(Clone, Copy)]
struct Table(Relation);

/// The tables; what `corelane intervals` prints is not among them, because selections do not apply to it.
const TABLES: [Table; 7] = [
    Table(Relation::Runs),
    Table(Relation::Waits),
    Table(Relation::Wakeups),
    Table(Relation::Migrations),
    Table(Relation::States),
    Table(Relation::Tasks),
    Table(Relation::Commands),
];

impl ValueEnum for Table {
    fn value_variants<'a>() -> &'a [Table] {
        &TABLES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// How the rows of a relation are written.
#[derive(Clone, Copy)]
pub enum Format {
    /// A line of names, then a line for each row.
    Csv,
    /// A line for each row, with an object.
    JsonLines,
}

pub fn run(args: &TableArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let format = if args.json { Format::JsonLines } else { Format::Csv };
    write(&loaded, args.table.0, &selection, format, out)
}

/// Writes all rows; a reader that has seen enough is no failure.
pub fn write(
    loaded: &Loaded,
    relation: Relation,
    selection: &Selection,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // There may be more lines than memory.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let times = Times::of(loaded);
    let written = match format {
        Format::Csv => names(relation, &mut out),
        Format::JsonLines => Ok(()),
    };
    let written = written.and_then(|()| {
        loaded
            .model()
            .each_batch(relation, selection, &mut |batch| match format {
                Format::Csv => csv(batch, times, &mut out),
                Format::JsonLines => json_lines(batch, times, &mut out),
            })
    });
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

fn names(relation: Relation, out: &mut impl Write) -> io::Result<()> {
    let names: Vec<&str> = relation.columns().iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))
}

fn csv(batch: &Batch, times: Times, out: &mut impl Write) -> io::Result<()> {
    for row in batch.rows() {
        for (index, value) in row.values().enumerate() {
            if 0 < index {
                out.write_all(b",")?;
            }
            match value {
                Value::Missing => {}
                Value::Int(value) => write!(out, "{value}")?,
                Value::Instant(at) => write!(out, "{}", times.absolute(at))?,
                Value::Duration(ns) => write!(out, "{ns}")?,
                Value::Bool(value) => write!(out, "{value}")?,
                Value::Text(text) => out.write_all(quoted(text).as_bytes())?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn json_lines(batch: &Batch, times: Times, out: &mut impl Write) -> io::Result<()> {
    // Names consist of plain letters and are written as they are.
    let names: Vec<String> = batch
        .columns
        .iter()
        .map(|each| format!("\"{}\":", each.column.name))
        .collect();
    let mut text = Vec::new();
    for row in batch.rows() {
        let mut before = b'{';
        for (name, value) in names.iter().zip(row.values()) {
            text.push(before);
            text.extend_from_slice(name.as_bytes());
            match value {
                Value::Instant(at) => serde_json::to_writer(&mut text, &times.absolute(at))?,
                value => serde_json::to_writer(&mut text, &value)?,
            }
            before = b',';
        }
        text.extend_from_slice(b"}\n");
    }
    out.write_all(&text)
}
