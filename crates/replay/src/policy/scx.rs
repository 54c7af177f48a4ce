//! What sched_ext's scx_simple does (tools/sched_ext in the kernel): one queue for all CPUs, by arrival or by virtual time.

use super::heap::Heaps;
use super::weight::NICE_0;
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View, Waking};
use crate::arith::{divided, times};
use crate::table::Table;

/// The order of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By arrival.
    Fifo,
    /// By weighted virtual time.
    Vtime,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Scx {
    order: Order,
    slice: Ns,
    /// One queue.
    queue: Heaps,
    /// Directly dispatched to a CPU that idled.
    local: Table<Option<TaskId>>,
    /// To which CPU a task was dispatched that has not run there yet.
    dispatched: Table<Option<Cpu>>,
    vtimes: Table<i64>,
    global: i64,
    used: Table<Ns>,
    /// By CPU, what is left of the running task's use where it made no whole ns of virtual time.
    left: Table<u64>,
    arrivals: i64,
}

impl Scx {
    /// For so many CPUs.
    pub fn new(order: Order, slice: Ns, cpus: u32) -> Scx {
        Scx {
            order,
            slice,
            queue: Heaps::new(1),
            local: Table::new(cpus as usize),
            dispatched: Table::default(),
            vtimes: Table::default(),
            global: 0,
            used: Table::new(cpus as usize),
            left: Table::new(cpus as usize),
            arrivals: 0,
        }
    }

    fn push(&mut self, task: TaskId) {
        self.arrivals += 1;
        let key = match self.order {
            Order::Fifo => self.arrivals,
            Order::Vtime => {
                // A task that slept has saved up one slice at most.
                self.vtimes[task] = self.vtimes[task].max(self.global - self.slice as i64);
                self.vtimes[task]
            }
        };
        self.queue.push(0, task, key);
    }

    /// A task that was dispatched to a CPU which another one took first: one of real time, which may be a fair one by now.
    fn kept_waiting(&self, view: &View, cpu: Cpu) -> Option<TaskId> {
        let taken = (0..view.cpu_count()).filter(|&other| view.cpus[other].current.is_some());
        let mut waiting = taken.filter_map(|other| self.local[other]);
        waiting.find(|&task| view.tasks[task].may_run_on(cpu))
    }

    /// Whether a task waits for the running one's slice to end.
    fn has_waiters(&self, cpu: Cpu) -> bool {
        0 < self.queue.len(0) || self.local[cpu].is_some()
    }

    /// Weight 100 at nice 0.
    fn weight(view: &View, task: TaskId) -> u64 {
        (u64::from(view.tasks[task].weight) * 100 / NICE_0).max(1)
    }
}

impl Policy for Scx {
    fn attach(&mut self, _view: &View, task: TaskId, _parent: Option<TaskId>) {
        while self.vtimes.len() <= task as usize {
            self.vtimes.push(0);
            self.dispatched.push(None);
        }
        self.vtimes[task] = self.global;
    }

    fn select_cpu(&mut self, view: &View, task: TaskId, _waking: &Waking) -> Option<Cpu> {
        let last = view.tasks[task].cpu;
        let fits = |cpu: &Cpu| view.tasks[task].may_run_on(*cpu);
        let idle = |cpu: &Cpu| fits(cpu) && view.cpus[*cpu].idle();
        let all = 0..view.cpu_count();
        let found = [last].into_iter().filter(idle).chain(all.clone().filter(idle)).next();
        found.or_else(|| [last].into_iter().chain(all).find(fits))
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, _on: On) {
        if view.cpus[cpu].idle() && self.local[cpu].is_none() {
            self.local[cpu] = Some(task);
            self.dispatched[task] = Some(cpu);
        } else {
            self.push(task);
        }
    }

    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _off: Off) {
        if self.queue.remove(0, task).is_none() {
            if let Some(at) = self.dispatched[task].take() {
                self.local[at] = None;
            }
        }
    }

    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        let queued = || {
            let first = self.queue.first_that(0, |task| view.tasks[task].may_run_on(cpu));
            first.map(|item| item.task)
        };
        let Some(next) = self.local[cpu].or_else(queued) else {
            return prev.or_else(|| self.kept_waiting(view, cpu));
        };
        match (prev, self.order, self.queue.get(0, next).map(|item| item.key)) {
            // It is enqueued again as it stops, and may be the first there.
            (Some(prev), Order::Vtime, Some(key)) if self.vtimes[prev].max(self.global - self.slice as i64) < key => {
                Some(prev)
            }
            _ => Some(next),
        }
    }

    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.dequeue(view, cpu, task, Off::Moves);
        self.global = self.global.max(self.vtimes[task]);
        (self.used[cpu], self.left[cpu]) = (0, 0);
    }

    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _why: Stop) {
        self.push(task);
    }

    fn ran(&mut self, view: &View, cpu: Cpu, task: TaskId, used: Ns) {
        self.vtimes[task] += divided(times(used, 100), Self::weight(view, task), &mut self.left[cpu]) as i64;
        self.used[cpu] += used;
        if !self.has_waiters(cpu) {
            self.used[cpu] = view.used_alone(cpu, self.slice, self.used[cpu], used);
        }
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, _task: TaskId) -> bool {
        let over = self.slice <= self.used[cpu];
        if over {
            self.used[cpu] = 0;
        }
        over
    }

    fn next_tick(&self, view: &View, cpu: Cpu, _task: TaskId) -> NextTick {
        if !self.has_waiters(cpu) {
            return NextTick::Never;
        }
        NextTick::From(view.now + self.slice.saturating_sub(self.used[cpu]))
    }

    fn one_queue(&self) -> bool {
        true
    }
}
