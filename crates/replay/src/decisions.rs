//! The recording drives, and a policy is asked what it would have done: whom it takes at a switch, and where a wakeup puts a
//! task.

use std::collections::HashMap;

use schedmodel::Merge;
use schedrows::{Context, CpuScan, Event, Row, RowKind, Rows, StateCode, Switch};

use crate::machine::Machine;
use crate::place::Placer;
use crate::policy::{weight_of, Cpu, CpuView, Off, On, Policy, Spec, Stop, TaskId, TaskView, View, Waking};
use crate::preemptions::Preemptions;
use crate::recorded::{kernel_prio, YIELD_WITHIN};
use crate::table::Table;
use crate::workload::Workload;

/// How often a policy was asked, and how often it said what was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Times it was asked.
    pub asked: u64,
    /// Times it agreed.
    pub agreed: u64,
}

/// One decision that was another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// When, in ns since the trace's first record.
    pub at_ns: u64,
    /// Where it was taken.
    pub cpu: Cpu,
    /// The pid, or the CPU, that was recorded.
    pub recorded: i64,
    /// What the policy would have taken; -1 for none.
    pub policy: i64,
    /// `pick` or `placement`.
    pub kind: &'static str,
}

/// All decisions of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// Whom to run, of two or more.
    pub picks: Agreement,
    /// Where to wake.
    pub placement: Agreement,
    /// The first ones that differ.
    pub disagreements: Vec<Disagreement>,
}

/// Only so many disagreements are kept.
const MOST: usize = 10_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unknown,
    Sleeping,
    Waiting,
    Running,
}

struct Driver<'a> {
    policy: Box<dyn Policy>,
    placer: Placer,
    view: View,
    states: Table<State>,
    pids: Table<i32>,
    comms: Table<String>,
    by_pid: HashMap<i32, TaskId>,
    /// Up to when each CPU's task is accounted for.
    accounted: Table<u64>,
    /// By CPU: whether a task came to it since the running one did.
    disturbed: Table<bool>,
    /// The wakeups that preempted; `None` if the recording does not say.
    preemptions: Option<&'a Preemptions>,
    /// When the first record is, in ns of the trace.
    first_ns: u64,
    /// Without wakeups in the trace, no run shows whether it stopped by itself.
    has_wakeups: bool,
    /// By task: its CPU time since it blocked or stopped by itself, in ns.
    since_stop: Table<u64>,
    /// Real-time tasks that wait, by CPU.
    rt_waiting: Table<u32>,
    /// Where a task that is being woken would go.
    asked: HashMap<TaskId, Cpu>,
    per_cpu: Table<bool>,
    found: Decisions,
}

/// Asks a policy at each switch between several fair tasks, and a placement at each wakeup. `preemptions`: of the same recording, if
/// it says.
pub fn decisions(
    mut scans: Vec<CpuScan>,
    preemptions: Option<&Preemptions>,
    machine: &Machine,
    spec: &Spec,
) -> Option<Decisions> {
    scans.sort_by_key(|scan| scan.cpu);
    let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let cpus: Vec<u32> = scans.iter().map(|scan| scan.cpu).collect();
    let names: Vec<Vec<String>> = scans
        .iter_mut()
        .map(|scan| std::mem::take(&mut scan.comms.names))
        .collect();
    let rows: Vec<Rows> = scans.iter_mut().map(|scan| std::mem::take(&mut scan.rows)).collect();
    let has_wakeups = rows
        .iter()
        .any(|rows| 0 < rows.count(RowKind::Wakeup) + rows.count(RowKind::WakeupNew));
    let policy = spec.build(machine.cpus())?;
    let tick_ns = policy.tick_ns().unwrap_or(machine.tick_ns).max(1);
    let count = machine.cpus() as usize;
    let mut driver = Driver {
        policy,
        placer: Placer::new(machine, &Workload::default()),
        view: View {
            tick_ns,
            phases: machine.phases(tick_ns).into(),
            cpus: vec![CpuView::default(); count].into(),
            ..View::default()
        },
        states: Table::default(),
        pids: Table::default(),
        comms: Table::default(),
        by_pid: HashMap::new(),
        accounted: Table::new(count),
        disturbed: Table::new(count),
        preemptions,
        first_ns,
        has_wakeups,
        since_stop: Table::default(),
        rt_waiting: Table::new(count),
        asked: HashMap::new(),
        per_cpu: Table::default(),
        found: Decisions::default(),
    };
    Merge::new(rows, first_ns).each(|next| {
        let cpu = cpus.get(next.source).copied().unwrap_or(0);
        let comms = names.get(next.source).map_or(&[][..], Vec::as_slice);
        if cpu < machine.cpus() {
            driver.view.now = next.at;
            driver.step(cpu, next.row, comms);
        }
    });
    Some(driver.found)
}

impl Driver<'_> {
    fn task(&mut self, pid: i32, cpu: Cpu, parent: Option<TaskId>, comm: &str) -> TaskId {
        if let Some(&task) = self.by_pid.get(&pid) {
            if !comm.is_empty() && self.comms[task] != comm {
                comm.clone_into(&mut self.comms[task]);
            }
            return task;
        }
        let task = self.states.len() as TaskId;
        let prio = parent.map_or(120, |parent| self.view.tasks[parent].prio);
        self.view.tasks.push(TaskView {
            prio,
            weight: weight_of(prio),
            cpu,
            ..TaskView::default()
        });
        self.states.push(State::Unknown);
        self.pids.push(pid);
        self.since_stop.push(0);
        self.comms.push(comm.to_owned());
        self.per_cpu.push(schedmodel::cpu_of_name(comm).is_some());
        self.placer.add_task(parent);
        self.placer.born(task, weight_of(prio));
        self.by_pid.insert(pid, task);
        self.policy.attach(&self.view, task, parent);
        task
    }

    fn set_prio(&mut self, task: TaskId, code: u8) {
        let Some(prio) = kernel_prio(code) else { return };
        let before = self.view.tasks[task].prio;
        if before == prio {
            return;
        }
        let (was_rt, is_rt) = (before < 100, prio < 100);
        let cpu = self.view.tasks[task].cpu;
        let state = self.states[task];
        if !was_rt && is_rt && matches!(state, State::Waiting | State::Running) {
            self.policy.dequeue(&self.view, cpu, task, Off::Class);
        }
        let view = &mut self.view.tasks[task];
        (view.prio, view.weight) = (prio, weight_of(prio));
        self.placer.reweighed(&self.view, task);
        match (was_rt, is_rt, state) {
            (false, false, _) => {
                self.policy.reprio(&self.view, cpu, task, before);
            }
            (false, true, State::Waiting) => self.rt_waiting[cpu] += 1,
            (false, true, State::Running) => self.view.cpus[cpu].current_rt = true,
            (true, false, State::Waiting) => {
                self.rt_waiting[cpu] = self.rt_waiting[cpu].saturating_sub(1);
                self.policy.enqueue(&self.view, cpu, task, On::Class);
            }
            (true, false, State::Running) => {
                self.view.cpus[cpu].current_rt = false;
                self.policy.enqueue(&self.view, cpu, task, On::Class);
                self.policy.start(&self.view, cpu, task);
            }
            _ => {}
        }
    }

    fn account(&mut self, cpu: Cpu) {
        let now = self.view.now;
        let passed = now.saturating_sub(std::mem::replace(&mut self.accounted[cpu], now));
        let view = self.view.cpus[cpu];
        if let Some(task) = view.current {
            self.since_stop[task] += passed;
        }
        if let Some(task) = view.current.filter(|_| !view.current_rt && 0 < passed) {
            self.policy.ran(&self.view, cpu, task, passed);
        }
    }

    fn enqueue(&mut self, cpu: Cpu, task: TaskId, on: On) {
        self.account(cpu);
        self.disturbed[cpu] = true;
        let from = std::mem::replace(&mut self.view.tasks[task].cpu, cpu);
        if from != cpu {
            self.account(from);
        }
        self.states[task] = State::Waiting;
        self.view.tasks[task].waits = true;
        self.placer.on(&self.view, cpu, task, from, on);
        if self.view.tasks[task].prio < 100 {
            self.rt_waiting[cpu] += 1;
        } else {
            self.policy.enqueue(&self.view, cpu, task, on);
        }
        self.view.cpus[cpu].waiting += 1;
    }

    /// The policy hears of a task that has just become runnable, if that may have preempted the running one. The answer does not
    /// matter, but what the policy remembers of it does. `writer` is the CPU that wrote the wakeup.
    fn report_wakeup(&mut self, writer: Cpu, cpu: Cpu, task: TaskId, on: On) {
        let view = self.view.cpus[cpu];
        if view.current.is_none() || view.current_rt || self.view.tasks[task].prio < 100 {
            return;
        }
        // The flags of a record are those of the CPU that wrote it. That of a new task is written before the decision.
        let recorded = self.preemptions.filter(|_| writer == cpu && on == On::Woken);
        if recorded.is_none_or(|found| found.has(cpu, self.first_ns + self.view.now)) {
            let _ = self.policy.preempts(&self.view, cpu, task);
        }
    }

    fn unqueue(&mut self, task: TaskId) {
        let cpu = self.view.tasks[task].cpu;
        self.account(cpu);
        if self.view.tasks[task].prio < 100 {
            self.rt_waiting[cpu] = self.rt_waiting[cpu].saturating_sub(1);
        } else {
            self.policy.dequeue(&self.view, cpu, task, Off::Moves);
        }
        let view = &mut self.view.cpus[cpu];
        view.waiting = view.waiting.saturating_sub(1);
        self.placer.off(&self.view, cpu, task);
        self.view.tasks[task].waits = false;
    }

    fn step(&mut self, cpu: Cpu, row: &Row, comms: &[String]) {
        let name = |comm: u32| comms.get(comm as usize).map_or("", String::as_str);
        match row.event() {
            Event::Switch(switch) => {
                let (prev_name, next_name) = (name(row.comm), name(row.comm2));
                self.switch(cpu, row, &switch, prev_name, next_name);
            }
            Event::Fork { .. } => {
                let parent = self.task(row.pid, cpu, None, name(row.comm));
                if let Some(before) = self.by_pid.remove(&row.arg) {
                    self.retire(before);
                }
                self.task(row.arg, cpu, Some(parent), name(row.comm2));
            }
            Event::Wakeup(wakeup) => self.wakeup(cpu, row, wakeup.cpu, name(row.comm)),
            Event::Migrate { .. } => {
                let Some(&task) = self.by_pid.get(&row.pid) else { return };
                let to = row.arg as u32;
                if to < self.view.cpu_count() {
                    match self.states[task] {
                        State::Waiting => {
                            self.unqueue(task);
                            self.enqueue(to, task, On::Moved);
                        }
                        // No running task moves: the switch that took it off its CPU is lost.
                        State::Running => self.evict(self.view.tasks[task].cpu),
                        State::Sleeping | State::Unknown => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn wakeup(&mut self, cpu: Cpu, row: &Row, told: Option<Cpu>, comm: &str) {
        // Not every format tells it, and the machine may have fewer CPUs.
        let told = told.filter(|&told| told < self.view.cpu_count());
        let task = self.task(row.pid, told.unwrap_or(cpu), None, comm);
        self.set_prio(task, row.prio);
        let state = self.states[task];
        match row.kind {
            RowKind::Waking if state == State::Sleeping => {
                if self.per_cpu[task] || self.view.tasks[task].prio < 100 {
                    return;
                }
                let waker = (row.context & (Context::HARDIRQ | Context::SOFTIRQ | Context::NMI) == 0)
                    .then(|| self.by_pid.get(&row.common_pid).copied())
                    .flatten()
                    .filter(|&waker| self.view.cpus[cpu].current == Some(waker) && waker != task);
                let waking = Waking {
                    waker,
                    cpu,
                    sync: waker.is_some_and(|waker| self.placer.sync(&self.comms[waker])),
                };
                if let Some(waker) = waker {
                    self.placer.woke(self.view.now, waker, task);
                }
                let chosen = self.policy.select_cpu(&self.view, task, &waking);
                let chosen = chosen.unwrap_or_else(|| self.placer.wake(&self.view, task, &waking));
                self.asked.insert(task, chosen);
            }
            RowKind::Wakeup if matches!(state, State::Sleeping | State::Unknown) => {
                if let (Some(chosen), Some(target)) = (self.asked.remove(&task), told) {
                    let agreed = chosen == target;
                    self.found.placement.asked += 1;
                    self.found.placement.agreed += u64::from(agreed);
                    self.disagree(agreed, cpu, i64::from(target), i64::from(chosen), "placement");
                }
                let target = told.unwrap_or(self.view.tasks[task].cpu);
                self.enqueue(target, task, On::Woken);
                self.report_wakeup(cpu, target, task, On::Woken);
            }
            RowKind::WakeupNew if state != State::Waiting && state != State::Running => {
                let parent = self.by_pid.get(&row.common_pid).copied().unwrap_or(task);
                let target = told.unwrap_or(cpu);
                self.enqueue(target, task, On::Forked(parent));
                self.report_wakeup(cpu, target, task, On::Forked(parent));
            }
            _ => {}
        }
    }

    fn disagree(&mut self, agreed: bool, cpu: Cpu, recorded: i64, policy: i64, kind: &'static str) {
        if !agreed && self.found.disagreements.len() < MOST {
            self.found.disagreements.push(Disagreement {
                at_ns: self.view.now,
                cpu,
                recorded,
                policy,
                kind,
            });
        }
    }

    fn switch(&mut self, cpu: Cpu, row: &Row, switch: &Switch, prev_name: &str, next_name: &str) {
        self.account(cpu);
        let prev = (row.pid != 0).then(|| self.task(row.pid, cpu, None, prev_name));
        self.settle(cpu, prev);
        if let Some(prev) = prev {
            self.set_prio(prev, row.prev_prio());
        }
        let next = (row.arg != 0).then(|| self.task(row.arg, cpu, None, next_name));
        if let Some(next) = next {
            self.set_prio(next, row.prio);
            if Some(next) != prev {
                self.queue_here(cpu, next);
            }
        }
        let state = StateCode(row.state);
        let stays = state.letter() == b'R' && !state.throttled();
        let fair_prev = prev.filter(|&prev| stays && 100 <= self.view.tasks[prev].prio);
        if let Some(prev) = prev.filter(|_| !stays) {
            let dead = matches!(state.letter(), b'X' | b'Z');
            let off = if dead { Off::Exits } else { Off::Sleeps(state.letter()) };
            if !self.view.cpus[cpu].current_rt {
                self.policy.dequeue(&self.view, cpu, prev, off);
            }
            self.placer.off(&self.view, cpu, prev);
            self.states[prev] = State::Sleeping;
            self.since_stop[prev] = 0;
            self.view.tasks[prev].ran_until = self.view.now;
            if dead {
                self.placer.leave_group(prev);
                self.by_pid.remove(&row.pid);
            }
        }
        // Returning to the program, a task that is preempted is `R`, too: see `Builder` of recordings, which infers yields alike.
        let by_itself = self.has_wakeups && !switch.prev_state.preempted() && !self.disturbed[cpu];
        let yielded = fair_prev.filter(|&prev| by_itself && self.since_stop[prev] < YIELD_WITHIN);
        self.ask(cpu, next, fair_prev, yielded.is_some());
        if let Some(prev) = prev.filter(|_| stays) {
            let why = if yielded.is_some() { Stop::Yielded } else { Stop::Used };
            if by_itself {
                self.since_stop[prev] = 0;
            }
            self.states[prev] = State::Waiting;
            let view = &mut self.view.tasks[prev];
            (view.waits, view.ran_until) = (true, self.view.now);
            self.view.cpus[cpu].waiting += 1;
            if self.view.cpus[cpu].current_rt {
                self.rt_waiting[cpu] += 1;
            } else {
                self.policy.stop(&self.view, cpu, prev, why);
            }
        }
        let view = &mut self.view.cpus[cpu];
        (view.current, view.current_rt, view.since) = (None, false, self.view.now);
        if let Some(next) = next {
            // A task that replaces itself has just been queued, unless that switch says that it blocked.
            self.queue_here(cpu, next);
            self.start(cpu, next);
        }
    }

    /// Makes the task that leaves a CPU the one that runs there, where lost events left another one, or none.
    fn settle(&mut self, cpu: Cpu, prev: Option<TaskId>) {
        if self.view.cpus[cpu].current == prev {
            return;
        }
        self.evict(cpu);
        if let Some(prev) = prev {
            self.queue_here(cpu, prev);
            self.start(cpu, prev);
        }
    }

    /// Puts a task onto the runqueue of a CPU, wherever the events before left it. A task is on one CPU at most: the one on which
    /// it ran or waited loses it first.
    fn queue_here(&mut self, cpu: Cpu, task: TaskId) {
        let at = self.view.tasks[task].cpu;
        match self.states[task] {
            State::Waiting if at == cpu => {}
            State::Waiting => {
                self.unqueue(task);
                self.enqueue(cpu, task, On::Moved);
            }
            State::Running => {
                self.evict(at);
                self.enqueue(cpu, task, On::Moved);
            }
            State::Sleeping | State::Unknown => self.enqueue(cpu, task, On::First),
        }
    }

    /// Takes the running task off a CPU that no switch took it off: events are lost, and what it does is unknown.
    fn evict(&mut self, cpu: Cpu) {
        let Some(task) = self.view.cpus[cpu].current else {
            return;
        };
        self.account(cpu);
        if !self.view.cpus[cpu].current_rt {
            self.policy.dequeue(&self.view, cpu, task, Off::Moves);
        }
        self.placer.off(&self.view, cpu, task);
        self.states[task] = State::Unknown;
        self.view.tasks[task].ran_until = self.view.now;
        let view = &mut self.view.cpus[cpu];
        (view.current, view.current_rt, view.since) = (None, false, self.view.now);
    }

    /// Forgets a task whose pid another one has now: its end was lost.
    fn retire(&mut self, task: TaskId) {
        match self.states[task] {
            State::Waiting => self.unqueue(task),
            State::Running => self.evict(self.view.tasks[task].cpu),
            State::Sleeping | State::Unknown => {}
        }
        self.states[task] = State::Unknown;
        self.placer.leave_group(task);
    }

    /// Whom the policy takes, if there is a choice, and no task of real time. `yielded`: whether `prev`, which stays runnable, did.
    fn ask(&mut self, cpu: Cpu, next: Option<TaskId>, prev: Option<TaskId>, yielded: bool) {
        let rt = 0 < self.rt_waiting[cpu] || next.is_some_and(|next| self.view.tasks[next].prio < 100);
        let candidates = self.view.cpus[cpu].waiting + u32::from(prev.is_some());
        let Some(next) = next.filter(|_| !rt && 2 <= candidates) else {
            return;
        };
        if let Some(prev) = prev.filter(|_| yielded) {
            self.policy.yields(&self.view, cpu, prev);
        }
        let picked = self.policy.pick(&self.view, cpu, prev);
        let agreed = picked == Some(next);
        self.found.picks.asked += 1;
        self.found.picks.agreed += u64::from(agreed);
        let pid = |task: TaskId| i64::from(self.pids[task]);
        self.disagree(agreed, cpu, pid(next), picked.map_or(-1, pid), "pick");
    }

    fn start(&mut self, cpu: Cpu, task: TaskId) {
        let rt = self.view.tasks[task].prio < 100;
        self.states[task] = State::Running;
        self.view.tasks[task].waits = false;
        self.view.tasks[task].cpu = cpu;
        if rt {
            self.rt_waiting[cpu] = self.rt_waiting[cpu].saturating_sub(1);
        }
        (self.accounted[cpu], self.disturbed[cpu]) = (self.view.now, false);
        let view = &mut self.view.cpus[cpu];
        view.waiting = view.waiting.saturating_sub(1);
        (view.current, view.current_rt, view.since) = (Some(task), rt, self.view.now);
        if !rt {
            self.policy.start(&self.view, cpu, task);
        }
    }
}
