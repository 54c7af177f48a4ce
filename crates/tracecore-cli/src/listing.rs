//! Commands that list the worst of something: `corelane placement`, `waits`, `cascades`.

use std::fmt::{self, Write};

use clap::Args;
use schedmodel::WaitCause;
use schedquery::query::{Cascade, CascadeReport, Cascades, TaskName, WaitInfo, WaitReport};
use serde::Serialize;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{self, Times};
use crate::Failure;

#[derive(Args)]
pub struct ListingArgs {
    #[command(flatten)]
    pub file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    pub json: bool,
    /// How many to list
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
}

pub fn run(listing: Listing, args: &ListingArgs, loader: &Loader) -> Result<String, Failure> {
    let loaded = loader.load(&args.file)?;
    if let Some(sentence) = text::nothing_to_count(&loaded, args.json, &loader.options) {
        return Ok(sentence);
    }
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let (model, json, top) = (loaded.model(), args.json, args.top);
    let times = Times::of(&loaded);
    match listing {
        Listing::Waits => told(&model.waits(&selection, top), json, times, write_waits),
        Listing::Cascades => {
            let found = Cascades::new(&loaded.trace).longest(&selection, top);
            told(&found, json, times, write_cascades)
        }
    }
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
            WaitCause::Replenished => "replenished",
        };
        writeln!(
            out,
            "{:>20} {} waited {} ({began}), then ran on CPU {}; {}{}",
            times.at(wait.since_ns),
            name(&wait.task),
            times.time(wait.wait_ns),
            wait.cpu,
            beside(wait, times),
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

/// Which part of a wait another CPU could have spared it.
fn beside(wait: &WaitInfo, times: Times) -> String {
    if wait.bound {
        return format!("a kernel thread bound to CPU {}", wait.cpu);
    }
    let behind = times.time(wait.behind_ns);
    format!("behind others while another CPU was idle for {behind} of it")
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
