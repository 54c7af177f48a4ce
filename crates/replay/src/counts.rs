//! How many of each event a workload has, and their sums.

use crate::workload::{Ending, Start, WorkKind, Workload};

/// Counts and sums of a workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tasks.
    pub tasks: u64,
    /// Tasks that were runnable when the workload began.
    pub init_runnable: u64,
    /// Tasks that slept then.
    pub init_sleeping: u64,
    /// Forks.
    pub fork: u64,
    /// Changes of priority.
    pub prio: u64,
    /// Yields.
    pub yields: u64,
    /// Blocks.
    pub block: u64,
    /// Wakeups by what is outside the workload.
    pub wakeup_external: u64,
    /// Wakeups by tasks.
    pub wakeup_dependent: u64,
    /// Exits.
    pub exit: u64,
    /// Tasks that ran when the recording ended.
    pub running_at_end: u64,
    /// Tasks that were runnable then, and did not run.
    pub runnable_at_end: u64,
    /// Tasks that slept then.
    pub sleeping_at_end: u64,
    /// CPU time of all tasks.
    pub cpu_ns: u64,
    /// The lengths of external wakeups.
    pub external_sleep_ns: u64,
    /// The distances of dependent ones.
    pub distance_ns: u64,
    /// Tasks of which some was lost, or depends on what was.
    pub uncertain_tasks: u64,
}

impl Workload {
    /// What there is of each.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts {
            tasks: self.tasks.len() as u64,
            ..Counts::default()
        };
        for task in &self.tasks {
            match task.start {
                Start::Runnable => counts.init_runnable += 1,
                Start::Sleeping => counts.init_sleeping += 1,
                Start::Forked => {}
            }
            match task.ending {
                Ending::Exited => {}
                Ending::Running => counts.running_at_end += 1,
                Ending::Runnable => counts.runnable_at_end += 1,
                Ending::Asleep => counts.sleeping_at_end += 1,
            }
            counts.cpu_ns = counts.cpu_ns.saturating_add(task.cpu_ns);
            counts.uncertain_tasks += u64::from(task.uncertain);
        }
        for event in &self.events {
            match event.kind {
                WorkKind::Fork { .. } => counts.fork += 1,
                WorkKind::Prio { .. } => counts.prio += 1,
                WorkKind::Yield => counts.yields += 1,
                WorkKind::Block { .. } => counts.block += 1,
                WorkKind::Exit { .. } => counts.exit += 1,
                WorkKind::Sleep { .. } => {
                    counts.wakeup_external += 1;
                    counts.external_sleep_ns = counts.external_sleep_ns.saturating_add(event.length);
                }
                WorkKind::Woken { distance, .. } => {
                    counts.wakeup_dependent += 1;
                    counts.distance_ns = counts.distance_ns.saturating_add(distance);
                }
            }
        }
        counts
    }
}
