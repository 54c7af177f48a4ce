//! What is in each sample.

use std::collections::BTreeMap;

use schedrows::{Row, RowKind, Source, StateCode};

use super::{counts, lines, open, rows, sample, scan};

fn names(source: &dyn Source) -> Vec<&'static str> {
    source.info().cannot_tell.names().collect()
}

#[test]
fn compact_events_are_counted_as_the_events_that_they_are() {
    let bytes = sample("compact-4cpu.pftrace");
    let source = open(&bytes);
    let info = source.info();
    assert_eq!(
        (info.format, info.cpu_count, info.clock.as_deref()),
        ("perfetto", 4, Some("boot"))
    );
    assert!(info.uname.unwrap().starts_with("Linux 7.2.13+deb14-amd64 "));
    assert!(info.tasks.iter().any(|task| task.pid == 1 && task.tgid == Some(1)));
    assert_eq!(names(&source), ["chosen_cpu", "migrations"]);
    let scans = scan(&source);
    let counts = counts(&source, &scans);
    let expected = [
        ("sched_process_exec", 5),
        ("sched_process_exit", 86),
        ("sched_process_fork", 85),
        ("sched_process_free", 86),
        ("sched_switch", 6910),
        ("sched_waking", 3724),
        ("sched_wakeup_new", 85),
        ("task_newtask", 85),
        ("task_rename", 5),
    ];
    assert_eq!(counts, expected.map(|(name, count)| (name.to_owned(), count)).into());
    assert_eq!(
        source.first_ns().unwrap(),
        scans.iter().filter_map(|scan| scan.first_ns).min()
    );
    assert!(
        scans.iter().all(|scan| scan.diagnostics.is_empty()),
        "{:?}",
        scans[0].diagnostics
    );
}

#[test]
fn a_file_inside_gzip_is_opened() {
    let bytes = sample("compact-mix-4cpu.pftrace.gz");
    let source = open(&bytes);
    let counts = counts(&source, &scan(&source));
    assert_eq!(
        ["sched_switch", "sched_waking", "sched_process_fork"].map(|name| counts[name]),
        [676, 326, 17]
    );
}

#[test]
fn full_events_come_out_of_compressed_packets() {
    let bytes = sample("full-4cpu.pftrace");
    let source = open(&bytes);
    assert_eq!(names(&source), ["context"]);
    let scans = scan(&source);
    let expected = [
        ("cpu_idle", 1419),
        ("print", 1),
        ("sched_migrate_task", 46),
        ("sched_process_exec", 16),
        ("sched_process_exit", 18),
        ("sched_process_fork", 17),
        ("sched_process_free", 18),
        ("sched_switch", 729),
        ("sched_waking", 340),
        ("sched_wakeup", 340),
        ("sched_wakeup_new", 17),
        ("softirq_entry", 1247),
        ("softirq_exit", 1247),
        ("task_newtask", 17),
        ("task_rename", 16),
    ];
    assert_eq!(
        counts(&source, &scans),
        expected.map(|(name, count)| (name.to_owned(), count)).into()
    );
}

#[test]
fn losses_are_counted_where_the_kernel_counts_them() {
    let bytes = sample("lost-4cpu.pftrace");
    let source = open(&bytes);
    let scans = scan(&source);
    assert_eq!(counts(&source, &scans)["sched_switch"], 1770);
    assert_eq!(counts(&source, &scans)["sched_waking"], 885);
    let lost: Vec<u64> = scans.iter().map(|scan| scan.lost_events).collect();
    assert_eq!(lost, [968, 865, 1657, 1050]);
    assert_eq!(scans.iter().map(|scan| scan.lost_gaps).sum::<u64>(), 5);
}

#[test]
fn scxtop_s_files_are_what_they_are() {
    let packed = sample("scxtop-shaped-4cpu.proto.zst");
    let plain = zstd::decode_all(packed.as_slice()).unwrap();
    for (bytes, streams) in [(plain, 4), (packed, 1)] {
        let source = open(&bytes);
        let info = source.info();
        assert_eq!((info.cpu_count, info.writer.as_deref()), (4, Some("scxtop")));
        let all = ["waker", "context", "chosen_cpu", "migrations", "preemption", "loss"];
        assert_eq!(names(&source), all);
        let topology = topology::Topology::parse(info.topology.unwrap().as_bytes()).unwrap();
        assert_eq!((topology.llcs(), topology.cores()), (2, 4));
        assert_eq!(source.streams().len(), streams);
        let scans = scan(&source);
        let counts = counts(&source, &scans);
        assert_eq!(counts["sched_switch"], 5432);
        assert_eq!(scans.iter().map(|scan| scan.rows.breaks().len()).sum::<usize>(), 25);
        let wakes = |row: &Row| matches!(row.kind, RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew);
        let known = scans
            .iter()
            .flat_map(rows)
            .filter(wakes)
            .filter(|row| row.writer().is_some());
        assert_eq!(known.count(), 0);
        assert!(scans.iter().all(|scan| scan.rows.count(RowKind::Migrate) == 0));
        let queues = source.queues();
        assert_eq!(queues.iter().map(|queue| queue.id).collect::<Vec<_>>(), [100, 101]);
        assert_eq!(queues.iter().map(|queue| queue.latency_us.len()).sum::<usize>(), 2503);
        let longest = queues
            .iter()
            .flat_map(|queue| &queue.latency_us)
            .map(|&(_, us)| us)
            .max();
        assert_eq!(longest, Some(19998));
    }
}

/// `prev_state` and next task of each switch of a CPU.
type Switches = BTreeMap<u32, Vec<(String, i32)>>;

fn switches_of_reference(name: &str) -> Switches {
    let mut found = Switches::new();
    let field = |line: &str, name: &str| {
        let rest = line.split_once(name)?.1;
        Some(rest.split(' ').next()?.to_owned())
    };
    for line in lines(name).iter().filter(|line| line.contains(": sched_switch:")) {
        let cpu = line.split_once('[').unwrap().1[..3].parse().unwrap();
        let state: u64 = field(line, "prev_state=").unwrap().parse().unwrap();
        let letter = match state {
            0 => "R".to_owned(),
            256 => "R+".to_owned(),
            _ => char::from(b"SDTtXZPI"[state.trailing_zeros() as usize]).to_string(),
        };
        let next = field(line, "next_pid=").unwrap().parse().unwrap();
        found.entry(cpu).or_default().push((letter, next));
    }
    found
}

#[test]
fn switches_are_a_piece_of_what_ftrace_recorded_beside() {
    let bytes = sample("full-4cpu.pftrace");
    let reference = switches_of_reference("full-4cpu.ref.report-R.zst");
    for scan in scan(&open(&bytes)) {
        let found: Vec<(String, i32)> = rows(&scan)
            .iter()
            .filter(|row| row.kind == RowKind::Switch)
            .map(|row| {
                let state = StateCode(row.state);
                let plus = if state.preempted() { "+" } else { "" };
                (format!("{}{plus}", char::from(state.letter())), row.arg)
            })
            .collect();
        let of_cpu = &reference[&scan.cpu];
        assert!(
            of_cpu.windows(found.len()).any(|piece| piece == found),
            "CPU {}",
            scan.cpu
        );
    }
}
