//! The state machine: turns the merged events into lanes, edges, migrations, steps and counted conflicts.

use super::claims::{Claim, ClaimKind};
use super::conflicts::{Conflict, Conflicts};
use super::current_task::{Place, State};
use super::edge::{pack_cpu, EdgeLog};
use super::lane::{Wait, WaitCause};
use super::lane_builder::{LaneBuilder, Side, Switched};
use super::merge::Next;
use super::migration::{Migration, MigrationKind};
use super::offline::Offline;
use super::roster::Roster;
use super::sent::Sent;
use super::steps::{Correction, Counts, StepsBuilder};
use super::table::Table;
use super::takeover::{self, Takeovers};
use super::task::TaskId;
use super::trace::{LooseWait, Throttle};
use schedrows::{Break, CannotTell, CpuScan, Event, Named, Row, RowKind, Rows, StateCode, Switch, WakeupKind};

/// The comm whose first exit sets time 0 of "after sleep".
const SLEEP: &str = "sleep";

/// Stands for the CPU of a stream that there is not.
const NO_CPU: u32 = u32::MAX;

/// The current state of a CPU.
pub(super) struct CpuState {
    cpu: u32,
    pub(super) lane: LaneBuilder,
    /// The task that runs until the lane's first switch.
    first: Option<TaskId>,
    /// What the CPU is counted as.
    occupancy: Occupancy,
    /// Rows that [opened an interval](Row::opens_interval) so far.
    openings: u32,
    /// The switch behind which the chain is broken next, as a number of `openings`, and the breaks from there on.
    next_break: u32,
    breaks: std::vec::IntoIter<Break>,
}

/// Stands for the opening behind which the chain breaks next if there is none.
const NO_BREAK: u32 = u32::MAX;

impl CpuState {
    /// A CPU before its first event; `intervals`: an upper bound of their number.
    fn of(cpu: u32, intervals: usize, breaks: Vec<Break>) -> CpuState {
        CpuState {
            cpu,
            lane: LaneBuilder::new(intervals),
            first: None,
            occupancy: Occupancy::Unknown,
            openings: 0,
            next_break: breaks.first().map_or(NO_BREAK, |first| first.opening),
            breaks: breaks.into_iter(),
        }
    }

    /// Counts a row that opens an interval; whether the chain is broken behind it.
    #[inline]
    fn opens(&mut self) -> bool {
        self.openings += 1;
        self.next_break == self.openings - 1
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Occupancy {
    Unknown,
    Idle,
    Taken,
}

/// The complete state at the current event.
pub(crate) struct StateMachine {
    /// In the order of the scans.
    pub(super) streams: Table<usize, CpuState>,
    counts: Counts,
    pub(crate) steps: StepsBuilder,
    pub(crate) roster: Roster,
    pub(crate) edges: EdgeLog,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) loose_waits: Vec<LooseWait>,
    pub(crate) throttles: Vec<Throttle>,
    pub(crate) claims: Vec<Claim>,
    /// What later events showed of time that `steps` had counted.
    pub(crate) corrections: Vec<Correction>,
    /// Stretches in which a CPU is offline.
    pub(crate) offline: Vec<Offline>,
    /// CPUs of which no switch is recorded.
    pub(crate) sent: Sent,
    pub(crate) conflicts: Conflicts,
    pub(crate) after_sleep: Option<u64>,
    /// Broken chains of switches so far.
    pub(crate) chain_breaks: u64,
    /// Number of gaps so far, and of broken chains.
    gaps: u32,
    pub(super) takeovers: Takeovers,
    /// Which events the trace records at all: events that are never recorded contradict nothing.
    pub(super) has: Recorded,
    /// How many events there are.
    pub(crate) sched_events: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Recorded {
    migrations: bool,
    /// The trace has no `sched_wakeup`, but `sched_waking`: these make tasks runnable, on CPUs that only later events tell.
    pub(super) only_wakings: bool,
    /// The trace has no migrations: they are derived from where tasks run.
    pub(super) derives_migrations: bool,
    /// The format cannot record migrations.
    no_migrations_by_format: bool,
    /// Whether a task was preempted is told.
    pub(super) preemption: bool,
}

impl StateMachine {
    /// `scans`: one per CPU, ascending, whose rows are in `rows`; their names go over to it.
    pub(crate) fn new(scans: &mut [CpuScan], rows: &mut [Rows], cannot_tell: CannotTell) -> StateMachine {
        // A broken chain is one more interval.
        let breaks: Vec<_> = rows.iter_mut().map(Rows::take_breaks).collect();
        let intervals = rows
            .iter()
            .zip(&breaks)
            .map(|(rows, breaks)| rows.openings() as usize + breaks.len());
        let of_scans = scans.iter().zip(intervals.collect::<Vec<_>>()).zip(breaks);
        let mut streams = Table::new(CpuState::of(NO_CPU, 0, Vec::new()));
        streams.extend(of_scans.map(|((scan, intervals), breaks)| CpuState::of(scan.cpu, intervals, breaks)));
        let rows = &*rows;
        let count = |kind| rows.iter().map(|rows| rows.count(kind)).sum::<u64>();
        let has = |kind| 0 < count(kind);
        let takeovers = rows.iter().flat_map(Rows::takeovers);
        let only_wakings = !has(RowKind::Wakeup) && has(RowKind::Waking);
        let wakings = if only_wakings { count(RowKind::Waking) } else { 0 };
        let changes = [RowKind::Switch, RowKind::Lost, RowKind::Wakeup, RowKind::WakeupNew];
        let changes = wakings + changes.into_iter().map(count).sum::<u64>();
        let mut machine = StateMachine {
            streams,
            counts: Counts::default(),
            steps: StepsBuilder::with_capacity(changes as usize),
            roster: Roster::new(scans),
            edges: EdgeLog::default(),
            migrations: Vec::new(),
            loose_waits: Vec::new(),
            throttles: Vec::new(),
            claims: Vec::new(),
            corrections: Vec::new(),
            offline: Vec::new(),
            sent: Sent::default(),
            conflicts: Conflicts::default(),
            after_sleep: None,
            chain_breaks: 0,
            gaps: 0,
            takeovers: Takeovers::of(takeovers.copied()),
            has: Recorded {
                migrations: has(RowKind::Migrate),
                only_wakings,
                derives_migrations: !has(RowKind::Migrate),
                no_migrations_by_format: cannot_tell.has(CannotTell::MIGRATIONS),
                preemption: !cannot_tell.has(CannotTell::PREEMPTION),
            },
            sched_events: rows
                .iter()
                .map(|rows| rows.len() as u64 - rows.count(RowKind::Lost))
                .sum(),
        };
        if only_wakings && !cannot_tell.has(CannotTell::CHOSEN_CPU) {
            machine.conflicts.count(Conflict::NoWakeupEvents, None, None);
        }
        for (source, rows) in rows.iter().enumerate() {
            machine.seat_first(source, rows);
        }
        machine.steps.set(0, machine.counts);
        machine
    }

    /// The task that a CPU's first switch takes off it has run since the trace began: no wakeup before that switch
    /// makes it wait.
    fn seat_first(&mut self, source: usize, rows: &Rows) {
        let first = rows.iter().find(Row::opens_interval).map(|row| row.event());
        let Some(Event::Switch(Switch { prev: Some(prev), .. })) = first else {
            return;
        };
        if prev.pid == 0 {
            return self.occupy(source, Occupancy::Idle);
        }
        self.occupy(source, Occupancy::Taken);
        // The pid under which its run began.
        let before = rows.iter().take_while(|row| !row.opens_interval());
        let pid = before
            .map(|row| row.event())
            .filter_map(takeover::pids)
            .map(|(old, _)| old)
            .next();
        let (task, _) = self.roster.living(
            source,
            Named {
                pid: pid.unwrap_or(prev.pid),
                ..prev
            },
        );
        self.streams.of_mut(source).first = Some(task);
        if self.roster.live(task).state == State::Unknown {
            self.set_state(task, State::Running(source as u32));
            self.put(task, Some(self.cpu(source)));
        }
    }

    /// Handles one event.
    #[inline]
    pub(crate) fn step(&mut self, next: Next<'_>) {
        let Next {
            source,
            at,
            backwards,
            row,
        } = next;
        if backwards {
            self.note(Conflict::TimeBackwards, source, at);
        }
        if !self.takeovers.is_empty() {
            self.follow_exec(source, at, row);
        }
        // A switch says itself which task it takes off the CPU.
        if !row.opens_interval() {
            self.check_writer(source, at, row);
        }
        match row.event() {
            Event::Switch(switch) => self.switch(source, at, switch),
            Event::Wakeup(wakeup) => match wakeup.kind {
                WakeupKind::Waking => self.waking(source, at, row, wakeup),
                WakeupKind::Wakeup | WakeupKind::WakeupNew => self.wakeup(source, at, row, wakeup),
            },
            Event::Migrate { task, from, to } => self.migrate(source, at, task, from, to),
            Event::Fork { parent, child } => self.fork(source, at, parent, child),
            Event::Exit(task) => self.exit(source, at, task),
            Event::Rename(task) => self.rename(source, task),
            // It only announces the next migration of the task.
            Event::Numa { pid } => self.numa(pid),
            Event::Lost => self.lost(source, at),
            // An exec changes nothing more: the new comm comes with task_rename or the next event.
            Event::Exec { .. } => {}
        }
        self.steps.set(at, self.counts);
    }

    /// Ends the trace at `span`; tasks that still wait, wait until then.
    pub(crate) fn end(&mut self, span: u64) {
        for task in 0..self.roster.tasks.len() as u32 {
            self.end_wait_unseen(TaskId(task), span);
            self.end_throttle(TaskId(task), span);
        }
    }

    /// The lanes, in the order of the scans.
    pub(crate) fn take_lanes(&mut self) -> impl Iterator<Item = (u32, LaneBuilder)> + use<> {
        let none = Table::new(CpuState::of(NO_CPU, 0, Vec::new()));
        let streams = std::mem::replace(&mut self.streams, none);
        streams.into_rows().into_iter().map(|stream| (stream.cpu, stream.lane))
    }

    fn switch(&mut self, source: usize, at: u64, switch: Switch) {
        let prev = match switch.prev {
            Some(prev) => self.side(source, at, prev),
            None => Side::UNKNOWN,
        };
        let displaced = self.streams.of(source).lane.current;
        let mut left = None;
        if prev.key == Side::UNKNOWN_KEY {
            self.forget_running(source, displaced);
        } else if prev.key != Side::IDLE_KEY {
            left = self.switch_out(source, at, TaskId(prev.key), switch.prev_state);
        }
        let next = self.side(source, at, switch.next);
        let (wait, occupancy) = match next.key {
            Side::IDLE_KEY => (None, Occupancy::Idle),
            key => {
                let wait = self.switch_in(source, at, TaskId(key), switch.next_prio);
                (wait, Occupancy::Taken)
            }
        };
        let lane = &mut self.streams.of_mut(source).lane;
        let Switched { agreed, told } = lane.switch(at, prev, switch.prev_state.0, next, switch.next_prio, wait);
        if let (Some(task), false) = (left, told) {
            self.claim(source, at, task, ClaimKind::SwitchedOut(switch.prev_state));
        }
        if !agreed {
            self.note(Conflict::PrevMismatch, source, at);
            if displaced != next.key {
                self.forget_running(source, displaced);
            }
        }
        self.occupy(source, occupancy);
        if self.streams.of_mut(source).opens() {
            self.break_chain(source, at);
        }
    }

    /// Behind a switch: the next one of the CPU takes another task off it than this one put there, so others are missing.
    #[cold]
    fn break_chain(&mut self, source: usize, at: u64) {
        let stream = self.streams.of_mut(source);
        let found = stream.breaks.next();
        stream.next_break = stream.breaks.as_slice().first().map_or(NO_BREAK, |next| next.opening);
        // A thread that executes a program changes pids with its leader; neither left the CPU.
        let swapped =
            |&Break { on, prev, .. }: &Break| self.takeovers.expects((on, prev)) || self.takeovers.expects((prev, on));
        let Some(Break { prev, .. }) = found.filter(|found| !swapped(found)) else {
            return;
        };
        if self.goes_offline(source, prev) {
            return self.go_offline(source, at);
        }
        self.chain_breaks += 1;
        self.note(Conflict::BrokenChain, source, at);
        self.forget(source, at);
    }

    /// Takes a task off a CPU; returns it, unless it has another one.
    fn switch_out(&mut self, source: usize, at: u64, task: TaskId, state: StateCode) -> Option<TaskId> {
        let live = self.roster.live(task);
        let mut may_sleep_woken = self.has.only_wakings;
        match live.state {
            State::Running(on) => {
                let here = on as usize == source;
                // Switched in on another CPU meanwhile: the CPUs' clocks disagree, and its run continues there.
                if !here && self.streams.of(source).lane.may_have(task.0) {
                    return None;
                }
            }
            // If it waits, it came onto the CPU unseen.
            _ => {
                may_sleep_woken = false;
                self.loose_waits.extend(live.loose_wait(at));
                self.throttles.extend(live.throttle(at));
            }
        }
        let state = State::after_switch_out(state, at);
        live.set_state(state, &mut self.counts);
        // A waking that came while it ran finds a task on its way to sleep. If it goes as runnable, its sleep was cancelled.
        may_sleep_woken &= matches!(state, State::Asleep { .. });
        if self.has.only_wakings && !may_sleep_woken {
            live.waking = None;
        }
        Some(task)
    }

    /// A task is switched to on another CPU than it was on, and no event moved it: when it went is not known. For its first
    /// run there is a migration only if it waited elsewhere.
    #[cold]
    fn derive_migration(&mut self, at: u64, task: TaskId, [from, to]: [u32; 2], before: State, ran_before: bool) {
        let waited = matches!(before, State::Waiting { .. });
        if waited || self.has.derives_migrations && ran_before {
            let kind = match self.has.no_migrations_by_format && !ran_before {
                true => MigrationKind::FirstRun,
                false => MigrationKind::Derived,
            };
            self.migrations
                .push(Migration::new(at, task, kind, Some(from), Some(to)));
        }
    }

    /// Puts a task onto a CPU, with the [`Row::prio`] of the switch; returns how long it had waited.
    fn switch_in(&mut self, source: usize, at: u64, task: TaskId, prio: u8) -> Option<Wait> {
        let cpu = self.cpu(source);
        let live = self.roster.live(task);
        let elsewhere = self.has.migrations && live.place.contradicts(Some(cpu), self.gaps);
        let place = std::mem::replace(&mut live.place, Place::new(Some(cpu), self.gaps)).cpu();
        self.throttles.extend(live.throttle(at));
        let before = live.set_state(State::Running(source as u32), &mut self.counts);
        let prio_before = std::mem::replace(&mut live.prio, prio);
        // A task that runs already is not woken by what came before.
        let waking = match before {
            State::Running(_) => None,
            _ => live.waking.take(),
        };
        // Without sched_wakeup, the waking has made it wait.
        let waits = matches!(before, State::Waiting { .. });
        let waking = waking.filter(|_| !(self.has.only_wakings && waits));
        if prio_before != prio {
            self.roster.note_prio(task, prio);
        }
        if elsewhere {
            self.note(Conflict::RunsElsewhere, source, at);
        }
        if let Some(from) = place.filter(|&from| from != cpu) {
            let ran_before = prio_before != Row::NO_PRIO;
            self.derive_migration(at, task, [from, cpu], before, ran_before);
        }
        if let Some(waking) = waking {
            // Its sched_wakeup was lost, and if it is thought to wait it ran and slept unseen before: only who sleeps is
            // woken. What the sched_waking said still holds.
            let number = self.edges.next();
            self.edges.push(task, &waking.edge());
            self.edges.switched_in(number, at, cpu);
        }
        match before {
            // It was woken while it was on its way to sleep, and nothing has woken it since.
            State::Asleep { since } if self.has.only_wakings && waking.is_some() => {
                self.corrections.push(Correction {
                    from: since,
                    to: at,
                    running: 0,
                    waiting: 1,
                });
                let cause = WaitCause::Wakeup;
                return Some(Wait { since, cause });
            }
            State::Waiting { since, cause, edge, .. } => {
                if let (Some(number), None) = (edge, waking) {
                    self.edges.switched_in(number, at, cpu);
                    if self.has.only_wakings {
                        self.edges.chose(number, place);
                    }
                }
                return Some(Wait { since, cause });
            }
            State::Running(other) if other as usize != source => self.note(Conflict::RunsTwice, source, at),
            State::Asleep { .. } if waking.is_none() => self.conflicts.count(Conflict::NoWakeup, None, Some(at)),
            _ => {}
        }
        None
    }

    fn lost(&mut self, source: usize, at: u64) {
        self.streams.of_mut(source).opens();
        self.forget(source, at);
    }

    /// From now on it is not known what a CPU does.
    pub(super) fn forget(&mut self, source: usize, at: u64) {
        let displaced = self.streams.of(source).lane.current;
        self.gaps += 1;
        self.forget_running(source, displaced);
        self.streams.of_mut(source).lane.lost(at);
        self.occupy(source, Occupancy::Unknown);
    }

    /// Marks `source` as unknown, because the task thought to run there does not, or may not.
    fn forget_running(&mut self, source: usize, key: u32) {
        let state = self.roster.live.get(TaskId(key)).map(|live| live.state);
        if state == Some(State::Running(source as u32)) {
            self.set_state(TaskId(key), State::Unknown);
        }
    }

    fn migrate(&mut self, source: usize, at: u64, named: Named, from: Option<u32>, to: Option<u32>) {
        if named.pid == 0 {
            return;
        }
        let task = self.roster.known(source, named);
        let state = self.roster.live(task).state;
        match state {
            State::Running(_) => self.note(Conflict::MigrateRunning, source, at),
            State::Dead { .. } => self.note(Conflict::MigrateDead, source, at),
            _ if self.is_elsewhere(task, from) => self.note(Conflict::MigrateElsewhere, source, at),
            _ => {}
        }
        self.put(task, to);
        self.sent.send(to, at);
        let placed = self.is_placed(source, task);
        let live = self.roster.live(task);
        let numa = std::mem::take(&mut live.numa);
        let kind = match live.state {
            _ if placed => MigrationKind::Placement,
            State::New => MigrationKind::Placement,
            _ if numa => MigrationKind::Numa,
            State::Waiting { .. } | State::Throttled { .. } => MigrationKind::LoadBalance,
            _ => MigrationKind::Other,
        };
        self.migrations.push(Migration::new(at, task, kind, from, to));
        self.roster.tasks.of_mut(task).migrations += 1;
        if kind != MigrationKind::Placement {
            self.replenish(task, at);
        }
    }

    /// A throttled task that is moved waits from then on: the scheduler moves only what is on a runqueue, so its next period has begun.
    fn replenish(&mut self, task: TaskId, at: u64) {
        let live = self.roster.live(task);
        if let Some(throttle) = live.throttle(at) {
            self.throttles.push(throttle);
            let waiting = State::Waiting {
                since: at,
                cause: WaitCause::Replenished,
                preempted: false,
                edge: None,
            };
            live.set_state(waiting, &mut self.counts);
        }
    }

    /// Whether a migration of `task`, written on `source`, is part of a wakeup.
    fn is_placed(&mut self, source: usize, task: TaskId) -> bool {
        let live = *self.roster.live(task);
        let Some(waking) = live.waking else { return false };
        match live.state {
            // The waker chooses the CPU in the same breath. Later ones cannot be told from load balancing.
            State::Waiting { .. } if self.has.only_wakings => {
                self.roster.live(task).waking = None;
                waking.waker_cpu == pack_cpu(Some(self.cpu(source))) && waking.waker == self.has_cpu(source)
            }
            // A wakeup leaves a task on the runqueue where it is.
            State::Waiting { preempted, .. } => !preempted,
            _ => true,
        }
    }

    fn numa(&mut self, pid: i32) {
        if let Some(task) = self.roster.find(pid) {
            self.roster.live(task).numa = true;
        }
    }

    fn fork(&mut self, source: usize, at: u64, parent: Named, child: Named) {
        let parent = (parent.pid != 0).then(|| self.roster.known(source, parent));
        if let Some(old) = self.roster.find(child.pid) {
            if self.roster.live(old).state.dead_since().is_none() {
                self.note(Conflict::ForkOfLiving, source, at);
                self.end_wait_unseen(old, at);
                self.end_throttle(old, at);
                self.set_state(old, State::Dead { since: at });
                self.claim(source, at, old, ClaimKind::Replaced);
            }
        }
        let comm = self.roster.comm(source, child.comm);
        let child = self.roster.begin(child.pid, comm);
        self.set_state(child, State::New);
        self.claim(source, at, child, ClaimKind::Forked);
        let task = self.roster.tasks.of_mut(child);
        task.forked = true;
        task.parent = parent;
    }

    fn exit(&mut self, source: usize, at: u64, task: Named) {
        let comm = self.roster.comm(source, task.comm);
        if self.after_sleep.is_none() && self.roster.comms.name(comm) == SLEEP {
            self.after_sleep = Some(at);
        }
    }

    fn rename(&mut self, source: usize, task: Named) {
        if task.pid != 0 {
            self.roster.known(source, task);
        }
    }

    /// The task that has `pid` and is alive. If the latest one is dead, begins a new one and counts a conflict.
    #[inline(always)]
    pub(super) fn living(&mut self, source: usize, at: u64, named: Named, risen: Conflict) -> TaskId {
        let (task, dead) = self.roster.living(source, named);
        if let Some(since) = dead {
            self.note(risen, source, at);
            self.claim(source, at, task, ClaimKind::Succeeds { since });
        }
        task
    }

    /// One side of a switch.
    #[inline(always)]
    fn side(&mut self, source: usize, at: u64, named: Named) -> Side {
        if named.pid == 0 {
            return Side::IDLE;
        }
        let task = self.living(source, at, named, Conflict::LivingDead);
        Side::of(task, self.roster.live(task))
    }

    /// Changes the state of a task; returns the previous one.
    pub(super) fn set_state(&mut self, task: TaskId, state: State) -> State {
        self.roster.live(task).set_state(state, &mut self.counts)
    }

    /// Records that `task` is on `cpu` from now on, running or not.
    pub(super) fn put(&mut self, task: TaskId, cpu: Option<u32>) {
        self.roster.live(task).place = Place::new(cpu, self.gaps);
    }

    /// Whether an event that says that `task` is on `cpu` contradicts where it was last put: no event moved it.
    pub(super) fn is_elsewhere(&mut self, task: TaskId, cpu: Option<u32>) -> bool {
        self.has.migrations && self.roster.live(task).place.contradicts(cpu, self.gaps)
    }

    /// Checks that an event was written by the task that has the CPU.
    #[inline]
    fn check_writer(&mut self, source: usize, at: u64, row: &Row) {
        let Some(pid) = row.writer() else {
            return;
        };
        let expected = match self.streams.of(source).lane.current {
            Side::UNKNOWN_KEY => return,
            Side::IDLE_KEY => 0,
            key => self.roster.live(TaskId(key)).pid,
        };
        // A leader that exits may have another pid by then.
        let other = || {
            self.has_cpu(source)
                .is_none_or(|task| self.roster.find(pid) != Some(task))
        };
        if pid != expected && other() {
            self.note(Conflict::OtherTask, source, at);
        }
    }

    /// The task that has a CPU, according to its lane.
    pub(super) fn has_cpu(&self, source: usize) -> Option<TaskId> {
        let CpuState { lane, first, .. } = self.streams.of(source);
        match lane.current {
            Side::UNKNOWN_KEY if lane.len() == 0 => *first,
            Side::UNKNOWN_KEY | Side::IDLE_KEY => None,
            key => Some(TaskId(key)),
        }
    }

    /// A task is woken that waits already: it ran and slept since, unseen.
    #[cold]
    pub(super) fn vanish(&mut self, source: usize, task: TaskId, at: u64) {
        let State::Waiting { since, .. } = self.set_state(task, State::Unknown) else {
            return;
        };
        self.note(Conflict::RanUnseen, source, at);
        self.claim(source, at, task, ClaimKind::RanUnseen { since });
        self.corrections.push(Correction {
            from: since,
            to: at,
            running: 0,
            waiting: -1,
        });
    }

    /// Ends a wait that has no switch-in.
    pub(super) fn end_wait_unseen(&mut self, task: TaskId, at: u64) {
        self.loose_waits.extend(self.roster.live(task).loose_wait(at));
    }

    /// Ends the throttling of a task, if it was throttled: it lasted until now, as far as is known.
    pub(super) fn end_throttle(&mut self, task: TaskId, at: u64) {
        self.throttles.extend(self.roster.live(task).throttle(at));
    }

    /// Records a claim that the lanes do not show.
    pub(super) fn claim(&mut self, source: usize, at: u64, task: TaskId, kind: ClaimKind) {
        let CpuState { cpu, lane, .. } = self.streams.of(source);
        self.claims.push(Claim {
            task,
            at,
            cpu: *cpu,
            intervals: lane.len() as u32,
            kind,
        });
    }

    /// Changes what a CPU is counted as.
    fn occupy(&mut self, source: usize, occupancy: Occupancy) {
        let before = std::mem::replace(&mut self.streams.of_mut(source).occupancy, occupancy);
        let is = |a: Occupancy, b: Occupancy| u32::from(a == b);
        self.counts.running = self.counts.running + is(occupancy, Occupancy::Taken) - is(before, Occupancy::Taken);
        self.counts.idle = self.counts.idle + is(occupancy, Occupancy::Idle) - is(before, Occupancy::Idle);
    }

    pub(super) fn note(&mut self, note: Conflict, source: usize, at: u64) {
        self.conflicts.count(note, Some(self.cpu(source)), Some(at));
    }

    pub(super) fn cpu(&self, source: usize) -> u32 {
        self.streams.of(source).cpu
    }
}
