//! Recordings that are cut off, compared with the whole recording and its manifest.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::{corelane, fixture};

/// Recordings whose data is most of the file.
const NAMES: [&str; 3] = ["barrier32-badplace", "barrier128-after-sleep", "instances-4cpu"];
/// The part of the file that is left, in thousandths.
const SHARES: [usize; 4] = [800, 900, 950, 999];

fn json(args: &[&str], stdin: &[u8]) -> Value {
    let output = corelane(&[args, &["--json"]].concat(), stdin);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Calls `each` with every recording, cut at every share that leaves some of its data: its name, the whole file, and
/// the part that is left.
fn each_cut(mut each: impl FnMut(&str, &[u8], &[u8])) {
    for name in NAMES {
        let whole = std::fs::read(fixture(&format!("{name}.dat"))).unwrap();
        for share in SHARES {
            let left = &whole[..whole.len() * share / 1000];
            let opened = corelane(&["info", "-"], left);
            if opened.status.success() {
                each(name, &whole, left);
            } else {
                let told = String::from_utf8_lossy(&opened.stderr).into_owned();
                assert!(
                    share < 900 && told.contains("it should have at least"),
                    "{name}: {told}"
                );
            }
        }
    }
}

fn cpus(of: &Value) -> BTreeSet<u64> {
    of.as_array().unwrap().iter().map(|cpu| cpu.as_u64().unwrap()).collect()
}

#[test]
fn what_is_missing_is_what_the_manifest_has_more() {
    each_cut(|name, whole, left| {
        let manifest = std::fs::read(fixture(&format!("{name}.json"))).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(json(&["info", "-"], whole)["damage"], Value::Null, "{name}");
        let info = json(&["info", "-"], left);
        let lacking: BTreeSet<u64> = info["records_per_cpu"]
            .as_array()
            .unwrap()
            .iter()
            .zip(0..)
            .filter(|(records, cpu)| records.as_u64() < manifest["events_per_cpu"][format!("{cpu}")].as_u64())
            .map(|(_, cpu)| cpu)
            .collect();
        let damage = &info["damage"];
        assert_eq!(damage["cut"], true, "{name}");
        assert_eq!(cpus(&damage["cpus"]), lacking, "{name}");
        assert_eq!(info["diagnostics"][0]["kind"], "truncated");
        assert!(!info["diagnostics"].to_string().contains('`'), "{name}");
    });
}

#[test]
fn what_is_not_marked_as_uncertain_is_in_the_whole_recording_too() {
    let (mut certain, mut marked, mut wrong) = (0, 0, Vec::new());
    each_cut(|name, whole, left| {
        let every = ["--top", "1000000"];
        let keys = |answer: &Value, list: &str, keys: &[&str]| -> Vec<(String, bool)> {
            let rows = answer[list].as_array().unwrap().iter();
            rows.map(|row| {
                // If the waker's CPU is missing, the latency counts from the wakeup instead of the waking.
                let key = |&key: &&str| if row[key].is_null() { &row["at_ns"] } else { &row[key] }.to_string();
                let key: Vec<String> = keys.iter().map(key).collect();
                (key.join(" "), row["uncertain"].as_bool().unwrap())
            })
            .collect()
        };
        for (command, list, key) in [
            ("latency", "worst", &["woken_ns", "running_ns", "wakee_pid", "cpu"][..]),
            ("waits", "longest", &["since_ns", "until_ns", "pid", "cpu"][..]),
            ("placement", "moved", &["at_ns", "running_ns", "cpu"][..]),
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
    assert!(certain > 5 * marked && 0 < marked, "{certain} certain, {marked} marked");
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
                // A task that still waits when the trace ends has no run.
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
        // A cut that takes away only what lies behind the data changes nothing.
        let least = stats["known_cpus"]["min"].as_u64().unwrap();
        assert_eq!(least < stats["cpus"].as_u64().unwrap(), 0 < unknown, "{name}: {least}");
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
