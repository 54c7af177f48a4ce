//! System calls and interrupts: their events bound to this file's formats, and a record of them as a row.

use traceevent::{Endian, EventFormat, IntField, TextField};

use super::names::Names;
use crate::file::EventTable;
use schedrows::{Diagnostic, DiagnosticKind, KernelKind, KernelRow, KernelRows};

/// Numbers that `clone` has on some machine: of such calls the argument with the flags is kept.
const CLONES: [i32; 3] = [56, 120, 220];
/// The length of a task's name without its NUL (`TASK_COMM_LEN`).
const COMM_LEN: usize = 15;

/// The fields of one event.
#[derive(Clone, Copy, Debug)]
enum Fields {
    /// A system call begins: its number, and where the flags of a clone would be.
    Enter { number: IntField, flags: Flags },
    /// A system call ends.
    Exit { number: IntField, ret: IntField },
    /// A task begins to be called so: its pid, and the name it had.
    Comm {
        pid: IntField,
        comm: TextField,
        was: Option<TextField>,
    },
    /// A thread executes a program: its pid, the pid it had before, and the program's path, whose last part it begins to be called.
    Exec {
        pid: IntField,
        old_pid: Option<IntField>,
        path: TextField,
    },
    /// A task is made.
    NewTask { pid: IntField, flags: IntField },
    /// An interrupt, with its number, and the name of its handler; vectors have a number of ours.
    Interrupt(Result<IntField, i32>, Option<TextField>),
}

/// Where the flags of a clone are.
#[derive(Clone, Copy, Debug)]
enum Flags {
    /// In an array of arguments, at this offset and of this size.
    Argument(usize, usize),
    Field(IntField),
    None,
}

/// One event that is read.
#[derive(Clone, Copy, Debug)]
struct Bound {
    kind: KernelKind,
    common_pid: IntField,
    fields: Fields,
    /// The name of a named event's call.
    name: Option<u32>,
}

/// Reads the events of system calls and interrupts of one CPU.
pub(super) struct KernelReader {
    /// By id: 1 + index into `bound`, 0 for events of no interest.
    by_id: Vec<u16>,
    bound: Vec<Bound>,
    pub(super) rows: KernelRows,
    /// The last number that got a name, which is often the next one too.
    named: Option<(i32, u32)>,
}

impl KernelReader {
    /// For a file with these formats; those that cannot be read are added to `told`.
    pub(super) fn bind(events: &EventTable, names: &mut Names, endian: Endian, told: &mut Vec<Diagnostic>) -> Self {
        let mut reader = KernelReader {
            by_id: Vec::new(),
            bound: Vec::new(),
            rows: KernelRows::default(),
            named: None,
        };
        for id in events.ids() {
            let Some((system, event)) = events.name(id) else {
                continue;
            };
            let Some(kind) = kind_of(system, event) else { continue };
            let bound = match events.format(id) {
                Some(Ok(format)) => bind(kind, system, event, format, endian, names),
                Some(Err(error)) => Err(error.to_string()),
                None => continue,
            };
            match bound {
                Ok(bound) => reader.add(id, bound),
                Err(why) => told.push(Diagnostic {
                    kind: DiagnosticKind::Malformed,
                    cpu: None,
                    at_ns: None,
                    count: 1,
                    text: format!("{event} is not read: {why}"),
                }),
            }
        }
        reader
    }

    fn add(&mut self, id: u16, bound: Bound) {
        let slot = usize::from(id);
        if self.by_id.len() <= slot {
            self.by_id.resize(slot + 1, 0);
        }
        self.bound.push(bound);
        if let Some(entry) = self.by_id.get_mut(slot) {
            // There are no more than there are ids.
            *entry = self.bound.len() as u16;
        }
    }

    /// Takes a record of any kind; `None` if it is shorter than its format.
    #[inline]
    pub(super) fn take(&mut self, id: u16, ts: u64, data: &[u8], names: &mut Names, endian: Endian) -> Option<()> {
        let index = usize::from(self.by_id.get(usize::from(id)).copied().unwrap_or(0));
        let Some(&bound) = index.checked_sub(1).and_then(|index| self.bound.get(index)) else {
            return Some(());
        };
        let pid = bound.common_pid.load(data, endian)? as i32;
        let mut row = KernelRow {
            ts,
            kind: bound.kind,
            pid,
            number: 0,
            value: 0,
        };
        match bound.fields {
            Fields::Enter { number, flags } => {
                row.number = number.load(data, endian)? as i32;
                row.value = match flags {
                    Flags::Field(field) => field.load(data, endian)?,
                    Flags::Argument(at, size) if CLONES.contains(&row.number) => argument(data, at, size, endian)?,
                    Flags::Argument(..) | Flags::None => 0,
                };
                self.call(bound.name, row.number);
            }
            Fields::Exit { number, ret } => {
                row.number = number.load(data, endian)? as i32;
                row.value = ret.load(data, endian)?;
            }
            Fields::Comm { pid, comm, was } => {
                row.pid = pid.load(data, endian)? as i32;
                if let Some(was) = was {
                    let number = names.intern(was.load(data, endian)?) as i32;
                    self.rows.push(KernelRow {
                        kind: KernelKind::WasComm,
                        number,
                        ..row
                    });
                }
                row.number = names.intern(comm.load(data, endian)?) as i32;
            }
            Fields::Exec { pid, old_pid, path } => {
                row.pid = pid.load(data, endian)? as i32;
                let comm = comm_of_path(path.load(data, endian)?);
                // What it was called is not said: at least not so.
                self.rows.push(KernelRow {
                    kind: KernelKind::WasComm,
                    pid: old_pid.map_or(Some(row.pid.into()), |old_pid| old_pid.load(data, endian))? as i32,
                    number: names.intern(b"") as i32,
                    ..row
                });
                row.number = names.intern(comm) as i32;
            }
            Fields::NewTask { pid, flags } => {
                row.pid = pid.load(data, endian)? as i32;
                row.value = flags.load(data, endian)?;
            }
            Fields::Interrupt(number, name) => {
                row.number = match number {
                    Ok(number) => number.load(data, endian)? as i32,
                    Err(number) => number,
                };
                if let Some(name) = name {
                    row.value = names.intern(name.load(data, endian)?).into();
                }
            }
        }
        self.rows.push(row);
        Some(())
    }

    /// Notes what a named event calls a number.
    fn call(&mut self, name: Option<u32>, number: i32) {
        let named = name.map(|name| (number, name));
        if named.is_some() && self.named != named {
            self.named = named;
            if let Some((number, name)) = named {
                self.rows.name(number, name);
            }
        }
    }

    /// Notes that events were lost before the record at `ts`.
    pub(super) fn lost(&mut self, ts: u64) {
        self.rows.push(KernelRow {
            ts,
            kind: KernelKind::Lost,
            pid: 0,
            number: 0,
            value: 0,
        });
    }
}

/// What an event is to us.
fn kind_of(system: &str, event: &str) -> Option<KernelKind> {
    Some(match (system, event) {
        ("raw_syscalls", "sys_enter") => KernelKind::Enter,
        ("raw_syscalls", "sys_exit") => KernelKind::Exit,
        ("syscalls", name) if name.starts_with("sys_enter_") => KernelKind::NamedEnter,
        ("syscalls", name) if name.starts_with("sys_exit_") => KernelKind::NamedExit,
        ("sched", "sched_process_exec" | "sched_process_fork") | ("task", "task_rename") => KernelKind::Comm,
        ("task", "task_newtask") => KernelKind::NewTask,
        ("irq", "irq_handler_entry") => KernelKind::IrqEntry,
        ("irq", "irq_handler_exit") => KernelKind::IrqExit,
        ("irq", "softirq_entry") => KernelKind::SoftirqEntry,
        ("irq", "softirq_exit") => KernelKind::SoftirqExit,
        ("irq_vectors", name) if name.ends_with("_entry") => KernelKind::VectorEntry,
        ("irq_vectors", name) if name.ends_with("_exit") => KernelKind::VectorExit,
        _ => return None,
    })
}

fn bind(
    kind: KernelKind,
    system: &str,
    event: &str,
    format: &EventFormat,
    endian: Endian,
    names: &mut Names,
) -> Result<Bound, String> {
    let int = |wanted: &[&str]| {
        let found = wanted.iter().find_map(|name| format.field(name)?.as_int());
        found.ok_or_else(|| format!("its format has no usable field `{}`", wanted.first().unwrap_or(&"")))
    };
    let text = |name: &str| {
        let found = format.field(name).and_then(|field| field.as_text());
        found.ok_or_else(|| format!("its format has no usable field `{name}`"))
    };
    let mut name = None;
    let fields = match kind {
        KernelKind::Enter => Fields::Enter {
            number: int(&["id"])?,
            flags: arguments(format, endian),
        },
        KernelKind::Exit => Fields::Exit {
            number: int(&["id"])?,
            ret: int(&["ret"])?,
        },
        KernelKind::NamedEnter => {
            let call = event.strip_prefix("sys_enter_").unwrap_or(event);
            name = Some(names.intern(call.as_bytes()));
            let flags = int(&["clone_flags"]).ok().filter(|_| call == "clone");
            Fields::Enter {
                number: int(&["__syscall_nr", "nr"])?,
                flags: flags.map_or(Flags::None, Flags::Field),
            }
        }
        KernelKind::NamedExit => Fields::Exit {
            number: int(&["__syscall_nr", "nr"])?,
            ret: int(&["ret"])?,
        },
        KernelKind::NewTask => Fields::NewTask {
            pid: int(&["pid"])?,
            flags: int(&["clone_flags"])?,
        },
        KernelKind::IrqEntry => Fields::Interrupt(Ok(int(&["irq"])?), text("name").ok()),
        KernelKind::IrqExit => Fields::Interrupt(Ok(int(&["irq"])?), None),
        KernelKind::SoftirqEntry | KernelKind::SoftirqExit => Fields::Interrupt(Ok(int(&["vec"])?), None),
        KernelKind::VectorEntry | KernelKind::VectorExit => {
            let vector = event.rsplit_once('_').map_or(event, |(vector, _)| vector);
            let number = names.intern(format!("{system}:{vector}").as_bytes()) as i32;
            Fields::Interrupt(Err(number), None)
        }
        _ if event == "sched_process_exec" => Fields::Exec {
            pid: int(&["pid"])?,
            old_pid: int(&["old_pid"]).ok(),
            path: text("filename")?,
        },
        _ if event == "sched_process_fork" => Fields::Comm {
            pid: int(&["parent_pid"])?,
            comm: text("parent_comm")?,
            was: None,
        },
        _ => Fields::Comm {
            pid: int(&["pid", "common_pid"])?,
            comm: text("newcomm")?,
            was: Some(text("oldcomm")?),
        },
    };
    Ok(Bound {
        kind,
        common_pid: int(&["common_pid"])?,
        fields,
        name,
    })
}

/// Where the flags of a clone are among the arguments: first, but second on s390, the one machine with that order whose
/// recordings are big-endian.
fn arguments(format: &EventFormat, endian: Endian) -> Flags {
    let Some(args) = format.field("args") else {
        return Flags::None;
    };
    let size = args.size / 6;
    let index = usize::from(endian == Endian::Big);
    match size {
        4 | 8 => Flags::Argument(args.offset + index * size, size),
        _ => Flags::None,
    }
}

/// An unsigned number of the record.
fn argument(data: &[u8], at: usize, size: usize, endian: Endian) -> Option<i64> {
    let bytes = data.get(at..at.checked_add(size)?)?;
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    Some(match endian {
        Endian::Big => bytes.iter().fold(0, add),
        Endian::Little => bytes.iter().rev().fold(0, add),
    } as i64)
}

/// The name that a task gets from the path of its program.
fn comm_of_path(path: &[u8]) -> &[u8] {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    name.get(..COMM_LEN).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_called_by_the_last_part_of_its_path() {
        assert_eq!(comm_of_path(b"/usr/bin/ls"), b"ls");
        assert_eq!(comm_of_path(b"a-name-longer-than-it-may-be"), b"a-name-longer-t");
        assert_eq!(comm_of_path(b""), b"");
    }

    #[test]
    fn arguments_are_read_in_either_order() {
        let bytes = [1, 2, 3, 4, 0, 0, 0, 0];
        assert_eq!(argument(&bytes, 0, 4, Endian::Little), Some(0x0403_0201));
        assert_eq!(argument(&bytes, 0, 4, Endian::Big), Some(0x0102_0304));
        assert_eq!(argument(&bytes, 4, 8, Endian::Big), None);
    }

    #[test]
    fn other_systems_may_use_the_same_names() {
        assert_eq!(kind_of("kprobes", "sys_enter"), None);
        assert_eq!(kind_of("irq_vectors", "vector_alloc"), None);
        assert_eq!(kind_of("syscalls", "sys_enter_futex"), Some(KernelKind::NamedEnter));
    }
}
