//! The state machine's part for wakeups: `sched_waking`, `sched_wakeup`, `sched_wakeup_new`.

use super::conflicts::Conflict;
use super::current_task::{context_of, context_of_wakeup, State, Waking};
use super::edge::{Edge, EdgeNumber, WakeEvent, WakerContext};
use super::lane::WaitCause;
use super::state_machine::StateMachine;
use super::task::TaskId;
use schedrows::{Row, Wakeup, WakeupKind};

impl StateMachine {
    pub(super) fn waking(&mut self, source: usize, at: u64, row: &Row, wakeup: Wakeup) {
        let Some(task) = self.wakee(source, at, wakeup) else {
            return;
        };
        let waker = self.waker(row);
        let previous_cpu = wakeup.cpu;
        let waking = Waking::new(at, context_of(row), waker, self.cpu(source), previous_cpu);
        let live = self.roster.live(task);
        let (before, state) = (live.waking.replace(waking), live.state);
        if self.is_awake(state) {
            self.vanish(source, task, at);
        } else if before.is_some() && !self.has.only_wakings {
            self.note(Conflict::WakingTwice, source, at);
        }
        self.place_woken(source, task, at, previous_cpu);
        if self.has.only_wakings {
            self.wake(source, task, at, waking.edge());
        }
    }

    /// Whether a task in that state cannot be woken: the kernel writes no `sched_waking` for a task that is runnable, unless
    /// it was preempted on its way to sleep.
    fn is_awake(&self, state: State) -> bool {
        let State::Waiting {
            cause, preempted, edge, ..
        } = state
        else {
            return false;
        };
        cause == WaitCause::Wakeup || edge.is_some() || self.has.preemption && !preempted
    }

    pub(super) fn wakeup(&mut self, source: usize, at: u64, row: &Row, wakeup: Wakeup) {
        let Some(task) = self.wakee(source, at, wakeup) else {
            return;
        };
        let edge = match self.roster.live(task).waking.take() {
            Some(waking) => waking.edge(),
            None => self.edge_of_wakeup(source, at, row, wakeup),
        };
        let chosen_cpu = wakeup.cpu;
        self.place_woken(source, task, at, chosen_cpu);
        self.sent.send(chosen_cpu, at);
        let woken = Some(at);
        self.wake(
            source,
            task,
            at,
            Edge {
                chosen_cpu,
                woken,
                ..edge
            },
        );
    }

    /// Records the CPU on which a wakeup puts `task`.
    fn place_woken(&mut self, source: usize, task: TaskId, at: u64, cpu: Option<u32>) {
        let elsewhere = self.is_elsewhere(task, cpu);
        // Where nobody says on which CPU, it is where it was, until it runs.
        if cpu.is_some() || !self.has.derives_migrations {
            self.put(task, cpu);
        }
        if elsewhere {
            self.note(Conflict::WokenElsewhere, source, at);
        }
    }

    /// The edge of a wakeup that has no `sched_waking`.
    fn edge_of_wakeup(&mut self, source: usize, at: u64, row: &Row, wakeup: Wakeup) -> Edge {
        let waker_cpu = self.cpu(source);
        let (event, context) = match wakeup.kind {
            // Written by wake_up_new_task in the parent, wherever the child is put.
            WakeupKind::WakeupNew => (WakeEvent::WakeupNew, context_of(row)),
            WakeupKind::Wakeup | WakeupKind::Waking => {
                let on_chosen = wakeup.cpu == Some(waker_cpu);
                (WakeEvent::Wakeup, context_of_wakeup(row, on_chosen))
            }
        };
        let waker = match context {
            WakerContext::Unknown => None,
            _ => self.waker(row),
        };
        Edge {
            at,
            woken: None,
            running: None,
            event,
            context,
            waker,
            waker_cpu,
            previous_cpu: None,
            chosen_cpu: None,
            cpu: None,
        }
    }

    /// Makes a task runnable, unless it is already.
    fn wake(&mut self, source: usize, task: TaskId, at: u64, edge: Edge) {
        let number = Some(self.edges.next());
        match &mut self.roster.live(task).state {
            // It was about to sleep and did not.
            State::Running(_) | State::Dead { .. } => return,
            // Preempted on its way to sleep: it waits since then, and without this wakeup it would not run again.
            State::Waiting { edge: edge @ None, .. } => *edge = number,
            // Its sched_waking is not recorded.
            State::Waiting { .. } => {
                self.vanish(source, task, at);
                self.wait_woken(task, at, number);
            }
            State::Unknown | State::New | State::Asleep { .. } | State::Throttled { .. } => {
                self.end_throttle(task, at);
                self.wait_woken(task, at, number);
            }
        }
        self.edges.push(task, &edge);
    }

    fn wait_woken(&mut self, task: TaskId, since: u64, edge: Option<EdgeNumber>) {
        let (cause, preempted) = (WaitCause::Wakeup, false);
        let waiting = State::Waiting {
            since,
            cause,
            preempted,
            edge,
        };
        self.set_state(task, waiting);
    }

    /// The task that a wakeup is about, unless it is idle or dead.
    fn wakee(&mut self, source: usize, at: u64, Wakeup { kind, wakee, .. }: Wakeup) -> Option<TaskId> {
        if wakee.pid == 0 {
            return None;
        }
        let is_new = kind == WakeupKind::WakeupNew;
        let task = self.roster.known(source, wakee);
        match self.roster.live(task).state {
            State::Dead { .. } if is_new => Some(self.living(source, at, wakee, Conflict::NewWithoutFork)),
            State::Dead { .. } => {
                if kind != WakeupKind::Waking {
                    self.note(Conflict::StaleWakeup, source, at);
                }
                None
            }
            State::Running(_) | State::Waiting { .. } | State::Throttled { .. } | State::Asleep { .. } if is_new => {
                self.note(Conflict::NewOfLiving, source, at);
                Some(task)
            }
            _ => Some(task),
        }
    }

    /// The task on the CPU that wrote the event; `None` for idle, and where the source does not tell.
    fn waker(&mut self, row: &Row) -> Option<TaskId> {
        row.writer()
            .filter(|&pid| pid != 0)
            .map(|pid| self.roster.mentioned(pid))
    }
}
