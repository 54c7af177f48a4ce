//! Wake-up latencies, waits and run lengths: how they spread, and the worst latencies.
//!
//! A wakeup lies where its clock starts, a wait where it begins, a run where it begins; none is clipped to the window,
//! since a part of a duration is no duration. Each belongs to the CPU and the comm of the run that it led to (or is).

use super::answer::{wake_event_name, waker_context_name};
use super::name::TaskName;
use super::pick::{idle_cpus, waker_of};
use super::placement::is_free;
use super::selected::{Run, Selected, Woken};
use super::selection::Selection;
use super::spread::{Measured, Spread};
use crate::scan::StateCode;
use crate::sched::{TaskCommId, Trace, WaitCause};
use serde::Serialize;
use std::cmp::Reverse;

/// What makes a group of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// The comm of the run.
    #[default]
    Command,
    /// The task.
    Task,
    /// The CPU of the run.
    Cpu,
}

/// The JSON of `corelane latency`; times are absolute trace times, durations in ns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Wakeups that led to a switch-in.
    pub count: usize,
    /// Their latencies: from the wakeup to the switch-in.
    pub latency_ns: Spread,
    /// The longest, longest first.
    pub worst: Vec<WorstLatency>,
    /// From any moment a task became runnable to the switch-in.
    pub waits: Waits,
    /// How long tasks ran at a stretch.
    pub runs: RunLengths,
    /// The same for each command, task or CPU, most wakeups first.
    pub groups: Vec<LatencyGroup>,
}

/// One of the longest wake-up latencies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorstLatency {
    /// Start of the clock.
    pub at_ns: u64,
    /// From there to the switch-in.
    pub latency_ns: u64,
    /// Which event started the clock.
    pub event: &'static str,
    /// When the wakee became runnable; null where no `sched_wakeup` tells.
    pub woken_ns: Option<u64>,
    /// The switch-in.
    pub running_ns: u64,
    /// Thread id.
    pub wakee_pid: i32,
    /// Of the pid.
    pub wakee_generation: u32,
    /// In the run.
    pub wakee_comm: String,
    /// -1 when not known, 0 for idle.
    pub waker_pid: i32,
    /// Empty when not known.
    pub waker_comm: String,
    /// `task`, `hardirq`, `softirq` or `unknown`.
    pub waker_context: &'static str,
    /// Where the clock's event was written.
    pub waker_cpu: u32,
    /// Where the wakee last ran, as `sched_waking` says.
    pub previous_cpu: Option<u32>,
    /// Where it was put, as `sched_wakeup` says.
    pub chosen_cpu: Option<u32>,
    /// Where it ran.
    pub cpu: u32,
    /// The CPUs that were idle at `at_ns`.
    pub idle_cpus: Vec<u32>,
    /// The last CPU was idle then, with nothing on its way to it; null where it is not known.
    pub previous_was_free: Option<bool>,
}

/// Waits that a switch-in ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// All.
    pub all: Measured,
    /// Begun by a wakeup.
    pub woken: Measured,
    /// Begun by a preemption (or a yield).
    pub preempted: Measured,
}

/// Runs whose begin and end the trace tells, by why they ended. The mean length of all runs is not the time slice: that
/// shows at most in those that were preempted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunLengths {
    /// All.
    pub all: Measured,
    /// Switched out while runnable: preempted, or by yielding.
    pub preempted: Measured,
    /// Slept, blocked or stopped.
    pub slept: Measured,
    /// Exited.
    pub exited: Measured,
    /// Not measured: their begin or end is not in the trace.
    pub cut: usize,
}

/// What a group is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GroupName {
    /// A command.
    Command {
        /// Its comm.
        comm: String,
    },
    /// A task, under its last comm.
    Task(TaskName),
    /// A CPU.
    Cpu {
        /// Its number.
        cpu: u32,
    },
}

/// The numbers of one command, task or CPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencyGroup {
    /// Which.
    #[serde(flatten)]
    pub name: GroupName,
    /// Wake-up latencies.
    pub wakeups: Measured,
    /// Waits.
    pub waits: Waits,
    /// Run lengths.
    pub runs: RunLengths,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It stayed runnable.
    Preempted,
    /// It slept, blocked or stopped.
    Slept,
    /// It is gone.
    Exited,
}

impl RunEnd {
    /// What a `prev_state` says; `None` for one that the trace does not explain.
    pub fn of(state: StateCode) -> Option<RunEnd> {
        match state.letter() {
            b'R' => Some(RunEnd::Preempted),
            b'X' | b'Z' | b'x' => Some(RunEnd::Exited),
            b'?' | 0 => None,
            // A preempted task stays runnable whatever state it had set before.
            _ if state.preempted() => Some(RunEnd::Preempted),
            _ => Some(RunEnd::Slept),
        }
    }
}

/// Wake-up latencies, waits and run lengths of a selection, with the `top` worst latencies.
pub fn latency(trace: &Trace, selection: &Selection, by: GroupBy, top: usize) -> Latency {
    let selected = Selected::new(trace, selection);
    let mut samples = Samples::default();
    let mut wakeups: Vec<(u64, u64, usize)> = Vec::new();
    for woken in selected.wakeups() {
        wakeups.push((woken.latency, woken.edge.at, woken.number));
        samples
            .wakeups
            .push((key(trace, by, woken.id, woken.lane), woken.latency));
    }
    for run in selected.runs() {
        samples.add(key(trace, by, run.id, run.lane), &selected, &run);
    }
    // The longest first; of equal ones the earliest, and the task that appeared first.
    let order = |&(latency, at, number): &(u64, u64, usize)| (Reverse(latency), at, number);
    if top < wakeups.len() {
        wakeups.select_nth_unstable_by_key(top, order);
        wakeups.truncate(top);
    }
    wakeups.sort_unstable_by_key(order);
    let worst = wakeups
        .iter()
        .filter_map(|&(_, _, number)| {
            let wakee = trace.edges.wakee(number);
            Some(worst(trace, &selected.woken(wakee, number)?))
        })
        .collect();
    let (count, groups) = (samples.wakeups.len(), samples.groups(trace, by));
    let all = samples.all();
    Latency {
        count,
        latency_ns: all.wakeups.ns,
        worst,
        waits: all.waits,
        runs: all.runs,
        groups,
    }
}

fn worst(trace: &Trace, woken: &Woken) -> WorstLatency {
    let (edge, wakee) = (&woken.edge, trace.task(woken.wakee));
    let waker = waker_of(trace, edge);
    let absolute = |time: u64| trace.base_ns + time;
    WorstLatency {
        at_ns: absolute(edge.at),
        latency_ns: woken.latency,
        event: wake_event_name(edge.event),
        woken_ns: edge.woken.map(absolute),
        running_ns: absolute(edge.at + woken.latency),
        wakee_pid: wakee.pid,
        wakee_generation: wakee.generation,
        wakee_comm: trace.comm_of(woken.id).to_owned(),
        waker_pid: waker.as_ref().map_or(-1, |waker| waker.pid),
        waker_comm: waker.map_or(String::new(), |waker| waker.comm),
        waker_context: waker_context_name(edge.context),
        waker_cpu: edge.waker_cpu,
        previous_cpu: edge.previous_cpu,
        chosen_cpu: edge.chosen_cpu,
        cpu: trace.cpus[woken.lane],
        idle_cpus: idle_cpus(trace, edge.at),
        previous_was_free: edge.previous_cpu.and_then(|cpu| is_free(trace, cpu, edge.at)),
    }
}

/// Which group something belongs to: ids of comms, tasks or lanes.
fn key(trace: &Trace, by: GroupBy, id: TaskCommId, lane: usize) -> u32 {
    match by {
        GroupBy::Command => trace.task_comm(id).comm.0,
        GroupBy::Task => trace.task_comm(id).task.0,
        GroupBy::Cpu => lane as u32,
    }
}

/// (group, ns) of everything measured.
type Keyed = Vec<(u32, u64)>;

#[derive(Default)]
struct Samples {
    wakeups: Keyed,
    woken: Keyed,
    preempted: Keyed,
    /// By [`RunEnd`].
    runs: [Keyed; 3],
    /// Groups of runs that are cut.
    cut: Vec<u32>,
}

/// All that is measured of one group, or of all.
struct Numbers {
    wakeups: Measured,
    waits: Waits,
    runs: RunLengths,
}

impl Samples {
    fn add(&mut self, key: u32, selected: &Selected, run: &Run) {
        let window = &selected.window;
        let Run { interval, .. } = *run;
        if let Some(wait) = run.wait.filter(|wait| window.contains(&wait.since)) {
            let waits = match wait.cause {
                WaitCause::Wakeup => &mut self.woken,
                WaitCause::Preempted => &mut self.preempted,
            };
            waits.push((key, interval.start - wait.since));
        }
        if !window.contains(&interval.start) {
            return;
        }
        let lane = &selected.trace.lanes[run.lane];
        let end = lane.end_state(run.index).filter(|_| lane.switched_to(run.index));
        match end.and_then(RunEnd::of) {
            Some(end) => self.runs[end as usize].push((key, interval.end - interval.start)),
            None => self.cut.push(key),
        }
    }

    /// The numbers of each group; leaves the samples sorted by group.
    fn groups(&mut self, trace: &Trace, by: GroupBy) -> Vec<LatencyGroup> {
        let runs = self.runs.iter_mut();
        for samples in runs.chain([&mut self.wakeups, &mut self.woken, &mut self.preempted]) {
            samples.sort_unstable();
        }
        self.cut.sort_unstable();
        let all = [&self.wakeups, &self.woken, &self.preempted]
            .into_iter()
            .chain(&self.runs);
        let mut keys: Vec<u32> = all
            .flat_map(|samples| samples.chunk_by(|a, b| a.0 == b.0))
            .map(|group| group[0].0)
            .chain(self.cut.iter().copied())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut groups: Vec<LatencyGroup> = keys
            .into_iter()
            .map(|key| {
                let numbers = self.numbers(|samples| of_group(samples, key).to_vec(), Some(key));
                LatencyGroup {
                    name: name(trace, by, key),
                    wakeups: numbers.wakeups,
                    waits: numbers.waits,
                    runs: numbers.runs,
                }
            })
            .collect();
        if by != GroupBy::Cpu {
            // Stable: ties stay in order of first appearance.
            groups.sort_by_key(|group| Reverse((group.wakeups.count, group.runs.all.count)));
        }
        groups
    }

    fn all(&self) -> Numbers {
        self.numbers(Vec::clone, None)
    }

    fn numbers(&self, pick: impl Fn(&Keyed) -> Keyed, key: Option<u32>) -> Numbers {
        let values = |keyed: &Keyed| -> Vec<u64> {
            let mut values: Vec<u64> = pick(keyed).into_iter().map(|(_, ns)| ns).collect();
            values.sort_unstable();
            values
        };
        let both = |parts: &[&[u64]]| {
            let mut values = parts.concat();
            // Stable: merges the parts, which are sorted.
            values.sort();
            Measured::of(&values)
        };
        let (woken, preempted) = (values(&self.woken), values(&self.preempted));
        let [by_preemption, slept, exited] = [0, 1, 2].map(|end| values(&self.runs[end]));
        Numbers {
            wakeups: Measured::of(&values(&self.wakeups)),
            waits: Waits {
                all: both(&[&woken, &preempted]),
                woken: Measured::of(&woken),
                preempted: Measured::of(&preempted),
            },
            runs: RunLengths {
                all: both(&[&by_preemption, &slept, &exited]),
                preempted: Measured::of(&by_preemption),
                slept: Measured::of(&slept),
                exited: Measured::of(&exited),
                cut: key.map_or(self.cut.len(), |key| {
                    let after = self.cut.partition_point(|&other| other <= key);
                    after - self.cut.partition_point(|&other| other < key)
                }),
            },
        }
    }
}

/// The samples of a group, of samples that are sorted.
fn of_group(sorted: &Keyed, key: u32) -> &[(u32, u64)] {
    let from = sorted.partition_point(|&(other, _)| other < key);
    let to = sorted.partition_point(|&(other, _)| other <= key);
    &sorted[from..to]
}

fn name(trace: &Trace, by: GroupBy, key: u32) -> GroupName {
    match by {
        GroupBy::Command => GroupName::Command {
            comm: trace.comms.names()[key as usize].clone(),
        },
        GroupBy::Task => GroupName::Task(TaskName::of_task(trace, crate::sched::TaskId(key))),
        GroupBy::Cpu => GroupName::Cpu {
            cpu: trace.cpus[key as usize],
        },
    }
}
