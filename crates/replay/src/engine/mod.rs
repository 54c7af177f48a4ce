//! Runs a workload under a policy on a machine, in virtual time.
//!
//! The next event is the earliest of: wakeups on their way, ticks, and what the running tasks do next; of those at the same
//! time, in this order, then by CPU, then by task. The clock jumps there. All is integers, and nothing depends on the machine
//! that computes it.

mod accounts;
mod error;
mod gifts;
mod outcome;
mod output;
mod program;
mod realtime;
mod steps;
mod switch;
mod timeline;
mod wakeups;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub use error::{EngineError, TooLong, Wrong};
pub use outcome::Outcome;
pub use program::{Program, Step};

use crate::assume::Mattered;
use crate::machine::Machine;
use crate::place::Placer;
use crate::policy::{weight_of, Cpu, CpuView, Ns, On, Policy, Spec, Stop, TaskId, TaskView, View, WithPolicy};
use crate::table::Table;
use crate::workload::{Start, Task, WorkKind, Workload};
use output::Output;
use realtime::{RealTime, FIRST_FAIR};
use timeline::{Timeline, NEVER};

/// How far a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Where it ends, in ns since its beginning; `None` where all tasks have ended or sleep for ever.
    pub until_ns: Option<Ns>,
    /// It stops at so many switches, whose rows take memory.
    pub switches: u64,
    /// It stops at so many events of the engine, which take time.
    pub events: u64,
}

impl Limits {
    /// Of a recording with so many switches: it may take 64 times as many events, and 2^24 besides, before it is taken to have wrong
    /// times. A tick is an event where a task waits.
    pub fn of_recording(switches: u64, until_ns: Ns) -> Limits {
        Limits {
            until_ns: Some(until_ns),
            events: (1 << 24) + 64 * switches.min(1 << 40),
            ..Limits::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            until_ns: None,
            switches: 1 << 26,
            events: 1 << 32,
        }
    }
}

/// What a task is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// It does not exist yet.
    #[default]
    Unborn,
    /// It does not want a CPU.
    Sleeping,
    /// It waits for a CPU.
    Waiting,
    /// It runs.
    Running,
    /// It has ended.
    Dead,
}

#[derive(Clone, Copy, Debug, Default)]
struct TaskRun {
    state: State,
    /// Its next step.
    step: u32,
    /// Behind its last step.
    end: u32,
    /// CPU time since its last wakeup.
    clock: Ns,
    /// CPU time that switching costs it before it goes on.
    debt: Ns,
    /// CPU time in all.
    used: Ns,
    comm: u32,
    pid: i32,
}

#[derive(Clone, Debug, Default)]
struct CpuRun {
    /// Up to when the running task's time is accounted for.
    accounted: Ns,
    /// Whether, and why, the scheduler is to be called.
    resched: Option<Stop>,
    realtime: RealTime,
    /// When its last tick was, if it had one.
    ticked: Option<Ns>,
    /// The tick that was looked for last.
    tick_found: Ns,
    /// Whom its last switch put there, if it has had one: `None` inside for nobody.
    shown: Option<Option<TaskId>>,
    /// Speed of the running task in 1024ths.
    speed: u64,
}

/// A wakeup on its way: by time, CPU, and task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    at: Ns,
    /// Where it happens.
    cpu: Cpu,
    wakee: TaskId,
    /// The step that it ends.
    wait: u32,
    /// [`NOBODY`] if it comes from outside.
    waker: TaskId,
}

const NOBODY: TaskId = TaskId::MAX;

/// A run. It is compiled anew for each policy, since each event asks that a dozen times.
struct Engine<'a, P: ?Sized> {
    workload: &'a Workload,
    machine: &'a Machine,
    program: Program,
    policy: &'a mut P,
    policy_name: &'static str,
    placer: Placer,
    view: View,
    tasks: Table<TaskRun>,
    cpus: Table<CpuRun>,
    /// Waits whose wakeup has come already.
    remembered: Vec<u64>,
    arrivals: BinaryHeap<Reverse<Arrival>>,
    /// Ticks by CPU, then the balance of all, then what running tasks do next, by CPU.
    timeline: Timeline,
    output: Output,
    /// Fair tasks that wait, on all CPUs.
    waiting: u64,
    engine_events: u64,
    switches: u64,
    mattered: Mattered,
}

/// Runs a workload.
pub fn run(workload: &Workload, machine: &Machine, spec: &Spec, limits: Limits) -> Result<Outcome, EngineError> {
    run_watched(workload, machine, spec, limits, &mut |_| ())
}

/// How many events there are between two calls of who watches a run: about 10 ms.
const WATCHED: u32 = 1 << 18;

/// Runs a workload, and says every now and then how far it is, in ns of virtual time.
pub fn run_watched(
    workload: &Workload,
    machine: &Machine,
    spec: &Spec,
    limits: Limits,
    watch: &mut dyn FnMut(Ns),
) -> Result<Outcome, EngineError> {
    let wrong = |what| EngineError {
        policy: spec.name(),
        at: 0,
        cpu: 0,
        what,
    };
    if program::MOST_TASKS <= workload.tasks.len() {
        return Err(wrong(Wrong::Tasks(workload.tasks.len())));
    }
    let run = Run {
        workload,
        machine,
        name: spec.name(),
        limits,
    };
    spec.with(machine.cpus(), Watched(run, watch))
        .unwrap_or_else(|| Err(wrong(Wrong::NoPolicy)))
}

/// Runs a workload under a policy of one's own.
pub fn run_policy(
    workload: &Workload,
    machine: &Machine,
    mut policy: Box<dyn Policy>,
    name: &'static str,
    limits: Limits,
) -> Result<Outcome, EngineError> {
    let run = Run {
        workload,
        machine,
        name,
        limits,
    };
    run.under(&mut *policy, &mut |_| ())
}

/// All that a run is told, but the policy.
struct Run<'a> {
    workload: &'a Workload,
    machine: &'a Machine,
    name: &'static str,
    limits: Limits,
}

impl Run<'_> {
    fn under<P: Policy + ?Sized>(self, policy: &mut P, watch: &mut dyn FnMut(Ns)) -> Result<Outcome, EngineError> {
        let mut engine = Engine::new(self.workload, self.machine, policy, self.name);
        engine.begin()?;
        let cut_short = engine.go(self.limits, watch)?;
        Ok(engine.end(self.limits, cut_short))
    }
}

/// A run whose time is watched.
struct Watched<'a>(Run<'a>, &'a mut dyn FnMut(Ns));

impl WithPolicy for Watched<'_> {
    type Done = Result<Outcome, EngineError>;

    fn with<P: Policy + 'static>(self, mut policy: P) -> Self::Done {
        self.0.under(&mut policy, self.1)
    }
}

impl<'a, P: Policy + ?Sized> Engine<'a, P> {
    fn new(workload: &'a Workload, machine: &'a Machine, policy: &'a mut P, policy_name: &'static str) -> Self {
        let cpus = machine.cpus();
        let tick_ns = policy.tick_ns().unwrap_or(machine.tick_ns).max(1);
        let program = Program::new(workload);
        let mut view = View {
            tick_ns,
            phases: machine.phases(tick_ns).into(),
            cpus: vec![CpuView::default(); cpus as usize].into(),
            before_ticks: true,
            ..View::default()
        };
        let mut tasks = Table::default();
        for (id, task) in (0_usize..).zip(&workload.tasks) {
            let prio = task.prio.unwrap_or(120);
            view.tasks.push(TaskView {
                prio,
                weight: weight_of(prio),
                cpu: task.cpu.unwrap_or(0) % cpus,
                // Who may run on none of these CPUs may run on all.
                allowed: task
                    .allowed
                    .clone()
                    .filter(|allowed| allowed.iter().any(|cpu| cpu < cpus)),
                ran_until: 0,
                waits: false,
            });
            let bound = |at: usize| program.starts.get(at).copied().unwrap_or(0);
            tasks.push(TaskRun {
                step: bound(id),
                end: bound(id + 1),
                comm: task.comm,
                pid: task.pid,
                ..TaskRun::default()
            });
        }
        Engine {
            policy,
            policy_name,
            placer: Placer::new(machine, workload),
            view,
            tasks,
            cpus: vec![CpuRun::default(); cpus as usize].into(),
            remembered: vec![0; program.count().div_ceil(64)],
            program,
            arrivals: BinaryHeap::new(),
            timeline: Timeline::new(2 * cpus as usize + 1),
            output: Output::new(cpus, workload.first_ns),
            waiting: 0,
            engine_events: 0,
            switches: 0,
            mattered: Mattered::default(),
            workload,
            machine,
        }
    }

    fn cpu_count(&self) -> u32 {
        self.view.cpu_count()
    }

    fn balance_leaf(&self) -> u32 {
        self.cpu_count()
    }

    fn step_leaf(&self, cpu: Cpu) -> u32 {
        self.cpu_count() + 1 + cpu
    }

    /// What runs or sleeps when it begins.
    fn begin(&mut self) -> Result<(), EngineError> {
        for cpu in 0..self.cpu_count() {
            self.cpus[cpu].speed = self.machine.capacity(cpu);
        }
        for (id, task) in (0..).zip(&self.workload.tasks) {
            if task.start != Start::Forked {
                self.placer.born(id, self.view.tasks[id].weight);
            }
            match task.start {
                Start::Forked => {}
                Start::Runnable => {
                    self.policy.attach(&self.view, id, None);
                    let last = self.view.tasks[id].cpu;
                    let cpu = self.first_allowed(id, last);
                    self.enqueue(cpu, id, On::First)?;
                }
                Start::Sleeping => {
                    self.policy.attach(&self.view, id, None);
                    self.tasks[id].state = State::Sleeping;
                    self.begin_sleep(id);
                }
            }
        }
        Ok(())
    }

    /// The CPU, or the first one on which a task may run.
    fn first_allowed(&self, task: TaskId, cpu: Cpu) -> Cpu {
        let task = &self.view.tasks[task];
        if task.may_run_on(cpu) {
            return cpu;
        }
        (0..self.cpu_count()).find(|&cpu| task.may_run_on(cpu)).unwrap_or(cpu)
    }

    /// Whether it stopped at the limit of switches or events.
    fn go(&mut self, limits: Limits, watch: &mut dyn FnMut(Ns)) -> Result<bool, EngineError> {
        loop {
            for _ in 0..WATCHED {
                if let Some(cut_short) = self.next_event(&limits)? {
                    return Ok(cut_short);
                }
            }
            watch(self.view.now);
        }
    }

    /// The next event; behind the last one, whether it stopped at the limit of switches or events.
    ///
    /// Never a part of its caller: browsers compile wasm twice, in a hurry and then well, and a loop that was entered in the
    /// meantime stays as slow as it was.
    #[inline(never)]
    fn next_event(&mut self, limits: &Limits) -> Result<Option<bool>, EngineError> {
        let (at, leaf) = self.timeline.first();
        let arrival = self.arrivals.peek().map_or(NEVER, |Reverse(arrival)| arrival.at);
        let next = at.min(arrival);
        if limits.until_ns.unwrap_or(NEVER) <= next {
            return Ok(Some(false));
        }
        if limits.switches <= self.switches || limits.events <= self.engine_events {
            return Ok(Some(true));
        }
        // A wakeup that follows from a task's step is behind the ticks of its time, too.
        let first = arrival <= at;
        self.view.before_ticks = first && (self.view.before_ticks || self.view.now < next);
        self.view.now = next;
        self.engine_events += 1;
        let cpus = self.cpu_count();
        if first {
            if let Some(Reverse(arrival)) = self.arrivals.pop() {
                self.arrive(arrival)?;
            }
        } else if leaf < cpus {
            self.tick(leaf);
        } else if leaf == cpus {
            self.balance_all()?;
        } else {
            self.go_on(leaf - cpus - 1)?;
        }
        Ok(None)
    }

    fn end(mut self, limits: Limits, cut_short: bool) -> Outcome {
        let now = match limits.until_ns {
            Some(until) if !cut_short => until,
            _ => self.view.now,
        };
        self.view.now = now;
        for cpu in 0..self.cpu_count() {
            self.account(cpu);
            // What a CPU without a switch did would be unknown.
            if self.cpus[cpu].shown.is_none() {
                self.emit_switch(cpu, None, None);
            }
        }
        Outcome {
            first_ns: self.workload.first_ns,
            span_ns: now,
            hash: self.output.hash,
            rows: self.output.rows,
            scans: self.output.into_scans(now, &self.workload.comms),
            engine_events: self.engine_events,
            switches: self.switches,
            mattered: self.mattered,
            cut_short,
            cpu_ns: self.tasks.iter().map(|task| task.used).collect(),
        }
    }

    /// The number of a name in the rows of each CPU: see [`output::IDLE_COMM`].
    fn comm(&self, task: TaskId) -> u32 {
        self.tasks[task].comm + output::IDLE_COMM + 1
    }

    fn wrong(&self, cpu: Cpu, what: Wrong) -> EngineError {
        EngineError {
            policy: self.policy_name,
            at: self.view.now,
            cpu,
            what,
        }
    }

    fn is_rt(&self, task: TaskId) -> bool {
        self.view.tasks[task].prio < FIRST_FAIR
    }

    /// The events of the workload that begin a task's life hold already.
    fn early_prios(&mut self, task: TaskId) {
        while let Some(packed) = self.program.get(self.tasks[task].step) {
            let Step::Prio(prio) = packed.step() else { return };
            let run = &mut self.tasks[task];
            if packed.at != 0 || run.end <= run.step {
                return;
            }
            run.step += 1;
            self.set_prio(task, prio);
        }
    }
}

/// What a run keeps of each task, with what the workload does: at most 512 bytes.
const PER_TASK: usize = size_of::<Task>()
    + size_of::<TaskRun>()
    + size_of::<TaskView>()
    + crate::place::PER_TASK
    + crate::policy::MOST_PER_TASK;
const _: () = assert!(PER_TASK <= 512);
const _: () = assert!(size_of::<WorkKind>() <= 24);
