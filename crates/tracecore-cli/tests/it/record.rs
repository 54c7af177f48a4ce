//! `corelane record` with a program in trace-cmd's place, which writes down what it is asked for.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{kill_process, Pid, Signal};

use crate::program::fixture;

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

/// Sets `out` to the file that is to be written, and the arguments to the recorded command.
const OPTIONS: &str = "while [ \"$1\" != -o ]; do shift; done; out=$2; shift 2\n";

/// A recording that a stand-in can copy.
fn recording() -> Vec<u8> {
    fs::read(fixture("pinned-4cpu.dat")).unwrap()
}

/// The names in a folder that begin with a dot.
fn hidden(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

/// The stub runs the command as trace-cmd does: its arguments are words, whatever is in them.
#[test]
fn trace_cmd_gets_the_events_and_the_command() {
    let script = format!(
        "printf '%s\\n' \"$@\" > asked\n{OPTIONS}cat '{}' > \"$out\"\n\"$@\"",
        fixture("pinned-4cpu.dat").display()
    );
    let folder = folder("words", &script);
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
        told.contains("my trace.dat: 26,373 bytes\n") && told.contains("findings 'my trace.dat'"),
        "{told}"
    );
    assert!(fs::read(folder.join("my trace.dat")).unwrap() == recording());
    assert_eq!(hidden(&folder), [""; 0]);
    // What --dry-run prints does the same in a shell, but for the hidden name.
    let dry = record(&folder, &[&args[..10], &["--dry-run"], &args[10..]].concat());
    fs::remove_file(folder.join("said")).unwrap();
    let line = String::from_utf8(dry.stdout).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let shell = Command::new("sh")
        .args(["-c", &line])
        .env("PATH", path)
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(shell.success(), "{line}");
    let named = |word: &str| {
        if word.contains(".corelane-") {
            "my trace.dat".to_owned()
        } else {
            word.to_owned()
        }
    };
    let again = fs::read_to_string(folder.join("asked")).unwrap();
    assert_eq!(
        asked.lines().map(named).collect::<Vec<_>>(),
        again.lines().collect::<Vec<_>>()
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

/// Whatever goes wrong, the recording before it stays, and nothing is left beside it.
#[test]
fn failures_say_what_to_do() {
    let failing = folder("fails", "");
    let before = b"the recording before";
    for (script, why) in [
        (
            "echo why >&2; exit 7",
            "trace-cmd failed (exit status: 7); trace.dat is as it was before\n",
        ),
        (
            "kill -KILL $$",
            "trace-cmd was killed by SIGKILL; trace.dat is as it was before\n",
        ),
        (
            "kill -SEGV $$",
            "trace-cmd was killed by SIGSEGV; trace.dat is as it was before\n",
        ),
        (
            "cat trace.dat > \"$out\"; touch \"$out.cpu0\"; exit 3",
            "trace-cmd failed (exit status: 3)",
        ),
        (
            "true",
            "trace-cmd left no recording; trace.dat is as it was before\nWhat it wrote is no trace: ",
        ),
        (
            "rm \"$out\"",
            "trace-cmd left no recording; trace.dat is as it was before\nWhat it wrote is no trace: ",
        ),
        (
            "echo junk > \"$out\"",
            "trace-cmd left no recording; trace.dat is as it was before\nWhat it wrote is no trace: ",
        ),
    ] {
        fs::write(failing.join("trace-cmd"), format!("#!/bin/sh\n{OPTIONS}{script}\n")).unwrap();
        fs::write(failing.join("trace.dat"), before).unwrap();
        let output = record(&failing, &["--", "true"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{script}: {told}");
        assert!(told.contains(&format!("corelane: {why}")), "{script}: {told}");
        assert_eq!(told.contains("why\n"), script.contains("why"), "{script}: {told}");
        assert!(fs::read(failing.join("trace.dat")).unwrap() == before, "{script}");
        assert_eq!(hidden(&failing), [""; 0], "{script}");
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(["record", "--", "true"])
        .env("PATH", failing.join("nothing"))
        .current_dir(&failing)
        .output()
        .unwrap();
    let told = String::from_utf8(missing.stderr).unwrap();
    assert!(
        told.contains("trace-cmd is not installed\n") && told.contains("--dry-run"),
        "{told}"
    );
    for (output, why) in [
        ("/dev/null", "trace-cmd records into files only"),
        ("/nonexistent/trace.dat", "No such file"),
    ] {
        let told = String::from_utf8(record(&failing, &["-o", output, "--", "true"]).stderr).unwrap();
        assert!(told.contains(&format!("corelane: {output}: {why}")), "{told}");
    }
    fs::remove_dir_all(&failing).unwrap();
}

/// A stand-in that writes its recording in two parts, and the second one when it is interrupted.
fn until_interrupted() -> String {
    let trace = fixture("pinned-4cpu.dat");
    let trace = trace.display();
    format!(
        "{OPTIONS}trap stop=1 INT\nhead -c 5000 '{trace}' > \"$out\"\ntouch started\n\
         while [ -z \"$stop\" ]; do sleep 0.02; done\ntrap '' INT\nsleep 0.1\ntail -c +5001 '{trace}' >> \"$out\""
    )
}

fn start(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(["record", "--", "true"])
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_until(mut is_done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if is_done() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("30 s were not enough");
}

/// A signal that only this program gets ends the recording as Ctrl-C does, and the recording is there.
#[test]
fn a_signal_ends_a_recording_properly() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = folder("signal", &until_interrupted());
        fs::write(folder.join("trace.dat"), "before").unwrap();
        let child = start(&folder);
        wait_until(|| folder.join("started").exists());
        assert_eq!(fs::read(folder.join("trace.dat")).unwrap(), b"before");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{signal:?}: {told}");
        assert!(fs::read(folder.join("trace.dat")).unwrap() == recording(), "{signal:?}");
        assert_eq!(hidden(&folder), [""; 0]);
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Ctrl-C sends its signal to all processes of the terminal: the recorded command gets it once.
#[test]
fn what_the_terminal_interrupts_is_not_interrupted_again() {
    let folder = folder(
        "terminal",
        &format!(
            "{OPTIONS}trap : INT; \"$@\"; cat '{}' > \"$out\"",
            fixture("pinned-4cpu.dat").display()
        ),
    );
    // `script` runs it on a terminal of its own, whose Ctrl-C is the byte 3.
    let counted = "trap 'echo interrupted >> times' INT; touch started; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; done";
    fs::write(folder.join("counted"), counted).unwrap();
    // `exec`: a shell that stays would be interrupted as well, and with it end what it tells of the program.
    let program = format!("exec {} record --sleep 0 -- sh counted", env!("CARGO_BIN_EXE_corelane"));
    let child = Command::new("script")
        .args(["-qec", &program, "/dev/null"])
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    // Not all machines have it.
    let Ok(mut child) = child else { return };
    wait_until(|| folder.join("started").exists());
    sleep(Duration::from_millis(200));
    let mut terminal = child.stdin.take().unwrap();
    terminal.write_all(&[3]).unwrap();
    terminal.flush().unwrap();
    let status = child.wait().unwrap();
    drop(terminal);
    assert!(status.success());
    assert_eq!(fs::read_to_string(folder.join("times")).unwrap(), "interrupted\n");
    assert!(fs::read(folder.join("trace.dat")).unwrap() == recording());
    fs::remove_dir_all(&folder).unwrap();
}

/// A hundred moments: either the recording before stays, or all of the new one is there. What is left over goes with the
/// next one.
#[test]
fn no_moment_loses_a_recording() {
    let trace = fixture("pinned-4cpu.dat");
    let trace = trace.display();
    // It is not interrupted, only killed.
    let script = format!(
        "{OPTIONS}trap '' INT\necho $$ > pid\nhead -c 5000 '{trace}' > \"$out\"\nsleep 0.02\ntail -c +5001 '{trace}' >> \"$out\""
    );
    let folder = folder("moments", &script);
    let (before, all) = (b"before".to_vec(), recording());
    let mut random = 1_u64;
    let mut kept = 0;
    for round in 0..100 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        fs::write(folder.join("trace.dat"), &before).unwrap();
        let child = start(&folder);
        sleep(Duration::from_micros((random >> 33) % 60_000));
        let own = Pid::from_child(&child);
        let stand_in = fs::read_to_string(folder.join("pid")).ok();
        let stand_in = stand_in.and_then(|pid| Pid::from_raw(pid.trim().parse().ok()?));
        let (to, signal) = match (round % 5, stand_in) {
            (0, _) => (own, Signal::KILL),
            (1, Some(stand_in)) => (stand_in, Signal::KILL),
            (2, _) => (own, Signal::TERM),
            (3, _) => (own, Signal::HUP),
            _ => (own, Signal::INT),
        };
        // It may have ended, or not begun.
        let _ = kill_process(to, signal);
        let output = child.wait_with_output().unwrap();
        let found = fs::read(folder.join("trace.dat")).unwrap();
        assert!(found == before || found == all, "round {round}: {} bytes", found.len());
        assert!(found == all || output.status.code() != Some(0), "round {round}");
        kept += u32::from(found == before);
        let _ = fs::remove_file(folder.join("pid"));
    }
    assert!(0 < kept && kept < 100, "{kept}");
    // What outlived its parent ends by itself; then nobody uses its file.
    wait_until(|| record(&folder, &["--sleep", "0", "--", "true"]).status.success() && hidden(&folder).is_empty());
    fs::remove_dir_all(&folder).unwrap();
}
