//! Wakeups: given, remembered, on their way, and come.

use super::output::row;
use super::{Arrival, Engine, EngineError, State, Step, Wrong, NOBODY};
use crate::policy::{Cpu, On, Policy, Stop, TaskId, Waking};
use schedrows::{Context, Row, RowKind};
use std::cmp::Reverse;

impl<P: Policy + ?Sized> Engine<'_, P> {
    /// Of a task that has blocked: if it sleeps until something outside wakes it, that wakeup is on its way.
    pub(super) fn begin_sleep(&mut self, task: TaskId) {
        let run = self.tasks[task];
        if run.end <= run.step {
            return;
        }
        let next = self.program.get(run.step);
        if let Some(sleep) = next.filter(|next| next.step() == Step::Sleep) {
            self.arrivals.push(Reverse(Arrival {
                at: self.view.now.saturating_add(sleep.at),
                cpu: self.view.tasks[task].cpu,
                wakee: task,
                wait: run.step,
                waker: NOBODY,
            }));
        }
    }

    /// Whether the wakeup that ends this wait has come before.
    #[inline]
    pub(super) fn was_remembered(&self, wait: u32) -> bool {
        let word = self.remembered.get(wait as usize / 64).copied().unwrap_or(0);
        word >> (wait % 64) & 1 != 0
    }

    /// A task that runs on a CPU wakes the one whose wait is this step.
    pub(super) fn wake(&mut self, cpu: Cpu, waker: TaskId, wait: u32) {
        let Some(wakee) = self.program.waits(wait) else { return };
        let run = self.tasks[wakee];
        if run.state != State::Sleeping || run.step != wait {
            if run.step <= wait && run.state != State::Dead {
                if let Some(word) = self.remembered.get_mut(wait as usize / 64) {
                    *word |= 1 << (wait % 64);
                }
            }
            return;
        }
        self.emit_waking(cpu, wakee, Some(waker));
        self.arrivals.push(Reverse(Arrival {
            at: self.view.now.saturating_add(self.machine.wake_ns),
            cpu,
            wakee,
            wait,
            waker,
        }));
    }

    /// A wakeup comes.
    pub(super) fn arrive(&mut self, arrival: Arrival) -> Result<(), EngineError> {
        let Arrival { cpu, wakee, wait, .. } = arrival;
        let run = &mut self.tasks[wakee];
        if run.state != State::Sleeping || run.step != wait {
            return Ok(());
        }
        run.step += 1;
        run.clock = 0;
        if self.program.has_prios {
            self.early_prios(wakee);
        }
        let waker = Some(arrival.waker).filter(|&waker| waker != NOBODY);
        if waker.is_none() {
            self.emit_waking(cpu, wakee, None);
        }
        let target = self.select(wakee, cpu, waker)?;
        let last = self.view.tasks[wakee].cpu;
        if target != last {
            self.emit_migration(cpu, wakee, last, target, waker);
        }
        self.emit_wakeup(RowKind::Wakeup, wakee, cpu, target, waker);
        self.enqueue(target, wakee, On::Woken)
    }

    /// The CPU for a task that wakes up.
    fn select(&mut self, task: TaskId, cpu: Cpu, waker: Option<TaskId>) -> Result<Cpu, EngineError> {
        if self.cpu_count() == 1 {
            return self.check_place(cpu, task, 0);
        }
        let waking = Waking {
            waker,
            cpu,
            sync: waker.is_some_and(|waker| self.placer.sync(self.workload.comm(self.tasks[waker].comm))),
        };
        if let Some(waker) = waker {
            self.placer.woke(self.view.now, waker, task);
        }
        let target = if self.is_rt(task) {
            self.select_rt(task)
        } else {
            match self.policy.select_cpu(&self.view, task, &waking) {
                Some(target) => target,
                None => self.placer.wake(&self.view, task, &waking),
            }
        };
        self.check_place(cpu, task, target)
    }

    pub(super) fn check_place(&self, cpu: Cpu, task: TaskId, to: Cpu) -> Result<Cpu, EngineError> {
        let known = to < self.cpu_count();
        if known && self.view.tasks[task].may_run_on(to) {
            return Ok(to);
        }
        let pid = self.tasks[task].pid;
        Err(self.wrong(cpu, Wrong::Placed { task, pid, to }))
    }

    /// The CPU for a task of real time: its last one, unless something as urgent runs there and elsewhere it does not.
    pub(super) fn select_rt(&self, task: TaskId) -> Cpu {
        let view = &self.view.tasks[task];
        let running = |cpu: Cpu| match self.view.cpus[cpu].current {
            Some(current) => self.view.tasks[current].prio,
            None => i16::MAX,
        };
        let last = self.first_allowed(task, view.cpu);
        if view.prio < running(last) {
            return last;
        }
        let allowed = (0..self.cpu_count()).filter(|&cpu| view.may_run_on(cpu));
        let best = allowed.max_by_key(|&cpu| (running(cpu), Reverse(cpu)));
        best.filter(|&cpu| view.prio < running(cpu)).unwrap_or(last)
    }

    /// A task comes to a CPU's runqueue.
    pub(super) fn enqueue(&mut self, cpu: Cpu, task: TaskId, on: On) -> Result<(), EngineError> {
        // Where all wait in one queue, this concerns whoever runs anywhere.
        let all = self.policy.one_queue() && !self.view.cpus[cpu].idle();
        if all {
            self.account_all();
        } else {
            self.account(cpu);
        }
        let from = std::mem::replace(&mut self.view.tasks[task].cpu, cpu);
        if from != cpu {
            // What it brings along is relative to the tasks that it leaves.
            self.account(from);
            self.tasks[task].debt += self.machine.migration_ns(from, cpu);
        }
        self.tasks[task].state = State::Waiting;
        self.view.tasks[task].waits = true;
        self.placer.on(&self.view, cpu, task, from, on);
        let rt = self.is_rt(task);
        if rt {
            let prio = self.view.tasks[task].prio;
            self.cpus[cpu].realtime.push(prio, task, false);
        } else {
            self.policy.enqueue(&self.view, cpu, task, on);
            self.waiting += 1;
        }
        let view = &mut self.view.cpus[cpu];
        view.waiting += 1;
        let CurrentOf { current, current_rt } = CurrentOf {
            current: view.current,
            current_rt: view.current_rt,
        };
        match current {
            None => {
                if !view.waking {
                    view.waking = true;
                    let exit = if on == On::First { 0 } else { self.machine.idle_exit_ns };
                    let leaf = self.step_leaf(cpu);
                    self.timeline.set(leaf, self.view.now.saturating_add(exit));
                }
            }
            Some(current) => {
                let preempts = match (rt, current_rt) {
                    (true, _) => self.view.tasks[task].prio < self.view.tasks[current].prio,
                    (false, true) => false,
                    (false, false) => on != On::Moved && self.policy.preempts(&self.view, cpu, task),
                };
                if preempts {
                    self.resched(cpu, Stop::Preempted);
                }
                self.set_tick(cpu);
            }
        }
        if all {
            self.set_other_ticks(cpu);
        }
        self.set_balance();
        Ok(())
    }

    /// Takes a waiting task to another CPU.
    pub(super) fn move_waiting(&mut self, task: TaskId, to: Cpu) -> Result<(), EngineError> {
        let from = self.view.tasks[task].cpu;
        self.account(from);
        self.policy.dequeue(&self.view, from, task, crate::policy::Off::Moves);
        self.view.cpus[from].waiting -= 1;
        self.waiting -= 1;
        self.placer.off(&self.view, from, task);
        self.set_tick(from);
        let by = self.view.cpus[to].current;
        self.emit_migration(to, task, from, to, by);
        self.enqueue(to, task, On::Moved)
    }

    /// Who writes a row: the task that is on the CPU by its last switch, or an interrupt, if it is not the doing of that one.
    fn common(&self, cpu: Cpu, by: Option<TaskId>) -> (i32, u8) {
        let there = self.cpus[cpu].shown.unwrap_or(self.view.cpus[cpu].current);
        let context = if by.is_some() && by == there {
            0
        } else {
            Context::HARDIRQ
        };
        (there.map_or(0, |task| self.tasks[task].pid), context)
    }

    fn emit_waking(&mut self, cpu: Cpu, wakee: TaskId, by: Option<TaskId>) {
        let last = self.view.tasks[wakee].cpu;
        self.emit_wakeup(RowKind::Waking, wakee, cpu, last, by);
    }

    /// A waking, or a wakeup onto a CPU.
    pub(super) fn emit_wakeup(&mut self, kind: RowKind, wakee: TaskId, cpu: Cpu, target: Cpu, by: Option<TaskId>) {
        let (common_pid, context) = self.common(cpu, by);
        let row = Row {
            common_pid,
            context,
            pid: self.tasks[wakee].pid,
            comm: self.comm(wakee),
            arg: target as i32,
            prio: Row::prio_code(i64::from(self.view.tasks[wakee].prio)),
            ..row(kind)
        };
        self.output.push(cpu, self.view.now, row);
    }

    /// A task goes to another CPU.
    pub(super) fn emit_migration(&mut self, cpu: Cpu, task: TaskId, from: Cpu, to: Cpu, by: Option<TaskId>) {
        let (common_pid, context) = self.common(cpu, by);
        let row = Row {
            common_pid,
            context,
            pid: self.tasks[task].pid,
            comm: self.comm(task),
            arg: to as i32,
            comm2: from,
            prio: Row::prio_code(i64::from(self.view.tasks[task].prio)),
            ..row(RowKind::Migrate)
        };
        self.output.push(cpu, self.view.now, row);
    }
}

struct CurrentOf {
    current: Option<TaskId>,
    current_rt: bool,
}
