//! What a replay cannot know, and what it takes for granted instead: said each time, with how often it mattered.

use schedrows::words::counted;

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

/// How often it mattered in a run what no workload tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mattered {
    /// Blocks that did not sleep, because their wakeup had come before.
    pub blocks_skipped: u64,
    /// Slices that a tick ended.
    pub tick_ends: u64,
}

/// All of them, for a run: each kind at least once, and those that did not matter with 0.
pub fn assumptions(workload: &Workload, machine: &Machine, pinned: &Pinned, mattered: Mattered) -> Vec<Assumption> {
    let mut found = Vec::new();
    let mut say = |kind, count: u64, text: String| found.push(Assumption { kind, count, text });
    let counts = workload.counts();
    for (rule, tasks) in pinned {
        let names = some_names(workload, tasks);
        let count = tasks.len() as u64;
        say(
            "affinity",
            count,
            format!("{}: {} ({names})", why(*rule), counted(count, "task")),
        );
    }
    let free = workload.tasks.iter().filter(|task| task.allowed.is_none()).count() as u64;
    let text = "tasks are free to run on any CPU: a trace holds no affinity; give it by --allow COMM=CPUS";
    say("affinity", free, text.to_owned());
    let flag = match &machine.placement.sync {
        Sync::Off => "no wakeup",
        Sync::On => "every wakeup by a task",
        Sync::By(_) => "every wakeup by the tasks that --set sync names",
    };
    let text =
        format!("{flag} says that the waker is about to sleep: the sync flag is not in a trace; set it by --set sync");
    say("sync", counts.wakeup_dependent, text);
    let text = "yields are inferred from runs that stop by themselves; record the system call sched_yield to know them";
    say("yields", workload.notes.inferred_yields, text.to_owned());
    let text =
        "slices ended at ticks: programs that read their own CPU clock end them earlier; record the system call \
                clock_gettime to see whether they do, and set exact_slices=on";
    say("exact_slices", mattered.tick_ends, text.to_owned());
    let bursts = counts.block + counts.exit;
    let text = "time spent spinning or polling is taken as work that must be done; record stacks or the program's own \
                markers to see it";
    say("spinning", bursts, text.to_owned());
    let text =
        "the recorded order of wakeups is kept: who is last at a barrier or gets a lock does not change; record \
                the system call futex to see where that is";
    say("dependencies", counts.wakeup_dependent, text.to_owned());
    let text = "blocks did not sleep, as their wakeup had come before: a program that reads what has queued up would \
                have saved them too, or not; record the system calls read and write to see what it does";
    say("blocks_skipped", mattered.blocks_skipped, text.to_owned());
    let text = "CPU time is taken as recorded: caches, memory, frequency and the load of sibling threads would change \
                it; record power:cpu_frequency to see how fast CPUs were";
    say("cpu_time", bursts, text.to_owned());
    let text = "weights are those of nice values: cgroups, autogroup, uclamp and bandwidth limits are not in a trace; \
                --set groups=parent takes the children of one parent for a group";
    say("groups", counts.tasks, text.to_owned());
    let text = "interrupts and time stolen by a hypervisor count as CPU time of the task they interrupted; record \
                irq:* to see the former";
    say("stolen_time", bursts, text.to_owned());
    let endless = workload.tasks.iter().filter(|task| task.endless).count() as u64;
    let text =
        "last bursts, cut off by the end of the recording, go on for ever; programs that stop by the clock need \
                --endless PREFIX";
    say("endless", endless, text.to_owned());
    let sleeps = workload.events.iter();
    let sleeps = sleeps.filter(|event| matches!(event.kind, WorkKind::Sleep { .. }));
    let text = "sleeps that timers and devices end keep their recorded length, whatever the order of requests; record \
                block:* to see how long devices had others to serve";
    say("external_sleeps", sleeps.count() as u64, text.to_owned());
    let missing = workload.notes.wakeup_missing;
    if 0 < missing {
        let text = "tasks were switched in without a wakeup: record sched_waking and sched_wakeup to know by whom";
        say("wakeup_missing", missing, text.to_owned());
    }
    say(
        "lost_events",
        workload.notes.gaps,
        lost(workload, counts.uncertain_tasks),
    );
    found
}

fn why(rule: Rule) -> &'static str {
    match rule {
        Rule::Name => "kernel threads with a CPU in their name are taken to be pinned to it",
        Rule::Waited => {
            "waited 100 ms beside idle CPUs and are taken to be pinned to their last CPU: wrong where the recorded scheduler \
             left them waiting; --affinity names takes names only"
        }
        Rule::Siblings => "are taken to be pinned to their last CPU, as their siblings are",
        Rule::Given => "may only run where --allow says",
    }
}

/// The first names of some tasks, and how many there are more.
fn some_names(workload: &Workload, tasks: &[usize]) -> String {
    let tasks = tasks.iter().filter_map(|&task| workload.tasks.get(task));
    let mut names: Vec<&str> = tasks.map(|task| workload.comm_of(task)).collect();
    names.sort_unstable();
    names.dedup();
    let more = names.len().saturating_sub(4);
    names.truncate(4);
    let names = names.join(", ");
    match more {
        0 => names,
        more => format!("{names} and {more} more names"),
    }
}

/// What events that were lost made uncertain.
fn lost(workload: &Workload, uncertain: u64) -> String {
    if workload.notes.gaps == 0 {
        return "gaps: what ran across one would be uncertain".to_owned();
    }
    let clean = workload.notes.clean.map_or(String::new(), |(from, to)| {
        let seconds = |ns: u64| ns as f64 / 1e9;
        format!(
            "; the longest stretch without a gap is from {:.6} to {:.6} s",
            seconds(from),
            seconds(to)
        )
    });
    format!(
        "gaps: {} uncertain; a larger buffer (trace-cmd record -b) loses fewer events{clean}",
        counted(uncertain, "task")
    )
}
