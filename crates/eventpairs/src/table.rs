//! The pairs that are built in.

use crate::declare::Again;

/// A pair as it is declared: the options that a user would give.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What `--pair` takes.
    pub name: &'static str,
    /// `--start`
    pub start: &'static str,
    /// `--end`; empty for a value of one event.
    pub end: &'static str,
    /// Takes back a start; empty for none.
    pub cancel: &'static str,
    /// `--key`
    pub key: &'static str,
    /// `--group`
    pub group: &'static str,
    /// `--again`
    pub again: Again,
    /// `--value`; empty for the difference of times.
    pub value: &'static str,
}

const fn pair(
    name: &'static str,
    [start, end]: [&'static str; 2],
    key: &'static str,
    group: &'static str,
    again: Again,
) -> Row {
    Row {
        name,
        start,
        end,
        cancel: "",
        key,
        group,
        again,
        value: "",
    }
}

const fn value(name: &'static str, event: &'static str, value: &'static str, group: &'static str) -> Row {
    Row {
        name,
        start: event,
        end: "",
        cancel: "",
        key: "",
        group,
        again: Again::Last,
        value,
    }
}

use Again::{First, Last, Nest};

/// In the order in which they are shown. Events are those of the kernel's sources (`include/trace/events`).
pub const TABLE: &[Row] = &[
    pair(
        "irq",
        ["irq:irq_handler_entry", "irq:irq_handler_exit"],
        "CPU,irq",
        "name",
        Nest,
    ),
    pair(
        "softirq",
        ["irq:softirq_entry", "irq:softirq_exit"],
        "CPU,vec",
        "vec",
        Last,
    ),
    pair(
        "softirq_latency",
        ["irq:softirq_raise", "irq:softirq_entry"],
        "CPU,vec",
        "vec",
        First,
    ),
    pair(
        "tasklet",
        ["irq:tasklet_entry", "irq:tasklet_exit"],
        "CPU,func",
        "func",
        Last,
    ),
    pair(
        "vector",
        ["irq_vectors:*_entry", "irq_vectors:*_exit"],
        "CPU,event_stem",
        "event_stem",
        Nest,
    ),
    pair(
        "hrtimer",
        ["timer:hrtimer_expire_entry", "timer:hrtimer_expire_exit"],
        "CPU,hrtimer",
        "function",
        Last,
    ),
    pair(
        "timer",
        ["timer:timer_expire_entry", "timer:timer_expire_exit"],
        "CPU,timer",
        "function",
        Last,
    ),
    Row {
        name: "hrtimer_late",
        start: "timer:hrtimer_start",
        end: "timer:hrtimer_expire_entry",
        cancel: "timer:hrtimer_cancel",
        key: "hrtimer",
        group: "function",
        again: Last,
        value: "end.now - start.expires",
    },
    pair(
        "workqueue",
        ["workqueue:workqueue_execute_start", "workqueue:workqueue_execute_end"],
        "common_pid,work",
        "function",
        Last,
    ),
    pair(
        "workqueue_latency",
        ["workqueue:workqueue_queue_work", "workqueue:workqueue_execute_start"],
        "work",
        "function",
        First,
    ),
    pair(
        "block",
        ["block:block_rq_issue", "block:block_rq_complete"],
        "dev,sector",
        "dev,rwbs",
        Last,
    ),
    pair(
        "block_queue",
        ["block:block_rq_insert", "block:block_rq_issue"],
        "dev,sector",
        "dev,rwbs",
        Last,
    ),
    pair("ipi", ["ipi:ipi_entry", "ipi:ipi_exit"], "CPU", "reason", Nest),
    pair(
        "csd",
        ["csd:csd_function_entry", "csd:csd_function_exit"],
        "CPU,csd",
        "func",
        Last,
    ),
    pair(
        "irqsoff",
        ["preemptirq:irq_disable", "preemptirq:irq_enable"],
        "CPU",
        "caller_offs",
        First,
    ),
    pair(
        "preemptoff",
        ["preemptirq:preempt_disable", "preemptirq:preempt_enable"],
        "CPU",
        "caller_offs",
        First,
    ),
    pair(
        "contention",
        ["lock:contention_begin", "lock:contention_end"],
        "common_pid,lock_addr",
        "flags",
        Last,
    ),
    pair(
        "reclaim",
        [
            "vmscan:mm_vmscan_direct_reclaim_begin",
            "vmscan:mm_vmscan_direct_reclaim_end",
        ],
        "common_pid",
        "",
        Last,
    ),
    pair(
        "compaction",
        ["compaction:mm_compaction_begin", "compaction:mm_compaction_end"],
        "common_pid",
        "",
        Last,
    ),
    pair(
        "kvm",
        ["kvm:kvm_entry", "kvm:kvm_exit"],
        "common_pid",
        "exit_reason",
        Last,
    ),
    pair(
        "idle",
        [
            "power:cpu_idle[state != 4294967295]",
            "power:cpu_idle[state == 4294967295]",
        ],
        "cpu_id",
        "state",
        Last,
    ),
    value("irq_noise", "osnoise:irq_noise", "duration", "desc"),
    value("softirq_noise", "osnoise:softirq_noise", "duration", "vector"),
    value("nmi_noise", "osnoise:nmi_noise", "duration", ""),
    value("thread_noise", "osnoise:thread_noise", "duration", "comm"),
    value("sample_threshold", "osnoise:sample_threshold", "duration", ""),
    // What these two sum up is in us (kernel/trace/trace_osnoise.c and trace_hwlat.c), unlike what is above.
    value("osnoise", "ftrace:osnoise", "noise * 1000", ""),
    value("hwlat", "ftrace:hwlat", "duration * 1000", ""),
    value("timerlat", "ftrace:timerlat", "timer_latency", "context"),
    // Kernels from 6.14 on have these as events, too.
    value("osnoise_sample", "osnoise:osnoise_sample", "noise * 1000", ""),
    value("timerlat_sample", "osnoise:timerlat_sample", "timer_latency", "context"),
    value("funcgraph", "ftrace:funcgraph_exit", "rettime - calltime", "func"),
    value("sched_stat_wait", "sched:sched_stat_wait", "delay", "comm"),
    value("sched_stat_sleep", "sched:sched_stat_sleep", "delay", "comm"),
    value("sched_stat_blocked", "sched:sched_stat_blocked", "delay", "comm"),
    value("sched_stat_iowait", "sched:sched_stat_iowait", "delay", "comm"),
    value("sched_stat_runtime", "sched:sched_stat_runtime", "runtime", "comm"),
];
