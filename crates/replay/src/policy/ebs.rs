//! WARP's entitlement-based scheduler: who has used least of its share runs next.

use super::heap::Heaps;
use super::{nice_of, Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View};
use crate::arith::{divided, times};
use crate::table::Table;

/// The shares of nice 0 and -20 in fixed point: a share of 1 used for 1 ns is 420.
const UNIT: u64 = 420;

/// What a task is thought to have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// All of it, since it began.
    Exact,
    /// What it used lately: with this half-life.
    Estimated(Ns),
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Ebs {
    slice: Ns,
    usage: Usage,
    queues: Table<Queue>,
    /// Used, as virtual time.
    tasks: Table<i64>,
    /// When what was used was halved last, by task.
    halved: Table<Ns>,
    /// Waiting tasks by what they have used, of each CPU.
    waiting: Heaps,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// What all have at least used: who comes from sleep has not saved up more.
    least: i64,
    used: Ns,
    /// What is left of the running task's use where it made no whole ns of virtual time.
    left: u64,
}

/// The share of a nice value: 420, 120, 20, 10, 1 at -20, -10, 0, 10, 19.
pub fn share(nice: i32) -> u64 {
    let nice = i64::from(nice);
    let share = if nice <= 0 { 20 + nice * nice } else { 20 - nice };
    share.max(1).unsigned_abs()
}

impl Ebs {
    /// For so many CPUs.
    pub fn new(slice: Ns, usage: Usage, cpus: u32) -> Ebs {
        Ebs {
            slice,
            usage,
            queues: Table::new(cpus as usize),
            tasks: Table::default(),
            halved: Table::default(),
            waiting: Heaps::new(cpus),
        }
    }

    /// Of estimated usage, what is old counts half.
    fn age(&mut self, view: &View, task: TaskId) {
        if let Usage::Estimated(half_life) = self.usage {
            let halvings = (view.now - self.halved[task].min(view.now)) / half_life.max(1);
            self.halved[task] += halvings * half_life;
            self.tasks[task] >>= halvings.min(63);
        }
    }
}

impl Policy for Ebs {
    fn attach(&mut self, view: &View, task: TaskId, parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(0);
            self.halved.push(0);
        }
        self.halved[task] = view.now;
        self.tasks[task] = parent.map_or(0, |parent| self.tasks[parent]);
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, _on: On) {
        self.age(view, task);
        if self.usage == Usage::Exact {
            self.tasks[task] = self.tasks[task].max(self.queues[cpu].least);
        }
        self.waiting.push(cpu, task, self.tasks[task]);
    }

    fn dequeue(&mut self, _view: &View, cpu: Cpu, task: TaskId, _off: Off) {
        self.waiting.remove(cpu, task);
    }

    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        if matches!(self.usage, Usage::Estimated(_)) {
            let waiting: Vec<TaskId> = self.waiting.tasks(cpu).collect();
            for task in waiting {
                self.age(view, task);
                let used = self.tasks[task];
                if self.waiting.get(cpu, task).is_some_and(|item| item.key != used) {
                    self.waiting.remove(cpu, task);
                    self.waiting.push(cpu, task, used);
                }
            }
        }
        let Some((first, used)) = self.waiting.first(cpu).map(|item| (item.task, item.key)) else {
            return prev;
        };
        let next = prev.filter(|&prev| self.tasks[prev] < used).unwrap_or(first);
        self.queues[cpu].least = self.queues[cpu].least.max(self.tasks[next]);
        Some(next)
    }

    fn start(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        self.waiting.remove(cpu, task);
        let queue = &mut self.queues[cpu];
        (queue.used, queue.left) = (0, 0);
    }

    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, _why: Stop) {
        self.age(view, task);
        self.waiting.push(cpu, task, self.tasks[task]);
    }

    fn ran(&mut self, view: &View, cpu: Cpu, task: TaskId, used: Ns) {
        let share = share(nice_of(view.tasks[task].prio));
        let queue = &mut self.queues[cpu];
        self.tasks[task] += divided(times(used, UNIT), share, &mut queue.left) as i64;
        queue.used += used;
        if self.waiting.len(cpu) == 0 {
            queue.used = view.used_alone(cpu, self.slice, queue.used, used);
        }
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, _task: TaskId) -> bool {
        let queue = &mut self.queues[cpu];
        let over = self.slice <= queue.used;
        if over {
            queue.used = 0;
        }
        over
    }

    fn next_tick(&self, view: &View, cpu: Cpu, _task: TaskId) -> NextTick {
        let queue = &self.queues[cpu];
        if self.waiting.len(cpu) == 0 {
            return NextTick::Never;
        }
        NextTick::From(view.now + self.slice.saturating_sub(queue.used))
    }
}
