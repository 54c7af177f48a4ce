//! Work-conservation violations: intervals in which some task waits while some CPU is idle.

use super::name::TaskName;
use super::selected::Selected;
use super::selection::Selection;
use crate::sched::{Step, TaskCommId, Trace, Who};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What every list of violations has to say of itself.
pub const AFFINITY_CAVEAT: &str =
    "a trace holds no affinity masks: a task that may not run on the idle CPUs looks like one that the scheduler forgot";

/// The JSON of `corelane overload`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverloadReport {
    /// Violations of at least the least duration.
    pub count: u64,
    /// How long they last together.
    pub violation_ns: u64,
    /// What they cost together.
    pub cost_task_ns: u64,
    /// The costliest, costliest first.
    pub intervals: Vec<Violation>,
    /// What the numbers cannot know.
    pub caveat: &'static str,
}

/// A maximal interval in which some task waits and some CPU is idle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// First ns.
    pub start_ns: u64,
    /// First ns after it.
    pub end_ns: u64,
    /// From one to the other.
    pub duration_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// Most tasks that waited at once.
    pub waiting_max: u32,
    /// Who waited, longest first.
    pub tasks: Vec<Waited>,
    /// Which CPUs idled, by number.
    pub idle_cpus: Vec<Idled>,
}

/// A task that waited meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waited {
    /// Which.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long of the interval.
    pub waited_ns: u64,
}

/// A CPU that idled meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Idled {
    /// Which.
    pub cpu: u32,
    /// How long of the interval.
    pub idle_ns: u64,
}

/// A violation, relative to the trace's first record.
#[derive(Clone, Copy)]
struct Stretch {
    from: u64,
    to: u64,
    cost: u64,
    waiting_max: u32,
}

/// The `top` costliest violations among those of at least `min_duration` ns.
pub fn overload(trace: &Trace, selection: &Selection, min_duration: u64, top: usize) -> OverloadReport {
    let selected = Selected::new(trace, selection);
    let mut stretches = stretches(&selected);
    stretches.retain(|stretch| min_duration <= stretch.to - stretch.from);
    let sum = |of: fn(&Stretch) -> u64| stretches.iter().map(of).fold(0, u64::saturating_add);
    let (violation_ns, cost_task_ns) = (sum(|stretch| stretch.to - stretch.from), sum(|stretch| stretch.cost));
    let count = stretches.len() as u64;
    stretches.sort_unstable_by_key(|stretch| (Reverse(stretch.cost), stretch.from));
    stretches.truncate(top);
    OverloadReport {
        count,
        violation_ns,
        cost_task_ns,
        intervals: explain(&selected, stretches),
        caveat: AFFINITY_CAVEAT,
    }
}

fn stretches(selected: &Selected) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for Step { from, to, counts } in selected.steps().within(selected.closed_window()) {
        if !counts.violates() {
            continue;
        }
        let cost = (to - from).saturating_mul(u64::from(counts.waiting.min(counts.idle)));
        match found.last_mut().filter(|last| last.to == from) {
            Some(last) => {
                last.to = to;
                last.cost = last.cost.saturating_add(cost);
                last.waiting_max = last.waiting_max.max(counts.waiting);
            }
            None => found.push(Stretch {
                from,
                to,
                cost,
                waiting_max: counts.waiting,
            }),
        }
    }
    found
}

/// Says who waited and who idled in each of some disjoint stretches; keeps their order.
fn explain(selected: &Selected, stretches: Vec<Stretch>) -> Vec<Violation> {
    let trace = selected.trace;
    let mut by_time: Vec<usize> = (0..stretches.len()).collect();
    by_time.sort_unstable_by_key(|&index| stretches[index].from);
    // Calls `add` with each stretch that overlaps, and by how much.
    let overlaps = |from: u64, to: u64, add: &mut dyn FnMut(usize, u64)| {
        let first = by_time.partition_point(|&index| stretches[index].to <= from);
        for &index in &by_time[first..] {
            let (start, end) = (stretches[index].from.max(from), stretches[index].to.min(to));
            if end <= start {
                return;
            }
            add(index, end - start);
        }
    };
    let mut waited = vec![BTreeMap::<TaskCommId, u64>::new(); stretches.len()];
    selected.waits(|id, since, until| {
        overlaps(since, until, &mut |index, ns| {
            *waited[index].entry(id).or_default() += ns
        });
    });
    let mut idled = vec![BTreeMap::<u32, u64>::new(); stretches.len()];
    for (lane_index, lane) in selected.lanes() {
        for idle in lane.intervals().filter(|interval| interval.who == Who::Idle) {
            let cpu = trace.cpus[lane_index];
            overlaps(idle.start, idle.end, &mut |index, ns| {
                *idled[index].entry(cpu).or_default() += ns
            });
        }
    }
    let both = stretches.iter().zip(waited.into_iter().zip(idled));
    both.map(|(stretch, (waited, idled))| {
        let mut waited: Vec<_> = waited.into_iter().collect();
        waited.sort_by_key(|&(id, ns)| (Reverse(ns), id));
        let tasks = waited.into_iter().map(|(id, waited_ns)| Waited {
            task: TaskName::of(trace, id),
            waited_ns,
        });
        Violation {
            start_ns: trace.base_ns + stretch.from,
            end_ns: trace.base_ns + stretch.to,
            duration_ns: stretch.to - stretch.from,
            cost_task_ns: stretch.cost,
            waiting_max: stretch.waiting_max,
            tasks: tasks.collect(),
            idle_cpus: idled.into_iter().map(|(cpu, idle_ns)| Idled { cpu, idle_ns }).collect(),
        }
    })
    .collect()
}
