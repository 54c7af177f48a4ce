//! The checks of the fuzz targets without a fuzzer: on inputs that once failed (`fuzz/crashes`), on what fuzzing starts
//! from, and on some thousand changes of that, the same ones in every run.

mod seeds;

#[path = "../../../../../fuzz/inputs/format_text.rs"]
mod format_text;
#[path = "../../../../../fuzz/inputs/page.rs"]
mod page;
#[path = "../../../../../fuzz/inputs/print_fmt.rs"]
mod print_fmt;
#[path = "../../../../../fuzz/inputs/trace_file.rs"]
mod trace_file;

use std::path::PathBuf;

/// Replays what once failed, and looks at each seed as it is and changed `changes` times.
fn replay(target: &str, seeds: &[Vec<u8>], changes: u64, check: fn(&[u8])) {
    let crashes: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fuzz/crashes", target]
        .iter()
        .collect();
    for file in std::fs::read_dir(crashes).into_iter().flatten() {
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
fn pages() {
    replay("page", &seeds::pages(), 2000, page::check);
}

#[test]
fn trace_files() {
    replay("trace_file", &seeds::files(), 500, trace_file::check);
}
