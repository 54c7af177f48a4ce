//! Commands that list the worst of something: `corelane placement`, `waits`, `cascades`, `findings`.

use std::fmt::{self, Write};

use clap::Args;
use serde::Serialize;
use tracecore::query::{
    call_findings, CallNames, CallStates, Cascade, CascadeReport, Cascades, Finding, FindingKind, TaskName, WaitReport,
};
use tracecore::sched::WaitCause;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::syscalls::LoadedCalls;
use crate::text::{self, Times};
use crate::visible::visible;
use crate::Failure;

#[derive(Args)]
pub struct ListingArgs {
    #[command(flatten)]
    pub file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    pub json: bool,
    /// How many to list (findings: of each kind)
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    #[command(flatten)]
    pub selection: SelectionArgs,
}

/// What is listed.
#[derive(Clone, Copy)]
pub enum Listing {
    Waits,
    Cascades,
    Findings,
}

pub fn run(listing: Listing, args: &ListingArgs, loader: &Loader) -> Result<String, Failure> {
    if matches!(listing, Listing::Findings) {
        if let Some(all) = loader.load_calls_if_any(&args.file)? {
            return findings_of_calls_too(args, &all, loader);
        }
    }
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let (model, json, top) = (loaded.model(), args.json, args.top);
    let times = Times::of(&loaded);
    match listing {
        Listing::Waits => told(&model.waits(&selection, top), json, times, write_waits),
        Listing::Cascades => {
            let found = Cascades::new(&loaded.trace).longest(&selection, top);
            told(&found, json, times, write_cascades)
        }
        Listing::Findings => told(
            &model.findings(&selection, top),
            json,
            times,
            |found: &Vec<_>, times, out| write_findings(found, times, out),
        ),
    }
}

/// The findings of a trace that has system calls.
fn findings_of_calls_too(args: &ListingArgs, all: &LoadedCalls, loader: &Loader) -> Result<String, Failure> {
    let loaded = &all.loaded;
    let selection = args.selection.selection(loaded, &loader.options)?;
    let names = CallNames::new(&all.calls, None, || all.machine);
    let states = CallStates::default();
    let of_calls = call_findings(all.model(&names, &states), &selection, args.top);
    let found = loaded.model().findings_beside(&selection, args.top, of_calls);
    told(&found, args.json, Times::of(loaded), |found: &Vec<_>, times, out| {
        write_findings(found, times, out)
    })
}

fn write_findings(found: &[Finding], times: Times, out: &mut String) -> fmt::Result {
    found.iter().try_for_each(|finding| write_finding(finding, times, out))
}

fn told<T: Serialize>(
    answer: &T,
    json: bool,
    times: Times,
    write: impl Fn(&T, Times, &mut String) -> fmt::Result,
) -> Result<String, Failure> {
    if json {
        return times.json(answer);
    }
    let mut out = String::new();
    write(answer, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn name(task: &TaskName) -> String {
    text::task(&task.comm, task.pid)
}

/// How many tasks that took a CPU are named.
const MOST_TAKERS: usize = 4;

fn write_waits(found: &WaitReport, times: Times, out: &mut String) -> fmt::Result {
    writeln!(out, "{} waits; the longest:", found.count)?;
    for wait in &found.longest {
        let began = match wait.cause {
            WaitCause::Preempted => "preempted",
            WaitCause::Wakeup => "woken",
        };
        writeln!(
            out,
            "{:>20} {} waited {} ({began}), then ran on CPU {}; behind others while another CPU was idle for {} of it{}",
            times.at(wait.since_ns),
            name(&wait.task),
            times.time(wait.wait_ns),
            wait.cpu,
            times.time(wait.behind_ns),
            text::doubt(wait.uncertain)
        )?;
        let queues: Vec<String> = wait
            .queues
            .iter()
            .map(|queue| format!("CPU {} for {}", queue.cpu, times.time(queue.to_ns - queue.from_ns)))
            .collect();
        writeln!(out, "{:>22}queued on {}", "", queues.join(", then "))?;
        for took in wait.took.iter().take(MOST_TAKERS) {
            writeln!(
                out,
                "{:>22}{} had it for {}",
                "",
                name(&took.task),
                times.time(took.ran_ns)
            )?;
        }
        for (ns, what) in [
            (wait.own_idle_ns, "was leaving idle"),
            (wait.unknown_ns, "was not known"),
        ] {
            if 0 < ns {
                writeln!(out, "{:>22}it {what} for {}", "", times.time(ns))?;
            }
        }
        if MOST_TAKERS < wait.took.len() {
            writeln!(out, "{:>22}and {} more", "", wait.took.len() - MOST_TAKERS)?;
        }
    }
    Ok(())
}

/// How many moves of a cascade are printed; the JSON has more.
const MOST_MOVES: usize = 12;

fn write_cascades(found: &CascadeReport, times: Times, out: &mut String) -> fmt::Result {
    writeln!(out, "{} cascades", found.count)?;
    for cascade in &found.cascades {
        write_cascade(cascade, times, out)?;
    }
    Ok(())
}

fn write_cascade(cascade: &Cascade, times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n{} moves, {} in a row, from {} to {}; the moved tasks waited {}{}",
        cascade.moves_total,
        cascade.length,
        times.at(cascade.start_ns),
        times.at(cascade.end_ns),
        times.time(cascade.cost_ns),
        text::doubt(cascade.uncertain)
    )?;
    for (index, each) in cascade.moves.iter().take(MOST_MOVES).enumerate() {
        let from = each
            .from_cpu
            .map_or_else(|| "forked".to_owned(), |cpu| format!("CPU {cpu}"));
        let cause = each
            .displaced_by
            .map_or(String::new(), |by| format!(", driven out by {}", by + 1));
        writeln!(
            out,
            "{:>4} {:>20} {}: {from} -> CPU {} ({}), waited {}{cause}",
            index + 1,
            times.at(each.at_ns),
            name(&each.task),
            each.to_cpu,
            each.kind.name().replace('_', " "),
            times.time(each.wait_ns),
        )?;
    }
    if MOST_MOVES < cascade.moves_total {
        writeln!(out, "     and {} more", cascade.moves_total - MOST_MOVES)?;
    }
    Ok(())
}

fn write_finding(finding: &Finding, times: Times, out: &mut String) -> fmt::Result {
    let (comm, count) = (visible(&finding.comm), finding.count);
    let first = finding.tasks.first().map_or_else(|| comm.to_string(), name);
    let second = finding.tasks.get(1).map(name);
    let cpu = text::cpu(finding.cpu);
    let lasts = times.time(finding.end_ns - finding.start_ns);
    let call = finding.call.as_deref().unwrap_or("a system call");
    let what = match finding.kind {
        FindingKind::Overload => {
            format!("{count} x waited ({first} longest) within {lasts} while CPUs idled, as CPU {cpu}")
        }
        FindingKind::Wait => {
            let taker = second.map_or(String::new(), |second| format!(", which {second} had longest"));
            format!("{first} waited {lasts} for CPU {cpu}{taker}, while some CPU idled")
        }
        FindingKind::Gap => format!("{comm}, busy otherwise, hardly ran for {lasts}"),
        FindingKind::MovedOffIdle => format!("{first} was woken away from the free CPU {cpu}, and ran after {lasts}"),
        FindingKind::Cascade => format!("cascade of {count} moves, from {first} being put on CPU {cpu}"),
        FindingKind::Latency => format!("{first} ran {lasts} after its wakeup, on CPU {cpu}"),
        FindingKind::KernelPreemption | FindingKind::Preemption => {
            let whose = match finding.kind {
                FindingKind::KernelPreemption => ", of the kernel",
                _ => "",
            };
            let from = second.map_or(String::new(), |second| format!(" from {second}"));
            format!("{count} x preempted by {comm}{whose}; longest: {first} took CPU {cpu}{from} for {lasts}")
        }
        FindingKind::CallWait => format!("{first} waited {lasts} for CPU {cpu} in {call}"),
        FindingKind::CallBlocked => format!(
            "{first} was blocked {} in {call}, which took {lasts}",
            times.time(finding.cost_ns)
        ),
    };
    let folded = match finding.folded {
        0 => String::new(),
        folded => format!(" (and {folded} more like it)"),
    };
    writeln!(
        out,
        "{:>20}  cost {:>16}  {what}{folded}{}",
        times.at(finding.start_ns),
        times.time(finding.cost_ns),
        text::doubt(finding.uncertain)
    )
}
