//! `corelane report`: the text of `trace-cmd report`.

use std::convert::Infallible;
use std::io::Write;

use clap::Args;
use tracedat::file::TraceFile;
use tracedat::report::{EventName, LineClock, Report, ReportOptions};

use crate::filter::{filter, FilterText};
use crate::input::{FileArgs, Input};
use crate::load::Loader;
use crate::selection::{cpu_list, warn_of_cpus, CpuList};
use crate::time::{time, TimeOption};
use crate::topology::TopologyOption;
use crate::visible::warn;
use crate::{heard, Failure};

/// How much text is gathered before it is written.
const BUFFER: usize = 64 * 1024;

#[derive(Args)]
pub struct ReportArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The fields of each event instead of its text
    #[arg(long, short = 'R')]
    raw: bool,
    /// Show what had interrupts or preemption off, and what interrupted what
    #[arg(long, short = 'l')]
    latency: bool,
    /// Times with nanoseconds, not rounded to microseconds
    #[arg(long, short = 't')]
    nanoseconds: bool,
    /// The kernel's own texts, also where trace-cmd's plugins have others (such as for prev_state)
    #[arg(long, short = 'N')]
    no_plugins: bool,
    /// Only these CPUs, as in 1,4-7; as in trace-cmd, without the instances' events
    #[arg(long, value_name = "LIST", value_parser = cpu_list)]
    cpu: Option<CpuList>,
    /// Only events of this name; may be repeated
    #[arg(long, value_name = "[SYSTEM:]NAME", value_parser = event_name)]
    event: Vec<EventName>,
    /// Only events that pass, in ftrace's language: 'sched_switch: next_prio < 100 && next_comm ~ "ua*"'
    #[arg(long, short = 'F', value_name = "EXPR", value_parser = filter)]
    filter: Option<FilterText>,
    #[command(flatten)]
    topology: TopologyOption,
    /// Print how many events there are instead
    #[arg(long)]
    count: bool,
    /// Only lines from S on, in seconds as they are printed (ticks, where the trace's clock counts such)
    #[arg(long, value_name = "S", value_parser = time)]
    min: Option<TimeOption>,
    /// Only lines before S
    #[arg(long, value_name = "S", value_parser = time)]
    max: Option<TimeOption>,
}

/// Writes the report as it comes.
pub fn run(args: &ReportArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let file = args.file.open_trace_dat(&loader.options)?;
    let options = options(args, &file, loader)?;
    if !loader.options.quiet {
        for event in options.events.iter().filter(|event| !event.is_in(&file)) {
            warn(&format!("the trace knows no event `{event}`"));
        }
        warn_of_cpus(args.cpu.as_ref(), &file);
    }
    let mut report = Report::new(&file, options)?;
    if args.count {
        let count = report.count()?;
        return heard(writeln!(out, "{count}")).map(|_| ());
    }
    let mut text = Vec::with_capacity(BUFFER + BUFFER / 4);
    report.title(&mut text)?;
    while report.next(&mut text)? {
        if BUFFER <= text.len() {
            if !heard(out.write_all(&text))? {
                return Ok(());
            }
            text.clear();
        }
    }
    heard(out.write_all(&text)).map(|_| ())
}

fn options(args: &ReportArgs, file: &TraceFile<Input>, loader: &Loader) -> Result<ReportOptions, Failure> {
    let buffer = args.file.names_buffer().then(|| file.shown_buffer());
    let clock = LineClock::new(file, args.nanoseconds);
    let printed_as = |option: &str, time: Option<TimeOption>| {
        let time = time.map(|time| time.of_clock(clock != LineClock::Ticks, option));
        time.transpose()
    };
    let bind = |filter: &FilterText| {
        let loaded = filter.needs_places().then(|| loader.load(&args.file)).transpose()?;
        let loaded = loaded.as_deref();
        let topology = loaded.and_then(|loaded| args.topology.or_of(loaded));
        filter.bind(file, loaded, topology)
    };
    Ok(ReportOptions {
        raw: args.raw,
        latency: args.latency,
        nanoseconds: args.nanoseconds,
        no_plugins: args.no_plugins,
        cpus: args.cpu.as_ref().map(|list| list.0.clone()),
        events: args.event.clone(),
        filter: args.filter.as_ref().map(bind).transpose()?,
        min: printed_as("--min", args.min)?,
        max: printed_as("--max", args.max)?,
        buffer,
    })
}

fn event_name(text: &str) -> Result<EventName, Infallible> {
    Ok(EventName::parse(text))
}
