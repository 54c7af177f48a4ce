//! `corelane figure` as people and scripts call it: exit codes, messages, formats, files. `tests/figures` checks what
//! figures show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// 32 threads on 4 of 32 CPUs.
const BARRIER: &str = "barrier32-badplace.dat";
const SMALL: &str = "barrier-i686.dat";
const OTHER: &str = "barrier-s390x.dat";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    path.to_str().unwrap().to_owned()
}

/// An empty folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("figure-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn figure(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corelane"));
        command.arg("figure").args(args).current_dir(&self.0).output().unwrap()
    }

    /// Runs the program, which must not complain, and returns what it prints.
    fn fine(&self, args: &[&str]) -> String {
        let output = self.figure(args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && errors.is_empty(), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program, which must fail with this status, and returns its message.
    fn fails(&self, status: i32, args: &[&str]) -> String {
        let output = self.figure(args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {errors}");
        assert!(output.stdout.is_empty(), "{args:?}");
        errors
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

/// The text of an element that occurs once.
fn element(svg: &str, name: &str) -> String {
    let (_, rest) = svg.split_once(&format!("<{name}>")).unwrap();
    let (text, _) = rest.split_once(&format!("</{name}>")).unwrap();
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&apos;", "'").replace("&#39;", "'").replace("&amp;", "&")
}

#[test]
fn contradicting_options_are_told_and_nothing_is_written() {
    let folder = Folder::new("usage");
    let (one, two) = (fixture(SMALL), fixture(OTHER));
    let timeline = |options: &[&str]| {
        let args = [&["timeline", one.as_str(), "-o", "out.svg"], options].concat();
        folder.fails(2, &args)
    };
    for (options, said) in [
        (&["--min", "2", "--max", "1.5"][..], "expected `--min` before `--max`"),
        (&["--max", "0"], "expected `--min` before `--max`"),
        (&["--task", "12"], "`--task` needs `--with tasks`"),
        (&["--with", "tasks"], "name some with `--task PID|COMM`"),
        (
            &["--with", "running-waiting", "--with", "running-waiting"],
            "stands there twice",
        ),
        (&["--with", "nothing"], "running-waiting, tasks"),
        (&["--color-by", "size"], "pid, command, parent"),
        (&["--legend", "all"], "window, to-end, trace, none"),
        (&["--mark", "A=1", "--mark", "a=2"], "mark A stands there twice"),
        (&["--mark", "C=1"], "expected A or B and a time"),
        (&["--note", "here"], "expected a time and a text"),
        (&["--chain", "3"], "expected a CPU and a time"),
        (&["--hops", "3"], "--chain"),
        (&["--chain", "0@1", "--cascade", "0@1"], "cannot be used with"),
        (&["--name", "a", "--name", "b"], "at most one for each file"),
        (&["--width", "5"], "from 20 to 2400"),
        (&["--height", "1e6"], "from 20 to 2400"),
        (&["--dpi", "10"], "36..=2400"),
        (&["--dot", "0"], "from 0.01 to 5"),
        (&["--columns", "0"], "1..=64"),
        (&["--socket-order", "2x"], "SOCKETSxCORESxTHREADS"),
        (&["--socket-order", "@nowhere"], "nowhere"),
    ] {
        let errors = timeline(options);
        assert!(errors.contains(said), "{options:?}: {errors}");
    }
    for option in [&["--chain", "0@1"][..], &["--mark", "B=1"], &["--note", "1=x"]] {
        let errors = timeline(&[&[two.as_str()], option].concat());
        assert!(
            errors.contains("is a time of one trace, but there are 2 files"),
            "{errors}"
        );
    }
    for out in ["out.jpg", "out", "svg"] {
        let errors = folder.fails(2, &["timeline", &one, "-o", out]);
        assert!(errors.contains("expected .svg, .pdf or .png"), "{errors}");
    }
    let errors = folder.fails(2, &["running-waiting", "-", "-", "-o", "out.svg"]);
    assert!(errors.contains("it can be read once"), "{errors}");
    folder.fails(2, &["running-waiting", &one, "-o", "out.svg", "--moves"]);
    folder.fails(2, &["timeline", &one]);
    folder.fails(2, &["timeline", "-o", "out.svg"]);
    folder.fails(2, &["wakeup", &one, "-o", "out.svg", "--cpu", "1"]);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn what_is_not_in_the_trace_is_told_and_the_old_figure_stays() {
    let folder = Folder::new("failures");
    fs::write(folder.0.join("out.svg"), "old").unwrap();
    let one = fixture(BARRIER);
    // The trace goes from 282.587979034 to 291.605864417, on CPUs 0 to 31.
    for (kind, options, said) in [
        (
            "timeline",
            &["--cpu", "3,40-41"][..],
            "CPUs 40-41 are in no trace; expected some of 0-31",
        ),
        ("timeline", &["--min", "100"], "100"),
        (
            "timeline",
            &["--mark", "A=1"],
            "goes from 282.587979034 s to 291.605864417 s",
        ),
        (
            "running-waiting",
            &["--note", "291.7=late"],
            "`--note` at 291.700000000 s is not in the trace",
        ),
        ("timeline", &["--note", "32@290=here"], "it has CPUs 0-31"),
        ("timeline", &["--chain", "99@290"], "`--chain` on CPU 99"),
        ("timeline", &["--chain", "30@286"], "no task runs there"),
        ("timeline", &["--cascade", "30@286"], "no task runs there"),
        (
            "timeline",
            &["--with", "tasks", "--task", "999999"],
            "no task has PID 999999",
        ),
        ("timeline", &["--width", "20"], "width"),
        ("timeline", &["--buffer", "nothing"], "nothing"),
        ("wakeup", &["--cpu", "30", "--at", "286"], "no task runs there"),
    ] {
        let errors = folder.fails(1, &[&[kind, one.as_str(), "-o", "out.svg"], options].concat());
        assert!(errors.contains(said), "{options:?}: {errors}");
        assert_eq!(folder.text("out.svg"), "old", "{options:?}");
    }
    assert_eq!(folder.names(), ["out.svg"]);
}

#[test]
fn all_files_that_cannot_be_used_are_named_and_nothing_is_written() {
    let folder = Folder::new("damaged");
    fs::write(folder.0.join("text.dat"), "no trace").unwrap();
    let whole = fs::read(fixture(SMALL)).unwrap();
    fs::write(folder.0.join("cut.dat"), &whole[..100]).unwrap();
    let one = fixture(SMALL);
    let errors = folder.fails(
        1,
        &["timeline", "text.dat", &one, "cut.dat", "nowhere.dat", "-o", "out.pdf"],
    );
    for said in [
        "text.dat: line 1: not a trace.dat file",
        "cut.dat: ",
        "nowhere.dat: No such file",
    ] {
        assert!(errors.contains(said), "{errors}");
    }
    assert!(!folder.0.join("out.pdf").exists());
    let errors = folder.fails(1, &["timeline", &one, "-o", "nowhere/out.svg"]);
    assert!(errors.contains("nowhere/out.svg: No such file"), "{errors}");
}

#[test]
fn the_extension_is_the_format() {
    let folder = Folder::new("formats");
    let one = fixture(SMALL);
    for (out, begins) in [
        ("a.svg", &b"<?xml "[..]),
        ("b.SVG", b"<?xml "),
        ("c.pdf", b"%PDF-"),
        ("d.png", b"\x89PNG\r\n\x1a\n"),
    ] {
        assert_eq!(folder.fine(&["timeline", &one, "-o", out]), "");
        assert!(folder.read(out).starts_with(begins), "{out}");
    }
    let printed = folder.fine(&["running-waiting", &one, "-o", "-"]);
    assert!(element(&printed, "corelane:command").ends_with(" -o -"), "{printed}");
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn a_trace_may_come_from_a_pipe() {
    let folder = Folder::new("pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_corelane"));
    command
        .args(["figure", "timeline", "-", "-o", "piped.svg"])
        .current_dir(&folder.0);
    let file = fs::File::open(fixture(SMALL)).unwrap();
    assert!(command.stdin(file).status().unwrap().success());
    folder.fine(&["timeline", &fixture(SMALL), "-o", "named.svg"]);
    let runs = |name: &str| folder.text(name).matches("class=\"runs\"").count();
    assert!(0 < runs("named.svg"));
    assert_eq!(runs("piped.svg"), runs("named.svg"));
}

#[test]
fn the_same_input_makes_the_same_bytes_whatever_the_threads() {
    let folder = Folder::new("same");
    let files = [
        fixture(SMALL),
        fixture(OTHER),
        fixture(BARRIER),
        fixture("forkpipe-8cpu.dat"),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let options = [
        "--color-by",
        "command",
        "--with",
        "running-waiting",
        "--columns",
        "2",
        "--moves",
    ];
    for out in ["out.svg", "out.pdf", "out.png"] {
        let draw = |threads: &str| {
            let args = [&["timeline", "-o", out, "--threads", threads], &options[..], &files].concat();
            folder.fine(&args);
            folder.read(out)
        };
        let first = draw("1");
        for threads in ["1", "4", "3"] {
            assert!(draw(threads) == first, "{out} with {threads} threads");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_command_in_a_figure_makes_it_again() {
    let folder = Folder::new("again");
    fs::copy(fixture(BARRIER), folder.0.join("it's $one.dat")).unwrap();
    fs::copy(fixture(SMALL), folder.0.join("two.dat")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_corelane")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let note = [
        "--mark",
        "A=290",
        "--note",
        "3@290.5=who's \"that\"?",
        "--title=-a title",
    ];
    let window = [
        "--min",
        "7.4",
        "--max",
        "8.25",
        "--target",
        "barrier",
        "--socket-order",
        "2x16x1",
    ];
    for args in [
        [
            &["timeline", "it's $one.dat", "--moves", "--top-down"],
            &note[..],
            &window,
        ]
        .concat(),
        vec![
            "timeline",
            "it's $one.dat",
            "two.dat",
            "--name",
            "",
            "--legend",
            "to-end",
            "--color-by",
            "command",
        ],
        vec!["running-waiting", "it's $one.dat", "--forked", "--width", "85.5"],
        vec!["wakeup", "it's $one.dat", "--cpu", "10", "--at", "289.5"],
        vec![
            "run-times",
            "two.dat",
            "it's $one.dat",
            "--group",
            "a b=two",
            "--group",
            "c=one",
            "--height",
            "40",
        ],
    ] {
        folder.figure(&[&args[..], &["-o", "out.svg"]].concat());
        let first = folder.text("out.svg");
        fs::remove_file(folder.0.join("out.svg")).unwrap();
        let line = element(&first, "corelane:command");
        let mut shell = Command::new("sh");
        let status = shell
            .args(["-c", &line])
            .env("PATH", &path)
            .current_dir(&folder.0)
            .status();
        assert!(status.unwrap().success(), "{line}");
        assert!(folder.text("out.svg") == first, "{line}");
    }
}

#[test]
fn several_files_have_a_panel_each_in_their_order() {
    let folder = Folder::new("several");
    let (one, two) = (fixture(SMALL), fixture(BARRIER));
    folder.fine(&["timeline", &two, &one, "-o", "out.svg", "--name", "the <first>"]);
    let svg = folder.text("out.svg");
    let at = |text: &str| svg.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(at(&format!("data-file=\"{two}\"")) < at(&format!("data-file=\"{one}\"")));
    assert!(at("the &lt;first&gt;") < at(&format!("data-file=\"{one}\"")));
}

/// The end of the last run of a command, counted from the first record, from the lists of intervals.
fn last_run(file: &str, comm: Option<&str>) -> u64 {
    last_end(file, |run| comm.is_none_or(|comm| run["comm"].as_str() == Some(comm)))
}

/// The same of the runs that are wanted.
fn last_end(file: &str, wanted: impl Fn(&Value) -> bool) -> u64 {
    let answer = |command: &str| -> Value {
        let mut program = Command::new(env!("CARGO_BIN_EXE_corelane"));
        let output = program.args([command, file, "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let intervals = answer("intervals");
    let runs = intervals.as_array().unwrap().iter();
    let runs = runs.filter(|interval| interval["kind"] == "run" && wanted(interval));
    let last = runs.map(|run| run["end_ns"].as_u64().unwrap()).max().unwrap();
    last - answer("info")["first_ns"].as_u64().unwrap()
}

#[test]
fn run_times_are_those_of_the_intervals_sorted_within_their_groups() {
    let folder = Folder::new("run-times");
    let files = [
        fixture(BARRIER),
        fixture(SMALL),
        fixture(OTHER),
        fixture("forkpipe-8cpu.dat"),
    ];
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let groups = [
        "--group",
        "small=barrier-",
        "--group",
        "others=cpu",
        "--group",
        "big=32",
    ];
    let args = [&["run-times", "--json", "-o", "out.svg"], &groups[..], &names].concat();
    let json: Value = serde_json::from_str(&folder.fine(&args)).unwrap();
    let runs = json.as_array().unwrap();
    let mut expected: Vec<(usize, &str, u64, String)> = Vec::new();
    for file in &files {
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        let group = [("small", "barrier-"), ("others", "cpu"), ("big", "32")];
        let number = group.iter().position(|(_, text)| name.contains(text)).unwrap();
        expected.push((number, group[number].0, last_run(file, None), file.clone()));
    }
    expected.sort_by_key(|&(number, _, time, _)| (number, time));
    let expected: Vec<(&str, u64, &str)> = expected
        .iter()
        .map(|(_, name, time, file)| (*name, *time, file.as_str()))
        .collect();
    let found: Vec<(&str, u64, &str)> = runs
        .iter()
        .map(|run| {
            let text = |key: &str| run[key].as_str().unwrap();
            (text("group"), run["run_time_ns"].as_u64().unwrap(), text("file"))
        })
        .collect();
    assert_eq!(found, expected);
    let svg = folder.text("out.svg");
    let bars: Vec<String> = svg
        .lines()
        .filter(|line| line.contains("class=\"bar\""))
        .map(str::to_owned)
        .collect();
    assert_eq!(bars.len(), 4);
    for (bar, (group, time, file)) in bars.iter().zip(&expected) {
        for said in [
            format!("data-group=\"{group}\""),
            format!("data-run-ns=\"{time}\""),
            format!("data-file=\"{file}\""),
        ] {
            assert!(bar.contains(&said), "{bar}: {said}");
        }
    }
    // The two numbers of the first group, computed by hand: 1.570 / 1.328 = 1.18.
    let ratio = expected[1].1 as f64 / expected[0].1 as f64;
    assert!(svg.contains(&format!("slowest / fastest {ratio:.2}×")), "{ratio}");
}

#[test]
fn run_times_are_of_what_is_selected() {
    let folder = Folder::new("selected-run-times");
    let file = fixture(BARRIER);
    let time = |options: &[&str]| {
        let json = folder.fine(&[&["run-times", "--json", file.as_str()], options].concat());
        serde_json::from_str::<Value>(&json).unwrap()[0]["run_time_ns"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(time(&["--comm", "barrier"]), last_run(&file, Some("barrier")));
    assert_eq!(time(&["--max", "5"]), 5_000_000_000);
    // A switch stands for the run that it ends.
    let on_three = |run: &Value| run["cpu"] == 3 && run["comm"] == "barrier";
    let ended = last_end(&file, on_three);
    assert_eq!(time(&["--filter", "cpu == 3 && prev_comm == barrier"]), ended);
    assert!(ended < last_run(&file, Some("barrier")));
    // The links of the figure open the page with it.
    folder.fine(&["run-times", "-o", "filtered.svg", &file, "--filter", "cpu == 3"]);
    assert!(folder.text("filtered.svg").contains("filter=cpu%20%3D%3D%203"));
    let errors = folder.fails(
        2,
        &[
            "wakeup", &file, "-o", "out.svg", "--cpu", "3", "--at", "1", "--filter", "cpu == 3",
        ],
    );
    assert!(errors.contains("unexpected argument '--filter'"), "{errors}");
    let errors = folder.fails(1, &["timeline", &file, "-o", "out.svg", "--filter", "cpu == prev_comm"]);
    assert!(errors.contains("prev_comm"), "{errors}");
    let errors = folder.fails(1, &["run-times", "--json", &file, "--comm", "nobody"]);
    assert!(errors.contains("no selected task runs"), "{errors}");
    for (options, said) in [
        (&["--group", "a"][..], "expected a name and a part of paths"),
        (&["--group", "a=nowhere"], "is in no group"),
        (&["--group", "a=dat", "--group", "b=dat"], "group `b` has no file"),
    ] {
        let errors = folder.fails(2, &[&["run-times", "--json", file.as_str()], options].concat());
        assert!(errors.contains(said), "{errors}");
    }
}
