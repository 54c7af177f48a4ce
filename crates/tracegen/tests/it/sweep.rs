//! A sweep of a file with a few formats. Tests that need trace-cmd are run by `npm run test:all`.

use std::path::PathBuf;
use std::process::Command;

use tracegen::sweep::{Sweep, SweepError};
use tracegen::{Endian, Layout, Story};

const STORY: &str = "cpus 3\nstart 10s\n+0 cpu0 switch swapper/0:0 R -> bash:100\n";

fn recorded(endian: Endian, long_size: u8) -> Vec<u8> {
    let mut story = Story::parse(STORY).unwrap();
    story.layout = Layout {
        version: "6".into(),
        endian,
        long_size,
        user_long_size: long_size,
        ..Layout::default()
    };
    story.to_bytes()
}

fn sweep() -> Sweep {
    Sweep {
        records: 20,
        seed: 3,
        events: Vec::new(),
        skip: Vec::new(),
        wild: false,
        junk: None,
    }
}

/// The name of the event on each line of trace-cmd's text.
fn names(name: &str, bytes: &[u8]) -> Vec<String> {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), &format!("{name}.dat")].iter().collect();
    std::fs::write(&path, bytes).unwrap();
    let output = Command::new("trace-cmd")
        .args(["report", "-i"])
        .arg(&path)
        .output()
        .expect("trace-cmd is installed");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{name}: {output:?}"
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text
        .lines()
        .filter(|line| line.contains("] ") && !line.contains("DROPPED"));
    lines
        .filter_map(|line| line.split(": ").nth(1).map(|name| name.trim().to_owned()))
        .collect()
}

#[test]
#[ignore = "asks the installed trace-cmd"]
fn every_event_has_as_many_records_as_asked() {
    for (name, endian, long_size) in [
        ("sweep-le", Endian::Little, 8),
        ("sweep-be", Endian::Big, 8),
        ("sweep-32", Endian::Little, 4),
    ] {
        let bytes = sweep().to_bytes(&recorded(endian, long_size)).unwrap();
        let mut names = names(name, &bytes);
        names.sort();
        let count = |of: &str| names.iter().filter(|name| *name == of).count();
        for event in [
            "print",
            "sched_switch",
            "sched_waking",
            "sched_process_exec",
            "task_rename",
        ] {
            assert_eq!(count(event), 20, "{name}: {event} in {names:?}");
        }
    }
}

#[test]
#[ignore = "asks the installed trace-cmd"]
fn events_are_chosen_and_left_out() {
    let input = recorded(Endian::Little, 8);
    let chosen = Sweep {
        events: vec!["sched:sched_waking".into(), "task:*".into()],
        skip: vec!["task_rename".into(), "task:task_newtask".into()],
        ..sweep()
    };
    let names = names("sweep-chosen", &chosen.to_bytes(&input).unwrap());
    assert!(
        !names.is_empty() && names.iter().all(|name| name == "sched_waking"),
        "{names:?}"
    );
}

#[test]
fn a_choice_without_events_is_refused() {
    let input = recorded(Endian::Little, 8);
    let none = Sweep {
        events: vec!["xfs:*".into()],
        ..sweep()
    };
    assert!(matches!(none.to_bytes(&input), Err(SweepError::NoEvents)));
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let input = recorded(Endian::Little, 8);
    assert!(sweep().to_bytes(&input).unwrap() == sweep().to_bytes(&input).unwrap());
    let other = Sweep { seed: 5, ..sweep() };
    assert!(sweep().to_bytes(&input).unwrap() != other.to_bytes(&input).unwrap());
}

#[test]
fn what_is_no_recording_is_refused() {
    let input = recorded(Endian::Little, 8);
    for len in [0, 5, 12, 40, 300, input.len() / 20] {
        assert!(
            matches!(sweep().to_bytes(&input[..len]), Err(SweepError::Input { .. })),
            "{len}"
        );
    }
    let mut eight = Story::parse(STORY).unwrap();
    eight.layout.version = "8".into();
    let message = sweep().to_bytes(&eight.to_bytes()).unwrap_err().to_string();
    assert!(message.contains("version 8, expected 6 or 7"), "{message}");
}

#[test]
fn both_versions_of_a_recording_make_the_same_sweep() {
    let seven = |compression: &str| {
        let mut story = Story::parse(STORY).unwrap();
        story.layout.compression = compression.into();
        sweep().to_bytes(&story.to_bytes()).unwrap()
    };
    let six = sweep().to_bytes(&recorded(Endian::Little, 8)).unwrap();
    assert!(six == seven("none") && six == seven("zlib") && six == seven("zstd"));
}
