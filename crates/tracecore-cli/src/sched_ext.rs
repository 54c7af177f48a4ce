//! `corelane sched-ext`: what a scheduler of sched_ext did, and how tasks ran under it.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use clap::Args;
use formats::AnySource;
use serde::Serialize;
use tracecore::query::{latency, slices, GroupBy, GroupName, Measured, RunLengths, Selection, Slices};
use tracecore::scan::{DispatchQueue, Source};
use tracecore::sched::{Time, Trace};
use tracecore::sched_ext::{sched_ext, SchedExt, Told};

use crate::input::FileArgs;
use crate::load::{Loaded, Loader};
use crate::selection::SelectionArgs;
use crate::text::Times;
use crate::Failure;

#[derive(Args)]
pub struct SchedExtArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// The scheduler's time slice: which share of preempted runs lasted it, or up to a tick longer
    #[arg(long, value_name = "NS")]
    slice: Option<u64>,
    /// How long a tick of the kernel's timer is: 4 ms with CONFIG_HZ=250
    #[arg(long, value_name = "NS", default_value_t = 4_000_000, requires = "slice")]
    tick: u64,
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
}

#[derive(Serialize)]
struct Command {
    comm: String,
    migrations: u64,
    runs: RunLengths,
}

pub fn run(args: &SchedExtArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let source = args.file.open()?;
    let dsqs = source.queues().iter().map(Dsq::of).collect();
    let told = match source {
        AnySource::TraceDat(file) => {
            let window = selection.window(&loaded.trace);
            let at = |ns: u64| loaded.trace.origin_ns.saturating_add(ns);
            let to = (window.end < u64::MAX).then(|| at(window.end));
            sched_ext(&file, at(window.start), to)?
        }
        _ => SchedExt::default(),
    };
    let report = report(&loaded, &selection, (told, dsqs), args);
    let times = Times::of(&loaded);
    if args.json {
        return times.json(&report);
    }
    let mut out = String::new();
    write(&report, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn report(loaded: &Loaded, selection: &Selection, (told, dsqs): (SchedExt, Vec<Dsq>), args: &SchedExtArgs) -> Report {
    let trace = &loaded.trace;
    let since = |at: u64| Time(at.saturating_sub(trace.origin_ns));
    let lines = |told: Vec<Told>| {
        told.into_iter()
            .map(|Told { at, text }| Line { at_ns: since(at), text })
            .collect()
    };
    let found = loaded.model().stats(selection).migrations;
    let kinds = &found.by_kind;
    let migrations = Kinds {
        total: found.total,
        placement: kinds.placement,
        load_balance: kinds.load_balance,
        numa: kinds.numa,
        other: kinds.other,
    };
    let window = selection.window(trace);
    let seconds = window.end.min(trace.span_ns).saturating_sub(window.start) as f64 / 1e9;
    let rate = |count: u64| if 0.0 < seconds { count as f64 / seconds } else { 0.0 };
    let latencies = latency(trace, selection, GroupBy::Command, 0);
    let mut moved = moved_by_command(trace, selection);
    let commands = latencies.groups.into_iter().filter_map(|group| match group.name {
        GroupName::Command { comm } => Some(Command {
            migrations: moved.remove(&comm).unwrap_or(0),
            comm,
            runs: group.runs,
        }),
        _ => None,
    });
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
        migrations_per_s: Kinds {
            total: rate(migrations.total),
            placement: rate(migrations.placement),
            load_balance: rate(migrations.load_balance),
            numa: rate(migrations.numa),
            other: rate(migrations.other),
        },
        runs: latencies.runs,
        commands: commands.collect(),
        slice: args.slice.map(|slice| slices(trace, selection, slice, args.tick)),
    }
}

/// Migrations of the window by the last name of their task.
fn moved_by_command(trace: &Trace, selection: &Selection) -> BTreeMap<String, u64> {
    let window = selection.window(trace);
    let mut moved = BTreeMap::new();
    for migration in trace
        .migrations
        .iter()
        .filter(|migration| window.contains(&migration.at))
    {
        let comm = trace.comms.name(trace.task(migration.task).comm);
        *moved.entry(comm.to_owned()).or_insert(0) += 1;
    }
    moved
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
    let (all, rate) = (&report.migrations, &report.migrations_per_s);
    writeln!(
        out,
        "\n{:14}{:>12}{:>12}{:>14}{:>12}{:>12}",
        "migrations", "total", "placement", "load balance", "NUMA", "other"
    )?;
    writeln!(
        out,
        "{:14}{:>12}{:>12}{:>14}{:>12}{:>12}",
        "", all.total, all.placement, all.load_balance, all.numa, all.other
    )?;
    writeln!(
        out,
        "{:14}{:>12.1}{:>12.1}{:>14.1}{:>12.1}{:>12.1}",
        "per second", rate.total, rate.placement, rate.load_balance, rate.numa, rate.other
    )?;
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
    line(out, "ended by preemption", &report.runs.preempted)?;
    line(out, "ended by sleeping", &report.runs.slept)?;
    line(out, "ended by exiting", &report.runs.exited)?;
    writeln!(out, "\n{:24}{:>12}  preempted runs:", "command", "migrations")?;
    for command in report.commands.iter().take(MOST) {
        let preempted = &command.runs.preempted;
        let [p50, p99] = [preempted.ns.p50, preempted.ns.p99].map(|ns| times.maybe(ns));
        writeln!(
            out,
            "{:24}{:>12}{:>9}{p50:>16}{p99:>16}",
            command.comm, command.migrations, preempted.count
        )?;
    }
    if let Some(slices) = &report.slice {
        let (slice, most) = (
            times.time(slices.slice_ns),
            times.time(slices.slice_ns.saturating_add(slices.tick_ns)),
        );
        writeln!(out, "\npreempted runs of {slice} to {most}")?;
        let all = ("all", slices.all);
        let commands = slices
            .commands
            .iter()
            .map(|command| (command.comm.as_str(), command.counts));
        for (name, counts) in std::iter::once(all).chain(commands.take(MOST)) {
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
