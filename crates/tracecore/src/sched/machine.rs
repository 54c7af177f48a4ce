//! The state machine: goes through the merged events and leaves lanes, edges, migrations and counted findings.

use super::edge::{Edge, WakeEvent, WakerContext};
use super::lane::{Wait, WaitCause, Who};
use super::lane_builder::{LaneBuilder, Party};
use super::live::{context_of, context_of_wakeup, cpu_number, Live, State, Waking};
use super::merge::Next;
use super::migration::{Migration, MigrationKind};
use super::notes::{Note, Notes};
use super::pids::PidMap;
use super::task::{CommId, Comms, Task, TaskComm, TaskComms, TaskId};
use super::trace::LooseWait;
use crate::scan::{CpuScan, Row, RowKind, StateCode};

/// The comm whose first exit is time 0 of "after sleep".
const SLEEP: &str = "sleep";

/// One CPU's events, as the machine sees them.
struct Stream<'a> {
    cpu: u32,
    names: &'a [String],
    /// By the scan's comm index; `None` until first used (the table also holds names that are no comms).
    comms: Vec<Option<CommId>>,
    lane: LaneBuilder,
}

/// All state at the current event.
pub(crate) struct Machine<'a> {
    streams: Vec<Stream<'a>>,
    live: Vec<Live>,
    pids: PidMap,
    pub(crate) comms: Comms,
    pub(crate) tasks: Vec<Task>,
    pub(crate) names: TaskComms,
    pub(crate) edges: Vec<(TaskId, Edge)>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) loose_waits: Vec<LooseWait>,
    pub(crate) notes: Notes,
    pub(crate) after_sleep: Option<u64>,
}

impl<'a> Machine<'a> {
    /// `scans`: one for each CPU, ascending.
    pub(crate) fn new(scans: &'a [CpuScan]) -> Machine<'a> {
        let streams = scans
            .iter()
            .map(|scan| Stream {
                cpu: scan.cpu,
                names: &scan.comms.names,
                comms: vec![None; scan.comms.names.len()],
                lane: LaneBuilder::new(scan.rows.iter().filter(|row| opens_interval(row)).count()),
            })
            .collect();
        let has = |kinds: &[RowKind]| {
            scans
                .iter()
                .flat_map(|scan| &scan.rows)
                .any(|row| kinds.iter().any(|&kind| row.kind == kind as u8))
        };
        let mut machine = Machine {
            streams,
            live: Vec::new(),
            pids: PidMap::default(),
            comms: Comms::default(),
            tasks: Vec::new(),
            names: TaskComms::default(),
            edges: Vec::new(),
            migrations: Vec::new(),
            loose_waits: Vec::new(),
            notes: Notes::default(),
            after_sleep: None,
        };
        if !has(&[RowKind::Wakeup, RowKind::WakeupNew]) && has(&[RowKind::Waking]) {
            machine.notes.count(Note::NoWakeupEvents, None, None);
        }
        for (source, scan) in scans.iter().enumerate() {
            machine.infer_first(source, scan);
        }
        machine
    }

    /// Whoever a CPU's first switch takes off it has run there since the trace began: no wakeup before that switch makes
    /// it wait.
    fn infer_first(&mut self, source: usize, scan: &CpuScan) {
        let first = scan.rows.iter().find(|row| opens_interval(row));
        if let Some(row) = first.filter(|row| row.kind == RowKind::Switch as u8 && row.pid != 0) {
            let task = self.living(source, row.pid, row.comm, 0);
            let state = &mut self.live[task.0 as usize].state;
            if *state == State::Unknown {
                *state = State::Running(source as u32);
            }
        }
    }

    /// One event.
    #[inline]
    pub(crate) fn step(&mut self, next: Next) {
        const SWITCH: u8 = RowKind::Switch as u8;
        const WAKING: u8 = RowKind::Waking as u8;
        const WAKEUP: u8 = RowKind::Wakeup as u8;
        const WAKEUP_NEW: u8 = RowKind::WakeupNew as u8;
        const MIGRATE: u8 = RowKind::Migrate as u8;
        const FORK: u8 = RowKind::Fork as u8;
        const EXIT: u8 = RowKind::Exit as u8;
        const RENAME: u8 = RowKind::Rename as u8;
        const MOVE_NUMA: u8 = RowKind::MoveNuma as u8;
        const STICK_NUMA: u8 = RowKind::StickNuma as u8;
        const SWAP_NUMA: u8 = RowKind::SwapNuma as u8;
        const LOST: u8 = RowKind::Lost as u8;

        let Next {
            source,
            at,
            backwards,
            row,
        } = next;
        if backwards {
            self.notes
                .count(Note::TimeBackwards, Some(self.streams[source].cpu), Some(at));
        }
        match row.kind {
            SWITCH => self.switch(source, at, row),
            WAKING => self.waking(source, at, row),
            WAKEUP => self.wakeup(source, at, row, WakeEvent::Wakeup),
            WAKEUP_NEW => self.wakeup(source, at, row, WakeEvent::WakeupNew),
            MIGRATE => self.migrate(source, at, row),
            FORK => self.fork(source, at, row),
            EXIT => self.exit(source, at, row),
            RENAME => self.rename(source, row),
            MOVE_NUMA | STICK_NUMA | SWAP_NUMA => self.numa(row),
            LOST => self.lost(source, at),
            // An exec changes nothing by itself: the new comm comes with task_rename or the next event.
            _ => {}
        }
    }

    /// The trace ends at `span`: who still waits, waits until then.
    pub(crate) fn end(&mut self, span: u64) {
        for live in &self.live {
            if let State::Waiting { since, .. } = live.state {
                self.loose_waits.push(LooseWait {
                    who: live.name,
                    since,
                    until: span,
                });
            }
        }
    }

    /// The lanes, in the order of the scans.
    pub(crate) fn take_lanes(&mut self) -> impl Iterator<Item = (u32, LaneBuilder)> + use<'a> {
        std::mem::take(&mut self.streams)
            .into_iter()
            .map(|stream| (stream.cpu, stream.lane))
    }

    fn switch(&mut self, source: usize, at: u64, row: &Row) {
        let cpu = self.streams[source].cpu;
        let state = StateCode(row.state);
        let prev = self.party(source, row.pid, row.comm, at);
        let displaced = self.streams[source].lane.current;
        if prev.key != Party::IDLE_KEY {
            self.switch_out(at, TaskId(prev.key), state);
        }
        let next = self.party(source, row.arg, row.comm2, at);
        let wait = match next.key {
            Party::IDLE_KEY => None,
            key => self.switch_in(source, at, TaskId(key)),
        };
        let agreed = self.streams[source]
            .lane
            .switch(at, prev, row.state, next, row.prio, wait);
        if !agreed {
            self.notes.count(Note::PrevMismatch, Some(cpu), Some(at));
            self.forget_running(source, displaced, next.key);
        }
    }

    /// The state that a switch's prev task is left in.
    fn switch_out(&mut self, at: u64, task: TaskId, state: StateCode) {
        let live = &mut self.live[task.0 as usize];
        if let State::Waiting { since, .. } = live.state {
            // It came onto the CPU unseen.
            self.loose_waits.push(LooseWait {
                who: live.name,
                since,
                until: at,
            });
        }
        live.state = State::after_switch_out(state, at);
    }

    /// Puts a task onto a CPU; says how long it had waited.
    fn switch_in(&mut self, source: usize, at: u64, task: TaskId) -> Option<Wait> {
        let cpu = self.streams[source].cpu;
        let live = &mut self.live[task.0 as usize];
        let before = std::mem::replace(&mut live.state, State::Running(source as u32));
        match before {
            State::Waiting { since, cause, edge } => {
                if let Some(waking) = live.waking.take() {
                    // Only who sleeps is woken: it ran and slept unseen, and the sched_wakeup was lost too.
                    self.edges.push((
                        task,
                        Edge {
                            running: Some(at),
                            cpu: Some(cpu),
                            ..waking.edge()
                        },
                    ));
                } else if let Some(edge) = edge {
                    let edge = &mut self.edges[edge as usize].1;
                    edge.running = Some(at);
                    edge.cpu = Some(cpu);
                }
                return Some(Wait { since, cause });
            }
            State::Running(other) => {
                if other as usize != source {
                    self.notes.count(Note::RunsTwice, Some(cpu), Some(at));
                }
            }
            State::Unknown | State::New | State::Asleep | State::Dead => {
                // The sched_wakeup was lost; what the sched_waking said still holds.
                if let Some(waking) = live.waking.take() {
                    self.edges.push((
                        task,
                        Edge {
                            running: Some(at),
                            cpu: Some(cpu),
                            ..waking.edge()
                        },
                    ));
                } else if before == State::Asleep {
                    self.notes.count(Note::NoWakeup, None, Some(at));
                }
            }
        }
        None
    }

    /// `key` was thought to run on `source` and does not: what it does is unknown.
    fn forget_running(&mut self, source: usize, key: u32, next: u32) {
        if key == next {
            return;
        }
        if let Some(live) = self.live.get_mut(key as usize) {
            if live.state == State::Running(source as u32) {
                live.state = State::Unknown;
            }
        }
    }

    fn lost(&mut self, source: usize, at: u64) {
        let displaced = self.streams[source].lane.current;
        self.forget_running(source, displaced, Party::UNKNOWN_KEY);
        self.streams[source].lane.lost(at);
    }

    fn waking(&mut self, source: usize, at: u64, row: &Row) {
        let Some(task) = self.wakee(source, at, row) else {
            return;
        };
        self.live[task.0 as usize].waking = Some(Waking {
            at,
            context: context_of(row),
            waker: self.waker(row),
            waker_cpu: self.streams[source].cpu,
            previous_cpu: cpu_number(row.arg),
        });
    }

    fn wakeup(&mut self, source: usize, at: u64, row: &Row, event: WakeEvent) {
        let cpu = self.streams[source].cpu;
        let Some(task) = self.wakee(source, at, row) else {
            return;
        };
        let chosen_cpu = cpu_number(row.arg);
        let edge = match self.live[task.0 as usize].waking.take() {
            Some(waking) => Edge {
                chosen_cpu,
                ..waking.edge()
            },
            None => {
                let context = match event {
                    // Written by wake_up_new_task in the parent, wherever the child is put.
                    WakeEvent::WakeupNew => context_of(row),
                    WakeEvent::Wakeup | WakeEvent::Waking => context_of_wakeup(row, cpu),
                };
                let waker = if context == WakerContext::Unknown {
                    None
                } else {
                    self.waker(row)
                };
                let waker_cpu = cpu;
                let (woken, running, cpu, previous_cpu) = (None, None, None, None);
                Edge {
                    at,
                    woken,
                    running,
                    event,
                    context,
                    waker,
                    waker_cpu,
                    previous_cpu,
                    chosen_cpu,
                    cpu,
                }
            }
        };
        self.wake(task, at, edge);
    }

    /// Makes a task runnable, unless it already is.
    fn wake(&mut self, task: TaskId, at: u64, edge: Edge) {
        let live = &mut self.live[task.0 as usize];
        match &mut live.state {
            // It was about to sleep and did not.
            State::Running(_) | State::Dead => {}
            // An earlier wakeup made it runnable already.
            State::Waiting { edge: Some(_), .. } if edge.event != WakeEvent::Waking => {}
            // Preempted on its way to sleep: it waits since then, and without this wakeup it would not run again. Or it
            // ran and slept unseen since an earlier wakeup: only who sleeps is woken.
            State::Waiting { edge: unwoken, .. } => {
                *unwoken = Some(self.edges.len() as u32);
                self.edges.push((
                    task,
                    Edge {
                        woken: Some(at),
                        ..edge
                    },
                ));
            }
            State::Unknown | State::New | State::Asleep => {
                let index = self.edges.len() as u32;
                live.state = State::Waiting {
                    since: at,
                    cause: WaitCause::Wakeup,
                    edge: Some(index),
                };
                self.edges.push((
                    task,
                    Edge {
                        woken: Some(at),
                        ..edge
                    },
                ));
            }
        }
    }

    fn migrate(&mut self, source: usize, at: u64, row: &Row) {
        if row.pid == 0 {
            return;
        }
        let task = self.known(source, row.pid, row.comm);
        let live = &mut self.live[task.0 as usize];
        let numa = std::mem::take(&mut live.numa);
        let kind = match live.state {
            _ if live.waking.is_some() => MigrationKind::Placement,
            State::New => MigrationKind::Placement,
            _ if numa => MigrationKind::Numa,
            State::Waiting { .. } => MigrationKind::LoadBalance,
            _ => MigrationKind::Other,
        };
        self.migrations.push(Migration { at, task, kind });
        self.tasks[task.0 as usize].migrations += 1;
    }

    fn numa(&mut self, row: &Row) {
        if let Some(task) = self.pids.get(row.pid) {
            self.live[task as usize].numa = true;
        }
    }

    fn fork(&mut self, source: usize, at: u64, row: &Row) {
        let parent = (row.pid != 0).then(|| self.known(source, row.pid, row.comm));
        let comm = self.comm(source, row.comm2);
        if let Some(old) = self.pids.get(row.arg) {
            let live = &mut self.live[old as usize];
            if live.state != State::Dead {
                let cpu = self.streams[source].cpu;
                self.notes.count(Note::ForkOfLiving, Some(cpu), Some(at));
                if let State::Waiting { since, .. } = live.state {
                    self.loose_waits.push(LooseWait {
                        who: live.name,
                        since,
                        until: at,
                    });
                }
                live.state = State::Dead;
            }
        }
        let child = self.begin(row.arg, comm);
        self.live[child.0 as usize].state = State::New;
        let task = &mut self.tasks[child.0 as usize];
        task.forked = true;
        task.parent = parent;
    }

    fn exit(&mut self, source: usize, at: u64, row: &Row) {
        let comm = self.comm(source, row.comm);
        if self.after_sleep.is_none() && self.comms.name(comm) == SLEEP {
            self.after_sleep = Some(at);
        }
    }

    fn rename(&mut self, source: usize, row: &Row) {
        if row.pid != 0 {
            self.known(source, row.pid, row.comm2);
        }
    }

    /// One side of a switch.
    fn party(&mut self, source: usize, pid: i32, comm: u32, at: u64) -> Party {
        if pid == 0 {
            return Party::IDLE;
        }
        let task = self.living(source, pid, comm, at);
        Party {
            key: task.0,
            who: Who::Run(self.live[task.0 as usize].name),
        }
    }

    /// The task of a wakeup, unless it is idle or dead.
    fn wakee(&mut self, source: usize, at: u64, row: &Row) -> Option<TaskId> {
        if row.pid == 0 {
            return None;
        }
        let task = self.known(source, row.pid, row.comm);
        if self.live[task.0 as usize].state == State::Dead {
            if row.kind != RowKind::Waking as u8 {
                self.notes
                    .count(Note::StaleWakeup, Some(self.streams[source].cpu), Some(at));
            }
            return None;
        }
        Some(task)
    }

    /// The task on the CPU that wrote the event; `None` for idle.
    fn waker(&mut self, row: &Row) -> Option<TaskId> {
        (row.common_pid != 0).then(|| match self.pids.get(row.common_pid) {
            Some(task) => TaskId(task),
            None => {
                let nameless = self.comms.intern("");
                self.begin(row.common_pid, nameless)
            }
        })
    }

    /// The task that has `pid` and is not dead: a new generation if need be.
    fn living(&mut self, source: usize, pid: i32, comm: u32, at: u64) -> TaskId {
        let comm = self.comm(source, comm);
        match self.pids.get(pid) {
            Some(task) if self.live[task as usize].state != State::Dead => {
                self.name(TaskId(task), comm);
                TaskId(task)
            }
            Some(_) => {
                self.notes
                    .count(Note::LivingDead, Some(self.streams[source].cpu), Some(at));
                self.begin(pid, comm)
            }
            None => self.begin(pid, comm),
        }
    }

    /// The latest task that has `pid`, dead or alive.
    fn known(&mut self, source: usize, pid: i32, comm: u32) -> TaskId {
        let comm = self.comm(source, comm);
        match self.pids.get(pid) {
            Some(task) => {
                self.name(TaskId(task), comm);
                TaskId(task)
            }
            None => self.begin(pid, comm),
        }
    }

    /// Begins a generation.
    fn begin(&mut self, pid: i32, comm: CommId) -> TaskId {
        let task = TaskId(self.tasks.len() as u32);
        let generation = self
            .pids
            .get(pid)
            .map_or(0, |old| self.tasks[old as usize].generation + 1);
        self.pids.set(pid, task.0);
        self.tasks.push(Task {
            pid,
            generation,
            forked: false,
            parent: None,
            comm,
            migrations: 0,
        });
        let name = self.names.intern(TaskComm { task, comm });
        self.live.push(Live {
            state: State::Unknown,
            waking: None,
            numa: false,
            name,
        });
        task
    }

    /// An event says that `task` has `comm`.
    #[inline]
    fn name(&mut self, task: TaskId, comm: CommId) {
        let known = &mut self.tasks[task.0 as usize].comm;
        if *known != comm {
            *known = comm;
            self.live[task.0 as usize].name = self.names.intern(TaskComm { task, comm });
        }
    }

    /// The trace's id of a scan's comm.
    #[inline]
    fn comm(&mut self, source: usize, index: u32) -> CommId {
        let stream = &mut self.streams[source];
        match stream.comms.get_mut(index as usize) {
            Some(Some(id)) => *id,
            Some(slot) => {
                let id = self.comms.intern(&stream.names[index as usize]);
                *slot = Some(id);
                id
            }
            None => self.comms.intern(""),
        }
    }
}

/// A switch or a gap: what a lane is made of.
fn opens_interval(row: &Row) -> bool {
    row.kind == RowKind::Switch as u8 || row.kind == RowKind::Lost as u8
}
