//! Workloads as text: what goes out comes back, and mistakes are told with their line.

use proptest::prelude::*;
use replay::combine::{combine, Part};
use replay::text::{is_workload, read, write};
use replay::{generate, Counts, Ending, Start, WorkKind, Workload};

use crate::common::{folder, recorded};

fn text(workload: &Workload, plain: bool) -> String {
    let mut out = Vec::new();
    write(workload, plain, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What WARP's text holds, and nothing more.
fn bare(counts: Counts) -> Counts {
    Counts {
        uncertain_tasks: 0,
        running_at_end: 0,
        runnable_at_end: 0,
        exit: counts.exit + counts.running_at_end + counts.runnable_at_end,
        ..counts
    }
}

fn comes_back(workload: &Workload, what: &str) {
    let full = text(workload, false);
    assert!(is_workload(full.as_bytes()), "{what}");
    let back = read(&full).unwrap_or_else(|error| panic!("{what}: {error}"));
    for (found, expected) in back.tasks.iter().zip(&workload.tasks) {
        assert_eq!(found, expected, "{what}");
    }
    assert!(&back == workload, "{what}");
    let plain = text(workload, true);
    assert!(!plain.contains('#'), "{what}");
    assert_eq!(is_workload(plain.as_bytes()), !workload.tasks.is_empty(), "{what}");
    // Without the comments a priority below 40 passes for a nice value.
    let real_time = workload
        .events
        .iter()
        .any(|event| matches!(event.kind, WorkKind::Prio { prio } if prio < 40));
    if !real_time {
        let back = read(&plain).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(back.counts(), bare(workload.counts()), "{what}");
    }
}

#[test]
fn what_is_made_comes_back() {
    let made = [
        generate::fairbench(),
        generate::responsebench(2_000_000_000),
        generate::pairs(8, 1_000_000, 100_000_000),
        Workload::default(),
    ];
    for (number, workload) in made.iter().enumerate() {
        comes_back(workload, &number.to_string());
    }
    let parts = made.map(|workload| Part {
        offset_ns: 1_500,
        copies: 2,
        speed: 1_300,
        ..Part::of(workload)
    });
    comes_back(&combine(&parts).unwrap(), "all");
}

#[test]
fn what_was_recorded_comes_back() {
    let mut path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.extend(["..", "..", "tests", "fixtures"]);
    let folders = [Some(path), folder("replay"), folder("traces")];
    let mut seen = 0;
    for folder in folders.into_iter().flatten() {
        for name in [
            "forkpipe-8cpu.dat",
            "lost-s390x.dat",
            "execthread-4cpu.dat",
            "sysmix-4cpu.dat",
            "instances-4cpu.dat",
            "fair61-1cpu.dat",
            "pipe61-1cpu.dat",
            "schedmix-4cpu.dat",
            "lost-4cpu.dat",
            "yieldbarrier32.dat",
        ] {
            let path = folder.join(name);
            if path.exists() {
                let (_, workload) = recorded(&path);
                comes_back(&workload, name);
                comes_back(
                    &workload.leave_out(|workload, task| workload.comm_of(task).len() % 2 == 0),
                    name,
                );
                seen += 1;
            }
        }
    }
    assert!(5 <= seen);
}

#[test]
fn a_text_of_warp_is_read() {
    let text = "# made by hand\n1 INIT 7 0 7 R\n2 INIT 0 0 8 S\n3 FORK 7 0.25 9\n4 PRIO 7 1 -5\n5 YIELD 7 1.5\n6 BLOCK 7 2\n\
        7 WAKEUP 7 30 12 9 0.0000005\n8 EXIT 7 1\n9 WAKEUP 8 10.5 6 7 1.9\n10 BLOCK 8 3\n11 EXIT 8 3\n12 EXIT 9 40.1234567\n";
    let workload = read(text).unwrap();
    let [seven, eight, nine] = workload.tasks.as_slice() else {
        panic!("{} tasks", workload.tasks.len());
    };
    assert_eq!(
        (seven.start, eight.start, nine.start),
        (Start::Runnable, Start::Sleeping, Start::Forked)
    );
    assert_eq!(
        (seven.ending, eight.ending, nine.ending),
        (Ending::Exited, Ending::Asleep, Ending::Exited)
    );
    assert_eq!(
        (seven.cpu_ns, eight.cpu_ns, nine.cpu_ns),
        (3_000_000, 3_000_000, 40_123_456)
    );
    assert_eq!(workload.comm_of(eight), "task-8");
    let kinds: Vec<WorkKind> = workload.events_of(seven).iter().map(|event| event.kind).collect();
    assert_eq!(kinds[1], WorkKind::Prio { prio: 115 });
    // Less than a nanosecond is left out.
    assert!(matches!(
        kinds[4],
        WorkKind::Woken {
            waker: 2,
            distance: 0,
            ..
        }
    ));
    // 8 is woken when the clock of 7 is 0.1 ms: what that does next is its fork.
    let fork = seven.events.start;
    let woken = workload.events_of(eight)[0].kind;
    assert!(
        matches!(woken, WorkKind::Woken { waker: 0, event, distance: 150_000, .. } if event == fork),
        "{woken:?}"
    );
}

#[test]
fn mistakes_are_told_with_their_line() {
    let begin = "1 INIT 7 0 7 R\n2 INIT 8 0 8 R\n";
    let cases = [
        (
            "3 SLEEP 7 1",
            3,
            "`SLEEP` is no event: expected INIT, FORK, PRIO, YIELD, BLOCK, WAKEUP, EXIT",
        ),
        ("3 BLOCK 7", 3, "is no event"),
        ("3 BLOCK 7 1 2", 3, "BLOCK with 1 values more: expected none"),
        ("3 BLOCK 7 x", 3, "`x` is no time"),
        ("3 BLOCK 7 1e3", 3, "is no time"),
        ("3 BLOCK 7 -1", 3, "is no time"),
        ("3 BLOCK 7 99999999999999", 3, "out of range"),
        ("3 BLOCK 99999999999 1", 3, "99999999999 is out of range for a pid"),
        ("x BLOCK 7 1", 3, "`x` is no number"),
        ("2 BLOCK 7 1", 3, "a second event 2"),
        ("3 PRIO 7 1 140", 3, "out of range"),
        ("3 PRIO 7 1 25", 3, "out of range"),
        ("3 INIT 9 0 9 D", 3, "expected R or S"),
        ("3 INIT 7 0 7 R", 3, "a second beginning of 7"),
        ("3 FORK 7 1 8", 3, "a second beginning of 8"),
        ("3 BLOCK 9 1", 3, "9 has no INIT"),
        ("3 YIELD 7 2\n4 BLOCK 7 1.5", 4, "goes back, from 2.000000 to 1.500000"),
        ("3 BLOCK 7 2\n4 YIELD 7 3", 4, "expected a WAKEUP"),
        ("3 WAKEUP 7 2 0 0 0", 3, "has not blocked"),
        ("3 EXIT 7 2\n4 YIELD 7 2", 4, "behind its EXIT"),
        ("3 BLOCK 7 2\n4 WAKEUP 7 1 9 8 0", 4, "there is none"),
        ("3 BLOCK 7 2\n4 WAKEUP 7 1 2 9 0", 4, "there is no such task"),
        ("3 BLOCK 7 2\n4 WAKEUP 7 1 2 8 0", 4, "an INIT wakes nobody"),
        ("3 BLOCK 7 2\n4 WAKEUP 7 1 3 8 0", 4, "another task's"),
        (
            "3 BLOCK 7 2\n4 WAKEUP 7 1 5 8 3\n5 BLOCK 8 2.5",
            4,
            "expected at most 2.500000",
        ),
        (
            "3 BLOCK 7 2\n4 WAKEUP 7 1 6 8 0\n5 BLOCK 8 2\n6 WAKEUP 8 1 0 0 0",
            4,
            "a WAKEUP is nothing that its task does",
        ),
        (
            "3 BLOCK 7 2\n4 WAKEUP 7 1 7 8 0\n5 BLOCK 8 2\n6 WAKEUP 8 1 8 7 0\n7 BLOCK 8 1\n8 BLOCK 7 1",
            4,
            "a circle: 7, 8 each wait for the next",
        ),
        ("3 BLOCK 7 2\n4 WAKEUP 7 1 5 7 0\n5 BLOCK 7 1", 4, "a circle: 7 each"),
        ("#: 7 colour=red", 3, "`colour` says nothing about a task"),
        ("#: workload version=9", 3, "version 9"),
        ("#: workload cpus=0", 3, "0 CPUs: expected 1 to 4096"),
        ("#: 7 letters=3", 3, "are no states"),
        ("#: 7 comm=%zz", 3, "is no name"),
    ];
    for (lines, line, what) in cases {
        let error = read(&format!("{begin}{lines}\n")).expect_err(lines);
        assert_eq!(error.line, line, "{lines}: {error}");
        assert!(error.to_string().contains(what), "{lines}: {error}");
    }
}

#[test]
fn tasks_that_fork_each_other_never_begin() {
    let error = read("1 INIT 6 0 6 R\n2 FORK 7 1 8\n3 FORK 8 1 7\n").unwrap_err();
    assert!(error.what.contains("a circle: ") && error.line == 2, "{error}");
}

/// Any words in the places of a line, which mostly make sense.
fn line() -> impl Strategy<Value = String> {
    let event = prop::sample::select(vec![
        "INIT", "FORK", "PRIO", "YIELD", "BLOCK", "WAKEUP", "EXIT", "#:", "WAKE",
    ]);
    let rest = prop::sample::select(vec![
        "",
        "1 R",
        "2 S",
        "3",
        "0 0 0",
        "4 2 0.5",
        "7 1 0",
        "120",
        "comm=a%20b",
        "-1",
    ]);
    (0_u32..12, event, 1_i32..4, 0_u32..9, rest).prop_map(|(eid, event, pid, ms, rest)| match event {
        "#:" => format!("#: {pid} {rest}"),
        _ => format!("{eid} {event} {pid} {ms} {rest}"),
    })
}

proptest! {
    #[test]
    fn whatever_is_read_comes_back(lines in prop::collection::vec(line(), 0..14)) {
        let lines: Vec<String> = lines;
        let text = format!("101 INIT 1 0 1 R\n102 INIT 2 0 2 S\n103 INIT 3 0 3 R\n{}", lines.join("\n"));
        if let Ok(workload) = read(&text) {
            comes_back(&workload, &text);
        }
    }

    #[test]
    fn other_texts_do_no_harm(text in "(\\PC|\n){0,200}") {
        let _ = read(&text);
        is_workload(text.as_bytes());
    }
}
