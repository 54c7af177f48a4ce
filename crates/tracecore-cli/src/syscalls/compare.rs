//! What a text of STaKTAU tells of threads and calls, beside what the trace tells, or alone.

use std::fmt::{self, Write};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use schedrows::words::counted;
use serde::Serialize;
use staktau::{compared, layout_of, Both, Damage, Layout, Profile, ThreadPair, ThreadTimes};

use crate::visible::shown;
use crate::Failure;

/// Threads by their ids, all of both sources.
#[derive(Serialize)]
pub struct Comparison<'a> {
    text: TextCounts<'a>,
    threads: Vec<ThreadPair>,
}

#[derive(Serialize)]
struct TextCounts<'a> {
    layout: Layout,
    records: u64,
    repeated: u64,
    unmatched_exits: u64,
    left_open: u64,
    damaged: u64,
    damage: &'a [Damage],
}

/// Reads a file that is such a text; `None` if it is none, or cannot be looked at.
pub fn read_if_text(path: &Path) -> Result<Option<Profile>, Failure> {
    match File::open(path) {
        Ok(file) => if_text(file, path),
        Err(_) => Ok(None),
    }
}

fn if_text(mut file: File, path: &Path) -> Result<Option<Profile>, Failure> {
    // A pipe cannot be looked at and read again.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let mut head = Vec::new();
    (&mut file)
        .take(staktau::HEAD as u64)
        .read_to_end(&mut head)
        .map_err(named(path))?;
    let Some(layout) = layout_of(&head) else {
        return Ok(None);
    };
    file.rewind().map_err(named(path))?;
    staktau::read(layout, &mut BufReader::new(file))
        .map(Some)
        .map_err(named(path))
}

fn named(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| Failure(format!("{}: {error}", shown(path)))
}

/// Reads the text that `--compare` names.
pub fn read_text(path: &Path) -> Result<Profile, Failure> {
    let file = File::open(path).map_err(named(path))?;
    if_text(file, path)?.ok_or_else(|| {
        Failure(format!(
            "{}: no text of STaKTAU; expected a line such as `0 read(3, 0x7f, 10) [2899] 1665535875621300000`, or a table\n\
             that begins with `----- TID 2899 -----`",
            shown(path)
        ))
    })
}

impl<'a> Comparison<'a> {
    /// `trace`: the threads of a trace, or none.
    pub fn new(trace: &[ThreadTimes], text: &'a Profile) -> Comparison<'a> {
        Comparison {
            text: TextCounts {
                layout: text.layout,
                records: text.records,
                repeated: text.repeated,
                unmatched_exits: text.unmatched_exits,
                left_open: text.left_open,
                damaged: text.damaged,
                damage: &text.damage,
            },
            threads: compared(trace, &text.threads),
        }
    }

    /// For people: the threads that both have, then which only one has.
    pub fn table(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        let has = |side: fn(&Both) -> Option<u64>| {
            move |thread: &&ThreadPair| {
                side(&thread.application_ns).is_some() || thread.calls.iter().any(|call| side(&call.ns).is_some())
            }
        };
        let (in_trace, in_text) = (has(|both| both.trace), has(|both| both.text));
        writeln!(
            out,
            "{:8}{:24}{:>18}{:>18}{:>18}",
            "thread", "call", "trace ns", "STaKTAU ns", "difference"
        )?;
        for thread in self.threads.iter().filter(in_trace).filter(in_text) {
            line(&mut out, thread.pid, "(first to last record)", thread.application_ns)?;
            for call in &thread.calls {
                line(&mut out, thread.pid, &call.call, call.ns)?;
            }
        }
        for (what, one, other) in [("trace", &in_trace, &in_text), ("text", &in_text, &in_trace)] {
            let only = self.threads.iter().filter(|thread| one(thread) && !other(thread));
            let pids: Vec<String> = only.map(|thread| thread.pid.to_string()).collect();
            if !pids.is_empty() {
                writeln!(out, "only in the {what}: {}", pids.join(", "))?;
            }
        }
        Ok(out)
    }
}

fn line(out: &mut String, pid: i32, call: &str, ns: Both) -> fmt::Result {
    let digits = |ns: Option<u64>| ns.map_or_else(|| "-".to_owned(), |ns| ns.to_string());
    let difference = ns
        .text
        .zip(ns.trace)
        .map(|(text, trace)| i128::from(text) - i128::from(trace));
    let difference = difference.map_or_else(|| "-".to_owned(), |ns| format!("{ns:+}"));
    writeln!(
        out,
        "{pid:<8}{call:24}{:>18}{:>18}{difference:>18}",
        digits(ns.trace),
        digits(ns.text)
    )
}

/// What of a text is not in its sums, a line each; the most damaged lines that are told are [`MOST_LINES`].
pub fn doubts(text: &Profile) -> String {
    let mut lines = Vec::new();
    for (count, noun, rest) in [
        (text.repeated, "repeated record", ""),
        (text.unmatched_exits, "exit", " without an enter"),
        (text.left_open, "call", " that did not return"),
    ] {
        if 0 < count {
            lines.push(format!("not added up: {}{rest}", counted(count, noun)));
        }
    }
    if 0 < text.damaged {
        lines.push(format!("not read: {}", counted(text.damaged, "line")));
        let damage = text.damage.iter().take(MOST_LINES);
        lines.extend(damage.map(|damage| format!("  line {}: {}", damage.line, damage.reason)));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// See [`doubts`].
const MOST_LINES: usize = 5;
