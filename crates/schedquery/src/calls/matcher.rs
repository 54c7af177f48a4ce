//! Pairs enters and exits, thread by thread, in one walk over all CPUs' rows.

use super::comms::{Name, Namer};
use super::interrupts::Interrupts;
use super::lives::{birth, Lives};
use super::log::{merged, Recorded};
use super::processes::Processes;
use super::stored::{Call, KindsBuilder, Packed, Stretch, StretchKind, Thread, Unfinished};
use super::totals::Totals;
use super::Calls;
use crate::number_map::NumberMap;
use schedindex::{states_of, RunId, Runs, StateInterval, TaskState};
use schedmodel::{CommId, SwitchedOut, TaskId, Trace};
use schedrows::{KernelKind, KernelLog, KernelRow};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// All calls of a trace; see [`Calls::new`].
pub(super) fn pair(trace: &Trace, runs: &Runs, logs: &[KernelLog]) -> Calls {
    let recorded = Recorded::of(logs);
    let mut matcher = Matcher::new(trace, runs, logs.len());
    let lanes: Vec<usize> = logs.iter().map(|log| trace.lane_index(log.cpu).unwrap_or(0)).collect();
    let is_raw = recorded != Some(Recorded::Named);
    merged(trace, logs, |source, at, row| {
        let lane = lanes.get(source).copied().unwrap_or(0);
        match row.kind {
            KernelKind::Enter if is_raw => matcher.enter(at, lane, row),
            KernelKind::NamedEnter if !is_raw => matcher.enter(at, lane, row),
            KernelKind::Exit if is_raw => matcher.exit(at, row),
            KernelKind::NamedExit if !is_raw => matcher.exit(at, row),
            KernelKind::Comm | KernelKind::WasComm => {
                if let Some(log) = logs.get(source) {
                    matcher.name(source, log, at, row);
                }
            }
            KernelKind::NewTask => matcher.new_tasks.entry(row.pid).or_default().push((at, row.value)),
            KernelKind::Lost => matcher.gaps += 1,
            _ => {}
        }
    });
    matcher.finish(recorded, logs)
}

/// The call in which a thread is.
#[derive(Clone, Copy)]
struct Open {
    at: u64,
    what: Unfinished,
    /// The thread that entered it: another one after an exec by a thread that does not lead.
    entered_by: usize,
    /// From when this thread has been in it.
    since: u64,
    /// How many gaps there were before it.
    gaps: u64,
}

/// A thread while its events come.
struct State {
    thread: Thread,
    open: Option<Open>,
    /// Its last event.
    last: Option<u64>,
    /// Whether it died, at the end of its life.
    died: bool,
}

/// The thread that has a pid, for a time.
struct Now {
    thread: usize,
    time: Range<u64>,
    name: Option<Name>,
}

struct Matcher<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    lives: Lives,
    namer: Namer<'a>,
    states: Vec<State>,
    of_tasks: HashMap<TaskId, usize>,
    /// Threads without a task, by pid.
    of_pids: HashMap<i32, usize>,
    /// What is known of pids now.
    now: NumberMap<i32, Now>,
    totals: Totals,
    kinds: KindsBuilder,
    large: Vec<u64>,
    /// Enters with flags of a clone, by thread.
    clones: HashMap<usize, Vec<(u64, i64)>>,
    new_tasks: HashMap<i32, Vec<(u64, i64)>>,
    /// Gaps so far, of any CPU.
    gaps: u64,
}

impl<'a> Matcher<'a> {
    fn new(trace: &'a Trace, runs: &'a Runs, logs: usize) -> Matcher<'a> {
        Matcher {
            trace,
            runs,
            lives: Lives::new(trace),
            namer: Namer::new(trace, runs, logs),
            states: Vec::new(),
            of_tasks: HashMap::new(),
            of_pids: HashMap::new(),
            now: NumberMap::default(),
            totals: Totals::default(),
            kinds: KindsBuilder::default(),
            large: Vec::new(),
            clones: HashMap::new(),
            new_tasks: HashMap::new(),
            gaps: 0,
        }
    }

    /// The thread that writes as `pid`.
    fn thread(&mut self, pid: i32, at: u64) -> usize {
        if let Some(now) = self.now.get(&pid).filter(|now| now.time.contains(&at)) {
            return now.thread;
        }
        let (task, time) = self.lives.at(pid, at);
        let thread = match task {
            Some(task) => self.thread_of(task),
            None => {
                let next = self.states.len();
                let index = *self.of_pids.entry(pid).or_insert(next);
                if index == next {
                    self.begin(None, pid, 0, 0..self.trace.span_ns, false);
                }
                index
            }
        };
        let name = None;
        self.now.insert(pid, Now { thread, time, name });
        thread
    }

    /// What that thread is called.
    fn comm(&mut self, pid: i32, thread: usize, at: u64) -> CommId {
        let known = self.now.get(&pid).and_then(|now| now.name);
        if let Some(name) = known.filter(|name| at < name.until) {
            return name.comm;
        }
        let (task, since) = self
            .states
            .get(thread)
            .map_or((None, 0), |state| (state.thread.task, state.thread.life.start));
        let name = self.namer.at(task, pid, since, at);
        if let Some(now) = self.now.get_mut(&pid) {
            now.name = Some(name);
        }
        name.comm
    }

    fn thread_of(&mut self, task: TaskId) -> usize {
        if let Some(&index) = self.of_tasks.get(&task) {
            return index;
        }
        let (trace, index) = (self.trace, self.states.len());
        let info = trace.task(task);
        let from = birth(trace, task).unwrap_or(0);
        let states = states_of(trace, self.runs, task);
        let last = states.len().checked_sub(1).map(|last| states.interval(last));
        let died = last.and_then(|last| match last.state {
            TaskState::Dead => Some(last.start),
            // States have no room for a death at the trace's last instant.
            _ => dies_with(trace, self.runs, &last).then_some(trace.span_ns),
        });
        let to = died.unwrap_or(trace.span_ns).max(from);
        self.of_tasks.insert(task, index);
        self.begin(Some(task), info.pid, info.generation, from..to, died.is_some());
        if let Some(before) = info.continues.and_then(|before| self.of_tasks.get(&before)) {
            self.take_over(index, *before, from);
        }
        index
    }

    fn begin(&mut self, task: Option<TaskId>, pid: i32, generation: u32, life: Range<u64>, died: bool) {
        self.states.push(State {
            thread: Thread {
                task,
                pid,
                generation,
                life,
                heir: task.and_then(|task| self.lives.heir(task)),
                calls: Vec::new(),
                stretches: Vec::new(),
                comms: Box::default(),
            },
            open: None,
            last: None,
            died,
        });
    }

    /// A thread goes on as another after an exec: in the call in which it was.
    fn take_over(&mut self, heir: usize, before: usize, from: u64) {
        let Some(state) = self.states.get_mut(before) else {
            return;
        };
        let (open, last) = (state.open.take(), state.last);
        if let Some(heir) = self.states.get_mut(heir) {
            heir.open = open.map(|open| Open { since: from, ..open });
            heir.last = last;
        }
    }

    fn enter(&mut self, at: u64, lane: usize, row: KernelRow) {
        // Idle makes no calls.
        if row.pid == 0 {
            return;
        }
        self.totals.enters += 1;
        let index = self.thread(row.pid, at);
        let comm = self.comm(row.pid, index, at);
        let Some(state) = self.states.get_mut(index) else {
            return;
        };
        if let Some(open) = state.open.take() {
            self.totals.lost_exits += 1;
            state.add(open.since..at, StretchKind::Unknown);
        }
        let what = Unfinished {
            number: row.number,
            lane,
            comm,
        };
        state.open = Some(Open {
            at,
            what,
            entered_by: index,
            since: at,
            gaps: self.gaps,
        });
        state.last = Some(at);
        if row.value != 0 {
            self.clones.entry(index).or_default().push((at, row.value));
        }
    }

    fn exit(&mut self, at: u64, row: KernelRow) {
        if row.pid == 0 {
            return;
        }
        self.totals.exits += 1;
        let index = self.thread(row.pid, at);
        let is_forked = |state: &State| state.thread.task.is_some_and(|task| self.trace.task(task).forked);
        let Some(state) = self.states.get_mut(index) else {
            return;
        };
        let (first, last) = (state.last.is_none(), state.last.unwrap_or(state.thread.life.start));
        match state.open.take() {
            // All ones: the number was taken away meanwhile, as by rt_sigreturn.
            Some(open) if open.what.number == row.number || row.number == -1 => {
                self.totals.calls += 1;
                self.totals.exits_without_id += u64::from(row.number == -1);
                if open.entered_by != index {
                    state.add(open.since..at, StretchKind::Begun);
                }
                self.complete(open, at, row.value);
            }
            Some(open) => {
                self.totals.lost_exits += 1;
                self.totals.exit_only += 1;
                state.add(open.since..at, StretchKind::Unknown);
            }
            None if first => {
                if is_forked(state) {
                    self.totals.child_returns += 1;
                } else {
                    self.totals.before_trace += 1;
                }
                state.add(last..at, StretchKind::Begun);
            }
            None => {
                self.totals.exit_only += 1;
                state.add(last..at, StretchKind::Unknown);
            }
        }
        if let Some(state) = self.states.get_mut(index) {
            state.last = Some(at);
        }
    }

    fn complete(&mut self, open: Open, end: u64, ret: i64) {
        let call = Call {
            at: open.at,
            ns: end - open.at,
            ret,
            number: open.what.number,
            lane: open.what.lane,
            comm: open.what.comm,
        };
        self.totals.across_loss += u64::from(open.gaps < self.gaps);
        if let Some(state) = self.states.get_mut(open.entered_by) {
            state
                .thread
                .calls
                .push(Packed::new(&call, &mut self.kinds, &mut self.large));
        }
    }

    /// A task is renamed, or was called otherwise so far.
    fn name(&mut self, source: usize, log: &KernelLog, at: u64, row: KernelRow) {
        let comm = self.namer.id(source, log, row.number);
        if row.kind == KernelKind::Comm {
            self.namer.tell(row.pid, at, comm);
            if let Some(now) = self.now.get_mut(&row.pid) {
                now.name = None;
            }
            return;
        }
        let index = self.thread_if_known(row.pid, at);
        let Some(state) = index.and_then(|index| self.states.get_mut(index)) else {
            return;
        };
        let known = self.namer.at(state.thread.task, row.pid, state.thread.life.start, at);
        if known.guessed {
            state.rename(comm, &mut self.kinds);
        }
    }

    fn thread_if_known(&self, pid: i32, at: u64) -> Option<usize> {
        match self.lives.at(pid, at).0 {
            Some(task) => self.of_tasks.get(&task).copied(),
            None => self.of_pids.get(&pid).copied(),
        }
    }

    fn finish(mut self, recorded: Option<Recorded>, logs: &[KernelLog]) -> Calls {
        let mut index = 0;
        // An heir that made no call of its own is added behind.
        while let Some(state) = self.states.get(index) {
            if let (Some(_), Some((heir, _))) = (state.open, state.thread.heir) {
                self.thread_of(heir);
            }
            index += 1;
        }
        for index in 0..self.states.len() {
            self.end(index);
        }
        self.totals.unfinished = self.totals.never_returned + self.totals.open_at_end;
        let processes = self.processes();
        let mut calls = Calls {
            recorded,
            totals: self.totals,
            threads: self.states.into_iter().map(|state| state.thread).collect(),
            comms: self.namer.comms,
            interrupts: Arc::new(Interrupts::new(self.trace, logs)),
            processes,
            functions: functions(logs),
            has_sched: has_switches(self.trace),
            of_tasks: HashMap::new(),
            numbers: self.kinds.kinds().numbers(),
            kinds: self.kinds.finish(),
            large: self.large,
        };
        for thread in &mut calls.threads {
            thread.calls.shrink_to_fit();
            calls
                .numbers
                .extend(thread.stretches.iter().filter_map(Stretch::number));
            thread.stretches.sort_by_key(|stretch| stretch.time.start);
            thread.comms = thread.comms_of_calls(&calls.kinds);
        }
        calls.numbers.sort_unstable();
        calls.numbers.dedup();
        calls.threads.sort_by_key(|thread| (thread.pid, thread.generation));
        calls.find_tasks();
        calls
    }

    /// Ends the call in which a thread still is.
    fn end(&mut self, index: usize) {
        let span = self.trace.span_ns;
        let Some(state) = self.states.get_mut(index) else {
            return;
        };
        let Some(open) = state.open.take() else { return };
        let end = if state.died && open.at <= state.thread.life.end {
            self.totals.never_returned += 1;
            state.thread.life.end
        } else {
            self.totals.open_at_end += 1;
            span
        };
        let unfinished = StretchKind::Unfinished(open.what);
        if open.entered_by == index {
            return state.add(open.at..end, unfinished);
        }
        state.add(open.since..end, StretchKind::Begun);
        if let Some(entered) = self.states.get_mut(open.entered_by) {
            entered.add(open.at..end, unfinished);
        }
    }

    /// How tasks were made.
    fn processes(&self) -> Processes {
        let mut found = Processes::default();
        for (task, id) in self.trace.tasks.iter().zip((0..).map(TaskId)) {
            let Some(born) = birth(self.trace, id).filter(|_| task.forked && task.continues.is_none()) else {
                continue;
            };
            let told = self.new_tasks.get(&task.pid);
            let told = told.and_then(|told| told.iter().rev().find(|&&(at, _)| at <= born));
            found.told.extend(told.map(|&(_, flags)| (id, flags)));
            let parent = task.parent.and_then(|parent| self.of_tasks.get(&parent));
            let called = parent.and_then(|&parent| self.call_at(parent, born));
            found.called.extend(called.map(|called| (id, called)));
        }
        found
    }

    /// Number and flags of the call in which a thread was.
    fn call_at(&self, index: usize, at: u64) -> Option<(i32, i64)> {
        let thread = &self.states.get(index)?.thread;
        let unpack = |call: &Packed| call.unpack(self.kinds.kinds(), &self.large);
        let after = thread.calls.partition_point(|call| unpack(call).at <= at);
        let complete = after.checked_sub(1).and_then(|last| thread.calls.get(last)).map(unpack);
        let complete = complete
            .filter(|call| at <= call.end())
            .map(|call| (call.at, call.number));
        let unfinished = thread.stretches.iter().find_map(|stretch| match stretch.kind {
            StretchKind::Unfinished(what) if stretch.time.contains(&at) => Some((stretch.time.start, what.number)),
            _ => None,
        });
        let (entered, number) = complete.or(unfinished)?;
        let flags = self.clones.get(&index).into_iter().flatten();
        let flags = flags
            .clone()
            .find(|&&(at, _)| at == entered)
            .map_or(0, |&(_, flags)| flags);
        Some((number, flags))
    }
}

impl State {
    fn add(&mut self, time: Range<u64>, kind: StretchKind) {
        // A pid may be seen before the task was born that is known to have it first.
        let time = time.start.min(time.end)..time.end;
        self.thread.stretches.push(Stretch { time, kind });
    }

    /// Gives another name to all calls so far.
    fn rename(&mut self, comm: CommId, kinds: &mut KindsBuilder) {
        self.thread.calls.iter_mut().for_each(|call| call.rename(comm, kinds));
        if let Some(open) = &mut self.open {
            open.what.comm = comm;
        }
    }
}

/// Whether a task that is in this state at the end of the trace dies at the same instant: a switch takes it off its CPU as dead.
fn dies_with(trace: &Trace, runs: &Runs, last: &StateInterval) -> bool {
    let run = last.run.filter(|_| last.state == TaskState::Running);
    let left = run.map(|run| runs.decode(run)).and_then(|RunId { lane, index }| {
        let lane = trace.lane_at(lane);
        lane.end_state(index).filter(|_| lane.end_of(index) == trace.span_ns)
    });
    left.map(SwitchedOut::by) == Some(SwitchedOut::Dead)
}

/// What named events call the numbers.
fn functions(logs: &[KernelLog]) -> Vec<(i32, String)> {
    let names = logs
        .iter()
        .flat_map(|log| log.rows.names.iter().map(move |&(number, name)| (log, number, name)));
    let mut found: Vec<_> = names
        .map(|(log, number, name)| (number, log.name(name as i32).to_owned()))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn has_switches(trace: &Trace) -> bool {
    let switched = |lane: &schedmodel::Lane| (0..lane.len()).any(|index| lane.switched_to(index));
    trace.lanes.iter().any(switched)
}
