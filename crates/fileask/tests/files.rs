//! Questions about recorded files; expected numbers are those of `tests/fixtures` and of the tools that wrote them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use fileask::{listed, open, Bytes};
use tracedat::file::TraceFile;
use tracedat::scan::RecordIndex;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    std::fs::read(path).unwrap()
}

/// How many events of each name are listed.
fn counts(name: &str) -> BTreeMap<String, u64> {
    let source = open(Bytes::File(fixture(name))).unwrap();
    let listed = listed(source).unwrap();
    let file = TraceFile::open(listed.bytes).unwrap();
    let mut counts = BTreeMap::new();
    for index in &listed.indexes {
        for (id, count) in RecordIndex::from_bytes(index).unwrap().events {
            let (_, name) = file.event_name(id).unwrap();
            *counts.entry(name.to_owned()).or_default() += count;
        }
    }
    counts
}

#[test]
fn other_formats_are_listed_with_all_that_they_hold() {
    let mail = counts("import/mail.txt");
    let of = |name: &str| mail.get(name).copied();
    assert_eq!(of("sched_switch"), Some(27));
    assert_eq!(of("sched_waking"), Some(14));
    assert_eq!(of("sched_migrate_task"), Some(3));
    let perf = counts("import/record-z-4cpu.perf.data");
    let of = |name: &str| perf.get(name).copied();
    assert_eq!(of("sched_switch"), Some(2183));
    assert_eq!(of("sched_wakeup"), Some(1185));
}
