//! The scheduler of Linux 2.4 (kernel/sched.c of those): one list, ticks as credit, and new credit for all when those that are
//! runnable have none.

use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View, Waking};
use crate::table::Table;

/// Goodness of the CPU that a task ran on last (`PROC_CHANGE_PENALTY`).
const SAME_CPU: i32 = 15;

/// See the module.
#[derive(Clone, Debug)]
pub struct Linux24 {
    tick_ns: Ns,
    /// Runnable tasks that do not run: the newest first.
    list: Vec<TaskId>,
    tasks: Table<Credit>,
    running: Table<Running>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Credit {
    alive: bool,
    ticks: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Running {
    task: Option<TaskId>,
    /// Ticks of the CPU that have been taken from the task's credit.
    ticks: u64,
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
            list: Vec::new(),
            tasks: Table::default(),
            running: Table::new(cpus as usize),
        }
    }

    fn goodness(&self, view: &View, cpu: Cpu, task: TaskId) -> i32 {
        let ticks = self.tasks[task].ticks as i32;
        if ticks == 0 {
            return 0;
        }
        let same = if view.tasks[task].cpu == cpu { SAME_CPU } else { 0 };
        ticks + same + 20 - view.tasks[task].nice()
    }

    fn best(&self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<(i32, TaskId)> {
        let mut best: Option<(i32, TaskId)> = None;
        // Whoever ran is in the list too, in front if it has come last; it only stays if it is better.
        for task in self.list.iter().rev().copied().chain(prev) {
            if view.tasks[task].may_run_on(cpu) {
                let goodness = self.goodness(view, cpu, task);
                if best.is_none_or(|(most, _)| most < goodness) {
                    best = Some((goodness, task));
                }
            }
        }
        best
    }

    /// Takes the ticks since the last time from the running task's credit.
    fn charge(&mut self, view: &View, cpu: Cpu) {
        let now = view.ticks(cpu);
        let running = &mut self.running[cpu];
        let ticks = now.saturating_sub(running.ticks);
        running.ticks = now;
        if let Some(task) = running.task {
            let credit = &mut self.tasks[task].ticks;
            *credit = credit.saturating_sub(u32::try_from(ticks).unwrap_or(u32::MAX));
        }
    }
}

impl Policy for Linux24 {
    fn attach(&mut self, view: &View, task: TaskId, parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(Credit::default());
        }
        let ticks = match parent {
            Some(parent) => {
                // The child gets the larger half: `(current->counter + 1) >> 1`.
                let whole = self.tasks[parent].ticks;
                self.tasks[parent].ticks = whole / 2;
                whole.div_ceil(2)
            }
            None => fresh(view.tasks[task].nice()),
        };
        self.tasks[task] = Credit { alive: true, ticks };
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
        let gain = |cpu: Cpu| {
            let current = view.cpus[cpu].current.filter(|_| !view.cpus[cpu].current_rt);
            let current = current.map_or(i32::MAX / 2, |current| self.goodness(view, cpu, current));
            self.goodness(view, cpu, task) - current
        };
        let best = cpus().max_by_key(|&cpu| (gain(cpu), std::cmp::Reverse(cpu)))?;
        Some(if 0 < gain(best) || !allowed(&last) { best } else { last })
    }

    fn enqueue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _on: On) {
        self.list.push(task);
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off) {
        if self.running[cpu].task == Some(task) {
            self.charge(view, cpu);
            self.running[cpu].task = None;
        } else {
            self.list.retain(|&waiting| waiting != task);
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
        // All that are runnable have used up their credit.
        for (number, credit) in (0..).zip(self.tasks.iter_mut()) {
            if credit.alive {
                credit.ticks = credit.ticks / 2 + fresh(view.tasks[number].nice());
            }
        }
        self.best(view, cpu, prev).map(|(_, task)| task)
    }

    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.list.retain(|&waiting| waiting != task);
        self.running[cpu] = Running {
            task: Some(task),
            ticks: view.ticks(cpu),
        };
    }

    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, why: Stop) {
        self.charge(view, cpu);
        self.running[cpu].task = None;
        match why {
            Stop::Preempted => self.list.push(task),
            // Behind its equals.
            Stop::Used | Stop::Yielded => self.list.insert(0, task),
        }
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
        if self.list.is_empty() {
            return NextTick::Never;
        }
        let last = self.running[cpu].ticks + u64::from(self.tasks[task].ticks);
        NextTick::From(view.tick_at(cpu, last))
    }

    fn tick_ns(&self) -> Option<Ns> {
        Some(self.tick_ns)
    }

    fn one_queue(&self) -> bool {
        true
    }
}
