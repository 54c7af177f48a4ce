//! In `corelane batch`, each command answers what it prints alone.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{json, Value};

use crate::program;

/// 32 threads on 4 of 32 CPUs.
const TRACE: &str = "barrier32-badplace.dat";
/// A recording with two more buffers.
const INSTANCES: &str = "instances-4cpu.dat";

fn fixture(name: &str) -> String {
    program::fixture(name).to_str().unwrap().to_owned()
}

fn corelane(args: &[&str], stdin: &str) -> Output {
    program::corelane(&[&["--quiet"], args].concat(), stdin.as_bytes())
}

/// The lines with which a batch answers these lines.
fn batch(args: &[&str], lines: &[String]) -> Vec<String> {
    let output = corelane(&[&["batch"], args].concat(), &(lines.join("\n") + "\n"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// JSON without insignificant white space.
fn squeezed(text: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    text.chars()
        .filter(|&char| {
            let kept = quoted || !char.is_ascii_whitespace();
            match char {
                '"' if !escaped => quoted = !quoted,
                _ => {}
            }
            escaped = quoted && char == '\\' && !escaped;
            kept
        })
        .collect()
}

/// Runs a command by itself, with the name of the trace behind the words of the command.
fn alone(words: &[&str], file: &str) -> Output {
    let (command, options) = words.split_at(if words[0] == "figure" { 2 } else { 1 });
    corelane(&[command, &[file], options].concat(), "")
}

#[test]
fn every_command_answers_as_it_does_alone() {
    let file = fixture(TRACE);
    let with_json: &[&[&str]] = &[
        &["info"],
        &["intervals"],
        &["stats"],
        &["stats", "--min", "1.5", "--max", "2.5"],
        &["stats", "--after-sleep"],
        &["stats", "--cpu", "0,2-3", "--comm", "barrier"],
        &["latency", "--top", "3", "--by", "cpu"],
        &["overload", "--top", "2", "--topology", "1x16x2"],
        &["placement", "--topology", "2x8x2"],
        &["waits", "--movable"],
        &["cascades"],
        &["findings", "--no-kernel-threads"],
        &["chain", "--cpu", "1", "--at", "290.9"],
        &["figure", "run-times"],
    ];
    let as_text: &[&[&str]] = &[
        &["report", "--cpu", "3"],
        &["intervals", "--csv"],
        &["states", "--json"],
        &["states", "--pid", "650"],
        &["figure", "timeline", "-o", "-", "--color-by", "command"],
        &["figure", "wakeup", "-o", "-", "--cpu", "1", "--at", "290.9"],
    ];
    let with_json: Vec<Vec<&str>> = with_json
        .iter()
        .map(|words| [words, &["--json"][..]].concat())
        .collect();
    // Without --json, each of these commands prints text.
    let plain = with_json.iter().filter(|words| words[0] != "figure");
    let as_text: Vec<Vec<&str>> = as_text
        .iter()
        .map(|words| words.to_vec())
        .chain(plain.map(|words| words[..words.len() - 1].to_vec()))
        .collect();
    let questions: Vec<&Vec<&str>> = with_json.iter().chain(&as_text).collect();
    let lines: Vec<String> = questions.iter().map(|words| json!(words).to_string()).collect();
    let answers = batch(&[&file], &lines);
    assert_eq!(answers.len(), questions.len());
    for (index, (words, answer)) in questions.iter().zip(&answers).enumerate() {
        let output = alone(words, &file);
        assert!(output.status.success(), "{words:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.len() > 10, "{words:?}: {printed}");
        if index < with_json.len() {
            assert_eq!(
                squeezed(answer),
                format!(r#"{{"json":{}}}"#, squeezed(&printed)),
                "{words:?}"
            );
            let value: Value = serde_json::from_str(answer).unwrap();
            assert_eq!(
                value["json"],
                serde_json::from_str::<Value>(&printed).unwrap(),
                "{words:?}"
            );
        } else {
            let value: Value = serde_json::from_str(answer).unwrap();
            assert_eq!(value, json!({ "text": printed }), "{words:?}");
        }
    }
}

#[test]
fn a_question_without_answer_says_why_and_the_next_is_answered() {
    let stats = json!(["stats", "--json"]).to_string();
    let bad = [
        ("no JSON", "no question"),
        ("", "no question"),
        ("{}", "no question"),
        (r#"["stats", 1]"#, "no question"),
        (r#"["\ud800"]"#, "no question"),
        ("[]", "no command about a trace"),
        (r#"["guess"]"#, "`guess` is no command about a trace"),
        (r#"["batch"]"#, "`batch` is no command"),
        (r#"["topology", "1x2x2"]"#, "`topology` is no command"),
        (r#"["--quiet"]"#, "`--quiet` is no command"),
        (r#"["figure"]"#, "subcommand"),
        (r#"["stats", "--unknown"]"#, "--unknown"),
        (r#"["stats", "other.dat"]"#, "other.dat"),
        (r#"["stats", "--min", "soon"]"#, "`soon` is no time"),
        (r#"["stats", "--buffer", "none"]"#, "none"),
        (r#"["chain", "--cpu", "99", "--at", "1"]"#, "not in the trace"),
        (
            r#"["figure", "timeline", "-o", "x.gif"]"#,
            "expected .svg, .pdf or .png",
        ),
        (
            r#"["figure", "timeline", "-o", "-", "--min", "2", "--max", "1"]"#,
            "expected `--min` before `--max`",
        ),
        (r#"["figure", "timeline", "-o", "-", "other.dat"]"#, "other.dat"),
    ];
    let lines: Vec<String> = bad
        .iter()
        .flat_map(|(line, _)| [(*line).to_owned(), stats.clone()])
        .collect();
    let answers = batch(&[&fixture(TRACE)], &lines);
    assert_eq!(answers.len(), lines.len());
    for (pair, (line, why)) in answers.chunks(2).zip(bad) {
        let value: Value = serde_json::from_str(&pair[0]).unwrap();
        let error = value["error"].as_str().unwrap_or_else(|| panic!("{line}: {value}"));
        assert!(error.contains(why), "{line}: {error}");
        assert_eq!(pair[1], answers[1]);
    }
}

#[test]
fn a_question_is_about_the_buffer_of_the_batch_or_its_own() {
    let file = fixture(INSTANCES);
    let info: Value = serde_json::from_slice(&corelane(&["info", "--json", &file], "").stdout).unwrap();
    let buffers = info["buffers"].as_array().unwrap();
    let name = buffers
        .iter()
        .map(|buffer| buffer["name"].as_str().unwrap())
        .find(|name| !name.is_empty())
        .unwrap();
    let lines = [json!(["stats"]), json!(["stats", "--buffer", ""])].map(|line| line.to_string());
    let answers = batch(&[&file, "--buffer", name], &lines);
    let printed = |buffer: &str| {
        let output = corelane(&["stats", &file, "--buffer", buffer], "");
        json!({ "text": String::from_utf8(output.stdout).unwrap() })
    };
    assert_ne!(printed(name), printed(""));
    let answers: Vec<Value> = answers.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers, [printed(name), printed("")]);
}

#[test]
fn a_trace_that_does_not_open_is_not_asked() {
    let stats = "[\"stats\"]\n";
    for (file, why) in [
        (fixture("none.dat"), "none.dat"),
        (fixture("README.md"), "README.md"),
        ("-".to_owned(), "standard input"),
    ] {
        let output = corelane(&["batch", &file], stats);
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert!(output.stdout.is_empty(), "{file}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{file}");
    }
}

#[test]
fn answers_come_one_by_one() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(["batch", &fixture(TRACE)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..2 {
        questions.write_all(b"[\"waits\"]\n").unwrap();
        assert!(answers.next().unwrap().unwrap().starts_with(r#"{"text":"#));
    }
    // The last line needs no end.
    questions.write_all(b"[\"waits\"]").unwrap();
    drop(questions);
    assert!(answers.next().unwrap().unwrap().starts_with(r#"{"text":"#));
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}
