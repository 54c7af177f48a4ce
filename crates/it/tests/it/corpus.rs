//! Recorded traces against the output of `trace-cmd report` for them: the project's fixtures, and a larger corpus.
//!
//! The corpus (`CORELANE_TRACES`) holds `NAME.dat` or `NAME.dat.zst`, `NAME.report.zst`, and a `MANIFEST.json` of event
//! counts, times and lost events; `npm run test:all` asks for it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use schedrows::{CpuScan, Source};
use serde_json::Value;
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;

fn corpus() -> PathBuf {
    PathBuf::from(std::env::var_os("CORELANE_TRACES").expect("CORELANE_TRACES names a folder of recordings"))
}

fn unpack_zst(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap();
    let mut bytes = Vec::new();
    let mut decoder = zrip::FrameDecoder::new(std::io::BufReader::new(file));
    decoder.read_to_end(&mut bytes).unwrap();
    bytes
}

fn load(folder: &Path, stored_as: &str) -> Vec<u8> {
    let path = folder.join(stored_as);
    if stored_as.ends_with(".zst") {
        unpack_zst(&path)
    } else {
        std::fs::read(path).unwrap()
    }
}

struct Scanned {
    file: TraceFile<Vec<u8>>,
    scans: Vec<CpuScan>,
}

fn scan(bytes: Vec<u8>) -> Scanned {
    let file = TraceFile::open(bytes).unwrap();
    let scans = (0..file.cpus().len())
        .map(|index| scan_cpu(&file, index).unwrap())
        .collect();
    Scanned { file, scans }
}

impl Scanned {
    fn events_by_name(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for (id, count) in self.scans.iter().flat_map(|scan| &scan.events) {
            let name = self.file.event_name(*id).map_or("?", |(_, name)| name);
            *counts.entry(name.to_owned()).or_default() += count;
        }
        counts
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    value
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, count)| (name.clone(), number(count)))
        .collect()
}

/// The differences from the manifest, in words.
fn compare_to_manifest(entry: &Value, scanned: &Scanned) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: String, expected: String| {
        if found != expected {
            wrong.push(format!("{what}: found {found}, expected {expected}"));
        }
    };
    let header = scanned.file.header();
    check("version", header.version.to_string(), entry["file_version"].to_string());
    check(
        "compression",
        header.compression.name.clone(),
        entry["compression"].as_str().unwrap().to_owned(),
    );
    let clock = header.clock.clone().map_or(Value::Null, Value::String);
    // If the manifest has no clock, it was made from an empty TRACECLOCK option; the name is elsewhere.
    let expected = Some(&entry["clock"]).filter(|clock| !clock.is_null()).unwrap_or(&clock);
    check("clock", clock.to_string(), expected.to_string());
    check(
        "long size",
        header.long_size.to_string(),
        entry["long_size"].to_string(),
    );
    check(
        "page size",
        header.page_size.to_string(),
        entry["page_size"].to_string(),
    );
    let cpus = entry.get("cpus_in_report").unwrap_or(&entry["cpus"]);
    check("cpus", header.cpu_count.to_string(), cpus.to_string());
    check(
        "events",
        format!("{:?}", scanned.events_by_name()),
        format!("{:?}", counts(&entry["event_counts"])),
    );
    let first = scanned.scans.iter().filter_map(|scan| scan.first_ns).min();
    let last = scanned.scans.iter().filter_map(|scan| scan.last_ns).max();
    check(
        "first time",
        format!("{first:?}"),
        format!("{:?}", entry["first_timestamp"].as_u64()),
    );
    check(
        "last time",
        format!("{last:?}"),
        format!("{:?}", entry["last_timestamp"].as_u64()),
    );
    check(
        "first time alone",
        format!("{:?}", scanned.file.first_ns().unwrap()),
        format!("{first:?}"),
    );
    check(
        "nanoseconds",
        scanned.file.clock_is_ns().to_string(),
        (entry["timestamp_unit"] == "ns").to_string(),
    );
    let lost: BTreeMap<String, u64> = scanned
        .scans
        .iter()
        .filter(|scan| scan.lost_gaps > 0)
        .map(|scan| (scan.cpu.to_string(), scan.lost_events))
        .collect();
    check(
        "lost events",
        format!("{lost:?}"),
        format!("{:?}", counts(&entry["lost_events_by_cpu"])),
    );
    let gaps: u64 = scanned.scans.iter().map(|scan| scan.lost_gaps).sum();
    check("gaps", gaps.to_string(), entry["lost_marks"].to_string());
    let instances: Vec<&str> = header
        .buffers
        .iter()
        .skip(1)
        .map(|buffer| buffer.name.as_str())
        .collect();
    let mut expected: Vec<String> = counts(&entry["instance_event_counts"]).into_keys().collect();
    expected.sort_by_key(|name| instances.iter().position(|instance| instance == name));
    check("instances", format!("{instances:?}"), format!("{expected:?}"));
    let damage: Vec<&str> = scanned
        .scans
        .iter()
        .flat_map(|scan| &scan.diagnostics)
        .chain(scanned.file.diagnostics())
        .filter(|diagnostic| diagnostic.kind != schedrows::DiagnosticKind::LostEvents)
        .map(|diagnostic| diagnostic.text.as_str())
        .collect();
    check("damage", format!("{damage:?}"), "[]".to_owned());
    wrong
}

/// Event lines of a report by CPU: `  task-pid   [003]    34.741524: sched_wakeup: ...`.
fn report_lines_per_cpu(report: &[u8]) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    for line in report.split(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        let cpu = line.match_indices('[').find_map(|(at, _)| {
            let (cpu, rest) = line[at + 1..].split_once(']')?;
            let (time, _) = rest.trim_start().split_once(':')?;
            let is_time = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            is_time.then(|| cpu.parse::<u32>().ok()).flatten()
        });
        if let Some(cpu) = cpu {
            *counts.entry(cpu).or_default() += 1;
        }
    }
    counts
}

fn records_per_cpu(scanned: &Scanned) -> BTreeMap<u32, u64> {
    scanned
        .scans
        .iter()
        .filter(|scan| scan.records > 0)
        .map(|scan| (scan.cpu, scan.records))
        .collect()
}

fn check_entry(folder: &Path, name: &str, entry: &Value) -> Vec<String> {
    let scanned = scan(load(folder, entry["stored_as"].as_str().unwrap()));
    let mut wrong = compare_to_manifest(entry, &scanned);
    // Reports of files with instances mix their lines with the others; a leaf of a function graph is one line for two
    // events.
    let one_line_each =
        counts(&entry["instance_event_counts"]).is_empty() && entry["event_counts"]["funcgraph_entry"].is_null();
    let report = folder.join(format!("{name}.report.zst"));
    if report.exists() && one_line_each {
        let (found, expected) = (records_per_cpu(&scanned), report_lines_per_cpu(&unpack_zst(&report)));
        if found != expected {
            wrong.push(format!("records per CPU: found {found:?}, expected {expected:?}"));
        }
    }
    wrong.into_iter().map(|wrong| format!("{name}: {wrong}")).collect()
}

/// Fixtures that are packed as a whole (`.dat.br`) are left to the tests in JavaScript, which read Brotli.
#[test]
fn every_fixture_is_read_as_trace_cmd_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut compared = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let facts = path.with_extension("json");
        if path.extension().is_none_or(|extension| extension != "dat") || !facts.exists() {
            continue;
        }
        let entry: Value = serde_json::from_slice(&std::fs::read(facts).unwrap()).unwrap();
        let scanned = scan(std::fs::read(&path).unwrap());
        let wrong = compare_to_manifest(&entry, &scanned);
        assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
        let per_cpu: BTreeMap<String, u64> = records_per_cpu(&scanned)
            .into_iter()
            .map(|(cpu, count)| (cpu.to_string(), count))
            .collect();
        assert_eq!(per_cpu, counts(&entry["events_per_cpu"]), "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} fixtures");
}

#[test]
#[ignore = "reads the recordings of CORELANE_TRACES"]
fn every_trace_is_read_as_trace_cmd_does() {
    let folder = corpus();
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("MANIFEST.json")).unwrap()).unwrap();
    let entries: Vec<(&String, &Value)> = manifest.as_object().unwrap().iter().collect();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, entry)) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check_entry(&folder, name, entry);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{} traces compared", entries.len());
}

#[test]
#[ignore = "reads the recordings of CORELANE_TRACES"]
fn every_trace_of_others_is_read_as_trace_cmd_does() {
    let (folder, name) = (corpus(), "public/lisa-sched-load-arm64");
    let scanned = scan(unpack_zst(&folder.join(format!("{name}.dat.zst"))));
    let report = unpack_zst(&folder.join(format!("{name}.report.zst")));
    assert_eq!(records_per_cpu(&scanned), report_lines_per_cpu(&report));
}
