//! What holds of every recording: the workload adds up, says what was recorded, and comes back from its text.

use std::path::{Path, PathBuf};

use replay::identity::identity;
use replay::machine::Machine;
use replay::text::{read, write};
use replay::Workload;
use tracecore::scan::Source;
use tracecore::sched::Trace;
use tracecore::tracedat::TraceFile;

use crate::common::{bytes_of, folder, recorded_in, replayed};

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
    let loss_free = workload.notes.gaps == 0;
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
