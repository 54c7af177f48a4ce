//! Linux 2.4.

use super::{Queue, Task, MS};
use replay::policy::{Cpu, Ns, Off, On, Policy, Stop, TaskId, View};

/// Linux 2.4: the list has those that run, too.
#[derive(Default)]
pub struct Goodness(Queue);

impl Goodness {
    fn good(&self, view: &View, task: TaskId) -> i64 {
        match self.0.tasks[&task].ticks as i64 {
            0 => 0,
            ticks => ticks + 15 + 20 - i64::from(view.tasks[task].nice()),
        }
    }
    fn best(&self, view: &View) -> Option<TaskId> {
        let mut best: Option<TaskId> = None;
        for &task in &self.0.waiting {
            if best.is_none_or(|best| self.good(view, best) < self.good(view, task)) {
                best = Some(task);
            }
        }
        best
    }
}

impl Policy for Goodness {
    common!();
    fn attach(&mut self, view: &View, task: TaskId, _parent: Option<TaskId>) {
        let fresh = (20 - view.tasks[task].nice()) / 4 + 1;
        *self.0.of(task) = Task {
            ticks: fresh as u64,
            alive: true,
            ..Task::default()
        };
    }
    fn enqueue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _on: On) {
        self.0.waiting.push(task);
    }
    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, off: Off) {
        self.0.leave(task);
        self.0.of(task).alive = off != Off::Exits;
    }
    fn pick(&mut self, view: &View, _cpu: Cpu, _prev: Option<TaskId>) -> Option<TaskId> {
        let best = self.best(view)?;
        if self.good(view, best) != 0 {
            return Some(best);
        }
        for (&task, it) in &mut self.0.tasks {
            if it.alive {
                it.ticks = it.ticks / 2 + ((20 - view.tasks[task].nice()) / 4 + 1) as u64;
            }
        }
        self.best(view)
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.0.current = Some(task);
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _why: Stop) {
        self.0.stop(task, false);
    }
    fn preempts(&mut self, view: &View, _cpu: Cpu, task: TaskId) -> bool {
        self.0.current.map_or(0, |current| self.good(view, current)) < self.good(view, task)
    }
    fn tick(&mut self, _view: &View, _cpu: Cpu, task: TaskId) -> bool {
        let ticks = &mut self.0.of(task).ticks;
        *ticks = ticks.saturating_sub(1);
        *ticks == 0
    }
    fn tick_ns(&self) -> Option<Ns> {
        Some(10 * MS)
    }
    fn one_queue(&self) -> bool {
        true
    }
}
