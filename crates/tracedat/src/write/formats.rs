//! The scheduler's events as kernel 6.12 declares them (`include/trace/events/{sched,task}.h`): what `events/*/format` says
//! there, on a machine of 64 bits. The numbers of events are one such machine's; a kernel hands them out as it boots.

use std::fmt::Write;

use schedrows::RowKind;

/// Bytes of a task's name, with its NUL (`TASK_COMM_LEN`).
const COMM_LEN: usize = 16;
/// Where the first field of an event's own begins.
const COMMON: usize = 8;
/// Bytes of a path at most: a record does not go over a page's end.
const LONGEST_PATH: usize = 1024;

/// A field's type, as the kernel spells it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Comm,
    Pid,
    Int,
    Short,
    Long,
    Address,
    /// Text behind the fields; its place and length are in their midst.
    Path,
    /// Text that takes the rest of the record.
    Tail,
}

impl Type {
    fn size(self) -> usize {
        match self {
            Type::Comm => COMM_LEN,
            Type::Pid | Type::Int | Type::Path => 4,
            Type::Short => 2,
            Type::Long | Type::Address => 8,
            Type::Tail => 0,
        }
    }

    fn alignment(self) -> usize {
        match self {
            Type::Comm | Type::Tail => 1,
            other => other.size(),
        }
    }

    fn declaration(self, name: &str) -> String {
        match self {
            Type::Comm => format!("char {name}[{COMM_LEN}]"),
            Type::Pid => format!("pid_t {name}"),
            Type::Int => format!("int {name}"),
            Type::Short => format!("short {name}"),
            Type::Long => format!("long {name}"),
            Type::Address => format!("unsigned long {name}"),
            Type::Path => format!("__data_loc char[] {name}"),
            Type::Tail => format!("char {name}[]"),
        }
    }

    fn is_signed(self) -> bool {
        matches!(self, Type::Pid | Type::Int | Type::Short | Type::Long)
    }
}

/// The value of a field.
#[derive(Clone, Copy)]
pub(crate) enum Value<'v> {
    Number(i64),
    Text(&'v str),
}

/// An event: its fields behind the common ones, and its print fmt.
pub(crate) struct Event {
    pub id: u16,
    pub name: &'static str,
    fields: &'static [(&'static str, Type)],
    print: &'static str,
}

const WAKEUP_FIELDS: &[(&str, Type)] = &[
    ("comm", Type::Comm),
    ("pid", Type::Pid),
    ("prio", Type::Int),
    ("target_cpu", Type::Int),
];
const WAKEUP_PRINT: &str =
    r#""comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu"#;

const NUMA_PAIR_FIELDS: &[(&str, Type)] = &[
    ("src_pid", Type::Pid),
    ("src_tgid", Type::Pid),
    ("src_ngid", Type::Pid),
    ("src_cpu", Type::Int),
    ("src_nid", Type::Int),
    ("dst_pid", Type::Pid),
    ("dst_tgid", Type::Pid),
    ("dst_ngid", Type::Pid),
    ("dst_cpu", Type::Int),
    ("dst_nid", Type::Int),
];
const NUMA_PAIR_PRINT: &str = concat!(
    r#""src_pid=%d src_tgid=%d src_ngid=%d src_cpu=%d src_nid=%d dst_pid=%d dst_tgid=%d dst_ngid=%d dst_cpu=%d dst_nid=%d", "#,
    "REC->src_pid, REC->src_tgid, REC->src_ngid, REC->src_cpu, REC->src_nid, ",
    "REC->dst_pid, REC->dst_tgid, REC->dst_ngid, REC->dst_cpu, REC->dst_nid"
);

/// The bits of prev_state that have letters, as the print fmt spells them.
macro_rules! reported {
    () => {
        "(0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040)"
    };
}

pub(super) const SWITCH: Event = Event {
    id: 310,
    name: "sched_switch",
    fields: &[
        ("prev_comm", Type::Comm),
        ("prev_pid", Type::Pid),
        ("prev_prio", Type::Int),
        ("prev_state", Type::Long),
        ("next_comm", Type::Comm),
        ("next_pid", Type::Pid),
        ("next_prio", Type::Int),
    ],
    print: concat!(
        r#""prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", "#,
        "REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & (((",
        reported!(),
        " + 1) << 1) - 1)) ? __print_flags(REC->prev_state & (((",
        reported!(),
        r#" + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, "#,
        r#"{ 0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { 0x00000040, "P" }, "#,
        r#"{ 0x00000080, "I" }) : "R", REC->prev_state & (("#,
        reported!(),
        r#" + 1) << 1) ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio"#
    ),
};

/// Letters of prev_state and their bits, as in [`SWITCH`]'s print fmt.
pub(super) const STATES: [(u8, i64); 9] = [
    (b'R', 0),
    (b'S', 0x01),
    (b'D', 0x02),
    (b'T', 0x04),
    (b't', 0x08),
    (b'X', 0x10),
    (b'Z', 0x20),
    (b'P', 0x40),
    (b'I', 0x80),
];
/// The `+` of prev_state.
pub(super) const PREEMPTED: i64 = 0x100;

const WAKING: Event = Event {
    id: 313,
    name: "sched_waking",
    fields: WAKEUP_FIELDS,
    print: WAKEUP_PRINT,
};

const WAKEUP: Event = Event {
    id: 312,
    name: "sched_wakeup",
    fields: WAKEUP_FIELDS,
    print: WAKEUP_PRINT,
};

const WAKEUP_NEW: Event = Event {
    id: 311,
    name: "sched_wakeup_new",
    fields: WAKEUP_FIELDS,
    print: WAKEUP_PRINT,
};

const MIGRATE: Event = Event {
    id: 309,
    name: "sched_migrate_task",
    fields: &[
        ("comm", Type::Comm),
        ("pid", Type::Pid),
        ("prio", Type::Int),
        ("orig_cpu", Type::Int),
        ("dest_cpu", Type::Int),
    ],
    print: r#""comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu"#,
};

const FORK: Event = Event {
    id: 304,
    name: "sched_process_fork",
    fields: &[
        ("parent_comm", Type::Comm),
        ("parent_pid", Type::Pid),
        ("child_comm", Type::Comm),
        ("child_pid", Type::Pid),
    ],
    print: r#""comm=%s pid=%d child_comm=%s child_pid=%d", REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid"#,
};

const EXEC: Event = Event {
    id: 303,
    name: "sched_process_exec",
    fields: &[("filename", Type::Path), ("pid", Type::Pid), ("old_pid", Type::Pid)],
    print: r#""filename=%s pid=%d old_pid=%d", __get_str(filename), REC->pid, REC->old_pid"#,
};

const EXIT: Event = Event {
    id: 307,
    name: "sched_process_exit",
    fields: &[("comm", Type::Comm), ("pid", Type::Pid), ("prio", Type::Int)],
    print: r#""comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio"#,
};

const RENAME: Event = Event {
    id: 136,
    name: "task_rename",
    fields: &[
        ("pid", Type::Pid),
        ("oldcomm", Type::Comm),
        ("newcomm", Type::Comm),
        ("oom_score_adj", Type::Short),
    ],
    print: r#""pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd", REC->pid, REC->oldcomm, REC->newcomm, REC->oom_score_adj"#,
};

const MOVE_NUMA: Event = Event {
    id: 294,
    name: "sched_move_numa",
    fields: &[
        ("pid", Type::Pid),
        ("tgid", Type::Pid),
        ("ngid", Type::Pid),
        ("src_cpu", Type::Int),
        ("src_nid", Type::Int),
        ("dst_cpu", Type::Int),
        ("dst_nid", Type::Int),
    ],
    print: concat!(
        r#""pid=%d tgid=%d ngid=%d src_cpu=%d src_nid=%d dst_cpu=%d dst_nid=%d", "#,
        "REC->pid, REC->tgid, REC->ngid, REC->src_cpu, REC->src_nid, REC->dst_cpu, REC->dst_nid"
    ),
};

const STICK_NUMA: Event = Event {
    id: 293,
    name: "sched_stick_numa",
    fields: NUMA_PAIR_FIELDS,
    print: NUMA_PAIR_PRINT,
};

const SWAP_NUMA: Event = Event {
    id: 292,
    name: "sched_swap_numa",
    fields: NUMA_PAIR_FIELDS,
    print: NUMA_PAIR_PRINT,
};

/// What is written into `trace_marker` (`kernel/trace/trace_entries.h`).
pub(super) const PRINT: Event = Event {
    id: 5,
    name: "print",
    fields: &[("ip", Type::Address), ("buf", Type::Tail)],
    print: r#""%ps: %s", (void *)REC->ip, REC->buf"#,
};

/// Events of sched_ext (`include/trace/events/sched_ext.h`), of kernel 7.2; of an exit only the words.
pub(super) const SCHED_EXT: [Event; 3] = [
    Event {
        id: 344,
        name: "sched_ext_event",
        fields: &[("name", Type::Path), ("delta", Type::Long)],
        print: r#""name %s delta %lld", __get_str(name), REC->delta"#,
    },
    Event {
        id: 345,
        name: "sched_ext_dump",
        fields: &[("line", Type::Path)],
        print: r#""%s", __get_str(line)"#,
    },
    Event {
        id: 346,
        name: "sched_ext_exit",
        fields: &[("name", Type::Path)],
        print: r#""%s", __get_str(name)"#,
    },
];

/// The event of a kind of row; there is none for lost events.
pub(crate) fn event(kind: RowKind) -> Option<&'static Event> {
    Some(match kind {
        RowKind::Switch => &SWITCH,
        RowKind::Waking => &WAKING,
        RowKind::Wakeup => &WAKEUP,
        RowKind::WakeupNew => &WAKEUP_NEW,
        RowKind::Migrate => &MIGRATE,
        RowKind::Fork => &FORK,
        RowKind::Exec => &EXEC,
        RowKind::Exit => &EXIT,
        RowKind::Rename => &RENAME,
        RowKind::MoveNuma => &MOVE_NUMA,
        RowKind::StickNuma => &STICK_NUMA,
        RowKind::SwapNuma => &SWAP_NUMA,
        RowKind::Lost => return None,
    })
}

impl Event {
    /// Each field with its offset, and where they end.
    fn layout(&self) -> (Vec<(usize, &'static str, Type)>, usize) {
        let mut at = COMMON;
        let mut fields = Vec::new();
        for &(name, kind) in self.fields {
            at = at.next_multiple_of(kind.alignment());
            fields.push((at, name, kind));
            at += kind.size();
        }
        (fields, at)
    }

    /// The text of its `format` file.
    pub fn text(&self) -> String {
        let mut text = format!(
            "name: {}\nID: {}\nformat:\n\
             \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
             \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
             \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
             \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
            self.name, self.id
        );
        for (at, name, kind) in self.layout().0 {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "\tfield:{};\toffset:{at};\tsize:{};\tsigned:{};",
                kind.declaration(name),
                kind.size(),
                u8::from(kind.is_signed())
            );
        }
        let _ = writeln!(text, "\nprint fmt: {}", self.print);
        text
    }

    /// A record of the event, little endian; `values` are those of its fields.
    pub fn record(&self, flags: u8, pid: i32, values: &[Value<'_>], out: &mut Vec<u8>) {
        out.clear();
        out.extend(self.id.to_le_bytes());
        out.extend([flags, 0]);
        out.extend(pid.to_le_bytes());
        let (fields, end) = self.layout();
        let mut behind: &[u8] = &[];
        for ((at, _, kind), value) in fields.into_iter().zip(values) {
            out.resize(at, 0);
            match (kind, *value) {
                (Type::Comm, Value::Text(text)) => {
                    let name = up_to(text, COMM_LEN - 1);
                    out.extend(name);
                    out.resize(at + COMM_LEN, 0);
                }
                (Type::Path, Value::Text(text)) => {
                    behind = up_to(text, LONGEST_PATH);
                    out.extend(((behind.len() as u32 + 1) << 16 | end as u32).to_le_bytes());
                }
                (Type::Tail, Value::Text(text)) => behind = up_to(text, LONGEST_PATH),
                (kind, Value::Number(number)) => out.extend(number.to_le_bytes().into_iter().take(kind.size())),
                _ => {}
            }
        }
        out.resize(end, 0);
        if matches!(self.fields, [.., (_, Type::Tail)] | [(_, Type::Path), ..]) {
            out.extend(behind);
            out.push(0);
        }
    }
}

/// The text's first bytes, without half a character at their end.
fn up_to(text: &str, most: usize) -> &[u8] {
    let mut len = text.len().min(most);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    text.as_bytes().get(..len).unwrap_or_default()
}

/// The text of `events/header_page`, for pages of 4 KiB.
pub(super) const HEADER_PAGE: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
     \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
     \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
     \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

/// The text of `events/header_event`.
pub(super) const HEADER_EVENT: &str = "# compressed entry header\n\
     \ttype_len    :    5 bits\n\
     \ttime_delta  :   27 bits\n\
     \tarray       :   32 bits\n\
     \n\
     \tpadding     : type == 29\n\
     \ttime_extend : type == 30\n\
     \ttime_stamp : type == 31\n\
     \tdata max type_len  == 28\n";

#[cfg(test)]
mod tests {
    use super::*;
    use traceevent::EventFormat;

    #[test]
    fn the_formats_are_read() {
        let events = RowKind::ALL.into_iter().filter_map(event).chain([&PRINT]);
        for event in events.chain(&SCHED_EXT) {
            let format = EventFormat::parse(&event.text()).unwrap();
            for (name, kind) in event.fields {
                assert_eq!(format.field(name).unwrap().size, kind.size(), "{} {name}", event.name);
            }
        }
    }

    #[test]
    fn fields_are_where_the_kernel_puts_them() {
        let at = |event: &Event, name: &str| event.layout().0.into_iter().find(|field| field.1 == name).unwrap().0;
        assert_eq!(at(&SWITCH, "prev_state"), 32);
        assert_eq!(at(&SWITCH, "next_prio"), 60);
        assert_eq!(at(&FORK, "child_pid"), 44);
        assert_eq!(at(&EXEC, "old_pid"), 16);
        assert_eq!(at(&RENAME, "oom_score_adj"), 44);
        assert_eq!(at(&STICK_NUMA, "dst_nid"), 44);
        assert_eq!(at(&PRINT, "buf"), 16);
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(up_to("aäb", 2), b"a");
        assert_eq!(up_to("aäb", 3), "aä".as_bytes());
    }
}
