//! EEVDF, the fair scheduler since Linux 6.6 (kernel/sched/fair.c): of the tasks that have had no more than their share, the
//! one with the earliest virtual deadline runs.

use super::heap::{Heaps, Item};
use super::weight::{virtual_time, NICE_0};
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View, Waking};
use crate::arith::{average, product, scaled};
use crate::table::Table;

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EevdfParams {
    /// What a task asks for, before it is scaled by the number of CPUs: 0.75 ms up to 6.14 (6.12.30 of the stable kernels), 0.70 ms
    /// later (commit 2ae891b82695).
    pub base_slice: Ns,
    /// A slice ends when it ends, instead of at the next tick.
    pub exact_slices: bool,
    /// Who runs keeps the CPU up to its deadline, as long as it is eligible.
    pub run_to_parity: bool,
    /// Who sleeps having had more than its share stays in the sums until it is picked or woken.
    pub delay_dequeue: bool,
    /// Who is moved to another CPU keeps what is left up to its deadline (PLACE_REL_DEADLINE of Linux 6.12), instead of a slice.
    pub rel_deadline: bool,
}

impl Default for EevdfParams {
    fn default() -> Self {
        EevdfParams {
            base_slice: 700_000,
            exact_slices: false,
            run_to_parity: true,
            delay_dequeue: true,
            rel_deadline: true,
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
    /// Two for each CPU: of tasks by deadline, all that are eligible among them; and of tasks by virtual runtime, which were
    /// not eligible when they were looked at last.
    waiting: Heaps,
    comings: u32,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    current: Option<Current>,
    /// Of those that wait, and the running one.
    weight: i64,
    /// Sum of weight times virtual runtime of those that wait.
    sum: i128,
    /// V when the queue was last empty: where the next one begins.
    v: i64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Current {
    task: TaskId,
    /// Its virtual runtime when it came onto the CPU, or had its priority changed, and what it has used since.
    from_v: i64,
    used: Ns,
    /// Its deadline is still the one with which it came: it keeps the CPU.
    protected: bool,
    /// It has used up its slice, and others wait.
    used_up: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entity {
    v: i64,
    deadline: i64,
    /// V less its virtual runtime when it left.
    lag: i64,
    weight: u32,
    /// When it came to its queue, in the order of all that came.
    came: u32,
    /// Where it sleeps delayed.
    delayed_on: Option<Cpu>,
    /// It is between two CPUs, and `deadline` counts from its virtual runtime.
    relative: bool,
}

/// Bytes that are kept of each task.
pub(super) const PER_TASK: usize = size_of::<Entity>();

impl Entity {
    #[inline]
    fn product(&self) -> i128 {
        product(self.v, self.weight)
    }
}

/// How much a task must use for so much virtual time.
fn needed(virtual_ns: i64, weight: u32) -> Ns {
    // No more than some years, so that nothing is too long for 64 bits.
    let virtual_ns = u64::try_from(virtual_ns).unwrap_or(0).min(1 << 56);
    let weight = u64::from(weight);
    virtual_ns / NICE_0 * weight + (virtual_ns % NICE_0 * weight).div_ceil(NICE_0)
}

/// The heap of a CPU by deadline.
fn by_deadline(cpu: Cpu) -> u32 {
    2 * cpu
}

/// The heap of a CPU by virtual runtime.
fn by_v(cpu: Cpu) -> u32 {
    2 * cpu + 1
}

impl Eevdf {
    /// For so many CPUs.
    pub fn new(params: EevdfParams, cpus: u32) -> Eevdf {
        Eevdf {
            slice: params.base_slice.max(1) * (1 + u64::from(cpus.clamp(1, 8).ilog2())),
            params,
            queues: Table::new(cpus as usize),
            tasks: Table::default(),
            waiting: Heaps::new(2 * cpus),
            comings: 0,
        }
    }

    /// The average virtual runtime, rounded down. Who has had no more than its share, without rounding, has no more than that,
    /// since its own is a whole number.
    fn average(&self, cpu: Cpu) -> i64 {
        let queue = &self.queues[cpu];
        if queue.weight <= 0 {
            return queue.v;
        }
        let current = queue.current.map_or(0, |current| self.tasks[current.task].product());
        average(queue.sum + current, queue.weight)
    }

    fn waits(&self, cpu: Cpu) -> bool {
        0 < self.waiting.len(by_deadline(cpu)) + self.waiting.len(by_v(cpu))
    }

    /// Adds one that waits, as the latest that came.
    fn add(&mut self, cpu: Cpu, task: TaskId) {
        self.comings = self.comings.saturating_add(1);
        let entity = &mut self.tasks[task];
        entity.came = self.comings;
        let item = Item {
            key: entity.deadline,
            came: entity.came,
            task,
        };
        self.queues[cpu].sum += entity.product();
        self.waiting.put(by_deadline(cpu), item);
    }

    /// Takes out one that waits; whether it was there.
    fn take(&mut self, cpu: Cpu, task: TaskId) -> bool {
        let found = self.waiting.remove(by_deadline(cpu), task);
        let found = found.or_else(|| self.waiting.remove(by_v(cpu), task));
        if found.is_some() {
            self.queues[cpu].sum -= self.tasks[task].product();
        }
        found.is_some()
    }

    /// Of those that wait and are eligible, the one with the earliest deadline; the first that came among equals.
    fn first_waiting(&mut self, cpu: Cpu, average: i64) -> Option<TaskId> {
        // Each task that waits changes heaps once at most.
        let mut left = self.waiting.len(by_v(cpu)) + self.waiting.len(by_deadline(cpu));
        let mut step = || {
            debug_assert!(0 < left, "a task is in both heaps of CPU {cpu}");
            left = left.saturating_sub(1);
        };
        while let Some(Item { task, key, came }) = self.waiting.first(by_v(cpu)) {
            if average < key {
                break;
            }
            step();
            self.waiting.remove(by_v(cpu), task);
            let key = self.tasks[task].deadline;
            self.waiting.put(by_deadline(cpu), Item { key, came, task });
        }
        while let Some(Item { task, came, .. }) = self.waiting.first(by_deadline(cpu)) {
            let key = self.tasks[task].v;
            if key <= average {
                return Some(task);
            }
            step();
            self.waiting.remove(by_deadline(cpu), task);
            self.waiting.put(by_v(cpu), Item { key, came, task });
        }
        None
    }

    /// The one to run (`pick_eevdf`): the running one while it is protected, else the earliest deadline of those that are
    /// eligible; among equals, one that waits.
    fn first(&mut self, cpu: Cpu, average: i64) -> Option<TaskId> {
        let current = self.queues[cpu].current;
        let current = current.filter(|one| self.tasks[one.task].v <= average);
        if let Some(one) = current.filter(|one| self.params.run_to_parity && one.protected) {
            return Some(one.task);
        }
        let waiting = self.first_waiting(cpu, average);
        let Some(one) = current else { return waiting };
        let earlier = |other: TaskId| self.tasks[other].deadline <= self.tasks[one.task].deadline;
        waiting.filter(|&other| earlier(other)).or(Some(one.task))
    }

    /// Puts a task onto a queue, with what it is owed.
    fn place(&mut self, cpu: Cpu, task: TaskId, new: bool) {
        let mut v = self.average(cpu);
        let Entity { lag, weight, .. } = self.tasks[task];
        let sum = self.queues[cpu].weight;
        if 0 < sum && lag != 0 && !new {
            // Its coming moves the average: so much that it has its lag afterwards.
            v -= scaled(lag, sum + i64::from(weight), sum);
        }
        let slice = virtual_time(if new { self.slice / 2 } else { self.slice }, weight);
        let entity = &mut self.tasks[task];
        let left = if std::mem::take(&mut entity.relative) {
            entity.deadline
        } else {
            slice
        };
        (entity.v, entity.deadline) = (v, v + left);
        self.queues[cpu].weight += i64::from(weight);
        self.add(cpu, task);
    }

    /// Takes a task off a queue whose V is known, and keeps its lag, within bounds.
    fn leave(&mut self, view: &View, cpu: Cpu, task: TaskId, average: i64) {
        let runs = self.queues[cpu].current.is_some_and(|one| one.task == task);
        if runs {
            self.queues[cpu].current = None;
        } else if !self.take(cpu, task) {
            return;
        }
        let entity = &mut self.tasks[task];
        let most = virtual_time((2 * self.slice).max(view.tick_ns), entity.weight);
        entity.lag = (average - entity.v).clamp(-most, most);
        if entity.delayed_on.take().is_some() {
            entity.lag = entity.lag.min(0);
        }
        let queue = &mut self.queues[cpu];
        queue.weight -= i64::from(entity.weight);
        if queue.weight <= 0 {
            queue.v = average;
        }
    }

    /// The deadline of a task that has run alone up to `now`, by the updates that only ticks made: each sets it anew if it is
    /// reached. The update at `now` is not among them.
    fn deadline_alone(&self, view: &View, cpu: Cpu, one: &Current, ran: Ns) -> i64 {
        let Entity { weight, deadline, .. } = self.tasks[one.task];
        let slice = virtual_time(self.slice, weight);
        let v_at = |at: Ns| one.from_v + virtual_time(one.used - (view.now - at), weight);
        if self.params.exact_slices {
            let v = one.from_v + virtual_time(one.used, weight);
            let over = (v - deadline).max(0) / slice.max(1);
            return deadline + over * slice;
        }
        // The first tick at which it is reached, and then each that is a slice later.
        let tick = view.tick_ns.max(1);
        let phase = view.phases[cpu];
        let more = one.used - needed(deadline - one.from_v, weight).min(one.used);
        let reached = (view.now - more.min(ran)).max(phase);
        let first = phase + (reached - phase).div_ceil(tick) * tick;
        let Some(since) = view.now.checked_sub(first + 1) else {
            return deadline;
        };
        let period = self.slice.div_ceil(tick).max(1) * tick;
        v_at(first + since / period * period) + slice
    }
}

impl Policy for Eevdf {
    fn attach(&mut self, view: &View, task: TaskId, _parent: Option<TaskId>) {
        while self.tasks.len() <= task as usize {
            self.tasks.push(Entity::default());
        }
        self.tasks[task].weight = view.tasks[task].weight;
    }

    /// A delayed task has not left its CPU (`ttwu_runnable`).
    fn select_cpu(&mut self, _view: &View, task: TaskId, _waking: &Waking) -> Option<Cpu> {
        self.tasks[task].delayed_on
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On) {
        if let Some(delayed_on) = self.tasks[task].delayed_on {
            let average = self.average(delayed_on);
            let Entity { v, weight, .. } = self.tasks[task];
            if delayed_on == cpu && average <= v && weight == view.tasks[task].weight {
                // It still has had its share or more.
                self.tasks[task].delayed_on = None;
                return;
            }
            self.leave(view, delayed_on, task, average);
        }
        self.tasks[task].weight = view.tasks[task].weight;
        if matches!(on, On::First | On::Class) {
            self.tasks[task].lag = 0;
        }
        self.place(cpu, task, matches!(on, On::Forked(_)));
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off) {
        let average = self.average(cpu);
        let runs = self.queues[cpu].current.is_some_and(|one| one.task == task);
        let may_stay = self.params.delay_dequeue && matches!(off, Off::Sleeps(_));
        if may_stay && runs && average < self.tasks[task].v {
            self.queues[cpu].current = None;
            self.tasks[task].delayed_on = Some(cpu);
            self.add(cpu, task);
            return;
        }
        self.leave(view, cpu, task, average);
        if off == Off::Moves && self.params.rel_deadline {
            let entity = &mut self.tasks[task];
            (entity.deadline, entity.relative) = (entity.deadline - entity.v, true);
        }
    }

    fn pick(&mut self, view: &View, cpu: Cpu, _prev: Option<TaskId>) -> Option<TaskId> {
        if let Some(one) = &mut self.queues[cpu].current {
            one.used_up = false;
        }
        loop {
            let average = self.average(cpu);
            let first = self.first(cpu, average)?;
            if self.tasks[first].delayed_on.is_none() {
                return Some(first);
            }
            self.leave(view, cpu, first, average);
        }
    }

    fn start(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        self.take(cpu, task);
        self.queues[cpu].current = Some(Current {
            task,
            from_v: self.tasks[task].v,
            used: 0,
            protected: true,
            used_up: false,
        });
    }

    fn stop(&mut self, _view: &View, cpu: Cpu, task: TaskId, _why: Stop) {
        if self.queues[cpu].current.take().is_some() {
            self.add(cpu, task);
        }
    }

    fn ran(&mut self, view: &View, cpu: Cpu, task: TaskId, used: Ns) {
        let Some(mut one) = self.queues[cpu].current else {
            return;
        };
        one.used += used;
        let alone = !self.waits(cpu);
        let weight = self.tasks[task].weight;
        let v = one.from_v + virtual_time(one.used, weight);
        let mut deadline = self.tasks[task].deadline;
        if deadline <= v {
            if alone {
                deadline = self.deadline_alone(view, cpu, &one, used);
            }
            if deadline <= v {
                deadline = v + virtual_time(self.slice, weight);
            }
            one.protected = false;
            one.used_up |= !alone;
        }
        let entity = &mut self.tasks[task];
        (entity.v, entity.deadline) = (v, deadline);
        self.queues[cpu].current = Some(one);
    }

    fn preempts(&mut self, _view: &View, cpu: Cpu, task: TaskId) -> bool {
        let used_up = self.queues[cpu].current.is_some_and(|one| one.used_up);
        let average = self.average(cpu);
        used_up || self.first(cpu, average) == Some(task)
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, _task: TaskId) -> bool {
        let current = &mut self.queues[cpu].current;
        current.as_mut().is_some_and(|one| std::mem::take(&mut one.used_up))
    }

    fn next_tick(&self, view: &View, cpu: Cpu, task: TaskId) -> NextTick {
        // Whom the others left after it had used up its slice, the next tick finds alone, and lets go on.
        let is_asked = |one: &Current| one.used_up || self.waits(cpu);
        let Some(one) = self.queues[cpu].current.filter(is_asked) else {
            return NextTick::Never;
        };
        let Entity { deadline, weight, .. } = self.tasks[task];
        let left = match one.used_up {
            true => 0,
            false => needed(deadline - one.from_v, weight).saturating_sub(one.used),
        };
        let at = view.now.saturating_add(left);
        match self.params.exact_slices {
            true => NextTick::Exactly(at),
            false => NextTick::From(at),
        }
    }

    fn yields(&mut self, _view: &View, cpu: Cpu, task: TaskId) {
        if self.waits(cpu) {
            let weight = self.tasks[task].weight;
            self.tasks[task].deadline += virtual_time(self.slice, weight);
            if let Some(one) = &mut self.queues[cpu].current {
                one.protected = false;
            }
        }
    }

    /// Who runs comes onto the CPU anew, and with a lower priority only if it is still the one (`prio_changed_fair`).
    fn reprio(&mut self, view: &View, cpu: Cpu, task: TaskId, _before: i16) -> bool {
        let weight = view.tasks[task].weight;
        let before = self.tasks[task].weight;
        let rescale = |virtual_ns: i64| scaled(virtual_ns, i64::from(before.max(1)), i64::from(weight));
        // Where it sleeps delayed, its weight counts, though it may have run elsewhere since, as a task of real time.
        let cpu = self.tasks[task].delayed_on.unwrap_or(cpu);
        let average = self.average(cpu);
        let runs = self.queues[cpu].current.is_some_and(|one| one.task == task);
        let waits = !runs && self.take(cpu, task);
        // What it is owed stays the same time of a CPU.
        let entity = &mut self.tasks[task];
        entity.lag = rescale(entity.lag);
        entity.weight = weight;
        if !runs && !waits {
            return false;
        }
        let left = rescale(entity.deadline - entity.v);
        entity.v = average - rescale(average - entity.v);
        entity.deadline = entity.v + left;
        let v = entity.v;
        let queue = &mut self.queues[cpu];
        queue.weight += i64::from(weight) - i64::from(before);
        match &mut queue.current {
            Some(one) if runs => (one.from_v, one.used, one.protected) = (v, 0, true),
            _ => self.add(cpu, task),
        }
        runs && weight < before && self.waits(cpu)
    }
}
