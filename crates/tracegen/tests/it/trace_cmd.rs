//! trace-cmd, the reference, reads the files that tracegen writes. It has to be installed: `npm run test:all`.

use std::path::PathBuf;
use std::process::Command;

use tracegen::{Common, Endian, Layout, Story, Strings};

const STORY: &str = r#"
    cpus 3
    start 10s
    +0      cpu0  switch  "swapper/0:0" R -> bash:100
    +10us   cpu0  waking  worker:101 on 1 hardirq
    +2us    cpu0  migrate worker:101 1 -> 0
    +1us    cpu1  wakeup  worker:101 on 1
    +3us    cpu1  switch  swapper/1:0 R -> worker:101
    +900ms  cpu1  switch  worker:101 R+ -> "my comm:102"
    +1us    cpu0  fork    bash:100 -> bash:103
    +1us    cpu0  absolute
    +1us    cpu0  exec    bash:100 /usr/bin/a/rather/long/name/of/a/program/that/does/not/fit/a/short/record/at/all/I/am/afraid/of/it
    +1us    cpu0  discarded 40
    +1us    cpu0  rename  100 bash -> ls
    +1us    cpu0  page
    +1us    cpu0  exit    ls:100
    +1us    cpu0  lost 17
    +1us    cpu0  print   here
    +1us    cpu1  lost
    +1us    cpu1  numa    worker:101 0 -> 1
    +5s     cpu1  wakeup_new late:104 on 2
"#;

/// What trace-cmd prints for a file.
fn report(name: &str, bytes: &[u8]) -> String {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), &format!("{name}.dat")].iter().collect();
    std::fs::write(&path, bytes).unwrap();
    let output = Command::new("trace-cmd")
        .args(["report", "-R", "-t", "-i"])
        .arg(&path)
        .output()
        .expect("trace-cmd is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "asks the installed trace-cmd"]
fn the_story_is_read_as_it_was_told() {
    let story = Story::parse(STORY).unwrap();
    let text = report("story", &story.to_bytes());
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines.first(), Some(&"cpus=3"));
    let expected = [
        "[000]    10.000000000: sched_switch:          prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=0 next_comm=bash",
        "[000]    10.000010000: sched_waking:          comm=worker pid=101 prio=120 target_cpu=001",
        "[001]    10.900016000: sched_switch:          prev_comm=worker prev_pid=101 prev_prio=120 prev_state=256 next_comm=my comm",
        "[000]    10.900019000: sched_process_exec:    filename=/usr/bin/a/rather/long/name",
        "CPU:0 [17 EVENTS DROPPED]",
        "CPU:1 [EVENTS DROPPED]",
        "[001]    15.900027000: sched_wakeup_new:      comm=late pid=104 prio=120 target_cpu=002",
    ];
    for line in expected {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert_eq!(lines.len(), 1 + 13 + 2, "{text}");
}

#[test]
#[ignore = "asks the installed trace-cmd"]
fn every_shape_of_file_tells_the_same_story() {
    let mut story = Story::parse(STORY).unwrap();
    let told = report("plain", &story.to_bytes());
    let plain = Layout::default();
    let shapes = [
        (
            "v6",
            Layout {
                version: "6".into(),
                ..plain.clone()
            },
        ),
        (
            "big",
            Layout {
                endian: Endian::Big,
                ..plain.clone()
            },
        ),
        (
            "zstd",
            Layout {
                compression: "zstd".into(),
                ..plain.clone()
            },
        ),
        (
            "lazy",
            Layout {
                common: Common::Lazy,
                ..plain.clone()
            },
        ),
        (
            "pages",
            Layout {
                page_size: 65536,
                ..plain.clone()
            },
        ),
        (
            "data_loc",
            Layout {
                strings: Strings::DataLoc,
                ..plain.clone()
            },
        ),
        (
            "rel_loc",
            Layout {
                strings: Strings::RelLoc,
                ..plain.clone()
            },
        ),
    ];
    for (name, layout) in shapes {
        story.layout = layout;
        assert_eq!(report(name, &story.to_bytes()), told, "{name}");
    }
    story.layout = Layout {
        long_size: 4,
        user_long_size: 4,
        ..plain
    };
    let narrow = report("narrow", &story.to_bytes());
    // 4-byte longs are printed in hexadecimal.
    let spelled = |text: &str| {
        text.replace("prev_state=256", "prev_state=0x100")
            .replace("prev_state=0 ", "prev_state=0x0 ")
    };
    assert_eq!(spelled(&narrow), spelled(&told));
}
