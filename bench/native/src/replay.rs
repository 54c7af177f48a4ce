//! A replay, timed: of a trace beside opening it, or of what is made.

use std::error::Error;
use std::path::Path;

use ::replay::engine::{run, Limits};
use ::replay::machine::Machine;
use ::replay::policy::{Spec, MS};
use ::replay::recipe::Recipe;
use ::replay::{from_rows, Recording, WorkEvent, Workload};
use formats::AnySource;
use schedmodel::{Meta, TraceBuilder};
use schedquery::query::{IndexSpec, Indexes};
use schedrows::{scan_stream, CpuScan, Source, Want};
use serde::Serialize;

use crate::allocation;
use crate::clock::cpu_ms;
use crate::file::Input;

/// The numbers that `bench/replay.mjs` reads.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Replayed {
    /// Of a trace, until it can be shown; its scan, without which there is no workload; and the workload.
    open_ms: f64,
    scan_ms: f64,
    workload_ms: f64,
    run_ms: f64,
    span_ns: u64,
    tasks: usize,
    events: usize,
    /// Bytes of the workload's events alone, and of all of it.
    event_bytes: usize,
    workload_bytes: usize,
    engine_events: u64,
    rows: u64,
    /// What the result holds.
    row_bytes: usize,
    hash: String,
}

/// Runs a trace, or what is made for so many seconds, under a policy.
pub fn measure(path: &Path, policy: &Spec, tick_ms: u64, seconds: u64) -> Result<String, Box<dyn Error>> {
    let mut found = Replayed::default();
    let before = allocation::held();
    let recipe = Recipe::of(path.to_str().unwrap_or_default()).transpose()?;
    let start = cpu_ms();
    let workload = match recipe {
        Some(recipe) => recipe.make(1000 * seconds * MS),
        None => {
            found.open_ms = opened(&formats::open(Input::open(path)?)?)?;
            let start = cpu_ms();
            let source = formats::open(Input::open(path)?)?;
            let scans = scans(&source)?;
            found.scan_ms = cpu_ms() - start;
            let recording = Recording {
                cpus: source.info().cpu_count,
                ..Recording::default()
            };
            let start = cpu_ms();
            let workload = from_rows(scans, &recording);
            found.workload_ms = cpu_ms() - start;
            workload
        }
    };
    if found.open_ms == 0.0 {
        found.workload_ms = cpu_ms() - start;
    }
    found.workload_bytes = allocation::held() - before;
    replay(&workload, policy, tick_ms, seconds, &mut found)?;
    Ok(serde_json::to_string(&found)?)
}

fn replay(
    workload: &Workload,
    policy: &Spec,
    tick_ms: u64,
    seconds: u64,
    found: &mut Replayed,
) -> Result<(), Box<dyn Error>> {
    let mut machine = Machine::flat(workload.cpus.unwrap_or(1));
    machine.tick_ns = tick_ms * MS;
    let limits = Limits {
        until_ns: Some(workload.span_ns.unwrap_or(1000 * seconds * MS)),
        ..Limits::default()
    };
    let before = allocation::held();
    let start = cpu_ms();
    let outcome = run(workload, &machine, policy, limits)?;
    found.run_ms = cpu_ms() - start;
    found.row_bytes = allocation::held() - before;
    found.tasks = workload.tasks.len();
    found.events = workload.events.len();
    found.event_bytes = size_of::<WorkEvent>() * workload.events.len();
    found.span_ns = outcome.span_ns;
    found.engine_events = outcome.engine_events;
    found.rows = outcome.rows;
    found.hash = format!("{:016x}", outcome.hash);
    Ok(())
}

fn scans(source: &AnySource<Input>) -> Result<Vec<CpuScan>, Box<dyn Error>> {
    let mut scans = Vec::new();
    for index in 0..source.streams().len() {
        scans.extend(scan_stream(source, index, Want::default(), &mut |_| {})?.cpus);
    }
    Ok(scans)
}

/// How long it takes until a trace can be shown, as a round has it.
fn opened(source: &AnySource<Input>) -> Result<f64, Box<dyn Error>> {
    let start = cpu_ms();
    let mut builder = TraceBuilder::new(source.first_ns()?.unwrap_or(0));
    scans(source)?.into_iter().for_each(|scan| builder.add(scan));
    let trace = builder.finish(Meta {
        cpus: (0..source.info().cpu_count).collect(),
        facts: source.facts(),
    });
    drop(Indexes::new(trace.into(), IndexSpec::default()));
    Ok(cpu_ms() - start)
}
