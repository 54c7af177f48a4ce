//! Whether a workload, given who ran when, says what was recorded: every block, every wakeup, at its very nanosecond.

use std::collections::HashMap;

use schedmodel::Trace;

use crate::workload::{Start, Task, WorkKind, Workload};

/// What was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Runs of the lanes.
    pub runs: u64,
    /// Blocks of the workload.
    pub blocks: u64,
    /// Its wakeups.
    pub wakeups: u64,
    /// Runs, blocks and wakeups that are not as recorded.
    pub differences: u64,
    /// The first of them.
    pub listed: Vec<Difference>,
}

/// What is not as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The task's pid.
    pub pid: i32,
    /// Its CPU time up to there, in ns.
    pub used_ns: u64,
    /// What it is.
    pub kind: DifferenceKind,
}

/// What can be different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Its CPU time in all.
    CpuTime,
    /// No recorded run ends with this block, or exit.
    Block,
    /// It was not woken then.
    Wakeup,
    /// Its waker did not have that much CPU time then.
    Waker,
}

impl DifferenceKind {
    /// As messages call it.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::CpuTime => "CPU time in all",
            DifferenceKind::Block => "block or exit",
            DifferenceKind::Wakeup => "time of a wakeup",
            DifferenceKind::Waker => "clock of a waker",
        }
    }
}

/// How many differences are listed.
const LISTED: usize = 20;

impl Identity {
    fn compare(&mut self, same: bool, task: &Task, used_ns: u64, kind: DifferenceKind) {
        if same {
            return;
        }
        self.differences += 1;
        if self.listed.len() < LISTED {
            let pid = task.pid;
            self.listed.push(Difference { pid, used_ns, kind });
        }
    }
}

/// A run as recorded.
#[derive(Clone, Copy)]
struct Run {
    start: u64,
    end: u64,
    /// CPU time of the task up to its start.
    before: u64,
    /// The state that it ended with: 0 if nothing ended it.
    letter: u8,
    /// Since when it had waited.
    since: Option<u64>,
}

impl Run {
    fn after(&self) -> u64 {
        self.before + (self.end - self.start)
    }
}

/// Of a workload of the whole trace, with no task left out.
pub fn identity(workload: &Workload, trace: &Trace) -> Identity {
    let all_runs = runs(workload, trace);
    let mut found = Identity {
        runs: all_runs.iter().map(|runs| runs.len() as u64).sum(),
        ..Identity::default()
    };
    let offset = workload.first_ns.saturating_sub(trace.origin_ns);
    // CPU time of a task before each of its events' clocks began.
    let bases = bases(workload);
    for (task, runs) in workload.tasks.iter().zip(&all_runs) {
        let used: u64 = runs.last().map_or(0, Run::after);
        found.compare(used == task.cpu_ns, task, used, DifferenceKind::CpuTime);
        // When it blocked last: one that slept at first has done so since the beginning.
        let mut blocked = Some(offset);
        let mut at = 0;
        for (number, event) in (task.events.start as usize..).zip(workload.events_of(task)) {
            match event.kind {
                WorkKind::Block { letter } | WorkKind::Exit { letter } => {
                    let clock = bases.get(number).copied().unwrap_or(0) + event.length;
                    found.blocks += u64::from(matches!(event.kind, WorkKind::Block { .. }));
                    let rest = runs.get(at..).unwrap_or_default();
                    let hit = rest
                        .iter()
                        .take_while(|run| run.before <= clock)
                        .position(|run| run.after() == clock && run.letter == letter);
                    // Lanes have no run of no length: of a task that leaves its CPU with the recording's first event.
                    let at_once = hit.is_none() && clock == 0 && at == 0 && task.start == Start::Runnable;
                    blocked = match hit.and_then(|hit| rest.get(hit)) {
                        Some(run) => Some(run.end),
                        None => at_once.then_some(offset),
                    };
                    at += hit.map_or(0, |hit| hit + 1);
                    found.compare(blocked.is_some(), task, clock, DifferenceKind::Block);
                }
                WorkKind::Sleep { .. } | WorkKind::Woken { .. } => {
                    found.wakeups += 1;
                    let woken = blocked.map(|blocked| blocked + event.length);
                    // Of one that was woken and did not run any more, the lanes say nothing.
                    let seen = match runs.get(at) {
                        Some(run) => woken == Some(run.since.unwrap_or(run.start)),
                        None => woken.is_some(),
                    };
                    let given = match event.kind {
                        WorkKind::Woken {
                            delay,
                            waker,
                            event,
                            distance,
                        } => {
                            let clock = clock_of(workload, &bases, waker, event).saturating_sub(distance);
                            let waking = woken.map(|woken| woken.saturating_sub(delay.ns()));
                            let of_waker = all_runs.get(waker as usize).map_or(&[][..], Vec::as_slice);
                            waking.is_some_and(|waking| ran_at(of_waker, clock, waking))
                        }
                        _ => true,
                    };
                    let kind = if seen {
                        DifferenceKind::Waker
                    } else {
                        DifferenceKind::Wakeup
                    };
                    let used = runs.get(at).map_or(used, |run| run.before);
                    found.compare(seen && given, task, used, kind);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a task had this CPU time at this time: at a switch, before it and behind it.
fn ran_at(runs: &[Run], used: u64, at: u64) -> bool {
    let first = runs.partition_point(|run| run.after() < used);
    let rest = runs.get(first..).unwrap_or_default();
    let mut near = rest.iter().take_while(|run| run.before <= used);
    near.any(|run| run.start + (used - run.before) == at)
}

/// CPU time of a task before the clock of each event began: what it had had at its last wakeup.
fn bases(workload: &Workload) -> Vec<u64> {
    let mut bases = Vec::with_capacity(workload.events.len());
    for task in &workload.tasks {
        let (mut base, mut last) = (0, 0);
        for event in workload.events_of(task) {
            if event.kind.is_wakeup() {
                base += last;
                last = 0;
            } else {
                last = event.length;
            }
            bases.push(base);
        }
    }
    bases
}

/// CPU time of a task at an event of its, or at its end.
fn clock_of(workload: &Workload, bases: &[u64], task: u32, event: u32) -> u64 {
    match (bases.get(event as usize), workload.events.get(event as usize)) {
        (Some(base), Some(event)) => base + event.length,
        _ => workload.tasks.get(task as usize).map_or(0, |task| task.cpu_ns),
    }
}

/// The runs of each task, in order.
fn runs(workload: &Workload, trace: &Trace) -> Vec<Vec<Run>> {
    let mut by_id: HashMap<(i32, u32), usize> = HashMap::new();
    for (index, task) in workload.tasks.iter().enumerate() {
        by_id.insert((task.pid, task.generation), index);
        task.aliases.iter().for_each(|&alias| {
            by_id.insert(alias, index);
        });
    }
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); workload.tasks.len()];
    for lane in &trace.lanes {
        for index in 0..lane.len() {
            let Some(who) = lane.run(index).map(|who| trace.task_of(who)) else {
                continue;
            };
            let Some(runs) = by_id
                .get(&(who.pid, who.generation))
                .and_then(|&task| runs.get_mut(task))
            else {
                continue;
            };
            runs.push(Run {
                start: lane.start_of(index),
                end: lane.end_of(index),
                before: 0,
                letter: lane.end_state(index).map_or(0, |state| state.letter()),
                since: lane.wait(index).map(|wait| wait.since),
            });
        }
    }
    for runs in &mut runs {
        runs.sort_by_key(|run| (run.start, run.end));
        let mut used = 0;
        for run in runs {
            run.before = used;
            used = run.after();
        }
    }
    runs
}
