//! The same run, whoever computes it: natively and in wasm (`bench/replay.test.mjs`), with and without optimisation.
//!
//! `CORELANE_WRITE_HASHES=1 cargo test -p replay hashes` writes the file after a change that means to change runs.

use crate::common::{recorded, replayed};
use crate::properties::POLICIES;
use replay::machine::Machine;
use replay::recipe::Recipe;
use replay::Workload;
use std::path::{Path, PathBuf};

const MS: u64 = 1_000_000;

/// What is made, or a recording below `tests/fixtures`; on how many CPUs; for how many ms, if not as long as it was recorded.
const RUNS: [(&str, u32, Option<u64>); 7] = [
    ("responsebench", 2, Some(10_000)),
    ("fairbench", 1, Some(10_000)),
    ("pairs:threads=40", 3, Some(4000)),
    ("forkpipe-8cpu.dat", 8, None),
    ("barrier32-badplace.dat", 32, None),
    ("sysmix-4cpu.dat", 3, None),
    ("forkpipe-aarch64.dat", 1, None),
];

fn workload(name: &str, until_ms: Option<u64>) -> Workload {
    let until_ns = until_ms.unwrap_or(0) * MS;
    match Recipe::of(name) {
        Some(recipe) => recipe.unwrap().make(until_ns),
        None => recorded(&here("../../tests/fixtures").join(name)).1,
    }
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn hashes_are_those_of_the_file() {
    let mut lines = Vec::new();
    for (name, cpus, until_ms) in RUNS {
        let workload = workload(name, until_ms);
        let until_ns = until_ms.map_or(workload.span_ns.unwrap_or(0), |ms| ms * MS);
        for policy in POLICIES {
            let mut machine = Machine::flat(cpus);
            machine.tick_ns = 4 * MS;
            let found = replayed(&workload, &machine, policy, until_ns);
            let until = until_ms.map_or("null".to_owned(), |ms| ms.to_string());
            lines.push(format!(
                "  {{ \"workload\": \"{name}\", \"cpus\": {cpus}, \"until_ms\": {until}, \"policy\": \"{policy}\", \"hash\": \"{:016x}\" }}",
                found.hash
            ));
        }
    }
    let found = format!("[\n{}\n]\n", lines.join(",\n"));
    let file = here("tests/hashes.json");
    if std::env::var_os("CORELANE_WRITE_HASHES").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap();
    assert!(
        found == expected,
        "hashes of runs are others than those of {}",
        file.display()
    );
}
