//! Migrations of tasks between CPUs.

use super::edge::{pack_cpu, unpack_cpu};
use super::task::TaskId;
use crate::named;
use crate::stored::{invalid, stored_plain, Reader, Stored, Writer};
use bytemuck::{Pod, Zeroable};
use std::io;

/// Why a task was migrated, as far as the trace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationKind {
    /// Between `sched_waking` (or fork) and `sched_wakeup` (or `sched_wakeup_new`): part of the wakeup.
    Placement,
    /// While the task was runnable but not running.
    LoadBalance,
    /// After a `sched_move_numa`, `sched_stick_numa` or `sched_swap_numa` of the task.
    Numa,
    /// Anything else: affinity changes, hotplug, or an unknown state.
    Other,
    /// Not an event: the task came onto another CPU than it was on before, in a trace whose source records no migrations.
    /// When it went there is not known.
    Derived,
    /// As `Derived`, in a format that cannot record migrations, if the task waited when the trace began and this is its first
    /// run: such formats derive migrations between two runs, so this one is in no count.
    FirstRun,
}

impl MigrationKind {
    /// Whether no event reports it.
    pub fn is_derived(self) -> bool {
        matches!(self, MigrationKind::Derived | MigrationKind::FirstRun)
    }
}

named!(MigrationKind as "MigrationKind" {
    Placement = "placement",
    LoadBalance = "load_balance",
    Numa = "numa",
    Other = "other",
    Derived = "derived",
    FirstRun = "first_run",
});

/// A `sched_migrate_task` event, or one that is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// When it happened.
    pub at: u64,
    /// The task.
    pub task: TaskId,
    /// The reason.
    pub kind: MigrationKind,
    from: u16,
    to: u16,
}

impl Migration {
    pub(super) fn new(at: u64, task: TaskId, kind: MigrationKind, from: Option<u32>, to: Option<u32>) -> Migration {
        let (from, to) = (pack_cpu(from), pack_cpu(to));
        Migration {
            at,
            task,
            kind,
            from,
            to,
        }
    }

    /// The CPU that the task left.
    pub fn from(&self) -> Option<u32> {
        unpack_cpu(self.from)
    }

    /// The CPU that it was moved to.
    pub fn to(&self) -> Option<u32> {
        unpack_cpu(self.to)
    }
}

/// A migration as it is stored: there are as many as events of some traces, so each is read as a whole.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, packed)]
struct Packed {
    at: u64,
    task: u32,
    from: u16,
    to: u16,
    /// Its position in the list of all kinds.
    kind: u8,
}

stored_plain!(Packed);

impl Stored for Migration {
    const LEAST: usize = Packed::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let Migration {
            at,
            task: TaskId(task),
            kind,
            from,
            to,
        } = *self;
        let kind = kind as u8;
        let packed = Packed {
            at,
            task,
            from,
            to,
            kind,
        };
        packed.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        let Packed {
            at,
            task,
            from,
            to,
            kind,
        } = Packed::get(reader)?;
        let kind = MigrationKind::ALL.get(usize::from(kind)).copied();
        Ok(Migration {
            at,
            task: TaskId(task),
            kind: kind.ok_or_else(|| invalid("a kind that there is not"))?,
            from,
            to,
        })
    }
}
