//! Identifies kernel threads as far as a trace allows.

use super::task::TaskId;
use super::trace::Trace;
use crate::named;

/// Whether a task is a kernel thread, which no event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelThread {
    /// It is kthreadd, or kthreadd forked it in the trace: all kernel threads are made like that, and nothing else is
    /// (`kernel/kthread.c`).
    Yes,
    /// It has the name of a kernel thread, which a program may have as well.
    Likely,
    /// Not known.
    Unknown,
}

named!(KernelThread as "KernelThread" { Yes = "yes", Likely = "likely", Unknown = "unknown" });

/// The pid and name that `rest_init` gives the thread which creates all others (`init/main.c`).
const KTHREADD: (i32, &str) = (2, "kthreadd");

/// Prefixes of kernel thread names, from the calls that create the threads, up to the part that differs by CPU, pool or
/// device. Only names that programs do not have: they contain a slash or words of the kernel.
const PREFIXES: [&str; 18] = [
    "kworker/",     // kernel/workqueue.c
    "ksoftirqd/",   // kernel/softirq.c
    "ktimers/",     // kernel/softirq.c, PREEMPT_RT
    "ktimersd/",    // kernel/softirq.c, PREEMPT_RT before it was merged
    "migration/",   // kernel/stop_machine.c
    "cpuhp/",       // kernel/cpu.c
    "idle_inject/", // drivers/powercap/idle_inject.c
    "backlog_napi", // net/core/dev.c
    "irq_work/",    // kernel/irq_work.c, PREEMPT_RT
    "irq/",         // kernel/irq/manage.c: irq/N-device
    "rcuc/",        // kernel/rcu/tree.c
    "rcub/",        // kernel/rcu/tree_plugin.h
    "rcuop/",       // kernel/rcu/tree_nocb.h; and the next two
    "rcuog/",
    "rcuos/",
    "rcu_tasks_", // kernel/rcu/tasks.h
    "rcu_exp_",   // kernel/rcu/tree.c
    "jbd2/",      // fs/jbd2/journal.c
];

/// Whole names, except for the number of a memory node that follows some of them.
const NAMES: [&str; 12] = [
    "rcu_sched", // kernel/rcu/tree.c; and the next four
    "rcu_preempt",
    "rcu_bh",
    "rcu_gp",
    "rcu_par_gp",
    "kswapd",     // mm/vmscan.c
    "kcompactd",  // mm/compaction.c
    "khugepaged", // mm/khugepaged.c
    "khungtaskd", // kernel/hung_task.c
    "kauditd",    // kernel/audit.c
    "oom_reaper", // mm/oom_kill.c
    "kdevtmpfs",  // drivers/base/devtmpfs.c
];

/// Whether `task` is a kernel thread.
pub fn kernel_thread(trace: &Trace, task: TaskId) -> KernelThread {
    let is_kthreadd = |task: TaskId| {
        let task = trace.task(task);
        (task.pid, trace.comms.name(task.comm)) == KTHREADD
    };
    if is_kthreadd(task) || trace.task(task).parent.is_some_and(is_kthreadd) {
        KernelThread::Yes
    } else if named_like_one(trace.comms.name(trace.task(task).comm)) {
        KernelThread::Likely
    } else {
        KernelThread::Unknown
    }
}

fn named_like_one(comm: &str) -> bool {
    PREFIXES.iter().any(|prefix| comm.starts_with(prefix))
        || NAMES.contains(&comm.trim_end_matches(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::named_like_one;

    #[test]
    fn names_that_only_the_kernel_gives_are_known() {
        for comm in [
            "kworker/3:1H",
            "kworker/u256:2-ev",
            "ksoftirqd/0",
            "migration/127",
            "rcuog/8",
            "rcu_sched",
            "irq/27-eth0",
            "kswapd1",
        ] {
            assert!(named_like_one(comm), "{comm}");
        }
        for comm in [
            "kthread",
            "kworker",
            "migrationd",
            "rcu",
            "irqbalance",
            "kswap",
            "ksoft",
        ] {
            assert!(!named_like_one(comm), "{comm}");
        }
    }
}
