//! Recordings that are cut off, against the whole recording and its manifest.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Recordings whose data is most of the file.
const NAMES: [&str; 3] = ["barrier32-badplace", "barrier128-after-sleep", "barrier-i686"];
/// How much of the file is left, in thousandths.
const SHARES: [usize; 4] = [800, 900, 950, 999];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name)
}

fn corelane(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn json(args: &[&str], stdin: &[u8]) -> Value {
    let output = corelane(&[args, &["--json"]].concat(), stdin);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Calls `each` with every recording, cut at every share: its name, the whole and what is left.
fn each_cut(mut each: impl FnMut(&str, &[u8], &[u8])) {
    for name in NAMES {
        let whole = std::fs::read(fixture(&format!("{name}.dat"))).unwrap();
        for share in SHARES {
            each(
                &format!("{name} cut at {share}"),
                &whole,
                &whole[..whole.len() * share / 1000],
            );
        }
    }
}

fn cpus(of: &Value) -> BTreeSet<u64> {
    of.as_array().unwrap().iter().map(|cpu| cpu.as_u64().unwrap()).collect()
}

#[test]
fn what_is_missing_is_what_the_manifest_has_more() {
    for name in NAMES {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(fixture(&format!("{name}.json"))).unwrap()).unwrap();
        let whole = std::fs::read(fixture(&format!("{name}.dat"))).unwrap();
        assert_eq!(json(&["info", "-"], &whole)["damage"], Value::Null, "{name}");
        for share in SHARES {
            let left = &whole[..whole.len() * share / 1000];
            let info = json(&["info", "-"], left);
            let found = info["records_per_cpu"].as_array().unwrap();
            let recorded = |cpu: usize| manifest["events_per_cpu"][cpu.to_string()].as_u64().unwrap_or(0);
            let lacking = |test: &dyn Fn(u64, u64) -> bool| -> BTreeSet<u64> {
                let all = found.iter().enumerate();
                let chosen = all.filter(|(cpu, records)| test(records.as_u64().unwrap(), recorded(*cpu)));
                chosen.map(|(cpu, _)| cpu as u64).collect()
            };
            let damage = &info["damage"];
            assert_eq!(damage["cut"], true, "{name} {share}");
            assert_eq!(
                cpus(&damage["cpus"]),
                lacking(&|found, recorded| found < recorded),
                "{name} {share}"
            );
            let ends = damage["ends"].as_array().unwrap();
            for end in ends {
                let [at, first, last] =
                    [&end["at_ns"], &info["first_ns"], &info["last_ns"]].map(|ns| ns.as_u64().unwrap());
                assert!(first < at && at < last, "{name} {share}: {end}");
            }
            let kinds: Vec<&Value> = info["diagnostics"].as_array().unwrap().iter().collect();
            assert_eq!(kinds[0]["kind"], "truncated");
        }
    }
}

#[test]
fn what_is_not_marked_as_uncertain_is_in_the_whole_recording_too() {
    let (mut certain, mut marked, mut wrong) = (0, 0, Vec::new());
    each_cut(|name, whole, left| {
        let every = ["--top", "1000000"];
        let keys = |answer: &Value, list: &str, keys: &[&str]| -> Vec<(String, bool)> {
            let rows = answer[list].as_array().unwrap().iter();
            rows.map(|row| {
                let key: Vec<String> = keys.iter().map(|&key| row[key].to_string()).collect();
                (key.join(" "), row["uncertain"].as_bool().unwrap())
            })
            .collect()
        };
        for (command, list, key) in [
            ("latency", "worst", &["at_ns", "running_ns", "wakee_pid", "cpu"][..]),
            ("waits", "longest", &["since_ns", "until_ns", "pid", "cpu"]),
            ("placement", "moved", &["at_ns", "running_ns", "cpu"]),
        ] {
            let args = [&[command, "-"][..], &every].concat();
            let all = keys(&json(&args, whole), list, key);
            assert!(
                all.iter().all(|(_, uncertain)| !uncertain),
                "{name}: nothing is missing from the whole"
            );
            let known: BTreeSet<String> = all.into_iter().map(|(key, _)| key).collect();
            for (key, uncertain) in keys(&json(&args, left), list, key) {
                match (uncertain, known.contains(&key)) {
                    (false, false) => wrong.push(format!("{name}, {command}: {key}")),
                    (true, _) => marked += 1,
                    (false, true) => certain += 1,
                }
            }
        }
    });
    eprintln!("{certain} certain, {marked} marked, {} wrong", wrong.len());
    assert_eq!(wrong, Vec::<String>::new());
    assert!(
        certain > 10 * marked && 0 < marked,
        "{certain} certain, {marked} marked"
    );
}

#[test]
fn who_waited_in_a_certain_overload_waited_in_the_whole_recording_too() {
    let (mut certain, mut marked) = (0, 0);
    each_cut(|name, whole, left| {
        let waits = json(&["waits", "-", "--top", "1000000"], whole);
        let known: BTreeSet<(u64, u64)> = waits["longest"]
            .as_array()
            .unwrap()
            .iter()
            .map(|wait| (wait["cpu"].as_u64().unwrap(), wait["until_ns"].as_u64().unwrap()))
            .collect();
        let overload = json(&["overload", "-", "--top", "300"], left);
        for interval in overload["intervals"].as_array().unwrap() {
            if interval["uncertain"] == true {
                marked += 1;
                continue;
            }
            certain += 1;
            for task in interval["tasks"].as_array().unwrap() {
                // Who still waits when the trace ends has no run.
                let Some(run) = task["run"].as_object() else { continue };
                let place = (run["cpu"].as_u64().unwrap(), run["start_ns"].as_u64().unwrap());
                assert!(known.contains(&place), "{name}: {task}");
            }
        }
    });
    eprintln!("{certain} certain, {marked} marked");
    assert!(0 < certain && 0 < marked, "{certain} certain, {marked} marked");
}

#[test]
fn findings_that_are_certain_come_first() {
    let mut marked = 0;
    each_cut(|name, _, left| {
        let found = json(&["findings", "-"], left);
        let uncertain: Vec<bool> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["uncertain"].as_bool().unwrap())
            .collect();
        marked += uncertain.iter().filter(|&&uncertain| uncertain).count();
        assert!(uncertain.is_sorted(), "{name}: {uncertain:?}");
        assert_eq!(uncertain.first(), Some(&false), "{name}");
    });
    assert!(0 < marked);
}

#[test]
fn every_command_that_computes_numbers_warns_once() {
    let whole = std::fs::read(fixture("barrier32-badplace.dat")).unwrap();
    let left = &whole[..whole.len() * 9 / 10];
    for command in [
        "stats",
        "latency",
        "overload",
        "waits",
        "placement",
        "cascades",
        "findings",
        "intervals",
        "states",
    ] {
        let output = corelane(&[command, "-"], left);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told.lines().count(), 1, "{command}: {told}");
        assert!(
            told.starts_with("corelane: the file is cut off: CPU"),
            "{command}: {told}"
        );
        let quiet = corelane(&[command, "-", "-q"], left);
        assert!(quiet.stderr.is_empty(), "{command}");
    }
    let info = corelane(&["info", "-"], left);
    assert!(String::from_utf8_lossy(&info.stdout).contains("damage       the file is cut off: CPU"));
}

#[test]
fn the_number_of_known_cpus_is_what_lanes_add_up_to() {
    let whole = std::fs::read(fixture("barrier32-badplace.dat")).unwrap();
    let stats = json(&["stats", "-"], &whole);
    let all = stats["cpus"].as_f64().unwrap();
    assert_eq!(
        (
            stats["known_cpus"]["mean"].as_f64(),
            stats["known_cpus"]["min"].as_f64()
        ),
        (Some(all), Some(all))
    );
    each_cut(|name, _, left| {
        let stats = json(&["stats", "-"], left);
        let unknown = stats["unknown_ns_per_cpu"].as_array().unwrap();
        let unknown: u64 = unknown.iter().map(|ns| ns.as_u64().unwrap()).sum();
        let span = stats["last_ns"].as_u64().unwrap() - stats["first_ns"].as_u64().unwrap();
        let expected = stats["cpus"].as_f64().unwrap() - unknown as f64 / span as f64;
        let found = stats["known_cpus"]["mean"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-6, "{name}: {found}, {expected}");
        assert!(
            stats["known_cpus"]["min"].as_f64().unwrap() < stats["cpus"].as_f64().unwrap(),
            "{name}"
        );
    });
}

#[test]
fn a_file_without_its_data_says_how_long_it_should_be() {
    let whole = std::fs::read(fixture("forkpipe-8cpu.dat")).unwrap();
    let output = corelane(&["info", "-"], &whole[..518]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(
        told.contains("the file has 518 bytes; it should have at least "),
        "{told}"
    );
    let least: usize = told
        .split("at least ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .replace(',', "")
        .parse()
        .unwrap();
    assert!(518 < least && least <= whole.len(), "{told}");
}
