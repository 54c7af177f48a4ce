//! Kernel threads, told apart where a trace allows it.

use super::task::TaskId;
use super::trace::Trace;

/// Whether a task is a kernel thread. No event says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelThread {
    /// It is kthreadd, or kthreadd forked it in the trace: every kernel thread is made so (`kernel/kthread.c`), and
    /// nothing else is.
    Yes,
    /// It has a name that kernel threads have. A program may call itself so, too.
    Likely,
    /// Nothing tells.
    Unknown,
}

impl KernelThread {
    /// As answers and the command line name it.
    pub fn name(self) -> &'static str {
        match self {
            KernelThread::Yes => "yes",
            KernelThread::Likely => "likely",
            KernelThread::Unknown => "unknown",
        }
    }
}

/// The pid and name that `rest_init` gives the thread that makes all others (`init/main.c`).
const KTHREADD: (i32, &str) = (2, "kthreadd");

/// What the names of kernel threads begin with, as the calls that make them have it, up to what differs for each thread:
/// a CPU, a pool, a device. Only names that programs do not have: with a slash, or of the kernel's own words.
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

/// Whole names, but for the number of a memory node behind some of them.
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
