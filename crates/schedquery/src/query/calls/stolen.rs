//! What interrupts took: of a CPU or a task in a time, by handler; and in a window, of every CPU, task and command.

use super::CallModel;
use crate::calls::{Interrupt, InterruptTime};
use crate::query::select::refs::RunPlace;
use schedindex::TaskState;
use schedmodel::{TaskId, Time, Trace, Who};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;
use ts_rs::TS;

/// What softirqs are called, by their vectors: `enum` in the kernel's `include/linux/interrupt.h`, without `_SOFTIRQ`.
const SOFTIRQS: [&str; 10] = [
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
];

/// Intervals of a step.
const SOME: usize = if cfg!(debug_assertions) { 3 } else { 4096 };

/// What interrupts took of a time, a ns once however they nest.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Stolen {
    /// Hardirqs and vectors.
    pub hard_ns: u64,
    /// Softirqs, without the hardirqs that interrupted them.
    pub soft_ns: u64,
    /// The handlers, those that took most first.
    pub handlers: Vec<IrqTime>,
    /// The longest that overlaps the time; of several, the first.
    pub longest: Option<IrqPlace>,
}

/// The kinds of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum IrqKind {
    /// Of a device.
    Hardirq,
    /// A vector of x86.
    Vector,
    /// Of a softirq.
    Softirq,
}

/// A handler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
pub struct IrqHandler {
    /// Its kind.
    pub kind: IrqKind,
    /// The number of the hardirq, or the vector of the softirq; null for vectors of x86, which have names.
    pub number: Option<u16>,
    /// Its name; empty where no event tells.
    pub name: String,
}

/// How often a handler ran in a time, and for how long.
#[derive(Clone, Debug, Serialize, TS)]
pub struct IrqTime {
    /// Which.
    #[serde(flatten)]
    pub handler: IrqHandler,
    /// How often.
    pub count: u64,
    /// How much of the time it took.
    pub ns: u64,
}

/// A handler at work.
#[derive(Clone, Debug, Serialize, TS)]
pub struct IrqPlace {
    /// Which.
    #[serde(flatten)]
    pub handler: IrqHandler,
    /// Its CPU.
    pub cpu: u32,
    /// When it began.
    pub start_ns: Time,
    /// When it ended.
    pub end_ns: Time,
    /// The thread whose run it interrupted; null where the CPU idled, or that is not known.
    pub pid: Option<i32>,
    /// What that was called.
    pub comm: Option<String>,
    /// The run.
    pub run: Option<RunPlace>,
}

/// What interrupts took in a window.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct StolenIn {
    /// Of CPUs, by their numbers, idle time too.
    pub cpus: Vec<StolenPart>,
    /// Of tasks, by their ids; those of which they took nothing are left out.
    pub tasks: Vec<StolenPart>,
    /// Of commands, by their ids; likewise.
    pub comms: Vec<StolenPart>,
}

/// What interrupts took of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct StolenPart {
    /// Number of the CPU, id of the task, or id of the command.
    pub key: u32,
    /// Hardirqs and vectors.
    pub hard_ns: u64,
    /// Softirqs, without the hardirqs that interrupted them.
    pub soft_ns: u64,
}

impl IrqHandler {
    fn of(interrupt: Interrupt<'_>) -> IrqHandler {
        let (kind, number, name) = match interrupt {
            Interrupt::Hardirq(number, name) => (IrqKind::Hardirq, Some(number), name),
            Interrupt::Vector(name) => (IrqKind::Vector, None, name),
            Interrupt::Softirq(number) => {
                let name = SOFTIRQS.get(usize::from(number)).copied().unwrap_or("");
                (IrqKind::Softirq, Some(number), name)
            }
        };
        IrqHandler {
            kind,
            number,
            name: name.to_owned(),
        }
    }
}

/// Of a CPU; `None` if the trace has none of this number.
pub(crate) fn stolen_of_cpu(model: CallModel<'_>, cpu: u32, time: Range<u64>) -> Option<Stolen> {
    let lane = model.trace.lane_index(cpu)?;
    Some(stolen(model, std::iter::once((lane, time))))
}

/// Of a task's runs; `None` if there is no such task.
pub(crate) fn stolen_of_task(model: CallModel<'_>, task: u32, time: Range<u64>) -> Option<Stolen> {
    let CallModel { trace, runs, .. } = model;
    if trace.tasks.len() <= task as usize {
        return None;
    }
    let states = model.states.of(trace, runs, TaskId(task));
    let first = states.spans().find(time.start).unwrap_or(states.len());
    let intervals = (first..states.len()).map(|index| states.interval(index));
    let parts = intervals
        .take_while(|interval| interval.start < time.end)
        .filter(|interval| interval.state == TaskState::Running)
        .filter_map(|interval| {
            let run = runs.decode(interval.run?);
            let (from, to) = (interval.start.max(time.start), interval.end.min(time.end));
            Some((run.lane, from..to.max(from)))
        });
    Some(stolen(model, parts))
}

fn stolen(model: CallModel<'_>, parts: impl Iterator<Item = (usize, Range<u64>)>) -> Stolen {
    let interrupts = &model.calls.interrupts;
    let mut sums = HashMap::<IrqHandler, (u64, u64)>::new();
    let mut found = Stolen::default();
    let mut longest: Option<(usize, IrqHandler, Range<u64>)> = None;
    for (lane, part) in parts {
        interrupts.handlers(lane, &part, |interrupt, time, ns| {
            let handler = IrqHandler::of(interrupt);
            match handler.kind {
                IrqKind::Softirq => found.soft_ns += ns,
                IrqKind::Hardirq | IrqKind::Vector => found.hard_ns += ns,
            }
            let length = |time: &Range<u64>| time.end - time.start;
            if longest.as_ref().is_none_or(|(.., best)| length(best) < length(&time)) {
                longest = Some((lane, handler.clone(), time));
            }
            let (count, sum) = sums.entry(handler).or_default();
            *count += 1;
            *sum += ns;
        });
    }
    let sums = sums.into_iter();
    found.handlers = sums
        .map(|(handler, (count, ns))| IrqTime { handler, count, ns })
        .collect();
    found
        .handlers
        .sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.handler.cmp(&b.handler)));
    found.longest = longest.map(|(lane, handler, time)| place(model.trace, lane, handler, time));
    found
}

fn place(trace: &Trace, lane: usize, handler: IrqHandler, time: Range<u64>) -> IrqPlace {
    let index = trace.lane_at(lane).find(time.start);
    let run = index.and_then(|index| Some((index, trace.lane_at(lane).run(index)?)));
    IrqPlace {
        handler,
        cpu: trace.cpu_at(lane),
        start_ns: Time(time.start),
        end_ns: Time(time.end),
        pid: run.map(|(_, who)| trace.task_of(who).pid),
        comm: run.map(|(_, who)| trace.comm_of(who).to_owned()),
        run: run.map(|(index, _)| RunPlace::of(trace, lane, index)),
    }
}

/// What interrupts took in a window, being summed.
pub(crate) struct StolenJob {
    window: Range<u64>,
    /// The lane and the interval that are next; the first of a lane is looked for.
    lane: usize,
    index: Option<usize>,
    cpus: Vec<StolenPart>,
    /// By (task, comm).
    pairs: Vec<InterruptTime>,
}

impl StolenJob {
    pub(crate) fn new(trace: &Trace, window: Range<u64>) -> StolenJob {
        StolenJob {
            window: window.start..window.end.min(trace.span_ns).max(window.start),
            lane: 0,
            index: None,
            cpus: Vec::new(),
            pairs: vec![InterruptTime::default(); trace.task_comms.len()],
        }
    }

    /// Works for some milliseconds; false once finished.
    pub(crate) fn step(&mut self, CallModel { trace, calls, .. }: CallModel<'_>) -> bool {
        let interrupts = &calls.interrupts;
        let mut steps = SOME;
        while let Some(lane) = trace.lanes.get(self.lane) {
            if self.index.is_none() {
                let InterruptTime { hard, soft } = interrupts.times_on(self.lane, self.window.clone());
                self.cpus.push(StolenPart {
                    key: trace.cpu_at(self.lane),
                    hard_ns: hard,
                    soft_ns: soft,
                });
            }
            let first = self.index.or_else(|| lane.find(self.window.start)).unwrap_or(0);
            let mut until: Option<(u64, InterruptTime)> = None;
            for index in first..lane.len() {
                let interval = lane.interval(index);
                if self.window.end <= interval.start {
                    break;
                }
                if steps == 0 {
                    self.index = Some(index);
                    return true;
                }
                steps -= 1;
                let Who::Run(who) = interval.who else { continue };
                let (from, to) = (interval.start.max(self.window.start), interval.end.min(self.window.end));
                // Runs mostly begin where the one before ended.
                let before = match until {
                    Some((at, sum)) if at == from => sum,
                    _ => interrupts.until(self.lane, from),
                };
                let after = interrupts.until(self.lane, to.max(from));
                until = Some((to, after));
                if let Some(sum) = self.pairs.get_mut(who.0 as usize) {
                    sum.hard += after.hard - before.hard;
                    sum.soft += after.soft - before.soft;
                }
            }
            self.lane += 1;
            self.index = None;
        }
        false
    }

    /// Share of the work that is done, from 0 to 1.
    pub(crate) fn share(&self, trace: &Trace) -> f64 {
        self.lane as f64 / trace.lanes.len().max(1) as f64
    }

    /// The answer, once `step` has returned false.
    pub(crate) fn answer(self, trace: &Trace) -> StolenIn {
        let mut tasks = vec![InterruptTime::default(); trace.tasks.len()];
        let mut comms = vec![InterruptTime::default(); trace.comms.names().len()];
        let add = |sums: &mut [InterruptTime], key: usize, taken: &InterruptTime| {
            if let Some(sum) = sums.get_mut(key) {
                sum.hard += taken.hard;
                sum.soft += taken.soft;
            }
        };
        for (pair, taken) in trace.task_comms.iter().zip(&self.pairs) {
            add(&mut tasks, pair.task.0 as usize, taken);
            add(&mut comms, pair.comm.0 as usize, taken);
        }
        let parts = |sums: Vec<InterruptTime>| {
            let taken = (0..).zip(sums).filter(|(_, taken)| 0 < taken.hard + taken.soft);
            let part = |(key, InterruptTime { hard, soft })| StolenPart {
                key,
                hard_ns: hard,
                soft_ns: soft,
            };
            taken.map(part).collect()
        };
        StolenIn {
            cpus: self.cpus,
            tasks: parts(tasks),
            comms: parts(comms),
        }
    }
}
