//! `corelane info` as scripts call it.

use serde_json::Value;

use crate::program::{corelane, fixture};

fn json(args: &[&str], stdin: &[u8]) -> Value {
    let output = corelane(args, stdin);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_json_has_the_keys_that_scripts_rely_on() {
    let path = fixture("lost-s390x.dat");
    let info = json(&["info", path.to_str().unwrap(), "--json"], b"");
    for (key, value) in [
        ("version", Value::from(7)),
        ("endian", "big".into()),
        ("long_size", 8.into()),
        ("page_size", 4096.into()),
        ("compression", "zstd".into()),
        ("clock", "local".into()),
        ("uname", "Linux tracelab 6.1.0-50-s390x s390x".into()),
        ("cpus", 4.into()),
        ("first_ns", 78_967_475_888u64.into()),
        ("last_ns", 81_855_509_358u64.into()),
        ("records", 28_954.into()),
        ("lost_events", 527.into()),
        ("records_per_cpu", vec![7219, 7462, 8064, 6209].into()),
    ] {
        assert_eq!(info[key], value, "{key}");
    }
    assert_eq!(info["events"]["sched_switch"], 12_714);
    let told = &info["diagnostics"][0];
    assert_eq!((&told["kind"], &told["cpu"]), (&"lost_events".into(), &1.into()));
    assert!(told["at_ns"].is_u64() && told["count"].is_u64() && told["text"].is_string());
}

#[test]
fn a_pipe_is_read_like_the_file() {
    let path = fixture("forkpipe-8cpu.dat");
    let bytes = std::fs::read(&path).unwrap();
    let piped = json(&["info", "-", "--json", "--threads", "1"], &bytes);
    assert_eq!(piped, json(&["info", path.to_str().unwrap(), "--json"], b""));
}

#[test]
fn a_cut_file_is_read_up_to_the_cut() {
    let bytes = std::fs::read(fixture("forkpipe-8cpu.dat")).unwrap();
    let info = json(&["info", "-", "--json"], &bytes[..bytes.len() - 5000]);
    assert_eq!(info["diagnostics"][0]["kind"], "truncated");
    assert!(info["records"].as_u64().unwrap() > 0);
}

#[test]
fn the_text_names_what_is_there() {
    let output = corelane(&["info", fixture("instances-4cpu.dat").to_str().unwrap()], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "trace.dat version 7, little endian",
        "first event  34.741523800 s",
        "(main)",
        "timers",
        "sched_switch",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn failures_have_a_status_and_a_message() {
    let message = |args: &[&str], stdin: &[u8], status: i32| {
        let output = corelane(args, stdin);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(message(&["info", "/no/such/file"], b"", 1).starts_with("corelane: /no/such/file: "));
    assert!(message(&["info", "-"], b"", 1).contains("the file is empty"));
    assert!(message(&["info", "-"], b"hello, world", 1).contains("not a trace.dat file"));
    assert!(message(&["info", "-"], b"\x17\x08\x44tracing8\0\0\x08", 1).contains("version \"8\""));
    message(&["info"], b"", 2);
    message(&["info", "x", "--threads", "0"], b"", 2);
    message(&["unheard-of"], b"", 2);
}

/// tests/fixtures/instances-4cpu.json counts what `trace-cmd report` prints of each instance.
#[test]
fn instances_are_counted_and_can_be_chosen() {
    let path = fixture("instances-4cpu.dat");
    let facts: Value = serde_json::from_slice(&std::fs::read(fixture("instances-4cpu.json")).unwrap()).unwrap();
    let path = path.to_str().unwrap();
    let info = json(&["info", path, "--json"], b"");
    let buffers = info["buffers"].as_array().unwrap();
    assert_eq!(buffers.len(), 3);
    assert_eq!((&buffers[0]["name"], &buffers[0]["shown"]), (&"".into(), &true.into()));
    for buffer in &buffers[1..] {
        let name = buffer["name"].as_str().unwrap();
        let expected = &facts["instance_event_counts"][name];
        assert_eq!(&buffer["records"], expected, "{name}");
        assert_eq!(buffer["per_cpu"].as_array().unwrap().len(), 4);
        assert_eq!(buffer["page_size"], 4096);

        let chosen = json(&["info", path, "--json", "--buffer", name], b"");
        assert_eq!(chosen["buffer"], name);
        assert_eq!(&chosen["records"], expected);
    }
    let output = corelane(&["stats", path, "--buffer", "nope"], b"");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("no buffer \"nope\" in the trace; it has \"\", \"timers\", \"extra\""),
        "{message}"
    );
    let output = corelane(&["intervals", path, "--buffer", "timers", "--csv"], b"");
    assert!(output.status.success());
}

/// The options are those that `trace-cmd dump --all` lists.
#[test]
fn options_and_sections_are_listed() {
    let info = json(
        &["info", fixture("instances-4cpu.dat").to_str().unwrap(), "--json"],
        b"",
    );
    let sections = info["sections"].as_array().unwrap();
    assert_eq!(sections.len(), 14);
    assert_eq!(sections[3]["name"], "KALLSYMS");
    assert_eq!(
        (&sections[3]["offset"], &sections[3]["size"]),
        (&5257.into(), &930_768.into())
    );
    assert_eq!(sections[9]["description"], "buffer flyrecord timers");
    let options = info["options"].as_array().unwrap();
    let value = |name: &str| &options.iter().find(|option| option["name"] == name).unwrap()["value"];
    assert_eq!(value("UNAME"), "Linux tracelab 6.1.0-50-amd64 x86_64");
    assert_eq!(value("CPUCOUNT"), "4");
    assert!(value("CPUSTAT").as_str().unwrap().starts_with("CPU: 0\nentries: "));
    // The counts are of lines of `trace-cmd dump --kallsyms` that are not of kind A, of --printk and of --cmd-lines.
    assert_eq!(info["symbols"], 98_839);
    assert_eq!(info["printk_formats"], 165);
    assert_eq!(info["saved_command_lines"], 57);
    assert_eq!(options.iter().filter(|option| option["name"] == "CPUSTAT").count(), 14);
    assert_eq!(
        format!("0x{}", info["trace_id"].as_str().unwrap()),
        value("TRACEID").as_str().unwrap()
    );
}

/// A device that never ends; whoever reads all of it fills the memory.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let refusal = |args: &[&str]| {
        let output = corelane(args, b"");
        assert!(!output.status.success(), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let topology = refusal(&["topology", "@/dev/zero"]);
    assert!(topology.contains("/dev/zero: it has more than 256 MiB"), "{topology}");
    let trace = refusal(&["info", "/dev/zero"]);
    assert!(trace.contains("/dev/zero: "), "{trace}");
}

#[test]
fn a_range_of_cpus_that_ends_before_it_begins_is_refused() {
    let path = fixture("forkpipe-8cpu.dat");
    let output = corelane(&["stats", path.to_str().unwrap(), "--cpu", "0,3-1"], b"");
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("`3-1` ends before it begins; expected `1-3`"), "{error}");
}
