//! `corelane intervals`: every run interval of every CPU, for scripts and for checking.

use std::io::{self, BufWriter, Write};

use clap::Args;
use schedmodel::{Interval, Time, Trace, Who};
use schedquery::query::relations::Relation;
use schedquery::query::Selection;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::table::{self, Format};
use crate::text::{self, Times};
use crate::{heard, Failure};

#[derive(Args)]
pub struct IntervalsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values (RFC 4180), times in nanoseconds
    #[arg(long)]
    csv: bool,
}

pub fn run(args: &IntervalsArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = loader.load(&args.file)?;
    let (relation, all) = (Relation::Intervals, Selection::default());
    if args.csv {
        return table::write(&loaded, relation, &all, Format::Csv, out);
    }
    let times = Times::of(&loaded);
    // There may be more lines than memory.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = if args.json {
        let rows = loaded.model().rows(relation, &all);
        let written = serde_json::to_writer_pretty(&mut out, &times.in_json(&rows));
        written.map_err(Into::into).and_then(|()| writeln!(out))
    } else {
        write_text(&loaded.trace, times, &mut out)
    };
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

fn write_text(trace: &Trace, times: Times, out: &mut impl Write) -> io::Result<()> {
    for (cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        for (index, Interval { start, end, who }) in lane.intervals().enumerate() {
            if end <= start {
                continue;
            }
            let task = match who {
                Who::Run(id) => text::task(trace.comm_of(id), trace.task_of(id).pid),
                Who::Idle => "idle".to_owned(),
                Who::Unknown => "unknown".to_owned(),
            };
            let mark = if lane.inferred(index) { " (inferred)" } else { "" };
            let [start, end] = [start, end].map(|at| times.digits(times.absolute(Time(at))));
            writeln!(out, "[{cpu:03}] {start:>20} {end:>20} {task}{mark}")?;
        }
    }
    Ok(())
}
