//! From one task to the next.

use super::output::{row, IDLE_COMM};
use super::{Engine, EngineError, State, Wrong};
use crate::policy::{Cpu, Policy, Stop, TaskId};
use schedrows::{Row, RowKind};

impl<P: Policy + ?Sized> Engine<'_, P> {
    /// The running task could continue, but the scheduler is called.
    pub(super) fn reschedule(&mut self, cpu: Cpu, task: TaskId, why: Stop) -> Result<(), EngineError> {
        let rt = self.view.cpus[cpu].current_rt;
        if why == Stop::Yielded && !rt {
            self.policy.yields(&self.view, cpu, task);
        }
        let next = match self.cpus[cpu].realtime.first() {
            Some((prio, next)) if !rt => Some(next).filter(|_| prio < self.view.tasks[task].prio),
            Some((prio, next)) => {
                let own = self.view.tasks[task].prio;
                Some(next).filter(|_| prio < own || why == Stop::Yielded && prio == own)
            }
            None => None,
        };
        let next = match next {
            Some(next) => next,
            None if rt => task,
            None => match self.policy.pick(&self.view, cpu, Some(task)) {
                Some(next) if next == task => task,
                picked => self.checked(cpu, picked)?.unwrap_or(task),
            },
        };
        if next == task {
            self.set_tick(cpu);
            self.set_next_step(cpu);
            return Ok(());
        }
        let since = self.view.now.saturating_sub(self.view.phases[cpu]);
        let at_tick = since.is_multiple_of(self.view.tick_ns);
        self.mattered.tick_ends += u64::from(why == Stop::Used && at_tick);
        self.tasks[task].state = State::Waiting;
        let view = &mut self.view.tasks[task];
        (view.waits, view.ran_until) = (true, self.view.now);
        self.view.cpus[cpu].waiting += 1;
        if rt {
            let prio = self.view.tasks[task].prio;
            self.cpus[cpu].realtime.push(prio, task, why != Stop::Yielded);
        } else {
            if self.policy.one_queue() {
                self.account_all();
            }
            self.policy.stop(&self.view, cpu, task, why);
            self.waiting += 1;
            self.set_balance();
        }
        let state = Self::runnable_state(why);
        self.switch(cpu, Some((task, state)), Some(next));
        if self.policy.one_queue() && !rt {
            self.set_other_ticks(cpu);
        }
        Ok(())
    }

    /// The CPU has no task, or the last one leaves it with this state.
    pub(super) fn schedule(&mut self, cpu: Cpu, prev: Option<(TaskId, u8)>) -> Result<(), EngineError> {
        self.view.cpus[cpu].waking = false;
        let next = match self.cpus[cpu].realtime.first() {
            Some((_, next)) => Some(next),
            None => {
                let mut picked = self.policy.pick(&self.view, cpu, None);
                if picked.is_none() && !self.policy.one_queue() && 0 < self.waiting {
                    self.forget_current(cpu);
                    if let Some(task) = self.placer.new_idle(&self.view, cpu) {
                        self.pull(task, cpu)?;
                        picked = self.policy.pick(&self.view, cpu, None);
                    }
                }
                self.checked(cpu, picked)?
            }
        };
        self.switch(cpu, prev, next);
        Ok(())
    }

    /// Takes a waiting task onto a CPU that is about to idle.
    fn pull(&mut self, task: TaskId, cpu: Cpu) -> Result<(), EngineError> {
        self.move_waiting(task, cpu)?;
        self.view.cpus[cpu].waking = false;
        Ok(())
    }

    fn forget_current(&mut self, cpu: Cpu) {
        self.view.cpus[cpu].current = None;
        self.view.cpus[cpu].current_rt = false;
    }

    /// What a policy picked, if it may be.
    fn checked(&self, cpu: Cpu, picked: Option<TaskId>) -> Result<Option<TaskId>, EngineError> {
        let Some(task) = picked else {
            return match self.forgotten(cpu) {
                Some(task) => {
                    let pid = self.tasks[task].pid;
                    Err(self.wrong(cpu, Wrong::Forgotten { task, pid }))
                }
                None => Ok(None),
            };
        };
        let pid = self.tasks[task].pid;
        let state = match self.tasks[task].state {
            State::Waiting => None,
            State::Unborn => Some("does not exist"),
            State::Sleeping => Some("sleeps"),
            State::Running => Some("runs already"),
            State::Dead => Some("has ended"),
        };
        if let Some(state) = state {
            return Err(self.wrong(cpu, Wrong::NotWaiting { task, pid, state }));
        }
        let view = &self.view.tasks[task];
        let why = if self.is_rt(task) {
            "is of real time, and not the policy's".to_owned()
        } else if !self.policy.one_queue() && view.cpu != cpu {
            format!("waits on CPU {}", view.cpu)
        } else if !view.may_run_on(cpu) {
            "may not run there".to_owned()
        } else {
            return Ok(Some(task));
        };
        Err(self.wrong(cpu, Wrong::NotHere { task, pid, why }))
    }

    /// Somebody who waits though a CPU has nothing to do.
    fn forgotten(&self, cpu: Cpu) -> Option<TaskId> {
        if self.waiting == 0 || !self.policy.one_queue() && self.view.cpus[cpu].waiting == 0 {
            return None;
        }
        (0..self.tasks.len() as u32).find(|&task| {
            let view = &self.view.tasks[task];
            let here = if self.policy.one_queue() {
                // Who is on the way to another CPU, which idles, may be that one's.
                view.may_run_on(cpu) && (view.cpu == cpu || !self.view.cpus[view.cpu].waking)
            } else {
                view.cpu == cpu
            };
            here && self.tasks[task].state == State::Waiting && !self.is_rt(task)
        })
    }

    /// Puts a task, or nothing, onto a CPU in place of what was there.
    fn switch(&mut self, cpu: Cpu, prev: Option<(TaskId, u8)>, next: Option<TaskId>) {
        let now = self.view.now;
        let was_busy = prev.is_some();
        if let Some(next) = next {
            let last = self.view.tasks[next].cpu;
            if last != cpu {
                self.emit_migration(cpu, next, last, cpu, prev.map(|(task, _)| task));
                self.view.cpus[last].waiting -= 1;
                self.view.cpus[cpu].waiting += 1;
                self.tasks[next].debt += self.machine.migration_ns(last, cpu);
                self.placer.off(&self.view, last, next);
                self.view.tasks[next].cpu = cpu;
                self.placer.on(&self.view, cpu, next, last, crate::policy::On::Moved);
            }
            let rt = self.is_rt(next);
            if rt {
                self.cpus[cpu].realtime.remove(next);
            } else {
                self.waiting -= 1;
            }
            let run = &mut self.tasks[next];
            run.state = State::Running;
            self.view.tasks[next].waits = false;
            run.debt += self.machine.switch_ns;
            let view = &mut self.view.cpus[cpu];
            view.waiting -= 1;
            view.current = Some(next);
            view.current_rt = rt;
            view.since = now;
            if !rt {
                self.policy.start(&self.view, cpu, next);
            }
        } else {
            let view = &mut self.view.cpus[cpu];
            view.current = None;
            view.current_rt = false;
            if was_busy {
                view.since = now;
            }
        }
        self.cpus[cpu].accounted = now;
        self.cpus[cpu].resched = None;
        if prev.is_some() || next.is_some() {
            self.emit_switch(cpu, prev, next);
        }
        if was_busy != next.is_some() {
            self.busy_changed(cpu);
        }
        self.set_tick(cpu);
        self.set_next_step(cpu);
    }

    pub(super) fn emit_switch(&mut self, cpu: Cpu, prev: Option<(TaskId, u8)>, next: Option<TaskId>) {
        self.switches += 1;
        self.cpus[cpu].shown = Some(next);
        let who = |task: Option<TaskId>| match task {
            Some(task) => {
                let prio = Row::prio_code(i64::from(self.view.tasks[task].prio));
                (self.tasks[task].pid, self.comm(task), prio)
            }
            None => (0, IDLE_COMM, 120),
        };
        let (pid, comm, prev_prio) = who(prev.map(|(task, _)| task));
        let (arg, comm2, prio) = who(next);
        let row = Row {
            common_pid: Row::of_prev_prio(prev_prio),
            pid,
            comm,
            state: prev.map_or(b'R', |(_, state)| state),
            arg,
            comm2,
            prio,
            ..row(RowKind::Switch)
        };
        self.output.push(cpu, self.view.now, row);
    }
}
