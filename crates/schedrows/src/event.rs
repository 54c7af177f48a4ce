//! A [`Row`] as what it says: every kind with the fields that it has, and no others.

use crate::row::{Row, RowKind, StateCode};

/// A task as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its thread id; 0 for idle.
    pub pid: i32,
    /// Index of its name in the scan's [`CommTable`](crate::CommTable).
    pub comm: u32,
}

/// A `sched_switch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The task that leaves the CPU, where the source tells.
    pub prev: Option<Named>,
    /// Its state from then on.
    pub prev_state: StateCode,
    /// The task that gets the CPU.
    pub next: Named,
    /// Its priority, as [`Row::prio`] has it.
    pub next_prio: u8,
}

/// Which wakeup event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeupKind {
    /// `sched_waking`: in the context of the waker. Its CPU is the one on which the wakee last ran.
    Waking,
    /// `sched_wakeup`: the wakee is on the runqueue of its CPU.
    Wakeup,
    /// `sched_wakeup_new`: the same, for the first time after its fork.
    WakeupNew,
}

/// A wakeup of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wakeup {
    /// Which event.
    pub kind: WakeupKind,
    /// The task that is woken.
    pub wakee: Named,
    /// See [`WakeupKind`]; `None` for none.
    pub cpu: Option<u32>,
}

/// What a [`Row`] says. Who wrote it, in which context, is in [`Row::writer`] and [`Row::context`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The CPU goes from one task to another.
    Switch(Switch),
    /// A task is woken.
    Wakeup(Wakeup),
    /// `sched_migrate_task`: a task goes to another CPU's runqueue.
    Migrate {
        /// The task.
        task: Named,
        /// The CPU that it leaves; `None` for none.
        from: Option<u32>,
        /// The CPU that it is put on; `None` for none.
        to: Option<u32>,
    },
    /// `sched_process_fork`.
    Fork {
        /// The task that forks.
        parent: Named,
        /// The new task.
        child: Named,
    },
    /// `sched_process_exec`; the new name comes with a later event.
    Exec {
        /// The thread id from now on.
        pid: i32,
        /// The thread id before; another one when a thread takes over its leader's.
        old_pid: i32,
    },
    /// `sched_process_exit`.
    Exit(Named),
    /// `task_rename`: the task with its new name.
    Rename(Named),
    /// `sched_move_numa`, `sched_stick_numa`, `sched_swap_numa`: announces the next migration of a task.
    Numa {
        /// The task.
        pid: i32,
    },
    /// Events were lost on this CPU until the next row.
    Lost,
}

impl Row {
    /// What the row says.
    #[inline]
    pub fn event(&self) -> Event {
        let first = Named {
            pid: self.pid,
            comm: self.comm,
        };
        let second = Named {
            pid: self.arg,
            comm: self.comm2,
        };
        let wakeup = |kind| {
            Event::Wakeup(Wakeup {
                kind,
                wakee: first,
                cpu: cpu_number(self.arg),
            })
        };
        match self.kind {
            RowKind::Switch => Event::Switch(Switch {
                prev: (self.pid != Row::UNKNOWN_PID).then_some(first),
                prev_state: StateCode(self.state),
                next: second,
                next_prio: self.prio,
            }),
            RowKind::Waking => wakeup(WakeupKind::Waking),
            RowKind::Wakeup => wakeup(WakeupKind::Wakeup),
            RowKind::WakeupNew => wakeup(WakeupKind::WakeupNew),
            RowKind::Migrate => Event::Migrate {
                task: first,
                from: cpu_number(self.comm2 as i32),
                to: cpu_number(self.arg),
            },
            RowKind::Fork => Event::Fork {
                parent: first,
                child: second,
            },
            RowKind::Exec => Event::Exec {
                pid: self.pid,
                old_pid: self.arg,
            },
            RowKind::Exit => Event::Exit(first),
            RowKind::Rename => Event::Rename(Named {
                pid: self.pid,
                comm: self.comm2,
            }),
            RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => Event::Numa { pid: self.pid },
            RowKind::Lost => Event::Lost,
        }
    }
}

/// The CPU in a field of an event; negative means none.
fn cpu_number(field: i32) -> Option<u32> {
    u32::try_from(field).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_own_numbers_and_other_numbers_none() {
        for code in 0..=u8::MAX {
            let known = RowKind::of_code(code);
            assert_eq!(known.is_some(), usize::from(code) < RowKind::ALL.len(), "{code}");
            assert!(known.is_none_or(|kind| kind as u8 == code), "{code}");
        }
    }

    #[test]
    fn the_two_uses_of_a_field_are_told_apart() {
        let row = Row {
            ts: 1,
            common_pid: 7,
            pid: 10,
            arg: -1,
            comm: 3,
            comm2: 5,
            kind: RowKind::Migrate,
            context: 0,
            state: 0,
            prio: 120,
        };
        let task = Named { pid: 10, comm: 3 };
        let (from, to) = (Some(5), None);
        assert_eq!(row.event(), Event::Migrate { task, from, to });
        let renamed = Row {
            kind: RowKind::Rename,
            ..row
        };
        assert_eq!(renamed.event(), Event::Rename(Named { pid: 10, comm: 5 }));
    }
}
