//! Wakeups as Linux places them (`select_task_rq_fair` in kernel/sched/fair.c): near the waker or near the last CPU, and on
//! an idle CPU there.

use super::load::Load;
use super::Placer;
use crate::policy::{Cpu, TaskId, View, Waking};
use schedmodel::topology::Distance;

/// By how much, in percent, a CPU must be busier to count as such (`imbalance_pct`).
const IMBALANCE: i128 = 117;

impl Placer {
    pub(super) fn wake_as_linux(&mut self, view: &View, task: TaskId, waking: &Waking) -> Cpu {
        let prev = self.stay(view, task);
        let this = waking.cpu;
        let wide = self.machine.placement.wake_wide && self.wide(waking.waker, task, this);
        let target = if !wide && this != prev && self.allowed(view, task, this) {
            self.affine(view, task, this, prev, waking)
        } else {
            prev
        };
        self.idle_sibling(view, task, target, prev)
    }

    /// `wake_wide`: a task that wakes many, of which each is woken by many. A cache of one CPU is no reason to spread them, and
    /// recordings of machines that say so of all their CPUs show none.
    fn wide(&self, waker: Option<TaskId>, wakee: TaskId, this: Cpu) -> bool {
        let Some(waker) = waker else { return false };
        let (a, b) = (self.tasks[waker].flips, self.tasks[wakee].flips);
        let size = self.llc_sizes[this];
        let (less, more) = (a.min(b), a.max(b));
        1 < size && size <= less && less * size <= more
    }

    /// `wake_affine`: the waker's CPU, or the last one.
    fn affine(&mut self, view: &View, task: TaskId, this: Cpu, prev: Cpu, waking: &Waking) -> Cpu {
        let idle = |cpu: Cpu| view.cpus[cpu].idle();
        let near = self.machine.distance(this, prev) <= Distance::Llc;
        if idle(this) && near {
            return if idle(prev) { prev } else { this };
        }
        let only_waker = view.cpus[this].waiting == 0 && view.cpus[this].current == waking.waker;
        if waking.sync && waking.waker.is_some() && only_waker {
            return this;
        }
        if self.machine.placement.idle_prev && idle(prev) {
            return prev;
        }
        let now = view.now;
        let own = i128::from(self.tasks[task].load.at(now, &self.decay));
        let mut this_load = i128::from(self.loads[this].at(now, &self.decay));
        let prev_load = i128::from(self.loads[prev].at(now, &self.decay));
        let mut one = 0;
        if let Some(waker) = waking.waker.filter(|_| waking.sync) {
            this_load -= i128::from(self.tasks[waker].load.at(now, &self.decay));
            one = 1;
        }
        let capacity = |cpu: Cpu| i128::from(self.machine.capacity(cpu));
        // The last CPU counts half of the imbalance more.
        let left = (this_load + own) * 200 * capacity(prev);
        let right = ((prev_load - own) * (100 + IMBALANCE) + one) * capacity(this);
        if left < right {
            this
        } else {
            prev
        }
    }

    /// `select_idle_sibling`: an idle CPU that shares the last-level cache with the target.
    fn idle_sibling(&self, view: &View, task: TaskId, target: Cpu, prev: Cpu) -> Cpu {
        let usable = |cpu: Cpu| view.cpus[cpu].idle() && self.allowed(view, task, cpu);
        let near = |cpu: Cpu| self.machine.distance(target, cpu) <= Distance::Llc;
        if usable(target) {
            return target;
        }
        let before = self.tasks[task].before;
        if let Some(known) = [prev, before].into_iter().find(|&cpu| near(cpu) && usable(cpu)) {
            return known;
        }
        if self.llc_sizes[target] == 1 {
            return target;
        }
        let count = view.cpu_count();
        let around = || {
            (0..count)
                .map(|offset| (target + offset) % count)
                .filter(|&cpu| near(cpu))
        };
        if self.has_siblings {
            let core_idle = |cpu: &Cpu| {
                let mut siblings = around().filter(|&other| self.machine.distance(*cpu, other) <= Distance::Core);
                usable(*cpu) && siblings.all(|other| view.cpus[other].idle())
            };
            if let Some(cpu) = around().find(core_idle) {
                return cpu;
            }
        }
        around().find(|&cpu| usable(cpu)).unwrap_or(target)
    }

    /// The loads that are compared at a wakeup, as whole numbers: of a CPU, and of a task.
    pub fn loads_of(&mut self, view: &View, cpu: Cpu, task: TaskId) -> (i64, i64) {
        let cpu = self.loads[cpu].at(view.now, &self.decay);
        let task = self.tasks[task].load.at(view.now, &self.decay);
        (Load::whole(cpu), Load::whole(task))
    }
}
