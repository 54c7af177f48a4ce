//! Every row against the events as Google's protobuf classes decode them.

use std::collections::BTreeMap;

use schedrows::{Context, CpuScan, KernelKind, Row, RowKind};

use super::{lines, name, open, rows, sample, scan};

/// What `task->__state` and preemption are called, by a kernel since 4.14.
fn state(number: u64) -> &'static str {
    match number {
        0 => "R",
        1 => "S",
        2 => "D",
        4 => "T",
        8 => "t",
        16 => "X",
        32 => "Z",
        64 => "P",
        128 => "I",
        256 => "R+",
        other => panic!("prev_state {other}"),
    }
}

/// Fields of a line by name. Names of tasks hold spaces.
fn fields(line: &str) -> BTreeMap<&str, &str> {
    let mut starts: Vec<usize> = Vec::new();
    let known = [
        "prev_state",
        "next_pid",
        "next_prio",
        "next_comm",
        "pid",
        "target_cpu",
        "prio",
        "comm",
        "common_flags",
        "by",
        "prev_comm",
        "prev_pid",
        "prev_prio",
        "orig_cpu",
        "dest_cpu",
        "parent_comm",
        "parent_pid",
        "child_comm",
        "child_pid",
        "oldcomm",
        "newcomm",
        "filename",
        "old_pid",
        "success",
        "clone_flags",
        "vec",
        "oom_score_adj",
        "buf",
        "state",
        "cpu_id",
        "tgid",
    ];
    for (at, _) in line.match_indices(' ') {
        let word = line[at + 1..].split('=').next().unwrap();
        if line[at + 1..].contains('=') && known.contains(&word) {
            starts.push(at + 1);
        }
    }
    let ends = starts.iter().skip(1).map(|&at| at - 1).chain([line.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&from, to)| line[from..to].split_once('=').unwrap())
        .collect()
}

/// A row, or what a line says, as text.
fn of_line(event: &str, cpu: u32, line: &str, running: &mut Option<(i64, String)>) -> Option<String> {
    let fields = fields(line);
    let text = |field: &str| fields.get(field).copied().unwrap_or("").to_owned();
    let number = |field: &str| fields.get(field).map_or(0, |text| text.parse::<i64>().unwrap());
    let by = number("by");
    Some(match event {
        "c_switch" | "sched_switch" => {
            let prev = match event {
                "sched_switch" => format!("{}:{}", number("prev_pid"), text("prev_comm")),
                _ => running
                    .as_ref()
                    .map_or("?".to_owned(), |(pid, comm)| format!("{pid}:{comm}")),
            };
            *running = Some((number("next_pid"), text("next_comm")));
            format!(
                "switch {prev} {} {}:{} {}",
                state(number("prev_state") as u64),
                number("next_pid"),
                text("next_comm"),
                number("next_prio"),
            )
        }
        "c_waking" => {
            let by = running.as_ref().map_or("?".to_owned(), |(pid, _)| pid.to_string());
            let flags = number("common_flags");
            let context = (flags >> 3 & 1) | (flags >> 4 & 1) << 1 | (flags >> 6 & 1) << 2;
            let who = format!("{}:{} {}", number("pid"), text("comm"), number("prio"));
            format!("Waking {by} {context} {who} {}", number("target_cpu"))
        }
        "sched_waking" | "sched_wakeup" | "sched_wakeup_new" => {
            let kind = match event {
                "sched_waking" => "Waking",
                "sched_wakeup" => "Wakeup",
                _ => "WakeupNew",
            };
            let who = format!("{}:{} {}", number("pid"), text("comm"), number("prio"));
            format!("{kind} {by} - {who} {}", number("target_cpu"))
        }
        "sched_migrate_task" => {
            let who = format!("{}:{} {}", number("pid"), text("comm"), number("prio"));
            format!("migrate {by} {who} {} {}", number("orig_cpu"), number("dest_cpu"))
        }
        "sched_process_fork" => {
            let parent = format!("{}:{}", number("parent_pid"), text("parent_comm"));
            format!("fork {by} {parent} {}:{}", number("child_pid"), text("child_comm"))
        }
        "sched_process_exec" => format!("exec {by} {} {} {}", text("filename"), number("pid"), number("old_pid")),
        "sched_process_exit" => format!("exit {by} {}:{} {}", number("pid"), text("comm"), number("prio")),
        "task_rename" => {
            if let Some((_, comm)) = running.as_mut().filter(|(pid, _)| *pid == number("pid")) {
                *comm = text("newcomm");
            }
            format!("rename {by} {} {} {}", number("pid"), text("oldcomm"), text("newcomm"))
        }
        "LOST" => {
            *running = None;
            "lost".to_owned()
        }
        "sched_process_free" | "task_newtask" | "cpu_idle" | "softirq_entry" | "softirq_exit" | "print" => return None,
        other => panic!("{other} on CPU {cpu}"),
    })
}

fn of_row(scan: &CpuScan, row: &Row, is_compact: bool) -> String {
    let first = format!("{}:{}", row.pid, name(scan, row.comm));
    let by = row.writer().map_or("?".to_owned(), |pid| pid.to_string());
    match row.kind {
        RowKind::Switch => {
            let known = row.pid != Row::UNKNOWN_PID;
            let state = schedrows::StateCode(row.state);
            let plus = if state.preempted() { "+" } else { "" };
            format!(
                "switch {} {}{plus} {}:{} {}",
                if known { first } else { "?".to_owned() },
                char::from(state.letter()),
                row.arg,
                name(scan, row.comm2),
                row.prio,
            )
        }
        kind @ (RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew) => {
            let context = row.context & !Context::NO_WRITER;
            let context = match kind == RowKind::Waking && is_compact {
                true => context.to_string(),
                false => "-".to_owned(),
            };
            format!("{kind:?} {by} {context} {first} {} {}", row.prio, row.arg)
        }
        RowKind::Migrate => format!("migrate {by} {first} {} {} {}", row.prio, row.comm2, row.arg),
        RowKind::Fork => format!("fork {by} {first} {}:{}", row.arg, name(scan, row.comm2)),
        RowKind::Exec => format!("exec {by} {} {} {}", name(scan, row.comm), row.pid, row.arg),
        RowKind::Exit => format!("exit {by} {first} {}", row.prio),
        RowKind::Rename => format!(
            "rename {by} {} {} {}",
            row.pid,
            name(scan, row.comm),
            name(scan, row.comm2)
        ),
        RowKind::Lost => "lost".to_owned(),
        other => panic!("{other:?}"),
    }
}

fn check(file: &str, dump: &str, is_compact: bool) {
    let bytes = sample(file);
    let scans = scan(&open(&bytes));
    let lines = lines(dump);
    for scan in &scans {
        let cpu = scan.cpu.to_string();
        let of_cpu = lines.iter().filter_map(|line| {
            let mut words = line.splitn(4, ' ');
            let (of, ts, event) = (words.next()?, words.next()?, words.next()?);
            (of == cpu).then(|| (ts.parse::<u64>().unwrap(), event, line.as_str()))
        });
        let (mut running, mut expected, mut irqs) = (None, Vec::new(), Vec::new());
        for (ts, event, line) in of_cpu {
            if let "softirq_entry" | "softirq_exit" = event {
                irqs.push((
                    ts,
                    event == "softirq_entry",
                    fields(line)["vec"].parse::<i32>().unwrap(),
                ));
            }
            expected.extend(of_line(event, scan.cpu, line, &mut running).map(|text| (ts, text)));
        }
        let found = rows(scan);
        assert_eq!(found.len(), expected.len(), "CPU {cpu}");
        for (row, (ts, text)) in found.iter().zip(&expected) {
            assert_eq!(&of_row(scan, row, is_compact), text, "CPU {cpu} at {ts}");
            // The dump gives a gap the time of the event behind it.
            assert!(
                row.ts == *ts || row.kind == RowKind::Lost && row.ts < *ts,
                "{row:?} at {ts}"
            );
        }
        let softirqs = scan.kernel.iter().filter_map(|row| match row.kind {
            KernelKind::SoftirqEntry => Some((row.ts, true, row.number)),
            KernelKind::SoftirqExit => Some((row.ts, false, row.number)),
            _ => None,
        });
        assert!(softirqs.eq(irqs), "CPU {cpu}");
    }
}

#[test]
fn compact_events_are_those_that_protobuf_decodes() {
    check("compact-4cpu.pftrace", "compact-4cpu.dump.zst", true);
    check("compact-mix-4cpu.pftrace.gz", "compact-mix-4cpu.dump.zst", true);
}

#[test]
fn full_events_are_those_that_protobuf_decodes() {
    check("full-4cpu.pftrace", "full-4cpu.dump.zst", false);
}

#[test]
fn gaps_are_where_protobuf_finds_them() {
    check("lost-4cpu.pftrace", "lost-4cpu.dump.zst", true);
}
