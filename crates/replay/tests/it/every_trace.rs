//! What holds of every recording: the workload adds up, says what was recorded, and comes back from its text.

use std::path::{Path, PathBuf};

use replay::identity::identity;
use replay::machine::Machine;
use replay::text::{read, write};
use replay::{from_rows, Recording, Workload};
use schedmodel::Trace;
use schedrows::{RowKind, Source};
use tracedat::file::TraceFile;

use crate::common::{built, bytes_of, folder, recorded_in, replayed, scanned_in};

/// The policies under which a workload and the one of its text have to run alike.
const POLICIES: [&str; 2] = ["cfs", "eevdf"];

fn invariants(workload: &Workload, trace: &Trace, name: &str) {
    let counts = workload.counts();
    let alive = counts.running_at_end + counts.runnable_at_end + counts.sleeping_at_end;
    let begun = counts.init_runnable + counts.init_sleeping + counts.fork;
    assert_eq!(begun, counts.tasks, "{name}: beginnings");
    assert_eq!(counts.exit + alive, counts.tasks, "{name}: ends");
    let wakeups = counts.wakeup_external + counts.wakeup_dependent;
    assert_eq!(
        wakeups + counts.sleeping_at_end,
        counts.block + counts.init_sleeping,
        "{name}: wakeups"
    );
    let runs = trace
        .lanes
        .iter()
        .flat_map(|lane| (0..lane.len()).map(move |index| (lane, index)));
    let runs = runs.filter(|(lane, index)| lane.run(*index).is_some());
    let run_ns: u64 = runs
        .map(|(lane, index)| lane.end_of(index) - lane.start_of(index))
        .sum();
    assert_eq!(run_ns, counts.cpu_ns, "{name}: CPU time");
}

/// What comes of a text runs as what was written.
fn runs_as_its_text(workload: &Workload, name: &str) {
    let mut text = Vec::new();
    write(workload, false, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let back = read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(&back == workload, "{name}: another workload");
    let machine = Machine::flat(workload.cpus.unwrap());
    for policy in POLICIES {
        let hash = |workload| replayed(workload, &machine, policy, workload.span_ns.unwrap()).hash;
        assert_eq!(hash(&back), hash(workload), "{name}: {policy}");
    }
}

/// Checks a trace; says whether it is one of times, without a gap.
fn check(path: &Path) -> bool {
    let name = path.display().to_string();
    let Ok(file) = TraceFile::open(bytes_of(path)) else {
        return false;
    };
    if !file.info().clock_is_ns {
        return false;
    }
    let Some((trace, workload)) = recorded_in(&file) else {
        return false;
    };
    // A CPU that was left out of the recording (`trace-cmd record -M`) runs tasks unseen.
    let has_all_cpus = trace.lanes.len() == file.info().cpu_count as usize;
    let loss_free = workload.notes.gaps == 0 && has_all_cpus;
    if loss_free {
        invariants(&workload, &trace, &name);
        let found = identity(&workload, &trace);
        assert_eq!(found.differences, 0, "{name}: {:?}", found.listed);
    }
    runs_as_its_text(&workload, &name);
    loss_free
}

/// Files of traces in a folder, packed or not.
fn traces(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".dat") || name.ends_with(".dat.zst")
    };
    let mut files: Vec<PathBuf> = files.filter(is_trace).collect();
    files.sort();
    files
}

#[test]
fn fixtures_are_as_they_were_recorded() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let loss_free = traces(&fixtures).iter().filter(|path| check(path)).count();
    assert!(10 <= loss_free, "{loss_free}");
}

/// As `perf sched record` records: a task then waits from `sched_waking` on, or from when it blocked if that came before.
#[test]
fn fixtures_without_sched_wakeup_are_as_they_were_recorded() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut checked = 0;
    for path in traces(&fixtures) {
        let Ok(file) = TraceFile::open(bytes_of(&path)) else {
            continue;
        };
        let (mut scans, cpus) = scanned_in(&file);
        let has_wakings = scans.iter().any(|scan| 0 < scan.rows.count(RowKind::Waking));
        let is_whole = scans.iter().all(|scan| scan.rows.count(RowKind::Lost) == 0);
        let Some(first_ns) = scans.iter().filter_map(|scan| scan.first_ns).min() else {
            continue;
        };
        if !has_wakings || !is_whole || !file.info().clock_is_ns {
            continue;
        }
        for scan in &mut scans {
            scan.rows = scan.rows.iter().filter(|row| row.kind != RowKind::Wakeup).collect();
        }
        let recording = Recording {
            cpus,
            ..Recording::default()
        };
        let workload = from_rows(scans.clone(), &recording);
        let found = identity(&workload, &built(scans, first_ns));
        assert_eq!(found.differences, 0, "{}: {:?}", path.display(), found.listed);
        checked += found.wakeups;
    }
    assert!(1000 <= checked, "{checked}");
}

#[test]
#[ignore = "reads the recordings of CORELANE_TRACES, and those with exact clocks beside them"]
fn every_trace_is_as_it_was_recorded() {
    let named = std::env::var_os("CORELANE_TRACES").expect("CORELANE_TRACES names a folder of recordings");
    let folders = [Some(PathBuf::from(named)), folder("replay")];
    let paths: Vec<PathBuf> = folders
        .into_iter()
        .flatten()
        .flat_map(|folder| traces(&folder))
        .collect();
    let failed: Vec<String> = (paths.iter())
        .filter_map(|path| std::panic::catch_unwind(|| check(path)).err())
        .map(|error| error.downcast_ref::<String>().cloned().unwrap_or_default())
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
