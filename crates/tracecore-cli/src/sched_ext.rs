//! `corelane sched-ext`: what a scheduler of sched_ext did, and how tasks ran under it.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use clap::Args;
use formats::AnySource;
use schedmodel::Time;
use schedquery::query::{
    latency, moves, slices, Distances, GroupBy, GroupName, Measured, MigrationCounts, MoveCounts, Moves, RunLengths,
    Selection, Slices,
};
use schedrows::{DispatchQueue, Source, Want};
use serde::Serialize;
use tracedat::sched_ext::{sched_ext, sched_ext_of_scans, SchedExt, Told};

use crate::as_dat::records_as_trace_dat;
use crate::input::FileArgs;
use crate::load::{Loaded, Loader};
use crate::scan::scan_all;
use crate::selection::SelectionArgs;
use crate::text::Times;
use crate::topology::TopologyOption;
use crate::visible::visible;
use crate::Failure;

#[derive(Args)]
pub struct SchedExtArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// The scheduler's time slice: which share of the runs that ended still runnable lasted it, or up to a tick longer
    #[arg(long, value_name = "NS")]
    slice: Option<u64>,
    /// How long a tick of the kernel's timer is: 4 ms with CONFIG_HZ=250
    #[arg(long, value_name = "NS", default_value_t = 4_000_000, requires = "slice")]
    tick: u64,
    #[command(flatten)]
    topology: TopologyOption,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Report {
    events: BTreeMap<String, Counter>,
    bypasses: Vec<Bypass>,
    exits: Vec<Line>,
    dumps: Vec<Line>,
    dsqs: Vec<Dsq>,
    migrations: Kinds<u64>,
    migrations_per_s: Kinds<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Distances>,
    runs: RunLengths,
    commands: Vec<Command>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<Slices>,
}

#[derive(Serialize)]
struct Counter {
    count: u64,
    sum: i64,
}

#[derive(Serialize)]
struct Bypass {
    start_ns: Time,
    end_ns: Option<Time>,
}

#[derive(Serialize)]
struct Line {
    at_ns: Time,
    text: String,
}

/// A dispatch queue, in formats that have them.
#[derive(Serialize)]
struct Dsq {
    id: u64,
    points: u64,
    latency_us_max: Option<u64>,
    nr_queued_max: Option<u64>,
}

impl Dsq {
    fn of(queue: &DispatchQueue) -> Dsq {
        Dsq {
            id: queue.id,
            points: queue.points(),
            latency_us_max: queue.latency_us_max(),
            nr_queued_max: queue.nr_queued_max(),
        }
    }
}

#[derive(Clone, Copy, Default, Serialize)]
struct Kinds<N> {
    total: N,
    placement: N,
    load_balance: N,
    numa: N,
    other: N,
    derived: N,
}

impl Kinds<u64> {
    fn of(counts: &MigrationCounts) -> Kinds<u64> {
        Kinds {
            total: counts.total(),
            placement: counts.placement,
            load_balance: counts.load_balance,
            numa: counts.numa,
            other: counts.other,
            derived: counts.derived,
        }
    }

    /// In a second of a window of `ns`.
    fn per_s(self, ns: u64) -> Kinds<f64> {
        let rate = |count: u64| if ns == 0 { 0.0 } else { count as f64 * 1e9 / ns as f64 };
        Kinds {
            total: rate(self.total),
            placement: rate(self.placement),
            load_balance: rate(self.load_balance),
            numa: rate(self.numa),
            other: rate(self.other),
            derived: rate(self.derived),
        }
    }
}

#[derive(Serialize)]
struct Command {
    comm: String,
    migrations: Kinds<u64>,
    migrations_per_s: Kinds<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Distances>,
    runs: RunLengths,
}

pub fn run(args: &SchedExtArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let source = args.file.open_again()?;
    let dsqs = source.iter().flat_map(|source| source.queues()).map(Dsq::of).collect();
    let window = selection.window(&loaded.trace);
    let at = |ns: u64| loaded.trace.origin_ns.saturating_add(ns);
    let to = (window.end < u64::MAX).then(|| at(window.end));
    let told = match source {
        Some(AnySource::TraceDat(file)) => sched_ext(&file, at(window.start), to)?,
        Some(other) => match records_as_trace_dat(&other)? {
            Some(file) => sched_ext(&file, at(window.start), to)?,
            None => {
                let scans = scan_all(&other, Want::default(), &loader.options)?;
                sched_ext_of_scans(&scans, at(window.start), to)
            }
        },
        None => SchedExt::default(),
    };
    let topology = args.topology.or_of(&loaded).map(|topology| &**topology);
    let moved = moves(&loaded.trace, &selection, topology);
    let report = report(&loaded, &selection, (told, dsqs), moved, args);
    let times = Times::of(&loaded);
    if args.json {
        return times.json(&report);
    }
    let mut out = String::new();
    write(&report, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn report(
    loaded: &Loaded,
    selection: &Selection,
    (told, dsqs): (SchedExt, Vec<Dsq>),
    moved: Moves,
    args: &SchedExtArgs,
) -> Report {
    let trace = &loaded.trace;
    let since = |at: u64| Time(at.saturating_sub(trace.origin_ns));
    let lines = |told: Vec<Told>| {
        told.into_iter()
            .map(|Told { at, text }| Line { at_ns: since(at), text })
            .collect()
    };
    let ns = moved.window_ns;
    let nothing = MoveCounts {
        distances: moved.all.distances.map(|_| Distances::default()),
        ..MoveCounts::default()
    };
    let by_command: BTreeMap<String, MoveCounts> = moved
        .commands
        .into_iter()
        .map(|command| (command.comm, command.counts))
        .collect();
    let latencies = latency(trace, selection, GroupBy::Command, 0);
    let commands = latencies.groups.into_iter().filter_map(|group| match group.name {
        GroupName::Command { comm } => {
            let counts = by_command.get(&comm).copied().unwrap_or(nothing);
            let migrations = Kinds::of(&counts.kinds);
            Some(Command {
                comm,
                migrations,
                migrations_per_s: migrations.per_s(ns),
                distances: counts.distances,
                runs: group.runs,
            })
        }
        _ => None,
    });
    let migrations = Kinds::of(&moved.all.kinds);
    Report {
        events: told
            .events
            .into_iter()
            .map(|(name, sum)| {
                (
                    name,
                    Counter {
                        count: sum.count,
                        sum: sum.sum,
                    },
                )
            })
            .collect(),
        bypasses: told
            .bypasses
            .into_iter()
            .map(|(start, end)| Bypass {
                start_ns: since(start),
                end_ns: end.map(since),
            })
            .collect(),
        exits: lines(told.exits),
        dumps: lines(told.dumps),
        dsqs,
        migrations,
        migrations_per_s: migrations.per_s(ns),
        distances: moved.all.distances,
        runs: latencies.runs,
        commands: commands.collect(),
        slice: args.slice.map(|slice| slices(trace, selection, slice, args.tick)),
    }
}

/// The most commands that are listed; the JSON has all.
const MOST: usize = 30;

fn write(report: &Report, times: Times, out: &mut String) -> fmt::Result {
    if report.events.is_empty() {
        writeln!(
            out,
            "no event of sched_ext in the trace (trace-cmd record -e sched_ext)"
        )?;
    } else {
        writeln!(out, "{:32}{:>10}{:>20}", "event", "count", "sum")?;
        for (name, Counter { count, sum }) in &report.events {
            writeln!(out, "{name:32}{count:>10}{sum:>20}")?;
        }
    }
    for Bypass { start_ns, end_ns } in &report.bypasses {
        let end = end_ns.map_or_else(|| "the trace's end".to_owned(), |end| times.at(end));
        writeln!(out, "bypassed      from {} to {end}", times.at(*start_ns))?;
    }
    for Line { at_ns, text } in &report.exits {
        writeln!(out, "exit          at {}: {text}", times.at(*at_ns))?;
    }
    if let (Some(first), count) = (report.dumps.first(), report.dumps.len()) {
        writeln!(out, "dumps         {count} lines, from {} on", times.at(first.at_ns))?;
    }
    for dsq in &report.dsqs {
        let or_none = |number: Option<u64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let (longest, most) = (or_none(dsq.latency_us_max), or_none(dsq.nr_queued_max));
        writeln!(
            out,
            "DSQ {:<20} {:>9} waits, at most {longest} µs; at most {most} tasks",
            dsq.id, dsq.points
        )?;
    }
    migrations(report, out)?;
    writeln!(
        out,
        "\n{:24}{:>9}{:>16}{:>16}{:>16}",
        "runs", "count", "p50", "p99", "mean"
    )?;
    let line = |out: &mut String, name: &str, measured: &Measured| {
        let [p50, p99] = [measured.ns.p50, measured.ns.p99].map(|ns| times.maybe(ns));
        let mean = times.mean(measured.mean());
        writeln!(out, "{name:24}{:>9}{p50:>16}{p99:>16}{mean:>16}", measured.count)
    };
    line(out, "ended still runnable", &report.runs.preempted)?;
    line(out, "ended by sleeping", &report.runs.slept)?;
    line(out, "ended by exiting", &report.runs.exited)?;
    writeln!(
        out,
        "\n{:24}{:>12}{:>12}  ended still runnable:",
        "command", "migrations", "per second"
    )?;
    for command in report.commands.iter().take(MOST) {
        let preempted = &command.runs.preempted;
        let [p50, p99] = [preempted.ns.p50, preempted.ns.p99].map(|ns| times.maybe(ns));
        let (moved, rate) = (command.migrations, command.migrations_per_s);
        writeln!(
            out,
            "{:24}{:>12}{:>12.1}{:>9}{p50:>16}{p99:>16}",
            visible(&command.comm),
            moved.total + moved.derived,
            rate.total + rate.derived,
            preempted.count
        )?;
    }
    if let Some(slices) = &report.slice {
        let (slice, most) = (
            times.time(slices.slice_ns),
            times.time(slices.slice_ns.saturating_add(slices.tick_ns)),
        );
        writeln!(out, "\nruns of {slice} to {most} among those that ended still runnable")?;
        let all = ("all", slices.all);
        let commands = slices
            .commands
            .iter()
            .map(|command| (command.comm.as_str(), command.counts));
        for (name, counts) in std::iter::once(all).chain(commands.take(MOST)) {
            let name = visible(name);
            let share = counts.share.map_or(0.0, |share| 100.0 * share);
            writeln!(
                out,
                "{name:24}{:>9} of {:>9}{share:>8.1} %",
                counts.within, counts.preempted
            )?;
        }
    }
    Ok(())
}

/// Migrations by kind, and, with a topology, by distance.
fn migrations(report: &Report, out: &mut String) -> fmt::Result {
    let (all, rate) = (&report.migrations, &report.migrations_per_s);
    writeln!(
        out,
        "\n{:14}{:>12}{:>12}{:>14}{:>12}{:>12}{:>12}",
        "migrations", "total", "placement", "load balance", "NUMA", "other", "derived"
    )?;
    writeln!(
        out,
        "{:14}{:>12}{:>12}{:>14}{:>12}{:>12}{:>12}",
        "", all.total, all.placement, all.load_balance, all.numa, all.other, all.derived
    )?;
    writeln!(
        out,
        "{:14}{:>12.1}{:>12.1}{:>14.1}{:>12.1}{:>12.1}{:>12.1}",
        "per second", rate.total, rate.placement, rate.load_balance, rate.numa, rate.other, rate.derived
    )?;
    if let Some(far) = &report.distances {
        writeln!(
            out,
            "within a core {}, a last-level cache {}, a socket {}, the machine {}; to another NUMA node {}",
            far.core, far.llc, far.socket, far.machine, far.nodes
        )?;
    }
    Ok(())
}
