//! Whether wakeups and forks depend on each other in a circle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::workload::{Start, WorkKind, Workload};

/// Tasks that wait for each other.
pub(super) struct Circle {
    /// Their pids, each of which waits for the next.
    pub tasks: Vec<i32>,
    /// The events that they cannot do, as far as there are any.
    pub events: Vec<u32>,
}

/// Does all that can be done, whatever the times: what is left are circles.
pub(super) fn find(workload: &Workload) -> Option<Circle> {
    let mut done: Vec<u32> = workload.tasks.iter().map(|task| task.events.start).collect();
    let mut begun: Vec<bool> = workload.tasks.iter().map(|task| task.start != Start::Forked).collect();
    // By task: who waits until it has done its events before this one.
    let mut waiting: Vec<BinaryHeap<Reverse<(u32, u32)>>> = vec![BinaryHeap::new(); workload.tasks.len()];
    let mut ready: Vec<u32> = (0..)
        .zip(&begun)
        .filter(|(_, &begun)| begun)
        .map(|(task, _)| task)
        .collect();
    while let Some(who) = ready.pop() {
        let Some(task) = workload.tasks.get(who as usize) else {
            continue;
        };
        let mut at = done.get(who as usize).copied().unwrap_or(task.events.end);
        while at < task.events.end {
            match workload.events.get(at as usize).map(|event| event.kind) {
                Some(WorkKind::Woken { waker, event, .. }) => {
                    let needed = needed(workload, waker, event);
                    let has = begun.get(waker as usize).copied().unwrap_or(true);
                    let by = if waker == who {
                        at
                    } else {
                        done.get(waker as usize).copied().unwrap_or(u32::MAX)
                    };
                    if !has || by < needed {
                        if let Some(waiting) = waiting.get_mut(waker as usize) {
                            waiting.push(Reverse((needed, who)));
                        }
                        break;
                    }
                }
                Some(WorkKind::Fork { child }) => {
                    if let Some(begun) = begun.get_mut(child as usize).filter(|begun| !**begun) {
                        *begun = true;
                        ready.push(child);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(done) = done.get_mut(who as usize) {
            *done = at;
        }
        if let Some(waiting) = waiting.get_mut(who as usize) {
            while let Some(&Reverse((_, wakee))) = waiting.peek().filter(|Reverse((needed, _))| *needed <= at) {
                waiting.pop();
                ready.push(wakee);
            }
        }
    }
    let stuck = |who: u32| {
        let task = workload.tasks.get(who as usize)?;
        let at = *done.get(who as usize)?;
        (at < task.events.end || !*begun.get(who as usize)?).then_some((task, at))
    };
    // From any of them on, each waits for the next; at last one comes again.
    let first = (0..workload.tasks.len() as u32).find(|&who| stuck(who).is_some())?;
    let mut path: Vec<u32> = Vec::new();
    let mut places: Vec<Option<usize>> = vec![None; workload.tasks.len()];
    let mut who = first;
    let from = loop {
        let place = places.get_mut(who as usize);
        if let Some(at) = place.and_then(|place| place.replace(path.len())) {
            break at;
        }
        path.push(who);
        let next = stuck(who).and_then(
            |(task, at)| match workload.events.get(at as usize).map(|event| event.kind) {
                Some(WorkKind::Woken { waker, .. }) if begun.get(who as usize) == Some(&true) => Some(waker),
                _ => task.parent,
            },
        );
        match next {
            Some(next) if stuck(next).is_some() => who = next,
            _ => break path.len() - 1,
        }
    };
    let circle = path.get(from..).unwrap_or_default();
    let events = circle.iter().filter_map(|&who| stuck(who)).map(|(_, at)| at);
    let pids = circle
        .iter()
        .filter_map(|&who| Some(workload.tasks.get(who as usize)?.pid));
    Some(Circle {
        tasks: pids.collect(),
        events: events.collect(),
    })
}

/// How far a waker has to be for a wakeup.
fn needed(workload: &Workload, waker: u32, event: u32) -> u32 {
    let end = workload.tasks.get(waker as usize).map_or(0, |waker| waker.events.end);
    event.min(end)
}
