//! A recorded trace as a workload.
//!
//! The second consumer of merged rows, beside the model's state machine: it keeps what a task did by its own clock, where the
//! model keeps who ran where. Order of events, generations of pids and what an exec by a thread does are the model's.

mod finish;
mod live;
mod log;
mod people;
mod wake;

use std::collections::HashMap;

pub(crate) use live::kernel_prio;
use live::{Cpu, Live, State, Waker};
use log::Log;
use people::People;
use schedmodel::{Merge, SwitchedOut};
use schedrows::{Break, CpuScan, Event, Row, RowKind, Rows, StateCode, Switch, WakeupKind};

use crate::delay::Delay;
use crate::workload::{Start, WorkEvent, WorkKind, Workload};

/// How long a task may have run, in ns, since it last blocked or stopped by itself, for a stop to be a yield.
pub(crate) const YIELD_WITHIN: u64 = 500_000;

/// Which part of a trace is to be a workload, and what the rows do not say.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The first and the last time, by the trace's clock; `None` for the trace's own.
    pub window: (Option<u64>, Option<u64>),
    /// The number of CPUs, if there are more than streams.
    pub cpus: u32,
    /// The times of `sched_yield` system calls with the thread that makes them, by CPU, ascending: if the trace has such
    /// events at all, since then no yield is inferred.
    pub yields: Option<HashMap<u32, Vec<(u64, i32)>>>,
}

/// The workload of a trace, with all of its tasks.
pub fn from_rows(mut scans: Vec<CpuScan>, recording: &Recording) -> Workload {
    scans.sort_by_key(|scan| scan.cpu);
    scans.dedup_by_key(|scan| scan.cpu);
    let rows: Vec<Rows> = scans.iter_mut().map(|scan| std::mem::take(&mut scan.rows)).collect();
    let (from, to) = recording.window;
    let first = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let last = scans.iter().filter_map(|scan| scan.last_ns).max().unwrap_or(first);
    let first = first.max(from.unwrap_or(0));
    let last = last.min(to.unwrap_or(u64::MAX)).max(first);

    let mut builder = Builder::new(&scans, &rows, recording, first..=last);
    Merge::new(rows, first).each(|next| {
        if next.row.ts < first {
            builder.before_window(next.source, next.row);
        } else if next.row.ts <= last {
            builder.step(next.source, next.at, next.row);
        }
    });
    let cpus = scans.iter().map(|scan| scan.cpu.saturating_add(1)).max().unwrap_or(0);
    Workload {
        first_ns: first,
        span_ns: Some(last - first),
        cpus: Some(cpus.max(recording.cpus)),
        ..builder.finish(last - first)
    }
}

/// All that is known at the current event.
struct Builder {
    people: People,
    log: Log,
    streams: Vec<Cpu>,
    /// The stream of each CPU.
    stream_of: HashMap<u32, usize>,
    /// Streams whose last row before the window says that events were lost.
    lost_before: Vec<bool>,
    /// The `sched_yield`s that are still to come, by stream, the next one last.
    yields: Option<Vec<Vec<(u64, i32)>>>,
    has_wakeups: bool,
    /// `sched_waking` is recorded and `sched_wakeup` is not: a task waits from the first one on, as in the model.
    only_wakings: bool,
    /// Stretches of CPUs of which nothing is known.
    holes: Vec<(u64, u64)>,
    workload: Workload,
    wake_delays: Vec<u32>,
    idle_exits: Vec<u32>,
}

impl Builder {
    fn new(scans: &[CpuScan], rows: &[Rows], recording: &Recording, window: std::ops::RangeInclusive<u64>) -> Builder {
        let count = |kind| rows.iter().map(|rows| rows.count(kind)).sum::<u64>();
        let first = *window.start();
        let yields_of = |scan: &CpuScan, yields: &HashMap<u32, Vec<(u64, i32)>>| {
            let all = yields.get(&scan.cpu).map_or(&[][..], Vec::as_slice);
            let mut within: Vec<_> = all.iter().copied().filter(|(ts, _)| window.contains(ts)).collect();
            within.iter_mut().for_each(|(ts, _)| *ts -= first);
            within.reverse();
            within
        };
        let mut builder = Builder {
            people: People::new(scans, rows),
            log: Log::default(),
            streams: scans.iter().map(|_| Cpu::default()).collect(),
            stream_of: scans.iter().enumerate().map(|(at, scan)| (scan.cpu, at)).collect(),
            lost_before: vec![false; scans.len()],
            yields: (recording.yields.as_ref()).map(|all| scans.iter().map(|scan| yields_of(scan, all)).collect()),
            has_wakeups: 0 < count(RowKind::Wakeup) + count(RowKind::WakeupNew),
            only_wakings: 0 < count(RowKind::Waking) && count(RowKind::Wakeup) == 0,
            holes: Vec::new(),
            workload: Workload::default(),
            wake_delays: Vec::new(),
            idle_exits: Vec::new(),
        };
        for (source, (scan, rows)) in scans.iter().zip(rows).enumerate() {
            if let Some(stream) = builder.streams.get_mut(source) {
                stream.breaks = rows.breaks().iter().rev().copied().collect();
                stream.last_ns = scan.last_ns.unwrap_or(first).saturating_sub(first);
            }
            builder.seat_first(source, scan.cpu, rows, &window);
        }
        builder
    }

    /// The task that a CPU's first switch takes off it has run since the beginning.
    fn seat_first(&mut self, source: usize, cpu: u32, rows: &Rows, window: &std::ops::RangeInclusive<u64>) {
        let mut lost_before = false;
        let mut pid_before = None;
        for row in rows.iter() {
            if row.ts < *window.start() {
                lost_before = row.kind == RowKind::Lost;
                continue;
            }
            match row.event() {
                _ if *window.end() < row.ts => return,
                Event::Lost => return,
                Event::Exec { pid, old_pid } if pid != old_pid && pid_before.is_none() => pid_before = Some(old_pid),
                Event::Switch(Switch { prev: Some(prev), .. }) if !lost_before => {
                    if prev.pid == 0 {
                        if let Some(stream) = self.streams.get_mut(source) {
                            stream.idle = true;
                        }
                        return;
                    }
                    let who = self.people.living(source, pid_before.unwrap_or(prev.pid), prev.comm, 0);
                    if let Some(live) = self.people.get_mut(who) {
                        live.task.cpu = Some(cpu);
                        if live.state == State::Unseen {
                            live.begin_run(source, 0);
                        }
                    }
                    if let Some(stream) = self.streams.get_mut(source) {
                        stream.running = Some(who);
                    }
                    return;
                }
                Event::Switch(_) => return,
                _ => {}
            }
        }
    }

    /// A row before the window.
    fn before_window(&mut self, source: usize, row: &Row) {
        if let Some(lost) = self.lost_before.get_mut(source) {
            *lost = row.kind == RowKind::Lost;
        }
        if let Some(stream) = self.streams.get_mut(source).filter(|_| row.opens_interval()) {
            stream.opens();
        }
    }

    fn step(&mut self, source: usize, at: u64, row: &Row) {
        if self.lost_before.get_mut(source).is_some_and(std::mem::take) {
            self.lost(source, 0);
        }
        self.yield_until(source, at);
        let event = row.event();
        if event != Event::Lost && self.people.expects_takeovers() {
            self.follow_exec(source, at, row.writer(), event);
        }
        match event {
            Event::Switch(switch) => {
                self.switch(source, at, row, switch);
                self.break_chain(source, at);
            }
            Event::Wakeup(wakeup) if wakeup.wakee.pid == 0 => {}
            Event::Wakeup(wakeup) => match wakeup.kind {
                WakeupKind::Waking => {
                    let runs = self.waking(source, at, row, wakeup);
                    if self.only_wakings && !runs {
                        self.wakeup(source, at, row, wakeup);
                    }
                }
                WakeupKind::Wakeup | WakeupKind::WakeupNew => self.wakeup(source, at, row, wakeup),
            },
            Event::Migrate { task, from, to } => {
                self.name_cpu(from);
                self.name_cpu(to);
                if task.pid != 0 {
                    self.people.known(source, task.pid, task.comm, at);
                }
            }
            Event::Fork { parent, child } => self.fork(source, at, row, parent.pid, child),
            Event::Rename(task) if task.pid != 0 => {
                self.people.known(source, task.pid, task.comm, at);
            }
            Event::Lost => {
                self.lost(source, at);
                if let Some(stream) = self.streams.get_mut(source) {
                    stream.opens();
                }
            }
            Event::Rename(_) | Event::Exit(_) | Event::Exec { .. } | Event::Numa { .. } => {}
        }
    }

    fn switch(&mut self, source: usize, at: u64, row: &Row, switch: Switch) {
        let by_itself = match self.streams.get_mut(source) {
            Some(stream) => {
                if let Some(from) = stream.lost.take() {
                    self.holes.push((from, at));
                }
                !std::mem::take(&mut stream.named)
            }
            None => false,
        };
        let displaced = self.streams.get_mut(source).and_then(|stream| stream.running.take());
        if let Some(prev) = switch.prev.filter(|prev| prev.pid != 0) {
            let who = self.people.living(source, prev.pid, prev.comm, at);
            if displaced != Some(who) {
                self.forget(displaced, source, at);
            }
            self.leave(who, source, at, row, switch, by_itself);
        } else {
            self.forget(displaced, source, at);
        }
        let idle = switch.next.pid == 0;
        let running = (!idle).then(|| {
            let who = self.people.living(source, switch.next.pid, switch.next.comm, at);
            self.enter(who, source, at, switch.next_prio);
            who
        });
        if let Some(stream) = self.streams.get_mut(source) {
            (stream.running, stream.idle) = (running, idle);
        }
    }

    /// A task leaves a CPU.
    fn leave(&mut self, who: u32, source: usize, at: u64, row: &Row, switch: Switch, by_itself: bool) {
        self.be_born(who, None);
        self.wake_unseen(who, at);
        let Some(live) = self.people.get_mut(who) else {
            return;
        };
        if live.state != State::Running(source) {
            // It came onto the CPU unseen.
            if let State::Running(_) = live.state {
                live.end_run(at);
            }
            live.task.uncertain = true;
            live.begin_run(source, at);
        }
        let (began_at, before) = (live.clock, live.run_began);
        live.end_run(at);
        let told = row.prev_prio();
        if told != Row::NO_PRIO && told != live.prio {
            if live.prio == Row::NO_PRIO && live.task.prio.is_none() {
                live.task.prio = kernel_prio(told);
            } else if let Some(prio) = kernel_prio(told) {
                let kind = WorkKind::Prio { prio };
                let length = began_at;
                self.log.insert(&mut live.list, before, WorkEvent { length, kind });
            }
            live.prio = told;
        }
        let state = switch.prev_state;
        let length = live.clock;
        let kind = match SwitchedOut::by(state) {
            SwitchedOut::Asleep => {
                live.state = State::Asleep;
                live.blocked = at;
                live.unstopped = 0;
                let letter = state.letter();
                WorkKind::Block { letter }
            }
            SwitchedOut::Dead => {
                live.state = State::Dead;
                let letter = state.letter();
                WorkKind::Exit { letter }
            }
            SwitchedOut::Unknown => {
                live.state = State::Unknown;
                live.task.uncertain = true;
                return;
            }
            SwitchedOut::Runnable | SwitchedOut::Throttled => {
                live.state = State::Runnable;
                if self.only_wakings {
                    // A waking that came while it ran has cancelled its sleep.
                    live.waking = None;
                }
                let stops = by_itself && self.has_wakeups && self.yields.is_none();
                let within = stops && live.unstopped < YIELD_WITHIN;
                if stops {
                    live.unstopped = 0;
                }
                let fair = 100 <= live.prio && live.prio < 140;
                if !(within && state == StateCode(b'R') && switch.next.pid != 0 && fair) {
                    return;
                }
                self.workload.notes.inferred_yields += 1;
                WorkKind::Yield
            }
        };
        self.log.push(&mut live.list, WorkEvent { length, kind });
    }

    /// A task comes onto a CPU.
    fn enter(&mut self, who: u32, source: usize, at: u64, prio: u8) {
        self.be_born(who, None);
        self.wake_at_once(who);
        self.wake_unseen(who, at);
        let cpu = self.people.cpu(source);
        let Some(live) = self.people.get_mut(who) else {
            return;
        };
        live.task.cpu.get_or_insert(cpu);
        match live.state {
            State::Running(_) => {
                live.end_run(at);
                live.task.uncertain = true;
            }
            State::Unknown => live.task.uncertain = true,
            State::Unseen | State::New | State::Asleep | State::Runnable | State::Dead => {}
        }
        live.waking = None;
        if let Some((idle, woken)) = live.woken_on_idle.take() {
            if idle == source {
                self.idle_exits.push(u32::try_from(at - woken).unwrap_or(u32::MAX));
            }
        }
        self.see_prio(who, at, prio);
        if let Some(live) = self.people.get_mut(who) {
            live.begin_run(source, at);
        }
    }

    /// A task that only a `sched_waking` has woken, while it was on its way to sleep: it was runnable as soon as it blocked.
    fn wake_at_once(&mut self, who: u32) {
        let live = self.people.get_mut(who).filter(|live| live.state == State::Asleep);
        let Some((live, waking)) = live
            .filter(|_| self.only_wakings)
            .and_then(|live| live.waking.take().map(|waking| (live, waking)))
        else {
            return;
        };
        let delay = Delay::of(live.blocked.saturating_sub(waking.at));
        let kind = Waker::event(waking.waker, delay);
        self.log.push(&mut live.list, WorkEvent { length: 0, kind });
        (live.clock, live.state) = (0, State::Runnable);
    }

    /// A task that slept does not: it was woken by now.
    fn wake_unseen(&mut self, who: u32, at: u64) {
        let live = self.people.get_mut(who).filter(|live| live.state == State::Asleep);
        let Some(live) = live else {
            return;
        };
        self.workload.notes.wakeup_missing += 1;
        let length = at.saturating_sub(live.blocked);
        let kind = WorkKind::Sleep { delay: Delay::ZERO };
        self.log.push(&mut live.list, WorkEvent { length, kind });
        (live.clock, live.state) = (0, State::Runnable);
    }

    /// An event tells the priority that a task has now.
    fn see_prio(&mut self, who: u32, at: u64, told: u8) {
        let Some(live) = self.people.get_mut(who) else {
            return;
        };
        let Some(prio) = kernel_prio(told).filter(|_| told != live.prio) else {
            return;
        };
        if live.prio == Row::NO_PRIO && live.task.prio.is_none() {
            live.task.prio = Some(prio);
        } else {
            let (length, kind) = (live.clock_at(at), WorkKind::Prio { prio });
            self.log.push(&mut live.list, WorkEvent { length, kind });
        }
        live.prio = told;
    }

    /// What a CPU was thought to run it does not, or may not.
    fn forget(&mut self, who: Option<u32>, source: usize, at: u64) {
        let live = who.and_then(|who| self.people.get_mut(who));
        if let Some(live) = live.filter(|live| live.state == State::Running(source)) {
            live.end_run(at);
            live.state = State::Unknown;
            live.task.uncertain = true;
        }
    }

    /// Behind a switch: if the next one of the CPU takes another task off it than this one put there, what it does in between is
    /// unknown, as the model has it. A thread that executes a program changes pids with its leader, and neither leaves the CPU.
    fn break_chain(&mut self, source: usize, at: u64) {
        let found = self.streams.get_mut(source).and_then(Cpu::opens);
        let swapped =
            |found: &Break| self.people.expects(found.on, found.prev) || self.people.expects(found.prev, found.on);
        if found.is_some_and(|found| !swapped(&found)) {
            self.lost(source, at);
        }
    }

    fn lost(&mut self, source: usize, at: u64) {
        self.workload.notes.gaps += 1;
        let running = self.streams.get_mut(source).and_then(|stream| {
            stream.idle = false;
            stream.lost.get_or_insert(at);
            stream.running.take()
        });
        self.forget(running, source, at);
    }

    /// The `sched_yield`s of a CPU until now.
    fn yield_until(&mut self, source: usize, at: u64) {
        let Some(yields) = self.yields.as_mut().and_then(|all| all.get_mut(source)) else {
            return;
        };
        while let Some((when, pid)) = yields.last().copied().filter(|&(when, _)| when <= at) {
            yields.pop();
            let running = self.streams.get(source).and_then(|stream| stream.running);
            let live = running.and_then(|who| self.people.get_mut(who));
            if let Some(live) = live.filter(|live| live.pid == pid) {
                let (length, kind) = (live.clock_at(when), WorkKind::Yield);
                self.log.push(&mut live.list, WorkEvent { length, kind });
            }
        }
    }

    /// A wakeup, a fork or a migration names a CPU.
    fn name_cpu(&mut self, cpu: Option<u32>) {
        let source = cpu.and_then(|cpu| self.stream_of.get(&cpu));
        if let Some(stream) = source.and_then(|&source| self.streams.get_mut(source)) {
            stream.named = true;
        }
    }

    /// Its first event tells that a task slept when the workload began.
    fn began_asleep(live: &mut Live) {
        live.task.start = Start::Sleeping;
        live.state = State::Asleep;
        live.blocked = 0;
    }
}
