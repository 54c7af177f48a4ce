//! Computes all numbers of a selection.

use super::pair_sums::PairSums;
use super::stats_answer::{
    Command, KnownCpus, Migrations, Overload, Percentiles, Stats, TaskKey, TaskStats, TaskWakeups, Wakeups,
};
use crate::calls::Interrupts;
use crate::query::jobs::job::Model;
use crate::query::jobs::shared::Shared;
use crate::query::jobs::totals::Totals;
use crate::query::select::selected::Selected;
use crate::query::select::selection::Selection;
use crate::query::select::spread::nearest_rank;
use crate::query::select::uncertain::UncertainDurations;
use crate::query::tables::window::MeanMax;
use schedindex::{known_steps, latency_in_doubt, Curve, Depth, MigrationCounts, Queue, Queues, Shown, Sweep, Waiting};
use schedmodel::{Task, TaskCommId, Time, Trace, Who};
use std::ops::Range;
use std::sync::Arc;

/// [`Model::stats`] of a trace about which nothing is kept.
pub fn stats(trace: &Trace, selection: &Selection) -> Stats {
    Model::new(trace, &Shared::default()).stats(selection)
}

impl Model<'_> {
    /// The numbers of a selection.
    pub fn stats(self, selection: &Selection) -> Stats {
        Collector::new(self.trace, selection, None).collect(self.shared)
    }

    /// The same with what these interrupts took left out of all time on CPU. Waits and latencies stay as they are.
    pub fn net_stats(self, selection: &Selection, interrupts: &Interrupts) -> Stats {
        Collector::new(self.trace, selection, Some(interrupts)).collect(self.shared)
    }
}

struct Collector<'a> {
    trace: &'a Trace,
    selected: Selected<'a>,
    /// What is left out.
    interrupts: Option<&'a Interrupts>,
    /// By task.
    has_task: Vec<bool>,
    sums: PairSums,
    /// By task.
    moves: Vec<MigrationCounts>,
    /// By task.
    woken: Vec<TaskWakeups>,
}

impl<'a> Collector<'a> {
    fn new(trace: &'a Trace, selection: &Selection, interrupts: Option<&'a Interrupts>) -> Collector<'a> {
        let selected = Selected::new(trace, selection);
        Collector {
            trace,
            has_task: tasks_of(trace, &selected.shown),
            sums: PairSums::net(&selected, interrupts),
            selected,
            interrupts,
            moves: vec![MigrationCounts::default(); trace.tasks.len()],
            woken: vec![TaskWakeups::default(); trace.tasks.len()],
        }
    }

    fn collect(mut self, shared: &Shared) -> Stats {
        let trace = self.trace;
        let window = self.selected.closed_window();
        let mut stats = Stats {
            cpus: 0,
            first_ns: Time(window.start),
            last_ns: Time(window.end),
            known_cpus: KnownCpus::default(),
            running: MeanMax::default(),
            waiting: MeanMax::default(),
            idle_ns_per_cpu: Vec::new(),
            busy_ns_per_cpu: Vec::new(),
            unknown_ns_per_cpu: Vec::new(),
            irq_ns_per_cpu: self.interrupts.map(|_| Vec::new()),
            switches_to_per_cpu: Vec::new(),
            waiting_ns_per_cpu: Vec::new(),
            max_waiting_per_cpu: Vec::new(),
            unplaced_waiting_ns: 0,
            uncertain_waiting_ns: self.sums.uncertain,
            throttled_ns: 0,
            overload: Overload::default(),
            migrations: Migrations::default(),
            chain_breaks: self.trace.chain_breaks,
            wakeups: self.wakeups(),
            commands: Vec::new(),
            tasks: Vec::new(),
        };
        for lane in 0..trace.lanes.len() {
            if self.selected.has_lane(lane) {
                let [idle, busy, unknown, switches_to, irq] = self.lane(lane);
                stats.cpus += 1;
                stats.idle_ns_per_cpu.push(idle);
                stats.busy_ns_per_cpu.push(busy);
                stats.unknown_ns_per_cpu.push(unknown);
                stats.switches_to_per_cpu.push(switches_to);
                stats
                    .irq_ns_per_cpu
                    .as_mut()
                    .into_iter()
                    .for_each(|per_cpu| per_cpu.push(irq));
            }
        }
        let shown = &self.selected.shown;
        let own = (!shown.is_all()).then(|| Depth::new(trace, shown));
        let all = shared.depth(trace);
        let queues = Queues {
            shown: own.as_ref().unwrap_or(all),
            all: own.is_some().then_some(all),
        };
        self.queues(queues.shown, &mut stats);
        self.known(window.clone(), &mut stats);
        self.curve(window.clone(), &mut stats);
        self.behind(shared, queues, &window, &mut stats.overload);
        stats.migrations = self.migrations();
        stats.chain_breaks = self.trace.chain_breaks;
        stats.commands = self.commands();
        stats.tasks = self.tasks();
        stats.throttled_ns = stats.tasks.iter().map(|task| task.throttled_ns).sum();
        stats
    }

    /// Idle, busy and unknown ns of a lane, its switches to tasks, and what interrupts took of the busy time, where they are
    /// left out of it.
    fn lane(&self, lane_index: usize) -> [u64; 5] {
        let lane = self.trace.lane_at(lane_index);
        let window = &self.selected.window;
        let mut ns = [0; 5];
        for (index, interval) in lane.intervals().enumerate() {
            let length = self.selected.clip(interval.start, interval.end);
            match interval.who {
                Who::Idle => ns[0] += length,
                Who::Run(_) => {
                    let from = interval.start.max(window.start);
                    let taken = self
                        .interrupts
                        .map_or(0, |interrupts| interrupts.on(lane_index, from..from + length));
                    ns[1] += length - taken;
                    ns[4] += taken;
                    ns[3] += u64::from(lane.switched_to(index) && self.selected.window.contains(&interval.start));
                }
                Who::Unknown => ns[2] += length,
            }
        }
        ns
    }

    /// Adds the waits on the runqueues of selected CPUs.
    fn queues(&self, depth: &Depth, stats: &mut Stats) {
        let within = |queue: &Queue| queue.in_window(self.selected.window.clone());
        for lane in (0..self.trace.lanes.len()).filter(|&lane| self.selected.has_lane(lane)) {
            let waiting = depth.queue(lane).map_or_else(Waiting::default, within);
            stats.waiting_ns_per_cpu.push(waiting.integral);
            stats.max_waiting_per_cpu.push(waiting.max);
        }
        stats.unplaced_waiting_ns = within(depth.unplaced()).integral;
    }

    fn known(&self, window: Range<u64>, stats: &mut Stats) {
        let known = Curve::new(Arc::new(known_steps(self.trace, self.selected.lanes.as_deref())));
        let Some(extremes) = known.extremes(window.clone()) else {
            return;
        };
        let ns = (window.end - window.start) as f64;
        stats.known_cpus = KnownCpus {
            mean: known.integral(window).running as f64 / ns,
            min: extremes.running_min,
        };
    }

    fn curve(&self, window: Range<u64>, stats: &mut Stats) {
        let curve = Curve::new(self.selected.steps());
        let Some(extremes) = curve.extremes(window.clone()) else {
            return;
        };
        let integral = curve.integral(window.clone());
        let ns = (window.end - window.start) as f64;
        stats.running = MeanMax {
            mean: integral.running as f64 / ns,
            max: extremes.running_max,
        };
        stats.waiting = MeanMax {
            mean: integral.waiting as f64 / ns,
            max: extremes.waiting_max,
        };
        let mut violated = false;
        let mut intervals = 0;
        for step in curve.steps().within(window) {
            intervals += u64::from(step.counts.violates() && !violated);
            violated = step.counts.violates();
        }
        stats.overload = Overload {
            violation_ns: integral.violation,
            cost_task_ns: integral.cost,
            intervals,
            ..Overload::default()
        };
    }

    /// Adds the time that selected tasks wait behind another while some CPU is spare, or for their own CPU to leave
    /// idle.
    fn behind(&self, shared: &Shared, queues: Queues<'_>, window: &Range<u64>, overload: &mut Overload) {
        let trace = self.trace;
        let found = match self.selected.is_all() {
            true => shared.swept(trace).totals(window),
            false => None,
        };
        let Totals { mut stretches, sums } = found.unwrap_or_else(|| {
            let lanes = (0..trace.lanes.len()).filter(|&lane| self.selected.has_lane(lane));
            let mut totals = Totals::new(0, 1);
            let mut sweep = Sweep::new(trace, queues, lanes);
            let mut add = |from, to, standing| totals.add(window, from, to, standing);
            while sweep.step(trace, queues, usize::MAX, &mut add) {}
            totals
        });
        stretches.close();
        overload.behind_ns = sums.behind;
        overload.behind_cost_task_ns = sums.behind_cost;
        overload.behind_intervals = stretches.count;
        overload.bound_ns = sums.bound;
        overload.bound_task_ns = sums.bound_tasks;
        overload.leaving_idle_ns = sums.leaving_idle;
        overload.leaving_idle_task_ns = sums.leaving_idle_tasks;
    }

    fn wakeups(&mut self) -> Wakeups {
        let (mut latencies, mut uncertain) = (Vec::new(), UncertainDurations::default());
        for woken in self.selected.wakeups() {
            if latency_in_doubt(self.trace, woken.wakee, &woken.edge) {
                uncertain.add(woken.latency);
                continue;
            }
            if let Some(of_task) = self.woken.get_mut(woken.wakee.0 as usize) {
                of_task.count += 1;
                of_task.latency_ns = of_task.latency_ns.saturating_add(woken.latency);
                of_task.max_latency_ns = of_task.max_latency_ns.max(woken.latency);
            }
            latencies.push(woken.latency);
        }
        latencies.sort_unstable();
        let rank = |percent: u64| nearest_rank(&latencies, 10 * percent);
        let latency_ns = Percentiles {
            p50: rank(50),
            p90: rank(90),
            p99: rank(99),
            max: rank(100),
        };
        Wakeups {
            count: latencies.len(),
            latency_ns,
            uncertain,
        }
    }

    fn migrations(&mut self) -> Migrations {
        let mut all = MigrationCounts::default();
        for migration in &self.trace.migrations {
            let task = migration.task.0 as usize;
            if self.has_task.get(task) == Some(&true) && self.selected.window.contains(&migration.at) {
                self.moves
                    .get_mut(task)
                    .into_iter()
                    .for_each(|moves| moves.add(migration.kind));
                all.add(migration.kind);
            }
        }
        Migrations {
            total: all.total(),
            by_kind: all,
        }
    }

    fn commands(&self) -> Vec<Command> {
        let rows = self.sums.commands(self.trace).into_iter();
        let mut irq = vec![0; self.trace.comms.names().len()];
        for (pair, ns) in self.trace.task_comms.iter().zip(&self.sums.irq) {
            irq.get_mut(pair.comm.0 as usize).into_iter().for_each(|sum| *sum += ns);
        }
        let commands = rows.map(|row| Command {
            irq_ns: self.interrupts.and_then(|_| irq.get(row.comm_id as usize).copied()),
            comm: row.comm,
            first_ns: Time(row.first),
            last_ns: Time(row.last),
            execution_ns: row.execution_ns,
            waiting_ns: row.waiting_ns,
            switches_to: row.switches_to,
            pids: row.pids,
        });
        commands.collect()
    }

    fn tasks(&self) -> Vec<TaskStats> {
        let mut tasks: Vec<TaskStats> = self
            .trace
            .tasks
            .iter()
            .zip(&self.moves)
            .zip(&self.woken)
            .map(|((task, moves), woken)| TaskStats {
                pid: task.pid,
                generation: task.generation,
                continues: task.continues.map(|before| {
                    let Task { pid, generation, .. } = *self.trace.task(before);
                    TaskKey { pid, generation }
                }),
                migrations: moves.total(),
                migrations_by_kind: *moves,
                wakeups: *woken,
                irq_ns: self.interrupts.map(|_| 0),
                ..TaskStats::default()
            })
            .collect();
        for (pair, ns) in self.trace.task_comms.iter().zip(&self.sums.irq) {
            let task = tasks.get_mut(pair.task.0 as usize);
            let sum = task.and_then(|task| task.irq_ns.as_mut());
            sum.into_iter().for_each(|sum| *sum += ns);
        }
        let sums = self.sums.ran.iter().zip(&self.sums.waited);
        for (pair, (sum, waiting)) in self.trace.task_comms.iter().zip(sums) {
            let Some(task) = tasks.get_mut(pair.task.0 as usize) else {
                continue;
            };
            task.waiting_ns += waiting;
            task.comms.push(self.trace.comms.name(pair.comm).to_owned());
            if let Some(sum) = sum {
                task.execution_ns += sum.execution;
                task.switches_to += sum.switches_to();
            }
        }
        let throttles = self.trace.throttles.iter();
        for throttle in throttles.filter(|throttle| self.selected.shown.has(throttle.who)) {
            let id = self.trace.task_comm(throttle.who).task;
            if let Some(task) = tasks.get_mut(id.0 as usize) {
                task.throttled_ns += self.selected.clip(throttle.since, throttle.until);
            }
        }
        tasks
            .into_iter()
            .zip(&self.has_task)
            .filter(|(_, has)| **has)
            .map(|(task, _)| task)
            .collect()
    }
}

/// By task, whether it is included under any of its comms.
fn tasks_of(trace: &Trace, shown: &Shown) -> Vec<bool> {
    let mut has = vec![false; trace.tasks.len()];
    for (id, pair) in trace.task_comms.iter().enumerate() {
        if let Some(has) = has.get_mut(pair.task.0 as usize) {
            *has |= shown.has(TaskCommId(id as u32));
        }
    }
    has
}
