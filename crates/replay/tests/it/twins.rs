//! Slow and obvious twins: ticks that are all made, and a CFS that looks at everybody.

use crate::properties::{recipes, workload, POLICIES};
use proptest::prelude::*;
use replay::engine::{run, run_policy, Limits};
use replay::generate::{fairbench, responsebench};
use replay::machine::Machine;
use replay::policy::{Cpu, NextTick, Ns, Off, On, Policy, Spec, Stop, TaskId, View, Waking};
use replay::Workload;
use std::collections::HashMap;

const MS: u64 = 1_000_000;

/// Asks for every tick.
struct EveryTick(Box<dyn Policy>);

impl Policy for EveryTick {
    fn attach(&mut self, view: &View, task: TaskId, parent: Option<TaskId>) {
        self.0.attach(view, task, parent);
    }
    fn select_cpu(&mut self, view: &View, task: TaskId, waking: &Waking) -> Option<Cpu> {
        self.0.select_cpu(view, task, waking)
    }
    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On) {
        self.0.enqueue(view, cpu, task, on);
    }
    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off) {
        self.0.dequeue(view, cpu, task, off);
    }
    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        self.0.pick(view, cpu, prev)
    }
    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.0.start(view, cpu, task);
    }
    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, why: Stop) {
        self.0.stop(view, cpu, task, why);
    }
    fn ran(&mut self, view: &View, cpu: Cpu, task: TaskId, used: Ns) {
        self.0.ran(view, cpu, task, used);
    }
    fn preempts(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        self.0.preempts(view, cpu, task)
    }
    fn tick(&mut self, view: &View, cpu: Cpu, task: TaskId) -> bool {
        self.0.tick(view, cpu, task)
    }
    fn next_tick(&self, view: &View, _cpu: Cpu, _task: TaskId) -> NextTick {
        NextTick::From(view.now)
    }
    fn yields(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.0.yields(view, cpu, task);
    }
    fn reprio(&mut self, view: &View, cpu: Cpu, task: TaskId, before: i16) -> bool {
        self.0.reprio(view, cpu, task, before)
    }
    fn tick_ns(&self) -> Option<Ns> {
        self.0.tick_ns()
    }
    fn one_queue(&self) -> bool {
        self.0.one_queue()
    }
}

/// CFS of one CPU by the formulas alone: no heap, no sums that are kept.
#[derive(Default)]
struct NaiveCfs {
    v: HashMap<TaskId, i64>,
    /// In order of coming.
    waiting: Vec<TaskId>,
    current: Option<TaskId>,
    min_v: i64,
    /// What the running one has used, and its virtual runtime before.
    used: Ns,
    began_v: i64,
    /// The wakee that preempted, and whom it preempted.
    next_buddy: Option<TaskId>,
    last_buddy: Option<TaskId>,
    /// A switch is due.
    resched: bool,
    /// Slices may be shorter than the granularity.
    no_floor: bool,
}

impl NaiveCfs {
    fn weight(view: &View, task: TaskId) -> u64 {
        u64::from(view.tasks[task].weight)
    }

    fn all(&self) -> Vec<TaskId> {
        self.waiting.iter().copied().chain(self.current).collect()
    }

    fn slice(&self, view: &View, task: TaskId) -> u64 {
        let all = self.all();
        let sum: u64 = all.iter().map(|&task| Self::weight(view, task)).sum();
        let n = all.len() as u64;
        let period = if n <= 8 { 6 * MS } else { n * 750_000 };
        let share = (u128::from(period) * u128::from(Self::weight(view, task)) / u128::from(sum)) as u64;
        share.max(if self.no_floor { 0 } else { 750_000 })
    }

    /// A task that runs, leaves, or has used up its slice is nobody's buddy.
    fn forget(&mut self, task: TaskId) {
        self.next_buddy = self.next_buddy.filter(|&next| next != task);
        self.last_buddy = self.last_buddy.filter(|&last| last != task);
    }

    fn leftmost(&self) -> Option<TaskId> {
        self.waiting.iter().copied().min_by_key(|task| self.v[task])
    }

    fn follow(&mut self) {
        if let Some(least) = self.all().iter().map(|task| self.v[task]).min() {
            self.min_v = self.min_v.max(least);
        }
    }

    fn granularity(view: &View, task: TaskId) -> i64 {
        (MS * 1024 / Self::weight(view, task)) as i64
    }
}

impl Policy for NaiveCfs {
    fn enqueue(&mut self, view: &View, _cpu: Cpu, task: TaskId, on: On) {
        let v = self.v.entry(task).or_insert(0);
        *v = match on {
            On::First | On::Class => self.min_v,
            On::Woken => (*v).max(self.min_v - 3 * MS as i64),
            On::Forked(_) | On::Moved => panic!("neither happens here: {}", view.now),
        };
        self.waiting.push(task);
    }
    fn dequeue(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _off: Off) {
        self.waiting.retain(|&waiting| waiting != task);
        self.current = self.current.filter(|&current| current != task);
        self.forget(task);
        self.follow();
    }
    fn pick(&mut self, view: &View, _cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        self.resched = false;
        let Some(mut left) = self.leftmost() else { return prev };
        if let Some(prev) = prev.filter(|prev| self.v[prev] < self.v[&left]) {
            left = prev;
        }
        let is_fair = |buddy: &TaskId| self.v[buddy] - self.v[&left] <= Self::granularity(view, left);
        let next = self.next_buddy.filter(is_fair);
        next.or(self.last_buddy.filter(is_fair)).or(Some(left))
    }
    fn start(&mut self, _view: &View, _cpu: Cpu, task: TaskId) {
        self.waiting.retain(|&waiting| waiting != task);
        self.current = Some(task);
        (self.used, self.began_v) = (0, self.v[&task]);
        self.resched = false;
        self.forget(task);
    }
    fn stop(&mut self, _view: &View, _cpu: Cpu, task: TaskId, _why: Stop) {
        self.current = None;
        self.waiting.push(task);
    }
    fn ran(&mut self, view: &View, _cpu: Cpu, task: TaskId, used: Ns) {
        self.used += used;
        let v = self.began_v + (self.used * 1024 / Self::weight(view, task)) as i64;
        self.v.insert(task, v);
        self.follow();
    }
    fn preempts(&mut self, view: &View, _cpu: Cpu, task: TaskId) -> bool {
        let current = self.current.unwrap();
        if self.resched || self.v[&current] - self.v[&task] <= Self::granularity(view, task) {
            return false;
        }
        self.resched = true;
        self.next_buddy = Some(task);
        if 8 <= self.all().len() {
            self.last_buddy = Some(current);
        }
        true
    }
    fn tick(&mut self, view: &View, _cpu: Cpu, task: TaskId) -> bool {
        let Some(left) = self.leftmost() else { return false };
        let slice = self.slice(view, task);
        let over = slice < self.used;
        if over {
            self.forget(task);
        }
        let ends = over || 750_000 <= self.used && (slice as i64) < self.v[&task] - self.v[&left];
        self.resched |= ends;
        ends
    }
    fn next_tick(&self, view: &View, _cpu: Cpu, _task: TaskId) -> NextTick {
        NextTick::From(view.now)
    }
}

fn hash(workload: &Workload, machine: &Machine, policy: Box<dyn Policy>) -> u64 {
    let limits = Limits {
        until_ns: Some(20_000 * MS),
        ..Limits::default()
    };
    let outcome = run_policy(workload, machine, policy, "twin", limits);
    outcome.unwrap_or_else(|error| panic!("{error}")).hash
}

/// A tick that is not made would have changed nothing.
fn ticks_are_enough(workload: &Workload, cpus: u32) {
    let machine = Machine::flat(cpus);
    for text in POLICIES
        .iter()
        .filter(|text| !text.contains("exact") && !text.starts_with("rlfifo"))
    {
        let policy = || text.parse::<Spec>().unwrap().build(cpus).unwrap();
        let every = hash(workload, &machine, Box::new(EveryTick(policy())));
        assert_eq!(hash(workload, &machine, policy()), every, "{text}");
    }
}

fn cfs_is_its_twin(workload: &Workload) {
    let machine = Machine::flat(1);
    for (text, no_floor) in [("cfs", false), ("cfs:slice_floor=off", true)] {
        let cfs = text.parse::<Spec>().unwrap().build(1).unwrap();
        let naive = NaiveCfs {
            no_floor,
            ..NaiveCfs::default()
        };
        assert_eq!(
            hash(workload, &machine, cfs),
            hash(workload, &machine, Box::new(naive)),
            "{text}"
        );
    }
}

#[test]
fn benchmarks() {
    for workload in [fairbench(), responsebench(20_000 * MS)] {
        ticks_are_enough(&workload, 1);
        cfs_is_its_twin(&workload);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::common::cases(24)))]

    #[test]
    fn anything(recipes in recipes(), cpus in 1_u32..4) {
        let workload = workload(recipes);
        ticks_are_enough(&workload, cpus);
        cfs_is_its_twin(&workload);
    }
}

/// The same run, whoever computes it.
#[test]
fn hashes_do_not_change() {
    let outcome = |policy: &str| {
        let limits = Limits {
            until_ns: Some(10_000 * MS),
            ..Limits::default()
        };
        run(
            &responsebench(10_000 * MS),
            &Machine::flat(2),
            &policy.parse().unwrap(),
            limits,
        )
        .unwrap()
    };
    for policy in POLICIES {
        let (one, other) = (outcome(policy), outcome(policy));
        assert_eq!((one.hash, one.switches), (other.hash, other.switches), "{policy}");
    }
}
