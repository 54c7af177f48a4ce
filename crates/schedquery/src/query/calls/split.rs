//! What a thread did in a stretch of time.

use super::answer::Split;
use super::sums::CallSums;
use super::Asked;
use crate::calls::Thread;
use schedindex::{Runs, StateCache, StateInterval, StateTimes, TaskState, TaskStates, TimesWalk};
use schedmodel::{TaskId, Trace};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

/// The states of the tasks that were last asked for.
#[derive(Debug, Default)]
pub struct CallStates {
    states: RefCell<StateCache>,
    sums: Option<CallSums>,
}

impl CallStates {
    /// For many tables: keeps sums of calls as well.
    pub fn kept() -> CallStates {
        CallStates {
            sums: Some(CallSums::default()),
            ..CallStates::default()
        }
    }

    pub(super) fn sums(&self) -> Option<&CallSums> {
        self.sums.as_ref()
    }

    pub(crate) fn of(&self, trace: &Trace, runs: &Runs, task: TaskId) -> Arc<TaskStates> {
        self.states.borrow_mut().get(trace, runs, task)
    }
}

/// The states of a thread; from an exec by a thread that does not lead on, those of the task as which it goes on.
pub(super) struct ThreadStates {
    own: Arc<TaskStates>,
    heir: Option<(Arc<TaskStates>, u64)>,
    /// The interval of `own` in which the last question began: the next one is often about what follows.
    near: Cell<usize>,
}

impl ThreadStates {
    pub(super) fn new(asked: &Asked<'_>, thread: &Thread) -> ThreadStates {
        let states = |task: TaskId| asked.states.of(asked.trace, asked.runs, task);
        ThreadStates {
            own: thread.task.map(states).unwrap_or_default(),
            heir: thread.heir.map(|(task, from)| (states(task), from)),
            near: Cell::new(0),
        }
    }

    /// The parts of a time that belong to each of the two.
    fn parts(&self, time: &Range<u64>) -> [(&TaskStates, Range<u64>); 2] {
        match &self.heir {
            None => [(&self.own, time.clone()), (&self.own, time.end..time.end)],
            Some((heir, from)) => {
                let from = (*from).clamp(time.start, time.end);
                [(&self.own, time.start..from), (heir, from..time.end)]
            }
        }
    }

    /// What it did, without interrupts where that is asked for. `None` without scheduling events.
    pub(super) fn split(&self, asked: &Asked<'_>, time: Range<u64>) -> Split {
        self.gross(asked, time).net(asked.query.net)
    }

    /// ns by state.
    fn times(&self, time: &Range<u64>) -> StateTimes {
        if self.heir.is_none() {
            let mut walk = TimesWalk::near(self.own.spans(), self.near.get(), time.start);
            self.near.set(walk.index());
            return walk.until(time.end).0;
        }
        let mut times = StateTimes::default();
        for (states, part) in self.parts(time) {
            let (found, _) = states.spans().times_in(part);
            times.iter_mut().zip(found).for_each(|(sum, ns)| *sum += ns);
        }
        times
    }

    /// What it did, interrupts in the time on CPU.
    pub(super) fn gross(&self, asked: &Asked<'_>, time: Range<u64>) -> Split {
        if !asked.calls.has_sched {
            return Split::default();
        }
        let times = self.times(&time);
        let of = |state: TaskState| times.get(state as usize).copied().unwrap_or(0);
        let oncpu = of(TaskState::Running);
        // A deadline task off its runqueue would run if it might.
        let runnable = of(TaskState::Runnable) + of(TaskState::Throttled);
        let (sleeping, blocked) = (of(TaskState::Sleeping), of(TaskState::Blocked));
        let stopped = of(TaskState::Stopped);
        let known = oncpu + runnable + sleeping + blocked + stopped;
        let irq = asked.calls.interrupts.recorded().then(|| self.irq(asked, time.clone()));
        Split {
            oncpu_ns: Some(oncpu),
            runnable_ns: Some(runnable),
            sleeping_ns: Some(sleeping),
            blocked_ns: Some(blocked),
            stopped_ns: Some(stopped),
            unknown_ns: Some((time.end - time.start).saturating_sub(known)),
            irq_ns: irq,
        }
    }

    /// How long it ran.
    pub(super) fn ran(&self, time: Range<u64>) -> u64 {
        let times = self.times(&time);
        times.get(TaskState::Running as usize).copied().unwrap_or(0)
    }

    /// The last run in a time that began after the thread had waited for something, or else the one in which it was at its
    /// begin: where the wakeup chain is found that ended it.
    pub(super) fn run_after_wait(&self, time: &Range<u64>) -> Option<u32> {
        let mut found = None;
        let mut waited = true;
        for (states, part) in self.parts(time) {
            let first = states.spans().find(part.start).unwrap_or(states.len());
            let intervals = (first..states.len()).map(|index| states.interval(index));
            // The run in which it returned may begin at its very end.
            for interval in intervals.take_while(|interval| interval.start <= part.end) {
                match interval.state {
                    TaskState::Sleeping | TaskState::Blocked | TaskState::Stopped => waited = true,
                    TaskState::Running if waited && interval.start < part.end => {
                        found = interval.run.or(found);
                        waited = false;
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Its states in a time, each with the part of it that lies there.
    pub(super) fn each(&self, time: Range<u64>, mut each: impl FnMut(&StateInterval, Range<u64>)) {
        for (states, part) in self.parts(&time) {
            let first = states.spans().find(part.start).unwrap_or(states.len());
            let intervals = (first..states.len()).map(|index| states.interval(index));
            for interval in intervals.take_while(|interval| interval.start < part.end) {
                let from = interval.start.max(part.start);
                each(&interval, from..interval.end.min(part.end).max(from));
            }
        }
    }

    /// What interrupts took of the time that it ran.
    pub(super) fn irq(&self, asked: &Asked<'_>, time: Range<u64>) -> u64 {
        let mut sum = 0;
        if !asked.calls.interrupts.recorded() {
            return sum;
        }
        self.each(time, |interval, part| {
            let run = interval.run.filter(|_| interval.state == TaskState::Running);
            if let Some(run) = run.map(|run| asked.runs.decode(run)) {
                sum += asked.calls.interrupts.on(run.lane, part);
            }
        });
        sum
    }
}
