//! Names with escape sequences: no command gives them to a terminal, but for `report`, which prints what trace-cmd does.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{corelane, fixture};

/// Names of tasks of the fixture, and the names of as many bytes that replace them.
const NAMES: [(&[u8], &[u8]); 3] = [
    (b"taskset\0", b"\x1b[31mtx\0"),
    (b"timeout\0", b"\xe2\x80\xaetime\0"),
    (b"kcompactd0\0", b"k\nk\tc\xc2\x9bd0!\0"),
];

/// How they are written.
const SHOWN: [&str; 3] = ["\\x1b[31mtx", "\\u{202e}time", "k\\x0ak\\x09c\\u{9b}d0!"];

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
}

/// A trace with such names.
fn trace(folder: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("corelane-terminal-{folder}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let trace = folder.join("trace.dat");
    let (from, to) = (fixture("pinned-4cpu.dat"), trace.to_str().unwrap());
    let args = [
        "export",
        from.to_str().unwrap(),
        "--tracedat",
        to,
        "--file-version",
        "6",
    ];
    assert!(corelane(&args, b"").status.success());
    let mut bytes = fs::read(&trace).unwrap();
    for (from, to) in NAMES {
        replace(&mut bytes, from, to);
    }
    fs::write(&trace, bytes).unwrap();
    trace
}

/// What a terminal would obey in an output, with the text before it.
fn obeyed(output: &[u8]) -> Option<String> {
    let text = String::from_utf8(output.to_vec()).unwrap();
    let is_obeyed = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    let at = text.find(is_obeyed)?;
    let before: Vec<char> = text[..at].chars().rev().take(60).collect();
    Some(before.into_iter().rev().chain(text[at..].chars().take(1)).collect())
}

fn stdout(args: &[&str]) -> Vec<u8> {
    let output = corelane(args, b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {told}");
    assert_eq!(obeyed(&output.stderr), None, "{args:?}");
    output.stdout
}

#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    let trace = trace("names");
    let name = trace.to_str().unwrap();
    let waking = [
        "--start",
        "sched:sched_waking",
        "--end",
        "sched:sched_switch",
        "--key",
        "pid=next_pid",
    ];
    let mut all = String::new();
    for (args, forms) in [
        (&["info", name][..], &["", "--json"][..]),
        (&["stats", name], &["", "--json"]),
        (&["intervals", name], &["", "--json", "--csv"]),
        (&["states", name], &["", "--json"]),
        (&["table", "runs", name], &["--csv", "--json"]),
        (&["table", "wakeups", name], &["--csv", "--json"]),
        (&["table", "commands", name], &["--csv", "--json"]),
        (&["latency", name, "--by", "task"], &["", "--json"]),
        (&["latency", name], &["", "--json"]),
        (&["latency", name, "--schbench"], &["", "--json"]),
        (
            &[&["pairs", name, "--group", "next_comm"][..], &waking].concat(),
            &["", "--json", "--csv"],
        ),
        (&["overload", name], &["", "--json"]),
        (&["placement", name], &["", "--json"]),
        (&["waits", name], &["", "--json"]),
        (&["wakes", name], &["", "--json", "--csv"]),
        (&["antagonists", name], &["", "--json"]),
        (&["spare", name], &["", "--json"]),
        (&["cascades", name], &["", "--json"]),
        (&["findings", name], &["", "--json"]),
        (&["chain", name, "--cpu", "0", "--at", "15.55"], &["", "--json"]),
        (&["at", name, "--at", "15.6"], &["", "--json"]),
        (&["compare", name, name], &["", "--json", "--csv"]),
        (&["sched-ext", name], &["", "--json"]),
        (&["features", name, "--all"], &["--csv", "--json"]),
        (&["workload", name], &["", "--json", "--plain"]),
        (&["replay", name, "--policy", "cfs"], &["", "--json"]),
        (&["figure", "timeline", name, "-o", "-"], &[""]),
        (&["figure", "run-times", name], &["--json"]),
    ] {
        for form in forms {
            let args: Vec<&str> = args
                .iter()
                .copied()
                .chain([*form].into_iter().filter(|form| !form.is_empty()))
                .collect();
            let output = stdout(&args);
            assert_eq!(obeyed(&output), None, "{args:?}");
            let text = String::from_utf8(output).unwrap();
            if *form != "--json" {
                all += &text;
            } else if let Ok(json) = serde_json::from_str::<Value>(&text) {
                // Programs get the names as they are.
                let json = json.to_string();
                assert!(!json.contains("\\\\x1b") && !json.contains("\\\\u{202e}"), "{args:?}");
            }
        }
    }
    for shown in SHOWN {
        assert!(all.contains(shown), "{shown}");
    }
    let json: Value = serde_json::from_slice(&stdout(&["stats", name, "--json"])).unwrap();
    let commands = json["commands"].as_array().unwrap();
    for (_, comm) in NAMES {
        let comm = std::str::from_utf8(comm).unwrap().trim_end_matches('\0');
        assert!(commands.iter().any(|command| command["comm"] == comm), "{comm:?}");
    }
    assert_eq!(
        stdout(&["table", "commands", name])
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count(),
        commands.len() + 1
    );
    // What trace-cmd prints.
    let report = corelane(&["report", name], b"").stdout;
    assert!(report.windows(7).any(|bytes| bytes == b"\x1b[31mtx"));
    let question = "[\"stats\"]\n[\"report\"]\n[\"stats\",\"--json\"]\n";
    let answers = corelane(&["batch", name], question.as_bytes()).stdout;
    assert_eq!(obeyed(&answers), None);
    fs::remove_dir_all(trace.parent().unwrap()).unwrap();
}

#[test]
fn no_file_name_and_no_argument_reaches_a_terminal_as_it_is() {
    let trace = trace("files");
    let odd = "a\u{1b}[31m\nb\u{202e}.dat";
    let folder = trace.parent().unwrap();
    let path = |name: &str| Path::new(folder).join(name).to_str().unwrap().to_owned();
    let (there, missing) = (path(odd), path("no\u{1b}[2J.dat"));
    fs::copy(&trace, &there).unwrap();
    let wrong = path("wrong\u{9b}.dat");
    fs::write(&wrong, "no trace\n").unwrap();
    for args in [
        &["info", &missing][..],
        &["info", &wrong],
        &["stats", &there, "--comm", "\u{1b}[31mno", "--target", "\u{202e}"],
        &["cut", &there, "-o", &there],
        &["cut", &there, "-o", &path("\u{1b}/x")],
        &["workload", &missing],
        &["compare", &there, &there, "--pid", "4194305"],
        &["figure", "timeline", &there, "-o", &path("\u{1b}.txt")],
        &["\u{1b}[31m"],
        &["info", &there, "--\u{202e}"],
        &["serve", &missing],
        &["topology", &missing],
        &["report", &there, "--event", "\u{1b}[31m"],
        &["syscalls", &there, "--compare", &wrong],
    ] {
        let output = corelane(args, b"");
        assert!(!output.stderr.is_empty(), "{args:?}");
        assert_eq!(obeyed(&output.stderr), None, "{args:?}");
    }
    let output = corelane(&["cut", &there, "-o", &path("out\u{1b}[31m.dat")], b"");
    assert!(output.status.success());
    assert_eq!(obeyed(&output.stdout), None);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}
