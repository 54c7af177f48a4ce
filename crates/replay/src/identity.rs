//! Whether a workload, given who ran when, says what was recorded: every block, every wakeup, at its very nanosecond.

use std::collections::HashMap;

use tracecore::sched::Trace;

use crate::workload::{WorkKind, Workload};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Runs of the lanes.
    pub runs: u64,
    /// Blocks of the workload.
    pub blocks: u64,
    /// Its wakeups.
    pub wakeups: u64,
    /// Runs, blocks and wakeups that are not as recorded.
    pub differences: u64,
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
        found.differences += u64::from(used != task.cpu_ns);
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
                    blocked = hit.and_then(|hit| rest.get(hit)).map(|run| run.end);
                    at += hit.map_or(0, |hit| hit + 1);
                    found.differences += u64::from(hit.is_none());
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
                            let waking = woken.map(|woken| woken.saturating_sub(u64::from(delay)));
                            let of_waker = all_runs.get(waker as usize).map_or(&[][..], Vec::as_slice);
                            waking.is_some_and(|waking| ran_at(of_waker, clock, waking))
                        }
                        _ => true,
                    };
                    found.differences += u64::from(!(seen && given));
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
