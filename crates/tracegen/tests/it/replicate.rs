//! Copies of recordings, against the recordings: what trace-cmd prints of them, with the numbers shifted by rules that
//! know only its text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracegen::{Replicas, Replicated, Story, Times};

fn repo() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

fn scratch(name: &str) -> PathBuf {
    [env!("CARGO_TARGET_TMPDIR"), name].iter().collect()
}

fn replicas(version: &str, compression: &str) -> Replicas {
    Replicas {
        machines: 3,
        times: Times::Copies(2),
        version: version.into(),
        compression: compression.into(),
        symbols: None,
    }
}

/// What trace-cmd prints: raw fields and full times; nothing else, such as the number of CPUs.
fn report(path: &Path) -> Vec<String> {
    let output = Command::new("trace-cmd")
        .args(["report", "-R", "-t", "-i"])
        .arg(path)
        .output()
        .expect("trace-cmd is installed");
    assert!(output.status.success(), "{}: {output:?}", path.display());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .filter(|line| line.contains(" ["))
        .map(str::to_owned)
        .collect()
}

/// `COMM-PID [CPU] SECONDS.NS: EVENT: FIELD=VALUE ...`; also `CPU:3 [17 EVENTS DROPPED]`.
struct Line<'a> {
    task: &'a str,
    cpu: u64,
    ns: u64,
    event: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (task, rest) = line.split_once(" [")?;
        let (cpu, rest) = rest.split_once(']')?;
        let (time, event) = rest.split_once(": ")?;
        // Cycles have no fraction.
        let ns = match time.trim().split_once('.') {
            Some((seconds, ns)) => seconds.parse::<u64>().ok()? * 1_000_000_000 + ns.parse::<u64>().ok()?,
            None => time.trim().parse().ok()?,
        };
        let (task, cpu) = (task.trim(), cpu.parse().ok()?);
        Some(Line { task, cpu, ns, event })
    }

    /// The line of a copy.
    fn shifted(&self, cpus: u64, ns: u64, pids: u64) -> (u64, String) {
        let (comm, pid) = self.task.rsplit_once('-').unwrap();
        let task = format!("{comm}-{}", pid_of(pid, pids));
        let words = self.event.split(' ').map(|word| match word.split_once('=') {
            Some((name, value)) if name == "pid" || name.ends_with("_pid") => format!("{name}={}", pid_of(value, pids)),
            // trace-cmd pads them, but not those of all events.
            Some((name, value)) if name == "cpu_id" || name.ends_with("cpu") => {
                format!(
                    "{name}={:0width$}",
                    value.parse::<u64>().unwrap() + cpus,
                    width = value.len()
                )
            }
            Some((name, value)) if value.starts_with("swapper/") => {
                format!(
                    "{name}=swapper/{}",
                    value["swapper/".len()..].parse::<u64>().unwrap() + cpus
                )
            }
            _ => word.to_owned(),
        });
        let event = words.collect::<Vec<_>>().join(" ");
        (self.cpu + cpus, format!("{task} {} {event}", self.ns + ns))
    }
}

fn pid_of(text: &str, by: u64) -> u64 {
    match text.parse().unwrap() {
        0 => 0,
        pid => pid + by,
    }
}

/// By CPU: the lines of all copies in order.
type Lines = BTreeMap<u64, Vec<String>>;

fn lines(report: &[String], cpus: u64, copies: u64, written: Option<Replicated>) -> Lines {
    let mut lines = Lines::new();
    let (period, step) = written.map_or((0, 0), |written| (written.period_ns, written.pid_step));
    let machines = written.map_or(1, |written| u64::from(written.cpus) / cpus);
    for machine in 0..machines {
        for copy in 0..copies {
            for line in report.iter().filter_map(|line| Line::parse(line)) {
                let (cpu, text) = line.shifted(machine * cpus, copy * period, machine * step);
                lines.entry(cpu).or_default().push(text);
            }
        }
    }
    lines
}

#[test]
#[ignore = "asks the installed trace-cmd"]
fn trace_cmd_prints_every_copy_of_every_event() {
    // Little and big endian, 32 bits, lost events, a clock of cycles with full time stamps, CPUs that were offline.
    for name in [
        "public/sample.dat",
        "tests/fixtures/barrier-i686.dat",
        "tests/fixtures/lost-s390x.dat",
        "tests/fixtures/clock-x86-tsc-4cpu.dat",
        "tests/fixtures/offline-4cpu.dat",
    ] {
        let path = repo().join(name);
        let recorded = report(&path);
        for (version, compression) in [("6", "none"), ("7", "none"), ("7", "zstd")] {
            let out = scratch("replicate.dat");
            let replicas = replicas(version, compression);
            let written = replicas.write(&path, &out).unwrap();
            let cpus = u64::from(written.cpus / replicas.machines);
            let expected = lines(&recorded, cpus, 2, Some(written));
            let found = lines(&report(&out), cpus, 1, None);
            assert_eq!(
                expected.values().map(Vec::len).sum::<usize>() as u64,
                written.records,
                "{name}: events"
            );
            assert_eq!(found.len(), expected.len(), "{name}: CPUs with events");
            for (cpu, lines) in &expected {
                for (index, line) in lines.iter().enumerate() {
                    assert_eq!(
                        found[cpu].get(index),
                        Some(line),
                        "{name}, version {version}: CPU {cpu}"
                    );
                }
                assert_eq!(found[cpu].len(), lines.len(), "{name}: events of CPU {cpu}");
            }
        }
    }
}

#[test]
fn all_versions_of_a_recording_make_the_same_copies() {
    let story = |version: &str, compression: &str| {
        let mut story = Story::parse("cpus 2\nstart 10s\n+0 cpu0 switch swapper/0:0 R -> bash:100\n").unwrap();
        (story.layout.version, story.layout.compression) = (version.into(), compression.into());
        let (recorded, out) = (scratch("replicate-in.dat"), scratch("replicate-out.dat"));
        fs::write(&recorded, story.to_bytes()).unwrap();
        let written = replicas("6", "none").write(&recorded, &out).unwrap();
        (written, fs::read(&out).unwrap())
    };
    let (written, bytes) = story("6", "none");
    assert_eq!(
        written,
        Replicated {
            records: 6,
            cpus: 6,
            copies: 2,
            period_ns: 1_000,
            pid_step: 10_000
        }
    );
    for other in [("7", "none"), ("7", "zlib"), ("7", "zstd")] {
        assert!(story(other.0, other.1) == (written, bytes.clone()), "{other:?}");
    }
}

#[test]
fn copies_are_made_until_there_are_enough_events() {
    let replicas = Replicas {
        machines: 2,
        times: Times::Events(100_001),
        ..replicas("6", "none")
    };
    let written = replicas
        .write(&repo().join("public/sample.dat"), &scratch("replicate-many.dat"))
        .unwrap();
    let each = written.records / written.copies;
    assert!(
        written.records > 100_000 && written.records - each <= 100_000,
        "{written:?}"
    );
}

#[test]
fn what_cannot_be_replicated_is_an_error_and_leaves_no_file() {
    let out = scratch("replicate-none.dat");
    let _ = fs::remove_file(&out);
    let sample = repo().join("public/sample.dat");
    let cut = scratch("replicate-cut.dat");
    let bytes = fs::read(&sample).unwrap();
    for len in [0, 9, 40, bytes.len() / 2] {
        fs::write(&cut, &bytes[..len]).unwrap();
        assert!(replicas("6", "none").write(&cut, &out).is_err(), "{len}");
        assert!(!out.exists());
    }
    let many = Replicas {
        machines: u32::MAX,
        ..replicas("6", "none")
    };
    assert!(many.write(&sample, &out).is_err());
}
