//! What building and asking cost, in time and memory:
//!
//! ```text
//! cargo run --release -p tracecore --example measure -- FILE [TIMES]
//! ```
//!
//! TIMES: the file's scheduling events, so many times one after the other, stand for a longer trace.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracecore::query::{
    CellKey, CellsQuery, CurveQuery, DepthQuery, Highlight, IndexSpec, Indexes, TaskCellsQuery, TimeWindow,
};
use tracecore::scan::{scan_cpu, CpuScan};
use tracecore::sched::{Meta, TraceBuilder};
use tracecore::tracedat::TraceFile;

const BUCKETS: u32 = 3200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which file?")?;
    let times: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let file = TraceFile::open(std::fs::read(path)?)?;

    let started = Instant::now();
    let mut scans = (0..file.cpus().len())
        .map(|cpu| scan_cpu(&file, cpu))
        .collect::<Result<Vec<_>, _>>()?;
    report("scan, one thread", started.elapsed());
    repeat(&mut scans, times);

    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    let cpus: Vec<u32> = scans.iter().map(|scan| scan.cpu).collect();
    scans.into_iter().for_each(|scan| builder.add(scan));
    let started = Instant::now();
    let trace = Arc::new(builder.finish(Meta {
        cpus: cpus.clone(),
        diagnostics: Vec::new(),
    }));
    report("build", started.elapsed());
    let started = Instant::now();
    let view = Indexes::new(Arc::clone(&trace), IndexSpec::default());
    report("indexes", started.elapsed());
    let started = Instant::now();
    let prefix = Highlight::Prefix {
        prefix: "ping".to_owned(),
    };
    let marked = view.with(IndexSpec {
        highlight: prefix,
        ..IndexSpec::default()
    });
    report("highlight", started.elapsed());

    let events = trace.sched_events.max(1);
    let intervals: usize = trace.lanes.iter().map(|lane| lane.len()).sum();
    println!(
        "{events} scheduling events, {intervals} intervals, {} wakeups, {} tasks",
        trace.edges.len(),
        trace.tasks.len()
    );
    println!(
        "{:.1} bytes held per scheduling event",
        view.memory_bytes() as f64 / events as f64
    );
    for (what, bytes) in view.memory_by_part() {
        println!("    {:.1} {what}", bytes as f64 / events as f64);
    }
    let whole = TimeWindow {
        start: 0,
        end: trace.span_ns,
    };
    let started = Instant::now();
    view.task_table(Some(whole));
    report("sums of windows", started.elapsed());
    let started = Instant::now();
    view.cpu_table(Some(whole));
    report("runqueues", started.elapsed());
    println!(
        "{:.1} bytes held per scheduling event with these",
        view.memory_bytes() as f64 / events as f64
    );
    ask(&view, &marked, &cpus);
    ask_tasks(&view);
    Ok(())
}

/// Times the states of as many tasks as a screen shows, those with the most runs: until they are worked out, then at
/// several zooms.
fn ask_tasks(view: &Indexes) {
    let mut tasks = view.tasks(None, None);
    tasks.sort_by_key(|task| std::cmp::Reverse(task.runs));
    tasks.truncate(50);
    let span = view.trace().span_ns;
    let top = u64::BITS - (span / u64::from(BUCKETS)).leading_zeros();
    let query = |level: u32| TaskCellsQuery {
        level,
        first_bucket: 0,
        buckets: BUCKETS.min((span >> level) as u32 + 1),
        tasks: tasks.iter().map(|task| task.task).collect(),
    };
    let mut calls = Vec::new();
    loop {
        let started = Instant::now();
        let missing = view.task_cells(&query(top)).missing.len();
        calls.push(started.elapsed());
        if missing == 0 {
            break;
        }
    }
    let (runs, all) = (
        tasks.iter().map(|task| task.runs).sum::<u64>(),
        calls.iter().sum::<Duration>(),
    );
    let states = tasks.iter().filter_map(|task| view.task_states(task.task));
    let (intervals, bytes) = states.fold((0, 0), |(intervals, bytes), states| {
        (intervals + states.len(), bytes + states.memory_bytes())
    });
    println!(
        "states of {} tasks, {runs} runs, {intervals} states: {all:.2?} in {} calls, the longest {:.2?}; {:.1} bytes each",
        tasks.len(),
        calls.len(),
        calls.iter().max().copied().unwrap_or_default(),
        bytes as f64 / intervals.max(1) as f64,
    );
    for level in (0..=top).rev().step_by(3) {
        let query = query(level);
        println!(
            "    2^{level:<2} ns  cells {:>9.2?}",
            best(|| view.task_cells(&query).cells.len())
        );
    }
}

/// Times the queries of a screen, at several zooms around the trace's middle.
fn ask(view: &Indexes, marked: &Indexes, cpus: &[u32]) {
    let span = view.trace().span_ns;
    println!("{} CPUs x {BUCKETS} buckets:", cpus.len());
    let top = u64::BITS - (span / u64::from(BUCKETS)).leading_zeros();
    for level in (0..=top).rev().step_by(3) {
        let buckets = BUCKETS.min((span >> level) as u32 + 1);
        let first_bucket = ((span / 2) >> level).saturating_sub(u64::from(buckets) / 2);
        let query = CellsQuery {
            level,
            first_bucket,
            buckets,
            cpus: cpus.to_vec(),
            key: CellKey::Task,
        };
        let cells = best(|| view.cells(&query).len());
        let highlighted = best(|| marked.cells(&query).len());
        let curve = best(|| {
            view.curve(&CurveQuery {
                level,
                first_bucket,
                buckets,
            })
            .len()
        });
        let window = TimeWindow {
            start: first_bucket << level,
            end: (first_bucket + u64::from(buckets)) << level,
        };
        let labels = best(|| view.labels(window, 40 << level, cpus).len());
        let commands = best(|| view.commands(Some(window)).len());
        let tasks = best(|| view.task_table(Some(window)).len());
        let by_cpu = best(|| view.cpu_table(Some(window)).len());
        let depth = best(|| {
            view.depth(&DepthQuery {
                level,
                first_bucket,
                buckets,
                cpus: cpus.to_vec(),
            })
            .len()
        });
        let numbers = best(|| view.window_stats(window).running.max as usize);
        println!(
            "    2^{level:<2} ns  cells {cells:>9.2?}  highlighted {highlighted:>9.2?}  curve {curve:>9.2?}  labels {labels:>9.2?}  commands {commands:>9.2?}  tasks {tasks:>9.2?}  CPUs {by_cpu:>9.2?}  depth {depth:>9.2?}  stats {numbers:>9.2?}"
        );
    }
    let at = span / 2;
    let cpu = cpus
        .iter()
        .copied()
        .find(|&cpu| view.chain(cpu, at, 1).is_some())
        .unwrap_or(0);
    report(
        "chain",
        best(|| view.chain(cpu, at, 100).map_or(0, |chain| chain.back.len())),
    );
}

/// The best of some rounds: the others had to share the machine.
fn best(mut query: impl FnMut() -> usize) -> Duration {
    let mut time = || {
        let started = Instant::now();
        std::hint::black_box(query());
        started.elapsed()
    };
    (0..7).map(|_| time()).min().unwrap_or_default()
}

fn repeat(scans: &mut [CpuScan], times: u64) {
    let first = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let last = scans.iter().filter_map(|scan| scan.last_ns).max().unwrap_or(0);
    for scan in scans {
        let rows = scan.rows.clone();
        for round in 1..times {
            let later = round * (last - first);
            scan.rows.extend(rows.iter().map(|row| {
                let mut row = *row;
                row.ts += later;
                row
            }));
            scan.last_ns = scan.last_ns.map(|ns| ns.max(last + later));
        }
    }
}

fn report(what: &str, time: Duration) {
    println!("{what:18} {time:>10.2?}");
}
