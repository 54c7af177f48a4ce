//! One round of the bench, natively and on one thread: prints JSON for `bench/measure.mjs`.

#![allow(clippy::indexing_slicing, reason = "a bench that panics is seen at once")]

mod allocation;
mod calls;
mod clock;
mod file;
mod questions;
mod records;
mod replay;
mod round;

use std::path::PathBuf;
use std::process::ExitCode;

use ::replay::policy::Spec;
use clap::{Parser, ValueEnum};

#[global_allocator]
static ALLOCATOR: allocation::Counted = allocation::Counted;

/// One round of the bench
#[derive(Parser)]
pub struct Args {
    /// A trace of any format
    file: PathBuf,
    /// The last stage: for profilers, which tell stages apart by what is left out
    #[arg(long, value_enum, default_value = "ask")]
    until: Stage,
    /// Questions, as bench/plan.mjs writes them
    #[arg(long)]
    questions: Option<PathBuf>,
    /// Also the raw records: merged, and as the list of events
    #[arg(long)]
    records: bool,
    /// Also a scan that keeps what the page's keep: where each record is, and system calls and interrupts
    #[arg(long)]
    page_scan: bool,
    /// Instead: a replay under this policy; the file may be what is made, such as pairs
    #[arg(long, value_name = "POLICY")]
    replay: Option<Spec>,
    /// Milliseconds between two ticks of the replay
    #[arg(long, default_value = "4")]
    tick: u64,
    /// How long what is made runs
    #[arg(long, default_value = "180")]
    seconds: u64,
    /// Instead: what system calls and interrupts cost
    #[arg(long)]
    calls: bool,
}

/// The stages of a round, each with all before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Stage {
    Open,
    Scan,
    Build,
    Index,
    Restore,
    Ask,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let measured = match &args.replay {
        Some(policy) => replay::measure(&args.file, policy, args.tick, args.seconds),
        None if args.calls => calls::run(&args.file),
        None => round::run(&args),
    };
    match measured {
        Ok(round) => {
            println!("{round}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", args.file.display());
            ExitCode::FAILURE
        }
    }
}
