//! What recordings leave out: switches of other programs, `sched_wakeup`, runs in a gap.

use serde_json::{json, Value};

use crate::program::{corelane, fixture};

fn answer(command: &str, name: &str) -> Value {
    let path = fixture("import").join(name);
    let output = corelane(&[command, path.to_str().unwrap(), "--json"], b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn diagnostics(name: &str) -> String {
    answer("info", name)["diagnostics"].to_string()
}

#[test]
fn a_recording_of_one_program_is_unknown_where_its_switches_do_not_follow_each_other() {
    let name = "perf-one-process.perf.data";
    let stats = answer("stats", name);
    // Of the times of `perf script --ns`: from each switch to the next that takes another task off the CPU.
    assert_eq!(stats["unknown_ns_per_cpu"], json!([23_948_034, 66_337_028]));
    assert_eq!(stats["chain_breaks"], 12);
    let busy: u64 = stats["busy_ns_per_cpu"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    let idle: u64 = stats["idle_ns_per_cpu"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(busy + idle, 2 * 70_327_019 - 23_948_034 - 66_337_028);
    let info = answer("info", name);
    assert_eq!(info["chain_breaks"], 12);
    // 64 % of all time.
    assert!(info["damage"].is_object());
}

#[test]
fn filtered_switches_prove_no_run_of_others() {
    let stats = answer("stats", "filtered-switches.scn");
    assert_eq!(stats["unknown_ns_per_cpu"], json!([499_000_000]));
    let other = stats["commands"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["comm"] == "other");
    assert_eq!(other.unwrap()["execution_ns"], 0);
}

#[test]
fn a_waking_that_comes_while_its_task_leaves_is_the_cause_of_its_next_run() {
    let name = "waking-before-switch-out.txt";
    let latency = answer("latency", name);
    assert_eq!(
        (&latency["count"], &latency["latency_ns"]["max"]),
        (&json!(1), &json!(10_200_000))
    );
    let woken = &latency["waits"]["woken"];
    assert_eq!((&woken["count"], &woken["ns"]["max"]), (&json!(1), &json!(10_100_000)));
    // It was runnable in between, not asleep: with the preempted hog, for 10.1 ms and 10 ms of 120.2 ms.
    let stats = answer("stats", name);
    let mean = stats["waiting"]["mean"].as_f64().unwrap();
    assert!((mean - (10.1 + 10.0) / 120.2).abs() < 1e-9, "{mean}");
}

#[test]
fn a_second_waking_of_a_waiting_task_proves_that_it_ran_unseen() {
    let name = "waking-twice.txt";
    let latency = answer("latency", name);
    assert_eq!(
        (&latency["count"], &latency["latency_ns"]["max"]),
        (&json!(1), &json!(20_000))
    );
    let waits = &latency["waits"]["all"];
    assert_eq!((&waits["count"], &waits["ns"]["max"]), (&json!(1), &json!(20_000)));
    let mean = answer("stats", name)["waiting"]["mean"].as_f64().unwrap();
    assert!((mean - 0.000_020 / 1.882).abs() < 1e-12, "{mean}");
    assert!(
        diagnostics(name).contains("of a task that waits already"),
        "{}",
        diagnostics(name)
    );
}
