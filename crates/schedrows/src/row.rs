//! What a scan leaves behind: one row for each scheduling event, in record order.
//!
//! Rows live only between scan and build, packed into [`Rows`].

use crate::kernel::KernelRows;
use crate::rows::Rows;
use crate::sched_ext::SchedExtEvent;
use crate::source::{CannotTell, KnownTask};

/// Which event a [`Row`] came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RowKind {
    /// `sched_switch`: `pid`/`comm`/`state` are prev, `arg`/`comm2`/`prio` are next; [`Row::prev_prio`].
    Switch = 0,
    /// `sched_waking`: `pid`, `comm`, `prio`; `arg` = `target_cpu`, the CPU the task last ran on.
    Waking = 1,
    /// `sched_wakeup`: as `Waking`, but `arg` is the chosen CPU.
    Wakeup = 2,
    /// `sched_wakeup_new`: as `Wakeup`, first wakeup of a forked task.
    WakeupNew = 3,
    /// `sched_migrate_task`: `pid`, `comm`, `prio`; `arg` = `dest_cpu`, `comm2` = `orig_cpu` (a number, not a name).
    Migrate = 4,
    /// `sched_process_fork`: `pid`/`comm` are the parent, `arg`/`comm2` the child.
    Fork = 5,
    /// `sched_process_exec`: `pid`, `arg` = `old_pid`, `comm` = the file name's table index.
    Exec = 6,
    /// `sched_process_exit`: `pid`, `comm`, `prio`.
    Exit = 7,
    /// `task_rename`: `pid`, `comm` = `oldcomm`, `comm2` = `newcomm`.
    Rename = 8,
    /// `sched_move_numa`: `pid`, `comm2` = `src_cpu`, `arg` = `dst_cpu`.
    MoveNuma = 9,
    /// `sched_stick_numa`: as `MoveNuma`.
    StickNuma = 10,
    /// `sched_swap_numa`: as `MoveNuma` for the source task.
    SwapNuma = 11,
    /// Events were lost between `ts` (the last record before the gap; the first record's time when the stream starts
    /// with a gap) and the next row. `arg` = how many, -1 when the kernel did not say, `i32::MAX` when that many or more.
    ///
    /// The last kind: [`RowKind::ALL`] is as long as its number says, so that no kind can be missing there.
    Lost = 12,
}

impl RowKind {
    /// All kinds, each at its own number.
    pub const ALL: [RowKind; RowKind::Lost as usize + 1] = [
        RowKind::Switch,
        RowKind::Waking,
        RowKind::Wakeup,
        RowKind::WakeupNew,
        RowKind::Migrate,
        RowKind::Fork,
        RowKind::Exec,
        RowKind::Exit,
        RowKind::Rename,
        RowKind::MoveNuma,
        RowKind::StickNuma,
        RowKind::SwapNuma,
        RowKind::Lost,
    ];

    /// The kind with this number.
    #[inline]
    pub fn of_code(code: u8) -> Option<RowKind> {
        RowKind::ALL.get(usize::from(code)).copied()
    }

    /// System and name of the kernel's event; there is none for events that were lost.
    pub fn event_name(self) -> Option<(&'static str, &'static str)> {
        let name = match self {
            RowKind::Switch => "sched_switch",
            RowKind::Waking => "sched_waking",
            RowKind::Wakeup => "sched_wakeup",
            RowKind::WakeupNew => "sched_wakeup_new",
            RowKind::Migrate => "sched_migrate_task",
            RowKind::Fork => "sched_process_fork",
            RowKind::Exec => "sched_process_exec",
            RowKind::Exit => "sched_process_exit",
            RowKind::Rename => return Some(("task", "task_rename")),
            RowKind::MoveNuma => "sched_move_numa",
            RowKind::StickNuma => "sched_stick_numa",
            RowKind::SwapNuma => "sched_swap_numa",
            RowKind::Lost => return None,
        };
        Some(("sched", name))
    }
}

/// The context bits of `common_flags`: what interrupted the task that ran (`include/linux/trace_events.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Context(pub u8);

impl Context {
    /// In a hardirq handler (`TRACE_FLAG_HARDIRQ`).
    pub const HARDIRQ: u8 = 1;
    /// In a softirq handler (`TRACE_FLAG_SOFTIRQ`).
    pub const SOFTIRQ: u8 = 2;
    /// In a non-maskable interrupt (`TRACE_FLAG_NMI`); counts as a hardirq for wakeups.
    pub const NMI: u8 = 4;
    /// The source does not tell what interrupted the task, if anything did: the other bits say nothing.
    pub const UNKNOWN: u8 = 8;
    /// The source does not tell which task was on the CPU: [`Row::common_pid`] says nothing, and neither does a context.
    pub const NO_WRITER: u8 = 16;

    /// `TRACE_FLAG_HARDIRQ`, `TRACE_FLAG_SOFTIRQ` and `TRACE_FLAG_NMI` of `common_flags`, and what they are here.
    const OF_FLAGS: [(u8, u8); 3] = [(0x08, Context::HARDIRQ), (0x10, Context::SOFTIRQ), (0x40, Context::NMI)];

    /// What an event's `common_flags` tell.
    #[inline]
    pub const fn of_flags(flags: u8) -> Context {
        let [(hardirq, is_hardirq), (softirq, is_softirq), (nmi, is_nmi)] = Context::OF_FLAGS;
        Context(bit(flags, hardirq, is_hardirq) | bit(flags, softirq, is_softirq) | bit(flags, nmi, is_nmi))
    }

    /// The `common_flags` that tell it.
    pub const fn flags(self) -> u8 {
        let [(hardirq, is_hardirq), (softirq, is_softirq), (nmi, is_nmi)] = Context::OF_FLAGS;
        bit(self.0, is_hardirq, hardirq) | bit(self.0, is_softirq, softirq) | bit(self.0, is_nmi, nmi)
    }
}

/// `to` if the bit `from` is set.
const fn bit(bits: u8, from: u8, to: u8) -> u8 {
    if bits & from != 0 {
        to
    } else {
        0
    }
}

/// `prev_state` of a switch, decoded through the event's own `print fmt`: the first letter, and whether a `+` followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StateCode(pub u8);

impl StateCode {
    /// The bit for `+`: switched out although it could have continued (preempted).
    pub const PREEMPTED: u8 = 0x80;

    /// In place of `R`: runnable by its letter, but off its runqueue; see [`StateCode::throttled`].
    const THROTTLED: u8 = 0x01;

    /// In place of `R`: the thread was inside `sched_yield`; see [`StateCode::in_yield`].
    const YIELDED: u8 = 0x02;

    /// The letter as ASCII: `R`, `S`, `D`, `T`, `t`, `X`, `Z`, `P`, `I` ...; `?` when the format could not say.
    pub fn letter(self) -> u8 {
        match self.0 & 0x7f {
            Self::THROTTLED | Self::YIELDED => b'R',
            letter => letter,
        }
    }

    /// The state of a deadline task that has used up its runtime, or gave up the rest of it by `sched_yield`: its letter is
    /// `R`, but it is off its runqueue until its next period (Documentation/scheduler/sched-deadline.rst, 2.1 and 4.4).
    pub fn throttled(self) -> bool {
        self.0 & 0x7f == Self::THROTTLED
    }

    /// The state that a switch tells, with the kernel priorities of the task that it takes off the CPU and of the next one.
    ///
    /// No event says that a deadline task is throttled. But a runnable one goes before any task of a lesser class: where it
    /// is switched out as R, and what comes next is of real time, fair or idle, it is not on the runqueue. Priority 0 does
    /// not tell: it is that of the stop class too, which goes before all. Nor does another deadline task.
    pub fn with_prios(self, prev: i64, next: i64) -> StateCode {
        if self.0 & 0x7f == b'R' && prev < 0 && 0 < next {
            StateCode(Self::THROTTLED | self.0 & Self::PREEMPTED)
        } else {
            self
        }
    }

    /// The same for a thread that is inside `sched_yield`: one that is switched out as `R` there gave up its CPU. With a `+` it was
    /// preempted, and one that is throttled stays so.
    #[must_use]
    pub fn in_yield(self) -> StateCode {
        match self.0 {
            b'R' => StateCode(Self::YIELDED),
            _ => self,
        }
    }

    /// The thread gave up its CPU by `sched_yield`. Otherwise a plain `R` does not say why the thread left: kernels write `R+` only
    /// for a preemption inside the kernel, and `R` for one on the way back to user space, too.
    pub fn yielded(self) -> bool {
        self.0 == Self::YIELDED
    }

    /// The state was followed by `+`.
    pub fn preempted(self) -> bool {
        self.0 & Self::PREEMPTED != 0
    }
}

/// One scheduling event of one CPU. Which field means what is said at [`RowKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Trace time in ns (raw ticks for clocks without a scale).
    pub ts: u64,
    /// The task that was on the CPU when the event was written. Of a switch that is `pid`: there is room for another number,
    /// [`Row::of_prev_prio`], and any other says nothing.
    pub common_pid: i32,
    /// See [`RowKind`].
    pub pid: i32,
    /// See [`RowKind`].
    pub arg: i32,
    /// Index into the scan's [`CommTable`].
    pub comm: u32,
    /// Index into the scan's [`CommTable`], or a CPU; see [`RowKind`].
    pub comm2: u32,
    /// Which event.
    pub kind: RowKind,
    /// A [`Context`].
    pub context: u8,
    /// A [`StateCode`]; 0 where the event has none.
    pub state: u8,
    /// Kernel priority (0-99 real time, 100-139 fair), [`Row::DEADLINE`] for -1, [`Row::NO_PRIO`] where the event has none.
    pub prio: u8,
}

impl Row {
    /// A row of a kind that says nothing else: numbers are 0, and there is no priority.
    pub const fn of(kind: RowKind, ts: u64) -> Row {
        Row {
            ts,
            common_pid: 0,
            pid: 0,
            arg: 0,
            comm: 0,
            comm2: 0,
            kind,
            context: 0,
            state: 0,
            prio: Row::NO_PRIO,
        }
    }

    /// `pid` of a switch that does not say which task it takes off the CPU.
    pub const UNKNOWN_PID: i32 = i32::MIN;

    /// The task that was on the CPU when the event was written, where the source tells.
    #[inline]
    pub fn writer(&self) -> Option<i32> {
        match self.kind {
            RowKind::Switch => (self.pid != Row::UNKNOWN_PID).then_some(self.pid),
            _ => (self.context & Context::NO_WRITER == 0).then_some(self.common_pid),
        }
    }

    /// Whether what has the CPU is another one from then on, as far as the row's CPU tells: at a switch or a gap.
    #[inline]
    pub fn opens_interval(&self) -> bool {
        matches!(self.kind, RowKind::Switch | RowKind::Lost)
    }

    /// `prio` of a deadline task.
    pub const DEADLINE: u8 = 254;
    /// `prio` of an event that has none.
    pub const NO_PRIO: u8 = 255;

    /// `common_pid` of a switch that tells `prev_prio`, which `code` stands for as [`Row::prio_code`] makes it. No task has it
    /// as its pid.
    #[inline]
    pub const fn of_prev_prio(code: u8) -> i32 {
        i32::MIN + code as i32
    }

    /// The priority of the task that a switch takes off the CPU, as in `prio`; [`Row::NO_PRIO`] where it does not tell.
    pub fn prev_prio(&self) -> u8 {
        match self.tells_prev_prio() {
            true => self.common_pid as u8,
            false => Row::NO_PRIO,
        }
    }

    /// Whether it is a switch whose `common_pid` is [`Row::of_prev_prio`].
    #[inline]
    pub(crate) fn tells_prev_prio(&self) -> bool {
        self.kind == RowKind::Switch && self.common_pid <= Row::of_prev_prio(u8::MAX)
    }

    /// What stands for a kernel priority; one that no kernel has is none.
    pub fn prio_code(prio: i64) -> u8 {
        match prio {
            i64::MIN..=-1 => Row::DEADLINE,
            0..=253 => prio as u8,
            254.. => Row::NO_PRIO,
        }
    }
}

/// The distinct names of one scan; index 0 is the empty name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommTable {
    /// Names in order of first use. Bytes that are not UTF-8 become U+FFFD.
    pub names: Vec<String>,
}

/// What kind of damage or contradiction was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The ring buffer dropped events.
    LostEvents,
    /// Bytes end before the structure they belong to.
    Truncated,
    /// Bytes contradict the format.
    Malformed,
    /// A section, option, record type or clock that is skipped.
    Unsupported,
    /// A timestamp went back on one CPU.
    TimeBackwards,
    /// An event the model needs is not in the trace.
    MissingEvent,
    /// Two events contradict each other.
    Contradiction,
}

impl DiagnosticKind {
    /// Every kind.
    pub const ALL: [DiagnosticKind; 7] = [
        DiagnosticKind::LostEvents,
        DiagnosticKind::Truncated,
        DiagnosticKind::Malformed,
        DiagnosticKind::Unsupported,
        DiagnosticKind::TimeBackwards,
        DiagnosticKind::MissingEvent,
        DiagnosticKind::Contradiction,
    ];

    /// As JSON names it.
    pub fn name(self) -> &'static str {
        match self {
            DiagnosticKind::LostEvents => "lost_events",
            DiagnosticKind::Truncated => "truncated",
            DiagnosticKind::Malformed => "malformed",
            DiagnosticKind::Unsupported => "unsupported",
            DiagnosticKind::TimeBackwards => "time_backwards",
            DiagnosticKind::MissingEvent => "missing_event",
            DiagnosticKind::Contradiction => "contradiction",
        }
    }
}

/// Something that was found wrong, counted and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind.
    pub kind: DiagnosticKind,
    /// On which CPU, where it belongs to one.
    pub cpu: Option<u32>,
    /// When, by the trace's clock, where known; the first of `count`.
    pub at_ns: Option<u64>,
    /// How many times.
    pub count: u64,
    /// For people: what, where (file offset), what to do.
    pub text: String,
}

/// All that a scan of one CPU's pages found.
#[derive(Clone, Debug, Default)]
pub struct CpuScan {
    /// The CPU's number.
    pub cpu: u32,
    /// Scheduling events in record order.
    pub rows: Rows,
    /// What the kernel did for tasks and against them, if that was wanted ([`Want::kernel`](crate::Want::kernel)).
    pub kernel: KernelRows,
    /// Events of sched_ext in record order, of sources that hold none of ftrace's records. They do not cross to another worker.
    pub sched_ext: Vec<SchedExtEvent>,
    /// The names that rows refer to.
    pub comms: CommTable,
    /// Records of every kind by event id, ascending by id.
    pub events: Vec<(u16, u64)>,
    /// Records of every kind.
    pub records: u64,
    /// Time of the first record of any kind.
    pub first_ns: Option<u64>,
    /// Time of the last record of any kind.
    pub last_ns: Option<u64>,
    /// Events that the kernel says were lost, where it said how many.
    pub lost_events: u64,
    /// Gaps, with or without a count.
    pub lost_gaps: u64,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a file says besides its streams, on its way to the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// What was wrong with the file as a whole.
    pub diagnostics: Vec<Diagnostic>,
    /// What no row of it can say.
    pub cannot_tell: CannotTell,
    /// Tasks that it names besides its events.
    pub tasks: Vec<KnownTask>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_are_told_from_other_flags() {
        assert_eq!(Context::of_flags(0x01 | 0x04), Context::default());
        assert_eq!(Context::of_flags(0x08 | 0x80), Context(Context::HARDIRQ));
        assert_eq!(Context::of_flags(0x10 | 0x40), Context(Context::SOFTIRQ | Context::NMI));
        assert_eq!(Context(Context::NMI | Context::NO_WRITER).flags(), 0x40);
        for flags in 0..=u8::MAX {
            assert_eq!(Context::of_flags(flags).flags(), flags & 0x58);
        }
    }
}
