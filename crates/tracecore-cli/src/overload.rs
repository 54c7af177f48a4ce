//! `corelane overload`: tasks that waited behind others while CPUs idled.

use std::fmt::{self, Write};

use clap::Args;
use schedmodel::topology::Domain;
use schedquery::query::{DomainReport, OverloadReport, Violation};
use serde::Serialize;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{self, OfTrace, Times};
use crate::topology::TopologyOption;
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
    topology: TopologyOption,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// The report, and, with a topology, the overloads within its sockets and last-level caches.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    machine: OverloadReport,
    #[serde(flatten)]
    within: Option<DomainReport>,
}

/// The most tasks that are named in a line.
const MOST_TASKS: usize = 3;

pub fn run(args: &OverloadArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    if let Some(sentence) = text::nothing_to_count(&loaded, args.json, &loader.options) {
        return Ok(sentence);
    }
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let model = loaded.model();
    let topology = args.topology.or_of(&loaded);
    let report = Report {
        machine: model.overload(&selection, args.min_duration, args.top),
        within: topology.map(|topology| model.domain_overload(&selection, topology)),
    };
    if args.json {
        return Times::of(&loaded).json(&OfTrace::new(&report, &loaded));
    }
    let mut out = String::new();
    let times = Times::of(&loaded);
    let domains = |out: &mut String| {
        report
            .within
            .as_ref()
            .map_or(Ok(()), |within| within_domains(within, times, out))
    };
    write(&report.machine, times, &mut out)
        .and_then(|()| domains(&mut out))
        .map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn write(report: &OverloadReport, times: Times, out: &mut String) -> fmt::Result {
    let [behind, cost, leaving, tasks, all, all_cost] = [
        report.behind_ns,
        report.behind_cost_task_ns,
        report.leaving_idle_ns,
        report.leaving_idle_task_ns,
        report.violation_ns,
        report.cost_task_ns,
    ]
    .map(|ns| times.time(ns));
    writeln!(
        out,
        "{behind} with tasks waiting behind others while CPUs idle, in {} intervals; cost {cost} x tasks",
        report.behind_count
    )?;
    if report.bound_ns != 0 {
        let [bound, tasks] = [report.bound_ns, report.bound_task_ns].map(|ns| times.time(ns));
        writeln!(
            out,
            "{bound} with kernel threads bound to a busy CPU waiting there while others idle: no failure; {tasks} x tasks"
        )?;
    }
    writeln!(
        out,
        "{leaving} with CPUs leaving idle for their tasks: no failure; {tasks} x tasks"
    )?;
    writeln!(
        out,
        "{all} with tasks waiting while CPUs idle, for whatever, in {} intervals; cost {all_cost} x tasks",
        report.count
    )?;
    writeln!(
        out,
        "Note: {}. --movable leaves out tasks that never ran on a second CPU.",
        report.caveat
    )?;
    writeln!(
        out,
        "\n{:>20}{:>16}{:>20}{:>9}  {:22}  who waited",
        "at", "duration", "cost x tasks", "behind", "idle CPUs"
    )?;
    for violation in &report.behind {
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
    if MOST_TASKS < violation.tasks_total {
        tasks.push(format!("{} more", violation.tasks_total - MOST_TASKS));
    }
    writeln!(
        out,
        "{:>20}{:>16}{:>20}{:>9}  {:22}  {}{}",
        times.at(violation.start_ns),
        times.time(violation.duration_ns),
        times.time(violation.cost_task_ns),
        violation.waiting_max,
        text::cpu_list(&cpus),
        tasks.join(", "),
        text::doubt(violation.uncertain)
    )
}

fn within_domains(report: &DomainReport, times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\nwaiting behind others while a CPU of the same part of {} idles, of any duration:\n\
         {:12}{:>20}{:>11}{:>20}{:>20}{:>22}  CPUs",
        report.topology, "", "waiting x tasks", "intervals", "behind others", "cost x tasks", "leaving idle x tasks"
    )?;
    for found in &report.domains {
        let name = match found.domain {
            Domain::Socket => "socket",
            Domain::Llc => "  LLC",
        };
        writeln!(
            out,
            "{:12}{:>20}{:>11}{:>20}{:>20}{:>22}  {}",
            format!("{name} {}", found.number),
            times.time(found.wait_ns),
            found.behind_intervals,
            times.time(found.behind_ns),
            times.time(found.behind_cost_task_ns),
            times.time(found.leaving_idle_task_ns),
            text::cpu_list(&found.cpus)
        )?;
    }
    if report.unplaced_wait_ns != 0 {
        let unplaced = times.time(report.unplaced_wait_ns);
        writeln!(
            out,
            "Of {unplaced} x tasks of waiting the trace does not tell the CPU: in no socket."
        )?;
    }
    if !report.unknown_cpus.is_empty() {
        let cpus = text::cpu_list(&report.unknown_cpus);
        writeln!(out, "CPUs {cpus} of the trace are not in this topology.")?;
    }
    Ok(())
}
