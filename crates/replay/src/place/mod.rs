//! Which CPU a task gets: at a wakeup, at a fork, and when CPUs take tasks over from others.

mod balance;
mod linux;
mod load;

use crate::machine::{Machine, Place, Sync};
use crate::policy::{Cpu, Ns, On, TaskId, View};
use crate::table::Table;
use crate::workload::Workload;
use load::{Decay, Load};

/// What is known for such decisions.
#[derive(Clone, Debug)]
pub struct Placer {
    machine: Machine,
    decay: Decay,
    /// Of all that a CPU has had.
    loads: Table<Load>,
    tasks: Table<Placed>,
    /// Sum of the weights of the living members of each group, by parent.
    groups: Table<u64>,
    /// When each CPU balances next, by level.
    next: Table<[Ns; LEVELS]>,
    /// No CPU balances before.
    due: Ns,
    /// How many CPUs there are around each CPU, by level.
    spans: Table<[u32; LEVELS]>,
    /// How many CPUs each CPU's last-level cache has.
    llc_sizes: Table<u64>,
    /// Whether cores have several CPUs.
    has_siblings: bool,
}

/// Parts of the machine that are balanced: the last-level cache, the socket, all.
const LEVELS: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    load: Load,
    /// The weight that counts, while it is runnable.
    runnable: Option<i64>,
    /// The CPU whose load holds its own.
    cpu: Option<Cpu>,
    /// The CPU before the last one.
    before: Cpu,
    last_wakee: Option<TaskId>,
    flips: u64,
    flips_halved: Ns,
    /// Its group, plus 1: the parent.
    group: u32,
    /// The weight with which it is a member.
    member: u32,
}

/// Bytes that are kept of each task.
pub(crate) const PER_TASK: usize = size_of::<Placed>() + size_of::<u64>();

impl Placer {
    /// For a run.
    pub fn new(machine: &Machine, workload: &Workload) -> Placer {
        let placed = |task: &crate::workload::Task| Placed {
            group: match task.parent {
                Some(parent) if machine.placement.groups => parent + 1,
                _ => 0,
            },
            ..Placed::default()
        };
        let spans = balance::spans(machine);
        let llc_sizes: Vec<u64> = spans.iter().map(|&[llc, ..]| u64::from(llc)).collect();
        let cores: std::collections::BTreeSet<u32> = machine.places.iter().map(|place| place.core).collect();
        Placer {
            has_siblings: cores.len() < machine.places.len(),
            machine: machine.clone(),
            decay: Decay::new(),
            loads: Table::new(machine.cpus() as usize),
            tasks: workload.tasks.iter().map(placed).collect::<Vec<_>>().into(),
            groups: Table::new(workload.tasks.len()),
            next: Table::new(machine.cpus() as usize),
            due: 0,
            spans: spans.into(),
            llc_sizes: llc_sizes.into(),
        }
    }

    /// One more task, of the group of its parent.
    pub fn add_task(&mut self, parent: Option<TaskId>) {
        let group = parent.filter(|_| self.machine.placement.groups);
        self.tasks.push(Placed {
            group: group.map_or(0, |parent| parent + 1),
            ..Placed::default()
        });
        self.groups.push(0);
    }

    /// A task exists from now on: it is a member of its group, with this weight.
    pub fn born(&mut self, task: TaskId, weight: u32) {
        self.leave_group(task);
        let placed = &mut self.tasks[task];
        if let Some(parent) = placed.group.checked_sub(1) {
            placed.member = weight;
            self.groups[parent] += u64::from(weight);
        }
    }

    /// A task is no member of its group any more.
    pub fn leave_group(&mut self, task: TaskId) {
        let placed = &mut self.tasks[task];
        if let Some(parent) = placed.group.checked_sub(1) {
            let weight = std::mem::take(&mut placed.member);
            self.groups[parent] = self.groups[parent].saturating_sub(u64::from(weight));
        }
    }

    /// Whether loads matter.
    fn tracks(&self) -> bool {
        1 < self.machine.cpus() && self.machine.placement.place == Place::Linux
    }

    /// Whether a waker with this name says that it is about to sleep.
    pub fn sync(&self, comm: &str) -> bool {
        match &self.machine.placement.sync {
            Sync::Off => false,
            Sync::On => true,
            Sync::By(comms) => comms.iter().any(|known| known == comm),
        }
    }

    /// The weight that a task has for its CPU: that of its group is shared among all its members.
    fn weight(&self, view: &View, task: TaskId) -> i64 {
        let weight = u64::from(view.tasks[task].weight);
        match self.tasks[task].group.checked_sub(1) {
            Some(parent) => (weight * 1024 / self.groups[parent].max(weight)).max(2) as i64,
            None => weight as i64,
        }
    }

    /// The CPU for a task that wakes.
    pub fn wake(&mut self, view: &View, task: TaskId, waking: &crate::policy::Waking) -> Cpu {
        if view.cpu_count() == 1 {
            return 0;
        }
        match self.machine.placement.place {
            Place::Linux => self.wake_as_linux(view, task, waking),
            Place::Stay => self.stay(view, task),
            Place::Idlest => self.idlest(view, task, view.tasks[task].cpu),
            Place::Shared => self.shared(view, task),
        }
    }

    /// The CPU for a task that was just forked on `cpu`.
    pub fn fork(&mut self, view: &View, task: TaskId, cpu: Cpu) -> Cpu {
        match self.machine.placement.place {
            _ if view.cpu_count() == 1 => 0,
            Place::Linux | Place::Idlest => self.idlest(view, task, cpu),
            Place::Stay => self.stay(view, task),
            Place::Shared => self.shared(view, task),
        }
    }

    /// The last CPU, if it may run there, else the first that it may use.
    fn stay(&self, view: &View, task: TaskId) -> Cpu {
        let last = view.tasks[task].cpu;
        self.allowed(view, task, last)
            .then_some(last)
            .or_else(|| self.first(view, task))
            .unwrap_or(last)
    }

    fn allowed(&self, view: &View, task: TaskId, cpu: Cpu) -> bool {
        view.tasks[task].may_run_on(cpu)
    }

    fn first(&self, view: &View, task: TaskId) -> Option<Cpu> {
        (0..view.cpu_count()).find(|&cpu| self.allowed(view, task, cpu))
    }

    /// The last CPU if it idles, else any that does, else the last.
    pub fn shared(&self, view: &View, task: TaskId) -> Cpu {
        let last = self.stay(view, task);
        let idle = |cpu: &Cpu| view.cpus[*cpu].idle() && self.allowed(view, task, *cpu);
        let mut candidates = [last].into_iter().chain(0..view.cpu_count());
        candidates.find(idle).unwrap_or(last)
    }

    /// The CPU with the fewest tasks; of those, the nearest to `from`.
    fn idlest(&self, view: &View, task: TaskId, from: Cpu) -> Cpu {
        let allowed = (0..view.cpu_count()).filter(|&cpu| self.allowed(view, task, cpu));
        let tasks = |cpu: Cpu| {
            let view = &view.cpus[cpu];
            view.waiting + u32::from(view.current.is_some())
        };
        let best = allowed.min_by_key(|&cpu| (tasks(cpu), self.machine.distance(from, cpu), cpu));
        best.unwrap_or(from)
    }

    /// A task has woken another.
    pub fn woke(&mut self, now: Ns, waker: TaskId, wakee: TaskId) {
        let waker = &mut self.tasks[waker];
        if 1_000_000_000 < now - waker.flips_halved.min(now) {
            waker.flips /= 2;
            waker.flips_halved = now;
        }
        if waker.last_wakee != Some(wakee) {
            waker.last_wakee = Some(wakee);
            waker.flips += 1;
        }
    }

    /// A task became runnable on a CPU, having been on another.
    pub fn on(&mut self, view: &View, cpu: Cpu, task: TaskId, from: Cpu, on: On) {
        if !self.tracks() {
            return;
        }
        let weight = self.weight(view, task);
        let now = view.now;
        let mut placed = self.tasks[task];
        if let On::Forked(_) = on {
            placed.load = Load::full(u32::try_from(weight).unwrap_or(0), now);
        }
        let load = placed.load.at(now, &self.decay);
        if placed.cpu != Some(cpu) {
            if let Some(old) = placed.cpu {
                self.loads[old].add(now, &self.decay, -load);
                placed.before = from;
            }
            self.loads[cpu].add(now, &self.decay, load);
            placed.cpu = Some(cpu);
        }
        placed.load.add_weight(now, &self.decay, weight);
        self.loads[cpu].add_weight(now, &self.decay, weight);
        placed.runnable = Some(weight);
        self.tasks[task] = placed;
    }

    /// A task is no longer runnable on a CPU.
    pub fn off(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        if !self.tracks() {
            return;
        }
        let Some(weight) = self.tasks[task].runnable.take() else {
            return;
        };
        self.tasks[task].load.add_weight(view.now, &self.decay, -weight);
        self.loads[cpu].add_weight(view.now, &self.decay, -weight);
    }

    /// A task has another weight.
    pub fn reweighed(&mut self, view: &View, task: TaskId) {
        if 0 < self.tasks[task].member {
            self.born(task, view.tasks[task].weight);
        }
        let weight = self.weight(view, task);
        let now = view.now;
        let placed = self.tasks[task];
        if let (Some(before), Some(cpu)) = (placed.runnable, placed.cpu) {
            self.tasks[task].load.add_weight(now, &self.decay, weight - before);
            self.tasks[task].runnable = Some(weight);
            self.loads[cpu].add_weight(now, &self.decay, weight - before);
        }
    }
}
