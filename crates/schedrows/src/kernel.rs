//! Rows of what the kernel does for tasks and against them: system calls and interrupts, and the few other events that say
//! whose they are. A scan collects them only if asked ([`Want::kernel`](crate::Want::kernel)): the model needs none.

use crate::row::CpuScan;
use crate::varint::{put, take};

/// What a [`KernelRow`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum KernelKind {
    /// `raw_syscalls:sys_enter` by `pid`: `number` of the call; `value`: the flags of a `clone`, where the number may be that.
    Enter = 0,
    /// `raw_syscalls:sys_exit` by `pid`: `number`; `value` is what it returns.
    Exit = 1,
    /// `syscalls:sys_enter_NAME`, as `Enter`.
    NamedEnter = 2,
    /// `syscalls:sys_exit_NAME`, as `Exit`.
    NamedExit = 3,
    /// `pid` is called by name `number` of the scan's [`CommTable`](crate::CommTable) from now on.
    Comm = 4,
    /// `pid` was called by name `number` until now; an empty name where that is not known.
    WasComm = 5,
    /// `task:task_newtask` of `pid`, made with the flags `value`.
    NewTask = 6,
    /// `irq:irq_handler_entry` of interrupt `number`, while `pid` had the CPU; `value`: its handler's name in the scan's
    /// [`CommTable`](crate::CommTable), which is empty where that is not told.
    IrqEntry = 7,
    /// `irq:irq_handler_exit`.
    IrqExit = 8,
    /// `irq:softirq_entry` of vector `number`.
    SoftirqEntry = 9,
    /// `irq:softirq_exit`.
    SoftirqExit = 10,
    /// `irq_vectors:X_entry`; `number` tells the Xs of a file apart.
    VectorEntry = 11,
    /// `irq_vectors:X_exit`.
    VectorExit = 12,
    /// Events were lost before this time, which is that of the next record.
    Lost = 13,
}

impl KernelKind {
    /// All kinds, each at its own number.
    pub const ALL: [KernelKind; KernelKind::Lost as usize + 1] = [
        KernelKind::Enter,
        KernelKind::Exit,
        KernelKind::NamedEnter,
        KernelKind::NamedExit,
        KernelKind::Comm,
        KernelKind::WasComm,
        KernelKind::NewTask,
        KernelKind::IrqEntry,
        KernelKind::IrqExit,
        KernelKind::SoftirqEntry,
        KernelKind::SoftirqExit,
        KernelKind::VectorEntry,
        KernelKind::VectorExit,
        KernelKind::Lost,
    ];
}

/// One event. Which field means what is said at [`KernelKind`]; others are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelRow {
    /// Time by the trace's clock.
    pub ts: u64,
    /// What happened.
    pub kind: KernelKind,
    /// The thread that it is about.
    pub pid: i32,
    /// See [`KernelKind`].
    pub number: i32,
    /// See [`KernelKind`].
    pub value: i64,
}

/// The rows of one CPU, in the order of its records, in some six bytes each: the kind, then time, pid, number and value as
/// differences and numbers of variable length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelRows {
    pub(crate) bytes: Vec<u8>,
    pub(crate) len: u64,
    /// Time and pid of the last row.
    pub(crate) last: (u64, i32),
    /// A bit for each kind that is there.
    pub(crate) kinds: u16,
    /// Numbers and names that named events of system calls gave in one record, each pair once, ascending: the number, and the
    /// name as an index of the scan's [`CommTable`](crate::CommTable).
    pub names: Vec<(i32, u32)>,
}

impl KernelRows {
    /// Adds a row.
    #[inline]
    pub fn push(&mut self, row: KernelRow) {
        let (ts, pid) = self.last;
        self.bytes.push(row.kind as u8);
        put(&mut self.bytes, zigzag(row.ts.wrapping_sub(ts) as i64));
        put(&mut self.bytes, zigzag(i64::from(row.pid.wrapping_sub(pid))));
        put(&mut self.bytes, zigzag(i64::from(row.number)));
        put(&mut self.bytes, zigzag(row.value));
        self.last = (row.ts, row.pid);
        self.len += 1;
        self.kinds |= 1 << row.kind as u16;
    }

    /// Whether some row is of one of these kinds.
    pub fn has(&self, kinds: &[KernelKind]) -> bool {
        kinds.iter().any(|&kind| self.kinds & (1 << kind as u16) != 0)
    }

    /// Adds what a named event calls a number.
    pub fn name(&mut self, number: i32, name: u32) {
        if let Err(at) = self.names.binary_search(&(number, name)) {
            self.names.insert(at, (number, name));
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = KernelRow> + '_ {
        let mut bytes = self.bytes.iter();
        let mut last = (0_u64, 0_i32);
        std::iter::from_fn(move || {
            let kind = *KernelKind::ALL.get(usize::from(*bytes.next()?))?;
            let mut next = || take(&mut bytes).map(unzigzag);
            let (ts, pid, number, value) = (next()?, next()?, next()?, next()?);
            last = (last.0.wrapping_add(ts as u64), last.1.wrapping_add(pid as i32));
            Some(KernelRow {
                ts: last.0,
                kind,
                pid: last.1,
                number: number as i32,
                value,
            })
        })
    }
}

/// The rows of one CPU, taken out of its scan before the model is built from that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelLog {
    /// The CPU's number.
    pub cpu: u32,
    /// What happened on it.
    pub rows: KernelRows,
    /// The names that rows refer to.
    pub names: Vec<String>,
}

impl KernelLog {
    /// Takes them out of a scan.
    pub fn take(scan: &mut CpuScan) -> KernelLog {
        let rows = std::mem::take(&mut scan.kernel);
        let names = match rows.is_empty() {
            true => Vec::new(),
            false => scan.comms.names.clone(),
        };
        KernelLog {
            cpu: scan.cpu,
            rows,
            names,
        }
    }

    /// The name with that number.
    pub fn name(&self, number: i32) -> &str {
        let index = usize::try_from(number).ok();
        index.and_then(|index| self.names.get(index)).map_or("", String::as_str)
    }

    /// Whether there are system calls.
    pub fn has_calls(&self) -> bool {
        use KernelKind::{Enter, Exit, NamedEnter, NamedExit};
        self.rows.has(&[Enter, Exit, NamedEnter, NamedExit])
    }

    /// Whether there are interrupts.
    pub fn has_interrupts(&self) -> bool {
        use KernelKind::{IrqEntry, SoftirqEntry, VectorEntry};
        self.rows.has(&[IrqEntry, SoftirqEntry, VectorEntry])
    }
}

/// Small numbers of either sign as small numbers without one.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_pushed_comes_back(
            rows in prop::collection::vec(
                (any::<u64>(), 0..KernelKind::ALL.len(), any::<i32>(), any::<i32>(), any::<i64>()), 0..60),
        ) {
            let rows: Vec<KernelRow> = rows
                .into_iter()
                .map(|(ts, kind, pid, number, value)| KernelRow { ts, kind: KernelKind::ALL[kind], pid, number, value })
                .collect();
            let mut packed = KernelRows::default();
            rows.iter().for_each(|&row| packed.push(row));
            prop_assert_eq!(packed.len(), rows.len() as u64);
            prop_assert!(packed.iter().eq(rows));
        }
    }

    #[test]
    fn kinds_have_their_own_numbers() {
        for (number, kind) in KernelKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
