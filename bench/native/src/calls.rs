//! What system calls and interrupts cost: opening with and without them, what is held of them, and questions about them.

use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use schedindex::Runs;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::ask::calls::{CallTrace, CallsAsked};
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{IndexSpec, Indexes};
use schedrows::{scan_stream, Source, Want};
use serde::Serialize;
use serde_json::json;

use crate::allocation;
use crate::clock::cpu_ms;
use crate::file::Input;

/// Task lanes on a screen, and buckets of a tile, as the page asks for them.
const LANES: usize = 40;
const BUCKETS: u32 = 1024;
/// Windows of each length that are asked about.
const PLACES: u64 = 12;
/// How many times narrower than the trace.
const ZOOMS: [u64; 4] = [1, 10, 100, 1000];

/// The numbers that `bench/calls.mjs` reads; times are milliseconds.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Measured {
    bytes: u64,
    records: u64,
    calls: u64,
    pairs: u64,
    /// Until lanes can be shown: scan, model and indexes.
    plain_ms: f64,
    /// The same with the rows of calls and interrupts.
    scanned_ms: f64,
    /// Pairing them.
    paired_ms: f64,
    call_bytes: usize,
    interrupt_bytes: usize,
    /// What the sums take that the first table makes.
    sum_bytes: usize,
    answers: Vec<Answered>,
}

/// Questions of a kind.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answered {
    name: String,
    /// The longest of them all.
    ms: f64,
    /// The longest step: another question waits at most this long.
    step_ms: f64,
}

/// Measures a file; returns JSON.
pub fn run(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut found = Measured::default();
    let start = cpu_ms();
    let (trace, _) = open(path, false)?;
    drop(Indexes::new(trace.into(), IndexSpec::default()));
    found.plain_ms = cpu_ms() - start;

    let start = cpu_ms();
    let (trace, logs) = open(path, true)?;
    // What is paired is of another copy: the page keeps it in a module of its own.
    let copy = trace.clone();
    let scanned = cpu_ms() - start;
    let start = cpu_ms();
    drop(Indexes::new(trace.into(), IndexSpec::default()));
    found.scanned_ms = scanned + cpu_ms() - start;
    let trace = copy;

    let runs = Runs::new(&trace);
    let (start, before) = (cpu_ms(), allocation::held());
    let calls = Calls::new(&trace, &runs, &logs);
    found.paired_ms = cpu_ms() - start;
    found.interrupt_bytes = calls.interrupt_bytes();
    found.call_bytes = (allocation::held() - before).saturating_sub(found.interrupt_bytes);
    (found.bytes, found.records, found.calls) = (Input::open(path)?.len, trace.records, calls.len());
    for lane in 0..trace.lanes.len() {
        calls
            .interrupts
            .handlers(lane, &(0..trace.span_ns), |_, _, _| found.pairs += 1);
    }
    let lanes = busiest(&calls);
    drop(calls);
    let (span, cpus) = (trace.span_ns, trace.cpus.clone());
    let trace = Rc::new(CallTrace::new(trace, logs, None));
    let before = allocation::held();
    tables(&trace, span, &mut found)?;
    found.sum_bytes = allocation::held() - before;
    tiles(&trace, span, ("calls", &lanes), &mut found)?;
    tiles(&trace, span, ("task_irqs", &lanes), &mut found)?;
    tiles(&trace, span, ("cpu_irqs", &cpus), &mut found)?;
    Ok(serde_json::to_string(&found)?)
}

fn open(path: &Path, kernel: bool) -> Result<(Trace, Vec<KernelLog>), Box<dyn Error>> {
    let file = formats::open(Input::open(path)?)?;
    let want = Want {
        kernel,
        ..Want::default()
    };
    let mut builder = TraceBuilder::new(file.first_ns()?.unwrap_or(0));
    let mut logs = Vec::new();
    for index in 0..file.streams().len() {
        let scan = scan_stream(&file, index, want, &mut |_| {})?;
        for mut cpu in scan.cpus {
            if kernel {
                logs.push(KernelLog::take(&mut cpu));
            }
            builder.add(cpu);
        }
    }
    let meta = Meta {
        cpus: (0..file.info().cpu_count).collect(),
        facts: file.facts(),
    };
    Ok((builder.finish(meta), logs))
}

/// The tasks with the most calls.
fn busiest(calls: &Calls) -> Vec<u32> {
    let threads = calls.threads.iter();
    let mut all: Vec<(usize, u32)> = threads
        .filter_map(|thread| Some((calls.of(thread).len(), thread.task?.0)))
        .collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    all.into_iter().take(LANES).map(|(_, task)| task).collect()
}

/// Windows of a length, spread over a trace.
fn windows(span: u64, zoom: u64) -> Vec<Range<u64>> {
    let length = (span / zoom).max(1);
    let places = if zoom == 1 { 1 } else { PLACES };
    let free = span - length;
    let from = |place: u64| free * place / places.max(2);
    (0..places).map(|place| from(place)..from(place) + length).collect()
}

fn tables(trace: &Rc<CallTrace>, span: u64, found: &mut Measured) -> Result<(), Box<dyn Error>> {
    let table = |window: &Range<u64>, sums: bool| {
        json!({ "call_table": {
            "selection": {
                "window": { "start": window.start, "end": window.end },
                "forked": false, "movable": false, "target": null, "comms": [], "pids": [], "cpus": null,
            },
            "by": "call", "errors": false, "net": false, "sums_only": sums, "top": 1000,
        } })
    };
    let whole = 0..span;
    found
        .answers
        .push(ask(trace, "first table, sums", &[table(&whole, true)])?);
    for (sums, name) in [(true, "counts and sums"), (false, "with percentiles")] {
        for zoom in ZOOMS {
            let questions: Vec<_> = windows(span, zoom).iter().map(|window| table(window, sums)).collect();
            let name = format!("table of 1/{zoom}, {name}");
            found.answers.push(ask(trace, &name, &questions)?);
        }
    }
    Ok(())
}

fn tiles(
    trace: &Rc<CallTrace>,
    span: u64,
    (kind, keys): (&str, &[u32]),
    found: &mut Measured,
) -> Result<(), Box<dyn Error>> {
    for zoom in ZOOMS {
        let level = (span / zoom / u64::from(BUCKETS)).max(1).ilog2();
        let tile = |window: &Range<u64>| {
            json!({ "tile": {
                "kind": kind, "keys": keys, "level": level, "first_bucket": window.start >> level, "buckets": BUCKETS,
            } })
        };
        let questions: Vec<_> = windows(span, zoom).iter().map(tile).collect();
        let name = format!("{} lanes of {kind}, 1/{zoom}", keys.len());
        found.answers.push(ask(trace, &name, &questions)?);
    }
    Ok(())
}

/// Each question twice; of the two times the shorter one counts, but for the first table, which is asked once.
fn ask(trace: &Rc<CallTrace>, name: &str, questions: &[serde_json::Value]) -> Result<Answered, Box<dyn Error>> {
    let (mut ms, mut step_ms) = (0.0_f64, 0.0_f64);
    let repeats = if name.starts_with("first") { 1 } else { 2 };
    for question in questions {
        let mut best = (f64::INFINITY, f64::INFINITY);
        for _ in 0..repeats {
            let (all, step) = answer(trace, question)?;
            best = (best.0.min(all), best.1.min(step));
        }
        (ms, step_ms) = (ms.max(best.0), step_ms.max(best.1));
    }
    Ok(Answered {
        name: name.to_owned(),
        ms,
        step_ms,
    })
}

/// How long a whole answer takes, and its longest step.
fn answer(trace: &Rc<CallTrace>, question: &serde_json::Value) -> Result<(f64, f64), Box<dyn Error>> {
    let question = serde_json::from_value(question.clone())?;
    let start = Instant::now();
    let mut asked = CallsAsked::new(trace, question, &[]);
    let (mut longest, mut more) = (0.0_f64, true);
    while more {
        let step = Instant::now();
        more = asked.step();
        longest = longest.max(step.elapsed().as_secs_f64() * 1e3);
    }
    let last = Instant::now();
    if let Some(mut answer) = asked.answer() {
        std::hint::black_box(answer.take_words());
        std::hint::black_box(serde_json::to_string(&answer)?);
    }
    longest = longest.max(last.elapsed().as_secs_f64() * 1e3);
    Ok((start.elapsed().as_secs_f64() * 1e3, longest))
}
