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
