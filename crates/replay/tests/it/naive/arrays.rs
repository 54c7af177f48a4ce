//! O(1).

use super::{Queue, Task, MS};
use replay::policy::{Cpu, Ns, Off, On, Policy, Stop, TaskId, View};

/// O(1), in milliseconds of ticks.
#[derive(Default)]
pub struct TwoArrays {
    pub queue: Queue,
    pub expired_since: Option<Ns>,
}

const MAX_SLEEP: i64 = 1020 * MS as i64;

impl Task {
    fn bonus(&self) -> i64 {
        self.sleep_avg * 10 / MAX_SLEEP
    }
    fn effective(&self) -> i64 {
        (self.static_prio - (self.bonus() - 5)).clamp(100, 139)
    }
    fn delta(&self) -> i64 {
        (self.static_prio - 120) * 10 / 40 + 2
    }
    fn interactive(&self) -> bool {
        self.prio <= self.static_prio - self.delta()
    }
    fn whole(&self) -> u64 {
        (10 + 190 * (139 - self.static_prio) / 39) as u64
    }
    fn just_interactive(&self) -> i64 {
        (1020 * (5 + self.delta() + 1) / 10 - 1) * MS as i64
    }
}

impl TwoArrays {
    fn charge(&mut self, task: TaskId) {
        let mut used = std::mem::take(&mut self.queue.used).min(MAX_SLEEP as u64) as i64;
        let it = self.queue.of(task);
        if used == 0 {
            return;
        }
        if 100 < it.credit {
            used /= it.bonus().max(1);
        }
        it.sleep_avg -= used;
        if it.sleep_avg <= 0 {
            it.sleep_avg = 0;
            it.credit -= i64::from(it.credit.abs() <= 100);
        }
    }
}

impl Policy for TwoArrays {
    common!();
    fn attach(&mut self, view: &View, task: TaskId, _parent: Option<TaskId>) {
        let mut it = Task {
            static_prio: i64::from(view.tasks[task].prio.clamp(100, 139)),
            ..Task::default()
        };
        (it.ticks, it.prio) = (it.whole(), it.effective());
        *self.queue.of(task) = it;
    }
    fn enqueue(&mut self, view: &View, _cpu: Cpu, task: TaskId, on: On) {
        let slept = (view.now - view.tasks[task].ran_until).min(MAX_SLEEP as u64) as i64;
        let it = self.queue.of(task);
        it.expired = false;
        if on == On::Woken && 0 < slept {
            if !it.from_disk && it.just_interactive() < slept {
                it.sleep_avg = 918 * MS as i64;
                it.credit += i64::from(it.credit <= 100);
            } else {
                let mut credited = slept * (10 - it.bonus()).max(1);
                if it.credit < -100 {
                    credited = credited.min((it.whole() * MS) as i64);
                }
                it.sleep_avg += credited;
                if MAX_SLEEP < it.sleep_avg {
                    it.sleep_avg = MAX_SLEEP;
                    it.credit += i64::from(it.credit <= 100);
                }
            }
        }
        if on == On::Woken {
            it.prio = it.effective();
        }
        self.queue.waiting.push(task);
    }
    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, off: Off) {
        if self.queue.current == Some(task) {
            if self.queue.of(task).ticks == 0 {
                self.queue.of(task).ticks = self.queue.of(task).whole();
            }
            self.charge(task);
        }
        self.queue.leave(task);
        self.queue.of(task).from_disk = off == Off::Sleeps(b'D');
    }
    fn pick(&mut self, _view: &View, _cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        if let Some(prev) = prev {
            self.charge(prev);
        }
        let all = || self.queue.waiting.iter().chain(&prev);
        if all().all(|task| self.queue.tasks[task].expired) {
            let all: Vec<TaskId> = all().copied().collect();
            all.into_iter().for_each(|task| self.queue.of(task).expired = false);
            self.expired_since = None;
        }
        let active = |task: &Task| (task.expired, task.prio);
        let first = self.queue.least(active);
        let first = first.filter(|first| !self.queue.tasks[first].expired);
        let prev = prev.filter(|prev| !self.queue.tasks[prev].expired);
        match (first, prev) {
            (Some(first), Some(prev)) if self.queue.tasks[&prev].prio < self.queue.tasks[&first].prio => Some(prev),
            (first, prev) => first.or(prev),
        }
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.queue.start(task);
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, why: Stop) {
        self.charge(task);
        self.queue.stop(task, why == Stop::Preempted);
    }
    fn ran(&mut self, _view: &View, _cpu: Cpu, _task: TaskId, used: Ns) {
        self.queue.used += used;
    }
    fn preempts(&mut self, _view: &View, _cpu: Cpu, task: TaskId) -> bool {
        let current = self.queue.current.unwrap();
        self.queue.tasks[&task].prio < self.queue.tasks[&current].prio
    }
    fn tick(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        let expired = self.queue.waiting.iter().map(|task| self.queue.tasks[task]);
        let best = expired.filter(|task| task.expired).map(|task| task.static_prio).min();
        let runnable = u64::from(view.cpus[cpu].waiting) + 1;
        let mut it = self.queue.tasks[&task];
        it.ticks = it.ticks.saturating_sub(1);
        let mut again = false;
        if it.ticks == 0 {
            (it.prio, it.ticks) = (it.effective(), it.whole());
            let since = *self.expired_since.get_or_insert(view.now);
            let starving = (1020 * runnable + 1) * MS <= view.now - since;
            it.expired = !it.interactive() || starving || best.is_some_and(|best| best < it.static_prio);
            again = true;
        } else if it.interactive() {
            let turn = 10 << ((10 - it.bonus()).max(1) - 1);
            if (it.whole().saturating_sub(it.ticks)).is_multiple_of(turn) && turn <= it.ticks {
                it.prio = it.effective();
                again = true;
            }
        }
        self.queue.tasks.insert(task, it);
        again
    }
    fn tick_ns(&self) -> Option<Ns> {
        Some(MS)
    }
}
