//! The tables: for each thread its times, one below the other.
//!
//! ```text
//! ----- TID 2899 -----
//! call                   | time
//! --------------------------------
//! STaKTAU application    | 1393988
//! execve                 | 417912
//! ```

use std::fmt::Write;
use std::io::{self, BufRead};

use crate::lines::{self, Line};
use crate::{CallTime, Layout, Profile, ThreadTimes};

/// The row of a thread's time from its first record to its last.
const APPLICATION: &str = "STaKTAU application";
/// The same in other versions.
const OTHER_APPLICATION: &str = "STaK-TAU application";

/// Writes threads so.
pub fn write(threads: &[ThreadTimes]) -> String {
    let names = threads
        .iter()
        .flat_map(|thread| &thread.calls)
        .map(|call| call.name.len());
    let width = names.chain([APPLICATION.len()]).max().unwrap_or(0) + 3;
    let mut out = String::new();
    for thread in threads {
        // A string takes any text.
        let _ = writeln!(out, "----- TID {} -----\n{:width$} | time", thread.tid, "call");
        let _ = writeln!(out, "{}", "-".repeat(width + 10));
        let application = thread.application_ns.map(|ns| (APPLICATION, ns));
        let calls = thread.calls.iter().map(|call| (call.name.as_str(), call.ns));
        for (name, ns) in application.into_iter().chain(calls) {
            let _ = writeln!(out, "{name:width$} | {ns}");
        }
        out.push('\n');
    }
    out
}

pub fn read(input: &mut dyn BufRead) -> io::Result<Profile> {
    let mut profile = Profile::new(Layout::Tables);
    lines::each(input, |number, line| {
        let Line::Text(line) = line else {
            return profile.damaged(number, "the line is too long");
        };
        let line = line.trim();
        if let Some(tid) = line.strip_prefix("----- TID ") {
            return match tid.trim_end_matches('-').trim().parse() {
                Ok(tid) => profile.threads.push(ThreadTimes {
                    tid,
                    ..ThreadTimes::default()
                }),
                Err(_) => profile.damaged(number, "the thread id is not a number"),
            };
        }
        if line.bytes().all(|byte| byte == b'-') {
            return;
        }
        let Some((name, ns)) = line.rsplit_once('|') else {
            return profile.damaged(number, "not a row `call | ns`");
        };
        let (name, ns) = (name.trim(), ns.trim());
        if (name, ns) == ("call", "time") {
            return;
        }
        let Ok(ns) = ns.parse() else {
            return profile.damaged(number, "the time is not a number of ns");
        };
        let Some(thread) = profile.threads.last_mut() else {
            return profile.damaged(number, "no `----- TID n -----` above it");
        };
        if name == APPLICATION || name == OTHER_APPLICATION {
            thread.application_ns = Some(ns);
        } else {
            let name = name.to_owned();
            thread.calls.push(CallTime { name, ns });
        }
    })?;
    Ok(profile)
}
