//! Time that interrupts take: of a place, by handler, and of a window, by CPU, task and command.

use crate::support::arbitrary;
use proptest::prelude::*;
use schedindex::Runs;
use schedmodel::{Meta, TaskCommId, Trace, TraceBuilder, Who};
use schedquery::ask::calls::{CallTrace, CallsAsked};
use schedquery::calls::{Calls, KernelLog};
use schedrows::{CommTable, CpuScan, KernelKind, KernelRow};
use serde_json::{json, Value};
use std::rc::Rc;
use tracegen::Story;

const NAMES: [&str; 3] = ["", "eth0", "irq_vectors:local_timer"];

/// The rows of a CPU: when, what, the number, and the name of a hardirq's handler.
fn log(cpu: u32, rows: &[(u64, KernelKind, i32, i64)]) -> KernelLog {
    let mut scan = CpuScan {
        cpu,
        comms: CommTable {
            names: NAMES.map(str::to_owned).to_vec(),
        },
        ..CpuScan::default()
    };
    for &(ts, kind, number, value) in rows {
        scan.kernel.push(KernelRow {
            ts,
            kind,
            pid: 10,
            number,
            value,
        });
    }
    KernelLog::take(&mut scan)
}

pub fn answer(trace: &Rc<CallTrace>, question: Value) -> Value {
    let mut asked = CallsAsked::new(trace, serde_json::from_value(question).unwrap(), &[]);
    while asked.step() {}
    serde_json::to_value(asked.answer().unwrap()).unwrap()
}

fn ask(trace: &Rc<CallTrace>, question: Value) -> Value {
    answer(trace, question)["stolen"].take()
}

#[test]
fn each_ns_is_of_one_handler_and_idle_is_not_stolen_from() {
    use KernelKind::{IrqEntry, IrqExit, SoftirqEntry, SoftirqExit, VectorEntry, VectorExit};
    let story = "version 7
         cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         0   cpu1 switch swapper/1:0 R -> b:11
         100 cpu0 switch a:10 S -> swapper/0:0
         200 cpu1 switch b:11 S -> swapper/1:0";
    let story = Story::parse(story).unwrap();
    let file = tracedat::file::TraceFile::open(story.to_bytes()).unwrap();
    let mut builder = TraceBuilder::new(0);
    for cpu in 0..2 {
        let found = schedrows::scan_stream(&file, cpu, Default::default(), &mut |_| {}).unwrap();
        found.cpus.into_iter().for_each(|scan| builder.add(scan));
    }
    let trace = builder.finish(Meta {
        cpus: vec![0, 1],
        ..Meta::default()
    });
    let rows = [
        (10, IrqEntry, 24, 1),
        (30, IrqExit, 24, 0),
        (40, SoftirqEntry, 1, 0),
        (50, IrqEntry, 24, 1),
        (55, IrqExit, 24, 0),
        (70, SoftirqExit, 1, 0),
        (110, SoftirqEntry, 7, 0),
        (120, SoftirqExit, 7, 0),
    ];
    let other = [(20, VectorEntry, 2, 0), (60, VectorExit, 2, 0)];
    let trace = Rc::new(CallTrace::new(trace, vec![log(0, &rows), log(1, &other)], None));
    let cpu = |key: u32, start: u64, end: u64| {
        let window = json!({ "start": start, "end": end });
        ask(
            &trace,
            json!({ "stolen": { "of": "cpu", "key": key, "window": window } }),
        )
    };
    let all = cpu(0, 0, 200);
    assert_eq!((&all["hard_ns"], &all["soft_ns"]), (&json!(25), &json!(35)));
    let handler = |kind: &str, number: Value, name: &str, count: u64, ns: u64| json!({ "kind": kind, "number": number, "name": name, "count": count, "ns": ns });
    assert_eq!(
        all["handlers"],
        json!([
            handler("hardirq", json!(24), "eth0", 2, 25),
            handler("softirq", json!(1), "TIMER", 1, 25),
            handler("softirq", json!(7), "SCHED", 1, 10),
        ])
    );
    let longest = &all["longest"];
    assert_eq!((&longest["start_ns"], &longest["end_ns"]), (&json!(40), &json!(70)));
    assert_eq!((&longest["pid"], &longest["comm"]), (&json!(10), &json!("a")));
    // A part of two that overlap.
    let part = cpu(0, 45, 52);
    assert_eq!((&part["hard_ns"], &part["soft_ns"]), (&json!(2), &json!(5)));
    // Nobody is interrupted while the CPU idles.
    assert_eq!(cpu(0, 110, 120)["longest"]["pid"], Value::Null);
    assert_eq!(
        cpu(1, 0, 200)["handlers"],
        json!([handler("vector", Value::Null, "local_timer", 1, 40)])
    );
    assert_eq!(cpu(0, 30, 40)["longest"], Value::Null);
    assert_eq!(cpu(7, 0, 200), Value::Null);

    let found = ask(&trace, json!({ "stolen_in": { "window": null } }));
    let part = |key: u32, hard: u64, soft: u64| json!({ "key": key, "hard_ns": hard, "soft_ns": soft });
    assert_eq!(found["cpus"], json!([part(0, 25, 35), part(1, 40, 0)]));
    let task = |of: &str| {
        found[of]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["hard_ns"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (task("tasks"), task("comms")),
        (vec![json!(25), json!(40)], vec![json!(25), json!(40)])
    );
    let window = json!({ "start": 50, "end": 60 });
    let found = ask(&trace, json!({ "stolen_in": { "window": window } }));
    assert_eq!(found["cpus"], json!([part(0, 5, 5), part(1, 10, 0)]));
}

/// ns in handlers of each lane in a window: of all its time, and of each run's command.
fn naive(trace: &Trace, logs: &[KernelLog], window: std::ops::Range<u64>) -> (Vec<u64>, Vec<u64>) {
    let runs = Runs::new(trace);
    let calls = Calls::new(trace, &runs, logs);
    let mut lanes = vec![0; trace.lanes.len()];
    let mut comms = vec![0; trace.comms.names().len()];
    for (index, lane) in trace.lanes.iter().enumerate() {
        for at in window.start..window.end.min(trace.span_ns) {
            if calls.interrupts.at(index, at).is_none() {
                continue;
            }
            lanes[index] += 1;
            let interval = lane.find(at).map(|found| lane.interval(found));
            if let Some(Who::Run(TaskCommId(pair))) = interval.map(|interval| interval.who) {
                comms[trace.task_comms[pair as usize].comm.0 as usize] += 1;
            }
        }
    }
    (lanes, comms)
}

proptest! {
    #[test]
    fn windows_have_what_single_ns_have(
        trace in arbitrary::short_trace(),
        rows in prop::collection::vec(prop::collection::vec((0_u64..30, 7_usize..14, 0_i32..3, 0_i64..3), 0..60), 3),
        (start, length) in (0_u64..400, 0_u64..900),
    ) {
        let origin = trace.origin_ns;
        let logs = || rows.iter().zip(0..).map(|(rows, cpu)| {
            let mut ts = origin;
            let rows: Vec<_> = rows.iter().map(|&(after, kind, number, value)| {
                ts += after;
                (ts, KernelKind::ALL[kind], number, value)
            }).collect();
            log(cpu, &rows)
        }).collect::<Vec<KernelLog>>();
        let window = start..(start + length).min(trace.span_ns.max(start));
        let (lanes, comms) = naive(&trace, &logs(), window.clone());
        let asked = Rc::new(CallTrace::new(trace, logs(), None));
        let found = ask(&asked, json!({ "stolen_in": { "window": { "start": window.start, "end": window.end } } }));
        let sum = |part: &Value| part["hard_ns"].as_u64().unwrap() + part["soft_ns"].as_u64().unwrap();
        let cpus: Vec<u64> = found["cpus"].as_array().unwrap().iter().map(sum).collect();
        prop_assert_eq!(&cpus, &lanes);
        let mut by_comm = vec![0; comms.len()];
        for part in found["comms"].as_array().unwrap() {
            by_comm[part["key"].as_u64().unwrap() as usize] = sum(part);
        }
        prop_assert_eq!(by_comm, comms);
        let tasks: u64 = found["tasks"].as_array().unwrap().iter().map(sum).sum();
        prop_assert_eq!(tasks, found["comms"].as_array().unwrap().iter().map(sum).sum::<u64>());
        for (cpu, &ns) in found["cpus"].as_array().unwrap().iter().zip(&lanes) {
            let place = ask(&asked, json!({ "stolen": {
                "of": "cpu", "key": cpu["key"], "window": { "start": window.start, "end": window.end },
            } }));
            let handlers: u64 = place["handlers"].as_array().unwrap().iter().map(|one| one["ns"].as_u64().unwrap()).sum();
            prop_assert_eq!((sum(&place), handlers), (ns, ns));
        }
    }
}
