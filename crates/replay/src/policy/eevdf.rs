//! EEVDF, the fair scheduler since Linux 6.6 (kernel/sched/fair.c): of the tasks that have had no more than their share, the
//! one with the earliest virtual deadline runs.

use super::weight::{virtual_time, NICE_0};
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View, Waking};
use crate::table::Table;

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EevdfParams {
    /// What a task asks for, before it is scaled by the number of CPUs: 0.75 ms up to 6.11, 0.70 ms later.
    pub base_slice: Ns,
    /// A slice ends when it ends, instead of at the next tick.
    pub exact_slices: bool,
    /// Who runs keeps the CPU up to its deadline, as long as it is eligible.
    pub run_to_parity: bool,
    /// Who sleeps having had more than its share stays in the sums until it is picked or woken.
    pub delay_dequeue: bool,
}

impl Default for EevdfParams {
    fn default() -> Self {
        EevdfParams {
            base_slice: 700_000,
            exact_slices: false,
            run_to_parity: true,
            delay_dequeue: true,
        }
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Eevdf {
    params: EevdfParams,
    slice: Ns,
    queues: Table<Queue>,
    tasks: Table<Entity>,
}

/// One that waits, sleeps delayed, or (apart) runs. In one place, since each pick looks at all.
#[derive(Clone, Copy, Debug, Default)]
struct Waiter {
    v: i64,
    deadline: i64,
    task: TaskId,
    weight: u32,
    /// It sleeps.
    delayed: bool,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// In order of coming.
    waiting: Vec<Waiter>,
    current: Option<Waiter>,
    /// Of all of them.
    weight: i128,
    /// Sum of weight times virtual runtime of those that wait.
    sum: i128,
    /// V when the queue was last empty: where the next one begins.
    v: i64,
    /// The running one has used up its slice.
    used_up: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entity {
    /// V less its virtual runtime when it left.
    lag: i64,
    weight: u32,
    /// Where it sleeps delayed.
    delayed_on: Option<Cpu>,
}

impl Queue {
    /// Sum of weight times virtual runtime, of all.
    fn whole_sum(&self) -> i128 {
        let current = self.current.map_or(0, |one| one.product());
        self.sum + current
    }

    /// The average virtual runtime.
    fn average(&self) -> i64 {
        if self.weight <= 0 {
            self.v
        } else {
            self.whole_sum().div_euclid(self.weight) as i64
        }
    }

    /// Whether a task has had no more than its share, without rounding.
    #[inline]
    fn eligible(&self, v: i64, whole_sum: i128) -> bool {
        i128::from(v) * self.weight <= whole_sum
    }

    fn add(&mut self, one: Waiter) {
        self.sum += one.product();
        self.waiting.push(one);
    }

    fn take(&mut self, task: TaskId) -> Option<Waiter> {
        let at = self.waiting.iter().position(|one| one.task == task)?;
        let one = self.waiting.remove(at);
        self.sum -= one.product();
        Some(one)
    }

    /// Of those that are eligible, the one with the earliest deadline; the first that came among equals.
    fn first(&self) -> Option<Waiter> {
        let whole_sum = self.whole_sum();
        let mut best: Option<Waiter> = self.current.filter(|one| self.eligible(one.v, whole_sum));
        for one in &self.waiting {
            let earlier = best.is_none_or(|best| one.deadline < best.deadline);
            if earlier && self.eligible(one.v, whole_sum) {
                best = Some(*one);
            }
        }
        // By rounding nobody may be: the one that is least ahead.
        best.or_else(|| {
            self.waiting
                .iter()
                .chain(&self.current)
                .min_by_key(|one| one.v)
                .copied()
        })
    }
}

impl Waiter {
    fn product(&self) -> i128 {
        i128::from(self.v) * i128::from(self.weight)
    }
}

impl Eevdf {
    /// For so many CPUs.
    pub fn new(params: EevdfParams, cpus: u32) -> Eevdf {
        Eevdf {
            slice: params.base_slice.max(1) * (1 + u64::from(cpus.clamp(1, 8).ilog2())),
            params,
            queues: Table::new(cpus as usize),
            tasks: Table::default(),
        }
    }

    /// The lag of one that leaves, within bounds.
    fn lag(&self, view: &View, cpu: Cpu, one: &Waiter) -> i64 {
        let most = virtual_time((2 * self.slice).max(view.tick_ns), one.weight);
        (self.queues[cpu].average() - one.v).clamp(-most, most)
    }

    /// Puts a task onto a queue, with what it is owed.
    fn place(&mut self, cpu: Cpu, task: TaskId, new: bool) {
        let Entity { lag, weight, .. } = self.tasks[task];
        let queue = &mut self.queues[cpu];
        let mut v = queue.average();
        if queue.weight > 0 && !new {
            // Its coming moves the average: so much that it has its lag afterwards.
            v -= (i128::from(lag) * (queue.weight + i128::from(weight)) / queue.weight) as i64;
        }
        let slice = virtual_time(if new { self.slice / 2 } else { self.slice }, weight);
        queue.weight += i128::from(weight);
        queue.add(Waiter {
            v,
            deadline: v + slice,
            task,
            weight,
            delayed: false,
        });
    }

    /// Takes a task off a queue, and keeps its lag.
    fn leave(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        let current = self.queues[cpu].current.filter(|one| one.task == task);
        let found = self.queues[cpu].waiting.iter().find(|one| one.task == task);
        let Some(one) = current.or(found.copied()) else { return };
        let lag = self.lag(view, cpu, &one);
        self.tasks[task].lag = if one.delayed { lag.min(0) } else { lag };
        self.tasks[task].delayed_on = None;
        let queue = &mut self.queues[cpu];
        let average = queue.average();
        if current.is_some() {
            queue.current = None;
        } else {
            queue.take(task);
        }
        queue.weight -= i128::from(one.weight);
        if queue.weight <= 0 {
            queue.v = average;
        }
    }

    fn alone(&self, cpu: Cpu) -> bool {
        self.queues[cpu].waiting.is_empty()
    }
}

impl Policy for Eevdf {
    fn attach(&mut self, view: &View, task: TaskId, _parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(Entity::default());
        }
        self.tasks[task].weight = view.tasks[task].weight;
    }

    /// A delayed task has not left its CPU.
    fn select_cpu(&mut self, _view: &View, task: TaskId, _waking: &Waking) -> Option<Cpu> {
        self.tasks[task].delayed_on
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On) {
        self.tasks[task].weight = view.tasks[task].weight;
        if let Some(delayed_on) = self.tasks[task].delayed_on {
            let queue = &mut self.queues[delayed_on];
            let average = queue.average();
            let one = queue.waiting.iter_mut().find(|one| one.task == task);
            match one {
                // It still has had more than its share.
                Some(one) if delayed_on == cpu && average < one.v => {
                    one.delayed = false;
                    self.tasks[task].delayed_on = None;
                    return;
                }
                _ => self.leave(view, delayed_on, task),
            }
        }
        if matches!(on, On::First | On::Class) {
            self.tasks[task].lag = 0;
        }
        self.place(cpu, task, matches!(on, On::Forked(_)));
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off) {
        let queue = &mut self.queues[cpu];
        if self.params.delay_dequeue && matches!(off, Off::Sleeps(_)) {
            let whole_sum = queue.whole_sum();
            if let Some(one) = queue.current.filter(|one| one.task == task) {
                if !queue.eligible(one.v, whole_sum) {
                    queue.current = None;
                    queue.add(Waiter { delayed: true, ..one });
                    self.tasks[task].delayed_on = Some(cpu);
                    return;
                }
            }
        }
        self.leave(view, cpu, task);
    }

    fn pick(&mut self, view: &View, cpu: Cpu, _prev: Option<TaskId>) -> Option<TaskId> {
        loop {
            let first = self.queues[cpu].first()?;
            if !first.delayed {
                return Some(first.task);
            }
            self.leave(view, cpu, first.task);
        }
    }

    fn start(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        let queue = &mut self.queues[cpu];
        if let Some(one) = queue.take(task) {
            queue.current = Some(one);
        }
        queue.used_up = false;
    }

    fn stop(&mut self, _view: &View, cpu: Cpu, _task: TaskId, _why: Stop) {
        let queue = &mut self.queues[cpu];
        if let Some(one) = queue.current.take() {
            queue.add(one);
        }
    }

    fn ran(&mut self, _view: &View, cpu: Cpu, _task: TaskId, used: Ns) {
        let slice = self.slice;
        let queue = &mut self.queues[cpu];
        if let Some(one) = &mut queue.current {
            one.v += virtual_time(used, one.weight);
            if one.deadline <= one.v {
                one.deadline = one.v + virtual_time(slice, one.weight);
                queue.used_up = true;
            }
        }
    }

    fn preempts(&mut self, _view: &View, cpu: Cpu, task: TaskId) -> bool {
        let queue = &mut self.queues[cpu];
        if std::mem::take(&mut queue.used_up) {
            return true;
        }
        let whole_sum = queue.whole_sum();
        let eligible = queue.current.is_some_and(|one| queue.eligible(one.v, whole_sum));
        if self.params.run_to_parity && eligible {
            return false;
        }
        queue.first().is_some_and(|first| first.task == task)
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, _task: TaskId) -> bool {
        std::mem::take(&mut self.queues[cpu].used_up) && !self.alone(cpu)
    }

    fn next_tick(&self, view: &View, cpu: Cpu, _task: TaskId) -> NextTick {
        let queue = &self.queues[cpu];
        let Some(one) = queue.current.filter(|_| !self.alone(cpu)) else {
            return NextTick::Never;
        };
        let left = u64::try_from(one.deadline - one.v).unwrap_or(0);
        let left = match queue.used_up {
            true => 0,
            false => left.saturating_mul(u64::from(one.weight)).div_ceil(NICE_0),
        };
        if self.params.exact_slices {
            NextTick::Exactly(view.now + left)
        } else {
            NextTick::From(view.now + left)
        }
    }

    fn yields(&mut self, _view: &View, cpu: Cpu, _task: TaskId) {
        let slice = self.slice;
        if let Some(one) = &mut self.queues[cpu].current {
            one.deadline += virtual_time(slice, one.weight);
        }
    }

    fn reprio(&mut self, view: &View, cpu: Cpu, task: TaskId, _before: i16) {
        let weight = view.tasks[task].weight;
        let before = i64::from(std::mem::replace(&mut self.tasks[task].weight, weight).max(1));
        // What it is owed stays the same time of a CPU.
        let rescale =
            |virtual_ns: i64| (i128::from(virtual_ns) * i128::from(before) / i128::from(weight.max(1))) as i64;
        self.tasks[task].lag = rescale(self.tasks[task].lag);
        let queue = &mut self.queues[cpu];
        let average = queue.average();
        let running = queue.current.filter(|one| one.task == task);
        let Some(mut one) = running.or_else(|| queue.take(task)) else {
            return;
        };
        queue.weight += i128::from(weight) - i128::from(one.weight);
        one.deadline = rescale(one.deadline - one.v);
        one.v = average - rescale(average - one.v);
        one.deadline += one.v;
        one.weight = weight;
        match running {
            Some(_) => queue.current = Some(one),
            None => queue.add(one),
        }
    }
}
