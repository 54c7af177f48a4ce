//! Replays: a workload that is made, or that of a trace or a text, under any policy.

use crate::source::error::internal;
use crate::source::json;
use replay::engine::{run, Limits};
use replay::machine::Machine;
use replay::policy::{PolicyError, Spec};
use replay::recipe::Recipe;
use replay::{from_rows, text, Recording, Workload};
use schedrows::{scan_stream, CpuScan, Source, Want};
use serde::Serialize;
use tracedat::file::TraceFile;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// A workload that can be replayed.
#[wasm_bindgen]
pub struct Replayed(Workload);

/// What a run was.
#[derive(Serialize)]
struct Run {
    hash: String,
    switches: u64,
    rows: u64,
    engine_events: u64,
}

#[wasm_bindgen]
impl Replayed {
    /// What is made by that name (`pairs:threads=400`), with events for so many ms.
    pub fn made(name: &str, until_ms: f64) -> Result<Replayed, JsValue> {
        let recipe = Recipe::of(name).unwrap_or_else(|| Err(format!("nothing is made by the name {name}")));
        let recipe = recipe.map_err(|error| internal(&error))?;
        Ok(Replayed(recipe.make(ns(until_ms))))
    }

    /// Of a workload's text.
    pub fn text(text: &str) -> Result<Replayed, JsValue> {
        let workload = text::read(text).map_err(|error| internal(&error.to_string()))?;
        Ok(Replayed(workload))
    }

    /// Of a trace.dat.
    pub fn trace(bytes: Vec<u8>) -> Result<Replayed, JsValue> {
        let failed = |error: &dyn std::fmt::Display| internal(&error.to_string());
        let file = TraceFile::open(bytes).map_err(|error| failed(&error))?;
        let mut scans: Vec<CpuScan> = Vec::new();
        for stream in 0..file.streams().len() {
            let scan = scan_stream(&file, stream, Want::default(), &mut |_| {}).map_err(|error| failed(&error))?;
            scans.extend(scan.cpus);
        }
        let recording = Recording {
            cpus: file.info().cpu_count,
            ..Recording::default()
        };
        Ok(Replayed(from_rows(scans, &recording)))
    }

    /// Runs it for so many ms, or as long as the recording was, on so many CPUs, or those of the recording; JSON of what the run was.
    pub fn run(&self, policy: &str, cpus: Option<u32>, tick_ms: f64, until_ms: Option<f64>) -> Result<String, JsValue> {
        let spec: Spec = policy
            .parse()
            .map_err(|error: PolicyError| internal(&error.to_string()))?;
        let mut machine = Machine::flat(cpus.or(self.0.cpus).unwrap_or(1));
        machine.tick_ns = ns(tick_ms).max(1);
        let limits = Limits {
            until_ns: until_ms.map(ns).or(self.0.span_ns),
            ..Limits::default()
        };
        let outcome = run(&self.0, &machine, &spec, limits).map_err(|error| internal(&error.to_string()))?;
        json(&Run {
            hash: format!("{:016x}", outcome.hash),
            switches: outcome.switches,
            rows: outcome.rows,
            engine_events: outcome.engine_events,
        })
    }
}

fn ns(ms: f64) -> u64 {
    (ms * 1e6) as u64
}
