//! `corelane batch`: answers many questions about one trace, which is loaded once.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};

use clap::{Args, CommandFactory};
use serde_json::json;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::output::is_standard_output;
use crate::visible::{shown, Form};
use crate::{heard, Cli, Command, Failure};

/// The text behind the options in `--help`.
const HELP: &str = r#"Questions come on standard input, one a line: a command line as a JSON array, without the name of the trace, as in

    ["stats", "--json", "--min", "1.5"]
    ["chain", "--json", "--cpu", "3", "--at", "12.25"]
    ["intervals", "--csv"]

Every command about a trace can be asked, with all of its options: each question has its own window and selection. --quiet
and --threads are those of the batch; --buffer too, unless a question names another.

Answers go to standard output in the same order, one a line, each as soon as it is known: a JSON object with one key.

    {"json":...}   what the command prints with --json, without its line breaks and indentation
    {"text":...}   whatever else it prints, as a string: tables, CSV, the lines of `states --json`, `table --json` and
                   `syscalls --instances --json`, an SVG; of bytes that are not UTF-8, U+FFFD
    {"error":...}  why there is no answer; the next question is asked all the same

Warnings go to standard error. The exit status is 1 where the trace cannot be loaded: then nothing is answered."#;

#[derive(Args)]
#[command(after_help = HELP)]
pub struct BatchArgs {
    #[command(flatten)]
    file: FileArgs,
}

/// The most bytes of a question.
const LINE: u64 = 1 << 20;

/// Answers the questions on standard input.
pub fn run(args: &BatchArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    if args.file.is_standard_input() {
        let error = "questions come on standard input; expected a trace with a name";
        return Err(Failure(error.to_owned()));
    }
    loader.load(&args.file)?;
    let mut questions = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = questions.by_ref().take(LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| Failure(format!("reading standard input: {error}")))? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LINE && !line.ends_with(b"\n") {
            return Err(Failure(format!("a question has more than {LINE} bytes")));
        }
        let answer =
            answer(&line, &args.file, loader).unwrap_or_else(|Failure(error)| json!({ "error": error }).to_string());
        if !heard(writeln!(out, "{answer}").and_then(|()| out.flush()))? {
            return Ok(());
        }
    }
}

/// The line with which a line is answered.
fn answer(line: &[u8], file: &FileArgs, loader: &Loader) -> Result<String, Failure> {
    let words: Vec<String> = serde_json::from_slice(line).map_err(|error| {
        let example = r#"["stats", "--json"]"#;
        Failure(format!(
            "this is no question: {error}; expected a command line as in {example}"
        ))
    })?;
    let (command, form) = parse(&words, file)?;
    let mut printed = Vec::new();
    command.run(loader, form, &mut printed)?;
    let printed = String::from_utf8_lossy(&printed);
    let has_lines = match &command {
        Command::States(_) | Command::Table(_) => true,
        Command::Syscalls(args) => args.has_lines(),
        _ => false,
    };
    let is_document = words.iter().any(|word| word == "--json") && !has_lines;
    Ok(if is_document {
        // JSON strings have no line breaks, so blanks at the beginning of a line are indentation.
        let joined: String = printed.lines().map(str::trim_start).collect();
        format!(r#"{{"json":{joined}}}"#)
    } else {
        json!({ "text": printed }).to_string()
    })
}

/// Parses a command line, with the trace inserted in its place.
fn parse(words: &[String], file: &FileArgs) -> Result<(Command, Form), Failure> {
    let known = Cli::command();
    let name = words.first().map_or("", String::as_str);
    if known.find_subcommand(name).is_none() || ["batch", "topology", "serve", "record"].contains(&name) {
        return Err(Failure(format!("`{name}` is no command about a trace")));
    }
    // Figures and tables have kinds, whose names come before the file.
    let before = if ["figure", "table"].contains(&name) { 2 } else { 1 }.min(words.len());
    let (before, after) = words.split_at(before);
    let buffer = file.buffer.iter().map(|name| format!("--buffer={name}"));
    let has_buffer = after
        .iter()
        .any(|word| word == "--buffer" || word.starts_with("--buffer="));
    let mut line: Vec<OsString> = vec!["corelane".into()];
    line.extend(before.iter().map(OsString::from));
    line.push(file.file.clone().into_os_string());
    line.extend(buffer.filter(|_| !has_buffer).map(OsString::from));
    line.extend(after.iter().map(OsString::from));
    let (cli, form) = crate::parse(line).map_err(|error| Failure(error.to_string().trim_end().to_owned()))?;
    cli.command.check().map_err(|(_, error)| Failure(error))?;
    if let Command::Figure(args) = &cli.command {
        if let [_, other, ..] = args.files() {
            let other = shown(other);
            return Err(Failure(format!(
                "`{other}`: a question names no file; it is about the trace of the batch"
            )));
        }
    }
    if cli.command.output().is_some_and(is_standard_output) {
        let error = "standard output gets the answers of the batch; write to another file";
        return Err(Failure(error.to_owned()));
    }
    Ok((cli.command, form))
}
