//! `corelane syscalls`: where threads' time goes in system calls.

mod compare;
mod instances;
mod load;
mod rows;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use compare::Comparison;
use schedquery::query::{call_report, thread_times, CallModel, CallNames, CallStates, CallsBy, CallsQuery};
use staktau::{Profile, ThreadTimes};
use sysnames::Machine;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::Times;
use crate::visible::shown;
use crate::{heard, Failure};

pub use load::{machine_of, may_have_calls, LoadedCalls};

/// System calls: how often, how long, and what their threads did meanwhile: on CPU, runnable (waiting for a CPU), sleeping (S),
/// blocked (D), stopped, or unknown, by the states of `corelane states`. A call lies where it was entered, on the CPU and under
/// the command that its thread had there, and is not clipped to the window.
///
/// Needs the events `raw_syscalls` or `syscalls`, beside `sched`. FILE may be a text of STaKTAU as well, of which only its sums
/// are printed.
#[derive(Args)]
pub struct SyscallsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds; with --instances lines of JSON, one object for each call
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values (RFC 4180), times in nanoseconds
    #[arg(long)]
    csv: bool,
    /// In the layout of STaKTAU's tables: for each thread the ns of wall time in each call
    #[arg(long, conflicts_with_all = ["json", "csv", "instances"])]
    staktau: bool,
    /// Beside the sums of this text of STaKTAU, its records or its tables, by thread and call
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["csv", "staktau", "instances"])]
    compare: Option<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// What to tell apart besides calls
    #[arg(long, value_name = "WHAT", default_value = "call")]
    by: By,
    /// Only this call; may be repeated
    #[arg(long, value_name = "NAME")]
    call: Vec<String>,
    /// Only calls that failed
    #[arg(long)]
    errors: bool,
    /// Only so many rows, those of the longest total time; with --instances the longest calls
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Each call that returned, in order of time
    #[arg(long)]
    instances: bool,
    /// With --instances: arguments by the formats of this trace too, of the same kernel, where FILE has none of named events
    #[arg(long, value_name = "TRACE", requires = "instances")]
    formats: Option<PathBuf>,
    /// Without the time of interrupts in the time on CPU
    #[arg(long)]
    net: bool,
    /// Whose table names the calls, as in x86_64, i386, aarch64, arm, riscv64, s390x, s390, ppc64 [default: what the trace says]
    #[arg(long, value_name = "MACHINE", value_parser = machine)]
    arch: Option<Machine>,
    /// Read the calls of this command or thread id by the table of 32-bit tasks; may be repeated
    #[arg(long, value_name = "COMM|PID")]
    compat: Vec<String>,
}

impl SyscallsArgs {
    /// Whether the answer is lines, and not one document.
    pub fn has_lines(&self) -> bool {
        self.instances
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Call,
    Command,
    Task,
    Process,
}

fn machine(name: &str) -> Result<Machine, String> {
    let all = Machine::ALL.map(Machine::name).join(", ");
    Machine::of_name(name).ok_or_else(|| format!("there is no table for `{name}`; expected one of {all}"))
}

pub fn run(args: &SyscallsArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(text) = compare::read_if_text(&args.file.file)? {
        return alone(args, &text, out);
    }
    let all = loader.load_calls(&args.file)?;
    let LoadedCalls {
        loaded, runs, calls, ..
    } = &*all;
    if calls.recorded.is_none() {
        return Err(Failure(NOTHING.to_owned()));
    }
    let names = CallNames::new(calls, args.arch, || all.machine).with_compat(calls, &args.compat);
    let query = CallsQuery {
        selection: args.selection.selection(loaded, &loader.options)?,
        by: match args.by {
            By::Call => CallsBy::Call,
            By::Command => CallsBy::Command,
            By::Task => CallsBy::Task,
            By::Process => CallsBy::Process,
        },
        calls: args.call.clone(),
        nr: None,
        of: None,
        errors: args.errors,
        net: args.net,
        sums_only: false,
        top: args.top,
    };
    if args.instances {
        return instances::write(args, &all, &names, &query, out);
    }
    let threads = || {
        let model = CallModel {
            trace: &loaded.trace,
            runs,
            calls,
            names: &names,
            states: &CallStates::default(),
        };
        thread_times(model, &query)
    };
    if args.staktau {
        let text = staktau::write(&threads());
        return heard(out.write_all(text.as_bytes())).map(|_| ());
    }
    if let Some(path) = &args.compare {
        return beside(args, &threads(), path, out);
    }
    let report = call_report(&loaded.trace, runs, calls, &names, &query);
    let times = Times::of(loaded);
    let text = match (args.json, args.csv) {
        (true, _) => times.json(&report)?,
        (_, true) => rows::csv(&report, query.by, times),
        _ => text::table(&report, calls, &query, times).map_err(|error| Failure(error.to_string()))?,
    };
    heard(out.write_all(text.as_bytes())).map(|_| ())
}

/// A trace's threads beside those of a text.
fn beside(args: &SyscallsArgs, threads: &[ThreadTimes], path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let text = compare::read_text(path)?;
    let comparison = Comparison::new(threads, &text);
    let printed = match args.json {
        true => crate::text::json(&comparison)?,
        false => {
            let table = comparison.table().map_err(|error| Failure(error.to_string()))?;
            compare::doubts(&text) + &table
        }
    };
    heard(out.write_all(printed.as_bytes())).map(|_| ())
}

/// A text of STaKTAU in place of a trace.
fn alone(args: &SyscallsArgs, text: &Profile, out: &mut dyn Write) -> Result<(), Failure> {
    let needs_trace = [
        ("a selection", !args.selection.is_whole()),
        ("--csv", args.csv),
        ("--by", !matches!(args.by, By::Call)),
        ("--call", !args.call.is_empty()),
        ("--errors", args.errors),
        ("--top", args.top.is_some()),
        ("--instances", args.instances),
        ("--net", args.net),
        ("--arch", args.arch.is_some()),
        ("--compat", !args.compat.is_empty()),
        ("--compare", args.compare.is_some()),
        ("--buffer", args.file.names_buffer()),
    ];
    if let Some((option, _)) = needs_trace.iter().find(|(_, given)| *given) {
        return Err(Failure(format!(
            "{}: {option} needs a trace, and this is a text of STaKTAU; give the trace first, and this text with --compare",
            shown(&args.file.file)
        )));
    }
    let printed = match args.json {
        true => crate::text::json(&Comparison::new(&[], text))?,
        false => compare::doubts(text) + &staktau::write(&text.threads),
    };
    heard(out.write_all(printed.as_bytes())).map(|_| ())
}

/// The message for a trace without such events.
const NOTHING: &str = "the trace has no events of system calls; record them with\n\
    trace-cmd record -e raw_syscalls -e sched -e irq -e irq_vectors COMMAND\n\
    (raw_syscalls tells all calls by number; -e syscalls instead tells names and arguments too; irq and irq_vectors tell what\n\
    interrupts take)";
