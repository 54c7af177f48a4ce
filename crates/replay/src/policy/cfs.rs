//! The completely fair scheduler of Linux 2.6.23 to 6.5 (kernel/sched/fair.c of those): the task with the least virtual
//! runtime runs.

use super::heap::{Heaps, Item};
use super::weight::{virtual_time, NICE_0};
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View};
use crate::arith::{scaled, times};
use crate::table::Table;

/// From so many runnable tasks on, who was preempted by a wakeup is preferred, and the latency stretches.
const MANY: u64 = 8;

/// The CPU of a task that is between two: its virtual runtime is relative.
const NOWHERE: Cpu = Cpu::MAX;

/// Times before they are scaled by the number of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfsTimes {
    /// In which every task runs once, if they are few.
    pub latency: Ns,
    /// The least that a task runs.
    pub min_granularity: Ns,
    /// By how much a wakee must be behind to preempt.
    pub wakeup_granularity: Ns,
    /// Whether the one preempted by a wakeup is preferred at the next pick.
    pub last_buddy: bool,
    /// Whether a slice is at least `min_granularity`: the feature BASE_SLICE of Linux 5.13 and later.
    pub slice_floor: bool,
}

impl Default for CfsTimes {
    fn default() -> Self {
        CfsTimes {
            latency: 6_000_000,
            min_granularity: 750_000,
            wakeup_granularity: 1_000_000,
            last_buddy: true,
            slice_floor: true,
        }
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Cfs {
    times: CfsTimes,
    queues: Table<Queue>,
    tasks: Table<Entity>,
    /// Waiting tasks by virtual runtime, of each CPU.
    waiting: Heaps,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    current: Option<TaskId>,
    /// Of waiting tasks and the running one.
    weight: u64,
    min_v: i64,
    buddies: Buddies,
    /// The scheduler has been asked for, and has not picked yet.
    resched: bool,
    /// What the running task has used since it came.
    used: Ns,
    /// The virtual runtime of the running task when it came, or had its priority changed, and what it has used since.
    from: (i64, Ns),
}

/// Waiting tasks that a pick prefers or avoids, as far as that is not unfair.
#[derive(Clone, Copy, Debug, Default)]
struct Buddies {
    /// The wakee that preempted: first of all.
    next: Option<TaskId>,
    /// The task that a wakee preempted.
    last: Option<TaskId>,
    /// The task that yielded.
    skip: Option<TaskId>,
}

impl Buddies {
    /// A task runs, is off the queue, or has used up its slice (`clear_buddies`).
    fn clear(&mut self, task: TaskId) {
        for buddy in [&mut self.next, &mut self.last, &mut self.skip] {
            *buddy = buddy.filter(|&buddy| buddy != task);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Entity {
    v: i64,
    weight: u32,
    /// On whose CPU's scale `v` is.
    cpu: Cpu,
}

impl Cfs {
    /// For so many CPUs.
    pub fn new(times: CfsTimes, cpus: u32) -> Cfs {
        let f = 1 + u64::from(cpus.clamp(1, 8).ilog2());
        Cfs {
            times: CfsTimes {
                latency: times.latency * f,
                min_granularity: times.min_granularity * f,
                wakeup_granularity: times.wakeup_granularity * f,
                ..times
            },
            queues: Table::new(cpus as usize),
            tasks: Table::default(),
            waiting: Heaps::new(cpus),
        }
    }

    fn runnable(&self, cpu: Cpu) -> u64 {
        self.waiting.len(cpu) as u64 + u64::from(self.queues[cpu].current.is_some())
    }

    /// The share of the latency that is a task's.
    fn slice(&self, weight: u32, runnable: u64, sum: u64) -> Ns {
        let period = if runnable <= MANY {
            self.times.latency
        } else {
            runnable * self.times.min_granularity
        };
        let share = scaled(period as i64, i64::from(weight), sum as i64).unsigned_abs();
        match self.times.slice_floor {
            true => share.max(self.times.min_granularity),
            false => share,
        }
    }

    fn slice_of_current(&self, cpu: Cpu, task: TaskId) -> Ns {
        self.slice(self.tasks[task].weight, self.runnable(cpu), self.queues[cpu].weight)
    }

    /// By how much another must be ahead of a task of this weight.
    fn granularity(&self, weight: u32) -> i64 {
        virtual_time(self.times.wakeup_granularity, weight)
    }

    /// The least virtual runtime never goes back.
    fn follow(&mut self, cpu: Cpu) {
        let current_v = self.queues[cpu].current.map(|task| self.tasks[task].v);
        let first = self.waiting.first(cpu).map(|item| item.key);
        if let Some(least) = first.into_iter().chain(current_v).min() {
            let queue = &mut self.queues[cpu];
            queue.min_v = queue.min_v.max(least);
        }
    }
}

impl Policy for Cfs {
    fn attach(&mut self, view: &View, task: TaskId, parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(Entity::default());
        }
        let parent = parent.map(|parent| self.tasks[parent]);
        self.tasks[task] = Entity {
            weight: view.tasks[task].weight,
            ..parent.unwrap_or_default()
        };
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On) {
        let mut entity = self.tasks[task];
        entity.weight = view.tasks[task].weight;
        if let On::Forked(parent) = on {
            // Begins a slice behind those that its parent runs among.
            let there = view.tasks[parent].cpu;
            let sum = self.queues[there].weight + u64::from(entity.weight);
            let slice = self.slice(entity.weight, self.runnable(there) + 1, sum);
            let first = self.queues[there].min_v + virtual_time(slice, entity.weight);
            (entity.v, entity.cpu) = (self.tasks[parent].v.max(first), there);
        }
        let min_v = self.queues[cpu].min_v;
        if entity.cpu != cpu {
            entity.v = entity.v - self.queues[entity.cpu].min_v + min_v;
            entity.cpu = cpu;
        }
        match on {
            On::First | On::Class => entity.v = min_v,
            On::Woken => entity.v = entity.v.max(min_v - (self.times.latency / 2) as i64),
            On::Moved | On::Forked(_) => {}
        }
        self.tasks[task] = entity;
        self.queues[cpu].weight += u64::from(entity.weight);
        // The least virtual runtime does not follow: where nobody runs, it stays until somebody has run (`update_curr`), and
        // those who come meanwhile begin side by side.
        self.waiting.push(cpu, task, entity.v);
    }

    fn dequeue(&mut self, _view: &View, cpu: Cpu, task: TaskId, off: Off) {
        let weight = u64::from(self.tasks[task].weight);
        let queue = &mut self.queues[cpu];
        if off == Off::Moves {
            // Before its leaving lets the others' least virtual runtime advance.
            let entity = &mut self.tasks[task];
            (entity.v, entity.cpu) = (entity.v - queue.min_v, NOWHERE);
        }
        queue.weight = queue.weight.saturating_sub(weight);
        if queue.current == Some(task) {
            queue.current = None;
        } else {
            self.waiting.remove(cpu, task);
        }
        queue.buddies.clear(task);
        self.follow(cpu);
    }

    fn pick(&mut self, _view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        let queue = &mut self.queues[cpu];
        queue.resched = false;
        let buddies = queue.buddies;
        let Some(Item {
            task: first,
            key: first_v,
            ..
        }) = self.waiting.first(cpu)
        else {
            return prev;
        };
        let prev_v = prev.map(|task| (task, self.tasks[task].v));
        // Among equals the one that waits came first.
        let (left, left_v) = prev_v.filter(|&(_, v)| v < first_v).unwrap_or((first, first_v));
        let not_unfair = |v: i64, left: TaskId, left_v: i64| v - left_v <= self.granularity(self.tasks[left].weight);
        let mut next = left;
        if buddies.skip == Some(left) {
            let second = if prev == Some(left) {
                Some((first, first_v))
            } else {
                let second = self.waiting.second(cpu).map(|item| (item.task, item.key));
                second.into_iter().chain(prev_v).min_by_key(|&(_, v)| v)
            };
            if let Some((second, v)) = second {
                if not_unfair(v, left, left_v) {
                    next = second;
                }
            }
        }
        let mut preferred = [buddies.next, buddies.last].into_iter().flatten();
        let fair = |buddy: &TaskId| not_unfair(self.tasks[*buddy].v, left, left_v);
        Some(preferred.find(fair).unwrap_or(next))
    }

    fn start(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        self.waiting.remove(cpu, task);
        let queue = &mut self.queues[cpu];
        queue.current = Some(task);
        queue.used = 0;
        queue.from = (self.tasks[task].v, 0);
        queue.resched = false;
        queue.buddies.clear(task);
    }

    fn stop(&mut self, _view: &View, cpu: Cpu, task: TaskId, _why: Stop) {
        let v = self.tasks[task].v;
        self.queues[cpu].current = None;
        self.waiting.push(cpu, task, v);
    }

    fn ran(&mut self, _view: &View, cpu: Cpu, task: TaskId, used: Ns) {
        let queue = &mut self.queues[cpu];
        queue.used += used;
        queue.from.1 += used;
        // From the beginning, so that it does not matter how often this is asked.
        let entity = &mut self.tasks[task];
        entity.v = queue.from.0 + virtual_time(queue.from.1, entity.weight);
        self.follow(cpu);
    }

    fn preempts(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        let Some(current) = view.cpus[cpu].current else {
            return false;
        };
        // Who is about to leave the CPU is not preempted again (`check_preempt_wakeup`).
        if self.queues[cpu].resched {
            return false;
        }
        let wakee = self.tasks[task];
        let preempts = self.granularity(wakee.weight) < self.tasks[current].v - wakee.v;
        if preempts {
            let many = MANY <= self.runnable(cpu);
            let queue = &mut self.queues[cpu];
            queue.resched = true;
            queue.buddies.next = Some(task);
            if many && self.times.last_buddy {
                queue.buddies.last = Some(current);
            }
        }
        preempts
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, task: TaskId) -> bool {
        let slice = self.slice_of_current(cpu, task);
        let queue = &self.queues[cpu];
        let Some(first_v) = self.waiting.first(cpu).map(|item| item.key) else {
            return false;
        };
        let used_up = slice < queue.used;
        let behind = self.times.min_granularity <= queue.used && (slice as i64) < self.tasks[task].v - first_v;
        let queue = &mut self.queues[cpu];
        if used_up {
            queue.buddies.clear(task);
        }
        queue.resched |= used_up || behind;
        used_up || behind
    }

    fn next_tick(&self, view: &View, cpu: Cpu, task: TaskId) -> NextTick {
        let queue = &self.queues[cpu];
        let Some(first_v) = self.waiting.first(cpu).map(|item| item.key) else {
            return NextTick::Never;
        };
        let entity = self.tasks[task];
        let slice = self.slice_of_current(cpu, task);
        let used_up = (slice + 1).saturating_sub(queue.used);
        let lead = slice as i64 - (entity.v - first_v);
        let behind = times(u64::try_from(lead).unwrap_or(0), u64::from(entity.weight)) / NICE_0;
        let granularity = self.times.min_granularity.saturating_sub(queue.used);
        NextTick::From(view.now + used_up.min(behind.max(granularity)))
    }

    fn yields(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        // Who is alone yields to nobody.
        if 0 < self.waiting.len(cpu) {
            let buddies = &mut self.queues[cpu].buddies;
            buddies.clear(task);
            buddies.skip = Some(task);
        }
    }

    /// Who runs and takes a lower priority is asked at once whether it is still the one (`prio_changed_fair`).
    fn reprio(&mut self, view: &View, cpu: Cpu, task: TaskId, _before: i16) -> bool {
        let weight = view.tasks[task].weight;
        let before = std::mem::replace(&mut self.tasks[task].weight, weight);
        let queue = &mut self.queues[cpu];
        let runs = queue.current == Some(task);
        if runs {
            queue.from = (self.tasks[task].v, 0);
        }
        if runs || self.waiting.get(cpu, task).is_some() {
            queue.weight = (queue.weight + u64::from(weight)).saturating_sub(u64::from(before));
        }
        runs && weight < before
    }
}
