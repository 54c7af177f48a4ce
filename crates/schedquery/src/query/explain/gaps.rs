//! Gaps of commands that are busy otherwise: far fewer of a command's tasks run than usual.
//!
//! The usual number is the time-weighted mean between the command's first and last run. A command is busy if that is at
//! least a half; a gap is a maximal interval in which fewer than half of it run. So a few stragglers do not close a
//! gap, and a daemon that hardly ever runs has none.

use crate::query::jobs::job::{Job, Model};
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::top::Top;
use crate::query::select::walk::{LaneWalk, SliceWalk};
use schedmodel::{CommId, Interval, Trace, Who};
use std::cmp::Reverse;
use std::sync::Arc;

/// A time in which a busy command hardly ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) comm: CommId,
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// What would usually have run meanwhile, less what ran, in ns times tasks.
    pub(crate) cost: u64,
}

/// Finds the costliest gaps of all commands of a selection: first how busy each command is, then when it was not. Runs
/// are clipped to the window.
#[derive(Debug)]
pub(crate) struct GapsJob {
    scope: Arc<Scope>,
    walk: LaneWalk,
    /// By [`CommId`].
    commands: Vec<Command>,
    /// A walk through time, and by [`CommId`] which commands are busy, once it is known.
    sweep: Option<(SliceWalk, Vec<bool>)>,
    /// Begins and ends of runs: in the upper half of each when, since the part of time or the window begins; in the lower one twice the
    /// command's number, and one more for a begin.
    changes: Vec<u64>,
    costliest: Top<Ranked>,
}

/// Cost, start, command, end.
type Ranked = (Reverse<u64>, u64, CommId, u64);

/// A command, up to the walk's position.
#[derive(Clone, Copy, Debug, Default)]
struct Command {
    /// Begin of its first and end of its last run; `None` if it has no runs.
    span: Option<(u64, u64)>,
    /// Total length of its runs.
    busy: u128,
    /// How many of its tasks have run since `at`.
    running: i64,
    at: u64,
    /// Start of the current gap, and how much it ran since.
    gap: Option<(u64, u128)>,
    /// The fewest that are not a gap: half of the mean, `busy / length`. 0 until it is needed.
    few: u128,
}

impl Command {
    fn add(&mut self, from: u64, to: u64) {
        let (first, last) = self.span.unwrap_or((from, to));
        self.span = Some((first.min(from), last.max(to)));
        self.busy += u128::from(to - from);
        self.at = first.min(from);
    }

    fn length(&self) -> u128 {
        self.span.map_or(0, |(first, last)| u128::from(last - first))
    }

    fn is_busy(&self) -> bool {
        0 < self.busy && self.length() <= 2 * self.busy
    }

    /// The number of running tasks stays the same until `at` and then changes by `by`. Returns the gap (start, end,
    /// cost) that this ends, if any.
    fn change(&mut self, at: u64, by: i64) -> Option<(u64, u64, u64)> {
        let mut ended = None;
        if self.at < at {
            let running = self.running.max(0) as u128;
            if self.few == 0 {
                self.few = self.busy.div_ceil(2 * self.length().max(1));
            }
            if running < self.few {
                let (from, ran) = self.gap.unwrap_or((self.at, 0));
                self.gap = Some((from, ran + running * u128::from(at - self.at)));
            } else {
                ended = self.end_gap(self.at);
            }
            self.at = at;
        }
        self.running += by;
        ended
    }

    fn end_gap(&mut self, to: u64) -> Option<(u64, u64, u64)> {
        let (from, ran) = self.gap.take()?;
        let usually = self.busy * u128::from(to - from) / self.length().max(1);
        Some((from, to, u64::try_from(usually.saturating_sub(ran)).unwrap_or(u64::MAX)))
    }
}

impl GapsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, top: usize) -> GapsJob {
        GapsJob {
            scope,
            walk: LaneWalk::default(),
            commands: vec![Command::default(); trace.comms.names().len()],
            sweep: None,
            changes: Vec::new(),
            costliest: Top::new(top),
        }
    }

    /// Adds up more runs.
    fn measure(&mut self, trace: &Trace) -> bool {
        let Some((lane, indexes)) = self.walk.next(trace, &self.scope) else {
            return false;
        };
        let window = Selected::of(trace, &self.scope).closed_window();
        trace.lane_at(lane).each(indexes, |index, run| {
            let Who::Run(id) = run.who else { return };
            let (from, to) = (run.start.max(window.start), run.end.min(window.end));
            if from < to && self.scope.shown.has_run(id, lane, index) {
                if let Some(command) = self.commands.get_mut(trace.task_comm(id).comm.0 as usize) {
                    command.add(from, to);
                }
            }
        });
        true
    }

    /// Follows the busy commands through more time.
    fn follow(&mut self, trace: &Trace) -> bool {
        let GapsJob { scope, commands, .. } = self;
        let window = Selected::of(trace, scope).closed_window();
        let (slices, is_busy) = self.sweep.get_or_insert_with(|| {
            let is_busy = commands.iter().map(Command::is_busy).collect();
            (SliceWalk::new(trace), is_busy)
        });
        let Some(parts) = slices.next(trace) else {
            return false;
        };
        let more = slices.at() <= window.end;
        // No run that counts begins or ends before.
        let base = slices.from().max(window.start);
        self.changes.clear();
        for ((lane_index, part), lane) in parts.into_iter().enumerate().zip(&trace.lanes) {
            if part.is_empty() || !scope.has_lane(lane_index) {
                continue;
            }
            // The command of a run of a busy one in the window.
            let busy_run = |index: usize, run: Interval| {
                let Who::Run(id) = run.who else { return None };
                let in_window = run.start.max(window.start) < run.end.min(window.end);
                let shown = in_window && scope.shown.has_run(id, lane_index, index);
                let comm = trace.task_comm(id).comm;
                let is_busy = is_busy.get(comm.0 as usize) == Some(&true);
                (shown && is_busy).then_some(comm)
            };
            let before = part.start.checked_sub(1);
            let mut running = before.and_then(|before| busy_run(before, lane.interval(before)));
            lane.each(part, |index, run| {
                let ended = std::mem::replace(&mut running, busy_run(index, run)).filter(|_| run.start <= window.end);
                // One after the other changes nothing.
                if ended != running {
                    let at = run.start.max(window.start).saturating_sub(base) << 32;
                    self.changes.extend(ended.map(|comm| at | u64::from(comm.0 << 1)));
                    self.changes.extend(running.map(|comm| at | u64::from(comm.0 << 1 | 1)));
                }
            });
        }
        self.changes.sort_unstable();
        for change in &self.changes {
            let at = base + (change >> 32);
            let change = *change as u32;
            let (comm, by) = (CommId(change >> 1), if change & 1 == 1 { 1 } else { -1 });
            if let Some(command) = self.commands.get_mut(comm.0 as usize) {
                push(&mut self.costliest, comm, command.change(at, by));
            }
        }
        more
    }

    /// Ends a current gap at the command's last run.
    fn finish(&mut self) {
        for (comm, command) in self
            .commands
            .iter_mut()
            .enumerate()
            .filter(|(_, command)| command.is_busy())
        {
            let Some((_, last)) = command.span else { continue };
            let comm = CommId(comm as u32);
            let ended = command.change(last, 0);
            push(&mut self.costliest, comm, ended);
            let ended = command.end_gap(last);
            push(&mut self.costliest, comm, ended);
        }
    }
}

fn push(costliest: &mut Top<Ranked>, comm: CommId, gap: Option<(u64, u64, u64)>) {
    if let Some((from, to, cost)) = gap {
        costliest.push((Reverse(cost), from, comm, to));
    }
}

impl Job for GapsJob {
    type Answer = Vec<Gap>;

    fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        if self.measure(trace) || self.follow(trace) {
            return true;
        }
        self.finish();
        false
    }

    fn share(&self, Model { trace, .. }: Model<'_>) -> f64 {
        let followed = self.sweep.as_ref().map_or(0.0, |(slices, _)| slices.share(trace));
        (self.walk.share(trace) + followed) / 2.0
    }

    fn answer(self, _: Model<'_>) -> Vec<Gap> {
        let gap = |(Reverse(cost), from, comm, to)| Gap { comm, from, to, cost };
        self.costliest.into_sorted().into_iter().map(gap).collect()
    }
}
