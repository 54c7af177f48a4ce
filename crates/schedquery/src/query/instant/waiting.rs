//! Who waits at an instant, and when something happens: what is found once for a trace.

use super::{queue_at, Waits};
use crate::query::select::walk::CHUNK;
use schedindex::{Migrations, QueueWalk, Queued, Runs, Shown, SteppedSort, Waiter, Wakers};
use schedmodel::{TaskId, Trace, WaitCause};
use std::collections::HashMap;

/// What instants are looked up in.
#[derive(Debug)]
pub struct Standpoint {
    runs: Runs,
    pub(super) wakers: Wakers,
    migrations: Migrations,
    /// When `sched_wakeup` made tasks runnable, ascending.
    woken: Vec<u64>,
    /// Parts of the waits that no run ends: since when, and where.
    loose: Vec<(u64, WaitCause, Waiter, Queued)>,
}

/// Finds a [`Standpoint`] in steps.
#[derive(Debug)]
pub(crate) struct StandpointBuilder {
    edge: usize,
    woken: Vec<u64>,
    sort: Option<SteppedSort<u64>>,
    walk: QueueWalk,
    loose: Vec<(u64, WaitCause, Waiter, Queued)>,
    walked: bool,
}

impl StandpointBuilder {
    pub(crate) fn new(trace: &Trace) -> StandpointBuilder {
        StandpointBuilder {
            edge: 0,
            woken: Vec::new(),
            sort: None,
            walk: QueueWalk::new(trace, &Shown::all()),
            loose: Vec::new(),
            walked: false,
        }
    }

    /// Does some of the work; returns the result once finished.
    pub(crate) fn step(&mut self, trace: &Trace) -> Option<Standpoint> {
        if self.edge < trace.edges.len() {
            let end = trace.edges.len().min(self.edge + CHUNK);
            self.woken
                .extend((self.edge..end).filter_map(|number| trace.edges.get(number).woken));
            self.edge = end;
            return None;
        }
        if !self.walked {
            let (loose, mut last) = (&mut self.loose, None);
            let more = self.walk.step(trace, &Shown::all(), CHUNK, &mut |waiter, part| {
                if waiter.run.is_some() {
                    return;
                }
                // The parts of a wait follow each other.
                let since = match last {
                    Some((before, since, end)) if before == waiter && end == part.from => since,
                    _ => part.from,
                };
                last = Some((waiter, since, part.to));
                loose.push((since, WaitCause::Wakeup, waiter, part));
            });
            self.walked = !more;
            return None;
        }
        let woken = &mut self.woken;
        let sort = self.sort.get_or_insert_with(|| SteppedSort::new(std::mem::take(woken)));
        if sort.step() {
            return None;
        }
        let mut woken = self.sort.take().map_or(Vec::new(), SteppedSort::into_items);
        woken.dedup();
        let mut loose = std::mem::take(&mut self.loose);
        // Of several of a task and an instant, the first.
        let causes: HashMap<_, _> = trace
            .loose_waits
            .iter()
            .rev()
            .map(|wait| ((wait.who, wait.since), wait.cause))
            .collect();
        for (since, cause, waiter, _) in &mut loose {
            *cause = causes.get(&(waiter.who, *since)).copied().unwrap_or(*cause);
        }
        Some(Standpoint {
            runs: Runs::new(trace),
            wakers: Wakers::new(trace),
            migrations: Migrations::new(trace),
            woken,
            loose,
        })
    }
}

impl Standpoint {
    /// Of a trace, at once.
    pub fn new(trace: &Trace) -> Standpoint {
        let mut builder = StandpointBuilder::new(trace);
        loop {
            if let Some(found) = builder.step(trace) {
                return found;
            }
        }
    }

    /// All tasks that wait at an instant.
    pub(super) fn waiting(&self, trace: &Trace, at: u64) -> Vec<Waits> {
        let tasks = (0..trace.tasks.len()).map(|task| TaskId(task as u32));
        let mut waiting: Vec<Waits> = tasks.filter_map(|task| self.waits_for_run(trace, task, at)).collect();
        let loose = self
            .loose
            .iter()
            .filter(|(.., part)| (part.from..part.to).contains(&at));
        waiting.extend(loose.map(|&(since, cause, waiter, part)| Waits {
            who: waiter.who,
            since,
            cause,
            run: None,
            cpu: part.cpu,
        }));
        waiting
    }

    /// The wait of a task at an instant that its next run ends.
    fn waits_for_run(&self, trace: &Trace, task: TaskId, at: u64) -> Option<Waits> {
        self.runs.pairs_of(task).iter().find_map(|&pair| {
            let slot = self.runs.first_starting(trace, pair, at.saturating_add(1));
            let run = self.runs.run(slot).filter(|_| self.runs.slots(pair).contains(&slot))?;
            let lane = trace.lanes.get(run.lane)?;
            let wait = lane.wait(run.index).filter(|wait| wait.since <= at)?;
            let until = lane.start_of(run.index);
            let moves = self.migrations.from(trace, task, wait.since);
            Some(Waits {
                who: pair,
                since: wait.since,
                cause: wait.cause,
                run: Some((run.lane, run.index)),
                cpu: queue_at(moves, (wait.since, until), trace.cpu_at(run.lane), at),
            })
        })
    }

    /// The nearest instant after, or before, another at which something happens.
    pub(super) fn step(&self, trace: &Trace, at: u64, forwards: bool) -> Option<u64> {
        // The first that is later, and the last that is earlier, in an ascending list.
        let near = |len: usize, before: usize, up_to: usize, get: &dyn Fn(usize) -> Option<u64>| match forwards {
            true => get(up_to).filter(|_| up_to < len),
            false => get(before.checked_sub(1)?),
        };
        let mut found: Vec<u64> = Vec::new();
        for (index, lane) in trace.lanes.iter().enumerate() {
            let starts = lane.starts();
            let (before, up_to) = (
                starts.partition_point(|start| start < at),
                starts.partition_point(|start| start <= at),
            );
            found.extend(near(lane.len(), before, up_to, &|index| starts.get(index)));
            found.extend(self.wakers.near(trace, index, at, forwards));
        }
        let woken = &self.woken;
        let (before, up_to) = (
            woken.partition_point(|&woken| woken < at),
            woken.partition_point(|&woken| woken <= at),
        );
        found.extend(near(woken.len(), before, up_to, &|index| woken.get(index).copied()));
        let moves = &trace.migrations;
        let (before, up_to) = (
            moves.partition_point(|one| one.at < at),
            moves.partition_point(|one| one.at <= at),
        );
        found.extend(near(moves.len(), before, up_to, &|index| {
            moves.get(index).map(|one| one.at)
        }));
        let within = found.into_iter().filter(|&instant| instant <= trace.span_ns);
        match forwards {
            true => within.min(),
            false => within.max(),
        }
    }
}
