//! Which events a trace does not hold at all, though the scheduler's numbers are made of them.

use schedmodel::{Lane, Trace};
use schedrows::words::counted;

/// Events without which numbers mean nothing; empty for most traces.
///
/// - `sched_switch`: what ran, waited and idled is unknown. All numbers are 0.
/// - `sched_wakeup`: no wakeup made a task runnable. There are no latencies, chains and placements.
pub fn missing_events(trace: &Trace) -> Vec<&'static str> {
    let switched = |lane: &Lane| (0..lane.len()).any(|index| lane.switched_to(index));
    let switch = (!trace.lanes.iter().any(switched)).then_some("sched_switch");
    let wakeup = trace.edges.is_empty().then_some("sched_wakeup");
    switch.into_iter().chain(wakeup).collect()
}

/// What to say in place of numbers that are all 0, and what to do: of a trace without any `sched_switch`.
pub fn nothing_to_count(trace: &Trace) -> Option<String> {
    if !missing_events(trace).contains(&"sched_switch") {
        return None;
    }
    let others = trace.records.saturating_sub(trace.sched_events);
    let held = match (trace.sched_events, others) {
        (0, others) => format!(
            "this file holds no scheduler events ({} of other kinds)",
            counted(others, "event")
        ),
        (some, others) => format!(
            "this file holds no sched_switch, so when tasks ran is unknown ({}, {} of other kinds)",
            counted(some, "scheduler event"),
            counted(others, "event")
        ),
    };
    Some(format!("{held}; record with -e sched"))
}
