//! The scheduler of Linux 2.4 (kernel/sched.c of those): one list, ticks as credit, and new credit for all when those that are
//! runnable have none.
//!
//! Among equals whoever came first is first. (2.4 itself puts who wakes in front of the list, and leaves who is preempted where
//! it was.)

use super::levels::{LevelQueues, LEVELS};
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, Ticks, View, Waking};
use crate::table::Table;
use std::cmp::Reverse;

/// Goodness of the CPU that a task ran on last (`PROC_CHANGE_PENALTY`).
const SAME_CPU: i64 = 15;

/// See the module.
#[derive(Clone, Debug)]
pub struct Linux24 {
    tick_ns: Ns,
    /// The list, without those that run: by the CPU on which a task ran last, then by what its goodness is elsewhere, the best
    /// first, and then by its place in the list.
    list: LevelQueues,
    tasks: Table<Credit>,
    running: Table<Running>,
    comings: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Credit {
    alive: bool,
    ticks: u32,
    /// Its place in the list: whoever came first is in front, and has the least.
    place: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Running {
    task: Option<TaskId>,
    /// Those that have been taken from the task's credit.
    ticks: Ticks,
}

/// `NICE_TO_TICKS` at 100 ticks a second: a quarter of 20 less the nice value, and one.
fn fresh(nice: i32) -> u32 {
    ((20 - nice) >> 2).unsigned_abs() + 1
}

impl Linux24 {
    /// With so many ticks a second, for so many CPUs.
    pub fn new(hz: u64, cpus: u32) -> Linux24 {
        Linux24 {
            tick_ns: 1_000_000_000 / hz.max(1),
            list: LevelQueues::new(cpus),
            tasks: Table::default(),
            running: Table::new(cpus as usize),
            comings: 0,
        }
    }

    /// What a task is worth on a CPU on which it did not run last.
    fn worth(&self, view: &View, task: TaskId) -> i64 {
        match i64::from(self.tasks[task].ticks) {
            0 => 0,
            ticks => ticks + i64::from(20 - view.tasks[task].nice()),
        }
    }

    fn goodness(&self, view: &View, cpu: Cpu, task: TaskId) -> i64 {
        with_cpu(self.worth(view, task), view.tasks[task].cpu == cpu)
    }

    /// Puts a task behind all others.
    fn insert(&mut self, view: &View, task: TaskId) {
        self.comings += 1;
        self.tasks[task].place = self.comings;
        self.put(view, task);
    }

    /// Puts a task behind those that are worth the same: none of them came later.
    fn put(&mut self, view: &View, task: TaskId) {
        let level = level_of(self.worth(view, task));
        self.list.push(view.tasks[task].cpu, level, task);
    }

    /// The best of those that wait, and of the one that runs; the first in the list among equals.
    fn best(&self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<(i64, TaskId)> {
        let waiting = (0..view.cpu_count()).filter_map(|last| {
            let (level, task) = self.list.first_that(last, |task| view.tasks[task].may_run_on(cpu))?;
            let place = Reverse(self.tasks[task].place);
            Some((with_cpu(worth_of(level), last == cpu), place, task))
        });
        let prev = prev.map(|task| {
            let place = Reverse(self.tasks[task].place);
            (self.goodness(view, cpu, task), place, task)
        });
        let best = waiting.chain(prev).max()?;
        Some((best.0, best.2))
    }

    /// All that are runnable have used up their credit: new credit for everybody, those that sleep too.
    fn recalculate(&mut self, view: &View) {
        self.charge_all(view);
        for (number, credit) in (0..).zip(self.tasks.iter_mut()) {
            if credit.alive {
                credit.ticks = credit.ticks / 2 + fresh(view.tasks[number].nice());
            }
        }
        let waiting = (0..view.cpu_count()).flat_map(|cpu| self.list.tasks(cpu));
        let mut waiting: Vec<TaskId> = waiting.map(|(_, task)| task).collect();
        waiting.sort_unstable_by_key(|&task| self.tasks[task].place);
        for task in waiting {
            self.list.remove(task);
            self.put(view, task);
        }
    }

    fn charge_all(&mut self, view: &View) {
        (0..view.cpu_count()).for_each(|cpu| self.charge(view, cpu));
    }

    /// Takes the ticks since the last time from the running task's credit.
    fn charge(&mut self, view: &View, cpu: Cpu) {
        let running = &mut self.running[cpu];
        let ticks = running.ticks.count(view, cpu);
        if let Some(task) = running.task {
            let credit = &mut self.tasks[task].ticks;
            *credit = credit.saturating_sub(u32::try_from(ticks).unwrap_or(u32::MAX));
        }
    }
}

/// The level of those that are worth so much: a task has at most twice the fresh ticks of -20, so that is less than 63.
fn level_of(worth: i64) -> u32 {
    (LEVELS - 1).saturating_sub(u32::try_from(worth).unwrap_or(0))
}

fn worth_of(level: u32) -> i64 {
    i64::from(LEVELS - 1 - level)
}

/// Goodness with what the CPU adds to it.
fn with_cpu(worth: i64, same: bool) -> i64 {
    worth + if same && worth != 0 { SAME_CPU } else { 0 }
}

impl Policy for Linux24 {
    fn attach(&mut self, view: &View, task: TaskId, parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(Credit::default());
        }
        let ticks = match parent {
            Some(parent) => {
                self.charge(view, view.tasks[parent].cpu);
                // The child gets the larger half: `(current->counter + 1) >> 1`.
                let whole = self.tasks[parent].ticks;
                self.tasks[parent].ticks = whole / 2;
                whole.div_ceil(2)
            }
            None => fresh(view.tasks[task].nice()),
        };
        self.tasks[task] = Credit {
            alive: true,
            ticks,
            ..Credit::default()
        };
    }

    fn select_cpu(&mut self, view: &View, task: TaskId, _waking: &Waking) -> Option<Cpu> {
        let last = view.tasks[task].cpu;
        let allowed = |cpu: &Cpu| view.tasks[task].may_run_on(*cpu);
        let cpus = || (0..view.cpu_count()).filter(allowed);
        if allowed(&last) && view.cpus[last].idle() {
            return Some(last);
        }
        if let Some(idle) = cpus()
            .filter(|&cpu| view.cpus[cpu].idle())
            .min_by_key(|&cpu| view.cpus[cpu].since)
        {
            return Some(idle);
        }
        self.charge_all(view);
        let gain = |cpu: Cpu| {
            let current = view.cpus[cpu].current.filter(|_| !view.cpus[cpu].current_rt);
            let current = current.map_or(i64::MAX / 2, |current| self.goodness(view, cpu, current));
            self.goodness(view, cpu, task) - current
        };
        let best = cpus().max_by_key(|&cpu| (gain(cpu), std::cmp::Reverse(cpu)))?;
        Some(if 0 < gain(best) || !allowed(&last) { best } else { last })
    }

    fn enqueue(&mut self, view: &View, _cpu: Cpu, task: TaskId, _on: On) {
        self.insert(view, task);
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off) {
        if self.running[cpu].task == Some(task) {
            self.charge(view, cpu);
            self.running[cpu].task = None;
        } else {
            self.list.remove(task);
        }
        if off == Off::Exits {
            self.tasks[task].alive = false;
        }
    }

    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        self.charge(view, cpu);
        let (most, task) = self.best(view, cpu, prev)?;
        if most != 0 {
            return Some(task);
        }
        self.recalculate(view);
        self.best(view, cpu, prev).map(|(_, task)| task)
    }

    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.list.remove(task);
        let running = &mut self.running[cpu];
        running.ticks.count(view, cpu);
        running.task = Some(task);
    }

    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, _why: Stop) {
        self.charge(view, cpu);
        self.running[cpu].task = None;
        self.insert(view, task);
    }

    fn preempts(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        self.charge(view, cpu);
        let current = view.cpus[cpu]
            .current
            .map_or(0, |current| self.goodness(view, cpu, current));
        current < self.goodness(view, cpu, task)
    }

    fn tick(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        self.charge(view, cpu);
        self.tasks[task].ticks == 0
    }

    fn next_tick(&self, view: &View, cpu: Cpu, task: TaskId) -> NextTick {
        let left = u64::from(self.tasks[task].ticks);
        NextTick::At(self.running[cpu].ticks.at(view, left))
    }

    fn tick_ns(&self) -> Option<Ns> {
        Some(self.tick_ns)
    }

    fn one_queue(&self) -> bool {
        true
    }
}
