//! `corelane intervals`: every run interval of every CPU, for scripts and for checking.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use tracecore::sched::{Time, Trace, Who};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::text::Times;
use crate::Failure;

#[derive(Args)]
pub struct IntervalsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values (RFC 4180), times in nanoseconds
    #[arg(long)]
    csv: bool,
}

/// One interval, half-open. Those of one CPU tile the trace, from its first record to its last.
#[derive(Serialize)]
struct IntervalInfo {
    cpu: u32,
    start_ns: Time,
    end_ns: Time,
    /// `run`, `idle`, or `unknown`: events were lost, or the CPU has no switch at all.
    kind: &'static str,
    /// 0 when idle, -1 when unknown.
    pid: i32,
    /// The comm that the task was switched in with; empty when unknown.
    comm: String,
    /// Never switched in during the trace: it is taken to have run since the trace's start.
    inferred: bool,
}

pub fn run(args: &IntervalsArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let times = Times::of(&loaded);
    let mut intervals = intervals(&loaded.trace);
    if args.json {
        return times.json(&intervals.collect::<Vec<_>>());
    }
    let mut text = String::new();
    let written = if args.csv {
        text.push_str("cpu,start_ns,end_ns,kind,pid,comm,inferred\n");
        intervals.try_for_each(|interval| interval.write_csv(times, &mut text))
    } else {
        intervals.try_for_each(|interval| interval.write_text(times, &mut text))
    };
    written.map(|()| text).map_err(|error| Failure(error.to_string()))
}

/// By CPU, then by time. Where two switches have the same time, nothing ran between them, and there is no interval.
fn intervals(trace: &Trace) -> impl Iterator<Item = IntervalInfo> + '_ {
    trace.cpus.iter().zip(&trace.lanes).flat_map(move |(&cpu, lane)| {
        lane.intervals()
            .enumerate()
            .filter(|(_, interval)| interval.start < interval.end)
            .map(move |(index, interval)| {
                let (kind, pid, comm) = match interval.who {
                    Who::Run(id) => ("run", trace.task_of(id).pid, trace.comm_of(id).to_owned()),
                    Who::Idle => ("idle", 0, format!("swapper/{cpu}")),
                    Who::Unknown => ("unknown", -1, String::new()),
                };
                IntervalInfo {
                    cpu,
                    start_ns: Time(interval.start),
                    end_ns: Time(interval.end),
                    kind,
                    pid,
                    comm,
                    inferred: lane.inferred(index),
                }
            })
    })
}

impl IntervalInfo {
    fn write_csv(&self, times: Times, out: &mut String) -> std::fmt::Result {
        let Self {
            cpu,
            kind,
            pid,
            inferred,
            ..
        } = self;
        let comm = if self.comm.contains(['"', ',', '\r', '\n']) {
            format!("\"{}\"", self.comm.replace('"', "\"\""))
        } else {
            self.comm.clone()
        };
        let [start_ns, end_ns] = [self.start_ns, self.end_ns].map(|at| times.absolute(at));
        writeln!(out, "{cpu},{start_ns},{end_ns},{kind},{pid},{comm},{inferred}")
    }

    fn write_text(&self, times: Times, out: &mut String) -> std::fmt::Result {
        let Self { cpu, comm, pid, .. } = self;
        let task = match self.kind {
            "run" => format!("{comm}-{pid}"),
            kind => kind.to_owned(),
        };
        let mark = if self.inferred { " (inferred)" } else { "" };
        let [start, end] = [self.start_ns, self.end_ns].map(|at| times.digits(times.absolute(at)));
        writeln!(out, "[{cpu:03}] {start:>20} {end:>20} {task}{mark}")
    }
}
