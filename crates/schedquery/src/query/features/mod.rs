//! A row for each wait, with scx_rusty's features of the task and a label: for those who train schedulers.
//!
//! The features are what scx_rusty (`scheds/rust/scx_rusty` of sched-ext/scx) would know of the task at that moment, worked
//! out from the events; the label says what the kernel's load balancing then did. That is neither what was best nor what
//! rusty would have decided.

mod averages;

use std::collections::HashMap;

use schedmodel::topology::{Distance, Topology};
use schedmodel::{
    ClaimKind, LooseWait, Migration, MigrationKind, SwitchedOut, TaskCommId, TaskId, Time, Trace, WaitCause,
};
use serde::Serialize;

use self::averages::{average, frequency, request, weight, Duty, USUAL_WEIGHT};
use crate::query::select::selected::Selected;
use crate::query::select::selection::Selection;
use schedindex::all_queued;

/// A wait, with what was known when it began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeatureRow {
    /// The thread id.
    pub pid: i32,
    /// How much of the time it is runnable, times its weight.
    pub load: u64,
    /// How often it sleeps, in 100 ms.
    pub blocked_freq: u64,
    /// How often it wakes others, in 100 ms.
    pub waker_freq: u64,
    /// 100 for nice 0.
    pub weight: u64,
    /// Its virtual time, and [`FeatureRow::request`].
    pub deadline: u64,
    /// How long it runs between wakeups.
    pub avg_runtime: u64,
    /// 1 if load balancing moved it before it ran, soon enough; 0 if not; `None` where the wait's end is not in the trace.
    pub label: Option<u8>,
    /// What is known beside.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub more: Option<More>,
}

/// The columns of `--all`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct More {
    /// When the wait began.
    pub at_ns: Time,
    /// The task's name in the run that followed.
    pub comm: String,
    /// On whose runqueue it began; `None` where the trace does not tell.
    pub cpu: Option<u32>,
    /// How many others were on that runqueue.
    pub queue: u32,
    /// How many CPUs were idle.
    pub idle_cpus: u32,
    /// The deadline without the virtual time, of which rusty's own is bounded by its domain's.
    pub request: u64,
    /// Where load balancing moved it first.
    pub to_cpu: Option<u32>,
    /// How far that is, if the machine is known.
    pub distance: Option<Distance>,
    /// How long it waited; `None` where the wait's end is not in the trace.
    pub wait_ns: Option<u64>,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct FeaturesQuery<'q> {
    /// Which waits.
    pub selection: &'q Selection,
    /// Within which time a move counts, in ns.
    pub delta_ns: u64,
    /// Whether rows have [`More`].
    pub all: bool,
    /// The machine.
    pub topology: Option<&'q Topology>,
}

/// The rows, in the order of time, then of tasks.
pub fn features(trace: &Trace, query: &FeaturesQuery<'_>) -> Vec<FeatureRow> {
    let mut replay = Replay::new(trace, query);
    let mut steps = steps(trace);
    steps.sort_by_key(|step| (step.at, step.what.order(), step.task.0));
    for step in &steps {
        replay.take(step);
    }
    replay.rows
}

/// Something that changes what is known of a task.
struct Step<'t> {
    at: u64,
    task: TaskId,
    what: What<'t>,
}

enum What<'t> {
    Forked,
    /// A run ended after so long, with that priority.
    Ran {
        ns: u64,
        prio: Option<i32>,
        end: Option<SwitchedOut>,
    },
    /// A wakeup puts it on a runqueue. The waker, if that is a known task and not idle.
    Woken(Option<TaskId>),
    /// It becomes runnable, or goes on being it.
    Waits(Waits<'t>),
    /// A run begins.
    Runs,
}

impl What<'_> {
    /// At one time: who was on the CPU leaves it before anything else, and runs begin after all else.
    fn order(&self) -> u8 {
        match self {
            What::Forked => 0,
            What::Ran { .. } => 1,
            What::Woken(_) => 2,
            What::Waits(_) => 3,
            What::Runs => 4,
        }
    }
}

/// The run that ended a wait: its begin, CPU, lane and interval there, and its priority.
type EndingRun = (u64, u32, (usize, usize), Option<i32>);

/// A wait, from its step's time on.
struct Waits<'t> {
    who: TaskCommId,
    run: Option<EndingRun>,
    loose: Option<&'t LooseWait>,
}

fn steps(trace: &Trace) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (lane_index, (lane, &cpu)) in trace.lanes.iter().zip(&trace.cpus).enumerate() {
        for index in 0..lane.len() {
            let Some(who) = lane.run(index) else {
                continue;
            };
            let (task, interval, prio) = (trace.task_comm(who).task, lane.interval(index), lane.prio(index));
            if let Some(wait) = lane.wait(index) {
                let run = Some((interval.start, cpu, (lane_index, index), prio));
                let what = What::Waits(Waits { who, run, loose: None });
                steps.push(Step {
                    at: wait.since,
                    task,
                    what,
                });
            }
            steps.push(Step {
                at: interval.start,
                task,
                what: What::Runs,
            });
            let end = lane.end_state(index).map(SwitchedOut::by);
            if !(lane.open(index) && end.is_none()) {
                let ns = interval.end - interval.start;
                steps.push(Step {
                    at: interval.end,
                    task,
                    what: What::Ran { ns, prio, end },
                });
            }
        }
    }
    for loose in &trace.loose_waits {
        let task = trace.task_comm(loose.who).task;
        let what = What::Waits(Waits {
            who: loose.who,
            run: None,
            loose: Some(loose),
        });
        steps.push(Step {
            at: loose.since,
            task,
            what,
        });
    }
    for number in 0..trace.edges.len() {
        let edge = trace.edges.get(number);
        let task = trace.edges.wakee(number);
        // rusty's `runnable` is called when the task is put on a runqueue, which is when `sched_wakeup` is written.
        steps.push(Step {
            at: edge.woken.unwrap_or(edge.at),
            task,
            what: What::Woken(edge.waker),
        });
    }
    for claim in trace.claims.iter().filter(|claim| claim.kind == ClaimKind::Forked) {
        steps.push(Step {
            at: claim.at,
            task: claim.task,
            what: What::Forked,
        });
    }
    steps
}

/// What rusty keeps of a task.
#[derive(Clone, Copy, Debug)]
struct Known {
    sum: u64,
    avg_runtime: u64,
    vtime: u64,
    waker_freq: u64,
    last_woke: u64,
    blocked_freq: u64,
    last_blocked: u64,
    duty: Duty,
}

impl Known {
    fn new(at: u64, origin: u64) -> Known {
        Known {
            sum: 0,
            avg_runtime: 0,
            vtime: 0,
            waker_freq: 0,
            last_woke: at,
            blocked_freq: 0,
            last_blocked: at,
            duty: Duty::new(origin.saturating_add(at)),
        }
    }
}

struct Replay<'t, 'q> {
    trace: &'t Trace,
    query: &'q FeaturesQuery<'q>,
    selected: Selected<'t>,
    known: Vec<Known>,
    /// The last priority of each task.
    prios: Vec<Option<i32>>,
    /// By task: its moves by load balancing and NUMA balancing and others, in order of time.
    moves: HashMap<u32, Vec<&'t Migration>>,
    queues: Queues,
    rows: Vec<FeatureRow>,
}

impl<'t, 'q> Replay<'t, 'q> {
    fn new(trace: &'t Trace, query: &'q FeaturesQuery<'q>) -> Self {
        let mut moves: HashMap<u32, Vec<&Migration>> = HashMap::new();
        for migration in trace
            .migrations
            .iter()
            .filter(|migration| migration.kind != MigrationKind::Placement)
        {
            moves.entry(migration.task.0).or_default().push(migration);
        }
        Replay {
            trace,
            query,
            selected: Selected::new(trace, query.selection),
            known: vec![Known::new(0, trace.origin_ns); trace.tasks.len()],
            prios: vec![None; trace.tasks.len()],
            moves,
            queues: if query.all {
                Queues::of(trace)
            } else {
                Queues::default()
            },
            rows: Vec::new(),
        }
    }

    fn take(&mut self, step: &Step<'_>) {
        let origin = self.trace.origin_ns;
        let clock = origin.saturating_add(step.at);
        if let What::Waits(wait) = &step.what {
            return self.wait(step, wait);
        }
        if let What::Woken(Some(waker)) = step.what {
            if let Some(waker) = self.known.get_mut(waker.0 as usize) {
                waker.waker_freq = frequency(waker.waker_freq, step.at.saturating_sub(waker.last_woke));
                waker.last_woke = step.at;
            }
        }
        let Some(known) = self.known.get_mut(step.task.0 as usize) else {
            return;
        };
        match step.what {
            What::Forked => *known = Known::new(step.at, origin),
            What::Woken(_) => known.sum = 0,
            What::Runs => known.duty.set(clock, true),
            What::Ran { ns, prio, end } => {
                if let Some(last) = self.prios.get_mut(step.task.0 as usize) {
                    *last = prio.or(*last);
                }
                known.sum = known.sum.saturating_add(ns);
                known.avg_runtime = average(known.avg_runtime, known.sum);
                let weight = prio.map_or(Some(USUAL_WEIGHT), weight);
                known.vtime = known.vtime.saturating_add(weight.map_or(0, |weight| ns * 100 / weight));
                match end {
                    Some(SwitchedOut::Runnable) => {}
                    Some(SwitchedOut::Asleep | SwitchedOut::Dead) => {
                        known.blocked_freq = frequency(known.blocked_freq, step.at.saturating_sub(known.last_blocked));
                        known.last_blocked = step.at;
                        known.duty.set(clock, false);
                    }
                    Some(SwitchedOut::Throttled | SwitchedOut::Unknown) | None => known.duty.set(clock, false),
                }
            }
            What::Waits(_) => {}
        }
    }

    fn wait(&mut self, step: &Step<'_>, wait: &Waits<'_>) {
        let clock = self.trace.origin_ns.saturating_add(step.at);
        let prio = wait
            .run
            .and_then(|(.., prio)| prio)
            .or(self.prios.get(step.task.0 as usize).copied().flatten());
        let Some(known) = self.known.get_mut(step.task.0 as usize) else {
            return;
        };
        known.duty.set(clock, true);
        let selected = &self.selected;
        let is_selected = match wait.run {
            Some((_, _, (lane, index), _)) => selected.has_lane(lane) && selected.shown.has_run(wait.who, lane, index),
            None => selected.has_all_lanes() && selected.shown.has_loose(wait.who),
        };
        if !selected.window.contains(&step.at) || !is_selected {
            return;
        }
        // Real-time and deadline tasks have no weight.
        let Some(weight) = prio.map_or(Some(USUAL_WEIGHT), weight) else {
            return;
        };
        let load = known.duty.load(clock, weight);
        let request = request(known.blocked_freq, known.waker_freq, known.avg_runtime, weight);
        let known = *known;
        let until = wait.run.map(|(start, ..)| start);
        let moves = self.moves.get(&step.task.0).map_or(&[][..], Vec::as_slice);
        let from = moves.partition_point(|migration| migration.at < step.at);
        let during = moves
            .iter()
            .skip(from)
            .take_while(|migration| until.is_none_or(|until| migration.at <= until));
        let balanced = during
            .clone()
            .find(|migration| migration.kind == MigrationKind::LoadBalance)
            .filter(|migration| migration.at - step.at <= self.query.delta_ns);
        let more = self.query.all.then(|| {
            let first = during.clone().next().map(|migration| migration.from());
            let cpu = first.unwrap_or_else(|| self.begins_on(step, wait));
            let to_cpu = balanced.and_then(|migration| migration.to());
            let apart = |topology: &Topology| topology.distance(cpu?, to_cpu?);
            More {
                at_ns: Time(step.at),
                comm: self.trace.comm_of(wait.who).to_owned(),
                cpu,
                queue: cpu.map_or(0, |cpu| self.queues.others(cpu, step.at)),
                idle_cpus: self.trace.steps.at(step.at).map_or(0, |counts| counts.idle),
                request,
                to_cpu,
                distance: self.query.topology.and_then(apart),
                wait_ns: until.map(|until| until - step.at),
            }
        });
        self.rows.push(FeatureRow {
            pid: self.trace.task(step.task).pid,
            load,
            blocked_freq: known.blocked_freq,
            waker_freq: known.waker_freq,
            weight,
            deadline: known.vtime.saturating_add(request),
            avg_runtime: known.avg_runtime,
            label: until.map(|_| u8::from(balanced.is_some())),
            more,
        });
    }

    /// On whose runqueue a wait begins without a move: where the task then ran; without a run, where it was put or ran last.
    fn begins_on(&self, step: &Step<'_>, wait: &Waits<'_>) -> Option<u32> {
        if let Some((_, cpu, ..)) = wait.run {
            return Some(cpu);
        }
        let loose = wait.loose?;
        if loose.cause == WaitCause::Preempted {
            return None;
        }
        let edges = &self.trace.edges;
        let mut woken = edges.of(step.task).map(|number| edges.get(number));
        woken
            .rfind(|edge| edge.woken.unwrap_or(edge.at) == loose.since)?
            .chosen_cpu
    }
}

/// When tasks come onto each CPU's runqueue and leave it.
#[derive(Default)]
struct Queues {
    /// By CPU: ascending times.
    came: HashMap<u32, Vec<u64>>,
    left: HashMap<u32, Vec<u64>>,
}

impl Queues {
    fn of(trace: &Trace) -> Queues {
        let mut queues = Queues::default();
        all_queued(trace, &schedindex::Shown::all(), |part| {
            if let Some(cpu) = part.cpu {
                queues.came.entry(cpu).or_default().push(part.from);
                queues.left.entry(cpu).or_default().push(part.to);
            }
        });
        queues
            .came
            .values_mut()
            .chain(queues.left.values_mut())
            .for_each(|times| times.sort_unstable());
        queues
    }

    /// How many wait there at a time, but for the one that has just begun.
    fn others(&self, cpu: u32, at: u64) -> u32 {
        let until = |times: &HashMap<u32, Vec<u64>>| {
            times
                .get(&cpu)
                .map_or(0, |times| times.partition_point(|time| *time <= at)) as u32
        };
        until(&self.came).saturating_sub(until(&self.left)).saturating_sub(1)
    }
}
