//! `corelane findings`: what deserves a look, the costliest first.

use std::fmt::{self, Write};

use clap::builder::PossibleValuesParser;
use clap::Args;
use schedquery::query::{
    call_findings, CallNames, CallStates, Finding, FindingKind, Selection, TaskName, AFFINITY_CAVEAT,
};
use serde::Serialize;

use crate::input::FileArgs;
use crate::load::{Loaded, Loader};
use crate::selection::SelectionArgs;
use crate::syscalls::LoadedCalls;
use crate::text::{self, Times};
use crate::visible::visible;
use crate::Failure;

#[derive(Args)]
pub struct FindingsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// How many to list of each kind
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Only findings of this kind; may be given several times
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(FindingKind::WORDS))]
    kind: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// A finding as it is printed.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    finding: Finding,
    /// What the finding cannot know.
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<&'static str>,
}

pub fn run(args: &FindingsArgs, loader: &Loader) -> Result<String, Failure> {
    match loader.load_calls_if_any(&args.file)? {
        Some(all) => {
            if let Some(sentence) = text::nothing_to_count(&all.loaded, args.json, &loader.options) {
                return Ok(sentence);
            }
            let selection = args.selection.selection(&all.loaded, &loader.options)?;
            let of_calls = of_calls(&all, &selection, args.top);
            let found = all.loaded.model().findings_beside(&selection, args.top, of_calls);
            list(args, &all.loaded, found)
        }
        None => {
            let loaded = loader.load(&args.file)?;
            if let Some(sentence) = text::nothing_to_count(&loaded, args.json, &loader.options) {
                return Ok(sentence);
            }
            let selection = args.selection.selection(&loaded, &loader.options)?;
            list(args, &loaded, loaded.model().findings(&selection, args.top))
        }
    }
}

fn of_calls(all: &LoadedCalls, selection: &Selection, top: usize) -> Vec<Finding> {
    let names = CallNames::new(&all.calls, None, || all.machine);
    call_findings(all.model(&names, &CallStates::default()), selection, top)
}

/// Prints those that are wanted.
fn list(args: &FindingsArgs, loaded: &Loaded, found: Vec<Finding>) -> Result<String, Failure> {
    let wanted = |finding: &Finding| args.kind.is_empty() || args.kind.iter().any(|kind| kind == finding.kind.name());
    let found: Vec<Finding> = found.into_iter().filter(wanted).collect();
    let times = Times::of(loaded);
    if args.json {
        let listed = found.into_iter().map(|finding| Listed {
            caveat: finding.kind.needs_affinity().then_some(AFFINITY_CAVEAT),
            finding,
        });
        return times.json(&listed.collect::<Vec<_>>());
    }
    let mut out = String::new();
    write(&found, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn write(found: &[Finding], times: Times, out: &mut String) -> fmt::Result {
    if found.iter().any(|finding| finding.kind.needs_affinity()) {
        writeln!(
            out,
            "Note: {AFFINITY_CAVEAT}. --movable leaves out tasks that never ran on a second CPU."
        )?;
    }
    found.iter().try_for_each(|finding| write_finding(finding, times, out))
}

fn name(task: &TaskName) -> String {
    text::task(&task.comm, task.pid)
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
        FindingKind::Gap => {
            let slept = finding.slept_ns.filter(|&ns| 0 < ns).map(|ns| times.time(ns));
            let slept = slept.map_or(String::new(), |slept| {
                format!("; they slept for {slept} more of what is missing")
            });
            format!("{comm}, busy otherwise, hardly ran for {lasts} while its tasks waited{slept}")
        }
        FindingKind::MovedOffIdle => format!("{first} was woken away from the free CPU {cpu}, and ran after {lasts}"),
        FindingKind::Cascade => format!("cascade of {count} moves, from {first} being put on CPU {cpu}"),
        FindingKind::Latency => format!("{first} ran {lasts} after its wakeup, on CPU {cpu}"),
        FindingKind::KernelPreemption | FindingKind::Preemption => {
            let whose = match finding.kind {
                FindingKind::KernelPreemption => ", of the kernel",
                _ => "",
            };
            let other = second.as_deref().unwrap_or("a task");
            let involuntary = finding.preempted.as_ref().map_or(0, |preempted| preempted.involuntary);
            let longest = match &finding.preempted {
                Some(preempted) if preempted.end_state.ends_with('+') => {
                    format!("{first} took CPU {cpu} from {other} for {lasts}")
                }
                _ => format!("{first} ran next after {other} on CPU {cpu}, for {lasts}"),
            };
            match involuntary {
                all if all == count => format!("{count} x preempted by {comm}{whose}; longest: {longest}"),
                some => format!(
                    "{comm}{whose} ran next after runnable tasks {count} x, of which it preempted {some}; longest: {longest}"
                ),
            }
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
