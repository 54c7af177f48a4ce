//! How files are written: modes, links, pipes, full disks, and what signals leave.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{kill_process, Pid, Signal};

use crate::program::fixture;

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("corelane-writing-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn trace() -> String {
    fixture("pinned-4cpu.dat").to_str().unwrap().to_owned()
}

/// The commands that write files, without the names of the trace and of the file.
fn writers<'a>(trace: &'a str, out: &'a str) -> [Vec<&'a str>; 6] {
    [
        vec!["cut", trace, "-o", out],
        vec!["export", trace, "--tracedat", out],
        vec!["export", trace, "--perfetto", out],
        vec!["workload", trace, "-o", out],
        vec!["replay", trace, "--policy", "cfs", "-o", out],
        vec!["figure", "timeline", trace, "-o", out],
    ]
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corelane"));
    command.env("CORELANE_CACHE", "").current_dir(folder);
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder).args(args).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn hidden(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn permissions_are_kept_or_are_the_usual_ones() {
    let folder = folder("modes");
    fs::write(folder.join("usual"), "").unwrap();
    let (usual, trace) = (mode(&folder.join("usual")), trace());
    let out = folder.join("out.svg");
    for args in writers(&trace, "out.svg") {
        for (before, after) in [(None, usual), (Some(0o600), 0o600), (Some(0o664), 0o664)] {
            let _ = fs::remove_file(&out);
            if let Some(before) = before {
                fs::write(&out, "before").unwrap();
                fs::set_permissions(&out, Permissions::from_mode(before)).unwrap();
            }
            let output = run(&folder, &args);
            assert!(output.status.success(), "{args:?}: {}", told(&output));
            assert_eq!(mode(&out), after, "{args:?} {before:?}");
            assert_ne!(fs::read(&out).unwrap(), b"before");
        }
        // Root could write it, and is refused as well.
        fs::write(&out, "before").unwrap();
        fs::set_permissions(&out, Permissions::from_mode(0o444)).unwrap();
        let output = run(&folder, &args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(
            told(&output).contains("corelane: out.svg: the file is read-only"),
            "{}",
            told(&output)
        );
        assert_eq!(fs::read(&out).unwrap(), b"before");
        fs::remove_file(&out).unwrap();
    }
    assert_eq!(hidden(&folder), [""; 0]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn links_are_followed() {
    let (folder, trace) = (folder("links"), trace());
    fs::create_dir(folder.join("below")).unwrap();
    fs::write(folder.join("below/old.dat"), "before").unwrap();
    for (link, to) in [
        ("a", "below/old.dat"),
        ("b", "a"),
        ("c", "below/new.dat"),
        ("d", "e"),
        ("e", "d"),
    ] {
        symlink(to, folder.join(link)).unwrap();
    }
    for (link, file) in [("a", "below/old.dat"), ("b", "below/old.dat"), ("c", "below/new.dat")] {
        let output = run(&folder, &["cut", &trace, "-o", link]);
        assert!(output.status.success(), "{link}: {}", told(&output));
        assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
        let written = fs::read(folder.join(file)).unwrap();
        assert!(written.starts_with(b"\x17\x08\x44tracing"), "{file}");
        fs::write(folder.join(file), "before").unwrap();
    }
    for (out, why) in [
        ("d", "too many links"),
        ("below", "is a directory"),
        ("no/out.dat", "No such file"),
    ] {
        let output = run(&folder, &["cut", &trace, "-o", out]);
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(
            told(&output).contains(&format!("corelane: {out}: {why}")),
            "{}",
            told(&output)
        );
    }
    assert_eq!(hidden(&folder), [""; 0]);
    fs::remove_dir_all(&folder).unwrap();
}

/// All bytes come through a pipe, and nothing else does.
#[test]
fn files_are_written_into_pipes() {
    let (folder, trace) = (folder("pipes"), trace());
    for (at, args) in writers(&trace, "out.svg").into_iter().enumerate() {
        assert!(run(&folder, &args).status.success());
        let file = fs::read(folder.join("out.svg")).unwrap();
        for out in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
            let _ = fs::remove_file(folder.join("link"));
            symlink("/dev/stdout", folder.join("link")).unwrap();
            let output = run(&folder, &writers(&trace, out)[at]);
            match (args[0], out) {
                ("replay", _) => assert!(
                    told(&output).contains("standard output gets the numbers"),
                    "{}",
                    told(&output)
                ),
                // No format is known of the other names.
                ("figure", out) if out != "-" => assert_eq!(output.status.code(), Some(2)),
                // The line that says how it was made names the file.
                ("figure", _) => assert!(output.stdout.starts_with(b"<svg") || output.stdout.starts_with(b"<?xml")),
                _ => {
                    assert!(output.status.success(), "{args:?} {out}: {}", told(&output));
                    assert!(output.stdout == file, "{args:?} {out}: {} bytes", output.stdout.len());
                    assert_eq!(
                        told(&output).contains(" records in "),
                        args[0] != "workload",
                        "{}",
                        told(&output)
                    );
                }
            }
        }
    }
    // Where standard output is a file, it is written at the place where it is.
    let out = fs::File::create(folder.join("all")).unwrap();
    let status = command(&folder)
        .args(["-q", "cut", &trace, "-o", "/dev/stdout"])
        .stdout(out)
        .status();
    assert!(status.unwrap().success());
    assert!(fs::read(folder.join("all"))
        .unwrap()
        .starts_with(b"\x17\x08\x44tracing"));
    let shell = format!(
        "'{}' cut '{trace}' -o /dev/fd/3 3>third",
        env!("CARGO_BIN_EXE_corelane")
    );
    assert!(Command::new("sh")
        .args(["-c", &shell])
        .current_dir(&folder)
        .output()
        .unwrap()
        .status
        .success());
    assert!(fs::read(folder.join("third"))
        .unwrap()
        .starts_with(b"\x17\x08\x44tracing"));
    let question = b"[\"cut\", \"-o\", \"/dev/stdout\"]\n";
    let mut batch = command(&folder);
    let mut batch = batch
        .args(["batch", &trace])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    batch.stdin.take().unwrap().write_all(question).unwrap();
    let answer = String::from_utf8(batch.wait_with_output().unwrap().stdout).unwrap();
    assert!(
        answer.starts_with("{\"error\":\"standard output gets the answers"),
        "{answer}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// The shell's limit of file sizes fails as a full disk does.
#[test]
fn a_full_disk_keeps_what_was_there() {
    let (folder, trace) = (folder("full"), trace());
    for args in writers(&trace, "out.svg") {
        fs::write(folder.join("out.svg"), "before").unwrap();
        let quoted: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
        let shell = format!(
            "ulimit -f 2; exec '{}' {}",
            env!("CARGO_BIN_EXE_corelane"),
            quoted.join(" ")
        );
        let output = Command::new("sh")
            .args(["-c", &shell])
            .env("CORELANE_CACHE", "")
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{args:?}: {:?} {}",
            output.status,
            told(&output)
        );
        assert!(
            told(&output).contains("corelane: out.svg: File too large"),
            "{args:?}: {}",
            told(&output)
        );
        assert_eq!(fs::read(folder.join("out.svg")).unwrap(), b"before");
        assert_eq!(hidden(&folder), [""; 0]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Starts a command that waits for its trace on standard input, and so has begun its file.
fn waiting(folder: &Path, args: &[&str]) -> Child {
    let mut child = command(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..3000 {
        if !hidden(folder).is_empty() {
            return child;
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("{args:?} began no file");
}

#[test]
fn signals_leave_no_hidden_file() {
    let folder = folder("signals");
    for args in writers("-", "out.svg") {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            fs::write(folder.join("out.svg"), "before").unwrap();
            let mut child = waiting(&folder, &args);
            // Until its thread listens.
            sleep(Duration::from_millis(50));
            kill_process(Pid::from_child(&child), signal).unwrap();
            // Waiting would end its input.
            let input = child.stdin.take();
            let status = child.wait().unwrap();
            drop(input);
            assert_eq!(status.signal(), Some(signal.as_raw()), "{args:?}");
            assert_eq!(hidden(&folder), [""; 0], "{args:?} {signal:?}");
            assert_eq!(fs::read(folder.join("out.svg")).unwrap(), b"before");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// What nohup has ignored does not end the program.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = folder("ignored");
    let shell = format!(
        "trap '' HUP; exec '{}' cut - -o out.dat",
        env!("CARGO_BIN_EXE_corelane")
    );
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    while hidden(&folder).is_empty() {
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(50));
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&fs::read(trace()).unwrap())
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert!(folder.join("out.dat").exists());
    fs::remove_dir_all(&folder).unwrap();
}

/// Only what a dead program left goes: neither what another one still writes, nor files of other names.
#[test]
fn what_a_killed_program_left_is_removed_by_the_next() {
    let (folder, trace) = (folder("killed"), trace());
    let mut alive = waiting(&folder, &["cut", "-", "-o", "alive.dat"]);
    let of_alive = hidden(&folder);
    let mut dead = command(&folder)
        .args(["cut", "-", "-o", "dead.dat"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    while hidden(&folder).len() < 2 {
        sleep(Duration::from_millis(10));
    }
    dead.kill().unwrap();
    dead.wait().unwrap();
    assert_eq!(hidden(&folder).len(), 2);
    fs::write(folder.join(".corelane-notes"), "").unwrap();
    fs::create_dir(folder.join(".corelane-1-0.part")).unwrap();
    assert!(run(&folder, &["cut", &trace, "-o", "out.dat"]).status.success());
    let mut left = hidden(&folder);
    left.sort();
    let mut expected = vec![".corelane-1-0.part".to_owned(), ".corelane-notes".to_owned()];
    expected.extend(of_alive);
    expected.sort();
    assert_eq!(left, expected);
    alive
        .stdin
        .take()
        .unwrap()
        .write_all(&fs::read(trace).unwrap())
        .unwrap();
    assert!(alive.wait().unwrap().success());
    assert!(folder.join("alive.dat").exists());
    fs::remove_dir_all(&folder).unwrap();
}

/// A trace of version 6, not packed, whose header says this size of pages.
fn with_page_size(folder: &Path, name: &str, size: u32) {
    let trace = fixture("barrier128-after-sleep.dat");
    let args = [
        "export",
        trace.to_str().unwrap(),
        "--tracedat",
        name,
        "--file-version",
        "6",
        "--min",
        "10",
        "--max",
        "11",
    ];
    assert!(run(folder, &args).status.success());
    let mut bytes = fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes[14..18], 4096_u32.to_le_bytes());
    bytes[14..18].copy_from_slice(&size.to_le_bytes());
    fs::write(folder.join(name), bytes).unwrap();
}

/// Pages are no larger than the kernel makes them, and sizes that are possible write no more than a multiple of the trace.
#[test]
fn damaged_sizes_write_no_large_files() {
    let folder = folder("sizes");
    with_page_size(&folder, "wrong.dat", 268_439_552);
    for args in [
        &["info", "wrong.dat"][..],
        &["cut", "wrong.dat", "-o", "out.dat"],
        &["export", "wrong.dat", "--tracedat", "out.dat"],
    ] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let expected = "corelane: wrong.dat: a page size of 268,439,552 bytes; expected 256 to 16,777,216 at byte 14";
        assert!(told(&output).contains(expected), "{}", told(&output));
    }
    // 128 CPUs, each with its pages at a multiple of 16 MiB.
    with_page_size(&folder, "large.dat", 16 << 20);
    let output = run(&folder, &["cut", "large.dat", "-o", "out.dat"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).contains("bytes would be written: the sizes in the trace are damaged"),
        "{}",
        told(&output)
    );
    assert!(!folder.join("out.dat").exists());
    assert_eq!(hidden(&folder), [""; 0]);
    fs::remove_dir_all(&folder).unwrap();
}

/// What never ends is no trace, which its beginning shows.
#[test]
fn endless_input_is_refused() {
    for (program, why) in [
        ("cat /dev/zero", "it starts with 00 00"),
        ("yes", "no line of this text is one of a trace"),
    ] {
        for command in [
            "info -",
            "stats -",
            "report -",
            "cut - -o /dev/null",
            "workload -",
            "replay - --policy cfs",
            "latency /dev/stdin",
        ] {
            let shell = format!("{program} | '{}' {command}", env!("CARGO_BIN_EXE_corelane"));
            let output = Command::new("timeout")
                .args(["60", "sh", "-c", &shell])
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1), "{shell}: {}", told(&output));
            assert!(told(&output).contains(why), "{shell}: {}", told(&output));
        }
    }
}
