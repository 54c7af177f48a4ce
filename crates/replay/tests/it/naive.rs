//! Each policy against a naive one of one CPU, which looks at everybody, keeps no sums, and asks for every tick.

use crate::properties::{recipes, workload};
use proptest::prelude::*;
use replay::engine::{run_policy, Limits};
use replay::generate::{fairbench, responsebench};
use replay::machine::Machine;
use replay::policy::{Cpu, NextTick, Ns, Off, On, Policy, Spec, Stop, TaskId, View};
use replay::Workload;
use std::collections::HashMap;

const MS: u64 = 1_000_000;

/// What any of these policies may keep of a task.
#[derive(Clone, Copy, Default)]
struct Task {
    v: i64,
    deadline: i64,
    lag: i64,
    delayed: bool,
    ticks: u64,
    prio: i64,
    static_prio: i64,
    sleep_avg: i64,
    credit: i64,
    expired: bool,
    from_disk: bool,
    alive: bool,
}

/// What they share: who waits, in the order of coming, and who runs, since when.
#[derive(Default)]
struct Queue {
    tasks: HashMap<TaskId, Task>,
    waiting: Vec<TaskId>,
    current: Option<TaskId>,
    used: Ns,
    from_v: i64,
}

impl Queue {
    fn of(&mut self, task: TaskId) -> &mut Task {
        self.tasks.entry(task).or_default()
    }
    fn leave(&mut self, task: TaskId) {
        self.waiting.retain(|&waiting| waiting != task);
        self.current = self.current.filter(|&current| current != task);
    }
    fn start(&mut self, task: TaskId) {
        self.leave(task);
        self.from_v = self.of(task).v;
        (self.current, self.used) = (Some(task), 0);
    }
    fn stop(&mut self, task: TaskId, front: bool) {
        self.leave(task);
        self.waiting.insert(if front { 0 } else { self.waiting.len() }, task);
    }
    /// Of those that wait the first with the least key.
    fn least<K: Ord>(&self, key: impl Fn(&Task) -> K) -> Option<TaskId> {
        self.waiting.iter().copied().min_by_key(|task| key(&self.tasks[task]))
    }
}

fn weight(view: &View, task: TaskId) -> i128 {
    i128::from(view.tasks[task].weight)
}

/// What is the same in all of them.
macro_rules! common {
    () => {
        fn next_tick(&self, view: &View, _cpu: Cpu, _task: TaskId) -> NextTick {
            NextTick::From(view.now)
        }
    };
}

/// First come first served, and round robin.
struct Turns {
    queue: Queue,
    slice: Ns,
}

impl Policy for Turns {
    common!();
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
        self.slice <= self.queue.used && !self.queue.waiting.is_empty()
    }
}

/// EBS and scx by virtual time: the least used first, nobody far behind the others.
struct Least {
    queue: Queue,
    slice: Ns,
    ebs: bool,
    least: i64,
    /// Of scx: who came while the CPU idled runs next, whatever its virtual time.
    dispatched: Option<TaskId>,
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
        let by = match self.ebs {
            true => used as i64 * 420 / i64::from(share),
            false => used as i64 * 100 / ((weight(view, task) * 100 / 1024) as i64).max(1),
        };
        self.queue.of(task).v += by;
    }
    fn tick(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        let over = self.slice <= self.queue.used;
        if over {
            self.queue.used = 0;
        }
        over
    }
}

/// Linux 2.4: the list has those that run, too.
#[derive(Default)]
struct Goodness(Queue);

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

/// O(1), in milliseconds of ticks.
#[derive(Default)]
struct TwoArrays {
    queue: Queue,
    expired_since: Option<Ns>,
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
            if (it.whole().saturating_sub(it.ticks)) % turn == 0 && turn <= it.ticks {
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

/// EEVDF.
struct Deadlines {
    queue: Queue,
    slice: Ns,
    protected: bool,
    used_up: bool,
    /// V when nobody was left.
    v: i64,
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

fn naive(name: &str) -> Box<dyn Policy> {
    let turns = |slice| {
        Box::new(Turns {
            queue: Queue::default(),
            slice,
        })
    };
    let least = |slice, ebs| {
        Box::new(Least {
            queue: Queue::default(),
            slice,
            ebs,
            least: 0,
            dispatched: None,
        })
    };
    match name {
        "fcfs" => turns(Ns::MAX),
        "rr:slice=3ms" => turns(3 * MS),
        "ebs:slice=7ms" => least(7 * MS, true),
        "scx:slice=5ms" => least(5 * MS, false),
        "linux24" => Box::<Goodness>::default(),
        "o1" => Box::<TwoArrays>::default(),
        _ => Box::new(Deadlines {
            queue: Queue::default(),
            slice: 700_000,
            protected: false,
            used_up: false,
            v: 0,
        }),
    }
}

fn all_are_their_twins(workload: &Workload) {
    let run = |policy| {
        let limits = Limits {
            until_ns: Some(20_000 * MS),
            ..Limits::default()
        };
        let outcome = run_policy(workload, &Machine::flat(1), policy, "naive", limits);
        let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
        (outcome.hash, outcome.cpu_ns)
    };
    for name in [
        "fcfs",
        "rr:slice=3ms",
        "ebs:slice=7ms",
        "scx:slice=5ms",
        "linux24",
        "o1",
        "eevdf",
    ] {
        let spec: Spec = name.parse().unwrap();
        assert_eq!(run(spec.build(1).unwrap()), run(naive(name)), "{name}");
    }
}

#[test]
fn benchmarks() {
    all_are_their_twins(&fairbench());
    all_are_their_twins(&responsebench(20_000 * MS));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn anything(recipes in recipes()) {
        all_are_their_twins(&workload(recipes));
    }
}
