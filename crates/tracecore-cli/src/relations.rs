//! `corelane wakes`, `antagonists` and `spare`: who wakes whom, who has the CPU while whom waits, and which CPUs are spare meanwhile.

use std::fmt::{self, Write};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use schedquery::query::{
    spare_cpus, took, wakes, End, EndKind, GroupBy, Reach, RelatedPair, SpareReport, TookReport, WakesReport,
};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{self, quoted, Times};
use crate::topology::TopologyOption;
use crate::visible::visible;
use crate::Failure;

/// What `wakes` and `antagonists` share.
#[derive(Args)]
pub struct RelationArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values, a line for each pair, times in nanoseconds
    #[arg(long)]
    csv: bool,
    /// What to tell apart
    #[arg(long, value_name = "WHAT", default_value = "command")]
    by: By,
    /// How many pairs
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// How many rows and columns of the matrix have names; the others are one
    #[arg(long, value_name = "N", default_value_t = 12)]
    ends: usize,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Args)]
pub struct WakesArgs {
    #[command(flatten)]
    relation: RelationArgs,
    #[command(flatten)]
    topology: TopologyOption,
}

#[derive(Args)]
pub struct SpareArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values, a line for each CPU, times in nanoseconds
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Command,
    Task,
    Cpu,
}

impl From<By> for GroupBy {
    fn from(by: By) -> GroupBy {
        match by {
            By::Command => GroupBy::Command,
            By::Task => GroupBy::Task,
            By::Cpu => GroupBy::Cpu,
        }
    }
}

pub fn run_wakes(WakesArgs { relation, topology }: &WakesArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&relation.file)?;
    let selection = relation.selection.selection(&loaded, &loader.options)?;
    let topology = topology.or_of(&loaded).map(Arc::clone);
    let sizes = (relation.top, relation.ends);
    let found = wakes(&loaded.trace, &selection, relation.by.into(), sizes, topology);
    let times = Times::of(&loaded);
    told(relation, &found, &found.pairs, times, |out| {
        write_wakes(&found, times, out)
    })
}

pub fn run_antagonists(args: &RelationArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let found = took(&loaded.trace, &selection, args.by.into(), (args.top, args.ends));
    let times = Times::of(&loaded);
    told(args, &found, &found.pairs, times, |out| write_took(&found, times, out))
}

pub fn run_spare(args: &SpareArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let found = spare_cpus(&loaded.trace, &selection);
    let times = Times::of(&loaded);
    if args.json {
        return times.json(&found);
    }
    written(|out| match args.csv {
        true => spare_csv(&found, out),
        false => write_spare(&found, times, out),
    })
}

fn written(write: impl Fn(&mut String) -> fmt::Result) -> Result<String, Failure> {
    let mut out = String::new();
    write(&mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn told(
    args: &RelationArgs,
    report: &impl serde::Serialize,
    pairs: &[RelatedPair],
    times: Times,
    write: impl Fn(&mut String) -> fmt::Result,
) -> Result<String, Failure> {
    if args.json {
        return times.json(report);
    }
    written(|out| match args.csv {
        true => pairs_csv(pairs, times, out),
        false => write(out),
    })
}

/// What an end is called.
fn name(end: &End) -> String {
    match (&end.comm, end.pid, end.cpu) {
        (Some(comm), Some(pid), _) => text::task(comm, pid),
        (Some(comm), None, _) => visible(comm).into_owned(),
        (None, _, Some(cpu)) => format!("CPU {cpu}"),
        (None, _, None) => kind(end.kind).to_owned(),
    }
}

fn kind(kind: EndKind) -> &'static str {
    match kind {
        EndKind::Command => "command",
        EndKind::Task => "task",
        EndKind::Cpu => "CPU",
        EndKind::Hardirq => "(hardirq)",
        EndKind::Softirq => "(softirq)",
        EndKind::Idle => "(idle)",
        EndKind::Unknown => "(unknown)",
        EndKind::Others => "(others)",
    }
}

fn pairs_csv(pairs: &[RelatedPair], times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "from,to,count,ns,behind_ns,p50_ns,p99_ns,longest_ns,run_cpu,run_start_ns"
    )?;
    for pair in pairs {
        let of = pair.latency.as_ref().map(|latency| (latency.ns.p50, latency.ns.p99));
        let (p50, p99) = of.unwrap_or((None, None));
        let cell = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{}",
            quoted(&name(&pair.from)),
            quoted(&name(&pair.to)),
            pair.count,
            pair.ns,
            cell(pair.behind_ns),
            cell(p50),
            cell(p99),
            pair.longest_ns,
            cell(pair.run.map(|run| u64::from(run.cpu))),
            cell(pair.run.map(|run| times.absolute(run.start_ns))),
        )?;
    }
    Ok(())
}

/// The place of a pair's longest, as `corelane chain` takes it.
fn place(pair: &RelatedPair, times: Times) -> String {
    pair.run.map_or_else(String::new, |run| {
        format!("CPU {} at {}", run.cpu, times.at(run.start_ns))
    })
}

fn more(listed: usize, total: usize, out: &mut String) -> fmt::Result {
    match total.checked_sub(listed) {
        None | Some(0) => Ok(()),
        Some(left) => writeln!(out, "and {left} more pairs (--top sets how many are listed)"),
    }
}

fn write_wakes(found: &WakesReport, times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "{} wakeups of {} pairs led to a run, after {} in all\n\n{:24}{:24}{:>9}{:>16}{:>16}{:>16}{:>16}  the longest led to",
        found.count,
        found.pairs_total,
        times.time(found.latency_ns),
        "waker",
        "wakee",
        "wakeups",
        "latency p50",
        "p99",
        "max",
        "sum"
    )?;
    for pair in &found.pairs {
        let ns = pair.latency.as_ref().map(|latency| &latency.ns);
        writeln!(
            out,
            "{:24}{:24}{:>9}{:>16}{:>16}{:>16}{:>16}  {}",
            name(&pair.from),
            name(&pair.to),
            pair.count,
            times.maybe(ns.and_then(|ns| ns.p50)),
            times.maybe(ns.and_then(|ns| ns.p99)),
            times.time(pair.longest_ns),
            times.time(pair.ns),
            place(pair, times),
        )?;
    }
    more(found.pairs.len(), found.pairs_total, out)?;
    writeln!(
        out,
        "\n{:24}{:>12}{:>16}{:>16}{:>12}{:>16}{:>16}",
        "to the chosen CPU", "from waker's", "mean latency", "max", "from last", "mean latency", "max"
    )?;
    for row in &found.distances {
        let mean = |count: u64, sum: u64| times.maybe(sum.checked_div(count));
        writeln!(
            out,
            "{:24}{:>12}{:>16}{:>16}{:>12}{:>16}{:>16}",
            reach(row.reach),
            row.from_waker.count,
            mean(row.from_waker.count, row.from_waker.latency_ns),
            times.time(row.from_waker.max_ns),
            row.from_last.count,
            mean(row.from_last.count, row.from_last.latency_ns),
            times.time(row.from_last.max_ns),
        )?;
    }
    if found.topology.is_none() {
        writeln!(out, "--topology tells how far other CPUs are.")?;
    }
    if 0 < found.uncertain.count {
        let sum = times.time(found.uncertain.ns);
        writeln!(
            out,
            "Left out as uncertain, because records are missing meanwhile: {} wakeups ({sum} in all).",
            found.uncertain.count
        )?;
    }
    Ok(())
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Cpu => "same CPU",
        Reach::Core => "same core",
        Reach::Llc => "same LLC",
        Reach::Socket => "same socket",
        Reach::Machine => "other socket",
        Reach::Other => "other CPU",
        Reach::Unknown => "not told",
    }
}

fn write_took(found: &TookReport, times: Times, out: &mut String) -> fmt::Result {
    let [waiting, behind, idle, unknown] =
        [found.waiting_ns, found.behind_ns, found.idle_ns, found.unknown_ns].map(|ns| times.time(ns));
    writeln!(
        out,
        "{waiting} x tasks of waiting; {behind} of it behind others while some CPU was spare\n\
         {idle} of it while the CPU left idle for the task; {unknown} while it is not known what the CPU did\n\n\
         {:24}{:24}{:>20}{:>9}{:>20}{:>16}  the longest run of it",
        "had the CPU", "waited", "time x tasks", "waits", "while CPUs spare", "longest"
    )?;
    for pair in &found.pairs {
        writeln!(
            out,
            "{:24}{:24}{:>20}{:>9}{:>20}{:>16}  {}",
            name(&pair.from),
            name(&pair.to),
            times.time(pair.ns),
            pair.count,
            times.maybe(pair.behind_ns),
            times.time(pair.longest_ns),
            place(pair, times),
        )?;
    }
    more(found.pairs.len(), found.pairs_total, out)?;
    if 0 < found.uncertain_ns {
        let uncertain = times.time(found.uncertain_ns);
        writeln!(
            out,
            "Of the waiting, {uncertain} x tasks are uncertain: records are missing meanwhile."
        )?;
    }
    Ok(())
}

fn write_spare(found: &SpareReport, times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "{} with tasks waiting behind others while CPUs were spare; cost {} x tasks\n\n\
         {:>5}{:>20}{:>20}{:>20}{:>20}{:>22}{:>20}",
        times.time(found.behind_ns),
        times.time(found.behind_cost_task_ns),
        "CPU",
        "spare meanwhile",
        "others behind on it",
        "x tasks",
        "waiting x tasks",
        "leaving idle x tasks",
        "idle"
    )?;
    for of in &found.cpus {
        writeln!(
            out,
            "{:>5}{:>20}{:>20}{:>20}{:>20}{:>22}{:>20}",
            of.cpu,
            times.time(of.spare_ns),
            times.time(of.behind_ns),
            times.time(of.behind_task_ns),
            times.time(of.waiting_task_ns),
            times.time(of.leaving_idle_task_ns),
            times.time(of.idle_ns),
        )?;
    }
    Ok(())
}

fn spare_csv(found: &SpareReport, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "cpu,spare_ns,behind_ns,behind_task_ns,waiting_task_ns,leaving_idle_task_ns,idle_ns"
    )?;
    for of in &found.cpus {
        writeln!(
            out,
            "{},{},{},{},{},{},{}",
            of.cpu,
            of.spare_ns,
            of.behind_ns,
            of.behind_task_ns,
            of.waiting_task_ns,
            of.leaving_idle_task_ns,
            of.idle_ns
        )?;
    }
    Ok(())
}
