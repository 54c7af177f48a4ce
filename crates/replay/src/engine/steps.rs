//! What a running task does.

use super::output::row;
use super::realtime::FIRST_FAIR;
use super::{Engine, EngineError, State, Step};
use crate::policy::{weight_of, Cpu, Off, On, Policy, Stop, TaskId};
use schedrows::{Row, RowKind, StateCode};

impl<P: Policy + ?Sized> Engine<'_, P> {
    /// A CPU goes on: from idle, to the scheduler, or to the next steps of its task.
    pub(super) fn go_on(&mut self, cpu: Cpu) -> Result<(), EngineError> {
        self.account(cpu);
        let Some(task) = self.view.cpus[cpu].current else {
            return self.schedule(cpu, None);
        };
        // Who has done its burst when the tick comes that ends its slice blocks: it need not come back for no time at all.
        if !self.do_steps(cpu, task)? {
            return Ok(());
        }
        match self.cpus[cpu].resched.take() {
            Some(why) => self.reschedule(cpu, task, why),
            None => {
                self.set_next_step(cpu);
                Ok(())
            }
        }
    }

    /// Does all that is due; whether the task is still there.
    fn do_steps(&mut self, cpu: Cpu, task: TaskId) -> Result<bool, EngineError> {
        loop {
            let run = self.tasks[task];
            let next = self
                .program
                .get(run.step)
                .filter(|_| run.step < run.end && run.debt == 0);
            let Some(packed) = next.filter(|next| next.at <= run.clock) else {
                return Ok(true);
            };
            self.engine_events += 1;
            let step = packed.step();
            if let Step::Wait(letter) = step {
                if !self.was_remembered(run.step) {
                    // The step is done when the wakeup comes.
                    return self.leave(cpu, task, State::Sleeping, letter).map(|()| false);
                }
            }
            self.tasks[task].step += 1;
            match step {
                Step::Wake(wait) => self.wake(cpu, task, wait),
                Step::Fork(child) => self.fork(cpu, task, child)?,
                Step::Prio(prio) => {
                    self.set_prio(task, prio);
                    self.set_tick(cpu);
                }
                Step::Rename(comm) => self.rename(cpu, task, comm),
                Step::Yield => {
                    self.resched(cpu, Stop::Yielded);
                    return Ok(true);
                }
                Step::Wait(_) => {
                    self.mattered.blocks_skipped += 1;
                    self.tasks[task].clock = 0;
                }
                Step::Block(letter) => return self.leave(cpu, task, State::Sleeping, letter).map(|()| false),
                Step::Exit(letter) => {
                    self.emit_exit(cpu, task);
                    return self.leave(cpu, task, State::Dead, letter).map(|()| false);
                }
                // A wait without a block before it: nothing to wait for.
                Step::Sleep | Step::Await => self.tasks[task].clock = 0,
            }
        }
    }

    /// The running task leaves the CPU, and does not want it back.
    fn leave(&mut self, cpu: Cpu, task: TaskId, state: State, letter: u8) -> Result<(), EngineError> {
        let dies = state == State::Dead;
        let off = if dies { Off::Exits } else { Off::Sleeps(letter) };
        if !self.view.cpus[cpu].current_rt {
            self.policy.dequeue(&self.view, cpu, task, off);
        }
        self.placer.off(&self.view, cpu, task);
        if dies {
            self.placer.leave_group(task);
        }
        self.tasks[task].state = state;
        self.view.tasks[task].ran_until = self.view.now;
        if !dies {
            self.begin_sleep(task);
        }
        self.cpus[cpu].resched = None;
        self.schedule(cpu, Some((task, letter)))
    }

    fn fork(&mut self, cpu: Cpu, parent: TaskId, child: TaskId) -> Result<(), EngineError> {
        if self.tasks[child].state != State::Unborn {
            return Ok(());
        }
        let prio = self.view.tasks[parent].prio;
        let view = &mut self.view.tasks[child];
        (view.prio, view.weight, view.cpu) = (prio, weight_of(prio), cpu);
        self.tasks[child].state = State::Sleeping;
        self.policy.attach(&self.view, child, Some(parent));
        self.placer.born(child, weight_of(prio));
        if prio < FIRST_FAIR {
            // A child whose priority is reset is none of real time even before it runs.
            self.early_prios(child);
        }
        let row = Row {
            common_pid: self.tasks[parent].pid,
            pid: self.tasks[parent].pid,
            comm: self.comm(parent),
            arg: self.tasks[child].pid,
            comm2: self.comm(child),
            ..row(RowKind::Fork)
        };
        self.output.push(cpu, self.view.now, row);
        let target = if self.is_rt(child) {
            self.select_rt(child)
        } else if self.policy.one_queue() {
            let waking = crate::policy::Waking {
                waker: Some(parent),
                cpu,
                sync: false,
            };
            let chosen = self.policy.select_cpu(&self.view, child, &waking);
            chosen.unwrap_or_else(|| self.placer.shared(&self.view, child))
        } else {
            self.placer.fork(&self.view, child, cpu)
        };
        let target = self.check_place(cpu, child, target)?;
        // It has never run: coming to its first CPU is no move.
        self.view.tasks[child].cpu = target;
        self.emit_wakeup(RowKind::WakeupNew, child, cpu, target, Some(parent));
        self.enqueue(target, child, On::Forked(parent))
    }

    fn rename(&mut self, cpu: Cpu, task: TaskId, comm: u32) {
        let old = self.comm(task);
        self.tasks[task].comm = comm;
        let pid = self.tasks[task].pid;
        let row = Row {
            common_pid: pid,
            pid,
            comm: old,
            comm2: self.comm(task),
            ..row(RowKind::Rename)
        };
        self.output.push(cpu, self.view.now, row);
    }

    fn emit_exit(&mut self, cpu: Cpu, task: TaskId) {
        let pid = self.tasks[task].pid;
        let row = Row {
            common_pid: pid,
            pid,
            comm: self.comm(task),
            prio: Row::prio_code(i64::from(self.view.tasks[task].prio)),
            ..row(RowKind::Exit)
        };
        self.output.push(cpu, self.view.now, row);
    }

    /// Gives a task another priority; it may thereby become one of real time, or of the policy.
    pub(super) fn set_prio(&mut self, task: TaskId, prio: i16) {
        let before = self.view.tasks[task].prio;
        let was_rt = self.is_rt(task);
        let cpu = self.view.tasks[task].cpu;
        let running = self.tasks[task].state == State::Running;
        let view = &mut self.view.tasks[task];
        (view.prio, view.weight) = (prio, weight_of(prio));
        self.placer.reweighed(&self.view, task);
        match (was_rt, self.is_rt(task)) {
            (false, false) if self.policy.reprio(&self.view, cpu, task, before) && running => {
                self.resched(cpu, Stop::Preempted);
            }
            (false, true) if running => {
                self.policy.dequeue(&self.view, cpu, task, Off::Class);
                self.view.cpus[cpu].current_rt = true;
            }
            (true, false) if running => {
                self.view.cpus[cpu].current_rt = false;
                self.policy.enqueue(&self.view, cpu, task, On::Class);
                self.policy.start(&self.view, cpu, task);
                // Others of real time may wait.
                if self.cpus[cpu].realtime.first().is_some() {
                    self.resched(cpu, Stop::Preempted);
                }
            }
            _ => {}
        }
    }

    /// `prev_state` of a task that stays runnable.
    pub(super) fn runnable_state(why: Stop) -> u8 {
        match why {
            Stop::Yielded => b'R',
            Stop::Used | Stop::Preempted => b'R' | StateCode::PREEMPTED,
        }
    }
}
