//! A stored trace comes back as it was, and other bytes are refused.

use std::path::Path;

use proptest::prelude::*;
use tracecore::scan::{scan_cpu, Source};
use tracecore::sched::{Meta, Trace, TraceBuilder};
use tracecore::tracedat::TraceFile;

use crate::support::arbitrary;

const KEY: &str = "this build, that file";

/// Debug text of every field, private ones included; of the names, whose table has no order, what they are found by.
fn text(trace: &Trace) -> String {
    let names = trace.comms.names().iter();
    let found: Vec<_> = names.map(|name| (name, trace.comms.find(name))).collect();
    let rest = Trace {
        comms: Default::default(),
        ..trace.clone()
    };
    format!("{found:?} {rest:?}")
}

fn comes_back(trace: &Trace) {
    let stored = trace.to_bytes(KEY);
    let back = Trace::from_bytes(&stored, KEY).unwrap();
    assert_eq!(text(&back), text(trace));
    assert!(Trace::from_bytes(&stored, "another build").is_err());
    assert_eq!(back.to_bytes(KEY), stored);
}

fn recorded(name: &str) -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    let file = TraceFile::open(std::fs::read(path).unwrap()).unwrap();
    let mut builder = TraceBuilder::new(file.first_ns().unwrap().unwrap());
    for index in 0..file.cpus().len() {
        builder.add(scan_cpu(&file, index).unwrap());
    }
    builder.finish(Meta {
        cpus: (0..file.info().cpu_count).collect(),
        diagnostics: file.diagnostics().to_vec(),
    })
}

#[test]
fn recorded_traces_come_back() {
    for name in [
        "barrier-i686.dat",
        "barrier-s390x.dat",
        "lost-s390x.dat",
        "instances-4cpu.dat",
    ] {
        comes_back(&recorded(name));
    }
    comes_back(&Trace::default());
}

#[test]
fn bytes_that_were_cut_or_changed_are_refused() {
    let stored = recorded("lost-s390x.dat").to_bytes(KEY);
    for len in (0..stored.len()).step_by(97) {
        assert!(Trace::from_bytes(&stored[..len], KEY).is_err(), "{len}");
    }
    for at in (0..stored.len()).step_by(97) {
        let mut changed = stored.clone();
        changed[at] ^= 0x10;
        assert!(Trace::from_bytes(&changed, KEY).is_err(), "{at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_trace_comes_back(trace in arbitrary::damage()) {
        comes_back(&trace);
    }
}
