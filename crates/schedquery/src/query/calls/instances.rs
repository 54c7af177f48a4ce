//! Calls one by one.

use super::answer::Split;
use super::split::ThreadStates;
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::{Call, Thread};
use crate::query::select::refs::RunPlace;
use schedmodel::Time;
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use ts_rs::TS;

/// A call that returned.
#[derive(Clone, Debug, Serialize, TS)]
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
    pub comm: Cow<'a, str>,
    /// Its name.
    pub call: Cow<'static, str>,
    /// Its number.
    pub nr: i32,
    /// Whether it is named by the table of 32-bit tasks.
    pub compat: bool,
    /// What it returned.
    pub ret: i64,
    /// The name of the error that it returned; null if it returned none, or one without a name.
    pub error: Option<&'static str>,
    /// The same for people: with the error's name, and addresses in hexadecimal.
    pub returned: String,
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
        each(&CallInstance::of(asked, thread, &call, states))?;
    }
    Ok(())
}

impl<'a> CallInstance<'a> {
    fn of(asked: &Asked<'a>, thread: &Thread, call: &Call, states: &ThreadStates) -> CallInstance<'a> {
        let compat = asked.names.is_compat(thread, call.comm);
        let name = asked.names.name(call.number, compat);
        CallInstance {
            at_ns: Time(call.at),
            duration_ns: call.ns,
            cpu: asked.trace.cpu_at(call.lane),
            pid: thread.pid,
            generation: thread.generation,
            comm: Cow::Borrowed(asked.calls.comms.name(call.comm)),
            nr: call.number,
            compat,
            ret: call.ret,
            error: sysnames::error_name(call.ret),
            returned: sysnames::returned(&name, call.ret),
            call: name,
            split: states.split(asked, call.at..call.end()),
        }
    }
}

/// A call that returned, and where to look for why it took so long.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallPlace {
    /// The call.
    #[serde(flatten)]
    pub call: CallInstance<'static>,
    /// Its thread's task.
    pub task: Option<u32>,
    /// The run with which the thread went on after it had waited for the last time, or else the one in which it entered: the
    /// wakeup chain of that run is what ended the call.
    pub run: Option<RunPlace>,
}

impl CallPlace {
    pub(super) fn of(asked: &Asked<'_>, thread: &Thread, call: &Call) -> CallPlace {
        let states = ThreadStates::new(asked, thread);
        let run = states.run_after_wait(&(call.at..call.end()));
        let run = run.map(|run| asked.runs.decode(run));
        let found = CallInstance::of(asked, thread, call, &states);
        CallPlace {
            call: CallInstance {
                comm: Cow::Owned(found.comm.into_owned()),
                ..found
            },
            task: thread.task.map(|task| task.0),
            run: run.map(|run| RunPlace::of(asked.trace, run.lane, run.index)),
        }
    }
}

/// The complete call in which a thread, a pid and a generation, was at an instant; `net`: as in [`CallsQuery`].
pub(crate) fn call_at(model: CallModel<'_>, thread: (i32, u32), at: u64, net: bool) -> Option<CallPlace> {
    let query = CallsQuery {
        net,
        ..CallsQuery::default()
    };
    let chosen = Chosen::new(model.trace, query);
    let asked = chosen.of(model);
    let threads = &model.calls.threads;
    let found = threads.binary_search_by_key(&thread, |thread| (thread.pid, thread.generation));
    let thread = threads.get(found.ok()?)?;
    let calls = model.calls.overlapping(thread, &(at..at.saturating_add(1)));
    let mut calls = model.calls.some(thread, calls);
    let call = calls.find(|call| at == call.at || (call.at..call.end()).contains(&at))?;
    Some(CallPlace::of(&asked, thread, &call))
}
