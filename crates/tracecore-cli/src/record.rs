//! `corelane record`: runs trace-cmd with the options that Corelane's answers need.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use clap::Args;
use formats::AnySource;
use schedrows::words::counted;
use schedrows::Source;
#[cfg(unix)]
use signal_hook::low_level::signal_name;

use crate::input::Input;
use crate::output::Target;
use crate::part::folder_of;
use crate::serve::{self, Assets};
#[cfg(unix)]
use crate::signals::Held;
use crate::visible::shown;
use crate::{heard, Failure};

#[derive(Args)]
pub struct RecordArgs {
    /// The trace.dat to write
    #[arg(long, short, value_name = "FILE", default_value = "trace.dat")]
    output: PathBuf,
    /// Print the command line instead of running it
    #[arg(long)]
    dry_run: bool,
    /// Serve the recording when it is there, as `corelane serve` does
    #[arg(long, conflicts_with = "dry_run")]
    open: bool,
    /// The page's files for --open, instead of those inside the program
    #[arg(long, value_name = "DIST", requires = "open")]
    page: Option<PathBuf>,
    /// Record this event or system as well, as in irq or syscalls:sys_enter_futex; may be repeated
    #[arg(long, value_name = "EVENT")]
    event: Vec<String>,
    /// Bytes of the buffer of each CPU, in KiB; more for events that are lost
    #[arg(long, value_name = "KIB", value_parser = clap::value_parser!(u32).range(1..))]
    buffer_size: Option<u32>,
    /// The clock of the trace, as in mono; trace-cmd's own choice otherwise
    #[arg(long, value_name = "NAME")]
    clock: Option<String>,
    /// Seconds of sleep before the command, which separate it from the start of trace-cmd
    #[arg(long, value_name = "S", default_value_t = 1)]
    sleep: u32,
    /// The command to record, and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Runs what the shell is told to: the command as it was given, and behind it something to do, so that the shell forks it
/// instead of turning into it.
const SCRIPT: &str = "\"$@\"; exit $?";

pub fn run(args: &RecordArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.dry_run {
        let words: Vec<String> = line(args, &args.output).iter().map(|word| quoted(word)).collect();
        return heard(writeln!(out, "{}", words.join(" "))).map(|_| ());
    }
    // Without a page nothing could be opened afterwards.
    let page = args.open.then(|| Assets::new(args.page.as_deref())).transpose()?;
    let ended = record(args)?;
    let file = shown(&args.output);
    let size = fs::metadata(&args.output)
        .map_err(|error| Failure(format!("{file}: {error}")))?
        .len();
    let name = quoted(args.output.as_os_str());
    let mut told = format!("{file}: {}\n", counted(size, "byte"));
    if let Some(page) = page.filter(|_| !ended) {
        heard(out.write_all(told.as_bytes()))?;
        return serve::open(&args.output, page, out);
    }
    // Writing to a string does not fail.
    let _ = write!(
        told,
        "What deserves a look:   corelane findings {name} --after-sleep\n\
         In the page:            corelane serve {}, or drop the file on the page\n",
        quoted(folder_of(&args.output).as_os_str())
    );
    heard(out.write_all(told.as_bytes())).map(|_| ())
}

/// Records into a hidden file beside the output, and puts it there when it is a trace; says whether the program was asked
/// to end meanwhile, other than by Ctrl-C, which only ends the recording.
#[cfg(unix)]
fn record(args: &RecordArgs) -> Result<bool, Failure> {
    use signal_hook::consts::SIGINT;

    let target = Target::file(&args.output, "trace-cmd records into files only")?;
    let file = shown(&args.output);
    let Some(part) = target.part() else {
        return Err(Failure(format!("{file}: is no file")));
    };
    // What trace-cmd still writes when this program was killed is in use.
    part.share().map_err(|error| Failure(format!("{file}: {error}")))?;
    let held = Held::new();
    let status = trace(&line(args, part.path()), &held)?;
    if !status.success() {
        let why = match status.signal().map(|signal| (signal, signal_name(signal))) {
            Some((_, Some(name))) => format!("trace-cmd was killed by {name}"),
            Some((signal, None)) => format!("trace-cmd was killed by signal {signal}"),
            None => format!("trace-cmd failed ({status})"),
        };
        return Err(Failure(format!("{why}; {file} is as it was before\n{}", advice())));
    }
    check(part.path()).map_err(|Failure(why)| {
        Failure(format!(
            "trace-cmd left no recording; {file} is as it was before\n{why}"
        ))
    })?;
    target.finish()?;
    Ok(held.signal().is_some_and(|signal| signal != SIGINT))
}

#[cfg(not(unix))]
fn record(_: &RecordArgs) -> Result<bool, Failure> {
    Err(Failure(
        "trace-cmd records Linux only; `--dry-run` prints the command".to_owned(),
    ))
}

/// Opens what was recorded.
fn check(recording: &Path) -> Result<(), Failure> {
    let failed = |why: String| Failure(format!("What it wrote is no trace: {why}."));
    let named = |error: std::io::Error| failed(error.to_string());
    let file = File::open(recording).map_err(named)?;
    match formats::open(Input::of_file(file).map_err(named)?) {
        Ok(AnySource::TraceDat(_)) => Ok(()),
        Ok(other) => Err(failed(format!("it is of the format {}", other.info().format))),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The words of the command line.
fn line(args: &RecordArgs, output: &Path) -> Vec<OsString> {
    let mut line: Vec<OsString> = ["trace-cmd", "record", "-e", "sched"].map(OsString::from).into();
    let mut add = |words: &[&OsStr]| line.extend(words.iter().map(OsString::from));
    for event in &args.event {
        add(&["-e".as_ref(), event.as_ref()]);
    }
    // It excludes every event behind it.
    add(&[
        "-v".as_ref(),
        "-e".as_ref(),
        "sched_stat_runtime".as_ref(),
        "-q".as_ref(),
    ]);
    if let Some(clock) = &args.clock {
        add(&["-C".as_ref(), clock.as_ref()]);
    }
    if let Some(size) = args.buffer_size {
        add(&["-b".as_ref(), size.to_string().as_ref()]);
    }
    add(&["-o".as_ref(), output.as_ref(), "sh".as_ref(), "-c".as_ref()]);
    let script = match args.sleep {
        0 => SCRIPT.to_owned(),
        sleep => format!("sleep {sleep}; {SCRIPT}"),
    };
    // The first word behind the script is the shell's name for itself.
    add(&[script.as_ref(), "sh".as_ref()]);
    line.extend(args.command.iter().cloned());
    line
}

/// Runs trace-cmd to its end.
#[cfg(unix)]
fn trace(line: &[OsString], held: &Held) -> Result<ExitStatus, Failure> {
    let (program, words) = line.split_first().unzip();
    let mut command = Command::new(program.map_or(OsStr::new(""), OsString::as_os_str));
    held.run(command.args(words.unwrap_or_default())).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure(
            "trace-cmd is not installed\nInstall it (on Debian: `apt install trace-cmd`), or record elsewhere: `--dry-run` prints the \
             command."
                .to_owned(),
        ),
        ErrorKind::Interrupted => Failure("interrupted before the recording began".to_owned()),
        _ => Failure(format!("trace-cmd cannot be run: {error}")),
    })
}

/// What to do, from what can be seen of the kernel's tracing.
fn advice() -> &'static str {
    let marks = [
        "/sys/kernel/tracing/trace_marker",
        "/sys/kernel/debug/tracing/trace_marker",
    ];
    let opened = marks.map(|mark| {
        OpenOptions::new()
            .write(true)
            .open(mark)
            .map_err(|error| error.kind())
            .err()
    });
    if opened.contains(&None) {
        return "What it printed says why.";
    }
    if opened.contains(&Some(ErrorKind::PermissionDenied)) {
        return "Tracing is not permitted: record as root (`sudo corelane record ...`).";
    }
    "No tracing is here: the kernel has none, or this is a container that may not use it."
}

/// A word as a shell takes it.
pub fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:=+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells() {
        for (word, expected) in [
            ("a-b_c.d/e:f=1", "a-b_c.d/e:f=1"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME;`ls`", "'$HOME;`ls`'"),
        ] {
            assert_eq!(quoted(word.as_ref()), expected);
        }
    }
}
