//! Written files against the rows that they are made of.

use std::io::Cursor;

use proptest::prelude::*;
use schedrows::{CommTable, Rows, StateCode, Want};

use super::*;
use crate::file::TraceFile;
use crate::report::{Report, ReportOptions};

fn file_of(recording: &Recording<'_>, version: FileVersion) -> (Written, Vec<u8>) {
    let mut out = Cursor::new(Vec::new());
    let written = write(recording, version, &mut out).unwrap();
    (written, out.into_inner())
}

fn recording(scans: &[CpuScan]) -> Recording<'_> {
    Recording {
        scans,
        window: Window::default(),
        cpu_count: 4,
        clock: None,
        uname: None,
        comms: &[],
        marker: None,
    }
}

fn scanned(bytes: &[u8]) -> Vec<CpuScan> {
    use schedrows::{scan_stream, Source};
    let file = TraceFile::open(bytes).unwrap();
    assert_eq!(Source::diagnostics(&file), []);
    let streams = file.streams().len();
    (0..streams)
        .flat_map(|stream| scan_stream(&file, stream, Want::default(), &mut |_| {}).unwrap().cpus)
        .collect()
}

/// Rows with names in place of their numbers, which differ between scans.
fn told(scan: &CpuScan) -> Vec<(Row, String, String)> {
    let name = |comm: u32| scan.comms.names[comm as usize].clone();
    let rows = scan.rows.iter().map(|row| {
        let second = !matches!(
            row.kind,
            RowKind::Migrate | RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma | RowKind::Lost
        );
        let comm2 = if second { name(row.comm2) } else { row.comm2.to_string() };
        (
            Row {
                comm: 0,
                comm2: 0,
                // Of a switch it is the pid, or says something else.
                common_pid: if row.kind == RowKind::Switch { 0 } else { row.common_pid },
                ..row
            },
            name(row.comm),
            comm2,
        )
    });
    rows.collect()
}

const LETTERS: &[u8] = b"RSDTtXZPI";

/// A row of any kind, with the fields that it has; `later` after the one before.
fn rows() -> impl Strategy<Value = Row> {
    let later = prop_oneof![4 => 0_u64..3, 4 => 0_u64..5000, 1 => Just(1 << 30)];
    let numbers = (0_i32..9, 0_i32..9, -1_i32..4, 0_u32..4);
    let rest = (0..LETTERS.len(), any::<bool>(), 0_u8..140, 0_u8..8);
    (later, 0..RowKind::ALL.len(), numbers, rest).prop_map(
        |(later, kind, (writer, pid, arg, comm), (letter, plus, prio, context))| {
            let kind = RowKind::ALL[kind];
            let mut row = Row::of(kind, later);
            if kind == RowKind::Lost {
                row.arg = arg;
                return row;
            }
            row.common_pid = writer;
            row.context = context;
            row.pid = pid;
            row.arg = arg;
            row.comm = comm;
            row.prio = prio;
            match kind {
                RowKind::Switch => {
                    row.comm2 = 3 - comm;
                    row.state = LETTERS[letter] | if plus { StateCode::PREEMPTED } else { 0 };
                }
                RowKind::Migrate => row.comm2 = comm,
                RowKind::Fork | RowKind::Rename => {
                    row.comm2 = 3 - comm;
                    row.prio = Row::NO_PRIO;
                    row.arg = if kind == RowKind::Rename { 0 } else { arg };
                }
                RowKind::Exec => row.prio = Row::NO_PRIO,
                RowKind::Exit => row.arg = 0,
                RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => {
                    row.comm2 = comm;
                    row.comm = 0;
                    row.prio = Row::NO_PRIO;
                }
                _ => {}
            }
            row
        },
    )
}

fn scan_of(cpu: u32, steps: Vec<Row>) -> CpuScan {
    let mut now = 1_000_000_000;
    let mut kept: Vec<Row> = Vec::new();
    for mut row in steps {
        if row.kind == RowKind::Lost {
            // A gap is told at the row before it, or at the first one; two in a row are one.
            if kept.last().is_some_and(|last| last.kind == RowKind::Lost) {
                continue;
            }
            row.ts = now;
        } else {
            now += row.ts;
            row.ts = now;
            if let [gap] = kept.as_mut_slice() {
                if gap.kind == RowKind::Lost {
                    gap.ts = now;
                }
            }
        }
        kept.push(row);
    }
    if kept.last().is_some_and(|last| last.kind == RowKind::Lost) {
        kept.pop();
    }
    let names = ["", "a", "with space", "fifteen-letters"];
    CpuScan {
        cpu,
        rows: kept.into_iter().collect::<Rows>(),
        comms: CommTable {
            names: names.map(str::to_owned).to_vec(),
        },
        ..CpuScan::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_come_back(
        cpus in prop::collection::vec(prop::collection::vec(rows(), 1..300), 1..4),
        version in prop::sample::select(&[FileVersion::V6, FileVersion::V7][..]),
    ) {
        let scans: Vec<CpuScan> = cpus.into_iter().zip(0..).map(|(steps, cpu)| scan_of(cpu, steps)).collect();
        let (written, bytes) = file_of(&recording(&scans), version);
        prop_assert_eq!(written.bytes, if written.records == 0 { 0 } else { bytes.len() as u64 });
        if written.records == 0 {
            return Ok(());
        }
        let found = scanned(&bytes);
        for scan in &scans {
            let found = found.iter().find(|found| found.cpu == scan.cpu).map(told).unwrap_or_default();
            prop_assert_eq!(found, told(scan));
        }
    }
}

#[test]
fn a_deadline_task_stays_throttled_or_not() {
    let switch = |ts, pid, state, next, prio| Row {
        ts,
        pid,
        state,
        arg: next,
        prio,
        common_pid: pid,
        ..Row::of(RowKind::Switch, ts)
    };
    let throttled = StateCode(b'R').with_prios(-1, 120);
    let scan = scan_of(
        0,
        vec![
            switch(1, 0, b'R', 7, Row::DEADLINE),
            switch(1, 7, throttled.0, 8, 120),
            switch(1, 8, b'R', 7, Row::DEADLINE),
            // It was preempted by another class in between: no deadline task any more.
            switch(1, 7, b'R', 8, 120),
        ],
    );
    let (_, bytes) = file_of(&recording(std::slice::from_ref(&scan)), FileVersion::V7);
    assert_eq!(told(&scanned(&bytes)[0]), told(&scan));
}

#[test]
fn a_file_says_what_it_is() {
    let mut row = Row {
        pid: 5,
        comm: 1,
        prio: 120,
        ..Row::of(RowKind::Exit, 1)
    };
    row.common_pid = 5;
    let scans = [scan_of(2, vec![row])];
    let recording = Recording {
        cpu_count: 8,
        clock: Some("mono"),
        uname: Some("Linux box 6.12.0 x86_64"),
        comms: &[(9, "elsewhere".to_owned())],
        marker: Some(Marker {
            text: "made for a test",
            span: (500, 2_000_000_000),
        }),
        ..recording(&scans)
    };
    for version in [FileVersion::V6, FileVersion::V7] {
        let (written, bytes) = file_of(&recording, version);
        assert_eq!(written.records, 3);
        assert_eq!(written.times, Some((500, 2_000_000_000)));
        let file = TraceFile::open(bytes.as_slice()).unwrap();
        let header = file.header();
        assert_eq!(header.clock.as_deref(), Some("mono"));
        assert_eq!(header.uname.as_deref(), Some("Linux box 6.12.0 x86_64"));
        assert_eq!(header.cpu_count, 8);
        assert_eq!(file.saved_comms_text(), b"5 a\n9 elsewhere\n");
        let mut report = Report::new(&file, ReportOptions::default()).unwrap();
        let mut text = Vec::new();
        while report.next(&mut text).unwrap() {}
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains("made for a test") && text.contains("sched_process_exit"),
            "{text}"
        );
    }
}

#[test]
fn the_window_is_what_is_written() {
    let exits = (0..9)
        .map(|pid| Row {
            pid,
            ..Row::of(RowKind::Exit, 10)
        })
        .collect();
    let scans = [scan_of(0, exits)];
    let window = Window {
        from: 1_000_000_020,
        to: Some(1_000_000_040),
        cpus: None,
    };
    let (written, _) = file_of(
        &Recording {
            window,
            ..recording(&scans)
        },
        FileVersion::V7,
    );
    assert_eq!(
        (written.records, written.times),
        (2, Some((1_000_000_020, 1_000_000_030)))
    );
    let nothing = Window {
        cpus: Some(vec![7]),
        ..Window::default()
    };
    let (written, bytes) = file_of(
        &Recording {
            window: nothing,
            ..recording(&scans)
        },
        FileVersion::V7,
    );
    assert_eq!((written, bytes), (Written::default(), Vec::new()));
}

/// libtraceevent keeps both names of a task that its plugins named before it looked for the saved ones.
#[test]
fn a_name_that_idle_tells_first_is_the_saved_one() {
    let row = |ts, kind, writer, pid, comm| Row {
        ts,
        common_pid: writer,
        pid,
        comm,
        ..Row::of(kind, ts)
    };
    let rows = vec![
        row(1, RowKind::Wakeup, 0, 7, 1),
        row(2, RowKind::Wakeup, 0, 8, 1),
        row(3, RowKind::Wakeup, 7, 9, 1),
        row(4, RowKind::Wakeup, 0, 9, 2),
        row(5, RowKind::Wakeup, 0, 7, 2),
    ];
    let scans = [scan_of(0, rows)];
    assert_eq!(Known::of(&recording(&scans)).comms_text(), "7 a\n8 a\n9 with space\n");
}
