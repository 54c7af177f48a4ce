//! One round on a file: open, scan, build, query; each stage is timed.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use tracecore::query::{CellKey, CellsQuery, CurveQuery, IndexSpec, Indexes};
use tracecore::scan::{scan_cpu, Source};
use tracecore::sched::{Meta, Trace, TraceBuilder};
use tracecore::tracedat::TraceFile;

use crate::allocation;
use crate::clock::cpu_ms;
use crate::file::Input;
use crate::jobs::{self, JobTimes};
use crate::records::{self, RecordTimes};

/// Columns of a pane, as in `bench/plan.mjs`.
const COLUMNS: u64 = 1600;
/// Zooms: the whole trace and ever smaller parts of it.
const ZOOMS: [u64; 4] = [1, 16, 256, 4096];
/// How often a query is asked; the best time counts, because what the others take longer is due to the machine.
const REPEATS: usize = 9;

/// The numbers that `bench/measure.mjs` reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Round {
    bytes: u64,
    cpus: usize,
    records: u64,
    sched_events: u64,
    scan_ms: f64,
    build_ms: f64,
    held_bytes: usize,
    peak_bytes: usize,
    /// Bytes of the stored model.
    stored_bytes: usize,
    /// From the stored model to the point that the build reaches.
    restore_ms: f64,
    queries: Vec<QueryTimes>,
    jobs: Vec<JobTimes>,
    explain_ms: f64,
    raw: RecordTimes,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueryTimes {
    zoom: u64,
    level: u32,
    cells_ms: f64,
    curve_ms: f64,
}

/// Measures the file at `path`; returns JSON.
pub fn run(path: &Path) -> Result<String, Box<dyn Error>> {
    let input = Input::open(path)?;
    let bytes = input.len;
    let before = allocation::held();

    let start = cpu_ms();
    let file = TraceFile::open(input)?;
    let base_ns = file.first_ns()?.unwrap_or(0);
    let mut builder = TraceBuilder::new(base_ns);
    for index in 0..file.cpus().len() {
        builder.add(scan_cpu(&file, index)?);
    }
    let scan_ms = cpu_ms() - start;

    let (merged, records) = records::measure(&file, base_ns)?;

    let start = cpu_ms();
    let meta = Meta {
        cpus: (0..file.header().cpu_count).collect(),
        diagnostics: file.diagnostics().to_vec(),
    };
    drop(file);
    let view = Indexes::new(builder.finish(meta).into(), IndexSpec::default());
    let build_ms = cpu_ms() - start;

    let (held_bytes, peak_bytes) = (allocation::held() - before, allocation::peak());
    let (stored_bytes, restore_ms) = restored(view.trace())?;
    let trace = view.trace();
    assert_eq!(merged, trace.records, "the scan and the merge see the same records");
    Ok(serde_json::to_string(&Round {
        bytes,
        cpus: trace.cpus.len(),
        records: trace.records,
        sched_events: trace.sched_events,
        scan_ms,
        build_ms,
        held_bytes,
        peak_bytes,
        stored_bytes,
        restore_ms,
        queries: ZOOMS.iter().map(|&zoom| query_times(&view, zoom)).collect(),
        jobs: jobs::job_times(&view)?,
        explain_ms: jobs::explain_ms(&view),
        raw: records,
    })?)
}

/// Stores the trace in memory, and opens it again; the size, and how long opening took.
fn restored(trace: &Trace) -> Result<(usize, f64), Box<dyn Error>> {
    let mut stored = Vec::new();
    trace.store(&mut stored, "bench")?;
    let start = cpu_ms();
    let trace = Trace::restore(&mut stored.as_slice(), stored.len() as u64, "bench")?;
    Indexes::new(trace.into(), IndexSpec::default());
    Ok((stored.len(), cpu_ms() - start))
}

fn query_times(view: &Indexes, zoom: u64) -> QueryTimes {
    let span = view.trace().span_ns;
    let width = (span / zoom).max(COLUMNS);
    let level = (width / COLUMNS).ilog2();
    let first_bucket = (span / 2).saturating_sub(width / 2) >> level;
    let buckets = width.div_ceil(1 << level) as u32;
    let cells = CellsQuery {
        level,
        first_bucket,
        buckets,
        cpus: view.trace().cpus.clone(),
        key: CellKey::Task,
    };
    let curve = CurveQuery {
        level,
        first_bucket,
        buckets,
    };
    QueryTimes {
        zoom,
        level,
        cells_ms: best_ms(|| view.cells(&cells)),
        curve_ms: best_ms(|| view.curve(&curve)),
    }
}

fn best_ms<T>(query: impl Fn() -> T) -> f64 {
    let times = (0..REPEATS).map(|_| {
        let start = Instant::now();
        std::hint::black_box(query());
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}
