//! `corelane at`: the machine at an instant, and what has just changed.

use std::fmt::{self, Write};

use clap::Args;
use schedquery::query::{Change, ChangeKind, CpuState, Instant, QueuedTask, Standpoint, TaskName};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::text::{self, Times};
use crate::time::{time, TimeOption};
use crate::Failure;

#[derive(Args)]
pub struct InstantArgs {
    #[command(flatten)]
    file: FileArgs,
    /// When, in seconds (or ticks), as the trace's events have them
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    at: TimeOption,
    /// So many instants later at which something happens; earlier, if negative
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    step: i32,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
}

pub fn run(args: &InstantArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    let times = Times::of(&loaded);
    let trace = &*loaded.trace;
    let asked = args.at.of_clock(loaded.clock_is_ns, "--at")?;
    let (first, last) = (trace.origin_ns, trace.origin_ns.saturating_add(trace.span_ns));
    let at = asked.checked_sub(first).filter(|&at| at <= trace.span_ns);
    let at = at.ok_or_else(|| {
        let [asked, first, last] = [asked, first, last].map(|at| times.time(at));
        Failure(format!("{asked} is not in the trace, which is from {first} to {last}"))
    })?;
    let standpoint = Standpoint::new(trace);
    let mut found = standpoint.at(trace, at);
    for _ in 0..args.step.unsigned_abs() {
        let next = if args.step < 0 {
            found.previous_ns
        } else {
            found.next_ns
        };
        let Some(next) = next else { break };
        found = standpoint.at(trace, next.0);
    }
    if args.json {
        return times.json(&found);
    }
    let mut out = String::new();
    write(&found, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn write(found: &Instant, times: Times, out: &mut String) -> fmt::Result {
    writeln!(out, "{}", times.at(found.at_ns))?;
    for change in &found.changes {
        writeln!(out, "  {}", in_words(change))?;
    }
    writeln!(
        out,
        "\n{:>5}  {:24}{:>20}  waiting on its runqueue",
        "CPU", "runs", "since"
    )?;
    for of in &found.cpus {
        let runs = match (&of.task, of.state) {
            (Some(task), _) => name(task),
            (None, CpuState::Unknown) => "?".to_owned(),
            (None, _) => "idle".to_owned(),
        };
        let since = of.since_ns.map_or_else(String::new, |since| times.at(since));
        let line = format!(
            "{:>5}  {runs:24}{since:>20}  {}",
            of.cpu,
            waiting(&of.queue, found, times)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if !found.unplaced.is_empty() {
        writeln!(
            out,
            "on a runqueue that the trace does not tell: {}",
            waiting(&found.unplaced, found, times)
        )?;
    }
    let [previous, next] =
        [found.previous_ns, found.next_ns].map(|at| at.map_or_else(|| "none".to_owned(), |at| times.at(at)));
    writeln!(out, "\nbefore: {previous}; after: {next}")
}

fn name(task: &TaskName) -> String {
    text::task(&task.comm, task.pid)
}

/// The tasks of a runqueue, and for how long they have waited.
fn waiting(queue: &[QueuedTask], at: &Instant, times: Times) -> String {
    let tasks = queue.iter().map(|one| {
        let waited = at.at_ns.0.saturating_sub(one.since_ns.0);
        format!("{} ({})", name(&one.task), times.time(waited))
    });
    tasks.collect::<Vec<_>>().join(", ")
}

fn in_words(change: &Change) -> String {
    let cpu = text::cpu(change.cpu);
    let task = |task: &Option<TaskName>| task.as_ref().map_or_else(|| "idle".to_owned(), name);
    let why = change.why.as_deref().unwrap_or("?");
    match change.kind {
        ChangeKind::Switch => {
            let state = if change.other.is_some() {
                format!(" ({why})")
            } else {
                String::new()
            };
            format!(
                "CPU {cpu} switches from {}{state} to {}",
                task(&change.other),
                task(&change.task)
            )
        }
        ChangeKind::Waking => {
            let waker = change.other.as_ref().map_or_else(|| why.to_owned(), name);
            format!("on CPU {cpu} {waker} wakes {}", task(&change.task))
        }
        ChangeKind::Runnable => format!("{} waits on CPU {cpu} ({why})", task(&change.task)),
        ChangeKind::Migration => {
            let from = text::cpu(change.from_cpu);
            format!("{} migrates from CPU {from} to {cpu} ({why})", task(&change.task))
        }
    }
}
