//! Texts of the same recording in several forms, and of perf, which also recorded the file.

use std::fmt::Write;

use schedrows::{CannotTell, Source};

use crate::support::{fixture, open, opened, scan, story, switches, usual};

#[test]
fn every_form_has_its_events() {
    for name in ["tracefs-tgid.txt", "tracefs-noirq.txt", "tracefs-latency.txt"] {
        assert_eq!(usual(&opened(name)), [185, 87, 88, 5, 9, 5], "{name}");
    }
    assert_eq!(usual(&opened("mail.txt")), [27, 14, 14, 0, 3, 0]);
}

#[test]
fn forms_of_one_recording_tell_the_same() {
    let file = opened("tracefs-tgid.txt");
    let all = story(&file);
    let plain: String = String::from_utf8(fixture("tracefs-tgid.txt")).unwrap();
    let mut quoted = String::from("On Tue, someone wrote:\r\n");
    for line in plain.lines() {
        write!(quoted, "> > \t{line}\r\n").unwrap();
    }
    assert_eq!(story(&open(quoted.into_bytes()).unwrap()), all);
    // What has no flags tells no context.
    let without = opened("tracefs-noirq.txt");
    assert_eq!(without.info().cannot_tell, CannotTell::CONTEXT);
    let bare = |text: &str| {
        text.rsplit_once(' ')
            .map_or_else(|| text.to_owned(), |(text, _)| text.to_owned())
    };
    for (cpu, rows) in story(&without) {
        for ((ts, told), (at, expected)) in rows.iter().zip(&all[&cpu]) {
            assert_eq!((ts, bare(told)), (at, bare(expected)));
        }
    }
    let tasks = file.info().tasks;
    assert!(tasks
        .iter()
        .any(|task| (task.pid, task.tgid, task.comm.as_str()) == (169, Some(169), "bash")));
}

#[test]
fn perf_script_has_the_switches_of_its_file() {
    let text = switches(&open(fixture("record-z-4cpu.script.zst")).unwrap());
    let file = switches(&opened("record-z-4cpu.perf.data"));
    let of =
        |rows: &[schedrows::Row]| -> Vec<_> { rows.iter().map(|row| (row.ts, row.pid, row.arg, row.prio)).collect() };
    for (cpu, rows) in &file {
        assert_eq!(of(&text[cpu]), of(rows), "CPU {cpu}");
    }
    // perf's plugin says R for R+.
    let told = open(fixture("record-z-4cpu.script.zst")).unwrap().info().cannot_tell;
    assert!(told.has(CannotTell::PREEMPTION) && told.has(CannotTell::CONTEXT));
}

#[test]
fn the_order_of_lines_holds_where_times_tie() {
    let text = "\
        a-1 [003] d..2. 1.000001: sched_waking: comm=b pid=2 prio=120 target_cpu=000\n\
        c-3 [000] d..2. 1.000001: sched_switch: prev_comm=c prev_pid=3 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n\
        a-1 [003] d..2. 1.000001: sched_waking: comm=c pid=3 prio=120 target_cpu=000\n\
        a-1 [003] d..2. 1.000002: sched_waking: comm=c pid=3 prio=120 target_cpu=000\n";
    let file = open(text.as_bytes().to_vec()).unwrap();
    let times = |cpu: u32| -> Vec<u64> { story(&file)[&cpu].iter().map(|row| row.0).collect() };
    let base = 1_000_001_000;
    assert_eq!(
        (times(0), times(3)),
        (vec![base + 1], vec![base, base + 1, base + 1000])
    );
}

#[test]
fn gaps_breaks_and_other_buffers_are_counted() {
    let switch = |ts: &str, prev: i32, next: i32| {
        format!("x-{prev} [001] d..2. {ts}: sched_switch: prev_comm=x prev_pid={prev} prev_prio=120 prev_state=S ==> next_comm=y next_pid={next} next_prio=120\n")
    };
    let text = [
        "# entries-in-buffer/entries-written: 4/14   #P:4\n##### CPU 1 buffer started ####\n".to_owned(),
        switch("1.1", 1, 2),
        "CPU:1 [LOST 390 EVENTS]\n".to_owned(),
        switch("1.2", 3, 4),
        switch("1.4", 5, 0),
        format!("other:  {}", switch("1.5", 7, 0)),
    ]
    .concat();
    let file = open(text.into_bytes()).unwrap();
    let [scan] = <[_; 1]>::try_from(scan(&file)).unwrap();
    assert_eq!(
        (scan.lost_gaps, scan.lost_events, scan.rows.breaks().len(), scan.records),
        (2, 400, 1, 3)
    );
    let others: Vec<_> = file
        .diagnostics()
        .iter()
        .filter(|found| found.text.contains("\"other\""))
        .collect();
    assert_eq!(others.iter().map(|found| found.count).collect::<Vec<_>>(), [1]);
}

#[test]
fn other_texts_are_refused_by_their_names() {
    let refused = |bytes: &[u8]| open(bytes.to_vec()).err().unwrap().message;
    assert!(refused(&fixture("tracefs-raw.txt")).starts_with("line 13: a trace in raw format"));
    assert!(refused(b"\n\nDear all,\nplease\n").contains("it begins \"Dear all,\""));
    assert!(refused(b"{\"traceEvents\": []}").contains("JSON"));
    assert!(refused(b"/* CTF 1.8 */\n").contains("CTF"));
}
