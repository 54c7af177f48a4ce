//! Each policy against a naive one of one CPU, which looks at everybody, keeps no sums, and asks for every tick.

/// What is the same in all of them.
macro_rules! common {
    () => {
        fn next_tick(
            &self,
            view: &replay::policy::View,
            _: replay::policy::Cpu,
            _: replay::policy::TaskId,
        ) -> replay::policy::NextTick {
            replay::policy::NextTick::From(view.now)
        }
    };
}

mod arrays;
mod deadlines;
mod flow;
mod goodness;
mod turns;

use arrays::TwoArrays;
use deadlines::Deadlines;
use goodness::Goodness;
use turns::{Least, Turns};

use crate::properties::{recipes, workload};
use proptest::prelude::*;
use replay::engine::{run_policy, Limits};
use replay::generate::{fairbench, responsebench};
use replay::machine::Machine;
use replay::policy::{Ns, Policy, Spec, TaskId, View};
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

fn naive(name: &str) -> Box<dyn Policy> {
    let turns = |slice, shared| {
        let queue = Queue::default();
        Box::new(Turns { queue, slice, shared })
    };
    let least = |slice, ebs| {
        Box::new(Least {
            queue: Queue::default(),
            slice,
            ebs,
            least: 0,
            dispatched: None,
            since: 0,
        })
    };
    match name {
        "fcfs" => turns(Ns::MAX, false),
        "rlfifo" => turns(5 * MS, true),
        "rr:slice=3ms" => turns(3 * MS, false),
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
        "rlfifo",
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
    #![proptest_config(ProptestConfig::with_cases(crate::common::cases(24)))]

    #[test]
    fn anything(recipes in recipes()) {
        all_are_their_twins(&workload(recipes));
    }
}
