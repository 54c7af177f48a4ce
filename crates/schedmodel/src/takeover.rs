//! The state machine's part for an exec by a thread that does not lead its process.
//!
//! The thread takes over its leader's pid, and the leader, which is exiting, gets the thread's (`de_thread` in
//! `fs/exec.c`). No switch shows this; a later `sched_process_exec` whose `pid` differs from `old_pid` does. Events
//! that the two write in between carry their new pids already, and the first of them reveals the takeover. That is why
//! later events are looked up in advance: only they distinguish a takeover from a contradiction.
//!
//! A task is a pid and a generation. So the thread continues as the next generation of its leader's pid, in its present
//! state and on its present lane, and its former task is dead.

use super::claims::ClaimKind;
use super::current_task::State;
use super::lane::Who;
use super::lane_builder::Side;
use super::state_machine::StateMachine;
use super::task::{TaskComm, TaskId};
use schedrows::{Event, Row};
use std::collections::HashMap;

/// The takeovers of a trace that are still to come, by old and new pid.
#[derive(Debug)]
pub(super) struct Takeovers(HashMap<(i32, i32), Expected>);

#[derive(Debug, Default)]
struct Expected {
    /// Number of `sched_process_exec` events still to come.
    events: u32,
    /// Whether another event has already revealed what the next of them says.
    shown: bool,
}

impl Takeovers {
    /// Of the [`Rows::takeovers`](schedrows::Rows::takeovers) of all CPUs.
    pub(super) fn of(all: impl Iterator<Item = (i32, i32)>) -> Takeovers {
        let mut expected = HashMap::<_, Expected>::new();
        for pids in all.filter_map(|(pid, old_pid)| pids(Event::Exec { pid, old_pid })) {
            expected.entry(pids).or_default().events += 1;
        }
        Takeovers(expected)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn expects(&self, pids: (i32, i32)) -> bool {
        let expected = self.0.get(&pids);
        expected.is_some_and(|expected| 0 < expected.events && !expected.shown)
    }

    fn show(&mut self, pids: (i32, i32)) {
        if let Some(expected) = self.0.get_mut(&pids) {
            expected.shown = true;
        }
    }

    /// Consumes the event; returns whether another one had revealed the takeover.
    fn come(&mut self, pids: (i32, i32)) -> bool {
        self.0.get_mut(&pids).is_some_and(|expected| {
            expected.events = expected.events.saturating_sub(1);
            std::mem::take(&mut expected.shown)
        })
    }
}

/// The old and the new pid, if the event says that a thread has taken over its leader's.
pub(super) fn pids(event: Event) -> Option<(i32, i32)> {
    match event {
        Event::Exec { pid, old_pid } if pid != old_pid && pid != 0 && old_pid != 0 => Some((old_pid, pid)),
        _ => None,
    }
}

impl StateMachine {
    /// Continues a thread under its leader's pid, if this event is the first to show that.
    #[inline(never)]
    pub(super) fn follow_exec(&mut self, source: usize, at: u64, row: &Row) {
        let event = row.event();
        if event == Event::Lost {
            return;
        }
        // What does not say who wrote it shows nothing about the one who has the CPU.
        let writer = row.writer().unwrap_or(Row::UNKNOWN_PID);
        if let Some(current) = self.has_cpu(source) {
            let pid = self.roster.live(current).pid;
            if self.takeovers.expects((pid, writer)) {
                self.takeovers.show((pid, writer));
                self.take_over(source, at, current, writer);
            } else if self.takeovers.expects((writer, pid)) {
                // The leader, which exits, with the pid that the thread had.
                self.takeovers.show((writer, pid));
                let caller = self.roster.mentioned(writer);
                self.take_over(source, at, caller, pid);
            }
        }
        if let Some((old, new)) = pids(event) {
            if !self.takeovers.come((old, new)) {
                let caller = self.roster.mentioned(old);
                self.take_over(source, at, caller, new);
            }
        }
    }

    /// Gives `caller` the pid of its leader.
    fn take_over(&mut self, source: usize, at: u64, caller: TaskId, pid: i32) {
        let leader = self.roster.find(pid);
        let lane = self.lane_of(caller, source);
        let heir = self.roster.succeed(caller, pid);
        self.end_wait_unseen(caller, at);
        self.set_state(caller, State::Dead { since: at });
        if let Some(lane) = lane {
            self.go_on(lane, at, caller, heir);
        }
        let source = lane.unwrap_or(source);
        self.claim(source, at, caller, ClaimKind::Replaced);
        self.claim(source, at, heir, ClaimKind::GoesOn);
        let Some(leader) = leader else { return };
        match self.roster.live(leader).state {
            State::Dead { .. } => {}
            // Its last switches come later.
            State::Running(_) | State::Waiting { .. } => self.roster.exits_as(leader, caller),
            // It died unseen.
            _ => {
                self.set_state(leader, State::Dead { since: at });
                self.claim(source, at, leader, ClaimKind::Replaced);
            }
        }
    }

    /// Continues the run of `caller` as a run of `heir`, with the comm of its switch-in.
    fn go_on(&mut self, lane: usize, at: u64, caller: TaskId, heir: TaskId) {
        let latest = self.roster.live(caller).name;
        let run = self.streams.of(lane).lane.last_run().unwrap_or(latest);
        let comm = self.roster.names.pairs.of(run).comm;
        let name = self.roster.names.intern(TaskComm { task: heir, comm });
        let (key, who) = (heir.0, Who::Run(name));
        let lane_so_far = &mut self.streams.of_mut(lane).lane;
        let prio = lane_so_far.go_on(at, Who::Run(run), Side { key, who });
        self.roster.saw_prio(heir, prio);
        self.set_state(heir, State::Running(lane as u32));
    }

    /// The stream on whose lane a task runs; `source` is tried first.
    fn lane_of(&mut self, task: TaskId, source: usize) -> Option<usize> {
        let other = match self.roster.live(task).state {
            State::Running(other) => Some(other as usize),
            _ => None,
        };
        let mut candidates = [Some(source), other].into_iter().flatten();
        candidates.find(|&source| self.has_cpu(source) == Some(task))
    }
}
