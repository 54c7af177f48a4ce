//! Findings about calls: counted by hand, and against each call's states in a recording.

use crate::syscalls::load;
use schedindex::{Runs, TaskState};
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{
    call_findings, each_call, each_state, CallModel, CallNames, CallStates, CallsQuery, Finding, FindingKind, Selection,
};
use schedrows::{scan_stream, Want};
use std::collections::BTreeMap;
use std::path::Path;
use sysnames::Machine;
use tracedat::file::TraceFile;

/// Those of a kind, the costliest first.
fn findings(trace: &Trace, logs: &[KernelLog], selection: &Selection, kind: FindingKind) -> Vec<Finding> {
    let runs = Runs::new(trace);
    let calls = Calls::new(trace, &runs, logs);
    let names = CallNames::new(&calls, Some(Machine::X86_64), || None);
    let model = CallModel {
        trace,
        runs: &runs,
        calls: &calls,
        names: &names,
        states: &CallStates::default(),
    };
    let mut found = call_findings(model, selection, 10_000);
    found.retain(|finding| finding.kind == kind);
    found.sort_by_key(|finding| std::cmp::Reverse(finding.cost_ns));
    found
}

/// Cost, call, begin and end, CPU, and where the run is to which it leads.
fn told(found: &[Finding]) -> Vec<String> {
    let told = found.iter().map(|finding| {
        let run = finding
            .run
            .map_or("no run".to_owned(), |run| format!("run {}@{}", run.cpu, run.start_ns.0));
        format!(
            "{} {} of {} {}..{} CPU {} {run}",
            finding.cost_ns,
            finding.call.as_deref().unwrap(),
            finding.comm,
            finding.start_ns.0,
            finding.end_ns.0,
            finding.cpu.unwrap(),
        )
    });
    told.collect()
}

/// `a` waits for CPU 0 twice in a futex, 30 and 10 ns, and once 5 ns in a read, in which it is blocked for 5 ns before; outside
/// of calls it waits for 50. `c` is blocked twice in one call, 20 and 40 ns, and goes on at once on CPU 1.
const STORY: &str = "cpus 2
    0   cpu0 switch swapper/0:0 R -> a:10
    0   cpu1 switch swapper/1:0 R -> c:12
    5   cpu1 sys_enter 74
    10  cpu0 sys_enter 202
    20  cpu0 switch a:10 S -> b:11
    30  cpu0 wakeup a:10 on 0
    60  cpu0 switch b:11 R -> a:10
    65  cpu0 switch a:10 R+ -> b:11
    70  cpu1 switch c:12 D -> swapper/1:0
    75  cpu0 switch b:11 R -> a:10
    80  cpu0 sys_exit 202 0
    82  cpu0 sys_enter 0
    84  cpu0 switch a:10 D -> b:11
    89  cpu0 wakeup a:10 on 0
    90  cpu1 wakeup c:12 on 1
    90  cpu1 switch swapper/1:0 R -> c:12
    92  cpu1 switch c:12 D -> swapper/1:0
    94  cpu0 switch b:11 R -> a:10
    95  cpu0 sys_exit 0 4
    100 cpu0 switch a:10 R+ -> b:11
    132 cpu1 wakeup c:12 on 1
    132 cpu1 switch swapper/1:0 R -> c:12
    140 cpu1 sys_exit 74 0
    150 cpu0 switch b:11 S -> a:10
    160 cpu0 switch a:10 S -> swapper/0:0
    160 cpu1 switch c:12 S -> swapper/1:0";

#[test]
fn a_call_has_its_longest_wait_and_all_that_it_was_blocked() {
    let (trace, logs) = load("version 7", STORY);
    let all = Selection::default();
    assert_eq!(
        told(&findings(&trace, &logs, &all, FindingKind::CallWait)),
        [
            "30 futex of a 30..60 CPU 0 run 0@60",
            "5 read of a 89..94 CPU 0 run 0@94",
        ]
    );
    assert_eq!(
        told(&findings(&trace, &logs, &all, FindingKind::CallBlocked)),
        [
            "60 fsync of c 5..140 CPU 1 run 1@132",
            "5 read of a 82..95 CPU 0 run 0@94",
        ]
    );
}

#[test]
fn only_calls_that_were_entered_in_what_is_selected_are_found() {
    let (trace, logs) = load("version 7", STORY);
    let later = Selection {
        min: Some(50),
        ..Selection::default()
    };
    let waits = findings(&trace, &logs, &later, FindingKind::CallWait);
    assert_eq!(told(&waits), ["5 read of a 89..94 CPU 0 run 0@94"]);
    let of_c = Selection {
        comms: vec!["c".to_owned()],
        ..Selection::default()
    };
    assert!(findings(&trace, &logs, &of_c, FindingKind::CallWait).is_empty());
    assert_eq!(findings(&trace, &logs, &of_c, FindingKind::CallBlocked).len(), 1);
}

fn recording(name: &str) -> (Trace, Vec<KernelLog>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    let file = TraceFile::open(std::fs::read(path).unwrap()).unwrap();
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let scan = |cpu| scan_stream(&file, cpu, want, &mut |_| {}).unwrap().cpus;
    let mut scans: Vec<_> = (0..file.cpus().len()).flat_map(scan).collect();
    let logs = scans.iter_mut().map(KernelLog::take).collect();
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap());
    let cpus = scans.iter().map(|scan| scan.cpu).collect();
    scans.into_iter().for_each(|scan| builder.add(scan));
    let meta = Meta {
        cpus,
        ..Meta::default()
    };
    (builder.finish(meta), logs)
}

/// When each state of a thread began and ended.
type States = BTreeMap<(i32, u32), Vec<(u64, u64, TaskState)>>;

#[test]
fn a_recording_has_the_costs_that_its_states_tell() {
    let (trace, logs) = recording("sysmix-4cpu.dat");
    let mut states = States::new();
    let all = each_state(&trace, &Selection::default(), |row| {
        let task = row.task();
        let of = states.entry((task.pid, task.generation)).or_default();
        of.push((row.start_ns.0, row.end_ns.0, row.state));
        Ok::<(), ()>(())
    });
    all.unwrap();
    let runs = Runs::new(&trace);
    let calls = Calls::new(&trace, &runs, &logs);
    let names = CallNames::new(&calls, Some(Machine::X86_64), || None);
    let (mut waits, mut blocked) = (Vec::new(), Vec::new());
    each_call(&trace, &runs, &calls, &names, &CallsQuery::default(), |call| {
        // One of them goes on as another task.
        if call.call == "execve" {
            return Ok::<(), ()>(());
        }
        let (from, to) = (call.at_ns.0, call.at_ns.0 + call.duration_ns);
        let of = states.get(&(call.pid, call.generation)).into_iter().flatten();
        let parts: Vec<(u64, TaskState)> = of
            .map(|&(start, end, state)| (end.min(to).saturating_sub(start.max(from)), state))
            .filter(|&(ns, _)| 0 < ns)
            .collect();
        let of_state = |wanted: TaskState| parts.iter().filter(move |part| part.1 == wanted).map(|part| part.0);
        waits.extend(of_state(TaskState::Runnable).max());
        blocked.extend(Some(of_state(TaskState::Blocked).sum::<u64>()).filter(|&ns| 0 < ns));
        Ok(())
    })
    .unwrap();
    for (mut expected, kind) in [(waits, FindingKind::CallWait), (blocked, FindingKind::CallBlocked)] {
        expected.sort_unstable_by_key(|&ns| std::cmp::Reverse(ns));
        let found = findings(&trace, &logs, &Selection::default(), kind);
        let found = found.iter().filter(|finding| finding.call.as_deref() != Some("execve"));
        let found: Vec<u64> = found.map(|finding| finding.cost_ns).collect();
        assert!(10 <= found.len(), "{kind:?}: {}", found.len());
        assert_eq!(found, expected, "{kind:?}");
    }
}
