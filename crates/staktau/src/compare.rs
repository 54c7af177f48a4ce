//! The threads of a trace beside those of a text.

use std::collections::BTreeMap;

use serde::Serialize;
use ts_rs::TS;

use crate::{canonical, ThreadTimes};

/// A thread of the trace, the text, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "ComparedThread")]
pub struct ThreadPair {
    /// Its thread id; of several generations all together.
    pub pid: i32,
    /// From its first record to its last.
    pub application_ns: Both,
    /// Its calls, by canonical names, in the order of their first enters.
    pub calls: Vec<CallPair>,
}

/// A call of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "ComparedCall")]
pub struct CallPair {
    /// Its canonical name.
    pub call: String,
    /// Wall time in it.
    pub ns: Both,
}

/// A time in the trace, and in the text; null where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "ComparedTime")]
pub struct Both {
    /// In the trace.
    pub trace: Option<u64>,
    /// In the text.
    pub text: Option<u64>,
}

/// Threads by their ids, all of both sources.
pub fn compared(trace: &[ThreadTimes], text: &[ThreadTimes]) -> Vec<ThreadPair> {
    let mut threads = BTreeMap::<i32, ThreadPair>::new();
    for thread in trace {
        add(&mut threads, thread, |both| &mut both.trace);
    }
    for thread in text {
        add(&mut threads, thread, |both| &mut both.text);
    }
    threads.into_values().collect()
}

/// Adds a thread's times to those of its id; of several generations the sum.
fn add(threads: &mut BTreeMap<i32, ThreadPair>, thread: &ThreadTimes, side: fn(&mut Both) -> &mut Option<u64>) {
    let add = |both: &mut Both, ns: u64| {
        let sum = side(both);
        *sum = Some(sum.unwrap_or(0).saturating_add(ns));
    };
    let pair = threads.entry(thread.tid).or_insert_with(|| ThreadPair {
        pid: thread.tid,
        application_ns: Both::default(),
        calls: Vec::new(),
    });
    if let Some(ns) = thread.application_ns {
        add(&mut pair.application_ns, ns);
    }
    for call in &thread.calls {
        let name = canonical(&call.name);
        let at = pair.calls.iter().position(|known| known.call == name);
        let at = at.unwrap_or_else(|| {
            pair.calls.push(CallPair {
                call: name.to_owned(),
                ns: Both::default(),
            });
            pair.calls.len() - 1
        });
        if let Some(known) = pair.calls.get_mut(at) {
            add(&mut known.ns, call.ns);
        }
    }
}
