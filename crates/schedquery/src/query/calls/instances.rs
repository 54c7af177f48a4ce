//! Calls one by one.

use super::answer::Split;
use super::split::ThreadStates;
use super::Asked;
use crate::calls::{Call, Thread};
use schedmodel::Time;
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;

/// A call that returned.
#[derive(Clone, Debug, Serialize)]
pub struct CallInstance<'a> {
    /// When it was entered.
    pub at_ns: Time,
    /// How long it took.
    pub duration_ns: u64,
    /// The CPU on which it was entered.
    pub cpu: u32,
    /// Its thread.
    pub pid: i32,
    /// Which of the tasks that had this pid.
    pub generation: u32,
    /// What the thread was called.
    pub comm: &'a str,
    /// Its name.
    pub call: Cow<'static, str>,
    /// Its number.
    pub nr: i32,
    /// What it returned.
    pub ret: i64,
    /// The name of the error that it returned; null if it returned none, or one without a name.
    pub error: Option<&'static str>,
    /// What its thread did meanwhile.
    #[serde(flatten)]
    pub split: Split,
}

pub(super) fn each<E>(asked: &Asked<'_>, mut each: impl FnMut(&CallInstance<'_>) -> Result<(), E>) -> Result<(), E> {
    let mut found: Vec<(Call, &Thread)> = Vec::new();
    for thread in asked.calls.threads.iter().filter(|thread| asked.has_thread(thread)) {
        let name = |call: &Call| asked.names.name(call.number, asked.names.is_compat(thread, call.comm));
        let wanted = asked.calls.of(thread).filter(|call| asked.has_call(call));
        found.extend(
            wanted
                .filter(|call| asked.has_name(&name(call)))
                .map(|call| (call, thread)),
        );
    }
    if let Some(top) = asked.query.top {
        found.sort_by_key(|(call, thread)| (Reverse(call.ns), call.at, thread.pid));
        found.truncate(top);
    }
    found.sort_by_key(|(call, thread)| (call.at, thread.pid, thread.generation));
    let mut states = std::collections::HashMap::new();
    for (call, thread) in found {
        let of = |_: &_| ThreadStates::new(asked, thread);
        let states = states.entry((thread.pid, thread.generation)).or_insert_with_key(of);
        each(&CallInstance {
            at_ns: Time(call.at),
            duration_ns: call.ns,
            cpu: asked.trace.cpu_at(call.lane),
            pid: thread.pid,
            generation: thread.generation,
            comm: asked.calls.comms.name(call.comm),
            call: asked.names.name(call.number, asked.names.is_compat(thread, call.comm)),
            nr: call.number,
            ret: call.ret,
            error: sysnames::error_name(call.ret),
            split: states.split(call.at..call.end()),
        })?;
    }
    Ok(())
}
