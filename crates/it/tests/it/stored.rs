//! A stored trace comes back as it was, and other bytes are refused.

use std::path::Path;
use std::rc::Rc;

use proptest::prelude::*;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::ask::calls::CallTrace;
use schedquery::query::{IndexSpec, Indexes};
use schedrows::Source;
use serde_json::json;
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;

use crate::support::arbitrary;
use crate::{stolen, syscalls};

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

fn stored(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    trace.store(&mut bytes, KEY).unwrap();
    bytes
}

fn restored(bytes: &[u8], key: &str) -> std::io::Result<Trace> {
    Trace::restore(&mut &bytes[..], bytes.len() as u64, key)
}

fn comes_back(trace: &Trace) {
    let bytes = stored(trace);
    let back = restored(&bytes, KEY).unwrap();
    assert_eq!(text(&back), text(trace));
    assert!(restored(&bytes, "another build").is_err());
    view_comes_back(&Indexes::new(trace.clone().into(), IndexSpec::default()));
}

/// With its indexes. What is stored of them is every field of theirs, so it is enough that the same is stored again.
fn view_comes_back(view: &Indexes) {
    let mut bytes = Vec::new();
    view.store(&mut bytes, KEY).unwrap();
    let back = Indexes::restore(&mut &bytes[..], bytes.len() as u64, KEY).unwrap();
    assert_eq!(text(back.trace()), text(view.trace()));
    let mut again = Vec::new();
    back.store(&mut again, KEY).unwrap();
    assert!(again == bytes, "other indexes than were stored");
    assert!(Indexes::restore(&mut &bytes[..], bytes.len() as u64, "another build").is_err());
    let trace = restored(&bytes, KEY);
    assert!(trace.is_err(), "a view was taken for a trace");
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
        facts: file.facts(),
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
    let stored = stored(&recorded("lost-s390x.dat"));
    for len in (0..stored.len()).step_by(97) {
        assert!(restored(&stored[..len], KEY).is_err(), "{len}");
    }
    for at in (0..stored.len()).step_by(97) {
        let mut changed = stored.clone();
        changed[at] ^= 0x10;
        assert!(restored(&changed, KEY).is_err(), "{at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_trace_comes_back(trace in arbitrary::damage()) {
        comes_back(&trace);
    }

    #[test]
    fn any_calls_come_back((_, trace) in arbitrary::scanned(), rows in syscalls::rows()) {
        let calls = CallTrace::new(trace.clone(), syscalls::logs_of(&rows), Some("x86_64"));
        let mut bytes = Vec::new();
        calls.store(&mut bytes, KEY).unwrap();
        let restored = |key| CallTrace::restore(trace.clone().into(), &mut &bytes[..], bytes.len() as u64, key);
        prop_assert!(restored("another build").is_err());
        let back = restored(KEY).unwrap();
        let mut again = Vec::new();
        back.store(&mut again, KEY).unwrap();
        prop_assert!(again == bytes, "other calls than were stored");
        let (calls, back) = (Rc::new(calls), Rc::new(back));
        for question in [
            json!({"call_facts": {}}),
            json!({"call_table": {
                "selection": {"forked": false, "movable": false, "comms": [], "pids": []},
                "by": "process", "errors": false, "net": true, "top": 9,
            }}),
            json!({"stolen_in": {"window": null}}),
        ] {
            prop_assert_eq!(stolen::answer(&calls, question.clone()), stolen::answer(&back, question));
        }
    }
}
