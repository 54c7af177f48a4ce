//! Sweeps over CPUs and runqueues together: which tasks wait behind another, which wait for an idle CPU to take them,
//! and which CPUs could take another task, over time.
//!
//! While a CPU runs a task, the tasks on its runqueue wait **behind another**. While it is idle, one of them is being
//! switched to: they wait for it to **leave idle**. An idle CPU is **spare** while nobody waits on its runqueue, shown
//! or not: one that leaves idle will run its own task and can take no other. A CPU of which nothing is known is
//! neither, and the tasks that wait there are in neither group, nor are tasks whose runqueue the trace does not tell.
//! Kernel threads that can run on one CPU only are counted apart: no spare CPU could take them.

use super::depth::{Depth, Queue};
use schedmodel::{Trace, Who};
use schedrows::LoserTree;

/// The counts at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Tasks on the runqueues of CPUs that run another task, without those that are bound to their CPU.
    pub behind: u32,
    /// Kernel threads on the same runqueues that can run on no other CPU.
    pub bound: u32,
    /// Idle CPUs with nobody on their runqueue.
    pub spare: u32,
    /// Tasks on the runqueues of idle CPUs.
    pub leaving_idle: u32,
    /// Tasks on any known runqueue.
    pub waiting: u32,
    /// Idle CPUs.
    pub idle: u32,
}

impl Standing {
    /// How many of the tasks that wait behind another a spare CPU could have taken.
    pub fn kept_waiting(self) -> u32 {
        self.behind.min(self.spare)
    }

    /// For how many of the bound threads that wait behind another a CPU is spare that may not take them.
    pub fn bound_beside_spare(self) -> u32 {
        self.bound.min(self.spare)
    }

    fn plus(self, other: Standing) -> Standing {
        Standing {
            behind: self.behind + other.behind,
            bound: self.bound + other.bound,
            spare: self.spare + other.spare,
            leaving_idle: self.leaving_idle + other.leaving_idle,
            waiting: self.waiting + other.waiting,
            idle: self.idle + other.idle,
        }
    }

    fn minus(self, other: Standing) -> Standing {
        Standing {
            behind: self.behind - other.behind,
            bound: self.bound - other.bound,
            spare: self.spare - other.spare,
            leaving_idle: self.leaving_idle - other.leaving_idle,
            waiting: self.waiting - other.waiting,
            idle: self.idle - other.idle,
        }
    }
}

/// The runqueues of a sweep; the same in all its steps.
#[derive(Clone, Copy, Debug)]
pub struct Queues<'a> {
    /// Runqueues of the tasks that count.
    pub shown: &'a Depth,
    /// Runqueues of all tasks, if those are more.
    pub all: Option<&'a Depth>,
}

/// Goes through all changes of some CPUs and their runqueues in time order, in resumable steps.
#[derive(Debug)]
pub struct Sweep {
    cursors: Vec<Cursor>,
    tree: LoserTree,
    now: Standing,
    /// Time of the last change.
    since: u64,
}

impl Sweep {
    /// At the beginning of the trace; what runs is of those lanes.
    pub fn new(trace: &Trace, queues: Queues<'_>, lanes: impl Iterator<Item = usize>) -> Sweep {
        let mut cursors: Vec<Cursor> = lanes.map(|lane| Cursor::new(trace, lane)).collect();
        let firsts: Vec<_> = cursors.iter_mut().map(|cursor| cursor.next(trace, queues)).collect();
        Sweep {
            tree: LoserTree::new(firsts),
            cursors,
            now: Standing::default(),
            since: 0,
        }
    }

    /// Handles up to `count` changes and calls `each` with the counts and the stretch of time in which they hold; the
    /// stretches tile the trace. False at the end.
    pub fn step(
        &mut self,
        trace: &Trace,
        queues: Queues<'_>,
        count: usize,
        each: &mut impl FnMut(u64, u64, Standing),
    ) -> bool {
        for _ in 0..count {
            let Some((index, at)) = self.tree.winner() else {
                self.hold_until(trace.span_ns, each);
                return false;
            };
            self.hold_until(at, each);
            // Each stream of the tree is a cursor.
            let Some(cursor) = self.cursors.get_mut(index) else {
                return false;
            };
            self.now = self.now.plus(cursor.next).minus(cursor.now);
            cursor.now = cursor.next;
            self.tree.replace(cursor.next(trace, queues));
        }
        true
    }

    /// Share of the trace that is done.
    pub fn share(&self, trace: &Trace) -> f64 {
        (self.since as f64 / trace.span_ns.max(1) as f64).min(1.0)
    }

    /// Combines the changes of one time: counts that hold for no time are not reported.
    fn hold_until(&mut self, at: u64, each: &mut impl FnMut(u64, u64, Standing)) {
        if self.since < at {
            each(self.since, at, self.now);
            self.since = at;
        }
    }
}

/// One CPU: its contribution to the counts, now and after its next change.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    lane: usize,
    /// The next interval of its lane, and the next steps of its runqueue.
    interval: usize,
    step: usize,
    step_of_bound: usize,
    step_of_all: usize,
    /// When that interval begins.
    begins: Option<u64>,
    who: Who,
    depth: u32,
    depth_of_bound: u32,
    depth_of_all: u32,
    now: Standing,
    next: Standing,
}

impl Cursor {
    fn new(trace: &Trace, lane: usize) -> Cursor {
        Cursor {
            lane,
            interval: 0,
            begins: trace.lanes.get(lane).and_then(|lane| lane.starts().get(0)),
            step: 0,
            step_of_bound: 0,
            step_of_all: 0,
            who: Who::Unknown,
            depth: 0,
            depth_of_bound: 0,
            depth_of_all: 0,
            now: Standing::default(),
            next: Standing::default(),
        }
    }

    /// Advances to the next change of its contribution, and returns the time of that.
    fn next(&mut self, trace: &Trace, queues: Queues<'_>) -> Option<u64> {
        let lane = trace.lanes.get(self.lane)?;
        let shown = queues.shown.queue(self.lane);
        let bound = queues.shown.bound(self.lane);
        let all = queues.all.and_then(|all| all.queue(self.lane));
        loop {
            let times = [
                self.begins,
                time_of(shown, self.step),
                time_of(bound, self.step_of_bound),
                time_of(all, self.step_of_all),
            ];
            let at = times.into_iter().flatten().min()?;
            while self.begins == Some(at) {
                self.who = lane.who(self.interval);
                self.interval += 1;
                self.begins = lane.starts().get(self.interval);
            }
            take(shown, at, &mut self.step, &mut self.depth);
            take(bound, at, &mut self.step_of_bound, &mut self.depth_of_bound);
            match queues.all {
                Some(_) => take(all, at, &mut self.step_of_all, &mut self.depth_of_all),
                None => self.depth_of_all = self.depth,
            }
            self.next = self.standing();
            if self.next != self.now {
                return Some(at);
            }
        }
    }

    fn standing(&self) -> Standing {
        let known = Standing {
            waiting: self.depth,
            ..Standing::default()
        };
        match self.who {
            Who::Run(_) => Standing {
                behind: self.depth.saturating_sub(self.depth_of_bound),
                bound: self.depth_of_bound,
                ..known
            },
            Who::Idle => Standing {
                leaving_idle: self.depth,
                spare: u32::from(self.depth_of_all == 0),
                idle: 1,
                ..known
            },
            Who::Unknown => known,
        }
    }
}

/// Time of step `index` of a runqueue.
fn time_of(queue: Option<&Queue>, index: usize) -> Option<u64> {
    Some(queue?.step(index)?.0)
}

/// Takes the next step of a runqueue if it is at `at`.
fn take(queue: Option<&Queue>, at: u64, index: &mut usize, depth: &mut u32) {
    if let Some((_, deep)) = queue
        .and_then(|queue| queue.step(*index))
        .filter(|&(time, _)| time == at)
    {
        *depth = deep;
        *index += 1;
    }
}
