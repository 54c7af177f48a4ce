//! Traces of other tools through the program.

use std::path::{Path, PathBuf};

use serde_json::{json, Value};

use crate::program::corelane;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/import")
        .join(name)
}

fn text(command: &str, name: &str, options: &[&str]) -> String {
    let path = fixture(name);
    let args = [&[command, path.to_str().unwrap()], options].concat();
    let output = corelane(&args, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn answer(command: &str, name: &str) -> Value {
    serde_json::from_str(&text(command, name, &["--json"])).unwrap()
}

#[test]
fn info_names_the_format_and_what_it_cannot_tell() {
    let perf = answer("info", "sched-record-4cpu.perf.data.gz");
    assert_eq!(perf["format"], "perf.data");
    assert_eq!(perf["writer"], Value::Null);
    assert_eq!(perf["cannot_tell"], json!(["chosen_cpu"]));
    assert_eq!(perf["chain_breaks"], 0);
    assert_eq!(perf["events"]["sched_switch"], 974);
    assert_eq!(perf["records_per_cpu"], json!([1239, 767, 725, 1110]));
    let mail = answer("info", "mail.txt");
    assert_eq!((&mail["format"], &mail["records"]), (&json!("text"), &json!(60)));
    assert_eq!(answer("info", "test.tar.gz")["format"], "schedviz");
}

#[test]
fn every_question_has_an_answer() {
    for name in ["sched-record-4cpu.perf.data.gz", "tracefs-tgid.txt", "test.tar.gz"] {
        for command in [
            "stats",
            "latency",
            "findings",
            "placement",
            "overload",
            "waits",
            "cascades",
        ] {
            assert!(!text(command, name, &[]).is_empty(), "{command} {name}");
        }
        let stats = answer("stats", name);
        assert_eq!(
            (&stats["chain_breaks"], &stats["migrations"]["derived"]),
            (&json!(0), &json!(0))
        );
    }
    // Without sched_wakeup, tasks wait from their sched_waking on.
    let stats = answer("stats", "sched-record-4cpu.perf.data.gz");
    assert!(0.0 < stats["waiting"]["mean"].as_f64().unwrap());
    assert!(400 < stats["wakeups"]["count"].as_u64().unwrap());
}

#[test]
fn reports_print_the_records_of_a_perf_data() {
    let report = text("report", "record-z-4cpu.perf.data", &[]);
    let lines: Vec<&str> = report.lines().filter(|line| line.contains(": ")).collect();
    assert_eq!(lines.iter().filter(|line| line.contains("sched_switch:")).count(), 2183);
    assert_eq!(lines.iter().filter(|line| line.contains("sched_waking:")).count(), 1185);
}

/// A recording of Perfetto.
fn perfetto(name: &str) -> String {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traceimport/tests/samples");
    samples.join(name).to_str().unwrap().to_owned()
}

fn output(args: &[&str]) -> String {
    let output = corelane(args, b"");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_reads_records_sees_the_scheduler_s_events_of_every_format() {
    let full = perfetto("full-4cpu.pftrace");
    let mail = fixture("mail.txt").to_str().unwrap().to_owned();
    for (file, switches, wakings) in [(&full, 729, 340), (&mail, 27, 14)] {
        let count = |event: &str| output(&["report", file, "--count", "--event", event]);
        assert_eq!(count("sched_switch").trim(), switches.to_string());
        assert_eq!(count("sched_waking").trim(), wakings.to_string());
        let pairs = output(&[
            "pairs",
            file,
            "--start",
            "sched:sched_waking",
            "--end",
            "sched:sched_switch",
            "--key",
            "pid=next_pid",
            "--json",
        ]);
        let pairs: Value = serde_json::from_str(&pairs).unwrap();
        assert!(!pairs["pairs"][0]["groups"].as_array().unwrap().is_empty(), "{pairs}");
        let cut = std::env::temp_dir().join(format!("corelane-cut-{}-{switches}.dat", std::process::id()));
        output(&["cut", file, "--output", cut.to_str().unwrap()]);
        let told: Value = serde_json::from_str(&output(&["info", cut.to_str().unwrap(), "--json"])).unwrap();
        std::fs::remove_file(&cut).unwrap();
        assert_eq!(
            (&told["format"], &told["events"]["sched_switch"]),
            (&json!("trace.dat"), &json!(switches))
        );
    }
}

#[test]
fn migrations_and_slices_before_and_under_a_scheduler() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/scx-lab-fifo-4cpu.dat");
    let file = file.to_str().unwrap();
    let told = |options: &[&str]| -> Value {
        let args = [&["sched-ext", file, "--json", "--topology", "1x2x2"], options].concat();
        serde_json::from_str(&output(&args)).unwrap()
    };
    let all = told(&[]);
    // As many as `trace-cmd report` has of sched_migrate_task.
    assert_eq!(all["migrations"]["total"], 1298);
    let sum = |of: &Value, names: &[&str]| -> u64 { names.iter().map(|&name| of[name].as_u64().unwrap()).sum() };
    let distances = ["core", "llc", "socket", "machine", "unknown"];
    assert_eq!(
        (sum(&all["distances"], &distances), &all["distances"]["unknown"]),
        (1298, &json!(0))
    );
    let of_commands: u64 = all["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| sum(&of["migrations"], &["total"]))
        .sum();
    assert!(of_commands <= 1298 && 1250 < of_commands, "{of_commands}");
    // Its slice is 10 ms: preempted runs of barrier, which ran under it, end at the next tick or the one after.
    let barrier = all["commands"]
        .as_array()
        .unwrap()
        .iter()
        .find(|of| of["comm"] == "barrier")
        .unwrap();
    let median = barrier["runs"]["preempted"]["ns"]["p50"].as_u64().unwrap();
    assert!((11_000_000..=14_100_000).contains(&median), "{median}");
    // The bypasses are where it was loaded and unloaded.
    let [loaded, unloaded] = [0, 1].map(|at| all["bypasses"][at]["end_ns"].as_u64().unwrap());
    let first = told(&["--min", "0", "--max", "0.001"]);
    assert_eq!(first["bypasses"].as_array().unwrap().len(), 0);
    let info: Value = serde_json::from_str(&output(&["info", file, "--json"])).unwrap();
    let origin = info["first_ns"].as_u64().unwrap();
    let seconds = |ns: u64| format!("{:.9}", (ns - origin) as f64 / 1e9);
    let before = told(&["--max", &seconds(loaded)]);
    let under = told(&["--min", &seconds(loaded), "--max", &seconds(unloaded)]);
    let after = told(&["--min", &seconds(unloaded)]);
    let totals = [before, under, after].map(|part| part["migrations"]["total"].as_u64().unwrap());
    assert_eq!(totals.iter().sum::<u64>(), 1298);
}

#[test]
fn text_that_is_no_trace_is_refused_with_its_first_line() {
    let output = corelane(&["info", "-"], b"Dear all,\n\nhow are you?\n");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("it begins \"Dear all,\""), "{told}");
}
