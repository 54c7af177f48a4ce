//! Events that are not compact to rows.

use schedrows::{Context, KernelKind, KernelRow, Row, RowKind};

use super::bundle::RawEvent;
use super::cpu::{Cpu, Running};
use super::events as ev;
use super::proto::{int32, Fields, InOrder, Value};

/// Numbers that `clone` has on some machine: of such calls the argument with the flags is kept.
const CLONES: [i32; 3] = [56, 120, 220];
/// The length of a task's name without its NUL (`TASK_COMM_LEN`).
const COMM_LEN: usize = 15;

/// The fields of the events that are read: numbers and texts by their field, 0 and empty if they are not there.
#[derive(Clone, Copy, Default)]
struct Message<'a> {
    numbers: [u64; 8],
    texts: [&'a [u8]; 8],
}

impl<'a> Message<'a> {
    /// `None` where the bytes are damaged.
    #[inline]
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut message = Message::default();
        let mut fields = Fields::new(bytes);
        while let Some((field, value)) = fields.quick() {
            let at = field as usize;
            match value {
                Value::Varint(number) => {
                    if let Some(place) = message.numbers.get_mut(at) {
                        *place = number;
                    }
                }
                Value::Bytes(text) => {
                    if let Some(place) = message.texts.get_mut(at) {
                        *place = text;
                    }
                }
                _ => {}
            }
        }
        (!fields.broken()).then_some(message)
    }

    #[inline]
    fn number(&self, field: usize) -> u64 {
        self.numbers.get(field).copied().unwrap_or(0)
    }

    #[inline]
    fn int(&self, field: usize) -> i32 {
        int32(self.number(field))
    }

    #[inline]
    fn text(&self, field: usize) -> &'a [u8] {
        self.texts.get(field).copied().unwrap_or_default()
    }
}

/// A task as a message names it.
#[derive(Clone, Copy)]
struct Task<'a> {
    comm: &'a [u8],
    pid: i32,
    prio: i32,
}

/// `SchedSwitchFtraceEvent`.
struct Switch<'a> {
    prev: Task<'a>,
    state: u64,
    next: Task<'a>,
}

impl<'a> Switch<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut fields = InOrder::new(bytes);
        let prev = Task {
            comm: fields.text(1),
            pid: int32(fields.number(2)),
            prio: int32(fields.number(3)),
        };
        let state = fields.number(4);
        let next = Task {
            comm: fields.text(5),
            pid: int32(fields.number(6)),
            prio: int32(fields.number(7)),
        };
        match fields.is_all() {
            true => Some(Switch { prev, state, next }),
            false => Switch::in_any_order(bytes),
        }
    }

    #[inline(never)]
    fn in_any_order(bytes: &'a [u8]) -> Option<Self> {
        let message = Message::new(bytes)?;
        let task = |comm, pid, prio| Task {
            comm: message.text(comm),
            pid: message.int(pid),
            prio: message.int(prio),
        };
        Some(Switch {
            prev: task(1, 2, 3),
            state: message.number(4),
            next: task(5, 6, 7),
        })
    }
}

/// `SchedWakingFtraceEvent`, and those of wakeups, which have the same fields: the task and the CPU.
#[inline(always)]
fn wakee(bytes: &[u8]) -> Option<(Task<'_>, i32)> {
    let mut fields = InOrder::new(bytes);
    let task = Task {
        comm: fields.text(1),
        pid: int32(fields.number(2)),
        prio: int32(fields.number(3)),
    };
    // Whether it succeeded, which older kernels tell: it did.
    fields.number(4);
    let cpu = int32(fields.number(5));
    if fields.is_all() {
        return Some((task, cpu));
    }
    let message = Message::new(bytes)?;
    let task = Task {
        comm: message.text(1),
        pid: message.int(2),
        prio: message.int(3),
    };
    Some((task, message.int(5)))
}

impl Cpu {
    /// The row of an event, if it has one; `None` where its bytes are damaged.
    #[inline]
    pub(super) fn row_of(&mut self, event: &RawEvent<'_>) -> Option<()> {
        match event.kind {
            ev::SWITCH => self.full_switch(event),
            ev::WAKING => self.wakes(event, RowKind::Waking),
            ev::WAKEUP => self.wakes(event, RowKind::Wakeup),
            ev::WAKEUP_NEW => self.wakes(event, RowKind::WakeupNew),
            ev::MIGRATE | ev::FORK | ev::EXEC | ev::EXIT | ev::RENAME => self.other_row(event),
            ev::SOFTIRQ_ENTRY | ev::SOFTIRQ_EXIT | ev::IRQ_ENTRY | ev::IRQ_EXIT => self.interrupt(event),
            ev::SYS_ENTER => {
                let number = Message::new(event.body)?.int(1);
                if self.reading.sched_yield == Some(number) {
                    self.enters_yield(event.pid);
                }
                self.kernel_row(event)
            }
            ev::SYS_EXIT => {
                self.call_returns();
                self.kernel_row(event)
            }
            ev::NEW_TASK => self.kernel_row(event),
            _ => Some(()),
        }
    }

    /// A task by its pid and name; the idle task may have no name.
    #[inline]
    fn comm(&mut self, pid: i32, name: &[u8]) -> u32 {
        match name {
            [] if pid == 0 => {
                let name = format!("swapper/{}", self.scan.cpu);
                self.names.intern(name.as_bytes())
            }
            name => self.names.intern(name),
        }
    }

    #[inline]
    fn full_switch(&mut self, event: &RawEvent<'_>) -> Option<()> {
        let Switch { prev, state, next } = Switch::new(event.body)?;
        let running = |cpu: &mut Cpu, task: Task<'_>| Running {
            pid: task.pid,
            comm: cpu.comm(task.pid, task.comm),
            prio: task.prio,
        };
        let (prev, next) = (running(self, prev), running(self, next));
        let context = self.interrupts.context(event.flags);
        self.switch(event.ts, Some(prev), state, next, context);
        Some(())
    }

    /// A row by the task that had the CPU, in its context.
    #[inline]
    fn row(&self, event: &RawEvent<'_>, kind: RowKind) -> Row {
        Row {
            common_pid: event.pid,
            // Files that are made of sources which do not tell who it was have -1.
            context: self.interrupts.context(event.flags) | if event.pid < 0 { Context::NO_WRITER } else { 0 },
            ..Row::of(kind, event.ts)
        }
    }

    #[inline]
    fn wakes(&mut self, event: &RawEvent<'_>, kind: RowKind) -> Option<()> {
        let (Task { pid, comm, prio }, cpu) = wakee(event.body)?;
        let comm = self.comm(pid, comm);
        let row = Row {
            pid,
            comm,
            prio: Row::prio_code(prio.into()),
            arg: cpu,
            ..self.row(event, kind)
        };
        // scxtop's events name the task that is woken in place of the waker, and their own CPU in place of the wakee's.
        self.push(&match self.reading.scxtop {
            true => Row {
                common_pid: 0,
                context: Context::NO_WRITER | Context::UNKNOWN,
                arg: -1,
                ..row
            },
            false => row,
        });
        Some(())
    }

    fn other_row(&mut self, event: &RawEvent<'_>) -> Option<()> {
        let message = Message::new(event.body)?;
        let row = match event.kind {
            ev::MIGRATE => Row {
                pid: message.int(2),
                comm: self.comm(message.int(2), message.text(1)),
                prio: Row::prio_code(message.int(3).into()),
                comm2: message.number(4) as u32,
                arg: message.int(5),
                ..self.row(event, RowKind::Migrate)
            },
            ev::FORK => Row {
                pid: message.int(2),
                comm: self.comm(message.int(2), message.text(1)),
                arg: message.int(4),
                comm2: self.comm(message.int(4), message.text(3)),
                ..self.row(event, RowKind::Fork)
            },
            ev::EXEC => Row {
                pid: message.int(2),
                arg: message.int(3),
                comm: self.names.intern(message.text(1)),
                ..self.row(event, RowKind::Exec)
            },
            ev::EXIT => Row {
                pid: message.int(2),
                comm: self.comm(message.int(2), message.text(1)),
                prio: Row::prio_code(message.int(4).into()),
                ..self.row(event, RowKind::Exit)
            },
            _ => Row {
                pid: message.int(1),
                comm: self.names.intern(message.text(2)),
                comm2: self.names.intern(message.text(3)),
                ..self.row(event, RowKind::Rename)
            },
        };
        self.push(&row);
        self.follow(event, &row);
        self.names_of_kernel(event, &row, message.text(1));
        Some(())
    }

    /// The task that has the CPU may be called otherwise from now on, and have another pid.
    fn follow(&mut self, event: &RawEvent<'_>, row: &Row) {
        let Some(running) = &mut self.running else { return };
        match event.kind {
            ev::RENAME if running.pid == row.pid => running.comm = row.comm2,
            ev::EXEC if running.pid == row.arg => running.pid = row.pid,
            _ => {}
        }
    }

    /// What the pairing of system calls knows tasks by.
    fn names_of_kernel(&mut self, event: &RawEvent<'_>, row: &Row, path: &[u8]) {
        let Some(kernel) = &mut self.kernel else { return };
        let comm = KernelRow {
            ts: event.ts,
            kind: KernelKind::Comm,
            pid: row.pid,
            number: row.comm as i32,
            value: 0,
        };
        match event.kind {
            ev::FORK => kernel.push(comm),
            ev::EXEC => {
                let unknown = self.names.intern(b"") as i32;
                kernel.push(KernelRow {
                    kind: KernelKind::WasComm,
                    pid: row.arg,
                    number: unknown,
                    ..comm
                });
                let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
                let number = self.names.intern(name.get(..COMM_LEN).unwrap_or(name)) as i32;
                kernel.push(KernelRow { number, ..comm });
            }
            ev::RENAME => {
                kernel.push(KernelRow {
                    kind: KernelKind::WasComm,
                    ..comm
                });
                kernel.push(KernelRow {
                    number: row.comm2 as i32,
                    ..comm
                });
            }
            _ => {}
        }
    }

    fn interrupt(&mut self, event: &RawEvent<'_>) -> Option<()> {
        let kind = match event.kind {
            ev::SOFTIRQ_ENTRY => {
                self.interrupts.soft_begins();
                KernelKind::SoftirqEntry
            }
            ev::SOFTIRQ_EXIT => {
                self.interrupts.soft_ends();
                KernelKind::SoftirqExit
            }
            ev::IRQ_ENTRY => {
                self.interrupts.hard_begins();
                KernelKind::IrqEntry
            }
            _ => {
                self.interrupts.hard_ends();
                KernelKind::IrqExit
            }
        };
        if let Some(kernel) = &mut self.kernel {
            kernel.push(KernelRow {
                ts: event.ts,
                kind,
                pid: event.pid,
                number: Message::new(event.body)?.int(1),
                value: 0,
            });
        }
        Some(())
    }

    fn kernel_row(&mut self, event: &RawEvent<'_>) -> Option<()> {
        let Some(kernel) = &mut self.kernel else {
            return Some(());
        };
        let message = Message::new(event.body)?;
        let row = KernelRow {
            ts: event.ts,
            kind: KernelKind::Enter,
            pid: event.pid,
            number: message.int(1),
            value: 0,
        };
        kernel.push(match event.kind {
            ev::SYS_ENTER => KernelRow {
                value: match CLONES.contains(&row.number) {
                    true => super::proto::Column::new(event.body, 2).next().unwrap_or(0) as i64,
                    false => 0,
                },
                ..row
            },
            ev::SYS_EXIT => KernelRow {
                kind: KernelKind::Exit,
                value: message.number(2) as i64,
                ..row
            },
            _ => KernelRow {
                ts: event.ts,
                kind: KernelKind::NewTask,
                pid: message.int(1),
                number: 0,
                value: message.number(3) as i64,
            },
        });
        Some(())
    }
}
