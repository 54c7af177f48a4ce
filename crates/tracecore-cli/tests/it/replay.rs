//! `corelane workload` and `corelane replay`. The numbers are counted by hand from the twelve lines of `handoff.scenario`, and
//! what was recorded on two CPUs runs on them again.

use std::path::{Path, PathBuf};

use serde_json::{json, Value};

use crate::program::{corelane, fixture};

const MS: u64 = 1_000_000;

fn handoff() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios/handoff.scenario");
    path.to_str().unwrap().to_owned()
}

/// A file of that text, in a folder of this test.
fn written(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn text(args: &[&str]) -> String {
    let output = corelane(args, b"");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn answer(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).unwrap()
}

fn refusal(args: &[&str]) -> String {
    let output = corelane(args, b"");
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// cc1 is seen first as it is switched in, bash runs from the beginning; worker and helper are seen asleep. cc1 ends asleep.
#[test]
fn a_workload_is_what_the_scenario_says() {
    assert_eq!(
        answer(&["workload", &handoff()]),
        json!({
            "span_ns": 10 * MS, "cpus": 2, "tasks": 4, "init_runnable": 2, "init_sleeping": 2, "fork": 0, "prio": 0, "yield": 0,
            "block": 3, "wakeup_external": 0, "wakeup_dependent": 2, "exit": 1, "running_at_end": 0, "runnable_at_end": 0,
            "sleeping_at_end": 3, "cpu_ns": 12 * MS, "external_sleep_ns": 0, "distance_ns": 3 * MS, "wakeup_missing": 0,
            "uncertain_tasks": 0,
        })
    );
    let path = written("handoff.warp", &text(&["workload", &handoff(), "--format", "warp"]));
    assert_eq!(answer(&["workload", &path]), answer(&["workload", &handoff()]));
    for policy in ["fcfs", "cfs", "eevdf"] {
        let hash = |of: &str| answer(&["replay", of, "--policy", policy, "--affinity", "none"])["hash"].clone();
        assert_eq!(hash(&path), hash(&handoff()), "{policy}");
    }
}

/// Events are lost: `b` is current on CPU 1 when CPU 0 switches it in. It was then in two queues, and each policy with a heap looked for
/// the first of them for ever.
const TWICE: &str = r#"# corelane scenario 1
cpus 2
clock mono
10.001s  cpu0  idle  switch R -> c:3 prio 120
10.004s  cpu1  b:2  switch R -> b:2 prio 120
10.006s  cpu0  b:2  switch R+ -> c:3 prio 120
10.007s  cpu1  b:2  switch R+ -> b:2 prio 120
10.008s  cpu1  b:2  switch R -> c:3 prio 120
10.010s  cpu0  c:3  switch R -> b:2 prio 120
10.012s  cpu1  c:3  switch S -> a:1 prio 120
"#;

#[test]
fn decisions_end_where_events_are_lost() {
    let path = written("twice.scenario", TWICE);
    for policy in ["fcfs", "rr", "rlfifo", "linux24", "o1", "cfs", "eevdf", "ebs", "scx"] {
        let found = answer(&["replay", &path, "--decisions", "--policy", policy]);
        // At 10.006 and 10.007 s, nobody else waits.
        assert!(found["picks"]["asked"].as_u64().unwrap() <= 5, "{policy}: {found}");
    }
}

/// One wild time: a replay up to an end that the user gives takes no longer for it. The limit without one is tested where it is made.
#[test]
fn a_wild_time_does_not_matter_before_it() {
    let lines: String = (0..2)
        .map(|cpu| format!("10.00{cpu}s cpu{cpu} idle switch R -> a:{} prio 120\n", 2 + cpu))
        .collect();
    let wild = "2500000000s cpu1 a:3 switch S -> a:2 prio 120\n";
    let text =
        format!("# corelane scenario 1\ncpus 2\nclock mono\n{lines}10.002s cpu0 a:2 switch R+ -> b:4 prio 120\n{wild}");
    let path = written("wild.scenario", &text);
    let found = answer(&["replay", &path, "--policy", "cfs", "--cpus", "1", "--until", "10"]);
    assert!(found["engine_events"].as_u64().unwrap() < 20_000, "{found}");
}

/// `long` wakes `eager`, which has blocked; `polite` yields; a timer wakes a kernel thread twice; `spin` is cut off.
const MIXED: &str = r#"# corelane scenario 1
cpus 2
clock mono
10.000s   cpu0  idle        switch R -> long:100 prio 120
10.000s   cpu1  idle        switch R -> eager:200 prio 120
10.005s   cpu1  eager:200   switch S -> idle
10.006s   cpu0  long:100    waking eager:200 on cpu1
+0s       cpu0  long:100    wakeup eager:200 on cpu1
10.006s   cpu1  idle        switch R -> eager:200 prio 120
10.008s   cpu0  long:100    switch S -> polite:300 prio 120
10.0082s  cpu0  polite:300  switch R -> spin:400 prio 120
10.009s   cpu1  eager:200   [hardirq] waking "kworker/1:0":50 on cpu1
+0s       cpu1  eager:200   [hardirq] wakeup "kworker/1:0":50 on cpu1
+0s       cpu1  eager:200   switch S -> "kworker/1:0":50 prio 120
10.010s   cpu1  "kworker/1:0":50  switch I -> idle
10.012s   cpu0  spin:400    switch R+ -> polite:300 prio 120
10.013s   cpu0  polite:300  exit
+0s       cpu0  polite:300  switch X -> spin:400 prio 120
10.020s   cpu1  idle        [hardirq] waking "kworker/1:0":50 on cpu1
+0s       cpu1  idle        [hardirq] wakeup "kworker/1:0":50 on cpu1
+0s       cpu1  idle        switch R -> "kworker/1:0":50 prio 120
10.021s   cpu1  "kworker/1:0":50  switch I -> idle
10.030s   cpu0  spin:400    other the_end
"#;

/// What replays may take for granted, with the hand's counts: on one CPU `eager` waits behind `long`, which wakes it before it has
/// blocked. A burst ends with a block (5) or an exit (1).
const ASSUMED: [(&str, u64); 14] = [
    ("affinity", 1),
    ("affinity", 4),
    ("sync", 1),
    ("yields", 1),
    ("exact_slices", 0),
    ("spinning", 6),
    ("dependencies", 1),
    ("blocks_skipped", 1),
    ("cpu_time", 6),
    ("groups", 5),
    ("stolen_time", 6),
    ("endless", 1),
    ("external_sleeps", 2),
    ("lost_events", 0),
];

fn assumed(answer: &Value) -> Vec<(String, u64)> {
    let said = answer["assumptions"].as_array().unwrap().iter();
    said.map(|said| {
        (
            said["kind"].as_str().unwrap().to_owned(),
            said["count"].as_u64().unwrap(),
        )
    })
    .collect()
}

fn count_of(answer: &Value, kind: &str) -> u64 {
    assumed(answer).into_iter().find(|(of, _)| of == kind).unwrap().1
}

#[test]
fn assumptions_are_counted_in_json_text_and_marker() {
    let path = written("mixed.scenario", MIXED);
    let out = written("mixed.dat", "");
    let args = ["replay", &path, "--policy", "fcfs", "--cpus", "1"];
    let found = answer(&args);
    let expected = ASSUMED.map(|(kind, count)| (kind.to_owned(), count));
    assert_eq!(assumed(&found), expected);
    let in_text = text(&[&args[..], &["--output", &out]].concat());
    let lines: Vec<&str> = in_text.split_once("assumed:\n").unwrap().1.lines().collect();
    assert_eq!(lines.len(), expected.len());
    for (line, (kind, count)) in lines.iter().zip(ASSUMED) {
        assert!(line.trim_start().starts_with(&format!("{count}  {kind}: ")), "{line}");
    }
    let report = text(&["report", &out]);
    let marker = report.lines().find(|line| line.contains("corelane replay")).unwrap();
    let in_marker = ASSUMED.map(|(kind, count)| format!(" {kind}={count}")).concat();
    assert!(marker.ends_with(&format!("; assumed:{in_marker}")), "{marker}");
    assert!(
        marker.contains("--policy fcfs:queue=cpu: simulated, not recorded; run "),
        "{marker}"
    );
}

#[test]
fn what_does_not_matter_elsewhere_is_counted_there() {
    // Of five tasks one is preempted at each tick of 4 ms, but for the one at the end.
    let ticks = answer(&[
        "replay",
        "fairbench:each=1",
        "--policy",
        "rr:slice=4ms",
        "--until",
        "0.04",
    ]);
    assert_eq!(count_of(&ticks, "exact_slices"), 9);
    assert_eq!(ticks["recorded"], Value::Null);
    let gap = written(
        "gap.scenario",
        &MIXED.replace("10.020s ", "10.015s   cpu1  lost 3\n10.020s "),
    );
    assert_eq!(count_of(&answer(&["replay", &gap]), "lost_events"), 1);
    // On the CPUs of the recording nobody is woken before it blocks.
    let path = written("mixed2.scenario", MIXED);
    assert_eq!(
        count_of(&answer(&["replay", &path, "--policy", "fcfs"]), "blocks_skipped"),
        0
    );
    let given = answer(&["replay", &path, "--allow", "long=0", "--affinity", "none"]);
    assert_eq!(
        assumed(&given)[..2],
        [("affinity".to_owned(), 1), ("affinity".to_owned(), 4)]
    );
}

#[test]
fn a_replay_is_a_trace_of_its_own() {
    let path = written("whole.scenario", MIXED);
    let out = written("whole.dat", "");
    let replay = answer(&["replay", &path, "--policy", "cfs", "--output", &out]);
    let info = answer(&["info", &out]);
    // From the recording's first event to its end, though the last switch is earlier.
    assert_eq!(
        (&info["first_ns"], &info["last_ns"]),
        (&json!(10_000 * MS), &json!(10_030 * MS))
    );
    let (stats, commands) = (answer(&["stats", &out]), replay["commands"].as_array().unwrap());
    for command in stats["commands"].as_array().unwrap() {
        let of = |it: &&Value| it["comm"] == command["comm"];
        let simulated = &commands.iter().find(of).unwrap()["simulated"];
        assert_eq!(simulated["execution_ns"], command["execution_ns"], "{command}");
    }
    assert_eq!(stats["commands"].as_array().unwrap().len(), 5);
    // The recording itself comes back as it was.
    let out = written("recorded.dat", "");
    text(&["replay", &path, "--policy", "recorded", "--output", &out]);
    let intervals = |of: &str| text(&["intervals", of, "--csv"]);
    assert_eq!(intervals(&out), intervals(&path));
}

#[test]
fn whatever_the_input_the_answer_has_the_same_keys() {
    let recording = fixture("forkpipe-8cpu.dat");
    let recording = recording.to_str().unwrap();
    let list = written(
        "list.wsf",
        "pairs:threads=4 offset=1s copies=2\nfairbench:each=1 speed=0.5\n",
    );
    let text_of = written(
        "made.warp",
        "1 INIT 7 0 7 R\n2 BLOCK 7 5\n3 WAKEUP 7 5 0 0 0\n4 EXIT 7 1\n",
    );
    let mut keys = Vec::new();
    for input in ["pairs", recording, &list, &text_of] {
        for policy in ["fcfs", "ideal"] {
            let found = answer(&["replay", input, "--policy", policy, "--until", "3"]);
            let of = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            let found = (
                of(&found),
                of(&found["workload"]),
                of(&found["machine"]),
                of(&found["simulated"]),
            );
            keys.push(found);
        }
    }
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{keys:?}");
    let identity = answer(&["replay", recording, "--identity"]);
    assert_eq!(identity["differences"], 0);
    let decisions = answer(&["replay", recording, "--decisions", "--policy", "cfs"]);
    assert!(decisions["picks"]["agreed"].as_u64() <= decisions["picks"]["asked"].as_u64());
}

#[test]
fn machines_and_settings_change_the_run() {
    let of = |args: &[&str]| answer(&[&["replay", "pairs:threads=8", "--until", "1"], args].concat());
    let one = of(&["--cpus", "1"]);
    let two = of(&["--cpus", "2"]);
    assert_eq!(
        (&one["machine"]["cpus"], &two["machine"]["cpus"]),
        (&json!(1), &json!(2))
    );
    let cpu_time = |answer: &Value| answer["commands"][0]["simulated"]["execution_ns"].as_u64().unwrap();
    assert_eq!((cpu_time(&one), cpu_time(&two)), (1000 * MS, 1000 * MS));
    // What takes a second on two CPUs is half done on two of half the speed: of each pair one runs at a time.
    let slow = of(&["--cpus", "2", "--set", "capacity=0-1:512"]);
    assert_ne!(slow["hash"], two["hash"]);
    // A seed moves the ticks, and is the same each time.
    let seeded = |seed: &str| {
        let args = [
            "replay",
            "responsebench",
            "--until",
            "1",
            "--cpus",
            "2",
            "--policy",
            "cfs",
            "--set",
            seed,
        ];
        answer(&args)["hash"].clone()
    };
    assert_eq!(seeded("seed=1"), seeded("seed=1"));
    assert_ne!(seeded("seed=1"), seeded("seed=2"));
}

#[test]
fn mistakes_are_told_with_file_line_and_what_is_expected() {
    let bad = |name: &str, lines: &str| written(name, lines);
    let circle = "1 INIT 7 0 7 S\n2 INIT 8 0 8 S\n3 WAKEUP 7 1 6 8 0\n4 BLOCK 7 1\n5 WAKEUP 8 1 4 7 0\n6 BLOCK 8 1\n";
    for (name, lines, what) in [
        (
            "event.warp",
            "1 INIT 7 0 7 R\n2 SLEEP 7 1\n",
            "line 2: `SLEEP` is no event: expected INIT, FORK",
        ),
        (
            "nothing.warp",
            "1 INIT 7 0 7 S\n2 WAKEUP 7 1 9 7 0\n",
            "line 2: a wakeup that depends on event 9: there is none",
        ),
        ("circle.warp", circle, "line 3: a circle: 7, 8 each wait for the next"),
        (
            "back.warp",
            "1 INIT 7 0 7 R\n2 YIELD 7 2\n3 BLOCK 7 1.5\n",
            "line 3: the length goes back, from 2.000000 to 1.500000 ms",
        ),
        ("range.warp", "1 INIT 7 0 7 R\n2 PRIO 7 1 140\n", "line 2: "),
        (
            "copies.wsf",
            "pairs\n\npairs copies=0\n",
            "line 3: copies=\"0\"; expected a number from 1 to 10000",
        ),
        (
            "recipe.wsf",
            "pairs:threads=1\n",
            "line 1: threads=\"1\"; expected a number of tasks from 2 to",
        ),
        ("list.wsf", "copies.wsf\n", "line 1: copies.wsf is a list too"),
        ("nobody.wsf", "# only comments\n", "no workload"),
        ("missing.wsf", "gone.warp\n", "gone.warp: "),
    ] {
        let path = bad(name, lines);
        let told = refusal(&["replay", &path]);
        assert!(told.starts_with("corelane: ") && told.contains(what), "{name}: {told}");
        if name != "missing.wsf" {
            assert!(told.contains(name), "{name}: {told}");
        }
    }
    for (args, what) in [
        (
            &["--fit"][..],
            "--fit compares with a whole recording; what is made, a text or a part has none",
        ),
        (
            &["--identity"],
            "--identity compares with a whole recording; what is made, a text or a part has none",
        ),
        (&["--policy", "recorded"], "--policy recorded needs a whole recording"),
        (
            &["--policy", "ideal", "--output", "/dev/null"],
            "the ideal schedule has no switches",
        ),
        (&["--policy", "fcfs:queue=two"], "queue"),
        (&["--policy", "cfq"], "cfq"),
        (&["--set", "capacity=0-3"], "expected CPUs and their speed in 1024ths"),
        (&["--set", "colour=red"], "no setting \"colour\"; expected place"),
        (&["--allow", "make"], "expected COMM=CPUS"),
        (&["--cpus", "0"], "0"),
        (&["--tick", "0"], "expected 0.01 to 1000 milliseconds"),
    ] {
        let told = refusal(&[&["replay", "pairs:threads=2"], args].concat());
        assert!(told.contains(what), "{args:?}: {told}");
    }
    let nothing = written("nothing.scenario", "# corelane scenario 1\n1s cpu0 idle other x\n");
    let out = written("nothing.dat", "");
    let told = refusal(&["replay", &nothing, "--policy", "recorded", "--output", &out]);
    assert!(told.contains("nothing is scheduled"), "{told}");
    let ticks = fixture("clock-x86-tsc-4cpu.dat");
    let told = refusal(&["workload", ticks.to_str().unwrap()]);
    assert!(told.contains("its clock counts ticks"), "{told}");
}

/// A recording with gaps says how much of it is uncertain, and where it is clean.
#[test]
fn lost_events_are_said() {
    let path = fixture("lost-s390x.dat");
    let path = path.to_str().unwrap();
    let counts = answer(&["workload", path]);
    assert!(0 < counts["uncertain_tasks"].as_u64().unwrap());
    let told = text(&["workload", path]);
    assert!(
        told.contains("tasks are uncertain, as events were lost in ") && told.contains("; without is "),
        "{told}"
    );
    let replay = answer(&["replay", path]);
    assert!(0 < count_of(&replay, "lost_events"));
    let of = replay["assumptions"].as_array().unwrap().last().unwrap();
    assert!(
        of["text"]
            .as_str()
            .unwrap()
            .contains("the longest stretch without a gap is from "),
        "{of}"
    );
}

/// The example of the page is what the program prints.
#[test]
fn the_page_shows_what_is_printed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/replay.md");
    let page = std::fs::read_to_string(page).unwrap();
    let path = fixture("barrier32-badplace.dat");
    let printed = text(&["replay", path.to_str().unwrap(), "--policy", "cfs"]);
    let table: Vec<&str> = printed.lines().skip(2).take(12).collect();
    assert!(table.last().unwrap().starts_with("Jain's index"), "{printed}");
    let table: String = table.iter().map(|line| format!("    {line}\n")).collect();
    assert!(page.contains(&table), "{table}");
}
