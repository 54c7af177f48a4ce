//! Writes trace.dat files that nobody recorded: from scenario text, from a recorded file's formats, or large ones for
//! measuring speed.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracegen::large::Large;
use tracegen::sweep::Sweep;
use tracegen::{Layout, Replicas, Story, Times};

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
    /// Writes a trace with records of every event that a recorded one has a format of
    Sweep {
        /// The recorded trace.dat file, of version 6 or 7
        recorded: PathBuf,
        /// Records of each event
        #[arg(long, default_value_t = 3)]
        records: u32,
        /// Start of the random numbers: the same seed gives the same file
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only this event, as NAME, SYSTEM:NAME or SYSTEM:*; may be given many times
        #[arg(long)]
        event: Vec<String>,
        /// Not this event; may be given many times
        #[arg(long)]
        skip: Vec<String>,
        /// Also values that no kernel writes: text without an end, lengths beyond the record
        #[arg(long)]
        wild: bool,
        /// Puts discarded records full of this byte between the records
        #[arg(long)]
        junk: Option<u8>,
        /// The trace.dat file to write
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Writes a recorded trace many times over, in time and in CPUs, for measuring speed
    Replicate {
        /// The recorded trace.dat file, of version 6 or 7
        recorded: PathBuf,
        /// Copies in time
        #[arg(long, default_value_t = 1)]
        times: u64,
        /// As many copies in time as it takes to have so many events
        #[arg(long, conflicts_with = "times")]
        events: Option<u64>,
        /// Copies in CPUs: machines with tasks of their own
        #[arg(long, default_value_t = 1)]
        machines: u32,
        /// File version: 6 or 7
        #[arg(long, default_value = "6")]
        version: String,
        /// none, zlib or zstd (version 7)
        #[arg(long, default_value = "none")]
        compression: String,
        /// The only kernel symbols to keep, separated by commas; all, if it is left out
        #[arg(long, value_delimiter = ',')]
        symbols: Option<Vec<String>>,
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
            let story = Story::parse(&read(&text)?).map_err(|error| format!("{}: {error}", text.display()))?;
            fs::write(&output, story.to_bytes()).map_err(|error| format!("{}: {error}", output.display()))
        }
        Command::Sweep {
            recorded,
            records,
            seed,
            event,
            skip,
            wild,
            junk,
            output,
        } => {
            let sweep = Sweep {
                records,
                seed,
                events: event,
                skip,
                wild,
                junk,
            };
            let input = fs::read(&recorded).map_err(|error| format!("{}: {error}", recorded.display()))?;
            let bytes = sweep
                .to_bytes(&input)
                .map_err(|error| format!("{}: {error}", recorded.display()))?;
            fs::write(&output, bytes).map_err(|error| format!("{}: {error}", output.display()))
        }
        Command::Replicate {
            recorded,
            times,
            events,
            machines,
            version,
            compression,
            symbols,
            output,
        } => {
            let replicas = Replicas {
                machines,
                times: events.map_or(Times::Copies(times), Times::Events),
                version,
                compression,
                symbols,
            };
            let written = replicas
                .write(&recorded, &output)
                .map_err(|error| format!("{}: {error}", recorded.display()))?;
            println!(
                "{} events, {} CPUs, {} copies in time, {} ns apart; pids {} apart",
                written.records, written.cpus, written.copies, written.period_ns, written.pid_step
            );
            Ok(())
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
