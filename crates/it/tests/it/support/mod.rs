//! Scenarios as text: events go in, states come out.
//!
//! ```text
//! 100 cpu1 switch a:10 S -> b:11          swapper is written `idle`
//! 110 cpu1 waking a:10 last 1 by b:11     `by X hardirq`: an interrupt that interrupted X
//! 111 cpu0 wakeup a:10 on 0 by idle       `by` may be left out: idle
//! 112 cpu0 wakeup_new c:12 on 0 by a:10
//! 113 cpu0 migrate a:10 from 1 to 0
//! 114 cpu0 fork a:10 -> c:12
//! 115 cpu0 exit a:10
//! 116 cpu0 rename a:10 -> z
//! 117 cpu0 exec a:10 from 11              by a:10 itself
//! 117 cpu0 move_numa a:10
//! 118 cpu0 lost                           the gap begins at this time
//! 119 cpu0 other                          an event that only has a time
//! ```
#![allow(dead_code)]

pub mod arbitrary;
pub mod doubt;
pub mod standing;

use schedmodel::{kernel_thread, KernelThread, Meta, TaskCommId, Trace, TraceBuilder, Who};
use schedquery::query::{IndexSpec, Indexes, Selection};
use schedrows::{Context, CpuScan, Row, RowKind, RowPacker, StateCode};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scans of a scenario.
pub fn scans(text: &str) -> Vec<CpuScan> {
    let mut scans = BTreeMap::<u32, CpuScan>::new();
    let mut rows = BTreeMap::<u32, RowPacker>::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let ts: u64 = word().parse().unwrap_or_else(|_| panic!("no time: {line}"));
        let cpu: u32 = word()
            .trim_start_matches("cpu")
            .parse()
            .unwrap_or_else(|_| panic!("no CPU: {line}"));
        let scan = scans.entry(cpu).or_insert_with(|| CpuScan {
            cpu,
            ..CpuScan::default()
        });
        if scan.comms.names.is_empty() {
            scan.comms.names.push(String::new());
        }
        scan.records += 1;
        scan.first_ns = scan.first_ns.or(Some(ts));
        scan.last_ns = scan.last_ns.max(Some(ts));
        let kind = word();
        let rest: Vec<&str> = words.collect();
        if let Some(row) = row(scan, ts, kind, &rest) {
            rows.entry(cpu).or_default().push(&row);
        }
    }
    for (cpu, rows) in rows {
        scans.entry(cpu).or_default().rows = rows.finish();
    }
    scans.into_values().collect()
}

/// The trace of a scenario with `cpus` CPUs.
pub fn trace(cpus: u32, text: &str) -> Trace {
    let scans = scans(text);
    let base = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let mut builder = TraceBuilder::new(base);
    for scan in scans {
        builder.add(scan);
    }
    builder.finish(Meta {
        cpus: (0..cpus).collect(),
        ..Meta::default()
    })
}

/// The default view of a scenario.
pub fn view(cpus: u32, text: &str) -> Indexes {
    Indexes::new(Arc::new(trace(cpus, text)), IndexSpec::default())
}

/// A lane as text: `0-10 a:10 S, 10-20 idle, 20-30 ?`; `~` marks an inferred interval, `=` one that belongs to the same
/// run as the one before it.
pub fn lane(trace: &Trace, cpu: u32) -> String {
    let lane = trace.lane(cpu).expect("a CPU of the trace");
    let intervals = lane.intervals().enumerate().map(|(index, interval)| {
        let who = match interval.who {
            Who::Idle => "idle".to_owned(),
            Who::Unknown => "?".to_owned(),
            Who::Run(id) => {
                let task = trace.task_of(id);
                let generation = if task.generation == 0 {
                    String::new()
                } else {
                    format!("#{}", task.generation)
                };
                let state = lane.end_state(index).map_or(String::new(), |state| {
                    format!(
                        " {}{}",
                        char::from(state.letter()),
                        if state.preempted() { "+" } else { "" }
                    )
                });
                format!("{}:{}{generation}{state}", trace.comm_of(id), task.pid)
            }
        };
        let mark = match () {
            () if lane.inferred(index) => "~",
            () if lane.whole_run(index).start < index => "=",
            () => "",
        };
        format!("{}-{} {mark}{who}", interval.start, interval.end)
    });
    intervals.collect::<Vec<_>>().join(", ")
}

/// What the model found wrong: kind, CPU, count and the beginning of the text.
pub fn findings(trace: &Trace) -> Vec<String> {
    let short = |text: &str| {
        text.split(|c: char| ",;".contains(c))
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    trace
        .diagnostics
        .iter()
        .map(|found| format!("{}x {}", found.count, short(&found.text)))
        .collect()
}

fn row(scan: &mut CpuScan, ts: u64, kind: &str, rest: &[&str]) -> Option<Row> {
    let mut row = Row {
        ts,
        prio: 120,
        ..Row::of(RowKind::Lost, ts)
    };
    let at = |index: usize| rest.get(index).copied().unwrap_or_default();
    let after = |word: &str| rest.iter().position(|&other| other == word).map(|index| at(index + 1));
    let cpu = |word: &str| after(word).and_then(|text| text.parse().ok()).unwrap_or(0);
    let named = |scan: &mut CpuScan, text: &str| {
        let (comm, pid) = match text.split_once(':') {
            Some((comm, pid)) => (comm.to_owned(), pid.parse().expect("a pid")),
            None => (format!("swapper/{}", scan.cpu), 0),
        };
        (intern(scan, &comm), pid)
    };
    row.kind = match kind {
        "switch" => RowKind::Switch,
        "waking" => RowKind::Waking,
        "wakeup" => RowKind::Wakeup,
        "wakeup_new" => RowKind::WakeupNew,
        "migrate" => RowKind::Migrate,
        "fork" => RowKind::Fork,
        "exit" => RowKind::Exit,
        "rename" => RowKind::Rename,
        "exec" => RowKind::Exec,
        "move_numa" => RowKind::MoveNuma,
        "lost" => RowKind::Lost,
        "other" => return None,
        _ => panic!("unknown event {kind}"),
    };
    match kind {
        "lost" => {
            row.arg = -1;
            scan.lost_gaps += 1;
            return Some(row);
        }
        "rename" => row.comm2 = intern(scan, at(2)),
        "switch" => {
            let (state, next) = if at(1) == "->" { ("R", at(2)) } else { (at(1), at(3)) };
            let preempted = if state.ends_with('+') { StateCode::PREEMPTED } else { 0 };
            // `R~`: a deadline task off its runqueue, as `StateCode::throttled` says.
            row.state = if state == "R~" {
                1
            } else {
                state.as_bytes()[0] | preempted
            };
            (row.comm2, row.arg) = named(scan, next);
        }
        "fork" => (row.comm2, row.arg) = named(scan, at(2)),
        "exec" => row.arg = at(2).parse().expect("a pid"),
        "waking" => row.arg = cpu("last"),
        "wakeup" | "wakeup_new" => row.arg = cpu("on"),
        "migrate" => {
            row.arg = cpu("to");
            row.comm2 = cpu("from") as u32;
        }
        _ => {}
    }
    (row.comm, row.pid) = named(scan, at(0));
    if kind == "exec" {
        row.common_pid = row.pid;
    }
    if let Some(waker) = after("by") {
        row.common_pid = named(scan, waker).1;
    }
    for (word, bit) in [
        ("hardirq", Context::HARDIRQ),
        ("softirq", Context::SOFTIRQ),
        ("nmi", Context::NMI),
    ] {
        row.context |= if rest.contains(&word) { bit } else { 0 };
    }
    Some(row)
}

fn intern(scan: &mut CpuScan, name: &str) -> u32 {
    let names = &mut scan.comms.names;
    let index = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    index as u32
}

/// Whether a selection includes a run, from the definition alone.
pub fn selects(trace: &Trace, selection: &Selection, cpu: u32, id: TaskCommId) -> bool {
    let (task, comm) = (trace.task_of(id), trace.comm_of(id));
    let lanes = trace.lanes.iter();
    // The task that a thread was before any exec.
    let first = |run: TaskCommId| {
        let mut task = trace.task_comm(run).task;
        while let Some(before) = trace.task(task).continues {
            task = before;
        }
        task
    };
    let ran_on = lanes.filter(|lane| {
        let runs = (0..lane.len()).filter_map(|index| lane.run(index));
        runs.into_iter().any(|run| first(run) == first(id))
    });
    (!selection.forked || task.forked)
        && (!selection.movable || 1 < ran_on.count())
        && !(selection.no_kernel_threads && kernel_thread(trace, trace.task_comm(id).task) != KernelThread::Unknown)
        && selection
            .target
            .as_ref()
            .is_none_or(|prefix| comm.starts_with(prefix.as_str()))
        && selection.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu))
        && (selection.comms.is_empty() || selection.comms.iter().any(|name| name == comm))
        && (selection.pids.is_empty() || selection.pids.contains(&task.pid))
}

/// Whether an instant lies in the window of a selection without `after_sleep`.
pub fn lies_in(trace: &Trace, selection: &Selection, at: u64) -> bool {
    let min = selection.min.unwrap_or(0);
    // Nothing lies in a window that begins behind the trace.
    min <= trace.span_ns.min(at) && selection.max.is_none_or(|max| at < max)
}
