//! `corelane chain`: the wakeup chain of a run, back to its cause and forward to the tasks that it woke.

use std::fmt::{self, Write};
use std::sync::Arc;

use clap::Args;
use schedmodel::{Time, WakerContext};
use schedquery::query::{Chain, ChainEnd, Indexes, IntervalKind, WakeupEdge};
use serde::Serialize;

use crate::edges::Hop;
use crate::input::FileArgs;
use crate::load::Loader;
use crate::text::{self, Times};
use crate::time::{time, TimeOption};
use crate::Failure;

#[derive(Args)]
pub struct ChainArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The CPU of the run
    #[arg(long, value_name = "N")]
    cpu: u32,
    /// A time at which it runs, in seconds (or ticks), as the trace's events have them
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    at: TimeOption,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// How many hops to follow back, at most 10000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(..=10_000))]
    hops: u32,
}

/// The run that a chain is about.
#[derive(Serialize)]
struct RunInfo {
    cpu: u32,
    pid: i32,
    comm: String,
    start_ns: Time,
    end_ns: Time,
    /// The letter of `prev_state`, with its `+`; null if no switch gave it.
    end_state: Option<String>,
}

#[derive(Serialize)]
struct ChainInfo {
    run: RunInfo,
    /// The hops from the run back to its cause.
    hops: Vec<Hop>,
    ends_at: ChainEnd,
    /// The first of the wakeups that the run made.
    forward: Vec<Hop>,
    /// How many wakeups the run made.
    forward_total: u64,
}

pub fn run(args: &ChainArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let times = Times::of(&loaded);
    let time = args.at.of_clock(loaded.clock_is_ns, "--at")?;
    let trace = &*loaded.trace;
    let view = Indexes::of(Arc::clone(&loaded.trace));
    let here = || format!("CPU {} at {}", args.cpu, times.time(time));
    let at = time.checked_sub(trace.origin_ns);
    let found = at.and_then(|at| Some((view.pick(args.cpu, at)?, view.chain(args.cpu, at, args.hops))));
    let chain = match found {
        Some((_, Some(chain))) => chain,
        Some((interval, None)) => {
            let what = match interval.kind {
                IntervalKind::Unknown => "what runs is not known",
                IntervalKind::Idle | IntervalKind::Run => "no task runs",
            };
            return Err(Failure(format!("{}: {what}", here())));
        }
        None => {
            let (first, last) = (trace.origin_ns, trace.origin_ns + trace.span_ns);
            return Err(Failure(format!(
                "{}: not in the trace, which has {} CPUs and goes from {} to {}",
                here(),
                trace.cpus.len(),
                times.time(first),
                times.time(last)
            )));
        }
    };
    let info = ChainInfo::new(chain);
    if args.json {
        return Times::of(&loaded).json(&info);
    }
    let mut out = String::new();
    info.write(times, &mut out)
        .map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

impl ChainInfo {
    fn new(chain: Chain) -> ChainInfo {
        let hops = |edges: Vec<WakeupEdge>| edges.into_iter().map(Hop::from).collect();
        let details = chain.run.run;
        let (pid, comm, end_state) =
            details.map_or((-1, String::new(), None), |run| (run.pid, run.comm, run.end_state));
        ChainInfo {
            run: RunInfo {
                cpu: chain.run.cpu,
                pid,
                comm,
                start_ns: Time(chain.run.start),
                end_ns: Time(chain.run.end),
                end_state,
            },
            hops: hops(chain.back),
            ends_at: chain.ends_at,
            forward: hops(chain.forward),
            forward_total: chain.forward_total,
        }
    }

    fn write(&self, times: Times, out: &mut String) -> fmt::Result {
        let RunInfo {
            cpu,
            pid,
            comm,
            start_ns,
            end_ns,
            end_state,
        } = &self.run;
        let end = end_state
            .as_deref()
            .map_or(String::new(), |state| format!(", ends as {state}"));
        let (start, end_time) = (times.at(*start_ns), times.at(*end_ns));
        writeln!(
            out,
            "{} on CPU {cpu} from {start} to {end_time}{end}",
            text::task(comm, *pid)
        )?;
        for hop in &self.hops {
            hop.write(times, out)?;
        }
        writeln!(out, "  ends at: {}", self.ends_at.name().replace('_', " "))?;
        if 0 < self.forward_total {
            writeln!(out, "\n{} wakeups made by it", self.forward_total)?;
        }
        for hop in &self.forward {
            hop.write(times, out)?;
        }
        Ok(())
    }
}

impl Hop {
    fn write(&self, times: Times, out: &mut String) -> fmt::Result {
        let by = match self.waker_context {
            context @ (WakerContext::Hardirq | WakerContext::Softirq) => format!("a {} over ", context.name()),
            WakerContext::Task | WakerContext::Unknown => String::new(),
        };
        let latency = match self.latency_ns {
            Some(ns) => format!("runs on CPU {} after {}", text::cpu(self.cpu), times.time(ns)),
            None => "is not seen to run".to_owned(),
        };
        writeln!(
            out,
            "  {} {} woken by {by}{} on CPU {} ({}), {latency}",
            times.at(self.woken_ns),
            text::task(&self.wakee_comm, self.wakee_pid),
            text::task(&self.waker_comm, self.waker_pid),
            self.waker_cpu,
            self.event.name()
        )
    }
}
