//! The queries of the command line as scripts call them, on a recording of 32 threads that wait for each other
//! on 4 of 32 CPUs. `tests/derive` checks the numbers themselves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/barrier32-badplace.dat")
}

fn corelane(command: &str, args: &[&str]) -> Output {
    corelane_of(&fixture(), command, args)
}

fn corelane_of(file: &Path, command: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corelane"))
        .arg(command)
        .arg(file)
        .args(args)
        .output()
        .unwrap()
}

fn text(command: &str, args: &[&str]) -> String {
    let output = corelane(command, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(command: &str, args: &[&str]) -> Value {
    serde_json::from_str(&text(command, &[args, &["--json"]].concat())).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Checks that an object has all of `keys`; it may have more.
fn assert_keys(value: &Value, expected: &[&str]) {
    for key in expected {
        assert!(keys(value).contains(key), "{key} in {:?}", keys(value));
    }
}

/// Of a recording of system calls.
fn of_calls(command: &str, args: &[&str]) -> Value {
    let file = fixture().with_file_name("sysmix-4cpu.dat");
    let output = corelane_of(&file, command, &[args, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn calls_pass_a_filter_with_the_run_in_which_they_were_entered() {
    // All runs that begin on a CPU pass: after the first of them, these are the calls that were entered there.
    let begun_on_3 = ["--min", "0.2", "--filter", "sched_switch: cpu == 3 && next_pid >= 0"];
    let on_3 = ["--min", "0.2", "--cpu", "3"];
    let all = of_calls("syscalls", &["--min", "0.2"]);
    let expected = of_calls("syscalls", &on_3);
    assert!(10 < expected["rows"].as_array().unwrap().len());
    assert_ne!(all["rows"], expected["rows"]);
    assert_eq!(of_calls("syscalls", &begun_on_3)["rows"], expected["rows"]);
    let calls = |found: Value| {
        let is_call = |one: &&Value| !one["call"].is_null();
        found
            .as_array()
            .unwrap()
            .iter()
            .filter(is_call)
            .cloned()
            .collect::<Vec<_>>()
    };
    let found = calls(of_calls("findings", &begun_on_3));
    assert!(!found.is_empty());
    assert_eq!(found, calls(of_calls("findings", &on_3)));
    assert_eq!(
        of_calls("findings", &["--filter", "next_prio < 0"]),
        Value::Array(Vec::new())
    );
}

#[test]
fn latency_has_the_keys_that_scripts_rely_on() {
    let latency = json("latency", &["--top", "3"]);
    assert_keys(&latency, &["count", "latency_ns", "worst"]);
    assert_keys(&latency["latency_ns"], &["p50", "p90", "p99", "p999", "max"]);
    let worst = latency["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 3);
    assert_keys(
        &worst[0],
        &[
            "at_ns",
            "latency_ns",
            "wakee_pid",
            "wakee_comm",
            "waker_pid",
            "waker_comm",
            "waker_context",
            "waker_cpu",
            "previous_cpu",
            "cpu",
        ],
    );
    assert_eq!(worst[0]["latency_ns"], latency["latency_ns"]["max"]);
    assert_eq!(latency["groups"][0]["comm"], "barrier");
}

/// Calls have no runs of their own: of a filter that nothing passes there are no findings at all.
/// Every run of a task ends with a switch from its pid: the filter selects what `--pid` does, also where a run goes on under
/// another name. A run that lasts until the trace ends has no such switch.
#[test]
fn a_filter_selects_the_runs_of_the_events_that_pass() {
    let runs = |args: &[&str]| -> Vec<Vec<String>> {
        let file = fixture();
        let options = [&["runs", file.to_str().unwrap(), "--csv"], args].concat();
        let output = Command::new(env!("CARGO_BIN_EXE_corelane"))
            .arg("table")
            .args(options)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = String::from_utf8(output.stdout).unwrap();
        let rows = table.lines().skip(1);
        rows.map(|row| row.split(',').map(str::to_owned).collect()).collect()
    };
    // CPU, begin, end, pid.
    let all = runs(&[]);
    let end = all
        .iter()
        .map(|row| row[2].parse::<u64>().unwrap())
        .max()
        .unwrap()
        .to_string();
    let pids: BTreeSet<&str> = all.iter().map(|row| row[3].as_str()).collect();
    assert!(80 < pids.len());
    for pid in pids.into_iter().step_by(11) {
        let filtered = runs(&["--filter", &format!("sched_switch: prev_pid == {pid}")]);
        let ended = |row: &&Vec<String>| row[3] == pid && row[2] != end;
        let expected: Vec<_> = all.iter().filter(ended).cloned().collect();
        let found: Vec<_> = filtered.iter().filter(ended).cloned().collect();
        assert_eq!(found, expected, "{pid}");
        assert!(filtered.iter().all(|row| row[3] == pid), "{pid}");
        assert!(!found.is_empty(), "{pid}");
    }
}

#[test]
fn distances_of_wakeups_are_those_of_where_tasks_ran() {
    let count = |filter: &str| {
        let args = ["--count", "--topology", "2x16x1", "--filter", filter];
        text("report", &args).trim().parse::<u64>().unwrap()
    };
    let all = count("sched_wakeup: orig_cpu >= 0");
    assert!(0 < all);
    let near = ["cpu", "core", "llc", "socket"].map(|word| count(&format!("sched_wakeup: distance == {word}")));
    let far = count("sched_wakeup: distance == machine");
    assert_eq!(near.iter().sum::<u64>() + far, all);
    let across = "sched_wakeup: orig_cpu < 16 && target_cpu >= 16 || orig_cpu >= 16 && target_cpu < 16";
    assert_eq!(count(across), far);
    let wrong = corelane("report", &["--filter", "distance == far"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("one of cpu, core, llc, socket, machine"));
}

#[test]
fn latency_tells_commands_tasks_and_cpus_apart() {
    let total = json("latency", &[])["count"].as_u64().unwrap();
    for (by, key) in [("command", "comm"), ("task", "pid"), ("cpu", "cpu")] {
        let latency = json("latency", &["--by", by]);
        let groups = latency["groups"].as_array().unwrap();
        let sum: u64 = groups
            .iter()
            .map(|group| group["wakeups"]["count"].as_u64().unwrap())
            .sum();
        assert_eq!(sum, total, "{by}");
        assert!(groups.iter().all(|group| keys(group).contains(&key)), "{by}");
    }
    let one = json("latency", &["--comm", "barrier"]);
    assert!(one["count"].as_u64().unwrap() < total);
    assert_eq!(one["groups"].as_array().unwrap().len(), 1);
}

#[test]
fn overload_ranks_by_cost_and_says_what_it_cannot_know() {
    let overload = json("overload", &["--top", "5"]);
    assert_keys(
        &overload,
        &[
            "count",
            "violation_ns",
            "cost_task_ns",
            "intervals",
            "behind_count",
            "behind_ns",
            "behind_cost_task_ns",
            "behind",
            "leaving_idle_ns",
            "leaving_idle_task_ns",
            "caveat",
        ],
    );
    let costs: Vec<u64> = overload["intervals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|interval| interval["cost_task_ns"].as_u64().unwrap())
        .collect();
    assert_eq!(costs.len(), 5);
    assert!(costs.is_sorted_by(|a, b| b <= a));
    let stats = json("stats", &[]);
    assert_eq!(overload["cost_task_ns"], stats["overload"]["cost_task_ns"]);
    assert!(text("overload", &[]).contains("affinity"));
    let long = json("overload", &["--min-duration", "300000000", "--movable"]);
    assert!(long["intervals"]
        .as_array()
        .unwrap()
        .iter()
        .all(|interval| 300_000_000 <= interval["duration_ns"].as_u64().unwrap()));
}

#[test]
fn chain_goes_back_to_a_cause() {
    let chain = json("chain", &["--cpu", "2", "--at", "289.126"]);
    assert_keys(
        &chain["run"],
        &["cpu", "pid", "comm", "start_ns", "end_ns", "end_state"],
    );
    let hops = chain["hops"].as_array().unwrap();
    assert_keys(
        &hops[0],
        &[
            "wakee_pid",
            "wakee_comm",
            "woken_ns",
            "running_ns",
            "latency_ns",
            "waker_pid",
            "waker_comm",
            "waker_context",
            "waker_cpu",
            "cpu",
            "event",
        ],
    );
    // The waker of each hop is the wakee of the next.
    assert!(hops.windows(2).all(|pair| pair[0]["waker_pid"] == pair[1]["wakee_pid"]));
    assert_eq!(hops[0]["wakee_pid"], chain["run"]["pid"]);
    assert_eq!(chain["ends_at"], "interrupt");
    let short = json("chain", &["--cpu", "2", "--at", "289.126", "--hops", "2"]);
    assert_eq!(short["hops"].as_array().unwrap().len(), 2);
    assert_eq!(short["ends_at"], "limit");
}

#[test]
fn a_chain_needs_a_run() {
    for (cpu, at, why) in [
        ("77", "289", "32 CPUs"),
        ("0", "1", "goes from 282."),
        ("5", "289.2", "no task runs"),
    ] {
        let output = corelane("chain", &["--cpu", cpu, "--at", at]);
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(why), "{message}");
    }
    assert_eq!(corelane("chain", &["--cpu", "0"]).status.code(), Some(2));
}

#[test]
fn placement_tells_where_wakeups_put_tasks() {
    let placement = json("placement", &[]);
    let count = |key: &str| placement[key].as_u64().unwrap();
    assert_eq!(
        count("wakeups"),
        count("stayed") + count("to_waker") + count("elsewhere") + count("unknown")
    );
    assert_keys(
        &placement["moved"][0],
        &[
            "at_ns",
            "latency_ns",
            "wakee",
            "previous_cpu",
            "waker_cpu",
            "chosen_cpu",
            "cpu",
            "idle_cpus",
        ],
    );
    assert!(text("placement", &[]).contains("affinity"));
}

#[test]
fn waits_tell_who_took_the_cpu() {
    let waits = json("waits", &["--top", "3"]);
    for wait in waits["longest"].as_array().unwrap() {
        let number = |key: &str| wait[key].as_u64().unwrap();
        let took: u64 = wait["took"]
            .as_array()
            .unwrap()
            .iter()
            .map(|took| took["ran_ns"].as_u64().unwrap())
            .sum();
        assert_eq!(took + number("own_idle_ns") + number("unknown_ns"), number("wait_ns"));
    }
    assert!(text("waits", &["--top", "1"]).contains("had it for"));
}

/// Threads that were pinned to 4 CPUs are released: one is balanced onto the CPU of another that sleeps, which then
/// wakes on the CPU of a third, and so on.
#[test]
fn the_recording_has_a_cascade_that_load_balancing_began() {
    let cascades = json("cascades", &["--top", "1"]);
    let longest = &cascades["cascades"][0];
    assert_eq!(longest["length"], 8);
    let moves = longest["moves"].as_array().unwrap();
    assert_eq!(
        (&moves[0]["kind"], &moves[0]["displaced_by"]),
        (&"load_balance".into(), &Value::Null)
    );
    for pair in moves.windows(2) {
        assert_eq!(
            (&pair[1]["kind"], &pair[1]["from_cpu"]),
            (&"placement".into(), &pair[0]["to_cpu"])
        );
    }
}

#[test]
fn findings_have_a_place_to_go_to() {
    let findings = json("findings", &["--top", "2"]);
    let findings = findings.as_array().unwrap();
    for finding in findings {
        assert_keys(
            finding,
            &["kind", "cost_ns", "start_ns", "end_ns", "cpu", "count", "comm", "tasks"],
        );
    }
    for kind in [
        "overload",
        "wait",
        "gap",
        "moved_off_idle",
        "cascade",
        "latency",
        "preemption",
    ] {
        let of_kind = findings.iter().filter(|finding| finding["kind"] == kind).count();
        assert!((1..=2).contains(&of_kind), "{kind}: {of_kind}");
    }
    let text_of = |args: &[&str]| text("findings", args);
    // The first line says what a trace cannot know.
    let lines = text_of(&["--top", "2"]);
    assert!(lines.starts_with("Note: a trace holds no affinity masks"), "{lines}");
    assert_eq!(lines.lines().count(), 1 + findings.len());
    let gaps = json("findings", &["--top", "2", "--kind", "gap"]);
    let of_kind: Vec<&Value> = findings.iter().filter(|finding| finding["kind"] == "gap").collect();
    assert_eq!(gaps.as_array().unwrap().iter().collect::<Vec<_>>(), of_kind);
    let caveats = findings.iter().filter(|finding| finding["caveat"].is_string());
    assert!(caveats
        .map(|finding| &finding["kind"])
        .all(|kind| kind != "gap" && kind != "latency"));
}
