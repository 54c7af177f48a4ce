//! Enters and exits, as the SystemTap script writes them:
//!
//! ```text
//! ENTER NAME(ARGS) [TID] NS          ENTER: 0 enter, 1 exit; NS since the epoch; older: `[TID] time NS CYCLES`
//! KERNEL backtrace NAME:             then lines of a stack, then an empty line
//! USER backtrace NAME:               the same
//! ------
//! ```
//!
//! They come in dumps, in any order within one, and a dump may repeat records of the one before.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead};

use crate::lines::{self, Line};
use crate::{CallTime, Layout, Profile, ThreadTimes};

/// An enter or an exit. In the order of its fields: by thread, then by time, exits before enters of the same time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Record {
    tid: i32,
    ns: u64,
    enters: bool,
    /// Index of its name.
    name: u32,
    /// Of the arguments: records that differ only there are not the same.
    arguments: u64,
}

/// Whether a line begins as a record does.
pub fn begins_record(line: &str) -> bool {
    let name = line.strip_prefix("0 ").or_else(|| line.strip_prefix("1 "));
    let name = name.and_then(|rest| rest.split_once('(')).map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A line that begins as a record does, taken apart.
fn parse(line: &str) -> Result<(bool, &str, &str, i32, u64), &'static str> {
    let enters = line.starts_with('0');
    // Arguments may hold brackets and quotes: what counts is the last place that looks like the end.
    let Some((call, end)) = line.rsplit_once(") [") else {
        return Err("the call's arguments do not end in `) [TID] NS`");
    };
    let Some((tid, time)) = end.split_once(']') else {
        return Err("the thread id has no `]` behind it");
    };
    let tid = tid.trim().parse().map_err(|_| "the thread id is not a number")?;
    let mut words = time.split_whitespace();
    let time = match words.next() {
        Some("time") => words.next(),
        first => first,
    };
    let ns = time
        .unwrap_or("")
        .parse()
        .map_err(|_| "the time is not a number of ns")?;
    let call = call.get(2..).unwrap_or("");
    let (name, arguments) = call.split_once('(').ok_or("the call has no arguments in brackets")?;
    Ok((enters, name, arguments, tid, ns))
}

pub fn read(input: &mut dyn BufRead) -> io::Result<Profile> {
    let mut profile = Profile::new(Layout::Raw);
    let mut names = HashMap::<String, u32>::new();
    let mut records = Vec::new();
    let mut in_stack = false;
    lines::each(input, |number, line| {
        let Line::Text(line) = line else {
            return profile.damaged(number, "the line is too long");
        };
        let line = line.trim_end();
        if begins_record(line) {
            in_stack = false;
            match parse(line) {
                Ok((enters, name, arguments, tid, ns)) => {
                    let next = names.len() as u32;
                    let name = *names.entry(name.to_owned()).or_insert(next);
                    let mut hasher = DefaultHasher::new();
                    arguments.hash(&mut hasher);
                    let arguments = hasher.finish();
                    records.push(Record {
                        tid,
                        ns,
                        enters,
                        name,
                        arguments,
                    });
                }
                Err(reason) => profile.damaged(number, reason),
            }
        } else if line.is_empty() || line.bytes().all(|byte| byte == b'-') {
            in_stack = false;
        } else if line.starts_with("KERNEL backtrace") || line.starts_with("USER backtrace") {
            in_stack = true;
        } else if !in_stack {
            profile.damaged(
                number,
                "neither an enter or exit (`0 NAME(ARGS) [TID] NS`) nor a line of a backtrace",
            );
        }
    })?;
    let found = records.len();
    records.sort_unstable();
    records.dedup();
    profile.repeated = (found - records.len()) as u64;
    profile.records = records.len() as u64;
    let mut by_number: Vec<(&String, &u32)> = names.iter().collect();
    by_number.sort_unstable_by_key(|&(_, &number)| number);
    let names: Vec<&str> = by_number.into_iter().map(|(name, _)| name.as_str()).collect();
    for thread in records.chunk_by(|one, other| one.tid == other.tid) {
        add_up(thread, &names, &mut profile);
    }
    Ok(profile)
}

/// Pairs a thread's records: a thread is in at most one call.
fn add_up(records: &[Record], names: &[&str], profile: &mut Profile) {
    let (Some(first), Some(last)) = (records.first(), records.last()) else {
        return;
    };
    // By name: its place in the order of first enters, and the sum if it ever returned.
    let mut entered = Vec::<(u32, Option<u64>)>::new();
    let mut open: Option<&Record> = None;
    for record in records {
        if record.enters {
            profile.left_open += u64::from(open.is_some());
            if entered.iter().all(|&(name, _)| name != record.name) {
                entered.push((record.name, None));
            }
            open = Some(record);
            continue;
        }
        match open.take() {
            Some(enter) if enter.name == record.name => {
                if let Some((_, sum)) = entered.iter_mut().find(|(name, _)| *name == record.name) {
                    *sum = Some(sum.unwrap_or(0).saturating_add(record.ns - enter.ns));
                }
            }
            other => {
                profile.unmatched_exits += 1;
                profile.left_open += u64::from(other.is_some());
            }
        }
    }
    profile.left_open += u64::from(open.is_some());
    let name = |number: u32| names.get(number as usize).copied().unwrap_or("").to_owned();
    profile.threads.push(ThreadTimes {
        tid: first.tid,
        application_ns: Some(last.ns - first.ns),
        calls: entered
            .into_iter()
            .filter_map(|(number, ns)| {
                Some(CallTime {
                    name: name(number),
                    ns: ns?,
                })
            })
            .collect(),
    });
}
