//! The fluid schedule that others are compared with: every runnable task runs at once, at its weight's share of the CPUs, at
//! most one CPU each. There are no switches.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::engine::{Program, Step};
use crate::policy::{weight_of, Ns, TaskId};
use crate::workload::{Start, Workload};

/// Parts of a nanosecond of CPU time.
const FINE: u128 = 1 << 40;
/// Stands for the weight of real time, before which no other counts.
const REAL_TIME: u32 = u32::MAX;

/// Tasks of one weight: all get the same.
#[derive(Default)]
struct Class {
    /// What each member has got since the beginning, in [`FINE`] parts.
    progress: u128,
    /// Members by the progress at which their next step is due.
    due: BinaryHeap<Reverse<(u128, TaskId)>>,
    /// How many run.
    running: u128,
    /// What each gets in a nanosecond, in [`FINE`] parts.
    rate: u128,
}

#[derive(Clone, Copy, Default)]
struct Member {
    prio: i16,
    step: u32,
    end: u32,
    clock: Ns,
    /// The class's progress at which `clock` was true.
    since: u128,
    used: u128,
    runs: bool,
    sleeps: bool,
}

struct Fluid {
    program: Program,
    cpus: u128,
    now: Ns,
    classes: BTreeMap<Reverse<u32>, Class>,
    members: Vec<Member>,
    remembered: Vec<bool>,
    wakeups: BinaryHeap<Reverse<(Ns, TaskId, u32)>>,
}

/// CPU time of each task up to a time.
pub fn cpu_times(workload: &Workload, cpus: u32, until: Ns) -> Vec<Ns> {
    let program = Program::new(workload);
    let bound = |at: usize| program.starts.get(at).copied().unwrap_or(0);
    let member = |(at, task): (usize, &crate::workload::Task)| Member {
        prio: task.prio.unwrap_or(120),
        step: bound(at),
        end: bound(at + 1),
        ..Member::default()
    };
    let mut fluid = Fluid {
        members: workload.tasks.iter().enumerate().map(member).collect(),
        remembered: vec![false; program.count()],
        program,
        cpus: u128::from(cpus),
        now: 0,
        classes: BTreeMap::new(),
        wakeups: BinaryHeap::new(),
    };
    for (id, task) in (0..).zip(&workload.tasks) {
        match task.start {
            Start::Runnable => fluid.begin(id),
            Start::Sleeping => fluid.sleep(id),
            Start::Forked => {}
        }
    }
    fluid.go(until);
    let members = (0..fluid.members.len() as u32).map(|id| {
        fluid.stop(id);
        fluid
            .members
            .get(id as usize)
            .map_or(0, |member| (member.used / FINE) as Ns)
    });
    members.collect()
}

fn class_of(prio: i16) -> Reverse<u32> {
    Reverse(if prio < 100 { REAL_TIME } else { weight_of(prio) })
}

impl Fluid {
    fn go(&mut self, until: Ns) {
        loop {
            self.set_rates();
            let wakeup = self.wakeups.peek().map_or(Ns::MAX, |Reverse(wakeup)| wakeup.0);
            let due = self.classes.values().filter_map(|class| {
                let Reverse((at, _)) = class.due.peek()?;
                let left = at.saturating_sub(class.progress);
                let wall = left.checked_div(class.rate)? + u128::from(left % class.rate != 0);
                Some(self.now.saturating_add(Ns::try_from(wall).unwrap_or(Ns::MAX)))
            });
            let next = due.min().unwrap_or(Ns::MAX).min(wakeup);
            let passed = next.min(until) - self.now;
            for class in self.classes.values_mut() {
                class.progress += class.rate * u128::from(passed);
            }
            self.now += passed;
            if until <= next {
                return;
            }
            while let Some(Reverse((_, task, wait))) = self
                .wakeups
                .peek()
                .copied()
                .filter(|Reverse(wakeup)| wakeup.0 <= self.now)
            {
                self.wakeups.pop();
                self.wake(task, wait);
            }
            let ripe: Vec<TaskId> = self.classes.values_mut().flat_map(take_ripe).collect();
            ripe.into_iter().for_each(|task| self.steps(task));
        }
    }

    /// The heaviest take a whole CPU each, as long as their share is more.
    fn set_rates(&mut self) {
        let weight_of = |key: &Reverse<u32>| u128::from(key.0);
        let mut weight: u128 = self
            .classes
            .iter()
            .map(|(key, class)| weight_of(key) * class.running)
            .sum();
        let mut cpus = self.cpus * FINE;
        for (key, class) in &mut self.classes {
            if class.running == 0 {
                continue;
            }
            let share = if key.0 == REAL_TIME {
                cpus / class.running
            } else {
                cpus * weight_of(key) / weight.max(1)
            };
            class.rate = share.min(FINE);
            weight -= weight_of(key) * class.running;
            if share < FINE && key.0 != REAL_TIME {
                // All that are lighter get less than a CPU, too: their shares are of the same whole.
                weight += weight_of(key) * class.running;
            } else {
                cpus -= class.rate * class.running;
            }
        }
    }

    fn begin(&mut self, id: TaskId) {
        self.early_prios(id);
        let Some(member) = self.members.get_mut(id as usize) else {
            return;
        };
        let class = self.classes.entry(class_of(member.prio)).or_default();
        class.running += 1;
        (member.runs, member.sleeps, member.since) = (true, false, class.progress);
        self.set_due(id);
    }

    fn set_due(&mut self, id: TaskId) {
        let Some(member) = self.members.get(id as usize) else {
            return;
        };
        let next = self.program.get(member.step).filter(|_| member.step < member.end);
        if let (Some(next), Some(class)) = (next, self.classes.get_mut(&class_of(member.prio))) {
            let left = u128::from(next.at.saturating_sub(member.clock)) * FINE;
            class.due.push(Reverse((member.since + left, id)));
        }
    }

    /// Brings a running task up to date.
    fn account(&mut self, id: TaskId) {
        let Some(member) = self.members.get_mut(id as usize).filter(|member| member.runs) else {
            return;
        };
        let Some(class) = self.classes.get(&class_of(member.prio)) else {
            return;
        };
        let got = class.progress - member.since;
        member.used += got;
        member.clock += ((got + FINE / 2) / FINE) as Ns;
        member.since = class.progress;
    }

    fn stop(&mut self, id: TaskId) {
        self.account(id);
        if let Some(member) = self.members.get_mut(id as usize).filter(|member| member.runs) {
            member.runs = false;
            if let Some(class) = self.classes.get_mut(&class_of(member.prio)) {
                class.running -= 1;
            }
        }
    }

    fn sleep(&mut self, id: TaskId) {
        let Some(member) = self.members.get_mut(id as usize) else {
            return;
        };
        member.sleeps = true;
        let Some(packed) = self.program.get(member.step).filter(|_| member.step < member.end) else {
            return;
        };
        if packed.step() == Step::Sleep {
            let wakeup = (self.now.saturating_add(packed.at), id, member.step);
            self.wakeups.push(Reverse(wakeup));
        }
    }

    fn wake(&mut self, id: TaskId, wait: u32) {
        let Some(member) = self.members.get_mut(id as usize) else {
            return;
        };
        if member.sleeps && member.step == wait {
            member.step += 1;
            member.clock = 0;
            self.begin(id);
        } else if let Some(remembered) = self.remembered.get_mut(wait as usize) {
            *remembered = true;
        }
    }

    fn early_prios(&mut self, id: TaskId) {
        let Some(member) = self.members.get_mut(id as usize) else {
            return;
        };
        while let Some(packed) = self.program.get(member.step).filter(|_| member.step < member.end) {
            match packed.step() {
                Step::Prio(prio) if packed.at == 0 => member.prio = prio,
                _ => return,
            }
            member.step += 1;
        }
    }

    /// Does what is due.
    fn steps(&mut self, id: TaskId) {
        self.account(id);
        while let Some(member) = self.members.get_mut(id as usize) {
            let next = self.program.get(member.step).filter(|_| member.step < member.end);
            let Some(packed) = next.filter(|next| next.at <= member.clock) else {
                return self.set_due(id);
            };
            let step = packed.step();
            if let Step::Wait(_) = step {
                if self.remembered.get(member.step as usize) != Some(&true) {
                    // The step is done when the wakeup comes.
                    self.stop(id);
                    return self.sleep(id);
                }
            }
            let prio = member.prio;
            member.step += 1;
            match step {
                Step::Wake(wait) => {
                    if let Some(wakee) = self.program.waits(wait) {
                        self.wake(wakee, wait);
                    }
                }
                Step::Fork(child) => {
                    if let Some(child) = self.members.get_mut(child as usize) {
                        child.prio = prio;
                    }
                    self.begin(child);
                }
                Step::Prio(prio) => {
                    self.stop(id);
                    if let Some(member) = self.members.get_mut(id as usize) {
                        member.prio = prio;
                    }
                    return self.begin(id);
                }
                Step::Yield | Step::Rename(_) => {}
                Step::Block(_) => {
                    self.stop(id);
                    return self.sleep(id);
                }
                Step::Exit(_) => return self.stop(id),
                Step::Sleep | Step::Await | Step::Wait(_) => member.clock = 0,
            }
        }
    }
}

/// Members whose next step is due.
fn take_ripe(class: &mut Class) -> Vec<TaskId> {
    let mut ripe = Vec::new();
    while let Some(Reverse((at, task))) = class.due.peek().copied() {
        if class.progress < at {
            break;
        }
        class.due.pop();
        ripe.push(task);
    }
    ripe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{fairbench, responsebench};

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn everybody_gets_its_share() {
        let found = cpu_times(&fairbench(), 1, 180 * SECOND);
        let sum = 5 * (88761 + 9548 + 1024 + 110 + 15);
        for (group, weight) in found.chunks(5).zip([88761, 9548, 1024, 110, 15]) {
            for &found in group {
                assert!(found.abs_diff(180 * SECOND * weight / sum) < 10, "{weight}: {found}");
            }
        }
    }

    /// On 25 CPUs each has its own; on 6, the five heaviest have one each, and all others the sixth.
    #[test]
    fn nobody_gets_more_than_a_cpu() {
        assert!(cpu_times(&fairbench(), 25, SECOND)
            .iter()
            .all(|&found| found.abs_diff(SECOND) < 10));
        let found = cpu_times(&fairbench(), 6, SECOND);
        let sum: u64 = found.iter().sum();
        assert!(sum.abs_diff(6 * SECOND) < 100, "{sum}");
        assert!(found[..5].iter().all(|&found| found.abs_diff(SECOND) < 10), "{found:?}");
        let rest = 5 * (9548 + 1024 + 110 + 15);
        assert!(found[5].abs_diff(SECOND * 9548 / rest) < 10, "{found:?}");
    }

    /// 5 ms of work and then a sleep, on as many CPUs as there are tasks: nobody waits.
    #[test]
    fn sleeps_take_their_time() {
        let found = cpu_times(&responsebench(SECOND), 25, SECOND);
        assert!(
            found.iter().any(|&found| found.abs_diff(SECOND / 2) < 6_000_000),
            "{found:?}"
        );
    }
}
