//! `corelane placement`: where wakeups placed tasks.

use std::fmt::{self, Write};
use std::sync::Arc;

use clap::Args;
use schedmodel::topology::{Distance, Topology};
use schedquery::query::{placements, Placements};
use serde::Serialize;
use serde_json::{json, Value};

use crate::edges::Moved;
use crate::listing::ListingArgs;
use crate::load::Loader;
use crate::text::{self, Times};
use crate::topology::TopologyOption;
use crate::Failure;

#[derive(Args)]
pub struct PlacementArgs {
    #[command(flatten)]
    listing: ListingArgs,
    #[command(flatten)]
    topology: TopologyOption,
}

pub fn run(args: &PlacementArgs, loader: &Loader) -> Result<String, Failure> {
    let PlacementArgs { listing, topology } = args;
    let loaded = loader.load(&listing.file)?;
    if let Some(sentence) = text::nothing_to_count(&loaded, listing.json, &loader.options) {
        return Ok(sentence);
    }
    let topology = topology.or_of(&loaded).map(Arc::as_ref);
    let selection = listing.selection.selection(&loaded, &loader.options)?;
    let times = Times::of(&loaded);
    let found = Report::of(placements(&loaded.trace, &selection, listing.top));
    if listing.json {
        return match topology {
            Some(topology) => text::json(&with_distances(&found, topology, times)?),
            None => times.json(&found),
        };
    }
    let mut out = String::new();
    write(&found, topology, times, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

/// The JSON of the command.
#[derive(Serialize)]
struct Report {
    wakeups: u64,
    stayed: u64,
    to_waker: u64,
    elsewhere: u64,
    unknown: u64,
    moved_off_idle: u64,
    onto_busy: u64,
    moved_off_unknown: u64,
    onto_unknown: u64,
    moved: Vec<Moved>,
    caveat: &'static str,
}

impl Report {
    fn of(found: Placements) -> Report {
        Report {
            wakeups: found.wakeups,
            stayed: found.stayed,
            to_waker: found.to_waker,
            elsewhere: found.elsewhere,
            unknown: found.unknown,
            moved_off_idle: found.moved_off_idle,
            onto_busy: found.onto_busy,
            moved_off_unknown: found.moved_off_unknown,
            onto_unknown: found.onto_unknown,
            moved: found.moved.into_iter().map(Moved::from).collect(),
            caveat: found.caveat,
        }
    }
}

/// The idle CPUs of a placement by their distance from the last CPU, the nearest first; nothing if that is not known.
fn idle_by_distance(placement: &Moved, topology: &Topology) -> Vec<(Option<Distance>, Vec<u32>)> {
    let from = placement.previous_cpu;
    from.map_or(Vec::new(), |from| topology.by_distance(from, &placement.idle_cpus))
}

/// The JSON, with `idle_by_distance` and the distance of the chosen CPU in each of `moved`.
fn with_distances(found: &Report, topology: &Topology, times: Times) -> Result<Value, Failure> {
    let mut report = serde_json::to_value(times.in_json(found)).map_err(|error| Failure(error.to_string()))?;
    let entries = report.get_mut("moved").and_then(Value::as_array_mut);
    let entries = entries.into_iter().flatten().filter_map(Value::as_object_mut);
    for (entry, placement) in entries.zip(&found.moved) {
        let groups = idle_by_distance(placement, topology);
        let groups = groups
            .iter()
            .map(|(distance, cpus)| json!({ "distance": distance, "cpus": cpus }));
        entry.insert("idle_by_distance".to_owned(), groups.collect());
        let both = placement.previous_cpu.zip(placement.chosen_cpu);
        let distance = both.and_then(|(from, to)| topology.distance(from, to));
        entry.insert("distance".to_owned(), json!(distance));
    }
    Ok(report)
}

/// A text such as `3: 1,4-5`, or, by distance, `3: core 4, llc 1, machine 5`.
fn idle_text(placement: &Moved, topology: Option<&Topology>) -> String {
    let groups = topology.map_or(Vec::new(), |topology| idle_by_distance(placement, topology));
    let name = |distance: Option<Distance>| match distance {
        Some(Distance::Cpu) => "same CPU",
        Some(Distance::Core) => "same core",
        Some(Distance::Llc) => "same LLC",
        Some(Distance::Socket) => "same socket",
        Some(Distance::Machine) => "other socket",
        None => "unknown",
    };
    let by_distance = groups
        .iter()
        .map(|(distance, cpus)| format!("{} {}", name(*distance), text::cpu_list(cpus)));
    let cpus = if groups.is_empty() {
        text::cpu_list(&placement.idle_cpus)
    } else {
        by_distance.collect::<Vec<_>>().join("; ")
    };
    format!("{}: {cpus}", placement.idle_cpus.len())
}

/// The number of wakeups of which the trace does not tell whether they count.
fn perhaps(unknown: u64) -> String {
    match unknown {
        0 => String::new(),
        _ => format!(" (unknown of {unknown} more)"),
    }
}

fn write(found: &Report, topology: Option<&Topology>, times: Times, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "{} wakeups: {} put where the task last ran, {} on the waker's CPU, {} on a third, {} not told",
        found.wakeups, found.stayed, found.to_waker, found.elsewhere, found.unknown
    )?;
    writeln!(
        out,
        "{} moved off a free last CPU{}; {} put on a CPU that was not free although some CPU was idle{}",
        found.moved_off_idle,
        perhaps(found.moved_off_unknown),
        found.onto_busy,
        perhaps(found.onto_unknown)
    )?;
    writeln!(out, "Note: {}.", found.caveat)?;
    writeln!(
        out,
        "\nMoved off a free last CPU, the longest latency (from sched_waking) first; waker: of sched_waking\n{:>20}{:>16}  {:24}{:24}{:>6}{:>7}{:>8}{:>5}  idle CPUs",
        "at", "latency", "wakee", "waker", "last", "waker", "chosen", "ran"
    )?;
    for placement in &found.moved {
        writeln!(
            out,
            "{:>20}{:>16}  {:24}{:24}{:>6}{:>7}{:>8}{:>5}  {}{}",
            times.at(placement.at_ns),
            times.maybe(placement.latency_ns),
            text::task(&placement.wakee.comm, placement.wakee.pid),
            text::task(&placement.waker_comm, placement.waker_pid),
            text::cpu(placement.previous_cpu),
            placement.waker_cpu,
            text::cpu(placement.chosen_cpu),
            text::cpu(placement.cpu),
            idle_text(placement, topology),
            text::doubt(placement.uncertain)
        )?;
    }
    Ok(())
}
