//! The corelane command line: the second client of the core. It prints what the page shows.
//!
//! Exit status: 0 fine, 1 the file cannot be used, 2 usage.

mod chain;
mod damage;
mod diagnostics;
mod figure;
mod info;
mod input;
mod intervals;
mod latency;
mod listing;
mod load;
mod overload;
mod placement;
mod report;
mod scan;
mod selection;
mod states;
mod stats;
mod text;
mod time;
mod topology;

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracecore::error::{OpenError, ReadError};
use tracecore::figure::FigureError;

use crate::listing::Listing;
use crate::scan::ScanOptions;

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
    /// What a trace.dat file holds: versions, CPUs, times, events, lost events, damage
    Info(info::InfoArgs),
    /// Who ran where: every run interval of every CPU
    Intervals(intervals::IntervalsArgs),
    /// The events, line by line, as `trace-cmd report` prints them
    Report(report::ReportArgs),
    /// Running, waiting, overload, latencies, commands and tasks of a trace or a part of it
    Stats(stats::StatsArgs),
    /// Every state of every task over time: running, runnable, sleeping, blocked and so on
    States(states::StatesArgs),
    /// Wake-up latencies, waits and run lengths: percentiles, histograms, the worst wakeups
    Latency(latency::LatencyArgs),
    /// Work-conservation violations: tasks that waited behind others while CPUs idled, the costliest first
    Overload(overload::OverloadArgs),
    /// Where wakeups put tasks, and which left an idle last CPU
    Placement(placement::PlacementArgs),
    /// The longest waits, and who had the CPU meanwhile
    Waits(listing::ListingArgs),
    /// Moves between CPUs that drove out other tasks, one after the other
    Cascades(listing::ListingArgs),
    /// What is worth a look, the costliest first
    Findings(listing::ListingArgs),
    /// The wakeup chain of a run: who woke it, who woke that one, and whom it woke
    Chain(chain::ChainArgs),
    /// Figures for papers and mails: SVG, PDF or PNG
    Figure(Box<figure::FigureArgs>),
    /// What is understood of a machine's topology
    Topology(topology::TopologyArgs),
}

/// Why a command failed: one message for people.
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Failure(format!("{error}\n{}", error.advice()))
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        Failure(error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        OpenError::from(error).into()
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Info(args) => info::run(args, &cli.scan),
        Command::Intervals(args) => intervals::run(args, &cli.scan),
        Command::Report(args) => report::run(args, &cli.scan).map(|()| String::new()),
        Command::Stats(args) => stats::run(args, &cli.scan),
        Command::States(args) => states::run(args, &cli.scan).map(|()| String::new()),
        Command::Latency(args) => latency::run(args, &cli.scan),
        Command::Overload(args) => overload::run(args, &cli.scan),
        Command::Placement(args) => placement::run(args, &cli.scan),
        Command::Waits(args) => listing::run(Listing::Waits, args, &cli.scan),
        Command::Cascades(args) => listing::run(Listing::Cascades, args, &cli.scan),
        Command::Findings(args) => listing::run(Listing::Findings, args, &cli.scan),
        Command::Chain(args) => chain::run(args, &cli.scan),
        Command::Figure(args) => figure::run(args, &cli.scan),
        Command::Topology(args) => topology::run(args),
    };
    match result.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("corelane: {failure}");
            ExitCode::from(1)
        }
    }
}

/// Writes a command's whole output. A reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("writing to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
