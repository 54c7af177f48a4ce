//! EEVDF.

use super::{weight, Queue};
use replay::policy::{Cpu, Ns, Off, On, Policy, Stop, TaskId, View};

/// EEVDF.
pub struct Deadlines {
    pub queue: Queue,
    pub slice: Ns,
    pub protected: bool,
    pub used_up: bool,
    /// V when nobody was left.
    pub v: i64,
}

impl Deadlines {
    fn sums(&self, view: &View) -> (i128, i128) {
        let all = self.queue.waiting.iter().chain(&self.queue.current);
        all.fold((0, 0), |(sum, weights), &task| {
            let own = weight(view, task);
            (sum + own * i128::from(self.queue.tasks[&task].v), weights + own)
        })
    }
    fn average(&self, view: &View) -> i64 {
        let (sum, weights) = self.sums(view);
        if weights == 0 {
            return self.v;
        }
        sum.div_euclid(weights) as i64
    }
    fn virtual_slice(&self, view: &View, task: TaskId) -> i64 {
        (i128::from(self.slice) * 1024 / weight(view, task)) as i64
    }
    fn first(&self, view: &View) -> Option<TaskId> {
        let (sum, weights) = self.sums(view);
        let eligible = |task: &TaskId| i128::from(self.queue.tasks[task].v) * weights <= sum;
        let current = self.queue.current.filter(eligible);
        if current.is_some() && self.protected {
            return current;
        }
        let waiting = self.queue.waiting.iter().filter(|task| eligible(task));
        let all = waiting.chain(&current);
        all.min_by_key(|task| self.queue.tasks[task].deadline).copied()
    }
    fn off(&mut self, view: &View, task: TaskId) {
        let average = self.average(view);
        self.queue.leave(task);
        let most = (i128::from((2 * self.slice).max(view.tick_ns)) * 1024 / weight(view, task)) as i64;
        let it = self.queue.of(task);
        it.lag = (average - it.v).clamp(-most, most);
        if std::mem::take(&mut it.delayed) {
            it.lag = it.lag.min(0);
        }
        if self.queue.waiting.is_empty() && self.queue.current.is_none() {
            self.v = average;
        }
    }
}

impl Policy for Deadlines {
    common!();
    fn enqueue(&mut self, view: &View, _cpu: Cpu, task: TaskId, on: On) {
        if self.queue.of(task).delayed {
            if self.average(view) <= self.queue.of(task).v {
                self.queue.of(task).delayed = false;
                return;
            }
            self.off(view, task);
        }
        if on == On::First {
            self.queue.of(task).lag = 0;
        }
        let (_, sum) = self.sums(view);
        let own = weight(view, task);
        let lag = i128::from(self.queue.of(task).lag);
        let back = if sum == 0 { 0 } else { (lag * (sum + own) / sum) as i64 };
        let v = self.average(view) - back;
        let slice = self.virtual_slice(view, task);
        let it = self.queue.of(task);
        (it.v, it.deadline) = (v, v + slice);
        self.queue.waiting.push(task);
    }
    fn dequeue(&mut self, view: &View, _cpu: Cpu, task: TaskId, off: Off) {
        let (sum, weights) = self.sums(view);
        let ahead = sum < i128::from(self.queue.of(task).v) * weights;
        if matches!(off, Off::Sleeps(_)) && self.queue.current == Some(task) && ahead {
            self.queue.stop(task, false);
            self.queue.of(task).delayed = true;
        } else {
            self.off(view, task);
        }
    }
    fn pick(&mut self, view: &View, _cpu: Cpu, _prev: Option<TaskId>) -> Option<TaskId> {
        self.used_up = false;
        loop {
            let first = self.first(view)?;
            if !self.queue.of(first).delayed {
                return Some(first);
            }
            self.off(view, first);
        }
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.queue.start(task);
        (self.protected, self.used_up) = (true, false);
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _why: Stop) {
        self.queue.stop(task, false);
    }
    fn ran(&mut self, view: &View, _cpu: Cpu, task: TaskId, used: Ns) {
        self.queue.used += used;
        let v = self.queue.from_v + (i128::from(self.queue.used) * 1024 / weight(view, task)) as i64;
        let slice = self.virtual_slice(view, task);
        let alone = self.queue.waiting.is_empty();
        let it = self.queue.of(task);
        it.v = v;
        if it.deadline <= v {
            it.deadline = v + slice;
            self.protected = false;
            self.used_up |= !alone;
        }
    }
    fn preempts(&mut self, view: &View, _cpu: Cpu, task: TaskId) -> bool {
        self.used_up || self.first(view) == Some(task)
    }
    fn tick(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        std::mem::take(&mut self.used_up)
    }
}
