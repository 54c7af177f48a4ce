//! What figures have of the kernel: system calls on the lanes of tasks, and bands of interrupts. The columns of these figures
//! are a ns wide, so that what was counted by hand is drawn exactly.

use schedfigure::{Drawing, Extent, Item, Label, Part, Plan, Spec, Subject, TaskLanes};
use schedindex::Runs;
use schedmodel::Trace;
use schedquery::ask::calls::CallTrace;
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{CallModel, CallNames, CallStates};
use schedrows::{CommTable, CpuScan, KernelKind, KernelRow};
use std::sync::Arc;
use sysnames::Machine;

use crate::support::trace;

/// `a` runs from 0 to 300 and from 700 on, and sleeps between.
const STORY: &str = "
    0 cpu0 switch idle -> a:10
    300 cpu0 switch a:10 S -> idle
    600 cpu0 waking a:10 last 0 by idle
    600 cpu0 wakeup a:10 on 0 by idle
    700 cpu0 switch idle -> a:10
    1000 cpu0 switch a:10 S -> idle";

/// When, what, the number, and what was returned. 999 is no call of the machine, and does not return.
const KERNEL: [(u64, KernelKind, i32, i64); 17] = [
    (100, KernelKind::Enter, 202, 0),
    (110, KernelKind::IrqEntry, 24, 0),
    (120, KernelKind::IrqExit, 24, 0),
    (130, KernelKind::SoftirqEntry, 1, 0),
    (140, KernelKind::IrqEntry, 24, 0),
    (145, KernelKind::IrqExit, 24, 0),
    (150, KernelKind::SoftirqExit, 1, 0),
    (400, KernelKind::IrqEntry, 24, 0),
    (410, KernelKind::IrqExit, 24, 0),
    (800, KernelKind::Exit, 202, 0),
    (850, KernelKind::Enter, 0, 0),
    (870, KernelKind::Exit, 0, -11),
    (880, KernelKind::Enter, 39, 0),
    (885, KernelKind::Exit, 39, 10),
    (900, KernelKind::Enter, 999, 0),
    (990, KernelKind::SoftirqEntry, 9, 0),
    (995, KernelKind::SoftirqExit, 9, 0),
];

fn story(rows: &[(u64, KernelKind, i32, i64)]) -> (Trace, KernelLog) {
    let trace = trace(1, STORY);
    let mut scan = CpuScan {
        comms: CommTable {
            names: vec![String::new()],
        },
        ..CpuScan::default()
    };
    for &(at, kind, number, value) in rows {
        scan.kernel.push(KernelRow {
            ts: trace.origin_ns + at,
            kind,
            pid: 10,
            number,
            value,
        });
    }
    (trace, KernelLog::take(&mut scan))
}

/// The trace with its calls.
pub fn traced() -> CallTrace {
    let (trace, log) = story(&KERNEL);
    CallTrace::new(trace, vec![log], Some("x86_64"))
}

fn figure(spec: &Spec, rows: Option<&[(u64, KernelKind, i32, i64)]>) -> Drawing {
    let (trace, log) = story(rows.unwrap_or_default());
    let trace = Arc::new(trace);
    let runs = Runs::new(&trace);
    let calls = Calls::new(&trace, &runs, &[log]);
    let (names, states) = (
        CallNames::new(&calls, Some(Machine::X86_64), || None),
        CallStates::default(),
    );
    let model = CallModel {
        trace: &trace,
        runs: &runs,
        calls: &calls,
        names: &names,
        states: &states,
    };
    let subject = Subject {
        trace: &trace,
        file: "trace.dat",
        fingerprint: 0,
        clock_is_ns: true,
        calls: rows.map(|_| model),
        passing: None,
        counter: None,
    };
    let extent = Extent::of(&subject, spec);
    let plan = Plan::new(spec.clone(), vec![extent]).unwrap();
    let panel = plan.panel(0, &subject).unwrap();
    plan.assemble(vec![panel])
}

/// What they draw, which [`traced`] has; `None`: the trace alone.
pub fn drawn(spec: &Spec, has_calls: bool) -> Drawing {
    figure(spec, has_calls.then_some(&KERNEL))
}

fn spec() -> Spec {
    Spec {
        with: vec![Part::Tasks],
        task_lanes: TaskLanes {
            pids: vec![10],
            comms: Vec::new(),
        },
        calls: true,
        interrupts: true,
        ..Spec::default()
    }
}

/// From when to when the rectangles of a class and a call are, with their upper edges and heights; those of CPUs' lanes
/// before those of tasks' lanes.
fn rects(drawing: &Drawing, class: &str, call: &str) -> Vec<(i64, i64, i64, i64)> {
    let mut found = Vec::new();
    for item in &drawing.items {
        let Item::Rects { label, rects, .. } = item else {
            continue;
        };
        let of = label.data.iter().find(|(name, _)| *name == "call");
        if label.class == class && of.map_or("", |(_, of)| of.as_str()) == call {
            found.extend(
                rects
                    .iter()
                    .map(|rect| (rect.x, rect.x + rect.width, rect.y, rect.height)),
            );
        }
    }
    found
}

fn times(drawing: &Drawing, class: &str, call: &str) -> Vec<(i64, i64)> {
    let rects = rects(drawing, class, call).into_iter();
    rects.map(|(from, to, ..)| (from, to)).collect()
}

fn texts<'a>(drawing: &'a Drawing, of: &'a str) -> Vec<&'a str> {
    let texts = drawing.items.iter().filter_map(|item| match item {
        Item::Text { label, text } if label.class == of => Some(text.content.as_str()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn calls_are_solid_on_cpu_and_striped_off_it() {
    let drawing = figure(&spec(), Some(&KERNEL));
    let times = |class: &str, call: &str| times(&drawing, class, call);
    assert_eq!(times("call-on-cpu", "futex"), [(100, 300), (700, 800)]);
    assert_eq!(times("call-off-cpu", "futex"), [(300, 700)]);
    assert_eq!(times("call-stripes", "futex").len(), 1);
    assert_eq!(times("call-on-cpu", "read"), [(850, 870)]);
    assert_eq!(times("call-off-cpu", "read"), []);
    assert_eq!(times("call-on-cpu", "getpid"), [(880, 885)]);
    // To the trace's end.
    assert_eq!(times("call-on-cpu", "nr_999"), [(900, 1000)]);
    // It failed when it returned.
    assert_eq!(times("call-errors", ""), [(869, 870)]);
    // A column of a ns is in one call only: as high as the strip.
    let heights: Vec<i64> = rects(&drawing, "call-on-cpu", "futex")
        .iter()
        .map(|rect| rect.3)
        .collect();
    assert_eq!(heights, [34, 34]);
    assert!(texts(&drawing, "call-name").contains(&"futex"));
    // The longest come first.
    let key = texts(&drawing, "key-text").join(" ");
    assert!(key.contains("futex nr_999 read getpid"), "{key}");
    assert!(!texts(&drawing, "small-print").join(" ").contains("merged"));
}

#[test]
fn the_states_of_a_task_stay_above_its_calls() {
    let drawing = figure(&spec(), Some(&KERNEL));
    // Of 100 units 14 are free, then come 49 of states, 3 free ones, and 34 of calls.
    let ran = rects(&drawing, "state-running", "");
    assert_eq!(ran, [(0, 300, 14, 49), (700, 1000, 14, 49)]);
    assert_eq!(rects(&drawing, "call-on-cpu", "read"), [(850, 870, 66, 34)]);
}

#[test]
fn interrupts_are_bands_over_runs_and_idle_time() {
    let drawing = figure(&spec(), Some(&KERNEL));
    // The lane of the CPU, where the second hardirq interrupted a softirq; then that of the task, which slept at 400.
    assert_eq!(
        times(&drawing, "hardirqs", ""),
        [(110, 120), (140, 145), (400, 410), (110, 120), (140, 145)]
    );
    let soft = [(130, 140), (145, 150), (990, 995)];
    assert_eq!(times(&drawing, "softirqs", ""), [soft, soft].concat());
    let places = |class| -> Vec<(i64, i64)> {
        let rects = rects(&drawing, class, "");
        rects.iter().map(|rect| (rect.2, rect.3)).collect()
    };
    // A CPU's lane has 87 units of 100, from 6 on; a task's 49 with its states.
    assert_eq!(places("hardirqs"), [(6, 12), (6, 12), (6, 12), (14, 7), (14, 7)]);
    assert_eq!(places("softirqs")[0], (18, 12));
    let said = texts(&drawing, "small-print").join(" ");
    assert!(said.contains("Not recorded: vectors of x86"), "{said}");
}

#[test]
fn what_falls_within_a_dot_has_its_share_of_the_height() {
    let merged = Spec {
        dot: Some(10.0),
        ..spec()
    };
    let drawing = figure(&merged, Some(&KERNEL));
    let lane = drawing.items.iter().find_map(|item| match item {
        Item::Open(label @ Label { class: "calls", .. }) => Some(label),
        _ => None,
    });
    let data = |name: &str| -> i64 {
        let found = lane.unwrap().data.iter().find(|(known, _)| *known == name);
        found.unwrap().1.parse().unwrap()
    };
    assert_eq!((data("unit-ns"), data("precision-ns")), (1, 1));
    let dot = data("merged-dot-units");
    assert!((55..65).contains(&dot), "{dot}");
    // The column in which the first call begins, at 100, is in it from there on.
    let from = 100 / dot * dot;
    let share = (from + dot - 100) as f64 / dot as f64;
    let found = rects(&drawing, "call-on-cpu", "futex");
    let first = found.iter().find(|rect| rect.0 == from).unwrap();
    assert!((first.3 as f64 - share * 34.0).abs() <= 1.0, "{first:?} of {share}");
    assert_eq!(first.2 + first.3, 100);
    // A tick, however much is merged.
    assert_eq!(rects(&drawing, "call-errors", "").len(), 1);
    assert!(texts(&drawing, "small-print")
        .join(" ")
        .contains("Calls within 10 mm merged"));
}

#[test]
fn what_was_not_recorded_is_said() {
    for rows in [None, Some(&[][..])] {
        let drawing = figure(&spec(), rows);
        let said = texts(&drawing, "small-print").join(" ");
        assert!(said.contains("Calls: no system calls were recorded"), "{said}");
        assert!(said.contains("Interrupts: none were recorded"), "{said}");
        assert!(times(&drawing, "hardirqs", "").is_empty());
        // Its states are there all the same.
        assert_eq!(times(&drawing, "state-running", ""), [(0, 300), (700, 1000)]);
    }
}
