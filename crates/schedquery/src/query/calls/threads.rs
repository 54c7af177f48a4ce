//! Threads in calls and outside.

use super::answer::CallThread;
use super::split::ThreadStates;
use super::Asked;
use crate::calls::{StretchKind, Thread};
use schedmodel::{CommId, Time};

/// The row of a thread; `None` if it does not live in the window, or never has a name that is selected.
pub(super) fn thread_row(asked: &Asked<'_>, thread: &Thread, states: &ThreadStates<'_>) -> Option<CallThread> {
    let (from, to) = (
        thread.life.start.max(asked.window.start),
        thread.life.end.min(asked.window.end),
    );
    let comms = comms(asked, thread);
    let is_named = comms.is_empty() || comms.iter().any(|&comm| asked.has_comm(comm));
    if to <= from || !is_named {
        return None;
    }
    let clip = |start: u64, end: u64| {
        let start = start.clamp(from, to);
        start..end.clamp(start, to)
    };
    let (mut in_calls, mut oncpu, mut in_doubt) = (0, 0, 0);
    for call in asked.calls.of(thread) {
        let part = clip(call.at, call.end());
        if !part.is_empty() {
            in_calls += part.end - part.start;
            oncpu += states.ran(part);
        }
    }
    for stretch in &thread.stretches {
        let part = clip(stretch.time.start, stretch.time.end);
        let length = part.end - part.start;
        match stretch.kind {
            StretchKind::Unknown => in_doubt += states.ran(part),
            StretchKind::Begun | StretchKind::Unfinished(_) => {
                in_calls += length;
                oncpu += states.ran(part);
            }
        }
    }
    let running = states.ran(from..to);
    let known = asked.calls.has_sched;
    let names = comms.iter().map(|&comm| asked.calls.comms.name(comm).to_owned());
    Some(CallThread {
        pid: thread.pid,
        generation: thread.generation,
        comms: names.filter(|name| !name.is_empty()).collect(),
        first_ns: Time(from),
        last_ns: Time(to),
        running_ns: known.then_some(running),
        in_calls_ns: in_calls,
        oncpu_in_calls_ns: known.then_some(oncpu),
        outside_oncpu_ns: known.then_some(running.saturating_sub(oncpu + in_doubt)),
    })
}

/// What a thread was called: when it ran, and when it entered calls.
fn comms(asked: &Asked<'_>, thread: &Thread) -> Vec<CommId> {
    let pairs = thread.task.map_or(&[][..], |task| asked.runs.pairs_of(task));
    let mut comms: Vec<CommId> = pairs.iter().map(|&pair| asked.trace.task_comm(pair).comm).collect();
    let called = asked.calls.of(thread).map(|call| call.comm);
    let unfinished = thread.stretches.iter().filter_map(|stretch| match stretch.kind {
        StretchKind::Unfinished(what) => Some(what.comm),
        _ => None,
    });
    for comm in called.chain(unfinished) {
        if !comms.contains(&comm) {
            comms.push(comm);
        }
    }
    comms
}
