//! A scenario through the program: every number is counted by hand from its twelve lines.

use std::path::{Path, PathBuf};

use serde_json::{json, Value};

use crate::program::corelane;

fn handoff() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios/handoff.scenario")
}

fn text(command: &[&str]) -> String {
    let path = handoff();
    let mut args = command.to_vec();
    args.insert(1, path.to_str().unwrap());
    let output = corelane(&args, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn answer(command: &[&str]) -> Value {
    serde_json::from_str(&text(&[command, &["--json"]].concat())).unwrap()
}

const MS: u64 = 1_000_000;
const START: u64 = 10_000 * MS;

#[test]
fn the_page_that_describes_the_format_shows_it() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.md");
    let example = std::fs::read_to_string(handoff()).unwrap();
    assert!(std::fs::read_to_string(page).unwrap().contains(&example));
}

#[test]
fn info_has_what_every_format_has() {
    let info = answer(&["info"]);
    assert_eq!(
        info,
        json!({
            "format": "scenario", "version": 1, "clock": "mono", "clock_is_ns": true, "uname": null, "cpus": 2,
            "first_ns": START, "last_ns": START + 10 * MS, "records": 12, "lost_events": 0, "lost_gaps": 0,
            "writer": null, "chain_breaks": 0, "cannot_tell": [],
            "events": {"sched_switch": 7, "sched_waking": 2, "sched_wakeup": 2, "sched_process_exit": 1},
            "records_per_cpu": [9, 3], "lost_events_by_cpu": {}, "damage": null, "diagnostics": [],
        })
    );
    assert!(
        text(&["info"]).starts_with("format       scenario version 1\nkernel       not stated\nclock        mono\n")
    );
}

#[test]
fn intervals_are_the_lines_of_the_text() {
    let lines = text(&["intervals", "--csv"]);
    let expected = [
        (0, 0, 3, "run,100,bash"),
        (0, 3, 5, "run,200,cc1"),
        (0, 5, 8, "run,101,worker"),
        (0, 8, 10, "run,200,cc1"),
        (1, 0, 7, "idle,0,swapper/1"),
        (1, 7, 9, "run,102,helper"),
        (1, 9, 10, "idle,0,swapper/1"),
    ];
    let found: Vec<&str> = lines.lines().skip(1).collect();
    assert_eq!(found.len(), expected.len());
    for (line, (cpu, start, end, what)) in found.iter().zip(expected) {
        let (start, end) = (START + start * MS, START + end * MS);
        assert!(line.starts_with(&format!("{cpu},{start},{end},{what},")), "{line}");
    }
}

#[test]
fn waiting_and_overload_are_what_the_text_says() {
    let stats = answer(&["stats"]);
    let commands: Vec<(&str, u64, u64)> = stats["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = |key: &str| row[key].as_u64().unwrap() / MS;
            (
                row["comm"].as_str().unwrap(),
                number("execution_ns"),
                number("waiting_ns"),
            )
        })
        .collect();
    // The worker waits from 2 to 5 ms, cc1 from 5 to 8, the helper from 6 to 7.
    assert_eq!(
        commands,
        [("cc1", 4, 3), ("bash", 3, 0), ("worker", 3, 3), ("helper", 2, 1)]
    );
    // CPU 1 is idle from 2 to 7 ms while one or two wait.
    let said = text(&["stats"]);
    assert!(
        said.contains("overload      0.005000000 s with tasks waiting while CPUs idle"),
        "{said}"
    );
    assert!(
        said.contains("wakeups       2; latency p50 0.001000000 s, p90 0.003000000 s"),
        "{said}"
    );
}

#[test]
fn the_chain_goes_back_to_bash() {
    let chain = text(&["chain", "--cpu", "1", "--at", "10.008"]);
    let wakers: Vec<&str> = chain.lines().filter(|line| line.contains(" woken by ")).collect();
    assert_eq!(wakers.len(), 2, "{chain}");
    assert!(
        wakers[0].contains("10.006000000 s helper-102 woken by worker-101 on CPU 0"),
        "{chain}"
    );
    assert!(
        wakers[1].contains("10.002000000 s worker-101 woken by bash-100 on CPU 0"),
        "{chain}"
    );
}

#[test]
fn it_is_drawn() {
    let path = std::env::temp_dir().join(format!("corelane-scenario-{}.svg", std::process::id()));
    let handoff = handoff();
    let args = [
        "figure",
        "timeline",
        handoff.to_str().unwrap(),
        "-o",
        path.to_str().unwrap(),
    ];
    let output = corelane(&args, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    for comm in ["bash", "cc1", "worker", "helper"] {
        assert!(svg.contains(comm), "{comm}");
    }
}

#[test]
fn it_comes_through_a_pipe_and_in_a_batch() {
    let piped = corelane(&["info", "-", "--json"], &std::fs::read(handoff()).unwrap());
    assert_eq!(
        serde_json::from_slice::<Value>(&piped.stdout).unwrap(),
        answer(&["info"])
    );
    let batch = corelane(
        &["batch", handoff().to_str().unwrap()],
        b"[\"info\", \"--json\"]\n[\"report\"]\n",
    );
    let lines: Vec<Value> = String::from_utf8(batch.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["json"], answer(&["info"]));
    assert_eq!(lines[1]["text"], text(&["report"]));
}

#[test]
fn its_records_are_printed() {
    let printed = text(&["report"]);
    let lines: Vec<Vec<&str>> = printed
        .lines()
        .map(|line| line.split_ascii_whitespace().collect())
        .collect();
    assert_eq!(lines.len(), 1 + 12, "{printed}");
    assert_eq!(lines[0], ["cpus=2"]);
    assert_eq!(
        lines[4],
        "bash-100 [000] 10.003000: sched_switch: bash:100 [120] S ==> cc1:200 [120]"
            .split(' ')
            .collect::<Vec<_>>()
    );
    assert_eq!(
        lines[7][..6],
        [
            "worker-101",
            "[000]",
            "10.006000:",
            "sched_wakeup:",
            "helper:102",
            "[255]"
        ]
    );
}

#[test]
fn what_only_trace_dat_has_is_refused() {
    for command in ["stats", "info", "report"] {
        let path = handoff();
        let output = corelane(&[command, path.to_str().unwrap(), "--buffer", "x"], b"");
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.ends_with(
                "a file of the format scenario holds no buffers; trace.dat files and texts of trace-cmd do\n"
            ),
            "{error}"
        );
    }
}

#[test]
fn a_mistake_is_told_with_its_line_and_what_to_do() {
    let output = corelane(&["stats", "-"], b"# corelane scenario 1\n\n1s cpu0 a:1 exot\n");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("corelane: -: line 3: `exot` is no event: expected switch,"),
        "{error}"
    );
    assert!(
        error.ends_with("Correct that line; docs/scenario.md describes the format.\n"),
        "{error}"
    );
}
