//! The same answers from every format.

use tracecore::scan::{scan_stream, CannotTell, CpuScan, Source, Want};
use tracecore::sched::{Meta, Trace, TraceBuilder, Who};
use tracecore::tracedat::TraceFile;
use traceimport::Import;

use super::{dat, formats, Tells, STORY};

fn trace(source: &dyn Source) -> Trace {
    let mut builder = TraceBuilder::new(source.first_ns().unwrap().unwrap());
    for stream in 0..source.streams().len() {
        let scan = scan_stream(source, stream, Want::default(), &mut |_| {}).unwrap();
        for cpu in scan.cpus {
            // What only says how much was read differs.
            builder.add(CpuScan {
                events: Vec::new(),
                lost_events: 0,
                ..cpu
            });
        }
    }
    builder.finish(Meta {
        cpus: (0..2).collect(),
        facts: source.facts(),
    })
}

/// Who ran where, and as what a task was left.
fn runs(trace: &Trace, with_states: bool) -> Vec<String> {
    let mut runs = Vec::new();
    for (cpu, lane) in trace.lanes.iter().enumerate() {
        for (index, interval) in lane.intervals().enumerate() {
            let who = match interval.who {
                Who::Run(id) => format!("{}:{}", trace.task_of(id).pid, trace.comm_of(id)),
                other => format!("{other:?}"),
            };
            let state = lane.end_state(index).filter(|_| with_states);
            runs.push(format!("{cpu} {}..{} {who} {state:?}", interval.start, interval.end));
        }
    }
    runs
}

/// Everything, as text.
fn all(trace: Trace) -> String {
    let names = format!("{:?}", trace.comms.names());
    let rest = Trace {
        comms: Default::default(),
        diagnostics: Vec::new(),
        records: 0,
        cannot_tell: CannotTell::NOTHING,
        ..trace
    };
    format!("{names} {rest:?}")
}

/// Who woke whom, and when.
fn wakings(trace: &Trace) -> Vec<String> {
    (0..trace.edges.len())
        .map(|index| trace.edges.get(index))
        .map(|edge| format!("{} {:?} {:?} {:?}", edge.at, edge.waker, edge.context, edge.running))
        .collect()
}

#[test]
fn every_format_tells_the_story() {
    let dat = dat(STORY);
    let file = TraceFile::open(dat.as_slice()).unwrap();
    let expected = || trace(&file);
    for (name, tells, bytes) in formats(&dat) {
        let import = Import::open(bytes).unwrap_or_else(|error| panic!("{name}: {}", error.message));
        let found = trace(&import);
        let (mut left, mut right) = (
            runs(&found, tells != Tells::Runs),
            runs(&expected(), tells != Tells::Runs),
        );
        if tells == Tells::Wakings {
            // A compact switch does not say what was before the first one.
            let first = "1 0..2000 ";
            assert!(left.contains(&format!("{first}Unknown None")), "{name}");
            left.iter_mut()
                .chain(&mut right)
                .filter(|run| run.starts_with(first))
                .for_each(String::clear);
        }
        assert_eq!(left, right, "{name}");
        if matches!(tells, Tells::All | Tells::Wakings) {
            // New tasks have no sched_waking.
            let all = wakings(&expected());
            let missing = all.iter().filter(|waking| !wakings(&found).contains(waking)).count();
            assert!(
                missing <= 1 && 2 < all.len(),
                "{name}: {:?}, not {all:?}",
                wakings(&found)
            );
        }
        if tells == Tells::All {
            assert_eq!(all(found), all(expected()), "{name}");
        }
    }
}
