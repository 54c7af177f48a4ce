//! What a replay cannot know, and what it takes for granted instead: said each time, with how often it mattered.

use tracecore::words::counted;

use crate::affinity::{Pinned, Rule};
use crate::machine::{Machine, Sync};
use crate::workload::{WorkKind, Workload};

/// One thing that is taken for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// For programs.
    pub kind: &'static str,
    /// How often it mattered in this workload.
    pub count: u64,
    /// For people: what is assumed, and what to record to do better.
    pub text: String,
}

/// All of them, for a run.
pub fn assumptions(workload: &Workload, machine: &Machine, pinned: &Pinned, blocks_skipped: u64) -> Vec<Assumption> {
    let mut found = Vec::new();
    let mut say = |kind, count: u64, text: String| found.push(Assumption { kind, count, text });
    let counts = workload.counts();
    for (rule, tasks) in pinned {
        let why = match rule {
            Rule::Name => "kernel threads with a CPU in their name are taken to be pinned to it",
            Rule::Waited => {
                "waited 100 ms beside idle CPUs and are taken to be pinned to their last CPU: wrong where the recorded scheduler \
                 left them waiting; --affinity names takes names only"
            }
            Rule::Siblings => "are taken to be pinned to their last CPU, as their siblings are",
            Rule::Given => "may only run where --allow says",
        };
        let mut names: Vec<&str> = tasks
            .iter()
            .filter_map(|&task| workload.tasks.get(task))
            .map(|task| workload.comm_of(task))
            .collect();
        names.sort_unstable();
        names.dedup();
        let more = names.len().saturating_sub(4);
        names.truncate(4);
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more names")
        };
        let tasks = tasks.len() as u64;
        say(
            "affinity",
            tasks,
            format!("{why}: {} ({}{more})", counted(tasks, "task"), names.join(", ")),
        );
    }
    let free = workload.tasks.iter().filter(|task| task.allowed.is_none()).count() as u64;
    if 1 < machine.cpus() {
        let text = "tasks are free to run on any CPU: a trace holds no affinity; give it by --allow COMM=CPUS";
        say("affinity", free, text.to_owned());
        let flag = match &machine.placement.sync {
            Sync::Off => "no wakeup",
            Sync::On => "every wakeup by a task",
            Sync::By(_) => "every wakeup by the tasks that --set sync names",
        };
        let text = format!(
            "{flag} says that the waker is about to sleep: the sync flag is not in a trace; set it by --set sync"
        );
        say("sync", counts.wakeup_dependent, text);
    }
    if 0 < workload.notes.inferred_yields {
        let text =
            "yields are inferred from runs that stop by themselves; record the system call sched_yield to know them";
        say("yields", workload.notes.inferred_yields, text.to_owned());
    }
    say(
        "dependencies",
        counts.wakeup_dependent,
        "the recorded order of wakeups is kept: who is last at a barrier or gets a lock does not change".to_owned(),
    );
    if 0 < blocks_skipped {
        let text = format!(
            "{} did not sleep, as the wakeup had come before: a program that reads what has queued up would have saved them too, \
             or not",
            counted(blocks_skipped, "block")
        );
        say("blocks_skipped", blocks_skipped, text);
    }
    let sleeps = workload
        .events
        .iter()
        .filter(|event| matches!(event.kind, WorkKind::Sleep { .. }))
        .count() as u64;
    let text = "sleeps that timers and devices end keep their recorded length, whatever the order of requests";
    say("external_sleeps", sleeps, text.to_owned());
    let bursts = counts.block + counts.exit;
    let text =
        "CPU time is taken as recorded: caches, memory, frequency and the load of sibling threads would change it; so \
                would spinning and polling";
    say("cpu_time", bursts, text.to_owned());
    say(
        "spinning",
        bursts,
        "time spent spinning or polling is taken as work that must be done".to_owned(),
    );
    let text = "interrupts and time stolen by a hypervisor count as CPU time of the task they interrupted";
    say("stolen_time", bursts, text.to_owned());
    let text = "weights are those of nice values: cgroups, autogroup, uclamp and bandwidth limits are not in a trace";
    say("groups", counts.tasks, text.to_owned());
    let endless = workload.tasks.iter().filter(|task| task.endless).count() as u64;
    let text =
        "last bursts that go on for ever, cut off by the end of the recording; programs that stop by the clock need \
                --endless PREFIX";
    say("endless", endless, text.to_owned());
    let exact = "slices end at ticks, unless exact_slices=on: a program that reads its own CPU clock ends them earlier";
    say("exact_slices", 0, exact.to_owned());
    let missing = workload.notes.wakeup_missing;
    if 0 < missing {
        let text = "tasks were switched in without a wakeup: record sched_waking and sched_wakeup to know by whom";
        say("wakeup_missing", missing, text.to_owned());
    }
    if 0 < workload.notes.gaps {
        let clean = workload.notes.clean.map_or(String::new(), |(from, to)| {
            format!(
                "; the longest stretch without a gap is from {:.6} to {:.6} s",
                from as f64 / 1e9,
                to as f64 / 1e9
            )
        });
        let text = format!(
            "events were lost: {} uncertain; a larger buffer (trace-cmd record -b) loses fewer{clean}",
            counted(counts.uncertain_tasks, "task")
        );
        say("lost_events", workload.notes.gaps, text);
    }
    found
}
