//! `corelane report` against trace-cmd's text of recorded traces, and its selections against the whole report.
//!
//! The corpus (`CORELANE_TRACES`) holds `NAME.dat` or `NAME.dat.zst`, texts of `trace-cmd report` (`NAME.report.zst`, or
//! the first and last lines of a long one; `NAME.report-R.zst`, `NAME.report-l.zst`), and `MANIFEST.json` with the number
//! of lines. `tests/report` compares more, and machines without the corpus.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tracedat::file::TraceFile;
use tracedat::report::{Report, ReportOptions};

fn corelane(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(args)
        .output()
        .unwrap()
}

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    folder.join(name).to_str().unwrap().to_owned()
}

fn lines(args: &[&str]) -> Vec<String> {
    let output = corelane(&[&["report"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The CPU, the time and the event of `  task-pid   [003]    34.741524: sched_wakeup: ...`.
fn columns(line: &str) -> Option<(u32, &str, &str)> {
    let (cpu, rest) = line.split_once('[')?.1.split_once(']')?;
    let (time, rest) = rest.split_once(": ")?;
    let (event, _) = rest.split_once(": ")?;
    Some((cpu.parse().ok()?, time.trim(), event))
}

/// A selection prints a part of the whole report: the same lines.
#[test]
fn selections_are_lines_of_the_whole() {
    let path = fixture("lost-s390x.dat");
    let whole = lines(&[&path]);
    let times: Vec<&str> = whole.iter().filter_map(|line| Some(columns(line)?.1)).collect();
    let (min, max) = (times[times.len() / 3], times[times.len() / 2]);
    assert!(min < max, "{min} {max}: of equal length, they compare as text");
    let kept = |keep: &dyn Fn(u32, &str, &str) -> bool| -> Vec<String> {
        let keeps = |line: &&String| columns(line).is_some_and(|(cpu, time, event)| keep(cpu, time, event));
        whole.iter().filter(keeps).cloned().collect()
    };
    let events = |args: &[&str]| -> Vec<String> {
        let lines = lines(&[&[path.as_str()], args].concat());
        assert_eq!(lines[0], whole[0]);
        lines.into_iter().filter(|line| columns(line).is_some()).collect()
    };
    assert_eq!(events(&["--cpu", "1,2"]), kept(&|cpu, _, _| cpu == 1 || cpu == 2));
    assert_eq!(
        events(&["--event", "sched:sched_wakeup"]),
        kept(&|_, _, event| event == "sched_wakeup")
    );
    let two = ["--event", "sched_waking", "--event", "sched_switch"];
    assert_eq!(
        events(&two),
        kept(&|_, _, event| event == "sched_waking" || event == "sched_switch")
    );
    assert_eq!(events(&["--event", "irq:sched_waking"]), [""; 0]);
    let window = kept(&|_, time, _| min <= time && time < max);
    assert!(window.len() > 100);
    assert_eq!(events(&["--min", min, "--max", max]), window);
    assert_eq!(events(&["--max", min]), kept(&|_, time, _| time < min));
}

/// The lines of a buffer, without its name.
#[test]
fn a_buffer_by_itself_needs_no_names() {
    let path = fixture("instances-4cpu.dat");
    let whole = lines(&[&path]);
    for (buffer, prefix) in [("timers", "timers: "), ("extra", " extra: "), ("", "        ")] {
        let of_buffer = whole
            .iter()
            .filter_map(|line| Some(line.strip_prefix(prefix)?.to_owned()));
        let mut expected: Vec<String> = of_buffer.collect();
        expected.insert(0, whole[0].clone());
        assert!(expected.len() > 1000);
        assert_eq!(lines(&[&path, "--buffer", buffer]), expected, "{buffer}");
    }
    let main_of_cpu = whole.iter().filter(|line| line.starts_with("        "));
    let main_of_cpu: Vec<&String> = main_of_cpu
        .filter(|line| columns(line).is_some_and(|of| of.0 == 2))
        .collect();
    assert_eq!(
        lines(&[&path, "--cpu", "2"])[1..].iter().collect::<Vec<_>>(),
        main_of_cpu
    );
}

#[test]
fn a_file_that_cannot_be_used_is_told_from_a_slip() {
    let path = fixture("lost-s390x.dat");
    let status = |args: &[&str]| corelane(args).status.code();
    assert_eq!(status(&["report", &path]), Some(0));
    assert_eq!(status(&["report", "no such file"]), Some(1));
    assert_eq!(status(&["report", &path, "--buffer", "none"]), Some(1));
    assert_eq!(status(&["report", &path, "--cpu", "x"]), Some(2));
    assert_eq!(status(&["report", &path, "--min", "x"]), Some(2));
    assert_eq!(status(&["report", &path, "--min"]), Some(2));
    let unknown = corelane(&["report", &path, "--event", "nothing"]);
    assert_eq!(unknown.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("nothing"));
}

#[test]
fn standard_input_is_read_and_a_closed_pipe_ends_quietly() {
    let path = fixture("lost-s390x.dat");
    let mut child = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(["report", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&std::fs::read(path).unwrap()).unwrap();
    drop(stdin);
    let mut start = [0; 7];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"cpus=4\n");
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

fn corpus() -> PathBuf {
    PathBuf::from(std::env::var_os("CORELANE_TRACES").expect("CORELANE_TRACES names a folder of recordings"))
}

fn load(path: &Path) -> Option<Vec<u8>> {
    let bytes = std::fs::read(path).ok()?;
    if path.extension().is_none_or(|extension| extension != "zst") {
        return Some(bytes);
    }
    let mut unpacked = Vec::new();
    let mut decoder = zrip::FrameDecoder::new(bytes.as_slice());
    decoder.read_to_end(&mut unpacked).unwrap();
    Some(unpacked)
}

fn report(file: &TraceFile<Vec<u8>>, options: ReportOptions) -> Vec<u8> {
    let mut report = Report::new(file, options).unwrap();
    let mut text = Vec::new();
    report.title(&mut text).unwrap();
    while report.next(&mut text).unwrap() {}
    text
}

/// The number of lines that differ, and the first of them.
fn differences(found: &[u8], expected: &[u8]) -> (usize, String) {
    let (found, expected) = (
        found.split(|&byte| byte == b'\n'),
        expected.split(|&byte| byte == b'\n'),
    );
    let length = found.clone().count().abs_diff(expected.clone().count());
    let mut wrong = found.zip(expected).filter(|(found, expected)| found != expected);
    let first = wrong.clone().next().map_or_else(String::new, |(found, expected)| {
        format!(
            "\n  found    {}\n  expected {}",
            String::from_utf8_lossy(found),
            String::from_utf8_lossy(expected)
        )
    });
    (wrong.by_ref().count() + length, first)
}

/// The first and the last lines of a long text, as many as are stored.
fn ends<'a>(text: &'a [u8], head: &[u8], tail: &[u8]) -> (&'a [u8], &'a [u8]) {
    let count = |part: &[u8]| part.iter().filter(|&&byte| byte == b'\n').count();
    let mut line_ends = text
        .iter()
        .enumerate()
        .filter(|(_, &byte)| byte == b'\n')
        .map(|(at, _)| at + 1);
    let start = line_ends.nth(count(head) - 1).unwrap_or(text.len());
    let total = count(text);
    let mut line_ends = text
        .iter()
        .enumerate()
        .filter(|(_, &byte)| byte == b'\n')
        .map(|(at, _)| at + 1);
    let end = line_ends.nth((total - count(tail)).wrapping_sub(1)).unwrap_or(0);
    (&text[..start], &text[end..])
}

#[test]
#[ignore = "reads the recordings of CORELANE_TRACES"]
fn every_trace_prints_as_trace_cmd_prints_it() {
    let folder = corpus();
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("MANIFEST.json")).unwrap()).unwrap();
    let (mut table, mut failed) = (String::new(), BTreeSet::new());
    for (name, entry) in manifest.as_object().unwrap() {
        let file = TraceFile::open(load(&folder.join(entry["stored_as"].as_str().unwrap())).unwrap()).unwrap();
        let stored = |kind: &str| load(&folder.join(format!("{name}.report{kind}.zst")));
        let mut compare = |what: &str, lines: usize, (wrong, first): (usize, String)| {
            writeln!(table, "{name:24} {what:10} {lines:8} lines, {wrong} differ{first}").unwrap();
            if wrong > 0 {
                failed.insert(name.clone());
            }
        };
        let text = report(&file, ReportOptions::default());
        let count = text.iter().filter(|&&byte| byte == b'\n').count();
        let expected_count = entry["report_lines"].as_u64().unwrap() as usize;
        compare("lines", count, (count.abs_diff(expected_count), String::new()));
        match (stored(""), stored(".head2000"), stored(".tail2000")) {
            (Some(expected), ..) => compare("default", count, differences(&text, &expected)),
            (None, Some(head), Some(tail)) => {
                let (found_head, found_tail) = ends(&text, &head, &tail);
                compare("head", 2000, differences(found_head, &head));
                compare("tail", 2000, differences(found_tail, &tail));
            }
            _ => panic!("{name}: no text"),
        }
        let raw = ReportOptions {
            raw: true,
            ..ReportOptions::default()
        };
        let latency = ReportOptions {
            latency: true,
            ..ReportOptions::default()
        };
        for (kind, options) in [("-R", raw), ("-l", latency)] {
            if let Some(expected) = stored(kind) {
                let text = report(&file, options);
                let count = text.iter().filter(|&&byte| byte == b'\n').count();
                compare(kind, count, differences(&text, &expected));
            }
        }
    }
    eprintln!("{table}");
    assert!(failed.is_empty(), "{failed:?} differ:\n{table}");
}
