//! perf.data of perf 7.2, against what that perf says.

use std::collections::BTreeMap;

use schedrows::{CannotTell, Source};
use tracedat::file::TraceFile;
use tracedat::report::{Report, ReportOptions};

use crate::support::{counts, fixture, open, opened, story, switches, usual};

#[test]
fn every_shape_of_file_has_its_events() {
    let record = opened("sched-record-4cpu.perf.data.gz");
    assert_eq!(usual(&record), [974, 564, 0, 42, 183, 42]);
    let packed = opened("record-z-4cpu.perf.data");
    assert_eq!(usual(&packed), [2183, 1185, 1185, 43, 520, 43]);
    let pipe = opened("pipe-4cpu.perf.data");
    assert_eq!(usual(&pipe), [120, 56, 57, 2, 9, 2]);
    assert_eq!(counts(&pipe).values().sum::<u64>(), 512);
}

#[test]
fn the_header_tells_the_machine_the_tasks_and_what_is_missing() {
    let record = opened("sched-record-4cpu.perf.data.gz").info();
    assert_eq!(record.format, "perf.data");
    assert_eq!(record.cpu_count, 4);
    assert_eq!(
        record.uname.as_deref(),
        Some("Linux tracelab 7.2.13+deb14-amd64 x86_64")
    );
    assert_eq!(record.cannot_tell, CannotTell::CHOSEN_CPU);
    let topology = record.topology.unwrap();
    assert!(
        topology::Topology::parse(topology.as_bytes()).unwrap().places().len() == 4,
        "{topology}"
    );
    assert!(record
        .tasks
        .iter()
        .any(|task| task.pid == 16 && task.comm == "rcu_preempt" && task.tgid == Some(16)));
    let packed = opened("record-z-4cpu.perf.data").info();
    assert_eq!(packed.cannot_tell, CannotTell::NOTHING);
    assert_eq!(opened("pipe-4cpu.perf.data").info().cpu_count, 4);
}

#[test]
fn the_first_record_is_found_without_a_scan() {
    for name in [
        "record-z-4cpu.perf.data",
        "pipe-4cpu.perf.data",
        "sched-record-4cpu.perf.data.gz",
    ] {
        let file = opened(name);
        let first = story(&file)
            .values()
            .filter_map(|rows| rows.first())
            .map(|(ts, _)| *ts)
            .min();
        // Other events than the scheduler's may come before its first.
        assert!(file.first_ns().unwrap() <= first, "{name}");
    }
}

/// Microseconds that each task ran, from `perf sched timehist`.
fn timehist() -> BTreeMap<i32, f64> {
    let text = String::from_utf8(fixture("sched-record-4cpu.timehist.zst")).unwrap();
    let mut ran = BTreeMap::new();
    for line in text.lines().skip(3) {
        let Some((_, rest)) = line.split_once("] ") else {
            continue;
        };
        let Some((name, numbers)) = rest.rsplit_once(']') else {
            continue;
        };
        let ids = name.rsplit_once('[').unwrap().1;
        let tid: i32 = ids.split('/').next().unwrap().parse().unwrap();
        let run: f64 = numbers.split_whitespace().nth(2).unwrap().parse().unwrap();
        *ran.entry(tid).or_default() += 1000.0 * run;
    }
    ran
}

#[test]
fn tasks_run_as_long_as_timehist_says() {
    let file = opened("sched-record-4cpu.perf.data.gz");
    let mut ran = BTreeMap::<i32, (f64, f64)>::new();
    for rows in switches(&file).values() {
        for pair in rows.windows(2).filter(|pair| pair[1].pid != 0) {
            let (sum, runs) = ran.entry(pair[1].pid).or_default();
            *sum += (pair[1].ts - pair[0].ts) as f64 / 1000.0;
            *runs += 1.0;
        }
    }
    let expected = timehist();
    assert!(30 < expected.len());
    // The last run of a task that exits is credited to `:-1`.
    let (mut more, mut rounded, mut others) = (0.0, 0.0, 0);
    for (tid, (sum, runs)) in ran {
        let told = expected.get(&tid).copied().unwrap_or(0.0);
        // Each run is printed in whole microseconds.
        if (told - sum).abs() <= runs {
            continue;
        }
        assert!(told < sum, "{tid}: {sum}, and not {told}");
        more += sum - told;
        rounded += runs;
        others += 1;
    }
    assert!(others <= 2, "{others}");
    let nobody = expected.get(&-1).copied().unwrap_or(0.0);
    assert!((more - nobody).abs() <= rounded + 2.0, "{more} {nobody} {rounded}");
}

#[test]
fn the_same_records_are_read_from_a_trace_dat() {
    for name in [
        "record-z-4cpu.perf.data",
        "pipe-4cpu.perf.data",
        "sched-record-4cpu.perf.data.gz",
    ] {
        let file = opened(name);
        let written = TraceFile::open(file.to_trace_dat().unwrap().unwrap()).unwrap();
        assert!(story(&written) == story(&file), "{name}");
        assert_eq!(counts(&written), counts(&file), "{name}");
    }
}

#[test]
fn what_holds_no_events_is_refused_by_its_name() {
    for (bytes, what) in [
        (
            fixture("sched-stats.perf.data"),
            "counters of `perf sched stats`, and no events",
        ),
        (b"PERFFILE".to_vec(), "a perf.data file of version 1 (PERFFILE)"),
        (b"PERFILE2".to_vec(), "a perf.data file that ends within its header"),
    ] {
        assert_eq!(open(bytes).err().unwrap().what, what);
    }
}

/// Time, CPU, event and text of a line of `perf script` or of a report.
fn parts(line: &str) -> Option<(String, u32, String, String)> {
    let (head, rest) = line.split_once("] ")?;
    let cpu = head.rsplit_once('[')?.1.parse().ok()?;
    let (time, rest) = rest.trim_start().split_once(": ")?;
    let (event, text) = rest.trim_start().split_once(": ")?;
    let event = event.rsplit_once(':').map_or(event, |(_, name)| name);
    Some((time.to_owned(), cpu, event.to_owned(), text.trim().to_owned()))
}

#[test]
fn the_text_of_records_is_perf_s() {
    let bytes = opened("record-z-4cpu.perf.data").to_trace_dat().unwrap().unwrap();
    let file = TraceFile::open(bytes).unwrap();
    let options = ReportOptions {
        nanoseconds: true,
        no_plugins: true,
        ..ReportOptions::default()
    };
    let mut report = Report::new(&file, options).unwrap();
    let mut text = Vec::new();
    while report.next(&mut text).unwrap() {}
    let lines = |text: Vec<u8>| -> Vec<_> {
        let text = String::from_utf8(text).unwrap();
        let mut lines: Vec<_> = text.lines().filter_map(parts).collect();
        lines.sort();
        lines
    };
    let (ours, perfs) = (lines(text), lines(fixture("record-z-4cpu.script.zst")));
    assert_eq!((ours.len(), perfs.len()), (5213, 5213));
    let (mut same, mut plugins) = (0, BTreeMap::new());
    for (ours, perfs) in ours.into_iter().zip(perfs) {
        match ours == perfs {
            true => same += 1,
            false => {
                assert_eq!((&ours.0, ours.1, &ours.2), (&perfs.0, perfs.1, &perfs.2));
                *plugins.entry(ours.2).or_insert(0) += 1;
            }
        }
    }
    // These have plugins in perf, which print `bash:582 [120] CPU:000`.
    let events = ["sched_switch", "sched_wakeup", "sched_wakeup_new"].map(str::to_owned);
    assert_eq!(plugins, BTreeMap::from_iter(events.into_iter().zip([2183, 1185, 43])));
    assert_eq!(same, 1802);
}
