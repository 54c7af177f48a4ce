//! Writes trace.dat files that nobody recorded: from scenario text, or large ones for measuring speed.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracegen::large::Large;
use tracegen::{Layout, Scenario};

/// Writes trace.dat files for tests and benches
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the trace that a scenario tells
    Scenario {
        /// The scenario's text; - is standard input
        text: PathBuf,
        /// The trace.dat file to write
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Writes a large synthetic trace, for measuring speed only
    Large {
        /// Logical CPUs
        #[arg(long, default_value_t = 128)]
        cpus: u32,
        /// Records, all CPUs together
        #[arg(long, default_value_t = 20_000_000)]
        events: u64,
        /// Tasks for each CPU
        #[arg(long, default_value_t = 4)]
        tasks_per_cpu: u32,
        /// Start of the random numbers: the same seed gives the same file
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// File version: 6 or 7
        #[arg(long, default_value = "7")]
        version: String,
        /// none, zlib or zstd (version 7)
        #[arg(long, default_value = "none")]
        compression: String,
        /// The trace.dat file to write
        #[arg(short, long)]
        output: PathBuf,
    },
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("tracegen: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), String> {
    match command {
        Command::Scenario { text, output } => {
            let scenario = Scenario::parse(&read(&text)?).map_err(|error| format!("{}: {error}", text.display()))?;
            fs::write(&output, scenario.to_bytes()).map_err(|error| format!("{}: {error}", output.display()))
        }
        Command::Large {
            cpus,
            events,
            tasks_per_cpu,
            seed,
            version,
            compression,
            output,
        } => {
            let layout = Layout {
                version,
                compression,
                ..Layout::default()
            };
            let large = Large {
                cpus,
                events,
                tasks_per_cpu,
                seed,
                layout,
            };
            large
                .write(&output)
                .map_err(|error| format!("{}: {error}", output.display()))
        }
    }
}

fn read(text: &PathBuf) -> Result<String, String> {
    let mut content = String::new();
    let read = if text.as_os_str() == "-" {
        io::stdin().read_to_string(&mut content).map(|_| ())
    } else {
        fs::read_to_string(text).map(|from_file| content = from_file)
    };
    read.map(|()| content)
        .map_err(|error| format!("{}: {error}", text.display()))
}
