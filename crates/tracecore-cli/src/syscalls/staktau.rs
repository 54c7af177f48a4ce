//! The selected calls of a trace as STaKTAU has them: for each thread, ns of wall time in each call.

use std::collections::HashMap;
use std::convert::Infallible;

use staktau::{CallTime, ThreadTimes};
use tracecore::calls::{Calls, StretchKind, Thread};
use tracecore::query::{each_call, CallNames, CallsQuery};

use super::LoadedCalls;

/// The threads that returned from a selected call, by pid and generation; their calls in the order in which each was entered
/// first.
pub fn threads(all: &LoadedCalls, names: &CallNames, query: &CallsQuery) -> Vec<ThreadTimes> {
    let mut sums = HashMap::<(i32, u32), Vec<CallTime>>::new();
    let each = each_call(&all.loaded.trace, &all.runs, &all.calls, names, query, |call| {
        let of = sums.entry((call.pid, call.generation)).or_default();
        match of.iter_mut().find(|known| known.name == call.call) {
            Some(known) => known.ns += call.duration_ns,
            None => of.push(CallTime {
                name: call.call.to_string(),
                ns: call.duration_ns,
            }),
        }
        Ok::<(), Infallible>(())
    });
    let Ok(()) = each;
    let threads = all.calls.threads.iter();
    threads
        .filter_map(|thread| {
            Some(ThreadTimes {
                tid: thread.pid,
                application_ns: Some(application(&all.calls, thread)),
                calls: sums.remove(&(thread.pid, thread.generation))?,
            })
        })
        .collect()
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
