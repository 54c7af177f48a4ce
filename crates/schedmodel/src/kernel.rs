//! Identifies kernel threads, and those that are bound to a CPU, as far as a trace allows.

use super::task::{TaskCommId, TaskId};
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
    let parent = trace.task(task).parent;
    if is_kthreadd(trace, task) || parent.is_some_and(|parent| is_kthreadd(trace, parent)) {
        KernelThread::Yes
    } else if named_like_one(trace.comms.name(trace.task(task).comm)) {
        KernelThread::Likely
    } else {
        KernelThread::Unknown
    }
}

/// Kernel threads that are bound to one CPU, whose number follows the slash. `rcuop/N`, `rcuog/N` and `rcub/N` are not: they serve
/// a CPU or a node and run elsewhere.
const BOUND: [&str; 12] = [
    "kworker",      // kernel/workqueue.c: kworker/CPU:ID, then H for a high priority
    "ksoftirqd",    // kernel/softirq.c
    "ktimers",      // kernel/softirq.c, PREEMPT_RT
    "ktimersd",     // kernel/softirq.c, PREEMPT_RT before it was merged
    "migration",    // kernel/stop_machine.c
    "cpuhp",        // kernel/cpu.c
    "idle_inject",  // drivers/powercap/idle_inject.c
    "kidle_inject", // drivers/thermal/intel/intel_powerclamp.c, to 6.2
    "irq_work",     // kernel/irq_work.c, PREEMPT_RT
    "rcuc",         // kernel/rcu/tree.c
    "backlog_napi", // net/core/dev.c
    "watchdog",     // kernel/watchdog.c, to 4.18
];

/// The CPU to which a kernel thread with this name is bound; `None` if the name binds it to none, as `kworker/u8:3`.
pub fn cpu_of_name(comm: &str) -> Option<u32> {
    let (kind, rest) = comm.split_once('/').filter(|(kind, _)| BOUND.contains(kind))?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (cpu, after) = rest.split_at_checked(digits)?;
    let is_whole = if kind == "kworker" {
        after.starts_with(':')
    } else {
        after.is_empty()
    };
    cpu.parse().ok().filter(|_| is_whole)
}

/// The kernel threads of a trace that are bound to one CPU by their name.
///
/// A task with such a name is taken for a kernel thread unless the trace knows better: its parent is not kthreadd, or it has
/// another name that kernel threads do not have.
#[derive(Clone, Debug, Default)]
pub struct BoundThreads {
    /// Ascending.
    bound: Vec<(TaskCommId, u32)>,
}

impl BoundThreads {
    /// Finds them by parents and names.
    pub fn new(trace: &Trace) -> BoundThreads {
        let of_comms: Vec<Option<u32>> = trace.comms.names().iter().map(|name| cpu_of_name(name)).collect();
        if of_comms.iter().all(Option::is_none) {
            return BoundThreads::default();
        }
        let pairs = || trace.task_comms.iter().zip((0..).map(TaskCommId));
        let is_kernel_name = |comm: &str| comm == KTHREADD.1 || named_like_one(comm);
        let mut is_user = vec![false; trace.tasks.len()];
        for (pair, _) in pairs().filter(|(pair, _)| !is_kernel_name(trace.comms.name(pair.comm))) {
            if let Some(is_user) = is_user.get_mut(pair.task.0 as usize) {
                *is_user = true;
            }
        }
        let is_kernel_thread = |task: TaskId| match trace.task(task).parent {
            Some(parent) => is_kthreadd(trace, parent),
            None => is_user.get(task.0 as usize) == Some(&false) && trace.task(task).continues.is_none(),
        };
        let bound = pairs().filter_map(|(pair, id)| {
            let cpu = of_comms.get(pair.comm.0 as usize).copied().flatten()?;
            is_kernel_thread(pair.task).then_some((id, cpu))
        });
        BoundThreads { bound: bound.collect() }
    }

    /// The CPU to which a task with this name is bound.
    pub fn cpu_of(&self, id: TaskCommId) -> Option<u32> {
        let at = self.bound.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        self.bound.get(at).map(|&(_, cpu)| cpu)
    }

    /// Whether a task that waits on the runqueue of a CPU can run on no other.
    pub fn holds(&self, id: TaskCommId, cpu: Option<u32>) -> bool {
        cpu.is_some() && self.cpu_of(id) == cpu
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.bound.capacity() * size_of::<(TaskCommId, u32)>()
    }
}

fn is_kthreadd(trace: &Trace, task: TaskId) -> bool {
    let task = trace.task(task);
    (task.pid, trace.comms.name(task.comm)) == KTHREADD
}

fn named_like_one(comm: &str) -> bool {
    PREFIXES.iter().any(|prefix| comm.starts_with(prefix))
        || NAMES.contains(&comm.trim_end_matches(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{cpu_of_name, named_like_one};

    #[test]
    fn names_of_bound_threads_say_the_cpu() {
        let bound = [
            ("kworker/3:1", 3),
            ("kworker/127:0H", 127),
            ("kworker/0:2-events", 0),
            ("ksoftirqd/12", 12),
            ("migration/0", 0),
            ("cpuhp/5", 5),
            ("idle_inject/7", 7),
            ("irq_work/1", 1),
            ("rcuc/2", 2),
            ("backlog_napi/9", 9),
        ];
        for (comm, cpu) in bound {
            assert_eq!(cpu_of_name(comm), Some(cpu), "{comm}");
        }
        for comm in [
            "kworker/u8:3",
            "kworker/u256:2-ev",
            "kworker/R-mm_pe",
            "kworker/3",
            "rcuop/3",
            "rcuog/0",
            "rcub/0",
            "irq/27-eth0",
            "migration/",
            "ksoftirqd/1x",
            "cpuhp",
            "cpuset/3",
            "kworker/99999999999:1",
        ] {
            assert_eq!(cpu_of_name(comm), None, "{comm}");
        }
    }

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
