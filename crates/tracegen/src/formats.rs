//! The events that a scenario can hold, as kernel 6.1 declares them (`include/trace/events/{sched,task}.h`,
//! `kernel/trace/trace_entries.h`). Their numbers are ours: a kernel hands them out as it boots.

use crate::format::{Format, Type};

/// The bits of prev_state that have letters, as the print fmt spells them.
macro_rules! reported_bits {
    () => {
        "(0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040)"
    };
}

/// `TASK_REPORT_MAX`, the bit of `R+`: above the letters and `I`.
pub(crate) const PREEMPTED: i64 = 0x100;

/// Letters of prev_state and their bits, as in [`SWITCH`]'s print fmt.
pub(crate) const STATES: &[(&str, i64)] = &[
    ("R", 0x00),
    ("S", 0x01),
    ("D", 0x02),
    ("T", 0x04),
    ("t", 0x08),
    ("X", 0x10),
    ("Z", 0x20),
    ("P", 0x40),
    ("I", 0x80),
    ("R+", PREEMPTED),
];

const WAKEE: &[(&str, Type)] = &[
    ("comm", Type::Comm),
    ("pid", Type::Pid),
    ("prio", Type::Int),
    ("target_cpu", Type::Int),
];
const WAKEE_PRINT: (&str, &[&str]) = (
    "comm=%s pid=%d prio=%d target_cpu=%03d",
    &["comm", "pid", "prio", "target_cpu"],
);

const NUMA: &[(&str, Type)] = &[
    ("pid", Type::Pid),
    ("tgid", Type::Pid),
    ("ngid", Type::Pid),
    ("src_cpu", Type::Int),
    ("src_nid", Type::Int),
    ("dst_cpu", Type::Int),
    ("dst_nid", Type::Int),
];
const NUMA_PRINT: (&str, &[&str]) = (
    "pid=%d tgid=%d ngid=%d src_cpu=%d src_nid=%d dst_cpu=%d dst_nid=%d",
    &["pid", "tgid", "ngid", "src_cpu", "src_nid", "dst_cpu", "dst_nid"],
);

pub(crate) const SWITCH: Format = Format {
    name: "sched_switch",
    id: 319,
    fields: &[
        ("prev_comm", Type::Comm),
        ("prev_pid", Type::Pid),
        ("prev_prio", Type::Int),
        ("prev_state", Type::Long),
        ("next_comm", Type::Comm),
        ("next_pid", Type::Pid),
        ("next_prio", Type::Int),
    ],
    print: (
        "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d",
        &[
            "prev_comm",
            "prev_pid",
            "prev_prio",
            concat!(
                "(REC->prev_state & ((",
                reported_bits!(),
                " + 1) << 1) - 1) ? __print_flags(REC->prev_state & (((",
                reported_bits!(),
                " + 1) << 1) - 1), \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, ",
                "{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, ",
                "{ 0x00000080, \"I\" }) : \"R\""
            ),
            concat!("REC->prev_state & ((", reported_bits!(), " + 1) << 1) ? \"+\" : \"\""),
            "next_comm",
            "next_pid",
            "next_prio",
        ],
    ),
};

pub(crate) const WAKING: Format = Format {
    name: "sched_waking",
    id: 322,
    fields: WAKEE,
    print: WAKEE_PRINT,
};

pub(crate) const WAKEUP: Format = Format {
    name: "sched_wakeup",
    id: 321,
    fields: WAKEE,
    print: WAKEE_PRINT,
};

pub(crate) const WAKEUP_NEW: Format = Format {
    name: "sched_wakeup_new",
    id: 320,
    fields: WAKEE,
    print: WAKEE_PRINT,
};

pub(crate) const MIGRATE: Format = Format {
    name: "sched_migrate_task",
    id: 318,
    fields: &[
        ("comm", Type::Comm),
        ("pid", Type::Pid),
        ("prio", Type::Int),
        ("orig_cpu", Type::Int),
        ("dest_cpu", Type::Int),
    ],
    print: (
        "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
        &["comm", "pid", "prio", "orig_cpu", "dest_cpu"],
    ),
};

pub(crate) const FORK: Format = Format {
    name: "sched_process_fork",
    id: 313,
    fields: &[
        ("parent_comm", Type::Comm),
        ("parent_pid", Type::Pid),
        ("child_comm", Type::Comm),
        ("child_pid", Type::Pid),
    ],
    print: (
        "comm=%s pid=%d child_comm=%s child_pid=%d",
        &["parent_comm", "parent_pid", "child_comm", "child_pid"],
    ),
};

pub(crate) const EXEC: Format = Format {
    name: "sched_process_exec",
    id: 312,
    fields: &[("filename", Type::Path), ("pid", Type::Pid), ("old_pid", Type::Pid)],
    print: ("filename=%s pid=%d old_pid=%d", &["filename", "pid", "old_pid"]),
};

pub(crate) const EXIT: Format = Format {
    name: "sched_process_exit",
    id: 316,
    fields: &[("comm", Type::Comm), ("pid", Type::Pid), ("prio", Type::Int)],
    print: ("comm=%s pid=%d prio=%d", &["comm", "pid", "prio"]),
};

pub(crate) const MOVE_NUMA: Format = Format {
    name: "sched_move_numa",
    id: 304,
    fields: NUMA,
    print: NUMA_PRINT,
};

pub(crate) const RENAME: Format = Format {
    name: "task_rename",
    id: 131,
    fields: &[
        ("pid", Type::Pid),
        ("oldcomm", Type::Comm),
        ("newcomm", Type::Comm),
        ("oom_score_adj", Type::Short),
    ],
    print: (
        "pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd",
        &["pid", "oldcomm", "newcomm", "oom_score_adj"],
    ),
};

pub(crate) const SYS_ENTER: Format = Format {
    name: "sys_enter",
    id: 22,
    fields: &[("id", Type::Long), ("args", Type::Args)],
    print: ("NR %ld", &["id"]),
};

pub(crate) const SYS_EXIT: Format = Format {
    name: "sys_exit",
    id: 21,
    fields: &[("id", Type::Long), ("ret", Type::Long)],
    print: ("NR %ld = %ld", &["id", "ret"]),
};

pub(crate) const PRINT: Format = Format {
    name: "print",
    id: 5,
    fields: &[("ip", Type::Address), ("buf", Type::Tail)],
    print: ("%ps: %s", &["(void *)REC->ip", "buf"]),
};

/// The systems of events other than ftrace's own.
pub(crate) const SYSTEMS: &[(&str, &[Format])] = &[
    (
        "sched",
        &[SWITCH, WAKING, WAKEUP, WAKEUP_NEW, MIGRATE, FORK, EXEC, EXIT, MOVE_NUMA],
    ),
    ("task", &[RENAME]),
    ("raw_syscalls", &[SYS_ENTER, SYS_EXIT]),
];

/// The text of `events/header_page`.
pub(crate) fn header_page(long_size: u8, page_size: u32) -> String {
    let data = 8 + u32::from(long_size);
    format!(
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
         \tfield: local_t commit;\toffset:8;\tsize:{long_size};\tsigned:1;\n\
         \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
         \tfield: char data;\toffset:{data};\tsize:{};\tsigned:1;\n",
        page_size - data
    )
}

/// The text of `events/header_event`.
pub(crate) const HEADER_EVENT: &str = "# compressed entry header\n\
     \ttype_len    :    5 bits\n\
     \ttime_delta  :   27 bits\n\
     \tarray       :   32 bits\n\
     \n\
     \tpadding     : type == 29\n\
     \ttime_extend : type == 30\n\
     \ttime_stamp : type == 31\n\
     \tdata max type_len  == 28\n";
