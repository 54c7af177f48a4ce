//! The same answers from every format.

use schedmodel::{Meta, Trace, TraceBuilder, Who};
use schedquery::query::{latency, stats, GroupBy, Selection};
use schedrows::{scan_stream, CannotTell, CpuScan, Source, Want};
use serde_json::{json, Value};
use tracedat::file::TraceFile;
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

/// The numbers of `corelane stats` and `latency` that a source can tell which lacks these.
fn numbers(trace: &Trace, lacks: CannotTell) -> Value {
    let everything = Selection::default();
    let stats = serde_json::to_value(stats(trace, &everything)).unwrap();
    let latency = serde_json::to_value(latency(trace, &everything, GroupBy::Task, 100)).unwrap();
    let commands: Vec<Value> = stats["commands"].as_array().unwrap().iter().map(ran).collect();
    let runs = json!({"running": stats["running"], "busy": stats["busy_ns_per_cpu"], "commands": commands, "runs": latency["runs"]["all"]});
    let of = |is_known: bool, value: Value| if is_known { value } else { Value::Null };
    json!([
        runs,
        of(!lacks.has(CannotTell::PREEMPTION), latency["runs"].clone()),
        of(!lacks.has(CannotTell::MIGRATIONS), stats["migrations"].clone()),
        of(
            !lacks.has(CannotTell::CHOSEN_CPU),
            json!([
                stats["waiting"],
                stats["overload"],
                stats["wakeups"],
                latency["count"],
                latency["latency_ns"],
                latency["waits"]
            ]),
        ),
        of(
            !lacks.has(CannotTell::CONTEXT) && !lacks.has(CannotTell::WAKER) && !lacks.has(CannotTell::CHOSEN_CPU),
            latency["worst"].clone(),
        ),
    ])
}

fn ran(command: &Value) -> Value {
    json!([
        command["comm"],
        command["execution_ns"],
        command["switches_to"],
        command["first_ns"],
        command["last_ns"]
    ])
}

#[test]
fn every_format_has_the_same_numbers_but_for_what_it_says_it_cannot_tell() {
    let dat = dat(STORY);
    let file = TraceFile::open(dat.as_slice()).unwrap();
    let expected = trace(&file);
    for (name, tells, bytes) in formats(&dat) {
        let import = Import::open(bytes).unwrap_or_else(|error| panic!("{name}: {}", error.message));
        let lacks = import.info().cannot_tell;
        assert_eq!(
            numbers(&trace(&import), lacks),
            numbers(&expected, lacks),
            "{name}: {:?}",
            lacks.names().collect::<Vec<_>>()
        );
        let lacks: Vec<&str> = lacks.names().collect();
        let excuses: &[&str] = match tells {
            // The writer of perf.data names no events, as the reader expects.
            Tells::All if name.starts_with("perf.data") => &["chosen_cpu"],
            Tells::All => &["loss"],
            Tells::States => &["context", "loss"],
            Tells::Wakings => &["chosen_cpu", "migrations"],
            Tells::Runs => &["waker", "context", "chosen_cpu", "migrations", "preemption", "loss"],
        };
        assert!(lacks.iter().all(|lack| excuses.contains(lack)), "{name}: {lacks:?}");
    }
}
