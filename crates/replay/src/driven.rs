//! A replay with the recorded decisions: who ran when and where is the recording's, and all else is the workload's: when tasks
//! wake, by whom, what they fork, which priority they have.

use std::collections::HashMap;

use tracecore::sched::{Lane, Trace, Who};
use tracecore::schedrows::{Context, Row, RowKind, StateCode};

use crate::engine::{Outcome, Output};
use crate::identity::{bases, clock_of, runs, Run};
use crate::workload::{Start, Task, WorkKind, Workload};

/// Where a row stands among those of its CPU at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Before,
    Switch,
    Behind,
}

struct Driver<'a> {
    trace: &'a Trace,
    /// By lane: when, where, and what.
    rows: Vec<Vec<(u64, Place, Row)>>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    switches: u64,
}

/// The run of a workload of a whole trace, with no task left out, as it was recorded.
pub fn drive(workload: &Workload, trace: &Trace) -> Outcome {
    let mut driver = Driver {
        trace,
        rows: vec![Vec::new(); trace.lanes.len()],
        names: Vec::new(),
        numbers: HashMap::new(),
        switches: 0,
    };
    driver.switch_all(workload);
    let all_runs = runs(workload, trace);
    let bases = bases(workload);
    let offset = workload.first_ns.saturating_sub(trace.origin_ns);
    for (task, runs) in workload.tasks.iter().zip(&all_runs) {
        driver.moves(runs);
        let mut prio = task.prio;
        let mut blocked = Some(offset);
        for (number, event) in (task.events.start as usize..).zip(workload.events_of(task)) {
            let used = bases.get(number).copied().unwrap_or(0) + event.length;
            match event.kind {
                WorkKind::Prio { prio: now } => prio = Some(now),
                WorkKind::Block { .. } => {
                    let run = runs.get(runs.partition_point(|run| run.after() < used));
                    let run = run.filter(|run| run.after() == used);
                    // Lanes have no run of no length.
                    blocked = run.map_or(Some(offset).filter(|_| used == 0), |run| Some(run.end));
                }
                WorkKind::Fork { child } => {
                    let of_child = all_runs.get(child as usize).map_or(&[][..], Vec::as_slice);
                    if let Some(child) = workload.tasks.get(child as usize) {
                        driver.fork(workload, (task, runs, used), (child, of_child), prio);
                    }
                }
                WorkKind::Sleep { delay } | WorkKind::Woken { delay, .. } => {
                    let Some(at) = blocked.map(|blocked| blocked + event.length) else {
                        continue;
                    };
                    let before = bases.get(number).copied().unwrap_or(0);
                    let next = runs.get(runs.partition_point(|run| run.before < before));
                    let by = match event.kind {
                        WorkKind::Woken {
                            waker, event, distance, ..
                        } => {
                            let clock = clock_of(workload, &bases, waker, event).saturating_sub(distance);
                            let of_waker = all_runs.get(waker as usize).map_or(&[][..], Vec::as_slice);
                            ran_at(of_waker, clock, at.saturating_sub(delay.ns())).copied()
                        }
                        // Woken by nobody known, at the switch-in.
                        _ if delay.ns() == 0 && next.is_some_and(|next| next.start == at) => continue,
                        _ => None,
                    };
                    let comm = workload.comm(comm_at(task, before));
                    driver.wakeup(task, comm, (at.saturating_sub(delay.ns()), at), next, by, prio);
                }
                WorkKind::Yield | WorkKind::Exit { .. } => {}
            }
        }
    }
    driver.finish(workload)
}

/// The run in which a task had this CPU time at this time.
fn ran_at(runs: &[Run], used: u64, at: u64) -> Option<&Run> {
    let first = runs.partition_point(|run| run.after() < used);
    let mut near = runs.get(first..)?.iter().take_while(|run| run.before <= used);
    near.find(|run| run.start + (used - run.before) == at)
}

/// The name of a task with this CPU time.
fn comm_at(task: &Task, used: u64) -> u32 {
    let later = task.renames.iter().rev().find(|&&(since, _)| since <= used);
    later.map_or(task.comm, |&(_, comm)| comm)
}

fn code(prio: Option<i16>) -> u8 {
    match prio {
        None => Row::NO_PRIO,
        Some(-1) => Row::DEADLINE,
        Some(prio) => u8::try_from(prio).unwrap_or(Row::NO_PRIO),
    }
}

impl Driver<'_> {
    fn name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn push(&mut self, lane: usize, at: u64, place: Place, row: Row) {
        if let Some(rows) = self.rows.get_mut(lane) {
            rows.push((at, place, row));
        }
    }

    /// Who an interval shows: pid and name; `None` where that is unknown.
    fn seen(&mut self, number: usize, lane: &Lane, index: usize) -> Option<(i32, u32)> {
        match lane.who(index) {
            Who::Run(who) => {
                let trace = self.trace;
                let name = self.name(trace.comm_of(who));
                Some((trace.task_of(who).pid, name))
            }
            Who::Idle => Some((0, self.idle(number))),
            _ => None,
        }
    }

    fn idle(&mut self, lane: usize) -> u32 {
        let cpu = self.trace.cpus.get(lane).copied().unwrap_or(0);
        self.name(&format!("swapper/{cpu}"))
    }

    fn switch_all(&mut self, workload: &Workload) {
        let trace = self.trace;
        for (number, lane) in trace.lanes.iter().enumerate() {
            let idle = (0, self.idle(number));
            let mut before: Option<(i32, u32)> = None;
            for index in 0..lane.len() {
                let seen = self.seen(number, lane, index);
                let at = lane.start_of(index);
                if index == 0 && lane.switched_to(0) {
                    // Who left at once, in a run of no length.
                    let cpu = trace.cpus.get(number).copied();
                    let left = workload.tasks.iter().find(|task| {
                        let first = workload.events_of(task).first();
                        let blocks = first
                            .is_some_and(|event| event.length == 0 && matches!(event.kind, WorkKind::Block { .. }));
                        task.start == Start::Runnable && task.cpu == cpu && blocks
                    });
                    let left = left.map(|task| (task.pid, workload.comm_of(task)));
                    let left = left.map(|(pid, comm)| (pid, self.name(comm)));
                    self.switch(number, at, left.unwrap_or(idle), StateCode(b'S'), seen, lane.prio(0));
                } else if 0 < index {
                    match (before, seen) {
                        (Some(old), Some(new)) if !lane.switched_to(index) && old.0 == new.0 => {
                            let row = Row {
                                common_pid: old.0,
                                pid: old.0,
                                comm: old.1,
                                comm2: new.1,
                                ..Row::of(RowKind::Rename, 0)
                            };
                            self.push(number, at, Place::Switch, row);
                        }
                        (Some(old), _) => {
                            let state = lane.end_state(index - 1).unwrap_or(StateCode(b'R'));
                            self.switch(number, at, old, state, seen, lane.prio(index));
                        }
                        (None, _) => self.switch(
                            number,
                            at,
                            (Row::UNKNOWN_PID, 0),
                            StateCode(b'?'),
                            seen,
                            lane.prio(index),
                        ),
                    }
                }
                before = seen;
            }
            // The last event of the recording may be a switch.
            let last = lane.len().checked_sub(1);
            if let (Some(last), Some(old)) = (last.filter(|&last| !lane.open(last)), before) {
                let state = lane.end_state(last).filter(|_| old.0 != 0);
                if let Some(state) = state {
                    self.switch(number, lane.end_of(last), old, state, Some(idle), None);
                }
            }
        }
    }

    fn switch(
        &mut self,
        lane: usize,
        at: u64,
        old: (i32, u32),
        state: StateCode,
        new: Option<(i32, u32)>,
        prio: Option<i32>,
    ) {
        let Some(new) = new else {
            let lost = Row {
                arg: -1,
                ..Row::of(RowKind::Lost, 0)
            };
            return self.push(lane, at, Place::Switch, lost);
        };
        self.switches += 1;
        let row = Row {
            common_pid: old.0,
            pid: old.0,
            comm: old.1,
            arg: new.0,
            comm2: new.1,
            state: state.0,
            prio: code(prio.and_then(|prio| i16::try_from(prio).ok())),
            ..Row::of(RowKind::Switch, 0)
        };
        self.push(lane, at, Place::Switch, row);
    }

    /// Who a lane shows at a time: before what it does then, or behind it.
    fn on_lane(&self, lane: usize, at: u64, place: Place) -> i32 {
        let at = match place {
            Place::Before => at.saturating_sub(1),
            _ => at,
        };
        let who = self.trace.lanes.get(lane).and_then(|lane| lane.run(lane.find(at)?));
        who.map_or(0, |who| self.trace.task_of(who).pid)
    }

    /// Moves of a task that stayed runnable.
    fn moves(&mut self, runs: &[Run]) {
        for (old, new) in runs.iter().zip(runs.iter().skip(1)) {
            if old.lane != new.lane && old.letter == b'R' {
                self.migrate(new, new.lane, (old.lane, new.lane), new.start);
            }
        }
    }

    fn migrate(&mut self, run: &Run, on: usize, (from, to): (usize, usize), at: u64) {
        let Some((lane, index)) = self
            .trace
            .lanes
            .get(run.lane)
            .and_then(|lane| Some((lane, lane.find(run.start)?)))
        else {
            return;
        };
        let Some((pid, comm)) = self.seen(run.lane, lane, index) else {
            return;
        };
        let cpu = |lane: usize| self.trace.cpus.get(lane).copied().unwrap_or(0);
        let row = Row {
            common_pid: self.on_lane(on, at, Place::Before),
            context: Context::HARDIRQ,
            pid,
            comm,
            comm2: cpu(from),
            arg: cpu(to) as i32,
            prio: code(lane.prio(index).and_then(|prio| i16::try_from(prio).ok())),
            ..Row::of(RowKind::Migrate, 0)
        };
        self.push(on, at, Place::Before, row);
    }

    fn wakeup(
        &mut self,
        task: &Task,
        comm: &str,
        (waking, at): (u64, u64),
        next: Option<&Run>,
        by: Option<Run>,
        prio: Option<i16>,
    ) {
        let cpu_of = |lane: usize| self.trace.cpus.get(lane).copied();
        let target = match next {
            Some(next) => next.lane,
            None => self
                .trace
                .cpus
                .iter()
                .position(|&cpu| Some(cpu) == task.cpu)
                .unwrap_or(0),
        };
        let pid = self.pid_at(task, next);
        let row = Row {
            pid,
            comm: self.name(comm),
            arg: cpu_of(target).unwrap_or(0) as i32,
            prio: code(prio),
            ..Row::of(RowKind::Waking, 0)
        };
        let (lane, place) = match by {
            // At the very end of its run it is still there.
            Some(run) if waking == run.end => (run.lane, Place::Before),
            Some(run) => (run.lane, Place::Behind),
            None => (target, Place::Before),
        };
        let context = if by.is_some() { 0 } else { Context::HARDIRQ };
        let common_pid = self.on_lane(lane, waking, place);
        self.push(
            lane,
            waking,
            place,
            Row {
                common_pid,
                context,
                ..row
            },
        );
        // Before the run that follows.
        let common_pid = self.on_lane(target, at, Place::Before);
        let wakeup = Row {
            common_pid,
            context: Context::HARDIRQ,
            kind: RowKind::Wakeup,
            ..row
        };
        self.push(target, at, Place::Before, wakeup);
    }

    /// The pid that a task has in a run: an exec by a thread changes it.
    fn pid_at(&self, task: &Task, run: Option<&Run>) -> i32 {
        let who = run.and_then(|run| {
            let lane = self.trace.lanes.get(run.lane)?;
            lane.run(lane.find(run.start)?)
        });
        who.map_or(task.pid, |who| self.trace.task_of(who).pid)
    }

    fn fork(
        &mut self,
        workload: &Workload,
        (parent, runs, used): (&Task, &[Run], u64),
        (child, of_child): (&Task, &[Run]),
        prio: Option<i16>,
    ) {
        let offset = workload.first_ns.saturating_sub(self.trace.origin_ns);
        let born = child.born_ns + offset;
        let at = born.saturating_sub(child.birth_delay);
        let Some(run) = ran_at(runs, used, at) else {
            return;
        };
        let (comm, comm2) = (workload.comm(comm_at(parent, used)), workload.comm_of(child));
        let (comm, comm2) = (self.name(comm), self.name(comm2));
        let pid = self.pid_at(parent, Some(run));
        let place = if at == run.end { Place::Before } else { Place::Behind };
        let row = Row {
            common_pid: pid,
            pid,
            comm,
            arg: child.pid,
            comm2,
            ..Row::of(RowKind::Fork, 0)
        };
        let lane = run.lane;
        self.push(lane, at, place, row);
        let target = of_child.first().map_or(lane, |run| run.lane);
        let place = match of_child.first() {
            Some(first) if first.start == born && first.lane == lane => Place::Before,
            _ => place,
        };
        let row = Row {
            common_pid: self.on_lane(lane, born, place),
            pid: child.pid,
            comm: comm2,
            arg: self.trace.cpus.get(target).copied().unwrap_or(0) as i32,
            prio: code(child.prio.or(prio)),
            ..Row::of(RowKind::WakeupNew, 0)
        };
        self.push(lane, born, place, row);
    }

    fn finish(self, workload: &Workload) -> Outcome {
        let Driver {
            trace,
            rows,
            names,
            switches,
            ..
        } = self;
        let mut output = Output::new(trace.lanes.len() as u32, trace.origin_ns);
        for (lane, mut rows) in (0..).zip(rows) {
            rows.sort_by_key(|&(at, place, _)| (at, place));
            for (at, _, row) in rows {
                output.push(lane, at, row);
            }
        }
        let (hash, count) = (output.hash, output.rows);
        let mut scans = output.into_scans(trace.span_ns, &names);
        for (scan, &cpu) in scans.iter_mut().zip(&trace.cpus) {
            scan.cpu = cpu;
        }
        Outcome {
            scans,
            first_ns: trace.origin_ns,
            span_ns: trace.span_ns,
            hash,
            rows: count,
            engine_events: count,
            switches,
            blocks_skipped: 0,
            cut_short: false,
            cpu_ns: workload.tasks.iter().map(|task| task.cpu_ns).collect(),
        }
    }
}
