//! The O(1) scheduler of Linux 2.6.0 to 2.6.7 (kernel/sched.c of those): two arrays of lists by priority, and a bonus for
//! those that sleep much.

use super::levels::LevelQueues;
use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, Ticks, View, MS};
use crate::table::Table;

/// `MAX_SLEEP_AVG` and `STARVATION_LIMIT`: what a task can be credited with.
const MAX_SLEEP: Ns = 1020 * MS;
/// What one that has slept long enough is credited with: less an average slice (`AVG_TIMESLICE`).
const LONG_SLEEP: Ns = (1020 - 102) * MS;
/// `MAX_BONUS`.
const MAX_BONUS: i64 = 10;
/// What one more of bonus takes.
const BONUS_STEP: u32 = (MAX_SLEEP / MAX_BONUS as u64) as u32;
/// `CREDIT_LIMIT`.
const CREDIT: i32 = 100;

/// See the module.
#[derive(Clone, Debug)]
pub struct O1 {
    tick_ns: Ns,
    /// `TIMESLICE_GRANULARITY` by bonus, in ticks: how long an interactive task goes on before its equals.
    granularities: [u32; MAX_BONUS as usize + 1],
    runqueues: Table<Runqueue>,
    /// Two arrays of each CPU: of lists by priority.
    arrays: LevelQueues,
    tasks: Table<Task>,
}

#[derive(Clone, Debug, Default)]
struct Runqueue {
    /// The array of the tasks that have not expired, and that of those that have.
    active: u32,
    expired: u32,
    /// When the first of the expired ones came there.
    expired_since: Option<Ns>,
    /// The best static priority among them.
    best_expired: i64,
    current: Option<TaskId>,
    ticks: Ticks,
}

impl Runqueue {
    fn of(cpu: Cpu) -> Runqueue {
        Runqueue {
            active: 2 * cpu,
            expired: 2 * cpu + 1,
            ..Runqueue::default()
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Task {
    prio: i64,
    static_prio: i64,
    /// Ticks of a whole slice.
    whole: u32,
    sleep_avg: Ns,
    credit: i32,
    /// Ticks left.
    slice: u32,
    /// The array in which it waits, or is to wait when it leaves the CPU.
    array: u32,
    /// Its last sleep was uninterruptible.
    from_disk: bool,
    /// What it has used since it came onto the CPU.
    used: Ns,
}

/// Bytes that are kept of each task.
pub(super) const PER_TASK: usize = size_of::<Task>();

/// The level of a priority in an array.
fn level(prio: i64) -> u32 {
    u32::try_from(prio - 100).unwrap_or(0)
}

impl Task {
    fn nice(&self) -> i64 {
        self.static_prio - 120
    }

    /// `CURRENT_BONUS`.
    fn bonus(&self) -> i64 {
        // Of 32 bits, so that browsers need not divide.
        i64::from(self.sleep_avg.min(MAX_SLEEP) as u32 / BONUS_STEP)
    }

    /// `effective_prio`.
    fn effective(&self) -> i64 {
        (self.static_prio - (self.bonus() - MAX_BONUS / 2)).clamp(100, 139)
    }

    /// `DELTA`.
    fn delta(&self) -> i64 {
        self.nice() / 4 + 2
    }

    fn interactive(&self) -> bool {
        self.prio <= self.static_prio - self.delta()
    }

    /// `JUST_INTERACTIVE_SLEEP`: the credit that just makes it interactive.
    fn just_interactive(&self) -> Ns {
        let bonus = MAX_BONUS / 2 + self.delta() + 1;
        (u64::from(BONUS_STEP) * bonus.unsigned_abs()).saturating_sub(MS)
    }

    fn take_prio(&mut self, prio: i16, tick_ns: Ns) {
        self.static_prio = i64::from(prio.clamp(100, 139));
        self.whole = in_ticks(self.whole_slice(), tick_ns);
    }

    /// A whole slice in ms: 10 to 200.
    fn whole_slice(&self) -> u64 {
        10 + 190 * u64::try_from(139 - self.static_prio).unwrap_or(0) / 39
    }

    /// `recalc_task_prio`: it has slept.
    fn slept(&mut self, time: Ns) {
        let mut slept = time.min(MAX_SLEEP);
        let high = CREDIT < self.credit;
        if 0 < slept {
            if !self.from_disk && self.just_interactive() < slept {
                self.sleep_avg = LONG_SLEEP;
                self.credit += i32::from(!high);
            } else {
                slept *= u64::try_from(MAX_BONUS - self.bonus()).unwrap_or(0).max(1);
                if self.credit < -CREDIT {
                    slept = slept.min(self.whole_slice() * MS);
                }
                if self.from_disk && !high {
                    let limit = self.just_interactive();
                    slept = slept.min(limit.saturating_sub(self.sleep_avg));
                }
                self.sleep_avg += slept;
                if MAX_SLEEP < self.sleep_avg {
                    self.sleep_avg = MAX_SLEEP;
                    self.credit += i32::from(!high);
                }
            }
        }
        self.prio = self.effective();
    }

    /// The scheduler is called: what it has used since the last time is taken from its credit.
    fn charge(&mut self) {
        let mut used = std::mem::take(&mut self.used).min(MAX_SLEEP);
        if used == 0 {
            return;
        }
        if CREDIT < self.credit {
            used /= self.bonus().max(1).unsigned_abs();
        }
        if self.sleep_avg <= used {
            self.sleep_avg = 0;
            self.credit -= i32::from((-CREDIT..=CREDIT).contains(&self.credit));
        } else {
            self.sleep_avg -= used;
        }
    }
}

/// Milliseconds as ticks: of 32 bits, so that browsers need not divide longer ones.
fn in_ticks(ms: u64, tick_ns: Ns) -> u32 {
    u32::try_from(ms * MS / tick_ns.max(1)).unwrap_or(u32::MAX).max(1)
}

impl O1 {
    /// With so many ticks a second, for so many CPUs.
    pub fn new(hz: u64, cpus: u32) -> O1 {
        let tick_ns = 1_000_000_000 / hz.max(1);
        let granularity = |bonus: i64| (10 << ((MAX_BONUS - bonus).max(1) - 1)) * u64::from(cpus);
        O1 {
            tick_ns,
            granularities: std::array::from_fn(|bonus| in_ticks(granularity(bonus as i64), tick_ns)),
            runqueues: (0..cpus).map(Runqueue::of).collect::<Vec<_>>().into(),
            arrays: LevelQueues::new(2 * cpus),
            tasks: Table::default(),
        }
    }

    fn granularity(&self, task: &Task) -> u32 {
        let bonus = usize::try_from(task.bonus()).unwrap_or(0);
        self.granularities.get(bonus).copied().unwrap_or(1)
    }

    /// Counts the ticks since the last time against the running task's slice, down to the last one.
    fn charge(&mut self, view: &View, cpu: Cpu) {
        let queue = &mut self.runqueues[cpu];
        let ticks = queue.ticks.count(view, cpu);
        if let Some(task) = queue.current.filter(|_| 0 < ticks) {
            let task = &mut self.tasks[task];
            task.slice = task.slice.saturating_sub(u32::try_from(ticks).unwrap_or(u32::MAX));
        }
    }

    fn insert(&mut self, task: TaskId, front: bool) {
        let Task { prio, array, .. } = self.tasks[task];
        match front {
            true => self.arrays.push_front(array, level(prio), task),
            false => self.arrays.push(array, level(prio), task),
        }
    }

    /// A slice is over: a new one, and to the expired ones, unless it is interactive and those do not starve.
    fn expire(&mut self, view: &View, cpu: Cpu, id: TaskId) {
        let mut task = self.tasks[id];
        task.prio = task.effective();
        task.slice = task.whole;
        let limit = MAX_SLEEP * (u64::from(view.cpus[cpu].waiting) + 1) + self.tick_ns;
        let queue = &mut self.runqueues[cpu];
        let since = *queue.expired_since.get_or_insert(view.now);
        let best = match self.arrays.is_empty(queue.expired) {
            true => 140,
            false => queue.best_expired,
        };
        let starving = limit <= view.now - since || best < task.static_prio;
        if !task.interactive() || starving {
            task.array = queue.expired;
            queue.best_expired = best.min(task.static_prio);
        } else {
            task.array = queue.active;
        }
        self.tasks[id] = task;
    }
}

impl Policy for O1 {
    fn attach(&mut self, view: &View, id: TaskId, parent: Option<TaskId>) {
        while self.tasks.len() <= id as usize {
            self.tasks.push(Task::default());
        }
        let mut task = Task::default();
        task.take_prio(view.tasks[id].prio, self.tick_ns);
        match parent {
            Some(parent) => {
                self.charge(view, view.tasks[parent].cpu);
                let slice = self.tasks[parent].slice;
                self.tasks[parent].slice = slice / 2;
                task.slice = slice.div_ceil(2).max(1);
                // `CHILD_PENALTY`.
                let bonus = self.tasks[parent].bonus() as u64;
                task.sleep_avg = bonus * 95 / 100 * MAX_SLEEP / MAX_BONUS as u64;
            }
            None => task.slice = task.whole,
        }
        task.prio = task.effective();
        self.tasks[id] = task;
    }

    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On) {
        if on == On::Woken {
            let slept = view.now.saturating_sub(view.tasks[task].ran_until);
            self.tasks[task].slept(slept);
        }
        self.tasks[task].array = self.runqueues[cpu].active;
        self.insert(task, false);
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, id: TaskId, off: Off) {
        if self.runqueues[cpu].current == Some(id) {
            self.charge(view, cpu);
            // A slice that ends as it blocks is begun anew.
            if self.tasks[id].slice == 0 {
                self.tasks[id].slice = self.tasks[id].whole;
            }
            self.tasks[id].charge();
            self.runqueues[cpu].current = None;
        } else {
            self.arrays.remove(id);
        }
        self.tasks[id].from_disk = off == Off::Sleeps(b'D');
    }

    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        self.charge(view, cpu);
        if let Some(prev) = prev {
            self.tasks[prev].charge();
        }
        let queue = &mut self.runqueues[cpu];
        let stays = prev.is_some_and(|prev| self.tasks[prev].array == queue.active);
        if !stays && self.arrays.is_empty(queue.active) {
            std::mem::swap(&mut queue.active, &mut queue.expired);
            queue.expired_since = None;
        }
        let prev = prev.filter(|&prev| self.tasks[prev].array == queue.active);
        let first = self.arrays.first(queue.active);
        match (first, prev) {
            (Some(first), Some(prev)) if self.tasks[first].prio <= self.tasks[prev].prio => Some(first),
            (first, prev) => prev.or(first),
        }
    }

    fn start(&mut self, view: &View, cpu: Cpu, id: TaskId) {
        self.arrays.remove(id);
        let queue = &mut self.runqueues[cpu];
        queue.current = Some(id);
        queue.ticks.count(view, cpu);
    }

    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, why: Stop) {
        self.charge(view, cpu);
        self.tasks[task].charge();
        self.runqueues[cpu].current = None;
        // Who is preempted keeps its place at the head of its list.
        self.insert(task, why == Stop::Preempted);
    }

    fn ran(&mut self, _view: &View, _cpu: Cpu, task: TaskId, used: Ns) {
        self.tasks[task].used += used;
    }

    fn preempts(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        let current = view.cpus[cpu].current;
        current.is_some_and(|current| self.tasks[task].prio < self.tasks[current].prio)
    }

    fn tick(&mut self, view: &View, cpu: Cpu, id: TaskId) -> bool {
        self.charge(view, cpu);
        let task = self.tasks[id];
        if task.slice == 0 {
            self.expire(view, cpu, id);
            return true;
        }
        let granularity = self.granularity(&task);
        let used = task.whole.saturating_sub(task.slice);
        let turn = task.interactive() && used.is_multiple_of(granularity) && granularity <= task.slice;
        if turn && task.array == self.runqueues[cpu].active {
            self.tasks[id].prio = task.effective();
        }
        turn
    }

    fn next_tick(&self, view: &View, cpu: Cpu, id: TaskId) -> NextTick {
        let queue = &self.runqueues[cpu];
        let task = &self.tasks[id];
        let mut ticks = task.slice.max(1);
        // Who is alone has no equals, but its slice goes on.
        let is_alone = self.arrays.is_empty(queue.active) && self.arrays.is_empty(queue.expired);
        if !is_alone && task.interactive() {
            let granularity = self.granularity(task);
            let used = task.whole.saturating_sub(task.slice);
            ticks = ticks.min(granularity - used % granularity);
        }
        NextTick::At(queue.ticks.at(view, u64::from(ticks)))
    }

    fn yields(&mut self, view: &View, cpu: Cpu, id: TaskId) {
        // Behind all: it waits with the expired ones (`sys_sched_yield`).
        let best = self.tasks[id].static_prio;
        let queue = &mut self.runqueues[cpu];
        if self.arrays.is_empty(queue.expired) || best < queue.best_expired {
            queue.best_expired = best;
        }
        queue.expired_since.get_or_insert(view.now);
        self.tasks[id].array = queue.expired;
    }

    fn reprio(&mut self, view: &View, cpu: Cpu, id: TaskId, before_prio: i16) -> bool {
        let task = &mut self.tasks[id];
        task.take_prio(view.tasks[id].prio, self.tick_ns);
        task.prio = task.effective();
        if self.arrays.remove(id) {
            self.insert(id, false);
        }
        // `set_user_nice`: who runs and takes a lower priority is asked at once whether it is still the one.
        self.runqueues[cpu].current == Some(id) && before_prio < view.tasks[id].prio
    }

    fn tick_ns(&self) -> Option<Ns> {
        Some(self.tick_ns)
    }
}
