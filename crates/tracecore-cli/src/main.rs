//! The corelane command line: the second client of the core. It prints what the page shows.
//!
//! Exit status: 0 fine, 1 the file cannot be used, 2 usage.

mod absolute;
mod as_dat;
mod batch;
mod bounded;
mod cache;
mod chain;
mod compare;
mod cut;
mod damage;
mod edges;
mod export;
mod features;
mod figure;
mod filter;
mod findings;
mod info;
mod input;
mod instant;
mod intervals;
mod latency;
mod listing;
mod load;
mod output;
mod overload;
mod pairs;
mod part;
mod pipe;
mod placement;
mod progress;
mod record;
mod relations;
mod replay;
mod report;
mod scan;
mod sched_ext;
mod selection;
mod serve;
mod signals;
mod states;
mod stats;
mod syscalls;
mod table;
mod text;
mod time;
mod topology;
mod visible;
mod workload;

use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use schedfigure::FigureError;
use schedrows::{ReadError, SourceError};
use tracedat::error::OpenError;

use crate::listing::Listing;
use crate::load::Loader;
use crate::progress::{Answer, Busy};
use crate::scan::ScanOptions;
use crate::visible::{lines, warn, Form, Visible};

#[derive(Parser)]
#[command(
    name = "corelane",
    version,
    about = "Scheduler traces of trace-cmd: who ran where, and who waited"
)]
struct Cli {
    #[command(flatten)]
    scan: ScanOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What a file holds: versions, CPUs, times, events, lost events, damage
    Info(info::InfoArgs),
    /// Who ran where: every run interval of every CPU
    Intervals(intervals::IntervalsArgs),
    /// The events, line by line, as `trace-cmd report` prints them
    Report(report::ReportArgs),
    /// Running, waiting, overload, latencies, commands and tasks of a trace or a part of it
    Stats(stats::StatsArgs),
    /// Every state of every task over time: running, runnable, sleeping, blocked and so on
    States(states::StatesArgs),
    /// Runs, waits, wakeups, migrations, states, tasks or commands, row by row, for databases and scripts
    Table(table::TableArgs),
    /// Wake-up latencies, waits and run lengths: percentiles, histograms, the worst wakeups
    Latency(latency::LatencyArgs),
    /// System calls: how often, how long, and what their threads did meanwhile
    Syscalls(syscalls::SyscallsArgs),
    /// How long was between two events that belong together: interrupts, timers, work items, disk requests
    Pairs(Box<pairs::PairsArgs>),
    /// Work-conservation violations: tasks that waited behind others while CPUs idled, the costliest first
    Overload(overload::OverloadArgs),
    /// Where wakeups put tasks, and which left a free last CPU
    Placement(placement::PlacementArgs),
    /// The longest waits, and who had the CPU meanwhile
    Waits(listing::ListingArgs),
    /// Who wakes whom (by sched_waking), how often and how late, and how far apart
    Wakes(relations::WakesArgs),
    /// Who had the CPU while whom waited, over all waits
    Antagonists(relations::RelationArgs),
    /// Which CPUs were spare, and on which tasks waited behind others meanwhile
    Spare(relations::SpareArgs),
    /// Moves between CPUs that drove out other tasks, one after the other
    Cascades(listing::ListingArgs),
    /// What is worth a look, the costliest first
    Findings(findings::FindingsArgs),
    /// The wakeup chain of a run, by wakers of sched_waking: who woke it, who woke that one, and whom it woke
    Chain(chain::ChainArgs),
    /// The machine at an instant: which task each CPU runs, who waits there, and what has just changed
    At(instant::InstantArgs),
    /// Two traces in numbers: commands, latencies and waits, with differences and how sure they are
    Compare(compare::CompareArgs),
    /// Figures for papers and mails: SVG, PDF or PNG
    Figure(Box<figure::FigureArgs>),
    /// What a scheduler of sched_ext did: its events, bypasses, migrations, and how long tasks ran
    SchedExt(sched_ext::SchedExtArgs),
    /// A row for each wait with features of its task and a label, for those who train schedulers
    Features(features::FeaturesArgs),
    /// A part of a trace as a small trace.dat of its own, for a colleague
    Cut(cut::CutArgs),
    /// What tasks do, whatever the scheduler: a trace as a workload for replays, its counts, WARP's text, rt-app's JSON
    Workload(Box<workload::WorkloadArgs>),
    /// What a workload would do under another scheduler, beside what was recorded
    Replay(Box<replay::ReplayArgs>),
    /// A trace or a part of it as a trace.dat, or for the Perfetto UI
    Export(export::ExportArgs),
    /// What is understood of a machine's topology
    Topology(topology::TopologyArgs),
    /// Many questions about one trace, which is loaded once: lines of JSON in, lines of JSON out
    Batch(batch::BatchArgs),
    /// Records what a command and everything beside it do, with trace-cmd
    Record(record::RecordArgs),
    /// The page and the traces of a folder, for a browser here or at the other end of ssh
    Serve(serve::ServeArgs),
    /// Models of large traces that were opened before, which are kept so that they open at once
    Cache(cache::CacheArgs),
}

impl Command {
    /// What is wrong with its options that their parser does not see, and with which command's.
    fn check(&self) -> Result<(), (&'static str, String)> {
        match self {
            Command::Figure(args) => args.check().map_err(|error| ("figure", error)),
            Command::Pairs(args) => args.check().map_err(|error| ("pairs", error)),
            _ => Ok(()),
        }
    }

    /// Whether it works on its own until it answers, instead of for those that ask it.
    fn computes(&self) -> bool {
        !matches!(self, Command::Batch(_) | Command::Record(_) | Command::Serve(_))
    }

    /// The file that it writes besides what it prints.
    fn output(&self) -> Option<&Path> {
        match self {
            Command::Cut(args) => Some(args.output()),
            Command::Export(args) => args.output(),
            Command::Workload(args) => args.output(),
            Command::Replay(args) => args.output(),
            _ => None,
        }
    }

    /// Carries out the command and writes its answer, in which control characters have this form.
    fn run(&self, loader: &Loader, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
        let mut visible = Visible::new(&mut *out, form);
        let out: &mut dyn Write = match self {
            // It is what trace-cmd prints, byte for byte.
            Command::Report(_) => {
                drop(visible);
                out
            }
            _ => &mut visible,
        };
        let text = match self {
            Command::Report(args) => return report::run(args, loader, out),
            Command::States(args) => return states::run(args, loader, out),
            Command::Table(args) => return table::run(args, loader, out),
            Command::Syscalls(args) => return syscalls::run(args, loader, out),
            Command::Workload(args) => return workload::run(args, loader, out),
            Command::Intervals(args) => return intervals::run(args, loader, out),
            Command::Features(args) => return features::run(args, loader, out),
            Command::Batch(args) => return batch::run(args, loader, out),
            Command::Record(args) => return record::run(args, out),
            Command::Serve(args) => return serve::run(args, out),
            Command::Info(args) => info::run(args, loader),
            Command::Stats(args) => stats::run(args, loader),
            Command::Latency(args) => latency::run(args, loader),
            Command::Pairs(args) => pairs::run(args, loader),
            Command::Overload(args) => overload::run(args, loader),
            Command::Placement(args) => placement::run(args, loader),
            Command::Waits(args) => listing::run(Listing::Waits, args, loader),
            Command::Wakes(args) => relations::run_wakes(args, loader),
            Command::Antagonists(args) => relations::run_antagonists(args, loader),
            Command::Spare(args) => relations::run_spare(args, loader),
            Command::Cascades(args) => listing::run(Listing::Cascades, args, loader),
            Command::Findings(args) => findings::run(args, loader),
            Command::Chain(args) => chain::run(args, loader),
            Command::At(args) => instant::run(args, loader),
            Command::Compare(args) => compare::run(args, loader),
            Command::Figure(args) => figure::run(args, loader),
            Command::SchedExt(args) => sched_ext::run(args, loader),
            Command::Cut(args) => cut::run(args, loader),
            Command::Replay(args) => replay::run(args, loader),
            Command::Export(args) => export::run(args, loader),
            Command::Topology(args) => topology::run(args),
            Command::Cache(args) => cache::run(args),
        }?;
        heard(out.write_all(text.as_bytes())).map(|_| ())
    }
}

/// The reason why a command failed, as one message for people.
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Failure(format!("{error}\n{}", error.advice))
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        SourceError::from(error).into()
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        Failure(error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        SourceError::from(error).into()
    }
}

fn main() -> ExitCode {
    let (cli, form) = parse(std::env::args_os()).unwrap_or_else(|error| end(&error));
    if let Err((command, error)) = cli.command.check() {
        usage(command, &error);
    }
    let busy = cli.command.computes().then(|| Busy::begin(cli.scan.quiet));
    let mut out = Answer {
        out: std::io::stdout().lock(),
        busy: busy.flatten(),
    };
    let loader = Loader::new(cli.scan);
    let answered = cli.command.run(&loader, form, &mut out);
    // Before the loader waits for a model that it keeps.
    let answered = answered.and_then(|()| heard(out.flush()));
    out.busy = None;
    match answered {
        Ok(_) => ExitCode::SUCCESS,
        Err(failure) => {
            warn(&failure.0);
            ExitCode::from(1)
        }
    }
}

/// Parses a command line; says in which form its answer has control characters.
fn parse(line: impl IntoIterator<Item = OsString>) -> Result<(Cli, Form), clap::Error> {
    let matches = Cli::command().try_get_matches_from(line)?;
    let form = if asks_json(&matches) { Form::Json } else { Form::Text };
    Ok((Cli::from_arg_matches(&matches)?, form))
}

/// Whether a command, or the one in it, is given `--json`.
fn asks_json(matches: &ArgMatches) -> bool {
    let has_json = matches.try_get_one::<bool>("json").ok().flatten() == Some(&true);
    has_json || matches.subcommand().is_some_and(|(_, matches)| asks_json(matches))
}

/// Ends the program as clap does. Its messages repeat arguments, which may be names of files.
fn end(error: &clap::Error) -> ! {
    let message = error.to_string();
    let safe = lines(&message);
    if safe == message {
        error.exit();
    }
    eprint!("{safe}");
    std::process::exit(error.exit_code())
}

/// Ends the program in the way in which clap does for wrong options of a command.
fn usage(command: &str, message: &str) -> ! {
    let mut cli = Cli::command();
    cli.build();
    let error = match cli.find_subcommand_mut(command) {
        Some(command) => command.error(ErrorKind::ValueValidation, message),
        None => clap::Error::raw(ErrorKind::ValueValidation, message),
    };
    end(&error)
}

/// Whether the output is still being read: a reader that has seen enough (`| head`) is no failure.
fn heard(written: std::io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure(format!("writing to standard output: {error}"))),
    }
}
