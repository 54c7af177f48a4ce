//! Texts of odd forms, one a file, with what their lines say. Unless a test says otherwise the story is: CPU 0 idles; worker-100 is
//! woken at 100.000000 and runs from 100.000010 to 100.001010; it wakes helper-101 at 100.000500, which runs until 100.001510.

use schedrows::{CannotTell, Context, CpuScan, DiagnosticKind, Row, RowKind, Source};

use crate::support::{fixture, open, opened, scan, switches, usual};
use traceimport::Import;

fn case(name: &str) -> Import<Vec<u8>> {
    opened(&format!("cases/{name}.txt"))
}

/// The rows of a text of one CPU.
fn only(file: &Import<Vec<u8>>) -> CpuScan {
    let [scan] = <[_; 1]>::try_from(scan(file)).unwrap();
    scan
}

fn name(scan: &CpuScan, comm: u32) -> &str {
    &scan.comms.names[comm as usize]
}

/// Kind and time of each row, and the pids or the CPU of it.
fn short(scan: &CpuScan) -> Vec<(RowKind, u64, i32, i32)> {
    let rows = scan.rows.iter();
    rows.map(|row| (row.kind, row.ts, row.pid, row.arg)).collect()
}

/// The story's rows, `at` being the time that belongs to microseconds since its begin.
fn story(at: impl Fn(u64) -> u64) -> Vec<(RowKind, u64, i32, i32)> {
    use RowKind::{Switch, Wakeup, Waking};
    [
        (Waking, 0, 100, 0),
        (Wakeup, 2, 100, 0),
        (Switch, 10, 0, 100),
        (Waking, 500, 101, 0),
        (Wakeup, 502, 101, 0),
        (Switch, 1010, 100, 101),
        (Switch, 1510, 101, 0),
    ]
    .map(|(kind, us, pid, arg)| (kind, at(us), pid, arg))
    .to_vec()
}

fn ns(us: u64) -> u64 {
    100_000_000_000 + us * 1000
}

/// Who wrote the rows of a kind, and in which context.
fn writers(scan: &CpuScan, kind: RowKind) -> Vec<(Option<i32>, u8)> {
    let rows = scan.rows.iter().filter(|row| row.kind == kind);
    rows.map(|row| (row.writer(), row.context)).collect()
}

fn texts(file: &Import<Vec<u8>>, kind: DiagnosticKind) -> Vec<(u64, String)> {
    let found = file.diagnostics().iter().filter(|found| found.kind == kind);
    found.map(|found| (found.count, found.text.clone())).collect()
}

#[test]
fn the_instance_is_named_only_before_lost_events() {
    let file = case("instance-dropped");
    assert_eq!(file.info().buffer.as_deref(), Some("fl"));
    let found = only(&file);
    let pids: Vec<(i32, i32)> = switches(&file)[&0].iter().map(|row| (row.pid, row.arg)).collect();
    assert_eq!(pids, [(0, 100), (100, 101), (101, 0), (0, 102), (102, 0)]);
    assert_eq!(
        (
            found.records,
            found.lost_gaps,
            found.lost_events,
            found.rows.breaks().len()
        ),
        (5, 2, 4086 + 12, 0)
    );
    let gaps: Vec<i32> = found
        .rows
        .iter()
        .filter(|row| row.kind == RowKind::Lost)
        .map(|row| row.arg)
        .collect();
    assert_eq!(gaps, [4086, 12]);
    assert!(texts(&file, DiagnosticKind::Unsupported).is_empty());
}

#[test]
fn the_buffer_with_the_schedulers_events_is_shown_and_another_can_be_chosen() {
    let mut file = case("instance-first-line");
    assert_eq!(file.info().buffer.as_deref(), Some(""));
    assert_eq!(short(&only(&file)), story(ns));
    let others = texts(&file, DiagnosticKind::Unsupported);
    let [(1, other)] = others.as_slice() else {
        panic!("one line is of another buffer: {others:?}");
    };
    assert!(other.contains("\"timers\""), "{other}");
    file.select_buffer("timers").unwrap();
    assert_eq!(
        (only(&file).records, file.info().buffer.as_deref()),
        (1, Some("timers"))
    );
    let error = file.select_buffer("nope").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no buffer \"nope\" in the trace; it has \"\", \"timers\""
    );
    assert_eq!(only(&file).records, 1);
    // The same text, packed.
    let packed = zstd::stream::encode_all(fixture("cases/instance-first-line.txt").as_slice(), 1).unwrap();
    let mut file = open(packed).unwrap();
    assert_eq!(only(&file).records, 7);
    file.select_buffer("timers").unwrap();
    assert_eq!(only(&file).records, 1);
}

#[test]
fn lost_events_are_seen_behind_the_prefix_of_the_kernels_log() {
    let file = case("lost-behind-dmesg");
    let found = scan(&file).into_iter().find(|scan| scan.cpu == 1).unwrap();
    assert_eq!((found.lost_gaps, found.lost_events), (2, 12_570_412 + 20));
    let us = 10_347_723_897_000;
    let expected = [
        (RowKind::Lost, us, 0, 12_570_412),
        (RowKind::Switch, us, 155, 17),
        (RowKind::Switch, us + 8000, 17, 25),
        (RowKind::Lost, us + 8000, 0, 20),
        (RowKind::Switch, us + 98_000, 25, 26),
        (RowKind::Switch, us + 112_000, 26, 159),
    ];
    assert_eq!(short(&found), expected);
    let mut names: Vec<(i32, String)> = file
        .info()
        .tasks
        .into_iter()
        .map(|task| (task.pid, task.comm))
        .collect();
    names.sort();
    let expected = [(17, "boost/7"), (25, "helper/1"), (26, "ksoftirq"), (155, "reader_a")];
    assert_eq!(names, expected.map(|(pid, comm)| (pid, comm.to_owned())));
}

#[test]
fn the_context_is_in_the_column_that_the_header_names() {
    let found = only(&case("rt-flags"));
    assert_eq!(short(&found), story(ns));
    let expected = [(Some(0), Context::HARDIRQ), (Some(100), Context::SOFTIRQ)];
    assert_eq!(writers(&found, RowKind::Waking), expected);
    assert_eq!(writers(&found, RowKind::Wakeup), expected);
}

#[test]
fn whole_numbers_are_ticks() {
    for name in ["ticks-tracefs-tsc", "ticks-trace-cmd-glued"] {
        let file = case(name);
        assert!(!file.info().clock_is_ns && file.info().clock.is_none(), "{name}");
        // 2445 ticks a microsecond.
        assert_eq!(
            short(&only(&file)),
            story(|us| 15_326_417_559_277 + us * 2445),
            "{name}"
        );
        assert!(texts(&file, DiagnosticKind::Unsupported)[0].1.contains("ticks"));
    }
}

#[test]
fn a_column_of_differences_is_skipped() {
    let file = case("trace-cmd-ts-diff");
    assert_eq!(short(&only(&file)), story(ns));
    assert!(texts(&file, DiagnosticKind::Malformed).is_empty());
}

#[test]
fn without_pids_the_switches_are_known_and_the_wakers_are_not() {
    let file = case("perf-script-no-pid");
    let found = only(&file);
    let mut expected = story(ns);
    // The task `kworker/0 1`, whose name is no name and pid.
    expected.push((RowKind::Switch, ns(1600), 33, 0));
    assert_eq!(short(&found), expected);
    assert_eq!((found.records, found.rows.breaks().len()), (8, 1));
    let unknown = Context::UNKNOWN | Context::NO_WRITER;
    assert_eq!(writers(&found, RowKind::Waking), [(None, unknown), (None, unknown)]);
    let told = file.info().cannot_tell;
    assert!(told.has(CannotTell::WAKER) && told.has(CannotTell::CONTEXT));
    assert!(file.info().tasks.is_empty());
}

#[test]
fn a_missing_column_is_named() {
    let error = open(fixture("cases/perf-script-no-cpu.txt")).err().unwrap();
    assert!(
        error.message.starts_with("line 1: the CPU column is missing"),
        "{error}"
    );
    assert!(error.advice.contains("perf script -F +cpu"));
}

#[test]
fn a_name_that_looks_like_a_field_is_a_name() {
    let found = only(&case("comm-with-pid"));
    assert_eq!(short(&found), story(ns));
    let of = |pid: i32| -> Vec<&str> {
        let rows = found.rows.iter().filter(|row| row.pid == pid);
        rows.map(|row| name(&found, row.comm)).collect()
    };
    assert_eq!(of(100), ["a=b pid=7"; 3]);
    let switch: Row = found.rows.iter().find(|row| row.kind == RowKind::Switch).unwrap();
    assert_eq!(name(&found, switch.comm2), "a=b pid=7");
    assert_eq!(writers(&found, RowKind::Wakeup)[1].0, Some(100));
}

#[test]
fn the_wakeup_tracers_text_holds_a_wakeup_and_a_switch() {
    let file = case("wakeup-rt");
    let found = only(&file);
    let expected = [(RowKind::Wakeup, 1000, 217, 0), (RowKind::Switch, 1_675_000, 232, 217)];
    assert_eq!(short(&found), expected);
    assert_eq!(writers(&found, RowKind::Wakeup), [(Some(232), Context::HARDIRQ)]);
    let rows: Vec<Row> = found.rows.iter().collect();
    assert_eq!((name(&found, rows[0].comm), rows[0].prio), ("cyclictest", 0));
    assert_eq!(
        (name(&found, rows[1].comm), name(&found, rows[1].comm2)),
        ("burner-n", "cyclictest")
    );
    assert_eq!(rows[1].prio, 0);
    // Functions and stacks are records, too; `R` may be `R+` there.
    assert_eq!(found.records, 5);
    assert!(file.info().cannot_tell.has(CannotTell::PREEMPTION));
    assert!(file.diagnostics().is_empty());
}

#[test]
fn the_comments_of_function_graph_are_events() {
    let file = case("fgraph-events");
    let found = only(&file);
    assert_eq!(short(&found), story(ns));
    assert_eq!(usual(&file)[..3], [3, 2, 2]);
    assert_eq!(writers(&found, RowKind::Waking), [(Some(0), 0), (Some(100), 0)]);
}
