//! Which bytes of an event are pids and numbers of CPUs, by its format, and how they change in a copy.

use std::io::{Read, Seek};

use crate::layout::Endian;
use crate::recorded::{Event, Field, Recorded, RecordedError};

/// How the numbers of a copy in CPUs differ from the recorded ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// CPUs of the recording.
    pub(super) cpus: u32,
    /// Added to numbers of CPUs.
    pub(super) cpu: u32,
    /// Added to pids.
    pub(super) pid: u64,
}

/// The fields of all events that change.
pub(super) struct Patches {
    endian: Endian,
    /// By the event's number.
    fields: Vec<Vec<Patch>>,
}

struct Patch {
    kind: Kind,
    offset: usize,
    size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cpu,
    Pid,
    /// A task's name: an idle task's holds the number of its CPU.
    Comm,
}

impl Kind {
    fn of(field: &Field) -> Option<Kind> {
        let name = field.name.as_str();
        match (field.elements, field.size) {
            (None, 4) if ["pid", "tgid", "ngid"].contains(&name.rsplit('_').next()?) => Some(Kind::Pid),
            (None, 2 | 4 | 8) if name == "cpu" || name == "cpu_id" || name.ends_with("_cpu") => Some(Kind::Cpu),
            (Some(16), 16) if name.ends_with("comm") => Some(Kind::Comm),
            _ => None,
        }
    }
}

impl Patches {
    pub(super) fn new<R: Read + Seek>(recorded: &Recorded<R>) -> Result<Self, RecordedError> {
        let mut fields: Vec<Vec<Patch>> = Vec::new();
        for event in recorded.events()? {
            let id = usize::from(event.id);
            fields.resize_with(fields.len().max(id + 1), Vec::new);
            fields[id] = of_event(&event);
        }
        let endian = recorded.layout.endian;
        Ok(Patches { endian, fields })
    }

    /// Every event begins with its number.
    fn of(&self, payload: &[u8]) -> &[Patch] {
        let id = payload.get(..2).map_or(0, |bytes| self.endian.number(bytes));
        self.fields.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// The largest pid of an event.
    pub(super) fn max_pid(&self, payload: &[u8]) -> u64 {
        let pids = self.of(payload).iter().filter(|patch| patch.kind == Kind::Pid);
        pids.filter_map(|patch| positive(self.endian.number(payload.get(patch.range())?)))
            .max()
            .unwrap_or(0)
    }

    pub(super) fn apply(&self, payload: &mut [u8], shift: &Shift) {
        let endian = self.endian;
        for patch in self.of(payload) {
            let Some(bytes) = payload.get_mut(patch.range()) else {
                continue;
            };
            let value = endian.number(bytes);
            match patch.kind {
                // A number beyond the recording's CPUs says that there is none.
                Kind::Cpu if value < u64::from(shift.cpus) => endian.put(bytes, value + u64::from(shift.cpu)),
                Kind::Pid if positive(value).is_some() => endian.put(bytes, value + shift.pid),
                Kind::Comm => rename_idle(bytes, shift.cpu),
                Kind::Cpu | Kind::Pid => {}
            }
        }
    }
}

impl Patch {
    fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.size
    }
}

fn of_event(event: &Event) -> Vec<Patch> {
    let fields = event.fields.iter();
    fields
        .filter_map(|field| {
            Some(Patch {
                kind: Kind::of(field)?,
                offset: field.offset,
                size: field.size,
            })
        })
        .collect()
}

/// A pid of 4 bytes that is a task's: 0 is the idle task, negative ones are groups.
fn positive(pid: u64) -> Option<u64> {
    (1..=i32::MAX as u64).contains(&pid).then_some(pid)
}

/// `swapper/3` of the fourth CPU.
fn rename_idle(comm: &mut [u8], shift: u32) {
    let text = comm.split(|byte| *byte == 0).next().unwrap_or(&[]);
    let cpu = text
        .strip_prefix(b"swapper/")
        .and_then(|cpu| std::str::from_utf8(cpu).ok()?.parse::<u32>().ok());
    if let Some(cpu) = cpu.filter(|_| shift > 0) {
        let renamed = format!("swapper/{}", cpu + shift);
        let len = renamed.len().min(comm.len() - 1);
        comm.fill(0);
        comm[..len].copy_from_slice(&renamed.as_bytes()[..len]);
    }
}
