//! The result of the model for a scenario, as text.

use crate::support;
use schedmodel::{Meta, MigrationKind, TaskId, Trace, TraceBuilder, WaitCause, WakeEvent, WakerContext, Who};
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;
use tracegen::Story;

/// Shapes of files from which every scenario is read.
const LAYOUTS: [&str; 4] = [
    "version 7",
    "version 6\nendian big",
    "version 7\nendian big\nlong 4\ncompression zstd\nstrings data_loc\ncommon lazy",
    "version 6\nlong 4\nstrings rel_loc",
];

/// The trace that a scenario's file holds.
pub fn read(layout: &str, events: &str) -> Trace {
    let story = Story::parse(&format!("{layout}\n{events}")).unwrap_or_else(|error| panic!("{error}\n{events}"));
    let file = TraceFile::open(story.to_bytes()).unwrap_or_else(|error| panic!("{layout}: {error}"));
    assert!(file.diagnostics().is_empty(), "{layout}: {:?}", file.diagnostics());
    let scans: Vec<_> = (0..file.cpus().len())
        .map(|cpu| scan_cpu(&file, cpu).unwrap())
        .collect();
    let base = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let mut builder = TraceBuilder::new(base);
    scans.into_iter().for_each(|scan| builder.add(scan));
    builder.finish(Meta {
        cpus: (0..file.header().cpu_count).collect(),
        ..Meta::default()
    })
}

/// Checks that in every layout these events give exactly this story; white space at the ends of lines does not count.
#[track_caller]
pub fn check(events: &str, expected: &str) {
    for layout in LAYOUTS {
        check_in(layout, events, expected);
    }
}

/// Checks the same in one layout.
#[track_caller]
pub fn check_in(layout: &str, events: &str, expected: &str) {
    let told = story(&read(layout, events));
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(told.join("\n"), expected.join("\n"), "\n{layout}\n{events}");
}

/// Lanes, wakeups, waits, migrations, the tasks that have more than a name, and what was found wrong.
pub fn story(trace: &Trace) -> Vec<String> {
    let lanes = trace
        .cpus
        .iter()
        .map(|&cpu| format!("cpu{cpu}: {}", support::lane(trace, cpu)));
    let mut told: Vec<String> = lanes.collect();
    told.extend((0..trace.edges.len()).map(|index| wakeup(trace, index)));
    for (lane, cpu) in trace.lanes.iter().zip(&trace.cpus) {
        for (index, interval) in lane.intervals().enumerate() {
            if let (Some(wait), Who::Run(id)) = (lane.wait(index), interval.who) {
                let cause = match wait.cause {
                    WaitCause::Wakeup => "woken",
                    WaitCause::Preempted => "preempted",
                    WaitCause::Replenished => "replenished",
                };
                let who = name(trace, trace.task_comm(id).task);
                told.push(format!(
                    "{who} waits {}-{} for cpu{cpu}, {cause}",
                    wait.since, interval.start
                ));
            }
        }
    }
    told.extend(trace.loose_waits.iter().map(|wait| {
        let who = name(trace, trace.task_comm(wait.who).task);
        format!("{who} waits {}-{} and is not seen to run", wait.since, wait.until)
    }));
    told.extend(trace.throttles.iter().map(|throttle| {
        let who = name(trace, trace.task_comm(throttle.who).task);
        format!("{who} is throttled {}-{}", throttle.since, throttle.until)
    }));
    told.extend(trace.migrations.iter().map(|migration| {
        let kind = match migration.kind {
            MigrationKind::Placement => "placement",
            MigrationKind::LoadBalance => "load balance",
            MigrationKind::Numa => "NUMA",
            MigrationKind::Other => "other",
            MigrationKind::Derived => "derived",
            MigrationKind::FirstRun => "derived from the first run",
        };
        let (from, to) = (place(migration.from()), place(migration.to()));
        format!(
            "{} goes {from} -> {to} at {}, {kind}",
            name(trace, migration.task),
            migration.at
        )
    }));
    told.extend((0..trace.tasks.len()).filter_map(|index| {
        let (id, task) = (TaskId(index as u32), &trace.tasks[index]);
        let parent = task.parent.map_or("idle".to_owned(), |parent| name(trace, parent));
        task.forked.then(|| format!("{} forked by {parent}", name(trace, id)))
    }));
    told.extend((0..trace.tasks.len()).filter_map(|index| {
        let before = trace.tasks[index].continues?;
        let (task, before) = (name(trace, TaskId(index as u32)), name(trace, before));
        Some(format!("{task} is {before} after an exec"))
    }));
    if let Some(at) = trace.after_sleep {
        told.push(format!("sleep exits at {at}"));
    }
    told.extend(support::findings(trace));
    told
}

fn wakeup(trace: &Trace, index: usize) -> String {
    let edge = trace.edges.get(index);
    let event = match edge.event {
        WakeEvent::Waking => "waking",
        WakeEvent::Wakeup => "wakeup",
        WakeEvent::WakeupNew => "wakeup_new",
    };
    let waker = edge.waker.map_or("idle".to_owned(), |waker| name(trace, waker));
    let waker = match edge.context {
        WakerContext::Task => waker,
        WakerContext::Hardirq => format!("a hardirq over {waker}"),
        WakerContext::Softirq => format!("a softirq over {waker}"),
        WakerContext::Unknown => "an unknown waker".to_owned(),
    };
    let time = |at: Option<u64>| at.map_or("?".to_owned(), |at| at.to_string());
    format!(
        "{} woken by {waker} on cpu{}: {event} {}, runnable {}, running {}; {} -> {}",
        name(trace, trace.edges.wakee(index)),
        edge.waker_cpu,
        edge.at,
        time(edge.woken),
        time(edge.running),
        place(edge.previous_cpu),
        place(edge.chosen_cpu),
    )
}

fn place(cpu: Option<u32>) -> String {
    cpu.map_or("?".to_owned(), |cpu| format!("cpu{cpu}"))
}

/// `pid`, or `pid#generation` from the second on.
fn name(trace: &Trace, task: TaskId) -> String {
    let task = trace.task(task);
    match task.generation {
        0 => task.pid.to_string(),
        generation => format!("{}#{generation}", task.pid),
    }
}
