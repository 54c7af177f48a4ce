//! perf.data files without tracepoints (`perf record --switch-events -e dummy:u`), written here by the layout of
//! `include/uapi/linux/perf_event.h`.

use schedrows::{CpuScan, RowKind, Source};

use crate::support::{counts, open, scan, words};

const FORK: u32 = 7;
const EXIT: u32 = 4;
const COMM: u32 = 3;
const LOST: u32 = 2;
const SWITCH: u32 = 14;
const SWITCH_CPU_WIDE: u32 = 15;
const OUT: u16 = 1 << 13;
const PREEMPTED: u16 = 1 << 14;

fn words_of(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A record, with TID, TIME, CPU and IDENTIFIER behind it.
fn record(kind: u32, misc: u16, body: &[u8], (tid, cpu, ts): (u32, u32, u64)) -> Vec<u8> {
    let trailer = [
        words_of(&[tid, tid]),
        ts.to_le_bytes().to_vec(),
        words_of(&[cpu, 0]),
        77_u64.to_le_bytes().to_vec(),
    ];
    let body = [body, &trailer.concat()].concat();
    let mut out = kind.to_le_bytes().to_vec();
    out.extend(misc.to_le_bytes());
    out.extend((8 + body.len() as u16).to_le_bytes());
    out.extend(body);
    out
}

fn comm(tid: u32, name: &str) -> Vec<u8> {
    let mut body = words_of(&[tid, tid]);
    body.extend(name.as_bytes());
    body.resize(8 + name.len().next_multiple_of(8).max(8), 0);
    record(COMM, 0, &body, (tid, 0, 0))
}

/// Both records of a switch, a microsecond apart.
fn switch(cpu: u32, ts: u64, prev: u32, next: u32, misc: u16) -> Vec<u8> {
    let out = record(SWITCH_CPU_WIDE, OUT | misc, &words_of(&[next, next]), (prev, cpu, ts));
    let into = record(SWITCH_CPU_WIDE, 0, &words_of(&[prev, prev]), (next, cpu, ts + 1000));
    [out, into].concat()
}

/// A file with such records: of a counter without switches, and of the dummy that has them.
fn file(data: &[u8]) -> Vec<u8> {
    let sample_type: u64 = 1 << 16 | 1 << 7 | 1 << 2 | 1 << 1;
    let attr = |config: u64, flags: u64| {
        let mut attr = words_of(&[1, 136]);
        for word in [config, 1, sample_type, 4, flags] {
            attr.extend(word.to_le_bytes());
        }
        attr.resize(136, 0);
        // Where its ids are: there are none.
        attr.extend([0; 16]);
        attr
    };
    let attrs = [attr(0, 1 << 18), attr(9, 1 << 18 | 1 << 26)].concat();
    let word = |number: usize| (number as u64).to_le_bytes();
    let mut out = b"PERFILE2".to_vec();
    out.extend([word(104), word(152), word(104), word(attrs.len())].concat());
    out.extend([word(104 + attrs.len()), word(data.len()), word(0), word(0)].concat());
    out.resize(104, 0);
    [out, attrs, data.to_vec()].concat()
}

fn told(scan: &CpuScan) -> Vec<String> {
    let rows = scan.rows.iter();
    rows.map(|row| format!("{} {}", row.ts, words(scan, &row))).collect()
}

#[test]
fn switches_of_all_cpus_make_lanes() {
    let data = [
        comm(100, "worker"),
        comm(101, "helper"),
        switch(0, 10_000, 0, 100, 0),
        switch(1, 15_000, 0, 101, 0),
        switch(0, 30_000, 100, 102, PREEMPTED),
        switch(0, 40_000, 102, 0, 0),
        switch(1, 50_000, 101, 100, 0),
    ]
    .concat();
    let file = open(file(&data)).unwrap();
    let info = file.info();
    assert_eq!((info.format, info.cpu_count), ("perf.data", 2));
    let missing: Vec<&str> = info.cannot_tell.names().collect();
    assert_eq!(missing, ["waker", "context", "chosen_cpu", "migrations"]);
    assert_eq!(file.first_ns().unwrap(), Some(10_000));
    assert_eq!(counts(&file)["sched_switch"], 10);
    let scans = scan(&file);
    assert_eq!(
        told(&scans[0]),
        [
            "10000 swapper/0:0 ?false worker:100 255 by Some(0) 0",
            "30000 worker:100 Rtrue :102 255 by Some(100) 0",
            "40000 :102 ?false swapper/0:0 255 by Some(102) 0",
        ]
    );
    assert_eq!(
        told(&scans[1]),
        [
            "15000 swapper/1:0 ?false helper:101 255 by Some(0) 0",
            "50000 helper:101 ?false worker:100 255 by Some(101) 0",
        ]
    );
    assert!(file.to_trace_dat().unwrap().is_none());
}

#[test]
fn a_task_that_exits_is_dead_and_names_change() {
    let fork = record(FORK, 0, &words_of(&[200, 100, 200, 100, 0, 0]), (100, 0, 11_000));
    let exec = {
        let mut body = words_of(&[200, 200]);
        body.extend(b"ls\0\0\0\0\0\0");
        record(COMM, 1 << 13, &body, (200, 0, 25_000))
    };
    let exit = record(EXIT, 0, &words_of(&[200, 100, 200, 100, 0, 0]), (200, 0, 30_000));
    let data = [
        comm(100, "sh"),
        switch(0, 10_000, 0, 100, 0),
        fork,
        switch(0, 20_000, 100, 200, 0),
        exec,
        exit,
        // It has let go of its pid.
        switch(0, 40_000, u32::MAX, 100, 0),
    ]
    .concat();
    let scans = scan(&open(file(&data)).unwrap());
    assert_eq!(
        told(&scans[0]),
        [
            "10000 swapper/0:0 ?false sh:100 255 by Some(0) 0",
            "11000 sh:100 sh:200",
            "20000 sh:100 ?false sh:200 255 by Some(100) 0",
            // A rename has the new name.
            "25000 ls:200",
            "40000 ls:200 Xfalse sh:100 255 by Some(200) 0",
        ]
    );
}

#[test]
fn what_is_not_recorded_is_unknown() {
    let one = |misc: u16, ts: u64| record(SWITCH, misc, &[], (100, 2, ts));
    let data = [
        comm(100, "a"),
        one(0, 10),
        one(OUT, 20),
        one(0, 30),
        one(OUT | PREEMPTED, 40),
    ]
    .concat();
    let scans = scan(&open(file(&data)).unwrap());
    let kinds: Vec<(u64, RowKind, i32)> = scans[0].rows.iter().map(|row| (row.ts, row.kind, row.arg)).collect();
    use RowKind::{Lost, Switch};
    assert_eq!(scans[0].cpu, 2);
    assert_eq!(
        kinds,
        [(10, Switch, 100), (20, Lost, -1), (30, Switch, 100), (40, Lost, -1)]
    );
}

#[test]
fn lost_records_leave_a_gap() {
    let lost = {
        let body = [77_u64.to_le_bytes(), 9_u64.to_le_bytes()].concat();
        record(LOST, 0, &body, (0, 0, 25_000))
    };
    let data = [switch(0, 10_000, 0, 100, 0), lost, switch(0, 30_000, 101, 0, 0)].concat();
    let scans = scan(&open(file(&data)).unwrap());
    assert_eq!(
        (scans[0].lost_events, scans[0].lost_gaps, scans[0].rows.breaks().len()),
        (9, 1, 0)
    );
    // Without the record, the chain is broken: who ran for how long is not known.
    let data = [switch(0, 10_000, 0, 100, 0), switch(0, 30_000, 101, 0, 0)].concat();
    assert_eq!(scan(&open(file(&data)).unwrap())[0].rows.breaks().len(), 1);
}
