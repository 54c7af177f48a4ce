//! `corelane overload`: tasks that waited while CPUs idled.

use std::fmt::{self, Write};

use clap::Args;
use tracecore::query::{overload, OverloadReport, Violation};

use crate::input::FileArgs;
use crate::load::load;
use crate::scan::ScanOptions;
use crate::selection::SelectionArgs;
use crate::text::{self, Times};
use crate::Failure;

#[derive(Args)]
pub struct OverloadArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// Only violations that last at least so long
    #[arg(long, value_name = "NS", default_value_t = 0)]
    min_duration: u64,
    /// How many violations, the costliest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// Tasks named in a line.
const MOST_TASKS: usize = 3;

pub fn run(args: &OverloadArgs, options: &ScanOptions) -> Result<String, Failure> {
    let loaded = load(&args.file, options)?;
    let selection = args.selection.selection(&loaded.trace, options);
    let report = overload(&loaded.trace, &selection, args.min_duration, args.top);
    if args.json {
        return text::json(&report);
    }
    let mut out = String::new();
    write(&report, Times::of(&loaded), &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn write(report: &OverloadReport, times: Times, out: &mut String) -> fmt::Result {
    let (violation, cost) = (times.time(report.violation_ns), times.time(report.cost_task_ns));
    writeln!(
        out,
        "{violation} with tasks waiting while CPUs idle, in {} intervals; cost {cost} x tasks",
        report.count
    )?;
    writeln!(
        out,
        "Note: {}. --movable leaves out tasks that never ran on a second CPU.",
        report.caveat
    )?;
    writeln!(
        out,
        "\n{:>20}{:>16}{:>20}{:>9}  {:24}who waited",
        "at", "duration", "cost x tasks", "waiting", "idle CPUs"
    )?;
    for violation in &report.intervals {
        line(violation, times, out)?;
    }
    Ok(())
}

fn line(violation: &Violation, times: Times, out: &mut String) -> fmt::Result {
    let cpus: Vec<u32> = violation.idle_cpus.iter().map(|idled| idled.cpu).collect();
    let named = violation.tasks.iter().take(MOST_TASKS);
    let mut tasks: Vec<String> = named
        .map(|waited| text::task(&waited.task.comm, waited.task.pid))
        .collect();
    if MOST_TASKS < violation.tasks.len() {
        tasks.push(format!("{} more", violation.tasks.len() - MOST_TASKS));
    }
    writeln!(
        out,
        "{:>20}{:>16}{:>20}{:>9}  {:24}{}",
        times.time(violation.start_ns),
        times.time(violation.duration_ns),
        times.time(violation.cost_task_ns),
        violation.waiting_max,
        text::cpu_list(&cpus),
        tasks.join(", ")
    )
}
