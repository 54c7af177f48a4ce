//! Files that commands write, and the trace that none of them may touch.

use std::fs;
use std::path::PathBuf;

use crate::program::{corelane, fixture};

/// A copy of a recording under another name, in a folder of its own.
fn copy(folder: &str, name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("corelane-outputs-{folder}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let trace = folder.join(name);
    fs::copy(fixture("pinned-4cpu.dat"), &trace).unwrap();
    trace
}

#[test]
fn no_command_writes_over_its_trace() {
    // A figure's name says its format.
    let trace = copy("same", "trace.svg");
    let link = trace.with_file_name("link.svg");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&trace, &link).unwrap();
    #[cfg(not(unix))]
    let link = trace.clone();
    let before = fs::read(&trace).unwrap();
    let name = trace.to_str().unwrap();
    for out in [&trace, &link] {
        let out = out.to_str().unwrap();
        for args in [
            &["cut", name, "-o", out, "--max", "0.1"][..],
            &["workload", name, "-o", out],
            &["replay", name, "--policy", "cfs", "-o", out],
            &["figure", "timeline", name, "-o", out],
            &["figure", "running-waiting", "-o", out, "--", name],
            &["figure", "run-times", name, "-o", out],
            &["export", name, "--perfetto", out],
            &["export", name, "--tracedat", out],
        ] {
            let output = corelane(args, b"");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{args:?}: {told}");
            assert!(
                told.contains("is the trace itself; write to another file"),
                "{args:?}: {told}"
            );
            assert!(fs::read(&trace).unwrap() == before, "{args:?} changed the trace");
        }
    }
    let question = format!("[\"cut\", \"-o\", {name:?}, \"--max\", \"0.1\"]\n");
    let output = corelane(&["batch", name], question.as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).contains("is the trace itself"));
    assert!(fs::read(&trace).unwrap() == before);
    fs::remove_dir_all(trace.parent().unwrap()).unwrap();
}

#[test]
fn a_window_without_time_is_a_wrong_option_of_any_command() {
    let trace = fixture("pinned-4cpu.dat");
    let name = trace.to_str().unwrap();
    for command in [
        &["stats", name][..],
        &["latency", name],
        &["findings", name],
        &["states", name],
        &["table", "runs", name],
        &["cut", name, "-o", "/nonexistent/cut.dat"],
        &["figure", "timeline", name, "-o", "/nonexistent/figure.svg"],
    ] {
        for window in [["--min", "3", "--max", "2"], ["--min", "1", "--max", "1"]] {
            let output = corelane(&[command, &window].concat(), b"");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{command:?}: {told}");
            assert!(told.contains("expected `--min` before `--max`"), "{command:?}: {told}");
        }
    }
}

#[test]
fn a_text_that_is_not_there_is_told_from_one_that_is_none() {
    let trace = fixture("sysmix-4cpu.dat");
    let name = trace.to_str().unwrap();
    let output = corelane(&["syscalls", name, "--compare", "/nonexistent/text"], b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("/nonexistent/text: No such file"), "{told}");
}

#[test]
fn what_is_selected_and_not_in_the_trace_is_said() {
    let trace = fixture("pinned-4cpu.dat");
    let name = trace.to_str().unwrap();
    let nothing = [
        "--cpu", "0,7-9", "--pid", "4194305", "--comm", "nobody", "--target", "no", "--min", "5000",
    ];
    let expected = [
        "CPUs 7-9 are not in this trace, which has 0-3",
        "no task of this trace has PID 4194305",
        "no command of this trace is called `nobody`",
        "no command of this trace begins with `no`",
        "the window begins at 5000.000000000 s, behind the end of this trace at ",
    ];
    for command in [
        &["stats", name][..],
        &["latency", name],
        &["table", "runs", name],
        &["findings", name],
    ] {
        let output = corelane(&[command, &nothing].concat(), b"");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command:?}: {told}");
        for expected in expected {
            assert_eq!(told.matches(expected).count(), 1, "{command:?}: {expected:?} in {told}");
        }
        let quiet = corelane(&[&["-q"], command, &nothing].concat(), b"");
        assert!(quiet.stderr.is_empty(), "{command:?}");
        assert!(quiet.stdout == output.stdout, "{command:?}");
    }
    // As far as each command has these options, and in the order of CPUs, whatever that of the option.
    let figure = std::env::temp_dir().join(format!("corelane-missing-{}.svg", std::process::id()));
    let figure = figure.to_str().unwrap();
    for (args, expected) in [
        (
            &["report", name, "--cpu", "9,7,9"][..],
            "corelane: CPUs 7,9 are not in this trace, which has 0-3",
        ),
        (
            &["cut", name, "-o", figure, "--cpu", "0,8"],
            "corelane: CPU 8 is not in this trace, which has 0-3",
        ),
        (
            &["export", name, "--tracedat", figure, "--cpu", "8,0"],
            "corelane: CPU 8 is not in this trace, which has 0-3",
        ),
        (
            &["figure", "timeline", name, "-o", figure, "--target", "no"],
            "no command of this trace begins with `no`",
        ),
        (
            &["figure", "timeline", name, "-o", figure, "--pid", "4194305"],
            "no task of this trace has PID 4194305",
        ),
    ] {
        let output = corelane(args, b"");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
        assert!(told.contains(expected), "{args:?}: {told}");
    }
    fs::remove_file(figure).unwrap();
    let other = fixture("barrier32-badplace.dat");
    let output = corelane(&["compare", name, other.to_str().unwrap(), "--cpu", "3-4"], b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = format!("corelane: {name}: CPU 4 is not in this trace, which has 0-3");
    assert_eq!(told.matches("CPU 4 is not in this trace").count(), 1, "{told}");
    assert!(told.contains(&expected), "{told}");
    let there = ["--cpu", "1", "--pid", "0", "--target", "", "--min", "0"];
    let output = corelane(&[&["stats", name][..], &there].concat(), b"");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The last event of this trace is a switch to a task.
#[test]
fn a_window_behind_the_trace_has_nothing_of_it() {
    let trace = fixture("barrier32-badplace.dat");
    let name = trace.to_str().unwrap();
    for table in ["states", "runs", "waits", "wakeups", "migrations"] {
        let output = corelane(&["table", table, name, "--csv", "--min", "5000"], b"");
        let rows = String::from_utf8_lossy(&output.stdout).lines().count() - 1;
        assert_eq!((table, rows), (table, 0));
    }
    let output = corelane(&["stats", name, "--json", "--min", "5000"], b"");
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["wakeups"]["count"], 0);
    assert_eq!(stats["migrations"]["total"], 0);
    for list in ["commands", "tasks"] {
        for row in stats[list].as_array().unwrap() {
            assert_eq!(
                (&row["switches_to"], &row["execution_ns"]),
                (&0.into(), &0.into()),
                "{row}"
            );
        }
    }
}

/// The times are differences of those of `trace-cmd report`: of the last event, the first one, and the exit of the first sleep.
#[test]
fn the_end_that_a_window_is_behind_counts_as_the_window_does() {
    let (sleeps, ticks) = (fixture("barrier128-after-sleep.dat"), fixture("clock-x86-tsc-4cpu.dat"));
    let (sleeps, ticks) = (sleeps.to_str().unwrap(), ticks.to_str().unwrap());
    for (args, expected) in [
        (
            &["stats", sleeps, "--min", "26.2"][..],
            "behind the end of this trace at 26.130868898 s",
        ),
        (
            &["stats", sleeps, "--after-sleep", "--min", "26.1"],
            "behind the end of this trace at 24.724147",
        ),
        (
            &["stats", ticks, "--min", "99999999999999"],
            "behind the end of this trace at 1820729978 ticks",
        ),
    ] {
        let told = String::from_utf8_lossy(&corelane(args, b"").stderr).into_owned();
        assert!(told.contains(expected), "{args:?}: {told}");
    }
    assert!(corelane(&["stats", sleeps, "--min", "26.1"], b"").stderr.is_empty());
}

#[test]
fn a_pair_that_no_trace_could_have_is_a_wrong_option() {
    let trace = fixture("pinned-4cpu.dat");
    let name = trace.to_str().unwrap();
    for (pair, expected) in [
        (&["--start", "sched:sched_waking"][..], "expected --end EVENT and --key"),
        (
            &["--start", "sched:sched_waking[prio <]", "--value", "prio"],
            "--start: ",
        ),
        (&["--start", "sched:sched_waking", "--value", "start.+"], "--value: "),
    ] {
        let output = corelane(&[&["pairs", name][..], pair].concat(), b"");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{pair:?}: {told}");
        assert!(
            told.starts_with("error: ") && told.contains(expected),
            "{pair:?}: {told}"
        );
    }
    // What this trace does not have, another one may.
    let output = corelane(
        &["pairs", name, "--start", "sched:sched_waking", "--value", "nothing"],
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_named() {
    let trace = fixture("pinned-4cpu.dat");
    let name = trace.to_str().unwrap();
    for args in [
        &["cut", name, "-o", "/dev/full"][..],
        &["export", name, "--tracedat", "/dev/full"],
        &["export", name, "--perfetto", "/dev/full"],
        &["replay", name, "--policy", "cfs", "-o", "/dev/full"],
    ] {
        let output = corelane(args, b"");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {told}");
        assert!(
            told.contains("corelane: /dev/full: ") && !told.contains(name),
            "{args:?}: {told}"
        );
    }
}
