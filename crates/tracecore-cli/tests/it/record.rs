//! `corelane record` with a program in trace-cmd's place, which writes down what it is asked for.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a `trace-cmd` that runs this script.
fn folder(name: &str, script: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("corelane-record-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("trace-cmd");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn record(folder: &Path, args: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", folder.display());
    Command::new(env!("CARGO_BIN_EXE_corelane"))
        .arg("record")
        .args(args)
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The stub runs the command as trace-cmd does: its arguments are words, whatever is in them.
#[test]
fn trace_cmd_gets_the_events_and_the_command() {
    let script =
        "printf '%s\\n' \"$@\" > asked\nwhile [ \"$1\" != -o ]; do shift; done\necho trace > \"$2\"\nshift 2\n\"$@\"";
    let folder = folder("words", script);
    let args = [
        "-o",
        "my trace.dat",
        "--event",
        "irq",
        "--buffer-size",
        "20000",
        "--clock",
        "mono",
        "--sleep",
        "0",
        "--",
        "sh",
        "-c",
        "echo \"$0\" > said",
        "it's $HOME; `x`",
    ];
    let output = record(&folder, &args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let asked = fs::read_to_string(folder.join("asked")).unwrap();
    let expected = "record -e sched -e irq -v -e sched_stat_runtime -q -C mono -b 20000 -o";
    assert!(asked.replace('\n', " ").starts_with(expected), "{asked}");
    assert_eq!(fs::read_to_string(folder.join("said")).unwrap(), "it's $HOME; `x`\n");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("my trace.dat: 6 bytes\n") && told.contains("findings 'my trace.dat'"),
        "{told}"
    );
    // What --dry-run prints does the same in a shell.
    let dry = record(&folder, &[&args[..10], &["--dry-run"], &args[10..]].concat());
    fs::remove_file(folder.join("said")).unwrap();
    fs::rename(folder.join("asked"), folder.join("before")).unwrap();
    let line = String::from_utf8(dry.stdout).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let shell = Command::new("sh")
        .args(["-c", &line])
        .env("PATH", path)
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(shell.success(), "{line}");
    assert_eq!(
        fs::read(folder.join("asked")).unwrap(),
        fs::read(folder.join("before")).unwrap()
    );
    assert_eq!(fs::read_to_string(folder.join("said")).unwrap(), "it's $HOME; `x`\n");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_sleep_comes_before_the_command() {
    let folder = folder("sleep", "exit 1");
    let line = |args: &[&str]| String::from_utf8(record(&folder, args).stdout).unwrap();
    let expected = "trace-cmd record -e sched -v -e sched_stat_runtime -q -o trace.dat sh -c 'sleep 1; \"$@\"; exit $?' sh make -j4\n";
    assert_eq!(line(&["--dry-run", "--", "make", "-j4"]), expected);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn failures_say_what_to_do() {
    let failing = folder("fails", "exit 7");
    let output = record(&failing, &["--", "true"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told.contains("trace-cmd failed (exit status: 7)\n") && told.lines().count() == 2,
        "{told}"
    );
    fs::write(failing.join("trace-cmd"), "#!/bin/sh\n").unwrap();
    let told = String::from_utf8(record(&failing, &["--", "true"]).stderr).unwrap();
    assert!(told.contains("trace-cmd left no recording: trace.dat: "), "{told}");
    let missing = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(["record", "--", "true"])
        .env("PATH", failing.join("nothing"))
        .output()
        .unwrap();
    let told = String::from_utf8(missing.stderr).unwrap();
    assert!(
        told.contains("trace-cmd is not installed\n") && told.contains("--dry-run"),
        "{told}"
    );
    fs::remove_dir_all(&failing).unwrap();
}
