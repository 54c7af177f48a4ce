//! The checks of the fuzz targets without a fuzzer: on inputs that once failed (`fuzz/crashes`), on the seeds of
//! fuzzing, and on some thousand mutations of these seeds, the same ones in every run.

mod seeds;

#[path = "../../../../../fuzz/inputs/cut.rs"]
mod cut;
#[path = "../../../../../fuzz/inputs/filter.rs"]
mod filter;
#[path = "../../../../../fuzz/inputs/format_text.rs"]
mod format_text;
#[path = "../../../../../fuzz/inputs/imports.rs"]
mod imports;
#[path = "../../../../../fuzz/inputs/page.rs"]
mod page;
#[path = "../../../../../fuzz/inputs/pair.rs"]
mod pair;
#[path = "../../../../../fuzz/inputs/perfetto.rs"]
mod perfetto;
#[path = "../../../../../fuzz/inputs/print_fmt.rs"]
mod print_fmt;
#[path = "../../../../../fuzz/inputs/staktau.rs"]
mod staktau_text;
#[path = "../../../../../fuzz/inputs/switches.rs"]
mod switches;
#[path = "../../../../../fuzz/inputs/trace_file.rs"]
mod trace_file;
#[path = "../../../../../fuzz/inputs/workload.rs"]
mod workload;
#[path = "../../../../../fuzz/inputs/workload_list.rs"]
mod workload_list;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A folder of `fuzz`.
fn fuzz(folder: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../fuzz", folder].iter().collect()
}

/// The names that `named` gives for files in a folder.
fn names(folder: PathBuf, named: fn(&Path) -> Option<&std::ffi::OsStr>) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter_map(|path| named(&path).map(|name| name.to_string_lossy().into_owned()))
        .collect()
}

#[test]
fn every_target_is_replayed() {
    let targets = names(fuzz("targets"), Path::file_stem);
    let replayed = [
        "container",
        "cut",
        "filter",
        "format_text",
        "page",
        "pair",
        "perf_data",
        "perfetto",
        "print_fmt",
        "schedviz",
        "staktau",
        "switches",
        "text",
        "trace_file",
        "workload",
        "workload_list",
    ];
    assert_eq!(targets, BTreeSet::from(replayed.map(String::from)));
    // A crash under another name would never be replayed.
    let crashes = names(
        fuzz("crashes"),
        |path| if path.is_dir() { path.file_name() } else { None },
    );
    assert!(
        crashes.is_subset(&targets),
        "crashes of {crashes:?}, targets {targets:?}"
    );
}

/// Checks the inputs that once failed, and each seed as it is and mutated `changes` times.
fn replay(target: &str, seeds: &[Vec<u8>], changes: u64, check: fn(&[u8])) {
    for file in std::fs::read_dir(fuzz("crashes").join(target)).into_iter().flatten() {
        check(&std::fs::read(file.unwrap().path()).unwrap());
    }
    assert!(!seeds.is_empty(), "nothing to start from");
    for seed in seeds {
        check(seed);
        for number in 0..changes {
            check(&seeds::changed(seed, number));
        }
    }
}

#[test]
fn format_texts() {
    replay("format_text", &seeds::formats(), 1000, format_text::check);
}

#[test]
fn print_fmts() {
    replay("print_fmt", &seeds::print_fmts(), 1000, print_fmt::check);
}

#[test]
fn filters() {
    replay("filter", &seeds::filters(), 1000, filter::check);
}

#[test]
fn perfetto_traces() {
    replay("perfetto", &seeds::perfetto_traces(), 150, perfetto::check);
}

#[test]
fn pairs() {
    replay("pair", &seeds::pairs(), 1000, pair::check);
}

#[test]
fn staktau_texts() {
    replay("staktau", &seeds::staktau_texts(), 1000, staktau_text::check);
}

#[test]
fn random_switches() {
    replay("switches", &seeds::switches(), 60, switches::check);
}

#[test]
fn workloads() {
    replay("workload", &seeds::parts_of("workloads.txt"), 1000, workload::check);
}

#[test]
fn workload_lists() {
    replay(
        "workload_list",
        &seeds::parts_of("workload_lists.txt"),
        1000,
        workload_list::check,
    );
}

#[test]
fn pages() {
    replay("page", &seeds::pages(), 2000, page::check);
}

#[test]
fn trace_files() {
    replay("trace_file", &seeds::files(), 500, trace_file::check);
}

#[test]
fn cuts() {
    replay("cut", &seeds::files(), 300, cut::check);
}

/// The story of the tests of formats, in those whose name begins so.
fn story(format: &str) -> Vec<Vec<u8>> {
    let files = crate::formats::story_files().into_iter();
    files
        .filter(|(name, _)| name.starts_with(format))
        .map(|(_, bytes)| bytes)
        .collect()
}

#[test]
fn perf_data_files() {
    replay("perf_data", &story("perf.data"), 1000, imports::perf_data);
}

#[test]
fn texts() {
    let seeds = [story("text"), seeds::text_cases()].concat();
    replay("text", &seeds, 1000, imports::text);
}

#[test]
fn containers() {
    replay("container", &story("text"), 1000, imports::container);
}

#[test]
fn schedviz_tars() {
    replay("schedviz", &story("schedviz"), 1000, imports::schedviz);
}
