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

#[test]
fn text_that_is_no_trace_is_refused_with_its_first_line() {
    let output = corelane(&["info", "-"], b"Dear all,\n\nhow are you?\n");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("it begins \"Dear all,\""), "{told}");
}
