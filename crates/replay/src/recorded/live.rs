//! What is known of a task, and of a CPU, at the current event.

use super::log::{List, Place, NONE};
use crate::delay::Delay;
use crate::workload::{Task, WorkKind};
use schedrows::{Break, Row};

/// The state of a task at the current event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Named by an event that does not tell.
    Unseen,
    /// Forked, not yet woken for the first time.
    New,
    /// On the CPU of this stream.
    Running(usize),
    Runnable,
    Asleep,
    /// Events were lost.
    Unknown,
    Dead,
}

/// The task that wakes another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waker {
    pub task: u32,
    /// Its clock at the waking.
    pub clock: u64,
    /// Its last event before.
    pub before: Place,
}

impl Waker {
    /// What a wakeup is in the workload: it comes from outside if the waker is not known.
    pub fn event(waker: Option<Waker>, delay: Delay) -> WorkKind {
        match waker {
            Some(Waker { task, clock, before }) => WorkKind::Woken {
                delay,
                waker: task,
                event: before,
                distance: clock,
            },
            None => WorkKind::Sleep { delay },
        }
    }
}

/// A `sched_waking` whose `sched_wakeup` has not come yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waking {
    pub at: u64,
    /// `None` for an interrupt, or what is not known to run.
    pub waker: Option<Waker>,
}

/// A `sched_process_fork` whose `sched_wakeup_new` has not come yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forking {
    pub at: u64,
    /// The parent, as it was then; `None` for one that is not known to run.
    pub parent: Option<Waker>,
}

/// A task at the current event.
#[derive(Debug)]
pub(super) struct Live {
    pub task: Task,
    /// Its pid now.
    pub pid: i32,
    pub state: State,
    pub list: List,
    /// The clock when its run began; if it does not run, now.
    pub clock: u64,
    /// When its run began.
    pub since: u64,
    /// Its last event when its run began.
    pub run_began: Place,
    /// When it blocked.
    pub blocked: u64,
    /// CPU time since it last blocked or stopped by itself, when its run began.
    pub unstopped: u64,
    /// Its last known priority, as [`Row::prio`] has it.
    pub prio: u8,
    /// Its name now.
    pub comm: u32,
    pub waking: Option<Waking>,
    pub forking: Option<Forking>,
    /// The stream of an idle CPU on whose runqueue a wakeup put it, and when.
    pub woken_on_idle: Option<(usize, u64)>,
}

impl Live {
    pub fn new(pid: i32, generation: u32, comm: u32) -> Live {
        Live {
            task: Task {
                generation,
                comm,
                ..Task::new(pid)
            },
            pid,
            state: State::Unseen,
            list: List::default(),
            clock: 0,
            since: 0,
            run_began: NONE,
            blocked: 0,
            unstopped: 0,
            prio: Row::NO_PRIO,
            comm,
            waking: None,
            forking: None,
            woken_on_idle: None,
        }
    }

    /// How long its run has lasted.
    fn ran(&self, at: u64) -> u64 {
        match self.state {
            State::Running(_) => at.saturating_sub(self.since),
            _ => 0,
        }
    }

    /// Its clock.
    pub fn clock_at(&self, at: u64) -> u64 {
        self.clock + self.ran(at)
    }

    /// CPU time since it began.
    pub fn cpu_ns_at(&self, at: u64) -> u64 {
        self.task.cpu_ns + self.ran(at)
    }

    /// Adds the run that ends now, if it runs.
    pub fn end_run(&mut self, at: u64) {
        let ran = self.ran(at);
        self.clock += ran;
        self.task.cpu_ns += ran;
        self.unstopped += ran;
        self.since = at;
    }

    /// Begins a run.
    pub fn begin_run(&mut self, source: usize, at: u64) {
        self.state = State::Running(source);
        self.since = at;
        self.run_began = self.list.last;
    }

    /// An event gives it a name.
    pub fn name(&mut self, comm: u32, at: u64) {
        if self.comm == comm {
            return;
        }
        self.comm = comm;
        let since = self.cpu_ns_at(at);
        let renames = &mut self.task.renames;
        // A name that was not seen for any of its CPU time is none.
        if renames.last().is_some_and(|&(before, _)| before == since) {
            renames.pop();
        }
        let before = renames.last().map_or(self.task.comm, |&(_, comm)| comm);
        if before != comm {
            renames.push((since, comm));
        }
    }
}

/// What is known of a stream's CPU at the current event.
#[derive(Debug, Default)]
pub(super) struct Cpu {
    /// The task that it runs.
    pub running: Option<u32>,
    pub idle: bool,
    /// Events were lost, and no switch has come since this time.
    pub lost: Option<u64>,
    /// A wakeup, a fork or a migration named it since its run began.
    pub named: bool,
    /// Broken chains of switches that are still to come, the next one last.
    pub breaks: Vec<Break>,
    /// Switches and gaps so far.
    openings: u32,
    /// When it wrote its last record.
    pub last_ns: u64,
}

impl Cpu {
    /// Counts a switch or a gap; returns the break behind it.
    pub fn opens(&mut self) -> Option<Break> {
        let opening = self.openings;
        self.openings += 1;
        self.breaks.pop_if(|next| next.opening == opening)
    }
}

/// The kernel priority that [`Row::prio`] stands for.
pub(crate) fn kernel_prio(code: u8) -> Option<i16> {
    match code {
        Row::NO_PRIO => None,
        Row::DEADLINE => Some(-1),
        prio => Some(i16::from(prio)),
    }
}
