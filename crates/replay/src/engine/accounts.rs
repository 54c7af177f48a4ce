//! Who has used how much, and the ticks that could change that.

use super::timeline::NEVER;
use super::{Engine, EngineError, State};
use crate::arith::times;
use crate::policy::{Cpu, NextTick, Ns, Policy, Stop};

impl<P: Policy + ?Sized> Engine<'_, P> {
    /// Brings the running task up to date.
    #[inline]
    pub(super) fn account(&mut self, cpu: Cpu) {
        let now = self.view.now;
        let run = &mut self.cpus[cpu];
        let passed = now.saturating_sub(run.accounted);
        run.accounted = now;
        let CpuCurrent { task, rt } = match self.view.cpus[cpu].current {
            Some(task) if 0 < passed => CpuCurrent {
                task,
                rt: self.view.cpus[cpu].current_rt,
            },
            _ => return,
        };
        let speed = run.speed;
        let mut used = if speed == 1024 { passed } else { at_speed(passed, speed) };
        let run = &mut self.tasks[task];
        run.used += used;
        let debt = run.debt.min(used);
        run.debt -= debt;
        used -= debt;
        run.clock += used;
        // Of a slower CPU, the last part of a nanosecond is rounded up.
        if speed != 1024 && run.step < run.end {
            if let Some(next) = self.program.get(run.step) {
                let ahead = run.clock.saturating_sub(next.at);
                run.clock -= ahead;
                run.used -= ahead;
            }
        }
        if !rt {
            self.policy.ran(&self.view, cpu, task, passed);
        }
    }

    /// Brings all CPUs up to date.
    pub(super) fn account_all(&mut self) {
        (0..self.cpu_count()).for_each(|cpu| self.account(cpu));
    }

    /// Sets the next tick of each CPU but one, which has been set: somebody came to the queue of all.
    pub(super) fn set_other_ticks(&mut self, but: Cpu) {
        for cpu in 0..self.cpu_count() {
            if cpu != but && self.view.cpus[cpu].current.is_some() {
                self.set_tick(cpu);
            }
        }
    }

    /// Sets when the running task does its next step.
    #[inline]
    pub(super) fn set_next_step(&mut self, cpu: Cpu) {
        let leaf = self.step_leaf(cpu);
        let at = match self.view.cpus[cpu].current {
            Some(task) => {
                let run = &self.tasks[task];
                let next = self.program.get(run.step).filter(|_| run.step < run.end);
                next.map_or(NEVER, |next| {
                    let left = run.debt.saturating_add(next.at.saturating_sub(run.clock));
                    let speed = self.cpus[cpu].speed;
                    let wall = if speed == 1024 { left } else { wall_time(left, speed) };
                    self.view.now.saturating_add(wall)
                })
            }
            None => NEVER,
        };
        self.timeline.set(leaf, at);
    }

    /// Asks for the scheduler on a CPU: it comes after what else happens now.
    pub(super) fn resched(&mut self, cpu: Cpu, why: Stop) {
        let run = &mut self.cpus[cpu];
        // Who yields as its slice ends has yielded.
        run.resched = Some(run.resched.filter(|_| why != Stop::Yielded).unwrap_or(why));
        let leaf = self.step_leaf(cpu);
        self.timeline.set(leaf, self.view.now);
    }

    /// A tick of a CPU.
    pub(super) fn tick(&mut self, cpu: Cpu) {
        self.cpus[cpu].ticked = Some(self.view.now);
        self.timeline.set(cpu, NEVER);
        self.account(cpu);
        if let Some(task) = self.view.cpus[cpu].current {
            if self.policy.tick(&self.view, cpu, task) {
                // Whatever comes of it sets the next one.
                self.resched(cpu, Stop::Used);
                return;
            }
        }
        self.set_tick(cpu);
    }

    /// Sets the next tick that could change something.
    #[inline]
    pub(super) fn set_tick(&mut self, cpu: Cpu) {
        let now = self.view.now;
        let view = self.view.cpus[cpu];
        let Some(task) = view.current.filter(|_| !view.current_rt) else {
            self.timeline.set(cpu, NEVER);
            return;
        };
        // One that is due now has not been yet.
        if self.timeline.get(cpu) == now {
            return;
        }
        let ticked = self.cpus[cpu].ticked == Some(now);
        let earliest = if self.view.before_ticks && !ticked {
            now
        } else {
            now + 1
        };
        let at = match self.policy.next_tick(&self.view, cpu, task) {
            NextTick::Never => NEVER,
            NextTick::Exactly(at) => at.max(earliest),
            NextTick::From(at) => self.tick_from(cpu, at.max(earliest)),
            NextTick::At(at) if at < earliest => self.tick_from(cpu, earliest),
            NextTick::At(at) => at,
        };
        self.timeline.set(cpu, at);
    }

    /// The first tick of a CPU at a time or later: mostly the one that was asked for last, or the one behind it.
    #[inline]
    fn tick_from(&mut self, cpu: Cpu, at: Ns) -> Ns {
        let last = &mut self.cpus[cpu].tick_found;
        let (phase, tick) = (self.view.phases[cpu], self.view.tick_ns);
        let next = last.saturating_add(tick);
        if phase <= *last && *last < at && at <= next {
            *last = next;
        } else if !(at <= *last && *last - at < tick && phase <= *last) {
            let periods = at.saturating_sub(phase).div_ceil(tick);
            *last = phase.saturating_add(times(periods, tick));
        }
        *last
    }

    /// The speed of a CPU, which depends on its siblings, and theirs.
    pub(super) fn busy_changed(&mut self, cpu: Cpu) {
        if self.machine.smt == 1024 {
            return;
        }
        let Some(core) = self.machine.places.get(cpu as usize).map(|place| place.core) else {
            return;
        };
        let siblings: Vec<Cpu> = (0..)
            .zip(&self.machine.places)
            .filter(|(_, place)| place.core == core)
            .map(|(cpu, _)| cpu)
            .collect();
        let busy = siblings
            .iter()
            .filter(|&&cpu| self.view.cpus[cpu].current.is_some())
            .count();
        for sibling in siblings {
            let full = self.machine.capacity(sibling);
            let shared = full * u64::from(self.machine.smt) / 1024;
            let speed = if 1 < busy { shared.max(1) } else { full };
            if self.cpus[sibling].speed != speed {
                self.account(sibling);
                self.cpus[sibling].speed = speed;
                if sibling != cpu && self.cpus[sibling].resched.is_none() && self.view.cpus[sibling].current.is_some() {
                    self.set_next_step(sibling);
                }
            }
        }
    }

    /// All CPUs look for tasks to take over, where somebody waits.
    pub(super) fn balance_all(&mut self) -> Result<(), EngineError> {
        let leaf = self.balance_leaf();
        self.timeline.set(leaf, NEVER);
        for cpu in 0..self.cpu_count() {
            if self.waiting == 0 {
                return Ok(());
            }
            while let Some(task) = self.placer.periodic(&self.view, cpu) {
                debug_assert_eq!(self.tasks[task].state, State::Waiting);
                self.move_waiting(task, cpu)?;
            }
        }
        self.placer.balanced();
        self.set_balance();
        Ok(())
    }

    /// Whenever a task waits, there is a balance at each tick by which a CPU is due.
    #[inline]
    pub(super) fn set_balance(&mut self) {
        if self.policy.one_queue() || self.waiting == 0 || !self.placer.balances() {
            return;
        }
        let leaf = self.balance_leaf();
        if self.timeline.get(leaf) == NEVER {
            let due = self.placer.balance_due().div_ceil(self.view.tick_ns);
            let periods = due.max(self.view.now / self.view.tick_ns + 1);
            self.timeline.set(leaf, periods.saturating_mul(self.view.tick_ns));
        }
    }
}

/// CPU time of a CPU with this speed in 1024ths. Of a full one nobody asks, but where this is not a call of its own, the compiler
/// computes it even so, and products of 128 bits are long in wasm.
#[cold]
fn at_speed(passed: Ns, speed: u64) -> Ns {
    (u128::from(passed) * u128::from(speed) / 1024) as Ns
}

/// How long a CPU with this speed in 1024ths takes for so much CPU time.
#[cold]
fn wall_time(left: Ns, speed: u64) -> Ns {
    u64::try_from((u128::from(left) * 1024).div_ceil(u128::from(speed.max(1)))).unwrap_or(NEVER)
}

struct CpuCurrent {
    task: crate::policy::TaskId,
    rt: bool,
}
