//! CPUs take waiting tasks over from others: when they are about to idle, and every now and then.

use super::{Placer, LEVELS};
use crate::machine::Machine;
use crate::policy::{Cpu, Ns, TaskId, View, MS};
use schedmodel::topology::{CpuPlace, Distance};
use std::collections::BTreeMap;

/// What ran so lately is left where its cache is (`sysctl_sched_migration_cost`).
const HOT: Ns = MS / 2;
/// In percent (`imbalance_pct`).
const IMBALANCE: u32 = 117;
/// A busy CPU balances so many times as seldom (`busy_factor`).
const BUSY_FACTOR: Ns = 16;

const PARTS: [Distance; LEVELS] = [Distance::Llc, Distance::Socket, Distance::Machine];

/// How many CPUs there are around each CPU, by level: cores are parts of caches, and those of sockets.
pub(super) fn spans(machine: &Machine) -> Vec<[u32; LEVELS]> {
    let mut sizes: [BTreeMap<u32, u32>; LEVELS] = Default::default();
    let groups = |place: &CpuPlace| [place.llc, place.socket, 0];
    for place in &machine.places {
        for (sizes, group) in sizes.iter_mut().zip(groups(place)) {
            *sizes.entry(group).or_default() += 1;
        }
    }
    let [llcs, sockets, all] = &sizes;
    let size = |sizes: &BTreeMap<u32, u32>, group| sizes.get(&group).copied().unwrap_or(0);
    let around = |place| {
        let [llc, socket, machine] = groups(place);
        [size(llcs, llc), size(sockets, socket), size(all, machine)]
    };
    machine.places.iter().map(around).collect()
}

/// How many CPUs each level has, of those that have more than the level before.
fn levels(spans: [u32; LEVELS]) -> impl Iterator<Item = Option<Ns>> {
    let mut before = 1;
    spans.into_iter().map(move |span| {
        let more = before < span;
        before = span;
        more.then_some(Ns::from(span))
    })
}

impl Placer {
    /// The parts of the machine around a CPU, from the smallest to the largest, with their numbers of CPUs: those that are
    /// more than the CPU, and more than the one before.
    fn parts(&self, cpu: Cpu) -> impl Iterator<Item = (usize, Distance, Ns)> {
        let parts = levels(self.spans[cpu]).zip(PARTS).enumerate();
        parts.filter_map(|(level, (span, part))| Some((level, part, span?)))
    }

    /// Whether CPUs take tasks over.
    pub fn balances(&self) -> bool {
        self.machine.placement.balance && 1 < self.machine.cpus()
    }

    /// A CPU has nothing to do: somebody who waits on the busiest CPU near it, or farther.
    pub fn new_idle(&self, view: &View, cpu: Cpu) -> Option<TaskId> {
        if !self.balances() {
            return None;
        }
        self.parts(cpu)
            .find_map(|(_, part, _)| self.waiting_on_busiest(view, cpu, part, 1, 0))
    }

    /// No CPU balances before this time: until then, [`Placer::periodic`] finds nobody and changes nothing.
    pub fn balance_due(&self) -> Ns {
        self.due
    }

    /// All CPUs have balanced that were due.
    pub fn balanced(&mut self) {
        let due = self.next.iter().zip(self.spans.iter()).map(|(next, spans)| {
            let levels = next.iter().zip(levels(*spans));
            levels.filter_map(|(next, span)| span.map(|_| *next)).min()
        });
        self.due = due.flatten().min().unwrap_or(Ns::MAX);
    }

    /// Whom a CPU takes over now and then, if it is time for it.
    pub fn periodic(&mut self, view: &View, cpu: Cpu) -> Option<TaskId> {
        if !self.balances() {
            return None;
        }
        let own = runnable(view, cpu);
        for (level, part, span) in self.parts(cpu) {
            let due = self.next[cpu].get(level).copied().unwrap_or(Ns::MAX);
            if view.now < due {
                continue;
            }
            let interval = span * MS * if own == 0 { 1 } else { BUSY_FACTOR };
            if let Some(next) = self.next[cpu].get_mut(level) {
                *next = view.now + interval;
            }
            // One task more than here, and by so many percent; moving one must not turn it round.
            let least = if own == 0 {
                1
            } else {
                (own * IMBALANCE / 100 + 1).max(own + 1)
            };
            let found = self.waiting_on_busiest(view, cpu, part, least, HOT);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Somebody who waits on the CPU with the most runnable tasks, of those within a part of the machine that have more than
    /// `least`, and who has not run for some time.
    fn waiting_on_busiest(&self, view: &View, cpu: Cpu, part: Distance, least: u32, cold: Ns) -> Option<TaskId> {
        let near = |&other: &Cpu| other != cpu && self.machine.distance(cpu, other) <= part;
        let busy = |&other: &Cpu| 0 < view.cpus[other].waiting && view.cpus[other].current.is_some();
        let mut others: Vec<Cpu> = (0..view.cpu_count()).filter(near).filter(busy).collect();
        others.retain(|&other| least < runnable(view, other));
        others.sort_by_key(|&other| (std::cmp::Reverse(runnable(view, other)), other));
        others.into_iter().find_map(|other| {
            let tasks = (0..).zip(view.tasks.iter());
            let mut fitting = tasks.filter(|(_, task)| {
                let fair = 100 <= task.prio;
                let rested = task.ran_until + cold <= view.now;
                task.waits && task.cpu == other && fair && rested && task.may_run_on(cpu)
            });
            fitting.next().map(|(task, _)| task)
        })
    }
}

fn runnable(view: &View, cpu: Cpu) -> u32 {
    let cpu = &view.cpus[cpu];
    cpu.waiting + u32::from(cpu.current.is_some())
}
