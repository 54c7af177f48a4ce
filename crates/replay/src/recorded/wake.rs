//! Wakeups and forks.

use super::live::{Forking, State, Waker, Waking};
use super::Builder;
use crate::delay::Delay;
use crate::workload::{Start, WorkEvent, WorkKind};
use schedrows::{Named, Row, RowKind, Wakeup};

impl Builder {
    /// The task that wrote an event in task context, if it is known to run on that CPU.
    fn writer(&self, source: usize, at: u64, row: &Row) -> Option<Waker> {
        let task = self.streams.get(source)?.running?;
        let writes = row.context == 0 && self.people.find(row.common_pid) == Some(task);
        let live = self.people.get(task).filter(|_| writes)?;
        Some(Waker {
            task,
            clock: live.clock_at(at),
            before: live.list.last,
        })
    }

    /// Returns whether the task runs.
    pub(super) fn waking(&mut self, source: usize, at: u64, row: &Row, wakeup: Wakeup) -> bool {
        let who = self.people.known(source, wakeup.wakee.pid, wakeup.wakee.comm, at);
        let waker = self.writer(source, at, row).filter(|waker| waker.task != who);
        let Some(live) = self.people.get_mut(who).filter(|live| live.state != State::Dead) else {
            return false;
        };
        live.waking = Some(Waking { at, waker });
        if live.state == State::Unseen {
            live.task.cpu = live.task.cpu.or(wakeup.cpu);
        }
        matches!(live.state, State::Running(_))
    }

    pub(super) fn wakeup(&mut self, source: usize, at: u64, row: &Row, wakeup: Wakeup) {
        self.name_cpu(wakeup.cpu);
        let is_new = row.kind == RowKind::WakeupNew;
        let (pid, comm) = (wakeup.wakee.pid, wakeup.wakee.comm);
        let who = match is_new {
            true => self.people.living(source, pid, comm, at),
            false => self.people.known(source, pid, comm, at),
        };
        let writer = self.writer(source, at, row).filter(|waker| waker.task != who);
        let Some(live) = self.people.get_mut(who) else {
            return;
        };
        let waking = live.waking.take();
        match live.state {
            // To be woken while it runs or is runnable is nothing that it does; its next switch tells its priority.
            State::Dead | State::Running(_) | State::Runnable => return,
            State::New => self.be_born(who, Some((at, writer))),
            State::Unseen | State::Asleep | State::Unknown => {
                match live.state {
                    State::Unseen => Builder::began_asleep(live),
                    State::Unknown => {
                        // It blocked where events were lost.
                        let (length, kind) = (live.clock, WorkKind::Block { letter: b'?' });
                        self.log.push(&mut live.list, WorkEvent { length, kind });
                        (live.blocked, live.task.uncertain) = (live.since, true);
                    }
                    _ => {}
                }
                let delay = Delay::of(waking.map_or(0, |waking| at - waking.at));
                if waking.is_some() && !self.only_wakings {
                    self.wake_delays.push(u32::try_from(delay.ns()).unwrap_or(u32::MAX));
                }
                let kind = Waker::event(waking.map_or(writer, |waking| waking.waker), delay);
                let length = at.saturating_sub(live.blocked);
                self.log.push(&mut live.list, WorkEvent { length, kind });
                if live.task.start == Start::Sleeping && live.task.born_ns == 0 {
                    live.task.born_ns = at;
                }
                live.clock = 0;
                live.unstopped = 0;
                live.state = State::Runnable;
                let chosen = wakeup.cpu.and_then(|cpu| self.stream_of.get(&cpu).copied());
                let idle = chosen.filter(|&on| self.streams.get(on).is_some_and(|stream| stream.idle));
                live.woken_on_idle = idle.map(|on| (on, at));
            }
        }
        self.see_prio(who, at, row.prio);
    }

    pub(super) fn fork(&mut self, source: usize, at: u64, row: &Row, parent: i32, child: Named) {
        let cpu = self.people.cpu(source);
        self.name_cpu(Some(cpu));
        if child.pid == 0 {
            return;
        }
        let parent = self
            .writer(source, at, row)
            .filter(|waker| self.people.find(parent) == Some(waker.task));
        if let Some(old) = self.people.find(child.pid) {
            self.die_unseen(old, at);
        }
        let comm = self.people.comm(source, child.comm);
        let who = self.people.begin(child.pid, comm);
        if let Some(live) = self.people.get_mut(who) {
            live.state = State::New;
            live.forking = Some(Forking { at, parent });
        }
    }

    /// A task whose pid another one has now.
    fn die_unseen(&mut self, who: u32, at: u64) {
        self.be_born(who, None);
        self.wake_unseen(who, at);
        let Some(live) = self.people.get_mut(who).filter(|live| live.state != State::Dead) else {
            return;
        };
        live.end_run(at);
        if live.state != State::Unseen {
            let (length, kind) = (live.clock, WorkKind::Exit { letter: b'X' });
            self.log.push(&mut live.list, WorkEvent { length, kind });
        }
        (live.state, live.task.uncertain) = (State::Dead, true);
    }

    /// Begins a forked task: it is runnable from `first` on, by who wakes it; else from its fork on.
    pub(super) fn be_born(&mut self, who: u32, first: Option<(u64, Option<Waker>)>) {
        let Some((live, forking)) = self.people.get_mut(who).and_then(|live| {
            let forking = live.forking.take()?;
            Some((live, forking))
        }) else {
            return;
        };
        let (at, waker) = first.unwrap_or((forking.at, None));
        live.state = State::Runnable;
        live.task.born_ns = at;
        let Some(parent) = forking.parent else {
            live.task.start = Start::Sleeping;
            let kind = WorkKind::Sleep { delay: Delay::ZERO };
            self.log.push(&mut live.list, WorkEvent { length: at, kind });
            return;
        };
        live.task.start = Start::Forked;
        live.task.parent = Some(parent.task);
        let at_wakeup = waker.filter(|waker| waker.task == parent.task);
        if at_wakeup.is_none() {
            live.task.birth_delay = at - forking.at;
        }
        let Some(of_parent) = self.people.get_mut(parent.task) else {
            return;
        };
        let kind = WorkKind::Fork { child: who };
        match at_wakeup {
            Some(now) => {
                let length = now.clock;
                self.log.push(&mut of_parent.list, WorkEvent { length, kind });
            }
            None => {
                let length = parent.clock;
                self.log
                    .insert(&mut of_parent.list, parent.before, WorkEvent { length, kind });
            }
        }
        let prio = of_parent.prio;
        if let Some(live) = self.people.get_mut(who) {
            live.prio = prio;
            live.task.prio = super::kernel_prio(prio);
        }
    }
}
