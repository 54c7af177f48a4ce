//! `corelane features`: a row for each wait, for those who train schedulers.

use std::io::{self, BufWriter, Write};

use clap::Args;
use schedquery::query::{features, FeatureRow, FeaturesQuery, More};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{quoted, Times};
use crate::topology::TopologyOption;
use crate::visible::shown;
use crate::{heard, Failure};

#[derive(Args)]
pub struct FeaturesArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values (RFC 4180), which is the default
    #[arg(long)]
    csv: bool,
    /// Within how many milliseconds load balancing must move the task for its label to be 1
    #[arg(long, value_name = "MS", default_value_t = 10)]
    delta: u32,
    /// Also when and where each wait was, and what came of it
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    topology: TopologyOption,
    #[command(flatten)]
    selection: SelectionArgs,
}

const COLUMNS: [&str; 8] = [
    "pid",
    "load",
    "blocked_freq",
    "waker_freq",
    "weight",
    "deadline",
    "avg_runtime",
    "label",
];
const MORE: [&str; 9] = [
    "at_ns",
    "comm",
    "cpu",
    "queue",
    "idle_cpus",
    "request",
    "to_cpu",
    "distance",
    "wait_ns",
];

pub fn run(args: &FeaturesArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = loader.load(&args.file)?;
    if !loaded.clock_is_ns {
        return Err(Failure(format!(
            "{}: the features are of nanoseconds, which the trace's clock does not count",
            shown(&args.file.file)
        )));
    }
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let query = FeaturesQuery {
        selection: &selection,
        delta_ns: u64::from(args.delta) * 1_000_000,
        all: args.all,
        topology: args.topology.topology.as_deref(),
    };
    let rows = features(&loaded.trace, &query);
    let times = Times::of(&loaded);
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = if args.json {
        let written = serde_json::to_writer_pretty(&mut out, &times.in_json(&rows));
        written.map_err(Into::into).and_then(|()| writeln!(out))
    } else {
        write_csv(&rows, args.all, times, &mut out)
    };
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

fn write_csv(rows: &[FeatureRow], all: bool, times: Times, out: &mut impl Write) -> io::Result<()> {
    let names = COLUMNS.iter().chain(if all { &MORE[..] } else { &[] });
    writeln!(out, "{}", names.copied().collect::<Vec<_>>().join(","))?;
    for row in rows {
        let label = row.label.map(|label| label.to_string()).unwrap_or_default();
        write!(
            out,
            "{},{},{},{},{},{},{},{label}",
            row.pid, row.load, row.blocked_freq, row.waker_freq, row.weight, row.deadline, row.avg_runtime
        )?;
        if let Some(more) = &row.more {
            write_more(more, times, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_more(more: &More, times: Times, out: &mut impl Write) -> io::Result<()> {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let distance = more.distance.map(|distance| format!("{distance:?}").to_lowercase());
    write!(
        out,
        ",{},{},{},{},{},{},{},{},{}",
        times.absolute(more.at_ns),
        quoted(&more.comm),
        number(more.cpu.map(u64::from)),
        more.queue,
        more.idle_cpus,
        more.request,
        number(more.to_cpu.map(u64::from)),
        distance.unwrap_or_default(),
        number(more.wait_ns),
    )
}
