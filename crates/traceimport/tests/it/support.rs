//! Opens files and scans them.

use std::collections::BTreeMap;
use std::path::Path;

use schedrows::{scan_stream, CpuScan, Event, ReadAt, Row, RowKind, Source, SourceError, Want};
use traceimport::Import;

pub fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/import")
        .join(name);
    let bytes = std::fs::read(&path).unwrap();
    match name.strip_suffix(".zst") {
        Some(_) => zstd::stream::decode_all(bytes.as_slice()).unwrap(),
        None => bytes,
    }
}

pub fn open(bytes: Vec<u8>) -> Result<Import<Vec<u8>>, SourceError> {
    Import::open(bytes)
}

pub fn opened(name: &str) -> Import<Vec<u8>> {
    open(fixture(name)).unwrap()
}

pub fn scan<R: ReadAt>(source: &Import<R>) -> Vec<CpuScan> {
    scan_source(source)
}

pub fn scan_source(source: &dyn Source) -> Vec<CpuScan> {
    let streams = 0..source.streams().len();
    streams
        .flat_map(|stream| scan_stream(source, stream, Want::default(), &mut |_| {}).unwrap().cpus)
        .collect()
}

/// How often each event is there.
pub fn counts(source: &dyn Source) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for scan in scan_source(source) {
        for (id, count) in scan.events {
            let name = source
                .event_name(id)
                .map_or_else(|| id.to_string(), |(_, name)| name.to_owned());
            *counts.entry(name).or_default() += count;
        }
    }
    counts
}

/// Counts of switches, wakings, wakeups, new wakeups, migrations and forks.
pub fn usual(source: &dyn Source) -> [u64; 6] {
    let counts = counts(source);
    let names = [
        "sched_switch",
        "sched_waking",
        "sched_wakeup",
        "sched_wakeup_new",
        "sched_migrate_task",
        "sched_process_fork",
    ];
    names.map(|name| counts.get(name).copied().unwrap_or(0))
}

/// A row with its names, and without its time.
pub fn words(scan: &CpuScan, row: &Row) -> String {
    let name = |comm: u32| scan.comms.names.get(comm as usize).map_or("?", String::as_str);
    let (who, context) = (row.writer(), row.context);
    let prio = row.prio;
    match row.event() {
        Event::Switch(switch) => {
            let prev = switch.prev.unwrap();
            let state = char::from(switch.prev_state.letter());
            let (next, plus) = (switch.next, switch.prev_state.preempted());
            format!(
                "{}:{} {state}{plus} {}:{} {prio} by {who:?} {context}",
                name(prev.comm),
                prev.pid,
                name(next.comm),
                next.pid
            )
        }
        Event::Wakeup(wakeup) => {
            let wakee = wakeup.wakee;
            format!(
                "{:?} {}:{} {:?} {prio} by {who:?} {context}",
                wakeup.kind,
                name(wakee.comm),
                wakee.pid,
                wakeup.cpu
            )
        }
        Event::Migrate { task, from, to } => format!("{}:{} {from:?} {to:?}", name(task.comm), task.pid),
        Event::Fork { parent, child } => format!(
            "{}:{} {}:{}",
            name(parent.comm),
            parent.pid,
            name(child.comm),
            child.pid
        ),
        Event::Rename(task) => format!("{}:{}", name(task.comm), task.pid),
        Event::Exit(task) => format!("{}:{} {prio}", name(task.comm), task.pid),
        other => format!("{other:?}"),
    }
}

/// Time and words of each CPU's rows.
pub fn story(source: &dyn Source) -> BTreeMap<u32, Vec<(u64, String)>> {
    let scans = scan_source(source);
    let of = |scan: &CpuScan| scan.rows.iter().map(|row| (row.ts, words(scan, &row))).collect();
    scans.iter().map(|scan| (scan.cpu, of(scan))).collect()
}

/// Switches of each CPU.
pub fn switches(source: &dyn Source) -> BTreeMap<u32, Vec<Row>> {
    let of = |scan: &CpuScan| scan.rows.iter().filter(|row| row.kind == RowKind::Switch).collect();
    scan_source(source).iter().map(|scan| (scan.cpu, of(scan))).collect()
}
