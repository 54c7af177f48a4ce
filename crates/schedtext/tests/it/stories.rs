//! The meaning of each kind of line.

use schedrows::{Context, CpuScan, DiagnosticKind, Event, Row, Source, StateCode, WakeupKind};

use crate::{open, scans};

/// The rows of the only CPU of a scenario.
fn only(lines: &str) -> CpuScan {
    let mut all = scans(&open(lines).unwrap());
    assert_eq!(all.len(), 1, "{lines}");
    all.remove(0)
}

/// The only row, and the names it refers to.
fn row(line: &str) -> (Row, Vec<String>) {
    let scan = only(line);
    assert_eq!((scan.rows.len(), scan.records), (1, 1), "{line}");
    let row = scan.rows.iter().next().unwrap();
    (row, scan.comms.names)
}

fn name(names: &[String], number: u32) -> &str {
    &names[number as usize]
}

#[test]
fn a_switch_says_who_leaves_and_who_comes() {
    let (row, names) = row("1.5s cpu2 my:task:7 switch R+ -> idle prio 120 # preempted");
    assert_eq!((row.ts, row.common_pid, row.prio), (1_500_000_000, 7, 120));
    let Event::Switch(switch) = row.event() else {
        panic!("{:?}", row.event());
    };
    let prev = switch.prev.unwrap();
    assert_eq!((prev.pid, name(&names, prev.comm)), (7, "my:task"));
    assert_eq!((switch.next.pid, name(&names, switch.next.comm)), (0, "swapper/2"));
    assert_eq!(switch.prev_state, StateCode(b'R' | StateCode::PREEMPTED));
    let (row, _) = self::row("0s cpu0 a:1 switch throttled -> b:2");
    let Event::Switch(switch) = row.event() else {
        panic!("{:?}", row.event());
    };
    assert!(switch.prev_state.throttled() && !switch.prev_state.preempted());
    assert_eq!((switch.prev_state.letter(), switch.next_prio), (b'R', Row::NO_PRIO));
}

#[test]
fn wakeups_have_a_waker_a_context_and_perhaps_a_cpu() {
    for (word, kind) in [
        ("waking", WakeupKind::Waking),
        ("wakeup", WakeupKind::Wakeup),
        ("wakeup_new", WakeupKind::WakeupNew),
    ] {
        let (row, names) = row(&format!("7ns cpu0 idle [softirq+hardirq] {word} b:2 prio -1 on cpu3"));
        let Event::Wakeup(wakeup) = row.event() else {
            panic!("{:?}", row.event());
        };
        assert_eq!((wakeup.kind, wakeup.cpu, row.prio), (kind, Some(3), Row::DEADLINE));
        assert_eq!((wakeup.wakee.pid, name(&names, wakeup.wakee.comm)), (2, "b"));
        assert_eq!((row.common_pid, row.context), (0, Context::SOFTIRQ | Context::HARDIRQ));
    }
    let (row, _) = row("7ns cpu0 a:1 waking b:2");
    assert!(matches!(row.event(), Event::Wakeup(wakeup) if wakeup.cpu.is_none()));
}

#[test]
fn the_other_events() {
    let (row, _) = row("1us cpu0 a:1 migrate b:2 from cpu1 to cpu0");
    assert!(matches!(row.event(), Event::Migrate { task, from: Some(1), to: Some(0) } if task.pid == 2));
    let (row, names) = self::row("1us cpu0 a:1 fork \"my child\":2");
    assert!(matches!(row.event(), Event::Fork { parent, child }
        if parent.pid == 1 && child.pid == 2 && name(&names, child.comm) == "my child"));
    let (row, names) = self::row("1us cpu0 a:1 exec /bin/ls old_pid 4");
    assert_eq!(row.event(), Event::Exec { pid: 1, old_pid: 4 });
    assert_eq!(name(&names, row.comm), "/bin/ls");
    let (row, _) = self::row("1us cpu0 a:1 exec /bin/ls");
    assert_eq!(row.event(), Event::Exec { pid: 1, old_pid: 1 });
    let (row, names) = self::row("1us cpu0 a:1 exit prio 100");
    assert!(matches!(row.event(), Event::Exit(task) if task.pid == 1 && name(&names, task.comm) == "a"));
    let (row, names) = self::row("1us cpu0 a:1 rename b");
    assert!(matches!(row.event(), Event::Rename(task) if task.pid == 1 && name(&names, task.comm) == "b"));
    for word in ["move_numa", "stick_numa", "swap_numa"] {
        let (row, _) = self::row(&format!("1us cpu0 a:1 {word} b:2 from cpu0 to cpu1"));
        assert_eq!(row.event(), Event::Numa { pid: 2 });
    }
}

#[test]
fn losses_are_counted_and_told() {
    let scan = only("1s cpu0 a:1 other x\n2s cpu0 lost 12\n3s cpu0 lost\n4s cpu0 a:1 exit");
    assert_eq!((scan.records, scan.lost_gaps, scan.lost_events), (2, 2, 12));
    let args: Vec<i32> = scan.rows.iter().map(|row| row.arg).collect();
    assert_eq!(args, [12, -1, 0]);
    assert_eq!(scan.rows.iter().next().unwrap().event(), Event::Lost);
    let told = &scan.diagnostics[0];
    assert_eq!(
        (told.kind, told.at_ns, told.count),
        (DiagnosticKind::LostEvents, Some(2_000_000_000), 2)
    );
}

#[test]
fn each_cpu_has_its_rows_in_whatever_order_the_lines_are() {
    let file = open(
        "cpus 4\nclock mono\nuname Linux a 6.1 # here no comment\n\n  # a comment\n\
         5s cpu2 a:1 other\n+1ms cpu2 a:1 exit\n1s cpu0 lost\n+0s cpu0 b:2 exec x\n+1us cpu2 a:3 exit\n",
    );
    // 1.000001 s is before the CPU's last event.
    assert!(file.is_err());
    let file = open(
        "cpus 4\nclock mono\nuname Linux a 6.1 # no comment\n\n  # a comment\n\
         5s cpu2 a:1 other\n+1ms cpu2 a:1 exit\n1s cpu0 lost\n+1us cpu0 b:2 exec x\n",
    )
    .unwrap();
    let info = file.info();
    assert_eq!((info.format, info.version, info.cpu_count), ("scenario", 1, 4));
    assert_eq!(
        (info.clock.as_deref(), info.uname.as_deref()),
        (Some("mono"), Some("Linux a 6.1 # no comment"))
    );
    assert_eq!(file.first_ns().unwrap(), Some(1_000_000_000));
    let scans = scans(&file);
    let seen: Vec<(u32, usize, Option<u64>, Option<u64>)> = scans
        .iter()
        .map(|scan| (scan.cpu, scan.rows.len(), scan.first_ns, scan.last_ns))
        .collect();
    assert_eq!(
        seen,
        [
            (0, 2, Some(1_000_000_000), Some(1_000_001_000)),
            (2, 1, Some(5_000_000_000), Some(5_001_000_000))
        ]
    );
    // The records of CPU 2 are counted by name.
    let counts: Vec<_> = scans[1]
        .events
        .iter()
        .map(|&(id, count)| (file.event_name(id), count))
        .collect();
    assert_eq!(
        counts,
        [
            (Some(("sched", "sched_process_exit")), 1),
            (Some(("scenario", "other")), 1)
        ]
    );
}

#[test]
fn without_a_number_of_cpus_the_highest_counts() {
    assert_eq!(open("1s cpu5 a:1 exit").unwrap().info().cpu_count, 6);
    let empty = open("").unwrap();
    assert_eq!((empty.info().cpu_count, empty.first_ns().unwrap()), (0, None));
}
