//! The selected calls in the layout of STaKTAU's tables: a block for each thread, ns of wall time.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Write;

use tracecore::calls::{Calls, StretchKind, Thread};
use tracecore::query::{each_call, CallNames, CallsQuery};

use super::LoadedCalls;

/// The row of a thread's time from its first record to its last.
const APPLICATION: &str = "STaKTAU application";

/// A thread's calls in the order in which each was entered first, with their times.
type Sums = Vec<(String, u64)>;

pub fn table(all: &LoadedCalls, names: &CallNames, query: &CallsQuery) -> String {
    let mut sums = HashMap::<(i32, u32), Sums>::new();
    let each = each_call(&all.loaded.trace, &all.runs, &all.calls, names, query, |call| {
        let of = sums.entry((call.pid, call.generation)).or_default();
        match of.iter_mut().find(|(name, _)| *name == call.call) {
            Some((_, sum)) => *sum += call.duration_ns,
            None => of.push((call.call.to_string(), call.duration_ns)),
        }
        Ok::<(), Infallible>(())
    });
    let Ok(()) = each;
    let all_names = sums.values().flatten().map(|(name, _)| name.len());
    let width = all_names.chain([APPLICATION.len()]).max().unwrap_or(0) + 3;
    let mut out = String::new();
    for thread in &all.calls.threads {
        let Some(of) = sums.get(&(thread.pid, thread.generation)) else {
            continue;
        };
        let application = (APPLICATION.to_owned(), application(&all.calls, thread));
        // A string takes any text.
        let _ = writeln!(out, "----- TID {} -----\n{:width$} | time", thread.pid, "call");
        let _ = writeln!(out, "{}", "-".repeat(width + 10));
        for (name, ns) in [&application].into_iter().chain(of) {
            let _ = writeln!(out, "{name:width$} | {ns}");
        }
        out.push('\n');
    }
    out
}

/// From a thread's first record to its last: that of a call that never returns is where it was entered.
fn application(calls: &Calls, thread: &Thread) -> u64 {
    let complete = calls.of(thread).flat_map(|call| [call.at, call.end()]);
    let others = thread.stretches.iter().map(|stretch| match stretch.kind {
        StretchKind::Unfinished(_) => stretch.time.start,
        StretchKind::Begun | StretchKind::Unknown => stretch.time.end,
    });
    let records = complete.chain(others);
    let (first, last) = records.fold((u64::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
    last.saturating_sub(first)
}
