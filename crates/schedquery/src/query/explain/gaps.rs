//! Gaps of commands that are busy otherwise: far fewer of a command's tasks run than usual, and some of them wait.
//!
//! The usual number is the time-weighted mean between the command's first and last run. A command is busy if that is at
//! least a half; a gap is a maximal interval in which fewer than half of it run. So a few stragglers do not close a
//! gap, and a daemon that hardly ever runs has none.
//!
//! What is missing in a gap is what would usually have run, less what ran. Its cost is how long the command's tasks waited meanwhile,
//! at most what is missing; in the rest of it nobody wanted to run, which costs nothing.
//!
//! A wait is known from its end: the run that it led to. So time is walked through backwards, and what is kept does not grow with
//! the trace: when the waits of the tasks that wait at that time began.

use crate::query::jobs::job::{Job, Model};
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::top::Top;
use crate::query::select::walk::{BackWalk, LaneWalk};
use schedmodel::{CommId, Interval, TaskCommId, Trace, Who};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// A time in which a busy command hardly ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) comm: CommId,
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// How long its tasks waited meanwhile, at most what is missing, in ns times tasks.
    pub(crate) cost: u64,
    /// What is missing beyond that.
    pub(crate) slept: u64,
    /// Whether records are missing meanwhile.
    pub(crate) uncertain: bool,
}

/// Finds the costliest gaps of all commands of a selection: first how busy each command is, then when it was not. Runs and waits
/// are clipped to the window. Uncertain gaps come after all others.
#[derive(Debug)]
pub(crate) struct GapsJob {
    scope: Arc<Scope>,
    walk: LaneWalk,
    /// By [`CommId`].
    commands: Vec<Command>,
    sweep: Option<BackSweep>,
    costliest: Top<Ranked>,
}

/// Uncertain, cost, start, command, end, slept.
type Ranked = (bool, Reverse<u64>, u64, CommId, u64, u64);

/// A command, down to the sweep's position.
#[derive(Clone, Copy, Debug, Default)]
struct Command {
    /// Begin of its first and end of its last run; `None` if it has no runs.
    span: Option<(u64, u64)>,
    /// Total length of its runs.
    busy: u128,
    /// Whether any of its tasks waits.
    waits: bool,
    /// How many of its tasks run before `at`, until an earlier change.
    running: i64,
    /// How many wait.
    waiting: i64,
    at: u64,
    gap: Option<Open>,
    /// The fewest that are not a gap: half of the mean, `busy / length`. 0 until it is needed.
    few: u128,
}

/// A gap whose begin is not known yet.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    to: u64,
    /// What ran and waited in it, in ns times tasks.
    ran: u128,
    waited: u128,
}

/// A gap of some command: begin, end, cost, slept.
type Ended = (u64, u64, u64, u64);

impl Command {
    fn add(&mut self, from: u64, to: u64) {
        let (first, last) = self.span.unwrap_or((from, to));
        self.span = Some((first.min(from), last.max(to)));
        self.busy += u128::from(to - from);
        self.at = last.max(to);
    }

    fn length(&self) -> u128 {
        self.span.map_or(0, |(first, last)| u128::from(last - first))
    }

    /// Whether its gaps may cost anything.
    fn counts(&self) -> bool {
        self.waits && 0 < self.busy && self.length() <= 2 * self.busy
    }

    /// Before `at` the numbers of its running and waiting tasks differ by these from what they were after it. Returns the gap that
    /// begins behind `at`, if that is known by now.
    fn change(&mut self, at: u64, running: i64, waiting: i64) -> Option<Ended> {
        let at = at.max(self.span.map_or(0, |(first, _)| first));
        let mut ended = None;
        if at < self.at {
            let (ran, length) = (self.running.max(0) as u128, u128::from(self.at - at));
            if self.few == 0 {
                self.few = self.busy.div_ceil(2 * self.length().max(1));
            }
            if ran < self.few {
                let to = self.at;
                let gap = self.gap.get_or_insert(Open { to, ..Open::default() });
                gap.ran += ran * length;
                gap.waited += self.waiting.max(0) as u128 * length;
            } else {
                ended = self.end_gap();
            }
            self.at = at;
        }
        self.running += running;
        self.waiting += waiting;
        ended
    }

    /// Its gap begins where it is.
    fn end_gap(&mut self) -> Option<Ended> {
        let Open { to, ran, waited } = self.gap.take()?;
        let usually = self.busy * u128::from(to - self.at) / self.length().max(1);
        let missing = usually.saturating_sub(ran);
        let cost = missing.min(waited);
        let [cost, slept] = [cost, missing - cost].map(|ns| u64::try_from(ns).unwrap_or(u64::MAX));
        Some((self.at, to, cost, slept))
    }
}

/// What happens to a command at a time, seen backwards.
const RUN_BEGINS: u64 = 0;
const RUN_ENDS: u64 = 1;
const WAIT_BEGINS: u64 = 2;
const WAIT_ENDS: u64 = 3;

/// A change of a command in 32 bits: trace-wide, there are fewer than 2^30 names.
fn code(comm: CommId, what: u64) -> u64 {
    u64::from(comm.0) << 2 | what
}

/// Goes from the trace's end to its begin.
#[derive(Debug)]
struct BackSweep {
    walk: BackWalk,
    window: Range<u64>,
    /// By [`CommId`]: whether its gaps count.
    counts: Vec<bool>,
    /// Of the current part: in the upper half of each when, since the part begins; in the lower one the change.
    changes: Vec<u64>,
    /// Changes before the current part: begins of waits, and what does not depend on runs.
    earlier: BinaryHeap<(u64, u64)>,
}

impl BackSweep {
    fn new(trace: &Trace, scope: &Arc<Scope>, commands: &[Command]) -> BackSweep {
        let selected = Selected::of(trace, scope);
        let mut sweep = BackSweep {
            walk: BackWalk::new(trace),
            window: selected.closed_window(),
            counts: commands.iter().map(Command::counts).collect(),
            changes: Vec::new(),
            earlier: BinaryHeap::new(),
        };
        for wait in selected.loose_waits() {
            let (since, until) = (sweep.clamp(wait.since), sweep.clamp(wait.until));
            let comm = sweep.comm(trace, wait.who);
            if let Some(comm) = comm.filter(|_| since < until) {
                let changes = [(since, code(comm, WAIT_BEGINS)), (until, code(comm, WAIT_ENDS))];
                sweep.earlier.extend(changes);
            }
        }
        // No interval follows that would say where the last run of a lane ends.
        for (lane_index, lane) in trace.lanes.iter().enumerate() {
            let last = lane.len().checked_sub(1).filter(|_| scope.has_lane(lane_index));
            let comm = last.and_then(|last| sweep.run(trace, scope, (lane_index, last), lane.interval(last)));
            let end = sweep.clamp(lane.end());
            sweep.earlier.extend(comm.map(|comm| (end, code(comm, RUN_ENDS))));
        }
        sweep
    }

    fn clamp(&self, at: u64) -> u64 {
        at.clamp(self.window.start, self.window.end)
    }

    /// The command of a task, if it counts.
    fn comm(&self, trace: &Trace, id: TaskCommId) -> Option<CommId> {
        let comm = trace.task_comm(id).comm;
        Some(comm).filter(|comm| self.counts.get(comm.0 as usize) == Some(&true))
    }

    /// The command of a selected run in the window, if it counts.
    fn run(&self, trace: &Trace, scope: &Scope, (lane, index): (usize, usize), run: Interval) -> Option<CommId> {
        let Who::Run(id) = run.who else { return None };
        let in_window = self.clamp(run.start) < self.clamp(run.end);
        let comm = self.comm(trace, id).filter(|_| in_window);
        comm.filter(|_| scope.shown.has_run(id, lane, index))
    }

    /// Goes through more time; false at the trace's begin.
    fn step(&mut self, trace: &Trace, scope: &Scope, mut change: impl FnMut(u64, CommId, u64)) -> bool {
        let parts = self.walk.next(trace);
        let is_last = parts.is_none();
        let base = if is_last { 0 } else { self.clamp(self.walk.from()) };
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        for ((lane_index, part), lane) in parts.into_iter().flatten().enumerate().zip(&trace.lanes) {
            if part.is_empty() || !scope.has_lane(lane_index) {
                continue;
            }
            let before = part.start.checked_sub(1);
            let of = |index: usize, run: Interval| self.run(trace, scope, (lane_index, index), run);
            let mut running = before.and_then(|before| of(before, lane.interval(before)));
            let earlier = &mut Vec::new();
            lane.each(part, |index, run| {
                let at = self.clamp(run.start);
                let packed = |at: u64, comm: CommId, what: u64| at.saturating_sub(base) << 32 | code(comm, what);
                let ended = std::mem::replace(&mut running, of(index, run));
                // One after the other changes nothing.
                if ended != running {
                    changes.extend(ended.map(|comm| packed(at, comm, RUN_ENDS)));
                    changes.extend(running.map(|comm| packed(at, comm, RUN_BEGINS)));
                }
                let Who::Run(id) = run.who else { return };
                let Some(wait) = lane.wait_before(index, run.start) else {
                    return;
                };
                let since = self.clamp(wait.since);
                let comm = self.comm(trace, id).filter(|_| since < at);
                if let Some(comm) = comm.filter(|_| scope.shown.has_run(id, lane_index, index)) {
                    changes.push(packed(at, comm, WAIT_ENDS));
                    match base <= since {
                        true => changes.push(packed(since, comm, WAIT_BEGINS)),
                        false => earlier.push((since, code(comm, WAIT_BEGINS))),
                    }
                }
            });
            self.earlier.extend(earlier.drain(..));
        }
        changes.sort_unstable();
        let mut one = |at: u64, code: u64| change(at, CommId((code >> 2) as u32), code & 3);
        for packed in changes.iter().rev() {
            let at = base + (packed >> 32);
            self.up_to(at, &mut one);
            one(at, u64::from(*packed as u32));
        }
        if is_last {
            self.up_to(0, &mut one);
        }
        self.changes = changes;
        !is_last
    }

    /// Takes the changes that are put aside, down to a time.
    fn up_to(&mut self, at: u64, change: &mut impl FnMut(u64, u64)) {
        while self.earlier.peek().is_some_and(|&(time, _)| at <= time) {
            if let Some((time, code)) = self.earlier.pop() {
                change(time, code);
            }
        }
    }
}

impl GapsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, top: usize) -> GapsJob {
        GapsJob {
            scope,
            walk: LaneWalk::default(),
            commands: vec![Command::default(); trace.comms.names().len()],
            sweep: None,
            costliest: Top::new(top),
        }
    }

    /// Adds up more runs.
    fn measure(&mut self, trace: &Trace) -> bool {
        let Some((lane_index, indexes)) = self.walk.next(trace, &self.scope) else {
            return false;
        };
        let window = Selected::of(trace, &self.scope).closed_window();
        let lane = trace.lane_at(lane_index);
        lane.each(indexes, |index, run| {
            let Who::Run(id) = run.who else { return };
            let comm = trace.task_comm(id).comm.0 as usize;
            let shown = self.scope.shown.has_run(id, lane_index, index);
            let Some(command) = self.commands.get_mut(comm).filter(|_| shown) else {
                return;
            };
            let (from, to) = (run.start.max(window.start), run.end.min(window.end));
            if from < to {
                command.add(from, to);
            }
            // Its wait may lie in the window even if the run does not.
            command.waits = command.waits || lane.wait_before(index, run.start).is_some();
        });
        true
    }

    /// Follows the busy commands through more time.
    fn follow(&mut self, trace: &Trace) -> bool {
        let GapsJob {
            scope,
            commands,
            costliest,
            ..
        } = self;
        let sweep = self.sweep.get_or_insert_with(|| {
            for wait in Selected::of(trace, scope).loose_waits() {
                if let Some(command) = commands.get_mut(trace.task_comm(wait.who).comm.0 as usize) {
                    command.waits = true;
                }
            }
            BackSweep::new(trace, scope, commands)
        });
        sweep.step(trace, scope, |at, comm, what| {
            if let Some(command) = commands.get_mut(comm.0 as usize) {
                let ended = match what {
                    RUN_BEGINS => command.change(at, -1, 0),
                    RUN_ENDS => command.change(at, 1, 0),
                    WAIT_BEGINS => command.change(at, 0, -1),
                    _ => command.change(at, 0, 1),
                };
                push(trace, costliest, comm, ended);
            }
        })
    }

    /// Begins gaps that have not begun at the command's first run.
    fn finish(&mut self, trace: &Trace) {
        let commands = self.commands.iter_mut().zip((0..).map(CommId));
        for (command, comm) in commands.filter(|(command, _)| command.counts()) {
            let ended = command.change(0, 0, 0);
            push(trace, &mut self.costliest, comm, ended);
            let ended = command.end_gap();
            push(trace, &mut self.costliest, comm, ended);
        }
    }
}

fn push(trace: &Trace, costliest: &mut Top<Ranked>, comm: CommId, gap: Option<Ended>) {
    if let Some((from, to, cost, slept)) = gap.filter(|&(_, _, cost, _)| 0 < cost) {
        costliest.push((trace.holes.any(from, to), Reverse(cost), from, comm, to, slept));
    }
}

impl Job for GapsJob {
    type Answer = Vec<Gap>;

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        if self.measure(trace) || self.follow(trace) {
            return true;
        }
        self.finish(trace);
        false
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        let followed = self.sweep.as_ref().map_or(0.0, |sweep| sweep.walk.share(trace));
        (self.walk.share(trace) + followed) / 2.0
    }

    fn answer(self, _: Model<'_>) -> Vec<Gap> {
        let gap = |(uncertain, Reverse(cost), from, comm, to, slept)| Gap {
            comm,
            from,
            to,
            cost,
            slept,
            uncertain,
        };
        self.costliest.into_sorted().into_iter().map(gap).collect()
    }
}
