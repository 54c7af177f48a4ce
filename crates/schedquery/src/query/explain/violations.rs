//! The waiting tasks and idle CPUs of the stretches in which both were there.

use crate::number_map::NumberMap;
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::stretches::{ByTime, Stretch};
use crate::query::select::top::Top;
use schedindex::{waiter_in_doubt, Waiter};
use schedmodel::{TaskCommId, TaskId, Time, Trace};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use ts_rs::TS;

/// A maximal interval in which some task waits (behind another) and some CPU is idle (spare).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Violation {
    /// First ns.
    pub start_ns: Time,
    /// First ns after it.
    pub end_ns: Time,
    /// Its length.
    pub duration_ns: u64,
    /// Integral of min(waiting tasks, idle CPUs).
    pub cost_task_ns: u64,
    /// The most tasks that waited at any time.
    pub waiting_max: u32,
    /// The tasks that waited, longest first.
    pub tasks: Vec<Waited>,
    /// How many tasks waited, listed or not.
    pub tasks_total: usize,
    /// The CPUs that idled, by number.
    pub idle_cpus: Vec<Idled>,
    /// Records are missing while one of the tasks waited, so it may have run and slept, unseen.
    pub uncertain: bool,
}

/// A task that waited during the interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Waited {
    /// The task, once, by its name in the last of its waits.
    #[serde(flatten)]
    pub task: TaskName,
    /// How long it waited in the interval.
    pub waited_ns: u64,
    /// The run that the last of its waits led to; null if the trace has none.
    pub run: Option<RunPlace>,
}

/// A CPU that idled during the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Idled {
    /// The CPU.
    pub cpu: u32,
    /// How long it idled in the interval.
    pub idle_ns: u64,
}

/// Tasks and CPUs of violations that are told in a step: about a millisecond.
const TOLD: usize = if cfg!(debug_assertions) { 2 } else { 1 << 14 };

/// How long a task waited; the last run that a wait led to, and what the task was called then.
type Waiting = (u64, Option<(u64, usize, usize)>, TaskCommId);

/// The waiting tasks and idle CPUs of some disjoint stretches, in the stretches' order.
#[derive(Debug)]
pub(crate) struct Violations {
    stretches: ByTime,
    waited: Vec<NumberMap<TaskId, Waiting>>,
    idled: Vec<BTreeMap<u32, u64>>,
    /// By stretch.
    uncertain: Vec<bool>,
    /// The most tasks that are told of each; the others are counted.
    most_tasks: usize,
    told: Vec<Violation>,
}

impl Violations {
    pub(crate) fn new(stretches: Vec<Stretch>, most_tasks: usize) -> Violations {
        Violations {
            waited: vec![NumberMap::default(); stretches.len()],
            idled: vec![BTreeMap::new(); stretches.len()],
            uncertain: vec![false; stretches.len()],
            stretches: ByTime::new(stretches),
            most_tasks,
            told: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.stretches.is_empty()
    }

    /// The time in which all of them are.
    pub(crate) fn span(&self) -> Range<u64> {
        let all = || self.stretches.stretches.iter();
        let (from, to) = (
            all().map(|stretch| stretch.from).min(),
            all().map(|stretch| stretch.to).max(),
        );
        from.unwrap_or(0)..to.unwrap_or(0)
    }

    /// Adds a wait of a task; `counts` gives how much of a part of that time counts.
    pub(crate) fn waited(
        &mut self,
        trace: &Trace,
        waiter: Waiter,
        since: u64,
        until: u64,
        mut counts: impl FnMut(u64, u64) -> u64,
    ) {
        let (waited, uncertain) = (&mut self.waited, &mut self.uncertain);
        self.stretches.overlaps(since, until, |number, from, to| {
            let ns = counts(from, to);
            // Every stretch has both.
            let of_stretch = waited.get_mut(number).zip(uncertain.get_mut(number));
            if let Some((waited, uncertain)) = of_stretch.filter(|_| 0 < ns) {
                *uncertain = *uncertain || waiter_in_doubt(trace, &waiter, since, until);
                let task = trace.task_comm(waiter.who).task;
                let waiting = waited.entry(task).or_insert((0, waiter.run, waiter.who));
                waiting.0 += ns;
                (waiting.1, waiting.2) = (waiting.1, waiting.2).max((waiter.run, waiter.who));
            }
        });
    }

    /// Adds idle time of a CPU; `counts` as in [`Violations::waited`].
    pub(crate) fn idled(&mut self, cpu: u32, from: u64, to: u64, mut counts: impl FnMut(u64, u64) -> u64) {
        let idled = &mut self.idled;
        self.stretches.overlaps(from, to, |number, from, to| {
            let ns = counts(from, to);
            if let Some(idled) = idled.get_mut(number).filter(|_| 0 < ns) {
                *idled.entry(cpu).or_default() += ns;
            }
        });
    }

    /// Tells more of them, once all waits and idle times are added; false once all are told. Of a large machine thousands of
    /// tasks wait at once.
    pub(crate) fn tell(&mut self, trace: &Trace) -> bool {
        let mut left = TOLD;
        while 0 < left {
            let number = self.told.len();
            let Some(&stretch) = self.stretches.stretches.get(number) else {
                return false;
            };
            let waited = self.waited.get_mut(number).map(std::mem::take).unwrap_or_default();
            let idled = self.idled.get_mut(number).map(std::mem::take).unwrap_or_default();
            left = left.saturating_sub(1 + waited.len() + idled.len());
            let uncertain = self.uncertain.get(number) == Some(&true);
            self.told
                .push(told(trace, stretch, waited, idled, uncertain, self.most_tasks));
        }
        true
    }

    /// All of them, once `tell` has returned false.
    pub(crate) fn into_told(self) -> Vec<Violation> {
        self.told
    }
}

fn told(
    trace: &Trace,
    stretch: Stretch,
    waited: NumberMap<TaskId, Waiting>,
    idled: BTreeMap<u32, u64>,
    uncertain: bool,
    most_tasks: usize,
) -> Violation {
    let tasks_total = waited.len();
    let mut longest = Top::new(most_tasks);
    for (task, (ns, run, id)) in waited {
        longest.push((Reverse(ns), task, id, run));
    }
    let tasks = longest.into_sorted().into_iter();
    let tasks = tasks.map(|(Reverse(waited_ns), _, id, run)| Waited {
        task: TaskName::of(trace, id),
        waited_ns,
        run: run.map(|(_, lane, index)| RunPlace::of(trace, lane, index)),
    });
    let idled = idled.into_iter().map(|(cpu, idle_ns)| Idled { cpu, idle_ns });
    Violation {
        start_ns: Time(stretch.from),
        end_ns: Time(stretch.to),
        duration_ns: stretch.to - stretch.from,
        cost_task_ns: stretch.cost,
        waiting_max: stretch.waiting_max,
        tasks: tasks.collect(),
        tasks_total,
        idle_cpus: idled.collect(),
        uncertain,
    }
}
