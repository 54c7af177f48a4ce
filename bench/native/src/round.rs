//! One round on a file: open, scan, build, index, restore, ask; each stage is timed.

use std::error::Error;
use std::fs;

use schedmodel::{Meta, TraceBuilder};
use schedquery::query::Indexes;
use schedrows::{scan_stream, Source, Want};
use serde::Serialize;
use tracedat::file::TraceFile;

use crate::allocation;
use crate::clock::cpu_ms;
use crate::file::Input;
use crate::questions::{self, Planned, Times};
use crate::records::{self, RecordTimes};
use crate::{Args, Stage};

/// The numbers that `bench/measure.mjs` reads; those of stages that were left out are missing.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Round {
    bytes: u64,
    cpus: usize,
    records: u64,
    sched_events: u64,
    /// Of `scan_ms`, what the file says before its events.
    open_ms: f64,
    scan_ms: f64,
    /// As `scan_ms`, of a scan that also keeps what the page's keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_scan_ms: Option<f64>,
    build_ms: f64,
    index_ms: f64,
    held_bytes: usize,
    peak_bytes: usize,
    /// Bytes of the stored model.
    stored_bytes: usize,
    /// From the stored model to the point that the indexes reach.
    restore_ms: f64,
    answers: Vec<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<RecordTimes>,
}

/// Measures a file; returns JSON.
pub fn run(args: &Args) -> Result<String, Box<dyn Error>> {
    let mut round = Round::default();
    let view = measure(args, &mut round)?;
    drop(view);
    if args.page_scan {
        let all = Want {
            index: true,
            kernel: true,
        };
        let start = cpu_ms();
        let file = formats::open(Input::open(&args.file)?)?;
        let builder = scanned(&file, file.first_ns()?.unwrap_or(0), all)?;
        round.page_scan_ms = Some(cpu_ms() - start);
        drop(builder);
    }
    if args.records {
        let file = TraceFile::open(Input::open(&args.file)?)?;
        let base_ns = file.first_ns()?.unwrap_or(0);
        let (merged, times) = records::measure(&file, base_ns)?;
        assert_eq!(merged, round.records, "the scan and the merge see the same records");
        round.raw = Some(times);
    }
    Ok(serde_json::to_string(&round)?)
}

/// The stages up to the last one that is wanted.
fn measure(args: &Args, round: &mut Round) -> Result<Option<Indexes>, Box<dyn Error>> {
    let input = Input::open(&args.file)?;
    round.bytes = input.len;
    let before = allocation::held();

    let start = cpu_ms();
    let file = formats::open(input)?;
    let base_ns = file.first_ns()?.unwrap_or(0);
    round.open_ms = cpu_ms() - start;
    if args.until == Stage::Open {
        return Ok(None);
    }
    let builder = scanned(&file, base_ns, Want::default())?;
    round.scan_ms = cpu_ms() - start;
    if args.until == Stage::Scan {
        return Ok(None);
    }

    let start = cpu_ms();
    let meta = Meta {
        cpus: (0..file.info().cpu_count).collect(),
        facts: file.facts(),
    };
    drop(file);
    let trace = builder.finish(meta);
    round.build_ms = cpu_ms() - start;
    (round.cpus, round.records, round.sched_events) = (trace.cpus.len(), trace.records, trace.sched_events);
    if args.until == Stage::Build {
        return Ok(None);
    }

    let start = cpu_ms();
    let view = Indexes::of(trace.into());
    while !view.prepare() {}
    round.index_ms = cpu_ms() - start;
    (round.held_bytes, round.peak_bytes) = (allocation::held() - before, allocation::peak() - before);
    if args.until >= Stage::Restore {
        (round.stored_bytes, round.restore_ms) = restored(&view)?;
    }
    if let (Stage::Ask, Some(path)) = (args.until, &args.questions) {
        let planned: Vec<Planned> = serde_json::from_slice(&fs::read(path)?)?;
        for of_a_kind in planned {
            round.answers.push(questions::ask(&view, of_a_kind)?);
        }
    }
    Ok(Some(view))
}

/// All streams, ready to be built of.
fn scanned<S: Source>(file: &S, base_ns: u64, want: Want) -> Result<TraceBuilder, Box<dyn Error>> {
    let mut builder = TraceBuilder::new(base_ns);
    for index in 0..file.streams().len() {
        let scan = scan_stream(file, index, want, &mut |_| {})?;
        scan.cpus.into_iter().for_each(|cpu| builder.add(cpu));
    }
    Ok(builder)
}

/// Stores the trace with its indexes in memory, and opens it again; the size, and how long opening took.
fn restored(view: &Indexes) -> Result<(usize, f64), Box<dyn Error>> {
    let mut stored = Vec::new();
    view.store(&mut stored, "bench")?;
    let start = cpu_ms();
    Indexes::restore(&mut stored.as_slice(), stored.len() as u64, "bench")?;
    Ok((stored.len(), cpu_ms() - start))
}
