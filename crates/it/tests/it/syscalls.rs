//! System calls: each case of what can become of their events, told as a story; and sums that hold for any events.

use crate::support::arbitrary;
use proptest::prelude::*;
use schedindex::Runs;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::calls::{Calls, KernelLog, Recorded, Totals};
use schedquery::query::{
    call_report, each_call, CallInstance, CallModel, CallNames, CallReport, CallRow, CallStates, CallsBy, CallsJob,
    CallsQuery, Of, Split,
};
use schedrows::{scan_stream, CommTable, CpuScan, KernelKind, KernelRow, Want};
use std::cmp::Reverse;
use sysnames::Machine;
use tracedat::file::TraceFile;
use tracegen::Story;

/// Shapes of files from which every story is read.
const LAYOUTS: [&str; 3] = [
    "version 7",
    "version 6\nendian big",
    "version 7\nlong 4\ncompression zstd\nstrings data_loc\ncommon lazy",
];

pub fn load(layout: &str, events: &str) -> (Trace, Vec<KernelLog>) {
    let story = Story::parse(&format!("{layout}\n{events}")).unwrap_or_else(|error| panic!("{error}\n{events}"));
    let file = TraceFile::open(story.to_bytes()).unwrap();
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let scan = |cpu| scan_stream(&file, cpu, want, &mut |_| {}).unwrap().cpus;
    built((0..file.cpus().len()).flat_map(scan).collect())
}

fn built(mut scans: Vec<CpuScan>) -> (Trace, Vec<KernelLog>) {
    let logs = scans.iter_mut().map(KernelLog::take).collect();
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    let cpus = scans.iter().map(|scan| scan.cpu).collect();
    scans.into_iter().for_each(|scan| builder.add(scan));
    let meta = Meta {
        cpus,
        ..Meta::default()
    };
    (builder.finish(meta), logs)
}

fn report(trace: &Trace, logs: &[KernelLog], query: &CallsQuery) -> CallReport {
    let runs = Runs::new(trace);
    let calls = Calls::new(trace, &runs, logs);
    let names = CallNames::new(&calls, Some(Machine::X86_64), || None);
    call_report(trace, &runs, &calls, &names, query)
}

/// What is told of the calls of each task, a line each, and of threads.
fn told(report: &CallReport) -> Vec<String> {
    let rows = report.rows.iter().map(|row| {
        let split = &row.split;
        let parts = [
            ("cpu", split.oncpu_ns),
            ("runnable", split.runnable_ns),
            ("sleeping", split.sleeping_ns),
            ("blocked", split.blocked_ns),
            ("stopped", split.stopped_ns),
            ("unknown", split.unknown_ns),
        ];
        let parts = parts.iter().filter(|(_, ns)| ns.is_some_and(|ns| 0 < ns));
        let parts: Vec<String> = parts.map(|(name, ns)| format!("{name} {}", ns.unwrap())).collect();
        let of = serde_json::to_value(&row.of).unwrap();
        let whose = match of.get("comm") {
            Some(comm) => comm.as_str().unwrap().to_owned(),
            None => format!("{}#{}", of["pid"], of["generation"]),
        };
        let unfinished = match row.unfinished {
            0 => String::new(),
            count => format!(", {count} unfinished {}", row.unfinished_ns),
        };
        let errors = match row.errors {
            0 => String::new(),
            count => format!(", {count} errors, {} interrupted", row.interrupted),
        };
        let (call, calls, sum) = (&row.call, row.calls, row.duration_ns.sum);
        format!(
            "{whose} {call}: {calls} {sum} ({}){errors}{unfinished}",
            parts.join(", ")
        )
    });
    rows.collect()
}

/// Checks what becomes of a story's events, in every shape; totals that are not named are 0.
#[track_caller]
fn check_by(by: CallsBy, events: &str, totals: &[(&str, u64)], expected: &[&str]) {
    for layout in LAYOUTS {
        let (trace, logs) = load(layout, events);
        let query = CallsQuery {
            by,
            ..CallsQuery::default()
        };
        let report = report(&trace, &logs, &query);
        assert_eq!(report.events, Some(Recorded::Raw));
        let counted = serde_json::to_value(report.totals).unwrap();
        let counted = counted.as_object().unwrap().iter();
        let counted: Vec<_> = counted.filter(|(_, count)| count.as_u64() != Some(0)).collect();
        let mut named: Vec<_> = totals.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        named.sort();
        let counted: Vec<_> = counted
            .iter()
            .map(|(name, count)| ((*name).clone(), count.as_u64().unwrap()))
            .collect();
        assert_eq!(counted, named, "{layout}");
        assert_eq!(told(&report), expected, "{layout}");
        for thread in &report.threads {
            let parts = thread.oncpu_in_calls_ns.unwrap() + thread.outside_oncpu_ns.unwrap();
            assert!(parts <= thread.running_ns.unwrap(), "{thread:?}");
        }
    }
}

#[track_caller]
fn check(events: &str, totals: &[(&str, u64)], expected: &[&str]) {
    check_by(CallsBy::Task, events, totals, expected);
}

#[test]
fn a_call_is_split_by_what_its_thread_did() {
    check(
        "cpus 2
         0   cpu0 switch swapper/0:0 R -> a:10
         10  cpu0 sys_enter 202
         20  cpu0 switch a:10 S -> swapper/0:0
         50  cpu1 wakeup a:10 on 1
         57  cpu1 switch swapper/1:0 R -> a:10
         60  cpu1 switch a:10 D -> swapper/1:0
         70  cpu1 wakeup a:10 on 1
         71  cpu1 switch swapper/1:0 R -> a:10
         75  cpu1 switch a:10 R+ -> b:11
         80  cpu1 switch b:11 T -> a:10
         90  cpu1 sys_exit 202 0
         100 cpu1 switch a:10 S -> swapper/1:0",
        &[("enters", 1), ("exits", 1), ("calls", 1)],
        &["10#0 futex: 1 80 (cpu 27, runnable 13, sleeping 30, blocked 10)"],
    );
}

#[test]
fn an_exit_of_no_number_ends_whatever_is_open() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 15
         14 cpu0 sys_exit -1 -4
         20 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 1), ("exits", 1), ("calls", 1), ("exits_without_id", 1)],
        &["10#0 rt_sigreturn: 1 4 (cpu 4), 1 errors, 0 interrupted"],
    );
}

#[test]
fn an_exit_of_another_number_says_that_two_events_were_lost() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 0
         14 cpu0 sys_exit 1 8
         20 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 1), ("exits", 1), ("lost_exits", 1), ("exit_only", 1)],
        &[],
    );
}

#[test]
fn an_enter_while_one_is_open_says_that_its_exit_was_lost() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 0
         14 cpu0 sys_enter 1
         17 cpu0 sys_exit 1 8
         20 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 2), ("exits", 1), ("calls", 1), ("lost_exits", 1)],
        &["10#0 write: 1 3 (cpu 3)"],
    );
}

#[test]
fn a_fork_returns_in_the_child_as_well() {
    let events = "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 56 18874385
         12 cpu0 fork a:10 -> a:11
         13 cpu0 wakeup_new a:11 on 0
         15 cpu0 sys_exit 56 11
         20 cpu0 switch a:10 S -> a:11
         25 cpu0 sys_exit 56 0
         30 cpu0 sys_enter 39
         31 cpu0 sys_exit 39 11
         40 cpu0 switch a:11 S -> swapper/0:0";
    check(
        events,
        &[("enters", 2), ("exits", 3), ("calls", 2), ("child_returns", 1)],
        &["10#0 clone: 1 5 (cpu 5)", "11#0 getpid: 1 1 (cpu 1)"],
    );
    let (trace, logs) = load(LAYOUTS[0], events);
    let report = report(&trace, &logs, &CallsQuery::default());
    let child = report.threads.iter().find(|thread| thread.pid == 11).unwrap();
    // From its birth to its first return, and one call more.
    assert_eq!((child.in_calls_ns, child.oncpu_in_calls_ns), (13 + 1, Some(5 + 1)));
    assert_eq!((child.running_ns, child.outside_oncpu_ns), (Some(20), Some(14)));
}

#[test]
fn a_vfork_blocks_the_parent_until_the_child_execs() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 58
         12 cpu0 fork a:10 -> a:11
         13 cpu0 wakeup_new a:11 on 0
         15 cpu0 switch a:10 D -> a:11
         16 cpu0 sys_exit 58 0
         18 cpu0 sys_enter 59
         20 cpu0 exec b:11 /bin/b
         21 cpu0 wakeup a:10 on 0
         25 cpu0 sys_exit 59 0
         30 cpu0 switch b:11 S -> a:10
         35 cpu0 sys_exit 58 11
         40 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 2), ("exits", 3), ("calls", 2), ("child_returns", 1)],
        &[
            "10#0 vfork: 1 25 (cpu 10, runnable 9, blocked 6)",
            "11#0 execve: 1 7 (cpu 7)",
        ],
    );
}

#[test]
fn a_sleep_that_is_restarted_is_two_calls() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 35
         12 cpu0 switch a:10 S -> swapper/0:0
         20 cpu0 wakeup a:10 on 0
         22 cpu0 switch swapper/0:0 R -> a:10
         23 cpu0 sys_exit 35 -516
         24 cpu0 sys_enter 219
         25 cpu0 switch a:10 S -> swapper/0:0
         30 cpu0 wakeup a:10 on 0
         31 cpu0 switch swapper/0:0 R -> a:10
         33 cpu0 sys_exit 219 0
         40 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 2), ("exits", 2), ("calls", 2)],
        &[
            "10#0 nanosleep: 1 13 (cpu 3, runnable 2, sleeping 8), 1 errors, 1 interrupted",
            "10#0 restart_syscall: 1 9 (cpu 3, runnable 1, sleeping 5)",
        ],
    );
}

/// One signal restarts a read, another ends a futex of a thread that it kills.
#[test]
fn calls_that_signals_end_return_errors() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 0
         12 cpu0 sys_exit 0 -512
         13 cpu0 sys_enter 15
         14 cpu0 sys_exit -1 0
         15 cpu0 sys_enter 0
         16 cpu0 sys_exit 0 -4
         17 cpu0 sys_enter 202
         20 cpu0 sys_exit 202 -512
         21 cpu0 exit a:10
         22 cpu0 switch a:10 X -> swapper/0:0",
        &[("enters", 4), ("exits", 4), ("calls", 4), ("exits_without_id", 1)],
        &[
            "10#0 futex: 1 3 (cpu 3), 1 errors, 1 interrupted",
            "10#0 read: 2 3 (cpu 3), 2 errors, 1 interrupted",
            "10#0 rt_sigreturn: 1 1 (cpu 1)",
        ],
    );
}

/// A filter answers in the call's place: there is an exit alone.
#[test]
fn a_denied_call_never_ran() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 39
         11 cpu0 sys_exit 39 10
         15 cpu0 sys_exit 110 -13
         16 cpu0 sys_exit 110 -13
         20 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 1), ("exits", 3), ("calls", 1), ("exit_only", 2)],
        &["10#0 getpid: 1 1 (cpu 1)"],
    );
}

#[test]
fn an_exit_may_be_of_a_call_before_the_trace_or_of_none() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         5  cpu0 sys_exit 202 0
         10 cpu0 sys_exit 110 -13
         20 cpu0 switch a:10 S -> swapper/0:0",
        &[("exits", 2), ("before_trace", 1), ("exit_only", 1)],
        &[],
    );
}

#[test]
fn calls_that_do_not_return_stand_apart() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 231
         15 cpu0 switch a:10 X -> b:11
         20 cpu0 sys_enter 202
         25 cpu0 switch b:11 S -> swapper/0:0
         40 cpu0 switch swapper/0:0 R -> c:12",
        &[
            ("enters", 2),
            ("never_returned", 1),
            ("open_at_end", 1),
            ("unfinished", 2),
        ],
        &[
            "10#0 exit_group: 0 0 (), 1 unfinished 5",
            "11#0 futex: 0 0 (), 1 unfinished 20",
        ],
    );
}

#[test]
fn what_no_event_names_before_an_exec_does_not_have_the_name_after_it() {
    // The thread runs since before the trace: its first name comes with the exec, or with the switch that follows.
    for (exec, before) in [("exec sh:10 /usr/bin/ls", ""), ("other", "ls")] {
        check_by(
            CallsBy::Command,
            &format!(
                "cpus 1
                 0  cpu0 sys_enter 1 by 10
                 3  cpu0 sys_exit 1 0 by 10
                 10 cpu0 sys_enter 59 by 10
                 15 cpu0 {} by 10
                 20 cpu0 sys_exit 59 0 by 10
                 21 cpu0 sys_enter 39 by 10
                 22 cpu0 sys_exit 39 10 by 10
                 30 cpu0 switch ls:10 S -> swapper/0:0",
                exec.replace("other", "print nothing")
            ),
            &[("enters", 3), ("exits", 3), ("calls", 3)],
            &[
                &format!("{before} execve: 1 10 (cpu 10)"),
                &format!("{before} write: 1 3 (cpu 3)"),
                "ls getpid: 1 1 (cpu 1)",
            ],
        );
    }
}

#[test]
fn a_thread_that_dies_with_the_last_event_never_returns() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 231
         20 cpu0 switch a:10 X -> swapper/0:0",
        &[("enters", 1), ("never_returned", 1), ("unfinished", 1)],
        &["10#0 exit_group: 0 0 (), 1 unfinished 10"],
    );
}

/// The thread 11 of process 10 calls exec.
const EXEC: &str = "cpus 2
     0   cpu0 switch swapper/0:0 R -> a:11
     0   cpu1 switch b:12 S -> a:10
     5   cpu0 sys_enter 59
     10  cpu0 switch a:11 D -> swapper/0:0
     20  cpu1 exit a:10
     21  cpu1 waking a:11 on 0
     22  cpu1 wakeup a:11 on 0
     25  cpu1 switch a:10 X -> swapper/1:0
     30  cpu0 switch swapper/0:0 R -> a:11
     40  cpu0 exec a:10 /bin/c from 11
     45  cpu0 sys_exit 59 0
     46  cpu0 sys_enter 39
     47  cpu0 sys_exit 39 10
     50  cpu0 switch c:10 S -> swapper/0:0";

#[test]
fn an_exec_by_a_thread_that_does_not_lead_goes_on_as_its_leader() {
    check(
        EXEC,
        &[("enters", 2), ("exits", 2), ("calls", 2)],
        &[
            "11#0 execve: 1 40 (cpu 20, runnable 8, blocked 12)",
            "10#1 getpid: 1 1 (cpu 1)",
        ],
    );
    let (trace, logs) = load(LAYOUTS[0], EXEC);
    assert!(trace.diagnostics.is_empty(), "{:?}", trace.diagnostics);
    let report = report(&trace, &logs, &CallsQuery::default());
    let of = |pid, generation| {
        let found = |thread: &&_| {
            let thread: &schedquery::query::CallThread = thread;
            (thread.pid, thread.generation) == (pid, generation)
        };
        report.threads.iter().find(found).unwrap().in_calls_ns
    };
    assert_eq!((of(11, 0), of(10, 1)), (35, 5 + 1));
}

#[test]
fn threads_are_called_what_they_are_when_they_enter() {
    check_by(
        CallsBy::Command,
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> sh:10
         10 cpu0 sys_enter 59
         15 cpu0 exec sh:10 /usr/bin/ls
         20 cpu0 sys_exit 59 0
         21 cpu0 sys_enter 39
         22 cpu0 sys_exit 39 10
         23 cpu0 rename 10 ls -> worker
         24 cpu0 sys_enter 102
         26 cpu0 sys_exit 102 0
         30 cpu0 switch worker:10 S -> swapper/0:0",
        &[("enters", 3), ("exits", 3), ("calls", 3)],
        &[
            "sh execve: 1 10 (cpu 10)",
            "worker getuid: 1 2 (cpu 2)",
            "ls getpid: 1 1 (cpu 1)",
        ],
    );
}

#[test]
fn a_name_that_a_rename_took_away_is_that_of_the_calls_before() {
    check_by(
        CallsBy::Command,
        "cpus 1
         0  cpu0 sys_enter 39 by 10
         1  cpu0 sys_exit 39 10 by 10
         5  cpu0 rename 10 old -> new by 10
         9  cpu0 switch new:10 S -> swapper/0:0",
        &[("enters", 1), ("exits", 1), ("calls", 1)],
        &["old getpid: 1 1 (cpu 1)"],
    );
}

#[test]
fn a_call_across_lost_events_is_kept_and_in_doubt() {
    check(
        "cpus 1
         0  cpu0 switch swapper/0:0 R -> a:10
         10 cpu0 sys_enter 0
         20 cpu0 lost 5
         30 cpu0 sys_exit 0 1
         40 cpu0 switch a:10 S -> swapper/0:0
         45 cpu0 switch swapper/0:0 R -> a:10
         50 cpu0 sys_enter 1
         51 cpu0 sys_exit 1 1
         60 cpu0 switch a:10 S -> swapper/0:0",
        &[("enters", 2), ("exits", 2), ("calls", 2), ("across_loss", 1)],
        &["10#0 read: 1 20 (unknown 20)", "10#0 write: 1 1 (cpu 1)"],
    );
}

#[test]
fn idle_makes_no_calls() {
    check(
        "cpus 1
         0  cpu0 switch a:10 S -> swapper/0:0
         10 cpu0 sys_enter 0
         20 cpu0 switch swapper/0:0 R -> a:10",
        &[],
        &[],
    );
}

#[test]
fn a_call_lies_where_it_was_entered() {
    let (trace, logs) = load(LAYOUTS[0], EXEC);
    for (min, max, calls) in [(0, 6, 1), (5, 6, 1), (6, 46, 0), (46, 47, 1), (0, 99, 2)] {
        let mut query = CallsQuery::default();
        (query.selection.min, query.selection.max) = (Some(min), Some(max));
        let found: u64 = report(&trace, &logs, &query).rows.iter().map(|row| row.calls).sum();
        assert_eq!(found, calls, "{min}-{max}");
    }
}

/// Rows in any order of kinds, by a few threads and numbers.
pub fn rows() -> impl Strategy<Value = Vec<Vec<KernelRow>>> {
    let row = (
        0_u64..9,
        0..KernelKind::ALL.len(),
        0_i32..6,
        -1_i32..3,
        prop_oneof![-600_i64..3, any::<i64>()],
    );
    let rows = prop::collection::vec(row, 0..120).prop_map(|rows| {
        let mut ts = 1000;
        let later = |(after, kind, pid, number, value)| {
            ts += after;
            KernelRow {
                ts,
                kind: KernelKind::ALL[kind],
                pid,
                number,
                value,
            }
        };
        rows.into_iter().map(later).collect()
    });
    prop::collection::vec(rows, 3)
}

pub fn logs_of(rows: &[Vec<KernelRow>]) -> Vec<KernelLog> {
    let logs = rows.iter().zip(0..).map(|(rows, cpu)| {
        let mut scan = CpuScan {
            cpu,
            comms: CommTable {
                names: ["", "a", "b"].map(str::to_owned).to_vec(),
            },
            ..CpuScan::default()
        };
        rows.iter().for_each(|&row| scan.kernel.push(row));
        KernelLog::take(&mut scan)
    });
    logs.collect()
}

/// What a row says, found by looking at every call.
fn naive(calls: &[CallInstance<'_>], row: &CallRow) -> serde_json::Value {
    let of: Vec<&CallInstance<'_>> = calls
        .iter()
        .filter(|call| call.nr == row.nr && whose(call, &row.of))
        .collect();
    let mut ns: Vec<u64> = of.iter().map(|call| call.duration_ns).collect();
    ns.sort_unstable();
    let rank = |permille: usize| ns.get((ns.len() * permille).div_ceil(1000).wrapping_sub(1)).copied();
    let sum = |part: fn(&Split) -> Option<u64>| of.iter().filter_map(|call| part(&call.split)).sum::<u64>();
    let longest = of
        .iter()
        .min_by_key(|call| (Reverse(call.duration_ns), call.at_ns, call.pid));
    serde_json::json!([
        of.len(),
        of.iter().filter(|call| (-4095..0).contains(&call.ret)).count(),
        ns.iter().sum::<u64>(),
        [
            ns.first().copied(),
            rank(500),
            rank(900),
            rank(990),
            rank(999),
            ns.last().copied()
        ],
        [
            sum(|split| split.oncpu_ns),
            sum(|split| split.runnable_ns),
            sum(|split| split.sleeping_ns)
        ],
        [
            sum(|split| split.blocked_ns),
            sum(|split| split.unknown_ns),
            sum(|split| split.irq_ns)
        ],
        longest.map(|call| (
            call.at_ns,
            call.duration_ns,
            call.pid,
            call.generation,
            call.cpu,
            call.ret
        )),
    ])
}

fn whose(call: &CallInstance<'_>, of: &Of) -> bool {
    match of {
        Of::All {} => true,
        Of::Command { comm } => call.comm == *comm,
        Of::Task { pid, generation } => (call.pid, call.generation) == (*pid, *generation),
        Of::Process { .. } => false,
    }
}

/// The same as the row has it.
fn given(row: &CallRow) -> serde_json::Value {
    let (ns, split) = (&row.duration_ns, &row.split);
    let known = |part: Option<u64>| part.unwrap_or(0);
    serde_json::json!([
        row.calls,
        row.errors,
        ns.sum,
        [ns.min, ns.p50, ns.p90, ns.p99, ns.p999, ns.max],
        [
            known(split.oncpu_ns),
            known(split.runnable_ns),
            known(split.sleeping_ns)
        ],
        [known(split.blocked_ns), known(split.unknown_ns), known(split.irq_ns)],
        row.longest.map(|call| (
            call.at_ns,
            call.duration_ns,
            call.pid,
            call.generation,
            call.cpu,
            call.ret
        )),
    ])
}

proptest! {
    #[test]
    fn tables_of_windows_are_those_of_single_calls(
        (_, trace) in arbitrary::scanned(),
        rows in rows(),
        windows in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..4),
    ) {
        let logs = logs_of(&rows);
        let runs = Runs::new(&trace);
        let calls = Calls::new(&trace, &runs, &logs);
        let names = CallNames::new(&calls, Some(Machine::X86_64), || None);
        let kept = CallStates::kept();
        let model = CallModel { trace: &trace, runs: &runs, calls: &calls, names: &names, states: &kept };
        for (index, (one, other)) in windows.into_iter().enumerate() {
            let at = |share: f64| (share * trace.span_ns as f64) as u64;
            let mut query = CallsQuery {
                by: [CallsBy::Call, CallsBy::Command, CallsBy::Task][index % 3],
                ..CallsQuery::default()
            };
            if index != 1 {
                query.selection.min = Some(at(one.min(other)));
                query.selection.max = Some(at(one.max(other)));
            }
            let plain = call_report(&trace, &runs, &calls, &names, &query);
            let mut job = CallsJob::new(&trace, query.clone());
            while job.step(model) {}
            let summed = job.answer(model);
            prop_assert_eq!(serde_json::to_value(&plain).unwrap(), serde_json::to_value(&summed).unwrap());
            let mut job = CallsJob::new(&trace, CallsQuery { sums_only: true, ..query.clone() });
            while job.step(model) {}
            let sums = job.answer(model);
            prop_assert_eq!(&sums.threads, &summed.threads);
            for (one, other) in sums.rows.iter().zip(&summed.rows) {
                prop_assert_eq!((one.calls, one.duration_ns.sum, one.split), (other.calls, other.duration_ns.sum, other.split));
            }
            let mut all = Vec::new();
            let each = each_call(&trace, &runs, &calls, &names, &query, |call| {
                all.push(CallInstance { comm: call.comm.to_string().into(), ..call.clone() });
                Ok::<(), ()>(())
            });
            each.unwrap();
            prop_assert_eq!(summed.rows.iter().map(|row| row.calls).sum::<u64>(), all.len() as u64);
            for row in &summed.rows {
                prop_assert_eq!(naive(&all, row), given(row));
            }
        }
    }

    #[test]
    fn whatever_comes_is_counted_once((_, trace) in arbitrary::scanned(), rows in rows()) {
        let logs = logs_of(&rows);
        let is = |kinds: [KernelKind; 2]| rows.iter().flatten().filter(|row| kinds.contains(&row.kind) && row.pid != 0).count() as u64;
        for by in [CallsBy::Call, CallsBy::Command, CallsBy::Task, CallsBy::Process] {
            let query = CallsQuery { by, ..CallsQuery::default() };
            let report = report(&trace, &logs, &query);
            let totals: Totals = report.totals;
            prop_assert_eq!(totals.enters, totals.calls + totals.unfinished + totals.lost_exits);
            prop_assert_eq!(totals.exits, totals.calls + totals.child_returns + totals.before_trace + totals.exit_only);
            prop_assert_eq!(totals.unfinished, totals.never_returned + totals.open_at_end);
            if report.events == Some(Recorded::Raw) || report.events == Some(Recorded::Both) {
                prop_assert_eq!(totals.enters, is([KernelKind::Enter; 2]));
                prop_assert_eq!(totals.exits, is([KernelKind::Exit; 2]));
            }
            let sum = |of: fn(&schedquery::query::CallRow) -> u64| report.rows.iter().map(of).sum::<u64>();
            prop_assert_eq!(sum(|row| row.calls), totals.calls);
            prop_assert_eq!(sum(|row| row.unfinished), totals.unfinished);
            for row in &report.rows {
                let split = &row.split;
                if let Some(oncpu) = split.oncpu_ns {
                    let others = [split.runnable_ns, split.sleeping_ns, split.blocked_ns, split.stopped_ns, split.unknown_ns];
                    let all = oncpu + others.iter().flatten().sum::<u64>();
                    prop_assert_eq!(all, row.duration_ns.sum);
                    prop_assert!(split.irq_ns.is_none_or(|irq| irq <= oncpu));
                }
                prop_assert!(row.interrupted <= row.errors && row.errors <= row.calls);
            }
            for thread in &report.threads {
                if let Some(running) = thread.running_ns {
                    prop_assert!(thread.oncpu_in_calls_ns.unwrap() <= running);
                }
                prop_assert!(thread.in_calls_ns <= thread.last_ns - thread.first_ns);
            }
        }
    }
}
