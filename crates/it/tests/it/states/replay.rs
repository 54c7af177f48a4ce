//! The naive twin: goes through all events in order and keeps the state of every task after each.

use schedindex::TaskState;
use schedmodel::Trace;
use schedrows::{CpuScan, Row, RowKind, StateCode};
use std::collections::{HashMap, HashSet};

/// What a replay of all events finds for one task.
pub struct Replayed {
    state: TaskState,
    /// The CPU it runs on.
    cpu: Option<u32>,
    since: u64,
    /// While it waits: whether a wakeup made it runnable or came since, and whether it was preempted before it could sleep.
    woken: bool,
    preempted: bool,
    pub intervals: Vec<(u64, u64, TaskState, Option<u32>)>,
}

/// The state of one CPU in a replay.
#[derive(Default)]
struct Cpu {
    /// Pid and generation of the running task; `None` while it is not known.
    who: Option<(i32, u32)>,
    /// Since when the running task is not known, if events were lost.
    gap: Option<u64>,
    begun: bool,
}

/// Goes through all events in order and keeps every state of every task: this defines what the states are.
#[derive(Default)]
pub struct Replay {
    pub tasks: HashMap<(i32, u32), Replayed>,
    generations: HashMap<i32, u32>,
    cpus: HashMap<u32, Cpu>,
    /// The tasks that ran when the trace began, with their CPU, until that CPU's first switch.
    seated: HashMap<Key, u32>,
    /// Tasks with a `sched_waking` whose wakeup has not come.
    wakings: HashSet<Key>,
    /// No `sched_wakeup` is recorded: a `sched_waking` makes a task runnable.
    only_wakings: bool,
    /// How many CPUs' first switches take the task off, by pid.
    pub seats: HashMap<i32, u32>,
}

type Key = (i32, u32);

impl Replay {
    pub fn of(scans: &[CpuScan], trace: &Trace) -> Replay {
        let has = |kind: RowKind| scans.iter().any(|scan| 0 < scan.rows.count(kind));
        let mut replay = Replay {
            only_wakings: has(RowKind::Waking) && !has(RowKind::Wakeup),
            ..Replay::default()
        };
        let mut events: Vec<(u64, u32, Row)> = Vec::new();
        for scan in scans {
            events.extend(with_breaks(scan).map(|row| (row.ts - trace.origin_ns, scan.cpu, row)));
            let is = |row: &Row, kind: RowKind| row.kind == kind;
            let first = scan
                .rows
                .iter()
                .find(|row| is(row, RowKind::Switch) || is(row, RowKind::Lost));
            if let Some(first) = first.filter(|row| is(row, RowKind::Switch) && row.pid != 0) {
                let task = replay.latest(first.pid);
                *replay.seats.entry(first.pid).or_default() += 1;
                replay.cpus.entry(scan.cpu).or_default().who = Some(task);
                if replay.tasks[&task].state == TaskState::Unknown {
                    replay.runs(task, 0, scan.cpu);
                    replay.seated.insert(task, scan.cpu);
                }
            }
        }
        events.sort_by_key(|&(at, cpu, _)| (at, cpu));
        for (at, cpu, row) in events {
            replay.event(at, cpu, &row);
        }
        let all: Vec<Key> = replay.tasks.keys().copied().collect();
        for task in all {
            replay.set(task, trace.span_ns, TaskState::Dead);
        }
        replay
    }

    fn event(&mut self, at: u64, cpu: u32, row: &Row) {
        let kind = |kind: RowKind| row.kind == kind;
        if kind(RowKind::Switch) {
            self.switch(at, cpu, row);
        } else if kind(RowKind::Wakeup) || kind(RowKind::WakeupNew) {
            self.wakeup(at, row.pid, kind(RowKind::WakeupNew));
        } else if kind(RowKind::Fork) {
            if row.pid != 0 {
                self.latest(row.pid);
            }
            self.fork(at, row.arg);
        } else if kind(RowKind::Lost) {
            self.lost(at, cpu);
        } else if kind(RowKind::Waking) && row.pid != 0 {
            self.waking(at, row.pid);
        } else if kind(RowKind::Migrate) && row.pid != 0 {
            let task = self.latest(row.pid);
            // Only what is on a runqueue is moved, unless a wakeup chooses a CPU.
            if self.tasks[&task].state == TaskState::Throttled && !self.wakings.contains(&task) {
                self.set(task, at, TaskState::Runnable);
            }
        } else if row.pid != 0 {
            self.latest(row.pid);
        }
    }

    fn switch(&mut self, at: u64, cpu: u32, row: &Row) {
        let lane = self.cpus.entry(cpu).or_default();
        let (who, gap) = (lane.who, lane.gap.take());
        // Before its first switch and behind a gap, nothing has told who is on the CPU.
        let told = who.filter(|_| lane.begun);
        lane.begun = true;
        if row.pid != 0 {
            let prev = self.living(row.pid);
            self.seated.retain(|_, on| *on != cpu);
            let elsewhere = self.tasks[&prev].cpu.is_some_and(|on| on != cpu);
            // It may have run here, and has come onto the other CPU: the clocks disagree, and it goes on there.
            if !(elsewhere && (told.is_none() || told == Some(prev))) {
                let asleep = [
                    TaskState::New,
                    TaskState::Sleeping,
                    TaskState::Blocked,
                    TaskState::Stopped,
                ];
                if let Some(gap) = gap.filter(|_| asleep.contains(&self.tasks[&prev].state)) {
                    self.set(prev, gap.max(self.tasks[&prev].since), TaskState::Unknown);
                }
                // Woken before it was off the CPU, it slept no time; as runnable it was not woken.
                let slept = [TaskState::Sleeping, TaskState::Blocked, TaskState::Stopped];
                let was_running = self.tasks[&prev].state == TaskState::Running;
                let state = StateCode(row.state);
                if self.only_wakings && !(was_running && slept.contains(&after(state))) {
                    self.wakings.remove(&prev);
                }
                self.set(prev, at, after(state));
                self.tasks.get_mut(&prev).expect("it began").preempted = state.preempted();
            }
        }
        let next = if row.arg == 0 { (0, 0) } else { self.living(row.arg) };
        if row.arg != 0 {
            self.runs(next, at, cpu);
        }
        if let Some(displaced) = who.filter(|&who| who != (row.pid, self.generation(row.pid)) && who != next) {
            self.vanishes(displaced, at, cpu);
        }
        self.cpus.entry(cpu).or_default().who = Some(next);
    }

    fn lost(&mut self, at: u64, cpu: u32) {
        let lane = self.cpus.entry(cpu).or_default();
        let who = lane.who.take();
        if !lane.begun {
            lane.gap = Some(0);
        } else if who.is_some() {
            lane.gap = Some(at);
        }
        if let Some(who) = who {
            self.vanishes(who, at, cpu);
        }
    }

    fn vanishes(&mut self, task: Key, at: u64, cpu: u32) {
        if self.tasks.get(&task).is_some_and(|task| task.cpu == Some(cpu)) {
            self.set(task, at, TaskState::Unknown);
        }
    }

    fn wakeup(&mut self, at: u64, pid: i32, new: bool) {
        if pid == 0 {
            return;
        }
        let task = if new { self.living(pid) } else { self.latest(pid) };
        self.wakings.remove(&task);
        self.wake(at, task);
    }

    fn waking(&mut self, at: u64, pid: i32) {
        let task = self.latest(pid);
        let Replayed {
            state,
            woken,
            preempted,
            ..
        } = self.tasks[&task];
        if state == TaskState::Dead {
            return;
        }
        self.wakings.insert(task);
        // The kernel wakes no task that is runnable, unless it was preempted on its way to sleep.
        if state == TaskState::Runnable && (woken || !preempted) {
            self.ran_unseen(task);
        }
        if self.only_wakings {
            self.wake(at, task);
        }
    }

    fn wake(&mut self, at: u64, task: Key) {
        let Replayed { state, woken, .. } = self.tasks[&task];
        if [TaskState::Running, TaskState::Dead].contains(&state) {
            return;
        }
        if state == TaskState::Runnable && woken {
            self.ran_unseen(task);
        }
        if self.tasks[&task].state != TaskState::Runnable {
            self.set(task, at, TaskState::Runnable);
        }
        self.tasks.get_mut(&task).expect("it began").woken = true;
    }

    /// When, since it began to wait, is not known.
    fn ran_unseen(&mut self, task: Key) {
        self.tasks.get_mut(&task).expect("it began").state = TaskState::Unknown;
    }

    fn fork(&mut self, at: u64, pid: i32) {
        if let Some(&generation) = self.generations.get(&pid) {
            if self.tasks[&(pid, generation)].state != TaskState::Dead {
                self.set((pid, generation), at, TaskState::Dead);
            }
        }
        let child = self.begin(pid, TaskState::Unborn);
        self.set(child, at, TaskState::New);
    }

    pub fn generation(&self, pid: i32) -> u32 {
        self.generations.get(&pid).copied().unwrap_or(0)
    }

    fn latest(&mut self, pid: i32) -> Key {
        match self.generations.get(&pid) {
            Some(&generation) => (pid, generation),
            None => self.begin(pid, TaskState::Unknown),
        }
    }

    fn living(&mut self, pid: i32) -> Key {
        let latest = self.latest(pid);
        let Replayed { state, since, .. } = self.tasks[&latest];
        if state != TaskState::Dead {
            return latest;
        }
        let next = self.begin(pid, TaskState::Unborn);
        self.set(next, since, TaskState::Unknown);
        next
    }

    fn begin(&mut self, pid: i32, state: TaskState) -> Key {
        let generation = self.generations.get(&pid).map_or(0, |last| last + 1);
        let last = (pid, generation.wrapping_sub(1));
        // The first switch will name the new task, so the lane shows a run of it from the trace's begin.
        if let (Some(cpu), Some(task)) = (self.seated.remove(&last), self.tasks.get_mut(&last)) {
            if let Some(first) = task
                .intervals
                .first_mut()
                .filter(|first| (first.0, first.3) == (0, Some(cpu)))
            {
                (first.2, first.3) = (TaskState::Unknown, None);
            }
        }
        self.generations.insert(pid, generation);
        let new = Replayed {
            state,
            cpu: None,
            since: 0,
            woken: false,
            preempted: false,
            intervals: Vec::new(),
        };
        self.tasks.insert((pid, generation), new);
        (pid, generation)
    }

    fn runs(&mut self, task: Key, at: u64, cpu: u32) {
        let before = self.tasks[&task].state;
        if before != TaskState::Running {
            let asleep = [TaskState::Sleeping, TaskState::Blocked, TaskState::Stopped].contains(&before);
            if self.wakings.remove(&task) && self.only_wakings && asleep {
                // The waking came before it was off the CPU.
                self.tasks.get_mut(&task).expect("it began").state = TaskState::Runnable;
            }
        }
        self.set(task, at, TaskState::Running);
        if let Some(task) = self.tasks.get_mut(&task) {
            task.cpu = Some(cpu);
        }
    }

    fn set(&mut self, task: Key, at: u64, state: TaskState) {
        let task = self.tasks.get_mut(&task).expect("a task that began");
        if task.since < at {
            task.intervals.push((task.since, at, task.state, task.cpu));
        }
        (task.state, task.cpu, task.since) = (state, None, at);
        (task.woken, task.preempted) = (false, false);
    }
}

/// The rows of a CPU. Behind a switch whose task the next switch does not take off, others are missing: as if they were lost.
fn with_breaks(scan: &CpuScan) -> impl Iterator<Item = Row> + use<> {
    let rows: Vec<Row> = scan.rows.iter().collect();
    let mut all = Vec::new();
    for (index, &row) in rows.iter().enumerate() {
        all.push(row);
        let next = rows[index + 1..].iter().find(|row| row.opens_interval());
        let is_switch = |row: &Row| row.kind == RowKind::Switch;
        if is_switch(&row) && next.is_some_and(|next| is_switch(next) && next.pid != row.arg) {
            all.push(Row::of(RowKind::Lost, row.ts));
        }
    }
    all.into_iter()
}

/// The state that each letter stands for, written a second time.
fn after(code: StateCode) -> TaskState {
    match (code.letter(), code.preempted()) {
        _ if code.throttled() => TaskState::Throttled,
        (b'Z', _) => TaskState::Dead,
        (b'R', _) | (_, true) => TaskState::Runnable,
        (b'D', false) => TaskState::Blocked,
        (b'T', false) => TaskState::Stopped,
        (b'S', false) => TaskState::Sleeping,
        (letter, _) => panic!("the generator makes no {letter}"),
    }
}
