//! Queues in order of arrival, and of what was used.

use super::{weight, Queue};
use replay::policy::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View};

/// First come first served, round robin, and slices that all who are runnable share.
pub struct Turns {
    pub queue: Queue,
    pub slice: Ns,
    pub shared: bool,
}

impl Turns {
    fn slice_now(&self) -> Ns {
        match self.shared {
            true => self.slice / (self.queue.waiting.len() as u64 + 1),
            false => self.slice,
        }
    }
}

impl Policy for Turns {
    fn next_tick(&self, view: &View, _cpu: Cpu, _task: TaskId) -> NextTick {
        match self.shared {
            false => NextTick::From(view.now),
            true if self.queue.waiting.is_empty() => NextTick::Never,
            true => NextTick::Exactly(view.now + self.slice_now().saturating_sub(self.queue.used)),
        }
    }
    fn one_queue(&self) -> bool {
        self.shared
    }
    fn enqueue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _on: On) {
        self.queue.of(task);
        self.queue.waiting.push(task);
    }
    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _off: Off) {
        self.queue.leave(task);
    }
    fn pick(&mut self, _view: &View, _cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        self.queue.waiting.first().copied().or(prev)
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.queue.start(task);
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, why: Stop) {
        self.queue.stop(task, why == Stop::Preempted);
    }
    fn ran(&mut self, _view: &View, _cpu: Cpu, _task: TaskId, used: Ns) {
        self.queue.used += used;
    }
    fn tick(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        self.slice_now() <= self.queue.used && !self.queue.waiting.is_empty()
    }
}

/// EBS and scx by virtual time: the least used first, nobody far behind the others.
pub struct Least {
    pub queue: Queue,
    pub slice: Ns,
    pub ebs: bool,
    pub least: i64,
    /// Of scx: who came while the CPU idled runs next, whatever its virtual time.
    pub dispatched: Option<TaskId>,
    /// What the running task has used since it came onto the CPU.
    pub since: Ns,
}

impl Least {
    fn come(&mut self, task: TaskId) {
        let floor = if self.ebs {
            self.least
        } else {
            self.least - self.slice as i64
        };
        let it = self.queue.of(task);
        it.v = it.v.max(floor);
    }
}

impl Policy for Least {
    common!();
    fn attach(&mut self, _view: &View, task: TaskId, _parent: Option<TaskId>) {
        self.queue.of(task).v = if self.ebs { 0 } else { self.least };
    }
    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, _on: On) {
        self.queue.of(task);
        if !self.ebs && view.cpus[cpu].idle() && self.dispatched.is_none() {
            self.dispatched = Some(task);
            return;
        }
        self.come(task);
        self.queue.waiting.push(task);
    }
    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _off: Off) {
        self.queue.leave(task);
        self.dispatched = self.dispatched.filter(|&it| it != task);
    }
    fn pick(&mut self, _view: &View, _cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        if self.dispatched.is_some() {
            return self.dispatched;
        }
        let first = self.queue.least(|task| task.v);
        let own = prev.map(|prev| self.queue.tasks[&prev].v);
        let own = own.map(|v| {
            if self.ebs {
                v
            } else {
                v.max(self.least - self.slice as i64)
            }
        });
        let next = match (first, own) {
            (Some(first), Some(own)) if own < self.queue.tasks[&first].v => prev,
            (Some(first), _) => Some(first),
            (None, _) => return prev,
        };
        if self.ebs {
            let v = next.map_or(0, |next| self.queue.tasks[&next].v);
            self.least = self.least.max(v);
        }
        next
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.queue.start(task);
        self.since = 0;
        self.dispatched = self.dispatched.filter(|&it| it != task);
        if !self.ebs {
            self.least = self.least.max(self.queue.from_v);
        }
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _why: Stop) {
        if !self.ebs {
            self.come(task);
        }
        self.queue.stop(task, false);
    }
    fn ran(&mut self, view: &View, _cpu: Cpu, task: TaskId, used: Ns) {
        let nice = view.tasks[task].nice();
        let share = if nice <= 0 { 20 + nice * nice } else { 20 - nice };
        self.queue.used += used;
        self.since += used;
        let since = self.since as i64;
        let by = match self.ebs {
            true => since * 420 / i64::from(share),
            false => since * 100 / ((weight(view, task) * 100 / 1024) as i64).max(1),
        };
        self.queue.of(task).v = self.queue.from_v + by;
    }
    fn tick(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        let over = self.slice <= self.queue.used;
        if over {
            self.queue.used = 0;
        }
        over
    }
}
